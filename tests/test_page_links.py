"""Links of pages: the check tells those that lead nowhere in the finished site, and no other."""

import re
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urljoin, urlsplit

import pytest

from rulewright.app.mkdocs_runner import build_site
from rulewright.checks.content_check import check_content
from rulewright.files.content_reader import read_content_folder
from rulewright.files.disk_cache import project_cache
from tests.projects import new_project

LINKS = [
    line.replace("⏎", "\n")
    for line in Path(__file__).with_name("page_links.txt").read_text("utf-8").splitlines()
    if line and not line.startswith("%")
]
DEFINED = {"there": "other.md", "gone": "gone.md 'of it'", "sort": "other.md#gone", "pictured": "none.png"}
PAGE = (
    "# Here\n\n{}\n\n## Set {{#by-hand}}\n\n<i id='raw'>x</i> text[^1]\n\n```\n<i id='in-code'>\n```\n"
    "\n[^1]: A note.\n"
)
FILES = {
    "other.md": "# Other\n\n## Part\n\n<i id='named-there'>y</i>\n",
    "a_b_c.md": "# C\n",
    "deep/inner.md": "# Inner\n",
    "map.pdf": "%PDF-1.4",
    "our map.png": "GIF89a",
}
HOMES = ("base/1", "base", "")


class Arrives(HTMLParser):
    """The addresses on a page, and its anchors."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.leads: list[str] = []
        self.anchors = {"", "top"}
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.anchors |= {given.get("id") or "", (tag == "a" and given.get("name")) or ""}
        address = given.get("href" if tag == "a" else "src")
        if (
            tag in ("a", "img")
            and address is not None
            and given.get("class") not in ("headerlink", "footnote-ref")
        ):
            self.leads.append(address)


def page_of(site: Path, address: str) -> Path | None:
    """The file that a server shows for an address, with a slash at its end or without."""
    path = site / unquote(urlsplit(address).path).lstrip("/")
    path = path / "index.html" if path.is_dir() else path
    return path if path.is_file() else None


def leads_nowhere(site: Path, page: str, html: str) -> bool:
    """Whether a link of the words of a page fails a reader."""
    for lead in Arrives(html).leads:
        address = urljoin(f"http://site/{page}", lead)
        if not address.startswith("http://site/"):
            continue
        there, anchor = page_of(site, address), unquote(urlsplit(address).fragment)
        if there is None:
            return True
        known = (
            there.suffix != ".html"
            or anchor.startswith(":~:")
            or anchor in Arrives(there.read_text()).anchors
        )
        if not known:
            return True
    return False


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """A book with a page for each link in each of three folders, built; and what the check says of each."""
    folder = tmp_path_factory.mktemp("links") / "base"
    new_project(folder)
    for home in HOMES:
        for name, text in FILES.items():
            path = folder / "content" / home / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        for at, link in enumerate(LINKS):
            used = (f"\n\n[{label}]: {to}\n" for label, to in DEFINED.items() if f"[{label}]" in link)
            (folder / "content" / home / f"l{at}.md").write_text(PAGE.format(link) + "".join(used))
    (folder / "content/base/faq.md").write_text("# FAQ\n")
    by_file: dict[str, list[str]] = {}
    for problem in check_content(
        read_content_folder(folder), project_cache("examined", folder), folder
    ).problems:
        by_file.setdefault(problem.place.file, []).append(str(problem))
    build_site(folder, prints=False)
    return folder, by_file


def test_the_check_tells_what_leads_nowhere_and_nothing_else(built):
    folder, by_file = built
    wrong = []
    for home in HOMES:
        for at, link in enumerate(LINKS):
            page = f"{home}/l{at}/".lstrip("/")
            html = (folder / "site" / page / "index.html").read_text()
            article = re.search(r"<article.*</article>", html, re.DOTALL)
            assert article
            reported = by_file.get(f"content/{page.rstrip('/')}.md", [])
            if leads_nowhere(folder / "site", page, article[0]) != bool(reported):
                wrong.append((home, link, reported))
    assert not wrong, "\n".join(map(str, wrong))


NEAREST = {
    "[a](othr.md)": "othr.md; did you mean other.md?",
    "[a](deeper/other.md#part)": "deeper/other.md#part; did you mean other.md#part?",
    "[a](1-movement/#1.1)": "1-movement/#1.1; did you mean base/1/1-movement.md#1.1?",
    "[a](inner.md)": "inner.md; did you mean deep/inner.md?",
    "![a](pictures/our%20map.png)": "pictures/our%20map.png; did you mean our%20map.png?",
    "![a](other.png)": "there is no picture other.png [",
    "<a href='othr/'>a</a>": "there is no page or file othr/ [",
    "[a]: gone.md": "there is no page or file gone.md [",
    "[a](other.md#prt)": "the page other has no anchor prt; did you mean part? [page-anchor-not-found]",
    "[a](base/1/1-movement.md#1.9)": "the page base/1/1-movement has no anchor 1.9; did you mean 1.2?",
    "[a](zzz.md)": "there is no page or file zzz.md [page-link-not-found]",
}


def lone(tmp_path: Path, words: str) -> Path:
    folder = tmp_path / "base"
    new_project(folder)
    for name, text in {**FILES, "page.md": f"{words}\n"}.items():
        (folder / "content" / name).parent.mkdir(exist_ok=True)
        (folder / "content" / name).write_text(text)
    return folder


def problems_of(folder: Path) -> list[str]:
    return list(
        map(
            str,
            check_content(read_content_folder(folder), project_cache("examined", folder), folder).problems,
        )
    )


@pytest.mark.parametrize("link", NEAREST)
def test_the_nearest_right_address_is_named(link, tmp_path):
    (message,) = problems_of(lone(tmp_path, link))
    assert NEAREST[link] in message
    assert message.startswith("content/page.md:1:")


UNPUBLISHED = {
    "exclude_docs: other.md": ("other.md", "page or file other.md"),
    "exclude_docs: |\n  *.png\n  !logo.png": ("our%20map.png", "page or file our%20map.png"),
    "draft_docs: /deep/": ("deep/inner.md", "page or file deep/inner.md"),
    "not_in_nav: other.md": ("other.md", ""),
    "exclude_docs: ''": ("templates/mail.md", "page or file templates/mail.md"),
    "draft_docs:": ("base/1/references.lock", "page or file base/1/references.lock"),
}


@pytest.mark.parametrize("settings", UNPUBLISHED)
def test_what_is_not_published_cannot_be_linked(settings, tmp_path):
    to, right = UNPUBLISHED[settings]
    folder = lone(tmp_path, f"[a]({to})")
    (folder / "content/templates").mkdir()
    (folder / "content/templates/mail.md").write_text("Words.\n")
    (folder / "content/base/1/references.lock").write_text("sheet\trulebook\t01234567\t2024-06-01\n")
    (folder / "mkdocs.yml").write_text(f"site_name: B\nplugins: [rulewright]\n{settings}\n")
    assert [
        one.partition("there is no ")[2].partition(" [")[0].partition(";")[0] for one in problems_of(folder)
    ] == [*filter(None, [right])]
    (folder / "content/page.md").write_text("Words.\n")
    assert build_site(folder, strict=True, prints=False).published
