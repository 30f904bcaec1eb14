"""What people write on pages and draw in SVG is shown; what could run in it, or ask another host, is not."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as Xml

import pytest
from hypothesis import given
from hypothesis import strategies as st
from projects import BUILT, Project

from rulewright.files.content_reader import read_content_folder
from rulewright.files.sanitizer import sanitize_html, sanitize_svg
from rulewright.references.content_page import MARK, LinkedPage, PageReference

RUNS = re.compile(
    r"<(?:script|iframe|object|embed|base|meta|link|form|svg|math|style|template|animate|set|foreignObject)\b"
    r"|<[^<>]*\s(?:on\w+|srcdoc|formaction|data-\w+)\s*=|(?:java|vb)script:",
    re.IGNORECASE,
)
PIECES = [
    "<script>", "</script>", "<svg", " onload=x()", ">", "<img src=x", " onerror='x()'", "<a href=",
    "javascript:", "java\tscript:x", "JaVaScRiPt:x", "&#106;avascript:x", '"', "'", "<style>", "</style>",
    "<!--", "-->", "<math>", "<mtext>", "<title>", "</title>", "<noscript>", "<template>", "<iframe srcdoc=",
    "`", "<p id=__config", " data-moves=x", "//evil.example", "\x00", "<table>", "<form action=", "</p>",
    "<![CDATA[", "]]>", "x", " ",
]  # fmt: skip
SAFE = """\
| a | b |
|---|--:|
| 1 | 2 |

!!! note "Look"
    Here.[^1]

[^1]: There.

Fuel
:   What *trucks* carry.

