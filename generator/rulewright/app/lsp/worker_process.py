"""A process beside the server, which checks and works out changes, so that answers never wait for either."""

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
from rulewright.source.errors import UserError, raise_on_errors
from rulewright.source.problems import SourceLocation
from rulewright.source.worker_processes import end_with_parent

T = TypeVar("T")


@dataclass(frozen=True)
class EditorState:
    """A project as it stands in the editor: the texts that are open, and how often files were saved."""

    project: Path
    buffers: Mapping[str, str] = field(default_factory=dict)
    saves: int = 0


@dataclass(frozen=True)
class ComputedChange:
    """A change that is worked out. `before`: the files that it changes, `renamed`: new names of files."""

    files: Mapping[str, bytes | None]
    before: Mapping[str, bytes]
    renamed: Mapping[str, str] = field(default_factory=dict)
    account: tuple[str, ...] = ()


class WorkerProcess:
    """The process. One that has died is replaced when something is asked of it again."""

    def __init__(self) -> None:
        self._pool: ProcessPoolExecutor | None = None

    def run(self, work: Callable[..., T], *given: object) -> T:
        """Have it do work. Raises what that raises."""
        if self._pool is None:
            # A copy of this process would have none of its threads, and the locks that they hold.
            self._pool = ProcessPoolExecutor(1, get_context("spawn"), _begin)
        try:
            return self._pool.submit(work, *given).result()
        except BrokenProcessPool:
            self._pool = None
            raise

    def end(self) -> None:
        """Wait for what it does now, as Python would at its own end, where it finds the pool half closed."""
        if self._pool:
            self._pool.shutdown(cancel_futures=True)


# -- in the process itself

_benches: dict[Path, tuple[OpenDocuments, int]] = {}


def _begin() -> None:
    end_with_parent()
    os.dup2(2, 1)  # what belongs to the editor is the server's to write


def _bench(stand: EditorState) -> OpenDocuments:
    bench, saves = _benches.get(stand.project) or (OpenDocuments(stand.project), -1)
    if saves != stand.saves:
        bench.saved = None
    bench.buffers = dict(stand.buffers)
    _benches[stand.project] = bench, stand.saves
    return bench


def check_in_worker(stand: EditorState) -> CheckOutcome:
    """All that the check finds."""
    bench = _bench(stand)
    return bench.check(bench.folder())


def renumber_in_worker(stand: EditorState, book: str, old: str, new: str) -> ComputedChange:
    """A renumbering worked out. Raises Refusal, and Unsound where it brings new problems."""
    if not new.strip():
        raise UserError("a rule needs a number; write the new one")
    change = plan_renumber(_bench(stand).edit_session(book), [(old, new.strip())])
    force = f"`rulewright renumber {book} {old} {new.strip()} --force` does it though"
    raise_on_errors(change.problems, f"nothing was changed, since these problems would be new; {force}")
    proposal, texts = change.proposal, change.session.folder.texts
    before = {old: texts[old] for _, old in proposal.files_to_write if old in texts}
    return ComputedChange(dict(proposal.files), before, dict(proposal.renamed), tuple(change.report_lines()))


def fix_in_worker(stand: EditorState, at: SourceLocation | None) -> ComputedChange:
    """The files as `check --fix` writes them, for one place or all. Raises Unsound where that does harm."""
    bench = _bench(stand)
    folder = bench.folder()
    made = fix_references(folder, load_and_check_folder(folder, cache=bench.cache), bench.cache, location=at)
    raise_on_errors(made.problems, "nothing was fixed, since these problems would be new")
    if not made.files:
        raise UserError("; ".join(made.report_lines()) or "no rule has moved that is cited here")
    return ComputedChange(dict(made.files), {name: folder.texts[name] for name in made.files})
