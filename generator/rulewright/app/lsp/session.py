"""A project while it is edited: checked and read again after what is typed, aside of what is answered."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import Executor, ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import TypeVar

from lsprotocol.types import Diagnostic
from pygls.uris import from_fs_path
from pygls.workspace import PositionCodec

from rulewright.app.lsp.content_index import IndexedContent
from rulewright.app.lsp.diagnostics import diagnostics
from rulewright.app.lsp.open_documents import OpenDocuments
from rulewright.app.lsp.open_files import FileView, FileViews
from rulewright.app.lsp.text_positions import PositionMap
from rulewright.app.lsp.worker_process import EditorState, WorkerProcess
from rulewright.app.lsp.worker_process import check_in_worker as checked_in
from rulewright.source.content_folder import disk_path
from rulewright.source.folder_lock import FolderBusy
from rulewright.source.problems import Problem

log = logging.getLogger(__name__)

T = TypeVar("T")

PAUSE = 0.12
"""Seconds without a key from which on a text is checked, and from which on all is read for answers."""

LONGEST = 10.0
"""Seconds that an answer waits for what was typed to be read."""

AGAIN = 1.0
"""Seconds until files are looked at again while a command is changing them."""


Tell = Callable[[str, list[Diagnostic], int | None], None]
"""Tells an editor the problems of a file, and of which version of it."""


class EditorSession:
    """A project with an editor. `found`: the problems of each file at the last check; `renew`: tells the
    editor that answers may be other ones now.
    """

    def __init__(
        self,
        project: Path,
        codec: PositionCodec,
        worker: WorkerProcess,
        tell: Tell,
        renew: Callable[[], None],
    ) -> None:
        self.bench = OpenDocuments(project)
        self.views = FileViews(codec, self.bench.buffers)
        self.tell, self.renew, self._aside = tell, renew, worker
        self._reads, self._waits = ThreadPoolExecutor(1, "reads"), ThreadPoolExecutor(1, "waits")
        self._saves = 0
        self.versions: dict[str, int | None] = {}
        self.uris: dict[str, str] = {}
        self.found: dict[str, list[Problem]] = {}
        self._shown: set[str] = set()
        self._first = asyncio.Event()
        self._changed = self._stale = False
        self._task: asyncio.Task[None] | None = None

    def address(self, name: str) -> str:
        return self.uris.get(name) or from_fs_path(str(disk_path(self.bench.project, name))) or ""

    def lines(self, name: str, data: bytes = b"") -> PositionMap:
        text = self.bench.buffers.get(name)
        return PositionMap(data.decode("utf-8-sig", "replace") if text is None else text, self.views.codec)

    async def reading(self) -> IndexedContent | None:
        """The content as it was read last. Waits for the first reading alone."""
        await self._first.wait()
        return self.bench.reading

    async def settled(self) -> None:
        """Wait until what was typed is read, as long as an editor waits for an answer."""
        if self._task and not self._task.done():
            await asyncio.wait({self._task}, timeout=LONGEST)

    async def view(self, name: str) -> FileView | None:
        reading = await self.reading()
        return self.views.view_of(name, reading) if reading else None

    # -- what is heard from the editor

    def open_document(self, name: str, uri: str, text: str, version: int | None) -> None:
        self.bench.buffers[name], self.versions[name], self.uris[name] = text, version, uri
        self.changed()

    def close_document(self, name: str) -> None:
        """Take a file as it is saved."""
        for known in (self.bench.buffers, self.versions, self.uris):
            known.pop(name, None)
        self.changed(saved=True)

    def changed(self, *, saved: bool = False) -> None:
        """Check what is there, in a moment. `saved`: files on the disk are others too."""
        if saved:
            self.bench.saved = None
            self._saves += 1
        self._changed = self._stale = True
        if self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(self._work())

    async def _work(self) -> None:
        while self._changed or self._stale:
            try:
                if not self._first.is_set():
                    self._changed = self._stale = False
                    await asyncio.gather(self._check(), self._read())
                    continue
                await asyncio.sleep(PAUSE)
                if self._changed:
                    self._changed = False
                    await self._check()
                    await asyncio.sleep(PAUSE)
                if not self._changed:
                    self._stale = False
                    await self._read()
            except FolderBusy:
                self.bench.saved, self._changed = None, True
                self._saves += 1
                await asyncio.sleep(AGAIN)
            except Exception:
                log.exception("the content could not be read")
                self._first.set()  # whoever waits for it is answered with nothing
                return

    async def _read(self) -> None:
        folder = await self._in_thread(self.bench.folder)
        await self._in_thread(partial(self.bench.read, folder))
        self._first.set()
        self.renew()

    async def _check(self) -> None:
        """Check the content and tell the problems of each file that has or had any, or is open."""
        versions = dict(self.versions)
        checked = await self.aside(checked_in, self.editor_state)
        problems_by_file: dict[str, list[Problem]] = {}
        for problem in checked.problems:
            problems_by_file.setdefault(problem.place.file, []).append(problem)
        self.found = problems_by_file
        if (folder := self.bench.saved) is None:
            folder = await self._in_thread(self.bench.folder)
        for name in sorted(self._shown | problems_by_file.keys() | versions.keys()):
            file_diagnostics = diagnostics(
                problems_by_file.get(name, []), self.lines(name, folder.texts.get(name, b""))
            )
            self.tell(self.address(name), file_diagnostics, versions.get(name))
        self._shown = {*problems_by_file}

    @property
    def editor_state(self) -> EditorState:
        return EditorState(self.bench.project, dict(self.bench.buffers), self._saves)

    async def aside(self, work: Callable[..., T], *arguments: object) -> T:
        """Have the process beside this one do some work, after what it has begun."""
        return await self._in_thread(partial(self._aside.run, work, *arguments), self._waits)

    async def _in_thread(self, work: Callable[[], T], thread: Executor | None = None) -> T:
        return await asyncio.get_running_loop().run_in_executor(thread or self._reads, work)
