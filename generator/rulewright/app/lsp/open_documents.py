"""Content of a project in which the texts of open documents replace the saved files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

from rulewright.app.lsp.content_index import IndexedContent
from rulewright.book.content_files import sort_of
from rulewright.checks.check_visitor import LoadedProject
from rulewright.checks.load_and_check import CheckedProject, check_project, load_project
from rulewright.edit.edit_operations import EditSession, plan_renumber
from rulewright.edit.reference_fixes import fix_references
from rulewright.files.content_folder import CONTENT, content_folder, file_kind, size_limit
from rulewright.files.content_reader import ContentFolder, read_content_folder, with_drafts
from rulewright.files.errors import UserError, raise_on_errors
from rulewright.files.memoize import Cache, memoize
from rulewright.files.problems import SourceLocation


@dataclass(frozen=True, slots=True)
class ComputedChange:
    """Result of a renumbering or fix."""

    files: Mapping[str, bytes | None]
    """New contents by file name."""

    before: Mapping[str, bytes]
    """Old contents of the changed files."""

    renamed: Mapping[str, str] = field(default_factory=dict)
    """New names by old names of files."""
    report_lines: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _LoadedFiles:
    """Loaded project with the models of its files."""

    project: LoadedProject
    values: Mapping[str, Any]
    """Model of each YAML file by name; None if the file cannot be read."""


class OpenDocuments:
    """A project with the texts of the documents open in an editor.

    Not thread-safe: all methods except `name_of` belong to one thread. Each result is memoized until the
    content changes, so checks, answers and edits share it.
    """

    def __init__(self, project: Path) -> None:
        self.project = project.resolve()
        self.buffers: dict[str, str] = {}
        self.cache: Cache = {}
        self.saved: ContentFolder | None = None
        self.content: IndexedContent | None = None
        self._folder: ContentFolder | None = None

    def name_of(self, path: Path) -> str | None:
        """Return the name of a content text, relative to the project; None for any other file."""
        root = content_folder(self.project)
        for candidate, folder in product((path, path.resolve()), (root, root.resolve())):
            if candidate.is_relative_to(folder):
                name = f"{CONTENT}/{candidate.relative_to(folder).as_posix()}"
                return name if file_kind(name) == "text" else None
        return None

    def discard_saved(self) -> None:
        """Read the files on disk again when they are next needed."""
        self.saved = None

    def folder(self) -> ContentFolder:
        """Return the content as if all open documents were saved; the same object until it changes.

        Raises FolderBusy if another command is changing the folder.
        """
        if self.saved is None:
            self.saved = read_content_folder(self.project)
        # One character above the limit is enough to report that a text is too large.
        typed = ((name, text[: size_limit(name).maximum + 1]) for name, text in [*self.buffers.items()])
        drafts = {name: text.encode("utf-8", "surrogatepass") for name, text in typed}
        folder = with_drafts(self.saved, drafts)
        if self._folder is None or folder != self._folder:
            self._folder = folder
        return self._folder

    def load(self, folder: ContentFolder) -> _LoadedFiles:
        """Load the content; only changed files are read."""
        return memoize(self.cache, " loaded", (folder,), partial(self._load, folder))

    def _load(self, folder: ContentFolder) -> _LoadedFiles:
        project = load_project(folder, self.cache)
        values = {name: self.cache[name][2] for name in folder.texts if sort_of(name) and name in self.cache}
        return _LoadedFiles(project, values)

    def check(self, folder: ContentFolder) -> CheckedProject:
        """Check the content, after `load`."""
        return memoize(self.cache, " checked", (folder,), lambda: check_project(self.load(folder).project))

    def read(self, folder: ContentFolder) -> IndexedContent:
        """Index the content for answers; files that cannot be read have their last readable text."""
        last = (self.content.folder if self.content else self.saved or folder).texts
        values = self.load(folder).values
        unreadable = [name for name, value in values.items() if value is None and name in last]
        readable = with_drafts(folder, {name: last[name] for name in unreadable}) if unreadable else folder
        if self.content is None or readable.texts != self.content.folder.texts:
            loaded = self.load(readable)
            self.content = IndexedContent(loaded.project, loaded.values)
        return self.content

    def edit_session(self, book: str) -> EditSession:
        """Open an edition for an edit. Raises UserError, ContentErrors or FolderBusy."""
        folder = self.folder()
        project = self.check(folder)
        return EditSession(self.project, folder, project, project.outline(book), self.cache)

    def renumber(self, book: str, old: str, new: str) -> ComputedChange:
        """Compute a renumbering.

        Raises UserError if it is impossible, ContentErrors if it would cause new problems.
        """
        if not new.strip():
            raise UserError("the new number is empty; enter a number")
        change = plan_renumber(self.edit_session(book), [(old, new.strip())])
        force = f"`rulewright renumber {book} {old} {new.strip()} --force` ignores them"
        raise_on_errors(change.problems, f"nothing was changed, since new problems would appear; {force}")
        proposal, texts = change.proposal, change.session.folder.texts
        before = {old: texts[old] for _, old in proposal.files_to_write if old in texts}
        return ComputedChange(
            dict(proposal.files), before, dict(proposal.renamed), tuple(change.report_lines())
        )

    def fix(self, location: SourceLocation | None) -> ComputedChange:
        """Compute what `check --fix` would write, for one problem or all.

        Raises UserError if nothing can be fixed, ContentErrors if it would cause new errors.
        """
        folder = self.folder()
        fixes = fix_references(folder, self.check(folder), self.cache, location=location)
        raise_on_errors(fixes.problems, "nothing was fixed, since new problems would appear")
        if not fixes.files:
            raise UserError("; ".join(fixes.report_lines()) or "no reference here leads to a moved rule")
        return ComputedChange(dict(fixes.files), {name: folder.texts[name] for name in fixes.files})
