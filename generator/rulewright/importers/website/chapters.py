"""The files of an edition: chapters, tables, the sequence of play, known numbers, old addresses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from rulewright.book.outline import Outline
from rulewright.book.sequence import StepEntry, slug
from rulewright.citations.redirect_targets import anchors_of
from rulewright.importers.website.blocks import Image, TextPiece, said
from rulewright.importers.website.book_rules import Book, ParsedPage, lines_of
from rulewright.importers.website.links import Links
from rulewright.importers.website.opening_labels import SEQUENCE
from rulewright.importers.website.page_prose import ProseWriter
from rulewright.importers.website.page_tables import table_draft
from rulewright.importers.website.rule_tree import Line, RuleNode, Subsection
from rulewright.importers.website.site import Page
from rulewright.importers.website.step_lists import StepDraft, StepReader, narrate
from rulewright.source.writing import Brief, Label, Prose, Remarked, Value
from rulewright.text.document import plain

_ORDER = (
    "label", "id", "phasing", "repeats", "by", "only", "when", "every", "optional", "activity", "cost",
    "limit", "rolls", "note",
)  # fmt: skip


@dataclass(slots=True)
class ContentFile:
    """A content file to be written: its keys, the pages that it comes from, comments at its top."""

    entries: dict[str, Value]
    pages: list[Page]
    remarks: list[str] = field(default_factory=list)


class ContentWriter:
    """Writes the files of one edition."""

    def __init__(self, book: Book, links: Links, writer: ProseWriter, plain: Sequence[str]) -> None:
        self.book, self.links, self.writer, self.plain = book, links, writer, plain
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
            title = slug(said(chapter.title))
            name = f"rules/{slug(label) or label}{f'-{title}' if title else ''}"
            while f"{name}.yml" in self.files:
                name += "-again"
            entries = self.rule(chapter, label, "chapter")
            pages = list(dict.fromkeys(node.page for node in chapter.walk()))
            self.files[f"{name}.yml"] = ContentFile(entries, pages, chapter.remarks)

    def rule(self, node: RuleNode, chapter: str, key: str = "number") -> dict[str, Value]:
        """A rule and the rules inside it as keys."""
        page = node.page
        entries: dict[str, Value] = {key: Label(node.printed)}
        if title := self.writer.inline(page, node.title, chapter):
            entries["title"] = title
        if node.shows:
            entries["shows"] = node.shows
        tables = self.table_files(node, title, chapter)
        self.describe_pictures(node, title)
        text = self.writer.prose(page, lines_of(node, closing=False), chapter)
        closing = self.writer.prose(page, lines_of(node, closing=True), chapter)
        if not node.rules:
            text = "\n\n".join(filter(None, [text, closing]))
        if text:
            entries["text"] = Prose(text)
        notes = [(note.kind, self.writer.prose(page, note.lines, chapter)) for note in node.notes]
        if notes := [(kind, words) for kind, words in notes if words]:
            entries["notes"] = [{"kind": kind, "text": Prose(words)} for kind, words in notes]
        if node.rules:
            inner = [(one, self.rule(one, chapter)) for one in node.rules]
            entries["rules"] = [Remarked(made, one.remarks) if one.remarks else made for one, made in inner]
            if closing:
                entries["closing"] = Prose(closing)
        self.files |= tables
        return entries

    def describe_pictures(self, node: RuleNode, title: str) -> None:
        """Give figures that their author gave no words those of the heading above or of the rule's title."""
        named = title or f"Picture of {node.printed}"
        lines = [(line, said(part.title) or named) for part in node.parts for line in part.lines]
        for line, words in [*lines, *((line, named) for note in node.notes for line in note.lines)]:
            bare = [p for p in line.pieces if p.picture and not p.text and not p.picture.caption]
            if bare and not said(line.pieces):
                line.pieces = [replace(p, text=words) if p in bare else p for p in line.pieces]
                for piece in bare:
                    self.told.turn(node.page, piece.line, "", words, "words for a picture that has none")

    def table_files(self, node: RuleNode, title: str, chapter: str) -> dict[str, ContentFile]:
        """The tables of a rule, a file each. One that is alone has the rule's number and stands with it.

        Several stand where they stood in its text.
        """
        found: dict[str, ContentFile] = {}
        numbered = len(node.grids) == 1
        places: list[tuple[Subsection, int, Line]] = []
        for grid, above, part, at in node.grids:
            made = table_draft(node, grid, above, title, self.writer, chapter, numbered=numbered)
            if made is None:
                continue
            name = made.name
            while (file := f"tables/{name}.yml") in self.files or file in found:
                self.alike[made.name] += 1
                name = f"{made.name}-{self.alike[made.name] + 1}"
            if not numbered:
                made.entries["id"] = name
                words = str(made.entries["title"])
                picture = TextPiece(plain(words), grid.line, picture=Image(file, table=True))
                places.append((part, at, Line([picture], grid.line)))
                self.told.turn(node.page, grid.line, "", words, "the title of a table in its place")
            self.tables += 1
            found[file] = ContentFile(made.entries, [node.page], made.remarks)
        for part, at, line in reversed(places):
            part.lines.insert(at, line)
        return found

    # The sequence of play

    def sequence_of_play(self) -> None:
        """Make sequence.yml with its narrative, where a rule of the book holds the sequence of play."""
        node = next((node for node in self.book.every() if node.outline), None)
        if node is None or node.outline is None:
            return
        outline = StepReader(node, self.writer, self.writer.finder, self.book.headings)
        self.steps = outline.steps(node.outline)
        outline.colour(self.steps, self.plain)
        self.sides = outline.sides
        for other in self.book.every():
            kept = narrate(self.steps, other, self.writer)
            if kept is not None:
                other.parts, other.shows = kept, other.shows or "narrative"
        chapter = next((c for c in self.book.chapters if node in c.walk()), node)
        named = chapter if SEQUENCE.search(said(chapter.title)) else node
        title = self.writer.inline(named.page, named.title) or "Sequence of Play"
        self.told.turn(node.page, node.line, "", title, "the title of the sequence of play")
        entries: dict[str, Value] = {"title": title, "steps": [self.step(step) for step in self.steps]}
        self.files["sequence.yml"] = ContentFile(entries, [node.page])

    def step(self, step: StepDraft) -> Value:
        """A step and the steps inside it as keys."""
        entries: dict[str, Value] = {step.kind: step.title}
        for key in (*(key for key in _ORDER if key in step.fields), *step.fields):
            entries[key] = Label(step.fields[key]) if key == "label" else step.fields[key]
        if step.uses:
            entries["uses"] = step.uses
        if step.see:
            entries["see"] = Label(", ".join(step.see))
        if step.narrative:
            entries["narrative"] = Prose(step.narrative)
        for key, is_free in (("steps", False), ("any order", True)):
            if inner := [self.step(one) for one in step.steps if one.free is is_free]:
                entries[key] = inner
        made: Value = entries if step.steps or step.narrative else Brief(entries)
        return Remarked(made, step.remarks) if step.remarks else made

    # Numbers

    def known(self) -> ContentFile:
        """The numbers of the book in its order: those of its rules, and those that links to absent pages
        cite."""
        rules = {node.key: node for node in self.book.every() if not node.item and node.number}
        cited = {key: one for key, one in self.links.cited.items() if key not in rules and "(" not in key}
        listed = [(node.number, said(node.title)) for node in rules.values() if node.number]
        listed += list(cited.values())
        entries = [
            Brief({"number": Label(number.key), **({"title": title} if title else {})})
            for number, title in sorted(listed, key=lambda one: one[0].ordinals)
        ]
        remarks = []
        if cited:
            remarks.append(
                f"{len(cited)} of these numbers stand on pages that were not imported; links cite them, and "
                "their titles are taken from the addresses of these links."
            )
        return ContentFile({"lists": "cited" if cited else "everything", "known": entries}, [], remarks)


