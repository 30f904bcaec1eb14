"""Serving while someone edits: a fault never hangs a page, and only what has changed is made again.

A file that cannot be read is shown as it was when it could, and a page that is gone is asked for again. A
banner is put on each page as it is sent, and it leads to the page `/problems/`, which tells what is wrong
and where.
"""

from __future__ import annotations

import logging
import re
import traceback
from collections.abc import Callable, Iterable, Mapping
from ipaddress import ip_address
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from rulewright.app.live_press import Answer, LivePress
from rulewright.site.artifacts import Artifacts
from rulewright.site.policy import CSP, DRAWING, ONLY_SENT, SAFE, digest, stated
from rulewright.site.templating import environment
from rulewright.source import disk
from rulewright.source.resources import PACKAGE, TEMPLATES
from rulewright.source.settings import slashed

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.livereload import LiveReloadServer

    from rulewright.app.build import Shares

log = logging.getLogger("mkdocs.plugins.rulewright")

Render = Callable[[str, Mapping[str, Any]], str]
"""Renders the template of this name with these words."""

PAGE = "problems/"
"""The address of the page that lists what is wrong."""


class Serving:
    """State that is kept from one rebuild to the next."""

    def __init__(self) -> None:
        self.root = Path()
        self.artifacts = Artifacts()
        self.fault = ""
        self.banner = b""
        self.press: LivePress | None = None
        self.render: Render = lambda name, words: ""
        self.reloading: Callable[[bytes], bytes] = bytes
        self._cache: dict[str, Any] = {}
        self._shares: Shares = {}
        self._legible: dict[str, bytes] = {}
        self._settings: object = None
        self._left: dict[str, object] = {}
        self._made: dict[str, object] = {}

    def attach(self, server: LiveReloadServer, config: MkDocsConfig) -> None:
        """Take over what a server of MkDocs builds and answers, and have it hear of edits at once."""
        from rulewright.app.watching import SETTLED, Watcher

        for path in (config.docs_dir, config.config_file_path):  # `watch` in mkdocs.yml comes later
            server.unwatch(path)
        server.observer, server.build_delay = Watcher(), SETTLED
        for path in filter(None, (config.docs_dir, config.config_file_path, config.theme.custom_dir)):
            server.watch(path)
        server.builder = self.guarded(server.builder)
        # MkDocs puts the script that reloads a page on those alone that are there.
        adding: Any = server._inject_js_into_html
        self.reloading = lambda page: adding(page, server._visible_epoch)
        app = server.get_app() or server.serve_request
        home = urlsplit(slashed(config.site_url)).path or "/"
        server.set_app(self.app(app, config.dev_addr.host, home))

    def run(self, project: Path, *watched: Path) -> Artifacts:
        """Build the project; where that fails, return what was built the last time."""
        settings = _stamp(watched)
        if settings != self._settings:
            self.forget()
            environment.cache_clear()  # it compiles the templates once
        self._settings = settings
        try:
            from rulewright.app.build import build

            self.press = self.press or LivePress(project)
            kept: dict[str, Any] = {"cache": self._cache, "shares": self._shares, "legible": self._legible}
            self.artifacts = build(project, live=self.press, **kept)
            self.fault = ""
        except Exception as error:
            self._cache, self._shares = {}, {}
            self._tell(error)
        return self.artifacts

    def _tell(self, error: Exception) -> None:
        self.fault = in_short(error)
        if not isinstance(error, SystemExit):  # MkDocs' own way to end, which has said why
            log.error("%s", "".join(traceback.format_exception(error)).rstrip())

    def forget(self) -> None:
        self._cache, self._shares = {}, {}
        self._left = dict.fromkeys(self._left, _NEVER)

    @property
    def begun(self) -> bool:
        return bool(self._left)

    def unchanged(self, path: str, made_of: object) -> bool:
        self._made[path] = made_of
        return path in self._left and self._left[path] == made_of

    def complete(self) -> None:
        for path in self._left.keys() - self._made.keys():
            (self.root / path).unlink(missing_ok=True)
        self._left, self._made = self._made, {}

    def guarded(self, builder: Callable[..., None]) -> Callable[..., None]:
        """Wrap `builder` so that it never raises: MkDocs lets every request wait while a build has failed."""

        def build(*args: Any, **kwargs: Any) -> None:
            try:
                builder(*args, **kwargs)
            except Exception as error:  # what it has written by then is new, and the rest is not
                self.forget()
                self._tell(error)
                self.show()

        return build

    def show(self) -> None:
        """Write the page of problems, and a banner where there are any."""
        wrong = [problem for problem in self.artifacts.problems if problem.fails]
        wrong += self.press.problems if self.press else ()
        words = {"problems": wrong, "fault": self.fault}
        page = self.root / PAGE / "index.html"
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(self.render("problems.html", words), "utf-8")
        self.banner = self.render("problems-banner.html", words).encode() if wrong or self.fault else b""

    def app(self, app: WSGIApplication, host: str = "localhost", home: str = "/") -> WSGIApplication:
        """The application for `host`, site below `home`, with the banner; prints sheets when asked for."""

        def serve(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
            if refused := _refused(environ, host):
                start_response(refused, [("Content-Type", "text/plain")])
                return [f"{refused}\n".encode()]
            path = environ.get("PATH_INFO", "")
            started: list[Any] = []

            def start(*response: Any) -> Callable[[bytes], object]:
                started[:] = response
                return lambda data: None

            if path.startswith(home) and self.press and (sheet := self.press.answer(path[len(home) :])):
                body: Iterable[bytes] = self._sheet(sheet, path, start)
            else:
                body = app(environ, start)
            status, headers = started[0], [*started[1], *SAFE.items()]
            if path.lower().endswith(".svg"):
                headers.append((CSP, DRAWING))
            if ("Content-Type", "text/html") in headers:
                page = sent = b"".join(body)
                if not status.startswith("200"):
                    page = self.reloading(page)
                words = page.decode("utf-8", "replace")
                # The policy has to let the script run that the server has put at the end.
                if script := re.search(r"<script>(?!.*<script>)(.*?)</script>", words, re.DOTALL):
                    own = b"script-src 'self'"
                    page = page.replace(own, own + b" " + digest(script[1]).encode(), 1)
                page = re.sub(rb"<body\b[^>]*>", lambda m: m.group() + self.banner, page, count=1)
                body = [page]
                if policy := stated(page):
                    headers.append((CSP, f"{policy}; {ONLY_SENT}"))
                if page != sent:
                    headers = [header for header in headers if header[0] != "Content-Length"]
                    headers.append(("Content-Length", str(len(page))))
            start_response(status, headers)
            return body

        return serve

    def _sheet(self, sheet: Answer, path: str, start_response: StartResponse) -> Iterable[bytes]:
        status, kind, data, policy = "200 OK", sheet.type, sheet.data, ONLY_SENT
        if sheet.problems:
            self.show()
            words = {"problems": sheet.problems}
            if path.endswith(".png"):
                kind, policy, data = (
                    "image/svg+xml",
                    DRAWING,
                    self.render("problems-picture.html", words).encode(),
                )
            else:
                status, kind = "422 Unprocessable Content", "text/html"
                data = self.render("problems.html", words).encode()
        headers = [("Content-Type", kind), ("Content-Length", str(len(data))), ("Cache-Control", "no-store")]
        start_response(status, headers if kind == "text/html" else [*headers, (CSP, policy)])
        return [data]


def _refused(environ: WSGIEnvironment, host: str) -> str:
    """HTTP status with which a request is refused; empty where it is answered.

    A name that is not ours may be one that another site lets lead here, to read what it could not ask for.
    """
    name, origin = environ.get("HTTP_HOST", ""), environ.get("HTTP_ORIGIN", "")
    try:
        bare = (urlsplit(f"//{name}").hostname or "").rstrip(".")
        if name and bare not in (host, "localhost") and not bare.endswith(".localhost"):
            ip_address(bare)  # which needs no looking up
    except ValueError:
        return "421 Misdirected Request"
    try:
        if origin and urlsplit(origin).netloc != name:
            return "403 Forbidden"
    except ValueError:  # a bracket that belongs to no address
        return "403 Forbidden"
    return "404 Not Found" if "\0" in environ.get("PATH_INFO", "") else ""


_NEVER = object()


def in_short(error: BaseException) -> str:
    """Summary of an exception: its message, and the last of our own lines that it came through."""
    if isinstance(error, SystemExit):
        return str(error)
    if isinstance(error, OSError) and error.errno in disk.REMEDIES:
        return disk.told(error)
    words = f"{type(error).__name__}: {error}".removesuffix(": ")
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        file = Path(frame.filename)
        if home := next((folder for folder in (PACKAGE, TEMPLATES) if file.is_relative_to(folder)), None):
            return f"{words} ({file.relative_to(home.parent).as_posix()}, line {frame.lineno})"
    return words


def _stamp(places: Iterable[Path]) -> object:
    found = []
    for place in places:
        inside = disk.walk(place) if place.is_dir() else [("", place.stat())]
        found += [(f"{place}/{name}", one.st_mtime_ns) for name, one in inside if not name.endswith(".pyc")]
    return sorted(found)
