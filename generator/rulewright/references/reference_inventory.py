"""Every reference of all books and pages: where it stands, the number that it names, and where that leads.

Texts are those of rules, steps, tables, player aids, terms and pages. Numbers alone stand in redirects, in
player aids, and in what an edition says with `was:` of the one before. What a game has from its series is a
text of the series, and is none of the game.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from rulewright.book.aid_plan import AidSheet
from rulewright.book.errata_entries import ErrataEntry
from rulewright.book.errata_targets import entry_chapter, first_rule, quoted_texts
from rulewright.book.outline import Outline, RuleEntry
from rulewright.book.related_outlines import marked_edition, with_series
from rulewright.book.table_entries import Source, TableEntry, find_table, table_anchor
from rulewright.files.content_folder import CONTENT
from rulewright.files.located_text import LocatedText, TextKey
from rulewright.files.problems import SourceFile, SourceLocation
from rulewright.numbering.numbering_scheme import RuleNumber
from rulewright.numbering.reference_cues import CueStrength
from rulewright.references.content_page import ContentPage, blank_non_prose
from rulewright.references.edition_texts import edition_texts, term_outline
from rulewright.references.previous_edition import followed_edition, rules_with_previous_numbers
from rulewright.references.reference_index import ReferenceIndex
from rulewright.references.reference_types import (
    CitableReference,
    ExternalReference,
    Reference,
    RuleReference,
)
from rulewright.references.series_overrides import override_statements
from rulewright.schema.yaml_fields import texts_with_flag
from rulewright.sequence.sequence_step import SequenceStep

Target = RuleEntry | TableEntry
"""What a reference in the inventory leads to."""

TABLES = "tables#"
"""How a redirect begins that leads to a table on the page of all."""


class ReferencingText(NamedTuple):
    """A text with its references, the edition whose numbers it holds, and the chapter it stands in.

    `owner`: what it belongs to, of a term its name. What a rule of a game says of those of its series has the
    numbers of the series. `page`: it is a whole Markdown page.
    """

    text: str
    resolved: Sequence[Reference]
    outline: Outline | None
    chapter: str
    owner: Source | str = ""
    is_reference_only: bool = False
    page: SourceFile | None = None

    @property
    def key(self) -> TextKey:
        """Tells it apart from passages of other texts."""
        return (
            self.text.key if isinstance(self.text, LocatedText) else (self.file, 0, len(self.text), self.text)
        )

    @property
    def source(self) -> RuleEntry | None:
        """The rule of that edition that it stands in, or that it is of."""
        if isinstance(self.owner, ErrataEntry):
            return first_rule(self.owner, self.outline) if self.outline else None
        entry = self.owner if isinstance(self.owner, RuleEntry) else getattr(self.owner, "entry", None)
        return entry if entry and self.outline and entry.edition is self.outline.edition else None

    def place(self, offset: int) -> SourceLocation:
        if isinstance(self.text, LocatedText):
            return self.text.location_of(offset)
        assert self.page
        return self.page.location(offset)

    @property
    def file(self) -> str:
        return self.text.file.name if isinstance(self.text, LocatedText) else self.place(0).file

    def target_of(self, one: Reference, index: ReferenceIndex) -> Outline | None:
        own = self.outline and index.outlines[self.outline.edition.address]
        match one:
            case RuleReference():
                return index.outlines[one.target.edition.address]
            case CitableReference():
                return index.outlines[one.citable.edition.address]
        return marked_edition(one.match.book, own, index.outlines) if one.match.book else own


def iter_referencing_texts(
    index: ReferenceIndex, manuscripts: Sequence[ContentPage]
) -> Iterator[ReferencingText]:
    """Every text of all books and pages that holds references."""
    for address, references in index.editions.items():
        outline = index.outlines[address]
        for said in override_statements(outline, index):
            series = with_series(outline, index.outlines)[1]
            yield ReferencingText(
                said.text, said.resolved, series, series.default_chapter, said.game_rule, True
            )
        for citation in references.citations:
            if outline.edition.has_written(citation.text):
                printed = citation.text.printed
                yield ReferencingText(
                    printed,
                    index.references(printed),
                    outline,
                    citation.chapter,
                    citation.source,
                    citation.is_see_key,
                )
        for remark in references.errata_entries:
            applied = remark.erratum if remark.is_applied else None
            new_words = filter(None, (applied.new, applied.insert)) if applied else ()
            for words in (*quoted_texts(remark), *new_words):
                chapter = entry_chapter(remark, outline)
                resolved = index.resolver.resolve(words, outline, chapter)
                yield ReferencingText(words, resolved, outline, chapter, remark)
    for outline in index.outlines.values():
        for name, term in outline.edition.book.terms.items():
            if term_outline(name, index.outlines) is not outline:
                continue
            for text, cued in ((term.means, False), (term.see, True)):
                if text and (cited := index.references(text, outline.edition)):
                    yield ReferencingText(text, cited, outline, outline.default_chapter, str(name), cued)
    for page in manuscripts:
        home = index.outlines[page.edition.address] if page.edition else None
        if page.resolved:
            file = SourceFile(page.name, page.text)
            yield ReferencingText(
                page.text, page.resolved, home, home.default_chapter if home else "", page=file
            )


def _numbered(name: str, outline: Outline, index: ReferenceIndex) -> Outline | None:
    """The edition in which a player aid means a table by its number, the game before its series."""
    for one in with_series(outline, index.outlines):
        entry = one.find(name, one.default_chapter)
        # An id or a title that looks like a number is none: only tables that have a number are meant by it.
        if entry and entry.key in {table_anchor(table, one) for table in one.edition.tables if table.number}:
            return one
        if one.find(name) or find_table(index.editions[one.edition.address].tables, name):
            return None
    return None


LockFolder = str
"""The folder whose lock records a reference: ocs/4.3, ocs, or empty for the whole content folder."""


def one_line(words: str) -> str:
    """Return words without line breaks and tabs, for a field of a lock."""
    return " ".join(words.split())


class LocatedReference(NamedTuple):
    """A reference in a text, or a number that names a rule in a key that takes only numbers."""

    lock_folder: LockFolder
    source: str
    """Name of the rule, page and so on that the text belongs to, the same in other lines and files."""
    name: str
    """The number, or the name of another target."""
    number: RuleNumber | None
    target_outline: Outline
    """The edition into which it leads."""
    target: Target | None
    passage: ReferencingText
    start: int
    end: int
    inside: tuple[RuleEntry, ...] = ()
    """Rules of the range that ends here."""
    shows: bool = False
    """Whether it only shows the rule, so that nobody has to review a text when the rule changes."""

    @property
    def recorded_number(self) -> str:
        """Return its number in the lock: with the address of the edition where it leads to another one."""
        key = self.name
        if self.number:
            key = self.target.key if self.target else self.number.key
        address = self.target_outline.edition.address
        return key if address == self.lock_folder else f"{address}:{key}"

    @property
    def standing(self) -> str:
        """Name of the rule, page and so on around it, for a message; with another edition's address."""
        sort, _, name = self.source.partition(" ")
        other = "/" in self.lock_folder and self.lock_folder != self.target_outline.edition.address
        if sort == "rule":
            return f"{self.lock_folder}:{name}" if other else name
        said = name if sort == "page" else self.source
        return f"{said} of {self.lock_folder}" if other else said

    @property
    def place(self) -> SourceLocation:
        return self.passage.place(self.start)


