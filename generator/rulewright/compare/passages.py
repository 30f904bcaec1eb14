"""Every reference of all books and pages: where it stands, the number that it names, and where that leads.

Texts are those of rules, steps, tables, player aids, terms and pages. Numbers alone stand in redirects, in
player aids, and in what an edition says with `was:` of the one before. What a game has from its series is a
text of the series, and is none of the game.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from rulewright.book.cited_things import Citable, ListItem, TermName
from rulewright.book.outline import Entry, Outline
from rulewright.book.remarks import Remark
from rulewright.book.sequence import TOP, StepEntry
from rulewright.book.sheet import Sheet
from rulewright.book.tables import Source, TableEntry, anchor_of, table_named
from rulewright.book.targets import chapter_of, quoted, rule_of
from rulewright.citations.corpus import texts_in
from rulewright.citations.manuscript import Manuscript, prose_of
from rulewright.citations.overrides import said_in
from rulewright.citations.predecessor import followed, was_of
from rulewright.citations.resolving import Resolved, written_in
from rulewright.citations.shelf import Shelf
from rulewright.compare.lock import COUNTED, Key, Target, field_of, name_of
from rulewright.model.keys import marked
from rulewright.numbers.dialect import Number
from rulewright.numbers.evidence import Cue
from rulewright.source.folder import CONTENT, LOCK
from rulewright.source.problems import File, Place
from rulewright.source.text import Text, TextKey

TABLES = "tables#"
"""How a redirect begins that leads to a table on the page of all."""


class Passage(NamedTuple):
    """A text with its references, the edition whose numbers it holds, and the chapter it stands in.

    `owner`: what it belongs to, of a term its name. What a rule of a game says of those of its series has the
    numbers of the series. `page`: it is a whole Markdown page.
    """

    text: str
    resolved: Sequence[Resolved]
    outline: Outline | None
    chapter: str
    owner: Source | str = ""
    cued: bool = False
    page: File | None = None

    @property
    def key(self) -> TextKey:
        """Tells it apart from passages of other texts."""
        return self.text.key if isinstance(self.text, Text) else (self.file, 0, len(self.text), self.text)

    @property
    def source(self) -> Entry | None:
        """The rule of that edition that it stands in, or that it is of."""
        if isinstance(self.owner, Remark):
            return rule_of(self.owner, self.outline) if self.outline else None
        entry = self.owner if isinstance(self.owner, Entry) else getattr(self.owner, "entry", None)
        return entry if entry and self.outline and entry.edition is self.outline.edition else None

    def place(self, offset: int) -> Place:
        if isinstance(self.text, Text):
            return self.text.place_of(offset)
        assert self.page
        return self.page.place(offset)

    @property
    def file(self) -> str:
        return self.text.file.name if isinstance(self.text, Text) else self.place(0).file

    def leads(self, one: Resolved, shelf: Shelf) -> Outline | None:
        own = self.outline and shelf.outlines[self.outline.edition.address]
        if thing := one.target or one.thing:
            return shelf.outlines[thing.edition.address]
        return shelf.by_mark(one.found.book, own) if one.found.book else own


def passages(shelf: Shelf, manuscripts: Sequence[Manuscript]) -> Iterator[Passage]:
    """Every text of all books and pages that holds references."""
    for address, citations in shelf.citations.items():
        outline = shelf.outlines[address]
        for said in said_in(outline, shelf):
            series = shelf.around(outline)[1]
            yield Passage(said.text, said.resolved, series, series.home, said.by, True)
        for one in citations:
            if written_in(one.text, outline.edition):
                yield Passage(one.text, one.resolved, outline, one.chapter, one.source, one.cites)
        for remark in shelf.remarks[address]:
            for words in quoted(remark):
                chapter = chapter_of(remark, outline)
                yield Passage(words, shelf.resolve(words, outline, chapter), outline, chapter, remark)
    books = dict.fromkeys(address.rpartition("/")[0] for address in shelf.outlines)
    for newest in filter(None, map(shelf.named, books)):
        for name, term in newest.edition.book.terms.items():
            if not written_in(name, newest.edition):
                continue
            for text, cued in ((term.means, False), (term.see, True)):
                if text and (resolved := shelf.references(text, newest.edition)):
                    yield Passage(text, resolved, newest, newest.home, str(name), cued)
    for page in manuscripts:
        home = shelf.outlines[page.edition.address] if page.edition else None
        if page.resolved:
            file = File(page.name, page.text)
            yield Passage(page.text, page.resolved, home, home.home if home else "", page=file)


def _numbered(name: str, outline: Outline, shelf: Shelf) -> Outline | None:
    """The edition in which a player aid means a table by its number, the game before its series."""
    for one in shelf.around(outline):
        entry = one.find(name, one.home)
        # An id or a title that looks like a number is none: only tables that have a number are meant by it.
        if entry and entry.key in {anchor_of(table, one) for table in one.edition.tables if table.number}:
            return one
        if one.find(name) or table_named(shelf.tables[one.edition.address], name):
            return None
    return None


Home = str
"""The folder whose lock keeps a reference: ocs/4.3, ocs, or empty for the whole content folder."""


class Reference(NamedTuple):
    """A reference of a text, or a number that names a rule where no text does.

    `source`: what it stands in, by a name that lines and files do not change; `named`: the number as it is
    kept, with the book if a mark names one; `number`: the number itself. It leads into the edition
    `into`, to `target` if that has it, and as the end of a range to what is `inside`.
    `start`: where in the text of `passage` it stands. `shows`: nobody reads what is there, so that only
    the rule has to be the right one.
    """

    home: Home
    source: str
    named: str
    number: Number | None
    into: Outline
    target: Target | None
    passage: Passage
    start: int
    end: int
    inside: tuple[Entry, ...] = ()
    shows: bool = False

    @property
    def key(self) -> tuple[str, str]:
        return self.source, self.named

    @property
    def standing(self) -> str:
        """Name of the rule, page and so on around it, for a message; with another edition's address."""
        sort, _, name = self.source.partition(" ")
        other = "/" in self.home and self.home != self.into.edition.address
        if sort == "rule":
            return f"{self.home}:{name}" if other else name
        said = name if sort == "page" else self.source
        return f"{said} of {self.home}" if other else said

    @property
    def place(self) -> Place:
        return self.passage.place(self.start)


