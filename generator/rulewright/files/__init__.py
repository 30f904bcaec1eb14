"""YAML, Markdown and folders read with the places of their texts; problems; edits; files written whole."""
