"""Workspace edits: changes of several files, which the editor shows before it makes them."""

from __future__ import annotations

from lsprotocol.types import (
    AnnotatedTextEdit,
    ChangeAnnotation,
    ClientCapabilities,
    CreateFile,
    DeleteFile,
    OptionalVersionedTextDocumentIdentifier,
    RenameFile,
    ResourceOperationKind,
    TextDocumentEdit,
    WorkspaceEdit,
    WorkspaceEditClientCapabilities,
)

from rulewright.app.lsp.open_documents import ComputedChange
from rulewright.app.lsp.session import EditorSession
from rulewright.app.lsp.text_positions import edits_between

ANNOTATION = "rulewright"


def workspace_edit(
    change: ComputedChange, session: EditorSession, capabilities: ClientCapabilities, label: str = ""
) -> WorkspaceEdit:
    """Convert a change to what an editor supports; with a label the editor asks for confirmation."""
    workspace = capabilities.workspace
    can = (workspace and workspace.workspace_edit) or WorkspaceEditClientCapabilities()
    old_names = {new: old for old, new in change.renamed.items()}
    is_annotated = bool(label and can.change_annotation_support)
    steps: list[TextDocumentEdit | CreateFile | RenameFile | DeleteFile] = []
    for name, data in change.files.items():
        old = old_names.get(name, name)
        if data is not None and old in change.before:
            lines = session.lines(old, change.before[old])
            edits = [*edits_between(lines, data.decode("utf-8-sig"))]
            document = OptionalVersionedTextDocumentIdentifier(
                session.address(old), session.versions.get(old)
            )
            annotated = [AnnotatedTextEdit(ANNOTATION, edit.range, edit.new_text) for edit in edits]
            steps.append(TextDocumentEdit(document, annotated if is_annotated else edits))
    if ResourceOperationKind.Rename in (can.resource_operations or ()):  # otherwise files keep their names
        for old, new in change.renamed.items():
            steps.append(RenameFile(session.address(old), session.address(new)))
    note = ChangeAnnotation(label, needs_confirmation=True, description=change.report or None)
    return WorkspaceEdit(
        document_changes=steps, change_annotations={ANNOTATION: note} if is_annotated else None
    )
