"""A whole talk as one HTML file: each of its views is run as the app runs it, recorded, and written."""
