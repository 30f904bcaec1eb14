"""Readers of documents: each makes HTML in which a line is a place of the source.

word    a DOCX, with what Word counts; a line is a paragraph
pdf     the text of a PDF, in columns; a line is a page
lines   plain text, and the lines of a PDF
page    HTML as the text of a page
"""

import re
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from rulewright.files import limits

NUMBERED = re.compile(
    r"([\[(]?(?:§{1,2} ?|Art\. )?(?:\d{1,3}|[IVXLC]{2,7}|[A-Z]\d*)"
    r"(?:[.:-](?:\d{1,3}[a-z]?|[a-zA-Z]{1,4})|\(\w{1,3}\))+[\])]?\.?)(?=\s+\S)"
)
"""The number that a paragraph begins with, which stands out in HTML."""

SHOWN = {
    "image/png": "png",
    "image/jpeg": "jpg",
    "image/gif": "gif",
    "image/webp": "webp",
    "image/svg+xml": "svg",
}
"""Kinds of pictures that a site shows, with the endings of their files."""


RawLines = Sequence[tuple[int, str]]
"""The words of a source as no reader of rules has seen them: lines, each with its place."""


class UnreadableDocument(ValueError):
    """A document that cannot be read, and why."""


_MOST_FILES = 5_000


@contextmanager
def open_archive(path: Path, what: str) -> Iterator[zipfile.ZipFile]:
    """The parts of a document that is an archive. Raises Damaged, whatever reading them raises."""
    try:
        with zipfile.ZipFile(path) as archive:
            sizes = [one.file_size for one in archive.infolist()]
            if len(sizes) > _MOST_FILES or sum(sizes) > limits.CONTENT.maximum:
                raise UnreadableDocument(f"unpacks to too much; {limits.CONTENT.describe}")
            yield archive
    except UnreadableDocument:
        raise
    except Exception as error:  # whatever a damaged one is read with
        why = f"is no {what} that can be read ({type(error).__name__})"
        raise UnreadableDocument(f"{why}; save it again as one, without protection") from None
