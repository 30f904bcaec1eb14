"""Dev server: rebuild after each edit, render pages on demand, and show problems on the pages.

    edit ──► load content ──► browsers reload ──► render the requested page
                                              └─► run the checks; browsers reload if problems changed

A file that cannot be read is replaced by its last readable text. Each page is sent with a banner if there are
problems; it links to the page `/problems/`, which lists them.
"""

from __future__ import annotations

import logging
import os
import re
import traceback
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from ipaddress import ip_address
from pathlib import Path
from posixpath import normpath
from threading import Lock, RLock, Timer
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from jinja2 import TemplateError
from mkdocs.exceptions import MkDocsException

from rulewright.app.command_registry import relative_path
from rulewright.files import atomic_write
from rulewright.files.content_folder import SETTINGS, content_folder
from rulewright.files.mkdocs_settings import with_trailing_slash
from rulewright.files.problems import Problem, Severity
from rulewright.references import mkdocs_settings_faults
from rulewright.render.build_artifacts import Artifacts
from rulewright.render.content_security_policy import (
    CSP,
    DRAWING,
    ONLY_SENT,
    SAFE,
    policy_of_page,
    script_digest,
)
from rulewright.render.templating import environment
from rulewright.schema.problem_reports import with_disk_path

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.livereload import LiveReloadServer

    from rulewright.app.on_demand_printing import OnDemandPrinter, PrintResponse

log = logging.getLogger("mkdocs.plugins.rulewright")

Render = Callable[[str, Mapping[str, Any]], str]
"""Renders a template, by name, with variables."""

MKDOCS_ERRORS = MkDocsException, TemplateError
"""Exceptions that MkDocs raises for faulty settings, pages and templates."""

CHECK_DELAY = 0.3
"""Seconds from a build to its checks, which leave the processor to the requested page."""

PROBLEMS_PAGE = "problems/"
"""Path of the page that lists all problems."""


