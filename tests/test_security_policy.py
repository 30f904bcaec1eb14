"""The security policy: each page states it, and a browser enforces it."""

import re

import pytest
from playwright.sync_api import expect
from web import HEARD_REFUSED, served


@pytest.fixture(scope="module")
def address(pages):
    with served(pages) as root:
        yield root


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


def test_the_pages_keep_to_their_policy(page):
    """Reading, jumping, searching, a preview, a palette: the browser refuses nothing."""
    messages: list[str] = []
    page.on("console", lambda heard: messages.append(heard.text) if "ontent Security" in heard.text else None)
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
    assert not messages
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
        "all => all.every((one) => window.refused.some((line) => line.split(' ')[0] === one))", arg=REFUSED
    )
    assert page.evaluate("window.ran") == []
    assert not [url for url in reached if "evil.example" in url]
    assert page.evaluate("document.baseURI").startswith("http://127.0.0.1")
