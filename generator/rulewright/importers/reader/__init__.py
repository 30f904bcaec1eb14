"""Readers of documents: each makes HTML in which a line is a place of the source.

    word    a DOCX, with what Word counts; a line is a paragraph
"""


class Damaged(ValueError):
    """A document that cannot be read, and why."""
