"""What the name in an address says: that it is a file's, and the title that it was made of."""

from __future__ import annotations

import posixpath


def is_file(address: str) -> bool:
    """Whether an address is a file's, such as a picture or a download."""
    ending = posixpath.splitext(address.rstrip("/"))[1]
    return 1 < len(ending) < 6 and ending[1:].isalnum() and not ending[1:].isdigit() and ending != ".md"


_SMALL = {"a", "an", "and", "at", "for", "from", "in", "of", "off", "on", "or", "the", "to", "vs", "with"}


def titled(slug: str) -> str:
    """A title as an address has kept it: `out-of-supply` is Out of Supply."""
    words = [word for word in slug.split("-") if word]
    return " ".join(w if at and w in _SMALL else w[:1].upper() + w[1:] for at, w in enumerate(words))
