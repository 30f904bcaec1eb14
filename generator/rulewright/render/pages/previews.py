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

from rulewright.book.outline import Outline, RuleEntry
from rulewright.references import site_paths
from rulewright.references.citable_items import ListItem, list_items_of
from rulewright.render.build_artifacts import Content
from rulewright.render.page_renderer import PageRenderer
from rulewright.render.render_context import RenderContext
from rulewright.render.screen_reader_text import without_language_marks
from rulewright.render.templating import environment
from rulewright.schema.text_document import plain_text
from rulewright.sequence.repetition_phrases import TOLD
from rulewright.sequence.sequence_step import SequenceStep

Preview = tuple[str, ...]
"""Title and path as plain words, and the HTML of what is said, its links from the page that it stands on.

Behind them, of a rule, the number that its title begins with.
"""

_Maker = Callable[[Any, PageRenderer], Preview]

STEP = " › "


def preview_files(desk: RenderContext, outline: Outline) -> Iterator[tuple[str, Content]]:
    """The scripts of an edition by their paths, of what its pages have set."""
    base, short = outline.edition.address, outline.edition.short

    def file(
        path: str, things: Callable[[], Iterable[Any]], key: Callable[[Any], str], preview: _Maker
    ) -> Content:
        def made() -> str:
            at = PageRenderer(path, desk, *desk.rendered_texts_by_page.pop(path, ()))
            return _script(preview_file_name(path), {key(one): preview(one, at) for one in things()})

        return made

    anchor: Callable[[Any], str] = attrgetter("anchor")
    for chapter in outline.chapters:
        path = site_paths.chapter_path(chapter)
        things = partial(_of_chapter, chapter, outline)
        yield preview_file_name(path), file(path, things, _in_chapter, partial(_in_rules, outline))
    if outline.sequence.root:
        path = site_paths.sequence_path(outline.sequence.root)
        yield (preview_file_name(path), file(path, lambda: _steps(outline), anchor, partial(_step, outline)))
    if outline.edition.book.terms:
        path = site_paths.glossary_path(base)
        told = lambda one, at: (plain_text(one.words), short, _set("term", one, at))  # noqa: E731
        yield preview_file_name(path), file(path, lambda: desk.glossaries[base].terms, anchor, told)
    if tables := [table for table in desk.shelf.editions[base].tables if not table.entry]:
        path = site_paths.tables_path(tables[0])
        told = lambda one, at: (desk.name(one), one.edition.short, _set("table", one, at))  # noqa: E731
        yield preview_file_name(path), file(path, lambda: tables, anchor, told)
    index = f"{site_paths.previews_path(base)}/index.js"
    yield index, lambda: _script(index, pages_by_number_prefix(outline.entries.values()))


def pages_by_number_prefix(entries: Iterable[RuleEntry]) -> dict[str, str]:
    """Pages by the longest number prefix: `12` stands for all numbers in it but those named themselves."""
    named: dict[str, str] = {}
    for entry in entries:
        page = site_paths.chapter_path(entry.chapter).rpartition("/")[2]
        for name in (entry.chapter.number.labels[0], entry.key):
            beginnings = (entry.key[:end] for end in range(len(entry.key), 0, -1))
            known = next((named[key] for key in beginnings if key in named), None)
            if known != page and entry.key.startswith(name):
                named[name] = page
    return named


def _rule(entry: RuleEntry, at: PageRenderer) -> Preview:
    above = (_own_name(rule) for rule in reversed(entry.self_and_ancestors()[1:]))
    path = STEP.join((entry.edition.short, *above))
    return _own_name(entry), path, _set("rule", entry, at), entry.display_number


def _own_name(entry: RuleEntry) -> str:
    """A rule's number with its own title; an inherited one would head words that it is not of."""
    return f"{entry.display_number} {plain_text(entry.title)}" if entry.title else entry.display_number


def _of_chapter(chapter: RuleEntry, outline: Outline) -> Iterator[RuleEntry | ListItem | SequenceStep]:
    """The rules of a chapter, the items of their lists, and what one of them shows of the narrative."""
    for entry in chapter.iter_subtree():
        yield entry
        yield from list_items_of(entry)
        if entry.rule and entry.rule.shows == "narrative":
            yield from outline.sequence.narrative_steps


def _in_chapter(one: RuleEntry | ListItem | SequenceStep) -> str:
    if isinstance(one, SequenceStep):
        return f"{TOLD}{one.anchor}"
    return one.key if isinstance(one, RuleEntry) else one.anchor


def _in_rules(outline: Outline, one: RuleEntry | ListItem | SequenceStep, at: PageRenderer) -> Preview:
    if isinstance(one, ListItem):
        above = (_own_name(entry) for entry in reversed(one.entry.self_and_ancestors()))
        return str(one), STEP.join((one.edition.short, *above)), _set("item", one, at)
    return _rule(one, at) if isinstance(one, RuleEntry) else _step(outline, one, at)


def _steps(outline: Outline) -> Iterable[SequenceStep]:
    """All steps, those that a turn has otherwise than the one that it repeats as they are shown."""
    return dict.fromkeys(
        filter(
            None,
            (outline.sequence.root, *outline.sequence.iter_steps(), *outline.sequence.iter_expanded_steps()),
        )
    )


def _step(outline: Outline, step: SequenceStep, at: PageRenderer) -> Preview:
    above, parent = "", step.parent
    while parent:
        above, parent = f"{STEP}{plain_text(parent.step.title)}{above}", parent.parent
    inner = outline.sequence.steps if step is outline.sequence.root else step.displayed_steps
    return plain_text(step.step.title), step.edition.short + above, _set("step", step, at, inner)


def _set(kind: str, thing: Any, at: PageRenderer, *more: object) -> str:
    parts: Any = environment().get_template("parts/preview.html").module
    html = str(getattr(parts, kind)(thing, at, *more))
    html = without_language_marks(html) if at.context.is_english(thing.edition) else html
    return "\n".join(filter(None, html.split("\n")))  # the templates' own empty lines


def preview_file_name(page: str) -> str:
    """The script of a page by its path."""
    edition, _, name = page.rpartition("/")
    return f"{site_paths.previews_path(edition)}/{name}.js"


def _script(path: str, data: object) -> str:
    told = (dumps(one, ensure_ascii=False, separators=(",", ":")) for one in (path, data))
    return f"rulewright.take({','.join(told)});\n"
