"""Import an edition: six stages, each of which hands a frozen value to the next.

    read ──blocks──► labels ──► tree ──book──► links ──► write ──files──► account ──► report

Nothing is written to disk here; `target` puts everything in its place at once.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from rulewright.book.outline import Outline
from rulewright.checks.load_and_check import load_and_check_folder
from rulewright.checks.numbering_example_checks import NOTHING, UNUSED
from rulewright.files.content_folder import CONTENT
from rulewright.files.content_reader import ContentFolder
from rulewright.files.problems import Problem, Severity, SourceLocation, problem_type
from rulewright.files.yaml_writer import InlineCollection, QuotedString, Value, write_yaml
from rulewright.imports import Entries
from rulewright.imports.account import account_for_words, rule_texts, words_out_of_order
from rulewright.imports.blocks import WORD, Notes, ReadSource, SourceBlock, block_texts
from rulewright.imports.book import Book
from rulewright.imports.implied import implied_numbers, number_by_place
from rulewright.imports.labels import Labels, find_labels, parse_printed
from rulewright.imports.links import LinkResolver, LinkVerdict
from rulewright.imports.numbering import detected_numbering, given_numbering
from rulewright.imports.prose import CopiedFiles, ProseWriter, Vocabulary, written_words
from rulewright.imports.reading.raw_lines import markdown_lines
from rulewright.imports.refusals import NO_NUMBERS, hardly_any_rules, several_books, without_numbers
from rulewright.imports.report import ImportReport, PassedLabel
from rulewright.imports.sources.source_site import SourcePage
from rulewright.imports.steps import StepsWriter
from rulewright.imports.term_page import find_terms
from rulewright.imports.tree import build_book
from rulewright.imports.write import ContentFile, ContentWriter, PageWriter, page_file_names
from rulewright.numbering.numbering_scheme import NumberingScheme
from rulewright.numbering.reference_finder import ReferenceFinder
from rulewright.references.reference_resolver import NOT_FOUND, UNREADABLE

ORDER = problem_type(
    "import-order",
    """The columns of a PDF could not be put into order: many sentences end in the middle, or labels are out
    of order. Give a DOCX or the text of the source instead.""",
)
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
"""Faults of a source that do not keep a site from being built, each with the reason of its suppression."""

_UNKNOWN = (NOT_FOUND.code, UNREADABLE.code)
_OF_PROJECT = re.compile(
    r"(?:^|/)(?:(?:\.\w+|templates?)/|(?:readme|change_?log|changes|history|contributing|code_of_conduct|"
    r"licen[cs]e|security|authors|credits)(?:[._-]\w+)*\.\w+$)",
    re.IGNORECASE,
)
_EDITION = re.compile(
    r"[,:–—-]?\s*(?:\b(?:v|ver|version|edition|rev|revision)\.?\s*)?(\d[\w.]*)\s*(?:edition)?\s*$", re.I
)
_LIKE_LABEL = re.compile(r"\d+\s?[.,:]\s?\d[\w.,]*(?:\s[a-z]\b)?")
_BROKEN_SHARE = 0.1  # of the paragraphs of a PDF


@dataclass(frozen=True, slots=True)
class ImportRequest:
    """An order for an import: the folder names of the book and the edition, and how to read the source.

    `dialect`: examples of its numbers; `rulebook`: the bytes of the book's rulebook.yml, if it exists;
    `number`: items of ordered lists and headings without numbers are numbered by their place;
    `fallback_title`: used if neither `title` nor the source has one.
    """

    book: str
    edition: str
    title: str = ""
    dialect: Sequence[str] = ()
    rulebook: bytes | None = None
    fallback_title: str = ""
    number: bool = False


@dataclass(slots=True)
class ImportResult:
    """Files by their path in the project, copies of others, and the report; or why there are none."""

    files: dict[str, bytes] = field(default_factory=dict)
    copies: dict[str, Path] = field(default_factory=dict)
    report: ImportReport = field(default_factory=ImportReport)
    refused: list[Problem] = field(default_factory=list)
    redirects: ContentFile | None = None
    redirects_path: str = ""

    def leave_out(self, addresses: Sequence[str]) -> None:
        """Take old addresses out of redirects.yml."""
        if self.redirects:
            entries = self.redirects.entries["redirects"]
            assert isinstance(entries, list)
            kept = [entry for entry in entries if entry["from"] not in addresses]
            self.files.pop(self.redirects_path, None)
            if kept:
                self.files[self.redirects_path] = write_yaml(
                    {"redirects": kept}, self.redirects.comments
                ).encode()


def import_source(source: ReadSource, request: ImportRequest, name: str) -> ImportResult:
    """Make an edition of a source. `name`: how the report calls the source."""

    def refuse(problem: Problem | str) -> ImportResult:
        if isinstance(problem, str):
            problem = NO_NUMBERS.problem(SourceLocation(name), problem, name)
        return ImportResult(refused=[problem])

    problems = [*source.problems]
    if not source.site.pages or any(problem.severity is Severity.ERROR for problem in problems):
        return ImportResult(refused=problems)
    notes = Notes()
    blocks = [block for block in source.blocks if not block.page.draft]
    ruled = [block for block in blocks if not _OF_PROJECT.search(block.page.name)]
    offered = set(implied_numbers(blocks).values())
    if request.number:
        blocks, ruled = number_by_place(blocks, notes), number_by_place(ruled, Notes())
    given = given_numbering(request.dialect, request.book, request.rulebook, name)
    if given and given.fault:
        return refuse(given.fault)
    scheme = given.scheme() if given else None
    labels = find_labels(ruled, scheme)
    if not labels.labels and len(ruled) < len(blocks):
        labels, ruled = find_labels(blocks, scheme), blocks
    numbering = given if given and given.is_fixed else detected_numbering(labels.labels, blocks, given)
    if numbering is None:
        return refuse(without_numbers(blocks))
    book = build_book(blocks, _at_indexes_of(labels, ruled, blocks), numbering, notes)
    if fault := several_books(ruled, labels, book, name):
        return refuse(fault)
    if reason := hardly_any_rules(book, ruled, labels):
        return refuse(reason)
    result = _Edition(source, request, blocks, labels, book, notes, name).make()
    about = {p.subject for p in (*result.report.checked, *result.report.suppressed) if p.code in _UNKNOWN}
    fit = sorted(about & offered)
    if not request.dialect and not request.number and len(fit) > 1 and len(fit) * 2 >= len(about):
        return refuse(
            f"references {', '.join(fit[:3])} fit the places in numbered lists and under headings without "
            "numbers; --number makes rules of these"
        )
    return result


def _at_indexes_of(labels: Labels, ruled: Sequence[SourceBlock], blocks: Sequence[SourceBlock]) -> Labels:
    """Return labels with the indexes that their blocks have among all blocks."""
    if len(ruled) == len(blocks):
        return labels
    places = {id(block): index for index, block in enumerate(blocks)}
    return replace(
        labels,
        labels=tuple(replace(one, index=places[id(one.block)]) for one in labels.labels),
        contents=tuple(replace(one, index=places[id(one.block)]) for one in labels.contents),
    )


class _Edition:
    """Links, files and account of one edition."""

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
        self.result = ImportResult(report=ImportReport(name, book.numbering.description))
        self.report = self.result.report
        self.report.problems = [*source.problems]
        edition = request.edition
        forms = ("Version {}", "version {}", "v{}", "edition {}", "{} edition", "Rules, {}", "Rules {}")
        self.never = [form.format(edition) for form in forms if book.scheme.parse_number(edition)]
        numbering = book.numbering
        finder = ReferenceFinder(
            book.scheme, cues=numbering.cues, never=[*numbering.not_references, *self.never]
        )
        self.links = LinkResolver(source.site, book)
        cited = [match.number for text in numbering.cited for match in finder.find(text, "", is_cited=True)]
        self.links.collect(blocks, cited)
        texts = [text for block in blocks for text in block_texts(block)]
        self.copied = CopiedFiles(source.site)
        parts = (Vocabulary(texts), self.links, finder, self.copied, notes)
        self.prose, self.pages = ProseWriter(*parts), PageWriter(*parts)
        self.steps = StepsWriter(self.prose, texts)
        self.writer = ContentWriter(book, self.prose, self.steps)
        self.content: dict[str, ContentFile] = {}
        self.page_texts: dict[str, str] = {}
        self.terms: Entries = {}
        self.unused: set[str] = set()
        self.cache: dict[str, Any] = {}

    def make(self) -> ImportResult:
        """Make all files, check them, and fill the report."""
        writer, edition = self.writer, f"{self.base}/edition.yml"
        steps, self.book = self.steps.write(self.book)
        writer.book = self.book
        if steps:
            writer.files["sequence.yml"] = ContentFile(steps)
        writer.write_chapters()
        names = self.write_pages()
        for name, content in writer.files.items():
            self.put(f"{self.base}/{name}", content)
        if known := writer.known():
            self.put(f"{self.base}/known.yml", known)
        self.put(edition, ContentFile(self.edition_keys([]), holds_words=False))
        self.put_rulebook()
        outline, problems = self.check()
        self.unused = {p.subject for p in problems if p.code in (NOTHING.code, UNUSED.code)}
        if self.unused:
            self.put_rulebook()
            outline, problems = self.check()
        if outline and self.source.site.served:
            pages = [page for page in self.source.site.pages if not page.draft]
            redirects = writer.redirects(pages, names, self.page_texts, outline)
            self.result.redirects, self.result.redirects_path = redirects, f"{self.base}/redirects.yml"
            self.put(self.result.redirects_path, redirects)
        suppressions = self.suppressions(problems)
        self.put(edition, ContentFile(self.edition_keys(suppressions), holds_words=False))
        self.fill_report(self.check()[1])
        self.result.copies = {f"{self.base}/{name}": path for name, path in self.copied.copied.items()}
        return self.result

    def put(self, name: str, content: ContentFile) -> None:
        self.result.files[name] = write_yaml(content.entries, content.comments).encode()
        self.content[name] = content

    # Pages

    def write_pages(self) -> dict[str, str]:
        """Write the pages without rules. Return the names of their files."""
        names = page_file_names(self.book.pages, {"glossary.md"})
        self.pages.names = names
        for page, blocks in self.book.pages.items():
            if len(blocks) == 1 and blocks[0].kind == "heading":
                words = page.title
                self.notes.leave_out(page, 1, words, "the title of a page that says nothing else")
                del names[page.name]
                continue
            terms = find_terms(page, blocks, self.notes)
            if terms is not None:
                is_taken = self.request.rulebook is None and not self.terms and bool(terms)
                why = "it holds more than terms" if not terms else "rulebook.yml is there already"
                what = f"its {len(terms)} terms are the glossary" if is_taken else f"it stays a page: {why}"
                self.notes.guess(page, 1, f"“{page.title}” sounds like terms; {what}")
                if is_taken:
                    names[page.name] = "glossary.md"
                    self.terms = {
                        name: InlineCollection({"means": self.prose.words(page, runs)})
                        for name, runs in terms
                    }
                    continue
            text = self.page_texts[page.name] = self.pages.page_text(page, blocks)
            self.result.files[f"{self.base}/{names[page.name]}"] = text.encode()
        return names

    # Keys of the edition and the book

    def edition_keys(self, suppressions: Sequence[Value]) -> Entries:
        """Return the keys of edition.yml: its name, the date that most pages have, what is suppressed."""
        entries: Entries = {"edition": QuotedString(self.request.edition)}
        dates = Counter(str(page.values.get("date", ""))[:10] for page in self.source.site.pages)
        pattern = re.compile(r"\d{4}-[01]\d-[0-3]\d")
        if date := next((date for date, _ in dates.most_common() if pattern.fullmatch(date)), ""):
            entries["date"] = QuotedString(date)
        if self.never:
            entries["not-references"] = [*self.never]
        if suppressions:
            entries["excused"] = list(suppressions)
        return entries

    def suppressions(self, problems: Sequence[Problem]) -> list[Value]:
        """Return the faults of the source; not of a number that the source prints as a label."""
        scheme = self.book.scheme
        printed = {one.printed for one in self.labels.labels} | {one.number for one in self.labels.passed}
        keys = {number.key for text in printed if (number := _parse(text, scheme))}
        made: list[Value] = []
        for code, about in dict.fromkeys((p.code, p.subject) for p in problems if p.is_failure):
            number = scheme.parse_number(about) if code == NOT_FOUND.code else None
            if code in _EXCUSED and not (number and number.key in keys):
                made.append({"code": code, "at": QuotedString(about), "reason": _EXCUSED[code]})
        return made

    def put_rulebook(self) -> None:
        if self.request.rulebook is None:
            content = ContentFile(
                self.rulebook_keys(),
                [
                    f"How the book numbers its rules: {self.report.dialect}.",
                    "" if self.request.title else "The title is a guess; see also `short` and `publisher`.",
                ],
                holds_words=False,
            )
            self.put(f"{CONTENT}/{self.request.book}/rulebook.yml", content)

    def rulebook_keys(self) -> Entries:
        numbering, request = self.book.numbering, self.request
        entries: Entries = {
            "title": request.title or self.book_title() or request.fallback_title or request.book
        }
        numbers = [QuotedString(number) for number in numbering.numbers if number not in self.unused]
        entries["numbers"] = numbers[0] if len(numbers) == 1 else numbers
        if chapters := [QuotedString(form) for form in numbering.chapters if form not in self.unused]:
            entries["chapters"] = chapters
        if numbering.alphabet:
            entries["alphabet"] = numbering.alphabet
        if numbering.suffixes:
            entries["suffixes"] = [QuotedString(sign) for sign in numbering.suffixes]
        if cues := [cue for cue in numbering.cues if cue not in self.unused]:
            entries["cues"] = cues
        entries |= self.steps.rulebook_keys()
        if self.terms:
            entries["terms"] = self.terms
        return entries

    def book_title(self) -> str:
        """Return the title that the site or its first page has, without the edition."""
        site = self.source.site
        index = next((page for page in site.pages if page.kind != "page" and page.title), None)
        first = index or (site.pages[0] if len(site.pages) == 1 else None)
        given = site.title or (first.title if first else "") or self.book.title
        is_chapter = first is None or first.name in self.book.page_keys
        if is_chapter and given != self.book.title and _parse(given.partition(" ")[0], self.book.scheme):
            given = self.book.title
        return _EDITION.sub("", given).strip(" ,:–—-") or given

    # Check, account and report

    def check(self) -> tuple[Outline | None, list[Problem]]:
        """Return the outline of the new edition and the problems that `check` has with its files."""
        texts = {**self.result.files}
        if self.request.rulebook is not None:
            texts[f"{CONTENT}/{self.request.book}/rulebook.yml"] = self.request.rulebook
        others = [f"{self.base}/{name}" for name in self.copied.copied]
        project = load_and_check_folder(ContentFolder(texts, others), cache=self.cache)
        self.report.suppressed = [problem for problem, _ in project.suppressed]
        shelf, address = project.shelf, f"{self.request.book}/{self.request.edition}"
        edition = shelf.editions.get(address)
        citations = edition.citations if edition else ()
        self.report.counts["references"] = sum(len(citation.resolved) for citation in citations)
        files = self.result.files
        return shelf.outlines.get(address), [p for p in project.problems if p.place.file in files]

    def fill_report(self, problems: Sequence[Problem]) -> None:
        report, notes, links = self.report, self.notes, self.links
        rules = list(self.book.rules())
        report.checked = list(problems)
        report.guesses = sorted(
            {*self.source.guesses, *notes.guesses, *self.malformed()},
            key=lambda one: (one.page.file.name, one.line, one.message),
        )
        report.dropped, report.turned = [*self.source.left_out], notes.left_out
        report.joined_words = [*dict.fromkeys([*self.prose.joined, *self.pages.joined])]
        report.missing, report.published = self.copied.missing, self.copied.published()
        report.unlinked = sorted(self.prose.unlinked, key=lambda one: (one[0].file.name, one[1], one[2]))
        report.links = sorted(
            links.judged_links.values(), key=lambda one: (one.page.file.name, one.link.line, one.link.column)
        )
        report.passed = self.passed_labels()
        inside = [one for one in report.links if one.verdict != LinkVerdict.OUTSIDE]
        meant = (self.book.scheme.parse_number(one.says or one.target_number) for one in inside)
        report.counts = {
            "pages": sum(not page.draft for page in self.source.site.pages),
            "chapters": len(self.book.chapters),
            "rules": sum(not rule.item for rule in rules),
            "items": sum(bool(rule.item) for rule in rules),
            "notes": sum(len(rule.notes) for rule in rules),
            "steps": self.steps.count,
            "tables": self.writer.tables,
            "pictures": self.copied.picture_count,
            "references": report.counts["references"],
            "links": len(report.links),
            "links recovered": sum(number is not None and links.is_known(number) for number in meant),
            "pages without rules": len(self.book.pages),
        }
        self.account_for_words()

    def account_for_words(self) -> None:
        """Compare the words of the source with those that were written."""
        report = self.report
        written = [
            word for one in self.content.values() if one.holds_words for word in written_words(one.entries)
        ]
        for page in self.source.site.pages:
            if text := self.page_texts.get(page.name):
                written += _page_words(page, text)
        written += [*WORD.findall(" ".join(self.terms)), *written_words(self.terms)]
        drafts = {page.name for page in self.source.site.pages if page.draft}
        lines = [line for line in self.source.lines if line.page.name not in drafts]
        left_out = [*report.dropped, *report.turned]
        added = [*self.notes.added, *(one.joined_word for one in report.joined_words)]
        report.account = account_for_words(lines, written, left_out, report.joined_words, self.notes.added)
        is_pdf = any(page.name.lower().endswith(".pdf") for page in self.source.site.pages)
        texts = [t for n, one in self.content.items() if "/rules/" in n for t in rule_texts(one.entries)]
        if not is_pdf:
            report.account = replace(report.account, out_of_order=words_out_of_order(lines, texts, added))
        paragraphs = sum(block.kind == "paragraph" for block in self.blocks)
        if is_pdf and self.source.broken_sentences > max(3, _BROKEN_SHARE * paragraphs):
            message = (
                f"{self.source.broken_sentences} of {paragraphs} paragraphs end inside a sentence: the "
                "columns of the PDF are not in order; give a DOCX or the text instead"
            )
            report.problems.append(ORDER.problem(SourceLocation(report.source), message, report.source))

    def passed_labels(self) -> list[PassedLabel]:
        """Return the beginnings that look like labels and are none, with the number that would fit."""
        listed = "it is in a list of contents"
        made = [
            PassedLabel(one.block.page, one.line_number, f"{one.printed} {one.line}", listed)
            for one in self.labels.contents
        ]
        made += (
            PassedLabel(one.block.page, one.line, one.words, one.reason, self.fitting(one.number))
            for one in self.labels.passed
        )
        return made

    def fitting(self, printed: str) -> str:
        """Return the known number that a misprinted label begins with: 11.0d of 11.0d8."""
        for end in range(len(printed), 1, -1):
            number = self.book.scheme.parse_number(printed[:end])
            if number and len(number.labels) > 1:
                return number.key if number.key != printed else ""
        return ""

    def malformed(self) -> list[Any]:
        """Return guesses about bold words and headings that begin with a misprinted number."""
        from rulewright.imports.blocks import Guess, plain
        from rulewright.imports.labels import bold_beginning

        scheme, made = self.book.scheme, []
        labelled = {id(one.block) for one in self.labels.labels}
        for block in self.blocks:
            if id(block) in labelled:
                continue
            words = plain(block.runs) if block.kind == "heading" else bold_beginning(block).strip()
            match = _LIKE_LABEL.match(words)
            if (
                not match
                or _parse(match.group().rstrip(".,:"), scheme)
                or parse_printed(words.split()[0], scheme)
            ):
                continue
            bare = re.sub(r"\s", "", match.group()).replace(",", ".").rstrip(".")
            meant = scheme.parse_number(bare) or scheme.parse_number(bare.lower())
            hint = f"; is {meant.key} meant?" if meant else ""
            message = f"“{match.group()}” looks like a number of a rule and is written as none{hint}"
            made.append(Guess(block.page, block.line, message))
        return made


def _parse(text: str, scheme: NumberingScheme) -> Any:
    return scheme.parse_number(parse_printed(text, scheme) or text)


_ID = re.compile(r" \{: #[^{}\n]*\}$", re.MULTILINE)
_MARK = re.compile(r"\[\[[^\[\]|]*\|([^\[\]]*)\]\]")


def _page_words(page: SourcePage, text: str) -> list[str]:
    """Return the words of a page that was written."""
    lines = markdown_lines(page, _MARK.sub(r"\1", _ID.sub("", text)))
    return [word for line in lines for word in line.words]
