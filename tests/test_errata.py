"""Errata: what becomes of the words of a rule, and that what was printed can be read too."""

import re
from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright.book.amending.text_amendment import append_paragraph, insert_words, replace_words
from rulewright.checks.load_and_check import CheckedProject
from rulewright.document import nodes
from rulewright.document.errata_text import ErrataText
from rulewright.document.targets import TargetId
from rulewright.files.located_text import LocatedText
from rulewright.files.problems import SourceFile
from rulewright.render import pages
from rulewright.render.page_renderer import PageRenderer
from rulewright.render.render_context import RenderContext
from rulewright.schema.amended_text import DELETED, INSERTED, AmendedText
from rulewright.schema.erratum import Erratum
from rulewright.schema.text_document import Document, plain_paragraphs
from tests.books import checked
from tests.casefiles import Case, cases

CASES = cases("errata")
BOOK = b'title: Road\nnumbers: "1.1a"\nchapters: "1.0"\ncues: [see]\n'


def _examined(case: Case) -> CheckedProject:
    """A rule 1.1 with the case's text, beside two others, and the case's errata."""
    rule_text = case.text("text").strip()
    rules = {"chapter": "1.0", "1.1 Wagons": rule_text, "1.2 Oxen": "", "1.3 Camels": ""}
    texts = {
        "content/road/rulebook.yml": BOOK,
        "content/road/1/edition.yml": b'edition: "1"\n',
        "content/road/1/rules/1.yml": yaml.safe_dump(rules).encode(),
        "content/road/1/errata.yml": f"errata:\n{case.text('errata')}".encode(),
    }
    return checked(texts)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_rule_says(case):
    examined = _examined(case)
    assert [str(p) for p in examined.problems] == []
    rule = examined.index.outlines["road/1"].entries["1.1"].rule
    assert isinstance(rule.text, AmendedText)
    case.agrees(re.sub(r"(?<!\n)\n(?![\n-])", " ", rule.text), case.text("expect"))
    if marked := case.text("markup", ""):
        case.agrees(_short(PageRenderer("road/1/1", RenderContext(examined.index)).blocks(rule.text)), marked)


def _short(html: str) -> str:
    """HTML of marked words, as cases write it: {-went-}{+came+}[1] for erratum 1, <1.2> for a reference."""
    html = re.sub(r'<span class="spoken"[^>]*>[^<]*</span>', "", html)
    html = re.sub(r'<a class="erratum-sign".*?E(\d+)</span></a>', r"[\1]", html)
    html = re.sub(r'<a class="ref[^>]*>([^<]*)</a>', r"<\1>", html)
    html = re.sub(r'<(p|li|ul|ol) class="erratum (gone|come)">', r"<\1.\2>", html)
    html = re.sub(
        r'<del class="erratum"><span class="w">(.*?)</span></del>', r"{-\1-}", html, flags=re.DOTALL
    )
    return re.sub(
        r'<ins class="erratum"><span class="w">(.*?)</span></ins>', r"{+\1+}", html, flags=re.DOTALL
    )


def _written(words: str) -> LocatedText:
    return LocatedText.from_source(words, SourceFile("errata.yml", words), 0, len(words))


PARTS = [
    "ox", "two", "**", "*", "salt, ", "7", " ", " ", "\n", "\n\n", "- ", "\n- ", "\n1. ", "\n2. ", ". ",
    "&",
]  # fmt: skip
WORDS = st.lists(st.sampled_from(PARTS), max_size=24).map("".join)


def _words(node: object, without: str) -> str:
    """The words of nodes as printed, which are without inserted ones, or as amended, without deleted ones."""
    if isinstance(node, str):
        return node
    if isinstance(node, tuple):
        return "".join(_words(inner, without) for inner in node)
    hidden = nodes.DeletedNode if without == "deleted" else nodes.InsertedNode
    if isinstance(node, hidden) or getattr(node, "change", "") == without:
        return ""
    inner = (getattr(node, name, ()) for name in ("inline", "items", "blocks"))
    return "".join(_words(part, without) for part in inner)


