"""What runs the checks for editors: the GitHub workflow and the pre-commit hooks."""

import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest
import yaml

from rulewright.edit.impact.impact_report import MARKER
from tests.commands.duel import BOOK, write
from tests.repositories import commit, git, undisturbed

ROOT = Path(__file__).parent.parent
WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))
READ = {file.name: yaml.safe_load(file.read_text("utf-8")) for file in WORKFLOWS}
WORKFLOW = READ["rules.yml"]
HOOKS = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
OWN = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text("utf-8"))
ACTION = ROOT / ".github/actions/check/action.yml"
CONTAINER = ROOT / ".github/container/Containerfile"
RUN = f"""#!{sys.executable}
import sys
sys.path.insert(0, {str(ROOT)!r})
from rulewright.app.cli import main
sys.exit(main())
"""
"""Stands for our run.py, without what that installs."""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
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
def test_nothing_is_allowed_but_what_a_job_says(workflow: dict[Any, Any]) -> None:
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
def test_no_script_is_put_together_from_what_somebody_has_typed(name: str) -> None:
    """A title or a branch may hold anything, so what a script needs comes as a variable."""
    for step in JOBS[name]["steps"]:
        assert "${{" not in step.get("run", "")
        assert "script" not in step.get("with", {})
        if step.get("uses", "").startswith("actions/checkout@"):
            assert "ref" not in step.get("with", {})
            assert step.get("with", {}).get("persist-credentials") is False


@pytest.mark.parametrize("name", WRITE)
def test_a_job_that_may_write_runs_nothing_of_the_repository_and_installs_nothing(name: str) -> None:
    scripts = "\n".join(step.get("run", "") for step in WRITE[name]["steps"])
    assert not re.search(r"run\.py|\b(?:python|pip|uv|bash|sh)\b|\./", scripts)


def test_there_are_no_secrets_and_what_is_installed_is_pinned() -> None:
    for file in WORKFLOWS:
        text = file.read_text("utf-8")
        assert "secrets." not in text
        installs = re.findall(r"pip install.*", text)
        assert all("--require-hashes" in line and "--only-binary :all:" in line for line in installs)


def test_what_is_published_is_what_was_attested() -> None:
    """Each file that a release has is signed before, in a job that only takes it."""
    jobs = READ["release.yml"]["jobs"]
    chain = ["build", "attest", "publish", "announce"]
    assert [jobs[job].get("needs") for job in chain] == [None, *chain[:-1]]
    assert [*jobs] == chain
    signed = steps("release.yml")["Attest how each file was built"]["with"]["subject-path"].split()
    given = steps("release.yml")["Make the release"]["run"]
    assert given.endswith(" ".join(signed) + "\n") or given.endswith(" ".join(signed))
    assert steps("release.yml")["Publish"]["with"] == {"packages-dir": signed[0].removesuffix("/*")}
    assert READ["release.yml"][True] == {"push": {"tags": ["v[0-9]+.[0-9]+.[0-9]+"]}}
    assert "password" not in str(jobs)


