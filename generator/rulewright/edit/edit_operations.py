"""The changes that an editor can ask for: rules renumbered, retired, a new one.

Each is worked out in memory, told, and written as a whole or not at all. What the files were before the last
change is kept in the user's private folder: a number that was shortened ("9.14b and c") and had to be
written out cannot be told from one that its editor wrote so, but by this receipt every byte of the files that
nobody has touched since comes back.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from difflib import unified_diff
from pathlib import Path

from rulewright.book.outline import Outline
from rulewright.checks.load_and_check import CheckedProject, load_and_check_folder
from rulewright.citations.retired_rule_references import TO_RETIRED
from rulewright.edit.change_proposal import ChangeProposal, Finish, propose_change
from rulewright.edit.renumber_plan import (
    RenumberPlan,
    plan_insertion,
    plan_moves,
    require_number,
    require_rule,
    shifted,
    suffixed_number,
)
from rulewright.edit.rule_placement import (
    RulePlacement,
    add_empty_rule,
    check_room,
    new_rule,
    quote_scalar,
    retire_rule,
)
from rulewright.model.problem_reports import plural
from rulewright.source import user_folders
from rulewright.source.atomic_write import file_digest, write_atomically
from rulewright.source.content_folder import ContentFolder, content_folder, read_content_folder
from rulewright.source.errors import ContentErrors, UserError
from rulewright.source.git_revision import is_committed
from rulewright.source.memoize import Cache
from rulewright.source.problems import Problem, SourceLocation
from rulewright.source.transaction import replace_files as write_all

MOST_TOLD = 20
"""How many places to read again are told, and how many rules by name."""


@dataclass(eq=False)
class EditSession:
    """A project, read, and one of its editions. `committed`: git has all of its content as it is."""

    project: Path
    folder: ContentFolder
    checked_project: CheckedProject
    outline: Outline
    cache: Cache = field(default_factory=dict)
    committed: bool = False

    @property
    def address(self) -> str:
        return self.outline.edition.address

    @property
    def undo_file(self) -> str:
        """The name of the file that keeps what the last change has changed."""
        return f"{user_folders.path_key(content_folder(self.project))}.receipt"

    def propose(self, moves: RenumberPlan, finish: Finish, added: Sequence[str] = ()) -> ChangeProposal:
        """Work out what a change makes of the content. Raises Refusal where it cannot be made."""
        return propose_change(self.folder, self.checked_project, moves, finish, self.cache, added)


def open_session(project: Path, book: str) -> EditSession:
    """Read a project. Raises Refusal where the edition is not there, Unsound where it cannot be read."""
    cache: Cache = {}
    folder = read_content_folder(project)
    checked_project = load_and_check_folder(folder, cache=cache).printed
    return EditSession(
        project,
        folder,
        checked_project,
        checked_project.outline(book),
        cache,
        is_committed(project, str(content_folder(project).resolve())),
    )


@dataclass(slots=True)
class PlannedChange:
    """A change that is worked out and not yet made.

    `summary_lines`: what it is, in lines ahead of what it touches.

    `title`: one that it brings in. `undo`: the command of ours that takes it back, if one does. `back`: it
    takes the last renumbering back itself.
    """

    session: EditSession
    proposal: ChangeProposal
    summary_lines: Sequence[str] = ()
    title: str = ""
    undo: str = ""
    back: bool = False

    @property
    def problems(self) -> list[Problem]:
        """The problems that would be new, where they would stand; those in the title at their place there."""
        problems = self.proposal.problems
        return list(dict.fromkeys(replace(p, place=self._place(p.place)) for p in problems))

    def _place(self, place: SourceLocation) -> SourceLocation:
        data, quoted_title = self.proposal.files.get(place.file), quote_scalar(self.title)
        line = data.decode("utf-8-sig").splitlines()[place.line - 1] if data and self.title else ""
        start = line.find(f" {quoted_title}") + 1
        if not 0 < start < place.column <= start + len(quoted_title):
            return place
        ahead = line[start : place.column - 1]
        return SourceLocation(
            "--title", 1, len(ahead if quoted_title == self.title else json.loads(f'{ahead}"')) + 1
        )

    def report_lines(self) -> list[str]:
        """The report of the change: rules, files with how many references, what to read again."""
        proposal, known = self.proposal, self.proposal.moves.outline.entries
        lines = [*self.summary_lines]
        roots = [known[key] for key in proposal.moves.roots if key in known]
        for entry in roots[:MOST_TOLD]:
            inside = sum(1 for _ in entry.iter_subtree()) - 1
            suffix = f", with {plural(inside, 'rule')} inside it" if inside else ""
            lines.append(f"{entry} is {proposal.moves.new_display_number(entry)} now{suffix}")
        if len(roots) > MOST_TOLD:
            lines.append(f"… and {plural(len(roots) - MOST_TOLD, 'more rule')}")
        for name, old in proposal.files_to_write:
            details = [f"was {old.rpartition('/')[2]}"] if old != name else []
            details += [plural(count, "reference")] if (count := proposal.references[old]) else []
            lines.append(f"  {name}{': ' if details else ''}{', '.join(details)}")
        otherwise = (
            f" ({proposal.reformatted_references} had to be written out)"
            if proposal.reformatted_references
            else ""
        )
        changed = plural(sum(proposal.references.values()), "reference")
        lines.append(
            f"{changed} changed{otherwise}, in {plural(len(proposal.files_to_write), 'file')} altogether."
        )
        lines += [proposal.shared] if proposal.shared else []
        lines += [f"{place}: read again: {words}" for place, words in proposal.review_places[:MOST_TOLD]]
        if len(proposal.review_places) > MOST_TOLD:
            lines.append(
                f"… and {plural(len(proposal.review_places) - MOST_TOLD, 'more place')} to read again"
            )
        return lines

    def diff(self) -> Iterator[str]:
        """The change as a unified diff, whose line ends are those of the files."""
        before = self.session.folder.texts
        for name, old in self.proposal.files_to_write:
            texts = before.get(old, b""), self.proposal.files[name] or b""
            old_lines, new_lines = (data.decode().splitlines(keepends=True) for data in texts)
            for line in unified_diff(
                old_lines, new_lines, f"a/{old}" if old in before else "/dev/null", f"b/{name}"
            ):
                yield line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"

    def raise_on_new_problems(self) -> None:
        """Raise Unsound where the check would find new problems."""
        if self.problems:
            left = "nothing was changed, since these problems would be new; --force does it though"
            raise ContentErrors(self.problems, left)

    def apply(self) -> None:
        """Write every file of it, or none, and a receipt if it can be written. Raises Busy and OSError."""
        proposal, before = self.proposal, self.session.folder.texts
        write_all(self.session.project, proposal.files, before)
        for folder in user_folders.existing_user_folders():
            with suppress(OSError):
                (folder / self.session.undo_file).unlink(missing_ok=True)
        if not self.back:
            old_names = {new: old for old, new in proposal.renamed.items()}
            names = {
                name: old_names.get(name, name) for name in proposal.files if name not in proposal.renamed
            }
            files = {
                name: {
                    "now": file_digest(proposal.files[name] or b"")
                    if proposal.files[name] is not None
                    else "",
                    "name": old,
                    "text": before[old].decode() if old in before else None,
                }
                for name, old in names.items()
            }
            undo_data = {
                "book": self.session.address,
                "back": proposal.moves.inverse if self.undo else [],
                "files": files,
            }
            with suppress(OSError):
                write_atomically(user_folders.user_folder() / self.session.undo_file, json.dumps(undo_data))

    def undo_command(self) -> str:
        """How it is taken back; empty where that would take other work back too, or nothing does."""
        new = [name for name in self.proposal.files if name not in self.session.folder.texts]
        undo_latest = (
            f"rulewright renumber {self.session.address} --undo" if not self.undo and not self.back else ""
        )
        git = f"git restore content{f' && rm {chr(32).join(new)}' if new else ''}"
        return ", or ".join(filter(None, (self.undo, undo_latest, git if self.session.committed else "")))


def plan_renumber(session: EditSession, pairs: Sequence[tuple[str, str]]) -> PlannedChange:
    """Give rules other numbers, and change all references to them. Raises Refusal."""
    moves = plan_moves(session.outline, pairs)
    proposal = session.propose(moves, lambda placement: record_former_numbers(placement, moves))
    before = _before(session, [(old.key, new.key) for old, new in moves.roots.values()])
    files = dict(proposal.files)
    for name, data in before.items():
        target = proposal.renamed.get(name, name)
        if target in files or target == name:
            files[target] = data
    proposal.files = {name: data for name, data in files.items() if data != session.folder.texts.get(name)}
    words = moves.inverse[0] if len(moves.inverse) == 1 else [f"{new}={old}" for new, old in moves.inverse]
    undo = f"rulewright renumber {session.address} {' '.join(words)}"
    return PlannedChange(session, proposal, undo=undo, back=bool(before))


def _before(session: EditSession, pairs: Sequence[tuple[str, str]]) -> Mapping[str, bytes]:
    """Files before the renumbering that these pairs take back, of those that are as that left them."""
    try:
        undo_data = json.loads((user_folders.user_folder() / session.undo_file).read_bytes())
        if undo_data["book"] != session.address or sorted(map(tuple, undo_data["back"])) != sorted(pairs):
            return {}
        return {
            name: file["text"].encode()
            for name, file in undo_data["files"].items()
            if name in session.folder.texts and file_digest(session.folder.texts[name]) == file["now"]
        }
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return {}


def plan_move(session: EditSession, number_text: str, target: str) -> PlannedChange:
    """Put a rule in at another number, make room there and close the gap that it leaves. Raises Refusal."""
    entry, number = require_rule(session.outline, number_text), require_number(session.outline, target)
    if entry.key == number.key:
        raise UserError(f"{entry.display_number} is {number.key} already")
    return plan_renumber(session, shifted(session.outline, entry, number))


def plan_undo(session: EditSession) -> PlannedChange:
    """Take the last change back, byte for byte. Raises Refusal where files have been changed since."""
    try:
        undo_data = json.loads((user_folders.user_folder() / session.undo_file).read_bytes())
        files = {str(name): file for name, file in undo_data["files"].items()}
        book, before = str(undo_data["book"]), dict[str, bytes | None]()
        for name, file in files.items():
            current_text = session.folder.texts.get(name)
            if (file_digest(current_text) if current_text is not None else "") != file["now"]:
                raise UserError(
                    f"{name} has been changed since, so that taking the change back would undo that too"
                )
            before.setdefault(name, None)
            if file["text"] is not None:
                before[file["name"]] = file["text"].encode()
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        raise UserError("nothing is known here that could be taken back") from None
    proposal = ChangeProposal(RenumberPlan(session.outline, {}), before)
    return PlannedChange(session, proposal, [f"The last change of {book} is taken back."], back=True)


def plan_insert(
    session: EditSession, number_text: str, title: str | None, with_suffix: bool = False
) -> PlannedChange:
    """Make room for a new rule, with all references to those behind it. Raises Refusal.

    `beside`: put it in behind the rule of that number, with a suffix, so that nothing moves.
    """
    number = require_number(session.outline, number_text)
    if with_suffix:
        number = suffixed_number(session.outline, require_rule(session.outline, number_text))
        number_text = number.key
    check_room(session.outline, number)
    new = new_rule(session.outline, number, number_text, title)
    moves = plan_insertion(session.outline, number)

    def finish(placement: RulePlacement) -> None:
        moved = [session.outline.entries[key] for key in moves.roots if key in session.outline.entries]
        # Through these lead numbers that no rule has any more.
        lost = {
            rule.key
            for rule in moved
            if any(inner.key not in moves.numbers_after for inner in [*rule.iter_subtree()][1:])
        }
        record_former_numbers(placement, moves, lost)
        add_empty_rule(placement, new)

    return PlannedChange(session, session.propose(moves, finish), [f"{new} is new."], title or "")


def plan_retire(session: EditSession, number: str, replacement_numbers: Sequence[str]) -> PlannedChange:
    """Let a rule hold no more, keep its number and say what replaced it. Raises Refusal."""
    entry = require_rule(session.outline, number)
    replacements = [require_rule(session.outline, number_text) for number_text in replacement_numbers]
    for other in replacements:
        if other in entry.iter_subtree():
            raise UserError(
                f"{other.display_number} is retired with {entry.display_number} and cannot replace it"
            )
        if other.retired:
            raise UserError(f"{other.display_number} is retired itself")
    if entry.retired:
        above = next(rule for rule in entry.self_and_ancestors() if rule.retired is entry.retired)
        raise UserError(
            f"{entry.display_number} is retired "
            f"already{f', with {above.display_number}' if above is not entry else ''}"
        )
    proposal = session.propose(
        RenumberPlan(session.outline, {}),
        lambda placement: retire_rule(placement, entry, replacements),
        [other.key for other in replacements],
    )
    outdated = [problem for problem in proposal.problems if problem.code == TO_RETIRED.code]
    proposal.problems = [problem for problem in proposal.problems if problem not in outdated]
    replaced = f"; {', '.join(map(str, replacements))} replaced it" if replacements else ""
    summary_lines = [
        f"{entry} is retired{replaced}.",
        *(f"{problem.place}: {problem.message}" for problem in outdated),
    ]
    return PlannedChange(session, proposal, summary_lines)


def record_former_numbers(
    placement: RulePlacement, moves: RenumberPlan, only: set[str] | None = None
) -> None:
    """Enter in each rule that is moved, or in some of them, the number that it had."""
    for old, new in moves.roots.values():
        if only is None or old.key in only:
            placement.record_former_number(moves.outline.entries[old.key], new)
