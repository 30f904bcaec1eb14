"""Turns that repeat another with differences: page, sheet, strip, outline and walk against the YAML.

The turns are made up by a seed, and read here once more by nothing but the rules of the keys: what is dropped
is not there, what is added stands where it says, and a change replaces the keys that it names.
"""

import copy
import json
import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import pytest
import yaml
from lxml import html as lxml

from rulewright.book.sheet import sheets_of
from rulewright.checks.examine import Examined, examine_folder
from rulewright.citations.turn import Stop, walk
from rulewright.print import step_nodes
from rulewright.print.press.orders import PrintOptions
from rulewright.print.press.sheet_order import SheetOrder
from rulewright.site import pages
from rulewright.site.context import Desk
from rulewright.site.exports.data import json as as_json
from rulewright.site.exports.lines import View
from rulewright.site.exports.written import text as as_text
from rulewright.source.folder import Folder
from tests.ours import library, rendered
from tests.said import Part, parts, plain
from tests.sheet_html import sheet_html

KINDS = ("phase", "segment", "do")
WORDS = "Amber Birch Cedar Delta Ember Flint Grove Heron Islet Juniper Kestrel Lantern Meadow Nettle Otter"
FACTS = {"cost": "pay {}", "only": "only {}", "rolls": "roll {}", "optional": "optional"}
Step = dict[str, Any]


def kind(step: Step) -> str:
    return next(name for name in KINDS if name in step)


def title(step: Step) -> str:
    return str(step[kind(step)])


def walked(steps: Sequence[Step]) -> Iterator[Step]:
    for step in steps:
        yield step
        yield from walked(step.get("steps", []))


@dataclass
class MadeUp:
    """A game turn of three player turns: the second repeats the first, the third one of the two."""

    seed: int
    names: Iterator[str] = field(init=False)

    def __post_init__(self) -> None:
        self.chance = random.Random(self.seed)
        names = [f"{one} {other.lower()}" for one in WORDS.split() for other in WORDS.split() if one != other]
        self.chance.shuffle(names)
        self.names = iter(names)
        first: Step = {"player turn": "Red Turn", "id": "red", "phasing": "red"}
        first["steps"] = [self.phase() for _ in range(self.chance.randint(2, 4))]
        self.first = first
        self.second: Step = {"player turn": "Blue Turn", "id": "blue", "repeats": "red", "phasing": "blue"}
        self.second["except"] = self.differences(first["steps"])
        base = self.chance.choice(("red", "blue"))
        self.third: Step = {"player turn": "Gold Turn", "id": "gold", "repeats": base, "phasing": "gold"}
        of = first["steps"] if base == "red" else expected(first["steps"], self.second["except"])
        if self.seed % 3:
            self.third["except"] = self.differences([bare(step) for step in of])

    def step(self, kind: str) -> Step:
        made: Step = {kind: next(self.names)}
        for name in FACTS:
            if self.chance.random() < 0.25:
                made[name] = "yes" if name == "optional" else next(self.names).lower()
        if self.chance.random() < 0.4:
            made["see"] = self.chance.choice(("1.1", "1.2"))
        return made

    def phase(self) -> Step:
        made = self.step("phase")
        inner = [self.step("do") for _ in range(self.chance.randint(0, 3))]
        for _ in range(self.chance.randint(0, 2)):
            segment = self.step("segment")
            segment["steps"] = [self.step("do") for _ in range(self.chance.randint(1, 2))]
            inner.append(segment)
        return made | ({"steps": inner} if inner else {})

    def differences(self, steps: Sequence[Step]) -> list[Step]:
        """Of each sort some; none of them is about a step that another one drops or replaces."""
        free = list(walked(steps))
        made: list[Step] = []
        for sort in self.chance.sample(SORTS, self.chance.randint(2, len(SORTS))):
            if sort == "end":
                made.append({"add": self.step(self.chance.choice(("phase", "do")))})
                continue
            if len(free) < 3:
                break
            at = self.chance.choice(free)
            if sort in ("drop", "steps"):
                gone = list(walked([at]))
                if not all(any(one is other for other in free) for one in gone):
                    continue
                free = [one for one in free if not any(one is other for other in gone)]
                made.append({"drop": title(at)} if sort == "drop" else self.replaced(at))
                continue
            free = [one for one in free if one is not at]
            if sort in ("before", "after"):
                made.append({"add": self.step(kind(at)), sort: title(at)})
            elif sort == "label":
                made.append({"change": title(at), "label": "X."})
            elif sort == "fact":
                made.append({"change": title(at), "cost": next(self.names).lower()})
            elif sort == "title":
                made.append({"change": title(at), kind(at): next(self.names), "rolls": "3d6"})
        return made

    def replaced(self, at: Step) -> Step:
        return {"change": title(at), "steps": [self.step("do")], "note": "It is another thing here."}

    @property
    def texts(self) -> dict[str, bytes]:
        sequence = {"title": "Order", "steps": [self.first, self.second, self.third]}
        rulebook = 'title: Banners\nnumbers: "1.1"\nchapters: ["1.0"]\n' + (
            "roles:\n  phasing: {title: Phasing player, mark: P}\n"
            "sides:\n  red: {title: Red}\n  blue: {title: Blue}\n  gold: {title: Gold}\n"
        )
        rules = (f'  - {{number: "{number}", title: A rule}}\n' for number in ("1.0", "1.1", "1.2"))
        known = "known:\n" + "".join(rules)
        aid = "title: Turn\npaper: a4\npages: '9'\nblocks:\n  - sequence\n  - turn\n"
        written = {
            "rulebook.yml": rulebook,
            "1/edition.yml": 'edition: "1"\n',
            "1/known.yml": known,
            "1/sequence.yml": yaml.safe_dump(sequence, sort_keys=False, width=200),
            "1/aids/turn.yml": aid,
        }
        return {f"content/banners/{name}": text.encode() for name, text in written.items()}


