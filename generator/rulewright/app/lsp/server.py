"""The language server: handlers of notifications and requests."""

from __future__ import annotations

import logging
import os
import re
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import chain
from pathlib import Path
from typing import Any

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer
from pygls.uris import to_fs_path

from rulewright import __version__
from rulewright.app.command_registry import nearest_project
from rulewright.app.lsp.answers import ANSWERS, MAX_SYMBOLS, FileRequest, find_symbols, name_of
from rulewright.app.lsp.diagnostics import diagnostic
from rulewright.app.lsp.session import EditorSession
from rulewright.app.lsp.workspace_edits import workspace_edit
from rulewright.files.content_folder import CONTENT, SETTINGS, content_folder
from rulewright.files.errors import ContentErrors, UserError
from rulewright.files.problems import SourceLocation, suggested_fixes
from rulewright.references.citable_items import ListItem

REQUEST_FAILED = -32803
"""Error code of the protocol for a valid request that failed."""

_CURE = re.compile(r"`rulewright check --fix` writes (.+)")
"""What a message says that `check --fix` writes."""

SWITCH_INTERVAL = 0.001
"""Thread switch interval in seconds; short, so that answers do not wait for a check."""


class Server(LanguageServer):
    """Language server with a session for each project that has open files."""

    def __init__(self) -> None:
        # Full texts: editors and Python disagree on line ends.
        super().__init__("rulewright", __version__, lsp.TextDocumentSyncKind.Full)
        self.sessions: dict[Path, EditorSession] = {}
        self.content_thread = ThreadPoolExecutor(1, "content")

    def session_at(self, path: Path) -> EditorSession | None:
        """Return the session of the project that contains a path; start it if needed."""
        project = nearest_project(path)
        if project is None:
            return None
        project = project.resolve()
        if project not in self.sessions:
            codec = self.workspace.position_codec
            self.sessions[project] = EditorSession(
                project, codec, self.content_thread, self.publish_diagnostics
            )
            self.sessions[project].schedule_check()
        return self.sessions[project]

    def find(self, uri: str) -> tuple[EditorSession, str] | None:
        """Return the session and name of a content text; None for any other file."""
        path = Path(to_fs_path(uri) or "")
        try:
            session = self.session_at(path.parent) if path.is_absolute() else None
            name = session.documents.name_of(path) if session else None
        except (OSError, ValueError):  # no file can have that name
            return None
        return (session, name) if session and name else None

    async def find_request(self, params: Any, *, wait_until_read: bool = False) -> FileRequest | None:
        """Return a request about a content file with the name at its position; None for any other file."""
        session, name = self.find(params.text_document.uri) or (None, "")
        if session and wait_until_read:
            await session.wait_until_read()
        content = await session.content() if session else None
        if session is None or content is None:
            return None
        view = session.view(name, content)
        position = getattr(params, "position", None)
        offset = view.lines.offset(position) if position else 0
        return FileRequest(session, view, offset, view.span_at(offset), params)

    def publish_diagnostics(self, uri: str, problems: list[lsp.Diagnostic], version: int | None) -> None:
        self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, problems, version))


def create_server() -> Server:
    """Create a server with handlers for all supported methods."""
    server = Server()
    for method, notified in _NOTIFICATIONS.items():
        server.feature(method)(notified)
    for method, answer in ANSWERS.items():
        server.feature(method, _OPTIONS.get(method))(_file_handler(answer))
    for method, handler in _REQUESTS.items():
        server.feature(method, _OPTIONS.get(method))(_with_user_errors(handler))
    return server


def serve() -> None:
    """Serve on standard input and output until the editor disconnects."""
    sys.setswitchinterval(SWITCH_INTERVAL)
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING)
    server = create_server()
    with os.fdopen(os.dup(0), "rb") as input_stream, os.fdopen(os.dup(1), "wb") as output_stream:
        os.dup2(2, 1)  # other output must not mix with answers
        server.start_io(input_stream, output_stream)
    server.content_thread.shutdown(cancel_futures=True)


def _file_handler(answer: Callable[[FileRequest], Any]) -> Callable[[Server, Any], Any]:
    """Return the handler of a request about a file; it answers None for a file that is no content."""

    async def respond(server: Server, params: Any) -> Any:
        request = await server.find_request(params)
        return answer(request) if request else None

    return respond


def _with_user_errors(handler: Callable[[Server, Any], Any]) -> Callable[[Server, Any], Any]:
    """Answer user errors with a message that the editor shows."""

    async def respond(server: Server, params: Any) -> Any:
        try:
            return await handler(server, params)
        except UserError as error:
            problems = error.problems[:3] if isinstance(error, ContentErrors) else ()
            message = "; ".join(
                [str(error), *(f"{problem.place}: {problem.message}" for problem in problems)]
            )
            raise JsonRpcException(message, REQUEST_FAILED) from None

    return respond


# -- notifications


def _on_initialized(server: Server, params: lsp.InitializedParams) -> None:
    for folder in server.workspace.folders.values():
        if path := to_fs_path(folder.uri):
            server.session_at(Path(path))
    capabilities = server.client_capabilities.workspace
    watching = capabilities and capabilities.did_change_watched_files
    if watching and watching.dynamic_registration:
        folders = {content_folder(session.documents.project).name for session in server.sessions.values()}
        patterns = [*(f"**/{folder}/**" for folder in {*folders, CONTENT}), f"**/{SETTINGS}"]
        watched = [lsp.FileSystemWatcher(pattern) for pattern in patterns]
        options = lsp.DidChangeWatchedFilesRegistrationOptions(watched)
        registration = lsp.Registration("files", lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES, options)
        server.client_register_capability(lsp.RegistrationParams([registration]))


