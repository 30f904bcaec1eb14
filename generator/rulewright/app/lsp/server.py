"""The server itself: which request is answered by what."""

from __future__ import annotations

import logging
import os
import re
import sys
from collections.abc import Callable, Iterable
from functools import wraps
from html import unescape
from inspect import isawaitable
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
from rulewright.app.lsp.content_index import NameSpan, edition_vocabulary
from rulewright.app.lsp.diagnostics import diagnostic, fixes
from rulewright.app.lsp.open_files import FileView
from rulewright.app.lsp.session import EditorSession
from rulewright.app.lsp.worker_process import ComputedChange, WorkerProcess, fix_in_worker, renumber_in_worker
from rulewright.app.lsp.workspace_edits import Editor
from rulewright.book.outline import RuleEntry
from rulewright.compare.stale_references import MOVED
from rulewright.source.content_folder import CONTENT, SETTINGS, content_folder
from rulewright.source.errors import ContentErrors, UserError
from rulewright.source.problems import SourceLocation

REFUSED = -32803
"""The protocol's code for a request that was understood and cannot be done."""

FURTHEST = 2**31 - 1
"""The largest line and column that the protocol knows."""

SWITCH = 0.001
"""Seconds after which an answer that waits gets its turn while the content is checked."""


class Protocol(LanguageServerProtocol):
    """The protocol, in which every request gets an answer: pygls gives none where its words are odd."""

    def structure_message(self, data: dict[str, Any]) -> Any:
        if data.keys() == {"line", "character"}:  # before or behind all there is: its nearest end
            numbers = {name: number for name, number in data.items() if isinstance(number, int)}
            return {**data, **{name: min(max(number, 0), FURTHEST) for name, number in numbers.items()}}
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
    """The server with the projects whose files its editor has open."""

    def __init__(self) -> None:
        # Whole texts: an editor and Python do not agree on what ends a line.
        sync_kind = lsp.TextDocumentSyncKind.Full
        super().__init__("rulewright", __version__, sync_kind, protocol_cls=Protocol)
        self.sessions: dict[Path, EditorSession] = {}
        self.aside = WorkerProcess()

    def session_at(self, path: Path) -> EditorSession | None:
        """The project that a path lies in, begun where it is the first time."""
        project = nearest_project(path)
        if project is None:
            return None
        project = project.resolve()
        if project not in self.sessions:
            codec = self.workspace.position_codec
            self.sessions[project] = EditorSession(
                project, codec, self.aside, self.publish_diagnostics, self.renew
            )
            self.sessions[project].changed()
        return self.sessions[project]

    def find(self, uri: str) -> tuple[EditorSession, str] | None:
        """The project and the name of a file, if it is a text of the content of one."""
        path = Path(to_fs_path(uri) or "")
        try:
            session = self.session_at(path.parent) if path.is_absolute() else None
            name = session.bench.name_of(path) if session else None
        except (OSError, ValueError):  # no file can have that name
            return None
        return (session, name) if session and name else None

    def publish_diagnostics(self, uri: str, problems: list[lsp.Diagnostic], version: int | None) -> None:
        self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, problems, version))

    def renew(self) -> None:
        can = self.client_capabilities.workspace
        if can and can.semantic_tokens and can.semantic_tokens.refresh_support:
            self.workspace_semantic_tokens_refresh(None)

    def editor(self, session: EditorSession) -> Editor:
        return Editor(self.client_capabilities, session.address, session.versions.get, session.lines)


def create_server() -> Server:
    """A server that answers what a language client may ask."""
    server = Server()
    server.feature(lsp.INITIALIZED)(_begun)
    for method, hear in _HEARD.items():
        server.feature(method)(hear)
    for method, (answer, *options) in _ANSWERED.items():
        server.feature(method, *options)(_refusing(answer))
    return server


