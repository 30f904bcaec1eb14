"""What an editor ought to read again after a change, because a number means what it did not mean."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from rulewright.checks.examine import Examined
from rulewright.citations.shelf import Shelf
from rulewright.compare.passages import Passage, passages
from rulewright.edit.citing import Aim, Rewriting
from rulewright.edit.moves import Moves
from rulewright.source.problems import Place
from rulewright.source.refusal import Refusal


def _aims(shelf: Shelf, passage: Passage) -> Iterator[tuple[Aim, int]]:
    """Meanings of the references of a passage, and where in it they stand."""
    for one in passage.resolved:
        outline = passage.leads(one, shelf)
        if outline and one.number:
            yield (outline.edition.address, one.number.key), one.found.start


def read_otherwise(
    before: Examined, after: Examined, moves: Moves, added: Sequence[str], rewritings: Sequence[Rewriting]
) -> Iterator[tuple[Place, str]]:
    """The numbers in new words that are references, and those that are some now, since there is a rule.

    Each reference is known by the text that it stands in. Raises Refusal where one would be lost.
    """
    address, dialect = moves.outline.edition.address, moves.outline.edition.dialect
    becomes = {id(one.passage.text): one.text for one in rewritings}
    wanted: Counter[tuple[Aim, str]] = Counter(((address, key), "") for key in added)
    for passage in passages(before.shelf, before.manuscripts):
        text = becomes.get(id(passage.text), str(passage.text))
        for (book, key), _ in _aims(before.shelf, passage):
            number = dialect.parse(key) if book == address else None
            wanted[(book, moves.of(number).key if number else key), text] += 1
    known = {text for _, text in wanted}
    was = {new.key: key for key, new in moves.entries.items()}
    more: list[tuple[Aim, Passage, int]] = []
    for passage in passages(after.shelf, after.manuscripts):
        for aim, at in _aims(after.shelf, passage):
            if wanted[aim, str(passage.text)] > 0:
                wanted[aim, str(passage.text)] -= 1
            else:
                more.append((aim, passage, at))
    left: Counter[Aim] = Counter()
    for (aim, _), count in wanted.items():
        left[aim] += count
    for aim, passage, at in more:
        left[aim] -= 1
        if left[aim] < 0:
            if str(passage.text) in known:
                yield passage.place(at), f"{aim[1]} is a rule now, so that this number is a reference"
            elif aim[0] == address and aim[1] in was:
                yield passage.place(at), f"{aim[1]} was {was[aim[1]]} until now"
    if lost := next((aim for aim, count in left.items() if count > 0), None):
        raise Refusal(f"a reference to {lost[1]} of {lost[0]} would be lost; nothing was changed")
