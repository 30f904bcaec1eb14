"""`rulewright retire`: let a rule hold no more, and keep its number and its address."""

from __future__ import annotations

import argparse

from rulewright.app.commands import Usage, book, changing
from rulewright.citations.retirement import TO_RETIRED
from rulewright.edit import Refusal
from rulewright.edit.insertion import retire
from rulewright.edit.moves import Moves, rule_of


def options(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Retire a rule. Its number stays taken and its address stays; its page says that it holds no more "
        "and what replaced it, and the check warns of every reference that leads to it still."
    )
    parser.epilog = "example:\n  rulewright retire ocs/4.3 12.5 --for 12.6"
    parser.add_argument("book", metavar="BOOK", type=book, help="ocs/4.3, or ocs for its newest edition")
    parser.add_argument("number", metavar="NUMBER", help="the rule")
    parser.add_argument(
        "--for", metavar="NUMBER", dest="instead", nargs="+", default=[], help="the rules that replace it"
    )
    changing.options(parser)


def run(arguments: argparse.Namespace) -> int:
    """Write the change and say what it was. 1 where the check would find new problems, but for warnings."""
    desk = changing.sit_down(arguments)
    try:
        entry = rule_of(desk.outline, arguments.number)
        others = [rule_of(desk.outline, number) for number in arguments.instead]
        moves = Moves(desk.outline, {})
        for other in others:
            if other in entry.walk():
                raise Refusal(f"{other.shown} is retired with {entry.shown} and cannot replace it")
            if other.retired:
                raise Refusal(f"{other.shown} is retired itself")
        if entry.retired:
            above = next(one for one in entry.around() if one.retired is entry.retired)
            raise Refusal(
                f"{entry.shown} is retired already{f', with {above.shown}' if above is not entry else ''}"
            )
    except Refusal as refusal:
        raise Usage(str(refusal)) from None
    proposal = desk.propose(
        moves, lambda placing: retire(placing, entry, others), [one.key for one in others]
    )
    outdated = [problem for problem in proposal.problems if problem.code == TO_RETIRED.code]
    proposal.problems = [problem for problem in proposal.problems if problem not in outdated]
    instead = f"; {', '.join(map(str, others))} replaced it" if others else ""
    lines = [f"{entry} is retired{instead}."]
    lines += [f"{one.place}: {one.message}" for one in outdated]
    code = changing.carry_out(desk, proposal, lines, arguments)
    if not arguments.dry_run:
        changing.forget_receipt(desk.project)
        if git := changing.git_undo(desk, proposal):
            print(f"To take it back: {git}")
    return code
