"""A second process that computes passes and analyses, so that they share no lock of Python's with the script's runs."""
