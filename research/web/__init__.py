"""The web: search engines, reading pages, and the guard that all fetching passes through."""
