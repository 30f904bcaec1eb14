"""A project in an editor: checks and re-reads its content in the background after each edit."""

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
from rulewright.app.lsp.worker_process import check_in_worker as check_in_worker
from rulewright.files.content_folder import disk_path
from rulewright.files.folder_lock import FolderBusy
from rulewright.files.problems import Problem

log = logging.getLogger(__name__)

T = TypeVar("T")

TYPING_PAUSE = 0.12
"""Seconds without typing before the content is checked, and again before it is read for answers."""

MAX_WAIT = 10.0
"""Maximum seconds that an answer waits until the current texts are read."""

RETRY_DELAY = 1.0
"""Seconds until the next attempt while another command is changing the files."""


Publish = Callable[[str, list[Diagnostic], int | None], None]
"""Sends the diagnostics of a URI and document version to the editor."""


class EditorSession:
    """A project in an editor. `renew`: asks the editor to request highlighting again."""

    def __init__(
        self,
        project: Path,
        codec: PositionCodec,
        worker: WorkerProcess,
        publish: Publish,
        renew: Callable[[], None],
    ) -> None:
        self.documents = OpenDocuments(project)
        self.views = FileViews(codec, self.documents.buffers)
        self.publish, self.renew, self._worker = publish, renew, worker
        self._reads, self._waits = ThreadPoolExecutor(1, "reads"), ThreadPoolExecutor(1, "waits")
        self._saves = 0
        self.versions: dict[str, int | None] = {}
        self.uris: dict[str, str] = {}
        self.problems_by_file: dict[str, list[Problem]] = {}
        """Result of the last check."""
        self._reported_files: set[str] = set()
        self._first_read = asyncio.Event()
        self._changed = self._stale = False
        self._task: asyncio.Task[None] | None = None

    def address(self, name: str) -> str:
        return self.uris.get(name) or from_fs_path(str(disk_path(self.documents.project, name))) or ""

    def lines(self, name: str, data: bytes = b"") -> PositionMap:
        text = self.documents.buffers.get(name)
        return PositionMap(data.decode("utf-8-sig", "replace") if text is None else text, self.views.codec)

    async def content(self) -> IndexedContent | None:
        """Return the last content that could be read; wait only for the first one."""
        await self._first_read.wait()
        return self.documents.content

    async def wait_until_read(self) -> None:
        """Wait until the current texts are read, with a time limit."""
        if self._task and not self._task.done():
            await asyncio.wait({self._task}, timeout=MAX_WAIT)

    async def view(self, name: str) -> FileView | None:
        content = await self.content()
        return self.views.view_of(name, content) if content else None

    # -- notifications of the editor

    def open_document(self, name: str, uri: str, text: str, version: int | None) -> None:
        self.documents.buffers[name], self.versions[name], self.uris[name] = text, version, uri
        self.schedule_check()

    def close_document(self, name: str) -> None:
        """Use the saved file instead of the editor's text."""
        for known in (self.documents.buffers, self.versions, self.uris):
            known.pop(name, None)
        self.schedule_check(saved=True)

    def schedule_check(self, *, saved: bool = False) -> None:
        """Check and read the content after a pause. `saved`: files on disk have changed too."""
        if saved:
            self.documents.saved = None
            self._saves += 1
        self._changed = self._stale = True
        if self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(self._work())

    async def _work(self) -> None:
        while self._changed or self._stale:
            try:
                if not self._first_read.is_set():
                    self._changed = self._stale = False
                    await asyncio.gather(self._check(), self._read())
                    continue
                await asyncio.sleep(TYPING_PAUSE)
                if self._changed:
                    self._changed = False
                    await self._check()
                    await asyncio.sleep(TYPING_PAUSE)
                if not self._changed:
                    self._stale = False
                    await self._read()
            except FolderBusy:
                self.documents.saved, self._changed = None, True
                self._saves += 1
                await asyncio.sleep(RETRY_DELAY)
            except Exception:
                log.exception("the content could not be read")
                self._first_read.set()  # waiting requests get an empty answer
                return

    async def _read(self) -> None:
        folder = await self._in_thread(self.documents.folder)
        await self._in_thread(partial(self.documents.read, folder))
        self._first_read.set()
        self.renew()

    async def _check(self) -> None:
        """Check the content and publish diagnostics of files that have or had problems or are open."""
        versions = dict(self.versions)
        checked = await self.run_in_worker(check_in_worker, self.editor_state)
        problems_by_file: dict[str, list[Problem]] = {}
        for problem in checked.problems:
            problems_by_file.setdefault(problem.place.file, []).append(problem)
        self.problems_by_file = problems_by_file
        if (folder := self.documents.saved) is None:
            folder = await self._in_thread(self.documents.folder)
        for name in sorted(self._reported_files | problems_by_file.keys() | versions.keys()):
            file_diagnostics = diagnostics(
                problems_by_file.get(name, []), self.lines(name, folder.texts.get(name, b""))
            )
            self.publish(self.address(name), file_diagnostics, versions.get(name))
        self._reported_files = {*problems_by_file}

    @property
    def editor_state(self) -> EditorState:
        return EditorState(self.documents.project, dict(self.documents.buffers), self._saves)

    async def run_in_worker(self, work: Callable[..., T], *arguments: object) -> T:
        """Run a function in the worker process, after those already queued."""
        return await self._in_thread(partial(self._worker.run, work, *arguments), self._waits)

    async def _in_thread(self, work: Callable[[], T], thread: Executor | None = None) -> T:
        return await asyncio.get_running_loop().run_in_executor(thread or self._reads, work)
