"""The shell around the pages: frame, address, session, cache, talks, downloads, and the widgets of a page."""
