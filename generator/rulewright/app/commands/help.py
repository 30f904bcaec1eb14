"""Show the help of a command.

example:
  rulewright help check
  rulewright help export zip
"""

from __future__ import annotations

import click

from rulewright.app.registry import command


@command
@click.argument("words", nargs=-1, metavar="[COMMAND...]", help="a command, and one within it; else all")
@click.pass_context
def run(ctx: click.Context, words: tuple[str, ...]) -> int:
    shown = ctx.find_root()
    for word in words:
        if not isinstance(shown.command, click.Group):
            raise click.UsageError(f"{shown.command_path} has no commands within it", shown)
        name, inner, _ = shown.command.resolve_command(shown, [word])
        assert inner
        shown = click.Context(inner, parent=shown, info_name=name)
    print(shown.get_help())
    return 0
