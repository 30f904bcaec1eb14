"""The walk through a turn, in a browser without a page: stops and questions, and whole turns of books."""

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from rulewright.checks.load_and_check import CheckedProject, load_and_check
from rulewright.render.pages.play_tree import PlayTree
from rulewright.sequence.sequence_step import SequenceOfPlay
from tests.casefiles import Case, cases
from tests.commands.duel import write
from tests.projects import ROOT

BOOKS = ("ocs/4.3", "ocs/3.0", "asl/a3", "killing-ground/1", "eastern-front/2009-02-16", "ember-coast/2.1")
SIXTH = ROOT / "tests/sixth"
STOPS = """([tree, turn, given, names]) => {
  const { read, replay } = rulewright.walk;
  const book = read(tree), game = { turn, start: {}, answers: [] }, lines = [];
  const name = (who) => names[who] ?? who;
  for (let { prompt } = replay(book, game); prompt; { prompt } = replay(book, game)) {
    const { kind, node, who, counts, options, sides } = prompt;
    const count = counts.findLast((each) => each.node === node && each.isRound);
    const nth = count ? ` (${count.noun} ${count.number}${count.most ? ` of ${count.most}` : ""})` : "";
    if (kind === "stop") {
      const extra = prompt.anytime.map((each) => each.title).join(", ");
      const acting = who.map((each) => name(each.who)).join(" and ");
      lines.push(`${acting}: ${node.title}${nth}${extra && `   [at any time: ${extra}]`}`);
      game.answers.push("d");
      continue;
    }
    const asked = () => prompt.ask[0][0].toLowerCase() + prompt.ask[0].slice(1, -1);
    const question = {
      pass: () => `${name(who[0].who)} ${node.rounds.passing === "done" ? "is done" : "passes"}`,
      each: () => `next ${node.noun}`, choice: () => "which",
      more: () => `${prompt.ask[0].startsWith("Another") ? "another" : "first"} ${node.noun}`,
      order: () => "who is first", who: () => `who is ${name(node.decides)}`,
    }[kind]?.() ?? asked();
    const answer = given.shift() ?? "?";
    lines.push(`? ${node.title}${kind === "choice" ? nth : ""}: ${question}?  ${answer}`);
    const place = sides?.indexOf(answer);
    game.answers.push({
      choice: () => `c${options.findIndex((each) => each.title === answer)}`, who: () => `w${place}`,
      order: () => `w${[place, ...sides.keys().filter((at) => at !== place)].join("-")}`,
    }[kind]?.() ?? answer[0]);
    if (replay(book, game).past.length < game.answers.length) break;
  }
  return [...lines, ...given.map((answer) => `left over: ${answer}`)];
}"""
WHOLE = """([tree, loops]) => {
  const { read, replay, screen, answersWith, defaultAnswer, encodeAnswers, decodeAnswers } = rulewright.walk;
  const book = read(tree), game = { turn: 1, start: {}, answers: [] }, seen = new Set();
  const often = new Map();
  const reply = (prompt) => {
    if (!/^(each|more|until|pass|ends)$/.test(prompt.kind)) return defaultAnswer(prompt);
    const key = `${prompt.node.index} ${prompt.phasing} ${prompt.who.map((each) => each.who)} ${prompt.kind}`;
    often.set(key, (often.get(key) ?? 0) + 1);
    return (often.get(key) > loops) === /^(until|pass|ends)$/.test(prompt.kind) ? "y" : "n";
  };
  for (let view = screen(book, game); view.prompt && seen.size < 2000; view = screen(book, game)) {
    const lines = view.lines.flatMap((line) => [...line.asks, line.prompt]);
    const prompts = [view.before, ...lines, lines.length ? null : view.main, view.after].filter(Boolean);
    game.answers = answersWith(book, game, prompts.map((prompt) => ({ prompt, answer: reply(prompt) })));
    if (seen.has(encodeAnswers(game.answers))) throw new Error(`no way on from ${view.prompt.node.title}`);
    seen.add(encodeAnswers(game.answers));
    const again = replay(book, { ...game, answers: decodeAnswers(encodeAnswers(game.answers)) });
    if (again.past.length !== game.answers.length) throw new Error("an answer is left over");
  }
  const { past, prompt } = replay(book, game);
  return [seen.size, Boolean(prompt), [...new Set(past.map((each) => each.prompt.node.id))]];
}"""


@pytest.fixture(scope="module")
def walker(browser):
    page = browser.new_page()
    page.add_script_tag(path=ROOT / "templates/theme/assets/walk.js")
    return page


@cache
def _examined(root: Path) -> CheckedProject:
    return load_and_check(root)


