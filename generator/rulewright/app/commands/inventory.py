"""List what another site's inventory has to link to.

The names in an objects.inv or inventory.json, with where they lead and their titles: what a mark
[[site:name]] may say.

example:
  rulewright inventory content/elsewhere/python.inv glossary
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import click

from rulewright.app.registry import command
from rulewright.source.refusal import Unsound


@command
@click.argument("file", help="an objects.inv or an inventory.json")
@click.argument("words", metavar="[WORD]...", nargs=-1, help="only what has all these words in its line")
def run(file: str, words: Sequence[str]) -> int:
    from rulewright.source.inventory import read

    found, problem = read(file, Path(file).read_bytes())
    if found is None:
        raise Unsound([problem] if problem else [], "nothing to list")
    lines = [f"{one.name}\t{one.uri}\t{one.dispname}" for one in found.items]
    listed = [line for line in lines if all(word.casefold() in line.casefold() for word in words)]
    sys.stdout.write("".join(f"{line}\n" for line in listed))
    return 0 if listed else 1
