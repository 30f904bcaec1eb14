"""Import an edition: six stages, each of which hands a plain value to the next.

    read ──blocks──► labels ──► tree ──book──► links ──► write ──files──► account ──► report

Nothing is written to disk here; `target` puts everything in its place at once.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace

from rulewright.checks.load_and_check import load_and_check_folder
from rulewright.checks.numbering_example_checks import NOTHING
from rulewright.files.content_folder import CONTENT
from rulewright.files.content_reader import ContentFolder
from rulewright.files.errors import ContentErrors
from rulewright.files.problems import Problem, SourceLocation, errors, problem_type
from rulewright.files.yaml_writer import InlineCollection, QuotedString, Value, write_yaml
from rulewright.imports import Entries
from rulewright.imports.account import account_for_words
from rulewright.imports.blocks import Notes, ReadSource, SourceBlock, block_runs
from rulewright.imports.book import Book
from rulewright.imports.implied import implied_numbers, number_by_place
from rulewright.imports.labels import Labels, find_labels, parse_printed
from rulewright.imports.links import LinkResolver
from rulewright.imports.numbering import detected_numbering, given_numbering
from rulewright.imports.page_copy import PageCopier
from rulewright.imports.prose import CopiedFiles, ProseWriter, written_texts, written_words
from rulewright.imports.refusals import NO_NUMBERS, hardly_any_rules, refusal, without_numbers
from rulewright.imports.report import ImportReport
from rulewright.imports.steps import StepsWriter
from rulewright.imports.term_page import find_terms
from rulewright.imports.tree import build_book
from rulewright.imports.write import GLOSSARY, ContentWriter
from rulewright.numbering.numbering_scheme import NumberingScheme
from rulewright.numbering.reference_finder import ReferenceFinder
from rulewright.references.reference_resolver import NOT_FOUND, UNREADABLE

ORDER = problem_type(
    "import-order",
    """The columns of a PDF could not be put into order: many sentences end in the middle, or labels are out
    of order. Give a DOCX or the text of the source instead.""",
)
_SUPPRESSED = {
    "figure-not-found": "the picture was not among the imported files; add it to pictures/ and take this out",
    "reference-not-found": "the imported pages cite a rule that none of them has; see the import report",
    "reference-unreadable": "the imported pages cite what is no number of theirs; see the import report",
    "table-not-found": "no imported page has this table; add it to tables/ and take this out",
    "number-gap": "the imported pages have no such rule",
    "number-out-of-order": "the imported pages have it in this order",
    "range-backwards": "as on the imported pages; see the import report",
    "range-empty": "as on the imported pages; see the import report",
}
"""Faults of a source that do not keep a site from being built, each with the reason of its suppression."""

_OF_PROJECT = re.compile(
    r"(?:^|/)(?:(?:\.\w+|templates?)/|(?:readme|change_?log|changes|history|contributing|code_of_conduct|"
    r"licen[cs]e|security|authors|credits)(?:[._-]\w+)*\.\w+$)",
    re.IGNORECASE,
)
_EDITION = re.compile(
    r"[,:–—-]?\s*(?:\b(?:v|ver|version|edition|rev|revision)\.?\s*)?(\d[\w.]*)\s*(?:edition)?\s*$", re.I
)
_KNOWN = "These numbers stand on pages that were not imported; links cite them."
_REDIRECTS = "Where each page and heading of the imported site is now. The build leaves a signpost at each."
_EDITION_NAMES = ("Version {}", "version {}", "v{}", "edition {}", "{} edition", "Rules, {}", "Rules {}")
_BROKEN_SHARE = 0.1  # of the paragraphs of a PDF


@dataclass(frozen=True, slots=True)
class ImportRequest:
    """An order for an import: the folder names of the book and the edition, and how to read the source.

    `dialect`: examples of its numbers; `content`: what the project has beside the edition; `number`: items of
    ordered lists and headings without numbers are numbered by their place.
    """

    book: str
    edition: str
    title: str = ""
    dialect: Sequence[str] = ()
    content: ContentFolder = field(default_factory=lambda: ContentFolder({}))
    number: bool = False

    @property
    def rulebook(self) -> bytes | None:
        """The book's rulebook.yml, if it exists."""
        return self.content.texts.get(f"{CONTENT}/{self.book}/rulebook.yml")


