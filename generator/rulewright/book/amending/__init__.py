"""Errata as checked edits: an edition as printed goes in, as amended it comes out.

    errata in order of date ──quote──► the words they change ──find──► one place ──change──► texts ──► edition

An erratum that does not find its words changes nothing, and is a problem that says what stands there instead.
"""

from rulewright.book.amending.amended_edition import apply_errata

__all__ = ["apply_errata"]
