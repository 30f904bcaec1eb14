"""First stage of an import: each format is read into blocks."""
