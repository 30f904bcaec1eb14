"""Changes of several files as an editor is given them, with what each is about where it shows that."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

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

from rulewright.app.lsp.places import Lines, edits_between
from rulewright.app.lsp.workbench import Workbench
from rulewright.edit.requests import Change, renumbering
from rulewright.source.refusal import Refusal

ANNOTATION = "renumber"


def renumbered(bench: Workbench, book: str, old: str, new: str) -> Change:
    """A renumbering worked out. Raises Refusal, Unsound where it brings new problems, and Busy."""
    if not new.strip():
        raise Refusal("a rule needs a number; write the new one")
    change = renumbering(bench.desk(book), [(old, new.strip())])
    change.demand()
    return change


class Editor:
    """The editor that changes are made for: what it can do, the addresses and versions of its files."""

    def __init__(
        self,
        capabilities: ClientCapabilities,
        address: Callable[[str], str],
        version: Callable[[str], int | None],
        lines: Callable[[str, bytes], Lines],
    ) -> None:
        self.address, self.version, self.lines = address, version, lines
        can = capabilities.workspace.workspace_edit if capabilities.workspace else None
        self.takes_versions = bool(can and can.document_changes)
        self.takes_words = bool(self.takes_versions and can and can.change_annotation_support)
        self.operations = (
            set((can.resource_operations if can else None) or ()) if self.takes_versions else set()
        )

    def edit(
        self,
        files: Mapping[str, bytes | None],
        before: Mapping[str, bytes],
        renamed: Mapping[str, str] | None = None,
        label: str = "",
        words: Sequence[str] = (),
    ) -> WorkspaceEdit:
        """The edit that makes these files of those that there are. `renamed`: the new names of some.

        An editor that cannot rename files leaves them their names, which mean nothing but to people.
        """
        old_names = {new: old for old, new in (renamed or {}).items()}
        plain: dict[str, list[TextEdit]] = {}
        for name, data in files.items():
            old = old_names.get(name, name)
            if data is not None and old in before:
                edits = [*edits_between(self.lines(old, before[old]), data.decode("utf-8-sig"))]
                plain |= {old: edits} if edits else {}
        if not self.takes_versions:
            return WorkspaceEdit(changes={self.address(name): edits for name, edits in plain.items()})
        made: list[TextDocumentEdit | CreateFile | RenameFile | DeleteFile] = []
        for name, edits in plain.items():
            document = OptionalVersionedTextDocumentIdentifier(self.address(name), self.version(name))
            noted = [AnnotatedTextEdit(ANNOTATION, one.range, one.new_text) for one in edits]
            made.append(TextDocumentEdit(document, noted if self.takes_words and label else [*edits]))
        if ResourceOperationKind.Rename in self.operations:
            made += [RenameFile(self.address(old), self.address(new)) for new, old in old_names.items()]
        notes = None
        if self.takes_words and label:
            said = ChangeAnnotation(label, needs_confirmation=True, description="\n".join(words) or None)
            notes = {ANNOTATION: said}
        return WorkspaceEdit(document_changes=made, change_annotations=notes)
