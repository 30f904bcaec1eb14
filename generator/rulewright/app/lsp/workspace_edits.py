"""Workspace edits: changes of several files, annotated if the editor supports it."""

from __future__ import annotations

from collections.abc import Callable

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
    TextEdit,
    WorkspaceEdit,
)

from rulewright.app.lsp.open_documents import ComputedChange
from rulewright.app.lsp.text_positions import PositionMap, edits_between

ANNOTATION = "renumber"


class Editor:
    """Converts changes to edits that an editor supports, with the URIs and versions of its documents."""

    def __init__(
        self,
        capabilities: ClientCapabilities,
        address: Callable[[str], str],
        version: Callable[[str], int | None],
        lines: Callable[[str, bytes], PositionMap],
    ) -> None:
        self.address, self.version, self.lines = address, version, lines
        can = capabilities.workspace.workspace_edit if capabilities.workspace else None
        self.takes_versions = bool(can and can.document_changes)
        self.takes_annotations = bool(self.takes_versions and can and can.change_annotation_support)
        self.operations = (
            set((can.resource_operations if can else None) or ()) if self.takes_versions else set()
        )

    def edit(self, change: ComputedChange, label: str = "") -> WorkspaceEdit:
        """Convert a change; with a label the editor asks for confirmation."""
        old_names = {new: old for old, new in change.renamed.items()}
        edits_by_file: dict[str, list[TextEdit]] = {}
        for name, data in change.files.items():
            old = old_names.get(name, name)
            if data is not None and old in change.before:
                edits = [*edits_between(self.lines(old, change.before[old]), data.decode("utf-8-sig"))]
                edits_by_file |= {old: edits} if edits else {}
        if not self.takes_versions:
            return WorkspaceEdit(changes={self.address(name): edits for name, edits in edits_by_file.items()})
        steps: list[TextDocumentEdit | CreateFile | RenameFile | DeleteFile] = []
        for name, edits in edits_by_file.items():
            document = OptionalVersionedTextDocumentIdentifier(self.address(name), self.version(name))
            annotated = [AnnotatedTextEdit(ANNOTATION, edit.range, edit.new_text) for edit in edits]
            steps.append(
                TextDocumentEdit(document, annotated if self.takes_annotations and label else [*edits])
            )
        if ResourceOperationKind.Rename in self.operations:  # otherwise files keep their names
            steps += [RenameFile(self.address(old), self.address(new)) for new, old in old_names.items()]
        notes = None
        if self.takes_annotations and label:
            annotation = ChangeAnnotation(
                label, needs_confirmation=True, description="\n".join(change.report_lines) or None
            )
            notes = {ANNOTATION: annotation}
        return WorkspaceEdit(document_changes=steps, change_annotations=notes)
