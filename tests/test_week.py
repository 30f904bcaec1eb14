"""A week of editing on an imported book of hundreds of rules, against a model that shares no code with it.

The model counts rules by itself. After every command it knows each printed number, and which rules each
reference means; the files are read without Rulewright, and have to say the same.
"""

from __future__ import annotations

import random
import re
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import yaml

from rulewright.app.cli import main
from rulewright.checks.errata_checks import NOT_CARRIED_OVER
from rulewright.checks.load_and_check import load_and_check
from tests.commands.duel import write
from tests.example_counts import TIMES

SYLLABLES = ["ba", "de", "fi", "go", "hu", "ka", "le", "mi", "no", "pu", "ra", "se", "ti", "vo", "zu", "ja"]
CITED = re.compile(r"See (.*?) there\.")
BARE = re.compile(r"\d\.\d+[a-z]\d")  # 12.6a1, as the book prints no number
SECTION, CASE, CAPITAL, DIGIT = "section", "case", "capital", "digit"
CHAPTERS = 6 if TIMES == 1 else 12
"""Of forty rules each. Rules of all sorts are there either way; each command takes as long as its book."""

ALLOWED = {"number-gap", "reference-to-retired", NOT_CARRIED_OVER.code}


def word(count: int) -> str:
    """A word of its own for each count."""
    return "".join(SYLLABLES[(count >> shift) % 16] for shift in (12, 8, 4, 0)) + "n"


@dataclass(eq=False, repr=False)
class Rule:
    """A rule as the model knows it: what it is called, and what its text cites."""

    name: str
    sort: str
    count: int
    inside: Rule | None = None
    chapter: int = 0
    cites: list[list[tuple[str, Rule]]] = field(default_factory=list)

    @property
    def number(self) -> str:
        above = self.inside.number if self.inside else f"{self.chapter}."
        if self.sort == SECTION:
            return f"{above}{self.count}"
        letter = chr(ord("a") + self.count - 1)
        return above + {CASE: letter, CAPITAL: f"({letter.upper()})", DIGIT: f"({self.count})"}[self.sort]

    @property
    def is_odd(self) -> bool:
        """Whether it is an item in another form than the usual one, 1.1a(A)."""
        return self.sort == DIGIT or bool(
            self.sort == CAPITAL and self.inside and self.inside.sort == SECTION
        )


class Model:
    """All rules of a book, and what the commands make of their numbers."""

    def __init__(self, chance: random.Random) -> None:
        self.chance, self.rules = chance, list[Rule]()
        for chapter in range(1, CHAPTERS + 1):
            for section in range(1, 7):
                one = self.add(SECTION, section, chapter=chapter)
                way = chance.random()
                if way < 0.3:
                    self.items(chance.choice([CAPITAL, CAPITAL, DIGIT]), one)
                if way > 0.2:
                    for case in range(1, chance.randint(3, 6)):
                        inner = self.add(CASE, case, one)
                        if chance.random() < 0.35:
                            self.items(chance.choice([CAPITAL, CAPITAL, DIGIT]), inner)

    def items(self, sort: str, inside: Rule) -> None:
        for count in range(1, self.chance.randint(3, 5)):
            self.add(sort, count, inside)

    def add(self, sort: str, count: int, inside: Rule | None = None, chapter: int = 0) -> Rule:
        self.rules.append(Rule(word(len(self.rules)), sort, count, inside, chapter))
        return self.rules[-1]

    def row(self, one: Rule) -> list[Rule]:
        """The rules of one form in one rule, in order."""
        row = (r for r in self.rules if (r.sort, r.inside, r.chapter) == (one.sort, one.inside, one.chapter))
        return sorted(row, key=lambda r: r.count)

    def inserted(self, before: Rule) -> Rule:
        """A new rule that takes the number of another, which goes up with all after it."""
        count = before.count
        for one in self.row(before):
            one.count += one.count >= count
        return self.add(before.sort, count, before.inside, before.chapter)

    def some_citations(self) -> list[list[tuple[str, Rule]]]:
        """Runs of references: single ones, lists and ranges, each rule with what joins it to the last."""
        return [self.run() for _ in range(self.chance.choice([0, 1, 1, 2]))]

    def run(self) -> list[tuple[str, Rule]]:
        odd = [one for one in self.rules if one.is_odd]
        first = self.chance.choice(odd if self.chance.random() < 0.4 else self.rules)
        row, way = self.row(first), self.chance.random()
        rest = row[row.index(first) + 1 :]
        if way < 0.3 and rest:
            return [("", first), (self.chance.choice(["-", "–", " to "]), self.chance.choice(rest))]
        if way < 0.6 and rest:
            return [("", first), *((", ", one) for one in rest[:-1]), (" and ", rest[-1])]
        if way < 0.8:
            return [("", first), (" and ", self.chance.choice(self.rules))]
        return [("", first)]


