"""What one takes along: the numbers as CSV, the whole trace as a zip, the view as one HTML file that needs nothing else."""
