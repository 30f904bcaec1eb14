"""Workspace edits: changes of several files, which the editor shows before it makes them."""

from __future__ import annotations

from lsprotocol.types import OptionalVersionedTextDocumentIdentifier, TextDocumentEdit, WorkspaceEdit

from rulewright.app.lsp.open_documents import ComputedChange
from rulewright.app.lsp.session import EditorSession
from rulewright.app.lsp.text_positions import edits_between


def workspace_edit(change: ComputedChange, session: EditorSession) -> WorkspaceEdit:
    """Convert a change to edits of its files."""
    steps: list[TextDocumentEdit] = []
    for name, data in change.files.items():
        if data is not None and name in change.before:
            lines = session.lines(name, change.before[name])
            document = OptionalVersionedTextDocumentIdentifier(
                session.address(name), session.versions.get(name)
            )
            steps.append(TextDocumentEdit(document, [*edits_between(lines, data.decode("utf-8-sig"))]))
    return WorkspaceEdit(document_changes=[*steps])
