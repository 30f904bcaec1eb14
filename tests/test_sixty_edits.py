"""Sixty edits of twelve kinds on an imported book, against an oracle that reads its files without Rulewright.

Each rule says a word that is its own, and each citation has a tag that is its own: whatever numbers rules
get, the number in front of a tag has to be that of the rule that says the word which was meant. After each
edit it is undone, which has to restore each byte, and repeated. A manual change is
reported at each place with the old name, and nowhere else. The book is small in the suite; with more
`TIMES` it has 490 rules.
"""

import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import yaml

from rulewright.app.cli import main
from rulewright.checks.load_and_check import load_and_check
from tests.commands.duel import write
from tests.example_counts import TIMES

CHAPTERS, SECTIONS, CASES = (3, 3, 4) if TIMES == 1 else (10, 7, 6)
EDITS = 1 if TIMES == 1 else 5
"""Of each kind."""

CITED = re.compile(r"(?:see|See) ([^;]*?) \((k\d+)\)", re.DOTALL)
SAYS = re.compile(r"The ([a-z]+n) holds")
ALLOWED = {"number-gap", "reference-to-retired"}
SYLLABLES = ["ba", "de", "fi", "go", "hu", "ka", "le", "mi", "no", "pu", "ra", "se", "ti", "vo", "zu", "ja"]


def word(count: int) -> str:
    """A word of its own for each count."""
    return "".join(SYLLABLES[(count >> shift) % 16] for shift in (12, 8, 4, 0)) + "n"