def lock_folder_of(file: str, index: ReferenceIndex) -> LockFolder:
    """The folder whose lock keeps the references of a file: that of its edition or, in none, of its book."""
    folders = file.split("/")[1:-1]
    address = "/".join(folders[:2])
    if address in index.outlines:
        return address
    return folders[0] if folders and folders[0] in index.newest else ""


def source_of(passage: ReferencingText, home: LockFolder) -> str:
    """Name of the rule, page and so on of a text, the same wherever that is moved in its files."""
    owner = passage.owner
    match owner:
        case RuleEntry():
            return f"rule {owner.key}"
        case TableEntry():
            return f"table {owner.anchor}"
        case SequenceStep():
            return f"step {owner.anchor}"
        case AidSheet():
            return f"aid {owner.name}"
        case ErrataEntry():
            return one_line(owner.anchor)
    name = passage.file.removeprefix(f"{CONTENT}/{home}").strip("/")
    return f"term {one_line(owner)}" if owner else f"page {name}"


def iter_references(index: ReferenceIndex, manuscripts: Sequence[ContentPage]) -> Iterator[LocatedReference]:
    """Every reference, those too that lead to no rule; of those in one text of several steps, each once."""
    done: set[TextKey] = set()
    for passage in iter_referencing_texts(index, manuscripts):
        if passage.key in done:
            continue
        done.add(passage.key)
        home = lock_folder_of(passage.file, index)
        source = source_of(passage, home)
        for reference, named in references_in_text(passage):
            if into := passage.target_of(reference, index):
                where = reference.match.start, reference.match.end
                target: Target | None = None
                inside: tuple[RuleEntry, ...] = ()
                if isinstance(reference, RuleReference):
                    target, inside = reference.target, reference.rules_in_range
                elif isinstance(reference, CitableReference) and isinstance(reference.citable, TableEntry):
                    target = reference.citable.cited_as
                number = reference.match.number
                yield LocatedReference(home, source, named, number, into, target, passage, *where, inside)
    for outline in index.outlines.values():
        yield from iter_number_keys(outline, index)
        yield from _used(outline, index)


