"""A project under an editor's hands: its files with what is typed in place of what is saved."""

from __future__ import annotations

from pathlib import Path

from rulewright.app.lsp.content_index import IndexedContent, edition_vocabulary
from rulewright.book.content_files import MODELS, sort_of
from rulewright.checks.check_outcome import CheckOutcome
from rulewright.checks.load_and_check import load_and_check_folder
from rulewright.edit.edit_operations import EditSession
from rulewright.model import model_reader
from rulewright.source.content_folder import (
    CONTENT,
    ContentFolder,
    content_folder,
    file_kind,
    read_content_folder,
    size_limit,
    with_drafts,
)
from rulewright.source.memoize import Cache
from rulewright.source.yaml_tree import load_yaml_tree


class OpenDocuments:
    """A project with the texts open in an editor, by name. One thread at a time reads and checks it."""

    def __init__(self, project: Path) -> None:
        self.project = project.resolve()
        self.buffers: dict[str, str] = {}
        self.cache: Cache = {}
        self.saved: ContentFolder | None = None
        self.reading: IndexedContent | None = None
        self._legible: dict[str, bytes] = {}
        """The last text of each open file that could be read."""

    def name_of(self, path: Path) -> str | None:
        """The name of a text of the content, from the project's folder; None for any other file."""
        roots = (top := content_folder(self.project)), top.resolve()
        for candidate, top in ((candidate, top) for candidate in (path, path.resolve()) for top in roots):
            if candidate.is_relative_to(top):
                name = f"{CONTENT}/{candidate.relative_to(top).as_posix()}"
                return name if file_kind(name) == "text" else None
        return None

    def folder(self) -> ContentFolder:
        """The content as it would be if all that is open were saved. Raises Busy."""
        if self.saved is None:
            self.saved = read_content_folder(self.project)
        # Of a text that is too large only as much as shows that.
        typed = ((name, text[: size_limit(name).maximum + 1]) for name, text in [*self.buffers.items()])
        return with_drafts(self.saved, {name: text.encode("utf-8", "surrogatepass") for name, text in typed})

    def check(self, folder: ContentFolder) -> CheckOutcome:
        return load_and_check_folder(folder, cache=self.cache).findings

    def read(self, folder: ContentFolder) -> IndexedContent:
        """The content for answers. A file that cannot be read now is as it was when it could."""
        instead: dict[str, bytes] = {}
        for name in [*self.buffers]:
            current, saved = folder.texts.get(name), (self.saved or folder).texts.get(name)
            if current is not None and self._can_read(name, current):
                self._legible[name] = current
            elif (last := self._legible.get(name)) or ((last := saved) and self._can_read(name, last)):
                instead[name] = last
        legible = with_drafts(folder, instead)
        if self.reading is None or legible.texts != self.reading.folder.texts:
            project = load_and_check_folder(legible, cache=self.cache)
            values = {name: known[2] for name, known in self.cache.items() if name in legible.texts}
            self.reading = IndexedContent(legible, project, values)
        return self.reading

    def edit_session(self, book: str) -> EditSession:
        """The content as it is, for a change of an edition. Raises Refusal, Unsound, Busy."""
        folder = self.folder()
        project = load_and_check_folder(folder, cache=self.cache).printed
        return EditSession(self.project, folder, project, project.outline(book), self.cache)

    def _can_read(self, name: str, data: bytes) -> bool:
        """Whether a file is of use to answers: a page always, YAML where its outermost type can be made."""
        if self._legible.get(name) == data or (sort := sort_of(name)) is None:
            return True
        tree, _ = load_yaml_tree(name, data)
        words = edition_vocabulary(self.reading.outline_of(name) if self.reading else None)
        return tree is not None and model_reader.read_model(tree, MODELS[sort], words)[0] is not None
