"""Where the program came from: what a new project's workflow installs, and what messages tell to install."""

import json
import subprocess
import tomllib
from pathlib import Path
from types import SimpleNamespace

import pytest
import yaml

from rulewright import __version__
from rulewright.app import new_game
from rulewright.files import install_origin
from rulewright.files.git_revision import published_commit
from run import ROOT

GIT = "https://example.org/rulewright.git"
CASES = {
    "": f"rulewright[pdf]=={__version__}",
    "{": f"rulewright[pdf]=={__version__}",
    json.dumps({"url": GIT, "vcs_info": {"vcs": "git", "commit_id": "a" * 40}}): (
        f"rulewright[pdf] @ git+{GIT}@{'a' * 40}"
    ),
    json.dumps({"url": "https://example.org/r.whl", "archive_info": {"hashes": {"sha256": "b" * 64}}}): (
        f"rulewright[pdf] @ https://example.org/r.whl#sha256={'b' * 64}"
    ),
    json.dumps({"url": "https://example.org/r.whl", "archive_info": {}}): (
        "rulewright[pdf] @ https://example.org/r.whl"
    ),
    json.dumps({"url": "file:///srv/a%20clone", "dir_info": {}}): f"rulewright[pdf]=={__version__}",
}


@pytest.mark.parametrize(("noted", "words"), CASES.items())
def test_the_workflow_of_a_new_project_installs_the_same(
    noted: str, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A newcomer pushes his project: the workflow gets the program from where he has it."""
    monkeypatch.setattr(
        install_origin,
        "distribution",
        lambda name: SimpleNamespace(version=__version__, read_text=lambda file: noted),
    )
    new_game.create_project(tmp_path / "g", "", "", None)
    assert f"- run: pip install '{words}'\n" in _workflow(tmp_path / "g")
    assert "references.lock merge=union" in (tmp_path / "g/.gitattributes").read_text("utf-8")
    command = f"pip install '{'/srv/a clone[pdf]' if 'file:' in noted else words}'"
    assert install_origin.missing_extra("this", "pdf", "no_such") == f"this needs the extra [pdf]: {command}"
    assert install_origin.missing_extra("this", "pdf", "json") == ""


def test_the_workflow_installs_the_commit_of_a_clone(tmp_path: Path) -> None:
    def git(*words: str) -> str:
        names = ["-c", "user.name=A", "-c", "user.email=a@example.org"]
        command = ["git", *names, *words]
        return subprocess.run(
            command, cwd=tmp_path, check=True, capture_output=True, text=True
        ).stdout.strip()

    git("init", "-q", "-b", "main")
    git("commit", "-q", "--allow-empty", "-m", "Begin")
    git("remote", "add", "origin", "git@github.com:me/rulewright.git")
    assert published_commit(tmp_path) == "", "nobody else has this commit"
    git("update-ref", "refs/remotes/origin/main", "HEAD")
    head = git("rev-parse", "HEAD")
    assert published_commit(tmp_path) == f"git+https://github.com/me/rulewright.git@{head}"


def _workflow(project: Path) -> str:
    text = (project / ".github/workflows/rules.yml").read_text("utf-8")
    assert yaml.safe_load(text)["jobs"]
    return text


def test_one_address_is_that_of_the_project() -> None:
    """The package leads where the site says that it stands."""
    urls = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["urls"]
    assert f"site_url: {urls['Homepage']}" in (ROOT / "mkdocs.yml").read_text("utf-8")
