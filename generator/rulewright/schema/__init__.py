"""The types of content files, the one description of their keys, and the markup of texts."""
