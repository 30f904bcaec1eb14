"""Import an edition from a site: read, understood, written in memory, checked, and accounted for.

    folder ──read_site──► pages ──read──► blocks ──build──► book ──make──► files ──check──► problems
                                                                            └──account──► receipt

Nothing is written to the disk before all is made; then everything is put in place at once. Files that are no
import's stay.
"""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass, field
from dataclasses import replace as amended
from pathlib import Path, PurePosixPath
from typing import Any

from rulewright.book.library import read_library
from rulewright.book.outline import Outline, arrange
from rulewright.checks import every
from rulewright.checks.examine import examine_folder
from rulewright.checks.excuses import excuse
from rulewright.citations.redirect_targets import CLASH
from rulewright.citations.resolving import NOT_FOUND, UNREADABLE
from rulewright.citations.shelf import cite
from rulewright.edit.short_forms import formatted
from rulewright.importers.website import plain_pages
from rulewright.importers.website.blocks import WORD, ParsedPage
from rulewright.importers.website.book_rules import (
    NO_NUMBERS,
    Numbering,
    book_title,
    build,
    hardly_any_rules,
    labels_on,
    links_of,
    read_pages,
    settle_numbering,
    several_books,
    vocabulary_of,
)
from rulewright.importers.website.chapters import (
    ContentFile,
    ContentWriter,
    glossary,
    terms_of,
)
from rulewright.importers.website.links import Links
from rulewright.importers.website.page_prose import Pictures, ProseWriter, written_words
from rulewright.importers.website.place_numbers import (
    leave_out_revisions,
    number_by_part,
    number_by_place,
    places,
)
from rulewright.importers.website.receipt import (
    ASIDE,
    Receipt,
    Verdict,
    accounts,
    data,
    markdown,
    written_page,
)
from rulewright.importers.website.rule_tree import Book
from rulewright.importers.website.site import Page, Site
from rulewright.model.reports import as_json
from rulewright.numbers.finder import Finder
from rulewright.source.disk import digest
from rulewright.source.folder import CONTENT, RECEIPT, Folder, content_folder, gather, on_disk
from rulewright.source.output import kept_in, put
from rulewright.source.problems import Place, Problem, Severity, kind
from rulewright.source.refusal import Refusal, Unsound
from rulewright.source.transaction import replace
from rulewright.source.writing import Brief, Label, Value, written

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
class Request:
    """An order for an import: the book's and the edition's folder names, and what they are to be called.

    `dialect`: examples of its numbers. `rulebook`: the bytes of the book's rulebook.yml, where it has one.
    `number`: items of ordered lists and headings without numbers are numbered by their place.
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
    number: bool = False


@dataclass(slots=True)
class Import:
    """Files by their path in the project, copies of others, and the receipt; none where it is `refused`."""

    files: dict[str, bytes] = field(default_factory=dict)
    copies: dict[str, Path] = field(default_factory=dict)
    receipt: Receipt | None = None
    refused: list[Problem] = field(default_factory=list)

    def leave_out(self, addresses: Sequence[str]) -> None:
        """Take old addresses out of redirects.yml again."""


def import_site(site: Site, request: Request, source: str, progress: Callable[[int, int], None]) -> Import:
    """Make an edition of a site. `source`: how the receipt calls the site's folder."""
    errors = [problem for problem in site.problems if problem.severity is Severity.ERROR]
    if errors or not site.pages:
        return Import(refused=list(site.problems))
    pages = read_pages(site, progress)
    told = Receipt(source, problems=list(site.problems))
    for read in pages:
        leave_out_revisions(read, told)
        number_by_part(read, told)
        if request.number:
            number_by_place(read, told)
    numbering = settle_numbering(pages, request.dialect, request.book, request.rulebook, source)
    if numbering.fault:
        return Import(refused=[numbering.fault])
    told.dialect = numbering.told
    offered = {one.number for read in pages for one in places(read)}
    book = build(pages, numbering, told)
    if fault := several_books(book, source):
        return Import(refused=[fault])
    if why := hardly_any_rules(book, pages):
        return Import(refused=[NO_NUMBERS.at(Place(source), why, source)])
    made = _SiteImport(site, request, pages, book, numbering).made()
    about = {problem.about for problem in (*told.checked, *told.excused) if problem.code in _UNKNOWN}
    if not request.dialect and len(fit := sorted(about & offered)) > 1 and len(fit) * 2 >= len(about):
        why = f"references {', '.join(fit[:3])} fit the places in numbered lists and under headings without "
        why += "numbers; --number makes rules of these"
        return Import(refused=[NO_NUMBERS.at(Place(source), why, source)])
    return made