def serve() -> None:
    """Answer on standard input and output until the editor ends it."""
    sys.setswitchinterval(SWITCH)
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING)
    # A refusal is an answer, and no fault of the server; nor are words that are not the protocol's.
    logging.getLogger("pygls.protocol.json_rpc").addFilter(lambda record: not _is_refusal(record))
    server = create_server()
    with os.fdopen(os.dup(0), "rb") as heard, os.fdopen(os.dup(1), "wb") as output_stream:
        os.dup2(2, 1)  # what anything else prints is no answer
        server.start_io(heard, output_stream)
    server.aside.end()


def _is_refusal(record: logging.LogRecord) -> bool:
    error = record.exc_info[1] if record.exc_info else None
    refused = isinstance(error, JsonRpcException) and error.code == REFUSED
    return refused or record.getMessage().startswith("Unable to deserialize")


def _refusing(answer: Callable[..., Any]) -> Callable[..., Any]:
    """Make a refusal of ours an answer that the editor shows."""

    @wraps(answer)
    async def answered(server: Server, params: Any) -> Any:
        try:
            return await answer(server, params)
        except ContentErrors as error:
            details = "; ".join(f"{problem.place}: {problem.message}" for problem in error.problems[:3])
            raise JsonRpcException(f"{error}{f': {details}' if details else ''}", REFUSED) from None
        except UserError as error:
            raise JsonRpcException(str(error), REFUSED) from None

    return answered


# -- what the editor says


def _begun(server: Server, params: lsp.InitializedParams) -> None:
    for folder in server.workspace.folders.values():
        if path := to_fs_path(folder.uri):
            server.session_at(Path(path))
    if not server.workspace.folders and server.workspace.root_path:
        server.session_at(Path(server.workspace.root_path))
    can = server.client_capabilities.workspace
    if can and can.did_change_watched_files and can.did_change_watched_files.dynamic_registration:
        folders = {content_folder(session.bench.project).name for session in server.sessions.values()} | {
            CONTENT
        }
        watched = [
            lsp.FileSystemWatcher(f"**/{name}")
            for name in (*(f"{folder}/**" for folder in folders), SETTINGS)
        ]
        options = lsp.DidChangeWatchedFilesRegistrationOptions(watched)
        registration = lsp.Registration("files", lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES, options)
        server.client_register_capability(lsp.RegistrationParams([registration]))


def _opened(server: Server, params: lsp.DidOpenTextDocumentParams) -> None:
    document = params.text_document
    if session_file := server.find(document.uri):
        session, name = session_file
        session.open_document(name, document.uri, document.text, document.version)


def _typed(server: Server, params: lsp.DidChangeTextDocumentParams) -> None:
    if session_file := server.find(params.text_document.uri):
        session, name = session_file
        document = server.workspace.get_text_document(params.text_document.uri)
        session.open_document(name, document.uri, document.source, params.text_document.version)


def _saved(server: Server, params: lsp.DidSaveTextDocumentParams) -> None:
    if session_file := server.find(params.text_document.uri):
        session_file[0].changed(saved=True)


def _closed(server: Server, params: lsp.DidCloseTextDocumentParams) -> None:
    if session_file := server.find(params.text_document.uri):
        session_file[0].close_document(session_file[1])


def _watched(server: Server, params: lsp.DidChangeWatchedFilesParams) -> None:
    for session in server.sessions.values():
        session.changed(saved=True)


_HEARD: dict[str, Callable[[Server, Any], None]] = {
    lsp.TEXT_DOCUMENT_DID_OPEN: _opened,
    lsp.TEXT_DOCUMENT_DID_CHANGE: _typed,
    lsp.TEXT_DOCUMENT_DID_SAVE: _saved,
    lsp.TEXT_DOCUMENT_DID_CLOSE: _closed,
    lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES: _watched,
}


# -- what it asks


class _Here(NamedTuple):
    """A request about a file, and the character at its position if it has one."""

    server: Server
    session: EditorSession
    view: FileView
    at: int
    params: Any

    def locations(self, places: Iterable[definitions.Stretch]) -> list[lsp.Location]:
        return definitions.locations(places, self.view.reading, self.session.views, self.session.address)

    @property
    def rule(self) -> tuple[NameSpan, RuleEntry] | None:
        """The rule that the place names, and where it does."""
        spot = self.view.span_at(self.at)
        return (spot, spot.target) if spot and isinstance(spot.target, RuleEntry) else None


