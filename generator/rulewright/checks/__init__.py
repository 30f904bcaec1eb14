"""Checks of the books, each beside the kinds of problem that it reports."""
