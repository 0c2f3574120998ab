"""From a file of sentence pairs to a checkpoint."""
