"""The account of an import: every word, every link, every guess."""
