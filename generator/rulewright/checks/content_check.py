"""Check all content and the settings of its project."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from rulewright.checks.check_outcome import CheckOutcome
from rulewright.files.content_reader import ContentFolder
from rulewright.files.disk_cache import DiskCache, cache_key, program_fingerprint
from rulewright.files.problems import sort_problems
from rulewright.references import mkdocs_settings_faults


def check_content(folder: ContentFolder, store: DiskCache, project: Path | None = None) -> CheckOutcome:
    """Check a content folder and the settings of its project; `store` caches the outcome of a folder."""
    files = (part for pair in folder.texts.items() for part in pair)
    of_folder = cache_key(
        program_fingerprint(),
        folder.today,
        str(folder.is_only_plugin),
        folder.settings,
        *map(repr, folder.problems),
        *folder.other_files,
        "",
        *files,
    )
    known = store.get_object(of_folder)
    if not isinstance(known, CheckOutcome):
        # Imported late: most that is checked again has not changed.
        from rulewright.checks.load_and_check import load_and_check_folder

        known = load_and_check_folder(folder).findings
        store.put_object(of_folder, known)
    if project and (wrong := list(mkdocs_settings_faults.check_mkdocs_settings(project, folder.settings))):
        known = replace(known, problems=tuple(sort_problems((*known.problems, *wrong))))
    return known
