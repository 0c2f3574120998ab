"""How fast the program is, beside others: `python -m benchmarks` measures everything and prints one table."""
