"""Completion: keys, allowed words, rule numbers with their titles, names of steps, tables and terms."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
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
from rulewright.app.lsp.content_index import Target
from rulewright.app.lsp.hover import key_documentation, target_summary
from rulewright.app.lsp.open_files import FileView
from rulewright.book.content_files import MODELS, sort_of
from rulewright.book.outline import Outline, RuleEntry
from rulewright.book.related_outlines import marked_edition, sequence_outline, with_series
from rulewright.references.glossary import steps_with_names
from rulewright.references.reference_index import ReferenceIndex
from rulewright.schema.rulebook import SETS
from rulewright.schema.step import COMMON_KEYS, Step
from rulewright.schema.text_document import plain_text

MAX_ITEMS = 100
"""Maximum number of items; the editor asks again when more of the word is typed."""

MAX_DETAIL = 60
"""Maximum length of the text shown for a rule without a title."""

_MARK = re.compile(r"\[\[(?:(?P<book>[^\[\]|\n:]*):)?(?P<word>[^\[\]|\n:]*)\Z")
_NUMBER = re.compile(r"(?<![\w.])[\w(][\w.()/-]*\Z|\Z")
_WORDS = re.compile(r"(?<!\w)\w[\w '’-]{0,40}\Z")
_VALUE = re.compile(r""".*(?::\s+|^\s*(?:-\s+)+|[\[{,]\s*)(?P<quote>["']?)|^\s*""")


def complete(view: FileView, index: int) -> CompletionList:
    """Return the items that continue the word before a text index."""
    line_start = view.lines.text[view.lines.text.rfind("\n", 0, index) + 1 : index]
    file_kind = sort_of(view.name)
    if mark := _MARK.search(line_start):
        return _completion_list(view, index, mark["word"], _mark_items(view, mark["book"], mark["word"]))
    if file_kind is None:
        is_page = view.name.endswith(".md")
        return _complete_prose(view, index, line_start) if is_page else CompletionList(False, [])
    cursor = yaml_cursor.cursor_at(view.lines, index, MODELS[file_kind])
    if cursor is None:
        return CompletionList(False, [])
    value_start = _VALUE.match(line_start)
    typed, quote = (
        (line_start[value_start.end() :], value_start["quote"]) if value_start else (line_start, "")
    )
    if cursor.model:
        return _completion_list(view, index, typed, _key_items(cursor, typed))
    assert cursor.field
    metadata = cursor.field.metadata
    if "words" in metadata:
        items = _word_items(SETS[metadata["words"]], typed)
    elif name_kind := metadata.get("names"):
        items = _name_items(view, name_kind, typed)
    elif cursor.field.name in ("by", "phasing"):
        book = view.outline.edition.book if view.outline else None
        items = _word_items(dict.fromkeys(map(str, [*book.roles, *book.sides]) if book else ()), typed)
    elif metadata.get("cites") or metadata.get("of_series"):
        outlines = with_series(view.outline, view.content.shelf.outlines) if view.outline else []
        if metadata.get("of_series"):
            outlines = outlines[1:]
        typed = typed.rpartition(", ")[2]
        items = _rule_items(view.content.shelf, outlines, typed, "" if quote else '"', by_title=True)
    elif metadata.get("prose") or cursor.field.name in ("rows", "results"):
        return _complete_prose(view, index, line_start)
    else:
        return CompletionList(False, [])
    return _completion_list(view, index, typed, items)


def _completion_list(
    view: FileView, index: int, typed: str, items: Iterable[CompletionItem]
) -> CompletionList:
    """Limit the items and give each the edit that replaces the typed word."""
    shown_items = [*islice(items, MAX_ITEMS + 1)]
    replaced_range = view.lines.range(index - len(typed), index)
    for position, item in enumerate(shown_items):
        item.text_edit = TextEdit(replaced_range, item.insert_text or item.label)
        item.insert_text, item.sort_text = None, f"{position:04}"
        item.filter_text = typed + item.label  # already filtered here
    return CompletionList(len(shown_items) > MAX_ITEMS, shown_items[:MAX_ITEMS])


def _has_prefix(name: str, typed: str) -> bool:
    return name.casefold().startswith(typed.casefold())


def _word_items(words: Iterable[str], typed: str) -> Iterator[CompletionItem]:
    for word in words:
        if _has_prefix(word, typed):
            yield CompletionItem(word, kind=CompletionItemKind.EnumMember)


def _key_items(cursor: yaml_cursor.YamlCursor, typed: str) -> Iterator[CompletionItem]:
    fields = list(yaml_cursor.fields_of(cursor.model))
    if cursor.model is Step:
        fields.sort(key=lambda key: COMMON_KEYS.index(key[0]) if key[0] in COMMON_KEYS else len(COMMON_KEYS))
    for name, field, _ in fields:
        if name not in cursor.sibling_keys and _has_prefix(name, typed):
            yield CompletionItem(
                name,
                kind=CompletionItemKind.Property,
                detail="required" if field.metadata.get("must") else None,
                documentation=_markdown(key_documentation(cursor.model, name, field)),
                insert_text=f"{'- ' if cursor.needs_dash else ''}{name}: ",
            )


def _rule_items(
    shelf: ReferenceIndex, outlines: Iterable[Outline], typed: str, quote: str = "", *, by_title: bool = False
) -> Iterator[CompletionItem]:
    for outline in outlines:
        for entry in outline.ordered_entries:
            if not (entry.rule or entry.listed_rule or entry.title):
                continue  # only referred to
            is_match = _has_prefix(entry.display_number, typed) or _has_prefix(entry.key, typed)
            if by_title and typed and f" {typed}".casefold() in f" {entry.title or ''}".casefold():
                is_match = True
            if is_match:
                yield _rule_item(shelf, entry, quote)


def _rule_item(shelf: ReferenceIndex, entry: RuleEntry, quote: str) -> CompletionItem:
    retired = [CompletionItemTag.Deprecated] if entry.retired else None
    return CompletionItem(
        entry.display_number,
        kind=CompletionItemKind.Reference,
        detail=str(entry.title) if entry.title else _first_words(entry),
        documentation=_markdown(target_summary(entry, shelf)),
        insert_text=f"{quote}{entry.key}{quote}",
        tags=retired,
    )


def _first_words(entry: RuleEntry) -> str | None:
    """Return the first words of a rule or of its first descendant with text."""
    texts = (rule.rule.text for rule in entry.iter_subtree() if rule.rule and rule.rule.text)
    words = next((" ".join(plain_text(text).split()) for text in texts), "")
    return f"{words[:MAX_DETAIL].rpartition(' ')[0]} …" if len(words) > MAX_DETAIL else words or None


def _mark_items(view: FileView, book: str | None, typed: str) -> Iterator[CompletionItem]:
    """Yield the rules that an explicit mark can lead to and, until it names a book, the books."""
    shelf = view.content.shelf
    if book is not None:
        outline = marked_edition(book, view.outline, shelf.outlines)
        yield from _rule_items(shelf, [outline] if outline else [], typed, by_title=True)
        return
    yield from _rule_items(
        shelf, with_series(view.outline, shelf.outlines) if view.outline else [], typed, by_title=True
    )
    for address in dict.fromkeys([*shelf.newest, *shelf.outlines]):
        if _has_prefix(address, typed):
            yield CompletionItem(address, kind=CompletionItemKind.Module, insert_text=f"{address}:")


def _complete_prose(view: FileView, index: int, line_start: str) -> CompletionList:
    """Complete a rule number or the name of a term or step in a text."""
    outlines = with_series(view.outline, view.content.shelf.outlines) if view.outline else []
    number = _NUMBER.search(line_start)
    number_start = number[0] if number else ""
    # "(" can continue a number (12.5c( → 12.5c(B)) or precede one.
    is_number = number_start == "(" or any(map(str.isdigit, number_start))
    for typed in dict.fromkeys((number_start, number_start.removeprefix("("))) if is_number else ():
        if items := [*islice(_rule_items(view.content.shelf, outlines, typed), MAX_ITEMS + 1)]:
            return _completion_list(view, index, typed, items)
    words = _WORDS.search(line_start)
    # Try the longest sequence of words first.
    starts = (m.start() for m in re.finditer(r"(?<!\w)\w", words[0])) if words else ()
    for typed in (words[0][start:] for start in starts if words):
        if len(typed) > 1 and (items := [*islice(_prose_items(view, typed), MAX_ITEMS + 1)]):
            return _completion_list(view, index, typed, items)
    return CompletionList(False, [])


def _prose_items(view: FileView, typed: str) -> Iterator[CompletionItem]:
    if view.outline is None:
        return
    for term in view.content.glossary(view.outline).terms:
        for words in term.all_spellings:
            if _has_prefix(words, typed):
                yield _target_item(view.content.shelf, words, term, CompletionItemKind.Keyword)
    yield from _step_items(
        view.content.shelf,
        steps_with_names(sequence_outline(view.outline, view.content.shelf.outlines)),
        typed,
    )


def _name_items(view: FileView, name_kind: str, typed: str) -> Iterator[CompletionItem]:
    for outline in with_series(view.outline, view.content.shelf.outlines) if view.outline else ():
        if name_kind in ("step", "id", "activity"):
            steps = outline.sequence.iter_steps()
            candidates = (step for step in steps if step.step.id or name_kind != "id")
            yield from _step_items(view.content.shelf, candidates, typed)
        elif name_kind == "table":
            for table in view.content.shelf.editions[outline.edition.address].tables:
                name = str(table.table.title)
                if _has_prefix(name, typed) or _has_prefix(table.display_number, typed):
                    yield _target_item(view.content.shelf, name, table, CompletionItemKind.Struct)


def _step_items(shelf: ReferenceIndex, steps: Iterable[Target], typed: str) -> Iterator[CompletionItem]:
    known: set[str] = set()
    for step in steps:
        name = str(step.step.id or step.step.title)  # type: ignore[union-attr]
        if name not in known and _has_prefix(name, typed):
            known.add(name)
            yield _target_item(shelf, name, step, CompletionItemKind.Event)


def _target_item(
    shelf: ReferenceIndex, name: str, target: Target, kind: CompletionItemKind
) -> CompletionItem:
    return CompletionItem(name, kind=kind, documentation=_markdown(target_summary(target, shelf)))


def _markdown(words: str) -> MarkupContent | None:
    return MarkupContent(MarkupKind.Markdown, words) if words else None
