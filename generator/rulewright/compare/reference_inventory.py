"""Every reference of all books and pages: where it stands, the number that it names, and where that leads.

Texts are those of rules, steps, tables, player aids, terms and pages. Numbers alone stand in redirects, in
player aids, and in what an edition says with `was:` of the one before. What a game has from its series is a
text of the series, and is none of the game.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from rulewright.book.aid_plan import AidSheet
from rulewright.book.errata_entries import ErrataEntry
from rulewright.book.errata_targets import entry_chapter, first_rule, quoted_texts
from rulewright.book.outline import Outline, RuleEntry
from rulewright.book.related_outlines import marked_edition, with_series
from rulewright.book.table_entries import Source, TableEntry, find_table, table_anchor
from rulewright.compare.reference_lock import COUNTED, Key, Target, escape_field, lock_target_name
from rulewright.files.content_folder import CONTENT, LOCK
from rulewright.files.located_text import LocatedText, TextKey
from rulewright.files.problems import SourceFile, SourceLocation
from rulewright.numbering.numbering_scheme import RuleNumber
from rulewright.numbering.reference_cues import CueStrength
from rulewright.references.citable_items import Citable, ListItem, TermName
from rulewright.references.content_page import ContentPage, blank_non_prose
from rulewright.references.edition_texts import edition_texts
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
from rulewright.sequence.sequence_step import TOP, SequenceStep

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

    def target_of(self, one: Reference, shelf: ReferenceIndex) -> Outline | None:
        own = self.outline and shelf.outlines[self.outline.edition.address]
        match one:
            case RuleReference():
                return shelf.outlines[one.target.edition.address]
            case CitableReference():
                return shelf.outlines[one.citable.edition.address]
        return marked_edition(one.match.book, own, shelf.outlines) if one.match.book else own


def iter_referencing_texts(
    shelf: ReferenceIndex, manuscripts: Sequence[ContentPage]
) -> Iterator[ReferencingText]:
    """Every text of all books and pages that holds references."""
    for address, references in shelf.editions.items():
        outline = shelf.outlines[address]
        for said in override_statements(outline, shelf):
            series = with_series(outline, shelf.outlines)[1]
            yield ReferencingText(
                said.text, said.resolved, series, series.default_chapter, said.game_rule, True
            )
        for citation in references.citations:
            if outline.edition.has_written(citation.text):
                yield ReferencingText(
                    citation.text,
                    citation.resolved,
                    outline,
                    citation.chapter,
                    citation.source,
                    citation.is_see_key,
                )
        for remark in references.errata_entries:
            for words in quoted_texts(remark):
                chapter = entry_chapter(remark, outline)
                yield ReferencingText(
                    words, shelf.resolver.resolve(words, outline, chapter), outline, chapter, remark
                )
    for newest in (shelf.outlines[edition.address] for edition in shelf.newest.values()):
        for name, term in newest.edition.book.terms.items():
            if not newest.edition.has_written(name):
                continue
            for text, cued in ((term.means, False), (term.see, True)):
                if text and (resolved := shelf.references(text, newest.edition)):
                    yield ReferencingText(text, resolved, newest, newest.default_chapter, str(name), cued)
    for page in manuscripts:
        home = shelf.outlines[page.edition.address] if page.edition else None
        if page.resolved:
            file = SourceFile(page.name, page.text)
            yield ReferencingText(
                page.text, page.resolved, home, home.default_chapter if home else "", page=file
            )


def _numbered(name: str, outline: Outline, shelf: ReferenceIndex) -> Outline | None:
    """The edition in which a player aid means a table by its number, the game before its series."""
    for one in with_series(outline, shelf.outlines):
        entry = one.find(name, one.default_chapter)
        # An id or a title that looks like a number is none: only tables that have a number are meant by it.
        if entry and entry.key in {table_anchor(table, one) for table in one.edition.tables if table.number}:
            return one
        if one.find(name) or find_table(shelf.editions[one.edition.address].tables, name):
            return None
    return None


Home = str
"""The folder whose lock keeps a reference: ocs/4.3, ocs, or empty for the whole content folder."""


class LocatedReference(NamedTuple):
    """A reference of a text, or a number that names a rule where no text does.

    `source`: what it stands in, by a name that lines and files do not change; `number_as_written`: the number
    as it is kept, with the book if a mark names one; `number`: the number itself. It leads into the edition
    `target_outline`, to `target` if that has it, and as the end of a range to what is `inside`. `start`:
    where in the text of `passage` it stands. `shows`: nobody reads what is there, so that only the rule has
    to be the right one.
    """

    lock_folder: Home
    source: str
    number_as_written: str
    number: RuleNumber | None
    target_outline: Outline
    target: Target | None
    passage: ReferencingText
    start: int
    end: int
    inside: tuple[RuleEntry, ...] = ()
    shows: bool = False

    @property
    def key(self) -> tuple[str, str]:
        return self.source, self.number_as_written

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


def lock_folder_of(file: str, shelf: ReferenceIndex) -> Home:
    """The folder whose lock keeps the references of a file: that of its edition or, in none, of its book."""
    folders = file.split("/")[1:-1]
    address = "/".join(folders[:2])
    if address in shelf.outlines:
        return address
    return folders[0] if folders and folders[0] in shelf.newest else ""


def lock_of(home: Home) -> str:
    """The name of a folder's lock."""
    return "/".join(filter(None, (CONTENT, home, LOCK)))


