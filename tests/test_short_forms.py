"""Short and long forms of a chapter: one model, one set of problems, the same edits, whichever is written."""

import random
import re
from dataclasses import replace
from pathlib import Path

import pytest
import yaml
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from rulewright.checks.examine import examine_folder
from rulewright.edit.moves import planned
from rulewright.edit.proposal import propose
from rulewright.edit.requests import remember
from rulewright.edit.short_forms import formatted
from rulewright.model.rulebook import SETS
from rulewright.source.folder import Folder
from rulewright.source.problems import Problem
from rulewright.source.refusal import Refusal
from tests.longhand import longhand, spelt_out

ROOT = Path(__file__).parent.parent
CHAPTERS = sorted(ROOT.glob("content/*/*/rules/*.yml"))
NAME = "content/quay/1/rules/1-ships.yml"
BOOK = {
    "content/quay/rulebook.yml": b'title: Quay\nnumbers: "1.1a(A)"\nchapters: "1.0"\n',
    "content/quay/1/edition.yml": b'edition: "1"\n',
}
SLOW = settings(
    max_examples=4 * settings().max_examples // 3, deadline=None, suppress_health_check=list(HealthCheck)
)
WORDS = [
    "Ships sail.",
    "See 1.1.",
    "- one\n- two (1.2a)\n",
    'Say "ho": now',
    "# none",
    "See 1.9z.",
    "a | b",
    "Cost: 2",
]
TITLES = ["Ships", "The 'old' \"Hulk\"", "A | B", "Boats: rowing", "# 3", "12 Miles", "See 1.1", "yes"]


@st.composite
def chapters(draw: st.DrawFn) -> dict[str, object]:
    """A chapter of random rules in long form, as plain keys."""

    def said() -> dict[str, object]:
        rule: dict[str, object] = {}
        if draw(st.booleans()):
            rule["title"] = draw(st.sampled_from(TITLES))
        if draw(st.booleans()):
            rule["text"] = draw(st.sampled_from(WORDS))
        if draw(st.integers(0, 3)) == 0:
            rule["formerly"] = ["1.8"]
        if draw(st.integers(0, 2)) == 0:
            kinds = draw(st.lists(st.sampled_from(SETS["notes"]), min_size=1, max_size=3))
            rule["notes"] = [
                {
                    "kind": kind,
                    "text": draw(st.sampled_from(WORDS)),
                    **draw(st.sampled_from([{}, {"title": "N"}])),
                }
                for kind in kinds
            ]
        return rule

    sections: list[dict[str, object]] = []
    for at in range(1, draw(st.integers(1, 4)) + 1):
        inner = [{"number": f"1.{at}{'abc'[one]}", **said()} for one in range(draw(st.integers(0, 3)))]
        sections.append({"number": f"1.{at}", **said(), **({"rules": inner} if inner else {})})
    return {"chapter": "1.0", "title": "Ships", "rules": sections}


@st.composite
def files(draw: st.DrawFn) -> bytes:
    """A chapter's file in long form, written one way or another, with comments and empty lines."""
    flow = draw(st.sampled_from([False, None]))
    text = yaml.safe_dump(
        draw(chapters()), sort_keys=False, allow_unicode=True, default_flow_style=flow, width=60
    )
    assert isinstance(text, str)
    lines = []
    for line in text.splitlines(keepends=True):
        if line.lstrip().startswith("- number"):
            indent = line[: len(line) - len(line.lstrip())]
            above = draw(st.sampled_from(["", "\n", "# look here\n", "\n# and here\n"]))
            lines += [indent + one if one.strip() else one for one in above.splitlines(keepends=True)]
        lines.append(line)
    return (
        draw(st.sampled_from(["", "\ufeff"])).encode()
        + "".join(lines).replace("\n", draw(st.sampled_from(["\n", "\r\n"]))).encode()
    )


def told(data: bytes) -> list[tuple[str, str, str, str]]:
    """The problems of a book with this chapter, each with the word that it stands at, lines left out."""
    lines = data.decode("utf-8-sig").splitlines()
    problems = examine_folder(Folder({**BOOK, NAME: data})).problems
    messages = (" ".join(w for w in p.message.split() if not w.rstrip(",;").isdecimal()) for p in problems)
    found = zip(problems, messages, strict=True)
    return sorted((p.code, message, p.about, word_at(lines, p)) for p, message in found if p.fails)


def word_at(lines: list[str], problem: Problem) -> str:
    if problem.place.file != NAME:
        return str(problem.place)
    rest = lines[problem.place.line - 1][problem.place.column - 1 :].lstrip("\"'")
    return rest.split()[0].strip("\"':,}") if rest.split() else ""


@given(files())
@SLOW
def test_long_and_short_forms_are_one_chapter(long: bytes) -> None:
    short = formatted(NAME, long)
    assert spelt_out(short) == spelt_out(long)
    assert formatted(NAME, short) == short
    assert b"number:" not in short
    assert spelt_out(longhand(short)) == spelt_out(long)
    comments = [sum(line.lstrip().startswith(b"# ") for line in one.splitlines()) for one in (long, short)]
    assert comments[0] == comments[1]
    assert told(short) == told(long)


@given(files(), st.randoms(use_true_random=False))
@SLOW
def test_edits_of_long_and_short_forms_are_the_same(long: bytes, chance: random.Random) -> None:
    short = formatted(NAME, long)
    seed = chance.random()
    outcomes = [renumbered(one, random.Random(seed)) for one in (long, short)]
    # What stands in braces has no lines of its own to be moved.
    assume(not any(re.search("braces|brackets", str(one)) for one in outcomes if isinstance(one, str)))
    assert outcomes[0] == outcomes[1]


def renumbered(data: bytes, chance: random.Random) -> object:
    """A chapter with two rules' numbers changed, and changed back, as plain keys; or why that is refused."""
    folder = Folder({**BOOK, NAME: data})
    examined = examine_folder(folder)
    keys = [key for key in examined.shelf.outlines["quay/1"].entries if key != "1.0"]
    pairs = [(chance.choice(keys), chance.choice(["1.5", "1.6", "1.1d", "1.1f", "1.2e"]))]
    try:
        moves = planned(examined.shelf.outlines["quay/1"], pairs)
        made = propose(folder, examined, moves, lambda placing: remember(placing, moves), {})
        texts = {**folder.texts, **made.files}
        there = replace(folder, texts={name: one for name, one in texts.items() if one is not None})
        again = examine_folder(there)
        back = planned(again.shelf.outlines["quay/1"], moves.back)
        home = propose(there, again, back, lambda placing: remember(placing, back), {})
    except Refusal as refused:
        return str(refused)
    return spelt_out(there.texts[NAME]), spelt_out(home.files.get(NAME) or there.texts[NAME])


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: "/".join(path.parts[-4:]))
def test_our_chapters_are_written_in_short_forms(path: Path) -> None:
    data = path.read_bytes()
    assert formatted(path.name, data) == data
    assert max(len(line) - len(line.lstrip(b" ")) for line in data.splitlines()) <= 8
