"""Import handlers: each converts a source to content and prints a summary."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from rulewright.app.command_registry import has_colour, print_notice
from rulewright.files.errors import ContentErrors, UserError

if TYPE_CHECKING:
    from rulewright.files.problems import Problem
    from rulewright.imports.blocks import ReadSource
    from rulewright.imports.report import ImportReport


@dataclass(frozen=True)
class ImportOptions:
    """Options shared by imports of rules, sequences and tables."""

    dialect: Sequence[str]
    section_address: str
    number_by_position: bool
    dry_run: bool
    force: bool


def import_hugo(
    project: Path, options: ImportOptions, path: str, target: str, *, is_new: bool = False
) -> int:
    """Import an edition from a Hugo site. `is_new`: create the project, but only if the import succeeds.

    Return 1 if a word is lost or `check` does not accept the book.
    """
    from rulewright.imports.reading.documents import read_hugo

    def read(folder: Path) -> ReadSource:
        return read_hugo(folder, options.section_address)

    code = _import_source(read, project, options, path, target, is_new=is_new)
    if is_new:
        print_notice(f"Project created. Next: cd {project} && rulewright serve")
    return code


def import_markdown(project: Path, options: ImportOptions, path: str, target: str) -> int:
    """Import an edition from a folder of Markdown or a document. Return as import_hugo."""
    from rulewright.imports.reading.documents import read_document

    return _import_source(read_document, project, options, path, target)


def import_outline(project: Path, options: ImportOptions, file: str, target: str = "") -> int:
    """Import a sequence of play. Raises ContentErrors if the file contains no steps."""
    from rulewright.imports.sequence.outline_file import import_sequence

    sequence_text, problems = import_sequence(file)
    texts = {} if sequence_text is None else {"sequence.yml": sequence_text}
    return _write_texts(project, options, target, texts, problems)


def import_tables(project: Path, options: ImportOptions, file: str, target: str = "") -> int:
    """Import tables. Raises ContentErrors if the file contains none."""
    from rulewright.imports.table_import import import_table_files

    table_texts, problems = import_table_files(Path(file))
    texts = {f"tables/{name}.yml": text for name, text in table_texts.items()}
    return _write_texts(project, options, target, texts, problems)


def _write_texts(
    project: Path, options: ImportOptions, target: str, texts: Mapping[str, str], problems: Sequence[Problem]
) -> int:
    """Write files of an edition, or print them without a target or in a dry run."""
    from rulewright.files.content_folder import disk_path
    from rulewright.files.transaction import replace_files
    from rulewright.imports.target import import_target
    from rulewright.schema.problem_reports import plural

    if not texts:
        raise ContentErrors(problems, "nothing imported")
    if not target or options.dry_run:
        sys.stdout.write("\n".join(texts.values()))
        return 0
    base = import_target(project, target).base
    files = {f"{base}/{name}": text for name, text in texts.items()}
    existing = {name: path.read_bytes() for name in files if (path := disk_path(project, name)).exists()}
    if existing and not options.force:
        raise UserError(f"{next(iter(existing))} already exists; --force replaces it")
    replace_files(project, {name: text.encode() for name, text in files.items()}, existing)
    for name, text in files.items():
        print_notice(f"{name} written; {plural(text.count('# guess:'), 'comment')} to review")
    return 0


def _import_source(
    read: Callable[[Path], ReadSource],
    project: Path,
    options: ImportOptions,
    path: str,
    target: str,
    *,
    is_new: bool = False,
) -> int:
    from rulewright.app.new_game import create_empty_project
    from rulewright.imports.pipeline import ImportRequest
    from rulewright.imports.report import import_report_markdown
    from rulewright.imports.target import import_target

    import_folder = import_target(project, target)
    request = ImportRequest(
        import_folder.book,
        import_folder.edition,
        dialect=options.dialect,
        number=options.number_by_position,
    )
    result = import_folder.import_edition(read, Path(path), request)
    if options.dry_run:
        sys.stdout.write(import_report_markdown(result.report))
        return 1 if result.report.is_refused else 0
    if is_new:
        create_empty_project(project)
    import_folder.write(result, force=options.force)
    _print_summary(result.report, f"{import_folder.base}/")
    return 1 if result.report.is_refused else 0


def _print_summary(report: ImportReport, target: str) -> None:
    """Print counts to standard output, and items to review to standard error."""
    from rulewright.files.content_folder import RECEIPT
    from rulewright.imports.report import counts_text, review_text
    from rulewright.schema.problem_reports import plural, problems_text

    words = sum(report.account.words.values())
    print(f"{target}: {counts_text(report)}")
    print(f"{plural(words, 'word')}: {report.words_lost} lost. Numbering {report.dialect}.")
    sys.stderr.write(problems_text(report.problems, colour=has_colour(sys.stderr)))
    print_notice(f"{review_text(report) or 'nothing'} to review: {target}{RECEIPT}.md")
