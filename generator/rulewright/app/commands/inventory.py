"""`rulewright inventory FILE`: what another site's inventory has to link to."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from rulewright.app.commands import Refused

NEEDS_PROJECT = False


def options(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "List the names in an inventory (objects.inv or JSON) with where they lead and their titles: "
        "what a mark [[site:name]] may say."
    )
    parser.epilog = "example:\n  rulewright inventory content/elsewhere/python.inv glossary"
    parser.add_argument("file", metavar="FILE", help="an objects.inv or an inventory.json")
    parser.add_argument("words", metavar="WORD", nargs="*", help="only what has all these words in its line")


def run(arguments: argparse.Namespace) -> int:
    """List the names. Raises Refused where the file is no inventory, OSError where it cannot be opened."""
    from rulewright.source.inventory import read

    found, problem = read(arguments.file, Path(arguments.file).read_bytes())
    if found is None:
        raise Refused([problem] if problem else [], "nothing to list")
    words = [word.casefold() for word in arguments.words]
    lines = [f"{one.name}\t{one.uri}\t{one.dispname}" for one in found.items]
    listed = [line for line in lines if all(word in line.casefold() for word in words)]
    sys.stdout.write("".join(f"{line}\n" for line in listed))
    return 0 if listed else 1
