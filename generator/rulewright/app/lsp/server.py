"""The language server: handlers of notifications and requests."""

from __future__ import annotations

import logging
import os
import re
import sys
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import wraps
from html import unescape
from inspect import isawaitable
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol
from pygls.uris import to_fs_path

from rulewright import __version__
from rulewright.app.command_registry import nearest_project
from rulewright.app.lsp import completion_items, definitions, document_symbols, hover, semantic_tokens
from rulewright.app.lsp.content_index import NameSpan
from rulewright.app.lsp.diagnostics import diagnostic, fixes
from rulewright.app.lsp.open_files import FileView
from rulewright.app.lsp.session import EditorSession
from rulewright.app.lsp.workspace_edits import Editor
from rulewright.book.outline import RuleEntry
from rulewright.compare.stale_references import MOVED
from rulewright.files.content_folder import CONTENT, SETTINGS, content_folder
from rulewright.files.errors import ContentErrors, UserError
from rulewright.files.problems import SourceLocation

REQUEST_FAILED = -32803
"""Error code of the protocol for a valid request that failed."""

MAX_POSITION = 2**31 - 1
"""Maximum line and column of the protocol."""

SWITCH_INTERVAL = 0.001
"""Thread switch interval in seconds; short, so that answers do not wait for a check."""


class Protocol(LanguageServerProtocol):
    """Protocol that also answers malformed requests, which pygls ignores."""

    def structure_message(self, data: dict[str, Any]) -> Any:
        if data.keys() == {"line", "character"}:  # clamp positions outside the limits
            numbers = {name: number for name, number in data.items() if isinstance(number, int)}
            return {**data, **{name: min(max(number, 0), MAX_POSITION) for name, number in numbers.items()}}
        try:
            return super().structure_message(data)
        except JsonRpcException as error:
            if "id" in data and "method" in data:
                self._send_response(data["id"], error=error.to_response_error())
            return None

    def handle_message(self, message: Any) -> None:
        if message is not None:
            super().handle_message(message)


class Server(LanguageServer):
    """Language server with a session for each project that has open files."""

    def __init__(self) -> None:
        # Full texts: editors and Python disagree on line ends.
        super().__init__("rulewright", __version__, lsp.TextDocumentSyncKind.Full, protocol_cls=Protocol)
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
                project, codec, self.content_thread, self.publish_diagnostics, self.renew
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

    def publish_diagnostics(self, uri: str, problems: list[lsp.Diagnostic], version: int | None) -> None:
        self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, problems, version))

    def renew(self) -> None:
        capabilities = self.client_capabilities.workspace
        if capabilities and capabilities.semantic_tokens and capabilities.semantic_tokens.refresh_support:
            self.workspace_semantic_tokens_refresh(None)

    def editor(self, session: EditorSession) -> Editor:
        return Editor(self.client_capabilities, session.address, session.versions.get, session.lines)


def create_server() -> Server:
    """Create a server with handlers for all supported methods."""
    server = Server()
    server.feature(lsp.INITIALIZED)(_on_initialized)
    for method, handler in _NOTIFICATIONS.items():
        server.feature(method)(handler)
    for method, (handler, *options) in _REQUESTS.items():
        server.feature(method, *options)(_with_user_errors(handler))
    return server


def serve() -> None:
    """Serve on standard input and output until the editor disconnects."""
    sys.setswitchinterval(SWITCH_INTERVAL)
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING)
    # Neither user errors nor malformed messages are faults of the server.
    logging.getLogger("pygls.protocol.json_rpc").addFilter(lambda record: not _is_user_error(record))
    server = create_server()
    with os.fdopen(os.dup(0), "rb") as input_stream, os.fdopen(os.dup(1), "wb") as output_stream:
        os.dup2(2, 1)  # other output must not mix with answers
        server.start_io(input_stream, output_stream)
    server.content_thread.shutdown(cancel_futures=True)


def _is_user_error(record: logging.LogRecord) -> bool:
    error = record.exc_info[1] if record.exc_info else None
    is_user_error = isinstance(error, JsonRpcException) and error.code == REQUEST_FAILED
    return is_user_error or record.getMessage().startswith("Unable to deserialize")