A line.
{: #own .wide title="t" }

![A map](map.png){ width=300 }

<ul class="task-list"><li class="task-list-item"><input type="checkbox" disabled checked> Done</li></ul>
"""


def article(project: Project, path: str) -> str:
    found = re.search(r"<article.*?</article>", project.page(path), re.DOTALL)
    return found[0]


@given(st.lists(st.sampled_from(PIECES), max_size=14).map("".join))
def test_whatever_is_put_together_nothing_is_left_that_runs(html):
    clean = sanitize_html(html)
    assert not [tag for tag in re.findall("<[^<>]*>", clean) if RUNS.search(tag)]
    assert sanitize_html(clean) == clean


def test_what_editors_use_stays(project, caplog):
    project.write("content/map.png", "picture")
    project.write("content/page.md", SAFE)
    project.build()
    html = article(project, "page")
    for part in (
        '<td style="text-align:right">2</td>',
        '<div class="admonition note">',
        'id="fn:1"',
        'href="#fnref:1"',
        "<dd>What <em>trucks</em> carry.</dd>",
        '<p class="wide" id="own" title="t">',
        'src="../map.png"',
        'width="300"',
        '<input type="checkbox"',
    ):
        assert part in html, part
    assert not [one for one in caplog.messages if "left out" in one]


def test_scripts_are_left_out_and_reported(project, caplog):
    project.write(
        "content/page.md",
        "---\ntitle: a</title><script>x()</script>\ndescription: '\"><script>x()'\nauthor: '\"><b>'\n---\n"
        '# H {: data-toc-label="<img src=x onerror=x()>" }\n\n<script>x()</script>\n\n[a](javascript:x())\n\n'
        "B\n{: onclick=x() }\n\n![p](https://evil.example/p.png)\n\n<i id=__config>{}</i>\n",
    )
    project.build()
    html = project.page("page")
    for bad in ("x()</script>", "javascript:x", "onclick", "<img src=x", "evil.example", '"><b>', "<i id"):
        assert bad not in html, bad
    [message] = [one for one in caplog.messages if "left out" in one]
    assert message == (
        "content/page.md:1:1: left out, since it could run something or asks another host: "
        "href of a, id of i, onclick of p, onerror of img, script, src of img"
    )


PLANTED = '</title><i id=ours>"x'
ESCAPED = PLANTED.replace("<", "&lt;").replace(">", "&gt;")
HEADINGS = {
    "plain": f"# {PLANTED}\n",
    "code": f"# A `{PLANTED}` b\n",
    "entities": f"# {ESCAPED}\n",
    "below it": f"# A\n\n## B `{PLANTED}`\n",
    "front matter": f"---\ntitle: '{PLANTED}'\n---\n",
}


@pytest.mark.parametrize("where", HEADINGS)
@pytest.mark.parametrize("trusted", [False, True])
def test_no_title_of_a_page_ends_the_title_of_the_document(where, trusted, project):
    if trusted and where in ("front matter", "plain"):
        pytest.skip("who is trusted may write HTML there")
    settings = (project.folder / "mkdocs.yml").read_text()
    if trusted:
        project.write("mkdocs.yml", settings.replace("- rulewright", "- rulewright: {trusted: true}"))
    project.write("content/page.md", f"{HEADINGS[where]}\nText.\n")
    config = project.build()
    assert config.plugins["rulewright"].config.trusted == trusted
    for page in ("page", "credits", "ocs/4.3"):
        head, _, rest = project.page(page).partition("</title>")
        assert head.count("<title>") == 1
        assert "<i id=ours" not in head + rest
        assert "</title>" not in re.sub("<svg.*?</svg>", "", rest, flags=re.DOTALL)


def test_a_page_that_markdown_breaks_off_at_is_shown_as_it_is_written(project, caplog):
    project.write("content/page.md", "*a **b " * 1_200 + "c** d* " * 1_200)
    project.build()
    assert "<pre>" in article(project, "page")
    deep = "content/page.md:1:1: lists, quotes or emphasis are nested too deeply"
    assert [one for one in caplog.messages if one.startswith(deep)]


def test_a_publisher_who_trusts_the_content_gets_it_as_it_is(project):
    settings = (project.folder / "mkdocs.yml").read_text()
    project.write("mkdocs.yml", settings.replace("  - rulewright\n", "  - rulewright: {trusted: true}\n"))
    project.write("content/page.md", "# H\n\n<script>x()</script>\n")
    project.write("content/a.svg", "<svg onload='x()'/>")
    project.write("content/b.html", "<script>x()</script>")
    project.build()
    assert "<script>x()</script>" in article(project, "page")
    assert (project.site / "a.svg").read_text() == "<svg onload='x()'/>"
    assert not [
        problem
        for problem in read_content_folder(project.folder).problems
        if problem.code == "file-that-runs"
    ]


@pytest.mark.parametrize("where", ["{}", "# {}", "| a |\n|---|\n| {} |", "<div>{}</div>"])
def test_what_another_site_calls_its_things_is_never_markup(where, project):
    """A name there, and a site's title, stay words in each place that a reference can stand in."""
    words = '![onmouseover=x()](a) **b** `c` "><img src=x onerror=x()> [d](javascript:x()) {: onclick=x() }|e'
    away = PageReference("https://a.example/?a&b#c", words, words)
    text = where.format(MARK.format(0))
    project.result = replace(BUILT, linked_pages={"content/page.md": LinkedPage(text, (away,))})
    project.write("content/page.md", text)
    project.build()
    html = article(project, "page")
    [link] = re.findall(r'<a class="ref away"[^<]*</a>', html)
    read = Xml.fromstring(link)
    assert (read.text, read.get("title"), read.get("href")) == (words, words, "https://a.example/?a&b#c")
    assert len(re.findall(r"<(?:img|strong|code)\b", html)) == 0


SVG = (
    '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
    'viewBox="0 0 9 9">{}</svg>'
)


@pytest.mark.parametrize(
    "inside",
    [
        "<script>x()</script>",
        "<g onload='x()'/>",
        "<a xlink:href='javascript:x()'><text>t</text></a>",
        "<a href='https://evil.example/'/>",
        "<foreignObject><body xmlns='http://www.w3.org/1999/xhtml' onload='x()'/></foreignObject>",
        "<animate attributeName='href' to='javascript:x()'/>",
        "<image href='https://evil.example/p.png'/>",
        "<image href='data:image/svg+xml;base64,PHN2Zz4='/>",
        "<style>@import 'https://evil.example/'</style>",
        "<rect style='fill:url(https://evil.example/)'/>",
        "<rect filter='url( https://evil.example/#a)'/>",
        "<h:script xmlns:h='http://www.w3.org/1999/xhtml'>x()</h:script>",
        "<?xml-stylesheet href='https://evil.example/'?>",
    ],
)
def test_a_drawing_neither_runs_nor_asks(inside):
    clean = sanitize_svg(SVG.format(f"{inside}<path d='M0 0'/>").encode())
    assert clean is not None
    assert not re.search(rb"x\(\)|evil|script|base64|foreign|animate", clean)
    assert b'<path d="M0 0" />' in clean


def test_a_site_has_its_drawings_clean(project, caplog):
    project.write("content/a.svg", SVG.format("<script>x()</script><path/>"))
    project.write("content/b.svg", "none")
    project.build()
    assert "script" not in (project.site / "a.svg").read_text()
    assert not (project.site / "b.svg").exists()
    assert "content/b.svg:1:1: left out, since it is not a valid SVG image" in caplog.messages


@pytest.mark.parametrize("link", ["a.png", "a.md", "folder"])
def test_what_a_link_leads_to_outside_of_the_content_is_not_published(link, project, caplog):
    outside: Any = project.folder / "outside"
    outside.mkdir()
    for name in ("secret.png", "secret.md"):
        (outside / name).write_text("secret")
    to = outside if link == "folder" else (outside / "secret").with_suffix(Path(link).suffix)
    (project.folder / "content" / link).symlink_to(to)
    project.build()
    assert not [path for path in project.site.rglob("*") if path.is_file() and b"secret" in path.read_bytes()]
    assert [one for one in caplog.messages if "leads out of the content" in one]
