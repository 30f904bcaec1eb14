"""Import an edition from a site: read, understood, written in memory, checked, and accounted for.

    folder ──read_site──► pages ──read──► blocks ──build──► book ──make──► files ──check──► problems
                                                                            └──account──► receipt

Nothing is written to the disk here; `home` puts all in its place at once.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import chain
from operator import attrgetter
from pathlib import Path
from typing import Any

from rulewright.book.outline import Outline
from rulewright.checks.load_and_check import load_and_check_folder
from rulewright.checks.numbering_example_checks import NOTHING, UNUSED
from rulewright.files.content_folder import CONTENT, ContentFolder
from rulewright.files.problems import Problem, Severity, SourceLocation
from rulewright.files.yaml_writer import InlineCollection, QuotedString, Value, write_yaml
from rulewright.imports import Entries
from rulewright.imports.website import unnumbered_pages
from rulewright.imports.website.content_writer import (
    ContentFile,
    ContentWriter,
    glossary,
    page_terms,
)
from rulewright.imports.website.implied_numbers import (
    implied_numbers,
    leave_out_revisions,
    number_by_part,
    number_by_place,
    unlisted,
)
from rulewright.imports.website.import_refusals import hardly_any_rules, several_books
from rulewright.imports.website.import_report import (
    ImportReport,
    LinkVerdict,
)
from rulewright.imports.website.link_audit import LinkAudit
from rulewright.imports.website.page_block_types import WORD, ParsedPage
from rulewright.imports.website.page_prose import Pictures, ProseWriter, Vocabulary, written_words
from rulewright.imports.website.rule_collection import (
    NO_NUMBERS,
    DetectedNumbering,
    book_title,
    collect_rules,
    labels_on,
    pages_with_rules,
    read_pages,
    settle_numbering,
)
from rulewright.imports.website.rule_tree import ImportedBook
from rulewright.imports.website.source_site import SourcePage, SourceSite
from rulewright.imports.website.word_audit import account_for_words, written_page
from rulewright.numbering.reference_finder import ReferenceFinder
from rulewright.references.reference_resolver import NOT_FOUND, UNREADABLE

_EXCUSED = {
    "figure-not-found": "the picture was not among the imported files; add it to pictures/ and take this out",
    "reference-not-found": "the imported pages cite a rule that none of them has; see the import report",
    "reference-unreadable": "the imported pages cite what is no number of theirs; see the import report",
    "table-not-found": "no imported page has this table; add it to tables/ and take this out",
    "number-gap": "the imported pages have no such rule",
    "number-out-of-order": "the imported pages have it in this order",
    "range-backwards": "so it stands on the imported pages; see the import report",
    "range-empty": "so it stands on the imported pages; see the import report",
}
"""Faults of a source that need not keep a site from being built, each with the reason of its excuse."""

_UNKNOWN = (NOT_FOUND.code, UNREADABLE.code)
"""References to what is no rule."""


@dataclass(frozen=True, slots=True)
class ImportRequest:
    """An order for an import: the book's and the edition's folder names, and what they are to be called.

    `dialect`: examples of its numbers. `rulebook`: the bytes of the book's rulebook.yml, where it has one.
    `number`: items of ordered lists and headings without numbers are numbered by their place.
    The book's title is `on_missing_numbering` where neither `title` nor the pages say one.
    """

    book: str
    edition: str
    title: str = ""
    dialect: Sequence[str] = ()
    rulebook: bytes | None = None
    on_missing_numbering: str = ""
    number: bool = False


@dataclass(slots=True)
class ImportResult:
    """Files by their path in the project, copies of others, and the receipt; none where it is `refused`."""

    files: dict[str, bytes] = field(default_factory=dict)
    copies: dict[str, Path] = field(default_factory=dict)
    receipt: ImportReport | None = None
    refused: list[Problem] = field(default_factory=list)

    def leave_out(self, addresses: Sequence[str]) -> None:
        """Take old addresses out of redirects.yml again."""


def import_site(
    site: SourceSite, request: ImportRequest, source: str, progress: Callable[[int, int], None]
) -> ImportResult:
    """Make an edition of a site. `source`: how the receipt calls the site's folder."""
    errors = [problem for problem in site.problems if problem.severity is Severity.ERROR]
    if errors or not site.pages:
        return ImportResult(refused=list(site.problems))
    pages = read_pages(site, progress)
    told = ImportReport(source, problems=list(site.problems))
    for read in pages:
        unlisted(read.blocks)
        leave_out_revisions(read, told)
        number_by_part(read, told)
        if request.number:
            number_by_place(read, told)
    numbering = settle_numbering(pages, request.dialect, request.book, request.rulebook, source)
    if numbering.fault:
        return ImportResult(refused=[numbering.fault])
    told.dialect = numbering.source_text
    offered = {one.number for read in pages for one in implied_numbers(read)}
    book = collect_rules(pages, numbering, told)
    if fault := several_books(book, source):
        return ImportResult(refused=[fault])
    if why := hardly_any_rules(book, pages_with_rules(pages)):
        return ImportResult(refused=[NO_NUMBERS.problem(SourceLocation(source), why, source)])
    made = _SiteImport(site, request, pages, book, numbering).made()
    about = {problem.subject for problem in (*told.checked, *told.suppressed) if problem.code in _UNKNOWN}
    if not request.dialect and len(fit := sorted(about & offered)) > 1 and len(fit) * 2 >= len(about):
        why = (
            f"references {', '.join(fit[:3])} fit the places in numbered lists and under headings without "
            "numbers; --number makes rules of these"
        )
        return ImportResult(refused=[NO_NUMBERS.problem(SourceLocation(source), why, source)])
    return made


