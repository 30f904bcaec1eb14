"""A check of all content, and of the settings of its project."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from rulewright.checks import settings_faults
from rulewright.checks.checked import Checked
from rulewright.source.folder import Folder
from rulewright.source.problems import in_order
from rulewright.source.store import Store, key, program


def check(folder: Folder, store: Store, project: Path | None = None) -> Checked:
    """Check a content folder and the settings of its project. The `store` keeps the findings of a folder."""
    files = (part for pair in folder.texts.items() for part in pair)
    of_folder = key(
        program(),
        folder.day,
        str(folder.alone),
        folder.settings,
        *map(repr, folder.problems),
        *folder.others,
        "",
        *folder.themed,
        "",
        *files,
    )
    known = store.load(of_folder)
    if not isinstance(known, Checked):
        # Imported late: most that is checked again has not changed.
        from rulewright.checks.examine import examine_folder

        known = examine_folder(folder).findings
        store.keep(of_folder, known)
    if project and (wrong := list(settings_faults.faults(project, folder.settings))):
        known = replace(known, problems=tuple(in_order((*known.problems, *wrong))))
    return known
