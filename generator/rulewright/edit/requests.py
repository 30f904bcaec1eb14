"""The changes that an editor can ask for: rules renumbered, a new one, one that is retired."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from rulewright.citations.retirement import TO_RETIRED
from rulewright.edit import account, receipt
from rulewright.edit.adding import addition, check_room, enter, retire, scalar
from rulewright.edit.desk import Desk
from rulewright.edit.moves import Moves, found, number_of, planned, room_for
from rulewright.edit.placing import Placing
from rulewright.edit.proposal import Proposal
from rulewright.edit.whereabouts import Words
from rulewright.source.problems import Problem
from rulewright.source.refusal import Refusal, Unsound
from rulewright.source.transaction import replace as write_all


@dataclass(slots=True)
class Change:
    """A change that is worked out and not yet made. `said`: what it is, in lines ahead of what it touches.

    `brings`: words that it brings in. `undo`: the command of ours that takes it back, if one does. `back`: it
    takes the last renumbering back itself.
    """

    desk: Desk
    proposal: Proposal
    said: Sequence[str] = ()
    brings: Words | None = None
    undo: str = ""
    back: bool = False

    @property
    def problems(self) -> list[Problem]:
        """The problems that would be new, where they would stand."""
        problems = self.proposal.problems
        return self.brings.told(problems, self.proposal.files) if self.brings else problems

    def account(self) -> list[str]:
        """What it does, in lines."""
        made = self.proposal
        lines = [*self.said, *account.moved(made), *account.changed(made), f"{account.total(made)}."]
        return [*lines, *([made.shared] if made.shared else []), *account.reread(made)]

    def demand(self) -> None:
        """Raise Unsound where the check would find new problems."""
        if self.problems:
            left = "nothing was changed, since these problems would be new; --force does it though"
            raise Unsound(self.problems, left)

    def make(self) -> None:
        """Write every file of it, or none. Raises Busy and OSError."""
        write_all(self.desk.project, self.proposal.files, self.desk.folder.texts)
        if self.undo and not self.back:
            receipt.leave(self.desk, self.proposal)
        else:
            receipt.forget(self.desk.project)

    def undone_by(self) -> str:
        """How it is taken back; empty where that would take other work back too, or nothing does."""
        new = [name for name in self.proposal.files if name not in self.desk.folder.texts]
        git = f"git restore content{f' && rm {chr(32).join(new)}' if new else ''}"
        return ", or ".join(filter(None, (self.undo, git if self.desk.committed else "")))


def renumbering(desk: Desk, pairs: Sequence[tuple[str, str]]) -> Change:
    """Give rules other numbers, and change all references to them. Raises Refusal."""
    moves = planned(desk.outline, pairs)
    proposal = desk.propose(moves, lambda placing: remember(placing, moves))
    before = receipt.read(desk, [(old.key, new.key) for old, new in moves.roots.values()])
    if before:
        proposal = _restored(proposal, {name: data for name, (_, data) in before.items()}, desk)
    return Change(desk, proposal, undo=account.undo(desk.address, moves.back), back=bool(before))


def inserting(desk: Desk, written: str, title: str | None) -> Change:
    """Make room for a new rule, with all references to those behind it. Raises Refusal."""
    number = number_of(desk.outline, written)
    check_room(desk.outline, number)
    new = addition(desk.outline, number, written, title)
    moves = room_for(desk.outline, number)

    def finish(placing: Placing) -> None:
        _remember_lost(placing, moves)
        enter(placing, new)

    brings = Words("--title", new.title, scalar(new.title)) if new.title else None
    return Change(desk, desk.propose(moves, finish), [f"{new} is new."], brings)


def retiring(desk: Desk, number: str, instead: Sequence[str]) -> Change:
    """Let a rule hold no more, keep its number and say what replaced it. Raises Refusal."""
    entry = found(desk.outline, number)
    others = [found(desk.outline, one) for one in instead]
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


def remember(placing: Placing, moves: Moves) -> None:
    """Enter in each rule that is moved the number that it had."""
    for old, new in moves.roots.values():
        placing.remember(moves.outline.entries[old.key], new)


def _remember_lost(placing: Placing, moves: Moves) -> None:
    """Enter the old number in each moved rule through which numbers lead that no rule has any more."""
    taken = {*moves.staying, *(new.key for new in moves.entries.values())}
    for old, new in moves.roots.values():
        entry = moves.outline.entries.get(old.key)
        if entry and any(inner.key not in taken for inner in entry.walk() if inner is not entry):
            placing.remember(entry, new)


def _restored(proposal: Proposal, before: dict[str, bytes], desk: Desk) -> Proposal:
    """A proposal with files as they were, letter for letter, before the renumbering that it takes back."""
    files = dict(proposal.files)
    for name, data in before.items():
        target = proposal.renamed.get(name, name)
        if target in files or target == name:
            files[target] = data
    return replace(
        proposal, files={name: data for name, data in files.items() if data != desk.folder.texts.get(name)}
    )
