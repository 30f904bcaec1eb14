"""Pages and their HTML, search, exports, and the offline copy."""
