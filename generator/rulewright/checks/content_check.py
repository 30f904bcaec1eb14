"""A check of all content, of which nothing is done that was done before."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from rulewright.checks import site_settings
from rulewright.checks.checked import Checked, Contents
from rulewright.source.folder import Folder
from rulewright.source.problems import in_order
from rulewright.source.store import Store, key


def check(folder: Folder, store: Store, project: Path | None = None) -> Checked:
    """Check a content folder, what has changed since the last time, and the settings of its project."""
    contents = Contents(folder)
    whole = key(contents.base, "all", folder.settings, *contents.marks(contents.files))
    known = store.load(whole)
    if not isinstance(known, Checked):
        # Imported late: most that is checked again has not changed.
        from rulewright.checks.parts import Parts

        known = Parts(contents, store).checked()
        store.keep(whole, known)
    if project and (wrong := list(site_settings.faults(project, folder.settings))):
        known = replace(known, problems=tuple(in_order((*known.problems, *wrong))))
    return known
