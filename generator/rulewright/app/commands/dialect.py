"""Propose how a book numbers its rules, read from any of its texts.

The proposal is what its rulebook.yml says of numbers, chapters and cues, with how much that reads and what it
leaves unread. Ends with 1 where the texts hold no numbers of rules.

example:
  rulewright dialect rules/*.md
  rulewright dialect --known --output content/my-game/1/known.yml rules.txt
"""

from __future__ import annotations

from collections.abc import Sequence

import click

from rulewright.app.registry import command, flag, formats, writes
from rulewright.source.refusal import Unsound


@command
@click.argument(
    "files", metavar="FILE...", nargs=-1, required=True, help="a file in UTF-8: Markdown, HTML or plain text"
)
@flag("--known", help="write known.yml instead: each number with its title")
@formats(("yaml", "json"))
@writes
def run(files: Sequence[str], known: bool, form: str) -> str:
    from rulewright.citations.listing import MARKED_UP
    from rulewright.citations.survey import as_data, as_known, as_rulebook, survey
    from rulewright.source.given import read_given

    texts = [read_given(name, "rulebook") for name in files]
    if problems := [problem for _, faults in texts for problem in faults]:
        raise Unsound(problems, "nothing proposed")
    found = survey([(file, file.name.lower().endswith(MARKED_UP)) for file, _ in texts])
    if found is None:
        raise Unsound(
            (), "no line begins with a rule's number and no word leads up to one; name files with rules"
        )
    return as_known(found) if known else as_data(found) if form == "json" else as_rulebook(found, len(files))
