"""How long the check takes longer for a lock of 4,000 references, in a book of about 1,800 rules."""

from bench.edits import book
from bench.run import Row, best
from rulewright.checks.examine import examine_folder
from rulewright.edit.locks import record
from rulewright.source.folder import Folder

CHAPTER = "content/x/1/rules/12.yml"
LIMIT = 1.0
"""Seconds that a check may take."""


def main() -> list[Row]:
    folder = book()
    read = examine_folder(folder)
    homes = ["", *read.shelf.newest, *read.shelf.outlines]
    made = record(read, homes, lambda _: True)
    kept = Folder({**folder.texts, **{name: data for name, data in made.files.items() if data}})
    chapter = kept.texts[CHAPTER]
    edited = Folder({**kept.texts, CHAPTER: chapter.replace(b"        text: ", b"        text: Also ", 1)})
    swapped = chapter.replace(b'"12.5', b'"12.@').replace(b'"12.6', b'"12.5').replace(b'"12.@', b'"12.6')
    moved = Folder({**kept.texts, CHAPTER: swapped})
    assert examine_folder(moved).drift.findings
    return [
        Row("yardstick: the check without a lock", best(lambda: examine_folder(folder))),
        Row("with a lock, all as it was read", best(lambda: examine_folder(kept)), LIMIT),
        Row("with one rule reworded", best(lambda: examine_folder(edited)), LIMIT),
        Row("with two sections that changed places", best(lambda: examine_folder(moved)), LIMIT),
    ]