@dataclass(slots=True)
class ImportResult:
    """Files by their path in the project, copies of others, and the report."""

    files: dict[str, bytes] = field(default_factory=dict)
    copies: dict[str, bytes] = field(default_factory=dict)
    report: ImportReport = field(default_factory=ImportReport)


def import_source(source: ReadSource, request: ImportRequest, name: str) -> ImportResult:
    """Import an edition from a source. `name`: how the report calls the source.

    Raises ContentErrors if the source is damaged or is no book of rules.
    """
    if not source.site.pages or errors(source.site.problems):
        raise ContentErrors(source.site.problems, "nothing imported until this is corrected")
    notes = Notes()
    blocks: Sequence[SourceBlock] = source.blocks
    offered = set(implied_numbers(blocks).values())
    if request.number:
        blocks = number_by_place(blocks, notes)
    pages = {block.page for block in blocks if not _OF_PROJECT.search(block.page.name)}
    numbering = given_numbering(request.dialect, request.book, request.rulebook, name)
    scheme = numbering.scheme() if numbering else None
    labels = find_labels(blocks, scheme, pages)
    numbering = numbering or detected_numbering(labels.labels, blocks)
    if numbering is None:
        raise refusal(NO_NUMBERS, name, without_numbers(blocks))
    book = build_book(blocks, labels, numbering, notes)
    rule_blocks = [block for block in blocks if block.page in pages] or blocks
    if fault := hardly_any_rules(book, rule_blocks, labels):
        raise refusal(NO_NUMBERS, name, fault)
    result = _Edition(source, request, blocks, labels, book, notes, name).write()
    problems = (*result.report.checked, *result.report.suppressed)
    unknown = {problem.subject for problem in problems if problem.code in (NOT_FOUND.code, UNREADABLE.code)}
    fit = sorted(unknown & offered)
    if not request.dialect and not request.number and len(fit) > 1 and len(fit) * 2 >= len(unknown):
        message = f"references {', '.join(fit[:3])} fit the places in numbered lists and under headings"
        raise refusal(NO_NUMBERS, name, f"{message} without numbers; --number makes rules of these")
    return result