def written(run: Sequence[tuple[str, Rule]], chance: random.Random, bare_ones: float = 0) -> str:
    """A run as an editor writes it, often with its later numbers shortened, or without brackets."""
    words, last = "", None
    short = chance.random() < 0.6
    for join, one in run:
        beside = last and (last.sort, last.inside) == (one.sort, one.inside) and one.sort != SECTION
        above = one.inside.number if one.inside else ""
        bare = one.sort == DIGIT and above[-1].isalpha() and not short and chance.random() < bare_ones
        number = f"{above}{one.count}" if bare else one.number
        words += join + (one.number.removeprefix(above) if short and beside else number)
        last = one
    return words


def read_run(words: str) -> list[tuple[str, str]]:
    """The numbers of a run written out, each with what joins it to the one before."""
    found: list[tuple[str, str]] = []
    for join, number in re.findall(r"(,? and |, | to |[-–]|\A)([\w.]+(?:\(\w\))*|\(\w\))", words):
        if number[0] == "(":
            number = re.sub(r"\(\w\)\Z", number, found[-1][1])
        elif number.isalpha():
            number = re.sub(r"[a-z]\Z", number, found[-1][1])
        found.append((join, re.sub(r"(?<=[a-z])(\d)\Z", r"(\1)", number)))
    assert "".join(join for join, _ in found) or len(found) == 1, words
    return found


def text_of(one: Rule, chance: random.Random) -> str:
    runs = "".join(f" See {written(run, chance)} there." for run in one.cites)
    return f"The {one.name} holds what it can, and its crew counts {chance.randint(20, 90)} men.{runs}"


def hugo(model: Model, chance: random.Random) -> Iterator[tuple[str, str]]:
    """The pages of a Hugo site that print the book."""
    inside: dict[Rule | None, list[Rule]] = {}
    for one in model.rules:
        inside.setdefault(one.inside, []).append(one)
    for chapter in range(1, CHAPTERS + 1):
        lines = ["---", f'title: "{chapter}.0 Waters {word(4000 + chapter)}"', "---", ""]
        for section in (one for one in inside[None] if one.chapter == chapter):
            lines += [f"## {section.number} The {section.name.title()}", "", text_of(section, chance), ""]
            lines += items(section, inside, chance)
            for case in (one for one in inside.get(section, ()) if one.sort == CASE):
                lines += [f"**{case.number} {case.name.title()}.** {text_of(case, chance)}", ""]
                lines += items(case, inside, chance)
        yield f"site/content/rules/{chapter}-0-part.md", "\n".join(lines)


def items(rule: Rule, inside: dict[Rule | None, list[Rule]], chance: random.Random) -> list[str]:
    own = [one for one in inside.get(rule, ()) if one.sort in (CAPITAL, DIGIT)]
    return [f"* **{one.number[-2]})** {text_of(one, chance)}" for one in own] + [""]