def source_of(passage: ReferencingText, home: Home) -> str:
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
            return escape_field(owner.anchor)
    return f"term {escape_field(owner)}" if owner else _page(passage.file, home)


def _page(file: str, home: Home) -> str:
    return f"page {file.removeprefix(f'{CONTENT}/{home}').strip('/')}"


def iter_references(shelf: ReferenceIndex, manuscripts: Sequence[ContentPage]) -> Iterator[LocatedReference]:
    """Every reference, those too that lead to no rule; of those in one text of several steps, each once."""
    done: set[TextKey] = set()
    for passage in iter_referencing_texts(shelf, manuscripts):
        if passage.key in done:
            continue
        done.add(passage.key)
        home = lock_folder_of(passage.file, shelf)
        source = source_of(passage, home)
        for reference, named in references_in_text(passage):
            if into := passage.target_of(reference, shelf):
                where = reference.match.start, reference.match.end
                target: Target | None = None
                inside: tuple[RuleEntry, ...] = ()
                if isinstance(reference, RuleReference):
                    target, inside = reference.target, reference.rules_in_range
                elif isinstance(reference, CitableReference):
                    target = _target(reference.citable)
                number = reference.match.number
                yield LocatedReference(home, source, named, number, into, target, passage, *where, inside)
    for outline in shelf.outlines.values():
        yield from iter_number_keys(outline, shelf)
        yield from _used(outline, shelf)


def references_in_text(
    passage: ReferencingText,
    number_of: Callable[[Reference], RuleNumber | None] = lambda one: one.match.number,
) -> Iterator[tuple[Reference, str]]:
    """The references in a text to rules, each with its number as it is kept; a range's end with both ends."""
    first = ""
    for one in passage.resolved:
        number = None if isinstance(one, ExternalReference) else number_of(one)
        if isinstance(one, CitableReference):
            yield one, _thing_named(one, passage.text)
        if number is None:
            first = ""
            continue
        named = f"{one.match.book}:{number.key}" if one.match.book else number.key
        yield one, f"{first}–{named}" if one.match.ends_range and first else named
        first = named


def _target(thing: Citable) -> Target | None:
    """The key of a thing in a lock: for a numbered table its rule, for a term none."""
    if isinstance(thing, TermName):
        return None
    return thing.cited_as if isinstance(thing, TableEntry) else thing


def _thing_named(one: CitableReference, text: str) -> str:
    """The name of what is no rule, as it is kept: the words of a mark, else how a text counts it."""
    words = one.as_written(text)
    if one.match.mark_span or not isinstance(one.citable, ListItem | SequenceStep):
        return escape_field(f"{one.match.book}:{words}" if one.match.book else words)
    if isinstance(one.citable, ListItem):
        return lock_target_name(one.citable)
    around = one.citable.parent.original.anchor if one.citable.parent else TOP
    return f"{COUNTED}{around} {words.split()[-1].strip('()')}"


