"""All references of all books and pages: their places, the numbers that they name, and their targets.

Texts are those of rules, steps, tables, player aids, terms and pages. Redirects, player aids and `was:` have
keys that are numbers. What a game inherits from its series is a text of the series.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from rulewright.book.aid_plan import AidSheet
from rulewright.book.errata_entries import ErrataEntry
from rulewright.book.errata_targets import entry_chapter, first_rule, quoted_texts
from rulewright.book.outline import Outline, RuleEntry
from rulewright.book.related_outlines import marked_edition, with_series
from rulewright.book.table_entries import Source, TableEntry, table_anchor
from rulewright.files.content_folder import CONTENT
from rulewright.files.located_text import LocatedText, TextKey
from rulewright.files.problems import SourceLocation
from rulewright.numbering.numbering_scheme import RuleNumber
from rulewright.numbering.reference_cues import CueStrength
from rulewright.references.content_page import ContentPage, PageText, blank_non_prose
from rulewright.references.edition_texts import edition_texts, term_texts
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
    """A text with its references, the edition of its numbers, and its chapter.

    `owner`: the rule or other source of the text, or the name of a term; empty for a whole page.
    """

    text: LocatedText
    resolved: Sequence[Reference]
    outline: Outline | None
    chapter: str
    owner: Source | str = ""
    is_reference_only: bool = False

    @property
    def source(self) -> RuleEntry | None:
        """The rule of that edition that the text belongs to."""
        if isinstance(self.owner, ErrataEntry):
            return first_rule(self.owner, self.outline) if self.outline else None
        entry = self.owner if isinstance(self.owner, RuleEntry) else getattr(self.owner, "entry", None)
        return entry if entry and self.outline and entry.edition is self.outline.edition else None

    @property
    def file(self) -> str:
        return self.text.file.name

    @property
    def prose(self) -> str:
        """The text, without everything but prose if it is a page."""
        return blank_non_prose(self.text) if isinstance(self.text, PageText) else self.text

    def target_of(self, reference: Reference, index: ReferenceIndex) -> Outline | None:
        """Return the edition that a reference leads into."""
        match reference:
            case RuleReference():
                return index.outlines[reference.target.edition.address]
            case CitableReference():
                return index.outlines[reference.citable.edition.address]
        outline = self.outline and index.outlines[self.outline.edition.address]
        book = reference.match.book
        return marked_edition(book, outline, index.outlines) if book else outline


def iter_referencing_texts(index: ReferenceIndex, pages: Sequence[ContentPage]) -> Iterator[ReferencingText]:
    """Yield each text of all books and pages that has references."""
    for address, references in index.editions.items():
        outline = index.outlines[address]
        for statement in override_statements(outline, index):
            series = with_series(outline, index.outlines)[1]
            series_place = series, series.default_chapter, statement.game_rule
            yield ReferencingText(statement.text, statement.resolved, *series_place, True)
        for citation in references.citations:
            if outline.edition.has_written(printed := citation.text.printed):
                place = outline, citation.chapter, citation.source, citation.is_see_key
                yield ReferencingText(printed, index.references(printed), *place)
        for entry in references.errata_entries:
            chapter, applied = entry_chapter(entry, outline), entry.erratum if entry.is_applied else None
            new_words = filter(None, (applied.new, applied.insert)) if applied else ()
            for words in (*quoted_texts(entry), *new_words):
                resolved = index.resolver.resolve(words, outline, chapter)
                yield ReferencingText(words, resolved, outline, chapter, entry)
    for outline in index.outlines.values():
        for name, text, is_see_key, newest in term_texts(outline, index.outlines):
            cited = index.references(text, outline.edition) if newest is outline else ()
            if cited:
                chapter = outline.default_chapter
                yield ReferencingText(text, cited, outline, chapter, str(name), is_see_key)
    for page in pages:
        home = index.outlines[page.edition.address] if page.edition else None
        if page.resolved:
            chapter = home.default_chapter if home else ""
            yield ReferencingText(page.text, page.resolved, home, chapter)


def _numbered(name: str, outline: Outline, index: ReferenceIndex) -> Outline | None:
    """Return the edition with the table that a player aid names by number, the game before its series."""
    table = index.find_table(outline.edition, name)
    home = index.outlines[table.edition.address] if table and table.table.number else None
    entry = home.find(name, home.default_chapter) if home else None
    return home if table and entry and entry.key == table.anchor else None


LockFolder = str
"""The folder whose lock records a reference: ocs/4.3, ocs, or empty for the whole content folder."""


def one_line(words: str) -> str:
    """Return words without line breaks and tabs, for a field of a lock."""
    return " ".join(words.split())


class LocatedReference(NamedTuple):
    """A reference in a text, or a number that names a rule in a key that takes only numbers."""

    lock_folder: LockFolder
    source: str
    """Name of the rule or page of the text, which is the same in other lines and files."""
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
        """Name of the rule or page around it, for a message; with the address of another edition."""
        sort, _, name = self.source.partition(" ")
        other = "/" in self.lock_folder and self.lock_folder != self.target_outline.edition.address
        if sort == "rule":
            return f"{self.lock_folder}:{name}" if other else name
        name = name if sort == "page" else self.source
        return f"{name} of {self.lock_folder}" if other else name

    @property
    def place(self) -> SourceLocation:
        return self.passage.text.location_of(self.start)


def lock_folder_of(file: str, index: ReferenceIndex) -> LockFolder:
    """Return the folder whose lock records the references of a file: that of its edition or of its book."""
    folders = file.split("/")[1:-1]
    address = "/".join(folders[:2])
    if address in index.outlines:
        return address
    return folders[0] if folders and folders[0] in index.newest else ""


def source_of(passage: ReferencingText, home: LockFolder) -> str:
    """Return the name of the rule or page of a text, which stays the same when it moves in its files."""
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


def iter_references(index: ReferenceIndex, pages: Sequence[ContentPage]) -> Iterator[LocatedReference]:
    """Yield all references, also those to no rule; those in a text of several steps once."""
    done: set[TextKey] = set()
    for passage in iter_referencing_texts(index, pages):
        if passage.text.key in done:
            continue
        done.add(passage.text.key)
        home = lock_folder_of(passage.file, index)
        source = source_of(passage, home)
        for reference, name in references_in_text(passage):
            if outline := passage.target_of(reference, index):
                match = reference.match
                target: Target | None = None
                inside: tuple[RuleEntry, ...] = ()
                if isinstance(reference, RuleReference):
                    target, inside = reference.target, reference.rules_in_range
                elif isinstance(reference, CitableReference) and isinstance(reference.citable, TableEntry):
                    target = reference.citable.cited_as
                span = passage, match.start, match.end
                yield LocatedReference(home, source, name, match.number, outline, target, *span, inside)
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
    """Yield the keys of an edition that are numbers of rules, of any edition."""
    address = outline.edition.address
    for text, owner, into in _number_keys(outline, index):
        start = len(TABLES) if text.startswith(TABLES) else 0
        if number := into.edition.dialect.parse_number(text[start:].strip(), into.default_chapter):
            target = into.entries.get(number.key)
            span = ReferencingText(text, (), into, into.default_chapter), start, len(text)
            yield LocatedReference(
                address, one_line(owner), number.key, number, into, target, *span, shows=True
            )


def _number_keys(outline: Outline, index: ReferenceIndex) -> Iterator[tuple[LocatedText, str, Outline]]:
    """Yield the keys that may be numbers, with the names of their owners and the editions of the numbers."""
    edition, outlines = outline.edition, index.outlines
    for redirect in edition.redirects.redirects if edition.redirects else ():
        for anchor, text in (("", redirect.to), *redirect.anchors.items()):
            yield text, f"redirect {redirect.source}{anchor and '#'}{anchor}", outline
    for sheet in index.editions[edition.address].aid_sheets:
        for text, field in texts_with_flag(sheet.aid, "names"):
            kind, into = field.metadata["names"], None
            if kind == "table":
                into = _numbered(text, outline, index)
            elif kind == "activity" and not outline.sequence.steps_named(text):
                into = next((o for o in with_series(outline, outlines) if o.find(text)), outline)
            if into:
                yield text, f"aid {sheet.name}", into
    for erratum in edition.errata.errata if edition.errata else ():
        if erratum.table and _numbered(erratum.table, outline, index) is outline:
            yield erratum.table, str(erratum), outline
    if previous := followed_edition(outline, outlines):
        for entry, texts in rules_with_previous_numbers(outline):
            yield from ((text, f"rule {entry.key}", previous) for text in texts)
        for table in edition.tables:
            if table.was:
                yield table.was, f"table {table_anchor(table, outline)}", previous


def _used(outline: Outline, index: ReferenceIndex) -> Iterator[LocatedReference]:
    """Yield the tables that steps use by name."""
    edition, outlines = outline.edition, with_series(outline, index.outlines)
    done: set[TextKey] = set()
    for step in outline.sequence.iter_steps():
        for text in step.own_keys.uses:
            is_number = any(o.find(text, o.default_chapter) for o in outlines)
            if is_number or text.key in done or not edition.has_written(text):
                continue
            done.add(text.key)
            if table := index.find_table(edition, text):
                passage = ReferencingText(text, (), outline, outline.default_chapter, step)
                source, span = source_of(passage, edition.address), (passage, 0, len(text))
                into = index.outlines[table.edition.address]
                yield LocatedReference(
                    edition.address, source, one_line(text), None, into, table.cited_as, *span
                )


def numbers_without_reference(
    keys_by_folder: Mapping[LockFolder, Collection[str]], index: ReferenceIndex, pages: Sequence[ContentPage]
) -> Iterator[LocatedReference]:
    """Yield the numbers in texts that lead to no rule. `keys_by_folder`: those numbers, by lock folder."""
    for address, outline in index.outlines.items():
        edition = index.editions[address]
        parts = edition.tables, edition.aid_sheets, edition.errata_entries
        for owner, texts, chapter in edition_texts(outline, *parts) if address in keys_by_folder else ():
            for text, is_see_key in texts:
                if outline.edition.has_written(text):
                    passage = ReferencingText(text.printed, (), outline, chapter, owner, is_see_key)
                    yield from _numbers(passage, outline, keys_by_folder[address], index)
    for page in pages:
        keys = keys_by_folder.get(lock_folder_of(page.name, index))
        if keys and page.edition:
            outline = index.outlines[page.edition.address]
            passage = ReferencingText(page.text, (), outline, outline.default_chapter)
            yield from _numbers(passage, outline, keys, index)


def _numbers(
    passage: ReferencingText, outline: Outline, keys: Collection[str], index: ReferenceIndex
) -> Iterator[LocatedReference]:
    folder = lock_folder_of(passage.file, index)
    outlines, prose = reversed(with_series(outline, index.outlines)), passage.prose
    for home in {other.edition.dialect: other for other in outlines}.values():
        chapter = passage.chapter if home is outline else home.default_chapter
        for match in home.edition.finder.find(prose, chapter, passage.is_reference_only):
            number = match.number
            if number and match.cue is not CueStrength.NEVER and number.key in keys:
                source, span = source_of(passage, folder), (passage, match.start, match.end)
                yield LocatedReference(folder, source, number.key, number, home, None, *span)
