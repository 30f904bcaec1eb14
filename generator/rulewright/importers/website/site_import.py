"""Import an edition from a site: read, understood, written in memory, checked, and accounted for.

    folder ──read_site──► pages ──read──► blocks ──build──► book ──make──► files ──check──► problems
                                                                            └──account──► receipt

Nothing here writes to the disk; the command does, once all is made.
"""

from __future__ import annotations

import posixpath
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rulewright import checks
from rulewright.book.library import read_library
from rulewright.book.outline import Outline, arrange
from rulewright.book.schema import FOLDER, sort_of
from rulewright.checks.excuses import excuse
from rulewright.citations.shelf import cite
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
    linked_runs,
    read_pages,
    vocabulary_of,
)
from rulewright.importers.website.chapters import ContentFile, ContentWriter
from rulewright.importers.website.glossary import glossary, glossary_words, old_addresses, terms_of
from rulewright.importers.website.links import Links
from rulewright.importers.website.prose import Pictures, ProseWriter, written_words
from rulewright.importers.website.receipt import Receipt
from rulewright.importers.website.rule_tree import Change
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
    `excuses`: what is wrong in the source is excused with the reason, so that a site can be built.
    """

    book: str
    edition: str
    title: str = ""
    name: str = ""
    dialect: Sequence[str] = ()
    rulebook: bytes | None = None
    excuses: bool = True


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
    book = build(site, pages, numbering.numbers, numbering.forms, numbering.dialect)
    if fault := several_books(book, source) or hardly_any_rules(book, pages, source):
        return Import(refused=[fault])
    return _SiteImport(site, request, source, pages, book, numbering).made()


class _SiteImport:
    """One import under way."""

    def __init__(
        self,
        site: Site,
        request: Request,
        source: str,
        pages: Sequence[ParsedPage],
        book: Book,
        numbering: Numbering,
    ) -> None:
        self.site, self.request, self.pages, self.book, self.numbering = site, request, pages, book, numbering
        self.receipt = Receipt(source, numbering.told)
        self.base = f"{CONTENT}/{request.book}/{request.edition}"
        known = {node.key for node in book.every() if node.number}
        self.links = Links(site, book.dialect, book.found.anchors, book.whole, known, book.headings)
        self.links.collect(linked_runs(book))
        never = [*numbering.never, *self.not_references()]
        finder = Finder(book.dialect, cues=numbering.cues, never=never)
        self.links.cite_all(
            one.number for text in numbering.cited for one in finder.find(text, "", cued=True)
        )
        self.writer = ProseWriter(vocabulary_of(pages), self.links, finder, Pictures(site))
        plain = [" ".join("".join(p.text for p in run).split()) for read in pages for run in read.runs()]
        self.making = ContentWriter(book, self.links, self.writer, plain)
        self.cache: dict[str, Any] = {}
        self.out: dict[str, tuple[bytes, list[Page], list[str]]] = {}
        self.old = ContentFile({"redirects": []}, [])
        self.terms: dict[str, Value] = {}
        self.defined: list[Page] = []  # the pages that the terms come from

    def made(self) -> Import:
        """Make all files, check them, and fill the receipt."""
        self.making.chapters()
        made = dict(self.making.files)
        made["known.yml"] = self.making.known()
        names = plain_pages.names_of(self.book.loose, {"glossary.md"})
        texts = {}
        for read in self.book.loose:
            if not read.expanded.text.strip():
                what = "the title of a page that says nothing else"
                self.making.turned.append(Change(read.page, 1, read.page.title, "", what))
                del names[read.page.name]
                continue
            if self.is_glossary(read):
                names[read.page.name] = "glossary.md"
                continue
            # The notes of a page say of what sort they are.
            read.reading.dropped = [one for one in read.reading.dropped if one.told]
            text = texts[read.page.name] = plain_pages.text_of(read, self.links, self.making.pictures, names)
            self.out[f"{self.base}/{names[read.page.name]}"] = (
                text.encode(),
                [read.page],
                written_page(text),
            )
        made["edition.yml"] = ContentFile(self.edition([]), [])
        for name, one in made.items():
            self.put(f"{self.base}/{name}", one)
        if self.request.rulebook is None:
            name = f"{CONTENT}/{self.request.book}/rulebook.yml"
            self.put(name, ContentFile(self.rulebook(), [], self.remarks()))
            words = [*WORD.findall(" ".join(self.terms)), *written_words(self.terms)]
            self.out[name] = (self.out[name][0], self.defined, words)
        outline, problems = self.check()
        excuses = self.excuses(problems)
        redirects = f"{self.base}/redirects.yml"
        if outline and self.site.served:
            self.old = old_addresses(self.book, self.pages, names, texts, outline, self.making)
            self.put(redirects, self.old)
        self.put(f"{self.base}/edition.yml", ContentFile(self.edition(excuses), []))
        outline, problems = self.check()
        self.fill_receipt(outline, problems)
        files = {name: data for name, (data, _, _) in self.out.items()}
        copies = {f"{self.base}/{name}": path for name, path in self.making.pictures.copied.items()}

        def leave_out(addresses: Sequence[str]) -> None:
            old = self.old.entries["redirects"]
            assert isinstance(old, list)
            kept = [entry for entry in old if entry["from"] not in addresses]
            files.pop(redirects, None)
            if kept:
                self.put(redirects, ContentFile({"redirects": kept}, [], self.old.remarks))
                files[redirects] = self.out[redirects][0]

        return Import(files, copies, self.receipt, [], leave_out)

    def is_glossary(self, read: ParsedPage) -> bool:
        """Whether a page of terms becomes the book's glossary, which is told."""
        terms = terms_of(read)
        is_taken = self.request.rulebook is not None or bool(self.terms) or not terms
        if terms is not None:
            why = "it holds more than terms" if not terms else "rulebook.yml is there already"
            what = f"its {len(terms)} terms are the glossary" if not is_taken else f"it stays a page: {why}"
            self.making.guesses.append((read.page, 1, f"“{read.page.title}” sounds like terms; {what}"))
        if not is_taken:
            self.terms, self.defined = glossary(read, terms or (), self.writer), [read.page]
            self.making.turned += glossary_words(read)
        return not is_taken

    def put(self, name: str, made: ContentFile) -> None:
        """Enter a file: its bytes, its pages, and its words."""
        sort = sort_of(name)
        up = "../" * (name.count("/") - 1)
        schema = f"{up}{posixpath.basename(FOLDER)}/{sort}.json"
        words = list(written_words(made.entries)) if made.pages else []
        self.out[name] = (written(made.entries, schema, made.remarks).encode(), made.pages, words)

    def not_references(self) -> list[str]:
        """Phrases in which the edition's name is no rule, where it looks like one."""
        name = self.request.name or self.request.edition
        forms = ("Version {}", "version {}", "v{}", "edition {}", "{} edition", "Rules, {}", "Rules {}")
        return [form.format(name) for form in forms] if self.book.dialect.parse(name) else []

    def edition(self, excuses: Sequence[Value]) -> dict[str, Value]:
        """edition.yml: the name, the date that most pages have, and phrases that look like references."""
        entries: dict[str, Value] = {"edition": Label(self.request.name or self.request.edition)}
        dates = Counter(str(read.page.values.get("date", ""))[:10] for read in self.pages)
        if date := next((d for d, _ in dates.most_common() if re.fullmatch(r"\d{4}-[01]\d-[0-3]\d", d)), ""):
            entries["date"] = Label(date)
        if never := self.not_references():
            entries["not-references"] = [*never]
        if excuses:
            entries["excused"] = list(excuses)
        return entries

    def rulebook(self) -> dict[str, Value]:
        title = self.request.title or book_title(self.site, self.pages, self.book.dialect)
        making, cues = self.making, self.numbering.cues
        made = rulebook(title or self.request.book, self.book, cues, making.sides, plays=bool(making.steps))
        return made | ({"terms": self.terms} if self.terms else {})

    def remarks(self) -> list[str]:
        guess = "The title is a guess; see also `short` and `publisher`."
        return [
            f"How the book numbers its rules: {self.receipt.dialect}.",
            "" if self.request.title else guess,
        ]

    def check(self) -> tuple[Outline | None, list[Problem]]:
        """Read the new files as content: the edition's outline and problems."""
        texts = {name: data for name, (data, _, _) in self.out.items()}
        if self.request.rulebook is not None:
            texts[f"{CONTENT}/{self.request.book}/rulebook.yml"] = self.request.rulebook
        others = [f"{self.base}/{name}" for name in self.making.pictures.copied]
        library = read_library(Folder(texts, others), self.cache)
        shelf = cite({address: arrange(edition) for address, edition in library.editions.items()})
        problems, excused = excuse([*library.problems, *checks.run(shelf)], library)
        self.receipt.excused = [problem for problem, _ in excused]
        outline = shelf.outlines.get(f"{self.request.book}/{self.request.edition}")
        cited = shelf.citations.get(f"{self.request.book}/{self.request.edition}", [])
        self.receipt.counts["references"] = sum(len(c.resolved) for c in cited)
        # A book that is there already has other editions, which its terms may cite.
        return outline, sorted({p for p in problems if p.place.file in self.out})

    def excuses(self, problems: Sequence[Problem]) -> list[Value]:
        """An excuse for what is wrong in the source itself, so that the site can be built before that is
        mended."""
        if not self.request.excuses:
            return []
        wrong = dict.fromkeys((p.code, p.about) for p in problems if p.code in _EXCUSED and p.fails)
        return [{"code": code, "at": Label(about), "because": _EXCUSED[code]} for code, about in wrong]

    def fill_receipt(self, outline: Outline | None, problems: Sequence[Problem]) -> None:
        """Fill the receipt."""
        told, making, written_ = self.receipt, self.making, self.writer.written
        nodes = list(self.book.every())
        added = [Change(page, line, "", words, what) for page, line, words, what in written_.added]
        told.turned, told.guesses = [*making.turned, *added], [*making.guesses, *written_.guesses]
        told.guesses += [(r.page, line, m) for r in self.pages for line, m in r.reading.guesses]
        told.mended = list({(p.name, m.line, m.was): (p, m) for p, m in written_.mended}.values())
        told.dropped = [(r.page, d) for r in self.pages for d in r.reading.dropped]
        told.links = sorted(
            self.links.judged.values(), key=lambda j: (j.page.file.name, j.link.line, j.link.column)
        )
        told.unlinked, told.missing = written_.unlinked, making.pictures.missing
        told.published = making.pictures.published()
        told.problems, told.checked = list(self.site.problems), list(problems)
        outputs = [(pages, words) for _, pages, words in self.out.values() if pages]
        told.accounts = accounts(self.pages, outputs, told.turned, told.mended)
        told.counts = {
            "pages": len(self.pages),
            "chapters": len(self.book.chapters),
            "rules": sum(not node.item for node in nodes),
            "items": sum(bool(node.item) for node in nodes),
            "notes": sum(len(node.notes) for node in nodes),
            "steps": sum(1 for step in making.steps for _ in step.walk()),
            "tables": making.tables,
            "pictures": making.pictures.attached,
            "references": told.counts.get("references", 0),
            "links": len(told.links),
            "links recovered": sum(map(self.links.recovers, told.links)),
            "pages without rules": len(self.book.loose),
        }
        told.guesses.sort(key=lambda one: (one[0].file.name, one[1], one[2]))
        told.unlinked.sort(key=lambda one: (one[0].file.name, one[1], one[2]))
