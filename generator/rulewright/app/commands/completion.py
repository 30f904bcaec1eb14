"""Print what makes a shell complete commands, options and books.

The lines belong in ~/.bashrc, ~/.zshrc or a file in ~/.config/fish/completions/, or the command that prints
them does, as below.

example:
  rulewright completion fish > ~/.config/fish/completions/rulewright.fish
  eval "$(rulewright completion bash)"
  eval "$(rulewright completion zsh)"
"""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from rulewright.app.registry import OneOf, command


@command
@click.argument("shell", type=OneOf(("bash", "zsh", "fish")), metavar="SHELL", help="bash, zsh or fish")
@click.pass_context
def run(ctx: click.Context, shell: str) -> int:
    complete = get_completion_class(shell)
    assert complete
    top = ctx.find_root()
    name = top.info_name or ""
    print(complete(top.command, {}, name, f"_{name.upper()}_COMPLETE").source())
    return 0
