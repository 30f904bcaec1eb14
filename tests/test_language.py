"""The language of a book: what its pages, sheets and rulebook are hyphenated, read aloud and found by."""

import re
import subprocess
import sys

import pikepdf
import pypdfium2
import pytest
from playwright.sync_api import expect
from web import reader, served

BOOK = """language: {}
title: Steppe
numbers: "1.1a"
chapters: "1.0"
"""
RULES = """chapter: "1.0"
title: Bewegung
"1.1 Ziehen": |
  {} gelten gleichzeitig (see 1.2).
"1.2 Gelände": |
  Ein Wald kostet zwei Punkte, und jede Brigade hält dort.
"""
SEQUENCE = """title: Spielablauf
steps:
  - phase: Bewegung
    see: "1.1"
"""
WORDS = ["Gefecht", "Marsch", "Feuer", "Angriff", "Verteidigung", "Abwehr", "Einsatz", "Kampf", "Ruf"]
LONG = " und ".join(f"{word.removesuffix('s')}sbereitschaft" for word in WORDS * 8)


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The site of a German book, of one in a language without stems, and of one that names none."""
    project = tmp_path_factory.mktemp("language")
    (project / "mkdocs.yml").write_text(
        "site_name: S\ntheme: {name: material}\nplugins: [rulewright]\ndocs_dir: content\n"
    )
    for name, language in (("de", "de"), ("ja", "ja"), ("en", "en")):
        folder = project / "content" / name
        (folder / "1" / "rules").mkdir(parents=True)
        book = BOOK.format(language)
        (folder / "rulebook.yml").write_text(book if name != "en" else book.partition("\n")[2], "utf-8")
        (folder / "1" / "edition.yml").write_text('edition: "1"\n')
        (folder / "1" / "sequence.yml").write_text(SEQUENCE)
        (folder / "1" / "rules" / "1-moves.yml").write_text(RULES.format(LONG), "utf-8")
    (project / "content" / "index.md").write_text("# Home\n\nAll books.\n")
    command = [sys.executable, "-m", "rulewright", "build", "--strict", "--project", str(project)]
    done = subprocess.run(command, cwd=project, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return project / "site"


@pytest.mark.parametrize("book", ["de", "ja", "en"])
def test_a_page_says_the_language_of_its_book(site, book):
    pages = [*(site / book).rglob("index.html")]
    assert len(pages) > 3
    for page in pages:
        if 'http-equiv="refresh"' not in (text := page.read_text("utf-8")):
            assert f'<html lang="{book}"' in text, page
            ours = re.findall(r'<a class="rw-jump find"( lang="en")?', text)
            assert ours == (["" if book == "en" else ' lang="en"']), page
    assert '<html lang="en"' in (site / "index.html").read_text("utf-8")


@pytest.mark.parametrize("book", ["de", "en"])
def test_titles_of_generated_pages_are_marked_as_english(site, book):
    """In the contents beside a page and in the footer, next to titles in the language of the book."""
    chapter = next((site / book / "1").glob("1-*/index.html")).read_text("utf-8")
    mark = "" if book == "en" else ' lang="en"'
    assert f'<a href="../play/"{mark}>Play a turn</a>' in chapter
    footer = re.findall(r'<a rel="(?:prev|next)".*?</a>', chapter)
    assert any(f" <span{mark}>Play a turn</span></a>" in link for link in footer), footer


@pytest.mark.parametrize("book", ["de", "en"])
def test_a_rulebook_is_hyphenated_by_its_language(site, book):
    file = site / book / "1" / "rulebook.pdf"
    with pikepdf.open(file) as pdf:
        assert str(pdf.Root.Lang).startswith(book)
    document = pypdfium2.PdfDocument(file)
    text = "".join(page.get_textpage().get_text_bounded() for page in document)
    ends = set(re.findall(r"\w[-\x02\ufffe\xad]\s*\n?(\w+schaft|itschaft)\b", text))
    assert "bereitschaft" in ends or "reitschaft" in ends
    assert ("itschaft" in ends) == (book == "en"), (
        "German parts be-reit-schaft, English patterns bere-itschaft"
    )


def test_words_are_found_by_the_stems_of_the_language(site, browser):
    stems = {file.name for file in (site / "assets").glob("stem-*.js")}
    assert stems == {"stem-de.js", "stem-ja.js", "stem-en.js"}
    with served(site) as address, reader(browser, address) as context:
        for book, typed in (("de", "kosten wälder für brigaden punkte "), ("ja", "Brigade ")):
            page = context.new_page()
            page.goto(f"{address}/{book}/1/")
            page.keyboard.press("/")
            page.keyboard.type(typed)
            expect(page.locator("#jump-list > a").first).to_contain_text("Gelände")
            page.close()
