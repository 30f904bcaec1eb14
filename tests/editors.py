"""An editor for the tests of the language server: it starts the real one and speaks to it as editors do."""

from __future__ import annotations

import asyncio
import os
import shutil
import sys
from collections.abc import Callable, Coroutine
from pathlib import Path
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
        self.told: dict[str, lsp.PublishDiagnosticsParams] = {}
        self.renewed = 0
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
        """Open a file, and wait until it was checked and read."""
        self.texts[name] = (self.project / name).read_text("utf-8") if text is None else text
        self.versions[name], renewed = 1, self.renewed
        language = "markdown" if name.endswith(".md") else "yaml"
        document = lsp.TextDocumentItem(self.uri(name), language, 1, self.texts[name])
        self.client.text_document_did_open(lsp.DidOpenTextDocumentParams(document))
        await self.settled(name, renewed)

    async def type(self, name: str, text: str) -> None:
        """Have a file hold another text, and wait until that was checked and read."""
        renewed = self.renewed
        self.hurry(name, text)
        await self.settled(name, renewed)

    def hurry(self, name: str, text: str) -> None:
        """Have a file hold another text, and wait for nothing."""
        self.texts[name], self.versions[name] = text, self.versions[name] + 1
        document = lsp.VersionedTextDocumentIdentifier(self.versions[name], self.uri(name))
        change = lsp.TextDocumentContentChangeWholeDocument(text)
        self.client.text_document_did_change(lsp.DidChangeTextDocumentParams(document, [change]))

    async def settled(self, name: str, renewed: int) -> None:
        def is_told() -> bool:
            told = self.told.get(self.uri(name))
            return told is not None and told.version == self.versions[name] and self.renewed > renewed

        await self.wait(is_told)

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
            for uri, told in self.told.items()
            for one in told.diagnostics
        }

    def position(self, name: str, words: str, offset: int = 0) -> lsp.Position:
        """The position of the first place where words stand, in UTF-16 as editors count."""
        at = self.texts[name].index(words) + offset
        line = self.texts[name].count("\n", 0, at)
        ahead = self.texts[name][self.texts[name].rfind("\n", 0, at) + 1 : at]
        return lsp.Position(line, len(ahead.encode("utf-16-le")) // 2)

    def at(self, name: str, words: str, offset: int = 0) -> tuple[lsp.TextDocumentIdentifier, lsp.Position]:
        return self.document(name), self.position(name, words, offset)

    def words(self, name: str, there: lsp.Range) -> str:
        """What stands in a range."""
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
        made: dict[str, str] = {}
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
            made[now] = text
        return made


def edit(
    project: Path,
    work: Callable[[Editor], Coroutine[Any, Any, None]],
    *,
    client: str = "visual-studio-code",
    weaker: Callable[[lsp.ClientCapabilities], None] | None = None,
) -> None:
    """Have an editor do some work with a server of its own, which has to be alive at the end."""

    async def session() -> None:
        made = make_test_lsp_client()
        here = Editor(made, project)
        features = made.protocol.fm.features

        def told(params: lsp.PublishDiagnosticsParams) -> None:
            here.told[params.uri] = params
            here.news.set()

        features[lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS] = told

        @made.feature(lsp.WORKSPACE_SEMANTIC_TOKENS_REFRESH)
        def renewed(params: None) -> None:
            here.renewed += 1
            here.news.set()

        @made.feature(lsp.WORKSPACE_INLAY_HINT_REFRESH)
        def hints(params: None) -> None: ...

        @made.feature(lsp.CLIENT_REGISTER_CAPABILITY)
        def registered(params: lsp.RegistrationParams) -> None: ...

        os.environ["XDG_CACHE_HOME"] = str(project / ".cache")
        await made.start_io(sys.executable, "-P", "-m", "rulewright", "lsp")
        capabilities = client_capabilities(client)
        if capabilities.workspace:
            capabilities.workspace.semantic_tokens = lsp.SemanticTokensWorkspaceClientCapabilities(True)
        if weaker:
            weaker(capabilities)
        folders = [lsp.WorkspaceFolder(project.as_uri(), project.name)]
        params = lsp.InitializeParams(capabilities, workspace_folders=folders)
        await made.initialize_session(params)
        try:
            await work(here)
            await made.workspace_symbol_async(lsp.WorkspaceSymbolParams("1"))  # it is alive
        finally:
            await made.shutdown_session()
            await made.stop()

    before = dict(os.environ)
    try:
        asyncio.run(session())
    finally:
        os.environ.clear()
        os.environ.update(before)


def project_of(folder: Path, *books: str) -> Path:
    """A project with some of our own books."""
    root = Path(__file__).parent.parent
    folder = folder.resolve()
    (folder / "content").mkdir(parents=True)
    shutil.copy(root / "mkdocs.yml", folder)
    for book in books:
        shutil.copytree(root / "content" / book, folder / "content" / book)
    return folder