def references_in_text(passage: ReferencingText) -> Iterator[tuple[Reference, str]]:
    """Yield the references in a text to rules and tables, each with its number or name."""
    for reference in passage.resolved:
        if isinstance(reference, CitableReference):
            if isinstance(reference.citable, TableEntry):
                yield reference, one_line(passage.text[reference.match.start : reference.match.end])
        elif reference.match.number and not isinstance(reference, ExternalReference):
            yield reference, reference.match.number.key


def iter_number_keys(outline: Outline, index: ReferenceIndex) -> Iterator[LocatedReference]:
    """The numbers in an edition that name a rule, of any edition, where no text does."""
    edition = outline.edition

    def name(text: LocatedText, owner: str, into: Outline, start: int = 0) -> Iterator[LocatedReference]:
        if number := into.edition.dialect.parse_number(text[start:].strip(), into.default_chapter):
            key, target = number.key, into.entries.get(number.key)
            at = ReferencingText(text, (), into, into.default_chapter), start, len(text)
            yield LocatedReference(
                edition.address, one_line(owner), key, number, into, target, *at, shows=True
            )

    for redirect in edition.redirects.redirects if edition.redirects else ():
        for anchor, text in (("", redirect.to), *redirect.anchors.items()):
            start = len(TABLES) if text.startswith(TABLES) else 0
            yield from name(text, f"redirect {redirect.source}{anchor and '#'}{anchor}", outline, start)
    for sheet in index.editions[edition.address].aid_sheets:
        for text, f in texts_with_flag(sheet.aid, "names"):
            into = None
            if f.metadata["names"] == "table":
                into = _numbered(text, outline, index)
            elif f.metadata["names"] == "activity" and not outline.sequence.steps_named(text):
                into = next((one for one in with_series(outline, index.outlines) if one.find(text)), outline)
            yield from name(text, f"aid {sheet.name}", into) if into else ()
    for erratum in edition.errata.errata if edition.errata else ():
        if erratum.table and _numbered(erratum.table, outline, index) is outline:
            yield from name(erratum.table, str(erratum), outline)
    if before := followed_edition(outline, index.outlines):
        for entry, texts in rules_with_previous_numbers(outline):
            for text in texts:
                yield from name(text, f"rule {entry.key}", before)
        for table in edition.tables:
            if table.was:
                yield from name(table.was, f"table {table_anchor(table, outline)}", before)


def _used(outline: Outline, index: ReferenceIndex) -> Iterator[LocatedReference]:
    edition = outline.edition
    done: set[TextKey] = set()
    for step in outline.sequence.iter_steps():
        for text in step.own_keys.uses:
            numbered = any(
                one.find(text, one.default_chapter) for one in with_series(outline, index.outlines)
            )
            if numbered or text.key in done or not edition.has_written(text):
                continue
            done.add(text.key)
            if table := index.find_table(edition, text):
                home, passage = (
                    edition.address,
                    ReferencingText(text, (), outline, outline.default_chapter, step),
                )
                named, into = one_line(text), index.outlines[table.edition.address]
                yield LocatedReference(
                    home, source_of(passage, home), named, None, into, table.cited_as, passage, 0, len(text)
                )


def numbers_without_reference(
    wanted: Mapping[LockFolder, Collection[str]], index: ReferenceIndex, manuscripts: Sequence[ContentPage]
) -> Iterator[LocatedReference]:
    """Yield the numbers in texts that lead to no rule. `wanted`: those numbers, by lock folder."""
    for outline in index.outlines.values():
        address = outline.edition.address
        edition = index.editions[address]
        rest = edition.tables, edition.aid_sheets, edition.errata_entries
        for owner, texts, chapter in edition_texts(outline, *rest) if address in wanted else ():
            for text, cued in texts:
                if outline.edition.has_written(text):
                    passage = ReferencingText(text.printed, (), outline, chapter, owner, cued)
                    yield from _numbers(passage, text.printed, wanted[address], index)
    for page in manuscripts:
        keys = wanted.get(lock_folder_of(page.name, index))
        if keys and page.edition:
            outline = index.outlines[page.edition.address]
            passage = ReferencingText(
                page.text, (), outline, outline.default_chapter, page=SourceFile(page.name, page.text)
            )
            yield from _numbers(passage, blank_non_prose(page.text), keys, index)


def _numbers(
    passage: ReferencingText, prose: str, keys: Collection[str], index: ReferenceIndex
) -> Iterator[LocatedReference]:
    outline = passage.outline
    assert outline
    folder = lock_folder_of(passage.file, index)
    outlines = reversed(with_series(outline, index.outlines))
    for one in {outline.edition.dialect: outline for outline in outlines}.values():
        chapter = passage.chapter if one is outline else one.default_chapter
        for match in one.edition.finder.find(prose, chapter, passage.is_reference_only):
            number = match.number
            if number and match.cue is not CueStrength.NEVER and number.key in keys:
                source = source_of(passage, folder)
                span = passage, match.start, match.end
                yield LocatedReference(folder, source, number.key, number, one, None, *span)
