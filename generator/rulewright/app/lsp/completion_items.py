"""Completion: keys, allowed words, rule numbers with their titles, names of steps, tables and terms."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import Field
from itertools import islice
from typing import Any

from lsprotocol.types import (
    CompletionItem,
    CompletionItemKind,
    CompletionItemTag,
    CompletionList,
    MarkupContent,
    MarkupKind,
    TextEdit,
)

from rulewright.app.lsp.file_view import FileView
from rulewright.app.lsp.hover import describe_key, describe_target
from rulewright.book.content_files import MODELS, sort_of
from rulewright.book.outline import Outline
from rulewright.book.related_outlines import marked_edition, with_series
from rulewright.references.name_spans import Target
from rulewright.schema import position
from rulewright.schema.rulebook import SETS
from rulewright.sequence.sequence_step import SequenceStep

MAX_ITEMS = 100
"""Maximum number of items; the editor asks again when more of the word is typed."""


_MARK = re.compile(r"\[\[(?:(?P<book>[^\[\]|\n:]*):)?(?P<word>[^\[\]|\n:]*)\Z")
_NUMBER = re.compile(r"(?<![\w.])[\w(][\w.()/-]*\Z")


def complete(view: FileView, offset: int) -> CompletionList:
    """Return the items that continue the word before an offset."""
    line_start = view.lines.text[view.lines.text.rfind("\n", 0, offset) + 1 : offset]
    completion = _Completion(view)
    model = MODELS.get(sort_of(view.name) or "")
    place = position.at(view.lines.text, offset, model) if model else None
    candidates: list[tuple[str, Iterable[CompletionItem]]] = []
    if mark := _MARK.search(line_start):
        candidates = [(mark["word"], completion.mark_items(mark["book"], mark["word"]))]
    elif place and place.model:
        typed = view.lines.text[place.start : offset]
        candidates = [(typed, completion.key_items(place, typed))]
    elif place and place.field:
        candidates = completion.value_candidates(
            place.field, view.lines.text[place.start - 1 : offset], line_start
        )
    elif view.name.endswith(".md"):
        candidates = completion.prose_candidates(line_start)
    for typed, items in candidates:
        shown_items = [*islice(items, MAX_ITEMS + 1)]
        replaced_range = view.lines.range(offset - len(typed), offset)
        for index, item in enumerate(shown_items):
            item.text_edit = TextEdit(replaced_range, item.insert_text or item.label)
            item.insert_text, item.sort_text = None, f"{index:04}"
            item.filter_text = typed + item.label  # already filtered here
        if shown_items:
            return CompletionList(len(shown_items) > MAX_ITEMS, shown_items[:MAX_ITEMS])
    return CompletionList(False, [])


def _has_prefix(name: str, typed: str) -> bool:
    return name.casefold().startswith(typed.casefold())


class _Completion:
    """Candidates in a file, with the edition of the file and the series that it extends."""

    def __init__(self, view: FileView) -> None:
        self.index = view.content.project.index
        self.outline = view.outline
        self.outlines = with_series(self.outline, self.index.outlines) if self.outline else []

    def value_candidates(
        self, field: Field[Any], typed: str, line_start: str
    ) -> list[tuple[str, Iterable[CompletionItem]]]:
        """Return the candidates for the value of a field. `typed`: with the character before the value."""
        about, quote = field.metadata, "" if typed[:1] in ("'", '"') else '"'
        typed = typed[1:]
        items: Iterable[CompletionItem] = ()
        if "words" in about:
            items = _word_items(SETS[about["words"]], typed)
        elif "names" in about:
            items = self.name_items(about["names"], typed)
        elif field.name in ("by", "phasing") and self.outline:
            book = self.outline.edition.book
            items = _word_items(dict.fromkeys(map(str, [*book.roles, *book.sides])), typed)
        elif about.get("cites") or about.get("of_series"):
            typed = typed.rpartition(", ")[2]
            outlines = self.outlines[1:] if about.get("of_series") else self.outlines
            items = self.rule_items(outlines, typed, quote, by_title=True)
        elif about.get("prose") or field.name in ("rows", "results"):
            return self.prose_candidates(line_start)
        return [(typed, items)]

    def prose_candidates(self, line_start: str) -> list[tuple[str, Iterable[CompletionItem]]]:
        """Return the candidates for a number in a text; "(" continues a number, 12.5c(B), or precedes one."""
        number = match[0] if (match := _NUMBER.search(line_start)) else ""
        if number != "(" and not any(map(str.isdigit, number)):
            return []
        numbers = dict.fromkeys((number, number.removeprefix("(")))
        return [(typed, self.rule_items(self.outlines, typed)) for typed in numbers]

    def key_items(self, place: position.Position, typed: str) -> Iterator[CompletionItem]:
        for name, (field, _) in position.keys_of(place.model).items():
            if name not in place.siblings and _has_prefix(name, typed):
                yield CompletionItem(
                    name,
                    kind=CompletionItemKind.Property,
                    detail="required" if field.metadata.get("must") else None,
                    documentation=_markdown(describe_key(place.model, name, field)),
                    insert_text=f"{'- ' if place.needs_dash else ''}{name}: ",
                )

    def rule_items(
        self, outlines: Iterable[Outline], typed: str, quote: str = "", *, by_title: bool = False
    ) -> Iterator[CompletionItem]:
        for entry in (entry for outline in outlines for entry in outline.ordered_entries):
            if not (entry.rule or entry.listed_rule or entry.title):
                continue  # only referred to
            in_title = by_title and typed and f" {typed}".casefold() in f" {entry.title or ''}".casefold()
            if in_title or _has_prefix(entry.display_number, typed) or _has_prefix(entry.key, typed):
                yield CompletionItem(
                    entry.display_number,
                    kind=CompletionItemKind.Reference,
                    detail=str(entry.title) if entry.title else None,
                    documentation=_markdown(describe_target(entry, self.index)),
                    insert_text=f"{quote}{entry.key}{quote}",
                    tags=[CompletionItemTag.Deprecated] if entry.retired else None,
                )

    def mark_items(self, book: str | None, typed: str) -> Iterator[CompletionItem]:
        """Yield the rules that an explicit mark can lead to and, until it names a book, the books."""
        if book is not None:
            outline = marked_edition(book, self.outline, self.index.outlines)
            yield from self.rule_items([outline] if outline else [], typed, by_title=True)
            return
        yield from self.rule_items(self.outlines, typed, by_title=True)
        for address in dict.fromkeys([*self.index.newest, *self.index.outlines]):
            if _has_prefix(address, typed):
                yield CompletionItem(address, kind=CompletionItemKind.Module, insert_text=f"{address}:")

    def name_items(self, kind: str, typed: str) -> Iterator[CompletionItem]:
        for outline in self.outlines:
            if kind in ("step", "id", "activity"):
                steps = outline.sequence.iter_steps()
                yield from self.step_items((step for step in steps if step.step.id or kind != "id"), typed)
            elif kind == "table":
                for table in self.index.editions[outline.edition.address].tables:
                    names = [str(table.table.title), table.display_number]
                    title = next((names[0] for name in names if _has_prefix(name, typed)), "")
                    yield from self.target_items(title, table, CompletionItemKind.Struct, "") if title else ()

    def step_items(self, steps: Iterable[SequenceStep], typed: str) -> Iterator[CompletionItem]:
        for name, step in {str(step.step.id or step.step.title): step for step in steps}.items():
            yield from self.target_items(name, step, CompletionItemKind.Event, typed)

    def target_items(
        self, name: str, target: Target, kind: CompletionItemKind, typed: str
    ) -> Iterator[CompletionItem]:
        if _has_prefix(name, typed):
            yield CompletionItem(
                name, kind=kind, documentation=_markdown(describe_target(target, self.index))
            )


def _word_items(words: Iterable[str], typed: str) -> Iterator[CompletionItem]:
    return (CompletionItem(w, kind=CompletionItemKind.EnumMember) for w in words if _has_prefix(w, typed))


def _markdown(words: str) -> MarkupContent:
    return MarkupContent(MarkupKind.Markdown, words)
