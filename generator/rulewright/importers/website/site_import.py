"""Import an edition from a site: read, understood, written in memory, checked, and accounted for.

    folder ──read_site──► pages ──read──► blocks ──build──► book ──make──► files ──check──► problems
                                                                            └──account──► receipt

Nothing here writes to the disk; the command does, once all is made.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rulewright.book.library import read_library
from rulewright.book.outline import Outline, arrange
from rulewright.checks import every
from rulewright.checks.excuses import excuse
from rulewright.citations.resolving import NOT_FOUND
from rulewright.citations.shelf import cite
from rulewright.edit.short_forms import formatted
from rulewright.importers.website import plain_pages
from rulewright.importers.website.blocks import WORD
from rulewright.importers.website.book_numbering import (
    Numbering,
    book_title,
    hardly_any_rules,
    rulebook,
    settle_numbering,
    several_books,
)
from rulewright.importers.website.book_rules import (
    Book,
    ParsedPage,
    build,
    links_of,
    read_pages,
    vocabulary_of,
)
from rulewright.importers.website.chapters import ContentFile, ContentWriter, old_addresses
from rulewright.importers.website.glossary_pages import glossary, tell_glossary, terms_of
from rulewright.importers.website.links import Links
from rulewright.importers.website.page_prose import Pictures, ProseWriter, written_words
from rulewright.importers.website.receipt import Receipt
from rulewright.importers.website.site import Page, Site
from rulewright.importers.website.word_accounts import accounts, written_page
from rulewright.numbers.finder import Finder
from rulewright.source.folder import CONTENT, Folder
from rulewright.source.problems import Problem, Severity
from rulewright.source.writing import Label, Value, written

_EXCUSED = {
    "figure-not-found": "the picture was not among the imported files; add it to pictures/ and take this out",
    "reference-not-found": "the imported pages cite a rule that none of them has; see the import report",
    "number-gap": "the imported pages have no such rule",
    "number-out-of-order": "the imported pages have it in this order",
    "range-backwards": "so it stands on the imported pages; see the import report",
    "range-empty": "so it stands on the imported pages; see the import report",
}
"""Faults of a source that need not keep a site from being built, each with the reason of its excuse."""


@dataclass(frozen=True, slots=True)
class Request:
    """An order for an import: the book's and the edition's folder names, and what they are to be called.

    `dialect`: examples of its numbers. `rulebook`: the bytes of the book's rulebook.yml, where it has one.
    `excuses`: what is wrong in the source is excused with the reason, so that a site can be built. The
    book's title is `otherwise` where neither `title` nor the pages say one.
    """

    book: str
    edition: str
    title: str = ""
    dialect: Sequence[str] = ()
    rulebook: bytes | None = None
    excuses: bool = True
    otherwise: str = ""


@dataclass(slots=True)
class Import:
    """The result of an import: files by their path in the project, copies of others, and the receipt.

    Where `refused` holds problems, nothing is made.
    """

    files: dict[str, bytes] = field(default_factory=dict)
    copies: dict[str, Path] = field(default_factory=dict)
    receipt: Receipt | None = None
    refused: list[Problem] = field(default_factory=list)
    leave_out: Callable[[Sequence[str]], None] = lambda addresses: None
    """Take old addresses out of redirects.yml again."""


def import_site(site: Site, request: Request, source: str, progress: Callable[[int, int], None]) -> Import:
    """Make an edition of a site. `source`: how the receipt calls the site's folder."""
    errors = [problem for problem in site.problems if problem.severity is Severity.ERROR]
    if errors or not site.pages:
        return Import(refused=list(site.problems))
    pages = read_pages(site, progress)
    numbering = settle_numbering(pages, request.dialect, request.book, request.rulebook, source)
    if numbering.fault:
        return Import(refused=[numbering.fault])
    told = Receipt(source, numbering.told, problems=list(site.problems))
    book = build(pages, numbering.numbers, numbering.forms, numbering.dialect, told)
    if fault := several_books(book, source) or hardly_any_rules(book, pages, source):
        return Import(refused=[fault])
    return _SiteImport(site, request, told, pages, book, numbering).made()


@dataclass(slots=True)
class _Made:
    """A file that is made: its bytes, the pages that it comes from, and its words."""

    data: bytes
    pages: Sequence[Page] = ()
    words: Sequence[str] = ()


