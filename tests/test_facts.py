"""The five books, fact by fact: what their sources say, against what a player is shown.

`facts/` has a file for each book, whose rows were read from the source and from nothing else. A row says
where a fact is: `at` a step (titles from the outside in, parted by " / ", as much of each as is needed), in a
`rule`, in a `table`, or in the matrix of a sheet, as an `activity` in a `phase`. All else must be said there:

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

`on` says who has to say so: the `page` of the sequence of play, the `sheet` (its data as it goes to the
printer), the `walk` through the turn, the `text` (a rule, or a step told in words). Where it is left out,
a step is looked for on the first three, a rule in the text, a table on its page and on the sheet.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import pypdfium2
import pytest
import yaml
from lxml import html as lxml

from rulewright.book.aid_plan import aid_sheets
from rulewright.checks.load_and_check import CheckedProject, load_and_check_folder
from rulewright.files.content_reader import ContentFolder, read_content_folder
from rulewright.files.problems import SourceLocation
from rulewright.print.press.aid_job import AidJob
from rulewright.print.press.print_job import PrintOptions
from rulewright.references.site_paths import chapter_path
from rulewright.render import pages
from rulewright.render.render_context import RenderContext
from tests.displayed_steps import Part, parts, plain, rows
from tests.example_counts import TIMES
from tests.printing import needs_printer
from tests.projects import ROOT
from tests.sheet_html import sheet_html

FACTS = sorted((ROOT / "tests/facts").glob("*.yml"))
WORDS = ("says", "cost", "limit", "only", "when", "dice", "result", "places", "removes", "never", "lasts")
WORDS += ("skip", "flips", "exempt", "swaps")
PLACES = ("line", "at", "rule", "table", "activity", "phase", "turn", "on")
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


def told(term: str, words: str) -> bool:
    """Whether words have a term, or one of several that are parted by bars, at the beginning of a word."""
    for one in term.split("|"):
        begin, end = r"(?<!\w)" if one[:1].isalnum() else "", r"(?!\d)" if one[-1:].isdigit() else ""
        if re.search(begin + re.escape(plain(one)) + end, words, re.IGNORECASE):
            return True
    return False


@dataclass(frozen=True)
class Medium:
    """One of what a player looks at: `roots` are pages, or the blocks of a sheet, the sequence first."""

    name: str
    roots: tuple[lxml.HtmlElement, ...]

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
            tabs = root.xpath("//*[contains(@class, 'rule-name')]/*[@class='tab']")
            found += [tab.getparent().getparent() for tab in tabs if tab.text == number]
            if found and number:
                apart = (
                    ".//*[starts-with(concat(@class, ' '), 'rule ') or @class='game-turn' or @class='cited']"
                )
                return [Part(one, inside=[Part(inner) for inner in one.xpath(apart)]) for one in found]
        return [Part(root) for root in self.roots] if self.name == "sheet" or not number else []

    def tables(self, name: str) -> list[lxml.HtmlElement]:
        """What stands around a table, by its number or title."""
        sought = ".//*[@class='table-entry' or @class='tabled']"
        heads = (
            (one, one.xpath("(.//caption|.//h2)[1]")) for root in self.roots for one in root.xpath(sought)
        )
        return [one for one, (head, *_) in heads if told(name, Part(head).whole)]


def _along(part: Part, names: list[str]) -> Iterator[Part]:
    """The parts that lie along some titles, the last of them one of the last title."""
    if not names:
        yield part
        return
    for one in part.inside:
        if told(names[0], f"{one.label} {one.title}"):
            yield from _along(one, names[1:])
        yield from _along(one, names)


def _exact(part: Part, names: list[str]) -> int:
    """How many of some names are titles of a part, or of what it lies in."""
    titles = {one.title for one in part.up()}
    return sum(name in titles for name in names) + (part.title == names[-1] if names else 0)


class Shown:
    """A book as it is shown. `texts` are its files; its sheets are those that the facts name."""

    def __init__(self, address: str, sheets: Iterable[str], texts: Mapping[str, bytes] | None = None) -> None:
        self.address, self.sheets = address, tuple(sheets)
        book = f"content/{address.partition('/')[0]}/"
        folder = read_content_folder(ROOT)
        texts = texts or {name: data for name, data in folder.texts.items() if name.startswith(book)}
        self.texts, others = texts, [name for name in folder.other_files if name.startswith(book)]
        self.media: dict[str, Medium] = {}
        self.examined: CheckedProject = load_and_check_folder(ContentFolder(texts, others))

    @cached_property
    def pages(self) -> dict[str, lxml.HtmlElement]:
        made = pages.render_site(RenderContext(self.examined.index), self.examined.library).pages
        return {page.path: lxml.fromstring(page.html) for page in made}

    @cached_property
    def orders(self) -> list[AidJob]:
        edition, desk = self.examined.index.outlines[self.address].edition, RenderContext(self.examined.index)
        wanted = (sheet for sheet in aid_sheets(edition) if sheet.name in self.sheets)
        return [AidJob(sheet, desk, PrintOptions(site="https://a.example/"), _no_picture) for sheet in wanted]

    def medium(self, name: str) -> Medium:
        return self.media.get(name) or self.media.setdefault(name, self._medium(name))

    def _medium(self, name: str) -> Medium:
        base = self.address
        if name in PAGES:
            paths = (f"{base}/{one}" for one in PAGES[name])
            return Medium(name, tuple(self.pages[path] for path in paths if path in self.pages))
        if name == "sheet":
            sheets = [lxml.fromstring(sheet_html(order.made_of.data)) for order in self.orders]
            paths = ("//section[starts-with(@class, 'block ')]", "//h1|//header")
            return Medium(name, tuple(one for path in paths for sheet in sheets for one in sheet.xpath(path)))
        chapters = map(chapter_path, self.examined.index.outlines[base].chapters)
        paths = (f"{base}/narrative", *chapters, f"{base}/tables", base)
        return Medium(name, tuple(self.pages[path] for path in paths if path in self.pages))


def _no_picture(name: str) -> bytes:
    raise FileNotFoundError(name)


def media(fact: Fact) -> list[str]:
    """Who has to say a fact."""
    usual = ["text"] * ("rule" in fact) + ["page", "sheet", "walk"] * ("at" in fact)
    usual = usual or (["sheet"] if "activity" in fact else ["page", "sheet"])
    return several(fact["on"]) if "on" in fact else usual


def lacking(fact: Fact, shown: Shown, players: dict[str, str]) -> list[str]:
    """What of a fact is not said where it ought to be; nothing of one that is."""
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
                if not told(term, f"{words} {around}" if key == "when" else words):
                    yield f"{key}: {term}"
        links = " ".join(one.links for one in found)
        for number in several(self.fact.get("see", [])):
            for end in number.split("-"):
                if not re.search(rf"(?<![\w.]){re.escape(end)}(?!\w|\.\w)", links):
                    yield f"see: {number}"
        for term in several(self.fact.get("lacks", [])):
            if told(term, words):
                yield f"says {term}, which is wrong"

    def of_step(self, part: Part) -> Iterator[str]:
        fact = self.fact
        if "who" in fact and (said := self.who(part)) != (wanted := several(fact["who"])):
            yield f"who: {wanted}, not {said}"
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
                if not any(told(name, title) for title in titles):
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
        if again and not (told(again, part.own) and told("roles reversed", part.own)):
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
            if not any(all(told(term, line) for term in several(fact["of"])) for line in fits):
                yield f"modifier: {fact['modifier']} {fact['of']}"

    def of_matrix(self) -> Iterator[str]:
        fact = self.fact
        for root in self.medium.roots:
            for table in root.xpath(".//table[contains(@class, 'matrix')]"):
                heads = [Part(one).whole for one in table.xpath("./thead//th")]
                at = next((at for at, head in enumerate(heads) if told(fact["phase"], head)), None)
                lines = [row for row in rows(table) if told(fact["activity"], row[0])]
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


@cache
def as_it_is(file: Path) -> Shown:
    return Shown(book(file)["edition"], several(book(file)["aid"]))


@pytest.mark.parametrize("file", FACTS, ids=lambda file: file.stem)
def test_every_fact_of_the_source_is_said_where_a_player_looks(file: Path) -> None:
    shown, players = as_it_is(file), book(file)["players"]
    missing = [
        f"{file.name}, source line {fact['line']}, {dict(list(fact.items())[1:2])}: {what}"
        for fact in book(file)["facts"]
        for what in lacking(fact, shown, players)
    ]
    assert not missing, "\n".join([f"{len(missing)} are not said", *missing])


FEW, MANY = 97, max(1, 61 // TIMES)
"""One in so many of what facts ask for is taken out of the content; primes, to come to every key."""

DRAWN = ("modified roll|modified dice roll",)
"""What the program says by itself, as of a table that has modifiers."""


def _asked(file: Path) -> Iterator[tuple[Fact, str, str]]:
    """Each thing that a fact asks for, a key with one value."""
    for fact in book(file)["facts"]:
        for key in fact:
            if key not in (*PLACES, "lacks", "drops", "modifier", "mark"):
                for value in several(fact[key])[: 1 if key == "inside" else None]:
                    if value not in DRAWN and not (key == "duty" and value == "does"):
                        yield fact, key, value


def _lines(shown: Shown, fact: Fact, key: str) -> Iterator[tuple[str, int, int]]:
    """Where the content has what a fact is about: a file, the first of some lines, the one behind them."""
    outline, tables = (
        shown.examined.index.outlines[shown.address],
        shown.examined.index.editions[shown.address].tables,
    )
    assert outline.edition.sequence
    places: list[tuple[SourceLocation, object]] = []
    if at := fact.get("at"):
        anchor = shown.medium("walk").steps(at)[0].element.get("id")
        stop = next(step for step in outline.sequence.iter_played() if step.anchor == anchor)
        while key == "when" and stop.parent and not stop.parent.is_turn:
            stop = stop.parent  # what is around a step may say when it is done
        differs = stop.difference or (stop.parent and stop.parent.difference)
        places.append((stop.step.title.place, differs or key == "inside"))
    elif at == "" or ("rule" in fact and "sheet" in media(fact)):  # a sheet may have a rule's words there
        places.append((outline.edition.sequence.title.place, True))
    if "rule" in fact:
        rules = (one for one in outline.entries.values() if fact["rule"] in (one.key, ""))
        places += [(one.rule.number.place, not one.parent) for one in rules if one.rule]
        places += [(aid.title.place, True) for aid in outline.edition.aids if not fact["rule"]]
    if "table" in fact:
        named = (one.table.title for one in tables if fact["table"] in (one.anchor, one.table.title))
        places += [(title.place, True) for title in named]
    for place, whole in places:
        lines = shown.texts[place.file].decode().splitlines()
        deep = [len(line) - len(line.lstrip()) if line.strip() else 99 for line in lines]
        first = place.line - 1
        behind = (at for at in range(first + 1, len(lines)) if deep[at] <= deep[first])
        yield (place.file, 0, len(lines)) if whole else (place.file, first, next(behind, len(lines)))


def _without(lines: list[str], key: str, value: str) -> list[str]:
    """Lines of content that do not say something any more."""
    head, *others = lines
    if key == "who":
        other = "none" if value != "none" else "both"
        if head.rstrip().endswith("}"):
            return [re.sub(r"(, by: [^,}]*)?\}$", f", by: {other}}}", head.rstrip()), *others]
        key_at = " " * (len(head) - len(head.lstrip()) + 2)
        return [head, f"{key_at}by: {other}", *(one for one in others if not one.startswith(f"{key_at}by:"))]
    text = "\n".join(lines)
    names = {"may": "optional", "happens": "if", "combat": "activity"}
    for name in {key, value, names.get(value, key)} - {"says"}:
        text = re.sub(rf"(?m)^ *{re.escape(name)}:.*$|, {re.escape(name)}: [^,}}]*", "", text)
    for word in {"must": ["must", "has to", "have to"]}.get(value, value.split("|")):
        found = re.fullmatch(r"(\d+) (or less|or more)", word)
        rolls = [f"..{found[1]}", f"{found[1]}.."] if found else []
        for one in word.split("-") if key == "see" else [word, *rolls]:
            begin, end = r"(?<!\w)" if one[:1].isalnum() else "", r"(?!\d)" if one[-1:].isdigit() else ""
            sought = re.escape(one).replace(r"\ ", r"[\s*]+").replace(r"\-", "[-–]")
            # Keys stay, which stand ahead of a colon at the beginning of a line or behind a brace or a comma.
            sought = rf"(^\s*(?:- )?[\w-]+:|[{{,] [\w-]+:)|{begin}{sought}{end}"
            text = re.sub(sought, lambda found: found[1] or "zzz", text, flags=re.IGNORECASE | re.MULTILINE)
    return text.splitlines()


def without(shown: Shown, fact: Fact, key: str, value: str) -> Shown:
    """A book whose content does not say any more what a fact asks for."""
    texts = dict(shown.texts)
    for name, first, behind in sorted(_lines(shown, fact, key), reverse=True):
        lines = texts[name].decode().splitlines()
        lines[first:behind] = _without(lines[first:behind], key, value)
        texts[name] = "\n".join([*lines, ""]).encode()
    return Shown(shown.address, shown.sheets, texts)


def test_a_folded_sheet_says_what_the_flat_one_does() -> None:
    file = ROOT / "tests/facts/ocs-4.3.yml"
    shown = Shown(book(file)["edition"], ["fold-out"])
    facts = [{**fact, "on": "sheet"} for fact in book(file)["facts"] if "sheet" in media(fact)]
    missing = [(fact, what) for fact in facts for what in lacking(fact, shown, book(file)["players"])]
    assert not missing, "\n".join(f"source line {fact['line']}: {what}" for fact, what in missing)


@needs_printer
@pytest.mark.thorough
def test_a_printed_sheet_says_the_facts_as_well() -> None:
    """The PDF of one book's sheet, whose words are read with another tool than the one that made it."""
    file = ROOT / "tests/facts/ocs-4.3.yml"
    (order,) = as_it_is(file).orders
    pages = pypdfium2.PdfDocument(order.make().pdf)
    # A word that is parted at the end of a line has a mark of its own there.
    said = " ".join(page.get_textpage().get_text_range() for page in pages)
    words = plain(" ".join(said.replace("\ufffe", sign) for sign in ("", "-")))
    facts = [fact for fact in book(file)["facts"] if "sheet" in media(fact)]
    missing = [
        f"source line {fact['line']}: {key}: {term}"
        for fact in facts
        for key in WORDS
        for term in several(fact.get(key, []))
        if not told(term, words)
    ]
    assert len(facts) > 100
    assert not missing, "\n".join(missing)


@pytest.mark.parametrize("one_in", [FEW, pytest.param(MANY, marks=pytest.mark.thorough)])
@pytest.mark.parametrize("file", FACTS, ids=lambda file: file.stem)
def test_what_is_taken_out_of_the_content_is_missed_wherever_it_was_said(file: Path, one_in: int) -> None:
    shown, players = as_it_is(file), book(file)["players"]
    unseen = []
    for fact, key, value in list(_asked(file))[::one_in]:
        missed = {one.partition(":")[0] for one in lacking(fact, without(shown, fact, key, value), players)}
        asked = [name for name in media(fact) if name != "text" or key in (*WORDS, "see")]
        if left := set(asked) - missed:
            unseen.append(f"{file.name}, source line {fact['line']}: {key}: {value} ({', '.join(left)})")
    assert not unseen, "\n".join(["Taken out of the content, and not missed:", *unseen])
