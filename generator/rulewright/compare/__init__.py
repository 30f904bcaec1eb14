"""Two editions compared, and what references meant when they were last read."""
