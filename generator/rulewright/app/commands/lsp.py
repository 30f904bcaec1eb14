"""Tell editors what the check finds and what numbers mean, while someone types.

Speaks the Language Server Protocol on standard input and output: an editor starts it, nobody types to it.
How VS Code, Neovim, Helix and Emacs are told to is in the documentation, under Editors.

example:
  rulewright lsp
"""

from __future__ import annotations

from rulewright.app.registry import command, flag
from rulewright.source.installed import missing_extra
from rulewright.source.refusal import Refusal


@command
@flag("--stdio", help="as it is; for editors that say so")
def run(stdio: bool) -> int:
    if needs := missing_extra("rulewright lsp", "editor", "pygls"):
        raise Refusal(needs)
    from rulewright.app.lsp.server import serve

    serve()
    return 0
