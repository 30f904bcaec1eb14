"""A project as an editor's request finds it, and the edition that it is to change."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from rulewright.book.filing import Cache
from rulewright.book.outline import Outline
from rulewright.checks.examine import Examined, examine_folder
from rulewright.edit.moves import Moves
from rulewright.edit.proposal import Finish, Proposal, propose
from rulewright.source.folder import Folder, gather


@dataclass(eq=False)
class Desk:
    """A project, read, and one of its editions. `committed`: git has all of its content as it is."""

    project: Path
    folder: Folder
    examined: Examined
    outline: Outline
    cache: Cache = field(default_factory=dict)
    committed: bool = False

    @property
    def address(self) -> str:
        return self.outline.edition.address

    def propose(self, moves: Moves, finish: Finish, added: Sequence[str] = ()) -> Proposal:
        """What a change makes of the content. Raises Refusal where it cannot be made."""
        return propose(self.folder, self.examined, moves, finish, self.cache, added)


def sit_down(project: Path, book: str) -> Desk:
    """Read a project. Raises Refusal where the edition is not there, Unsound where it cannot be read."""
    cache: Cache = {}
    folder = gather(project)
    examined = examine_folder(folder, cache=cache).printed
    return Desk(project, folder, examined, examined.outline(book), cache, _is_committed(project))


def _is_committed(project: Path) -> bool:
    here = project.resolve()
    if not any((folder / ".git").exists() for folder in (here, *here.parents)):
        return False
    command = ["git", "status", "--porcelain", "--", "content"]
    try:
        done = subprocess.run(command, cwd=here, capture_output=True, timeout=10, check=False)
    except (OSError, subprocess.SubprocessError):
        return False
    return done.returncode == 0 and not done.stdout.strip()
