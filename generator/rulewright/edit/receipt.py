"""The receipt of the last renumbering, in the user's private folder: the files as they were before it.

A number that was shortened ("9.14b and c") and had to be written out cannot be told from one that its editor
wrote so; the receipt can, so taking a renumbering back restores every byte of the files that nobody has
touched since.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from rulewright.edit.desk import Desk
from rulewright.edit.proposal import Proposal
from rulewright.source import private
from rulewright.source.disk import write
from rulewright.source.folder import CONTENT


def leave(desk: Desk, proposal: Proposal) -> None:
    """Keep what the files were that a renumbering has changed, if that can be written."""
    was = {new: old for old, new in proposal.renamed.items()}
    files = {}
    for name, data in proposal.files.items():
        if data is not None:
            before = desk.folder.texts[was.get(name, name)].decode()
            files[name] = {"now": _digest(data), "name": was.get(name, name), "text": before}
    kept = {"book": desk.address, "back": proposal.moves.back, "files": files}
    with suppress(OSError):
        forget(desk.project)
        write(private.folder() / _name(desk.project), json.dumps(kept))


def read(desk: Desk, pairs: Sequence[tuple[str, str]]) -> Mapping[str, tuple[str, bytes]]:
    """The name and the bytes that files had before the renumbering which these pairs take back.

    Only files are in it that are what that renumbering left.
    """
    try:
        kept = json.loads((private.folder() / _name(desk.project)).read_bytes())
        if kept["book"] != desk.address or sorted(map(tuple, kept["back"])) != sorted(pairs):
            return {}
        return {
            name: (file["name"], file["text"].encode())
            for name, file in kept["files"].items()
            if name in desk.folder.texts and _digest(desk.folder.texts[name]) == file["now"]
        }
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return {}


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def forget(project: Path) -> None:
    """Remove the receipt of the last renumbering."""
    for folder in private.folders():
        (folder / _name(project)).unlink(missing_ok=True)


def _name(project: Path) -> str:
    return f"{private.key(project / CONTENT)}.receipt"
