"""Every string of every content file: its change is reported at its item, and nowhere else.

Many strings are changed at once, each by its own word, so that the reported words identify them.
"""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from functools import cache
from typing import Any

import pytest
from _pytest.mark import ParameterSet

from rulewright.book.errata_entries import ErrataEntry
from rulewright.book.library import BookLibrary, Edition
from rulewright.book.library_reader import read_library
from rulewright.book.outline import RuleEntry
from rulewright.book.table_entries import TableEntry
from rulewright.checks.load_and_check import CheckedProject, load_and_check_folder
from rulewright.compare.edition_diff import compare_states
from rulewright.compare.item_change import ItemChange
from rulewright.compare.rule_digests import RuleDigests
from rulewright.files.content_folder import LOCK
from rulewright.files.content_reader import ContentFolder, read_content_folder
from rulewright.files.located_text import LocatedText, Node, YamlMapping, YamlSequence
from rulewright.files.text_edits import FileEdits as FileEdits
from rulewright.files.text_edits import apply_edits_to_bytes
from rulewright.files.yaml_tree import load_yaml_tree
from rulewright.render import pages
from rulewright.render.render_context import RenderContext
from rulewright.schema.aid import Aid
from rulewright.schema.erratum import Erratum, Question
from rulewright.schema.rulebook import SETS, EditionFile, KnownNumbers, ListedRule, Rule, Rulebook
from rulewright.schema.step import PlaySequence, Step, TurnDifference
from rulewright.schema.table import Table
from rulewright.sequence.sequence_step import SequenceStep
from tests.edited_library import FILES
from tests.projects import ROOT
from tests.revisions import Maker, files_of
from tests.test_changes import EVERYTHING, editions
from tests.test_sixth import SIXTH

OWNERS = (
    Rule,
    ListedRule,
    Rulebook,
    EditionFile,
    KnownNumbers,
    Step,
    PlaySequence,
    Table,
    Aid,
    Erratum,
    Question,
)
OWNERS = (*OWNERS, TurnDifference)
WORD = re.compile(r"zq\d+(?!\d)")

READ_BY = {"numbers", "chapters", "levels", "suffixes", "implied", "alphabet", "steps", "edition", "follows"}
READ_BY |= {"extends", "books", "cues", "joins", "through", "not_references"}
NAMES = {"books", "roles", "sides", "symbols", "counters"}
"""Keys of a rulebook and an edition by which the rest is read, and those whose names it is written with."""

QUOTES = {"replace", "insert", "delete", "after", "before", "which", "table", "row", "column", "step"}
QUOTES |= {"particular", "aid", "part"}
"""Keys of an erratum that find the words it changes: another one changes nothing."""


@dataclass(frozen=True)
class String:
    """A string of a content file, the part of the model that it belongs to, and the field that holds it."""

    text: LocatedText
    owner: Any
    field: Any
    is_name: bool

    @property
    def home(self) -> str:
        return str(place(self.owner))

    def other(self, at: int) -> str:
        """Another value: one more word where it may be any words; empty where it has to be what it is."""
        known, name = self.field.metadata, self.field.name
        if isinstance(self.owner, Rulebook | EditionFile) and name in (NAMES if self.is_name else READ_BY):
            return ""
        if isinstance(self.owner, Erratum) and name in QUOTES:
            return ""
        if known.get("words"):
            return next((word for word in SETS[known["words"]] if word != self.text), "")
        for sort, values in (
            ("date", ("1999-09-09", "1998-08-08")),
            ("count", "34"),
            ("width", ("37%", "36%")),
            ("colour", ("#102030", "#203040")),
        ):
            if known.get(sort):
                return next(value for value in values if value != self.text)
        if {"cites", "of_series", "names"} & {*known} or known.get("apart"):
            return ""
        return f"{self.text} zq{at}"


def place(owner: Any) -> Any:
    """Where a part of the model begins, which tells it apart, whichever edition or turn shows it."""
    for name in ("number", "title", "edition", "question"):
        if isinstance(text := getattr(owner, name, None), LocatedText):
            return text.printed.place
    return next(one.text.place for one in strings_in(owner, owner))


