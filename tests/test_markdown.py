"""Pages held against Python-Markdown, which shows them: links stand where it shows plain words alone."""

import re
from functools import cache
from html.parser import HTMLParser
from random import Random

import pytest
from markdown import Markdown

from rulewright.app.mkdocs_plugin import theme_defaults
from rulewright.book.library import BookLibrary
from rulewright.book.library_reader import read_library
from rulewright.book.outline import build_outline
from rulewright.references import content_page
from rulewright.references.content_page import link_references
from rulewright.references.reference_index import ReferenceIndex, build_reference_index
from tests.books import folder_of_texts

EXTENSIONS = ["toc", "tables", "fenced_code", "admonition", "attr_list", "def_list", "footnotes"]
EXTENSIONS += ["md_in_html", "sane_lists"]
MORE = ["pymdownx.details", "pymdownx.tabbed", "pymdownx.superfences"]
"""Extensions that come with Material, which a site may switch on."""
NUMBER = re.compile(r"\b[1-9]\.[1-9][0-9]\b")
INLINE = (
    "units move, see {}, and stay",
    "units move, **see {}**, *and {}* stay",
    "units `see {}` move",
    "units ``see `{}` or {}`` move, see {}",
    "[see {}](see-{}.md) and see {}",
    "[see {}](see-{}.md 'of {}'){{.c-{}}} or see {}",
    "[see {}][there] or see {}",
    "![see {}](see-{}.png) and see {}",
    "[![see {}](see-{}.png) see {}](a.md), see {}",
    "<https://example.org/{}> and see {}",
    "units <span title='see {}'>see {}</span> move",
    "units <code>see {}</code> move, see {}",
    "units <a href='{}'>see {}</a> move, see {}",
    "units <!-- see {} --> move, see {}",
    "see&nbsp;{} and {}&ndash;9.99",
    "units move[^1], see {}",
    "units \\`see {}\\` move",
    "units ` move, see {}, and stay",
    "units [ move, see {}, and stay] (or not)",
    "units ([see {}](their page {}.md), ![see {}](our map {}.png)) move, see {}",
    "units move (see {}), see\n{} and stay",
)
BLOCKS = (
    "# Of supply, see {}\n",
    "### Of supply, see {} ###\n",
    "## Of supply, see {} {{ #supply-{} }}\n",
    "Of supply, see {}\n=====\n",
    "Of supply, see {}\n---\n",
    "```\nunits, see {}\n\nunits, see {}\n```\n",
    "~~~ python\nunits, see {}\n```\nsee {}\n~~~\n",
    "    units, see {}\n\n    units, see {}\n",
    "<!-- units, see {}\n\nsee {} -->\n",
    "<div class='c-{}'>\nunits move, see {}\n</div>\n",
    "<div>\n  <p>units move, see {}</p>\n\n    <p>units move, see {}</p>\n</div>\n",
    "<div>\nunits `see {}` move, **see {}**\n\n<div>see {}</div>\n\n    see {}\n</div>\n",
    "<div markdown>\nunits `see {}` move, see {}\n\nunits move, see {}\n</div>\n",
    "<pre>units, see {}\n\n    see {}</pre>\n",
    "<script>\nvar a = 'see {}';\n\nvar b = 'see {}';\n</script>\n",
    "<table>\n<tr><td title='{}'>see {}</td></tr>\n</table>\n",
    "| Units | Rule |\n|---|---|\n| move, see {} | `see {}` |\n| [see {}](a.md) | stay, see {} |\n",
    "[there]: see-{}.md 'see {}'\n",
    "Supply\n:   units move, see {}\n\n    units stay, see {}\n",
)
FENCES = tuple(block for block in BLOCKS if block.startswith(("```", "~~~")))


