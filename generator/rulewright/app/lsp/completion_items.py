"""Completion: keys of a part, words that a value may be, rule numbers with their titles, names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice

from lsprotocol.types import (
    CompletionItem,
    CompletionItemKind,
    CompletionItemTag,
    CompletionList,
    MarkupContent,
    MarkupKind,
    TextEdit,
)

from rulewright.app.lsp import yaml_cursor
from rulewright.app.lsp.content_index import Thing, edition_vocabulary
from rulewright.app.lsp.hover import key_documentation, thing_summary
from rulewright.app.lsp.open_files import FileView
from rulewright.book.content_files import MODELS, sort_of
from rulewright.book.outline import Outline, RuleEntry
from rulewright.citations.glossary import steps_with_names
from rulewright.citations.reference_index import ReferenceIndex
from rulewright.model.model_reader import Words
from rulewright.text.text_document import plain_text

MOST = 100
"""How many items are sent; an editor asks again with more of the word."""

LONGEST = 60
"""How many letters of a rule without a title are shown beside its number."""

_MARK = re.compile(r"\[\[(?:(?P<book>[^\[\]|\n:]*):)?(?P<word>[^\[\]|\n:]*)\Z")
_NUMBER = re.compile(r"(?<![\w.])[\w(][\w.()/-]*\Z|\Z")
_WORDS = re.compile(r"(?<!\w)\w[\w '’-]{0,40}\Z")
_VALUE = re.compile(r""".*(?::\s+|^\s*(?:-\s+)+|[\[{,]\s*)(?P<quote>["']?)|^\s*""")


def complete(view: FileView, index: int) -> CompletionList:
    """The items at a place. Those that do not go on as the word there begins are left out."""
    ahead = view.lines.text[view.lines.text.rfind("\n", 0, index) + 1 : index]
    sort = sort_of(view.name)
    if mark := _MARK.search(ahead):
        return _list(view, index, mark["word"], _in_mark(view, mark["book"], mark["word"]))
    if sort is None:
        is_page = view.name.endswith(".md")
        return _in_prose(view, index, ahead) if is_page else CompletionList(False, [])
    words = edition_vocabulary(view.outline)
    cursor = yaml_cursor.cursor_at(view.lines, index, MODELS[sort], words)
    if cursor is None:
        return CompletionList(False, [])
    lead = _VALUE.match(ahead)
    typed, quote = (ahead[lead.end() :], lead["quote"]) if lead else (ahead, "")
    if cursor.model:
        return _list(view, index, typed, _keys(cursor, typed, words))
    assert cursor.field
    meta = cursor.field.metadata
    if "words" in meta:
        return _list(view, index, typed, _plain(words[meta["words"]], typed, CompletionItemKind.EnumMember))
    if names := meta.get("names"):
        return _list(view, index, typed, _names(view, names, typed))
    if cursor.field.name in ("by", "phasing"):
        return _list(view, index, typed, _plain(_actors(view), typed, CompletionItemKind.EnumMember))
    if meta.get("cites") or meta.get("of_series"):
        series_outlines = view.reading.shelf.with_series(view.outline) if view.outline else []
        outlines = series_outlines[1:] if meta.get("of_series") else series_outlines
        typed = typed.rpartition(", ")[2]
        return _list(
            view,
            index,
            typed,
            _rules(view.reading.shelf, outlines, typed, "" if quote else '"', by_title=True),
        )
    is_prose = meta.get("prose") or cursor.field.name in ("rows", "results")
    return _in_prose(view, index, ahead) if is_prose else CompletionList(False, [])


def _list(view: FileView, index: int, typed: str, items: Iterable[CompletionItem]) -> CompletionList:
    """As many items as are sent, each with the edit that puts it in the place of the word there."""
    shown_items = [*islice(items, MOST + 1)]
    replaced_range = view.lines.range(index - len(typed), index)
    for position, item in enumerate(shown_items):
        item.text_edit = TextEdit(replaced_range, item.insert_text or item.label)
        item.insert_text, item.sort_text = None, f"{position:04}"
        item.filter_text = typed + item.label  # they are chosen here already
    return CompletionList(len(shown_items) > MOST, shown_items[:MOST])


def _begins(name: str, typed: str) -> bool:
    return name.casefold().startswith(typed.casefold())


def _plain(names: Iterable[str], typed: str, kind: CompletionItemKind) -> Iterator[CompletionItem]:
    return (CompletionItem(name, kind=kind) for name in names if _begins(name, typed))


def _keys(cursor: yaml_cursor.YamlCursor, typed: str, words: Words) -> Iterator[CompletionItem]:
    for name, field, _ in yaml_cursor.fields_of(cursor.model, words):
        if name not in cursor.sibling_keys and _begins(name, typed):
            yield CompletionItem(
                name,
                kind=CompletionItemKind.Property,
                detail="required" if field.metadata.get("must") else None,
                documentation=_told(key_documentation(cursor.model, name, field, words)),
                insert_text=f"{'- ' if cursor.needs_dash else ''}{name}: ",
            )


def _rules(
    shelf: ReferenceIndex, outlines: Iterable[Outline], typed: str, quote: str = "", *, by_title: bool = False
) -> Iterator[CompletionItem]:
    for outline in outlines:
        for entry in outline.ordered_entries:
            if not (entry.rule or entry.listed_rule or entry.title):
                continue  # a number that only others name
            has = _begins(entry.display_number, typed) or _begins(entry.key, typed)
            if has or (by_title and typed and f" {typed}".casefold() in f" {entry.title or ''}".casefold()):
                yield _rule(shelf, entry, quote)


def _rule(shelf: ReferenceIndex, entry: RuleEntry, quote: str) -> CompletionItem:
    retired = [CompletionItemTag.Deprecated] if entry.retired else None
    return CompletionItem(
        entry.display_number,
        kind=CompletionItemKind.Reference,
        detail=str(entry.title) if entry.title else _line(entry),
        documentation=_told(thing_summary(entry, shelf)),
        insert_text=f"{quote}{entry.key}{quote}",
        tags=retired,
    )


def _line(entry: RuleEntry) -> str | None:
    """The first words of a rule without a title, or of what is in it."""
    texts = (rule.rule.text for rule in entry.iter_subtree() if rule.rule and rule.rule.text)
    words = next((" ".join(plain_text(text).split()) for text in texts), "")
    return f"{words[:LONGEST].rpartition(' ')[0]} …" if len(words) > LONGEST else words or None


def _in_mark(view: FileView, book: str | None, typed: str) -> Iterator[CompletionItem]:
    """The rules that a mark may lead to and, where it names no book yet, the books."""
    shelf = view.reading.shelf
    if book is not None:
        outline = shelf.marked_edition(book, view.outline)
        yield from _rules(shelf, [outline] if outline else [], typed, by_title=True)
        return
    yield from _rules(shelf, shelf.with_series(view.outline) if view.outline else [], typed, by_title=True)
    for address in dict.fromkeys([*shelf.newest, *shelf.outlines]):
        if _begins(address, typed):
            yield CompletionItem(address, kind=CompletionItemKind.Module, insert_text=f"{address}:")


def _in_prose(view: FileView, index: int, ahead: str) -> CompletionList:
    """The rules whose number goes on as a number there, and what is called as the words there begin."""
    outlines = view.reading.shelf.with_series(view.outline) if view.outline else []
    number = _NUMBER.search(ahead)
    begun = number[0] if number else ""
    # What opens a bracket may be the end of a number, and a number may stand in it.
    is_number = begun == "(" or any(map(str.isdigit, begun))
    for typed in dict.fromkeys((begun, begun.removeprefix("("))) if is_number else ():
        if items := [*islice(_rules(view.reading.shelf, outlines, typed), MOST + 1)]:
            return _list(view, index, typed, items)
    words = _WORDS.search(ahead)
    # The longest row of words that a name begins with.
    starts = (m.start() for m in re.finditer(r"(?<!\w)\w", words[0])) if words else ()
    for typed in (words[0][start:] for start in starts if words):
        if len(typed) > 1 and (items := [*islice(_spoken(view, typed), MOST + 1)]):
            return _list(view, index, typed, items)
    return CompletionList(False, [])


def _spoken(view: FileView, typed: str) -> Iterator[CompletionItem]:
    if view.outline is None:
        return
    for term in view.reading.glossary(view.outline).terms:
        for words in term.all_spellings:
            if _begins(words, typed):
                yield _thing(view.reading.shelf, words, term, CompletionItemKind.Keyword)
    yield from _once(
        view.reading.shelf, steps_with_names(view.reading.shelf.sequence_outline(view.outline)), typed
    )


def _names(view: FileView, sort: str, typed: str) -> Iterator[CompletionItem]:
    for outline in view.reading.shelf.with_series(view.outline) if view.outline else ():
        if sort in ("step", "activity"):
            yield from _once(view.reading.shelf, outline.iter_steps(), typed)
        elif sort == "table":
            for table in view.reading.shelf.tables[outline.edition.address]:
                name = str(table.table.title)
                if _begins(name, typed) or _begins(table.display_number, typed):
                    yield _thing(view.reading.shelf, name, table, CompletionItemKind.Struct)


def _once(shelf: ReferenceIndex, steps: Iterable[Thing], typed: str) -> Iterator[CompletionItem]:
    known: set[str] = set()
    for step in steps:
        name = str(step.step.id or step.step.title)  # type: ignore[union-attr]
        if name not in known and _begins(name, typed):
            known.add(name)
            yield _thing(shelf, name, step, CompletionItemKind.Event)


def _actors(view: FileView) -> Iterator[str]:
    book = view.outline.edition.book if view.outline else None
    roles: list[Mapping[str, object]] = [book.roles, book.sides] if book else []  # type: ignore[list-item]
    yield from dict.fromkeys(str(name) for role in roles for name in role)


def _thing(shelf: ReferenceIndex, name: str, target: Thing, kind: CompletionItemKind) -> CompletionItem:
    return CompletionItem(name, kind=kind, documentation=_told(thing_summary(target, shelf)))


def _told(words: str) -> MarkupContent | None:
    return MarkupContent(MarkupKind.Markdown, words) if words else None