class _Edition:
    """Links, files and account of an edition."""

    def __init__(
        self,
        source: ReadSource,
        request: ImportRequest,
        blocks: Sequence[SourceBlock],
        labels: Labels,
        book: Book,
        notes: Notes,
        name: str,
    ) -> None:
        self.source, self.request, self.blocks, self.labels = source, request, blocks, labels
        self.book, self.notes = book, notes
        self.base = f"{CONTENT}/{request.book}/{request.edition}"
        numbering = book.numbering
        self.report = ImportReport(name, numbering.description, problems=[*source.site.problems])
        self.result = ImportResult(report=self.report)
        is_number = book.scheme.parse_number(request.edition) is not None
        self.never = [form.format(request.edition) for form in _EDITION_NAMES if is_number]
        never = [*numbering.not_references, *self.never]
        finder = ReferenceFinder(book.scheme, cues=numbering.cues, never=never)
        self.links = LinkResolver(source.site, book)
        texts = [run.text for block in blocks for run in block_runs(block)]
        self.copied = CopiedFiles(source.site)
        self.prose = ProseWriter(texts, self.links, finder, self.copied, notes)
        self.steps = StepsWriter(self.prose)
        self.writer = ContentWriter(book, self.prose)
        self.words_written: list[str] = []
        self.terms: Entries = {}

    def write(self) -> ImportResult:
        """Write all files, check them, and fill the report."""
        writer = self.writer
        if steps := self.steps.write(self.book):
            writer.files["sequence.yml"] = steps
        writer.write_chapters()
        names = self.write_pages()
        for name, entries in writer.files.items():
            self.put(name, entries)
            self.words_written += written_words(entries)
        if known := writer.known():
            self.put("known.yml", known, _KNOWN)
        self.put_edition([])
        self.put_rulebook()
        if self.source.site.served:
            self.put("redirects.yml", {"redirects": writer.redirects(names)}, _REDIRECTS)
        problems = self.check()
        self.put_rulebook({problem.subject for problem in problems if problem.code == NOTHING.code})
        self.put_edition(self.excuse([problem for problem in problems if problem.code != NOTHING.code]))
        self.fill_report()
        self.result.copies = {f"{self.base}/{name}": data for name, data in self.copied.copied.items()}
        return self.result

    def put(self, name: str, entries: Entries, *comments: str) -> None:
        self.result.files[f"{self.base}/{name}"] = write_yaml(entries, comments).encode()

    def write_pages(self) -> dict[str, str]:
        """Write the pages without rules. Return the names of their files."""
        copier = PageCopier(self.links, self.copied)
        copier.name_pages(self.book.pages, {GLOSSARY})
        names = copier.names
        lines = (line for line in self.source.lines if line.page in self.book.pages)
        self.words_written += [word for line in lines for word in line.words]
        for page, blocks in self.book.pages.items():
            if len(blocks) == 1 and blocks[0].kind == "heading":
                self.notes.guess(blocks[0], "a page that has only a title is not a page of the edition")
                del names[page.name]
                continue
            terms = find_terms(page, blocks) if self.request.rulebook is None else []
            if terms and not self.terms:
                names[page.name] = GLOSSARY
                message = f"the {len(terms)} terms of “{page.title}” are the glossary, without its headings"
                self.notes.guess(blocks[0], message)
                means = {term: self.prose.words(page, runs) for term, runs in terms}
                self.terms = {term: InlineCollection({"means": words}) for term, words in means.items()}
            else:
                text = copier.page_text(page, blocks)
                self.result.files[f"{self.base}/{names[page.name]}"] = text.encode()
        return names

    # Keys of the edition and the book

    def put_edition(self, suppressions: Sequence[Value]) -> None:
        """Write edition.yml: its name, the words for it that are no reference, what is suppressed."""
        entries: Entries = {"edition": QuotedString(self.request.edition)}
        entries |= {"not-references": self.never} if self.never else {}
        entries |= {"excused": suppressions} if suppressions else {}
        self.put("edition.yml", entries)

    def excuse(self, problems: Sequence[Problem]) -> list[Value]:
        """Part the problems that `check` has: return the excuses for faults of the source, report the others.

        A rule that is not found is no such fault if the source prints its number as a label.
        """
        scheme = self.book.scheme
        for passed in self.labels.passed:
            fits = _fitting_number(passed.number, scheme)
            passed.fits = fits if passed.is_misprinted or fits != passed.number else ""
        texts = [label.fits or label.printed for label in (*self.labels.labels, *self.labels.passed)]
        numbers = {scheme.parse_number(parse_printed(text, scheme)) for text in texts} - {None}
        suppressed: list[Problem] = []
        for problem in (p for p in problems if p.is_failure and p.place.file in self.result.files):
            number = scheme.parse_number(problem.subject) if problem.code == NOT_FOUND.code else None
            if problem.code in _SUPPRESSED and number not in numbers:
                suppressed.append(problem)
        self.report.suppressed = suppressed
        self.report.checked = [problem for problem in problems if problem not in suppressed]
        faults = dict.fromkeys((problem.code, problem.subject) for problem in suppressed)
        return [
            {"code": code, "at": QuotedString(subject), "reason": _SUPPRESSED[code]}
            for code, subject in faults
        ]

    def put_rulebook(self, unused: Collection[str] = ()) -> None:
        """Write rulebook.yml without unused examples of numbers, unless the book has its own."""
        numbering, request = self.book.numbering, self.request
        if request.rulebook is not None:
            return
        numbers = [QuotedString(number) for number in numbering.numbers if number not in unused]
        keys: Entries = {
            "title": request.title or self.book_title() or request.book.replace("-", " ").title(),
            "numbers": numbers[0] if len(numbers) == 1 else numbers,
            "chapters": [QuotedString(form) for form in numbering.chapters if form not in unused],
            "alphabet": numbering.alphabet,
            "suffixes": [QuotedString(sign) for sign in numbering.suffixes],
            "cues": [cue for cue in numbering.cues if cue not in unused],
            **self.steps.rulebook_keys(),
            "terms": self.terms,
        }
        comments = [
            f"How the book numbers its rules: {self.report.dialect}.",
            "" if request.title else "The title is a guess; see also `short` and `publisher`.",
        ]
        content = write_yaml({key: value for key, value in keys.items() if value}, comments)
        self.result.files[f"{CONTENT}/{request.book}/rulebook.yml"] = content.encode()

    def book_title(self) -> str:
        """Return the title that the site or its first page has, without the edition."""
        site, scheme = self.source.site, self.book.scheme
        first = next((page for page in site.pages if page.is_index and page.title), site.pages[0])
        is_first = first.is_index or len(site.pages) == 1
        title = site.title or (first.title if is_first else "") or self.book.title
        if first.name in self.book.page_keys and parse_printed(title.partition(" ")[0], scheme):
            title = self.book.title
        return _EDITION.sub("", title).strip(" ,:–—-") or title

    # Check, account and report

    def check(self) -> list[Problem]:
        """Return the problems that `check` has with the new files beside those of the project."""
        request, content = self.request, self.request.content
        texts = {**content.texts, **self.result.files}
        pictures = [f"{self.base}/{name}" for name in self.copied.copied]
        folder = replace(content, texts=texts, other_files=[*content.other_files, *pictures])
        project = load_and_check_folder(folder)
        edition = project.index.editions.get(f"{request.book}/{request.edition}")
        citations = edition.citations if edition else ()
        self.report.counts["references"] = sum(len(citation.resolved) for citation in citations)
        files = {name for name in texts if name in self.result.files or name.startswith(f"{self.base}/")}
        return [problem for problem in project.problems if problem.place.file in files]

    def fill_report(self) -> None:
        report, links, pages = self.report, self.links, self.source.site.pages
        rules = list(self.book.rules())
        guesses = dict.fromkeys(self.notes.guesses)
        report.guesses = sorted(guesses, key=lambda guess: (guess.page.file.name, guess.line))
        report.left_out = [*self.source.left_out, *self.notes.left_out]
        report.missing = self.copied.missing
        report.links = sorted(
            links.judged_links.values(), key=lambda link: (link.page.file.name, link.link.line)
        )
        report.passed = self.labels.passed
        report.counts = {
            "pages": len(pages),
            "chapters": len(self.book.chapters),
            "rules": sum(not rule.item for rule in rules),
            "items": sum(bool(rule.item) for rule in rules),
            "notes": sum(len(rule.notes) for rule in rules),
            "steps": self.steps.builder.count,
            "tables": sum(name.startswith("tables/") for name in self.writer.files),
            "pictures": self.copied.picture_count,
            "references": report.counts["references"],
            "links": len(report.links),
            "links recovered": sum(bool(link.says or link.target_number) for link in report.links),
            "pages without rules": len(self.book.pages),
        }
        is_pdf = pages[0].name.lower().endswith(".pdf")
        texts: list[str] = []
        for name, entries in self.writer.files.items():
            rule_texts = written_texts(entries) if name.startswith("rules/") and not is_pdf else ()
            texts += rule_texts
        report.account = account_for_words(
            self.source.lines, self.words_written, report.left_out, self.notes.added, texts
        )
        paragraphs = sum(block.kind == "paragraph" for block in self.blocks)
        broken = self.source.broken_sentences
        if broken > max(3, _BROKEN_SHARE * paragraphs):
            message = f"{broken} of {paragraphs} paragraphs end inside a sentence"
            message += ": the columns of the PDF are not in order; give a DOCX or the text instead"
            report.problems.append(ORDER.problem(SourceLocation(report.source), message, report.source))


def _fitting_number(printed: str, scheme: NumberingScheme) -> str:
    """Return the number that would fit a beginning that is no label: 11.0d of 11.0d8."""
    for end in range(len(printed), 1, -1):
        number = scheme.parse_number(printed[:end])
        if number and len(number.labels) > 1:
            return number.key
    return ""
