"""Kinds of step and of block are added in few files: with one more of each in those, every room knows it."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from rulewright.source.resources import PACKAGE, TEMPLATES
from tests.commands.duel import write

STEP_KIND = '        StepKind("impulse", r"impulses?$|^impuls\\b"),\n'

BLOCK_TYPE = '''@dataclass(frozen=True, slots=True)
class CostBlock:
    """The costs of steps."""

    of: tuple[Text, ...] = many("The steps, by title or id.", lone=True, names="step")
    most: Text | None = key("How many are shown.", count=9)
    about: Text | None = key("Words above them.", prose=True)


'''
BLOCK_KEY = '    cost: CostBlock | None = key("The costs of steps.", either=True)\n'
BLOCK_SHOWN = '''"""The costs of steps."""

from rulewright.citations.blocks.part import Part

class Shown(Part):
    __slots__ = ()
    plays = True

    @classmethod
    def of(cls, block, making):
        steps = tuple(step for top in making.steps(block.cost.of) for step in top.walk() if step.step.cost)
        return cls(block, steps, frozenset(steps))
'''
BLOCK_LOOK = """{% macro page(part, at, level, live) %}
{% for one in part.steps %}<p>{{ at.inline(one.step.title) }}: {{ at.inline(one.step.cost) }}</p>{% endfor %}
{% endmacro %}
"""

STEPS = """
from rulewright.importers.website.rule_tree import kind_of
from rulewright.importers.outline.transcription import Book
from rulewright.importers.outline.transcription import transcribed
from rulewright.model.reader import read
from rulewright.model.step import Sequence
from rulewright.source.problems import File
from rulewright.source.tree import load

text = "Sequence of Play\\n\\nA. Air Phase\\n  Impulse 1: Air Impulse\\n    1. Bombers.\\nB. End Phase\\n"
made, _ = transcribed(File("played.txt", text), Book(lambda number: False))
node, _ = load("sequence.yml", made.encode())
sequence, problems = read(node, Sequence)
inner = sequence.steps[0].steps[0]
assert (inner.kind, inner.title, problems) == ("impulse", "Air Impulse", []), made
node, _ = load("sequence.yml", b"title: T\\nsteps:\\n- impulses: X\\n")
_, problems = read(node, Sequence)
assert "did you mean impulse?" in problems[0].message, problems
assert kind_of("Air Impulse") == kind_of("Impuls der Achse") == "impulse"
"""

RULEBOOK = 'title: Harbour\nnumbers: "1.1a"\nchapters: "1.0"\n'
SEQUENCE = """title: Sequence of Play
steps:
- phase: Move
  steps:
  - impulse: Sail
    by: both
    cost: 2 points
"""
RULES = "chapter: '1.0'\ntitle: Play\n\"1.1 Ships\": They sail.\n"
AID = "title: Card\nblocks:\n- cost: {about: See 1.1.}\n  title: Costs\n- legend\n"


def added(path: Path, before: str, text: str) -> None:
    """Put a text into a file, in front of a place that is there once."""
    source = path.read_text(encoding="utf-8")
    assert source.count(before) == 1, before
    path.write_text(source.replace(before, text + before), encoding="utf-8")


@pytest.fixture(scope="module")
def changed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the program with one more kind of step and one more kind of block."""
    top = tmp_path_factory.mktemp("changed")
    package = top / "generator/rulewright"
    shutil.copytree(PACKAGE, package, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(TEMPLATES, top / "templates")
    added(package / "model/step_kinds.py", '        StepKind("segment"', STEP_KIND)
    added(package / "model/aid.py", "@dataclass(frozen=True, slots=True)\nclass Block:", BLOCK_TYPE)
    added(package / "model/aid.py", "    panel: Text | None", BLOCK_KEY)
    (package / "citations/blocks/cost.py").write_text(BLOCK_SHOWN, encoding="utf-8")
    (top / "templates/aids/blocks/cost.html").write_text(BLOCK_LOOK, encoding="utf-8")
    return top


def run(changed: Path, *arguments: str) -> str:
    env = {**os.environ, "PYTHONPATH": str(changed / "generator")}
    done = subprocess.run([sys.executable, *arguments], env=env, capture_output=True, text=True, cwd=changed)
    return f"{done.returncode}\n{done.stdout}{done.stderr}"


def test_one_more_kind_of_step_is_one_more_line(changed: Path) -> None:
    assert run(changed, "-c", STEPS) == "0\n"


def test_one_more_kind_of_block_is_its_type_what_it_shows_and_its_look(changed: Path, tmp_path: Path) -> None:
    book = tmp_path / "content/harbour"
    files = {"rulebook.yml": RULEBOOK, "1/edition.yml": "edition: '1'\n", "1/sequence.yml": SEQUENCE}
    files |= {"1/rules/1.yml": RULES, "1/aids/card.yml": AID}
    write(book, files)
    shutil.copy(TEMPLATES.parent / "mkdocs.yml", tmp_path)
    told = run(changed, "-m", "rulewright", "--project", str(tmp_path), "build", "--no-print")
    assert told.startswith("0\n"), told
    page = (tmp_path / "site/harbour/1/aids/card/index.html").read_text(encoding="utf-8")
    assert "<p>Sail: 2 points</p>" in page
    assert "Both" in page.split('class="block legend"')[1]

    wrong = AID.replace("See 1.1.", "See 1.9., of: Nowhere, most: '10'")
    (book / "1/aids/card.yml").write_text(wrong, encoding="utf-8")
    told = run(changed, "-m", "rulewright", "--project", str(tmp_path), "check")
    assert "[reference-not-found]" in told
    assert "[step-not-found]" in told
    assert "most cannot be 10; write a whole number from 1 to 9 [count-malformed]" in told
