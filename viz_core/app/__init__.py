"""The shell around the pages: frame, address, session, cache, talks, downloads, and what a page is written with."""
