"""What runs the checks for editors: the GitHub workflow and the pre-commit hooks."""

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from rulewright.app.cli import main
from tests.commands.duel import BOOK, write
from tests.repositories import commit, undisturbed

ROOT = Path(__file__).parent.parent
WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))
READ = {file.name: yaml.safe_load(file.read_text("utf-8")) for file in WORKFLOWS}
HOOKS = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
OWN = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text("utf-8"))
ACTION = ROOT / ".github/actions/check/action.yml"
RUN = f"""#!{sys.executable}
import sys
sys.path.insert(0, {str(ROOT)!r})
from rulewright.app.cli import main
sys.exit(main())
"""
"""Replaces run.py, without its installation."""


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A repository with a small book, run.py and a commit."""
    undisturbed(monkeypatch, tmp_path)
    folder = write(
        tmp_path / "project",
        {**BOOK, "mkdocs.yml": "site_name: Duel\ndocs_dir: content\nplugins: [rulewright]\n"},
    )
    (folder / ".gitignore").write_text(".cache/\n__pycache__/\n")
    put_run(folder)
    commit(folder)
    return folder


def put_run(folder: Path) -> None:
    (folder / "run.py").write_text(RUN)
    (folder / "run.py").chmod(0o755)


def edit(project: Path, old: str, new: str) -> None:
    path = project / "content/duel/1/sequence.yml"
    path.write_text(path.read_text("utf-8").replace(old, new), "utf-8")


# The workflows


def steps(workflow: str = "rules.yml") -> dict[str, dict[str, Any]]:
    return {step["name"]: step for job in READ[workflow]["jobs"].values() for step in job["steps"]}


JOBS = {f"{file}: {name}": job for file, read in READ.items() for name, job in read["jobs"].items()}
WRITE = {name: job for name, job in JOBS.items() if "write" in job["permissions"].values()}


@pytest.mark.parametrize("workflow", READ.values(), ids=READ)
def test_nothing_is_allowed_but_what_a_job_says(workflow):
    """Nor does anything begin that runs a stranger's words with the repository's own rights."""
    assert workflow["permissions"] == {}
    assert all("permissions" in job and "timeout-minutes" in job for job in workflow["jobs"].values())
    begins = workflow[True]  # YAML takes the word `on` for yes
    assert {*begins} <= {"push", "pull_request", "schedule", "workflow_dispatch"}
    rights = {
        right
        for job in workflow["jobs"].values()
        for right, leave in job["permissions"].items()
        if leave == "write"
    }
    assert "pull_request" not in begins or rights <= {"pull-requests"}


@pytest.mark.parametrize("name", JOBS)
def test_no_script_is_put_together_from_what_somebody_has_typed(name):
    """A title or a branch may hold anything, so what a script needs comes as a variable."""
    for step in JOBS[name]["steps"]:
        assert "${{" not in step.get("run", "")
        assert "script" not in step.get("with", {})
        if step.get("uses", "").startswith("actions/checkout@"):
            assert "ref" not in step.get("with", {})
            assert step.get("with", {}).get("persist-credentials") is False


@pytest.mark.parametrize("name", WRITE)
def test_a_job_that_may_write_runs_nothing_of_the_repository_and_installs_nothing(name):
    scripts = "\n".join(step.get("run", "") for step in WRITE[name]["steps"])
    assert not re.search(r"run\.py|\b(?:python|pip|uv|bash|sh)\b|\./", scripts)


def test_there_are_no_secrets_and_what_is_installed_is_pinned():
    for file in WORKFLOWS:
        text = file.read_text("utf-8")
        assert "secrets." not in text
        installs = re.findall(r"pip install.*", text)
        assert all("--require-hashes" in line and "--only-binary :all:" in line for line in installs)


@pytest.mark.parametrize("file", [*WORKFLOWS, ACTION], ids=lambda file: file.name)
def test_github_takes_the_file_and_actions_are_pinned_to_a_commit_with_their_version(file):
    schema = f"vendor.github-{'actions' if file == ACTION else 'workflows'}"
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", schema, str(file)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    used = re.findall(r"^ *(?:- )?uses: (.*)", file.read_text("utf-8"), re.MULTILINE)
    assert used
    assert not [one for one in used if not re.fullmatch(r"[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", one)]


def acted(step: int, project: Path, tmp_path: Path, **given: str) -> subprocess.CompletedProcess[str]:
    """A step of the action, run as GitHub runs it, from the top of a repository above the project."""
    read = yaml.safe_load(ACTION.read_text("utf-8"))["runs"]["steps"][step]
    assert "${{" not in read["run"]
    own = {"RULEWRIGHT": str(project / "run.py"), "PROJECT": project.name, "BOOK": ""}
    own |= given
    assert {*read["env"]} <= {*own}
    command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", read["run"]]
    machine = {**os.environ, **own, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    return subprocess.run(command, cwd=project.parent, env=machine, capture_output=True, text=True)


@pytest.mark.skipif(os.name != "posix", reason="the action runs bash")
def test_the_action_checks_a_project_below(project, tmp_path):
    assert acted(1, project, tmp_path).returncode == 0
    edit(project, '"1.1"', '"1.9"')
    done = acted(1, project, tmp_path, BOOK="duel/1")
    assert done.returncode == 1
    assert "::error file=content/duel/1/sequence.yml,line=" in done.stdout
    assert "title=reference-not-found::" in done.stdout
    evil = acted(1, project, tmp_path, BOOK="x; touch $HOME/evil")
    assert evil.returncode == 2
    assert "no book x; touch $HOME/evil here" in evil.stderr


@pytest.mark.parametrize(
    ("workspace", "has_git", "start", "folder"),
    [
        ("", False, ".", "books/content"),
        ("", True, "books", "books/content"),
        ("top", False, "books", "books/content"),
        ("elsewhere", False, "books", "content"),
    ],
)
def test_annotations_name_files_from_the_top_of_the_repository(
    tmp_path, monkeypatch, capsys, workspace, has_git, start, folder
):
    top = tmp_path / "top"
    project = write(top / "books", {**BOOK, "mkdocs.yml": "site_name: Duel\nplugins: [rulewright]\n"})
    edit(project, '"1.1"', '"1.9"')
    if has_git:
        (top / ".git").mkdir()
    monkeypatch.setenv("GITHUB_WORKSPACE", workspace and str(tmp_path / workspace))
    monkeypatch.chdir(top / start)
    named = ["--project", "books"] if start == "." else []
    assert main([*named, "check", "--format", "github"]) == 1
    assert f"::error file={folder}/duel/1/sequence.yml,line=4," in capsys.readouterr().out


# The hooks


def test_the_hooks_of_this_repository_are_those_that_others_get():
    """The one calls run.py here, the other the package that pre-commit installs."""
    (local,) = OWN["repos"]
    ours = [{**hook, "entry": hook["entry"].replace("./run.py", "rulewright")} for hook in local["hooks"]]
    left_out = {"description", "language"}
    assert [{k: v for k, v in hook.items() if k not in left_out} for hook in HOOKS] == [
        {k: v for k, v in hook.items() if k not in left_out} for hook in ours
    ]
    scripts = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["scripts"]
    assert {(hook["language"], hook["entry"].split()[0]) for hook in HOOKS} == {("python", *scripts)}
