"""Rule numbers: numbering schemes by example, parsing a number, finding numbers in prose."""
