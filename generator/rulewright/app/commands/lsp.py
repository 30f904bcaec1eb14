"""Run the language server: problems, completion and hover in an editor.

An editor starts this command and communicates with it on standard input and output. To configure VS Code,
Neovim, Helix or Emacs, see "In your editor" in the documentation.

example:
  rulewright lsp
"""

from __future__ import annotations

from rulewright.app.command_registry import command, flag
from rulewright.files.errors import UserError
from rulewright.files.install_origin import missing_extra


@command
@flag("--stdio", help="use standard input and output; the default")
def run(stdio: bool) -> int:
    if needs := missing_extra("rulewright lsp", "editor", "pygls"):
        raise UserError(needs)
    from rulewright.app.lsp.server import serve

    serve()
    return 0