SORTS = ("drop", "before", "after", "end", "label", "fact", "title", "steps")


def bare(step: Step) -> Step:
    """A step as it is written: without what only this reading knows of it."""
    inner = [bare(one) for one in step.get("steps", [])]
    kept = {key: value for key, value in step.items() if key not in ("different", "steps")}
    return kept | ({"steps": inner} if inner else {})


def expected(steps: Sequence[Step], differences: Sequence[Mapping[str, Any]]) -> list[Step]:
    """The steps of a turn as its reader understands them. `different`: they are not as in the other turn."""
    made = copy.deepcopy([bare(step) for step in steps])
    rows = {id(row): row for row in _rows(made)}
    places = {title(step): (row, step) for row in rows.values() for step in row}
    replaced: set[int] = set()
    for one in differences:
        if name := one.get("drop"):
            row, step = places[name]
            del row[_at(row, step)]
        elif name := one.get("change"):
            row, step = places[name]
            for key, value in one.items():
                if key in KINDS:
                    step[kind(step)] = value
                elif key != "change":
                    step[key] = value
            step["different"] = set(one) - {"change", "label"} != set()
            replaced.add(id(step))
    for one in differences:
        if new := one.get("add"):
            step = {**copy.deepcopy(new), "different": True}
            name = one.get("before") or one.get("after")
            if name is None:
                made.append(step)
                continue
            row, beside = places[name]
            at = _at(row, beside) if beside in row else None
            assert at is not None, "the generator adds nothing beside what it drops"
            row.insert(at + ("after" in one), step)
    return made


def _rows(steps: list[Step]) -> Iterator[list[Step]]:
    yield steps
    for step in steps:
        if "steps" in step:
            yield from _rows(step["steps"])


def _at(row: Sequence[Step], step: Step) -> int:
    return next(at for at, one in enumerate(row) if one is step)


def lines(steps: Sequence[Step], level: int = 0) -> Iterator[tuple[int, str, bool, tuple[str, ...]]]:
    """Depth, title, whether it is marked as different, and the facts in words, of each step."""
    for step in steps:
        facts = tuple(words.format(step[key]) for key, words in FACTS.items() if step.get(key))
        yield level, title(step), bool(step.get("different")), facts
        yield from lines(step.get("steps", []), level + 1)


def turns(made: MadeUp) -> dict[str, list[Step]]:
    """What is done in each turn."""
    red = made.first["steps"]
    blue = expected(red, made.second["except"])
    base = red if made.third["repeats"] == "red" else blue
    gold = expected(base, made.third.get("except", []))
    return {"Red Turn": red, "Blue Turn": blue, "Gold Turn": gold}


@cache
def shown(seed: int) -> tuple[MadeUp, Examined]:
    made = MadeUp(seed)
    examined = examine_folder(Folder(made.texts, []))
    assert not [str(one) for one in examined.problems if one.severity.name == "ERROR"]
    return made, examined