def home_of(file: str, shelf: Shelf) -> Home:
    """The folder whose lock keeps the references of a file: that of its edition or, in none, of its book."""
    folders = file.split("/")[1:-1]
    address = "/".join(folders[:2])
    if address in shelf.outlines:
        return address
    return folders[0] if folders and folders[0] in shelf.newest else ""


def lock_of(home: Home) -> str:
    """The name of a folder's lock."""
    return "/".join(filter(None, (CONTENT, home, LOCK)))


def source_of(passage: Passage, home: Home) -> str:
    """Name of the rule, page and so on of a text, the same wherever that is moved in its files."""
    owner = passage.owner
    match owner:
        case Entry():
            return f"rule {owner.key}"
        case TableEntry():
            return f"table {owner.anchor}"
        case StepEntry():
            return f"step {owner.anchor}"
        case Sheet():
            return f"aid {owner.name}"
        case Remark():
            return field_of(owner.anchor)
    return f"term {field_of(owner)}" if owner else _page(passage.file, home)


def _page(file: str, home: Home) -> str:
    return f"page {file.removeprefix(f'{CONTENT}/{home}').strip('/')}"


def references(shelf: Shelf, manuscripts: Sequence[Manuscript]) -> Iterator[Reference]:
    """Every reference, those too that lead to no rule; of those in one text of several steps, each once."""
    done: set[TextKey] = set()
    for passage in passages(shelf, manuscripts):
        if passage.key in done:
            continue
        done.add(passage.key)
        home = home_of(passage.file, shelf)
        source = source_of(passage, home)
        for one, named in named_in(passage):
            if into := passage.leads(one, shelf):
                where = one.found.start, one.found.end
                target = _target(one.thing) if one.thing else one.target
                yield Reference(home, source, named, one.number, into, target, passage, *where, one.inside)
    for outline in shelf.outlines.values():
        yield from names(outline, shelf)
        yield from _used(outline, shelf)


def named_in(
    passage: Passage, number_of: Callable[[Resolved], Number | None] = lambda one: one.number
) -> Iterator[tuple[Resolved, str]]:
    """The references in a text to rules, each with its number as it is kept; a range's end with both ends."""
    first = ""
    for one in passage.resolved:
        number = None if one.away else number_of(one)
        if one.thing:
            yield one, _thing_named(one, passage.text)
        if number is None:
            first = ""
            continue
        named = f"{one.found.book}:{number.key}" if one.found.book else number.key
        yield one, f"{first}–{named}" if one.found.through and first else named
        first = named


def _target(thing: Citable) -> Target | None:
    """The key of a thing in a lock: for a numbered table its rule, for a term none."""
    if isinstance(thing, TermName):
        return None
    return thing.home if isinstance(thing, TableEntry) else thing


