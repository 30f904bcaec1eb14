"""How long `rulewright check` takes as a process of its own, of one edition."""

from __future__ import annotations

import subprocess
import sys

from bench.run import BENCH, Row, best

LIMIT = 0.4
"""Seconds that whoever saves a file waits for."""


def main() -> list[Row]:
    return [
        Row("yardstick: a Python that does nothing", best(lambda: _python("-c", ""))),
        Row("check of ocs/4.3", best(lambda: _python("-m", "rulewright", "check", "ocs/4.3"), 3), LIMIT),
    ]


def _python(*words: str) -> None:
    subprocess.run([sys.executable, *words], cwd=BENCH.parent, capture_output=True, check=True)
