"""Import handlers: each converts a source to content and prints a summary."""

from __future__ import annotations

import gc
import shutil
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from rulewright.app.command_registry import has_colour, print_notice
from rulewright.files.errors import ContentErrors, UserError

if TYPE_CHECKING:
    from rulewright.imports.blocks import ReadSource
    from rulewright.imports.report import ImportReport

_MAX_LISTED = 3


@dataclass(frozen=True)
class ImportOptions:
    """Options shared by imports of rules, sequences and tables."""

    dialect: Sequence[str]
    section_address: str
    number_by_position: bool
    dry_run: bool
    force: bool


def import_hugo(project: Path, options: ImportOptions, path: str, target: str) -> int:
    """Import an edition from a Hugo site. Return 1 if a word is lost or `check` does not accept the book."""
    from rulewright.imports.reading.documents import read_hugo

    return _import_source(
        lambda folder: read_hugo(folder, options.section_address), project, options, path, target
    )


def import_hugo_project(project: Path, options: ImportOptions, path: str, target: str) -> int:
    """Create a project and import an edition from a Hugo site into it; nothing stays if that fails."""
    from rulewright.app.command_registry import find_project
    from rulewright.app.new_game import create_empty_project

    is_new = not project.exists()
    created = create_empty_project(project)
    try:
        code = import_hugo(find_project(str(project)), options, path, target)
    except (ContentErrors, UserError):
        for file in created:
            file.unlink()
        for folder in sorted({file.parent for file in created} | {project / "content"}, reverse=True):
            with suppress(OSError):
                folder.rmdir()
        if is_new:
            shutil.rmtree(project, ignore_errors=True)
        raise
    print_notice(f"Project created. Next: cd {project} && rulewright serve")
    return code


def import_markdown(project: Path, options: ImportOptions, path: str, target: str) -> int:
    """Import an edition from a folder of Markdown or a document. Return as import_hugo."""
    from rulewright.imports.reading.documents import read_document

    return _import_source(read_document, project, options, path, target)


def import_outline(project: Path, options: ImportOptions, file: str, target: str = "") -> int:
    """Import a sequence of play. Raises ContentErrors if the file contains no steps."""
    from rulewright.imports.sequence.outline_file import import_sequence, sequence_target

    path = sequence_target(project, target) if target else Path("sequence.yml")
    sequence_text, problems = import_sequence(file)
    if sequence_text is None:
        raise ContentErrors(problems, "nothing imported")
    return _write_texts(project, options, {path: sequence_text}, has_target=bool(target))


def import_tables(project: Path, options: ImportOptions, file: str, target: str = "") -> int:
    """Import tables. Raises ContentErrors if the file contains none."""
    from rulewright.files.content_folder import CONTENT, parse_address
    from rulewright.imports.table_import import import_table_files

    if not Path(file).is_file():
        raise UserError(f"there is no file {file}")
    table_texts, problems = import_table_files(Path(file))
    if not table_texts:
        raise ContentErrors(problems, "nothing imported")
    folder = project / CONTENT / (parse_address(target) if target else "") / "tables"
    texts = {folder / f"{name}.yml": text for name, text in table_texts.items()}
    return _write_texts(project, options, texts, has_target=bool(target))


def _write_texts(project: Path, options: ImportOptions, texts: dict[Path, str], *, has_target: bool) -> int:
    """Write files, or print them without a target or in a dry run. Print how much is guessed."""
    from rulewright.imports.sequence.outline_file import write_content
    from rulewright.schema.problem_reports import plural

    if not has_target or options.dry_run:
        sys.stdout.write("\n".join(texts.values()))
        return 0
    existing = next((path for path in texts if path.exists()), None)
    if existing and not options.force:
        raise UserError(f"{existing} already exists; --force replaces it")
    for path, text in texts.items():
        write_content(project, path, text)
        print_notice(f"{path} written; {plural(text.count('# guess:'), 'comment')} to review")
        for line in text.split("\n"):
            if line.startswith("# guess:"):
                print_notice(f"{path}: {line[2:]}")
    return 0


def _import_source(
    read: Callable[[Path], ReadSource], project: Path, options: ImportOptions, path: str, target: str
) -> int:
    from rulewright.imports.pipeline import ImportRequest
    from rulewright.imports.report import import_report_markdown
    from rulewright.imports.target import import_target

    import_folder = import_target(project, target)
    # Millions of objects are created and kept, so garbage collection is wasted.
    gc.disable()
    try:
        request = ImportRequest(
            import_folder.book,
            import_folder.edition,
            dialect=options.dialect,
            number=options.number_by_position,
        )
        result = import_folder.import_edition(read, Path(path), request)
    finally:
        gc.enable()
    if options.dry_run:
        sys.stdout.write(import_report_markdown(result.report))
    else:
        import_folder.write(result, force=options.force)
        _print_summary(result.report, f"{import_folder.base}/")
    return 1 if result.report.is_refused else 0


def _print_summary(report: ImportReport, target: str) -> None:
    """Print counts to standard output, and items to review to standard error."""
    from rulewright.files.content_folder import RECEIPT
    from rulewright.imports.report import counts_text, review_lines
    from rulewright.schema.problem_reports import plural, problems_text

    words = sum(report.account.words.values())
    print(f"{target}: {counts_text(report)}")
    print(f"{plural(words, 'word')}: {report.words_lost} lost. Numbering {report.dialect}.")
    sys.stderr.write(problems_text(report.problems, colour=has_colour(sys.stderr)))
    for line in review_lines(report, _MAX_LISTED):
        print_notice(line)
    guesses = f"{len(report.guesses)} guess{'' if len(report.guesses) == 1 else 'es'}"
    print_notice(f"{guesses} and {plural(len(report.checked), 'problem')} to review: {target}{RECEIPT}.md")
