"""The help of every command, for the page of this repository's documentation that lists them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import click

from rulewright.app.cli import NAME, program

PAGE = "content/docs/commands.md"
"""The page that ends with the help of every command."""

WIDTH = 78
"""The width of a help on a terminal of 80 columns."""


@cache
def helps() -> str:
    """The help of every command in Markdown, a section each, in the order in which they are listed."""
    top = click.Context(program(), info_name=NAME, terminal_width=WIDTH)
    return "".join(f"\n## {name}\n\n```text\n{said}\n```\n" for name, said in _helps(top))


def _helps(context: click.Context) -> Iterator[tuple[str, str]]:
    """The help of a command, and that of each command within it: import, import hugo."""
    command = context.command
    title = context.command_path.removeprefix(f"{NAME} ") if context.parent else "All commands"
    yield title, command.get_help(context).strip()
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            if inner := command.get_command(context, name):
                yield from _helps(click.Context(inner, parent=context, info_name=name))
