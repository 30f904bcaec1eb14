"""`rulewright renumber`: give rules other numbers, and change everything that refers to them."""

from __future__ import annotations

import argparse
from dataclasses import replace

from rulewright.app.commands import Usage, book, changing
from rulewright.edit import Refusal, change_report
from rulewright.edit.moves import Moves, planned
from rulewright.edit.placement import Placement
from rulewright.edit.proposal import Proposal


def options(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Give a rule, with all that is inside it, another number, and change every reference to it in all "
        "books and pages. Its old addresses lead to it still. Several rules at once may change places."
    )
    parser.epilog = (
        "example:\n  rulewright renumber ocs/4.3 12.5 12.12 --dry-run\n"
        "  rulewright renumber ocs/4.3 12.5=12.6 12.6=12.5"
    )
    parser.add_argument("book", metavar="BOOK", type=book, help="ocs/4.3, or ocs for its newest edition")
    parser.add_argument(
        "numbers", metavar="NUMBER", nargs="+", help="the old number and the new one, or pairs: OLD=NEW"
    )
    changing.options(parser)


def run(arguments: argparse.Namespace) -> int:
    """Write the change and say what it was. 1 where the check would find new problems."""
    pairs = _pairs(arguments.numbers)
    desk = changing.sit_down(arguments)
    try:
        moves = planned(desk.outline, pairs)
    except Refusal as refusal:
        raise Usage(str(refusal)) from None
    proposal = desk.propose(moves, lambda placing: remember(placing, moves))
    asked = [(old.key, new.key) for old, new in moves.roots.values()]
    before = changing.receipt(desk, asked)
    proposal = _restored(proposal, {n: data for n, (_, data) in before.items()}, desk) if before else proposal
    code = changing.carry_out(desk, proposal, (), arguments)
    if not arguments.dry_run:
        if before:
            changing.forget_receipt(desk.project)
        else:
            changing.leave_receipt(desk, proposal)
        git = changing.git_undo(desk, proposal)
        undo = change_report.undo(desk.address, moves.back)
        print(f"To take it back: {undo}{f', or {git}' if git else ''}")
    return code


def _pairs(words: list[str]) -> list[tuple[str, str]]:
    """The pairs that are asked for. Raises Usage."""
    if len(words) == 2 and not any("=" in word for word in words):
        return [(words[0], words[1])]
    for word in words:
        if word.count("=") != 1:
            raise Usage(f"{word} is no pair; write the old number and the new one, OLD NEW or OLD=NEW")
    return [(old, new) for old, _, new in (word.partition("=") for word in words)]


def remember(placing: Placement, moves: Moves) -> None:
    """Enter in each rule that is moved the number that it had."""
    for old, new in moves.roots.values():
        placing.remember(moves.outline.entries[old.key], new)


def _restored(proposal: Proposal, before: dict[str, bytes], desk: changing.Desk) -> Proposal:
    """The same with files as they were, letter for letter, before what is taken back."""
    names = proposal.renamed
    files = dict(proposal.files)
    for name, data in before.items():
        target = names.get(name, name)
        if target in files or target == name:
            files[target] = data
    differing = {name: data for name, data in files.items() if data != desk.folder.texts.get(name)}
    return replace(proposal, files=differing)