class _SiteImport(ImportResult):
    def __init__(
        self,
        site: SourceSite,
        request: ImportRequest,
        pages: Sequence[ParsedPage],
        book: ImportedBook,
        numbering: DetectedNumbering,
    ) -> None:
        self.site, self.request, self.pages, self.book, self.numbering = site, request, pages, book, numbering
        self.told = told = book.report
        super().__init__(receipt=told)
        self.base = f"{CONTENT}/{request.book}/{request.edition}"
        self.links = LinkAudit(site, book, {node.key for node in book.iter_rules() if node.number})
        self.links.collect(
            (read.page, p, p.link) for read in pages for run in read.runs() for p in run if p.link
        )
        # Phrases in which the edition's name is no rule, where it looks like one.
        name = request.edition
        forms = ("Version {}", "version {}", "v{}", "edition {}", "{} edition", "Rules, {}", "Rules {}")
        self.never = [form.format(name) for form in forms if book.dialect.parse_number(name)]
        finder = ReferenceFinder(book.dialect, cues=numbering.cues, never=[*numbering.never, *self.never])
        for text in numbering.cited:
            self.links.cite_all(match.number for match in finder.find(text, "", is_cited=True))
        runs = chain.from_iterable(page.runs() for page in pages)
        texts = ["".join(map(attrgetter("text"), run)) for run in runs]
        vocabulary = Vocabulary()
        vocabulary.count_words(texts)
        self.writer = ProseWriter(vocabulary, self.links, finder, Pictures(site, told))
        self.making = ContentWriter(book, self.writer, [" ".join(text.split()) for text in texts])
        self.cache: dict[str, Any] = {}
        self.out: dict[str, ContentFile] = {}
        self.terms: Entries = {}
        self.defined: list[SourcePage] = []  # the pages that the terms come from
        self.idle: set[str] = set()  # what of the rulebook's examples and cues reads nothing

    def made(self) -> ImportResult:
        """Make all files, check them, and fill the receipt."""
        making = self.making
        making.chapters()
        names = unnumbered_pages.page_file_names(self.book.unnumbered_pages, {"glossary.md"})
        texts = {}
        for read in self.book.unnumbered_pages:
            name = read.page.name
            if not read.text.strip():
                what = "the title of a page that says nothing else"
                self.told.note_changed(read.page, 1, read.page.title, "", what)
                del names[name]
            elif self.is_glossary(read):
                names[name] = "glossary.md"
            else:
                # The notes of a page say of what sort they are.
                read.dropped = [one for one in read.dropped if one.is_reported]
                text = texts[name] = unnumbered_pages.rewrite_page(read, self.links, making.pictures, names)
                file = f"{self.base}/{names[name]}"
                self.files[file] = text.encode()
                self.out[file] = ContentFile({}, [read.page], words=written_page(text))
        edition = f"{self.base}/edition.yml"
        made = {f"{self.base}/{name}": one for name, one in making.files.items()}
        if known := making.known():
            made[f"{self.base}/known.yml"] = known
        made[edition] = ContentFile(self.edition([]))
        for name, one in made.items():
            self.put(name, one)
        self.put_rulebook()
        outline, problems = self.check()
        self.idle = {problem.subject for problem in problems if problem.code in (NOTHING.code, UNUSED.code)}
        if self.idle:
            self.put_rulebook()
            outline, problems = self.check()
        # What is wrong in the source is excused, so that the site can be built before that is mended.
        dialect = self.book.dialect
        printed = {label.number.key for read in self.pages for _, label in labels_on(read, dialect)}
        excuses: list[Value] = []
        for code, about in dict.fromkeys((p.code, p.subject) for p in problems if p.is_failure):
            number = dialect.parse_number(about) if code == NOT_FOUND.code else None
            # A number that the pages print as a label is a rule that was not found.
            if code in _EXCUSED and not (number and number.key in printed):
                excuses.append({"code": code, "at": QuotedString(about), "reason": _EXCUSED[code]})
        if outline and self.site.served:
            self.put(f"{self.base}/redirects.yml", making.old_addresses(self.pages, names, texts, outline))
        self.put(edition, ContentFile(self.edition(excuses)))
        self.fill_receipt(self.check()[1])
        self.copies = {f"{self.base}/{name}": path for name, path in making.pictures.copied.items()}
        return self

    def leave_out(self, addresses: Sequence[str]) -> None:
        name = f"{self.base}/redirects.yml"
        if old := self.out.get(name):
            entries = old.entries["redirects"]
            assert isinstance(entries, list)
            kept = [entry for entry in entries if entry["from"] not in addresses]
            self.files.pop(name, None)
            if kept:
                self.put(name, ContentFile({"redirects": kept}, comments=old.comments))

    def is_glossary(self, read: ParsedPage) -> bool:
        """Whether a page of terms becomes the book's glossary, which is told."""
        terms = page_terms(read)
        is_taken = self.request.rulebook is None and not self.terms and bool(terms)
        if terms is not None:
            why = "it holds more than terms" if not terms else "rulebook.yml is there already"
            what = f"its {len(terms)} terms are the glossary" if is_taken else f"it stays a page: {why}"
            self.told.note_guess(read.page, 1, f"“{read.page.title}” sounds like terms; {what}")
        if is_taken:
            self.terms, self.defined = glossary(read, terms or (), self.writer), [read.page]
        return is_taken

    def put(self, name: str, made: ContentFile) -> None:
        made.words = list(written_words(made.entries)) if made.pages else []
        self.files[name] = write_yaml(made.entries, made.comments).encode()
        self.out[name] = made

    def edition(self, excuses: Sequence[Value]) -> Entries:
        """edition.yml: the name, the date that most pages have, and phrases that look like references."""
        entries: Entries = {"edition": QuotedString(self.request.edition)}
        dates = Counter(str(read.page.values.get("date", ""))[:10] for read in self.pages)
        if date := next((d for d, _ in dates.most_common() if re.fullmatch(r"\d{4}-[01]\d-[0-3]\d", d)), ""):
            entries["date"] = QuotedString(date)
        if self.never:
            entries["not-references"] = [*self.never]
        if excuses:
            entries["excused"] = list(excuses)
        return entries

    def put_rulebook(self) -> None:
        if self.request.rulebook is None:
            name = f"{CONTENT}/{self.request.book}/rulebook.yml"
            self.put(name, self.rulebook())
            self.out[name].pages = self.defined
            self.out[name].words = [*WORD.findall(" ".join(self.terms)), *written_words(self.terms)]

    def rulebook(self) -> ContentFile:
        title = self.request.title or book_title(self.site, self.pages, self.book)
        made: Entries = {"title": title or self.request.on_missing_numbering or self.request.book}
        numbers = [QuotedString(number) for number in self.book.numbers if number not in self.idle]
        made["numbers"] = numbers[0] if len(numbers) == 1 else numbers
        if forms := [form for form in self.book.forms if form not in self.idle]:
            made["chapters"] = [QuotedString(form) for form in forms]
        if self.numbering.alphabet:
            made["alphabet"] = self.numbering.alphabet
        if self.numbering.suffixes:
            made["suffixes"] = [QuotedString(sign) for sign in self.numbering.suffixes]
        if cues := [cue for cue in self.numbering.cues if cue not in self.idle]:
            made["cues"] = cues
        if self.making.steps:
            roles = [("phasing", "Phasing player", "P"), ("non-phasing", "Non-phasing player", "N")]
            roles += [("both", "Both players", "B")]
            made["roles"] = {
                name: InlineCollection({"title": title, "mark": mark}) for name, title, mark in roles
            }
        if sides := self.making.sides:
            made["sides"] = {name: InlineCollection({"title": words}) for name, words in sides.items()}
        if self.terms:
            made["terms"] = self.terms
        guess = "" if self.request.title else "The title is a guess; see also `short` and `publisher`."
        return ContentFile(made, comments=[f"How the book numbers its rules: {self.told.dialect}.", guess])

    def check(self) -> tuple[Outline | None, list[Problem]]:
        """Check the new files as `check` will: the edition's outline and problems."""
        texts = {**self.files}
        if self.request.rulebook is not None:
            texts[f"{CONTENT}/{self.request.book}/rulebook.yml"] = self.request.rulebook
        others = [f"{self.base}/{name}" for name in self.making.pictures.copied]
        project = load_and_check_folder(ContentFolder(texts, others), cache=self.cache)
        self.told.suppressed = [problem for problem, _ in project.suppressed]
        shelf, address = project.shelf, f"{self.request.book}/{self.request.edition}"
        self.told.counts["references"] = sum(len(c.resolved) for c in shelf.editions[address].citations)
        # A book that is there already has other editions, which its terms may cite.
        return shelf.outlines.get(address), [p for p in project.problems if p.place.file in self.files]

    def fill_receipt(self, problems: Sequence[Problem]) -> None:
        told, making = self.told, self.making
        nodes = list(self.book.iter_rules())
        told.guesses += [(r.page, line, m) for r in self.pages for line, m in r.guesses]
        told.joined_words = list(
            {(p.name, m.line, m.split_word): (p, m) for p, m in told.joined_words}.values()
        )
        told.dropped = [(r.page, d) for r in self.pages for d in r.dropped]
        judged = self.links.judged.values()
        kept = [one for one in judged if one.verdict != LinkVerdict.OUTSIDE]
        meant = (self.book.dialect.parse_number(one.says or one.target_number) for one in kept)
        told.links = sorted(judged, key=lambda j: (j.page.file.name, j.link.line, j.link.column))
        told.published, told.checked = making.pictures.published(), list(problems)
        told.accounts = account_for_words(
            self.pages, [(m.pages, m.words) for m in self.out.values() if m.pages], told
        )
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
            "links recovered": sum(map(self.links.is_known, filter(None, meant))),
            "pages without rules": len(self.book.unnumbered_pages),
        }
        told.guesses.sort(key=lambda one: (one[0].file.name, one[1], one[2]))
        told.unlinked.sort(key=lambda one: (one[0].file.name, one[1], one[2]))