def _seen(top: Part, made: MadeUp) -> dict[str, list[tuple[str, bool, str]]]:
    """Title, sign of a difference and words of each step of each turn; what is as elsewhere from there."""
    every = {part.title: part for part in top.walk() if part.title.endswith(" Turn")}
    base = {"Blue Turn": "Red Turn", "Gold Turn": f"{made.third['repeats'].title()} Turn"}

    def through(part: Part, turn: str) -> Iterator[tuple[str, bool, str]]:
        for one in part.inside:
            is_different = "≠" in one.element.text_content().split(one.title)[0]
            if {"as", "again"} & set((one.element.get("class") or "").split()):
                yield from found(one.title, base[turn])
                continue
            yield one.title, is_different, one.own
            yield from through(one, turn)

    def found(name: str, turn: str) -> Iterator[tuple[str, bool, str]]:
        """A step of another turn, which may have it from a third."""
        for one in every[turn].walk():
            if one.title == name and one is not every[turn]:
                if {"as", "again"} & set((one.element.get("class") or "").split()):
                    yield from found(name, base[turn])
                else:
                    yield name, False, one.own
                    yield from ((each, False, own) for each, _, own in through(one, turn))
                return
        raise AssertionError(f"{turn} has no {name}")

    made_of = {}
    for name, part in every.items():
        if not part.inside and name in base:
            made_of[name] = [(each, False, own) for each, _, own in through(every[base[name]], base[name])]
        else:
            made_of[name] = list(through(part, name))
    return made_of


def _agrees(seen: Mapping[str, Sequence[tuple[str, bool, str]]], made: MadeUp) -> None:
    for turn, steps in turns(made).items():
        told = list(lines(steps))
        assert [name for name, _, _ in seen[turn]] == [name for _, name, _, _ in told], turn
        for (name, is_different, own), (_, _, wanted, facts) in zip(seen[turn], told, strict=True):
            assert is_different == wanted, (turn, name)
            assert all(plain(words) in own for words in facts), (turn, name, own, facts)


SEEDS = range(24)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_page_sets_the_turns_out(seed: int) -> None:
    made, examined = shown(seed)
    found = pages.render(examined.shelf, examined.library)[0]
    html = next(page.html for page in found if page.path == "banners/1/sequence")
    _agrees(_seen(parts(lxml.fromstring(html)), made), made)
    assert not re.search(r"Dropped|Added|Changed|Instead of|Before the|\bNot “", html)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_sheet_and_its_strip_set_them_out(seed: int) -> None:
    made, examined = shown(seed)
    edition = examined.shelf.outlines["banners/1"].edition
    (sheet,) = sheets_of(edition)
    data = SheetOrder(sheet, Desk(examined.shelf), PrintOptions(), lambda name: b"").made_of.data
    blocks = {section.get("class"): section for section in lxml.fromstring(sheet_html(data)).iter("section")}
    _agrees(_seen(parts(blocks["block sequence"]), made), made)
    strip = [one.text_content() for one in blocks["block turn"].iter("p")]
    told: list[str] = []
    for turn, steps in turns(made).items():
        phases = " · ".join(title(step) for step in steps)
        own = next(line for line in strip if line.startswith(turn)).removeprefix(turn).strip()
        assert own == ("same phases" if own == "same phases" and told and told[-1] == phases else phases)
        told.append(phases)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_walk_goes_through_them(seed: int) -> None:
    made, examined = shown(seed)
    outline = examined.shelf.outlines["banners/1"]
    stops = {str(stop.step.title): stop for stop in walk(outline).stops}

    def through(stop: Stop) -> Iterator[str]:
        for inner in stop.inside:
            if not inner.is_round:
                yield str(inner.step.title)
            yield from through(inner)

    for turn, steps in turns(made).items():
        assert list(through(stops[turn])) == [name for _, name, _, _ in lines(steps)]
        facts = {name: said for _, name, _, said in lines(steps)}
        for stop in stops[turn].walk():
            said = {key: getattr(stop.step, key) for key in FACTS}
            words = {FACTS[key].format(value) for key, value in said.items() if value}
            assert stop.step.title not in facts or words == set(facts[str(stop.step.title)])
            assert all(one.side and one.side.name == turn.split()[0].lower() for one in stop.players)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_exports_set_them_out(seed: int) -> None:
    made, examined = shown(seed)
    outline = examined.shelf.outlines["banners/1"]
    told = json.loads(as_json(outline, examined.shelf))
    written = {one["title"]: one for one in told["steps"]}
    text = plain(as_text(outline, examined.shelf))
    for turn, steps in turns(made).items():
        different = [name for _, name, is_different, _ in lines(steps) if is_different]
        assert [one["title"] for one in _every(written[turn]) if one.get("difference")] == different
        for name in different:
            assert re.search(rf"≠ (\[\w+\]\*? )?(X\. )?{name}", text), name
    for turn in (made.second, made.third):
        for one in turn.get("except", []):
            if "drop" in one:
                assert one["drop"] in written[turn["player turn"]]["without"]
                assert f"without {one['drop']}" in text or re.search(rf"(, | and ){one['drop']}", text)


