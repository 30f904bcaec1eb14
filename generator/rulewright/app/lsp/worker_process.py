"""Worker process that runs checks and edits for the language server."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from multiprocessing import get_context
from pathlib import Path
from typing import TypeVar

from rulewright.app.lsp.open_documents import OpenDocuments
from rulewright.checks.check_outcome import CheckOutcome
from rulewright.checks.load_and_check import load_and_check_folder
from rulewright.edit.edit_operations import plan_renumber
from rulewright.edit.reference_fixes import fix_references
from rulewright.files.errors import UserError, raise_on_errors
from rulewright.files.problems import SourceLocation
from rulewright.files.worker_processes import end_with_parent

T = TypeVar("T")


@dataclass(frozen=True)
class EditorState:
    """State of a project in the editor."""

    project: Path
    buffers: Mapping[str, str] = field(default_factory=dict)
    """Texts of the open documents by file name."""

    saves: int = 0
    """Number of times that files on disk have changed."""


@dataclass(frozen=True)
class ComputedChange:
    """Result of a renumbering or fix."""

    files: Mapping[str, bytes | None]
    """New contents by file name."""

    before: Mapping[str, bytes]
    """Old contents of the changed files."""

    renamed: Mapping[str, str] = field(default_factory=dict)
    """New names by old names of files."""
    report_lines: tuple[str, ...] = ()


class WorkerProcess:
    """Process that is started on first use, and again after it has crashed."""

    def __init__(self) -> None:
        self._pool: ProcessPoolExecutor | None = None

    def run(self, work: Callable[..., T], *arguments: object) -> T:
        """Run a function in the process and return its result or raise its exception."""
        if self._pool is None:
            # Not "fork": a copy has no threads, but the locks that they held.
            self._pool = ProcessPoolExecutor(1, get_context("spawn"), _start)
        try:
            return self._pool.submit(work, *arguments).result()
        except BrokenProcessPool:
            self._pool = None
            raise

    def end(self) -> None:
        """Cancel queued work and wait for the running function."""
        if self._pool:
            self._pool.shutdown(cancel_futures=True)


# -- in the worker process

_documents: dict[Path, tuple[OpenDocuments, int]] = {}


def _start() -> None:
    end_with_parent()
    os.dup2(2, 1)  # standard output belongs to the server


def _load_documents(state: EditorState) -> OpenDocuments:
    documents, saves = _documents.get(state.project) or (OpenDocuments(state.project), -1)
    if saves != state.saves:
        documents.saved = None
    documents.buffers = dict(state.buffers)
    _documents[state.project] = documents, state.saves
    return documents


def check_in_worker(state: EditorState) -> CheckOutcome:
    """Check the content."""
    documents = _load_documents(state)
    return documents.check(documents.folder())


def renumber_in_worker(state: EditorState, book: str, old: str, new: str) -> ComputedChange:
    """Compute a renumbering.

    Raises UserError if it is impossible, ContentErrors if it would cause new problems.
    """
    if not new.strip():
        raise UserError("the new number is empty; enter a number")
    change = plan_renumber(_load_documents(state).edit_session(book), [(old, new.strip())])
    force = f"`rulewright renumber {book} {old} {new.strip()} --force` ignores them"
    raise_on_errors(change.problems, f"nothing was changed, since new problems would appear; {force}")
    proposal, texts = change.proposal, change.session.folder.texts
    before = {old: texts[old] for _, old in proposal.files_to_write if old in texts}
    return ComputedChange(dict(proposal.files), before, dict(proposal.renamed), tuple(change.report_lines()))


def fix_in_worker(state: EditorState, location: SourceLocation | None) -> ComputedChange:
    """Compute what `check --fix` would write, for one problem or all.

    Raises UserError if nothing can be fixed, ContentErrors if it would cause new errors.
    """
    documents = _load_documents(state)
    folder = documents.folder()
    fixes = fix_references(
        folder, load_and_check_folder(folder, cache=documents.cache), documents.cache, location=location
    )
    raise_on_errors(fixes.problems, "nothing was fixed, since new problems would appear")
    if not fixes.files:
        raise UserError("; ".join(fixes.report_lines()) or "no reference here leads to a moved rule")
    return ComputedChange(dict(fixes.files), {name: folder.texts[name] for name in fixes.files})
