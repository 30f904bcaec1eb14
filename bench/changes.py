"""How long the difference of two editions of 1,800 rules takes: few rules changed, and every single one."""

from difflib import SequenceMatcher

from bench.run import Row, best
from rulewright.citations.shelf import Shelf
from rulewright.compare.editions import Difference, compare
from rulewright.site.exports.changes import json
from tests.revisions import Editor, Maker, Revision, shelf_of

SIZE = (30, 12, 4)
"""Chapters, sections in each, lettered rules in each: 1,830 rules."""

LIMIT = 3.0
"""Seconds a difference may take."""


def main() -> list[Row]:
    few, all_of_them = _few(), _all()
    pairs = [
        (entry.rule.text.split(), other.rule.text.split())
        for entry, other in zip(*(outline.in_order for outline in all_of_them.outlines.values()), strict=True)
        if entry.rule and entry.rule.text and other.rule and other.rule.text
    ]
    return [
        Row(
            "yardstick: difflib over every text of 1,830 rules",
            best(lambda: [SequenceMatcher(None, a, b, autojunk=False).get_opcodes() for a, b in pairs]),
        ),
        Row("380 edits of every sort", best(lambda: _difference(few)), LIMIT),
        Row("every text reworded", best(lambda: _difference(all_of_them)), LIMIT),
        Row("the same as JSON", best(lambda: json(_difference(all_of_them), all_of_them)), LIMIT),
    ]


def _difference(shelf: Shelf) -> Difference:
    return compare(*shelf.outlines.values(), shelf)


def _few() -> Shelf:
    maker = Maker(12)
    return shelf_of(Editor(maker, maker.book(*SIZE)).revise(36))


def _all() -> Shelf:
    maker = Maker(12)
    editor = Editor(maker, maker.book(*SIZE))
    for node in editor.every():
        if node.words:
            editor.change(node, 0.2)
    return shelf_of(Revision(editor.old, editor.new, editor.heirs, editor.done))
