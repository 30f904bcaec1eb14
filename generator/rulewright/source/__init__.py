"""Texts with places: the YAML and folders that content is read from, edits to them, files written whole."""
