"""A check of all content, of which nothing is done that was done before."""

from __future__ import annotations

from rulewright.checks.checked import Checked, Contents
from rulewright.source.folder import Folder
from rulewright.source.store import Store, key


def check(folder: Folder, store: Store) -> Checked:
    """Check a content folder, what has changed since the last time."""
    contents = Contents(folder)
    whole = key(contents.base, "all", *contents.marks(contents.files))
    known = store.load(whole)
    if not isinstance(known, Checked):
        # Imported late: most that is checked again has not changed.
        from rulewright.checks.parts import Parts

        known = Parts(contents, store).checked()
        store.keep(whole, known)
    return known