class _SiteImport(Import):
    def __init__(
        self, site: Site, request: Request, pages: Sequence[ParsedPage], book: Book, numbering: Numbering
    ) -> None:
        self.site, self.request, self.pages, self.book, self.numbering = site, request, pages, book, numbering
        self.told = told = book.told
        super().__init__(receipt=told)
        self.base = f"{CONTENT}/{request.book}/{request.edition}"
        self.links = Links(site, book, {node.key for node in book.every() if node.number})
        self.links.collect(links_of(pages))
        # Phrases in which the edition's name is no rule, where it looks like one.
        name = request.edition
        forms = ("Version {}", "version {}", "v{}", "edition {}", "{} edition", "Rules, {}", "Rules {}")
        self.never = [form.format(name) for form in forms if book.dialect.parse(name)]
        finder = Finder(book.dialect, cues=numbering.cues, never=[*numbering.never, *self.never])
        for text in numbering.cited:
            self.links.cite_all(one.number for one in finder.find(text, "", cued=True))
        self.writer = ProseWriter(vocabulary_of(pages), self.links, finder, Pictures(site, told))
        plain = [" ".join("".join(p.text for p in run).split()) for read in pages for run in read.runs()]
        self.making = ContentWriter(book, self.writer, plain)
        self.cache: dict[str, Any] = {}
        self.out: dict[str, ContentFile] = {}
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
            if not read.text.strip():
                what = "the title of a page that says nothing else"
                self.told.turn(read.page, 1, read.page.title, "", what)
                del names[name]
            elif self.is_glossary(read):
                names[name] = "glossary.md"
            else:
                # The notes of a page say of what sort they are.
                read.dropped = [one for one in read.dropped if one.told]
                text = texts[name] = plain_pages.text_of(read, self.links, making.pictures, names)
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
        if self.request.rulebook is None:
            name = f"{CONTENT}/{self.request.book}/rulebook.yml"
            self.put(name, self.rulebook())
            self.out[name].pages = self.defined
            self.out[name].words = [*WORD.findall(" ".join(self.terms)), *written_words(self.terms)]
        outline, problems = self.check()
        # What is wrong in the source is excused, so that the site can be built before that is mended.
        dialect = self.book.dialect
        printed = {label.number.key for read in self.pages for _, label in labels_on(read, dialect)}
        excuses: list[Value] = []
        for code, about in dict.fromkeys((p.code, p.about) for p in problems if p.fails):
            number = dialect.parse(about) if code == NOT_FOUND.code else None
            # A number that the pages print as a label is a rule that was not found.
            if code in _EXCUSED and not (number and number.key in printed):
                excuses.append({"code": code, "at": Label(about), "because": _EXCUSED[code]})
        if outline and self.site.served:
            self.put(f"{self.base}/redirects.yml", making.old_addresses(self.pages, names, texts, outline))
        self.put(edition, ContentFile(self.edition(excuses if self.request.excuses else [])))
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
                self.put(name, ContentFile({"redirects": kept}, remarks=old.remarks))

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
        return is_taken

    def put(self, name: str, made: ContentFile) -> None:
        made.words = list(written_words(made.entries)) if made.pages else []
        self.files[name] = formatted(name, written(made.entries, made.remarks).encode())
        self.out[name] = made

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
        made: dict[str, Value] = {"title": title or self.request.otherwise or self.request.book}
        numbers = [Label(one) for one in self.book.numbers]
        made["numbers"] = numbers[0] if len(numbers) == 1 else numbers
        if self.book.forms:
            made["chapters"] = [Label(form) for form in self.book.forms]
        if self.numbering.suffixes:
            made["suffixes"] = [Label(sign) for sign in self.numbering.suffixes]
        if self.numbering.cues:
            made["cues"] = [*self.numbering.cues]
        if self.making.steps:
            roles = [("phasing", "Phasing player", "P"), ("non-phasing", "Non-phasing player", "N")]
            roles += [("both", "Both players", "B")]
            made["roles"] = {name: Brief({"title": title, "mark": mark}) for name, title, mark in roles}
        if sides := self.making.sides:
            made["sides"] = {name: Brief({"title": words}) for name, words in sides.items()}
        if self.terms:
            made["terms"] = self.terms
        guess = "" if self.request.title else "The title is a guess; see also `short` and `publisher`."
        return ContentFile(made, remarks=[f"How the book numbers its rules: {self.told.dialect}.", guess])

    def check(self) -> tuple[Outline | None, list[Problem]]:
        """Read the new files as content: the edition's outline and problems."""
        texts = {**self.files}
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
        return shelf.outlines.get(address), sorted({p for p in problems if p.place.file in self.files})

    def fill_receipt(self, problems: Sequence[Problem]) -> None:
        told, making = self.told, self.making
        nodes = list(self.book.every())
        told.guesses += [(r.page, line, m) for r in self.pages for line, m in r.guesses]
        told.mended = list({(p.name, m.line, m.was): (p, m) for p, m in told.mended}.values())
        told.dropped = [(r.page, d) for r in self.pages for d in r.dropped]
        judged = self.links.judged.values()
        kept = [one for one in judged if one.verdict != Verdict.OUTSIDE]
        meant = (self.book.dialect.parse(one.says or one.leads) for one in kept)
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
            "links recovered": sum(map(self.links.is_known, filter(None, meant))),
            "pages without rules": len(self.book.loose),
        }
        told.guesses.sort(key=lambda one: (one[0].file.name, one[1], one[2]))
        told.unlinked.sort(key=lambda one: (one[0].file.name, one[1], one[2]))


