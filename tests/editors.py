"""An editor for the tests of the language server: it starts the real one and speaks to it as editors do."""

import asyncio
import os
import shutil
import sys
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import Any

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException
from pytest_lsp import LanguageClient, client_capabilities
from pytest_lsp.client import make_test_lsp_client

PATIENCE = 60
"""Seconds after which a server counts as dead: no test passes or fails by less."""

Refused = JsonRpcException


class Editor:
    """A client with a project, and the files that it has open."""

    def __init__(self, client: LanguageClient, project: Path) -> None:
        self.client, self.project = client, project
        self.texts: dict[str, str] = {}
        self.versions: dict[str, int] = {}
        self.published: dict[str, lsp.PublishDiagnosticsParams] = {}
        self.news = asyncio.Event()

    def uri(self, name: str) -> str:
        return (self.project / name).as_uri()

    def document(self, name: str) -> lsp.TextDocumentIdentifier:
        return lsp.TextDocumentIdentifier(self.uri(name))

    async def wait(self, there: Callable[[], bool]) -> None:
        async with asyncio.timeout(PATIENCE):
            while not there():
                await self.news.wait()
                self.news.clear()

    async def open(self, name: str, text: str | None = None) -> None:
        """Open a file as it is saved, or with a text, and wait until it was checked and read."""
        if name in self.texts:
            saved = (self.project / name).read_text("utf-8") if text is None else text
            return await self.type(name, saved) if self.texts[name] != saved else None
        self.texts[name] = (self.project / name).read_text("utf-8") if text is None else text
        self.versions[name] = 1
        language = "markdown" if name.endswith(".md") else "yaml"
        document = lsp.TextDocumentItem(self.uri(name), language, 1, self.texts[name])
        self.client.text_document_did_open(lsp.DidOpenTextDocumentParams(document))
        await self.settled(name)

    async def type(self, name: str, text: str) -> None:
        """Have a file hold another text, and wait until that was checked and read."""
        self.hurry(name, text)
        await self.settled(name)

    def hurry(self, name: str, text: str) -> None:
        """Have a file hold another text, and wait for nothing."""
        self.texts[name], self.versions[name] = text, self.versions[name] + 1
        document = lsp.VersionedTextDocumentIdentifier(self.versions[name], self.uri(name))
        change = lsp.TextDocumentContentChangeWholeDocument(text)
        self.client.text_document_did_change(lsp.DidChangeTextDocumentParams(document, [change]))

    async def settled(self, name: str) -> None:
        """Wait for the problems of a file's current version."""
        uri = self.uri(name)
        await self.wait(lambda: uri in self.published and self.published[uri].version == self.versions[name])
        await self.client.workspace_symbol_async(lsp.WorkspaceSymbolParams("1"))  # after the others

    def problems(self) -> set[tuple[str, int, int, str, str]]:
        """All problems that are shown: file, line and column from 1, code and words."""
        return {
            (
                Path(uri.removeprefix("file://")).relative_to(self.project).as_posix(),
                one.range.start.line + 1,
                one.range.start.character + 1,
                str(one.code),
                one.message,
            )
            for uri, report in self.published.items()
            for one in report.diagnostics
        }

    def position(self, name: str, words: str, offset: int = 0) -> lsp.Position:
        """The position of the first place where words stand, in UTF-16 as editors count."""
        at = self.texts[name].index(words) + offset
        line = self.texts[name].count("\n", 0, at)
        ahead = self.texts[name][self.texts[name].rfind("\n", 0, at) + 1 : at]
        return lsp.Position(line, len(ahead.encode("utf-16-le")) // 2)

    def at(self, name: str, words: str, offset: int = 0) -> tuple[lsp.TextDocumentIdentifier, lsp.Position]:
        return self.document(name), self.position(name, words, offset)

    async def hover(self, *at: Any) -> lsp.Hover | None:
        return await self.client.text_document_hover_async(lsp.HoverParams(*self.at(*at)))

    async def definition(self, *at: Any) -> Any:
        return await self.client.text_document_definition_async(lsp.DefinitionParams(*self.at(*at)))

    async def references(self, *at: Any, declared: bool) -> Any:
        params = lsp.ReferenceParams(lsp.ReferenceContext(declared), *self.at(*at))
        return await self.client.text_document_references_async(params)

    async def outline(self, name: str) -> Any:
        params = lsp.DocumentSymbolParams(self.document(name))
        return await self.client.text_document_document_symbol_async(params)

    async def fixes(self, name: str, wrong: lsp.Diagnostic) -> Any:
        """What can be chosen for a problem of a file."""
        context = lsp.CodeActionContext([wrong])
        params = lsp.CodeActionParams(self.document(name), wrong.range, context)
        return await self.client.text_document_code_action_async(params)

    def words(self, name: str, there: lsp.Range) -> str:
        """Return the text of a range."""
        return self.cut(self.texts.get(name) or (self.project / name).read_text("utf-8"), there)

    @staticmethod
    def index(text: str, at: lsp.Position) -> int:
        lines = text.split("\n")
        ahead = lines[at.line].encode("utf-16-le")[: 2 * at.character].decode("utf-16-le")
        return sum(len(line) + 1 for line in lines[: at.line]) + len(ahead)

    @classmethod
    def cut(cls, text: str, there: lsp.Range) -> str:
        return text[cls.index(text, there.start) : cls.index(text, there.end)]

    def applied(self, edit: lsp.WorkspaceEdit) -> dict[str, str]:
        """The texts of all files that an edit changes, as they are afterwards, by their names then."""
        texts: dict[str, str] = {}
        edits: list[tuple[str, list[Any]]] = [(uri, [*each]) for uri, each in (edit.changes or {}).items()]
        renames = {}
        for one in edit.document_changes or []:
            if isinstance(one, lsp.TextDocumentEdit):
                edits.append((one.text_document.uri, [*one.edits]))
            elif isinstance(one, lsp.RenameFile):
                renames[one.old_uri] = one.new_uri
        for uri, each in edits:
            name = Path(uri.removeprefix("file://")).relative_to(self.project).as_posix()
            text = self.texts.get(name) or (self.project / name).read_text("utf-8")
            for one in sorted(
                each, key=lambda e: (e.range.start.line, e.range.start.character), reverse=True
            ):
                start, end = (self.index(text, at) for at in (one.range.start, one.range.end))
                text = text[:start] + one.new_text + text[end:]
            now = Path(renames.get(uri, uri).removeprefix("file://")).relative_to(self.project).as_posix()
            texts[now] = text
        return texts


Work = Callable[[Editor], Coroutine[Any, Any, None]]


@contextmanager
def editing(project: Path) -> Iterator[Callable[[Work], None]]:
    """An editor with a server of its own, which does one work after the other and is alive after each."""
    loop = asyncio.new_event_loop()
    # A thread of its own: the browser of other tests has a loop in this one.
    thread = Thread(target=loop.run_forever, daemon=True)
    thread.start()

    def run(work: Coroutine[Any, Any, Any]) -> Any:
        return asyncio.run_coroutine_threadsafe(work, loop).result()

    client = make_test_lsp_client()
    here = Editor(client, project)
    before = dict(os.environ)
    os.environ["XDG_CACHE_HOME"] = str(project / ".cache")

    async def done(work: Work) -> None:
        await work(here)
        await client.workspace_symbol_async(lsp.WorkspaceSymbolParams("1"))

    try:
        run(_begun(here))
        yield lambda work: run(done(work))
    finally:
        run(client.shutdown_session())
        run(client.stop())
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()
        os.environ.clear()
        os.environ.update(before)


def edit(project: Path, work: Work) -> None:
    """Have an editor with a server of its own do some work."""
    with editing(project) as do:
        do(work)


async def _begun(here: Editor) -> None:
    """Start the server as VS Code does."""
    client = here.client

    def record(params: lsp.PublishDiagnosticsParams) -> None:
        here.published[params.uri] = params
        here.news.set()

    client.protocol.fm.features[lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS] = record
    client.feature(lsp.CLIENT_REGISTER_CAPABILITY)(lambda params: None)
    await client.start_io(sys.executable, "-P", "-m", "rulewright", "lsp")
    capabilities = client_capabilities("visual-studio-code")
    folders = [lsp.WorkspaceFolder(here.project.as_uri(), here.project.name)]
    await client.initialize_session(lsp.InitializeParams(capabilities, workspace_folders=folders))


def project_of(folder: Path, *books: str) -> Path:
    """A project with some of our own books."""
    root = Path(__file__).parent.parent
    folder = folder.resolve()
    (folder / "content").mkdir(parents=True)
    shutil.copy(root / "mkdocs.yml", folder)
    for book in books:
        shutil.copytree(root / "content" / book, folder / "content" / book)
    return folder
