"""Print job of the rulebook of an edition, which `templates/print/book.typ` sets.

    outline ──cover, chapters, parts after them──► JSON ──Typst──► pages

A chapter is a list of blocks: those of `node_writer`, and

    {"rule": "12.5a", "number": "12.5a", "title": [...], "heading": 3, "level": 2, "bar": true, "body": [...]}
    {"note": "example", "label": "Example", "body": [block, ...]}
    {"table": …}, {"steps": …}, {"narrative": …}, {"strip": …}     as `step_writer` writes them
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from operator import itemgetter
from typing import Any

from rulewright.book.errata_entries import ErrataEntry
from rulewright.book.library import Edition
from rulewright.book.outline import Outline, RuleEntry
from rulewright.book.print_palette import house_palette
from rulewright.book.print_requirements import PrintRequirements, read_print_requirements
from rulewright.book.resolved_branding import COVERS, INKED, book_paper, file_of
from rulewright.compare.item_change import ChangeKind
from rulewright.document.blocks.sequence_blocks import side_by_side
from rulewright.document.book_index import build_book_index
from rulewright.document.nodes import RetirementNode, RuleTreeNode, TableNode
from rulewright.document.step_builder import StepBuilder
from rulewright.document.targets import TargetId
from rulewright.files.problems import Problem, SourceLocation
from rulewright.print import print_job
from rulewright.print.errata_writer import write_errata_entry
from rulewright.print.markdown_writer import write_page
from rulewright.print.node_writer import Json, JsonObject
from rulewright.print.print_job import PressPictures, PrintJob, PrintOptions, ReadFile
from rulewright.print.print_spec import PrintSpec
from rulewright.print.step_writer import write_groups, write_narrative, write_strip
from rulewright.print.typographic_signs import longest_segments
from rulewright.print.typst_compiler import CompiledPdf, Standard, TypstError
from rulewright.references.content_page import read_content_page
from rulewright.references.glossary import TermEntry
from rulewright.references.site_paths import RULEBOOK
from rulewright.render.html_writer import OVERRIDING
from rulewright.render.render_context import RenderContext
from rulewright.schema import print_problems
from rulewright.schema.branding import PrintBranding
from rulewright.schema.paper import PAPERS

MARGINS, LEAST_COLUMN = 32.0, 68.0
"""Margins of a page together, and the minimum width of a column of text, in mm."""

WIDE_TABLE, LONG_WORD, LEAST_INDEX = 6, 20, 30
"""Columns from which a table may be across the page, letters of the shortest word that may be wider than a
column, and entries of the shortest index."""

LEAST_GLOSSARY = 4
"""Number of terms from which they are a part of their own; fewer are below the contents."""

GONE = {ChangeKind.REMOVED, ChangeKind.MERGED}

LETTER = 1.5
"""Width of a letter in a table, in mm; the room beside the words of a cell is 2 letters."""

LINES_PER_MM = 0.12
"""Lines of contents in a column that is 1 mm high, if they fill the part of a page from which they have it
for themselves."""


@dataclass(frozen=True)
class RulebookJob(PrintJob):
    """Print job of the whole rulebook of an edition."""

    outline: Outline
    context: RenderContext
    options: PrintOptions
    read: ReadFile = field(repr=False)

    template = "book.typ"
    fault = print_problems.UNPRINTABLE
    worded = ("title", "subtitle", "edition", "publisher", "date", "errata", "chapters", "parts")
    image_count = 0

    @property
    def edition(self) -> Edition:
        return self.outline.edition

    @property
    def address(self) -> str:
        return f"{self.edition.address}/{RULEBOOK}"

    @property
    def title(self) -> str:
        return f"{self.edition.title}: rulebook"

    @property
    def place(self) -> SourceLocation:
        return self.edition.edition_file.edition.place

    @property
    def branding(self) -> PrintBranding | None:
        look = self.edition.book.look
        return look.book if look else None

    @cached_property
    def form(self) -> PrintRequirements:
        branding, options = self.branding, self.options
        declared = read_print_requirements(branding)[0] if branding else PrintRequirements()
        return PrintRequirements(
            options.paper or book_paper(branding) or PAPERS["letter"],
            declared.bleed if options.bleed is None else options.bleed,
            options.ink or declared.ink,
            tuple(ink for ink in declared.inks if ink.key in INKED),
        )

    @property
    def columns(self) -> int:
        """Number of columns of text on a page: as many as are declared, or as have room for words."""
        if self.branding and self.branding.columns in ("1", "2", "3"):
            return int(self.branding.columns)
        return max(1, min(3, int((self.form.paper.width - MARGINS) // LEAST_COLUMN)))

    def link_target(self, entry: RuleEntry) -> Mapping[str, str]:
        """Return the place of a rule of the book, or the URL of another, if that of the site is known."""
        if entry.edition is self.edition:
            return {"to": entry.key} if self.has_content(entry) else {}
        return super().link_target(entry)

    def spec(self, pages: int) -> PrintSpec:
        paper, bleed = self.form.paper, self.form.bleed
        smallest = print_job.SMALLEST_DRAWN if self.writer.drawings_by_name else print_job.SMALLEST
        # A picture in a text is as fine as the page that it was taken from.
        resolution = 0.0 if self.writer.pictures else 300.0
        return PrintSpec(
            paper.width, paper.height, bleed, smallest=smallest, resolution=resolution, x1a=self.options.x1a
        )

    def compile(
        self, data: Mapping[str, Any], pictures: PressPictures, standard: Standard = "ua-1"
    ) -> CompiledPdf:
        """Set the book; its last page is not level if Typst then finds no lasting layout."""
        try:
            return super().compile(data, pictures, standard)
        except TypstError as error:
            if "did not converge" not in str(error):
                raise
            return super().compile({**data, "level": False}, pictures, standard)

    def layout_problems(self, compiled: CompiledPdf, pictures: PressPictures) -> Iterator[Problem]:
        for word, excess in {over["word"]: over["by"] for over in compiled.metadata}.items():
            message = f"“{word}” is {excess:.1f} mm wider than its column, or the table around it is; part "
            message += (
                "it with blanks, strokes or commas, give the table fewer columns, or the book wider paper"
            )
            yield print_problems.TOO_WIDE.problem(self.locate(word), message, self.address)

    # Data of the template

    @property
    def palette(self) -> Mapping[str, list[float]]:
        if not self.form.inks:
            return super().palette
        return house_palette(self.edition.book, is_black=self.form.ink == "black")

    def ink_name(self, key: str) -> str:
        return {"accent": "accent", "colour": "house"}[key]

    @cached_property
    def data(self) -> Mapping[str, Any]:
        edition, name = self.edition, self.writer.name
        book, branding = edition.book, self.branding
        site = self.options.site.partition("://")[2]
        address = f"{site}{edition.address}/" if site else ""
        chapters = list(map(self._chapter, self.chapters))
        parts = [part for part in self._parts() if part["blocks"]]
        amended = str(edition.applied_errata[-1].date) if edition.applied_errata else ""
        contents = [*map(_chapter_line, chapters)]
        contents += [
            {"number": "", "title": [part["title"]], "to": f"part {part['key']}", "sections": []}
            for part in parts
        ]
        line_count = sum(1 + len(line["sections"]) for line in contents)
        return {
            "title": name(book.title),
            "subtitle": name(book.subtitle),
            "edition": name(edition.edition_file.edition),
            "short": edition.short,
            "publisher": name(book.publisher),
            "date": name(edition.edition_file.date),
            "amended": amended,
            "errata": f"With errata of {amended}" if amended else "",
            "address": address,
            "columns": self.columns,
            "type": "sans" if branding and branding.type == "sans" else "serif",
            "starts": str(branding.chapters) if branding and branding.chapters else "",
            "cover": self._cover,
            "since": self._since,
            "terms": self._terms if len(self._terms) < LEAST_GLOSSARY else [],
            "contents": contents,
            "brief": line_count < LINES_PER_MM * self.columns * self.form.paper.height,
            "chapters": chapters,
            "parts": parts,
            "long": longest_segments(self.writer.texts, 20, minimum=LONG_WORD),
        }

    @cached_property
    def _cover(self) -> dict[str, str]:
        """The files of the cover: `art` and `logo`."""
        look, branding = self.edition.book.look, self.branding
        texts = {"art": branding and branding.cover, "logo": look and look.logo}
        cover: dict[str, str] = {}
        for name, text in texts.items():
            if text and (file := file_of(text)) in self.edition.shared and file.lower().endswith(COVERS):
                cover[name] = file
        self.writer.pictures |= dict.fromkeys(cover.values())
        return cover

    @property
    def _since(self) -> JsonObject | None:
        """The edition before and what is gone since, if that or something with a change bar exists.

        `gone` are the numbers of rules that are certainly gone, except those inside such rules.
        """
        diff = self.context.difference(self.outline)
        if not diff:
            return None
        deleted_numbers = [
            self.writer.name(change.old.printed)
            for change in diff.rules
            if change.old and not change.new and GONE & set(change.kinds) and not change.follows_parent
        ]
        tables = self.context.index.editions[self.edition.address].tables
        targets = (*self.outline.ordered_entries, *(table.cited_as for table in tables))
        has_changes = deleted_numbers or any(map(diff.has_bar, targets))
        return {"edition": diff.old.edition.short, "gone": deleted_numbers} if has_changes else None

    # Chapters

    @property
    def chapters(self) -> list[RuleEntry]:
        return [chapter for chapter in self.outline.chapters if self.has_content(chapter)]

    def has_content(self, entry: RuleEntry) -> bool:
        """Return whether a rule, or a rule inside it, has more than its number and its title."""
        has_own = entry.is_transcribed or entry in self.context.index.tables_by_target
        return has_own or any(map(self.has_content, entry.children))

    def _chapter(self, entry: RuleEntry) -> JsonObject:
        node = self.writer.builder.chapter(entry)
        return {
            **self._head(node, entry),
            "plain": node.plain_title,
            "body": self._body(node, entry),
            "blocks": [*self._sequence(node.shows), *self._inside(node, 1)],
        }

    def _head(self, node: RuleTreeNode, entry: RuleEntry) -> JsonObject:
        return {
            "key": entry.key,
            "number": self.writer.words(node.printed),
            "title": self.writer.line(node.title),
            "bar": self.context.is_revised(entry),
            "starts": str((entry.rule and entry.rule.starts) or ""),
        }

    def _inside(self, parent: RuleTreeNode, heading: int) -> Iterator[Json]:
        """Yield the rules inside a rule that have content, and what closes it."""
        for node in parent.rules:
            entry = self.context.targets.rule(node.target)
            if not self.has_content(entry):
                continue
            level = heading + 1 if node.title else heading
            yield {
                "rule": entry.key,
                **self._head(node, entry),
                "heading": level if node.title else 0,
                "level": entry.level,
                "body": self._body(node, entry),
            }
            yield from self._sequence(node.shows)
            yield from self._inside(node, level)
        yield from self.writer.block_nodes(parent.closing)

    def _body(self, node: RuleTreeNode, entry: RuleEntry) -> list[JsonObject]:
        remarks: list[list[Json]] = [["Optional rule"]] if node.is_optional else []
        if node.retirement:
            remarks.append(self._retired(node.retirement))
        if node.dated and node.dated != self.edition.edition_file.date:
            remarks.append([f"Dated {self.writer.words(node.dated)}"])
        for override in self.context.overrides.by.get(entry, ()):
            base = override.base
            remarks.append([f"{OVERRIDING[override.sort]} {self.context.name(base)} of {base.edition.short}"])
        blocks: list[Any] = [{"aside": remark} for remark in remarks]
        for block in (*node.blocks, *node.attachments):
            if isinstance(block, TableNode):
                blocks.append(self._table(block))
            else:
                blocks += self.writer.block_nodes([block])
        return [*blocks, self._table(node.table)] if node.table else blocks

    def _retired(self, node: RetirementNode) -> list[Json]:
        words: list[Json] = ["This rule is no longer in force"]
        for position, reference in enumerate(self.writer.references(node.replaced_by)):
            words += [", " if position else "; in its place: ", *reference]
        return [*words, ". ", *self.writer.line(node.reason)]

    @cached_property
    def _shown_tables(self) -> set[TargetId]:
        return set()

    def _table(self, node: TableNode) -> JsonObject:
        self._shown_tables.add(node.target)
        table, entry = self.writer.table(node), self.context.targets.table(node.target)
        room = (self.form.paper.width - MARGINS) / self.columns / LETTER
        is_wide = False
        for letters in map(itemgetter("letters"), table["grids"]):
            is_wide |= len(letters) >= WIDE_TABLE and sum(letters) + 2 * len(letters) > room
        return {"table": table, "wide": is_wide, "bar": self.context.is_revised(entry.cited_as)}

    def _sequence(self, part: str | None) -> list[JsonObject]:
        """Return what a rule shows of the sequence of play below its text, or a part of the book."""
        sequence, writer = self.outline.sequence, self.writer
        if part == "sequence" and sequence.steps:
            return [{"steps": write_groups(StepBuilder(writer.builder).groups(sequence.steps), writer)}]
        if part == "narrative" and sequence.narrative_steps:
            return [{"narrative": write_narrative(sequence.narrative_steps, writer)}]
        if part == "game turn" and (steps := side_by_side(self.outline)):
            return [{"strip": write_strip(steps, writer)}]
        return []

    # Parts after the chapters

    def _parts(self) -> Iterator[JsonObject]:
        """Yield the parts that no rule shows: key, title and blocks of each, perhaps none."""
        shown_keys = {str(entry.rule.shows) for entry in self.outline.ordered_entries if entry.rule}
        for key, title in (("sequence", "The turn step by step"), ("narrative", "The turn in words")):
            yield {"key": key, "title": title, "blocks": [] if key in shown_keys else self._sequence(key)}
        edition = self.context.index.editions[self.edition.address]
        nodes = [self.writer.builder.table(table) for table in edition.tables if not table.entry]
        tables = [self._table(node) for node in nodes if node.target not in self._shown_tables]
        yield {"key": "tables", "title": "Tables", "blocks": tables}
        for name in sorted(self.edition.files):
            if name.endswith(".md"):
                page = read_content_page(name, self.read(name), self.context.index)
                title, blocks = write_page(page, self.writer)
                yield {"key": name, "title": title, "blocks": blocks}
        terms = self._terms if len(self._terms) >= LEAST_GLOSSARY else []
        yield {"key": "glossary", "title": "Glossary", "blocks": terms}
        errata = list(self._errata(edition.errata_entries))
        yield {"key": "errata", "title": "Errata and answers", "blocks": errata}
        index = build_book_index(self.outline, self.context.names, self.has_content)
        is_long = len(index) >= LEAST_INDEX
        yield {"key": "index", "title": "Index", "blocks": [{"index": index}] if is_long else []}

    @cached_property
    def _terms(self) -> list[JsonObject]:
        terms = self.context.glossaries[self.edition.address].terms
        return list(map(self._term, sorted(terms, key=lambda term: term.words.casefold())))

    def _term(self, term: TermEntry) -> JsonObject:
        writer = self.writer
        see = writer.line(writer.builder.term_rule(term))
        meaning = writer.line(writer.builder.term_meaning(term))
        return {"term": writer.name(term.words), "means": meaning, "see": [see] if see else []}

    def _errata(self, entries: Iterable[ErrataEntry]) -> Iterator[JsonObject]:
        """Yield the official errata and the answers."""
        for entry in entries:
            if entry.erratum and (not entry.erratum.is_official or entry.erratum.is_withdrawn):
                continue
            erratum = write_errata_entry(entry, self.writer)
            facts = [{"p": [{"i": [erratum["facts"]]}]}] if erratum["facts"] else []
            label = ": ".join(filter(None, (erratum["name"], erratum["of"])))
            yield {"note": "erratum", "label": label, "body": [*facts, *erratum["body"]]}


def _chapter_line(chapter: JsonObject) -> JsonObject:
    """Return the lines of a chapter in the contents; a rule that is only a table has its title."""
    sections: list[JsonObject] = []
    for block in chapter["blocks"]:
        match block:
            case {"rule": key, "heading": 0 | 1 | 2, "body": [{"table": table}]}:
                title = table["grids"][0]["title"] if table["title"] else [block["number"]]
                sections.append({"number": table["number"], "title": title, "to": f"rule {key}"})
            case {"rule": key, "heading": 2, "number": number, "title": title}:
                sections.append({"number": number, "title": title, "to": f"rule {key}"})
    return {
        "number": chapter["number"],
        "title": chapter["title"],
        "to": f"rule {chapter['key']}",
        "sections": sections,
    }
