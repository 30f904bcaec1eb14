"""Recorded targets of references, and the reports when they change."""

import random
import shlex
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulewright.app.cli import main
from rulewright.book.lock_file import read_lock
from rulewright.checks.load_and_check import load_and_check_folder
from rulewright.edit.lock_updates import record_references
from rulewright.files.content_reader import ContentFolder, read_content_folder
from rulewright.files.problems import Severity
from tests.casefiles import Case, cases
from tests.commands.duel import write
from tests.locks import accepted, with_files

CASES = cases("recorded-targets")
SEEDS = pytest.mark.parametrize("seed", range(8))


def blocks(case: Case, sort: str) -> dict[str, str]:
    return {info.split(" ", 1)[1]: text for info, text in case.blocks if info.startswith(f"{sort} ")}


@pytest.mark.parametrize("case", CASES, ids=str)
def test_cases(case, tmp_path, capsys):
    project = write(tmp_path, blocks(case, "yaml") | blocks(case, "markdown"))
    assert main(["--project", str(project), "check", "--accept"]) == 0
    write(project, blocks(case, "edited"))
    capsys.readouterr()
    output: list[str] = []
    for line in case.text("command").splitlines():
        main(["--project", str(project), *shlex.split(line)])
        out, err = capsys.readouterr()
        output += (out + err).splitlines()
    case.agrees(
        "\n".join(line for line in output if not line.startswith(("Checked ", "Numbers and cues: "))),
        case.text("output"),
    )
    for name, text in blocks(case, "becomes").items():
        case.agrees((project / name).read_text(), text)


def lock_problems(folder: ContentFolder) -> list[str]:
    """Return the problems of the locks."""
    return [str(problem) for problem in load_and_check_folder(folder).drift.problems]


WORDS = [
    "anchor", "barge", "chain", "deck", "engine", "flag", "gale", "hull", "inlet", "jetty", "keel", "lamp",
    "mast", "nets", "oar", "pier", "quay", "rope",
]  # fmt: skip


def invented(chance: random.Random) -> ContentFolder:
    """A book of twelve rules with words of their own, some with titles, that cite each other in many ways."""
    numbers = [f"{chapter}.{rule}" for chapter in (1, 2, 3) for rule in (1, 2, 3, 4)]
    texts: dict[str, bytes] = {
        "content/x/rulebook.yml": (
            b'title: X\nnumbers: "1.1a"\nchapters: "1.0"\ncues: [see]\n'
            b'terms:\n  T: {means: Tug, see: "2.2"}\n'
        ),
        "content/x/1/edition.yml": b'edition: "1"\n',
        "content/x/1/page.md": f"# Page\n\nSee {chance.choice(numbers)} ({numbers[3]}).\n".encode(),
        "content/page.md": f"[[x/1:{chance.choice(numbers)}]] and [[x:{chance.choice(numbers)}]]\n".encode(),
        "content/x/1/sequence.yml": (
            f'title: Order\nsteps:\n  - do: Row\n    see: "{chance.choice(numbers)}"\n'.encode()
        ),
    }
    forms = ("See {}.", "({})", "{} holds", "[[{}|that]]", "see {} and {}", "{}, {} or {}")
    for chapter in "123":
        lines = [f'chapter: "{chapter}.0"']
        for number in (one for one in numbers if one[0] == chapter):
            title = [f"  title: {chance.choice(WORDS).title()} {number[2:]}"] if chance.random() < 0.5 else []
            form = chance.choice(forms)
            cited = form.format(*(chance.choice(numbers) for _ in range(form.count("{}"))))
            words = " ".join(chance.choices(WORDS, k=14))
            lines += [f'"{number}":', *title, f'  text: "{words} {cited}"']
        texts[f"content/x/1/rules/{chapter}.yml"] = "\n".join([*lines, ""]).encode()
    return ContentFolder(texts)


def rules_changed_places(folder: ContentFolder, chance: random.Random) -> ContentFolder:
    """A folder in which some rules have each other's numbers; what refers to them is as it was."""
    chosen = chance.sample([f"{c}.{r}" for c in (1, 2, 3) for r in (1, 2, 3, 4)], chance.choice([2, 3, 5]))
    now = dict(zip(chosen, [*chosen[1:], chosen[0]], strict=True))
    texts = dict(folder.texts)
    for name in [name for name in texts if "/rules/" in name]:
        lines = texts[name].decode().splitlines()
        for at, line in enumerate(lines):
            number = line[1:].partition('"')[0] if line.startswith('"') else ""
            lines[at] = line.replace(f'"{number}"', f'"{now.get(number, number)}"') if number else line
        texts[name] = "\n".join([*lines, ""]).encode()
    return ContentFolder(texts)


