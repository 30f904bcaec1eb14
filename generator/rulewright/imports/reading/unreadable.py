"""Documents that cannot be read, and the limits of those that can."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from rulewright.files import limits

_MOST_FILES = 5_000


class UnreadableDocument(ValueError):
    """A document that cannot be read, with the reason."""


@contextmanager
def open_archive(path: Path, what: str) -> Iterator[zipfile.ZipFile]:
    """Open a document that is an archive. Raises UnreadableDocument, whatever reading it raises."""
    try:
        with zipfile.ZipFile(path) as archive:
            sizes = [part.file_size for part in archive.infolist()]
            if len(sizes) > _MOST_FILES or sum(sizes) > limits.CONTENT.maximum:
                raise UnreadableDocument(f"unpacks to too much; {limits.CONTENT.describe}")
            yield archive
    except UnreadableDocument:
        raise
    except Exception as error:  # a damaged archive may raise anything
        why = f"is no {what} that can be read ({type(error).__name__})"
        raise UnreadableDocument(f"{why}; save it again as one, without protection") from None
