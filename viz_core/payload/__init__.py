"""What the browser-side parts get, once for each sentence: arrays of the trace and their labels, as bytes."""
