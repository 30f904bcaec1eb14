"""The files of an edition: chapters, tables, glossary, sequence of play, known numbers, old addresses."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import takewhile

from rulewright.book.outline import Outline
from rulewright.book.title_references import append_references
from rulewright.files.safe_integers import parse_int
from rulewright.files.yaml_writer import CommentedValue, InlineCollection, ParagraphText, QuotedString, Value
from rulewright.imports import Entries
from rulewright.imports.website.page_block_types import (
    WORD,
    Block,
    Image,
    PageCell,
    PageHeading,
    PageList,
    PageParagraph,
    PageTable,
    ParsedPage,
    TextPiece,
    pieces_after,
    pieces_text,
    strip_pieces,
)
from rulewright.imports.website.page_prose import ProseWriter, written_words
from rulewright.imports.website.rule_collection import text_lines_of
from rulewright.imports.website.rule_tree import SEQUENCE, ImportedBook, RuleLine, RuleNode, Subsection
from rulewright.imports.sources.source_site import SourcePage
from rulewright.imports.website.step_lists import StepDraft, StepReader, bare_name, narrate
from rulewright.references.redirect_targets import anchors_of
from rulewright.schema import dice
from rulewright.schema.rulebook import Chapter
from rulewright.schema.shorthand import write_shorthand_key
from rulewright.schema.table import ROLL
from rulewright.schema.text_document import plain_text
from rulewright.schema.yaml_fields import own_and_inherited_keys
from rulewright.sequence.sequence_step import SequenceStep, title_slug

_EMPTY = "—"
_ROLLS = re.compile(
    r"\b(?:roll|rolls|die|dice|dr|wurf|würfel|würfelwurf|dé|dés|tirada|dado|\d*d\d+)\b", re.IGNORECASE
)
_DICE = re.compile(r"\b(\d{0,2}[dD]\d{1,3})\b")
_USUAL = ("1d6", "2d6", "1d10", "d66", "1d20", "3d6", "2d10", "1d8", "1d12", "1d100")
_COUNTS = {"one die": 1, "two dice": 2, "three dice": 3, "zwei würfel": 2, "ein würfel": 1}


@dataclass(slots=True)
class ContentFile:
    """A content file: its keys, the pages that it comes from, comments at its top; and its words."""

    entries: Entries
    pages: Sequence[SourcePage] = ()
    comments: list[str] = field(default_factory=list)
    words: Sequence[str] = ()


def table_draft(
    node: RuleNode,
    grid: PageTable,
    title: str,
    named: str,
    writer: ProseWriter,
    chapter: str,
    *,
    numbered: bool,
) -> tuple[str, ContentFile] | None:
    """Make a table of a grid and its name among files, or None where it has no rows.

    `title`: what stands above it, `named` its rule's; `numbered`: it is the only one of its rule, and has its
    number.
    """
    before, mended = len(writer.told.changed_words), len(writer.told.joined_words)
    rows, heads = _filled(grid, node, writer, chapter)
    body = rows[heads:]
    if not body or not any(any(row) for row in body):
        words = " ".join(pieces_text(cell.pieces) for row in grid.rows for cell in row)
        writer.told.note_changed(node.page, grid.line, words, "", "a table without rows, left out")
        return None
    headings = column_headings(rows[:heads], len(rows[0]))
    caption = writer.inline(node.page, grid.caption, chapter)
    entered = [(word.source_words, word.result_words) for word in writer.told.changed_words[before:]]
    entered += [
        (one.split_word, one.joined_word) for _, one in dict.fromkeys(writer.told.joined_words[mended:])
    ]
    roll = detect_dice(headings, body, f"{caption} {title} {named}")
    name = (named if numbered else "") or caption or title or named or f"Table of {node.printed}"
    number, text = node.printed if numbered else "", caption if caption != name else ""
    entries = table_entries(number, name, text, roll, headings, body)
    short = title_slug(node.printed) if not re.search(r"[\w.]+\Z", node.printed) else ""
    short = short or re.sub(r"[^\w.-]+", "-", node.printed).strip("-")
    made = ContentFile(entries, [node.page])
    if not any(cell.is_header for row in grid.rows for cell in row):
        what = "the table has no heading row, so its first row is taken for one"
        writer.told.note_guess(node.page, grid.line, what)
        made.comments.append("The page does not mark a heading row; the first row is taken for one.")
    if _ROLLS.search(headings[0]) and not roll:
        what = f"“{headings[0]}” looks like dice, but its rows do not hold for each roll once"
        writer.told.note_guess(node.page, grid.line, what)
    # The words: cells that span several rows stand in each, `roll` is a key.
    source = Counter(WORD.findall(pieces_text(grid.caption)))
    for cell in (cell for row in grid.rows for cell in row):
        told = (f" {p.text} {p.picture.caption} " if p.picture else p.text for p in cell.pieces)
        source.update(WORD.findall("".join(told)))
    for was, now in entered:  # the address of a link, words for a picture: entered already
        source.subtract(WORD.findall(was))
        source.update(WORD.findall(now))
    kept = Counter(written_words(entries))
    words = " ".join((source - kept).elements())
    if words and words.lower() in " ".join(word for row in rows[:heads] for word in row).lower():
        writer.told.note_changed(node.page, grid.line, words, "", "the heading over the rolls of a table")
    if more := " ".join((kept - source).elements()):
        writer.told.note_changed(node.page, grid.line, "", more, "cells, titles, dice of a table")
    return short if numbered else title_slug(name), made


def _filled(
    grid: PageTable, node: RuleNode, writer: ProseWriter, chapter: str
) -> tuple[list[list[str]], int]:
    """The words of a grid in rows of one length, spanning cells repeated, and how many rows are headings."""
    rows = grid.expand_spans(
        lambda cell: (cell, writer.words(node.page, cell.pieces, chapter)), (PageCell([]), "")
    )
    heads = 0
    while heads < len(rows) and all(cell.is_header or not words for cell, words in rows[heads]):
        if not any(cell.is_header for cell, _ in rows[heads]):
            break
        heads += 1
    return [[words for _, words in row] for row in rows], max(1, heads) if len(rows) > 1 else 0


def table_entries(
    number: str, title: str, text: str, roll: str, headings: Sequence[str], body: Sequence[Sequence[str]]
) -> Entries:
    """The keys of a table's file. It has an address of its title where it has no number."""
    entries: Entries = {"number": QuotedString(number)} if number else {"id": title_slug(title) or "table"}
    entries["title"] = title
    entries |= {key: words for key, words in (("text", text), ("roll", roll)) if words}
    return entries | {
        "columns": [*headings[bool(roll) :]],
        "rows": [InlineCollection(table_row(headings, row, bool(roll))) for row in body],
    }