def strings_in(value: Any, owner: Any, field: Any = None, is_name: bool = False) -> Iterator[String]:
    if isinstance(value, LocatedText):
        yield String(value.printed, owner, field, is_name)
    elif isinstance(value, Mapping):
        for name, inner in value.items():
            yield from strings_in(name, owner, field, True)
            yield from strings_in(inner, owner, field)
    elif isinstance(value, tuple):
        yield from (one for inner in value for one in strings_in(inner, owner, field))
    elif is_dataclass(value):
        mine = value if isinstance(value, OWNERS) else owner
        for f in fields(value):
            yield from strings_in(getattr(value, f.name), mine, f)


def strings(library: BookLibrary) -> list[String]:
    """Every string of the books, each once, wherever it is inherited or repeated."""
    found: dict[Any, String] = {}
    for e in read_library(ContentFolder(library.texts, library.other_files)).editions.values():
        sequence = e.derived.game_sequence if e.derived else e.sequence
        parts = (e.book, e.edition_file, e.known, e.chapters, sequence, e.tables, e.aids)
        for part in (*parts, e.redirects, e.errata, e.questions):
            for one in strings_in(part, e.edition_file):
                if one.text.start < one.text.end:
                    found.setdefault((one.text.file.name, one.text.start, one.text.end), one)
    return [*found.values()]


def written(folder: ContentFolder, chosen: Mapping[int, String]) -> ContentFolder:
    """The folder with other values for some strings."""
    result = FileEdits()
    for at, one in chosen.items():
        start, end = one.text.file_span(0, len(one.text))
        other = one.other(at)
        if other.startswith(one.text):
            result.add(one.text.file.name, end, end, other[len(one.text) :])
        else:
            result.add(one.text.file.name, start, end, other)
    texts = {name: apply_edits_to_bytes(data, result.for_file(name)) for name, data in folder.texts.items()}
    return ContentFolder(texts, folder.other_files)


def folder_of(checked: CheckedProject) -> ContentFolder:
    return ContentFolder(checked.library.texts, checked.library.other_files)


def unlocked(texts: Mapping[str, bytes], others: Any = ()) -> ContentFolder:
    return ContentFolder({name: data for name, data in texts.items() if not name.endswith(LOCK)}, others)


@cache
def books(name: str) -> tuple[CheckedProject, list[String]]:
    ours = read_content_folder(ROOT)
    folder = {
        "ours": lambda: unlocked(ours.texts, ours.other_files),
        "attacked": lambda: unlocked(FILES),
        "sixth": lambda: unlocked(read_content_folder(SIXTH).texts, read_content_folder(SIXTH).other_files),
        "invented": lambda: unlocked({n: data for at in range(INVENTED) for n, data in invented(at).items()}),
        "everything": lambda: unlocked({n: text.encode() for n, text in editions(EVERYTHING).items()}),
    }[name]()
    result = load_and_check_folder(folder)
    every = strings(result.library)
    named = {step for one in every for step in _named(one)}
    return result, [one for one in every if one.text not in named]


def _named(one: String) -> Iterator[str]:
    """The names that a string holds of steps, tables and the like, which are to stay."""
    finds = isinstance(one.owner, Erratum) and one.field.name in QUOTES
    if {"names", "cites", "apart"} & {*one.field.metadata} or finds:
        yield from one.text.split(" › ")


def remembered(here: CheckedProject) -> list[tuple[set[str], str]]:
    """What a lock keeps of each rule and table, with where it begins."""
    index = here.index
    digests = RuleDigests(index, {})
    targets = [one for outline in index.outlines.values() for one in outline.ordered_entries]
    targets += [one for edition in index.editions.values() for one in edition.tables if not one.entry]
    return [
        (homes_of(one) | homes_of(index.tables_by_target.get(one, one)), " ".join(digests.words(one)))
        for one in targets
    ]


def words_of(change: ItemChange[Any]) -> list[str]:
    """The words of ours that a change tells, once for each part that has them."""
    texts = (
        f"{part.name} {' '.join(piece.text for piece in part.pieces if piece.change == '+')}"
        for part in change.parts
    )
    return [word for text in texts for word in dict.fromkeys(WORD.findall(text))]


def homes_of(thing: Any) -> set[str]:
    """Where the parts of the model begin that a thing of an edition is."""
    match thing:
        case RuleEntry():
            parts = [thing.rule, thing.listed_rule]
        case SequenceStep():
            parts = [thing.step]
        case TableEntry():
            parts = [thing.table]
        case Edition():
            parts = [thing.book, thing.edition_file, thing.known]
        case ErrataEntry():
            parts = [thing.source]
        case _:
            parts = [thing]
    return {str(place(part)) for part in parts if part}


