"""Pages that live without a server: their parts as recorded here, and the numbers from the engine in the browser."""