class _SiteImport:
    """One import under way."""

    def __init__(
        self,
        site: Site,
        request: Request,
        told: Receipt,
        pages: Sequence[ParsedPage],
        book: Book,
        numbering: Numbering,
    ) -> None:
        self.site, self.request, self.pages, self.book, self.numbering = site, request, pages, book, numbering
        self.told = told
        self.base = f"{CONTENT}/{request.book}/{request.edition}"
        known = {node.key for node in book.every() if node.number}
        self.links = Links(site, book.dialect, book.found.anchors, book.whole, known, book.headings)
        self.links.collect(links_of(pages))
        # Phrases in which the edition's name is no rule, where it looks like one.
        name = request.edition
        forms = ("Version {}", "version {}", "v{}", "edition {}", "{} edition", "Rules, {}", "Rules {}")
        self.never = [form.format(name) for form in forms if book.dialect.parse(name)]
        finder = Finder(book.dialect, cues=numbering.cues, never=[*numbering.never, *self.never])
        self.links.cite_all(
            one.number for text in numbering.cited for one in finder.find(text, "", cued=True)
        )
        self.writer = ProseWriter(vocabulary_of(pages), self.links, finder, Pictures(site, told))
        plain = [" ".join("".join(p.text for p in run).split()) for read in pages for run in read.runs()]
        self.making = ContentWriter(book, self.links, self.writer, plain)
        self.cache: dict[str, Any] = {}
        self.out: dict[str, _Made] = {}
        self.terms: dict[str, Value] = {}
        self.defined: list[Page] = []  # the pages that the terms come from

    def made(self) -> Import:
        """Make all files, check them, and fill the receipt."""
        making = self.making
        making.chapters()
        names = plain_pages.names_of(self.book.loose, {"glossary.md"})
        texts = {}
        for read in self.book.loose:
            name = read.page.name
            if not read.expanded.text.strip():
                what = "the title of a page that says nothing else"
                self.told.turn(read.page, 1, read.page.title, "", what)
                del names[name]
            elif self.is_glossary(read):
                names[name] = "glossary.md"
            else:
                # The notes of a page say of what sort they are.
                read.reading.dropped = [one for one in read.reading.dropped if one.told]
                text = texts[name] = plain_pages.text_of(read, self.links, making.pictures, names)
                self.out[f"{self.base}/{names[name]}"] = _Made(text.encode(), [read.page], written_page(text))
        edition = f"{self.base}/edition.yml"
        made = {f"{self.base}/{name}": one for name, one in making.files.items()}
        made[f"{self.base}/known.yml"] = making.known()
        made[edition] = ContentFile(self.edition([]), [])
        for name, one in made.items():
            self.put(name, one)
        if self.request.rulebook is None:
            name = f"{CONTENT}/{self.request.book}/rulebook.yml"
            self.put(name, self.rulebook())
            self.out[name].pages = self.defined
            self.out[name].words = [*WORD.findall(" ".join(self.terms)), *written_words(self.terms)]
        outline, problems = self.check()
        # What is wrong in the source is excused, so that the site can be built before that is mended.
        dialect = self.book.dialect
        printed = {label.number.key for read in self.pages for _, label in read.labels(dialect)}
        wrong = dict.fromkeys(
            (p.code, p.about)
            for p in problems
            if p.code in _EXCUSED
            and p.fails
            # A number that the pages print as a label is a rule that was not found.
            and not (p.code == NOT_FOUND.code and (n := dialect.parse(p.about)) and n.key in printed)
        )
        excuses = [{"code": code, "at": Label(about), "because": _EXCUSED[code]} for code, about in wrong]
        redirects, old = f"{self.base}/redirects.yml", ContentFile({"redirects": []}, [])
        if outline and self.site.served:
            old = old_addresses(self.book, self.pages, names, texts, outline, making)
            self.put(redirects, old)
        self.put(edition, ContentFile(self.edition(excuses if self.request.excuses else []), []))
        self.fill_receipt(self.check()[1])
        files = {name: one.data for name, one in self.out.items()}
        copies = {f"{self.base}/{name}": path for name, path in making.pictures.copied.items()}

        def leave_out(addresses: Sequence[str]) -> None:
            entries = old.entries["redirects"]
            assert isinstance(entries, list)
            kept = [entry for entry in entries if entry["from"] not in addresses]
            files.pop(redirects, None)
            if kept:
                self.put(redirects, ContentFile({"redirects": kept}, [], old.remarks))
                files[redirects] = self.out[redirects].data

        return Import(files, copies, self.told, [], leave_out)

    def is_glossary(self, read: ParsedPage) -> bool:
        """Whether a page of terms becomes the book's glossary, which is told."""
        terms = terms_of(read)
        is_taken = self.request.rulebook is None and not self.terms and bool(terms)
        if terms is not None:
            why = "it holds more than terms" if not terms else "rulebook.yml is there already"
            what = f"its {len(terms)} terms are the glossary" if is_taken else f"it stays a page: {why}"
            self.told.guess(read.page, 1, f"“{read.page.title}” sounds like terms; {what}")
        if is_taken:
            self.terms, self.defined = glossary(read, terms or (), self.writer), [read.page]
            tell_glossary(read, self.told)
        return is_taken

    def put(self, name: str, made: ContentFile) -> None:
        """Enter a file: its bytes, its pages, and its words."""
        words = list(written_words(made.entries)) if made.pages else []
        data = written(made.entries, made.remarks).encode()
        self.out[name] = _Made(formatted(name, data), made.pages, words)

    def edition(self, excuses: Sequence[Value]) -> dict[str, Value]:
        """edition.yml: the name, the date that most pages have, and phrases that look like references."""
        entries: dict[str, Value] = {"edition": Label(self.request.edition)}
        dates = Counter(str(read.page.values.get("date", ""))[:10] for read in self.pages)
        if date := next((d for d, _ in dates.most_common() if re.fullmatch(r"\d{4}-[01]\d-[0-3]\d", d)), ""):
            entries["date"] = Label(date)
        if self.never:
            entries["not-references"] = [*self.never]
        if excuses:
            entries["excused"] = list(excuses)
        return entries

    def rulebook(self) -> ContentFile:
        title = self.request.title or book_title(self.site, self.pages, self.book)
        making, cues = self.making, self.numbering.cues
        title = title or self.request.otherwise or self.request.book
        made = rulebook(title, self.book, cues, making.sides, plays=bool(making.steps))
        if self.terms:
            made["terms"] = self.terms
        guess = "" if self.request.title else "The title is a guess; see also `short` and `publisher`."
        return ContentFile(made, [], [f"How the book numbers its rules: {self.told.dialect}.", guess])

    def check(self) -> tuple[Outline | None, list[Problem]]:
        """Read the new files as content: the edition's outline and problems."""
        texts = {name: one.data for name, one in self.out.items()}
        if self.request.rulebook is not None:
            texts[f"{CONTENT}/{self.request.book}/rulebook.yml"] = self.request.rulebook
        others = [f"{self.base}/{name}" for name in self.making.pictures.copied]
        library = read_library(Folder(texts, others), self.cache)
        shelf = cite({address: arrange(edition) for address, edition in library.editions.items()})
        problems, excused = excuse([*library.problems, *every.run(shelf)], library)
        self.told.excused = [problem for problem, _ in excused]
        address = f"{self.request.book}/{self.request.edition}"
        self.told.counts["references"] = sum(len(c.resolved) for c in shelf.citations.get(address, []))
        # A book that is there already has other editions, which its terms may cite.
        return shelf.outlines.get(address), sorted({p for p in problems if p.place.file in self.out})

    def fill_receipt(self, problems: Sequence[Problem]) -> None:
        """Fill the receipt with what is known at the end."""
        told, making = self.told, self.making
        nodes = list(self.book.every())
        told.guesses += [(r.page, line, m) for r in self.pages for line, m in r.reading.guesses]
        told.mended = list({(p.name, m.line, m.was): (p, m) for p, m in told.mended}.values())
        told.dropped = [(r.page, d) for r in self.pages for d in r.reading.dropped]
        judged = self.links.judged.values()
        told.links = sorted(judged, key=lambda j: (j.page.file.name, j.link.line, j.link.column))
        told.published, told.checked = making.pictures.published(), list(problems)
        told.accounts = accounts(self.pages, [(m.pages, m.words) for m in self.out.values() if m.pages], told)
        told.counts = {
            "pages": len(self.pages),
            "chapters": len(self.book.chapters),
            "rules": sum(not node.item for node in nodes),
            "items": sum(bool(node.item) for node in nodes),
            "notes": sum(len(node.notes) for node in nodes),
            "steps": sum(1 for step in making.steps for _ in step.walk()),
            "tables": making.tables,
            "pictures": making.pictures.attached,
            "references": told.counts["references"],
            "links": len(told.links),
            "links recovered": sum(map(self.links.recovers, told.links)),
            "pages without rules": len(self.book.loose),
        }
        told.guesses.sort(key=lambda one: (one[0].file.name, one[1], one[2]))
        told.unlinked.sort(key=lambda one: (one[0].file.name, one[1], one[2]))
