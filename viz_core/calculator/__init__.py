"""A second process for passes and analyses, so that they do not compete with the app's script runs for Python's lock."""