def _with_user_errors(handler: Callable[..., Any]) -> Callable[..., Any]:
    """Answer user errors with a message that the editor shows."""

    @wraps(handler)
    async def respond(server: Server, params: Any) -> Any:
        try:
            return await handler(server, params)
        except ContentErrors as error:
            details = "; ".join(f"{problem.place}: {problem.message}" for problem in error.problems[:3])
            raise JsonRpcException(f"{error}{f': {details}' if details else ''}", REQUEST_FAILED) from None
        except UserError as error:
            raise JsonRpcException(str(error), REQUEST_FAILED) from None

    return respond


# -- notifications


def _on_initialized(server: Server, params: lsp.InitializedParams) -> None:
    for folder in server.workspace.folders.values():
        if path := to_fs_path(folder.uri):
            server.session_at(Path(path))
    if not server.workspace.folders and server.workspace.root_path:
        server.session_at(Path(server.workspace.root_path))
    capabilities = server.client_capabilities.workspace
    if (
        capabilities
        and capabilities.did_change_watched_files
        and capabilities.did_change_watched_files.dynamic_registration
    ):
        folders = {content_folder(session.documents.project).name for session in server.sessions.values()}
        patterns = [f"**/{folder}/**" for folder in {*folders, CONTENT}]
        watched = [lsp.FileSystemWatcher(pattern) for pattern in (*patterns, f"**/{SETTINGS}")]
        options = lsp.DidChangeWatchedFilesRegistrationOptions(watched)
        registration = lsp.Registration("files", lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES, options)
        server.client_register_capability(lsp.RegistrationParams([registration]))


def _on_open(server: Server, params: lsp.DidOpenTextDocumentParams) -> None:
    document = params.text_document
    if session_file := server.find(document.uri):
        session, name = session_file
        session.open_document(name, document.uri, document.text, document.version)


def _on_change(server: Server, params: lsp.DidChangeTextDocumentParams) -> None:
    if session_file := server.find(params.text_document.uri):
        session, name = session_file
        document = server.workspace.get_text_document(params.text_document.uri)
        session.open_document(name, document.uri, document.source, params.text_document.version)


def _on_save(server: Server, params: lsp.DidSaveTextDocumentParams) -> None:
    if session_file := server.find(params.text_document.uri):
        session_file[0].schedule_check(saved=True)


def _on_close(server: Server, params: lsp.DidCloseTextDocumentParams) -> None:
    if session_file := server.find(params.text_document.uri):
        session_file[0].close_document(session_file[1])


def _on_files_changed(server: Server, params: lsp.DidChangeWatchedFilesParams) -> None:
    for session in server.sessions.values():
        session.schedule_check(saved=True)


_NOTIFICATIONS: dict[str, Callable[[Server, Any], None]] = {
    lsp.TEXT_DOCUMENT_DID_OPEN: _on_open,
    lsp.TEXT_DOCUMENT_DID_CHANGE: _on_change,
    lsp.TEXT_DOCUMENT_DID_SAVE: _on_save,
    lsp.TEXT_DOCUMENT_DID_CLOSE: _on_close,
    lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES: _on_files_changed,
}


# -- requests


class _FileRequest(NamedTuple):
    """A request about a file."""

    server: Server
    session: EditorSession
    view: FileView
    offset: int
    """Text index of the request's position; 0 without one."""

    params: Any

    def locations(self, places: Iterable[definitions.FileSpan]) -> list[lsp.Location]:
        return definitions.locations(places, self.view.content, self.session.views, self.session.address)

    @property
    def rule(self) -> tuple[NameSpan, RuleEntry] | None:
        """The reference at the position and its rule, if it leads to one."""
        span = self.view.span_at(self.offset)
        return (span, span.target) if span and isinstance(span.target, RuleEntry) else None