class Book:
    """The project on disk, its commands, and what the model says that they make of it."""

    def __init__(self, folder: Path, model: Model, chance: random.Random) -> None:
        self.folder, self.model, self.chance = folder, model, chance
        self.address, self.done, self.refused = "fleet/1", 0, 0
        self.pages: dict[str, list[list[tuple[str, Rule]]]] = {}
        self.copies: dict[str, dict[str, str]] = {}
        self.corrected: dict[str, set[str]] = {}
        self.bare: dict[str, int] = {}

    def command(self, *words: str) -> int:
        return main(["--project", str(self.folder), *words])

    def write(self, name: str, text: str) -> None:
        write(self.folder / "content", {name: text})

    def a_page(self, name: str, ahead: str = "", after: str = "") -> None:
        """A text of prose or YAML that cites the rules of the model."""
        runs = [self.model.run() for _ in range(12)]
        line = " ".join(f"See {written(run, self.chance, 0.6)} there." for run in runs)
        self.write(name, ahead + line + after)
        self.pages[name], self.bare[name] = runs, len(BARE.findall(line))

    def some(self, *sorts: str) -> Rule:
        return self.chance.choice([one for one in self.model.rules if one.sort in sorts or not sorts])

    def insert(self) -> None:
        before = self.some(*self.chance.choice([(SECTION,), (SECTION, CASE), (CAPITAL, DIGIT)]))
        number = before.number
        assert (
            self.command("insert", self.address, number, "--title", word(len(self.model.rules)).title()) == 0
        )
        assert self.model.inserted(before).number == number
        self.done += 1

    def chapter(self) -> None:
        """A new chapter in front of another one, or two chapters that change places."""
        one, other = self.chance.sample(
            sorted({rule.chapter for rule in self.model.rules if not rule.inside}), 2
        )
        becomes = {one: other, other: one}
        if self.chance.random() < 0.5:
            # Where a rule has left a gap, that is one in another chapter now, which is new.
            assert self.command("insert", self.address, f"{one}.0", "--title", "Shoals", "--force") == 0
            becomes = {count: count + 1 for count in range(one, 40)}
        elif self.command("renumber", self.address, f"{one}.0={other}.0", f"{other}.0={one}.0"):
            self.refused += 1
            return
        for rule in self.model.rules:
            rule.chapter = becomes.get(rule.chapter, rule.chapter)
        self.done += 1

    def renumber(self) -> None:
        """A section or a case moves after the last of another rule, or two of them change places."""
        one = self.some(SECTION, CASE)
        other = self.some(one.sort)
        if other is one:
            return
        before = files(self.folder)
        if self.chance.random() < 0.5:
            pairs = [f"{one.number}={other.number}", f"{other.number}={one.number}"]
            places = [(other.count, other.inside, other.chapter), (one.count, one.inside, one.chapter)]
        else:
            places = [(self.model.row(other)[-1].count + 1, other.inside, other.chapter)]
            target = Rule("", one.sort, *places[0])
            pairs = [f"{one.number}={target.number}"]
        if self.command("renumber", self.address, *pairs):
            assert files(self.folder) == before
            self.refused += 1
            return
        for rule, place in zip((one, other), places, strict=False):
            rule.count, rule.inside, rule.chapter = place
        self.done += 1

    def retire(self) -> None:
        one, instead = self.some(CASE), self.some(SECTION)
        if self.command("renumber", self.address, "--retire", one.number, instead.number) == 0:
            self.done += 1

    def errata(self) -> None:
        """Errata of rules that are cited, in words that no other rule has."""
        cited = [one for runs in self.pages.values() for run in runs for _, one in run]
        lines = ["errata:"]
        corrected = self.chance.sample(list(dict.fromkeys(cited)), 8)
        self.corrected[self.address] = {one.name for one in corrected}
        for count, one in enumerate(corrected):
            change = f'replace: "The {one.name} holds", with: "No {one.name} holds"'
            lines.append(f'  - {{erratum: "{count}", date: 2026-01-02, rule: "{one.number}", {change}}}')
        self.write(f"{self.address}/errata.yml", "\n".join([*lines, ""]))

    def new_edition(self) -> None:
        """The edition is copied, and what was there stays as it is."""
        old, self.address = self.address, "fleet/2"
        shutil.copytree(self.folder / "content" / old, self.folder / "content" / self.address)
        self.write(f"{self.address}/edition.yml", 'edition: "2"\nfollows: "1"\n')
        for name in ("references.lock", "redirects.yml", "errata.yml"):
            (self.folder / "content" / self.address / name).unlink(missing_ok=True)
        self.copies[old] = files(self.folder / "content" / old)
        self.pages = {name.replace(old, self.address): runs for name, runs in self.pages.items()}
        self.bare = {name.replace(old, self.address): count for name, count in self.bare.items()}

    def game(self) -> None:
        self.write("raid/rulebook.yml", "title: Raid\n")
        self.write("raid/1/edition.yml", f'edition: "1"\nextends: {self.address}\n')
        ahead = 'chapter: "20.0"\ntitle: Raids\n"20.1":\n  text: >\n      '
        self.a_page("raid/1/rules/20.yml", ahead, "\n")
        self.a_page("raid/1/faq.md", "# Asked\n\n", "\n")

    def agree(self) -> None:
        """Printed numbers are what they were but for what was asked, and references mean what they did."""
        printed, texts = dict[str, str](), dict[str, str]()
        for path in sorted((self.folder / "content" / self.address / "rules").glob("*.yml")):
            for rule in rules_of(yaml.load(path.read_text(), yaml.BaseLoader)):
                words = f"{rule.get('text', '')} {rule.get('title', '')}".casefold()
                name = next((name for name in re.findall(r"\b[a-z]{8}n\b", words)), "")
                printed[name], texts[name] = rule["number"], rule.get("text", "")
        assert printed == {one.name: one.number for one in self.model.rules}
        for one in self.model.rules:
            self.same_runs(one.name, texts[one.name], one.cites)
        for name, runs in self.pages.items():
            text = (self.folder / "content" / name).read_text()
            self.same_runs(name, text, runs)
            assert len(BARE.findall(text)) == self.bare[name]
        for address, was in self.copies.items():
            assert files(self.folder / "content" / address) == was

    def check(self) -> None:
        """Nothing is wrong but gaps and what cites retired rules, and no reference has drifted."""
        examined = load_and_check(self.folder)
        assert [str(p) for p in examined.problems if p.is_failure and p.code not in ALLOWED] == []
        assert not examined.drift.findings
        if self.copies:
            lacking = [p for p in examined.problems if p.code == NOT_CARRIED_OVER.code]
            assert len(lacking) == len(self.corrected["fleet/1"] - self.corrected["fleet/2"])

    def same_runs(self, name: str, text: str, runs: list[list[tuple[str, Rule]]]) -> None:
        runs_read = [read_run(words) for words in CITED.findall(" ".join(text.split()))]
        assert [[number for _, number in run] for run in runs_read] == [
            [o.number for _, o in run] for run in runs
        ], name


