"""What is too much: numbers too long to count, values of the wrong sort, and work that grows by the square.

Work is measured in calls of functions, which are the same on every machine.
"""

import re
from collections.abc import Callable, Mapping
from cProfile import Profile
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rulewright.app.build as line
from rulewright.app.build import build
from rulewright.model.dice import dice, ranges
from rulewright.model.paper import length, paper_of
from rulewright.site.artifacts import Artifacts
from rulewright.site.diagram import wrap
from rulewright.source.amounts import counted, unescaped, whole
from rulewright.source.folder import Folder, natural
from tests.projects import ROOT

LONG = "9" * 5_000
BOOK = {
    "rulebook.yml": 'title: Duel\nnumbers: "1.1a"\nchapters: ["1.0"]\ncues: [see]\n',
    "1/edition.yml": 'edition: "1"\n',
    "1/rules/1.yml": 'chapter: "1.0"\n"1.1": A sword is sharp.\n',
}


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> Callable[[Mapping[str, str]], Artifacts]:
    """The line from texts in the folder of a book to all that is made of them."""

    def make(texts: Mapping[str, str]) -> Artifacts:
        folder = Folder({f"content/duel/{name}": text.encode() for name, text in {**BOOK, **texts}.items()})
        monkeypatch.setattr(line, "gather", lambda project: folder)
        return build(ROOT / "tests")

    return make


TABLE = "title: Winds\nid: winds\nroll: {}\ncolumns: [Result]\nrows:\n  - {{roll: '{}', Result: Breeze}}\n"
AID = "title: Card\npaper: a5\n{}blocks:\n  - {{checklist: {{of: [A], turns: '{}', depth: '{}'}}}}\n"
ERRATA = (
    "errata:\n  - {{erratum: '1', at: '1.1', date: 2020-01-01, replace: sword, with: knife, which: '{}'}}\n"
)
NUMBERS = {
    "dice": lambda n: {"1/tables/w.yml": TABLE.format(f"1d{n}", "1-6")},
    "how many dice": lambda n: {"1/tables/w.yml": TABLE.format(f"{n}d6", "1-6")},
    "dice and more": lambda n: {"1/tables/w.yml": TABLE.format(f"1d6+{n}", "1-6")},
    "a roll": lambda n: {"1/tables/w.yml": TABLE.format("1d6", n)},
    "rolls": lambda n: {"1/tables/w.yml": TABLE.format("1d6", f"1-{n}")},
    "every": lambda n: {"1/sequence.yml": f"title: T\nsteps:\n  - {{phase: A, every: {n} turns}}\n"},
    "turns": lambda n: {"1/aids/c.yml": AID.format("", n, 2)},
    "depth": lambda n: {"1/aids/c.yml": AID.format("", 2, n)},
    "columns": lambda n: {"1/aids/c.yml": AID.format(f"columns: '{n}'\n", 2, 2)},
    "bleed": lambda n: {"1/aids/c.yml": AID.format(f"bleed: {n} mm\n", 2, 2)},
    "paper": lambda n: {"1/aids/c.yml": AID.format("", 2, 2).replace("a5", f"{n} x {n} mm")},
    "which": lambda n: {"1/errata.yml": ERRATA.format(n)},
    "a rule": lambda n: {"1/known.yml": f"known:\n  - {{number: '1.{n}'}}\n"},
    "a chapter": lambda n: {"1/rules/2.yml": f"chapter: '{n}.0'\n"},
    "a reference": lambda n: {
        "1/rules/1.yml": BOOK["1/rules/1.yml"].replace("A", f"See {n}.{n}, 1.1 to {n}. A")
    },
    "a heading of a page": lambda n: {"1/faq.md": f"# A &#{n};\n", "1/redirects.yml": REDIRECTS},
}  # fmt: skip
REDIRECTS = "redirects:\n  - {from: /a/, to: 'faq#b'}\n"


@pytest.mark.parametrize("digits", [LONG, "9" * 400, "999999999", "²", "٣", "0"])
@pytest.mark.parametrize("what", NUMBERS)
def test_no_number_is_too_long(made, what, digits):
    found = made({"1/sequence.yml": "title: T\nsteps:\n  - phase: A\n"} | NUMBERS[what](digits))
    assert all(problem.place.line for problem in found.problems)


@given(st.text("0123456789-− ²٣x", max_size=12))
def test_a_number_is_what_python_reads_or_none(text: str) -> None:
    try:
        right = int(text.replace("−", "-")) if " " not in text and len(text.lstrip("-−")) < 10 else None
    except ValueError:
        right = None
    assert whole(text) == right
    assert counted(text, 20) == (right if text.isascii() and right in range(1, 21) else None)