@settings(max_examples=3 * settings().max_examples // 2)
@given(
    printed=WORDS,
    changes=st.lists(st.tuples(st.integers(0, 60), st.integers(0, 12), WORDS), min_size=1, max_size=4),
)
def test_every_reader_reads_one_whole_text(printed, changes):
    """Whatever errata do to paragraphs, items and emphasis, each choice shows all its words and no others."""
    text = _written(printed)
    for at, (start, length, words) in enumerate(changes):
        first = min(len(text), start)
        last = min(len(text), first + length)
        number = _written(str(at))
        new = _written(words) if words.strip() else None
        erratum = Erratum(number=number, date=number, replace=number)
        if new and first == last:
            text = insert_words(text, first, new, erratum, before=at % 2 == 0)
        elif new and at == 3:
            text = append_paragraph(text, new, erratum)
        else:
            text = replace_words(text, first, last, new, erratum)
    if not isinstance(text, AmendedText):
        return
    assert "".join(run.words for run in text.runs if run.change != INSERTED) == printed
    assert "".join(run.words for run in text.runs if run.change != DELETED) == text
    assert all(run.source[run.start :].startswith(run.words) for run in text.runs if run.words.strip())
    entry = TargetId("road/1", "erratum", "erratum-1")
    old, new = Document(text.printed), Document(text)
    both = ErrataText(text, old, new, lambda run: [run.words], lambda _: entry, {}).blocks()
    for without, read in (("inserted", old), ("deleted", new)):
        runs = [run.words for _, runs in plain_paragraphs(read.blocks) for run in runs]
        assert "".join(_words(both, without).split()) == "".join("".join(runs).split())


KEYS = [
    "rule", "in", "table", "row", "column", "step", "key", "aid", "of", "replace", "insert", "delete", "says",
    "with", "after", "before", "which", "reason", "status", "component", "severity", "source",
]  # fmt: skip
VALUES = [
    "1.1", "1.2", "9.9", "text", "title", "notes", "Ox", "two", "**", "- two", "a\n\nb", "1.1 …", "[[x]]",
    "raid", "Loss", "6", "day", "cost", "card", "draft", "counter", "typo", "2", "1.1-1.2", "… two", "<b>",
]  # fmt: skip


@settings(max_examples=settings().max_examples // 2)
@given(
    errata=st.lists(
        st.dictionaries(st.sampled_from(KEYS), st.sampled_from(VALUES), max_size=6), min_size=1, max_size=4
    )
)
def test_no_erratum_makes_anything_fall_over(errata):
    """Any erratum is applied, is a problem, or both its page and its rules can be rendered."""
    rows = [{"erratum": str(at), "date": "2025-01-01", **one} for at, one in enumerate(errata)]
    texts = {
        "content/road/rulebook.yml": BOOK,
        "content/road/1/edition.yml": b'edition: "1"\n',
        "content/road/1/rules/1.yml": (
            b'chapter: "1.0"\ntitle: Ox\n"1.1": "Ox and two **oxen** (1.2).\\n\\n- two\\n- a"\n'
            b'"1.2 Ox": {notes: [{kind: play, text: two}]}\n'
        ),
        "content/road/1/sequence.yml": b"title: Day\nsteps: [{phase: Ox, id: day, cost: two}]\n",
        "content/road/1/tables/raid.yml": b"id: raid\ntitle: Raid\nroll: 1d6\ncolumns: [Loss]\n"
        b"rows: [{roll: 1-5, Loss: two}, {roll: 6, Loss: Ox}]\n",
        "content/road/1/aids/card.yml": b"title: Card\nblocks: [{tables: raid}, {list: [two]}]\n",
        "content/road/1/errata.yml": yaml.safe_dump({"errata": rows}).encode(),
    }
    examined = checked(texts)
    result = pages.render_site(RenderContext(examined.index), examined.library).pages
    applied = examined.index.outlines["road/1"].edition.applied_errata
    assert len(result) > 5
    assert all(one.is_official and one.quotes_text for one in applied)


ASSETS = Path(__file__).parent.parent / "templates/theme/assets"


def test_the_reader_chooses_without_a_script_and_a_script_stores_the_choice(browser, tmp_path):
    """On two pages of a site: what is seen by each choice, and that the second page knows the first one's."""
    examined = _examined(next(case for case in CASES if case.name == "Items of a list"))
    result = pages.render_site(RenderContext(examined.index), examined.library).pages
    html = next(page.html for page in result if "errata-choice" in page.html)
    links = "".join(f'<link rel="stylesheet" href="{ASSETS / n}.css">' for n in ("rulewright", "errata"))
    body = f'<!doctype html><title>T</title>{links}<body class="md-typeset">{html}'
    for name in ("one", "two"):
        script = "".join(f'<script src="{ASSETS / n}.js"></script>' for n in ("rulewright", "errata"))
        (tmp_path / f"{name}.html").write_text(f'<meta charset="utf-8">{body}{script}', "utf-8")
    seen = {
        "printed": ["salt,", "grain,", "water."],
        "amended": ["salt,", "tents,E1", "water."],
        "changes": ["salt,", "tents,E1", "grain,E2", "water."],
    }
    for with_script in (False, True):
        page = browser.new_page(java_script_enabled=with_script)
        page.goto((tmp_path / "one.html").as_uri())
        assert page.locator("input:checked").get_attribute("value") == "amended"
        for choice, items in seen.items():
            page.get_by_role("radio").and_(page.locator(f"[value={choice}]")).check()
            rows = page.locator(".text li").filter(visible=True).all_inner_texts()
            assert [re.sub(r"\s|\[[^\]]*:|\]|Erratum \d", "", row) for row in rows] == items, choice
        if with_script:
            page.goto((tmp_path / "two.html").as_uri())
            assert page.locator("input:checked").get_attribute("value") == "changes"
        page.context.close()
