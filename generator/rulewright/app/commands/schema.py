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
    from rulewright.book.schema_files import outdated, renew
    from rulewright.model.reports import several
    from rulewright.source.folder import gather
    from rulewright.source.output import put

    content = gather(project)
    changes = outdated(project, content, Path(output) if output else None)
    if output and not check:
        for path, data in changes.items():
            put(path, data)
    elif changes and not check:
        renew(project, content, changes)
    for path in changes:
        shown = path.relative_to(project).as_posix() if path.is_relative_to(project) else str(path)
        print(f"{shown} would change" if check else f"{shown} written")
    if changes and check:
        remark(f"{several(len(changes), 'file')} out of date; `rulewright schema` mends that", fault=True)
    elif not changes:
        remark("The schemas and the lines that name them are up to date.")
    return 1 if changes and check else 0