def column_headings(heads: Sequence[Sequence[str]], width: int) -> list[str]:
    """A heading for each column: what stands above it, from the top down, each different from the others."""
    made: dict[str, None] = {}
    last: dict[str, int] = {}  # the number that was put behind a heading last that was taken
    for at in range(width):
        name = " ".join(dict.fromkeys(row[at] for row in heads if row[at])) or _EMPTY
        taken, again = name, re.fullmatch(r"(.*) (\d+)", name)
        stem, count = (again[1], parse_int(again[2]) or 1) if again and again[1] in made else (name, 1)
        while name in made or name == ROLL:
            last[taken] = last.get(taken, count) + 1
            name = f"{stem} {last[taken]}"
        made[name] = None
    return list(made)


def detect_dice(headings: Sequence[str], body: Sequence[Sequence[str]], around: str) -> str:
    """The dice of a table whose first column holds rolls, each of which has exactly one row; else nothing."""
    cells = [dice.parse_roll_ranges(row[0]) for row in body]
    if len(headings) < 2 or len(cells) < 2 or any(cell is None for cell in cells):
        return ""
    named = _DICE.search(headings[0]) or _DICE.search(around)
    counted = [f"{n}d6" for words, n in _COUNTS.items() if words in f"{headings[0]} {around}".lower()]
    options = [named[1].lower()] if named else counted or (_USUAL if _ROLLS.search(headings[0]) else ())
    for option in options:
        if not (thrown := dice.parse_dice(option)):
            continue
        every = [one for cell in cells for one in cell or ()]
        ends = {end for one in every for end in (one.low, one.high) if end is not None}
        counts = {sum(any(roll in one for one in cell or ()) for cell in cells) for roll in thrown.rolls}
        if counts == {1} and ends <= set(thrown.rolls):
            return option
    return ""


def table_row(headings: Sequence[str], row: Sequence[str], rolled: bool) -> Entries:
    cells = [cell or _EMPTY for cell in row]
    made: Entries = {ROLL: QuotedString(cells[0])} if rolled else {}
    made |= {
        heading: QuotedString(cell) if re.fullmatch(r"[\d.,+−-]+", cell) else cell
        for at, (heading, cell) in enumerate(zip(headings, cells, strict=True))
        if not (rolled and at == 0)
    }
    return made


