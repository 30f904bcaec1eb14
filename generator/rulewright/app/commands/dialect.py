"""`rulewright dialect`: how a book numbers its rules, proposed from any of its texts."""

from __future__ import annotations

import argparse
from pathlib import Path

from rulewright.app.commands import Refused, Usage, one_of, show, writes
from rulewright.app.commands.refs import MARKED_UP
from rulewright.citations.survey import Survey, survey, unread
from rulewright.model.reports import several
from rulewright.numbers.dialect import ALPHABET
from rulewright.source import bounds
from rulewright.source.problems import File, Problem
from rulewright.source.text import decode
from rulewright.source.writing import Brief, Label, Remarked, Value, written

NEEDS_PROJECT = False


def options(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Read texts of a book and propose what its rulebook.yml says of numbers, chapters and cues, with how "
        "much the proposal reads and what it leaves unread."
    )
    parser.epilog = (
        "example:\n  rulewright dialect rules/*.md\n"
        "  rulewright dialect --known --output content/my-game/1/known.yml rules.txt"
    )
    parser.add_argument(
        "files", metavar="FILE", nargs="+", help="a file in UTF-8: Markdown, HTML or plain text"
    )
    parser.add_argument(
        "--known", action="store_true", help="write known.yml instead: each number with its title"
    )
    parser.add_argument(
        "--format", type=one_of(("yaml", "json")), default="yaml", help="yaml (the default) or json"
    )
    writes(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print the proposal; 1 where the texts hold no numbers of rules."""
    files: list[tuple[File, bool]] = []
    problems: list[Problem] = []
    for name in arguments.files:
        path = Path(name)
        if not path.is_file():
            raise Usage(f"there is no file {name}")
        if path.stat().st_size > bounds.FILE.most:
            raise Usage(f"{name} is larger than {bounds.FILE.most // 1_000_000} MB, which no rulebook is")
        file, faults = decode(name, path.read_bytes())
        problems += faults
        files.append((file, name.lower().endswith(MARKED_UP)))
    if problems:
        raise Refused(problems, "nothing proposed")
    found = survey(files)
    if found is None:
        raise Refused(
            (), "no line begins with a rule's number and no word leads up to one; name files with rules"
        )
    show(_known(found) if arguments.known else _told(found, arguments.format, len(files)), arguments)
    return 0


def _told(found: Survey, form: str, files: int) -> str:
    if form == "json":
        import json

        told = {
            "numbers": list(found.numbers),
            "chapters": list(found.chapters),
            "alphabet": found.alphabet or ALPHABET,
            "cues": list(found.cues),
            "labels": len(found.labels),
            "cited": len(found.cited),
            "unread": [{"text": spot.written, "place": str(spot.place)} for spot in found.unread],
        }
        return json.dumps(told, ensure_ascii=False, indent=2) + "\n"
    lost = len(found.unread)
    read = several(len(found.labels), "label") + " and " + several(len(found.cited), "cited number")
    remarks = [f"{read} in {several(files, 'file')}; {lost or 'none'} of them unread"]
    remarks += [f"unread: {one}" for one in unread(found)]
    numbers = [Label(one) for one in found.numbers]
    entries: dict[str, Value] = {
        "numbers": Remarked(numbers[0] if len(numbers) == 1 else Brief(numbers), remarks)
    }
    if found.chapters:
        entries["chapters"] = Brief([Label(form) for form in found.chapters])
    if found.alphabet:
        entries["alphabet"] = found.alphabet
    entries["cues"] = Brief([*found.cues])
    return written(entries)


def _known(found: Survey) -> str:
    rows = [
        Brief({"number": Label(number.key), **({"title": title} if title else {})})
        for number, title in found.known
    ]
    return written({"known": rows})
