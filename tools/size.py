#!/usr/bin/env python3
"""Count the size of Python code: statements and expressions, whatever the layout.

size.py [FOLDER ...]        one row per package below generator/rulewright by default, and the sum
"""

from __future__ import annotations

import ast
import sys
from pathlib import Path

DEFAULT = "generator/rulewright"


def size(folder: Path) -> tuple[int, int, int]:
    """Return lines, statements, and statements plus expressions of all Python files below a folder."""
    lines = statements = nodes = 0
    for path in folder.rglob("*.py") if folder.is_dir() else [folder]:
        source = path.read_text("utf-8")
        lines += source.count("\n")
        for node in ast.walk(ast.parse(source)):
            statements += isinstance(node, ast.stmt)
            nodes += isinstance(node, (ast.stmt, ast.expr))
    return lines, statements, nodes


def main() -> None:
    folders = [Path(name) for name in sys.argv[1:]]
    if not folders:
        root = Path(DEFAULT)
        folders = [
            *sorted(path for path in root.iterdir() if path.is_dir() and any(path.rglob("*.py"))),
            root,
        ]
    print(f"{'':40} {'lines':>8} {'statements':>11} {'size':>9}")
    for folder in folders:
        lines, statements, nodes = size(folder)
        print(f"{folder!s:40} {lines:8,} {statements:11,} {nodes:9,}")


if __name__ == "__main__":
    main()