BATCHES = 6
INVENTED = 50


def invented(seed: int) -> dict[str, bytes]:
    """A book drawn from a seed: of each part of the model it may have some, with some of their keys."""
    maker = Maker(seed)
    chance, book = maker.chance, f"book{seed}"
    texts = files_of(
        maker.book(chance.randint(1, 3), chance.randint(1, 3), chance.randint(0, 3)), "1", "", book
    )

    def words() -> str:
        return json.dumps(" ".join(map(str, maker.words(3, 9))))

    def some(**keys: str) -> str:
        return "".join(
            f"{key.replace('_', ' ')}: {value}, " for key, value in keys.items() if chance.random() < 0.5
        )

    def drawn(form: Callable[[int], str]) -> str:
        return "".join(form(at) for at in range(chance.randint(1, 3)))

    terms = drawn(lambda at: f"  term{at}: {{{some(aliases=f'[alias{at}]')}means: {words()}}}\n")
    signs = drawn(lambda at: f"  sign{at}: {{{some(means=words())}letters: S}}\n")
    pieces = drawn(
        lambda at: f"  piece{at}: {{{some(means=words(), top=words(), values=words())}words: W}}\n"
    )
    texts[f"content/{book}/rulebook.yml"] = (
        f'title: {maker.title()}\nnumbers: "1.1a"\nchapters: "1.0"\nroles: {{both: {{title: Both}}}}\n'
        f"terms:\n{terms}symbols:\n{signs}counters:\n{pieces}"
    ).encode()
    row = drawn(
        lambda at: (
            f"  - {{{some(note=words(), narrative=words(), cost=words())}phase: Phase {at}, by: both}}\n"
        )
    )
    rows = drawn(lambda at: f"  - {{First: {words()}, Second: {words()}}}\n")
    noted = drawn(lambda at: f"  - {{{some(title=words())}{chance.choice(('play', 'design'))}: {words()}}}\n")
    why = some(reason=words(), source=words())
    errata = drawn(lambda at: f"  - {{{why}erratum: {at}, at: '1.0', date: 2001-01-01, says: {words()}}}\n")
    asked = drawn(lambda at: f"  - {{{some(source=words())}question: {words()}, answer: {words()}}}\n")
    for name, content in {
        "sequence": f"title: {maker.title()}\nsteps:\n{row}",
        "tables/one": f"id: one\ntitle: Table {maker.title()}\ncolumns: [First, Second]\nrows:\n{rows}",
        "errata": f"errata:\n{errata}",
        "questions": f"questions:\n{asked}",
        "aids/card": f"title: {maker.title()}\nblocks:\n  - notes: {words()}\n",
    }.items():
        if chance.random() < 0.7:
            texts[f"content/{book}/1/{name}.yml"] = content.encode()
    texts[f"content/{book}/1/rules/1.yml"] += f"\nnotes:\n{noted}closing: {words()}\n".encode()
    return texts


def batches(*names: str) -> list[ParameterSet]:
    """Each name with every batch; of our own books, which are large, one is enough for a quick run."""
    pairs = [(name, batch) for name in names for batch in range(BATCHES)]
    return [
        pytest.param(name, batch, marks=[pytest.mark.thorough] if name == "ours" and batch else [])
        for name, batch in pairs
    ]


