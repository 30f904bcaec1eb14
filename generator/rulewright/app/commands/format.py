"""Write chapters in short forms: rules under their numbers and titles, notes under their kinds.

Words, comments and empty lines stay, and so does what each means. Without FILES it is done in every
chapter of the project, and numbers of rules whose text is here are taken out of each known.yml.

example:
  rulewright format content/ocs/4.3/rules/*.yml --check
"""

from __future__ import annotations

from pathlib import Path

import click

from rulewright.app.registry import command, flag, remark
from rulewright.source.refusal import Refusal


@command
@click.argument("files", nargs=-1, type=click.Path(path_type=Path))
@flag("--check", help="write nothing; 1 if anything would change")
def run(project: Path, files: tuple[Path, ...], check: bool) -> int:
    from rulewright.book.content_files import sort_of
    from rulewright.edit.known_lists import shortened_lists
    from rulewright.edit.short_forms import formatted
    from rulewright.model.reports import several
    from rulewright.source.folder import gather
    from rulewright.source.transaction import replace

    content = gather(project)
    chapters = {name: data for name, data in content.texts.items() if sort_of(name) == "chapter"}
    for file in files:
        path = file.absolute()
        name = (
            path.relative_to(project.absolute()).as_posix() if path.is_relative_to(project.absolute()) else ""
        )
        if name not in chapters:
            raise Refusal(f"{file} is no chapter of this project; those are content/…/rules/….yml")
    named = {file.absolute().relative_to(project.absolute()).as_posix() for file in files}
    chapters = {name: data for name, data in chapters.items() if not files or name in named}
    made: dict[str, bytes | None] = {name: formatted(name, data) for name, data in chapters.items()}
    made |= {} if files else dict(shortened_lists(content))
    changes = {name: data for name, data in made.items() if data != content.texts[name]}
    if changes and not check:
        replace(project, changes, content.texts)
    for name in changes:
        done = "written" if changes[name] is not None else "deleted: the text of all its rules is here"
        print(f"{name} would change" if check else f"{name} {done}")
    remark(f"{several(len(chapters), 'chapter')}, {several(len(changes), 'change')}.")
    return 1 if changes and check else 0
