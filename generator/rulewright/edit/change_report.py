"""Report of a change: files and references, a unified diff, and how to take it back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from difflib import unified_diff

from rulewright.edit.proposal import Proposal
from rulewright.model.reports import several

MOST_TOLD = 20
"""How many places to read again are told, and how many rules by name."""


def diff(proposal: Proposal, before: Mapping[str, bytes]) -> Iterator[str]:
    """The change as a unified diff, whose line ends are those of the files."""
    names = {new: old for old, new in proposal.renamed.items()}
    for name, data in proposal.files.items():
        if data is not None:
            old = names.get(name, name)
            was, now = (d.decode().splitlines(keepends=True) for d in (before.get(old, b""), data))
            for line in unified_diff(was, now, f"a/{old}" if old in before else "/dev/null", f"b/{name}"):
                yield line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"


def moved(proposal: Proposal) -> Iterator[str]:
    """A line for each rule that has another number now."""
    known, moves = proposal.moves.outline.entries, proposal.moves
    roots = [known[key] for key in moves.roots if key in known]
    for entry in roots[:MOST_TOLD]:
        inside = sum(1 for _ in entry.walk()) - 1
        with_inside = f", with {several(inside, 'rule')} inside it" if inside else ""
        yield f"{entry} is {moves.shown(entry)} now{with_inside}"
    if len(roots) > MOST_TOLD:
        yield f"… and {several(len(roots) - MOST_TOLD, 'more rule')}"


def changed(proposal: Proposal) -> Iterator[str]:
    """A line for each file, with how many references in it are changed."""
    names = {new: old for old, new in proposal.renamed.items()}
    for name, data in proposal.files.items():
        if data is not None:
            old = names.get(name, name)
            count = proposal.references[old]
            what = [f"was {old.rpartition('/')[2]}"] if old != name else []
            what += [several(count, "reference")] if count else []
            yield f"  {name}{': ' if what else ''}{', '.join(what)}"


def reread(proposal: Proposal) -> Iterator[str]:
    """A line for each place that an editor ought to read again."""
    for place, words in proposal.again[:MOST_TOLD]:
        yield f"{place}: read again: {words}"
    if len(proposal.again) > MOST_TOLD:
        yield f"… and {several(len(proposal.again) - MOST_TOLD, 'more place')} to read again"


def total(proposal: Proposal) -> str:
    """The extent of the change, in one clause."""
    count = sum(proposal.references.values())
    files = sum(data is not None for data in proposal.files.values())
    otherwise = f" ({proposal.otherwise} had to be written out)" if proposal.otherwise else ""
    return f"{several(count, 'reference')} changed{otherwise}, in {several(files, 'file')} altogether"


def undo(address: str, pairs: Iterable[tuple[str, str]]) -> str:
    """The command that takes a renumbering back."""
    pairs = list(pairs)
    words = " ".join(pairs[0]) if len(pairs) == 1 else " ".join(f"{a}={b}" for a, b in pairs)
    return f"rulewright renumber {address} {words}"
