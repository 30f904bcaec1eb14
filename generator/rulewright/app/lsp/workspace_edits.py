"""Changes of several files as an editor is given them, with what each is about where it shows that."""

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

from rulewright.app.lsp.text_positions import PositionMap, edits_between
from rulewright.app.lsp.worker_process import ComputedChange

ANNOTATION = "renumber"


class Editor:
    """The editor that changes are made for: what it can do, the addresses and versions of its files."""

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
        self.takes_words = bool(self.takes_versions and can and can.change_annotation_support)
        self.operations = (
            set((can.resource_operations if can else None) or ()) if self.takes_versions else set()
        )

    def edit(self, change: ComputedChange, label: str = "") -> WorkspaceEdit:
        """A change as an edit; with a label, one shown first. Names stay where an editor cannot rename."""
        old_names = {new: old for old, new in change.renamed.items()}
        plain: dict[str, list[TextEdit]] = {}
        for name, data in change.files.items():
            old = old_names.get(name, name)
            if data is not None and old in change.before:
                edits = [*edits_between(self.lines(old, change.before[old]), data.decode("utf-8-sig"))]
                plain |= {old: edits} if edits else {}
        if not self.takes_versions:
            return WorkspaceEdit(changes={self.address(name): edits for name, edits in plain.items()})
        steps: list[TextDocumentEdit | CreateFile | RenameFile | DeleteFile] = []
        for name, edits in plain.items():
            document = OptionalVersionedTextDocumentIdentifier(self.address(name), self.version(name))
            noted = [AnnotatedTextEdit(ANNOTATION, edit.range, edit.new_text) for edit in edits]
            steps.append(TextDocumentEdit(document, noted if self.takes_words and label else [*edits]))
        if ResourceOperationKind.Rename in self.operations:
            steps += [RenameFile(self.address(old), self.address(new)) for new, old in old_names.items()]
        notes = None
        if self.takes_words and label:
            annotation = ChangeAnnotation(
                label, needs_confirmation=True, description="\n".join(change.account) or None
            )
            notes = {ANNOTATION: annotation}
        return WorkspaceEdit(document_changes=steps, change_annotations=notes)
