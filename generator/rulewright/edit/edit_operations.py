"""Plan, report and apply edits: renumber, move, insert and retire rules, and undo the last edit.

Each edit is computed in memory and written as a whole or not at all. The previous content of the changed
files is saved in the user's private folder. Renumbering back is not enough to undo a change: a shortened
number ("9.14b and c") that had to be written out would stay that way.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from difflib import unified_diff
from pathlib import Path

from rulewright.book.outline import Outline
from rulewright.checks.load_and_check import CheckedProject, load_and_check_folder
from rulewright.edit.change_proposal import ChangeProposal, Finish, edited_texts, propose_change
from rulewright.edit.renumber_plan import (
    RenumberPlan,
    pairs_without,
    plan_insertion,
    plan_moves,
    plan_shift,
    require_number,
    require_rule,
)
from rulewright.edit.rule_placement import (
    RulePlacement,
    add_empty_rule,
    check_room,
    new_rule,
)
from rulewright.files import user_folders
from rulewright.files.atomic_write import file_digest, write_atomically
from rulewright.files.content_folder import content_folder
from rulewright.files.content_reader import ContentFolder, read_content_folder
from rulewright.files.errors import UserError, raise_on_errors
from rulewright.files.memoize import Cache
from rulewright.files.text_edits import FileEdits
from rulewright.files.transaction import replace_files
from rulewright.references.reference_inventory import iter_references
from rulewright.references.reference_problems import TO_RETIRED
from rulewright.schema.problem_reports import plural


@dataclass(eq=False)
class EditSession:
    """Project content and one of its editions, loaded for an edit."""

    project: Path
    folder: ContentFolder
    checked_project: CheckedProject
    outline: Outline
    cache: Cache

    @property
    def address(self) -> str:
        return self.outline.edition.address

    @property
    def undo_file(self) -> Path:
        """File with the undo data of the last change, in the user's private folder."""
        return user_folders.user_folder() / f"{user_folders.path_key(content_folder(self.project))}.receipt"

    def propose(self, moves: RenumberPlan, finish: Finish, added: Collection[str] = ()) -> ChangeProposal:
        """Compute the content after a change. Raises UserError if the change is impossible."""
        return propose_change(self.folder, self.checked_project, moves, finish, self.cache, added)


def open_session(project: Path, book: str) -> EditSession:
    """Load a project for an edit.

    Raises:
        UserError: The edition does not exist.
        ContentErrors: The edition cannot be read.
    """
    cache: Cache = {}
    folder = read_content_folder(project)
    checked_project = load_and_check_folder(folder, cache=cache)
    return EditSession(project, folder, checked_project, checked_project.outline(book), cache)


@dataclass(slots=True)
class PlannedChange:
    """A change proposal with what its report needs."""

    session: EditSession
    proposal: ChangeProposal
    summary_lines: Sequence[str] = ()  # first lines of the report

    def report_lines(self) -> list[str]:
        """Return the report: renumbered rules, files with reference counts, places to review."""
        proposal, known = self.proposal, self.session.outline.entries
        lines = [*self.summary_lines]
        for entry in (known[key] for key in proposal.moves.roots if key in known):
            count = sum(1 for _ in entry.iter_subtree()) - 1
            suffix = f", with {plural(count, 'rule')} inside it" if count else ""
            lines.append(f"{entry} is {proposal.moves.new_display_number(entry)} now{suffix}")
        for name, _ in proposal.files_to_write:
            count = proposal.references[name]
            lines.append(f"  {name}: {plural(count, 'reference')}" if count else f"  {name}")
        files = plural(len(proposal.files_to_write), "file")
        summary = f"{files} changed."
        if count := sum(proposal.references.values()):
            summary = f"{plural(count, 'reference')} changed, in {files} altogether."
        reviewed = (f"{place}: read again: {words}" for place, words in proposal.review_places)
        return [*lines, summary, *reviewed]

    def diff(self) -> Iterator[str]:
        """Yield the lines of a unified diff, with the line ends of the files."""
        before = self.session.folder.texts
        for name, data in self.proposal.files_to_write:
            texts = before.get(name, b""), data
            old_lines, new_lines = (text.decode().splitlines(keepends=True) for text in texts)
            old_path = f"a/{name}" if name in before else "/dev/null"
            for line in unified_diff(old_lines, new_lines, old_path, f"b/{name}"):
                yield line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"

    def raise_on_new_problems(self) -> None:
        """Raise ContentErrors if the change introduces errors."""
        message = "nothing was changed, since these problems would be new; --force changes it anyway"
        raise_on_errors(self.proposal.problems, message)

    def apply(self) -> None:
        """Write all files or none, then the undo data if there is a folder for them.

        Raises:
            FolderBusy: Another command uses the content.
            OSError: A file cannot be written.
        """
        replace_files(self.session.project, self.proposal.files, self.session.folder.texts)
        with suppress(OSError):
            write_atomically(self.session.undo_file, json.dumps(self._undo_data()))

    def _undo_data(self) -> dict[str, object]:
        before, files = self.session.folder.texts, {}
        for name, data in self.proposal.files.items():
            files[name] = {
                "now": "" if data is None else file_digest(data),
                "text": before[name].decode() if name in before else None,
            }
        return {"book": self.session.address, "files": files}


