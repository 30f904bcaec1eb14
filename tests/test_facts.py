"""The five books, fact by fact: what their sources say, against what a player is shown.

`facts/` has a file for each book, whose rows were read from the source and from nothing else. A row says
where a fact is: `at` a step (titles from the outside in, parted by " / ", as much of each as is needed), in a
`rule`, in a `table`, or in the matrix of a sheet, as an `activity` in a `phase`. All else must be there:

    who         who acts: a role, a side, both, none, either of the players, several in their order;
                `unspecified` where the source names nobody
    duty        may, must, happens (an event that may come up), does (neither free nor left to chance)
    sort        combat: a combat action of whoever acts
    see         the references there, each of them a link
    label       the label printed ahead of it
    inside      the steps inside, in this order
    repeats     the step that is gone through again with the roles reversed; `drops` what it leaves out
    row         cells of one row of a table;  modifier, of: one modifier and what it is for
    lacks       words that must not be there
    mark        in the matrix: the mark of who may do it, or none
    says, cost, limit, only, when, dice, result, places, removes, flips, never, lasts, skip, exempt,
    swaps       words; a bar parts those of which one is enough

`on` says who has to say so: the `page` of the sequence of play, the `sheet` (its page, and its printed
words), the `walk` through the turn, the `text` (a rule, or a step in words). Where it is left out,
a step is looked for on the first three, a rule in the text, a table on its page and on the sheet.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import pytest
import yaml
from lxml import html as lxml

from rulewright.book.aid_plan import aid_sheets
from rulewright.print.print_job import PrintOptions
from rulewright.print.sheet_job import SheetJob
from rulewright.references.site_paths import chapter_path
from rulewright.render.render_context import RenderContext
from tests.displayed_steps import Part, parts, plain, rows
from tests.own_library import library, rendered
from tests.projects import ROOT

FACTS = sorted((ROOT / "tests/facts").glob("*.yml"))
WORDS = ("says", "cost", "limit", "only", "when", "dice", "result", "places", "removes", "never", "lasts")
WORDS += ("skip", "flips", "exempt", "swaps")
PAGES = {"page": ("sequence", "tables"), "walk": ("play",)}
SHOWN = {
    "may": r"\boptional\b",
    "must": r"\b(required|must|has to|have to|compulsory)\b",
    "happens": r"\bif\b",
}
OTHERS = {"unspecified": "Not specified", "either": "Either player"}
ROLLS = {"or less": "≤", "or more": "≥"}

Fact = Mapping[str, Any]


def several(value: Any) -> list[str]:
    return [str(one) for one in (value if isinstance(value, list) else [value])]


def mentions(term: str, words: str) -> bool:
    """Whether words have a term, or one of several that are parted by bars, at the beginning of a word."""
    for one in term.split("|"):
        begin, end = r"(?<!\w)" if one[:1].isalnum() else "", r"(?!\d)" if one[-1:].isdigit() else ""
        if re.search(begin + re.escape(plain(one)) + end, words, re.IGNORECASE):
            return True
    return False


@dataclass(frozen=True)
class Medium:
    """What a player looks at: `roots` are pages; `printed` are the words of a sheet on paper."""

    name: str
    roots: tuple[lxml.HtmlElement, ...]
    printed: str = ""

    @cached_property
    def tops(self) -> list[Part]:
        return [parts(root) for root in self.roots]

    def steps(self, path: str) -> list[Part]:
        """The step of a path in each of its roots."""
        names = [name for name in path.split(" / ") if name]
        found = ((top, list(_along(top, names))) for top in self.tops if top.inside)
        # What is called so comes before what only has the name in its title.
        return [max(several, key=lambda one: _exact(one, names)) for _, several in found if several]

    def rule(self, number: str) -> list[Part]:
        """A rule; on a sheet that does not have it, and without a number, all that there is."""
        for root in self.roots:
            found = [one for one in root.iter() if one.get("id") == number]
            if found and number:
                apart = (
                    ".//*[starts-with(concat(@class, ' '), 'rule ') or @class='game-turn' or @class='cited']"
                )
                return [Part(one, inside=[Part(inner) for inner in one.xpath(apart)]) for one in found]
        return [Part(root) for root in self.roots] if self.name == "sheet" or not number else []

    def tables(self, name: str) -> list[lxml.HtmlElement]:
        """The headings around a table, by its number or title."""
        sought = ".//*[@class='table-entry']"
        heads = (
            (one, one.xpath("(.//caption|.//h2)[1]")) for root in self.roots for one in root.xpath(sought)
        )
        return [one for one, (head, *_) in heads if mentions(name, Part(head).whole)]


def _along(part: Part, names: list[str]) -> Iterator[Part]:
    """The parts that lie along some titles, the last of them one of the last title."""
    if not names:
        yield part
        return
    for one in part.inside:
        if mentions(names[0], f"{one.label} {one.title}"):
            yield from _along(one, names[1:])
        yield from _along(one, names)


def _exact(part: Part, names: list[str]) -> int:
    """How many of some names are titles of a part, or of what it lies in."""
    titles = {one.title for one in part.up()}
    return sum(name in titles for name in names) + (part.title == names[-1] if names else 0)


def iter_strings(data: Any) -> Iterator[str]:
    """Iterate all strings in data for Typst."""
    if isinstance(data, str):
        yield data
    for inner in data.values() if isinstance(data, dict) else data if isinstance(data, (list, tuple)) else ():
        yield from iter_strings(inner)


class ShownBook:
    """A book of the library as its pages, sheets and walkthrough show it."""

    def __init__(self, address: str, sheets: Iterable[str]) -> None:
        self.address, self.sheets = address, tuple(sheets)
        self.media: dict[str, Medium] = {}

    def medium(self, name: str) -> Medium:
        if name not in self.media:
            printed = self._printed_words() if name == "sheet" else ""
            self.media[name] = Medium(name, tuple(self._page_roots(name)), printed)
        return self.media[name]

    def _printed_words(self) -> str:
        index = library().index
        context, options = RenderContext(index), PrintOptions(site="https://a.example/")
        aids = [aid for aid in aid_sheets(index.outlines[self.address].edition) if aid.name in self.sheets]
        data = [SheetJob(aid, context, options, _no_picture).data for aid in aids]
        return plain(" ".join(iter_strings(data)))

    def _page_roots(self, name: str) -> Iterator[lxml.HtmlElement]:
        base = self.address
        chapters = map(chapter_path, library().index.outlines[base].chapters)
        paths = [f"{base}/narrative", *chapters, f"{base}/tables", base]
        if name in PAGES:
            paths = [f"{base}/{one}" for one in PAGES[name]]
        if name == "sheet":
            paths = [f"{base}/aids/{one}" for one in self.sheets]
        html = {page.path: page.html for page in rendered().pages if page.path in paths}
        return (lxml.fromstring(html[path]) for path in paths if path in html)


def _no_picture(name: str) -> bytes:
    raise FileNotFoundError(name)


def media(fact: Fact) -> list[str]:
    """Who has to say a fact."""
    usual = ["text"] * ("rule" in fact) + ["page", "sheet", "walk"] * ("at" in fact)
    usual = usual or (["sheet"] if "activity" in fact else ["page", "sheet"])
    return several(fact["on"]) if "on" in fact else usual


def lacking(fact: Fact, shown: ShownBook, players: dict[str, str]) -> list[str]:
    """The missing parts of a fact; empty if it is complete."""
    return [
        f"{name}: {what}"
        for name in media(fact)
        for what in _Check(fact, shown.medium(name), players).lacks()
    ]


@dataclass(frozen=True)
class _Check:
    """A fact against one medium."""

    fact: Fact
    medium: Medium
    players: dict[str, str]

    def lacks(self) -> Iterator[str]:
        if "activity" in self.fact:
            yield from self.of_matrix()
        elif "table" in self.fact:
            yield from self.of_table()
        else:
            by_rule = "rule" in self.fact and (self.medium.name == "text" or "at" not in self.fact)
            found = self.medium.rule(self.fact["rule"]) if by_rule else self.medium.steps(self.fact["at"])
            if not found:
                yield "is not there"
            else:
                yield from self.of_words(" ".join(one.own if by_rule else one.whole for one in found), found)
                if not by_rule and self.medium.name != "text":
                    yield from self.of_step(found[0])

    def of_words(self, words: str, found: list[Part]) -> Iterator[str]:
        around = " ".join(one.own for part in found for one in part.up() if one.around)
        for key in WORDS:
            for term in several(self.fact.get(key, [])):
                shown = f"{words} {around}" if key == "when" else words
                if not mentions(term, shown) and not mentions(term, self.medium.printed):
                    yield f"{key}: {term}"
        links = " ".join(one.links for one in found)
        for number in several(self.fact.get("see", [])):
            for end in number.split("-"):
                if not re.search(rf"(?<![\w.]){re.escape(end)}(?!\w|\.\w)", links):
                    yield f"see: {number}"
        for term in several(self.fact.get("lacks", [])):
            if mentions(term, words):
                yield f"says {term}, which is wrong"

    def of_step(self, part: Part) -> Iterator[str]:
        fact = self.fact
        if "who" in fact and (actual := self.who(part)) != (wanted := several(fact["who"])):
            yield f"who: {wanted}, not {actual}"
        if "duty" in fact:
            fits = [name for name, sign in SHOWN.items() if re.search(sign, part.own, re.IGNORECASE)]
            if fact["duty"] != "does" and fact["duty"] not in fits:
                yield f"duty: {fact['duty']}"
            if fact["duty"] in ("does", "happens") and "may" in fits:
                yield f"duty: {fact['duty']}, not optional"
        if fact.get("sort") == "combat" and not any(one.combat for one in part.walk()):
            yield "sort: combat"
        if "label" in fact and fact["label"] != part.label:
            yield f"label: {fact['label']}, not {part.label}"
        if "inside" in fact:
            titles = iter([one.title for one in part.inside])
            for name in fact["inside"]:
                if not any(mentions(name, title) for title in titles):
                    yield f"inside: {name}, in this order"
                    break
        yield from self.of_turn(part)

    def of_turn(self, part: Part) -> Iterator[str]:
        """What a turn says of the one that it repeats; the walk goes through all of it instead."""
        again, dropped = self.fact.get("repeats"), self.fact.get("drops")
        if self.medium.name == "walk":
            titles = [one.title for one in part.inside]
            if again:
                other = self.medium.steps(again)[0]
                if not {one.title for one in other.inside} & set(titles) or other.sides == part.sides:
                    yield f"repeats: {again}"
            if dropped and dropped in titles:
                yield f"drops: {dropped}"
            return
        if again and not (mentions(again, part.own) and mentions("roles reversed", part.own)):
            yield f"repeats: {again}"
        if dropped and not re.search(rf"\bwithout .*{re.escape(dropped)}", part.own):
            yield f"drops: {dropped}"

    def who(self, part: Part) -> list[str]:
        """Who acts in a step: the role or, where the fact names a side, the side that has it there."""
        rounds = [one.title for one in part.inside if "round" in (one.element.get("class") or "").split()]
        names = rounds or next((one.actors for one in part.up() if one.actors), [])
        by_name = {name: key for key, name in (OTHERS | self.players).items()}
        keys = [by_name.get(name, name) for name in names]
        wanted = several(self.fact["who"])
        sides = next((one.sides for one in part.up() if one.sides), {})
        keys = keys or ["phasing"] * bool(sides)  # the rule in a player turn, whose bar says who that is
        if keys == wanted:
            return keys
        taken = dict(zip(("phasing", "non-phasing"), sides.values(), strict=False))
        by_side = [by_name.get(taken.get(key, ""), key) for key in keys]
        return by_side if by_side == wanted else keys

    def of_table(self) -> Iterator[str]:
        fact = self.fact
        found = self.medium.tables(fact["table"])
        if not found:
            yield f"table {fact['table']} is not there"
            return
        words = [Part(one) for one in found]
        yield from self.of_words(" ".join(one.whole for one in words), words)
        if "row" in fact:
            wanted = [_roll(plain(cell)) for cell in fact["row"]]
            if not any(wanted == [plain(cell) for cell in row] for one in found for row in rows(one)):
                yield f"row: {' · '.join(wanted)}"
        if "modifier" in fact:
            listed = ".//ul[contains(@class, 'modifiers')]/li"
            lines = [Part(one).whole for table in found for one in table.xpath(listed)]
            fits = [line for line in lines if re.match(rf"{re.escape(fact['modifier'])}(?!\d)", line)]
            if not any(all(mentions(term, line) for term in several(fact["of"])) for line in fits):
                yield f"modifier: {fact['modifier']} {fact['of']}"

    def of_matrix(self) -> Iterator[str]:
        fact = self.fact
        for root in self.medium.roots:
            for table in root.xpath(".//table[contains(@class, 'matrix')]"):
                heads = [Part(one).whole for one in table.xpath("./thead//th")]
                at = next((at for at, head in enumerate(heads) if mentions(fact["phase"], head)), None)
                lines = [row for row in rows(table) if mentions(fact["activity"], row[0])]
                turn = " ".join(Part(one).whole for one in table.iter("caption"))
                if at is not None and lines and (fact.get("turn", turn) in turn):
                    if lines[0][at] != fact["mark"]:
                        yield f"{fact['activity']}, {fact['phase']}: {fact['mark']}, not {lines[0][at]}"
                    return
        yield f"no matrix with {fact['activity']} and {fact['phase']}"


def _roll(cell: str) -> str:
    found = re.fullmatch(r"(\d+) (or less|or more)", cell)
    return f"{ROLLS[found[2]]}{found[1]}" if found else cell


@cache
def book(file: Path) -> dict[str, Any]:
    read: dict[str, Any] = yaml.load(file.read_text("utf-8"), yaml.BaseLoader)
    return read


@pytest.mark.parametrize("file", FACTS, ids=lambda file: file.stem)
def test_every_fact_of_the_source_is_where_a_player_looks(file):
    shown, players = ShownBook(book(file)["edition"], several(book(file)["aid"])), book(file)["players"]
    missing = [
        f"{file.name}, source line {fact['line']}, {dict(list(fact.items())[1:2])}: {what}"
        for fact in book(file)["facts"]
        for what in lacking(fact, shown, players)
    ]
    assert not missing, "\n".join([f"{len(missing)} are missing", *missing])


def test_a_folded_sheet_says_what_the_flat_one_does():
    file = ROOT / "tests/facts/ocs-4.3.yml"
    shown = ShownBook(book(file)["edition"], ["fold-out"])
    facts = [{**fact, "on": "sheet"} for fact in book(file)["facts"] if "sheet" in media(fact)]
    missing = [(fact, what) for fact in facts for what in lacking(fact, shown, book(file)["players"])]
    assert not missing, "\n".join(f"source line {fact['line']}: {what}" for fact, what in missing)
