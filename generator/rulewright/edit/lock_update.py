"""Locks after numbers have moved: each reference keeps its meaning, by the new numbers.

What was true stays true. What an editor still had to read again he has to read again afterwards.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from rulewright.checks.examine import Examined
from rulewright.compare.lock import Key, Lock, Reading, mark_of, renamed
from rulewright.compare.passages import Home, lock_of
from rulewright.compare.recording import current
from rulewright.edit.moves import Moves


def locks_after(
    before: Examined, after: Examined, moves: Moves, added: Collection[str] = ()
) -> Mapping[str, bytes]:
    """Rewrite the locks that differ after a renumbering. `added`: rules newly cited, which have been read."""
    locks = before.drift.locks
    if not locks:
        return {}
    now, was = (current(one.shelf, one.manuscripts, locks) for one in (after, before))
    files: dict[str, bytes] = {}
    for home, lock in locks.items():
        made = Lock(words=dict(now[1]))
        keys = {key: _moved_key(key, every[0], home, moves) for key, every in lock.meant.items()}
        for key, every in lock.meant.items():
            true = set(was[0].get((home, key), ()))
            today = now[0].get((home, keys[key]), [])
            moved = [_moved(one, home, moves, lock, made) for one in every]
            row = made.meant.setdefault(keys[key], [])
            row += carried(zip(every, moved, strict=True), true, today)
        come = (at for at in now[0] if at[0] == home and at[1] not in made.meant and at[1][1] in added)
        made.meant |= {at[1]: now[0][at] for at in come}
        if made.written() != before.library.locks[lock_of(home)]:
            files[lock_of(home)] = made.written()
    return files


def carried(
    every: Iterable[tuple[Reading, Reading]], true: Collection[Reading], today: Sequence[Reading]
) -> Iterator[Reading]:
    """Choose the meaning that a lock keeps for a reference: the one of today, or the old one by new numbers.

    `true`: what held until now, and holds as it is said `today`; the rest is still to be read.
    """
    for then, moved in every:
        same = (one for one in today if one.target == moved.target)
        yield next(same, today[0]) if then in true and today else moved


def _moved_key(key: Key, meant: Reading, home: Home, moves: Moves) -> Key:
    """A reference by the numbers of today."""
    sort, _, name = key[0].partition(" ")
    ours = home == moves.outline.edition.address
    source = f"{sort} {_number(name, moves)}" if ours and sort in ("rule", "table") else key[0]
    if meant.address(home) != moves.outline.edition.address:
        return source, key[1]
    return source, "–".join(_named(one, moves) for one in key[1].split("–"))


def _named(named: str, moves: Moves) -> str:
    """A number as it is kept, with what stands in front of it."""
    front = next((mark for mark in ("was ", named.rpartition(":")[0] + ":") if named.startswith(mark)), "")
    return front + _number(named.removeprefix(front), moves)


def _number(key: str, moves: Moves) -> str:
    number = moves.outline.edition.dialect.parse(key)
    return moves.of(number).key if number and number.key == key else key


def by_new_numbers(
    meant: Reading, old: Lock, new: Lock, numbers: Iterable[tuple[str, str]], key: str
) -> Reading:
    """The meaning of a reference that is still to be read, by the numbers of today.

    `numbers`: those that its words cite, each with that of today; `key`: its own of today.
    """
    own, words = meant.own, old.words.get(meant.own)
    if words:
        words = renamed(words, numbers)
        own = mark_of(words)
        new.words[own] = words
    target = meant.target.removesuffix(meant.key) + key
    return Reading(target, f"{own}+{meant.more}" if meant.more else own, meant.title)


def _moved(meant: Reading, home: Home, moves: Moves, old: Lock, new: Lock) -> Reading:
    """The meaning of a reference of a folder after a renumbering."""
    address, words = meant.address(home), old.words.get(meant.own, "")
    key = _number(meant.key, moves) if address == moves.outline.edition.address else meant.key
    return by_new_numbers(meant, old, new, _cited(words, address, moves), key)


def _cited(words: str, address: str, moves: Moves) -> Iterator[tuple[str, str]]:
    """The numbers that are cited in words of a rule, each with that of today."""
    ours = moves.outline.edition.address
    for key in cited_in(words):
        prefix = f"{ours}:" if address != ours else ""
        if key.startswith(prefix) and (prefix or not key.partition(":")[0].count("/")):
            yield key, prefix + _number(key.removeprefix(prefix), moves)


def cited_in(words: str) -> Iterator[str]:
    """The rules that are cited in words as they are kept."""
    for piece in words.split("[[")[1:]:
        yield piece.partition("]]")[0]
