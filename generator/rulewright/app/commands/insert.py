"""`rulewright insert`: make room for a new rule."""

from __future__ import annotations

import argparse

from rulewright.app.commands import Usage, book, changing
from rulewright.edit import Refusal
from rulewright.edit.insertion import addition, check_room, enter, scalar
from rulewright.edit.moved_places import Words
from rulewright.edit.moves import Moves, number_of, room_for
from rulewright.edit.placement import Placement


def options(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Add an empty rule at a number. The rule that has the number, and all that follow it in the same "
        "rule, go up by one, and every reference to them with them."
    )
    parser.epilog = 'example:\n  rulewright insert ocs/4.3 12.5 --title "Fuel Dumps"'
    parser.add_argument("book", metavar="BOOK", type=book, help="ocs/4.3, or ocs for its newest edition")
    parser.add_argument("number", metavar="NUMBER", help="the number of the new rule")
    parser.add_argument("--title", metavar="TITLE", help="its title")
    changing.options(parser)


def run(arguments: argparse.Namespace) -> int:
    """Write the change and say what it was. 1 where the check would find new problems."""
    desk = changing.sit_down(arguments)
    try:
        number = number_of(desk.outline, arguments.number)
        check_room(desk.outline, number)
        new = addition(desk.outline, number, arguments.number, arguments.title)
        moves = room_for(desk.outline, number)
    except Refusal as refusal:
        raise Usage(str(refusal)) from None

    def finish(placing: Placement) -> None:
        remember(placing, moves)
        enter(placing, new)

    proposal = desk.propose(moves, finish)
    title = Words("--title", new.title, scalar(new.title)) if new.title else None
    code = changing.carry_out(desk, proposal, [f"{new} is new."], arguments, title)
    if not arguments.dry_run:
        changing.forget_receipt(desk.project)
        if git := changing.git_undo(desk, proposal):
            print(f"To take it back: {git}")
    return code


def remember(placing: Placement, moves: Moves) -> None:
    """Enter the old number in each moved rule through which numbers lead that no rule has any more."""
    taken = {*moves.staying, *(new.key for new in moves.entries.values())}
    for old, new in moves.roots.values():
        entry = moves.outline.entries.get(old.key)
        if entry and any(inner.key not in taken for inner in entry.walk() if inner is not entry):
            placing.remember(entry, new)
