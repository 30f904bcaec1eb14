"""Give a step, table or term another name, in all texts that use it."""

from __future__ import annotations

from dataclasses import replace

from rulewright.book.lock_file import ReferenceLock
from rulewright.book.table_entries import TableEntry
from rulewright.checks.load_and_check import CheckedProject, load_and_check_folder
from rulewright.compare.name_changes import current_names
from rulewright.compare.stale_reference_problems import RENAMED, StaleReference
from rulewright.compare.stale_references import find_stale_references
from rulewright.edit.change_proposal import new_problems
from rulewright.edit.reference_fixes import FixedReferences, fix_findings
from rulewright.files.content_reader import ContentFolder
from rulewright.files.errors import UserError
from rulewright.files.located_text import decode_utf8
from rulewright.files.memoize import Cache
from rulewright.files.text_edits import FileEdits, apply_edits_to_bytes
from rulewright.references.glossary import TermEntry
from rulewright.references.name_spans import Target
from rulewright.sequence.sequence_step import SequenceStep


def rename(
    folder: ContentFolder, project: CheckedProject, cache: Cache, target: Target, new: str
) -> FixedReferences:
    """Write a new name of a step, table or term, and the same in all texts that use the former one.

    Raises:
        UserError: The name cannot be changed, or not in all texts.
    """
    match target:
        case SequenceStep():
            name = target.step.title.printed
        case TableEntry():
            name = target.table.title.printed
        case TermEntry():
            name = target.words
        case _:
            raise UserError("only rules, steps, tables and terms have a number or name that can be changed")
    if decode_utf8(name.file.name, folder.texts.get(name.file.name, b""))[0].text != name.file.text:
        raise UserError(f"{name.file.name} cannot be read; fix it first")
    edits = FileEdits()
    edits.replace_in_scalar(name, 0, len(name), new)
    files = {file: apply_edits_to_bytes(folder.texts[file], edits.for_file(file)) for file in edits}
    folder = replace(folder, texts={**folder.texts, **files})
    renamed = load_and_check_folder(folder, cache=cache)
    fixed = fix_findings(folder, renamed, cache, _outdated_names(project, renamed))
    if fixed.unfixed:
        raise UserError(f"the name cannot be changed in all texts: {fixed.unfixed[0][1]}")
    files |= fixed.files
    after = load_and_check_folder(replace(folder, texts={**folder.texts, **files}), cache=cache)
    return replace(fixed, files=files, problems=new_problems(project, after))


def _outdated_names(before: CheckedProject, after: CheckedProject) -> list[StaleReference]:
    """Find the places that use a former name as the check does, with all names of `before` as recorded."""
    locks = {
        address: ReferenceLock(names=current_names(outline, before.index))
        for address, outline in before.index.outlines.items()
    }
    library = replace(after.library, locks=locks)
    stale = find_stale_references(after.index, after.manuscripts, library, {})
    return [finding for finding in stale.findings if finding.kind is RENAMED]
