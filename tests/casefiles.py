"""Case files: Markdown that explains how content is written and is run as tests.

A case is a `## ` heading, a sentence or two of explanation, and fenced blocks; the word or path after a
fence says what a block is (`text`, `expect`, `yaml content/x/rulebook.yml`). Blocks before
the first heading hold for every case of the file. A longer fence may hold a shorter one.

    @pytest.mark.parametrize("case", cases("references"), ids=str)
    def test_references(case):
        case.agrees(found_in(case.text("text")), case.text("expect"))
"""

import re
from dataclasses import dataclass
from difflib import ndiff
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
FENCE = re.compile(r"(`{3,}|~{3,})[ ]*([^`]*)")


@dataclass(frozen=True)
class Case:
    """One case: `blocks` are pairs of the words after the fence and the text inside it."""

    name: str
    file: str
    line: int
    why: str
    blocks: list[tuple[str, str]]

    def __str__(self) -> str:
        return f"{self.file}:{self.line} {self.name}"

    def text(self, info: str, default: str | None = None) -> str:
        """The text of the block called `info`; the case's own comes before one that its file shares."""
        texts = [text for called, text in self.blocks if called == info]
        if not texts and default is None:
            self.fail(f"has no block called {info}")
        return texts[-1] if texts else default or ""

    def agrees(self, actual: str, expected: str) -> None:
        """Fail, at the case's own place, unless two texts agree but for white space at their ends."""
        got, wanted = actual.strip().splitlines(), expected.strip().splitlines()
        if got != wanted:
            self.fail("- expected, + got\n" + "\n".join(line.rstrip() for line in ndiff(wanted, got)))

    def fail(self, message: str) -> None:
        """Fail with a message that begins with the case's file and line."""
        pytest.fail(f"{self.file}:{self.line}: {self.name}\n{message}", pytrace=False)


def cases(folder: str) -> list[Case]:
    """The cases of every file in `tests/cases/<folder>`, in the order of the files."""
    return [case for file in sorted((TESTS / "cases" / folder).glob("**/*.md")) for case in read(file)]


def read(file: Path) -> list[Case]:
    """The cases of one file."""
    name = file.relative_to(TESTS.parent).as_posix()
    shared: list[tuple[str, str]] = []
    found: list[Case] = []
    why: list[str] = []
    fence = info = ""
    inside: list[str] = []
    for number, line in enumerate(file.read_text("utf-8").splitlines(), 1):
        if fence:
            if re.fullmatch(rf"{fence[0]}{{{len(fence)},}}\s*", line):
                (found[-1].blocks if found else shared).append((info, "".join(inside)))
                fence = ""
            else:
                inside.append(line + "\n")
        elif opened := FENCE.fullmatch(line):
            fence, info, inside = opened[1], opened[2].strip(), []
        elif line.startswith("## "):
            why = []
            found.append(Case(line[3:].strip(), name, number, "", list(shared)))
        elif found and line.strip():
            why.append(line.strip())
            found[-1] = Case(found[-1].name, name, found[-1].line, " ".join(why), found[-1].blocks)
    assert not fence, f"{name}: the fence of a {info or 'block'} is never closed"
    return found
