"""Import handlers: each converts a source to content and prints a summary."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from rulewright.app.command_registry import has_colour, print_notice
from rulewright.files.errors import ContentErrors, UserError

if TYPE_CHECKING:
    from rulewright.imports.website.import_report import ImportReport
    from rulewright.imports.sources.source_site import SourceSite

_MIN_PAGES_FOR_PROGRESS = 50
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
    """Import an edition from a Hugo site. Return 1 if the import is refused."""
    from rulewright.imports.sources.hugo_site import read_site

    return _import_pages(
        lambda folder: read_site(folder, options.section_address), project, options, path, target
    )


def import_markdown(project: Path, options: ImportOptions, path: str, target: str) -> int:
    """Import an edition from a folder of Markdown or a document. Return 1 if the import is refused."""
    from rulewright.imports.single_document import read_document

    return _import_pages(read_document, project, options, path, target)


def import_outline(project: Path, options: ImportOptions, file: str, target: str = "") -> int:
    """Import a sequence of play. Raises ContentErrors if the file contains no steps."""
    from rulewright.book.library import read_library
    from rulewright.files.content_folder import read_content_folder
    from rulewright.imports.document_lines import lines_given
    from rulewright.imports.outline.sequence_builder import (
        build_sequence,
        sequence_context,
        target_of,
        write_sequence,
    )
    from rulewright.schema.problem_reports import plural, problems_text

    lines, line_problems = lines_given(file)
    path = target_of(project, target) if target else None
    if path and path.exists() and not options.force:
        raise UserError(f"{path} already exists; --force replaces it")
    if line_problems:
        raise ContentErrors(line_problems, "nothing imported")
    sequence_text, problems = build_sequence(
        lines, sequence_context(read_library(read_content_folder(project)), project, path)
    )
    if sequence_text is None:
        raise ContentErrors(problems, "nothing imported")
    sys.stderr.write(problems_text(problems, colour=has_colour(sys.stderr)))
    if path is None or options.dry_run:
        sys.stdout.write(sequence_text)
        return 0
    write_sequence(project, path, sequence_text)
    print_notice(f"{path} written; {plural(sequence_text.count('# guess:'), 'comment')} to review")
    return 0


def import_tables(project: Path, options: ImportOptions, file: str, target: str = "") -> int:
    """Import tables. Raises ContentErrors if the file contains none."""
    from rulewright.files.content_folder import CONTENT, parse_address
    from rulewright.imports.outline.sequence_builder import write_sequence
    from rulewright.imports.table_import import import_table_files

    if not Path(file).is_file():
        raise UserError(f"there is no file {file}")
    table_texts, problems = import_table_files(Path(file))
    if not table_texts:
        raise ContentErrors(problems, "nothing imported")
    folder = project / CONTENT / parse_address(target) / "tables" if target else None
    if folder is None or options.dry_run:
        sys.stdout.write("\n".join(table_texts.values()))
        return 0
    existing = [path for name in table_texts if (path := folder / f"{name}.yml").exists()]
    if existing and not options.force:
        raise UserError(f"{existing[0]} already exists; --force replaces it")
    for name, text in table_texts.items():
        write_sequence(project, folder / f"{name}.yml", text)
        print_notice(f"{folder / name}.yml written")
    return 0


def print_numbering_proposal(files: Sequence[str], *, known: bool) -> int:
    """Print the detected numbering scheme. Raises ContentErrors if the texts contain no rule numbers."""
    from rulewright.imports.numbering_proposal import propose_from_files

    if missing := next((name for name in files if not Path(name).is_file()), ""):
        raise UserError(f"there is no file {missing}")
    proposal, problems = propose_from_files(files)
    if problems:
        raise ContentErrors(problems, "nothing proposed")
    if proposal is None:
        raise ContentErrors((), "no rule number at the start of a line or after a cue; name files with rules")
    sys.stdout.write(proposal.as_known() if known else proposal.as_rulebook(len(files)))
    return 0


def _import_pages(
    read: Callable[[Path], SourceSite], project: Path, options: ImportOptions, path: str, target: str
) -> int:
    from rulewright.imports.website.import_report import import_report_markdown as report
    from rulewright.imports.website.import_target import import_target
    from rulewright.imports.website.site_import import ImportRequest

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
        site_import = import_folder.make(read, Path(path), request, _print_progress)
    finally:
        gc.enable()
    assert site_import.receipt
    if options.dry_run:
        sys.stdout.write(report(site_import.receipt))
    else:
        import_folder.write(site_import, force=options.force)
        _print_summary(site_import.receipt, f"{import_folder.base}/")
    return 1 if site_import.receipt.is_refused else 0


def _print_progress(count: int, total: int) -> None:
    """Print the progress of a long import."""
    if total > _MIN_PAGES_FOR_PROGRESS and (count % 25 == 0 or count == total):
        if sys.stderr.isatty():
            sys.stderr.write(f"\rpage {count} of {total}{chr(10) if count == total else ''}")
        elif count % 100 == 0 or count == total:
            sys.stderr.write(f"page {count} of {total}\n")
        sys.stderr.flush()


def _print_summary(receipt: ImportReport, target: str) -> None:
    """Print counts to standard output, and items to review to standard error."""
    from rulewright.files.content_folder import RECEIPT
    from rulewright.imports.website.import_report import counts_text, label_summary, review_lines
    from rulewright.schema.problem_reports import plural, problems_text

    words = sum(account.words for account in receipt.accounts)
    print(f"{target}: {counts_text(receipt)}")
    print(f"{plural(words, 'word')}: {receipt.words_lost} lost. Numbers {receipt.dialect}.")
    sys.stderr.write(problems_text(receipt.problems, colour=has_colour(sys.stderr)))
    for line in (*label_summary(receipt), *review_lines(receipt, _MAX_LISTED)):
        print_notice(line)
    sys.stderr.write(problems_text(receipt.other_problems[:_MAX_LISTED], colour=has_colour(sys.stderr)))
    guesses = f"{len(receipt.guesses)} guess{'' if len(receipt.guesses) == 1 else 'es'}"
    print_notice(f"{guesses} and {plural(len(receipt.checked), 'problem')} to review: {target}{RECEIPT}.md")
