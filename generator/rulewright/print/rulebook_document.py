"""The rulebook of an edition as one printed book: all that stands in it as data, which `book.typ` sets.

    outline ──cover, chapters, what is behind them──► nodes of JSON ──Typst──► pages

A chapter is a list of blocks: those of `words`, and

    {"rule": "12.5a", "number": "12.5a", "title": [...], "heading": 3, "level": 2, "bar": true, "body": [...]}
    {"row": [{"key": "12.6", "number": "12.6", "title": [...]}, ...], "level": 1}   known by number alone
    {"note": "example", "label": "Example", "body": [block, ...]}, {"closing": [block, ...]}
        "halves": [[block, ...], [block, ...]] of one that may run across the page
    {"table": …}, {"steps": …}, {"told": …}, {"strip": …}             as `tables` and `steps` make them
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import Any

from rulewright.book.errata_entries import ErrataEntry
from rulewright.book.outline import Outline, RuleEntry
from rulewright.book.resolved_branding import COVERS, file_of
from rulewright.book.table_entries import TableEntry
from rulewright.compare.edition_diff import EditionDiff
from rulewright.compare.item_change import ChangeKind
from rulewright.document.blocks.sequence_blocks import side_by_side
from rulewright.document.nodes import NoteNode, RetirementNode, RuleTreeNode, TableNode
from rulewright.print import errata_nodes, step_nodes
from rulewright.print.book_format import BookFormat
from rulewright.print.book_index import build_book_index
from rulewright.print.markdown_nodes import markdown_page
from rulewright.print.node_writer import Json as Node
from rulewright.print.node_writer import JsonObject as TemplateData
from rulewright.print.node_writer import NodeWriter, without_links, word_lines
from rulewright.print.palette import house_palette, print_date
from rulewright.print.typographic_signs import longest_segments
from rulewright.references.content_page import ContentPage
from rulewright.references.glossary import TermEntry
from rulewright.render.html_writer import OVERRIDING
from rulewright.render.render_context import RenderContext
from rulewright.sequence.sequence_step import SequenceStep

WIDE = 6
"""From how many columns on a table stands across the page."""

LONG = 900
"""From how many letters on an example of play runs across the page."""

LONG_WORD = 20
"""Letters of the shortest word that may be wider than a column."""

BRIEF = 0.6
"""Share of a page that contents have to fill to have it for themselves."""

_LINE = 4.3  # height of a line of contents with its share of the space between chapters, in mm

PARTS = {
    "sequence": "Sequence of play",
    "narrative": "The sequence of play in words",
    "tables": "Tables",
    "glossary": "Glossary",
    "errata": "Errata and answers",
    "index": "Index",
}


@dataclass(frozen=True, slots=True)
class BackMatter:
    """A section behind the chapters, with its place in the contents."""

    anchor: str
    title: str


@dataclass(frozen=True)
class RulebookDocument:
    """The rulebook of an edition, ready to be set in a format. `pages`: Markdown pages that belong to it."""

    outline: Outline
    context: RenderContext
    format: BookFormat
    site: str = ""
    pages: tuple[ContentPage, ...] = ()

    @cached_property
    def words(self) -> NodeWriter:
        return NodeWriter(self.context, self.outline, self.link_target)

    def link_target(self, entry: RuleEntry) -> Mapping[str, str]:
        """Where a reference leads: to a rule of the book, or to a page of the site, if that is known."""
        if entry.edition is self.outline.edition:
            return {"to": entry.key} if self.has_content(entry) else {}
        page, end = self.context.page_and_fragment(entry)
        return {"url": f"{self.site}{page}/{end}"} if self.site else {}

    @cached_property
    def data(self) -> Mapping[str, Any]:
        edition, words, form = self.outline.edition, self.words, self.format
        book, since = edition.book, self.previous_diff
        made = {
            "chapters": [self._chapter(chapter) for chapter in self.chapters],
            "parts": [
                {"key": part.anchor, "title": part.title, "blocks": self._part(part.anchor)}
                for part in self.parts
            ],
        }
        return {
            "title": words.name(book.title),
            "subtitle": words.name(book.subtitle),
            "edition": words.name(edition.edition_file.edition),
            "short": edition.short,
            "language": edition.language,
            "publisher": words.name(book.publisher),
            "date": words.name(edition.edition_file.date),
            "errata": f"With errata of {edition.applied_errata[-1].date}" if edition.applied_errata else "",
            "address": f"{self.site.partition('://')[2]}{edition.address}/" if self.site else "",
            "paper": {"width": form.paper.width, "height": form.paper.height, "bleed": form.bleed},
            "columns": form.across,
            "type": form.type,
            "starts": form.chapters,
            "pdf-date": print_date(
                str(edition.applied_errata[-1].date) if edition.applied_errata else "", edition
            ),
            "palette": house_palette(book, is_black=form.ink == "black"),
            "spots": {
                {"accent": "accent", "colour": "house"}[ink.key]: {"name": ink.name, "cmyk": ink.cmyk}
                for ink in form.inks
                if form.ink != "black"
            },
            "cover": {name: file for name, file in self._cover() if file},
            "since": {
                "edition": since.old.edition.short,
                "gone": [words.name(e.printed) for e in self.deleted_rules],
            }
            if since
            else None,
            "brief": self._listed < BRIEF * form.across * (form.paper.height - 34) / _LINE,
            **made,
            "long": longest_segments(word_lines(made), 20, least=LONG_WORD),
        }

    @cached_property
    def pictures(self) -> list[str]:
        cover = dict.fromkeys(file for _, file in self._cover() if file)
        there = self.outline.edition.files | self.outline.edition.shared
        assert self.data  # which finds the pictures of texts
        return [name for name in self.words.pictures | cover if name in there]

    @cached_property
    def lines(self) -> tuple[str, ...]:
        """All words of the book, whatever it is printed on."""
        names = ("title", "subtitle", "edition", "publisher", "date", "errata", "chapters", "parts")
        return tuple(filter(None, word_lines([self.data[name] for name in names])))

    @property
    def _listed(self) -> int:
        return len(self.parts) + sum(1 + sum(1 for child in c.children if child.title) for c in self.chapters)

    # Looks

    def _cover(self) -> Iterator[tuple[str, str]]:
        look, shared = self.outline.edition.book.look, self.outline.edition.shared
        for name, text in (("art", look and look.book and look.book.cover), ("logo", look and look.logo)):
            file = file_of(text) if text else ""
            yield name, file if file in shared and file.lower().endswith(COVERS) else ""

    # Differences from the edition before

    @property
    def previous_diff(self) -> EditionDiff | None:
        """Difference from the edition before, if something has a change bar or is gone."""
        difference = self.context.difference(self.outline)
        tables = self.context.index.editions[self.outline.edition.address].tables
        revised = difference and any(map(difference.has_bar, (table.cited_as for table in tables)))
        revised = revised or (difference and any(map(difference.has_bar, self.outline.ordered_entries)))
        told = difference and (self.deleted_rules or revised)
        return difference if told else None

    @property
    def deleted_rules(self) -> list[RuleEntry]:
        """Rules of the previous edition that are certainly gone, but for those inside such rules."""
        difference = self.context.difference(self.outline)
        kinds = {ChangeKind.REMOVED, ChangeKind.MERGED}
        changes = difference.rules if difference else ()
        return [
            c.old for c in changes if c.old and not c.new and kinds & set(c.kinds) and not c.follows_parent
        ]

    # Chapters

    @cached_property
    def chapters(self) -> list[RuleEntry]:
        return [
            chapter for chapter in self.outline.chapters if any(map(self.has_content, chapter.iter_subtree()))
        ]

    def has_content(self, entry: RuleEntry) -> bool:
        """Whether there is more to a rule, or to one inside it, than its number and its title."""
        return (
            entry.is_transcribed
            or entry in self.context.index.tables_by_target
            or any(map(self.has_content, entry.children))
        )

    def _chapter(self, entry: RuleEntry) -> TemplateData:
        node = self.words.builder.chapter(entry)
        return {
            **self._head(node, entry),
            "plain": node.plain_title,
            "body": self._body(node, entry),
            "blocks": [*self._shown(node), *self._inside(node, 1), *self._closing(node)],
        }

    def _head(self, node: RuleTreeNode, entry: RuleEntry) -> TemplateData:
        return {
            "key": entry.key,
            "number": self.words.words(node.printed),
            "title": without_links(self.words.line(node.title)),
            "bar": self.context.is_revised(entry),
            "starts": str((entry.rule and entry.rule.starts) or ""),
        }

    def _inside(self, around: RuleTreeNode, heading: int) -> Iterator[Node]:
        """Yield the rules inside a rule that have content, each followed by the rules inside it."""
        for node in around.rules:
            entry = self.context.targets.rule(node.target)
            if not self.has_content(entry):
                continue
            level = heading + 1 if node.title else heading
            body = self._body(node, entry)
            floats = [block for block in body if block.get("wide") or "halves" in block]
            # A table across the page floats with the heading of a rule that is only the table.
            is_whole = len(body) == 1 and "table" in body[0]
            yield {
                "rule": entry.key,
                **self._head(node, entry),
                "heading": level if node.title else 0,
                "level": entry.level,
                "body": body if is_whole else [block for block in body if block not in floats],
            }
            if not is_whole:
                yield from floats
            yield from self._shown(node)
            yield from self._inside(node, level)
            yield from self._closing(node)

    def _closing(self, node: RuleTreeNode) -> Iterator[Node]:
        if node.closing:
            yield {"closing": self.words.block_nodes(node.closing)}

    def _body(self, node: RuleTreeNode, entry: RuleEntry) -> list[TemplateData]:
        asides: list[list[Node]] = [["Optional rule"]] if node.is_optional else []
        if node.retirement:
            asides.append(self._retired(node.retirement))
        if node.dated:
            asides.append([f"Dated {self.words.words(node.dated)}"])
        for sort, group in groupby(self.context.overrides.by.get(entry, ()), lambda each: each.sort):
            overrides = list(group)
            named = ", ".join(self.context.name(each.base) for each in overrides)
            asides.append([f"{OVERRIDING[sort]} {named} of {overrides[0].base.edition.short}"])
        blocks: list[Any] = [{"aside": aside} for aside in asides]
        for block in (*node.blocks, *node.attachments):
            blocks += self._note(block) if isinstance(block, NoteNode) else self.words.block_nodes([block])
        if node.table:
            blocks.append(self._table(node.table))
        for block in blocks:
            if "table" in block:
                block["wide"] = _is_wide(block["table"])
        return blocks

    def _note(self, note: NoteNode) -> list[Node]:
        made = self.words.note(note)
        text = self.words.block_nodes(note.blocks)
        drawing = made["body"][len(text) :]
        halves = _halves(text, drawing) if note.kind == "example" else []
        return [made | ({"halves": halves} if halves else {})]

    def _retired(self, node: RetirementNode) -> list[Node]:
        words: list[Node] = ["This rule holds no more"]
        for index, reference in enumerate(self.words.references(node.replaced_by)):
            words += [", " if index else "; in its place: ", *reference]
        words.append(".")
        return [*words, " ", *self.words.line(node.reason)] if node.reason else words

    def _table(self, node: TableNode) -> TemplateData:
        table = self.words.table(node)
        bar = self.context.is_revised(self.context.targets.table(node.target).cited_as)
        return {"table": table, "wide": _is_wide(table), "bar": bar}

    def _shown(self, node: RuleTreeNode) -> Iterator[Node]:
        if node.shows in ("sequence", "narrative"):
            yield from self._part(node.shows)
        elif node.shows == "game turn" and (strip := side_by_side(self.outline)):
            yield {"strip": step_nodes.turn_strip_nodes(strip, self.words)}

    # Behind the chapters

    @cached_property
    def parts(self) -> list[BackMatter]:
        shown = {
            str(entry.rule.shows) for entry in self.outline.ordered_entries if entry.rule and entry.rule.shows
        }
        held: dict[str, object] = {
            "sequence": self.outline.sequence.steps and "sequence" not in shown,
            "narrative": self.narrative_nodes and "narrative" not in shown,
            "tables": self.tables,
            **{page.name: page.text for page in self.pages},
            "glossary": self.terms,
            "errata": self.errata_nodes,
            "index": self.index,
        }
        titles = {name: title for name, (title, _) in self._written.items()} | PARTS
        return [BackMatter(name, titles[name]) for name, what in held.items() if what]

    @cached_property
    def _written(self) -> dict[str, tuple[str, list[Node]]]:
        return {page.name: markdown_page(page, self.words) for page in self.pages if page.text}

    def _part(self, name: str) -> list[Node]:
        words = self.words
        match name:
            case "sequence":
                every = frozenset(self.outline.sequence.iter_displayed())
                return [{"steps": step_nodes.step_nodes(self.outline.sequence.steps, words, every)}]
            case "narrative":
                return [{"told": step_nodes.narrative_nodes(self.narrative_nodes, words)}]
            case "tables":
                return [
                    {"anchor": f"table-{table.anchor}", **self._table(words.builder.table(table))}
                    for table in self.tables
                ]
            case "glossary":
                nodes: list[Node] = []
                for term in self.terms:
                    see = words.line(words.builder.term_rule(term))
                    means = words.line(words.builder.term_meaning(term))
                    entry = {"term": words.name(term.words), "means": means, "see": [see] if see else []}
                    nodes.append(entry)
                return nodes
            case "errata":
                return [
                    {
                        "note": "erratum",
                        "label": ": ".join(filter(None, (made["name"], made["of"]))),
                        "body": [
                            *([{"p": [{"i": [made["facts"]]}]}] if made["facts"] else ()),
                            *made["body"],
                        ],
                    }
                    for made in (errata_nodes.errata_entry_node(node, words) for node in self.errata_nodes)
                ]
            case "index":
                return [{"index": self.index}]
            case _:
                return self._written[name][1]

    @property
    def errata_nodes(self) -> list[ErrataEntry]:
        every = self.context.index.editions[self.outline.edition.address].errata_entries
        return [
            entry
            for entry in every
            if not entry.erratum or (entry.erratum.is_official and not entry.erratum.is_withdrawn)
        ]

    @property
    def narrative_nodes(self) -> list[SequenceStep]:
        return self.outline.sequence.narrative_steps

    @property
    def tables(self) -> list[TableEntry]:
        return [
            table
            for table in self.context.index.editions[self.outline.edition.address].tables
            if not table.entry
        ]

    @property
    def terms(self) -> list[TermEntry]:
        terms = self.context.glossaries[self.outline.edition.address].terms
        return sorted(terms, key=lambda one: one.words.casefold())

    @cached_property
    def index(self) -> list[TemplateData]:
        return build_book_index(self.outline, self.context, self.has_content)


def _is_wide(table: TemplateData) -> bool:
    return any(len(grid["letters"]) >= WIDE for grid in table["grids"])


def _halves(text: list[Any], drawing: list[Any]) -> list[list[Node]]:
    """Split a long example into columns: drawing beside words, or two halves. Empty for a short example."""

    def letters(blocks: list[Any]) -> int:
        return sum(map(len, word_lines(blocks)))

    if drawing:
        beside = [*text, *drawing[1:]]
        return [[drawing[0]], beside] if letters(beside) >= LONG / 2 else []
    if len(text) < 2 or letters(text) < LONG:
        return []
    middle = min(range(1, len(text)), key=lambda at: abs(letters(text[:at]) - letters(text[at:])))
    return [text[:middle], text[middle:]]