_LOCK = "references.lock"
_ADDRESS = re.compile(r"""\bfrom:\s*(?:"([^"]*)"|'([^']*)'|([^\s,{}]+))""")
_MOST_ROUNDS = 5


def set_conflicts_aside(made: Import, around: Folder, base: str, replaced: Container[str]) -> None:
    """Set aside, and tell in the receipt, what breaks a build with an import; not the `replaced` files."""
    assert made.receipt
    told = made.receipt
    before = {(p.place.file, p.code, p.message) for p in examine_folder(around).problems if p.fails}
    locks = [f"{base}/{_LOCK}", f"{base.rpartition('/')[0]}/{_LOCK}"]
    for _ in range(_MOST_ROUNDS):
        kept = {n: text for n, text in around.texts.items() if n not in replaced and n not in told.aside}
        texts = {**kept, **made.files}
        others = [*around.others, *made.copies]
        examined = examine_folder(amended(around, texts=texts, others=others))
        wrong = [p for p in examined.problems if p.fails and (p.place.file, p.code, p.message) not in before]
        own = made.files.keys() | made.copies.keys()
        told.elsewhere = [problem for problem in wrong if problem.place.file not in own]
        clashing = set()  # old addresses that problems are about
        for place in (problem.place for problem in wrong if problem.code == CLASH.code):
            lines = texts.get(place.file, b"").decode("utf-8", "replace").split("\n")
            if place.line <= len(lines) and (m := _ADDRESS.search(lines[place.line - 1])):
                clashing.add(next(filter(None, m.groups()), ""))
        inside = [p for p in told.elsewhere if p.place.file.startswith(f"{base}/")]
        if new := sorted(clashing - {"", *told.clashing}):
            told.clashing += new
            made.leave_out(told.clashing)
        elif set(wrong) & set(examined.drift.problems) and (left := [name for name in locks if name in kept]):
            told.aside |= dict.fromkeys(left, "it keeps what references meant before the import")
        elif inside:
            told.aside |= {p.place.file: f"{p.message} [{p.code}]" for p in reversed(inside)}
        else:
            break


EDITED = kind(
    "import-would-overwrite",
    """An import would replace a file that it did not write, or that was edited since. Keep your edits
    elsewhere, or
    say --force to lose them.""",
)

_OWN = ("edition.yml", "known.yml", "sequence.yml", "redirects.yml", "rules/", "tables/")
"""The files that an import replaces in a folder that it did not make itself."""