def plan_renumber(session: EditSession, pairs: Sequence[tuple[str, str]]) -> PlannedChange:
    """Plan to renumber rules and all references to them. Raises UserError."""
    moves = plan_moves(session.outline, pairs)
    proposal = session.propose(moves, lambda placement: record_former_numbers(placement, moves))
    return PlannedChange(session, proposal)


def plan_move(session: EditSession, number_text: str, target: str) -> PlannedChange:
    """Plan to move a rule to another number, making room there and closing the gap. Raises UserError."""
    entry, number = require_rule(session.outline, number_text), require_number(session.outline, target)
    if entry.key == number.key:
        raise UserError(f"{entry.display_number} is already {number.key}")
    return plan_renumber(session, plan_shift(session.outline, entry, number))


def plan_undo(session: EditSession) -> PlannedChange:
    """Plan to undo the last change, byte for byte. Raises UserError if files have been edited since."""
    try:
        undo_data = json.loads(session.undo_file.read_bytes())
        files = {str(name): file for name, file in undo_data["files"].items()}
        book, before = str(undo_data["book"]), dict[str, bytes | None]()
        for name, file in files.items():
            current_text = session.folder.texts.get(name)
            if (file_digest(current_text) if current_text is not None else "") != file["now"]:
                raise UserError(f"{name} has been changed since; undoing the change would undo that edit too")
            before[name] = None if file["text"] is None else file["text"].encode()
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        raise UserError("there is no change to undo") from None
    proposal = ChangeProposal(RenumberPlan(session.outline, {}), before)
    return PlannedChange(session, proposal, [f"The last change of {book} is undone."])


def plan_insert(session: EditSession, number_text: str, title: str | None) -> PlannedChange:
    """Plan to insert a rule, renumbering the rules after it and all references to them. Raises UserError."""
    number = require_number(session.outline, number_text)
    check_room(session.outline, number)
    new = new_rule(session.outline, number, number_text, title)
    moves = plan_insertion(session.outline, number)

    def finish(placement: RulePlacement) -> None:
        record_former_numbers(placement, moves)
        add_empty_rule(placement, new)

    return PlannedChange(session, session.propose(moves, finish), [f"{new} is new."])


def plan_removal(session: EditSession, number_text: str) -> PlannedChange:
    """Plan to delete a rule that no text cites, and to close the gap in its row. Raises UserError."""
    entry, checked = require_rule(session.outline, number_text), session.checked_project
    if entry.parent is None:
        raise UserError(f"{entry.display_number} is a chapter; delete its file")
    removed = {*entry.iter_subtree()}
    for reference in iter_references(checked.index, checked.manuscripts):
        if reference.target in removed and reference.passage.owner not in removed:
            raise UserError(
                f"{reference.place}: {reference.name} is cited here; change or delete it first, or "
                f"retire the rule: rulewright renumber {session.address} --retire {entry.display_number}"
            )
    no_moves, before = RenumberPlan(session.outline, {}), session.folder.texts
    texts = edited_texts(session.folder, no_moves, FileEdits(), lambda rules: rules.remove_rule(entry))
    folder = replace(session.folder, texts=texts)
    without = load_and_check_folder(folder, cache=session.cache)
    moves = plan_moves(without.outline(session.address), pairs_without(session.outline, entry))
    proposal = propose_change(
        folder,
        without,
        moves,
        lambda placement: record_former_numbers(placement, moves),
        session.cache,
        before=checked,
    )
    files: dict[str, bytes | None] = {**texts, **proposal.files}
    proposal.files = {name: data for name, data in files.items() if data != before.get(name)}
    return PlannedChange(session, proposal, [f"{entry} is deleted."])


def plan_retire(session: EditSession, number: str, replacement_numbers: Sequence[str]) -> PlannedChange:
    """Plan to retire a rule: it keeps its number and names its replacements. Raises UserError."""
    entry = require_rule(session.outline, number)
    replacements = [require_rule(session.outline, number_text) for number_text in replacement_numbers]
    if entry in (rule for replacement in replacements for rule in replacement.self_and_ancestors()):
        raise UserError(f"a rule in {entry.display_number} is retired with it and cannot replace it")
    if retired := next((rule for rule in (entry, *replacements) if rule.retired), None):
        raise UserError(f"{retired.display_number} is already retired")
    proposal = session.propose(
        RenumberPlan(session.outline, {}),
        lambda placement: placement.retire(entry, replacements),
        [rule.key for rule in replacements],
    )
    outdated = [problem for problem in proposal.problems if problem.code == TO_RETIRED.code]
    proposal.problems = [problem for problem in proposal.problems if problem not in outdated]
    replaced = f"; {', '.join(map(str, replacements))} replaced it" if replacements else ""
    summary_lines = [
        f"{entry} is retired{replaced}.",
        *(f"{problem.place}: {problem.message}" for problem in outdated),
    ]
    return PlannedChange(session, proposal, summary_lines)


def record_former_numbers(placement: RulePlacement, moves: RenumberPlan) -> None:
    """Record the former number in each moved rule, unless another rule has it now."""
    entries = moves.outline.entries
    for old, new in moves.roots.values():
        if old.key in entries and moves.frees_number(old.key):
            placement.record_former_number(entries[old.key], new)
