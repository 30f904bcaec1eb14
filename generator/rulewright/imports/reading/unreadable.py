"""Documents that cannot be read, and the limits of those that can."""

from __future__ import annotations

import subprocess
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from rulewright.files import limits

_MAX_FILES, _MAX_SECONDS, _MAX_OUTPUT = 5_000, 60, 200_000_000


class UnreadableDocument(ValueError):
    """A document that cannot be read, with the reason."""


@contextmanager
def open_archive(path: Path, kind: str) -> Iterator[zipfile.ZipFile]:
    """Open a document that is an archive. Raises UnreadableDocument, whatever reading it raises."""
    try:
        with zipfile.ZipFile(path) as archive:
            sizes = [part.file_size for part in archive.infolist()]
            if len(sizes) > _MAX_FILES or sum(sizes) > limits.CONTENT.maximum:
                raise UnreadableDocument(f"unpacks to too much; {limits.CONTENT.describe}")
            yield archive
    except UnreadableDocument:
        raise
    except Exception as error:  # a damaged archive may raise anything
        reason = f"is no {kind} that can be read ({type(error).__name__})"
        raise UnreadableDocument(f"{reason}; save it again as one, without protection") from None


def run_program(command: list[str]) -> str:
    """Return what a program prints about a document. Raises UnreadableDocument."""
    name = Path(command[0]).stem
    try:
        output = subprocess.run(command, capture_output=True, check=True, timeout=_MAX_SECONDS).stdout
    except subprocess.TimeoutExpired:
        raise UnreadableDocument(f"takes {name} longer than {_MAX_SECONDS} seconds") from None
    except subprocess.CalledProcessError as error:
        reason = error.stderr.decode("utf-8", "replace").strip().split("\n")[0][:80]
        raise UnreadableDocument(f"cannot be read by {name}: {reason}") from None
    return output[:_MAX_OUTPUT].decode("utf-8", "replace")