def _on_text(server: Server, params: lsp.DidOpenTextDocumentParams | lsp.DidChangeTextDocumentParams) -> None:
    document = server.workspace.get_text_document(params.text_document.uri)
    if session_file := server.find(document.uri):
        session, name = session_file
        session.open_document(name, document.uri, document.source, params.text_document.version)


def _on_close(server: Server, params: lsp.DidCloseTextDocumentParams) -> None:
    if session_file := server.find(params.text_document.uri):
        session_file[0].close_document(session_file[1])


def _on_files_changed(server: Server, params: Any) -> None:
    for session in server.sessions.values():
        session.schedule_check(saved=True)


_NOTIFICATIONS: dict[str, Callable[[Server, Any], None]] = {
    lsp.INITIALIZED: _on_initialized,
    lsp.TEXT_DOCUMENT_DID_OPEN: _on_text,
    lsp.TEXT_DOCUMENT_DID_CHANGE: _on_text,
    lsp.TEXT_DOCUMENT_DID_SAVE: _on_files_changed,
    lsp.TEXT_DOCUMENT_DID_CLOSE: _on_close,
    lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES: _on_files_changed,
}


# -- edits and requests about all files


async def _find_symbols(server: Server, params: lsp.WorkspaceSymbolParams) -> list[lsp.WorkspaceSymbol]:
    symbols: list[lsp.WorkspaceSymbol] = []
    for session in [*server.sessions.values()]:
        if content := await session.content():
            symbols += find_symbols(params.query, content, session)
    return symbols[:MAX_SYMBOLS]


async def _prepare_rename(
    server: Server, params: lsp.PrepareRenameParams
) -> lsp.PrepareRenamePlaceholder | None:
    request = await server.find_request(params, wait_until_read=True)
    current = request.view.range(request.span.place) if request and request.span else None
    if not request or not request.span or not current or isinstance(request.span.target, ListItem):
        return None
    return lsp.PrepareRenamePlaceholder(current, name_of(request.span.target))


async def _rename(server: Server, params: lsp.RenameParams) -> lsp.WorkspaceEdit:
    request = await server.find_request(params, wait_until_read=True)
    if not request or not request.span:
        raise UserError("nothing here has a number or name; put the cursor on a rule, step, table or term")
    session, new = request.session, params.new_name.strip()
    change = await session.run(session.documents.rename, request.span.target, new)
    return workspace_edit(change, session)


async def _code_actions(server: Server, params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
    session, name = server.find(params.text_document.uri) or (None, "")
    if session is None:
        return []
    saved = session.documents.saved
    lines = session.lines(name, saved.texts.get(name, b"") if saved else b"")
    project = {"project": str(session.documents.project)}
    actions: list[lsp.CodeAction] = []
    for problem in session.problems_by_file.get(name, ()):
        shown_diagnostic = diagnostic(problem, lines)
        if shown_diagnostic.range.end < params.range.start or params.range.end < shown_diagnostic.range.start:
            continue
        place = problem.place
        if cure := _CURE.search(problem.message):
            kind = lsp.CodeActionKind.QuickFix
            action = lsp.CodeAction(f"Write {cure[1]}", kind, [shown_diagnostic], is_preferred=True)
            action.data = {**project, "at": [place.file, place.line, place.column]}
            actions.append(action)
            continue
        for words in (suggestions := suggested_fixes(problem.message)):
            edit = lsp.WorkspaceEdit({session.address(name): [lsp.TextEdit(shown_diagnostic.range, words)]})
            kind, is_only = lsp.CodeActionKind.QuickFix, len(suggestions) == 1
            actions.append(lsp.CodeAction(f"Write {words}", kind, [shown_diagnostic], is_only, edit=edit))
    all_problems = chain.from_iterable(session.problems_by_file.values())
    if any(_CURE.search(problem.message) for problem in all_problems):
        title = "Write what `check --fix` writes, in all files"
        actions.append(lsp.CodeAction(title, lsp.CodeActionKind.SourceFixAll, data={**project, "at": []}))
    if params.context.only is None:
        return actions
    kinds = tuple(kind + "." for kind in params.context.only)
    return [action for action in actions if action.kind and (action.kind + ".").startswith(kinds)]


async def _resolve_action(server: Server, action: lsp.CodeAction) -> lsp.CodeAction:
    """Compute what `check --fix` writes."""
    match action.data:
        case {"project": str(project), "at": [str(file), int(line), int(column)]}:
            location: SourceLocation | None = SourceLocation(file, line, column)
        case {"project": str(project), "at": []}:
            location = None
        case _:
            return action
    if session := server.sessions.get(Path(project)):
        change = await session.run(session.documents.fix, location)
        action.edit = workspace_edit(change, session)
    return action


_REQUESTS: dict[str, Callable[[Server, Any], Any]] = {
    lsp.WORKSPACE_SYMBOL: _find_symbols,
    lsp.TEXT_DOCUMENT_PREPARE_RENAME: _prepare_rename,
    lsp.TEXT_DOCUMENT_RENAME: _rename,
    lsp.TEXT_DOCUMENT_CODE_ACTION: _code_actions,
    lsp.CODE_ACTION_RESOLVE: _resolve_action,
}

_OPTIONS: dict[str, Any] = {
    lsp.TEXT_DOCUMENT_COMPLETION: lsp.CompletionOptions(
        trigger_characters=["[", ":", ".", "(", '"', "'", " ", "-"]
    ),
    lsp.TEXT_DOCUMENT_RENAME: lsp.RenameOptions(prepare_provider=True),
    lsp.TEXT_DOCUMENT_CODE_ACTION: lsp.CodeActionOptions(
        [lsp.CodeActionKind.QuickFix, lsp.CodeActionKind.SourceFixAll], resolve_provider=True
    ),
}
"""Options of the requests that have some."""