@pytest.mark.parametrize(("name", "batch"), batches("ours", "attacked", "sixth", "everything", "invented"))
def test_each_changed_string_is_reported_at_its_item_and_nothing_else_is(name, batch):
    before, every = books(name)
    chosen = {at: one for at, one in enumerate(every) if at % BATCHES == batch and one.other(at)}
    after = load_and_check_folder(written(folder_of(before), chosen))
    assert before.index.outlines.keys() == after.index.outlines.keys()
    found = compare_states(before.index, after.index)
    rows = [row for one in found for row in one.changes_by_type.values()]
    changes = [change for row in rows for change in row if change.is_reported]
    reported = Counter(word for change in changes for word in words_of(change))
    wanted = {f"zq{at}": one for at, one in chosen.items() if one.other(at).startswith(one.text)}
    amended = {word for word, one in wanted.items() if isinstance(one.owner, Erratum)}
    unseen = [(one.text, str(one.text.place)) for word, one in wanted.items() if word not in reported]
    assert not unseen
    assert not [(word, count) for word, count in reported.items() if count > 1 and word not in amended]
    away = [
        (word, str(change.present_item))
        for change in changes
        for word in words_of(change)
        if wanted[word].home not in homes_of(change.old or change.new)
        and not isinstance(wanted[word].owner, Erratum | TurnDifference)
    ]
    assert not away
    homes = {one.home for one in chosen.values() if not isinstance(one.owner, TurnDifference)}
    everywhere = {home for change in changes for home in homes_of(change.old or change.new)}
    assert homes <= everywhere
    both = zip(remembered(before), remembered(after), strict=True)
    mean = {one.home for one in chosen.values() if isinstance(one.owner, Rule | Table)}
    unchanged = {one.home for one in chosen.values() if one.field.name == "title"}
    differ = [here for (here, was), (_, now) in both if was != now]
    assert mean - unchanged <= {home for here in differ for home in here}
    assert not [here for here in differ if not here & mean]
    # What an erratum is of changes with it, also where it does not find that any more.
    corrected = {
        home
        for remark, things in RenderContext(before.index).targets_by_entry.items()
        if remark.erratum
        for thing in things
        for home in homes_of(thing)
    }
    stray = [c for c in changes if not words_of(c) and not (homes | corrected) & homes_of(c.old or c.new)]
    assert not [(c.kinds, [(part.name, part.pieces) for part in c.parts]) for c in stray]


NEXT = {"everything": "harbour/1", "attacked": "duel/2", "ours": "ember-coast/2.1"}
"""An edition of each that gets a next one, in which strings are changed."""


@cache
def succeeded(name: str) -> tuple[CheckedProject, list[String]]:
    """The books with a next edition that says what the one before says."""
    address, texts = NEXT[name], dict(books(name)[0].library.texts)
    book, _, own = address.partition("/")
    at = f"content/{address}/"
    files = {one: data for one, data in texts.items() if one.startswith(at)}
    dated = {f"content/{book}/9/{one.removeprefix(at)}": data for one, data in files.items()}
    dated[f"content/{book}/9/edition.yml"] = f'edition: "9"\nfollows: "{own}"\ndate: "2025-12-31"\n'.encode()
    result = load_and_check_folder(unlocked({**texts, **dated}, books(name)[0].library.other_files))
    here = {one.text for one in books(name)[1]}
    every = [one for one in strings(result.library) if one.text in here]
    return result, [one for one in every if one.text.file.name.startswith(f"content/{book}/9/")]


@pytest.mark.parametrize(("name", "batch"), batches(*NEXT))
def test_the_page_of_changes_tells_each_string_that_differs(name, batch):
    before, every = succeeded(name)
    players = Rule | Step | PlaySequence | Table | Aid
    chosen = {
        at: one
        for at, one in enumerate(every)
        if at % BATCHES == batch and isinstance(one.owner, players) and one.other(at).startswith(one.text)
    }
    after = load_and_check_folder(written(folder_of(before), chosen))
    path = f"{NEXT[name].partition('/')[0]}/9/changes"
    site = pages.render_site(RenderContext(after.index), after.library).pages
    html = next(page.html for page in site if page.path == path)
    page = re.sub(r"<[^>]*>", "", html)
    reported = {*WORD.findall(page)}
    assert reported == {f"zq{at}" for at in chosen}


def leaves(node: Node | None) -> Iterator[LocatedText]:
    """Every value of a file."""
    if isinstance(node, LocatedText):
        yield node
    elif isinstance(node, YamlSequence):
        yield from (text for one in node.items for text in leaves(one))
    elif isinstance(node, YamlMapping):
        yield from (text for one in node.entries.values() for text in leaves(one))
        yield from leaves(node.value)


def test_every_value_of_a_file_is_in_the_model():
    """No string is read by anything else, so that what reads the model misses none."""
    before, _ = books("ours")
    spans = {(one.text.file.name, one.text.start) for one in strings(before.library)}
    for name, data in before.library.texts.items():
        if name.endswith(".yml") and name != "content/elsewhere.yml":
            tree, _ = load_yaml_tree(name, data)
            lost = [text for text in leaves(tree) if text and (name, text.start) not in spans]
            assert not lost, name