_NAMES = "terms|glossary|abbreviations|acronyms|definitions|glossar|begriffe|abkürzungen|glossaire|glosario"
_NAMED = re.compile(rf"\b(?:{_NAMES})\b", re.IGNORECASE)
_PARTING = re.compile(r"\s*(?:[:=–—]|--?(?=\s))\s*")
_UNMARKED = re.compile(r"(?P<term>[^\s:=–—.]+(?: [^\s:=–—.]+){0,3})(?:\s*[:=]|\s+[–—-]|\s*[–—])\s+(?=\S)")
_LEAST = 3

Term = tuple[str, list[TextPiece]]


def page_terms(read: ParsedPage) -> list[Term] | None:
    """The terms of a page that holds only terms, each with its meaning; None for any other page.

    A term is bold and parted from its meaning, or stands in front of a colon or a dash, or in the first of
    two columns. An empty list where only the page's title says that it is one of terms.
    """
    if not _NAMED.search(f"{read.page.title} {read.page.name}"):
        return None
    found: list[Term | None] = [term for block in read.blocks for term in _in(block)]
    terms = [term for term in found if term]
    return terms if len({name.casefold() for name, _ in terms}) == len(found) >= _LEAST else []


def glossary(read: ParsedPage, terms: Sequence[Term], writer: ProseWriter) -> Entries:
    """The terms as a rulebook has them. It does without the title and the headings of their page."""
    made: Entries = {}
    for name, pieces in terms:
        made[name] = InlineCollection({"means": writer.words(read.page, pieces)})
    told = writer.told
    told.note_changed(read.page, 1, read.page.title, "", "the title of a page that is the glossary")
    for block in read.blocks:
        if isinstance(block, PageHeading):
            told.note_changed(
                read.page, block.line, pieces_text(block.pieces), "", "a heading of the glossary"
            )
        elif isinstance(block, PageTable):
            heads = [row for row in block.rows if all(cell.is_header for cell in row)]
            words = " ".join(pieces_text(cell.pieces) for row in heads for cell in row)
            told.note_changed(read.page, block.line, words, "", "the headings of a table of terms")
    return made


def _in(block: Block) -> Iterator[Term | None]:
    """The terms of a block, None for what is none; a heading of a letter or of “Terms” is nothing."""
    if isinstance(block, PageParagraph):
        yield _term(block.pieces)
    elif isinstance(block, PageList):
        for item in block.items:
            yield _term(item.lead) if len(item.blocks) == 1 and not item.marker else None
    elif isinstance(block, PageTable) and all(len(row) == 2 for row in block.rows):
        rows = [row for row in block.rows if not all(cell.is_header for cell in row)]
        for name, means in rows:
            yield (
                (pieces_text(name.pieces), means.pieces)
                if pieces_text(name.pieces) and pieces_text(means.pieces)
                else None
            )
    elif not isinstance(block, PageHeading) or (
        len(pieces_text(block.pieces)) > 1 and not _NAMED.search(pieces_text(block.pieces))
    ):
        yield None


def _term(pieces: list[TextPiece]) -> Term | None:
    leading = takewhile(lambda piece: piece.bold and not piece.link and not piece.picture, pieces)
    bold = sum(len(piece.text) for piece in leading)
    text = "".join(piece.text for piece in pieces if not piece.picture)
    if bold:
        name = text[:bold].strip()
        parting = _PARTING.match(text, bold)
        if not parting and name[-1:] not in ":=–—-.":
            return None
        means = pieces_after(pieces, parting.end() if parting else bold)
    elif m := _UNMARKED.match(text):
        name, means = m["term"], pieces_after(pieces, m.end())
    else:
        return None
    name = " ".join(name.strip(" :=–—-.").split())
    return (name, strip_pieces(means)) if name and pieces_text(means) else None


_ORDER = (
    "label", "id", "phasing", "repeats", "by", "only", "when", "every", "optional", "activity", "cost",
    "limit", "rolls", "note",
)  # fmt: skip


_Names = Mapping[str, str]


