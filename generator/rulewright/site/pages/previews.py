"""Previews of references: the rules, steps, terms and tables of an edition, a file a page.

    ocs/4.3/previews/12-supply.js   what stands on the page ocs/4.3/12-supply, by its anchor there
    ocs/4.3/previews/index.js       on which page a rule stands, by its number or the beginning of it

Each is a script that hands its data to `rulewright.take`, since a page from a disk can read no other file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from json import dumps
from operator import attrgetter
from typing import Any

from rulewright.book.cited_things import ListItem, items_of
from rulewright.book.outline import Entry, Outline
from rulewright.book.sequence import StepEntry
from rulewright.citations import addresses
from rulewright.citations.repeats import TOLD
from rulewright.site.artifacts import Content
from rulewright.site.compositor import Compositor
from rulewright.site.context import Desk
from rulewright.site.spoken import in_english
from rulewright.site.templating import environment
from rulewright.text.document import plain

Preview = tuple[str, ...]
"""Title and path as plain words, and the HTML of what is said, its links from the page that it stands on.

Behind them, of a rule, the number that its title begins with.
"""

_Maker = Callable[[Any, Compositor], Preview]

STEP = " › "


def files(desk: Desk, outline: Outline) -> Iterator[tuple[str, Content]]:
    """The scripts of an edition by their paths, of what its pages have set."""
    base, short = outline.edition.address, outline.edition.short

    def file(
        path: str, things: Callable[[], Iterable[Any]], key: Callable[[Any], str], preview: _Maker
    ) -> Content:
        def made() -> str:
            at = Compositor(path, desk, *desk.done.pop(path, ()))
            return _script(name_of(path), {key(one): preview(one, at) for one in things()})

        return made

    anchor: Callable[[Any], str] = attrgetter("anchor")
    for chapter in outline.chapters:
        path = addresses.chapter_path(chapter)
        things = partial(_of_chapter, chapter, outline)
        yield name_of(path), file(path, things, _in_chapter, partial(_in_rules, outline))
    if outline.root:
        path = addresses.sequence_path(outline.root)
        yield (name_of(path), file(path, lambda: _steps(outline), anchor, partial(_step, outline)))
    if outline.edition.book.terms:
        path = addresses.glossary_path(base)
        told = lambda one, at: (plain(one.words), short, _set("term", one, at))  # noqa: E731
        yield name_of(path), file(path, lambda: desk.glossaries[base].terms, anchor, told)
    if tables := [table for table in desk.shelf.tables[base] if not table.entry]:
        path = addresses.tables_path(tables[0])
        told = lambda one, at: (desk.name(one), one.edition.short, _set("table", one, at))  # noqa: E731
        yield name_of(path), file(path, lambda: tables, anchor, told)
    index = f"{addresses.previews_path(base)}/index.js"
    yield index, lambda: _script(index, dict(pages_of(outline.entries.values())))


def pages_of(entries: Iterable[Entry]) -> Iterator[tuple[str, str]]:
    """Pages by the longest number prefix: `12` stands for all numbers in it but those named themselves."""
    named: dict[str, str] = {}
    for entry in entries:
        page = addresses.chapter_path(entry.chapter).rpartition("/")[2]
        for name in (entry.chapter.number.labels[0], entry.key):
            beginnings = (entry.key[:end] for end in range(len(entry.key), 0, -1))
            known = next((named[key] for key in beginnings if key in named), None)
            if known != page and entry.key.startswith(name):
                named[name] = page
    return iter(named.items())


def _rule(entry: Entry, at: Compositor) -> Preview:
    above = (_own_name(one) for one in reversed(entry.around()[1:]))
    path = STEP.join((entry.edition.short, *above))
    return _own_name(entry), path, _set("rule", entry, at), entry.shown


def _own_name(entry: Entry) -> str:
    """A rule's number with its own title; an inherited one would head words that it is not of."""
    return f"{entry.shown} {plain(entry.title)}" if entry.title else entry.shown


def _of_chapter(chapter: Entry, outline: Outline) -> Iterator[Entry | ListItem | StepEntry]:
    """The rules of a chapter, the items of their lists, and what one of them shows of the narrative."""
    for entry in chapter.walk():
        yield entry
        yield from items_of(entry)
        if entry.rule and entry.rule.shows == "narrative":
            yield from outline.told


def _in_chapter(one: Entry | ListItem | StepEntry) -> str:
    if isinstance(one, StepEntry):
        return f"{TOLD}{one.anchor}"
    return one.key if isinstance(one, Entry) else one.anchor


def _in_rules(outline: Outline, one: Entry | ListItem | StepEntry, at: Compositor) -> Preview:
    if isinstance(one, ListItem):
        above = (_own_name(entry) for entry in reversed(one.entry.around()))
        return str(one), STEP.join((one.edition.short, *above)), _set("item", one, at)
    return _rule(one, at) if isinstance(one, Entry) else _step(outline, one, at)


def _steps(outline: Outline) -> Iterable[StepEntry]:
    """All steps, those that a turn has otherwise than the one that it repeats as they are shown."""
    return dict.fromkeys(filter(None, (outline.root, *outline.every_step(), *outline.shown_steps())))


def _step(outline: Outline, step: StepEntry, at: Compositor) -> Preview:
    above, parent = "", step.parent
    while parent:
        above, parent = f"{STEP}{plain(parent.step.title)}{above}", parent.parent
    inner = outline.steps if step is outline.root else step.rows
    return plain(step.step.title), step.edition.short + above, _set("step", step, at, inner)


def _set(kind: str, thing: Any, at: Compositor, *more: object) -> str:
    parts: Any = environment().get_template("parts/preview.html").module
    html = str(getattr(parts, kind)(thing, at, *more))
    html = in_english(html) if at.desk.is_english(thing.edition) else html
    return "\n".join(filter(None, html.split("\n")))  # the templates' own empty lines


def name_of(page: str) -> str:
    """The script of a page by its path."""
    edition, _, name = page.rpartition("/")
    return f"{addresses.previews_path(edition)}/{name}.js"


def _script(path: str, data: object) -> str:
    told = (dumps(one, ensure_ascii=False, separators=(",", ":")) for one in (path, data))
    return f"rulewright.take({','.join(told)});\n"