class Shown(HTMLParser):
    """The numbers that a reader sees as plain words."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.inside: list[str] = []
        self.numbers: list[str] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag in ("a", "code", "pre", "script"):
            self.inside.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in self.inside:
            self.inside.remove(tag)

    def handle_data(self, data: str) -> None:
        self.numbers += NUMBER.findall(data) if not self.inside else ()


class Writer:
    """Writes pages with each number once, so that the linked ones are known."""

    def __init__(self, seed: int, more: bool = False) -> None:
        self.chance, self.more = Random(seed), more
        self.numbers = [f"{chapter}.{rule}" for chapter in range(1, 9) for rule in range(10, 100)]
        self.chance.shuffle(self.numbers)

    def page(self) -> str:
        front = "---\ntitle: see {}\n---\n" if self.chance.random() < 0.2 else ""
        blocks = [self.block(0) for _ in range(self.chance.randint(2, 5))]
        page = self.filled(front) + "\n".join(blocks) + "\n[there]: a.md\n"
        return page + self.filled(
            "\n[^1]: units move, see {}\n\n    units `see {}` stay, see {}\n" if "[^1]" in page else ""
        )

    def filled(self, template: str) -> str:
        return template.format(*(self.numbers.pop() for _ in range(template.count("{}"))))

    def paragraph(self) -> str:
        words = ", ".join(self.filled(one) for one in self.chance.sample(INLINE, self.chance.randint(1, 3)))
        return f"Of supply: {words}.\n"

    def block(self, depth: int) -> str:
        sort = self.chance.random()
        if sort < 0.3:
            return self.paragraph()
        if sort < 0.7 or depth > 1:
            inside = (*BLOCKS[:4], *FENCES) if self.more else BLOCKS[:4]
            return self.filled(self.chance.choice(BLOCKS if depth == 0 else inside))
        inner = "\n".join(self.block(depth + 1) for _ in range(self.chance.randint(1, 2)))
        openers = ["> ", "- ", "1.  ", "!!! note\n", '!!! tip "Of supply, see {}"\n']
        openers += (
            ['??? note "Of supply, see {}"\n', "???+ note\n", '=== "Of supply"\n\n'] if self.more else []
        )
        opener = self.chance.choice(openers)
        if opener == "> ":
            return "".join(f"> {line}\n" for line in inner.splitlines())
        indented = "".join(f"    {line}\n" if line else "\n" for line in inner.splitlines())
        if opener in ("- ", "1.  "):
            return f"{opener}units move\n\n{indented}"
        return self.filled(opener) + indented


@cache
def book() -> tuple[BookLibrary, ReferenceIndex]:
    known = "".join(f"  - {{number: '{c}.{r}'}}\n" for c in range(1, 10) for r in range(10, 100))
    texts = {
        "content/x/rulebook.yml": "title: X\nnumbers: [1.10]\n",
        "content/x/1/edition.yml": 'edition: "1"\n',
        "content/x/1/known.yml": f"known:\n{known}",
    }
    library = read_library(folder_of_texts(texts))
    return library, build_reference_index(
        {name: build_outline(one) for name, one in library.editions.items()}
    )


def shown(text: str, more: bool = False) -> list[str]:
    text = re.sub(r"\A---\n.*?\n---\n", "", text, flags=re.DOTALL)  # MkDocs takes it away beforehand
    return Shown(Markdown(extensions=EXTENSIONS + MORE * more).convert(text)).numbers


def given_links(text: str) -> list[str]:
    page = content_page.read_content_page("content/x/1/page.md", text.encode(), book()[1])
    return [one.words for one in link_references(page).references]


def test_the_extensions_are_those_of_the_site():
    assert set(theme_defaults.EXTENSIONS) <= set(EXTENSIONS)


@pytest.mark.parametrize("more", [False, True])
@pytest.mark.parametrize("start", range(0, 200, 40))
def test_links_stand_where_plain_words_are_shown(start, more):
    for seed in range(start, start + 40):
        page = Writer(seed, more).page()
        assert sorted(given_links(page)) == sorted(shown(page, more)), f"{seed}\n{page}"
