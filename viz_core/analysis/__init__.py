"""Analyses of a trace: trace in, arrays out, each function with its formula and source."""