@pytest.mark.parametrize("file", WORKFLOWS, ids=lambda file: file.name)
def test_github_takes_the_workflow(file: Path) -> None:
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.github-workflows"]
    done = subprocess.run([*command, str(file)], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("file", [*WORKFLOWS, ACTION], ids=lambda file: file.name)
def test_actions_are_pinned_to_a_commit_with_their_version_beside_it(file: Path) -> None:
    used = re.findall(r"^ *(?:- )?uses: (.*)", file.read_text("utf-8"), re.MULTILINE)
    assert used
    assert not [one for one in used if not re.fullmatch(r"[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", one)]


def test_github_takes_the_action() -> None:
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.github-actions"]
    done = subprocess.run([*command, str(ACTION)], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


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


def test_what_may_publish_is_a_job_that_only_takes() -> None:
    jobs = READ["pages.yml"]["jobs"]
    assert jobs["build"]["permissions"] == {"contents": "read"}
    assert jobs["deploy"]["permissions"] == {"pages": "write", "id-token": "write"}
    assert all("PAGES" in job["if"] for job in jobs.values())


def test_what_the_container_copies_is_all_that_the_program_is_made_of(tmp_path: Path) -> None:
    copied = re.findall(r"^COPY (?!--from)(.*) (\S+)$", CONTAINER.read_text("utf-8"), re.MULTILINE)
    assert len(copied) == 3
    for names, target in copied:
        for name in names.split():
            if (ROOT / name).is_dir():
                shutil.copytree(ROOT / name, tmp_path / target, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy(ROOT / name, tmp_path / target)
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    with zipfile.ZipFile(next((tmp_path / "dist").glob("*.whl"))) as wheel:
        names = wheel.namelist()
    assert "rulewright/app/cli.py" in names
    assert "rulewright/templates/theme/base.html" in names


def test_what_a_pull_request_brings_runs_with_leave_to_read_only() -> None:
    """Only the job that runs nothing of the repository may write, and what it may write is a comment."""
    jobs = WORKFLOW["jobs"]
    assert jobs["books"]["permissions"] == {"contents": "read"}
    assert jobs["comment"]["permissions"] == {"pull-requests": "write"}
    assert not [step for step in jobs["comment"]["steps"] if "checkout" in step.get("uses", "")]


def test_the_commands_of_the_workflow(project: Path) -> None:
    """The very scripts, run as GitHub runs them: the report is in the summary."""
    base = git(project, "rev-parse", "HEAD")
    edit(project, '"1.1"', '"1.2"')
    commit(project)
    around = {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "BASE": base,
        "FILES": "https://github.com/me/rules/blob/main",
        "GITHUB_STEP_SUMMARY": str(project / "summary.md"),
    }

    def run(name: str) -> subprocess.CompletedProcess[str]:
        command = ["bash", "-e", "-c", steps()[name]["run"]]
        return subprocess.run(command, cwd=project, env=around, capture_output=True, text=True)

    checked = run("Check the books")
    assert checked.returncode == 0
    assert checked.stdout == ""
    told = run("Tell what the edit touches")
    assert told.returncode == 0, told.stderr
    made = (project / "summary.md").read_text("utf-8")
    assert made.startswith(f"{MARKER}\n### Nothing is broken.\n")
    link = "https://github.com/me/rules/blob/main/content/duel/1/sequence.yml#L3"
    assert (
        f"- [`duel/1/sequence.yml:3`]({link}) Fight: changed\n  - see: <del>1.1</del> <ins>1.2</ins>\n"
        in made
    )


GH = f"""#!{sys.executable}
import json, pathlib, shutil, subprocess, sys
store = pathlib.Path(__file__).with_name("comments.json")
comments = json.loads(store.read_text())
words = sys.argv[1:]
assert words[0] == "api"
path = next(word for word in words if word.startswith("repos/"))
body = [pathlib.Path(w.partition("@")[2]).read_text() for w in words if w.startswith("body=@")]
if "--jq" in words:
    assert path == "repos/me/rules/issues/7/comments" and "--paginate" in words
    query = words[words.index("--jq") + 1]
    if jq := shutil.which("jq"):
        found = subprocess.run([jq, "-r", query], input=json.dumps(comments), capture_output=True, text=True)
        assert found.returncode == 0, found.stderr
        print(found.stdout, end="")
    else:
        own = [c for c in comments if c["user"]["type"] == "Bot" and c["body"].startswith({MARKER!r})]
        print("\\n".join(str(c["id"]) for c in own))
elif "POST" in words:
    assert path == "repos/me/rules/issues/7/comments"
    comments.append({{"id": 100 + len(comments), "user": {{"type": "Bot"}}, "body": body[0]}})
else:
    assert "PATCH" in words
    next(c for c in comments if path == f"repos/me/rules/issues/comments/{{c['id']}}")["body"] = body[0]
store.write_text(json.dumps(comments))
"""
"""Stands for GitHub's own command: the comments of one pull request in a file."""


def test_one_comment_is_written_and_then_written_anew(tmp_path: Path) -> None:
    """Neither somebody who quotes the report nor another bot's comment is written over."""
    others = [
        {"id": 1, "user": {"type": "User"}, "body": f"{MARKER}\nas I was told"},
        {"id": 2, "user": {"type": "Bot"}, "body": "Something else"},
    ]
    (tmp_path / "comments.json").write_text(json.dumps(others))
    (tmp_path / "gh").write_text(GH)
    (tmp_path / "gh").chmod(0o755)
    step = steps()["Write the comment, or write it anew"]
    given = {"github.token": "-", "github.repository": "me/rules", "github.event.pull_request.number": "7"}
    around = {"PATH": f"{tmp_path}:{os.environ['PATH']}"}
    for name, value in step["env"].items():
        around[name] = re.sub(r"\$\{\{ (.*?) \}\}", lambda m: given[m[1]], value)
    for words in ("first", "second"):
        (tmp_path / "impact.md").write_text(f"{MARKER}\n{words}\n")
        command = ["bash", "-e", "-c", step["run"]]
        done = subprocess.run(command, cwd=tmp_path, env=around, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        comments = json.loads((tmp_path / "comments.json").read_text())
        assert comments[:2] == others
        assert [comment["body"] for comment in comments[2:]] == [f"{MARKER}\n{words}\n"]


# The hooks


def test_pre_commit_takes_both_files() -> None:
    for what, file in (("manifest", ".pre-commit-hooks.yaml"), ("config", ".pre-commit-config.yaml")):
        command = [sys.executable, "-m", "pre_commit", f"validate-{what}", str(ROOT / file)]
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr


def test_the_hooks_of_this_repository_are_those_that_others_get() -> None:
    """The one calls run.py here, the other where pre-commit keeps it."""
    (local,) = OWN["repos"]
    ours = [{**hook, "entry": hook["entry"].removeprefix("./")} for hook in local["hooks"]]
    left_out = {"description", "language"}
    assert [{k: v for k, v in hook.items() if k not in left_out} for hook in HOOKS] == [
        {k: v for k, v in hook.items() if k not in left_out} for hook in ours
    ]


@pytest.fixture
def hooked(project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The project with our hooks, which pre-commit gets from a repository of their own."""
    monkeypatch.setenv("PRE_COMMIT_HOME", str(tmp_path / "kept"))
    monkeypatch.setenv("PRE_COMMIT_COLOR", "never")
    source = tmp_path / "rulewright"
    source.mkdir()
    shutil.copy(ROOT / ".pre-commit-hooks.yaml", source)
    put_run(source)
    hooks = [{"id": hook["id"]} for hook in HOOKS]
    config = {"repos": [{"repo": str(source), "rev": commit(source), "hooks": hooks}]}
    (project / ".pre-commit-config.yaml").write_text(yaml.safe_dump(config))
    commit(project)
    done = subprocess.run([sys.executable, "-m", "pre_commit", "install"], cwd=project, capture_output=True)
    assert done.returncode == 0, done.stderr
    return project


def committed(project: Path) -> tuple[bool, str]:
    git(project, "add", "--all")
    done = subprocess.run(["git", "commit", "-m", "Edit"], cwd=project, capture_output=True, text=True)
    return done.returncode == 0, done.stdout + done.stderr


def test_the_hooks_at_a_real_commit(hooked: Path) -> None:
    """What is wrong is not committed; of what is right it is told what it touches."""
    edit(hooked, '"1.1"', '"1.9"')
    done, said = committed(hooked)
    assert not done
    assert "Check the books" in said
    assert "sequence.yml:4:11: error: no rule 1.9; 1.0 ends at 1.2 [reference-not-found]" in said
    edit(hooked, '"1.9"', '"1.2"')
    done, said = committed(hooked)
    assert done, said
    assert "Nothing is broken." in said
    assert "see: [-1.1-] {+1.2+}" in said


def test_the_hooks_leave_other_commits_alone(hooked: Path) -> None:
    (hooked / "notes.txt").write_text("Nothing of a book.\n")
    done, said = committed(hooked)
    assert done
    assert said.count("Skipped") == len(HOOKS)
