"""A whole talk as one HTML file: each view is run as in the app, recorded, and written."""
