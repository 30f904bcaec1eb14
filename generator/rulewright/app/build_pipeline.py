"""Build pipeline from the content folder to all pages and files. Start reading here.

    load      files.content_folder        texts of the content folder
    read      book.library                books and editions, each file read into the schema
    assemble  book.amending, book.outline errata applied; rules and steps in order
    index     references.reference_index  targets of all references, and what cites what
    compare   compare.stale_references    what references meant when they were last reviewed
    check     checks.check_visitor        problems
    document  document.blocks             what player aids show
    render    render.pages                pages and files of the site
    print     print.press                 PDFs

Each station returns a value and its problems. `checks.load_and_check` is the part up to the problems, which
other commands run too. The pipeline writes no files and does not depend on MkDocs.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Set
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from rulewright.checks.check_visitor import LoadedProject
from rulewright.checks.load_and_check import (
    CheckedProject,
    check_project,
    count_editions,
    load_project,
)
from rulewright.files.content_reader import ContentFolder, read_content_folder, with_drafts
from rulewright.files.memoize import Cache
from rulewright.files.mkdocs_settings import setting
from rulewright.files.problems import Problem, Severity, sort_problems
from rulewright.references.content_page import link_references
from rulewright.references.mkdocs_settings_faults import check_mkdocs_settings
from rulewright.render import guide, navigation
from rulewright.render.build_artifacts import Artifacts, Counts, NavItem, PrintedFiles, force_files
from rulewright.render.pages import render_site
from rulewright.render.redirect_pages import redirect_pages
from rulewright.render.render_context import ENGLISH, RenderContext

if TYPE_CHECKING:
    from rulewright.app.on_demand_printing import OnDemandPrinter

Press = Callable[[CheckedProject], PrintedFiles]
"""Prints the sheets of a project."""


def build(
    project: Path,
    cache: Cache | None = None,
    press: Press | None = None,
    live: OnDemandPrinter | None = None,
    last_readable: dict[str, bytes] | None = None,
    *,
    is_deferred: bool = False,
) -> Artifacts:
    """Build all pages and files of a project; print with a `press`, unless there are errors.

    `live`: printer that prints on demand; files are then created on demand as well, as with `is_deferred`.
    `cache`: pass the same mapping to the next build to read only changed files.
    `last_readable`: updated with the last text of each file without errors; faulty files are replaced by it.
    """
    cache = {} if cache is None else cache
    folder = read_content_folder(project)
    loaded = readable = load_project(folder, cache)
    if replacements := _update_readable(last_readable, folder, loaded.library.faulty):
        readable = load_project(with_drafts(folder, replacements), cache)
    checked = functools.cache(lambda: check_project(loaded))
    settings_problems = tuple(check_mkdocs_settings(project, folder.settings))

    context = RenderContext(readable.index, setting(project, "theme", "language") or ENGLISH)
    prints = PrintedFiles()
    if live:
        prints = live.set_content(context, lambda: checked().problems)
    elif press and not any(problem.severity is Severity.ERROR for problem in checked().problems):
        prints = press(checked())

    def problems() -> tuple[Problem, ...]:
        return tuple(sort_problems((*checked().problems, *settings_problems, *prints.problems)))

    guides, branch = guide.guide_pages(project)
    site = render_site(context, readable.library, prints, guide.EDITORS if branch else ())
    site_pages, nav = (*site.pages, *guides), site.nav
    if branch:
        nav = navigation.append_below("docs", nav, (branch, NavItem("", "checks")))
    linked_pages = {page.name: link_references(page) for page in readable.manuscripts}
    faults = *loaded.library.problems, *loaded.errata_faults
    files = {**site.files, **redirect_pages(readable.old_pages, context)}
    return replace(
        site,
        pages=site_pages,
        linked_pages=linked_pages,
        files={**(files if live or is_deferred else force_files(files)), **prints.files},
        nav=nav,
        problems=(*faults, *settings_problems) if live else problems(),
        deferred_problems=problems if live else None,
        of_print=frozenset(prints.problems),
        counts=_count(readable, len(site_pages) + len(linked_pages)),
    )


def _count(project: LoadedProject, pages: int) -> Counts:
    counts = count_editions(project.index).values()
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
