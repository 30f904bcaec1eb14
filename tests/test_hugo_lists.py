"""Every list of a Hugo site is the same here, on pages and in rules: as a plain reader of CommonMark says."""

import re
import tempfile
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import markdown
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from rulewright.app.mkdocs_plugin.theming import EXTENSIONS
from rulewright.importers.website.hugo_site import read_site
from rulewright.importers.website.site_import import Request, import_site
from rulewright.text.document import Document
from tests.plain_chapter import plain_chapter
from tests.test_prose import blocks

ROOT = Path(__file__).parent.parent
WORDS = st.lists(st.sampled_from(("units", "move", "fight", "dig", "ride")), min_size=1, max_size=3)
COMMONMARK = MarkdownIt("commonmark")


@st.composite
def listings(draw: st.DrawFn, depth: int = 0) -> list[str]:
    """The lines of a list as any editor may write it: any sign, any indent that does, tight or loose."""
    ordered = draw(st.booleans())
    sign = draw(st.sampled_from(".)" if ordered else "-*+"))
    number = draw(st.sampled_from((1, 1, 1, 3, 9)))
    loose = draw(st.booleans())
    made: list[str] = []
    for at in range(draw(st.integers(2, 3))):
        if loose and at:
            made.append("")
        marker = f"{number + at}{sign}" if ordered else sign
        marker += " " * draw(st.integers(1, 3))
        lines = [" ".join(draw(WORDS)) for _ in range(draw(st.integers(1, 2)))]
        if depth < 2 and draw(st.integers(0, 3)) == 0:
            inner = draw(listings(depth + 1))
            gap = [""] if loose or re.match(r"(?!1\D)\d", inner[0]) else []
            lines += [*gap, *inner]
        lazy = draw(st.booleans()) and len(lines) == 2
        made += [
            f"{marker if not n else ' ' * (0 if lazy else len(marker))}{line}" if line else ""
            for n, line in enumerate(lines)
        ]
    return made


@st.composite
def bodies(draw: st.DrawFn) -> str:
    """Paragraphs and lists, behind each other with an empty line or without one."""
    made: list[str] = []
    for _ in range(draw(st.integers(1, 4))):
        if draw(st.booleans()):
            made += [" ".join(draw(WORDS)).capitalize() + draw(st.sampled_from((".", ":")))]
        else:
            lines = draw(listings())
            # A list that begins with another number than 1 is none behind a paragraph.
            tight = made and made[-1] and not re.match(r"(?!1\D)\d", lines[0])
            made += [*([] if tight and draw(st.booleans()) else [""]), *lines]
        made += [""] * draw(st.integers(0, 1)) if not made[-1].startswith("U") else [""]
    return "\n".join(made).strip("\n")


class Shape(HTMLParser):
    """The words and lists of a page: a list as its first number, 0 for bullets, and its items."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.lists: list[Any] = []
        self.open: list[list[Any]] = [self.lists]
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in ("ul", "ol"):
            made: list[Any] = [int(dict(attrs).get("start") or 1) if tag == "ol" else 0]
            self.open[-1].append(made)
            self.open.append(made)
        elif tag == "li":
            item: list[Any] = [""]
            self.open[-1].append(item)
            self.open.append(item)

    def handle_endtag(self, tag: str) -> None:
        if tag in ("ul", "ol", "li"):
            self.open.pop()

    def handle_data(self, data: str) -> None:
        if len(self.open) > 1 and isinstance(self.open[-1][0], str):
            self.open[-1][0] = " ".join(f"{self.open[-1][0]} {data}".split())
        elif data.strip() and len(self.open) == 1:
            self.lists.append(" ".join(data.split()))


def shape(html: str) -> list[Any]:
    return _joined(Shape(html).lists)


def _joined(found: list[Any]) -> list[Any]:
    """Lists in a row as one where the second goes on as the first counts: nobody sees where that ends."""
    made: list[Any] = []
    for one in found:
        if isinstance(one, list):
            one = _joined(one)
            if isinstance(one[0], int) and made and isinstance(made[-1], list):
                first, *items = made[-1]
                if one[0] == (first and first + len(items)):
                    made[-1] += one[1:]
                    continue
        made.append(one)
    return made


def imported(text: str, numbered: bool) -> str:
    """The page, or the rule, that the text of a page becomes, as the site shows it."""
    head = "---\ntitle: 2.0 Play\n---\n## 2.1 Rest\n\n" if numbered else "---\ntitle: Thanks\n---\n"
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "1.md").write_text("---\ntitle: 1.0 Roads\n---\n## 1.1 Rails\n\nNone.\n")
        Path(folder, "2.md").write_text(f"{head}{text}\n")
        made = import_site(read_site(Path(folder), "rules"), Request("book", "1"), "site", lambda *_: None)
    assert not made.receipt.lost
    assert not any(account.gained for account in made.receipt.accounts)
    if numbered:
        rules = plain_chapter(made.files["content/book/1/rules/2-play.yml"])["rules"]
        return blocks(Document(rules[0]["text"]))
    page = made.files["content/book/1/2.md"].decode().partition("\n\n")[2]
    return markdown.markdown(page, extensions=[*EXTENSIONS, "fenced_code"])


@given(bodies())
@settings(
    max_examples=2 * settings().max_examples, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
def test_lists_on_pages(text: str) -> None:
    assert shape(imported(text, numbered=False)) == shape(COMMONMARK.render(text))


@given(bodies())
@settings(
    max_examples=2 * settings().max_examples, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
def test_lists_in_rules(text: str) -> None:
    assert shape(imported(text, numbered=True)) == shape(COMMONMARK.render(text))
