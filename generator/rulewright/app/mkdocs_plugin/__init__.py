"""The site: the only room that knows MkDocs, and Material for MkDocs.

The line's pages enter MkDocs finished, with contents and words for the search, so that it parses nothing. A
build goes to a folder aside and takes the site's place only if it is sound. Under `mkdocs serve` faults
are shown on the pages instead, and what has not changed since the last build is left as it lies.
"""

from __future__ import annotations

import logging
import os
import posixpath
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from html import escape, unescape
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import quote, urljoin, urlsplit

from jinja2 import ChoiceLoader, Environment, FileSystemLoader, PrefixLoader
from mkdocs import utils
from mkdocs.commands.build import _build_page, _populate_page
from mkdocs.config.base import Config
from mkdocs.config.config_options import Optional, Type
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import Abort
from mkdocs.plugins import BasePlugin, CombinedEvent, event_priority
from mkdocs.structure import StructureItem
from mkdocs.structure.files import File, Files, InclusionLevel
from mkdocs.structure.nav import Navigation
from mkdocs.structure.pages import Page
from mkdocs.utils import meta as front_matter
from mkdocs.utils.templates import TemplateContext
from pathspec.gitignore import GitIgnoreSpec

from rulewright.app import cli, staged_build
from rulewright.app.dev_server import DevServer, log_problems
from rulewright.app.mkdocs_plugin.bundle import Bundle, bundles
from rulewright.app.mkdocs_plugin.final_files import search_file_makers, write_service_worker
from rulewright.app.mkdocs_plugin.generated_files import (
    add_content,
    add_files,
    add_pages,
    add_pictures,
    filter_files,
    footer_links,
    log,
    merge_index_page,
    nav_titles,
    navigation_entries,
    page_path,
    remove_theme_search,
    replace_bundled,
)
from rulewright.app.mkdocs_plugin.generated_page import GeneratedPage, LazyPage, Sidebar, attach_contents
from rulewright.app.mkdocs_plugin.markdown_page import PageExtension, as_text, walk_headings
from rulewright.app.mkdocs_plugin.template_settings import ADDRESSES, EscapedSettings, escape_titles, safe_url
from rulewright.app.mkdocs_plugin.theme_defaults import apply_theme_defaults
from rulewright.checks.page_markup_checks import LEFT_OUT
from rulewright.citations.content_page import LinkedPage
from rulewright.citations.site_paths import content_page_path
from rulewright.compare.history import NEWEST
from rulewright.model import problem_reports
from rulewright.print import press
from rulewright.print.press.site_prints import for_site
from rulewright.site import guide, offline
from rulewright.site.build_artifacts import Artifacts, Content, as_bytes
from rulewright.site.content_security_policy import page_policy
from rulewright.site.navigation import FOOT, from_mkdocs_nav
from rulewright.site.responsive_images import ImageInfo, add_image_attributes
from rulewright.site.templating import Compiled, environment
from rulewright.source import folder_lock, frontmatter, user_folders
from rulewright.source.content_folder import CONTENT, LEFT, LOCKS, content_folder
from rulewright.source.disk_cache import DiskCache
from rulewright.source.filenames import is_inside
from rulewright.source.mkdocs_settings import with_trailing_slash
from rulewright.source.problems import Severity, SourceLocation
from rulewright.source.resources import THEME
from rulewright.source.safe_integers import escape_long_entities, unescape_html

if TYPE_CHECKING:
    from mkdocs.livereload import LiveReloadServer

SOURCES = ("*.yml", "*.yaml", "import-report.*", *LOCKS, *LEFT)
"""Files of the content that a site is made of and that are none of it."""

ROBOTS = "robots.txt"

SHORT = "/index.html"
"""Ending of the files of short addresses: too many to burden MkDocs with, and nothing links to them."""


class Options(Config):  # type: ignore[no-untyped-call]
    """The settings of the plugin in mkdocs.yml.

    `trusted`: pages and files of the content may hold what runs in a reader's browser, and ask other hosts
    for what they show. Only for a site whose every page the publisher has read himself.
    `content_dir`: the folder of the books, from the project's; see `source.folder.content_dir`.
    `headers`: write what the server is to send, for Netlify and Cloudflare Pages.
    """

    trusted = Type(bool, default=False)
    content_dir = Optional(Type(str))
    headers = Type(bool, default=False)


