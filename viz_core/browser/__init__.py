"""The parts that run in the browser: plain JavaScript and CSS beside their Python faces."""