class ContentWriter:
    """Writes the files of one edition."""

    def __init__(self, book: ImportedBook, writer: ProseWriter, plain: Sequence[str]) -> None:
        self.book, self.links, self.writer, self.plain = book, writer.links, writer, plain
        self.pictures, self.told = writer.pictures, writer.told
        self.files: dict[str, ContentFile] = {}
        self.sides: dict[str, str] = {}
        self.tables = 0
        self.steps: list[StepDraft] = []
        self.alike: Counter[str] = Counter()  # how many tables before had a name already

    # Chapters

    def chapters(self) -> None:
        """Make a file for each chapter, with its tables beside it."""
        self.sequence_of_play()
        for chapter in self.book.chapters:
            label = chapter.number.labels[0] if chapter.number else chapter.printed
            words = title_slug(pieces_text(chapter.title))
            name = f"rules/{title_slug(label) or label}{f'-{words}' if words else ''}"
            while f"{name}.yml" in self.files:
                name += "-again"
            title = self.writer.inline(chapter.page, chapter.title, label)
            entries: Entries = {"chapter": QuotedString(chapter.printed)}
            entries |= {"title": title} if title else {}
            entries |= self.contents(chapter, title, label)
            pages = list(dict.fromkeys(node.page for node in chapter.walk()))
            self.files[f"{name}.yml"] = ContentFile(entries, pages, chapter.comments)

    def rule(self, node: RuleNode, chapter: str) -> tuple[QuotedString, Value]:
        """Return the key of a rule, which is its number and title, and the value of that key."""
        title = self.writer.inline(node.page, node.title, chapter)
        head, more = write_shorthand_key(node.printed, title, own_and_inherited_keys(Chapter))
        entries: Entries = {**more, **self.contents(node, title, chapter)}
        value = entries["text"] if [*entries] == ["text"] else entries
        return head, CommentedValue(value, node.comments) if node.comments else value

    def contents(self, node: RuleNode, title: str, chapter: str) -> Entries:
        """Return the keys of a rule other than its number and title."""
        page = node.page
        entries: Entries = {}
        if node.shows:
            entries["shows"] = node.shows
        self.files |= self.table_files(node, title, chapter)
        self.describe_pictures(node, title)
        text = self.writer.prose(page, text_lines_of(node, closing=False), chapter)
        closing = self.writer.prose(page, text_lines_of(node, closing=True), chapter)
        if not node.rules:
            text = "\n\n".join(filter(None, [text, closing]))
        if text:
            entries["text"] = ParagraphText(text)
        notes = [(note.kind, self.writer.prose(page, note.lines, chapter)) for note in node.notes]
        notes = [(kind, ParagraphText(words)) for kind, words in notes if words]
        by_kind: Entries = dict(notes)
        is_listed = len(by_kind) < len(notes)
        entries |= {"notes": [{kind: words} for kind, words in notes]} if is_listed else by_kind
        for inner in node.rules:  # no two have one number: the label tree passes over the second
            head, value = self.rule(inner, chapter)
            entries[head] = value
        if node.rules and closing:
            entries["closing"] = ParagraphText(closing)
        return entries

    def describe_pictures(self, node: RuleNode, title: str) -> None:
        """Give figures that their author gave no words those of the heading above or of the rule's title."""
        named = title or f"Picture of {node.printed}"
        lines = [(line, pieces_text(part.title) or named) for part in node.parts for line in part.lines]
        for line, words in [*lines, *((line, named) for note in node.notes for line in note.lines)]:
            bare = [p for p in line.pieces if p.picture and not p.text and not p.picture.caption]
            if bare and not pieces_text(line.pieces):
                line.pieces = [replace(p, text=words) if p in bare else p for p in line.pieces]
                for piece in bare:
                    self.told.note_changed(
                        node.page, piece.line, "", words, "words for a picture that has none"
                    )

    def table_files(self, node: RuleNode, title: str, chapter: str) -> dict[str, ContentFile]:
        """The tables of a rule, a file each. A lone one has its number; several stay where they stood."""
        found: dict[str, ContentFile] = {}
        numbered = len(node.grids) == 1
        places: list[tuple[Subsection, int, RuleLine]] = []
        for grid, above, part, at in node.grids:
            draft = table_draft(node, grid, above, title, self.writer, chapter, numbered=numbered)
            if draft is None:
                continue
            name, made = draft
            while (file := f"tables/{name}.yml") in self.files or file in found:
                self.alike[draft[0]] += 1
                end = f"-{self.alike[draft[0]] + 1}"
                name = draft[0] + end
                while title_slug(name) != name and "-" in name.removesuffix(end):  # an address has few words
                    name = name.removesuffix(end).rpartition("-")[0] + end
            if not numbered:
                made.entries["id"] = name
                words = str(made.entries["title"])
                picture = TextPiece(plain_text(words), grid.line, picture=Image(file, table=True))
                places.append((part, at, RuleLine([picture], grid.line)))
                self.told.note_changed(node.page, grid.line, "", words, "the title of a table in its place")
            self.tables += 1
            found[file] = made
        for part, at, line in reversed(places):
            part.lines.insert(at, line)
        return found

    # The sequence of play

    def sequence_of_play(self) -> None:
        """Make sequence.yml with its narrative, where a rule of the book holds the sequence of play."""
        node = next((node for node in self.book.iter_rules() if node.outline), None)
        if node is None or node.outline is None:
            return
        outline = StepReader(node, self.writer)
        self.steps = outline.steps(node.outline)
        outline.colour(self.steps, self.plain)
        self.sides = outline.sides
        for other in self.book.iter_rules():
            kept = narrate(self.steps, other, self.writer)
            if kept is not None:
                other.parts, other.shows = kept, other.shows or "narrative"
        chapter = next((c for c in self.book.chapters if node in c.walk()), node)
        named = chapter if SEQUENCE.search(pieces_text(chapter.title)) else node
        title = self.writer.inline(named.page, named.title) or "Sequence of Play"
        self.told.note_changed(node.page, node.line, "", title, "the title of the sequence of play")
        entries: Entries = {"title": title, "steps": [self.step(step) for step in self.steps]}
        self.files["sequence.yml"] = ContentFile(entries, [node.page])

    def step(self, step: StepDraft) -> Value:
        short = append_references(step.title, step.see)
        entries: Entries = {step.kind: short or step.title}
        for key in (*(key for key in _ORDER if key in step.fields), *step.fields):
            entries[key] = QuotedString(step.fields[key]) if key == "label" else step.fields[key]
        if step.uses:
            entries["uses"] = step.uses
        if step.see and not short:
            entries["see"] = QuotedString(", ".join(step.see))
        if step.narrative:
            entries["narrative"] = ParagraphText(step.narrative)
        for key, is_free in (("steps", False), ("any order", True)):
            if inner := [self.step(draft) for draft in step.steps if draft.free is is_free]:
                entries[key] = inner
        made: Value = entries if step.steps or step.narrative else InlineCollection(entries)
        return CommentedValue(made, step.comments) if step.comments else made

    # Numbers

    def known(self) -> ContentFile | None:
        """The numbers on absent pages that links cite, in their order; None where there is none."""
        rules = {node.key: node for node in self.book.iter_rules() if not node.item and node.number}
        cited = {key: one for key, one in self.links.cited.items() if key not in rules and "(" not in key}
        if not cited:
            return None
        entries = [
            InlineCollection({"number": QuotedString(number.key), **({"title": title} if title else {})})
            for number, title in sorted(cited.values(), key=lambda one: one[0].ordinals)
        ]
        remark = (
            "These numbers stand on pages that were not imported; links cite them, and their titles are "
            "taken from the addresses of these links."
        )
        return ContentFile({"lists": "cited", "known": entries}, comments=[remark])

    # Old addresses

    def old_addresses(
        self, pages: Sequence[ParsedPage], names: _Names, texts: _Names, outline: Outline
    ) -> ContentFile:
        """`redirects.yml`: every page and every heading's anchor of the site, with its new place.

        `names`: the files of the pages without rules; `texts`: what stands in them.
        """
        told: dict[
            str, SequenceStep
        ] = {}  # the steps that have a narrative, by their titles; the first holds
        for one in outline.sequence.iter_steps() if self.steps else ():
            if one.step.narrative:
                told.setdefault(bare_name(one.step.title), one)
        entries: list[Value] = []
        for read in pages:
            page = read.page
            whole = self.book.rules_by_page.get(page.name)
            to = whole.key if whole else names.get(page.name, ".").removesuffix(".md")
            anchors: Entries = {}
            for (name, anchor), node in self.book.anchors.items():
                if name == page.name and anchor:
                    words = self.book.headings.get((name, anchor), "")
                    step = told.get(bare_name(words)) if node.shows == "narrative" else None
                    anchors[anchor] = (
                        QuotedString(f"narrative#{step.anchor}") if step else QuotedString(node.key)
                    )
            kept = set(anchors_of(texts[page.name].encode())) if page.name in texts else ()
            own = (anchor for name, anchor in self.book.headings if name == page.name)
            anchors |= {anchor: f"{to}#{anchor}" for anchor in own if anchor in kept}
            for address in dict.fromkeys((page.address, *page.aliases)):
                if address == "/":
                    continue  # the old site's home is the new one's
                entry: Entries = {"from": address, "to": QuotedString(to) if whole else to}
                entries.append({**entry, "anchors": anchors} if anchors else entry)
        what = "Where each page and heading of the imported site is now. The build leaves a signpost at each."
        return ContentFile({"redirects": entries}, comments=[what])
