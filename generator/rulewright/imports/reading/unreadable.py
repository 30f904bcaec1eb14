"""Documents that cannot be read, and programs that read others."""

from __future__ import annotations

import shutil
import subprocess

_MAX_SECONDS, _MAX_OUTPUT = 60, 200_000_000


class UnreadableDocument(ValueError):
    """A document that cannot be read, with the reason."""


def run_program(name: str, arguments: list[str], advice: str) -> str:
    """Return what a program prints about a document. Raises UnreadableDocument.

    `advice`: what helps if the program is not installed.
    """
    program = shutil.which(name)
    if program is None:
        raise UnreadableDocument(f"is read by {name}, which is not installed here; {advice}")
    command = [program, *arguments]
    try:
        output = subprocess.run(command, capture_output=True, check=True, timeout=_MAX_SECONDS).stdout
    except subprocess.TimeoutExpired:
        raise UnreadableDocument(f"takes {name} longer than {_MAX_SECONDS} seconds") from None
    except subprocess.CalledProcessError as error:
        reason = error.stderr.decode("utf-8", "replace").strip().split("\n")[0][:80]
        raise UnreadableDocument(f"cannot be read by {name}: {reason}") from None
    return output[:_MAX_OUTPUT].decode("utf-8", "replace")