class RulewrightPlugin(BasePlugin[Options]):  # type: ignore[no-untyped-call]
    """Runs the line and hands what it makes to MkDocs. The methods stand in the order of a build."""

    sidebar: Sidebar
    page_extension: PageExtension

    def __init__(self) -> None:
        self.artifacts = Artifacts()
        self.serving: DevServer | None = None
        self.staging: staged_build.StagedBuild | None = None
        self.nav: list[Any] | None = None
        self.compiled: Compiled | None = None
        self.bundles: list[Bundle] = []
        self.pictures: Mapping[str, ImageInfo] = {}
        self.root = self.folder = ""
        self.prints = True
        self.published = False
        self.print_failures = 0
        self.hidden_from_search: set[str] = set()
        self.is_deferred: Mapping[str, Callable[[], object]] = {}
        self.is_only_plugin = False
        self.navigation: Navigation | None = None
        self.sections: list[StructureItem] = []
        self.documentation_pages: Sequence[File] = ()
        self.content_lock = ExitStack()

    def on_startup(self, *, command: str, dirty: bool) -> None:
        """Keep state while serving: a plugin with this method lives on from one rebuild to the next."""
        self.serving = DevServer() if command == "serve" else None

    def on_serve(self, server: LiveReloadServer, *, config: MkDocsConfig, builder: Any) -> None:
        """Show faults on the pages, where MkDocs would let every request hang, and edits sooner."""
        if self.serving:
            self.serving.attach(server, config)

    @event_priority(100)  # first, so that every plugin sees all settings
    def on_config(self, config: MkDocsConfig) -> None:
        """Complete the settings. Who asks for them alone, as mike does, is told where the site will stand."""
        self.published = False
        if self.compiled is None:
            self.compiled = Compiled(DiskCache(user_folders.cache_folder("templates")))
        self.root = str(content_folder(Path(config.config_file_path).parent))
        is_docs_dir = os.path.realpath(self.root) == os.path.realpath(config.docs_dir)
        for name in ADDRESSES:
            config[name] = config[name] and safe_url(config[name])
        apply_theme_defaults(config, self.compiled, is_docs_dir=is_docs_dir)
        config.theme.dirs.insert(1 if config.theme.custom_dir else 0, str(THEME))
        if is_docs_dir:
            self.root = config.docs_dir
            config.exclude_docs = _excluded_sources(config)
        self.bundles = bundles(config)
        self.page_extension = PageExtension(self.config.trusted)
        config.markdown_extensions = [*config.markdown_extensions, self.page_extension]  # type: ignore[list-item]
        config.theme.static_templates |= {offline.MANIFEST, ROBOTS}
        if self.serving is None:
            config.extra["worker"] = offline.WORKER
        else:
            self.serving.root = Path(config.site_dir)

    @event_priority(100)  # first, so that every plugin sees the folder that is written to
    def on_pre_build(self, *, config: MkDocsConfig) -> None:
        """Run the line, and let MkDocs build into a folder aside that takes the site's place at the end.

        A fault of the content ends a build here, with nothing made.
        """
        if self.serving is None:
            try:
                self.staging = staged_build.begin_staging(Path(config.site_dir))
            except (staged_build.UnsafeTarget, folder_lock.FolderBusy) as error:
                raise Abort(str(error)) from None
            config.site_dir = str(self.staging.folder)
        config.use_directory_urls = True  # the links on our pages take each page for a folder
        if old := config.extra.get("polyfills"):  # of Material's search, by the plugin `offline`
            config.extra["polyfills"] = [script for script in old if "iframe-worker" not in str(script)]
        self.is_only_plugin = _is_only_plugin(self, config)
        settings = Path(config.config_file_path)
        self.folder = Path(os.path.relpath(config.docs_dir, settings.parent)).as_posix()
        problem_reports.set_content_folder(Path(os.path.relpath(self.root, settings.parent)).as_posix())
        try:
            self.content_lock.enter_context(folder_lock.shared_lock(Path(os.path.realpath(self.root))))
        except folder_lock.FolderBusy as busy:
            raise Abort(str(busy)) from None
        environment().bytecode_cache = self.compiled
        if self.serving:
            folders = [Path(config.theme.custom_dir)] if config.theme.custom_dir else []
            self.artifacts = self.serving.run(settings.parent, settings, *folders)
        else:
            from rulewright.app.build_pipeline import build

            site = with_trailing_slash(config.site_url)
            printing = partial(for_site, settings.parent, site=site, tell=_log_printed_sheet)
            self.artifacts = build(settings.parent, press=printing if self.prints else None)
            log_problems(self.artifacts)
        failures = [problem for problem in self.artifacts.problems if problem.is_failure]
        self.print_failures = sum(1 for problem in failures if problem in self.artifacts.of_print)
        failures = [problem for problem in failures if problem not in self.artifacts.of_print]
        if self.staging and any(config.strict or problem.severity == Severity.ERROR for problem in failures):
            raise Abort(f"Problems in the content: {len(failures)}. {self.staging.site.name}/ is as it was.")

    @event_priority(100)
    def _begin_files(self, files: Files, *, config: MkDocsConfig) -> None:
        """Add the line's pages and files first, so that every plugin sees them."""
        is_deferred = bool(self.serving)
        if self.root != config.docs_dir:
            add_content(files, config, self.root, _excluded_sources(config))
        filter_files(files, config, self.root, self.display_path, trusted=self.config.trusted)
        remove_theme_search(files)
        add_pages(
            files,
            config,
            self.artifacts,
            self.root,
            is_deferred,
            self.is_only_plugin and self.has_own_nav(config),
        )
        files_made = {
            path: content for path, content in self.artifacts.files.items() if not path.endswith(SHORT)
        }
        add_files(files, config, files_made, is_deferred)
        if ROBOTS in files.src_uris:
            config.theme.static_templates.discard(ROBOTS)
        self.pictures = add_pictures(files, config)  # before Typst leaves threads, with which nothing forks
        replace_bundled(files, config, self.bundles)

    @event_priority(-100)
    def _end_files(self, files: Files, *, config: MkDocsConfig) -> None:
        """Set the navigation unless mkdocs.yml has one."""
        if self.has_own_nav(config):
            sources = {page_path(file): file.src_uri for file in files.documentation_pages()}
            config.nav = self.nav = from_mkdocs_nav(navigation_entries(files, self.artifacts), sources)
            return
        for title, path in nav_titles(config.nav):
            if (file := files.get_file_from_path(path)) and isinstance(file.page, GeneratedPage):
                file.page.title = as_text(title)  # MkDocs gives it to those pages alone that it makes itself

    on_files = CombinedEvent(_begin_files, _end_files)

    def has_own_nav(self, config: MkDocsConfig) -> bool:
        """Whether the navigation is ours, since mkdocs.yml has none."""
        return config.nav is None or config.nav is self.nav

    def on_page_markdown(self, markdown: str, *, page: Page, config: MkDocsConfig, files: Files) -> str:
        """Give an ordinary page its text with the references marked."""
        if getattr(page, "late", False):
            return markdown
        display_path = self.display_path(page.file)

        def template_exists(name: str) -> bool:
            is_foreign = name.startswith(".icons/") or type(page) not in (
                Page,
                LazyPage,
            )  # but of a kind of another plugin
            folders = config.theme.dirs if is_foreign else [config.theme.custom_dir or "", str(THEME)]
            return name == "main.html" or any(
                os.path.isfile(os.path.join(folder, name)) for folder in folders
            )

        for name, suggestion in list(frontmatter.invalid_keys(page.meta, template_exists)):
            if not self.is_reported(display_path, frontmatter.INVALID_VALUE.code):
                log.warning(f"{display_path}:1:1: {name} in its front matter is left out; write {suggestion}")
            page.meta[name] = None
        page.meta = {name: value for name, value in page.meta.items() if value is not None}
        if not self.config.trusted:
            page.meta = as_text(page.meta)
        linked_page = self.artifacts.linked_pages.get(display_path)
        if linked_page and type(page) not in (
            Page,
            LazyPage,
        ):  # it stands where another plugin wants it, not where its file does
            home = posixpath.join("/", content_page_path(page.file.src_uri), "")
            moved = (
                reference._replace(href=_moved(reference.href, home, page.url))
                for reference in linked_page.references
            )
            linked_page = linked_page._replace(references=tuple(moved))
        text = self.page_extension.begin(linked_page or LinkedPage(markdown))
        text = markdown if linked_page is None else str(front_matter.get_data(text)[0])
        if display_path == cli.PAGE and guide.is_rulewright_repository(Path(config.config_file_path).parent):
            text += cli.command_help()
        return escape_long_entities(text)

    def on_page_content(self, html: str, *, page: Page, config: MkDocsConfig, files: Files) -> str:
        """Warn of what was left out of an ordinary page, make its titles plain text, tell of its pictures."""
        if getattr(page, "late", False):
            return html
        if self.page_extension.is_unparsable:
            log.warning(
                f"{self.display_path(page.file)}:1:1: shown as it is written: lists, quotes or "
                f"emphasis lie in each "
                "other deeper than Markdown goes; part them"
            )
        removed = self.page_extension.removed
        if removed and not self.is_reported(self.display_path(page.file), LEFT_OUT.code):
            log.warning(
                f"{self.display_path(page.file)}:1:1: left out, since it could run something or asks "
                f"another host: "
                f"{', '.join(sorted(removed))}"
            )
        if not isinstance(page, GeneratedPage) and not self.config.trusted:
            page.title = as_text(unescape_html(str(page.title or "")))
            for heading in walk_headings(page.toc):
                heading.title = as_text(unescape_html(heading.title))
        if not page.is_homepage and not isinstance(page, GeneratedPage):
            # Material unescapes a title that stands in no metadata, and puts it into `<title>` so.
            page.meta["title"] = page.title
        if not page_path(page.file) and not isinstance(page, GeneratedPage):
            html = merge_index_page(next(page.html for page in self.artifacts.pages if not page.path), html)
        return add_image_attributes(html, page_path(page.file), self.pictures)

    @event_priority(200)
    def _begin_nav(self, nav: Navigation, *, config: MkDocsConfig, files: Files) -> None:
        """Take our entries back from the settings, before another plugin makes a navigation of its own."""
        self.navigation = None
        if config.nav is self.nav:
            config.nav, self.navigation = None, nav

    @event_priority(-200)
    def _end_nav(self, nav: Navigation, *, config: MkDocsConfig, files: Files) -> None:
        self.sections = nav.items
        if nav is not self.navigation:
            pages = {page_path(file): file.page for file in files.documentation_pages() if file.page}
            self.sections = [
                *attach_contents(navigation_entries(files, self.artifacts), self.artifacts.editions, pages)
            ]
        self.navigation = nav
        escape_titles(nav)
        config.nav = config.nav or self.nav

    on_nav = CombinedEvent(_begin_nav, _end_nav)

    def on_env(self, env: Environment, *, config: MkDocsConfig, files: Files) -> None:
        """Fill the search index and skip unchanged pages, when all is known and nothing yet rendered."""
        self.page_extension.begin(LinkedPage(""))
        material = [
            folder for folder in config.theme.dirs if folder not in (config.theme.custom_dir, str(THEME))
        ]
        # Lets an override include what it overrides: "material/partials/nav.html".
        material_loader = PrefixLoader({"material": FileSystemLoader(material)})
        env.loader = ChoiceLoader([loader for loader in (env.loader, material_loader) if loader])
        artifacts = self.artifacts
        env.globals.update(editions=artifacts.editions, dates=artifacts.dates, trusted=self.config.trusted)
        env.filters["policy"] = page_policy
        env.filters["as_written"] = unescape
        editor_pages = (
            guide.EDITORS if guide.is_rulewright_repository(Path(config.config_file_path).parent) else ()
        )
        self.hidden_from_search = {*editor_pages, "checks"}
        env.globals["foot"] = footer_links(files, editor_pages)
        self.sidebar = Sidebar(env, config, {*editor_pages, *FOOT}, self.sections)
        for page in [file.page for file in files.documentation_pages() if file.page]:
            if "SOURCE_DATE_EPOCH" not in os.environ:
                page.update_date = "1980-01-01"  # the same on any day; it is shown nowhere
            if isinstance(page, GeneratedPage):
                page.edition = self.edition_of(page.site_page.path)
        self.documentation_pages = files.documentation_pages()
        if self.serving:
            site = {"config": self.settings(config), "home": urlsplit(config.site_url or "/").path}
            self.serving.render = lambda name, variables: env.get_template(name).render(site, **variables)
            self.is_deferred = self._deferred_writers(files, env, config)

    def _deferred_writers(
        self, files: Files, env: Environment, config: MkDocsConfig
    ) -> dict[str, Callable[[], object]]:
        """Take all files from MkDocs. Returns what writes each, by its path in the site."""
        nav, contents, listed_files = (
            cast(Navigation, self.navigation),
            self.artifacts.files,
            self.documentation_pages,
        )

        def ready(page: Any) -> Page:
            if getattr(page, "late", False):
                page.is_deferred = False
                _populate_page(page, config, files)
            return cast(Page, page)

        def build(page: Page, excluded: bool) -> None:
            _build_page(ready(page), config, listed_files, nav, env, excluded=excluded)

        def write(path: str, content: Content) -> None:
            utils.write_file(as_bytes(content), os.path.join(config.site_dir, path))

        language = config.theme.get("language", "en")
        files_made = {
            **contents,
            **search_file_makers(self.artifacts, lambda: map(ready, self._searchable_pages()), language),
        }
        is_deferred: dict[str, Callable[[], object]] = {
            path: partial(write, path, content) for path, content in files_made.items()
        }
        for file in files:
            if file.page and file.is_documentation_page():
                is_deferred[file.dest_uri] = partial(build, file.page, file.inclusion is InclusionLevel.DRAFT)
            elif file.src_uri not in contents and file.inclusion.value >= InclusionLevel.DRAFT.value:
                is_deferred[file.dest_uri] = file.copy_file
            file.inclusion = InclusionLevel.EXCLUDED
        return is_deferred

    def on_template_context(
        self, context: TemplateContext, *, template_name: str, config: MkDocsConfig
    ) -> TemplateContext:
        variables: Any = {**context, "pages": self.documentation_pages} if self.serving else {**context}
        if template_name.endswith(".html"):
            variables["config"] = self.settings(config)
        return cast(TemplateContext, variables)

    def on_page_context(
        self, context: TemplateContext, *, page: Page, config: MkDocsConfig, nav: Navigation
    ) -> TemplateContext:
        """Add what our own templates ask for: navigation as drawn, where a text is kept, its edition."""
        context = cast(TemplateContext, {**context, "config": self.settings(config)})
        site_page = page.site_page if isinstance(page, GeneratedPage) else None
        path = page_path(page.file)
        edition = self.edition_of(path)
        versions = site_page.versions if site_page else self.artifacts.versions.get(path, ())
        for newest in (version for version in versions if version.standing == NEWEST and version.is_same):
            # Search engines shall find the newest of several editions.
            page.canonical_url = config.site_url and urljoin(config.site_url, f"{quote(newest.path)}/")
        if front := (site_page is not None or not path) and path == edition:
            page.meta["hide"] = ["navigation", "toc", "footer"]
        elif site_page and edition and path == f"{edition}/sequence":
            page.meta["hide"] = ["navigation", "toc"]  # two columns need the room
        spoken = self.artifacts.languages.get(path.partition("/")[0])
        site = config.theme.get("language", "en")
        interface_lang = "" if (spoken or site) == "en" else ' lang="en"'
        variables: Any = {
            **context,
            "sidebar": self.sidebar.render(page, cast(TemplateContext, {**context, "ours": interface_lang})),
            "source": (site_page.place if site_page else SourceLocation(self.display_path(page.file)))
            if self.serving
            else None,
            "edition": edition,
            "front": front,
            "look": self.artifacts.book_styles.get(page.url.partition("/")[0]),
            "spoken": spoken,
            "ours": interface_lang,
            "theirs": f' lang="{escape(site)}"' if spoken and spoken != site else "",
            "versions": versions,
        }
        return cast(TemplateContext, variables)

    @event_priority(-100)  # last, when every other plugin has written its files
    def on_post_build(self, *, config: MkDocsConfig) -> None:
        """Put the new site in its place, unless MkDocs is going to refuse it."""
        self.content_lock.close()
        if self.serving:
            self.serving.set_files(self.is_deferred)
            return
        for path, content in self.artifacts.files.items():
            if path.endswith(SHORT):
                target = os.path.join(config.site_dir, path)
                if self.staging and (not is_inside(path) or os.path.lexists(target)):
                    log.warning(f"nothing is written to {path}: something else is there, or it leads outside")
                    continue
                utils.write_file(as_bytes(content), target)
        language = config.theme.get("language", "en")
        for path, script in search_file_makers(self.artifacts, self._searchable_pages, language).items():
            utils.write_file(script().encode(), os.path.join(config.site_dir, path))
        if self.staging is None:
            return
        write_service_worker(config, self.artifacts, self.config.headers, self.config.trusted)
        # MkDocs counts for --strict and looks at the result only after this. A sheet that was not printed
        # is for it a failure, but no reason to keep the pages back.
        handlers = logging.getLogger("mkdocs").handlers
        warning_counts = [
            sum(n for _, n in h.get_counts()) for h in handlers if isinstance(h, utils.CountHandler)
        ]
        if config.strict and max(warning_counts, default=0) > self.print_failures:
            return
        config.site_dir = str(self.staging.site)
        try:
            staged_build.swap_in(self.staging)
        except staged_build.UnsafeTarget as error:
            raise Abort(str(error)) from None
        self.staging = None
        self.published = True

    def _searchable_pages(self) -> Iterator[Page]:
        """The pages for players that are not made of an edition's data, in which one may look for words."""
        for page in (file.page for file in self.documentation_pages if file.page):
            if page_path(page.file).partition("/")[0] in self.hidden_from_search:
                continue
            excluded = (page.meta.get("search") or {}).get("exclude")
            if not page.edition if isinstance(page, GeneratedPage) else not excluded:
                yield page

    def settings(self, config: MkDocsConfig) -> EscapedSettings:
        """The settings as templates see them."""
        return EscapedSettings(config, trusted=self.config.trusted)

    def edition_of(self, path: str) -> str:
        """The address of the edition that a page of the site is of, by its own; empty where it is of none."""
        return next(
            (edition for edition in self.artifacts.editions if f"{path}/".startswith(f"{edition}/")), ""
        )

    def is_reported(self, name: str, code: str) -> bool:
        """Whether the check has told something of a file, with its line."""
        return any(problem.place.file == name and problem.code == code for problem in self.artifacts.problems)

    def display_path(self, file: File) -> str:
        """A content file as problems name it: from the project's folder."""
        return f"{CONTENT if file.src_dir == self.root else self.folder}/{file.src_uri}"

    def on_build_error(self, *, error: Exception) -> None:
        self.on_shutdown()

    def on_shutdown(self) -> None:
        """Forget an unfinished build, after Ctrl-C too, which MkDocs does not count as an error."""
        self.prints = True
        self.content_lock.close()
        if self.staging:
            staged_build.discard_staging(self.staging)
            self.staging = None


def _is_only_plugin(plugin: object, config: MkDocsConfig) -> bool:
    """Return whether no other plugin, hook or setting takes part in making pages."""
    handlers = (method for methods in config.plugins.events.values() for method in methods)
    if not all(getattr(method, "__self__", None) is plugin for method in handlers):
        return False
    settings = Path(config.config_file_path).read_bytes()
    return not (config.hooks or b"!ENV" in settings or b"INHERIT" in settings or b"snippets" in settings)


def _excluded_sources(config: MkDocsConfig) -> GitIgnoreSpec:
    """The patterns of what is not published, with those of the files that a site is made of."""
    patterns = GitIgnoreSpec.from_lines(SOURCES).patterns
    return GitIgnoreSpec([*patterns, *getattr(config.exclude_docs, "patterns", ())])


def _moved(href: str, home: str, url: str) -> str:
    """Rebase a link of a page at `home` for a page at `url`."""
    return href if urlsplit(href).netloc else utils.get_relative_url(urljoin(home, href), url)


def _log_printed_sheet(step: press.Progress) -> None:
    """Log that a sheet was made; those that were at hand are not worth a line."""
    if step.seconds is not None:
        log.getChild("press").info(str(step))
