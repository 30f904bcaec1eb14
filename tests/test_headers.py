"""The headers that a server is told to send: the pages' own policy, to which a browser then holds them."""

import re
from collections.abc import Iterator, Mapping
from fnmatch import fnmatch
from pathlib import Path

import pytest
from playwright.sync_api import Browser
from projects import Project
from web import HEARD_REFUSED, served

from rulewright.render.content_security_policy import (
    CSP,
    DRAWING,
    ONLY_SENT,
    SAFE,
    page_policy,
    policy_of_page,
    server_policy,
)
from rulewright.render.http_headers import netlify_headers

PAGES = ["", "ocs/4.3/12-supply/", "ocs/4.3/play/", "ocs/4.3/tables/", "404.html"]


def rules(text: str) -> dict[str, dict[str, str]]:
    """The rules of a `_headers` file: the headers by the paths that they are for."""
    found: dict[str, dict[str, str]] = {}
    for line in text.splitlines():
        if line.startswith(" "):
            name, _, value = line.strip().partition(": ")
            found[next(reversed(found))][name] = value
        else:
            found[line] = {}
    return found


@pytest.fixture(scope="module")
def told(pages: Path) -> dict[str, dict[str, str]]:
    return rules(netlify_headers(server_policy(page.read_bytes() for page in pages.rglob("*.html"))))


@pytest.fixture(scope="module")
def address(pages: Path, told: dict[str, dict[str, str]]) -> Iterator[str]:
    def more(path: str) -> Mapping[str, str]:
        merged: dict[str, str] = {}
        for pattern, headers in told.items():
            if fnmatch(path, pattern):  # several policies are one with all of them
                merged |= {n: f"{merged[n]}, {v}" if n in merged else v for n, v in headers.items()}
        return merged

    with served(pages, more) as root:
        yield root


def parts(text: str) -> dict[str, set[str]]:
    found = (part.strip().split() for part in text.split(";"))
    return {name: set(values) for name, *values in found}


def test_the_policy_that_is_sent_is_that_of_the_pages_and_what_only_a_server_says(pages, told):
    header = parts(told["/*"][CSP])
    scripts = header.pop("script-src")
    assert header.pop("frame-ancestors") == {"'none'"}
    used = {"'self'"}
    for file in pages.rglob("*.html"):
        own = parts(policy_of_page(file.read_bytes()))
        assert own.get("script-src", set()) <= scripts, file
        used |= own.pop("script-src", set())
        assert own == header or own == parts("default-src 'none'; img-src data:"), file
    assert used == scripts
    assert not [one for one in scripts if "unsafe" in one or "*" in one or ":" in one]


def test_a_server_is_told_of_pages_drawings_and_the_worker(pages: Path) -> None:
    whole = server_policy(page.read_bytes() for page in pages.rglob("*.html"))
    text = netlify_headers(whole, "/rules/")
    assert whole in text
    assert text.count(DRAWING) == 1
    assert all(name in text and value in text for name, value in SAFE.items())
    assert "/rules/sw.js" in text
    assert CSP not in netlify_headers("", "/")  # the content is trusted, and the pages state none


def test_a_site_that_is_trusted_is_sent_no_policy() -> None:
    page = f'<meta http-equiv="Content-Security-Policy" content="{page_policy()}">'.encode()
    assert server_policy([page, page]) == f"{page_policy()}; {ONLY_SENT}"
    assert server_policy([page], trusted=True) == ""


def test_the_pages_keep_to_what_is_sent(browser: Browser, address: str) -> None:
    context = browser.new_context(base_url=f"{address}/")
    context.add_init_script(HEARD_REFUSED)
    page = context.new_page()
    for path in PAGES:
        page.goto(path)
        page.wait_for_load_state("networkidle")
        assert page.evaluate("window.refused") == [], path
    page.goto("ocs/4.3/play/")
    page.evaluate("navigator.serviceWorker.ready.then(() => 0)")
    assert page.evaluate("navigator.serviceWorker.ready.then(({ scope }) => scope)") == f"{address}/"
    wider = "navigator.serviceWorker.register('/assets/rulewright.js', { scope: '/' }).then(() => 1, () => 0)"
    assert page.evaluate(wider) == 0
    context.close()


def test_what_a_page_lacks_is_refused_by_what_is_sent(browser, pages, told, tmp_path):
    """Pages that state nothing themselves, and a drawing."""
    svg = "<svg xmlns='http://www.w3.org/2000/svg' onload='document.title=1'><script>ran = 1</script></svg>"
    (tmp_path / "a.svg").write_text(svg)
    (tmp_path / "a.html").write_text(
        "<title></title><script>ran = 1</script><p onclick=x()><iframe src=a.svg></iframe>"
        "<img src=https://evil.example/x onerror='ran = 1'>"
    )
    headers = {".html": told["/*"], ".svg": {**told["/*"], **told["/*.svg"]}}
    with served(tmp_path, lambda path: headers.get(Path(path).suffix, {})) as root:
        context = browser.new_context()
        asked: list[str] = []
        context.on("requestfinished", lambda request: asked.append(request.url))
        page = context.new_page()
        for file in ("a.html", "a.svg"):
            page.goto(f"{root}/{file}")
            assert page.evaluate("typeof ran") == "undefined"
        assert not [url for url in asked if "evil" in url]
        page.goto("about:blank")
        page.set_content(f"<iframe src='{root}/a.html'></iframe>")
        page.wait_for_timeout(200)
        assert not any("<script" in one.content() for one in page.frames if root in one.url)
        context.close()


def test_the_build_writes_them_where_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project = Project(tmp_path)
    monkeypatch.setattr("rulewright.app.build_pipeline.build", project.line)
    project.build()
    assert not (project.site / "_headers").exists()
    settings = project.folder / "mkdocs.yml"
    settings.write_text(
        re.sub(r"(?m)^  - rulewright$", "  - rulewright: {headers: true}", settings.read_text())
    )
    project.build()
    found = rules((project.site / "_headers").read_text())
    assert found["/*"][CSP] == server_policy(page.read_bytes() for page in project.site.rglob("*.html"))
    assert found["/*.svg"][CSP] == DRAWING