def rules_of(keys: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The rules of a chapter, in whichever form they are written."""
    named = [(re.fullmatch(r"(\S*\d\S*)(?: (.*))?", key), value) for key, value in keys.items()]
    inner = [
        {"number": head[1], "title": head[2] or "", **(value if isinstance(value, dict) else {"text": value})}
        for head, value in named
        if head
    ]
    for one in (*keys.get("rules", ()), *inner):
        yield one
        yield from rules_of(one)


def files(folder: Path) -> dict[str, str]:
    """All files of a folder except the saved state of commands."""
    every = (path for path in folder.rglob("*") if path.is_file() and ".cache" not in path.parts)
    return {path.relative_to(folder).as_posix(): path.read_bytes().decode("latin-1") for path in every}


@pytest.mark.parametrize("seed", [7])
def test_a_week_of_editing(tmp_path, seed, capsys):
    chance = random.Random(seed)
    model = Model(chance)
    assert len(model.rules) > 37 * CHAPTERS
    assert sum(one.is_odd for one in model.rules) > 2.6 * CHAPTERS
    for one in model.rules:
        one.cites = model.some_citations()
    book = Book(tmp_path, model, chance)
    write(
        tmp_path,
        {"mkdocs.yml": "site_name: Fleet\nplugins: [rulewright]\n", "site/config.toml": 'title = "Fleet"\n'},
    )
    write(tmp_path, dict(hugo(model, chance)))
    assert book.command("import", "hugo", str(tmp_path / "site"), "content/fleet/1") == 0
    rulebook = tmp_path / "content/fleet/rulebook.yml"
    rulebook.write_text(rulebook.read_text().replace('"1.1a(1)"', '"1.1a1", "1.1a(1)"'))
    assert '"1.1a1"' in rulebook.read_text()
    book.a_page("fleet/1/faq.md", "# Asked\n\n", "\n")
    assert book.command("check", "--accept") == 0
    book.agree()
    work = [book.insert] * 4 + [book.renumber] * 3 + [book.chapter] * 2 + [book.retire] * 2
    chance.shuffle(work)
    days = [[book.errata], [], [book.new_edition, book.errata], [book.game], []]
    for day in days:
        for begin in day:
            begin()
        assert book.command("check", "--accept") == 0
        for _ in range(3 if len(work) > 8 else 2):
            work.pop()()
            book.agree()
        book.check()
    assert book.done >= 10
    assert book.command("diff", "fleet/1", "fleet/2") == 0
    assert [line for line in "".join(capsys.readouterr()).splitlines() if BARE.search(line)] == []