def _with_view(
    handler: Callable[[_FileRequest], Any], *, wait_until_read: bool = False
) -> Callable[[Server, Any], Any]:
    """Answer a request about a content file; answer None for any other file.

    `wait_until_read`: wait until the current texts are read.
    """

    async def respond(server: Server, params: Any) -> Any:
        session_file = server.find(params.text_document.uri)
        if session_file is None:
            return None
        session, name = session_file
        if wait_until_read:
            await session.wait_until_read()
        if (view := await session.view(name)) is None:
            return None
        position = getattr(params, "position", None)
        offset = view.lines.index(position) if position else 0
        response = handler(_FileRequest(server, session, view, offset, params))
        return await response if isawaitable(response) else response

    return respond


def _hover(request: _FileRequest) -> lsp.Hover | None:
    hovered = hover.hover(request.view, request.offset)
    if hovered is None:
        return None
    text, start, end = hovered
    return lsp.Hover(markup(request.server.client_capabilities, text), request.view.lines.range(start, end))


def markup(capabilities: lsp.ClientCapabilities, text: str) -> lsp.MarkupContent:
    """Return Markdown, or plain text if the editor does not support Markdown."""
    documents = capabilities.text_document
    formats = documents.hover.content_format if documents and documents.hover else None
    if lsp.MarkupKind.Markdown in (formats or ()):
        return lsp.MarkupContent(lsp.MarkupKind.Markdown, text)
    plain_text = re.sub(r"\\(.)|\*+", lambda m: m[1] or "", text)
    return lsp.MarkupContent(lsp.MarkupKind.PlainText, unescape(plain_text))


def _find_references(request: _FileRequest) -> list[lsp.Location]:
    declared = request.params.context.include_declaration
    return request.locations(definitions.find_usages(request.view, request.offset, declared=declared))


def _highlight(request: _FileRequest) -> list[lsp.DocumentHighlight]:
    cursor_span = request.view.span_at(request.offset)
    if cursor_span is None or cursor_span.target is None:
        return []
    spans = (span for span in request.view.spans_between() if span.target is cursor_span.target)
    return [lsp.DocumentHighlight(request.view.lines.range(span.start, span.end)) for span in spans]


def _range_tokens(request: _FileRequest) -> lsp.SemanticTokens:
    start, end = map(request.view.lines.index, (request.params.range.start, request.params.range.end))
    return lsp.SemanticTokens(semantic_tokens.tokens(request.view, start, end))


async def _search_symbols(server: Server, params: lsp.WorkspaceSymbolParams) -> list[lsp.WorkspaceSymbol]:
    symbols: list[lsp.WorkspaceSymbol] = []
    for session in [*server.sessions.values()]:
        if content := await session.content():
            symbols += definitions.workspace_symbols(params.query, content, session.views, session.address)
    return symbols[: definitions.MAX_SYMBOLS]


# -- edits


def _prepare_rename(request: _FileRequest) -> lsp.PrepareRenamePlaceholder | None:
    if (rule := request.rule) is None:
        return None
    rule_span, entry = rule
    return lsp.PrepareRenamePlaceholder(request.view.lines.range(rule_span.start, rule_span.end), entry.key)


async def _renumber(request: _FileRequest) -> lsp.WorkspaceEdit:
    if (rule := request.rule) is None:
        raise UserError("only rules can be renumbered; put the cursor on a rule number")
    entry, new = rule[1], request.params.new_name
    session = request.session
    change = await session.run(session.documents.renumber, entry.edition.address, entry.key, new)
    return request.server.editor(session).edit(change, f"{entry.key} becomes {new.strip()}")


