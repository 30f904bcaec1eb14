"""Content at a git revision, read from git without changing files on disk.

    GIT-REV ──commit──► merge base with HEAD ──list, cat──► ContentFolder

Content is compared with the merge base, so that later changes of others on that branch do not count as edits.
"""

from __future__ import annotations

import os
import posixpath
import re
import subprocess
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
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
    """Content at a `commit`. `requested`: the name asked for; `blobs`: git's hash of each file."""

    commit: str
    requested: str
    folder: ContentFolder
    repository_path: Path
    blobs: Mapping[str, str] = field(repr=False)

    def __str__(self) -> str:
        return (
            f"{self.commit[:SHORT]} ({self.requested})"
            if self.requested != self.commit
            else self.commit[:SHORT]
        )

    def changed_files(self) -> frozenset[str]:
        """Return the names of tracked files that have changed since. Raises RevisionError."""
        arguments = (
            "diff",
            "--name-only",
            "-z",
            "--no-renames",
            "--no-ext-diff",
            "--no-textconv",
            "--relative",
        )
        listing = _git(self.repository_path, *arguments, self.commit, "--", ".")
        if not listing.ok:
            raise RevisionError(f"git says: {listing.error}")
        names = (os.fsdecode(name) for name in listing.raw.split(b"\0") if name)
        return frozenset(self._content_name(name) for name in names)

    def _content_name(self, name: str) -> str:
        return name if name in self.blobs else f"{CONTENT}/{name}"

    def read(self, name: str) -> bytes:
        """Return a file at this revision. Raises FileNotFoundError if it did not exist."""
        if name not in self.blobs:
            raise FileNotFoundError(name)
        return next(_cat(self.repository_path, [self.blobs[name]]))


def read_revision(project: Path, requested: str = HEAD) -> GitRevision:
    """Return the content of a project at the merge base with a revision. Raises RevisionError."""
    content = Path(os.path.realpath(content_folder(project)))
    folder_path = content if content.is_dir() else project
    commit = _base(folder_path, requested)
    blobs = dict(_blobs(folder_path, commit, "" if folder_path == content else f"{CONTENT}/"))
    kinds = {name: file_kind(name) for name in sorted(blobs, key=walk_sort_key)}
    read = [name for name, kind in kinds.items() if kind == "text"]
    held = dict(zip(read, _cat(folder_path, [blobs[name] for name in read]), strict=True))
    folder = ContentFolder(
        {name: data for name, data in held.items() if kinds[name] == "text"},
        [name for name, kind in kinds.items() if kind == "other"],
        today=next_date_change(held),
    )
    return GitRevision(commit, requested, folder, folder_path, blobs)


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


def is_committed(project: Path, below: str) -> bool:
    """Return whether a folder of a project has no uncommitted changes."""
    folder = project.resolve()
    if not any((folder / ".git").exists() for folder in (folder, *folder.parents)):
        return False
    try:
        done = _git(project, "status", "--porcelain", "--", below)
    except RevisionError:
        return False
    return done.ok and not done.raw.strip()


def _base(folder: Path, requested: str) -> str:
    if not (inside := _git(folder, "rev-parse", "--git-dir")).ok:
        if "not a git repository" in inside.error:
            raise RevisionError(
                f"{CONTENT}/ is in no git repository, so it has no history; `git init` makes one"
            )
        raise RevisionError(f"git says: {inside.error}")
    commit = _commit(folder, requested)
    if commit is None:
        raise RevisionError(_unknown(folder, requested))
    met = _git(folder, "merge-base", HEAD, commit)
    if met.ok:
        return met.words
    if _is_shallow(folder):
        raise RevisionError(f"this clone has too little history to tell where it left {requested}; {_WHOLE}")
    return commit


def _commit(folder: Path, requested: str) -> str | None:
    # A name that begins with a dash would be an option.
    known = (
        _git(folder, "rev-parse", "--verify", "--quiet", f"{requested}^{{commit}}")
        if requested[:1] != "-"
        else None
    )
    return known.words if known and known.ok else None


def _unknown(folder: Path, requested: str) -> str:
    if _commit(folder, HEAD) is None:
        return "the repository has no commit yet, so there is nothing to compare with; commit once"
    if _is_shallow(folder):
        return f"no revision {requested} in this clone, which has only a part of the history; {_WHOLE}"
    names = _git(
        folder, "for-each-ref", "--format=%(refname:short)", "refs/heads", "refs/remotes", "refs/tags"
    )
    hint = did_you_mean(requested, [HEAD, *names.words.split("\n")]) if names.ok else ""
    return f"no revision {requested} in this repository{hint or '; it may have to be fetched first'}"


def _is_shallow(folder: Path) -> bool:
    return _git(folder, "rev-parse", "--is-shallow-repository").words == "true"


def _blobs(folder: Path, commit: str, below: str) -> Iterator[tuple[str, str]]:
    """Yield the name and blob of every content file at a commit. Links are followed."""
    listing = _git(folder, "ls-tree", "-r", "-z", "-l", commit, *([below] if below else []))
    if not listing.ok:
        raise RevisionError(f"git says: {listing.error}")
    files: dict[str, str] = {}
    links: dict[str, str] = {}
    for record in filter(None, listing.raw.split(b"\0")):
        head, _, path = record.partition(b"\t")
        mode, _, blob, size = head.decode().split()
        name = f"{'' if below else f'{CONTENT}/'}{os.fsdecode(path)}"
        if mode == _LINK:
            links[name] = blob
        elif mode in _FILES and (not size.isdigit() or int(size) <= size_limit(name).maximum):
            files[name] = blob
    yield from files.items()
    for name, data in zip(links, _cat(folder, links.values()), strict=True):
        target = posixpath.normpath(posixpath.join(posixpath.dirname(name), os.fsdecode(data)))
        if target in files:
            yield name, files[target]


def _cat(folder: Path, blobs: Iterable[str]) -> Iterator[bytes]:
    """Yield the data of blobs, with one call of git."""
    hashes = list(blobs)
    if not hashes:
        return
    answer = _git(folder, "cat-file", "--batch", stdin="".join(f"{blob}\n" for blob in hashes).encode())
    offset = 0
    for _ in hashes:
        head, _, _ = answer.raw[offset : offset + 200].partition(b"\n")
        words = head.split()
        if not answer.ok or len(words) != 3:
            raise RevisionError(f"git cannot read what {CONTENT}/ held: {answer.error or head.decode()}")
        begin = offset + len(head) + 1
        offset = begin + int(words[2]) + 1
        yield answer.raw[begin : offset - 1]


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
    cure = next(
        (f"; if it is yours, say so: {line.strip()}" for line in lines if "safe.directory" in line), ""
    )
    message = f"{lines[0].removeprefix('fatal: ')}{cure}" if lines else ""
    return _Answer(not done.returncode, done.stdout, message)
