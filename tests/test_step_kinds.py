"""A kind of step is one line of `model/step_kinds.py`: with one more, every room knows it."""

import subprocess
import sys
from pathlib import Path

import rulewright.model.step_kinds as table

ADDED = '        StepKind("impulse", r"impulses?$|^impuls\\b"),\n        StepKind("segment"'

ASKED = """
import sys, types
table = types.ModuleType("rulewright.model.step_kinds")
sys.modules[table.__name__] = table
exec(sys.stdin.read(), table.__dict__)

from rulewright.book.schema import schemas
from rulewright.importers.hugo.steps import kind_of
from rulewright.importers.outline.steps import Book
from rulewright.importers.outline.transcription import transcribed
from rulewright.model.reader import read
from rulewright.model.step import Sequence
from rulewright.source.problems import File
from rulewright.source.tree import load

text = "Sequence of Play\\n\\nA. Air Phase\\n  Impulse 1: Air Impulse\\n    1. Bombers.\\nB. End Phase\\n"
made, _ = transcribed(File("played.txt", text), Book(lambda number: False), "")
node, _ = load("sequence.yml", made.encode())
sequence, problems = read(node, Sequence)
inner = sequence.steps[0].steps[0]
assert (inner.kind, inner.title, problems) == ("impulse", "Air Impulse", []), made
node, _ = load("sequence.yml", b"title: T\\nsteps:\\n- impulses: X\\n")
_, problems = read(node, Sequence)
assert "did you mean impulse?" in problems[0].message, problems
assert "'impulse'" in str(schemas())
assert kind_of("Air Impulse") == kind_of("Impuls der Achse") == "impulse"
"""


def test_one_more_kind_is_one_more_line() -> None:
    source = Path(str(table.__file__)).read_text(encoding="utf-8")
    changed = source.replace('        StepKind("segment"', ADDED)
    assert changed != source
    asked = subprocess.run([sys.executable, "-c", ASKED], input=changed, capture_output=True, text=True)
    assert asked.returncode == 0, asked.stderr
