"""Workspace edits: changes of several files, which the editor shows before it makes them."""

from __future__ import annotations

from lsprotocol.types import (
    ClientCapabilities,
    OptionalVersionedTextDocumentIdentifier,
    RenameFile,
    ResourceOperationKind,
    TextDocumentEdit,
    WorkspaceEdit,
)

from rulewright.app.lsp.open_documents import ComputedChange
from rulewright.app.lsp.session import EditorSession
from rulewright.app.lsp.text_positions import edits_between


def workspace_edit(
    change: ComputedChange, session: EditorSession, capabilities: ClientCapabilities
) -> WorkspaceEdit:
    """Convert a change to edits of its files; an editor that cannot rename files leaves their names."""
    old_names = {new: old for old, new in change.renamed.items()}
    steps: list[TextDocumentEdit | RenameFile] = []
    for name, data in change.files.items():
        old = old_names.get(name, name)
        if data is not None and old in change.before:
            lines = session.lines(old, change.before[old])
            document = OptionalVersionedTextDocumentIdentifier(
                session.address(old), session.versions.get(old)
            )
            steps.append(TextDocumentEdit(document, [*edits_between(lines, data.decode("utf-8-sig"))]))
    can = capabilities.workspace and capabilities.workspace.workspace_edit
    if can and ResourceOperationKind.Rename in (can.resource_operations or ()):
        for old, new in change.renamed.items():
            steps.append(RenameFile(session.address(old), session.address(new)))
    return WorkspaceEdit(document_changes=[*steps])