class DevServer:
    """State that survives rebuilds."""

    def __init__(self) -> None:
        self.root = self.project = Path()
        self.artifacts = Artifacts()
        self.fault = ""
        self.banner = b""
        self.press: OnDemandPrinter | None = None
        self.render: Render = lambda name, words: ""
        self.add_reload_script: Callable[[bytes], bytes] = bytes
        self.report: Callable[[Artifacts], None] = log_problems
        self.unprinted: list[tuple[str, str]] = []
        """Severities and log messages that `flush` prints."""
        self.flush: Callable[[], None] = lambda: None
        self._writers: Mapping[str, Callable[[], object]] = {}
        self._server: LiveReloadServer | None = None
        self._cache: dict[str, Any] = {}
        self._last_readable: dict[str, bytes] = {}
        self._settings: object = None
        self._problems: tuple[Problem, ...] = ()
        self._write_lock, self._check_lock = RLock(), Lock()

    def attach(self, server: LiveReloadServer, config: MkDocsConfig) -> None:
        """Attach to MkDocs' server: replace its file watcher, wrap its build function and its application."""
        from rulewright.app.file_watcher import DEBOUNCE, Watcher

        for path in (config.docs_dir, config.config_file_path):  # `watch` of mkdocs.yml follows
            server.unwatch(path)
        server.observer, server.build_delay = Watcher(), DEBOUNCE
        self.project = Path(config.config_file_path).parent
        content = str(content_folder(self.project))
        folders = {os.path.realpath(path): path for path in (content, config.docs_dir)}
        for path in (*folders.values(), *filter(None, (config.config_file_path, config.theme.custom_dir))):
            server.watch(path)
        server.builder = self.catch_errors(server.builder)
        read_error_page = server.error_handler

        def error_page(code: int) -> bytes | None:
            self.render_file(f"{code}.html")
            return read_error_page(code)

        server.error_handler = error_page
        self._server = server
        self._check_soon()
        # MkDocs adds the reload script only to existing pages, not to error pages.
        inject: Any = server._inject_js_into_html
        self.add_reload_script = lambda page: inject(page, server._visible_epoch)
        app = server.get_app() or server.serve_request
        base_path = urlsplit(with_trailing_slash(config.site_url)).path or "/"
        server.set_app(self.wsgi_app(app, config.dev_addr.host, base_path))

    def run(self, project: Path, *settings_paths: Path) -> Artifacts:
        """Build the project; if that fails, return the artifacts of the last build."""
        settings = _file_times(settings_paths)
        if settings != self._settings:
            self._cache = {}
            environment.cache_clear()  # templates may have changed
        self._settings = settings
        try:
            from rulewright.app.build_pipeline import build
            from rulewright.app.on_demand_printing import OnDemandPrinter

            self.press = self.press or OnDemandPrinter(project)
            self.artifacts = build(
                project, live=self.press, cache=self._cache, last_readable=self._last_readable
            )
            self.fault = ""
        except Exception as error:
            self._cache = {}
            self._log_error(error)
        return self.artifacts

    def _log_error(self, error: Exception) -> None:
        self.fault = error_summary(error)
        if isinstance(error, MKDOCS_ERRORS):
            log.error("%s", self.fault)
        else:
            log.error("%s", "".join(traceback.format_exception(error)).rstrip())

    def _report_build_error(self, error: Exception) -> None:
        """Report why the build failed, one problem per line."""
        settings = self.project / SETTINGS
        data = settings.read_bytes() if settings.is_file() else b""
        problems = mkdocs_settings_faults.check_mkdocs_settings(self.project, data)
        if failures := tuple(problem for problem in problems if problem.is_failure):
            self.fault, self._problems = "", failures
            for problem in failures:
                log.error("%s", with_disk_path(problem))
        elif isinstance(error, SystemExit) and self.unprinted:  # MkDocs has logged the reason
            self.fault = f"{SETTINGS}: {join_messages(self.unprinted)}"
            self.unprinted[:] = [("error", self.fault)]
        else:
            self._log_error(error)
        self.flush()

    def set_files(self, files: Mapping[str, Callable[[], object]]) -> None:
        """Set the writers of the files of a new build, by path."""
        self._writers = files
        for path in files:
            (self.root / path).unlink(missing_ok=True)  # another plugin has written it
        if self.artifacts.deferred_problems is None:
            self._problems = self.artifacts.problems
        self.write_problems_page()
        self._check_soon()

    def render_file(self, path: str) -> None:
        """Write the file at a path of the site, unless it was written since the last build."""
        if server := self._server:
            with server._epoch_cond:
                server._epoch_cond.wait_for(lambda: server._visible_epoch == server._wanted_epoch)
        name = normpath(f"/{path}index.html" if path.endswith("/") or not path else f"/{path}").lstrip("/")
        with self._write_lock:
            for file in (name, f"{name}/index.html"):
                if file in self._writers and not (self.root / file).exists():
                    self._writers[file]()

    def _check_soon(self) -> None:
        """Run deferred checks in a thread, after the browser has had time for the current page."""
        if self._server and self.artifacts.deferred_problems:
            timer = Timer(CHECK_DELAY, self.check)
            timer.daemon = True
            timer.start()

    def check(self) -> None:
        """Run deferred checks; reload browsers if the problems changed."""
        with self._check_lock:
            artifacts, old_banner = self.artifacts, self.banner
            if artifacts.deferred_problems is None:
                return
            try:
                artifacts = replace(artifacts, problems=artifacts.deferred_problems(), deferred_problems=None)
            except Exception as error:
                self._log_error(error)
            if (
                self.artifacts.deferred_problems is not artifacts.deferred_problems
                and self.artifacts.pages is artifacts.pages
            ):
                self.artifacts, self._problems = artifacts, artifacts.problems
            self.write_problems_page()
        self.report(artifacts)
        if (server := self._server) and self.banner != old_banner:
            with server._epoch_cond:
                if server._visible_epoch == server._wanted_epoch:  # otherwise a rebuild will reload them
                    server._visible_epoch = server._wanted_epoch = server._wanted_epoch + 1
                    server._epoch_cond.notify_all()

    def catch_errors(self, builder: Callable[..., None]) -> Callable[..., None]:
        """Wrap `builder` so that it never raises: MkDocs blocks all requests after a failed build."""

        def build(*args: Any, **kwargs: Any) -> None:
            with self._write_lock:
                try:
                    builder(*args, **kwargs)
                except Exception as error:
                    self._report_build_error(error)
                    self.write_problems_page()

        return build

    def write_problems_page(self) -> None:
        """Write the problems page, and set the banner if there are problems."""
        failures = [problem for problem in self._problems if problem.is_failure]
        failures += self.press.problems if self.press else ()
        words = {"problems": [*map(with_disk_path, failures)], "fault": self.fault}
        page = self.root / PROBLEMS_PAGE / "index.html"
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(self.render("problems.html", words), "utf-8")
        self.banner = self.render("problems-banner.html", words).encode() if failures or self.fault else b""

    def wsgi_app(
        self, app: WSGIApplication, host: str = "localhost", base_path: str = "/"
    ) -> WSGIApplication:
        """Wrap an application: add the banner and policies, print sheets on demand, accept only `host`.

        `base_path`: path of the site on the host.
        """

        def serve(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
            if refusal_status := _refusal_status(environ, host):
                start_response(refusal_status, [("Content-Type", "text/plain")])
                return [f"{refusal_status}\n".encode()]
            path = environ.get("PATH_INFO", "").encode("latin-1", "replace").decode("utf-8", "replace")
            started: list[Any] = []

            def start(*response: Any) -> Callable[[bytes], object]:
                started[:] = response
                return lambda data: None

            path = path.removeprefix(base_path) if path.startswith(base_path) else "404.html"
            try:
                if sheet := self.press and self.press.respond(path):
                    body = self._serve_sheet(sheet, start)
                else:
                    self.render_file(path)
                    body = app(environ, start)
            except Exception as error:
                self._log_error(error)
                self.write_problems_page()
                start("500 Internal Server Error", [("Content-Type", "text/html")])
                body = [self.render("problems.html", {"problems": (), "fault": self.fault}).encode()]
            status, headers = started[0], [*started[1], *SAFE.items()]
            if path.lower().endswith(".svg"):
                headers.append((CSP, DRAWING))
            if ("Content-Type", "text/html") in headers:
                page = self._finish_page(b"".join(body), is_found=status.startswith("200"))
                headers = [header for header in headers if header[0] != "Content-Length"]
                headers.append(("Content-Length", str(len(page))))
                if policy := policy_of_page(page):
                    headers.append((CSP, f"{policy}; {ONLY_SENT}"))
                body = [page]
            start_response(status, headers)
            return body

        return serve

    def _finish_page(self, page: bytes, *, is_found: bool) -> bytes:
        """Add the banner, and the script of MkDocs that reloads the page, to a page."""
        if not is_found:
            page = self.add_reload_script(page)
        words = page.decode("utf-8", "replace")
        # The policy must allow the script that MkDocs adds at the end.
        if script := re.search(r"<script>(?!.*<script>)(.*?)</script>", words, re.DOTALL):
            own_source = b"script-src 'self'"
            page = page.replace(own_source, own_source + b" " + script_digest(script[1]).encode(), 1)
        return re.sub(rb"<body\b[^>]*>", lambda m: m.group() + self.banner, page, count=1)

    def _serve_sheet(self, sheet: PrintResponse, start_response: StartResponse) -> Iterable[bytes]:
        status, kind, data = "200 OK", sheet.type, sheet.data
        if sheet.problems:
            self.write_problems_page()
            status, kind = "422 Unprocessable Content", "text/html"
            data = self.render("problems.html", {"problems": sheet.problems}).encode()
        headers = [("Content-Type", kind), ("Content-Length", str(len(data))), ("Cache-Control", "no-store")]
        start_response(status, headers)
        return [data]


def _refusal_status(environ: WSGIEnvironment, host: str) -> str:
    """Return the HTTP status of a request to refuse; an empty string if it is allowed.

    Other host names are refused, since another site could resolve its name to this server (DNS rebinding).
    """
    name, origin = environ.get("HTTP_HOST", ""), environ.get("HTTP_ORIGIN", "")
    try:
        hostname = urlsplit(f"//{name}").hostname or ""
        if name and hostname not in (host, "localhost") and not hostname.endswith(".localhost"):
            ip_address(hostname)  # an IP address needs no DNS
    except ValueError:
        return "421 Misdirected Request"
    if origin and origin.partition("://")[2] != name:
        return "403 Forbidden"
    return "404 Not Found" if "\0" in environ.get("PATH_INFO", "") else ""


def log_problems(artifacts: Artifacts) -> None:
    """Log the problems that make a build fail."""
    for problem in map(with_disk_path, artifacts.problems):
        if problem.is_failure:
            level = logging.ERROR if problem.severity == Severity.ERROR else logging.WARNING
            log.log(level, f"{problem.place}: {problem.message} [{problem.code}]")


def join_messages(messages: Iterable[tuple[str, str]]) -> str:
    """Join log messages of MkDocs in one line: of each the first and last line, without tracebacks."""
    lines = [message.strip().splitlines() for _, message in messages]
    return "; ".join(" ".join(dict.fromkeys((line[0], line[-1]))) for line in lines if line)


def error_summary(error: BaseException) -> str:
    """Summarize an exception in one line, with its place in a template."""
    if isinstance(error, MkDocsException):
        return " ".join(str(error).split())
    if isinstance(error, TemplateError):
        for frame in reversed(traceback.extract_tb(error.__traceback__)):
            if not frame.filename.endswith(".py"):
                return (
                    f"{relative_path(Path(frame.filename))}:{frame.lineno}: {type(error).__name__}: {error}"
                )
    if isinstance(error, OSError) and error.errno in atomic_write.REMEDIES:
        return atomic_write.describe_os_error(error)
    return f"{type(error).__name__}: {error}".removesuffix(": ")


def _file_times(places: Iterable[Path]) -> object:
    stamps = []
    for place in places:
        inside = atomic_write.walk_files(place) if place.is_dir() else [("", place.stat())]
        stamps += [
            (f"{place}/{name}", status.st_mtime_ns) for name, status in inside if not name.endswith(".pyc")
        ]
    return sorted(stamps)
