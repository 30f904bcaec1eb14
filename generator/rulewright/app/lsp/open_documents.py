"""Content of a project in which the texts of open documents replace the saved files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from itertools import product
from pathlib import Path

from rulewright.book.outline import Outline, RuleEntry
from rulewright.checks.check_visitor import LoadedProject
from rulewright.checks.load_and_check import CheckedProject, check_project, load_project
from rulewright.edit.edit_operations import EditSession, plan_renumber
from rulewright.edit.name_edits import rename
from rulewright.edit.reference_fixes import FixedReferences, fix_references
from rulewright.files.content_folder import CONTENT, content_folder, file_kind, size_limit
from rulewright.files.content_reader import ContentFolder, read_content_folder, with_drafts
from rulewright.files.errors import UserError, raise_on_errors
from rulewright.files.memoize import Cache, memoize
from rulewright.files.problems import SourceLocation
from rulewright.files.yaml_tree import load_yaml_tree
from rulewright.references.name_spans import NameSpans, Target, build_name_spans


@dataclass(frozen=True, slots=True)
class ComputedChange:
    """Result of a renumbering, a new name or a fix."""

    files: Mapping[str, bytes | None]
    """New contents by file name."""

    before: Mapping[str, bytes]
    """Old contents by file name."""


@dataclass(frozen=True, slots=True)
class ReadContent:
    """The last content that could be read, from which requests are answered."""

    project: LoadedProject
    names: NameSpans

    def text(self, name: str) -> str:
        """Return a decoded file; offsets in it exclude a byte order mark."""
        return self.project.folder.texts.get(name, b"").decode("utf-8-sig", "replace")

    def outline_of(self, name: str) -> Outline | None:
        """Return the edition of a file, or the one that the front matter of a page names."""
        pages = {page.name: page.edition for page in self.project.manuscripts}
        edition = pages.get(name) or self.project.library.edition_of(name)
        return self.project.index.outlines.get(edition.address) if edition else None


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
        self.content: ReadContent | None = None
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

    def load(self, folder: ContentFolder) -> LoadedProject:
        """Load the content; only changed files are read."""
        return memoize(self.cache, " loaded", (folder,), partial(load_project, folder, self.cache))

    def check(self, folder: ContentFolder) -> CheckedProject:
        """Check the content, after `load`."""
        return memoize(self.cache, " checked", (folder,), lambda: check_project(self.load(folder)))

    def read(self, folder: ContentFolder) -> ReadContent:
        """Index the content for answers; a file that is not YAML has its last readable text."""
        last = self.content.project.folder if self.content else self.saved or folder
        last_texts: dict[str, bytes] = {}
        for name in {problem.place.file for problem in self.load(folder).library.problems}:
            data = folder.texts.get(name)
            if data is None or (last.texts.get(name) != data and load_yaml_tree(name, data)[0] is None):
                last_texts |= {name: last.texts[name]} if name in last.texts else {}
        project = self.load(with_drafts(folder, last_texts) if last_texts else folder)
        names = build_name_spans(project.index, project.manuscripts, self.cache)
        self.content = ReadContent(project, names)
        return self.content

    def renumber(self, rule: RuleEntry, new: str) -> ComputedChange:
        """Compute a renumbering.

        Raises UserError if it is impossible, ContentErrors if it would cause new problems.
        """
        folder, book, old = self.folder(), rule.edition.address, rule.key
        project = self.check(folder)
        session = EditSession(self.project, folder, project, project.outline(book), self.cache)
        change = plan_renumber(session, [(old, new)])
        force = f"`rulewright renumber {book} {old} {new} --force` ignores them"
        raise_on_errors(
            change.proposal.problems, f"nothing was changed, since new problems would appear; {force}"
        )
        return ComputedChange(change.proposal.files, folder.texts)

    def rename(self, target: Target, new: str) -> ComputedChange:
        """Compute a new number of a rule or a new name of a step, table or term, as `renumber` does."""
        if not new:
            raise UserError("the new number or name is empty; enter one")
        if isinstance(target, RuleEntry):
            return self.renumber(target, new)
        folder = self.folder()
        return self._fixed(folder, rename(folder, self.check(folder), self.cache, target, new))

    def fix(self, location: SourceLocation | None) -> ComputedChange:
        """Compute what `check --fix` would write, for one problem or all.

        Raises UserError if nothing can be fixed, ContentErrors if it would cause new errors.
        """
        folder = self.folder()
        return self._fixed(folder, fix_references(folder, self.check(folder), self.cache, location=location))

    def _fixed(self, folder: ContentFolder, fixed: FixedReferences) -> ComputedChange:
        raise_on_errors(fixed.problems, "nothing was changed, since new problems would appear")
        if not fixed.files:
            raise UserError("\n".join(dict.fromkeys(fixed.report_lines())) or "nothing here can be fixed")
        return ComputedChange(fixed.files, folder.texts)