# Old addresses


def old_addresses(
    book: Book,
    pages: Sequence[ParsedPage],
    names: Mapping[str, str],
    texts: Mapping[str, str],
    outline: Outline,
    making: ContentWriter,
) -> ContentFile:
    """`redirects.yml`: every page and every heading's anchor of the site, with its new place.

    `names`: the files of the pages without rules; `texts`: what stands in them.
    """
    told: dict[str, StepEntry] = {}  # the steps that have a narrative, by their titles; the first holds
    for one in outline.every_step() if making.steps else ():
        if one.step.narrative:
            told.setdefault(_bare(one.step.title), one)
    entries: list[Value] = []
    for read in pages:
        page = read.page
        whole = book.whole.get(page.name)
        to = whole.key if whole else names.get(page.name, ".").removesuffix(".md")
        anchors: dict[str, Value] = {}
        for (name, anchor), node in book.found.anchors.items():
            if name == page.name and anchor:
                words = book.headings.get((name, anchor), "")
                step = told.get(_bare(words)) if node.shows == "narrative" else None
                anchors[anchor] = Label(f"narrative#{step.anchor}") if step else Label(node.key)
        kept = set(anchors_of(texts[page.name].encode())) if page.name in texts else ()
        anchors |= {
            anchor: f"{to}#{anchor}" for name, anchor in book.headings if name == page.name and anchor in kept
        }
        for address in dict.fromkeys((page.address, *page.aliases)):
            if address == "/":
                continue  # the old site's home is the new one's
            entry: dict[str, Value] = {"from": address, "to": Label(to) if whole else to}
            entries.append({**entry, "anchors": anchors} if anchors else entry)
    remark = "Where each page and heading of the imported site is now. The build leaves a signpost at each."
    return ContentFile({"redirects": entries}, [], [remark])


def _bare(words: str) -> str:
    return " ".join(words.lower().split())
