"""Changes of the player aids of two editions: their paper, and what their blocks show."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass

from rulewright.book.tables import bare
from rulewright.compare.change import Change, Kind, Part, kinds_of
from rulewright.compare.rules import Rules
from rulewright.model.aid import Aid, Block
from rulewright.source.text import Text

AidChange = Change[Aid]
Said = tuple[str, list[Text]]


def changes(rules: Rules) -> list[AidChange]:
    """Every aid of the new edition, then those that are gone. One is known by its file, or by its title."""
    left = {_file(aid): aid for aid in rules.old.outline.edition.aids}
    row: list[AidChange] = []
    news = {_file(aid): aid for aid in rules.new.outline.edition.aids}
    for name, aid in news.items():
        titled = [one for one, old in left.items() if bare(old.title) == bare(aid.title) and one not in news]
        was = left.pop(name if name in left else titled[0] if titled else "", None)
        parts = tuple(_parts(was, aid, rules)) if was else ()
        row.append(Change(was, aid, tuple(kinds_of(parts)) if was else (Kind.ADDED,), parts))
    return [*row, *(Change(aid, None, (Kind.REMOVED,)) for aid in left.values())]


def _file(aid: Aid) -> str:
    """The name of an aid's file, which is the same in every edition."""
    return aid.title.file.name.rpartition("/")[2]


def _parts(was: Aid, aid: Aid, rules: Rules) -> Iterator[Part]:
    yield from _keys("", was, aid, rules)
    left, names = list(was.blocks), set(map(_name, aid.blocks))
    for at, block in enumerate(aid.blocks, 1):
        same = [one for one in left if _name(one) == _name(block)]
        sort = [one for one in left if one.sort == block.sort and _name(one) not in names]
        before = next(iter(same or sort), None)
        if before:
            left.remove(before)
        else:
            yield from rules.differing(f"block {at}", [], [block.sort], ", ")
        yield from _keys(f"block {at}, ", before, block, rules)
    for block in left:
        yield from rules.differing("block", [block.sort], [], ", ")


def _name(block: Block) -> tuple[str, ...]:
    return (str(block.sort), *(str(text) for _, texts in _values(block) for text in texts[:1]))


def _keys(where: str, old: object, new: object, rules: Rules) -> Iterator[Part]:
    """Differences in the keys of two parts, of which one may not be there."""
    before, after = (dict(_values(part)) if part else {} for part in (old, new))
    for key in {**after, **before}:
        yield from rules.differing(f"{where}{key}", before.get(key, []), after.get(key, []), ", ")


def _values(part: object) -> list[Said]:
    """Texts of a part of an aid, by its keys, with those of the parts in it, but for blocks."""
    found: list[Said] = []
    assert is_dataclass(part)
    for f in fields(part):
        value, name = getattr(part, f.name), f.name.replace("_", " ")
        rows = value if isinstance(value, tuple) else () if value is None else (value,)
        if f.name in ("blocks", "sort"):
            continue
        if all(isinstance(one, Text) for one in rows):
            found.append((name, list(rows)))
        for at, one in enumerate(rows, 1):
            if is_dataclass(one):
                where = f"{name} {at}" if isinstance(value, tuple) else name
                found += [(f"{where}: {key}", inner) for key, inner in _values(one)]
    return found