@SEEDS
def test_an_unaccepted_change_is_reported_again(seed):
    """Also of rules that changed places, whose references the lock keeps by their new numbers then."""
    chance = random.Random(seed)
    by_hand = rules_changed_places(accepted(invented(chance)), chance)
    examined = load_and_check_folder(by_hand)
    read = [one for one in examined.drift.findings if chance.random() < 0.5]
    left = [one for one in examined.drift.findings if one.slot not in {r.slot for r in read}]
    homes = ["", *examined.index.newest, *examined.index.outlines]
    slots = {one.slot for one in read}
    result = record_references(examined, homes, lambda one: one.slot in slots)
    after = load_and_check_folder(with_files(by_hand, result.files)).drift
    assert [one.reference.place for one in after.findings] == [one.reference.place for one in left]
    assert not after.new


class Repository:
    """A project in git, whose locks are merged line by line."""

    def __init__(self, folder: Path, files: dict[str, str]) -> None:
        self.folder = write(folder, {".gitattributes": "references.lock merge=union\n", **files})
        self.git("init", "-q", "-b", "main")
        self.run("check", "--accept")

    def git(self, *words: str) -> None:
        who = ("-c", "user.name=A", "-c", "user.email=a@example.org")
        subprocess.run(["git", *who, *words], cwd=self.folder, check=True, capture_output=True)

    def run(self, *words: str) -> None:
        """Run a command and commit its changes."""
        assert main(["--project", str(self.folder), *words]) == 0
        self.git("add", "-A")
        self.git("commit", "-qm", "x")

    def write(self, name: str, text: str) -> None:
        (self.folder / "content/x/1" / name).write_text(text)


BRANCHED = {
    "content/x/rulebook.yml": 'title: X\nnumbers: "1.1"\nchapters: "1.0"\ncues: [see]\n',
    "content/x/1/edition.yml": 'edition: "1"\n',
}


def test_two_branches_that_meet_keep_what_each_editor_read(tmp_path):
    """One rewords a rule and accepts it, the other cites it: all references to it are to be reviewed."""
    rules = 'chapter: "1.0"\n"1.1": Two ships may meet here.\n"1.2": See 1.1.\n"1.3": Wind.\n"1.4": Tide.\n'
    project = Repository(tmp_path, {**BRANCHED, "content/x/1/rules/1.yml": rules})
    project.git("switch", "-qc", "other")
    project.write("rules/1.yml", rules.replace("Tide.", "Tide (1.1 and 1.3)."))
    project.run("check", "--accept")
    project.git("switch", "-q", "main")
    project.write("rules/1.yml", rules.replace("Two ships", "Three ships"))
    project.run("check", "--accept", "x:1.1")
    project.git("merge", "-q", "other")
    found = load_and_check_folder(read_content_folder(tmp_path)).drift
    assert [(one.reference.source, one.reference.name) for one in found.findings] == [
        ("rule 1.2", "1.1"),
        ("rule 1.4", "1.1"),
    ]
    assert [problem.severity for problem in found.problems] == [Severity.NOTE]


def test_two_branches_that_insert_rules_report_what_one_cites_and_the_other_moves(tmp_path):
    """Each inserts a rule and accepts; one cites anew what the other moves, and only that is reported."""
    files = {
        **BRANCHED,
        "content/x/1/rules/1.yml": 'chapter: "1.0"\n"1.1": Two ships may meet here.\n',
        "content/x/1/rules/2.yml": 'chapter: "2.0"\n"2.1": Wind from the sea moves every ship.\n',
        "content/x/1/faq.md": "See 2.1.\n\nShips\n\nmeet\n\nhere: see 1.1.\n",
    }
    project = Repository(tmp_path, files)
    project.git("switch", "-qc", "other")
    project.run("insert", "x/1", "2.1", "--title", "Boats")
    project.git("switch", "-q", "main")
    project.run("insert", "x/1", "1.1", "--title", "Rafts")
    project.write("tips.md", "See 2.1 and 1.2.\n")
    project.run("check", "--accept")
    project.git("merge", "-q", "other")
    assert (tmp_path / "content/x/1/faq.md").read_text() == "See 2.2.\n\nShips\n\nmeet\n\nhere: see 1.2.\n"
    assert lock_problems(read_content_folder(tmp_path)) == [
        "content/x/1/tips.md:1:5: error: this meant 2.1, which is now 2.2; 2.1 is now Boats; "
        "`rulewright check --fix` writes 2.2 [reference-moved]"
    ]


@given(st.binary(max_size=300) | st.text("wordsrule\t1.2-+abc\n<=> #", max_size=200).map(str.encode))
def test_a_lock_of_any_bytes_is_read(data):
    lock, problems = read_lock("content/references.lock", data)
    again, faults = read_lock("content/references.lock", lock.serialize() or b"")
    assert again.rules.keys() == lock.rules.keys()
    assert not faults or problems
