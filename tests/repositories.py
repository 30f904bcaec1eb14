"""Real git repositories for the tests, untouched by how git is set up where they run."""

import os
import subprocess
from pathlib import Path

import pytest

SETTINGS = """
[user]
name = An Editor
email = editor@example.org
[init]
defaultBranch = main
"""


def undisturbed(monkeypatch: pytest.MonkeyPatch, top: Path) -> None:
    """Let git know nothing of this machine, nor of any repository around `top`."""
    for name in [name for name in os.environ if name.startswith(("GIT_", "PRE_COMMIT"))]:
        monkeypatch.delenv(name)
    (top / "gitconfig").write_text(SETTINGS)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(top / "gitconfig"))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(top))


def git(folder: Path, *words: str) -> str:
    """What git says on standard output, without the line end."""
    done = subprocess.run(["git", *words], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def commit(folder: Path, words: str = "Edit") -> str:
    """Commit everything in a folder, which becomes a repository if needed; return the name of the commit."""
    if not (folder / ".git").exists():
        git(folder, "init", "--quiet")
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--message", words)
    return git(folder, "rev-parse", "HEAD")
