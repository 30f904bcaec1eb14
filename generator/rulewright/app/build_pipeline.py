"""The build line, from the content folder to everything that is made of it. Begin reading here.

    content ──gather──► Folder ──read──► Library ──amend──► as amended ──arrange──► Outlines ──cite──► Shelf
                                                                                     ├──check──► problems
                                                                                     ├──press──► PDFs
                                                                                     └──render─► pages, files

Nothing here writes a file, knows the host that serves the pages, or raises on content: what is wrong
is part of the result.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path

from rulewright.app.on_demand_printing import OnDemandPrinter
from rulewright.checks import mkdocs_settings_checks
from rulewright.checks.load_and_check import CheckedProject, count_editions, load_project, run_checks
from rulewright.citations import content_page
from rulewright.print.press import aid_job, site_prints  # noqa: F401  whose kinds of problem are documented
from rulewright.site import guide, navigation, pages, redirect_pages
from rulewright.site.build_artifacts import Artifacts, Counts, NavItem, PrintedFiles, force_files
from rulewright.site.render_context import ENGLISH, RenderContext
from rulewright.source.content_folder import read_content_folder, with_drafts
from rulewright.source.memoize import Cache
from rulewright.source.mkdocs_settings import setting
from rulewright.source.problems import Problem, Severity, sort_problems

Press = Callable[[CheckedProject], PrintedFiles]
"""Prints what is sound."""


def build(
    project: Path,
    cache: Cache | None = None,
    press: Press | None = None,
    live: OnDemandPrinter | None = None,
    last_readable: dict[str, bytes] | None = None,
) -> Artifacts:
    """Build all that is made of a project's content; print only what is sound, and with a `press`.

    `live`: a press that prints later, when it is asked; then pages and files, too, are made when they are
    first asked for. `cache` saves the next build, if it is given to it, reading files that have not changed.
    With `legible`, which it keeps too, everything is made of the last text of each file that could be read
    without an error.
    """
    folder = read_content_folder(project)
    cache = {} if cache is None else cache
    readable_project = loaded_project = load_project(folder, cache)
    if last_readable is not None:
        faulty = loaded_project.library.faulty
        last = {name: last_readable[name] for name in faulty & last_readable.keys()}
        last_readable.clear()
        last_readable.update({name: folder.texts[name] for name in folder.texts.keys() - faulty}, **last)
        if last:
            folder = with_drafts(folder, last)
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
        site_pages, nav = (
            (*site_pages, *guides),
            navigation.append_below("docs", nav, (branch, NavItem("", "checks"))),
        )
    prose = {page.name: content_page.link_references(page) for page in readable_project.manuscripts}
    counts = count_editions(readable_project.shelf).values()
    references = sum(count.references for count in counts)
    references += sum(len(page.resolved) for page in readable_project.manuscripts)
    return Artifacts(
        pages=site_pages,
        linked_pages=prose,
        files={**(files if live else force_files(files)), **prints.files},
        nav=nav,
        book_styles={book: look for share in shares for book, look in share.book_styles.items()},
        languages={
            book: book_language for share in shares for book, book_language in share.languages.items()
        },
        problems=(*loaded_project.problems, *settings) if live else problems(),
        deferred_problems=problems if live else None,
        of_print=frozenset(prints.problems),
        unprinted=tuple(prints.failed),
        versions={path: page_versions for share in shares for path, page_versions in share.versions.items()},
        counts=Counts(len(site_pages) + len(prose), sum(count.rules for count in counts), references),
        search={address: search_data for share in shares for address, search_data in share.search.items()},
        editions={address: names for share in shares for address, names in share.names.items()},
        dates={address: dates for share in shares for address, dates in share.dates.items()},
    )