def _thing_named(one: Resolved, text: str) -> str:
    """The name of what is no rule, as it is kept: the words of a mark, else how a text counts it."""
    words = text[one.found.start : one.found.end]
    if one.found.mark or not isinstance(one.thing, ListItem | StepEntry):
        return field_of(f"{one.found.book}:{words}" if one.found.book else words)
    if isinstance(one.thing, ListItem):
        return name_of(one.thing)
    around = one.thing.around.anchor if one.thing.around else TOP
    return f"{COUNTED}{around} {words.split()[-1].strip('()')}"


def names(outline: Outline, shelf: Shelf) -> Iterator[Reference]:
    """The numbers in an edition that name a rule, of any edition, where no text does."""
    edition = outline.edition

    def name(text: Text, owner: str, into: Outline, start: int = 0, was: str = "") -> Iterator[Reference]:
        if number := into.edition.dialect.parse(text[start:].strip(), into.home):
            key, target = f"{was}{number.key}", into.entries.get(number.key)
            at = Passage(text, (), into, into.home), start, len(text)
            yield Reference(edition.address, field_of(owner), key, number, into, target, *at, shows=True)

    for redirect in edition.redirects.redirects if edition.redirects else ():
        for anchor, text in (("", redirect.to), *redirect.anchors.items()):
            start = len(TABLES) if text.startswith(TABLES) else 0
            yield from name(text, f"redirect {redirect.source}{anchor and '#'}{anchor}", outline, start)
    for sheet in shelf.sheets[edition.address]:
        for text, f in marked(sheet.aid, "names"):
            into = None
            if f.metadata["names"] == "table":
                into = _numbered(text, outline, shelf)
            elif f.metadata["names"] == "activity" and not outline.called(text):
                into = next((one for one in shelf.around(outline) if one.find(text)), outline)
            yield from name(text, f"aid {sheet.name}", into) if into else ()
    for erratum in edition.errata.errata if edition.errata else ():
        if erratum.table and _numbered(erratum.table, outline, shelf) is outline:
            yield from name(erratum.table, str(erratum), outline)
    if before := followed(outline, shelf.outlines):
        for entry, texts in was_of(outline):
            for text in texts:
                yield from name(text, f"rule {entry.key}", before, was="was ")
        for table in edition.tables:
            if table.was:
                yield from name(table.was, f"table {anchor_of(table, outline)}", before, was="was ")


def _used(outline: Outline, shelf: Shelf) -> Iterator[Reference]:
    edition = outline.edition
    done: set[TextKey] = set()
    for step in outline.every_step():
        for text in step.step.uses:
            numbered = any(one.find(text, one.home) for one in shelf.around(outline))
            if numbered or text.key in done or not written_in(text, edition):
                continue
            done.add(text.key)
            if table := shelf.table(edition, text):
                home, passage = edition.address, Passage(text, (), outline, outline.home, step)
                named, into = field_of(text), shelf.outlines[table.edition.address]
                yield Reference(
                    home, source_of(passage, home), named, None, into, table.home, passage, 0, len(text)
                )


def silent(
    wanted: Mapping[Home, Collection[Key]], shelf: Shelf, manuscripts: Sequence[Manuscript]
) -> Iterator[Reference]:
    """Numbers where references stood that lead to no rule now. `wanted`: those references, by lock folder."""
    for outline in shelf.outlines.values():
        address = outline.edition.address
        keys = wanted.get(address)
        rest = shelf.tables[address], shelf.sheets[address], shelf.remarks[address]
        for owner, texts, chapter in texts_in(outline, *rest) if keys else ():
            for text, cued in texts:
                if written_in(text, outline.edition):
                    passage = Passage(text, (), outline, chapter, owner, cued)
                    yield from _numbers(passage, str(text), keys or (), shelf)
    for page in manuscripts:
        keys = wanted.get(home := home_of(page.name, shelf))
        if keys and page.edition and any(source == _page(page.name, home) for source, _ in keys):
            outline = shelf.outlines[page.edition.address]
            passage = Passage(page.text, (), outline, outline.home, page=File(page.name, page.text))
            yield from _numbers(passage, prose_of(page.text), keys, shelf)


def _numbers(passage: Passage, prose: str, keys: Collection[Key], shelf: Shelf) -> Iterator[Reference]:
    outline = passage.outline
    assert outline
    home = home_of(passage.file, shelf)
    source = source_of(passage, home)
    if not any(key[0] == source for key in keys):
        return
    for one in {around.edition.dialect: around for around in reversed(shelf.around(outline))}.values():
        chapter = passage.chapter if one is outline else one.home
        for found in one.edition.finder.find(prose, chapter, passage.cued):
            number = found.number
            if number and found.cue is not Cue.NEVER and (source, number.key) in keys:
                yield Reference(home, source, number.key, number, one, None, passage, found.start, found.end)