@dataclass
class Home:
    """The folder of an edition in a project. `before`: the files of an earlier import, each with its sum."""

    project: Path
    book: str
    edition: str
    target: Path = field(init=False)
    before: Mapping[str, str] = field(init=False)

    def __post_init__(self) -> None:
        content = content_folder(self.project)
        self.target = kept_in(content, content / self.book / self.edition)
        try:
            files = json.loads((self.target / f"{RECEIPT}.json").read_text("utf-8"))["files"]
            self.before = {str(name): str(value) for name, value in files.items()}
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            self.before = {}

    @property
    def base(self) -> str:
        return f"{CONTENT}/{self.book}/{self.edition}"

    def make(
        self, read: Callable[[Path], Site], folder: Path, wanted: Request, tell: Callable[[int, int], None]
    ) -> Import:
        """Import the pages that are read from a folder. Raises Unsound where nothing can be made."""
        rulebook = content_folder(self.project) / self.book / "rulebook.yml"
        own = self.before.get(f"{CONTENT}/{self.book}/rulebook.yml")
        if rulebook.is_file() and own != _sum(rulebook):
            wanted = amended(wanted, rulebook=rulebook.read_bytes())
        made = import_site(read(folder), wanted, folder.as_posix(), tell)
        if made.refused or made.receipt is None:
            raise Unsound(made.refused, "nothing imported until this is mended")
        around = gather(self.project)
        set_conflicts_aside(made, around, self.base, {name for name in around.texts if self._replaces(name)})
        return made

    def write(self, made: Import, *, force: bool) -> None:
        """Put an import in its place. Raises Unsound where edited files are in the way, and OSError."""
        if (edits := self._edits()) and not force:
            raise Unsound(edits, f"{self.base}/ stays as it is; --force replaces these files")
        assert made.receipt
        sums = {name: digest(content) for name, content in made.files.items()}
        sums |= {name: _sum(path) for name, path in made.copies.items()}
        new: dict[str, bytes | None] = {
            **{name: path.read_bytes() for name, path in made.copies.items()},
            **made.files,
            f"{self.base}/{RECEIPT}.json": as_json(data(made.receipt, sums)).encode(),
            f"{self.base}/{RECEIPT}.md": markdown(made.receipt).encode(),
        }
        left = [name for name in self._there() if self._replaces(name)]
        new |= dict.fromkeys(name for name in (*left, *made.receipt.aside) if name not in new)
        was = {name: path.read_bytes() for name in new if (path := on_disk(self.project, name)).is_file()}
        for name in made.receipt.aside:  # what was set aside before stays; once is enough for the same
            room = there = self.project / ASIDE / name.removeprefix(f"{CONTENT}/")
            count = 1
            while room.exists() and not (room.is_file() and room.read_bytes() == was[name]):
                count += 1
                room = there.with_name(f"{there.stem}-{count}{there.suffix}")
            put(room, was[name])
        changed = {name: content for name, content in new.items() if content != was.get(name)}
        replace(self.project, changed, was)

    def _there(self) -> dict[str, Path]:
        found = filter(Path.is_file, sorted(self.target.rglob("*")) if self.target.is_dir() else [])
        return {f"{self.base}/{path.relative_to(self.target).as_posix()}": path for path in found}

    def _edits(self) -> list[Problem]:
        """The files in the way: those that were edited since an earlier import, or that none wrote."""
        found = []
        for name, path in self._there().items():
            own = name.removeprefix(f"{self.base}/")
            if name in self.before and _sum(path) != self.before[name]:
                message = f"{own} was edited since the last import, and the import would replace it"
            elif name not in self.before and own.startswith(_OWN):
                message = f"{own} was not written by an import, and this one would replace it"
            else:
                continue
            found.append(EDITED.at(Place(name), message, name))
        return found

    def _replaces(self, name: str) -> bool:
        """Whether a file is an import's own affair: it wrote it before, or would write one like it."""
        own = name.removeprefix(f"{self.base}/")
        return name in self.before or (own != name and own.startswith((*_OWN, f"{RECEIPT}.")))


def home_of(project: Path, target: str) -> Home:
    """The place that a folder `content/ocs/4.3` is, which may be named from anywhere. Raises Refusal."""
    path = target.replace("\\", "/").rstrip("/")
    absolute, top = os.path.abspath(path), os.path.abspath(content_folder(project))
    inside = os.path.relpath(absolute, top).replace(os.sep, "/") if absolute.startswith(top + os.sep) else ""
    parts = PurePosixPath(inside or path.removeprefix(f"{CONTENT}/")).parts
    if len(parts) != 2 or any(part.startswith(".") for part in parts):
        raise Refusal(f"{target} is no edition's folder; name one like {CONTENT}/ocs/4.3")
    return Home(project, *parts)


def _sum(path: Path) -> str:
    return digest(path.read_bytes())
