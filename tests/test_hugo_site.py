"""A Hugo site as it is read: ids of headings, addresses of pages, what links lead to, and what is wrong."""

import re
from pathlib import Path

import pytest

from rulewright.imports.sources.slugs import Slugs
from rulewright.imports.sources.source_site import SourceSite, read_site
from tests.casefiles import Case, cases
from tests.test_checks import files, unescaped

CASES = cases("hugo-sites")
HEADING = re.compile(r"^#{1,6}(?:[ \t]+(.*))?$", re.MULTILINE)


def ids(page: str, slugs: Slugs) -> list[str]:
    return [slugs.heading(m[1] or "") for m in HEADING.finditer(page)]


@pytest.mark.parametrize("case", [c for c in CASES if not c.text("headings", "")], ids=str)
def test_sites(case, tmp_path, monkeypatch):
    write(case, tmp_path)
    monkeypatch.chdir(tmp_path)
    site = read_site(
        Path(case.text("folder", "site").strip()), is_hugo=True, address=case.text("at", "").strip()
    )
    case.agrees("\n".join([*shown(site), *map(str, sorted(site.problems))]), case.text("expect"))


def shown(site: SourceSite) -> list[str]:
    pages = [" ".join((page.address, page.name, *page.aliases)) for page in site.pages]
    return [*pages, *site.files]


def write(case: Case, folder: Path) -> None:
    """The files of a case: `file` is text, `bytes` has Python's escapes, `link` leads to what it holds."""
    for what, name, text in files(case):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if what == "link":
            path.symlink_to(text.strip())
        else:
            path.write_bytes(unescaped(text) if what == "bytes" else text.encode())


@pytest.mark.parametrize(
    ("link", "leads"),
    [
        ("../2-storms/#21-wind", "2-storms.md#21-wind"),
        ("/book/rules/2-storms", "2-storms.md"),
        ("/book/rules/2-Storms/index.html#x", "2-storms.md#x"),
        ("https://example.org/book/rules/2-storms/", "2-storms.md"),
        ("https://example.com/book/rules/2-storms/", "elsewhere"),
        ("mailto:a@example.org", "elsewhere"),
        ("http://[", "elsewhere"),
        ("#13-boats", "1-ships.md#13-boats"),
        ("2-storms.md#21-wind", "2-storms.md#21-wind"),
        ("2-storms", "2-storms.md"),
        ("../#top", "_index.md#top"),
        ("../9-nothing/", "/rules/9-nothing/"),
        ("/book/wave.png", "wave.png"),
        ("../old%20ships/", "1-ships.md"),
        ("", "1-ships.md"),
    ],
)
def test_what_a_link_leads_to(tmp_path, link, leads):
    (tmp_path / "content" / "rules").mkdir(parents=True)
    (tmp_path / "static").mkdir()
    (tmp_path / "static" / "wave.png").write_bytes(b"picture")
    (tmp_path / "hugo.toml").write_text('baseURL = "https://example.org/book/"')
    for name in ("_index", "2-storms"):
        (tmp_path / f"content/rules/{name}.md").write_text("---\n---\n")
    (tmp_path / "content/rules/1-ships.md").write_text("---\naliases: ['old ships']\n---\n")
    site = read_site(tmp_path, is_hugo=True)
    page = next(page for page in site.pages if page.name.endswith("1-ships.md"))
    target = site.target(page, link)
    if target is None:
        assert leads == "elsewhere"
        return
    name = target.page.name.removeprefix("rules/") if target.page else ""
    where = name or (target.file.name if target.file else target.address)
    where += f"#{target.anchor}" if target.anchor else ""
    assert where == leads


def test_every_link_of_the_sample_pages_that_leads_to_one_of_them_finds_its_heading():
    """The anchors that the pages' editor wrote by hand agree with the ids computed here, all but one."""
    site = read_site(Path(__file__).parent / "samples/hugo-book", is_hugo=True, address="rules/harbour-1")
    anchors = {page.name: ids(page.body, Slugs()) for page in site.pages}
    found, missed = 0, []
    for page in site.pages:
        for m in re.finditer(r"\]\(([^)\s]+)\)", page.body):
            target = site.target(page, m[1])
            if target and target.page and target.anchor:
                found += 1
                if target.anchor not in anchors[target.page.name]:
                    missed.append((page.name, m[1]))
    assert found >= 13
    assert missed == [("rules/harbour-1/2-0-sequence-of-play.md", "../#12-cargo")]
