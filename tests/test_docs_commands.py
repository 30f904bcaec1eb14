"""The commands of README and of every page of docs, run as they are printed, each by itself."""

import glob
import os
import re
import shlex
import shutil
from pathlib import Path
from typing import NamedTuple

import pytest
from tests.attack.tries import SITE

import run
from rulewright.app import new_game
from rulewright.app.cli import main
from tests.commands.duel import write
from tests.repositories import commit, undisturbed
from tests.test_docs import DOCS, FENCE

PAGES = [run.ROOT / "README.md", *sorted(DOCS.glob("*.md"))]
LINES = re.compile(r"^```(?:sh)?\n(.*?)^```", re.MULTILINE | re.DOTALL)
INLINE = re.compile(r"`(rulewright(?: [^`\n]+)?)`")
WHAT = re.compile(r"(?:cd \S+ && )?(?:rulewright|python3 run\.py)(?: |$)")

NOT_RUN = ("serve", "lsp", "bench", "inventory", "book", "NAME", "")
"""What runs until it is ended, measures for minutes, is a name of an earlier version, or no command."""
STANDS_FOR = {"DIR": "made", "COMMAND": "check", "FILE…": "sheet.pdf", "FILE": "sheet.pdf"}
BEFORE = {
    "--undo": "renumber ocs/4.3 12.5 12.12",
    "sheet.pdf": "aids mule-pass turn",
    "book.json": "export json ocs/4.3 --output book.json",
}
"""What a command is about, and the command that makes it."""
ABSENT = {"import hugo": "content/ocs", "import outline": "content/ocs/4.3/sequence.yml"}
"""What a command makes, which is not there before it."""
PRINTS = ("rulewright aids", "build", "rulewright preflight", "export zip")
RULES = "# 1.0 Moving\n\n## 1.1 Roads\n\nRoads help (see 1.2).\n\n## 1.2 Rivers\n\nRivers do not (see 1.1).\n"


class Command(NamedTuple):
    """A command as a page has it; `in_block`: on a line of its own, so that it has to succeed."""

    page: str
    words: str
    in_block: bool


def commands() -> list[Command]:
    found: dict[str, Command] = {}
    for page in PAGES:
        text = page.read_text("utf-8")
        lines = [line for block in LINES.findall(text) for line in block.splitlines() if WHAT.match(line)]
        for line in lines:
            found.setdefault(said := line.partition("  #")[0].strip(), Command(page.name, said, True))
        for said in INLINE.findall(re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)):
            found.setdefault(said, Command(page.name, said, False))
    return list(found.values())


def of(words: str) -> str:
    """The name of the command that a line gives."""
    return (shlex.split(words.rpartition("&& ")[2].replace("python3 run.py", "rulewright"))[1:2] or [""])[0]


RUN = [one for one in commands() if of(one.words) not in NOT_RUN]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project with the books that the pages speak of, and beside it what they read."""
    folder = tmp_path_factory.mktemp("home") / "project"
    shutil.copytree(run.ROOT / "content/ocs", folder / "content/ocs")
    made = {m[1]: m[2] for page in DOCS.glob("*.md") for m in FENCE.finditer(page.read_text("utf-8"))}
    made = {
        name: text for name, text in made.items() if "/mule-pass/2/" not in name
    }  # begun by one page alone
    write(folder, new_game.files("My Game", "mygame", new_game.USUAL))
    write(folder, {**made, **{f"../site/{name.partition('/')[2]}": text for name, text in SITE.items()}})
    text = {"sequence.txt": "A. Move\nB. Fight\n", "losses.csv": "Roll,Loss\n1,0\n2-6,1\n"}
    write(folder, {**text, "src/engine.rs": "// 12.5 says so\n", "cards.csv": "card,rule\nA,12.5\n"})
    write(folder, {"rules.md": RULES, "rules/1.md": RULES, "../rules/1.md": RULES})
    docx = pytest.importorskip("docx").Document()
    for line in filter(None, RULES.splitlines()):
        if line.startswith("#"):
            docx.add_heading(line.lstrip("# "), line.count("#"))
        else:
            docx.add_paragraph(line)
    docx.save(str(folder / "rules.docx"))
    return folder


def given(words: str, monkeypatch: pytest.MonkeyPatch) -> int:
    """Run a line as a shell would."""
    first, _, second = words.rpartition("&& ")
    if first:
        monkeypatch.chdir(first.removeprefix("cd ").strip())
    said = shlex.split(second.replace("python3 run.py", "rulewright"))[1:]
    said = [STANDS_FOR.get(word, word) for word in said]
    return main([name for word in said for name in (sorted(glob.glob(word)) or [word])])


@pytest.mark.parametrize(
    "command",
    [
        pytest.param(
            one, marks=[pytest.mark.thorough] if any(p in one.words for p in PRINTS) else [], id=one.words
        )
        for one in RUN
    ],
)
def test_a_command_of_the_docs_does_what_is_said(
    command: Command,
    home: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    shutil.copytree(home.parent, tmp_path / "all")
    monkeypatch.chdir(tmp_path / "all/project")
    for about, needed in BEFORE.items():
        if about in command.words or about in map(STANDS_FOR.get, shlex.split(command.words)):
            assert main(needed.split()) == 0
    for about, path in ABSENT.items():
        if about in command.words:
            shutil.rmtree(path) if os.path.isdir(path) else os.remove(path)
    if "impact" in command.words:
        undisturbed(monkeypatch, tmp_path)
        commit(Path.cwd())
    for sheet in sorted(Path("print").rglob("*.pdf"))[:1] if os.path.isdir("print") else ():
        shutil.copy(sheet, "sheet.pdf")
    capfd.readouterr()
    code = given(command.words, monkeypatch)
    said = capfd.readouterr()
    assert "Traceback" not in said.err
    if code == 2 and not command.in_block and "tells what it takes" in said.err:  # it is named, with no more
        assert given(f"{command.words} --help", monkeypatch) == 0
        offered = capfd.readouterr().out
        assert all(word in offered for word in command.words.split() if word.startswith("--"))
        return
    assert code == 0 or (not command.in_block and code == 1), said.err[-600:] + said.out[-300:]


def test_there_are_commands_on_the_pages() -> None:
    assert len(RUN) > 35
    assert {"README.md", "aids.md", "editions.md", "importing.md", "start.md"} <= {one.page for one in RUN}
