"""The changes that an editor can ask for: rules renumbered, retired, a new one.

Each is worked out in memory, told, and written as a whole or not at all. What the files were before the last
change is kept in the user's private folder: a number that was shortened ("9.14b and c") and had to be
written out cannot be told from one that its editor wrote so, but by this receipt every byte of the files that
nobody has touched since comes back.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from difflib import unified_diff
from pathlib import Path

from rulewright.book.outline import Outline
from rulewright.checks.examine import Examined, examine_folder
from rulewright.citations.retirement import TO_RETIRED
from rulewright.edit.moves import Moves, number_beside, number_of, planned, room_for, rule_of, shifted
from rulewright.edit.placement import Placement, addition, check_room, enter, retire, scalar
from rulewright.edit.proposal import Finish, Proposal, propose
from rulewright.model.reports import several
from rulewright.source import private
from rulewright.source.disk import digest, write
from rulewright.source.folder import Folder, content_folder, gather
from rulewright.source.kept import Cache
from rulewright.source.problems import Place, Problem
from rulewright.source.refusal import Refusal, refuse_errors
from rulewright.source.repository import is_committed
from rulewright.source.transaction import replace as write_all

MOST_TOLD = 20
"""How many places to read again are told, and how many rules by name."""


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

    @property
    def receipt(self) -> str:
        """The name of the file that keeps what the last change has changed."""
        return f"{private.key(content_folder(self.project))}.receipt"

    def propose(self, moves: Moves, finish: Finish, added: Sequence[str] = ()) -> Proposal:
        """Work out what a change makes of the content. Raises Refusal where it cannot be made."""
        return propose(self.folder, self.examined, moves, finish, self.cache, added)


def sit_down(project: Path, book: str) -> Desk:
    """Read a project. Raises Refusal where the edition is not there, Unsound where it cannot be read."""
    cache: Cache = {}
    folder = gather(project)
    examined = examine_folder(folder, cache=cache).printed
    return Desk(
        project,
        folder,
        examined,
        examined.outline(book),
        cache,
        is_committed(project, str(content_folder(project).resolve())),
    )


@dataclass(slots=True)
class Change:
    """A change that is worked out and not yet made. `said`: what it is, in lines ahead of what it touches.

    `title`: one that it brings in. `undo`: the command of ours that takes it back, if one does. `back`: it
    takes the last renumbering back itself.
    """

    desk: Desk
    proposal: Proposal
    said: Sequence[str] = ()
    title: str = ""
    undo: str = ""
    back: bool = False

    @property
    def problems(self) -> list[Problem]:
        """The problems that would be new, where they would stand; those in the title at their place there."""
        found = self.proposal.problems
        return list(dict.fromkeys(replace(p, place=self._place(p.place)) for p in found))

    def _place(self, place: Place) -> Place:
        data, written = self.proposal.files.get(place.file), scalar(self.title)
        line = data.decode("utf-8-sig").splitlines()[place.line - 1] if data and self.title else ""
        start = line.find(f" {written}") + 1
        if not 0 < start < place.column <= start + len(written):
            return place
        ahead = line[start : place.column - 1]
        return Place("--title", 1, len(ahead if written == self.title else json.loads(f'{ahead}"')) + 1)

    def account(self) -> list[str]:
        """The report of the change: rules, files with how many references, what to read again."""
        made, known = self.proposal, self.proposal.moves.outline.entries
        lines = [*self.said]
        roots = [known[key] for key in made.moves.roots if key in known]
        for entry in roots[:MOST_TOLD]:
            inside = sum(1 for _ in entry.walk()) - 1
            more = f", with {several(inside, 'rule')} inside it" if inside else ""
            lines.append(f"{entry} is {made.moves.shown(entry)} now{more}")
        if len(roots) > MOST_TOLD:
            lines.append(f"… and {several(len(roots) - MOST_TOLD, 'more rule')}")
        for name, old in made.written:
            what = [f"was {old.rpartition('/')[2]}"] if old != name else []
            what += [several(count, "reference")] if (count := made.references[old]) else []
            lines.append(f"  {name}{': ' if what else ''}{', '.join(what)}")
        otherwise = f" ({made.otherwise} had to be written out)" if made.otherwise else ""
        changed = several(sum(made.references.values()), "reference")
        lines.append(f"{changed} changed{otherwise}, in {several(len(made.written), 'file')} altogether.")
        lines += [made.shared] if made.shared else []
        lines += [f"{place}: read again: {words}" for place, words in made.again[:MOST_TOLD]]
        if len(made.again) > MOST_TOLD:
            lines.append(f"… and {several(len(made.again) - MOST_TOLD, 'more place')} to read again")
        return lines

    def diff(self) -> Iterator[str]:
        """The change as a unified diff, whose line ends are those of the files."""
        before = self.desk.folder.texts
        for name, old in self.proposal.written:
            texts = before.get(old, b""), self.proposal.files[name] or b""
            was, now = (data.decode().splitlines(keepends=True) for data in texts)
            for line in unified_diff(was, now, f"a/{old}" if old in before else "/dev/null", f"b/{name}"):
                yield line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"

    def demand(self) -> None:
        """Raise Unsound where the check would find new errors."""
        message = "nothing was changed, since these problems would be new; --force does it though"
        refuse_errors(self.problems, message)

    def make(self) -> None:
        """Write every file of it, or none, and a receipt if it can be written. Raises Busy and OSError."""
        made, before = self.proposal, self.desk.folder.texts
        write_all(self.desk.project, made.files, before)
        for folder in private.folders():
            with suppress(OSError):
                (folder / self.desk.receipt).unlink(missing_ok=True)
        if not self.back:
            old_names = {new: old for old, new in made.renamed.items()}
            names = {name: old_names.get(name, name) for name in made.files if name not in made.renamed}
            files = {
                name: {
                    "now": digest(made.files[name] or b"") if made.files[name] is not None else "",
                    "name": old,
                    "text": before[old].decode() if old in before else None,
                }
                for name, old in names.items()
            }
            kept = {"book": self.desk.address, "back": made.moves.back if self.undo else [], "files": files}
            with suppress(OSError):
                write(private.folder() / self.desk.receipt, json.dumps(kept))

    def undone_by(self) -> str:
        """How it is taken back; empty where that would take other work back too, or nothing does."""
        new = [name for name in self.proposal.files if name not in self.desk.folder.texts]
        own = f"rulewright renumber {self.desk.address} --undo" if not self.undo and not self.back else ""
        git = f"git restore content{f' && rm {chr(32).join(new)}' if new else ''}"
        return ", or ".join(filter(None, (self.undo, own, git if self.desk.committed else "")))


def renumbering(desk: Desk, pairs: Sequence[tuple[str, str]]) -> Change:
    """Give rules other numbers, and change all references to them. Raises Refusal."""
    moves = planned(desk.outline, pairs)
    proposal = desk.propose(moves, lambda placing: remember(placing, moves))
    before = _before(desk, [(old.key, new.key) for old, new in moves.roots.values()])
    files = dict(proposal.files)
    for name, data in before.items():
        target = proposal.renamed.get(name, name)
        if target in files or target == name:
            files[target] = data
    proposal.files = {name: data for name, data in files.items() if data != desk.folder.texts.get(name)}
    words = moves.back[0] if len(moves.back) == 1 else [f"{new}={old}" for new, old in moves.back]
    undo = f"rulewright renumber {desk.address} {' '.join(words)}"
    return Change(desk, proposal, undo=undo, back=bool(before))


def _before(desk: Desk, pairs: Sequence[tuple[str, str]]) -> Mapping[str, bytes]:
    """Files before the renumbering that these pairs take back, of those that are as that left them."""
    try:
        kept = json.loads((private.folder() / desk.receipt).read_bytes())
        if kept["book"] != desk.address or sorted(map(tuple, kept["back"])) != sorted(pairs):
            return {}
        return {
            name: file["text"].encode()
            for name, file in kept["files"].items()
            if name in desk.folder.texts and digest(desk.folder.texts[name]) == file["now"]
        }
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return {}


def shifting(desk: Desk, written: str, target: str) -> Change:
    """Put a rule in at another number, make room there and close the gap that it leaves. Raises Refusal."""
    entry, number = rule_of(desk.outline, written), number_of(desk.outline, target)
    if entry.key == number.key:
        raise Refusal(f"{entry.shown} is {number.key} already")
    return renumbering(desk, shifted(desk.outline, entry, number))


def undoing(desk: Desk) -> Change:
    """Take the last change back, byte for byte. Raises Refusal where files have been changed since."""
    try:
        kept = json.loads((private.folder() / desk.receipt).read_bytes())
        files = {str(name): file for name, file in kept["files"].items()}
        book, before = str(kept["book"]), dict[str, bytes | None]()
        for name, file in files.items():
            now = desk.folder.texts.get(name)
            if (digest(now) if now is not None else "") != file["now"]:
                raise Refusal(
                    f"{name} has been changed since, so that taking the change back would undo that too"
                )
            before.setdefault(name, None)
            if file["text"] is not None:
                before[file["name"]] = file["text"].encode()
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        raise Refusal("nothing is known here that could be taken back") from None
    made = Proposal(Moves(desk.outline, {}), before)
    return Change(desk, made, [f"The last change of {book} is taken back."], back=True)


def inserting(desk: Desk, written: str, title: str | None, beside: bool = False) -> Change:
    """Make room for a new rule, with all references to those behind it. Raises Refusal.

    `beside`: put it in behind the rule of that number, with a suffix, so that nothing moves.
    """
    number = number_of(desk.outline, written)
    if beside:
        number = number_beside(desk.outline, rule_of(desk.outline, written))
        written = number.key
    check_room(desk.outline, number)
    new = addition(desk.outline, number, written, title)
    moves = room_for(desk.outline, number)

    def finish(placing: Placement) -> None:
        moved = [desk.outline.entries[key] for key in moves.roots if key in desk.outline.entries]
        # Through these lead numbers that no rule has any more.
        lost = {one.key for one in moved if any(inner.key not in moves.after for inner in [*one.walk()][1:])}
        remember(placing, moves, lost)
        enter(placing, new)

    return Change(desk, desk.propose(moves, finish), [f"{new} is new."], title or "")


def retiring(desk: Desk, number: str, instead: Sequence[str]) -> Change:
    """Let a rule hold no more, keep its number and say what replaced it. Raises Refusal."""
    entry = rule_of(desk.outline, number)
    others = [rule_of(desk.outline, one) for one in instead]
    for other in others:
        if other in entry.walk():
            raise Refusal(f"{other.shown} is retired with {entry.shown} and cannot replace it")
        if other.retired:
            raise Refusal(f"{other.shown} is retired itself")
    if entry.retired:
        above = next(one for one in entry.around() if one.retired is entry.retired)
        raise Refusal(
            f"{entry.shown} is retired already{f', with {above.shown}' if above is not entry else ''}"
        )
    proposal = desk.propose(
        Moves(desk.outline, {}), lambda placing: retire(placing, entry, others), [one.key for one in others]
    )
    outdated = [problem for problem in proposal.problems if problem.code == TO_RETIRED.code]
    proposal.problems = [problem for problem in proposal.problems if problem not in outdated]
    replaced = f"; {', '.join(map(str, others))} replaced it" if others else ""
    said = [f"{entry} is retired{replaced}.", *(f"{one.place}: {one.message}" for one in outdated)]
    return Change(desk, proposal, said)


def remember(placing: Placement, moves: Moves, only: set[str] | None = None) -> None:
    """Enter in each rule that is moved, or in some of them, the number that it had."""
    for old, new in moves.roots.values():
        if only is None or old.key in only:
            placing.remember(moves.outline.entries[old.key], new)