async def _code_actions(server: Server, params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
    session_file = server.find(params.text_document.uri)
    if session_file is None:
        return []
    session, name = session_file
    saved = session.documents.saved
    lines = session.lines(name, saved.texts.get(name, b"") if saved else b"")
    only = params.context.only

    def is_requested(kind: lsp.CodeActionKind) -> bool:
        return only is None or any(f"{kind.value}.".startswith(f"{kind_prefix}.") for kind_prefix in only)

    async def with_edit(location: SourceLocation | None, action: lsp.CodeAction) -> lsp.CodeAction:
        """Defer the computation of the edit if the editor can resolve actions."""
        place = [location.file, location.line, location.column] if location else None
        action.data = {"project": str(session.documents.project), "at": place}
        return action if _can_resolve(server.client_capabilities) else await _resolve_action(server, action)

    actions: list[lsp.CodeAction] = []
    selection = params.range
    has_fixes = is_requested(lsp.CodeActionKind.QuickFix)
    for problem in session.problems_by_file.get(name, ()) if has_fixes else ():
        shown_diagnostic = diagnostic(problem, lines)
        if shown_diagnostic.range.end < selection.start or selection.end < shown_diagnostic.range.start:
            continue
        for fix in fixes(problem, lines):
            edit = lsp.WorkspaceEdit(changes={session.address(name): fix.edits}) if fix.edits else None
            action = lsp.CodeAction(
                fix.title,
                lsp.CodeActionKind.QuickFix,
                [shown_diagnostic],
                is_preferred=fix.is_preferred or None,
                edit=edit,
            )
            actions.append(action if edit else await with_edit(problem.place, action))
    problems = chain.from_iterable(session.problems_by_file.values())
    has_moved = any(problem.code == MOVED.code for problem in problems)
    if has_moved and is_requested(lsp.CodeActionKind.SourceFixAll):
        title = "Write the numbers that rules have now, in all files"
        actions.append(await with_edit(None, lsp.CodeAction(title, lsp.CodeActionKind.SourceFixAll)))
    return actions


def _can_resolve(capabilities: lsp.ClientCapabilities) -> bool:
    """Return whether the editor requests the edit of an action when the action is chosen."""
    action = capabilities.text_document.code_action if capabilities.text_document else None
    resolve = action.resolve_support if action else None
    return bool(action and action.data_support and resolve and "edit" in resolve.properties)


async def _resolve_action(server: Server, action: lsp.CodeAction) -> lsp.CodeAction:
    data = action.data if isinstance(action.data, dict) else {}
    session = server.sessions.get(Path(str(data.get("project", ""))))
    if action.edit is None and session:
        match data.get("at"):
            case None:
                location = None
            case [str(file), int(line), int(column)]:
                location = SourceLocation(file, line, column)
            case _:
                raise UserError("this action has no source location; request the actions of this line again")
        action.edit = server.editor(session).edit(await session.run(session.documents.fix, location))
    return action


_RENAMING = lsp.RenameOptions(prepare_provider=True)
_COMPLETING = lsp.CompletionOptions(trigger_characters=["[", ":", ".", "(", '"', "'", " ", "-"])
_ACTING = lsp.CodeActionOptions(
    [lsp.CodeActionKind.QuickFix, lsp.CodeActionKind.SourceFixAll], resolve_provider=True
)

_REQUESTS: dict[str, tuple[Any, ...]] = {
    lsp.TEXT_DOCUMENT_COMPLETION: (
        _with_view(lambda request: completion_items.complete(request.view, request.offset)),
        _COMPLETING,
    ),
    lsp.TEXT_DOCUMENT_HOVER: (_with_view(_hover),),
    lsp.TEXT_DOCUMENT_DEFINITION: (
        _with_view(
            lambda request: request.locations(definitions.find_definition(request.view, request.offset))
        ),
    ),
    lsp.TEXT_DOCUMENT_REFERENCES: (_with_view(_find_references),),
    lsp.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT: (_with_view(_highlight),),
    lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL: (_with_view(lambda request: document_symbols.outline(request.view)),),
    lsp.TEXT_DOCUMENT_FOLDING_RANGE: (_with_view(lambda request: [*document_symbols.folding(request.view)]),),
    lsp.WORKSPACE_SYMBOL: (_search_symbols,),
    lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL: (
        _with_view(lambda request: lsp.SemanticTokens(semantic_tokens.tokens(request.view))),
        semantic_tokens.LEGEND,
    ),
    lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_RANGE: (_with_view(_range_tokens), semantic_tokens.LEGEND),
    lsp.TEXT_DOCUMENT_PREPARE_RENAME: (_with_view(_prepare_rename, wait_until_read=True),),
    lsp.TEXT_DOCUMENT_RENAME: (_with_view(_renumber, wait_until_read=True), _RENAMING),
    lsp.TEXT_DOCUMENT_CODE_ACTION: (_code_actions, _ACTING),
    lsp.CODE_ACTION_RESOLVE: (_resolve_action,),
}