def test_dice_that_nobody_throws_are_none() -> None:
    for text in ("999999999d6", f"d{'6' * 5_000}", "1d999999999", f"1d{LONG}"):
        assert dice(text) is None
    assert ranges(f"1-{LONG}") is None
    assert length(f"{'9' * 400} mm") is None
    assert paper_of(f"{LONG} x {LONG} mm") is None


@given(st.lists(st.from_regex(r"[a-z]{0,3}[0-9]{0,12}[a-z]?", fullmatch=True), max_size=6))
def test_names_are_ordered_by_what_their_digits_count(names: list[str]) -> None:
    def key(name: str) -> tuple[list[tuple[int, str]], str]:
        return [(int(d or 0), w) for d, w in re.findall("([0-9]+)|([^0-9]+)", name)], name

    assert sorted(names, key=natural) == sorted(names, key=key)
    natural(f"a{LONG}")


@pytest.mark.parametrize("known", ["''", "²", "(", "1.", ".1", LONG])
@pytest.mark.parametrize("example", ["A1.11", "1.1a", "i.a", "[1.1]A"])
def test_a_label_of_nothing_is_none(made, example, known):
    book = BOOK["rulebook.yml"].replace("1.1a", example)
    assert made({"rulebook.yml": book, "1/known.yml": f"known:\n  - {{number: '{known}'}}\n"}).problems


@pytest.mark.parametrize("sign", [f"&#{LONG};", "&#99999999;", f"&#{LONG}"])
def test_a_sign_of_too_many_digits_is_words(sign: str) -> None:
    assert unescaped(sign) == sign
    assert unescaped(f"&amp;&#65;&#x42;{sign}") == f"&AB{sign}"


def calls(work: Callable[[], Any]) -> int:
    """How many functions are called, Python's own among them."""
    with Profile(subcalls=False) as profile:
        work()
    return sum(one.callcount for one in profile.getstats())


RULES = 'chapter: "1.0"\n'


def errata(n: int, of: Callable[[int], str]) -> str:
    return "errata:\n" + "".join(f"  - {{erratum: '{i}', date: 2020-01-01, {of(i)}}}\n" for i in range(n))


GROWING: Mapping[str, Callable[[int], Mapping[str, str]]] = {
    "aliases of a term": lambda n: {
        "rulebook.yml": BOOK["rulebook.yml"]
        + f"terms:\n  sword: {{means: blade, aliases: [{', '.join(f'alias{i}' for i in range(n))}]}}\n",
        "1/rules/1.yml": RULES
        + "".join(f"'1.{i + 1}': A sword.\n" for i in range(n // 4)),
    },
    "terms": lambda n: {
        "rulebook.yml": f"{BOOK['rulebook.yml']}terms:\n"
        + "".join(f"  t{i}x: {{means: x}}\n" for i in range(n)),
        "1/rules/1.yml": f"{RULES}'1.1': {' '.join(f't{i}x' for i in range(n))}\n",
    },
    "errata of a rule": lambda n: {
        "1/rules/1.yml": f"{RULES}'1.1': {' '.join(f'w{i}x' for i in range(n))}\n",
        "1/errata.yml": errata(n, lambda i: f"at: '1.1', replace: w{i}x, with: new"),
    },
    "errata that are wrong": lambda n: {
        "1/rules/1.yml": f"{RULES}'1.1': {' '.join(f'w{i}x' for i in range(n))}\n",
        "1/errata.yml": errata(n, lambda i: f"at: '1.1', replace: v{i}x, with: new"),
    },
    "errata of steps": lambda n: {
        "1/sequence.yml": "title: T\nsteps:\n" + "".join(f"  - do: Row {i}\n" for i in range(n)),
        "1/errata.yml": errata(n, lambda i: f"step: Row {i}, replace: Row, with: Pull"),
    },
    "errata of a table": lambda n: {
        "1/tables/w.yml": "title: W\nid: w\ncolumns: [A]\nrows:\n"
        + "".join(f"  - A: c{i}x\n" for i in range(n)),
        "1/errata.yml": errata(n, lambda i: f"table: w, replace: c{i}x, with: new"),
    },
}  # fmt: skip


@pytest.mark.parametrize("what", GROWING)
def test_work_grows_no_faster_than_the_content(made, what):
    made({})  # what is made once
    small, large = (calls(lambda n=n: made(GROWING[what](n))) for n in (400, 800))  # type: ignore[misc]
    assert large < 2.3 * small, f"twice as much takes {large / small:.2f} times as many calls"


def test_a_long_word_is_measured_letter_by_letter() -> None:
    for words in ("m" * 2_000, "W-" * 1_000, "a " * 1_000):
        small, large = (calls(lambda w=w: wrap(w, 120, 14.5)) for w in (words, words * 4))  # type: ignore[misc]
        assert large < 5 * small


def test_errata_beyond_what_one_rule_may_have_are_told_once(made) -> None:
    told = [one for one in made(GROWING["errata of a rule"](300)).problems if one.code == "errata-too-many"]
    assert len(told) == 1
