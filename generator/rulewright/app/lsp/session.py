"""A project in an editor: its content is checked and read for answers after each edit.

All work on the content runs on one thread, in stations: read the texts, load, check, index. Between two
stations a newer edit cancels the work and starts it again. Answers come from the last indexed content.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable
from concurrent.futures import Executor
from pathlib import Path
from typing import ParamSpec, TypeVar

from lsprotocol.types import Diagnostic, Location
from pygls.uris import from_fs_path
from pygls.workspace import PositionCodec

from rulewright.app.lsp.diagnostics import diagnostic
from rulewright.app.lsp.file_view import FileView
from rulewright.app.lsp.open_documents import OpenDocuments, ReadContent
from rulewright.app.lsp.text_positions import PositionMap
from rulewright.files.content_folder import disk_path
from rulewright.files.content_reader import ContentFolder
from rulewright.files.folder_lock import FolderBusy
from rulewright.files.problems import Problem
from rulewright.references.name_spans import Place

log = logging.getLogger(__name__)

P = ParamSpec("P")
T = TypeVar("T")

TYPING_PAUSE = 0.12
"""Seconds without an edit before cancelled work starts again; the first edit is checked at once."""

MAX_WAIT = 10.0
"""Maximum seconds that an answer waits until the current texts are read."""

MAX_DIAGNOSTICS = 1_000
"""Maximum number of problems shown for a file; `check` lists all."""

RETRY_DELAY = 1.0
"""Seconds until the next attempt while another command is changing the files."""


Publish = Callable[[str, list[Diagnostic], int | None], None]
"""Sends the diagnostics of a URI and document version to the editor."""


class Cancelled(Exception):
    """A newer edit makes the current work useless."""


class EditorSession:
    """A project in an editor."""

    def __init__(self, project: Path, codec: PositionCodec, thread: Executor, publish: Publish) -> None:
        self.documents = OpenDocuments(project)
        self.codec, self.publish, self._thread = codec, publish, thread
        self.versions: dict[str, int | None] = {}
        self.uris: dict[str, str] = {}
        self.problems_by_file: dict[str, list[Problem]] = {}
        """Result of the last check."""
        self._views: dict[str, FileView] = {}
        self._first_read = asyncio.Event()
        self._edited = False
        """Whether there are edits that no work has begun with."""
        self._task: asyncio.Task[None] | None = None

    def address(self, name: str) -> str:
        return self.uris.get(name) or from_fs_path(str(disk_path(self.documents.project, name))) or ""

    def lines(self, name: str, data: bytes) -> PositionMap:
        """Return the text of a file in the editor or, if it is not open, the decoded data."""
        text = self.documents.buffers.get(name)
        return PositionMap(data.decode("utf-8-sig", "replace") if text is None else text, self.codec)

    # -- answers

    async def content(self) -> ReadContent | None:
        """Return the last content that could be read; wait only for the first one."""
        await self._first_read.wait()
        return self.documents.content

    async def wait_until_read(self) -> None:
        """Wait until the current texts are read, with a time limit."""
        if self._task and not self._task.done():
            await asyncio.wait({self._task}, timeout=MAX_WAIT)

    def view(self, name: str, content: ReadContent) -> FileView:
        """Return a file as it is in the editor or, if it is not open, as it was read."""
        view, text = self._views.get(name), self.documents.buffers.get(name, content.text(name))
        if view is None or view.content is not content or view.lines.text != text:
            view = self._views[name] = FileView(content, name, PositionMap(text, self.codec))
        return view

    def locations(self, places: Iterable[Place], content: ReadContent) -> list[Location]:
        """Convert places to editor locations; omit those edited since the content was read."""
        ranges = ((place[0], self.view(place[0], content).range(place)) for place in places)
        return [Location(self.address(name), current) for name, current in ranges if current]

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
        """Check the content and read it for answers. `saved`: files on disk have changed too."""
        if saved:
            self._thread.submit(self.documents.discard_saved)
        self._edited = True
        if self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(self._work())

    async def _work(self) -> None:
        while self._edited:
            self._edited = False
            try:
                await self._check_and_read()
            except Cancelled:
                while self._edited:
                    self._edited = False
                    await asyncio.sleep(TYPING_PAUSE)
                self._edited = True
            except FolderBusy:
                self._edited = True
                await asyncio.sleep(RETRY_DELAY)
            except Exception:
                log.exception("the content could not be read")
                self._first_read.set()  # waiting requests get an empty answer

    async def _check_and_read(self) -> None:
        """Read the content for answers, and publish diagnostics of files with problems or that are open.

        Raises Cancelled if there is a newer edit, FolderBusy if another command is changing the files.
        """
        documents, versions = self.documents, dict(self.versions)
        folder = await self._station(documents.folder)
        await self._station(documents.load, folder)
        checked = await self._station(documents.check, folder)
        problems_by_file: dict[str, list[Problem]] = {}
        for problem in checked.problems:
            problems_by_file.setdefault(problem.place.file, []).append(problem)
        names = sorted({*self.problems_by_file, *problems_by_file, *versions})
        file_diagnostics = await self._station(self._diagnostics, folder, problems_by_file, names)
        await self._station(documents.read, folder)
        self._first_read.set()
        self.problems_by_file = problems_by_file
        for name, found in zip(names, file_diagnostics, strict=True):
            self.publish(self.address(name), found, versions.get(name))

    def _diagnostics(
        self, folder: ContentFolder, problems: dict[str, list[Problem]], names: list[str]
    ) -> list[list[Diagnostic]]:
        """Return the diagnostics of each file."""
        file_diagnostics: list[list[Diagnostic]] = []
        for name in names:
            lines = self.lines(name, folder.texts.get(name, b""))
            shown_problems = problems.get(name, [])[:MAX_DIAGNOSTICS]
            file_diagnostics.append([diagnostic(problem, lines) for problem in shown_problems])
        return file_diagnostics

    async def _station(self, work: Callable[P, T], *arguments: P.args, **options: P.kwargs) -> T:
        """Run a part of the work on the thread. Raises Cancelled if there is a newer edit afterwards."""
        result = await self.run(work, *arguments, **options)
        if self._edited:
            raise Cancelled
        return result

    async def run(self, work: Callable[P, T], *arguments: P.args, **options: P.kwargs) -> T:
        """Run a function on the thread, after the current station."""
        return await asyncio.wrap_future(self._thread.submit(work, *arguments, **options))
