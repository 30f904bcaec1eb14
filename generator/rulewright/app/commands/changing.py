"""What the commands that change the content share: reading it, saying what is done, and writing it.

The receipt of the last renumbering lies in the user's private folder. A number that was shortened ("9.14b and
c") and had to be written out cannot be told from one that its editor wrote so; the receipt can, so taking a
renumbering back restores every byte of the files that nobody has touched since.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from rulewright.app.commands import Refused, Usage, outline_of
from rulewright.book.filing import Cache
from rulewright.book.outline import Outline
from rulewright.checks.examine import Examined, examine_folder
from rulewright.edit import Refusal, change_report
from rulewright.edit.moved_places import Words
from rulewright.edit.moves import Moves
from rulewright.edit.proposal import Finish, Proposal, propose
from rulewright.source import private
from rulewright.source.disk import write
from rulewright.source.folder import CONTENT, Folder, gather
from rulewright.source.transaction import replace

Pairs = Sequence[tuple[str, str]]


def options(parser: argparse.ArgumentParser) -> None:
    """The options that all of them have."""
    parser.add_argument(
        "--dry-run", action="store_true", help="print what would change as a diff, and write nothing"
    )
    parser.add_argument(
        "--force", action="store_true", help="write it even if the check finds new problems then"
    )


@dataclass(eq=False)
class Desk:
    """A project as a command finds it, and the edition that it is to change.

    `committed`: git has all of its content as it is.
    """

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
        """What a change makes of the content. Raises Usage where it cannot be made."""
        try:
            return propose(self.folder, self.examined, moves, finish, self.cache, added)
        except Refusal as refusal:
            raise Usage(str(refusal)) from None


def sit_down(arguments: argparse.Namespace) -> Desk:
    """Read the project. Raises Usage where the edition is not there, Refused where it cannot be read."""
    cache: Cache = {}
    folder = gather(arguments.project)
    examined = examine_folder(folder, cache=cache).printed
    outline = outline_of(examined, arguments.book)
    return Desk(arguments.project, folder, examined, outline, cache, _is_committed(arguments.project))


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


def carry_out(
    desk: Desk,
    proposal: Proposal,
    said: Sequence[str],
    arguments: argparse.Namespace,
    new: Words | None = None,
) -> int:
    """Write what is proposed, or with --dry-run show it, and say what was done.

    `said` comes first; `new` are words that it brings in. Raises Refused where the check would find new
    problems, unless that is forced.
    """
    if proposal.problems and not arguments.force:
        problems = new.told(proposal.problems, proposal.files) if new else proposal.problems
        raise Refused(
            problems,
            "nothing was changed, since these problems would be new; --force does it though",
        )
    if arguments.dry_run:
        sys.stdout.writelines(change_report.diff(proposal, desk.folder.texts))
    else:
        replace(desk.project, proposal.files, desk.folder.texts)
    sys.stdout.flush()
    out = sys.stderr if arguments.dry_run else sys.stdout
    lines = [
        *said,
        *change_report.moved(proposal),
        *change_report.changed(proposal),
        f"{change_report.total(proposal)}.",
    ]
    lines += [proposal.shared] if proposal.shared else []
    lines += [*change_report.reread(proposal), *(["Nothing was written."] if arguments.dry_run else [])]
    print("\n".join(lines), file=out)
    return 0


def git_undo(desk: Desk, proposal: Proposal) -> str:
    """How git takes the change back; empty where that would take other work back too, or there is no git."""
    if not desk.committed:
        return ""
    new = [name for name in proposal.files if name not in desk.folder.texts]
    return f"git restore content{f' && rm {chr(32).join(new)}' if new else ''}"


def leave_receipt(desk: Desk, proposal: Proposal) -> None:
    """Keep what the files were that a renumbering has changed, if that can be written."""
    was = {new: old for old, new in proposal.renamed.items()}
    files = {}
    for name, data in proposal.files.items():
        if data is not None:
            before = desk.folder.texts[was.get(name, name)].decode()
            files[name] = {"now": _digest(data), "name": was.get(name, name), "text": before}
    kept = {"book": desk.address, "back": proposal.moves.back, "files": files}
    with suppress(OSError):
        forget_receipt(desk.project)
        write(private.folder() / _receipt_of(desk.project), json.dumps(kept))


def receipt(desk: Desk, pairs: Pairs) -> Mapping[str, tuple[str, bytes]]:
    """The name and the bytes that files had before the renumbering which these pairs take back.

    Only files are in it that are what that renumbering left.
    """
    try:
        kept = json.loads((private.folder() / _receipt_of(desk.project)).read_bytes())
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


def forget_receipt(project: Path) -> None:
    """Remove the receipt."""
    for folder in private.folders():
        (folder / _receipt_of(project)).unlink(missing_ok=True)


def _receipt_of(project: Path) -> str:
    return f"{private.key(project / CONTENT)}.receipt"
