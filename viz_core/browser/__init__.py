"""Payloads of the parts that run in the browser; their TypeScript and CSS are in the folders here."""
