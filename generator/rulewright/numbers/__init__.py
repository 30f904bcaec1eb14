"""Rule numbers: dialects by example, reading a number, finding numbers in prose."""
