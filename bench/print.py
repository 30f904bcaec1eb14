"""How long printing takes: a card, the aids of all books, a book of 1,800 rules, and their preflight."""

from __future__ import annotations

import random
import resource
import sys
import tempfile
import time
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from bench.run import Row
from rulewright.checks.examine import examine
from rulewright.model.paper import PAPERS
from rulewright.print import press, typesetting
from rulewright.print.press.orders import RULEBOOK, Order, PrintOptions

PROJECT = Path(__file__).resolve().parent.parent
CARD = "ocs/4.3/aids/sequence"
RULES = 1800
PER_CHAPTER = 60
MEMORY = 1024
"""How many MB the book of 1,800 rules may take."""

WORDS = ("before", "combat", "each", "enemy", "from", "ground", "hex", "leave", "mark", "may", "mode", "move")
WORDS += (
    "phase",
    "place",
    "player",
    "remove",
    "roll",
    "stack",
    "step",
    "supply",
    "that",
    "turn",
    "unit",
    "with",
)


def main() -> list[Row]:
    if lacks := typesetting.missing():
        sys.exit(lacks)
    every = press.orders_of(PROJECT, examine(PROJECT).shelf, PrintOptions(site="https://rulewright.example/"))
    card = next(order for order in every if order.address == CARD)
    rows, pdf = [], b""
    for what in ("a card", "the same card again"):
        begun = time.perf_counter()
        pdf = card.make().pdf
        rows.append(Row(what, time.perf_counter() - begun, 1))
    begun = time.perf_counter()
    _preflight(pdf)
    rows.append(Row("a card's preflight", time.perf_counter() - begun))
    rows.append(
        _all([order for order in every if not order.address.endswith(f"/{RULEBOOK}")], "aids of all books")
    )
    return [*rows, *_book()]


def _preflight(pdf: bytes) -> None:
    from rulewright.print.preflight import Expected, run
    from rulewright.source.problems import Place

    run(pdf, Expected(tagged=True, bookmarks=True), Place("bench"))


def _all(wanted: list[Order], what: str) -> Row:
    """Printed with an empty store, two at a time, as a first build does."""
    with tempfile.TemporaryDirectory() as folder:
        begun = time.perf_counter()
        done = press.run(Path(folder), wanted)
        return Row(f"{len(done.copies)} of {len(wanted)} {what}", time.perf_counter() - begun, 60)


def _book() -> list[Row]:
    """A book of 1,800 rules, printed in a process of its own so that its memory can be told."""
    with tempfile.TemporaryDirectory() as folder:
        write_book(Path(folder), RULES)
        there, here = get_context("spawn").Pipe()
        child = get_context("spawn").Process(target=_print_book, args=(folder, here))
        child.start()
        seconds, checked, pages, megabytes = there.recv()
        child.join()
    over = "  OVER" if megabytes > MEMORY else ""
    return [
        Row(f"a book of {RULES:,} rules, {pages} pages", seconds, 15),
        Row(f"  with preflight; {megabytes} of {MEMORY} MB{over}", checked, 60),
    ]


def _print_book(folder: str, pipe: Any) -> None:
    """In the child: the book's PDF, then its preflight; sends both times, its pages and its memory in MB."""
    begun = time.perf_counter()
    shelf = examine(Path(folder)).shelf
    (order,) = press.orders_of(Path(folder), shelf, PrintOptions(paper=PAPERS["letter"]))
    made = order.make()
    seconds = time.perf_counter() - begun
    unit = 1024 * 1024 if sys.platform == "darwin" else 1024
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // unit
    from rulewright.print.preflight import run

    report = run(made.pdf, made.expected, order.place)
    pages = next(check.seen for check in report.checks if check.name == "number of pages")
    pipe.send((seconds, time.perf_counter() - begun, pages, peak))


def write_book(folder: Path, rules: int) -> None:
    """The content of a book with so many rules of 60 words, which cite as often as a rulebook's do."""
    chance = random.Random(12)
    chapters = [_numbers(number, PER_CHAPTER) for number in range(1, rules // PER_CHAPTER + 1)]
    keys = [key for chapter in chapters for key in chapter]

    def words(count: int) -> list[str]:
        return [chance.choice(WORDS) for _ in range(count)]

    def text() -> str:
        made = words(60)
        if chance.random() < 2 / 3:
            made[chance.randrange(60)] = "(see {} and {})".format(*chance.sample(keys, 2))
        return " ".join(made)

    files = {
        "rulebook.yml": 'title: A Long Book\nnumbers: "1.1a"\nchapters: ["12.0"]\ncues: [see]\n',
        "1/edition.yml": 'edition: "1"\n',
    }
    for at, numbers in enumerate(chapters, 1):
        title = " ".join(words(3)).title()
        lines = [f'chapter: "{numbers[0]}"', f"title: {title}", "text: |", f"  {text()}", "rules:"]
        for number in numbers[1:]:
            inside = number[-1].isalpha()
            if inside and number.endswith("a"):
                lines.append("    rules:")
            indent = "      " if inside else "  "
            lines += [f'{indent}- number: "{number}"', f"{indent}  title: {' '.join(words(3)).title()}"]
            lines += [f"{indent}  text: |", f"{indent}    {text()}"]
        files[f"1/rules/{at}.yml"] = "\n".join(lines) + "\n"
    for name, content in files.items():
        path = folder / "content/long" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, "utf-8")


def _numbers(chapter: int, count: int) -> list[str]:
    """The numbers of a chapter: itself, and sections with four cases each."""
    found = [f"{chapter}.0"]
    section = 0
    while len(found) < count:
        section += 1
        found += [f"{chapter}.{section}", *(f"{chapter}.{section}{letter}" for letter in "abcd")]
    return found[:count]
