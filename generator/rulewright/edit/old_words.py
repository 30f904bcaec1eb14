"""Describe how the words of changed rules differ from the accepted ones, which git has.

This only decorates messages: without git, or if the history lacks the words, a message stays as it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from rulewright.book.library_reader import read_library
from rulewright.book.lock_file import read_lock
from rulewright.book.outline import build_outline
from rulewright.compare.stale_reference_problems import ACCEPTED, CHANGED
from rulewright.compare.word_diff import DiffPiece, DiffWord, diff_words, says_same, tokenize
from rulewright.files.content_folder import CONTENT, LOCK
from rulewright.files.content_reader import ContentFolder
from rulewright.files.git_revision import RevisionError, read_recorded_file
from rulewright.files.problems import Problem, quote_short

MAX_RULES = 20
"""Maximum number of rules whose words are looked up: each takes a search of the history."""

MAX_DIFFERENCES = 2
"""Maximum number of differences in a message."""

MAX_LENGTH = 48
"""Maximum number of characters of a difference."""


def with_old_words(project: Path, folder: ContentFolder, problems: Sequence[Problem]) -> list[Problem]:
    """Return problems, those of changed rules with what differs from the accepted words."""
    locks = {
        "/".join(name.split("/")[1:-1]): read_lock(name, data)[0]
        for name, data in folder.texts.items()
        if name.endswith(f"/{LOCK}")
    }
    described: list[Problem] = []
    remaining = MAX_RULES
    for problem in problems:
        key, address = problem.subject, "/".join(problem.place.file.split("/")[1:3])
        digests: list[tuple[str, str]] = []
        for lock_folder, lock in locks.items():
            records = (*lock.rules.get(key, ()), *lock.rules.get(f"{address}:{key}", ()))
            digests += (
                (lock_folder, record.digest) for record in records if record.address(lock_folder) == address
            )
        if problem.code == CHANGED.code and digests and remaining:
            remaining -= 1
            old = _old_files(project, folder, problem.place.file, *digests[0])
            if differences := _describe(_words(old, address, key), _words(folder.texts, address, key)):
                message = problem.message.replace(ACCEPTED, f"{ACCEPTED}: {differences}", 1)
                problem = replace(problem, message=message)
        described.append(problem)
    return described


def _old_files(
    project: Path, folder: ContentFolder, name: str, lock_folder: str, digest: str
) -> Mapping[str, bytes]:
    """Return a chapter as it was when a digest was recorded, with the files by which it is read."""
    book, edition = name.split("/")[1:3]
    needed = (f"{CONTENT}/{book}/rulebook.yml", f"{CONTENT}/{book}/{edition}/edition.yml")
    try:
        old = read_recorded_file(project, name, lock_folder, digest)
    except RevisionError:
        return {}
    if not old:
        return {}
    return {name: old} | {file: data for file, data in folder.texts.items() if file in needed}


def _words(texts: Mapping[str, bytes], address: str, key: str) -> list[DiffWord]:
    """Return the words of a rule, its references as written."""
    folder = f"{CONTENT}/{address}/"
    files = {name: data for name, data in texts.items() if name.count("/") < 3 or name.startswith(folder)}
    edition = read_library(ContentFolder(files)).editions.get(address)
    entry = build_outline(edition).entries.get(key) if edition else None
    rule = entry.rule if entry else None
    rule_texts = (rule.text, rule.closing, *(note.text for note in rule.notes)) if rule else ()
    return [word for text in filter(None, rule_texts) for word in tokenize(text)]


def _describe(old: Sequence[DiffWord], new: Sequence[DiffWord]) -> str:
    """Return the differences of two texts in words, the first of several."""
    if not old or not new or says_same(old, new):
        return ""
    differences = list(_differences(diff_words(old, new)))
    more = len(differences) - MAX_DIFFERENCES
    rest = [f"and {more} more differences"] if more > 1 else differences[MAX_DIFFERENCES:]
    return ", ".join([*differences[:MAX_DIFFERENCES], *rest])


def _differences(pieces: Sequence[DiffPiece]) -> Iterator[str]:
    deleted = ""
    for piece in (*pieces, None):
        words = quote_short(" ".join(piece.text.split()), MAX_LENGTH) if piece else ""
        if deleted:
            is_replaced = piece is not None and piece.change == "+"
            yield f"“{deleted}” is “{words}” now" if is_replaced else f"“{deleted}” is gone"
        elif piece and piece.change == "+":
            yield f"“{words}” is new"
        deleted = words if piece and piece.change == "-" else ""
