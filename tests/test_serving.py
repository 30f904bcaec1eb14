"""`mkdocs serve`, without its threads: what an editor sees while he makes faults and mends them."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from threading import Condition
from typing import Any

import pytest
from mkdocs.commands import build as mkdocs
from projects import BUILT, ERROR, HERE, NOTE, Project

from rulewright.app.dev_server import DevServer
from rulewright.render.build_artifacts import SitePage
from tests.commands.duel import BOOK, write
from tests.page_fixtures import changed_page, page_contents

SEQUENCE = "content/duel/1/sequence.yml"


class Server:
    """`mkdocs serve` without its threads: builds, and answers as its server does."""

    builder: Callable[[], None]
    _visible_epoch = _wanted_epoch = 7
    _epoch_cond = Condition()
    error_handler: Callable[[int], bytes | None] = staticmethod(lambda code: None)

    def __init__(self, project: Project, root: Path) -> None:
        self.project, self.root, self.app = project, root, self.answer
        config = self.config()
        config.plugins.on_startup(command="serve", dirty=False)
        mkdocs.build(config, serve_url=config.site_url)
        self.builder = lambda: mkdocs.build(self.config(), serve_url=config.site_url)
        self.get_app = lambda: self.app
        self.watch = self.unwatch = lambda path: None
        config.plugins.on_serve(self, config=config, builder=self.builder)
        self.plugins = config.plugins

    def config(self) -> Any:
        config = self.project.config(site_dir=str(self.root))
        config.site_url = "http://127.0.0.1:8000/"
        return config

    def set_app(self, app: Any) -> None:
        self.app = app

    def answer(self, environ: dict[str, str], start: Callable[..., object]) -> list[bytes]:
        body = (self.root / environ["PATH_INFO"].strip("/") / "index.html").read_bytes()
        start("200 OK", [("Content-Type", "text/html"), ("Content-Length", str(len(body)))])
        return [body]

    def _inject_js_into_html(self, page: bytes, epoch: int) -> bytes:
        return page + b"<script>livereload(%d);</script>" % epoch

    def get(self, path: str) -> str:
        """A page by its address without slashes at the ends."""
        headers: dict[str, str] = {}
        asked = {"PATH_INFO": f"/{path}/" if path else "/"}
        body = b"".join(self.app(asked, lambda status, given: headers.update(given)))
        assert headers.get("Content-Length", str(len(body))) == str(len(body))
        return body.decode()

    def file(self, path: str) -> bytes:
        self.plugins["rulewright"].serving.render_file(path)
        return (self.root / path).read_bytes()


@pytest.fixture
def server(project, tmp_path):
    server = Server(project, tmp_path / "served")
    yield server
    server.plugins.on_startup(command="build", dirty=False)  # MkDocs keeps one plugin for the whole process


def test_while_serving_every_page_tells_of_a_fault_of_the_content_until_it_is_mended(server, project):
    assert "problem in the content" not in server.get("credits")
    assert "None." in server.get("problems")
    project.result = replace(BUILT, problems=(ERROR, NOTE))
    server.builder()
    for path in ("", "ocs/4.3/14-x", "credits"):
        assert '<a href="/problems/"' in server.get(path)
        assert f"1 problem in the content</a>, the first in {HERE}: {ERROR.message} <code" in server.get(path)
        assert f"[{ERROR.code}]</code>" in server.get(path)
    listed = server.get("problems")
    assert f'<code class="place">{HERE}</code>' in listed
    assert "no rule 12.8g; 12.8 ends at 12.8f" in listed
    project.result = BUILT
    server.builder()
    assert "problem in the content" not in server.get("credits")
    assert "None." in server.get("problems")


BREAKS: dict[str, tuple[str, Callable[[bytes], bytes]]] = {
    "a bracket": (SEQUENCE, lambda data: data + b"\nx: [\n"),
    "a merge": (SEQUENCE, lambda data: data + b"\n<<<<<<< HEAD\n=======\n>>>>>>> x\n"),
    "bytes": (SEQUENCE, lambda data: data.replace(b"title: ", b"title: \xf6", 1)),
    "nothing": (SEQUENCE, lambda data: b""),
    "a key": (SEQUENCE, lambda data: data.replace(b"title: ", b"titel: ", 1)),
    "a chapter": ("content/duel/1/rules/1-swords.yml", lambda data: data + b"x: [\n"),
    "a book": ("content/duel/rulebook.yml", lambda data: data + b"x: [\n"),
}


@pytest.mark.parametrize("name", BREAKS)
def test_while_serving_a_file_that_cannot_be_read_is_shown_as_it_was_when_it_could(tmp_path, name):
    chapter = 'chapter: "1.0"\ntitle: Swords\n"1.1 Parry": Turn it.\n'
    project = write(tmp_path, {**BOOK, "content/duel/1/rules/1-swords.yml": chapter})
    serving = DevServer()
    good = serving.run(project)
    file, spoil = BREAKS[name]
    data = (project / file).read_bytes()
    (project / file).write_bytes(spoil(data))
    broken = serving.run(project)
    assert [one.place.file for one in broken.problems if one.is_failure] == [file]
    assert page_contents(broken) == page_contents(good)
    (project / file).write_bytes(data.replace(b"Swords", b"Blades"))
    mended = serving.run(project)
    assert not [one for one in mended.problems if one.is_failure]
    assert (page_contents(mended) == page_contents(good)) == (name != "a chapter")
    (project / file).write_bytes(spoil(data))
    assert page_contents(serving.run(project)) == page_contents(mended)
    assert page_contents(DevServer().run(project)) != page_contents(mended)  # which has seen no other text


@pytest.mark.parametrize("broken", ["mkdocs.yml"])
def test_while_serving_a_broken_template_or_setting_is_shown_too(server, project, broken):
    good = (project.folder / broken).read_text()
    project.write(broken, good + "\n{% if %}")
    server.builder()
    shown = server.get("ocs/4.3/14-x")
    assert f", the first in {broken}:" in shown
    assert "14.7d A &lt;rule&gt;" in shown
    project.write(broken, good)
    server.builder()
    assert "the first in" not in server.get("ocs/4.3/14-x")


def test_while_serving_a_page_is_rendered_on_request(server, project):
    rendered: list[str] = []

    def counted(page):
        def render():
            rendered.append(page.path)
            return page.body

        return SitePage(page.path, page.title, render, page.place, page.number)

    project.result = replace(BUILT, pages=tuple(map(counted, BUILT.pages)))
    server.builder()
    assert rendered == []
    assert not [*server.root.glob("ocs/**/*.html"), *server.root.glob("404.html")]
    server.error_handler(404)
    assert "No such page here" in (server.root / "404.html").read_text()
    assert '<h2 id="14.7d">14.7d</h2>' in server.get("ocs/4.3/14-x")
    assert "<title>→ 14.7d</title>" in server.get("r/ocs/4.3/14.7d")
    server.get("ocs/4.3/14-x")
    assert rendered == ["ocs/4.3/14-x"]
    project.result = replace(
        BUILT, pages=(*BUILT.pages[:3], changed_page(BUILT.pages[3], path="ocs/4.3/14-y")), nav=()
    )
    server.builder()
    assert '<h2 id="14.7d">14.7d</h2>' in server.get("ocs/4.3/14-y")
    with pytest.raises(FileNotFoundError):
        server.answer({"PATH_INFO": "ocs/4.3/14-x"}, lambda status, given: None)


def test_while_serving_a_page_that_cannot_be_rendered_has_a_message(server, project):
    def broken():
        raise ValueError("the page is broken")

    project.result = replace(BUILT, pages=(*BUILT.pages[:3], SitePage("ocs/4.3/14-x", "Air", broken)))
    server.builder()
    assert "ValueError: the page is broken" in server.get("ocs/4.3/14-x")
    assert "could not be rebuilt" in server.get("ocs/4.3/12-x")
    project.result = BUILT
    server.builder()
    assert "could not be rebuilt" not in server.get("ocs/4.3/14-x")


def test_while_serving_the_checks_run_when_the_page_is_there(server, project):
    asked: list[str] = []

    def later():
        asked.append("checks")
        return (ERROR,)

    serving = server.plugins["rulewright"].serving
    serving._server = None  # whose thread would run them
    project.result = replace(BUILT, problems=(), deferred_problems=later)
    server.builder()
    assert "problem in the content" not in server.get("credits")
    assert asked == []
    serving.check()
    serving.check()
    assert asked == ["checks"]
    assert "1 problem in the content" in server.get("credits")
    assert "no rule 12.8g" in server.get("problems")


@pytest.mark.parametrize(
    ("asked", "status"),
    [
        ({}, "200"),
        ({"HTTP_HOST": "localhost:8000"}, "200"),
        ({"HTTP_HOST": "127.0.0.1:8000", "HTTP_ORIGIN": "http://127.0.0.1:8000"}, "200"),
        ({"HTTP_HOST": "[::1]:8000"}, "200"),
        ({"HTTP_HOST": "192.168.0.7:8000"}, "200"),
        ({"HTTP_HOST": "table.lan:8000"}, "200"),
        ({"HTTP_HOST": "rules.localhost"}, "200"),
        ({"HTTP_HOST": "evil.example:8000"}, "421"),
        ({"HTTP_HOST": "127.0.0.1.evil.example"}, "421"),
        ({"HTTP_HOST": "localhost.evil.example"}, "421"),
        ({"HTTP_HOST": "localhost@evil.example"}, "421"),
        ({"HTTP_HOST": "[::1"}, "421"),
        ({"HTTP_HOST": "/"}, "421"),
        ({"HTTP_HOST": "localhost:8000", "HTTP_ORIGIN": "https://evil.example"}, "403"),
        ({"HTTP_HOST": "localhost:8000", "HTTP_ORIGIN": "null"}, "403"),
        ({"PATH_INFO": "/\0"}, "404"),
        ({"PATH_INFO": "/a\0/../b"}, "404"),
    ],
)
def test_only_what_is_asked_of_the_server_itself_is_answered(asked, status):
    statuses: list[str] = []

    def site(environ: Any, start: Any) -> list[bytes]:
        Path(environ["PATH_INFO"]).stat()
        start("200 OK", [("Content-Type", "text/html")])
        return [b"secret"]

    app = DevServer().wsgi_app(site, "table.lan")
    body = b"".join(app({"PATH_INFO": "/", **asked}, lambda given, headers: statuses.append(given)))
    assert [one[:3] for one in statuses] == [status]
    assert (body == b"secret") == (status == "200")