def rules_of(keys: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The rules of a chapter."""
    named = [(re.fullmatch(r"(\S*\d\S*)(?: (.*))?", key), value) for key, value in keys.items()]
    inner = [
        {"number": head[1], "title": head[2] or "", **(value if isinstance(value, dict) else {"text": value})}
        for head, value in named
        if head
    ]
    for one in inner:
        yield one
        yield from rules_of(one)


class Book:
    """The book on disk, and what its citations mean: the words of rules by the tags of citations."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.folder, self.chance, self.address = folder, random.Random(seed), "fleet/1"
        self.means: dict[str, list[str]] = {}
        self.count = 0
        numbers = [
            f"{chapter}.{section}{case}"
            for chapter in range(1, CHAPTERS + 1)
            for section in range(1, SECTIONS + 1)
            for case in ("", *"abcdefgh"[:CASES])
        ]
        self.words = {number: word(at + 300) for at, number in enumerate(numbers)}
        pages = {
            f"site/content/rules/{chapter}-0-part.md": self._page(chapter)
            for chapter in range(1, CHAPTERS + 1)
        }
        pages["mkdocs.yml"] = "site_name: Fleet\nplugins: [rulewright]\n"
        pages["site/config.toml"] = 'title = "Fleet"\n'
        write(folder, pages)
        assert self.run("import", "hugo", str(folder / "site"), "content/fleet/1") == 0
        self._furnish()
        assert self.run("check", "--accept") == 0

    def run(self, *words: str) -> int:
        return main(["--project", str(self.folder), *words])

    # -- the book

    def _page(self, chapter: int) -> str:
        lines = ["---", f'title: "{chapter}.0 Part {word(4000 + chapter)}"', "---", ""]
        for number, name in self.words.items():
            if number.startswith(f"{chapter}."):
                text = f"The {name} holds what it can. {self._cites()} Its crew rests. {self._cites()}"
                head = (
                    f"**{number} {name.title()}.** "
                    if number[-1].isalpha()
                    else f"## {number} Waters of {name.title()}\n\n"
                )
                lines += [f"{head}{text}", ""]
        return "\n".join(lines)

    def _cites(self) -> str:
        self.count += 1
        tag = f"k{self.count}"
        numbers = self.chance.sample([*self.words], self.chance.choice([1, 1, 2]))
        self.means[tag] = [self.words[number] for number in numbers]
        return f"See {' and '.join(numbers)} ({tag})."

    def _furnish(self) -> None:
        """Terms, tables and a sequence, and a page that says their names."""
        rulebook = self.folder / "content/fleet/rulebook.yml"
        terms = "".join(f"  squall{at}: {{means: Wind of sort {at * 'x'}.}}\n" for at in range(9))
        more = f"roles: {{both: {{title: Both}}}}\nsuffixes: [bis, ter]\nterms:\n{terms}"
        rulebook.write_text(rulebook.read_text() + more)
        steps = "".join(f"  - {{phase: Tide{at} Phase, by: both}}\n" for at in range(9))
        texts = {"sequence.yml": f"title: Sequence of Play\nsteps:\n{steps}"}
        for at in range(9):
            texts[f"tables/t{at}.yml"] = (
                f"id: t{at}\ntitle: Reef{at} Table\nroll: 1d6\ncolumns: [A]\n"
                f"rows: [{{roll: 1-6, A: {word(at)}}}]\n"
            )
        lines = [
            f"In the Tide{at} Phase a squall{at} is on the Reef{at} Table; squall{at}s end "
            f"in the Tide{at} Phase.\n"
            for at in range(9)
        ]
        titles = "\n".join(
            f"As Waters of {self.words[n].title()} ({n}) says.\n" for n in self.words if not n[-1].isalpha()
        )
        texts["faq.md"] = (
            "# Asked\n\n" + "\n".join(lines) + "\n" + titles + f"\n{self._cites()} {self._cites()}\n"
        )
        write(self.folder / "content/fleet/1", texts)

    # -- the oracle

    @property
    def home(self) -> Path:
        return self.folder / "content" / self.address

    def files(self) -> dict[str, bytes]:
        every = sorted((self.folder / "content").rglob("*"))
        return {str(path.relative_to(self.folder)): path.read_bytes() for path in every if path.is_file()}

    def rules(self) -> list[tuple[str, str]]:
        """The printed numbers and the texts of all rules."""
        found = []
        for path in sorted((self.home / "rules").glob("*.yml")):
            found += [
                (one["number"], str(one.get("text", "")))
                for one in rules_of(yaml.load(path.read_text(), yaml.CBaseLoader))
            ]
        return found

    def agree(self) -> None:
        rules = self.rules()
        says = {name: number for number, text in rules for name in SAYS.findall(text)}
        assert {*says} == {*self.words.values()}
        tagged = {
            tag: [*run.split(" and ")]
            for text in [*(text for _, text in rules), (self.home / "faq.md").read_text()]
            for run, tag in CITED.findall(" ".join(text.split()))
        }
        assert tagged.keys() == self.means.keys()
        for tag, names in self.means.items():
            numbers = tagged[tag]
            if len(numbers) > 1 and not numbers[1][0].isdigit():  # 3.2a and b
                numbers[1] = numbers[0].rstrip("abcdefgh") + numbers[1]
            assert numbers == [says[name] for name in names], (tag, names)
        wrong = [str(one) for one in load_and_check(self.folder).problems if one.code not in ALLOWED]
        assert wrong == []

    def number(self, *, case: bool | None = None) -> str:
        """The number of a rule that says something of its own."""
        found = [
            number
            for number, text in self.rules()
            if SAYS.search(text) and (case is None or number[-1].isalpha() is case) and "bis" not in number
        ]
        return self.chance.choice(found)

    # -- edits by command

    def change(self, *words: str) -> None:
        """Change, undo, and change again."""
        before = self.files()
        assert self.run(*words) == 0, words
        after = self.files()
        assert after != before
        assert self.run("renumber", self.address, "--undo") == 0
        assert self.files() == before
        assert self.run(*words) == 0
        assert self.files() == after

    def insert(self) -> None:
        if self.chance.random() < 0.3:
            self.change("insert", self.address, f"{self.number(case=False)}bis")
        else:
            self.change("insert", self.address, self.number(), "--title", "Put In")

    def renumber(self) -> None:
        one, other = self.number(case=True), self.number(case=True)
        while other == one:
            other = self.number(case=True)
        self.change("renumber", self.address, f"{one}={other}", f"{other}={one}")

    def move(self) -> None:
        one, other = self.number(case=True), self.number(case=True)
        while other == one:
            other = self.number(case=True)
        self.change("renumber", self.address, one, other, "--shift")

    def retire(self) -> None:
        """A rule that nothing cites: an edition with references to a retired one has none to follow it."""
        cited = {name for names in self.means.values() for name in names}
        free = [
            number
            for number, text in self.rules()
            if number[-1].isalpha() and not cited & {*SAYS.findall(text)} and number not in self.retired()
        ]
        self.change("renumber", self.address, "--retire", free[0], self.number(case=False))

    def retired(self) -> set[str]:
        """The numbers of the rules that hold no more."""
        numbers, current = set[str](), ""
        for path in (self.home / "rules").glob("*.yml"):
            for line in path.read_text().splitlines():
                if head := re.match(r' *"([\w.]+)[^"]*":', line):
                    current = head[1]
                elif line.lstrip().startswith("retired:"):
                    numbers.add(current)
        return numbers

    # -- edits by hand

    def by_hand(self, name: str, old: str, new: str, phrase: str, now: str) -> None:
        """Rename by hand; each place with the old name is reported, corrected, and restored."""
        file = self.folder / "content" / name
        before = self.files()
        # What one edition calls otherwise, others may call as they did; terms are the book's.
        inside = f"content/{self.address}/" if name.startswith(self.address) else "content/"

        def renamed(one: str, other: str) -> None:
            text = file.read_text()
            assert text.count(one) == 1, (one, text.count(one))
            file.write_text(text.replace(one, other))

        renamed(old, new)
        places = {
            (path, at + 1, m.start() + 1)
            for path, data in self.files().items()
            if path.endswith((".yml", ".md")) and path.startswith(inside)
            for at, line in enumerate(data.decode().splitlines())
            for m in re.finditer(rf"(?<![\w']){re.escape(phrase)}(?!\w*')", line)
        }
        findings = load_and_check(self.folder).drift.findings
        reported = [one.reference.place for one in findings if one.kind.code == "name-outdated"]
        assert {(place.file, place.line, place.column) for place in reported} == places
        assert len(places) >= 1
        assert self.run("check", "--fix") < 2
        after = self.files()
        left = [path for path, data in after.items() if re.search(rf"{re.escape(phrase)}\b".encode(), data)]
        assert not [path for path in left if path.endswith((".yml", ".md")) and path.startswith(inside)]
        renamed(new, old)
        assert self.run("check", "--fix") < 2
        assert self.files() == before
        renamed(old, new)
        assert self.run("check", "--fix") < 2
        assert self.files() == after

    def fresh(self) -> int:
        self.count += 1
        return self.count

    def _left(self, pattern: str) -> str:
        names = re.findall(pattern, (self.home / "faq.md").read_text())
        return self.chance.choice(names)

    def retitle(self) -> None:
        title = self._left(r"As (Waters of \w+) \(")
        path = next(p for p in sorted((self.home / "rules").glob("*.yml")) if f'{title}"' in p.read_text())
        new = f"Shallows by {word(5000 + self.fresh()).title()}"
        self.by_hand(f"{self.address}/rules/{path.name}", f'{title}"', f'{new}"', title, new)

    def term(self) -> None:
        old, new = self._left(r"a (squall\d) "), f"gust{self.fresh()}"
        self.by_hand("fleet/rulebook.yml", f"  {old}:", f"  {new}:", old, new)

    def table(self) -> None:
        old, new = self._left(r"(Reef\d Table)"), f"Rock{self.fresh()} Chart"
        at = old[4]
        self.by_hand(f"{self.address}/tables/t{at}.yml", f"title: {old}", f"title: {new}", old, new)

    def step(self) -> None:
        old, new = self._left(r"(Tide\d Phase) a"), f"Ebb{self.fresh()} Phase"
        self.by_hand(f"{self.address}/sequence.yml", f"phase: {old}", f"phase: {new}", old, new)

    def reword(self) -> None:
        """Other words, and a mistake that is reported at its place and removed."""
        faq = self.home / "faq.md"
        text = faq.read_text()
        faq.write_text(f"{text}\nNobody sails at night, see 98.7.\n")
        line = len(faq.read_text().splitlines())
        wrong = [one for one in load_and_check(self.folder).problems if one.code not in ALLOWED]
        assert [(one.code, one.place.line, one.place.column) for one in wrong] == [
            ("reference-not-found", line, 28)
        ]
        faq.write_text(f"{text}\nNobody sails at night ({self.fresh()}).\n")

    def new_edition(self) -> None:
        old = self.address
        before = self.files()
        self.address = f"fleet/{int(old.partition('/')[2]) + 1}"
        assert self.run("new", "edition", self.address, "--from", old) == 0
        assert {name: data for name, data in self.files().items() if name in before} == before


def test_sixty_edits_of_twelve_kinds(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    book = Book(tmp_path, 11)
    assert len(book.rules()) >= CHAPTERS * SECTIONS * (1 + CASES)
    book.agree()
    kinds: list[Callable[[], None]] = [
        book.insert, book.renumber, book.move, book.retire,
        book.retitle, book.term, book.table, book.step, book.reword,
    ]  # fmt: skip
    for _ in range(EDITS):
        book.chance.shuffle(kinds)
        for edit in [*kinds[:6], book.new_edition, *kinds[6:]]:
            edit()
            book.agree()
            assert book.run("check", "--accept", "all") == 0