def iter_number_keys(outline: Outline, shelf: ReferenceIndex) -> Iterator[LocatedReference]:
    """The numbers in an edition that name a rule, of any edition, where no text does."""
    edition = outline.edition

    def name(
        text: LocatedText, owner: str, into: Outline, start: int = 0, was: str = ""
    ) -> Iterator[LocatedReference]:
        if number := into.edition.dialect.parse_number(text[start:].strip(), into.default_chapter):
            key, target = f"{was}{number.key}", into.entries.get(number.key)
            at = ReferencingText(text, (), into, into.default_chapter), start, len(text)
            yield LocatedReference(
                edition.address, escape_field(owner), key, number, into, target, *at, shows=True
            )

    for redirect in edition.redirects.redirects if edition.redirects else ():
        for anchor, text in (("", redirect.to), *redirect.anchors.items()):
            start = len(TABLES) if text.startswith(TABLES) else 0
            yield from name(text, f"redirect {redirect.source}{anchor and '#'}{anchor}", outline, start)
    for sheet in shelf.editions[edition.address].aid_sheets:
        for text, f in texts_with_flag(sheet.aid, "names"):
            into = None
            if f.metadata["names"] == "table":
                into = _numbered(text, outline, shelf)
            elif f.metadata["names"] == "activity" and not outline.sequence.steps_named(text):
                into = next((one for one in with_series(outline, shelf.outlines) if one.find(text)), outline)
            yield from name(text, f"aid {sheet.name}", into) if into else ()
    for erratum in edition.errata.errata if edition.errata else ():
        if erratum.table and _numbered(erratum.table, outline, shelf) is outline:
            yield from name(erratum.table, str(erratum), outline)
    if before := followed_edition(outline, shelf.outlines):
        for entry, texts in rules_with_previous_numbers(outline):
            for text in texts:
                yield from name(text, f"rule {entry.key}", before, was="was ")
        for table in edition.tables:
            if table.was:
                yield from name(table.was, f"table {table_anchor(table, outline)}", before, was="was ")


def _used(outline: Outline, shelf: ReferenceIndex) -> Iterator[LocatedReference]:
    edition = outline.edition
    done: set[TextKey] = set()
    for step in outline.sequence.iter_steps():
        for text in step.own_keys.uses:
            numbered = any(
                one.find(text, one.default_chapter) for one in with_series(outline, shelf.outlines)
            )
            if numbered or text.key in done or not edition.has_written(text):
                continue
            done.add(text.key)
            if table := shelf.find_table(edition, text):
                home, passage = (
                    edition.address,
                    ReferencingText(text, (), outline, outline.default_chapter, step),
                )
                named, into = escape_field(text), shelf.outlines[table.edition.address]
                yield LocatedReference(
                    home, source_of(passage, home), named, None, into, table.cited_as, passage, 0, len(text)
                )


def numbers_without_reference(
    wanted: Mapping[Home, Collection[Key]], shelf: ReferenceIndex, manuscripts: Sequence[ContentPage]
) -> Iterator[LocatedReference]:
    """Numbers where references stood that lead to no rule now. `wanted`: those references, by lock folder."""
    for outline in shelf.outlines.values():
        address = outline.edition.address
        keys = wanted.get(address)
        rest = (
            shelf.editions[address].tables,
            shelf.editions[address].aid_sheets,
            shelf.editions[address].errata_entries,
        )
        for owner, texts, chapter in edition_texts(outline, *rest) if keys else ():
            for text, cued in texts:
                if outline.edition.has_written(text):
                    passage = ReferencingText(text, (), outline, chapter, owner, cued)
                    yield from _numbers(passage, str(text), keys or (), shelf)
    for page in manuscripts:
        keys = wanted.get(home := lock_folder_of(page.name, shelf))
        if keys and page.edition and any(source == _page(page.name, home) for source, _ in keys):
            outline = shelf.outlines[page.edition.address]
            passage = ReferencingText(
                page.text, (), outline, outline.default_chapter, page=SourceFile(page.name, page.text)
            )
            yield from _numbers(passage, blank_non_prose(page.text), keys, shelf)


def _numbers(
    passage: ReferencingText, prose: str, keys: Collection[Key], shelf: ReferenceIndex
) -> Iterator[LocatedReference]:
    outline = passage.outline
    assert outline
    home = lock_folder_of(passage.file, shelf)
    source = source_of(passage, home)
    if not any(key[0] == source for key in keys):
        return
    for one in {
        around.edition.dialect: around for around in reversed(with_series(outline, shelf.outlines))
    }.values():
        chapter = passage.chapter if one is outline else one.default_chapter
        for match in one.edition.finder.find(prose, chapter, passage.is_reference_only):
            number = match.number
            if number and match.cue is not CueStrength.NEVER and (source, number.key) in keys:
                yield LocatedReference(
                    home, source, number.key, number, one, None, passage, match.start, match.end
                )
