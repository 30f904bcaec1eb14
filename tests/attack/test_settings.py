"""What runs, or ends a tag, in every setting of mkdocs.yml and every title: each page keeps its shape."""

from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
import yaml
from attack.planted import STYLES

from rulewright.app.cli import main
from tests.commands.duel import write
from tests.projects import files

WORDS = (*STYLES, "{{ 7 * 191 }} {% raw %}", "]]></style><!-- \"' -->", "a\" onfocus='ran()' b=\"")
SCRIPTS = (
    "javascript:ran()",
    "java\tscript:ran()",
    " JavaScript:ran()",
    "vbscript:ran()",
    "data:text/html,x",
)
CHAPTER = 'chapter: "1.0"\ntitle: Swords\nrules: [{number: "1.1", title: Parry, text: See 1.1.}]\n'


def made(folder: Path, shift: int | None) -> dict[str, str]:
    """The pages of a site with hostile words in every place, or with plain ones where `shift` is None."""
    places = iter(range(10_000))

    def words() -> str:
        at = next(places)
        return f"w{at}" if shift is None else WORDS[(at + shift) % len(WORDS)].replace("\0", "")

    def link() -> str:
        return f"https://a.example/{words()}"

    def script() -> str:
        return "" if shift is None else SCRIPTS[(next(places) + shift) % len(SCRIPTS)]

    settings: dict[str, Any] = {
        "site_name": words(),
        "site_description": words(),
        "site_author": words(),
        "site_url": f"{link()}/",
        "repo_url": link(),
        "repo_name": words(),
        "edit_uri": f"e/{words()}",
        "docs_dir": "content",
        "plugins": ["rulewright"],
        "nav": [
            {words(): "page.md"},
            {words(): [{words(): "other.md"}, {words(): link()}, {words(): script() or "x"}]},
        ],
        "extra": {
            "social": [{"icon": "material/link", "link": link(), "name": words()}],
            "alternate": [{"name": words(), "link": link(), "lang": words()}],
            "status": {"new": words()},
            "report": link(),
            "homepage": link(),
        },
        "theme": {
            "name": "material",
            "palette": [{"scheme": "default", "toggle": {"icon": "material/link", "name": words()}}],
        },
    }  # fmt: skip
    front = yaml.safe_dump({"title": words(), "description": words(), "status": "new", "subtitle": words()})
    content = {
        "mkdocs.yml": yaml.safe_dump(settings, sort_keys=False),
        "content/page.md": f"---\n{front}---\n# One\n",
        "content/other.md": "# Two\n",
        "content/duel/rulebook.yml": yaml.safe_dump(
            {"title": words(), "numbers": "1.1", "chapters": "1.0", "language": "de"}
        ),
        "content/duel/1/edition.yml": yaml.safe_dump({"edition": words(), "date": "2020-01-01"}),
        "content/duel/2/edition.yml": yaml.safe_dump({"edition": words(), "follows": "1"}),
        "content/duel/1/rules/1.yml": CHAPTER,
        "content/duel/2/rules/1.yml": CHAPTER,
    }
    write(folder, content)
    assert main(["build", "--no-print", "--project", str(folder)]) == 0
    site = files(folder / "site")
    return {name: data.decode() for name, data in site.items() if name.endswith(".html")}


class Shape(HTMLParser):
    """The tags of a page with the names of what they have; `runs`: addresses that would run something."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, ...]] = []
        self.runs: list[str] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, *(name for name, _ in attrs)))
        for name, value in attrs:
            said = "".join((value or "").split()).lower()
            if name in ("href", "src") and said.startswith(("javascript:ran", "vbscript:", "data:text")):
                self.runs.append(f"{tag} {name}={value}")

    def handle_endtag(self, tag: str) -> None:
        self.tags.append(("/", tag))

    def handle_comment(self, data: str) -> None:
        self.tags.append(("!",))


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    return made(tmp_path_factory.mktemp("plain"), None)


@pytest.mark.parametrize("shift", range(0, len(WORDS), 4))
def test_no_word_of_ours_changes_what_a_page_is_made_of(
    plain: dict[str, str], tmp_path: Path, shift: int
) -> None:
    hostile = made(tmp_path, shift)
    assert hostile.keys() == plain.keys()
    for name, html in hostile.items():
        shape, wanted = Shape(html), Shape(plain[name])
        assert shape.tags == wanted.tags, name
        assert not shape.runs, name
        assert "1337" not in html
