"""Content of a project in which the texts of open documents replace the saved files."""

from __future__ import annotations

from itertools import product
from pathlib import Path

from rulewright.app.lsp.content_index import IndexedContent, edition_vocabulary
from rulewright.book.content_files import MODELS, sort_of
from rulewright.checks.check_outcome import CheckOutcome
from rulewright.checks.load_and_check import load_and_check_folder
from rulewright.edit.edit_operations import EditSession
from rulewright.files.content_folder import (
    CONTENT,
    ContentFolder,
    content_folder,
    file_kind,
    read_content_folder,
    size_limit,
    with_drafts,
)
from rulewright.files.memoize import Cache
from rulewright.files.yaml_tree import load_yaml_tree
from rulewright.schema import model_reader


class OpenDocuments:
    """A project with the texts of the documents open in an editor. Not thread-safe."""

    def __init__(self, project: Path) -> None:
        self.project = project.resolve()
        self.buffers: dict[str, str] = {}
        self.cache: Cache = {}
        self.saved: ContentFolder | None = None
        self.content: IndexedContent | None = None
        self._last_readable: dict[str, bytes] = {}
        """The last readable text of each open file."""

    def name_of(self, path: Path) -> str | None:
        """Return the name of a content text, relative to the project; None for any other file."""
        root = content_folder(self.project)
        for candidate, folder in product((path, path.resolve()), (root, root.resolve())):
            if candidate.is_relative_to(folder):
                name = f"{CONTENT}/{candidate.relative_to(folder).as_posix()}"
                return name if file_kind(name) == "text" else None
        return None

    def folder(self) -> ContentFolder:
        """Return the content as if all open documents were saved.

        Raises FolderBusy if another command is changing the folder.
        """
        if self.saved is None:
            self.saved = read_content_folder(self.project)
        # One character above the limit is enough to report that a text is too large.
        typed = ((name, text[: size_limit(name).maximum + 1]) for name, text in [*self.buffers.items()])
        return with_drafts(self.saved, {name: text.encode("utf-8", "surrogatepass") for name, text in typed})

    def check(self, folder: ContentFolder) -> CheckOutcome:
        return load_and_check_folder(folder, cache=self.cache).findings

    def read(self, folder: ContentFolder) -> IndexedContent:
        """Index the content; files that cannot be read have their last readable text."""
        replacements: dict[str, bytes] = {}
        for name in [*self.buffers]:
            current, saved = folder.texts.get(name), (self.saved or folder).texts.get(name)
            if current is not None and self._can_read(name, current):
                self._last_readable[name] = current
            elif (last := self._last_readable.get(name)) or ((last := saved) and self._can_read(name, last)):
                replacements[name] = last
        readable = with_drafts(folder, replacements)
        if self.content is None or readable.texts != self.content.folder.texts:
            project = load_and_check_folder(readable, cache=self.cache)
            values = {name: known[2] for name, known in self.cache.items() if name in readable.texts}
            self.content = IndexedContent(readable, project, values)
        return self.content

    def edit_session(self, book: str) -> EditSession:
        """Open an edition for an edit. Raises UserError, ContentErrors or FolderBusy."""
        folder = self.folder()
        project = load_and_check_folder(folder, cache=self.cache)
        return EditSession(self.project, folder, project, project.outline(book), self.cache)

    def _can_read(self, name: str, data: bytes) -> bool:
        """Return whether a file is a page, or YAML whose outermost model can be created."""
        if self._last_readable.get(name) == data or (file_kind := sort_of(name)) is None:
            return True
        tree, _ = load_yaml_tree(name, data)
        words = edition_vocabulary(self.content.outline_of(name) if self.content else None)
        return tree is not None and model_reader.read_model(tree, MODELS[file_kind], words)[0] is not None