def _every(step: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    for inner in step["steps"]:
        yield inner
        yield from _every(inner)


def test_every_sort_of_difference_is_among_them() -> None:
    found = set()
    for seed in SEEDS:
        for turn in (MadeUp(seed).second, MadeUp(seed).third):
            for one in turn.get("except", []):
                keys = set(one) - {"add", "change", "drop", *KINDS}
                found.add((next(key for key in ("add", "drop", "change") if key in one), tuple(sorted(keys))))
    assert {("add", ()), ("add", ("before",)), ("add", ("after",)), ("drop", ())} <= found
    assert {("change", ("label",)), ("change", ("cost",)), ("change", ("rolls",))} <= found
    assert ("change", ("note", "steps")) in found


def test_a_turn_that_is_the_same_is_told_in_a_line() -> None:
    made = MadeUp(0)
    del made.second["except"]
    made.third.pop("except", None)
    examined = examine_folder(Folder(made.texts, []))
    found = pages.render(examined.shelf, examined.library)[0]
    html = next(page.html for page in found if page.path == "banners/1/sequence")
    top = parts(lxml.fromstring(html))
    blue = next(part for part in top.walk() if part.title == "Blue Turn")
    assert not blue.inside
    assert "As the Red Turn" in blue.own


def _bare(words: str) -> str:
    """Words without the brackets that a medium sets around a number."""
    return plain(re.sub(r"[()\[\]]", "", words))


_SAID = (  # as it holds today, without the signs of errata
    ".//text()[not(ancestor::del or ancestor::*[contains(@class, 'spoken') or @class='erratum-sign'])]"
)


def _on_page(html: str) -> list[tuple[str, list[str]]]:
    """Title and facts of each step of a page, in its order."""
    made: list[tuple[str, list[str]]] = []
    for part in list(parts(lxml.fromstring(html)).walk())[1:]:
        within = {one for inner in part.inside for one in inner.element.iter()}
        facts = [one for one in part.element.iter() if one.get("class") == "fact" and one not in within]
        made.append((_bare(part.title), [_bare("".join(one.xpath(_SAID))) for one in facts]))
    return made


def _on_sheet(nodes: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, list[str]]]:
    for node in nodes:
        if node["is"] in ("same", "either"):
            yield from (
                (_of(one["title"]), [_bare(_of(fact)) for fact in one["facts"]]) for one in node["those"]
            )
            continue
        yield _bare(_of(node["title"])), [_bare(_of(fact)) for fact in node["facts"]]
        yield from _on_sheet([{"is": "either", "those": node.get("beside", ())}])
        yield from _on_sheet(node["steps"])


def _of(nodes: Sequence[Any]) -> str:
    """The words of nodes of a sheet."""
    inner = (
        one if isinstance(one, str) else _of(one.get("ref") or one.get("b") or one.get("i") or ())
        for one in nodes
    )
    return plain("".join(inner))


@pytest.mark.parametrize(
    "address",
    [
        "ocs/4.3",
        "ocs/3.0",
        "asl/a3",
        "killing-ground/1",
        "eastern-front/2009-02-16",
        "ember-coast/2.1",
        "last-ember/1",
    ],
)
def test_every_medium_says_the_same_facts_of_every_step(address: str) -> None:
    examined, (made, _, _) = library(), rendered()
    outline = examined.shelf.outlines[address]
    page = _on_page(next(page.html for page in made if page.path == f"{address}/sequence"))
    sheet = next(iter(sheets_of(outline.edition)))
    words = SheetOrder(sheet, Desk(examined.shelf), PrintOptions(), lambda name: b"").made_of.words
    nodes = step_nodes.steps(outline.steps, words, frozenset(outline.shown_steps()))
    assert list(_on_sheet(nodes)) == page
    view = View(outline, examined.shelf)
    said = [
        [_bare("".join(run.words for run in fact)) for fact in view.facts(step)]
        if not (step.repeated and step.origin)
        else []
        for step in outline.shown_steps()
    ]
    assert said == [facts for _, facts in page]
