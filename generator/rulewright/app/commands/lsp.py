"""Tell editors what the check finds and what numbers mean, while someone types.

Speaks the Language Server Protocol on standard input and output: an editor starts it, nobody types to it.
How VS Code, Neovim, Helix and Emacs are told to is in the documentation, under Editors.

example:
  rulewright lsp
"""

from __future__ import annotations

from rulewright.app.command_registry import command, flag
from rulewright.source.errors import UserError
from rulewright.source.install_origin import missing_extra


@command
@flag("--stdio", help="as it is; for editors that say so")
def run(stdio: bool) -> int:
    if needs := missing_extra("rulewright lsp", "editor", "pygls"):
        raise UserError(needs)
    from rulewright.app.lsp.server import serve

    serve()
    return 0
