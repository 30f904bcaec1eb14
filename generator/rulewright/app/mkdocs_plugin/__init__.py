"""MkDocs plugin. No other package depends on MkDocs or Material for MkDocs.

Generated pages are passed to MkDocs as finished HTML with table of contents and search data. `mkdocs build`
writes into a temporary folder, which replaces the site only if the build succeeds. `mkdocs serve` shows
problems on the pages and reuses what has not changed since the last build.
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
from mkdocs.commands.build import _build_page, _build_theme_template, _populate_page
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
from rulewright.app.mkdocs_plugin.final_files import (
    search_file_makers,
    write_in_parallel,
    write_service_worker,
)
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
from rulewright.compare.history import NEWEST
from rulewright.files import folder_lock, frontmatter, user_folders
from rulewright.files.content_folder import CONTENT, LEFT, LOCK, content_folder
from rulewright.files.disk_cache import DiskCache
from rulewright.files.mkdocs_settings import with_trailing_slash
from rulewright.files.problems import Severity, SourceLocation
from rulewright.files.resources import THEME
from rulewright.files.safe_integers import escape_long_entities, unescape_html
from rulewright.references.content_page import LinkedPage
from rulewright.references.site_paths import content_page_path
from rulewright.render import guide, offline
from rulewright.render.build_artifacts import Artifacts, Content, as_bytes
from rulewright.render.content_security_policy import page_policy
from rulewright.render.exports.key_reference import key_reference
from rulewright.render.navigation import FOOT, from_mkdocs_nav
from rulewright.render.responsive_images import ImageInfo, add_image_attributes
from rulewright.render.templating import Compiled, environment
from rulewright.schema import problem_reports

if TYPE_CHECKING:
    from mkdocs.livereload import LiveReloadServer

SOURCES = ("*.yml", "*.yaml", "import-report.*", LOCK, *LEFT)
"""Source files of the content, which are not copied to the site."""

ROBOTS = "robots.txt"


class Options(Config):  # type: ignore[no-untyped-call]
    """Options of the plugin in mkdocs.yml."""

    trusted = Type(bool, default=False)
    """Allow active content and requests to other hosts; only if the publisher has read every page."""

    content_dir = Optional(Type(str))
    """Folder of the books, relative to the project; see `source.content_folder.content_dir`."""


class RulewrightPlugin(BasePlugin[Options]):  # type: ignore[no-untyped-call]
    """Runs the build pipeline and passes the result to MkDocs. Methods are in the order of a build."""

    sidebar: Sidebar
    page_extension: PageExtension

    def __init__(self) -> None:
        self.artifacts = Artifacts()
        self.serving: DevServer | None = None
        self.staging: staged_build.StagedBuild | None = None
        self.nav: list[Any] | None = None
        self.compiled = Compiled(DiskCache(user_folders.program_cache_folder("templates")))
        self.bundles: list[Bundle] = []
        self.pictures: Mapping[str, ImageInfo] = {}
        self.root = self.folder = ""
        self.prints = True
        self.published = False
        self.print_failures = 0
        self.hidden_from_search: set[str] = set()
        self.writers: dict[str, Callable[[], object]] = {}
        self.is_only_plugin = self.writes_generated = False
        self.navigation: Navigation | None = None
        self.sections: list[StructureItem] = []
        self.documentation_pages: Sequence[File] = ()
        self.content_lock = ExitStack()

    def on_startup(self, *, command: str, dirty: bool) -> None:
        """Create the dev server. A plugin with this method survives rebuilds."""
        self.serving = DevServer() if command == "serve" else None

    def on_serve(self, server: LiveReloadServer, *, config: MkDocsConfig, builder: Any) -> None:
        """Attach the dev server to MkDocs' server."""
        if self.serving:
            self.serving.attach(server, config)

    @event_priority(100)  # first, so that every plugin sees all settings
    def on_config(self, config: MkDocsConfig) -> None:
        """Complete the settings. `site_dir` stays final here: mike reads it without a build."""
        self.published = False
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
        """Run the build pipeline and redirect MkDocs' output to a temporary folder.

        Abort the build if the content has errors.
        """
        if self.serving is None:
            try:
                self.staging = staged_build.begin_staging(Path(config.site_dir))
            except (staged_build.UnsafeTarget, folder_lock.FolderBusy) as error:
                raise Abort(str(error)) from None
            config.site_dir = str(self.staging.folder)
        config.use_directory_urls = True  # links on generated pages require it
        if old := config.extra.get("polyfills"):  # of Material's search, by the plugin `offline`
            config.extra["polyfills"] = [script for script in old if "iframe-worker" not in str(script)]
        handlers = (method for methods in config.plugins.events.values() for method in methods)
        self.is_only_plugin = all(getattr(method, "__self__", None) is self for method in handlers)
        self.writes_generated = bool(self.serving) or self.is_only_plugin
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

            press = None
            if self.prints:
                from rulewright.app.on_demand_printing import log_progress
                from rulewright.print.press import for_site

                site = with_trailing_slash(config.site_url)
                press = partial(for_site, settings.parent, site=site, tell=log_progress)
            self.artifacts = build(settings.parent, press=press, is_deferred=self.writes_generated)
            log_problems(self.artifacts)
        of_print = self.artifacts.of_print
        self.print_failures = sum(problem.is_failure for problem in of_print)
        failures = [
            problem for problem in self.artifacts.problems if problem.is_failure and problem not in of_print
        ]
        if self.staging and any(config.strict or problem.severity == Severity.ERROR for problem in failures):
            raise Abort(f"Problems in the content: {len(failures)}. {self.staging.site.name}/ is unchanged.")

    @event_priority(100)
    def _begin_files(self, files: Files, *, config: MkDocsConfig) -> None:
        """Add generated pages and files first, so that every plugin sees them."""
        if self.root != config.docs_dir:
            add_content(files, config, self.root, _excluded_sources(config))
        filter_files(files, config, self.root, self.display_path, trusted=self.config.trusted)
        remove_theme_search(files)
        add_pages(
            files,
            config,
            self.artifacts,
            self.root,
            self.writes_generated,
            bool(self.serving) and self.is_only_plugin and self.has_own_nav(config),
        )
        add_files(files, config, self.artifacts.files, self.writes_generated)
        if ROBOTS in files.src_uris:
            config.theme.static_templates.discard(ROBOTS)
        self.pictures = add_pictures(files, config)  # before Typst starts threads, which prevent forking
        replace_bundled(files, config, self.bundles)

    @event_priority(-100)
    def _end_files(self, files: Files, *, config: MkDocsConfig) -> None:
        """Set the navigation, unless mkdocs.yml has one."""
        if self.has_own_nav(config):
            sources = {page_path(file): file.src_uri for file in files.documentation_pages()}
            config.nav = self.nav = from_mkdocs_nav(navigation_entries(files, self.artifacts), sources)
            return
        for title, path in nav_titles(config.nav):
            if (file := files.get_file_from_path(path)) and isinstance(file.page, GeneratedPage):
                file.page.title = as_text(title)  # MkDocs sets titles only for its own pages

    on_files = CombinedEvent(_begin_files, _end_files)

    def has_own_nav(self, config: MkDocsConfig) -> bool:
        """Return whether the navigation is generated, since mkdocs.yml has none."""
        return config.nav is None or config.nav is self.nav

    def on_page_markdown(self, markdown: str, *, page: Page, config: MkDocsConfig, files: Files) -> str:
        """Return the text of a Markdown page with marked references."""
        if getattr(page, "is_deferred", False):
            return markdown
        display_path = self.display_path(page.file)

        is_of_other_plugin = type(page) not in (Page, LazyPage)

        def exists(name: str) -> bool:
            is_foreign = name.startswith(".icons/") or is_of_other_plugin
            # Templates of Material can redirect to another host.
            folders = config.theme.dirs if is_foreign else [config.theme.custom_dir or "", str(THEME)]
            return name == "main.html" or any(Path(folder, name).is_file() for folder in folders)

        for name, suggestion in list(frontmatter.invalid_keys(page.meta, exists)):
            if not self.is_reported(display_path, frontmatter.INVALID_VALUE.code):
                log.warning(f"{display_path}:1:1: {name} in its front matter is left out; write {suggestion}")
            page.meta[name] = None
        page.meta = {name: value for name, value in page.meta.items() if value is not None}
        if not self.config.trusted:
            page.meta = as_text(page.meta)
        linked_page = self.artifacts.linked_pages.get(display_path)
        if linked_page and is_of_other_plugin:  # its path differs from that of its file
            home = posixpath.join("/", content_page_path(page.file.src_uri), "")
            references = []
            for reference in linked_page.references:
                href = reference.href
                if not urlsplit(href).netloc:
                    href = utils.get_relative_url(urljoin(home, href), page.url)
                references.append(reference._replace(href=href))
            linked_page = linked_page._replace(references=tuple(references))
        text = self.page_extension.begin(linked_page or LinkedPage(markdown))
        text = markdown if linked_page is None else str(front_matter.get_data(text)[0])
        if guide.is_rulewright_repository(Path(config.config_file_path).parent):
            if display_path == cli.PAGE:
                text += cli.command_help()
            elif display_path == cli.KEYS_PAGE:
                text += key_reference()
        return escape_long_entities(text)

    def on_page_content(self, html: str, *, page: Page, config: MkDocsConfig, files: Files) -> str:
        """Warn about removed content, escape titles and add image attributes."""
        if getattr(page, "is_deferred", False):
            return html
        display_path = self.display_path(page.file)
        if self.page_extension.is_unparsable:
            log.warning(
                f"{display_path}:1:1: lists, quotes or emphasis are nested too deeply, "
                "so the page is shown as plain text; reduce the nesting"
            )
        removed = ", ".join(sorted(self.page_extension.removed))
        if removed and not self.is_reported(display_path, LEFT_OUT.code):
            log.warning(
                f"{display_path}:1:1: left out, since it could run something or asks another host: {removed}"
            )
        if not isinstance(page, GeneratedPage) and not self.config.trusted:
            page.title = as_text(unescape_html(str(page.title or "")))
            for heading in walk_headings(page.toc):
                heading.title = as_text(unescape_html(heading.title))
        if not page.is_homepage and not isinstance(page, GeneratedPage):
            # Material unescapes a title without metadata and writes it into `<title>`.
            page.meta["title"] = page.title
        if not page_path(page.file) and not isinstance(page, GeneratedPage):
            html = merge_index_page(next(page.html for page in self.artifacts.pages if not page.path), html)
        return add_image_attributes(html, page_path(page.file), self.pictures)

    @event_priority(200)
    def _begin_nav(self, nav: Navigation, *, config: MkDocsConfig, files: Files) -> None:
        """Remove the generated navigation from the settings, before another plugin creates its own."""
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
        """Prepare the template environment, and when serving the writers of all files."""
        self.page_extension.begin(LinkedPage(""))
        material = [
            folder for folder in config.theme.dirs if folder not in (config.theme.custom_dir, str(THEME))
        ]
        # Allows an override to include the overridden template: "material/partials/nav.html".
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
                page.update_date = "1980-01-01"  # reproducible; not shown
            if isinstance(page, GeneratedPage):
                page.edition = self.edition_of(page.site_page.path)
        self.documentation_pages = files.documentation_pages()
        if self.serving:
            site = {"config": self.settings(config), "home": urlsplit(config.site_url or "/").path}
            self.serving.render = lambda name, variables: env.get_template(name).render(site, **variables)
        self.writers = self._file_writers(files, env, config)

    def _file_writers(
        self, files: Files, env: Environment, config: MkDocsConfig
    ) -> dict[str, Callable[[], object]]:
        """Return the writers of files that MkDocs does not write, by path in the site.

        If other plugins take part, MkDocs writes all pages and most files; under `serve` it writes none.
        """
        nav, contents = cast(Navigation, self.navigation), self.artifacts.files

        def ready(page: Any) -> Page:
            if getattr(page, "is_deferred", False):
                page.is_deferred = False
                _populate_page(page, config, files)
            return cast(Page, page)

        def build(page: Page, excluded: bool) -> None:
            _build_page(ready(page), config, self.documentation_pages, nav, env, excluded=excluded)

        def write(path: str, content: Content) -> None:
            utils.write_file(as_bytes(content), os.path.join(config.site_dir, path))

        language = config.theme.get("language", "en")
        contents_to_write = dict(contents) if self.writes_generated else {}
        contents_to_write |= search_file_makers(
            self.artifacts, lambda: map(ready, self._searchable_pages()), language
        )
        writers: dict[str, Callable[[], object]] = {
            path: partial(write, path, content) for path, content in contents_to_write.items()
        }
        for file in files if self.writes_generated else ():
            if file.page and file.is_documentation_page():
                if not self.serving and not isinstance(file.page, GeneratedPage):
                    continue
                writers[file.dest_uri] = partial(build, file.page, file.inclusion is InclusionLevel.DRAFT)
            elif file.src_uri not in contents:
                if not self.serving:
                    continue
                if file.inclusion.value >= InclusionLevel.DRAFT.value:
                    writers[file.dest_uri] = file.copy_file
            file.inclusion = InclusionLevel.EXCLUDED
        if self.serving:
            env.get_template("main.html")  # a fault in it is reported before a page is requested
            for name in config.theme.static_templates:
                writers[name] = partial(_build_theme_template, name, env, files, config, nav)
            config.theme.static_templates.clear()
        return writers

    def on_template_context(
        self, context: TemplateContext, *, template_name: str, config: MkDocsConfig
    ) -> TemplateContext:
        variables: Any = {**context, "pages": self.documentation_pages}
        if template_name.endswith(".html"):
            variables["config"] = self.settings(config)
        return cast(TemplateContext, variables)

    def on_page_context(
        self, context: TemplateContext, *, page: Page, config: MkDocsConfig, nav: Navigation
    ) -> TemplateContext:
        """Add the variables of Rulewright's templates: sidebar, source location, edition and more."""
        context = cast(TemplateContext, {**context, "config": self.settings(config)})
        site_page = page.site_page if isinstance(page, GeneratedPage) else None
        path = page_path(page.file)
        edition = self.edition_of(path)
        versions = self.artifacts.versions(path)
        for newest in (version for version in versions if version.standing == NEWEST and version.is_same):
            # Search engines should list the newest edition.
            page.canonical_url = config.site_url and urljoin(config.site_url, f"{quote(newest.path)}/")
        if front := (site_page is not None or not path) and path == edition:
            page.meta["hide"] = ["navigation", "toc", "footer"]
        elif site_page and edition and path == f"{edition}/sequence":
            page.meta["hide"] = ["navigation", "toc"]  # it has two columns
        elif site_page and edition and path == f"{edition}/tables":
            page.meta["hide"] = ["toc"]  # it has a list of its own, and wide tables
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
            "plays": site_page is not None and path == f"{edition}/play",
            "wide": site_page is not None and path in (f"{edition}/play", f"{edition}/sequence"),
            "look": self.artifacts.book_styles.get(page.url.partition("/")[0]),
            "spoken": spoken,
            "ours": interface_lang,
            "theirs": f' lang="{escape(site)}"' if spoken and spoken != site else "",
            "versions": versions,
        }
        return cast(TemplateContext, variables)

    @event_priority(-100)  # last, after all other plugins have written their files
    def on_post_build(self, *, config: MkDocsConfig) -> None:
        """Write the remaining files and replace the site, unless --strict will fail the build."""
        self.content_lock.close()
        if self.serving:
            self.serving.set_files(self.writers)
            return
        write_in_parallel(self.writers, self.artifacts.editions)
        if self.staging is None:
            return
        write_service_worker(config, self.artifacts)
        # MkDocs evaluates --strict only after this event. Sheets that failed to print make it fail, but the
        # site is published.
        handlers = logging.getLogger("mkdocs").handlers if config.strict else ()
        for handler in [handler for handler in handlers if isinstance(handler, utils.CountHandler)]:
            if sum(count for _, count in handler.get_counts()) > self.print_failures:
                return
        config.site_dir = str(self.staging.site)
        try:
            staged_build.swap_in(self.staging)
        except staged_build.UnsafeTarget as error:
            raise Abort(str(error)) from None
        self.staging = None
        self.published = True

    def _searchable_pages(self) -> Iterator[Page]:
        """Yield the pages for players, outside editions, that the search includes."""
        for page in (file.page for file in self.documentation_pages if file.page):
            if page_path(page.file).partition("/")[0] in self.hidden_from_search:
                continue
            excluded = (page.meta.get("search") or {}).get("exclude")
            if not page.edition if isinstance(page, GeneratedPage) else not excluded:
                yield page

    def settings(self, config: MkDocsConfig) -> EscapedSettings:
        """Return the settings for templates."""
        return EscapedSettings(config, trusted=self.config.trusted)

    def edition_of(self, path: str) -> str:
        """Return the edition that contains a page; an empty string if there is none."""
        return next(
            (edition for edition in self.artifacts.editions if f"{path}/".startswith(f"{edition}/")), ""
        )

    def is_reported(self, name: str, code: str) -> bool:
        """Return whether the check has reported a problem type in a file."""
        return any(problem.place.file == name and problem.code == code for problem in self.artifacts.problems)

    def display_path(self, file: File) -> str:
        """Return the name of a content file in problems, relative to the project."""
        return f"{CONTENT if file.src_dir == self.root else self.folder}/{file.src_uri}"

    def on_build_error(self, *, error: Exception) -> None:
        self.on_shutdown()

    def on_shutdown(self) -> None:
        """Discard an unfinished build, also after Ctrl-C, for which MkDocs calls no `on_build_error`."""
        self.prints = True
        self.content_lock.close()
        if self.staging:
            staged_build.discard_staging(self.staging)
            self.staging = None


def _excluded_sources(config: MkDocsConfig) -> GitIgnoreSpec:
    """Return the patterns of excluded files, including the sources of the site."""
    patterns = GitIgnoreSpec.from_lines(SOURCES).patterns
    return GitIgnoreSpec([*patterns, *getattr(config.exclude_docs, "patterns", ())])
