"""Errata applied to an edition, so that its pages show the rules as amended."""

from rulewright.book.amending.amended_edition import apply_errata

__all__ = ["apply_errata"]
