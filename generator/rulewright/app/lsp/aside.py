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

from rulewright.app.lsp.workbench import Workbench
from rulewright.checks.checked import Checked
from rulewright.checks.examine import examine_folder
from rulewright.edit.reference_fixes import mend
from rulewright.edit.requests import renumbering
from rulewright.source.problems import Place
from rulewright.source.processes import end_with_parent
from rulewright.source.refusal import Refusal, refuse_errors

T = TypeVar("T")


@dataclass(frozen=True)
class Stand:
    """A project as it stands in the editor: the texts that are open, and how often files were saved."""

    project: Path
    buffers: Mapping[str, str] = field(default_factory=dict)
    saves: int = 0


@dataclass(frozen=True)
class Made:
    """A change that is worked out. `before`: the files that it changes, `renamed`: new names of files."""

    files: Mapping[str, bytes | None]
    before: Mapping[str, bytes]
    renamed: Mapping[str, str] = field(default_factory=dict)
    account: tuple[str, ...] = ()


class Aside:
    """The process. One that has died is replaced when something is asked of it again."""

    def __init__(self) -> None:
        self._pool: ProcessPoolExecutor | None = None

    def ask(self, work: Callable[..., T], *given: object) -> T:
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

_benches: dict[Path, tuple[Workbench, int]] = {}


def _begin() -> None:
    end_with_parent()
    os.dup2(2, 1)  # what belongs to the editor is the server's to write


def _bench(stand: Stand) -> Workbench:
    bench, saves = _benches.get(stand.project) or (Workbench(stand.project), -1)
    if saves != stand.saves:
        bench.saved = None
    bench.buffers = dict(stand.buffers)
    _benches[stand.project] = bench, stand.saves
    return bench


def checked(stand: Stand) -> Checked:
    """All that the check finds."""
    bench = _bench(stand)
    return bench.check(bench.folder())


def renumbered(stand: Stand, book: str, old: str, new: str) -> Made:
    """A renumbering worked out. Raises Refusal, and Unsound where it brings new problems."""
    if not new.strip():
        raise Refusal("a rule needs a number; write the new one")
    change = renumbering(_bench(stand).desk(book), [(old, new.strip())])
    force = f"`rulewright renumber {book} {old} {new.strip()} --force` does it though"
    refuse_errors(change.problems, f"nothing was changed, since these problems would be new; {force}")
    proposal, texts = change.proposal, change.desk.folder.texts
    before = {old: texts[old] for _, old in proposal.written if old in texts}
    return Made(dict(proposal.files), before, dict(proposal.renamed), tuple(change.account()))


def mended(stand: Stand, at: Place | None) -> Made:
    """The files as `check --fix` writes them, for one place or all. Raises Unsound where that does harm."""
    bench = _bench(stand)
    folder = bench.folder()
    made = mend(folder, examine_folder(folder, cache=bench.cache), bench.cache, at=at)
    refuse_errors(made.problems, "nothing was fixed, since these problems would be new")
    if not made.files:
        raise Refusal("; ".join(made.told()) or "no rule has moved that is cited here")
    return Made(dict(made.files), {name: folder.texts[name] for name in made.files})
