"""Content at a git revision, read from git without changing files on disk.

    GIT-REV ──commit──► merge base with HEAD ──list, cat──► ContentFolder

Content is compared with the merge base, so that later changes of others on that branch do not count as edits.
"""

from __future__ import annotations

import io
import os
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rulewright.files.content_folder import (
    CONTENT,
    content_folder,
    file_kind,
    size_limit,
    walk_sort_key,
)
from rulewright.files.content_reader import ContentFolder, next_date_change
from rulewright.files.errors import UserError
from rulewright.files.problems import did_you_mean

HEAD = "HEAD"
SHORT = 9
"""The displayed length of a commit hash."""

_MISLEADING = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX")
"""Variables that git sets for its hooks, valid only for the calling repository."""

_WHOLE = "fetch the rest with `git fetch --unshallow` (in a workflow: `fetch-depth: 0`)"


class RevisionError(UserError):
    """The content cannot be read from git. The message says what to do."""


@dataclass(frozen=True)
class GitRevision:
    """Content at a `commit`."""

    commit: str
    requested: str
    """The name asked for."""
    folder: ContentFolder
    changed_files: frozenset[str]
    """Names of the tracked files that have changed since."""

    def __str__(self) -> str:
        name = self.commit[:SHORT]
        return name if self.requested == self.commit else f"{name} ({self.requested})"


def read_revision(project: Path, requested: str = HEAD) -> GitRevision:
    """Return the content of a project at the merge base with a revision. Raises RevisionError."""
    folder, prefix = Path(os.path.realpath(content_folder(project))), f"{CONTENT}/"
    commit = _base(folder, requested)
    paths = _paths(_output(folder, "ls-tree", "-r", "-z", "--name-only", commit, "."))
    paths.sort(key=lambda path: walk_sort_key(prefix + path))
    texts = _texts(folder, commit, [path for path in paths if file_kind(prefix + path) == "text"])
    data = {prefix + path: text for path, text in texts.items()}
    other_files = [prefix + path for path in paths if file_kind(prefix + path) == "other"]
    options = ["--name-only", "-z", "--no-renames", "--no-ext-diff", "--no-textconv", "--relative"]
    changed = _paths(_output(folder, "diff", *options, commit, "--", "."))
    return GitRevision(
        commit,
        requested,
        ContentFolder(data, other_files, today=next_date_change(data)),
        frozenset(prefix + path for path in changed),
    )


def _paths(output: bytes) -> list[str]:
    return [os.fsdecode(path) for path in output.split(b"\0") if path]


def _base(folder: Path, requested: str) -> str:
    """Return the merge base of a revision with HEAD, or the revision if they have none."""
    commit = _commit(folder, requested)
    base = _words(folder, "merge-base", HEAD, commit) if commit else ""
    if not base and _output(folder, "rev-parse", "--is-shallow-repository").strip() == b"true":
        raise RevisionError(f"this clone has too little history to find {requested}; {_WHOLE}")
    if not commit:
        folders = ("refs/heads", "refs/remotes", "refs/tags")
        names = _words(folder, "for-each-ref", "--format=%(refname:short)", *folders)
        hint = did_you_mean(requested, [HEAD, *names.split("\n")]) if requested != HEAD else "; commit once"
        raise RevisionError(f"no revision {requested} in this repository{hint}")
    return base or commit


def _commit(folder: Path, requested: str) -> str:
    """Return the hash of a revision, or an empty string if there is none."""
    if requested.startswith("-"):  # it would be an option
        return ""
    return _words(folder, "rev-parse", "--verify", "--quiet", f"{requested}^{{commit}}")


def _texts(folder: Path, commit: str, paths: Sequence[str]) -> dict[str, bytes]:
    """Return the data of files at a commit, with one call of git; links are followed."""
    paths = [path for path in paths if "\n" not in path]
    names = b"".join(os.fsencode(f"{commit}:./{path}\n") for path in paths)
    output = io.BytesIO(_output(folder, "cat-file", "--batch", "--follow-symlinks", stdin=names))
    texts: dict[str, bytes] = {}
    for path in paths:
        head = output.readline().split()  # the hash, type and size of a file, or the fault of a link
        if head[-1] == b"missing":
            continue
        data = output.read(int(head[-1]))
        output.readline()
        if head[1] == b"blob" and len(data) <= size_limit(path).maximum:
            texts[path] = data
    return texts


def _git(folder: Path, words: Sequence[str], stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """Run git in a folder. Raises RevisionError if git is missing."""
    environment = {name: value for name, value in os.environ.items() if name not in _MISLEADING}
    environment |= {"LC_ALL": "C", "GIT_OPTIONAL_LOCKS": "0"}  # untranslated messages, no writing
    try:
        return subprocess.run(["git", *words], cwd=folder, input=stdin, capture_output=True, env=environment)
    except OSError:
        raise RevisionError(
            "git is not installed, or is not on the path; it keeps what the content was"
        ) from None


def _words(folder: Path, *words: str) -> str:
    """Return the output of git as text, empty if it fails."""
    answer = _git(folder, words)
    return "" if answer.returncode else answer.stdout.decode("utf-8", "replace").strip()


def _output(folder: Path, *words: str, stdin: bytes = b"") -> bytes:
    """Return the output of git. Raises RevisionError if it fails."""
    answer = _git(folder, words, stdin)
    error = " ".join(answer.stderr.decode("utf-8", "replace").split())
    if answer.returncode and "not a git repository" in error:
        raise RevisionError(f"{CONTENT}/ is in no git repository, so it has no history; `git init` makes one")
    if answer.returncode:
        raise RevisionError(f"git says: {error.removeprefix('fatal: ')}")
    return answer.stdout
