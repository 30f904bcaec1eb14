"""The outline in its formats: as the case files say, and the same in all formats."""

import json
import re
from html.parser import HTMLParser

import pytest

from rulewright.book.library_reader import read_library
from rulewright.book.outline import Outline, build_outline
from rulewright.files.content_reader import ContentFolder
from rulewright.references import site_paths
from rulewright.references.reference_index import ReferenceIndex, build_reference_index
from rulewright.render.exports import FORMATS
from rulewright.schema.yaml_fields import reference_texts
from tests.casefiles import Case, cases
from tests.own_library import library


def in_case(case: Case) -> tuple[Outline, ReferenceIndex]:
    """The outline of a case, and the shelf it is on."""
    files = {info.removeprefix("yaml "): text for info, text in case.blocks if info.startswith("yaml ")}
    library = read_library(ContentFolder({name: text.encode() for name, text in files.items()}))
    assert not [problem for problem in library.problems if problem.is_failure]
    index = build_reference_index(
        {address: build_outline(edition) for address, edition in library.editions.items()}
    )
    return index.outlines["bridge/2"], index


@pytest.mark.parametrize("case", cases("outline"), ids=str)
def test_formats(case):
    outline, index = in_case(case)
    shown = [info for info, _ in case.blocks if info in FORMATS]
    assert shown, f"{case} expects nothing"
    for name in shown:
        case.agrees(FORMATS[name](outline, index, case.text("base", "").strip()), case.text(name))


@pytest.fixture(scope="module")
def real():
    index = library().index
    return index.outlines["ocs/4.3"], index


@pytest.fixture(params=["ocs/4.3", *cases("outline")], ids=str)
def any_outline(request, real):
    """The real book's outline, and that of every case."""
    return in_case(request.param) if isinstance(request.param, Case) else real


class Items(HTMLParser):
    """The words of each list item, without those of the items inside it."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.items: list[str] = []
        self._open: list[int] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag == "li":
            self._open.append(len(self.items))
            self.items.append("")

    def handle_endtag(self, tag: str) -> None:
        if tag == "li":
            self._open.pop()

    def handle_data(self, data: str) -> None:
        if self._open:
            self.items[self._open[-1]] += data


def lines_of(html: str) -> list[str]:
    return [" ".join(words.split()) for words in Items(html).items]


def test_text_and_html_say_the_same(real):
    in_text = FORMATS["text"](*real, "").partition("\n\n")[2].split("\n")
    words = [re.sub(r"^ *([-o~] )?|(?<=\])\*", "", line) for line in in_text if line]
    assert words == lines_of(FORMATS["html"](*real, ""))


@pytest.mark.parametrize("name", ["html", "markdown"])
def test_links_lead_to_rules_that_are_there(real, name):
    outline, index = real
    base = "https://example.org/rules"
    page = FORMATS[name](outline, index, base)
    found = re.findall(r'href="([^"]+)"' if name == "html" else r"\]\(([^)]+)\)", page)
    entries = (entry for one in index.outlines.values() for entry in one.entries.values())
    there = {
        f"{base}/{site_paths.relative_link('', *site_paths.path_and_anchor(entry))}" for entry in entries
    }
    assert len(found) > 40
    assert {link.replace("%28", "(").replace("%29", ")") for link in found} <= there


def test_json_has_every_step_and_references_that_quote_their_own_text(any_outline):
    outline, index = any_outline
    top = json.loads(FORMATS["json"](outline, index, ""))
    todo, anchors, references = list(top["steps"]), [], 0
    while todo:
        step = todo.pop(0)
        anchors.append(step["anchor"])
        todo = step["steps"] + step.get("at_any_time", []) + todo
        for ref in step["refs"]:
            text = step[ref["key"]]
            text = text[ref["item"]] if isinstance(text, list) else text
            assert text[ref["start"] : ref["end"]] == ref["text"]
            assert {"target", "edition", "href"} <= ref.keys()
            references += 1
    played = list(outline.sequence.iter_played())
    assert anchors == [step.page_anchor for step in played]
    texts = [text for step in played for text, _ in reference_texts(step.step)]
    assert references == sum(len(index.references(text)) for text in texts)
