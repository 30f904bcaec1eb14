"""Pages and their HTML, exports, what is kept for reading without a network."""
