"""How long it takes to change 4,000 references, in a book of about 1,800 rules."""

import random

from bench.references import WORDS
from bench.run import Row, best
from rulewright.book.filing import Cache
from rulewright.checks.examine import examine_folder
from rulewright.compare.passages import passages
from rulewright.edit.moves import planned
from rulewright.edit.proposal import propose
from rulewright.edit.requests import remember
from rulewright.source.edits import Edits, applied
from rulewright.source.folder import Folder

REFERENCES = 4_000
LIMIT = 1.0
"""Seconds that everything may take once the book is read: working it out, making it, and reading it again."""


def main() -> list[Row]:
    folder = book()
    cache: Cache = {}
    examined = examine_folder(folder, cache=cache)
    outline = examined.shelf.outlines["x/1"]
    moves = planned(outline, [("12.0", "30.0")])
    cited = [
        (passage.text, one.found.start, one.found.end)
        for passage in passages(examined.shelf, ())
        for one in passage.resolved
        if one.number and one.number.labels[0] == "12"
    ]

    def edit() -> None:
        edits = Edits()
        for text, start, end in cited:
            edits.rewrite(text, start, end, f"30{text[start + 2 : end]}")  # type: ignore[arg-type]
        for name in edits:
            applied(folder.texts[name].decode(), edits.of(name))

    def renumber() -> None:
        made = propose(folder, examined, moves, lambda placing: remember(placing, moves), dict(cache))
        assert sum(made.references.values()) >= REFERENCES

    texts = [data.decode() for data in folder.texts.values()]
    return [
        Row(
            "yardstick: str.replace of 12. in every file",
            best(lambda: [t.replace("12.", "30.") for t in texts]),
        ),
        Row("read and check the book", best(lambda: examine_folder(folder))),
        Row(f"edit {len(cited)} references in place", best(edit), LIMIT),
        Row(f"renumber a chapter with {len(cited)} references, checked again", best(renumber), LIMIT * 2),
    ]


def book() -> Folder:
    """18 chapters of 10 rules with 9 rules each; of the references in them, 4,000 lead into chapter 12."""
    chance, words = random.Random(12), WORDS.split()
    texts = {
        "content/x/rulebook.yml": b'title: X\nnumbers: "1.1a"\nchapters: "1.0"\ncues: [see, per]\n',
        "content/x/1/edition.yml": b'edition: "1"\n',
    }
    count = 18 * 10 * 9
    left = [REFERENCES // count + (at < REFERENCES % count) for at in range(count)]
    for chapter in range(1, 19):
        lines = [f'chapter: "{chapter}.0"', "rules:"]
        for rule in range(1, 11):
            lines += [f'  - number: "{chapter}.{rule}"', "    rules:"]
            for letter in "abcdefghi":
                cited = [
                    f"(see 12.{chance.randint(1, 10)}{chance.choice('abcdefghi')})" for _ in range(left.pop())
                ]
                text = " ".join(chance.choice(words) for _ in range(40))
                lines += [
                    f'      - number: "{chapter}.{rule}{letter}"',
                    f"        text: {text} {' '.join(cited)}",
                ]
        texts[f"content/x/1/rules/{chapter}.yml"] = "\n".join(lines).encode()
    return Folder(texts)