def _viewing(answer: Callable[[_Here], Any], *, settled: bool = False) -> Callable[[Server, Any], Any]:
    """Have a request about a file answered; None where it is no file of the content.

    `settled`: by the content as it is typed now, not as it was read a moment ago.
    """

    async def answered(server: Server, params: Any) -> Any:
        session_file = server.find(params.text_document.uri)
        if session_file and settled:
            await session_file[0].settled()
        if session_file is None or (view := await session_file[0].view(session_file[1])) is None:
            return None
        position = getattr(params, "position", None)
        index = view.lines.index(position) if position else 0
        response = answer(_Here(server, session_file[0], view, index, params))
        return await response if isawaitable(response) else response

    return answered


def _hover(request: _Here) -> lsp.Hover | None:
    hovered = hover.hover(request.view, request.at, edition_vocabulary(request.view.outline))
    if hovered is None:
        return None
    return lsp.Hover(
        markup(request.server.client_capabilities, hovered[0]), request.view.lines.range(*hovered[1:])
    )


def markup(can: lsp.ClientCapabilities, words: str) -> lsp.MarkupContent:
    """Markdown for an editor that shows it, and the bare words for one that does not."""
    formats = (
        can.text_document.hover.content_format if can.text_document and can.text_document.hover else None
    )
    if lsp.MarkupKind.Markdown in (formats or ()):
        return lsp.MarkupContent(lsp.MarkupKind.Markdown, words)
    plain_text = re.sub(r"\\(.)|\*+", lambda m: m[1] or "", words)
    return lsp.MarkupContent(lsp.MarkupKind.PlainText, unescape(plain_text))


def _refer(request: _Here) -> list[lsp.Location]:
    declared = request.params.context.include_declaration
    return request.locations(definitions.find_usages(request.view, request.at, declared=declared))


def _highlight(request: _Here) -> list[lsp.DocumentHighlight]:
    spot = request.view.span_at(request.at)
    spans = (
        span for span in request.view.spans_between() if spot and spot.target and span.target is spot.target
    )
    return [lsp.DocumentHighlight(request.view.lines.range(span.start, span.end)) for span in spans]


def _colour_part(request: _Here) -> lsp.SemanticTokens:
    start, end = map(request.view.lines.index, (request.params.range.start, request.params.range.end))
    return lsp.SemanticTokens(semantic_tokens.tokens(request.view, start, end))


async def _seek(server: Server, params: lsp.WorkspaceSymbolParams) -> list[lsp.WorkspaceSymbol]:
    symbols: list[lsp.WorkspaceSymbol] = []
    for session in [*server.sessions.values()]:
        if reading := await session.reading():
            symbols += definitions.workspace_symbols(params.query, reading, session.views, session.address)
    return symbols[: definitions.MOST]


# -- what it has changed


def _name(request: _Here) -> lsp.PrepareRenamePlaceholder | None:
    if (rule := request.rule) is None:
        return None
    spot, entry = rule
    return lsp.PrepareRenamePlaceholder(request.view.lines.range(spot.start, spot.end), entry.key)


async def _renumber(request: _Here) -> lsp.WorkspaceEdit:
    if (rule := request.rule) is None:
        raise UserError("only a rule can be given another number; put the cursor on one")
    entry, new = rule[1], request.params.new_name
    change: ComputedChange = await request.session.aside(
        renumber_in_worker, request.session.editor_state, entry.edition.address, entry.key, new
    )
    return request.server.editor(request.session).edit(change, f"{entry.key} becomes {new.strip()}")


