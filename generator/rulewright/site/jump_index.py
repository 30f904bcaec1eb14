"""Index of the jump box, as data for its script: numbers, titles, terms, steps, tables and pages.

A script for each edition, `ocs/4.3/jump.js`, which a page on a disk can load as well as one from a server.
It says how the book numbers its rules, so that the script on the page knows nothing of any book.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from rulewright.book.outline import Entry, Outline
from rulewright.book.sequence import PATH, StepEntry
from rulewright.book.step_names import abbreviation_of, title_of
from rulewright.citations import addresses
from rulewright.numbers.evidence import with_own
from rulewright.site.artifacts import Branch
from rulewright.site.context import Desk
from rulewright.text.document import plain

Row = list[str | int]


def script(desk: Desk, outline: Outline, pages: Branch) -> str:
    """The script of an edition; `pages`: its branch of the site's navigation."""
    told = json.dumps(listing(desk, outline, pages), ensure_ascii=False, separators=(",", ":"))
    return f'rulewright.take("{addresses.jump_path(outline.edition.address)}",{told});\n'


def listing(desk: Desk, outline: Outline, pages: Branch) -> dict[str, Any]:
    """All that one can jump to in an edition, and how its numbers are typed.

    `cues`: words that may stand in front of a number; `loose`: whether its first label may be left out.
    `chapters`: the page of each, its label, and its rules in order, each with its number, title, level and
    other names. `former`: numbers that rules had, with those they have. `others`: kind, short name, title,
    page, anchor, other names and where it lies.
    """
    numbers = outline.edition.dialect
    chapters = [
        [addresses.chapter_path(chapter), chapter.number.labels[0], [_rule(desk, e) for e in chapter.walk()]]
        for chapter in outline.chapters
    ]
    paths = {chapter[0] for chapter in chapters}
    others = [*_terms(desk, outline), *_tables(desk, outline), *_steps(desk, outline), *_pages(pages, paths)]
    return {
        "cues": [*with_own([*map(str, outline.edition.book.cues)])],
        "loose": numbers.drops_letters,
        "chapters": chapters,
        "former": [[former, entry.key] for former, entry in outline.former.items()],
        "others": [_short(other) for other in others],
    }


def _short(row: Sequence[str | int]) -> Row:
    fields = [*row]
    while fields and fields[-1] == "":
        fields.pop()
    return fields


def _rule(desk: Desk, entry: Entry) -> Row:
    title = plain(entry.title or "")
    return _short([entry.key, title, entry.level, "; ".join(desk.also(entry, title))])


def _terms(desk: Desk, outline: Outline) -> Iterator[Row]:
    """Each term as the rule that it leads to, and in the glossary where no rule here says what it is."""
    for term in desk.glossaries[outline.edition.address].terms:
        words, means = plain(term.words), plain(term.term.means)
        also = "; ".join(dict.fromkeys(plain(alias) for alias in term.term.aliases if alias != means))
        if term.rule:
            page, anchor = addresses.of(term.rule)
            yield ["term", words, means, page, anchor, also, desk.name(term.rule)]
        page = addresses.glossary_path(outline.edition.address)
        if desk.place(term)[0] == page:
            yield ["glossary", words, means, page, term.anchor, also]


def _tables(desk: Desk, outline: Outline) -> Iterator[Row]:
    for table in desk.shelf.tables[outline.edition.address]:
        if not table.entry:
            title = plain(str(table))
            yield ["table", "", title, *addresses.of(table), "; ".join(desk.also(table, title))]


def _steps(desk: Desk, outline: Outline) -> Iterator[Row]:
    for step in outline.every_step():
        if step.difference == "dropped":
            continue
        title, short = title_of(step), abbreviation_of(step) or ""
        also = "; ".join(words for words in desk.also(step, title) if words != short)
        yield ["step", plain(short), title, *addresses.of(step), also, _around(step)]


def _around(step: StepEntry) -> str:
    """The steps that a step lies in, turns among them: there the same phase comes again."""
    above: list[str] = []
    at = step.parent
    while at:
        above.append(plain(at.step.title))
        at = at.parent
    return PATH.join(reversed(above))


def _pages(branch: Branch, chapters: set[Any]) -> Iterator[Row]:
    if branch.path is not None and branch.path not in chapters:
        yield ["page", "", branch.title, branch.path]
    for inner in branch.branches:
        yield from _pages(inner, chapters)
