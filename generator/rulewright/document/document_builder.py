"""Builder of the nodes of an edition. The nodes of a text and of a chapter are built once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache, cached_property
from types import MappingProxyType
from typing import assert_never

from rulewright.book import drawing_shapes
from rulewright.book.errata_entries import ErrataEntry
from rulewright.book.errata_targets import entry_chapter
from rulewright.book.library import Edition
from rulewright.book.outline import Outline, RuleEntry
from rulewright.book.series_inheritance import series_citation_names
from rulewright.book.table_entries import TableEntry, table_of_file
from rulewright.document.errata_text import ErrataText
from rulewright.document.grid_builder import GridBuilder
from rulewright.document.markup_nesting import nest_markup
from rulewright.document.nodes import (
    Block,
    Blocks,
    BoldNode,
    DrawingNode,
    ExternalNode,
    FigureNode,
    GridNode,
    ImageNode,
    Inline,
    ItemNode,
    Line,
    ListNode,
    ModifierNode,
    NameNode,
    NoteNode,
    ParagraphNode,
    RangeNode,
    ReferenceNode,
    References,
    ResultNode,
    RetirementNode,
    RuleTreeNode,
    SymbolNode,
    TableLinkNode,
    TableNode,
    TableNoteNode,
    errata_of,
)
from rulewright.document.targets import TargetId, TargetIndex
from rulewright.document.text_names import TextNames
from rulewright.files.located_text import LocatedText
from rulewright.references.citable_items import list_items_of
from rulewright.references.glossary import TermEntry
from rulewright.references.reference_index import ReferenceIndex
from rulewright.references.reference_types import (
    CitableReference,
    ExternalReference,
    FaultyReference,
    Reference,
    RuleReference,
    parse_document,
)
from rulewright.schema.aid_blocks import PictureBlock
from rulewright.schema.amended_text import AmendedText
from rulewright.schema.diagram_model import DiagramSpec
from rulewright.schema.erratum import Erratum
from rulewright.schema.inline_images import InlineImage, picture_of, sibling_name
from rulewright.schema.rulebook import Figure, RuleNote
from rulewright.schema.table import Modifier, TableGrid
from rulewright.schema.text_document import (
    Block as TextBlock,
)
from rulewright.schema.text_document import (
    Document,
    MarkupToken,
    TextList,
    TextRun,
    plain_text,
)
from rulewright.schema.text_document import (
    Inline as TextInline,
)
from rulewright.sequence.sequence_step import SequenceStep


class DocumentBuilder:
    """Builder of the nodes of an edition."""

    def __init__(
        self, outline: Outline, index: ReferenceIndex, names: TextNames, targets: TargetIndex
    ) -> None:
        self.outline, self.index, self.names, self.target_id = outline, index, names, targets.id_of
        self.edition = outline.edition
        self._has_errata = any(edition.applied_errata for edition in outline.edition.with_series)
        self.chapter = cache(self.rule)  # the nodes of a chapter are built once

    def errata_in(self, node: object) -> Iterable[TargetId]:
        """Return the errata that changed words of a node, in the order of the text."""
        return dict.fromkeys(errata_of(node)) if self._has_errata else ()

    # Texts

    def inline(self, text: LocatedText | None, until: int | None = None) -> Line:
        """Return the nodes of a text, if any, in one line, or of what is before the offset `until`.

        Of a text with errata it is always all.
        """
        if not text:
            return ()
        if isinstance(text, AmendedText):
            return self._errata_text(text, {}).inline()
        return self.document_inline(self._document(text).inline(0, until), text)

    def blocks(self, text: LocatedText | None, entry: RuleEntry | None = None) -> Blocks:
        """Return the nodes of a text, if any. `entry`: its rule; the items of its lists then have anchors."""
        if not text:
            return ()
        items = list_items_of(entry) if entry else ()
        anchors = {item.start: item.anchor for item in items if item.text is text}
        if isinstance(text, AmendedText):
            return self._errata_text(text, anchors).blocks()
        return self.document_blocks(self._document(text), text, anchors)

    def term_meaning(self, term: TermEntry) -> Line:
        """Return the nodes of what a term means in its edition."""
        document = self.index.document(term.term.means, term.edition)
        names = self.names.glossaries[term.edition.address].find(document, term)
        return self.document_inline(document.with_names(names).inline(), None)

    def term_rule(self, term: TermEntry) -> Line:
        """Return the reference to the rule that defines a term."""
        see = term.term.see
        return self.document_inline(self.index.document(see, term.edition).inline(), None) if see else ()

    def quotation(self, text: LocatedText, entry: ErrataEntry) -> Line:
        """Return the nodes of words that an erratum quotes."""
        words, outline = text.strip(), self.index.outlines[entry.edition.address]
        resolved = self.index.resolver.resolve(words, outline, entry_chapter(entry, outline))
        return self.document_inline(parse_document(words, resolved).inline(), None)

    def references(self, texts: Iterable[LocatedText]) -> References:
        """Return the references of a `see:`; the two ends of a range are together."""
        references: list[Line] = []
        for text in texts:
            resolved = self.index.references(text)
            for reference in resolved:
                end: Line = (self.reference(reference, reference.words_in(text).words),)
                if isinstance(reference, RuleReference):
                    shows_overrides = self._is_of_series(reference.target)
                    link = replace(end[0], shows_overrides=shows_overrides)  # type: ignore[type-var]
                    end = (*self._series_prefix(reference.target), link)
                if reference.match.ends_range and references:
                    references[-1] = (RangeNode((references[-1], end)),)
                else:
                    references.append(end)
            if not resolved:
                references.append((str(text),))
        return tuple(references)

    def reference(self, reference: Reference, words: str) -> Inline:
        """Return the node of a reference; one that leads nowhere is only its words."""
        match reference:
            case RuleReference():
                return self._rule_reference(reference, words)
            case CitableReference():
                return NameNode(self.target_id(reference.citable), words)
            case ExternalReference():
                return ExternalNode(words, reference.href, reference.title, reference.site)
            case FaultyReference():
                return words
        assert_never(reference)

    def _rule_reference(self, reference: RuleReference, words: str) -> ReferenceNode:
        match = reference.match
        return ReferenceNode(
            target=self.target_id(reference.target),
            words=words,
            number=reference.number.key,
            ends_range=match.ends_range,
            between=tuple(map(self.target_id, reference.rules_in_range)),
            has_label=bool(match.label),
        )

    def symbol(self, name: str, text: LocatedText, stands_alone: bool) -> Inline:
        """Return the node of a symbol, or the words of one that the book does not have."""
        edition = self._edition_of(text)
        if edition is None or drawing_shapes.inline_symbol(name, edition.book) is None:
            return f":{name}:"
        return SymbolNode(edition.address, name, stands_alone)

    @cached_property
    def _errata_targets(self) -> dict[Erratum, TargetId]:
        """The ids of the errata of all editions, since a game has texts of its series."""
        entries = (entry for edition in self.index.editions.values() for entry in edition.errata_entries)
        return {entry.erratum: self.target_id(entry) for entry in entries if entry.erratum}

    def _document(self, text: LocatedText) -> Document:
        return self.index.document(text).with_names(self.names.names_in(text, self.edition.address))

    def _errata_text(self, text: AmendedText, anchors: Mapping[int, str]) -> ErrataText:
        return ErrataText(
            text,
            self.index.document(text.printed),
            self._document(text),
            lambda run: self._run(run, text),
            self._errata_targets.__getitem__,
            anchors,
        )

    def document_blocks(
        self, document: Document, text: LocatedText | None, anchors: Mapping[int, str] = MappingProxyType({})
    ) -> Blocks:
        """Return the nodes of a parsed text. `text`: the same with its location; None if it has no images."""
        return tuple(node for block in document.blocks for node in self._block(block, text, anchors))

    def _block(
        self, block: TextBlock, text: LocatedText | None, anchors: Mapping[int, str]
    ) -> Iterator[Block]:
        if isinstance(block, TextList):
            items = []
            for item in block.items:
                inner = tuple(node for part in item.lists for node in self._block(part, text, anchors))
                inline = self.document_inline(item.inline, text)
                items.append(ItemNode(inline, inner, anchors.get(item.start, "")))
            yield ListNode(block.first, tuple(items))
        elif text is not None and (pictures := block.pictures):
            for picture in pictures:
                node = self._image(picture, text, is_block=True)
                yield ParagraphNode((node,)) if isinstance(node, str) else node  # type: ignore[misc]
        else:
            yield ParagraphNode(self.document_inline(block.inline, text))

    def document_inline(self, runs: Iterable[TextInline], text: LocatedText | None) -> Line:
        """Return the nodes of a parsed line."""
        parts: list[MarkupToken | Inline] = []
        for run in runs:
            if isinstance(run, MarkupToken):
                parts.append(run)
            else:
                parts += self._run(run, text)
        return nest_markup(parts)

    def _run(self, run: TextRun | InlineImage, text: LocatedText | None) -> Iterator[Inline]:
        if isinstance(run, InlineImage):
            yield self._image(run, text) if text else run.words  # type: ignore[misc]
        elif run.target is None:
            yield run.words
        elif isinstance(run.target, SequenceStep | TermEntry):
            yield NameNode(self.target_id(run.target), run.words)
        else:
            if isinstance(run.target, RuleReference) and text and self._names_series(run.target, text):
                yield from self._series_prefix(run.target.target)
            yield self.reference(run.target, run.words)

    def _image(self, image: InlineImage, text: LocatedText, *, is_block: bool = False) -> Inline | TableNode:
        """Return the node of an image. `is_block`: it has a paragraph to itself."""
        if image.sign:
            return self.symbol(image.sign, text, is_block or text.strip() == f":{image.sign}:")
        edition = self._edition_of(text) if image.is_table else None
        tables = self.index.editions[edition.address].tables if edition else ()
        if table := table_of_file(tables, sibling_name(text.file.name, image.file)):
            return (
                self.table(table) if is_block else TableLinkNode(self.target_id(table.cited_as), image.words)
            )
        file = "" if image.is_table else self._file(sibling_name(text.file.name, image.file))
        return ImageNode(file, image.words, image.alt, image.caption, image.width, image.height)

    def _edition_of(self, text: LocatedText) -> Edition | None:
        """Return the edition that has a text; of a text of the whole book, any edition of the book."""
        _, book, folder, *_ = (*text.file.name.split("/"), "", "")
        outlines = self.index.outlines
        outline = outlines.get(f"{book}/{folder}") or next(
            (outline for address, outline in outlines.items() if address.startswith(f"{book}/")), None
        )
        return outline.edition if outline else None

    def _file(self, name: str) -> str:
        """Return the name of a file in the content folder; an empty string if its edition has none."""
        outline = self.index.outlines.get("/".join(name.split("/")[1:3]))
        return name if outline and name in outline.edition.files else ""

    # Series

    def _is_of_series(self, target: RuleEntry) -> bool:
        return self.edition.base is not None and target.edition is not self.edition

    def _names_series(self, reference: RuleReference, text: LocatedText) -> bool:
        """Return whether a text of a game lacks the name of the series before a reference."""
        if self.edition.base is None:
            return False
        match = reference.match
        is_marked = match.mark_span and match.book and not match.label
        return bool(is_marked) or not self.edition.has_written(text)

    def _series_prefix(self, target: RuleEntry) -> Iterator[str]:
        """Yield the name of the series before a number that a rule of the game has too."""
        if self._is_of_series(target) and target.key in self.outline.entries:
            yield f"{series_citation_names(target.edition.book)[0]} "

    # Rules

    def rule(self, entry: RuleEntry) -> RuleTreeNode:
        """Return the node of a rule with the rules inside it."""
        rule, title = entry.rule, entry.title
        table = self.index.tables_by_target.get(entry)
        series = series_citation_names(entry.edition.book)[0] if self._is_of_series(entry) else ""
        return RuleTreeNode(
            target=self.target_id(entry),
            printed=str(entry.printed),
            series=series,
            title=self.inline(title),
            plain_title=plain_text(title) if title else "",
            former=tuple(entry.former),
            is_transcribed=rule is not None,
            retirement=self._retirement(entry),
            dated=str((rule and rule.dated) or ""),
            is_optional=bool(rule and rule.optional),
            blocks=_with_headings(self.blocks(rule.text, entry), entry.key) if rule else (),
            shows=str((rule and rule.shows) or ""),
            attachments=tuple(self._attachments(entry)),
            table=self.table(table) if table else None,
            rules=tuple(map(self.rule, entry.children)),
            closing=_with_headings(self.blocks(rule.closing, entry), f"{entry.key}/closing") if rule else (),
        )

    def figure(self, figure: Figure | PictureBlock) -> FigureNode:
        """Return the node of a picture."""
        caption = self.inline(figure.caption)
        return FigureNode(
            self._file(picture_of(figure)),
            str(figure.alt),
            caption,
            str(figure.width or ""),
            str(figure.place or ""),
        )

    def drawing(self, diagram: DiagramSpec) -> DrawingNode:
        """Return the node of a diagram."""
        edition = self._edition_of(diagram.area) or self.edition
        caption = self.inline(diagram.title)
        return DrawingNode(
            edition.address, diagram, caption, str(diagram.width or ""), str(diagram.place or "")
        )

    def note(self, note: RuleNote) -> NoteNode:
        """Return the node of a note to a rule."""
        return NoteNode(
            str(note.kind),
            self.inline(note.title),
            self.blocks(note.text),
            self.drawing(note.diagram) if note.diagram else None,
        )

    def _attachments(self, entry: RuleEntry) -> Iterator[Block]:
        if entry.rule:
            yield from map(self.figure, entry.rule.figures)
            yield from map(self.drawing, entry.rule.diagrams)
            yield from map(self.note, entry.rule.notes)

    def _retirement(self, entry: RuleEntry) -> RetirementNode | None:
        stated = entry.retired
        if stated is None:
            return None
        reason = stated.retired if stated.retired and stated.retired != "yes" else None
        return RetirementNode(self.references(stated.replaced_by), self.inline(reason))

    # Tables

    def table(self, entry: TableEntry) -> TableNode:
        """Return the node of a table."""
        table = entry.table
        grids = [self._grid(entry, table, table.number or "", table.title)]
        if table.then:
            grids.append(self._grid(entry, table.then, "then", table.then.title or table.title))
        return TableNode(
            self.target_id(entry),
            str(table.number or ""),
            self.inline(table.title),
            self.blocks(table.text),
            tuple(grids),
            tuple(TableNoteNode(str(note.mark or ""), self.blocks(note.text)) for note in table.notes),
        )

    def _grid(self, entry: TableEntry, grid: TableGrid, label: str, title: LocatedText) -> GridNode:
        notes = entry.table.notes
        if grid is not entry.table:  # headings of both rolls have their footnote marks once
            notes = tuple(replace(note, at=None) for note in notes)
        cells = GridBuilder(grid, notes, self.inline)
        return GridNode(
            title=plain_text(title),
            label=str(label),
            roll=str(grid.roll or ""),
            has_odds=bool(grid.head_rows),
            headings=cells.headings(),
            bodies=cells.bodies(),
            nothing=plain_text(grid.results.get(LocatedText("–"), "none")),
            results=tuple(
                ResultNode(str(name), self.inline(meaning)) for name, meaning in grid.results.items()
            ),
            modifiers=tuple(map(self._modifier, grid.modifiers)),
        )

    def _modifier(self, modifier: Modifier) -> ModifierNode:
        see = self.references(modifier.see)
        return ModifierNode(str(modifier.value), self.inline(modifier.of), self.inline(modifier.when), see)


def _with_headings(blocks: Blocks, rule: str) -> Blocks:
    """Return the blocks of a rule's text; each paragraph in bold is a heading with an anchor."""
    marked = list(blocks)
    for position, block in enumerate(blocks):
        if not isinstance(block, ParagraphNode) or len(block.inline) != 1:
            continue
        if isinstance(block.inline[0], BoldNode) and not block.change:
            marked[position] = replace(block, heading=f"{rule}/heading-{position + 1}")
    return tuple(marked)