async def _act(server: Server, params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
    session_file = server.find(params.text_document.uri)
    if session_file is None:
        return []
    session, name = session_file
    lines = session.lines(name, (session.bench.saved.texts if session.bench.saved else {}).get(name, b""))
    only = params.context.only

    def wanted(kind: lsp.CodeActionKind) -> bool:
        return only is None or any(f"{kind.value}.".startswith(f"{kind_prefix}.") for kind_prefix in only)

    async def worked_out(location: SourceLocation | None, action: lsp.CodeAction) -> lsp.CodeAction:
        """An action whose edit is to be worked out, at once for an editor that cannot ask for that."""
        place = [location.file, location.line, location.column] if location else None
        action.data = {"project": str(session.bench.project), "at": place}
        return action if _resolves(server.client_capabilities) else await _resolve(server, action)

    actions: list[lsp.CodeAction] = []
    selection = params.range
    for problem in session.found.get(name, ()) if wanted(lsp.CodeActionKind.QuickFix) else ():
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
            actions.append(action if edit else await worked_out(problem.place, action))
    moved = (
        problem for problems in session.found.values() for problem in problems if problem.code == MOVED.code
    )
    if any(moved) and wanted(lsp.CodeActionKind.SourceFixAll):
        words = "Write the numbers that rules have now, in all files"
        actions.append(await worked_out(None, lsp.CodeAction(words, lsp.CodeActionKind.SourceFixAll)))
    return actions


def _resolves(can: lsp.ClientCapabilities) -> bool:
    """Whether an editor asks for the edit of an action when it is chosen."""
    action = can.text_document.code_action if can.text_document else None
    resolve = action.resolve_support if action else None
    return bool(action and action.data_support and resolve and "edit" in resolve.properties)


async def _resolve(server: Server, action: lsp.CodeAction) -> lsp.CodeAction:
    data = action.data if isinstance(action.data, dict) else {}
    session = server.sessions.get(Path(str(data.get("project", ""))))
    if action.edit is None and session:
        match data.get("at"):
            case None:
                location = None
            case [str(file), int(line), int(column)]:
                location = SourceLocation(file, line, column)
            case _:
                raise UserError("this action names no place; ask for the actions of this line again")
        action.edit = server.editor(session).edit(
            await session.aside(fix_in_worker, session.editor_state, location)
        )
    return action


_RENAMING = lsp.RenameOptions(prepare_provider=True)
_COMPLETING = lsp.CompletionOptions(trigger_characters=["[", ":", ".", "(", '"', "'", " ", "-"])
_ACTING = lsp.CodeActionOptions(
    [lsp.CodeActionKind.QuickFix, lsp.CodeActionKind.SourceFixAll], resolve_provider=True
)

_ANSWERED: dict[str, tuple[Any, ...]] = {
    lsp.TEXT_DOCUMENT_COMPLETION: (
        _viewing(lambda request: completion_items.complete(request.view, request.at)),
        _COMPLETING,
    ),
    lsp.TEXT_DOCUMENT_HOVER: (_viewing(_hover),),
    lsp.TEXT_DOCUMENT_DEFINITION: (
        _viewing(lambda request: request.locations(definitions.find_definition(request.view, request.at))),
    ),
    lsp.TEXT_DOCUMENT_REFERENCES: (_viewing(_refer),),
    lsp.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT: (_viewing(_highlight),),
    lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL: (_viewing(lambda request: document_symbols.outline(request.view)),),
    lsp.TEXT_DOCUMENT_FOLDING_RANGE: (_viewing(lambda request: [*document_symbols.folding(request.view)]),),
    lsp.WORKSPACE_SYMBOL: (_seek,),
    lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL: (
        _viewing(lambda request: lsp.SemanticTokens(semantic_tokens.tokens(request.view))),
        semantic_tokens.LEGEND,
    ),
    lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_RANGE: (_viewing(_colour_part), semantic_tokens.LEGEND),
    lsp.TEXT_DOCUMENT_PREPARE_RENAME: (_viewing(_name, settled=True),),
    lsp.TEXT_DOCUMENT_RENAME: (_viewing(_renumber, settled=True), _RENAMING),
    lsp.TEXT_DOCUMENT_CODE_ACTION: (_act, _ACTING),
    lsp.CODE_ACTION_RESOLVE: (_resolve,),
}