def sequence(address: str) -> SequenceOfPlay:
    root = SIXTH if address.startswith("salt") else ROOT
    return _examined(root).index.outlines[address].sequence


def tree(steps: SequenceOfPlay) -> Any:
    assert steps.root
    data = PlayTree(steps, steps.root.edition.book).to_json(dict.fromkeys(steps.iter_played(), ""))
    return json.loads(json.dumps(data))


def book_files(case: Case) -> dict[str, str]:
    return {
        "rulebook.yml": f"title: T\nnumbers: '1.1'\n{case.text('yaml rulebook.yml')}",
        "1/edition.yml": 'edition: "1"\n',
        "1/sequence.yml": case.text("yaml sequence.yml"),
    }


def described(case: Case, folder: Path) -> SequenceOfPlay:
    write(folder / "content/t", book_files(case))
    examined = load_and_check(folder)
    assert not [problem for problem in examined.problems if problem.is_failure]
    return examined.index.outlines["t/1"].sequence


@pytest.mark.parametrize("case", cases("play"), ids=str)
def test_a_turn_stops_where_it_should(case, walker, tmp_path):
    steps = described(case, tmp_path)
    data = tree(steps)
    many = len(data["sides"]) > 2
    names = {name: who["title"] for name, who in data["names"].items()}
    names |= {"both": "All" if many else "Both", "either": "Any" if many else "Either", "none": "–"}
    found = []
    for part in case.text("expect").split("\n\n"):
        heading, *lines = part.splitlines()
        given = [line.rpartition("  ")[2] for line in lines if line.startswith("  ? ")]
        walked = walker.evaluate(STOPS, [tree(steps), int(heading.split()[2].rstrip(":")), given, names])
        stops = sum(not line.startswith("? ") for line in walked)
        found.append(
            "\n".join([f"{heading.partition(':')[0]}: {stops} stops", *(f"  {line}" for line in walked)])
        )
    case.agrees("\n\n".join(found), case.text("expect"))


@pytest.mark.parametrize("loops", [0, 1, 3])
@pytest.mark.parametrize("address", [*BOOKS, "salt-road/2"])
def test_a_whole_turn_is_walked_without_an_answer_left_over(address, loops, walker):
    screens, is_open, _ = walker.evaluate(WHOLE, [tree(sequence(address)), loops])
    assert 0 < screens < 120
    assert not is_open


@pytest.mark.parametrize("address", BOOKS)
def test_every_step_of_the_first_turn_can_be_reached(address, walker):
    """The list leads to each step that is due, and back to it."""
    missed = walker.evaluate(
        """(tree) => {
          const book = rulewright.walk.read(tree), game = { turn: 1, start: {}, answers: [] };
          const reach = (node) => rulewright.walk.answersTowards(book, game, node);
          const due = book.all.filter((node) => !node.steps.length && !node.inTurns.length);
          return due.filter((node) => !reach(node)).map((node) => node.id);
        }""",
        tree(sequence(address)),
    )
    assert missed == []


HOSTILE = [
    "rounds: 9999\n    steps: [{do: A, in rounds: '9999'}]",
    "rounds: until it rains\n    steps: [{do: A, in turns: '7'}]",
    "rounds: 9999\n    steps: [{phase: B, rounds: 9999, steps: [{do: A, rounds: 9999, in turns: '7'}]}]",
]


@pytest.mark.parametrize("steps", HOSTILE)
def test_rounds_in_which_nothing_is_done_end(steps, walker, tmp_path):
    write(tmp_path / "content/t", {
        "rulebook.yml": "title: T\nnumbers: '1.1'\n", "1/edition.yml": 'edition: "1"\n',
        "1/sequence.yml": f"title: T\nsteps:\n  - phase: P\n    {steps}\n  - {{phase: Night}}\n",
    })  # fmt: skip
    data = tree(load_and_check(tmp_path).index.outlines["t/1"].sequence)
    assert walker.evaluate(WHOLE, [data, 1])[2][-1] == "night"


REFUSED = ["", "z", "c9", "w0", "a1", "e1", "y", "d d", "__proto__", "c-1", "a", "x"]


def test_an_answer_that_does_not_fit_and_all_after_it_are_left_out(walker):
    """An address that somebody wrote by hand leads as far as it fits."""
    data = tree(sequence("ocs/4.3"))
    found = walker.evaluate(
        """([tree, answers]) => answers.map((answer) => {
          const book = rulewright.walk.read(tree), game = { turn: 1, start: {}, answers: ["d", answer, "d"] };
          return rulewright.walk.replay(book, game).past.length;
        })""",
        [data, REFUSED],
    )
    assert found == [1] * len(REFUSED)
