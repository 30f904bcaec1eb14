"""The content folder: which file is what, which edition a file belongs to, and what is read again."""

import pytest

from rulewright.book import library as book_library
from rulewright.book.edition_order import newest_editions
from rulewright.book.library import BookLibrary, read_library
from rulewright.files.content_reader import ContentFolder

BOOK = b'title: Harbour\nnumbers: "1.1a"\nchapters: "1.0"\n'
CHAPTER = b'chapter: "1.0"\n"1.1":\n'


def edition(name: str, date: str = "") -> bytes:
    return f'edition: "{name}"\n{f"date: {date}" if date else ""}\n'.encode()


def library(**editions: str) -> BookLibrary:
    """A book with editions by name and date, and a second book without any date."""
    texts = {"content/harbour/rulebook.yml": BOOK, "content/port/rulebook.yml": BOOK}
    for name, date in editions.items():
        texts[f"content/harbour/{name}/edition.yml"] = edition(name, date)
    for name in ("2", "10", "9a"):
        texts[f"content/port/{name}/edition.yml"] = edition(name)
    return read_library(ContentFolder(texts))


def test_a_book_stands_for_its_newest_edition():
    books = library(e1="2020-08-09", e2="2009-02-16", e3="")
    assert books.find_edition("harbour") is books.editions["harbour/e1"]
    assert books.find_edition("port") is books.editions["port/10"]
    assert books.find_edition("harbour/e3") is books.editions["harbour/e3"]
    assert books.find_edition("") is books.find_edition("ship") is books.find_edition("harbour/e4") is None
    assert newest_editions(books.editions.values()) == {
        "harbour": books.editions["harbour/e1"],
        "port": books.editions["port/10"],
    }


@pytest.mark.parametrize(
    ("name", "address"),
    [
        ("content/harbour/e1/rules/1-ships.yml", "harbour/e1"),
        ("content/harbour/e1/a/b/c/faq.md", "harbour/e1"),
        ("content/harbour/e1/", "harbour/e1"),
        ("content/harbour/rulebook.yml", "harbour/e2"),
        ("content/harbour/elsewhere/faq.md", "harbour/e2"),
        ("content/credits.md", None),
        ("content/ship/e1/faq.md", None),
    ],
)
def test_the_edition_of_a_file(name, address):
    found = library(e1="", e2="").edition_of(name)
    assert (found.address if found else None) == address


def test_only_what_has_changed_is_read_again(monkeypatch):
    texts = {
        "content/a/rulebook.yml": BOOK,
        "content/a/1/edition.yml": edition("1"),
        "content/a/1/rules/1.yml": CHAPTER,
        "content/a/1/sequence.yml": b"title: Sequence\nsteps:\n  - pase: Movement\n",
    }
    loaded: list[str] = []
    load = book_library.load_yaml_tree
    monkeypatch.setattr(
        book_library, "load_yaml_tree", lambda name, data: (loaded.append(name), load(name, data))[1]
    )
    cache: book_library.Cache = {}
    first = read_library(ContentFolder(texts), cache)
    assert sorted(loaded) == sorted(texts)
    loaded.clear()
    again = read_library(ContentFolder(dict(texts)), cache)
    assert loaded == []
    assert again.problems == first.problems
    assert again.editions["a/1"].chapters == first.editions["a/1"].chapters
    texts["content/a/1/rules/1.yml"] = CHAPTER.replace(b"1.1", b"1.2")
    assert read_library(ContentFolder(texts), cache).editions["a/1"].chapters[0].rules[0].number == "1.2"
    assert loaded == ["content/a/1/rules/1.yml"]
