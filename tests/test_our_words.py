"""Our own words on the pages of a book in another language: each is marked as English, none of the book is.

The books are those of the other tests with a mark in front of each of their words, so that a word without one
is ours.
"""

import re
import shutil
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
import yaml
from attack.planted import models

from rulewright.app.build import build
from rulewright.app.cli import main
from rulewright.model.keys import typed_keys
from rulewright.model.rulebook import SETS
from tests.commands.duel import BOOK, write
from tests.projects import files

HERE = Path(__file__).parent
MARK = "qx"
KEYS = {str(key) for model in models().values() for key in typed_keys(model)}
KEPT = {
    *(one for name, words in SETS.items() if name != "languages" for word in words for one in word.split()),
    "all", "and", "back", "bi", "both", "case", "chapter", "clause", "combat", "day", "days", "de", "do",
    "every", "first", "fold", "game", "gap", "hour", "ii", "iii", "in", "inside", "iv", "legend", "letter",
    "line", "march", "non", "none", "number", "of", "or", "outside", "part", "per", "phasing", "pt", "raid",
    "rule", "second", "section", "see", "tabloid", "to", "trade", "turn", "turns", "under", "watch", "yes",
}  # fmt: skip
"""Words that content must say as they are."""
WORD = re.compile(r"(?<![\w./@&#-])[A-Za-z]{2,}(?![\w/]|\.\w)")
SAID = re.compile(r"[^\W\d_]{2,}")


def marked(data: Any) -> Any:
    """Content with a mark in each word that it may choose."""
    if isinstance(data, dict):
        return {name if name in KEYS else marked(name): marked(one) for name, one in data.items()}
    if isinstance(data, list):
        return [marked(one) for one in data]
    return WORD.sub(lambda m: m[0] if m[0].lower() in KEPT else f"{m[0][0]}{MARK}{m[0][1:].lower()}", data)


class Texts(HTMLParser):
    """The texts of a page with the languages that they stand in."""

    EMPTY = frozenset(("area", "base", "br", "col", "hr", "img", "input", "link", "meta", "source", "wbr"))

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[tuple[str, str]] = []
        self.found: list[tuple[str, str, str]] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        said = dict(attrs).get("lang")
        language = said or (self.open[-1][1] if self.open else "")
        if tag not in self.EMPTY:
            self.open.append((tag, language))

    def handle_endtag(self, tag: str) -> None:
        while self.open and tag in [one for one, _ in self.open]:
            if self.open.pop()[0] == tag:
                break

    def handle_data(self, data: str) -> None:
        tags = [tag for tag, _ in self.open]
        if not {"script", "style", "title"} & {*tags[-1:]} and data.strip():
            self.found.append((data.strip(), self.open[-1][1] if self.open else "", "/".join(tags[-4:])))


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The pages of the marked books, which are in German."""
    folder = tmp_path_factory.mktemp("ours")
    content = folder / "content"
    for books in ("sixth", "seventh"):
        shutil.copytree(HERE / books / "content", content, dirs_exist_ok=True)
    more = yaml.load((HERE / "attack/additions.yml").read_text(), yaml.BaseLoader)
    more.pop("elsewhere.yml")
    more["salt-road/rulebook.yml"] = {"language": "de"}
    more["lantern/rulebook.yml"] = more["fogbound/rulebook.yml"] = {"language": "de"}
    for name in {*more, *(file.relative_to(content).as_posix() for file in content.rglob("*.yml"))}:
        file = content / name
        was = yaml.load(file.read_text("utf-8"), yaml.BaseLoader) if file.is_file() else {}
        made = marked({**was, **more.get(name, {})})
        write(folder, {f"content/{name}": yaml.safe_dump(made, allow_unicode=True, sort_keys=False)})
    write(folder, {
        "mkdocs.yml": "site_name: Qxsite\nplugins: [rulewright]\n",
        "content/salt-road/2/faq.md": "# Qxasked\n\nQxwords.\n",
        "content/salt-road/2/a.svg": '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"/>',
    })  # fmt: skip
    assert main(["build", "--no-print", "--project", str(folder)]) == 0
    return {n: data.decode() for n, data in files(folder / "site").items() if n.endswith(".html")}


def spoken(site: dict[str, str]) -> Iterator[tuple[str, str, str, str]]:
    for name, html in sorted(site.items()):
        if '<html lang="de"' in html:
            for text, language, where in Texts(html).found:
                yield name, text, language, where


def test_each_of_our_words_is_marked_as_english(site: dict[str, str]) -> None:
    wrong = []
    for name, text, language, where in spoken(site):
        words = [word.lower() for word in SAID.findall(text) if MARK not in word.lower()]
        if language != "en" and [word for word in words if word not in KEPT]:
            wrong.append(f"{name}: {text[:70]!r} in {where}")
    assert not wrong, "\n".join(wrong)


def test_no_sentence_of_the_book_is_marked_so(site: dict[str, str]) -> None:
    """What it calls things stands in sentences of ours."""
    wrong = []
    for name, text, language, where in spoken(site):
        words = SAID.findall(text)
        if language == "en" and len(words) > 3 and all(MARK in word.lower() for word in words):
            wrong.append(f"{name}: {text[:70]!r} in {where}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize(
    ("book", "site", "is_marked"), [("", "de", True), ("en", "de", False), ("", "en", False)]
)
def test_a_book_that_says_no_language_has_that_of_the_site(
    book: str, site: str, is_marked: bool, tmp_path: Path
) -> None:
    settings = f"site_name: B\nplugins: [rulewright]\ntheme: {{name: material, language: {site}}}\n"
    write(tmp_path, {**BOOK, "mkdocs.yml": settings})
    if book:
        with (tmp_path / "content/duel/rulebook.yml").open("a") as file:
            file.write(f"language: {book}\n")
    made = {page.path: page.html for page in build(tmp_path).pages}
    assert ('<h1 lang="en"' in made["duel/1/numbers"]) == is_marked
    assert ("lang=" in made["duel/1"]) == is_marked
    assert ("lang=" in made["checks"]) == (site != "en")
