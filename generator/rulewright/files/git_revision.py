"""Content at a git revision, read from git without changing files on disk.

    GIT-REV ──commit──► merge base with HEAD ──list, cat──► ContentFolder

Content is compared with the merge base, so that later changes of others on that branch do not count as edits.
"""

from __future__ import annotations

import io
import os
import posixpath
import re
import subprocess
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from rulewright.files.content_folder import (
    CONTENT,
    LOCK,
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

_LINK, _FILES = "120000", ("100644", "100755")
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
    folder, prefix, below = Path(os.path.realpath(content_folder(project))), f"{CONTENT}/", "."
    if not folder.is_dir():
        folder, prefix, below = project, "", f"{CONTENT}/"
    commit = _base(folder, requested)
    blobs = _blobs(folder, commit, prefix, below)
    names = sorted(blobs, key=walk_sort_key)
    texts = [name for name in names if file_kind(name) == "text"]
    other_files = [name for name in names if file_kind(name) == "other"]
    data = dict(zip(texts, _cat(folder, [blobs[name] for name in texts]), strict=True))
    options = ["--name-only", "-z", "--no-renames", "--no-ext-diff", "--no-textconv", "--relative"]
    changed = _output(folder, "diff", *options, commit, "--", ".").split(b"\0")
    return GitRevision(
        commit,
        requested,
        ContentFolder(data, other_files, today=next_date_change(data)),
        frozenset(f"{prefix}{os.fsdecode(name)}" for name in changed if name),
    )


def read_recorded_file(project: Path, name: str, lock_folder: str, digest: str) -> bytes | None:
    """Return a file as it was when a digest came into the lock of a folder; None if that is unknown.

    Raises RevisionError.
    """
    content = Path(os.path.realpath(content_folder(project)))
    lock = posixpath.join(lock_folder, LOCK)
    commit = _git(content, "log", "-1", "--format=%H", f"-S{digest}", "--", lock)
    if not commit.ok or not commit.words:
        return None
    file = _git(content, "show", f"{commit.words}:./{name.removeprefix(f'{CONTENT}/')}")
    return file.raw if file.ok and len(file.raw) <= size_limit(name).maximum else None


def _base(folder: Path, requested: str) -> str:
    """Return the merge base of a revision with HEAD, or the revision if they have none."""
    inside = _git(folder, "rev-parse", "--is-shallow-repository")
    if "not a git repository" in inside.error:
        message = f"{CONTENT}/ is in no git repository, so it has no history; `git init` makes one"
        raise RevisionError(message)
    if not inside.ok:
        raise RevisionError(f"git says: {inside.error}")
    is_shallow = inside.words == "true"
    commit = _commit(folder, requested)
    if not commit and not _commit(folder, HEAD):
        raise RevisionError(
            "the repository has no commit yet, so there is nothing to compare with; commit once"
        )
    if not commit and is_shallow:
        message = f"no revision {requested} in this clone, which has only a part of the history; {_WHOLE}"
        raise RevisionError(message)
    if not commit:
        folders = ("refs/heads", "refs/remotes", "refs/tags")
        names = _git(folder, "for-each-ref", "--format=%(refname:short)", *folders)
        hint = did_you_mean(requested, [HEAD, *names.words.split("\n")]) if names.ok else ""
        hint = hint or "; it may have to be fetched first"
        raise RevisionError(f"no revision {requested} in this repository{hint}")
    met = _git(folder, "merge-base", HEAD, commit)
    if not met.ok and is_shallow:
        message = f"this clone has too little history to tell where it left {requested}; {_WHOLE}"
        raise RevisionError(message)
    return met.words if met.ok else commit


def _commit(folder: Path, requested: str) -> str:
    """Return the hash of a revision, or an empty string if there is none."""
    if requested.startswith("-"):  # it would be an option
        return ""
    known = _git(folder, "rev-parse", "--verify", "--quiet", f"{requested}^{{commit}}")
    return known.words if known.ok else ""


def _blobs(folder: Path, commit: str, prefix: str, below: str) -> dict[str, str]:
    """Return the blob of every content file at a commit by its name. Links are followed."""
    files: dict[str, str] = {}
    links: dict[str, str] = {}
    for record in filter(None, _output(folder, "ls-tree", "-r", "-z", "-l", commit, below).split(b"\0")):
        head, _, path = record.partition(b"\t")
        mode, _, blob, size = head.decode().split()
        name = f"{prefix}{os.fsdecode(path)}"
        if mode == _LINK:
            links[name] = blob
        elif mode in _FILES and (not size.isdigit() or int(size) <= size_limit(name).maximum):
            files[name] = blob
    followed: dict[str, str] = {}
    for name, data in zip(links, _cat(folder, links.values()), strict=True):
        target = posixpath.normpath(posixpath.join(posixpath.dirname(name), os.fsdecode(data)))
        if target in files:
            followed[name] = files[target]
    return files | followed


def _cat(folder: Path, blobs: Iterable[str]) -> Iterator[bytes]:
    """Yield the data of blobs, with one call of git."""
    hashes = list(blobs)
    if not hashes:
        return
    answer = _git(folder, "cat-file", "--batch", stdin="".join(f"{blob}\n" for blob in hashes).encode())
    output = io.BytesIO(answer.raw)
    for _ in hashes:
        head = output.readline().decode("utf-8", "replace")
        words = head.split()
        if not answer.ok or len(words) != 3:
            raise RevisionError(f"git cannot read what {CONTENT}/ held: {answer.error or head}")
        yield output.read(int(words[2]))
        output.readline()


def published_commit(folder: Path) -> str:
    """Return the URL and commit of a clone as pip takes them, or "" if no remote has the commit."""
    try:
        url = _git(folder, "remote", "get-url", "origin").words
        commit = _git(folder, "rev-parse", "HEAD").words
        branches = _git(folder, "branch", "--remotes", "--contains", commit).words
    except RevisionError:
        return ""
    url = re.sub(r"\Agit@([\w.-]+):", r"https://\1/", url)
    return f"git+{url}@{commit}" if branches and url.startswith("https://") else ""


@dataclass(frozen=True)
class _Answer:
    """Output of git: `raw` is stdout, `error` the first line of stderr, with its cure."""

    ok: bool
    raw: bytes
    error: str

    @property
    def words(self) -> str:
        return self.raw.decode("utf-8", "replace").strip()


def _git(folder: Path, *words: str, stdin: bytes = b"") -> _Answer:
    """Run git in a folder. Raises RevisionError if git is missing."""
    environment = {name: value for name, value in os.environ.items() if name not in _MISLEADING}
    environment |= {"LC_ALL": "C", "GIT_OPTIONAL_LOCKS": "0"}  # untranslated messages, no writing
    try:
        done = subprocess.run(["git", *words], cwd=folder, input=stdin, capture_output=True, env=environment)
    except OSError:
        raise RevisionError(
            "git is not installed, or is not on the path; it keeps what the content was"
        ) from None
    lines = done.stderr.decode("utf-8", "replace").strip().splitlines()
    message = lines[0].removeprefix("fatal: ") if lines else ""
    for line in lines:
        if "safe.directory" in line:
            message += f"; if it is yours, say so: {line.strip()}"
    return _Answer(not done.returncode, done.stdout, message)


def _output(folder: Path, *words: str) -> bytes:
    """Return the output of git. Raises RevisionError if it fails."""
    answer = _git(folder, *words)
    if not answer.ok:
        raise RevisionError(f"git says: {answer.error}")
    return answer.raw
