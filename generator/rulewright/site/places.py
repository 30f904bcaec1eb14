"""Places of an edition's rules, by which a note that a reader made at a rule finds it again.

    ocs/4.3/places/stamp.js   the mark of all the rest: while it is the same, every rule is where it was
    ocs/4.3/places/all.js     the rules, and where numbers lead that they had, here and in other editions

A note keeps the number of its rule, the mark of what that said, and how many rules had left that number by
then: so one that was made before another rule took the number is told from one that was made after.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator

from rulewright.book.outline import Entry, Outline
from rulewright.book.tables import table_texts
from rulewright.citations import addresses
from rulewright.citations.prose import plain
from rulewright.compare.matching import FEW
from rulewright.numbers import items
from rulewright.numbers.dialect import Number
from rulewright.site.context import Desk
from rulewright.source.text import Text

WORDS, TITLE = 8, 4
"""Letters of a mark: of the words of a rule, and of its title."""

_FORM = re.compile(r"[\s*_\\\[\]]+")


def files(desk: Desk, outline: Outline) -> Iterator[tuple[str, str]]:
    """The scripts of an edition by their paths."""
    address = outline.edition.address
    data = {
        "name": plain(outline.edition.title),
        "rules": {entry.key: mark(desk, entry) for entry in outline.in_order},
        "left": left(outline),
        "from": {one.edition.address: _from(desk, one, outline) for one in desk.counterparts.others(outline)},
    }
    told = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    folder = addresses.places_path(address)
    for name, text in ("all", told), ("stamp", json.dumps(_digest(told)[:12])):
        path = f"{folder}/{name}.js"
        yield path, f"rulewright.take({json.dumps(path, ensure_ascii=False)},{text});\n"


def mark(desk: Desk, entry: Entry) -> str:
    """Mark of a rule's words and of its title, whatever the rules that it cites are numbered.

    Signs of layout do not count. Words too few to tell a rule by, and no title, are noughts.
    """
    rule, table = entry.rule, desk.tables.get(entry)
    texts = [rule.text, *(note.text for note in rule.notes), rule.closing] if rule else []
    called = entry.title
    if table:
        called = called or table.table.title
        texts += [text for text, _ in table_texts(table) if text is not table.table.title]
        texts += [cell for grid in table.grids() for row in grid.rows for cell in row.values()]
    words = " ".join(_plain(desk, text) for text in texts if text)
    title = _plain(desk, called) if called else ""
    has_words = words.count(" ") + 1 >= FEW
    return (_digest(words)[:WORDS] if has_words else "0" * WORDS) + (
        _digest(title)[:TITLE] if title else "0" * TITLE
    )


def _plain(desk: Desk, text: Text) -> str:
    parts, at = [], 0
    for one in desk.shelf.references(text):
        parts.append(text[at : one.found.start])
        at = one.found.end
    return _FORM.sub(" ", "".join((*parts, text[at:]))).strip()


def _digest(words: str) -> str:
    return hashlib.blake2b(words.encode(), digest_size=6).hexdigest()


def left(outline: Outline) -> dict[str, list[str]]:
    """The rules that had a number once, by that number; which others have now is among them."""
    dialect = outline.edition.dialect
    had: dict[Entry, list[Number]] = {}
    for entry, number, _ in outline.formerly:
        had.setdefault(entry, []).append(number)
    found: dict[str, list[str]] = {}

    def enter(old: str, entry: Entry) -> None:
        keys = found.setdefault(old, [])
        if old != entry.key and entry.key not in keys:
            keys.append(entry.key)

    for entry, numbers in had.items():
        for inner in entry.walk():
            own = [inner.number, *had.get(inner, ())] if inner is not entry else []
            for number in numbers:
                depth = len(entry.number.labels)
                olds = [number, *(items.inside(dialect, number, one, depth) for one in own)]
                for old in olds[1:] if own else olds:
                    if old:
                        enter(old.key, inner)
    for former, entry in outline.former.items():
        enter(former, entry)
    return {old: keys for old, keys in found.items() if keys}


def _from(desk: Desk, other: Outline, outline: Outline) -> dict[str, str | list[str]]:
    """Rules of another edition that have another number here, and in a list what is near one that is gone."""
    found: dict[str, str | list[str]] = {}
    for source, one in desk.counterparts.all(other, outline).items():
        if not isinstance(source, Entry):
            continue
        if isinstance(one.there, Entry):
            if one.there.key != source.key:
                found[source.key] = one.there.key
        elif one.sure or source.key not in outline.entries:
            found[source.key] = [one.near.key] if isinstance(one.near, Entry) else []
    return found
