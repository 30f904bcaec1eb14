"""Write the JSON Schema that editors' tools complete content from.

One for each sort of content file, in content/.schema/. Every content file is made to name its schema in its
first line, so that editors' tools complete and check while one types.

example:
  rulewright schema --check
"""

from __future__ import annotations

from pathlib import Path

import click

from rulewright.app.registry import command, flag, remark


@command
@click.option(
    "--output", metavar="DIR", help="write the schemas to this folder, and leave the content files alone"
)
@flag("--check", help="write nothing; 1 if anything would change")
def run(project: Path, output: str | None, check: bool) -> int:
    """Write what differs, and name it. With `--check` only name it. Raises OSError."""
    from rulewright.book.schema_files import outdated
    from rulewright.model.reports import several
    from rulewright.source.output import put

    changes = dict(outdated(project, Path(output) if output else None))
    for path, data in changes.items():
        shown = path.relative_to(project).as_posix() if path.is_relative_to(project) else str(path)
        if not check:
            put(path, data)
        print(f"{shown} would change" if check else f"{shown} written")
    if changes and check:
        remark(f"{several(len(changes), 'file')} out of date; `rulewright schema` mends that")
    elif not changes:
        remark("The schemas and the lines that name them are up to date.")
    return 1 if changes and check else 0
