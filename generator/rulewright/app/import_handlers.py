"""Imports of a book, and of a sequence or tables: write the content and print a summary."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from rulewright.app.command_registry import has_colour, print_notice
from rulewright.files.content_folder import RECEIPT, disk_path
from rulewright.files.errors import ContentErrors, UserError
from rulewright.schema.problem_reports import plural, problems_text

if TYPE_CHECKING:
    from rulewright.imports.report import ImportReport


@dataclass(frozen=True)
class ImportOptions:
    """Source of an import, its target and its options."""

    source_type: str
    path: str
    target: str
    """Folder of the edition."""
    dialect: Sequence[str]
    section_address: str
    number_by_position: bool
    dry_run: bool
    force: bool


def import_book(project: Path, options: ImportOptions, *, is_new: bool) -> int:
    """Import an edition from a Hugo site, a folder of Markdown or a document.

    `is_new`: create the project, but only if the import succeeds. Return 1 if a word is lost or `check` does
    not accept the book.
    """
    from rulewright.app.new_game import create_empty_project
    from rulewright.imports.pipeline import ImportRequest
    from rulewright.imports.reading.documents import read_document, read_hugo
    from rulewright.imports.report import import_report_markdown
    from rulewright.imports.target import import_target

    is_hugo = options.source_type == "hugo"
    read = partial(read_hugo, address=options.section_address) if is_hugo else read_document
    target = import_target(project, options.target)
    request = ImportRequest(
        target.book, target.edition, dialect=options.dialect, number=options.number_by_position
    )
    result = target.import_edition(read, Path(options.path), request)
    if options.dry_run:
        sys.stdout.write(import_report_markdown(result.report))
    else:
        if is_new:
            create_empty_project(project)
        target.write(result, force=options.force)
        _print_summary(result.report, f"{target.base}/")
        if is_new:
            print_notice(f"Project created. Next: cd {project} && rulewright serve")
    return 1 if result.report.is_refused else 0


def _print_summary(report: ImportReport, target: str) -> None:
    """Print counts to standard output, and items to review to standard error."""
    from rulewright.imports.report import counts_text, review_text

    words = sum(report.account.words.values())
    print(f"{target}: {counts_text(report)}")
    print(f"{plural(words, 'word')}: {report.words_lost} lost. Numbering {report.dialect}.")
    sys.stderr.write(problems_text(report.problems, colour=has_colour(sys.stderr)))
    print_notice(f"{review_text(report) or 'nothing'} to review: {target}{RECEIPT}.md")


def import_part(project: Path, options: ImportOptions) -> int:
    """Import a sequence of play or tables; print them without a target or in a dry run.

    Raises ContentErrors if the file contains none.
    """
    from rulewright.files.transaction import replace_files
    from rulewright.imports.sequence.outline_file import import_sequence
    from rulewright.imports.table_import import import_table_files
    from rulewright.imports.target import import_target

    if options.source_type == "outline":
        sequence_text, problems = import_sequence(options.path)
        texts = {} if sequence_text is None else {"sequence.yml": sequence_text}
    else:
        table_texts, problems = import_table_files(Path(options.path))
        texts = {f"tables/{name}.yml": text for name, text in table_texts.items()}
    if not texts:
        raise ContentErrors(problems, "nothing imported")
    if not options.target or options.dry_run:
        sys.stdout.write("\n".join(texts.values()))
        return 0
    base = import_target(project, options.target).base
    files = {f"{base}/{name}": text for name, text in texts.items()}
    existing = {name: path.read_bytes() for name in files if (path := disk_path(project, name)).exists()}
    if existing and not options.force:
        raise UserError(f"{next(iter(existing))} already exists; --force replaces it")
    replace_files(project, {name: text.encode() for name, text in files.items()}, existing)
    for name, text in files.items():
        print_notice(f"{name} written; {plural(text.count('# guess:'), 'comment')} to review")
    return 0
