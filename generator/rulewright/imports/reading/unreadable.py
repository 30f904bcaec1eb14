"""Documents that cannot be read, and programs that read others."""

from __future__ import annotations

import subprocess
from pathlib import Path

_MAX_SECONDS, _MAX_OUTPUT = 60, 200_000_000


class UnreadableDocument(ValueError):
    """A document that cannot be read, with the reason."""


def run_program(command: list[str]) -> str:
    """Return what a program prints about a document. Raises UnreadableDocument."""
    name = Path(command[0]).stem
    try:
        output = subprocess.run(command, capture_output=True, check=True, timeout=_MAX_SECONDS).stdout
    except subprocess.TimeoutExpired:
        raise UnreadableDocument(f"takes {name} longer than {_MAX_SECONDS} seconds") from None
    except subprocess.CalledProcessError as error:
        reason = error.stderr.decode("utf-8", "replace").strip().split("\n")[0][:80]
        raise UnreadableDocument(f"cannot be read by {name}: {reason}") from None
    return output[:_MAX_OUTPUT].decode("utf-8", "replace")
