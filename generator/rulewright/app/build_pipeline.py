"""Build pipeline from the content folder to all pages and files. Start reading here.

    folder ──read──► Library ──amend──► amended editions ──arrange──► Outlines ──resolve──► ReferenceIndex
                                                                          ├──check──► problems
                                                                          ├──print──► PDFs
                                                                          └──render─► pages, files

The pipeline writes no files and does not depend on MkDocs. Faults of the content are returned as problems.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping, Set
from pathlib import Path
from typing import TypeVar

from rulewright.app.on_demand_printing import OnDemandPrinter
from rulewright.checks import mkdocs_settings_checks
from rulewright.checks.load_and_check import (
    CheckedProject,
    LoadedProject,
    count_editions,
    load_project,
    run_checks,
)
from rulewright.files.content_folder import ContentFolder, read_content_folder, with_drafts
from rulewright.files.memoize import Cache
from rulewright.files.mkdocs_settings import setting
from rulewright.files.problems import Problem, Severity, sort_problems
from rulewright.print.press import aid_job, site_prints  # noqa: F401  imported for their problem types
from rulewright.references import content_page
from rulewright.render import guide, navigation, pages, redirect_pages
from rulewright.render.build_artifacts import Artifacts, Counts, NavItem, PrintedFiles, force_files
from rulewright.render.render_context import ENGLISH, RenderContext

T = TypeVar("T")

Press = Callable[[CheckedProject], PrintedFiles]
"""Prints the sheets of a project."""


def build(
    project: Path,
    cache: Cache | None = None,
    press: Press | None = None,
    live: OnDemandPrinter | None = None,
    last_readable: dict[str, bytes] | None = None,
) -> Artifacts:
    """Build all pages and files of a project; print with a `press`, unless there are errors.

    `live`: printer that prints on demand; pages and files are then created on demand as well.
    `cache`: pass the same mapping to the next build to read only changed files.
    `last_readable`: updated with the last text of each file without errors; faulty files are replaced by it.
    """
    folder = read_content_folder(project)
    cache = {} if cache is None else cache
    readable_project = loaded_project = load_project(folder, cache)
    if replacements := _update_readable(last_readable, folder, loaded_project.library.faulty):
        folder = with_drafts(folder, replacements)
        readable_project = load_project(folder, cache)
    run_checks_once = functools.cache(functools.partial(run_checks, loaded_project))
    settings = tuple(mkdocs_settings_checks.check_mkdocs_settings(project, folder.settings))
    language = setting(project, "theme", "language") or ENGLISH
    context = RenderContext(readable_project.shelf, language)
    prints = live.set_content(context, lambda: run_checks_once().problems) if live else PrintedFiles()
    if press and not any(problem.severity is Severity.ERROR for problem in run_checks_once().problems):
        prints = press(run_checks_once())

    def problems() -> tuple[Problem, ...]:
        return tuple(sort_problems((*run_checks_once().problems, *settings, *prints.problems)))

    parts = dict.fromkeys(map(pages.book_folder, ("", *folder.texts, *folder.other_files)))
    shares = [pages.render_book_pages(context, readable_project.library, part, prints) for part in parts]
    shares.sort(key=lambda share: share.is_behind)
    site_pages, files, nav = pages.join_shares(
        shares, guide.EDITORS if guide.is_rulewright_repository(project) else (), language
    )
    files |= redirect_pages.redirect_pages(readable_project.old_pages, context)
    guides, branch = guide.guide_pages(project)
    if branch:
        site_pages = (*site_pages, *guides)
        nav = navigation.append_below("docs", nav, (branch, NavItem("", "checks")))
    linked_pages = {page.name: content_page.link_references(page) for page in readable_project.manuscripts}
    return Artifacts(
        pages=site_pages,
        linked_pages=linked_pages,
        files={**(files if live else force_files(files)), **prints.files},
        nav=nav,
        book_styles=_merge(share.book_styles for share in shares),
        languages=_merge(share.languages for share in shares),
        problems=(*loaded_project.problems, *settings) if live else problems(),
        deferred_problems=problems if live else None,
        of_print=frozenset(prints.problems),
        unprinted=tuple(prints.failed),
        versions=_merge(share.versions for share in shares),
        counts=_count(readable_project, len(site_pages) + len(linked_pages)),
        search=_merge(share.search for share in shares),
        editions=_merge(share.names for share in shares),
        dates=_merge(share.dates for share in shares),
    )


def _count(project: LoadedProject, pages: int) -> Counts:
    counts = count_editions(project.shelf).values()
    references = sum(count.references for count in counts)
    references += sum(len(page.resolved) for page in project.manuscripts)
    return Counts(pages, sum(count.rules for count in counts), references)


def _update_readable(
    last_readable: dict[str, bytes] | None, folder: ContentFolder, faulty: Set[str]
) -> dict[str, bytes]:
    """Update the last readable texts, if they are recorded. Return those that replace faulty files."""
    if last_readable is None:
        return {}
    replacements = {name: last_readable[name] for name in faulty & last_readable.keys()}
    last_readable.clear()
    last_readable.update({name: folder.texts[name] for name in folder.texts.keys() - faulty})
    last_readable.update(replacements)
    return replacements


def _merge(mappings: Iterable[Mapping[str, T]]) -> dict[str, T]:
    merged: dict[str, T] = {}
    for mapping in mappings:
        merged.update(mapping)
    return merged
