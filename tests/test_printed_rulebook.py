"""The printed rulebook, read from its PDF: its pages, words, links, and what keeps it from being made."""

import io
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pikepdf
import pypdfium2
import pytest
from PIL import Image
from printing import RULEBOOK, book, order

from rulewright.app.build_pipeline import build
from rulewright.checks.load_and_check import CheckedProject, load_and_check_folder
from rulewright.files.content_reader import ContentFolder
from rulewright.print.node_writer import Json as Node
from rulewright.print.node_writer import NodeWriter
from rulewright.print.pdf_preflight import run_preflight as preflight
from rulewright.print.print_job import PrintOptions, PrintResult
from rulewright.print.rulebook_job import RulebookJob
from rulewright.print.typographic_signs import set_words
from rulewright.references.edition_texts import edition_texts
from rulewright.render.render_context import RenderContext
from rulewright.schema.inline_images import inline_images
from rulewright.schema.paper import PAPERS
from rulewright.schema.text_document import plain_text
from tests.own_library import library

ROOT = Path(__file__).parent.parent
SITE = "https://example.org/rules/"
BOOK = 'title: Harbour\nnumbers: "1.1a"\nchapters: "1.0"\n'


def rulebook_job(
    checked: CheckedProject, address: str, files: Mapping[str, bytes], **wishes: Any
) -> RulebookJob:
    return RulebookJob(
        checked.index.outlines[address],
        RenderContext(checked.index),
        PrintOptions(site=SITE, **wishes),
        files.__getitem__,
    )


def made(
    content: Mapping[str, str | bytes], address: str = "h/1", **wishes: Any
) -> tuple[RulebookJob, PrintResult]:
    """The book of content that is given as files of `content/`, by names in it."""
    files = {
        f"content/{name}": text.encode() if isinstance(text, str) else text for name, text in content.items()
    }
    job = rulebook_job(load_and_check_folder(ContentFolder(files)), address, files, **wishes)
    return job, job.make()


@cache
def project(address: str, **wishes: Any) -> tuple[RulebookJob, PrintResult]:
    """One of our own books."""
    names = library().index.outlines[address].edition
    files = {name: (ROOT / name).read_bytes() for name in names.files | names.shared}
    job = rulebook_job(library(), address, files, **wishes)
    return job, job.make()


def texts(pdf: bytes) -> list[str]:
    """The text of each page, with spaces and line ends as one space."""
    document = pypdfium2.PdfDocument(io.BytesIO(pdf))
    return [" ".join(page.get_textpage().get_text_range().split()) for page in document]


EDITION = 'edition: "1"\ndate: 2024-05-01\n'


def long(paragraphs: int) -> str:
    return "\n\n".join(f"Line {at} of a long rule about tides and winds. " * 12 for at in range(paragraphs))


def chapter(number: int, title: str, *rules: str) -> str:
    return f'chapter: "{number}.0"\ntitle: {title}\n' + "".join(f"{rule}\n" for rule in rules)


FAR = {
    "h/rulebook.yml": BOOK + "terms: {HW: {means: High water, see: '2.1'}}\n",
    "h/1/edition.yml": EDITION,
    "h/1/rules/1.yml": f"""chapter: "1.0"
title: Ships
"1.1 Tugs": "A tug at HW pulls as 1.2 says
  (2.1), and as 2.1-2.3 say, and [[2.2|the pilot]]."
"1.2 Rowing": Boats are rowed.
"1.3 Tides": |
{chr(10).join("  " + line for line in long(30).splitlines())}
""",
    "h/1/rules/2.yml": chapter(
        2,
        "Locks",
        '"2.1 High water": Water is high at HW.',
        '"2.2 Pilots": No ship sails without one.',
        '"2.3 Gates": Both open.',
    ),
}


def test_a_rule_may_begin_a_page_of_the_printed_book():
    rules = FAR["h/1/rules/2.yml"].replace(
        '"2.2 Pilots": No ship sails without one.',
        '"2.2 Pilots": {starts: page, text: No ship sails without one.}',
    )
    assert rules != FAR["h/1/rules/2.yml"]
    for name, between in (({}, 0), ({"h/1/rules/2.yml": rules}, 1)):
        _, result = made({**FAR, **name})
        assert result.problems == ()
        first, second = (
            next(at for at, page in enumerate(texts(result.pdf)) if words in page)
            for words in ("Water is high", "No ship sails")
        )
        assert second - first == between


@pytest.mark.parametrize("address", ["ocs/4.3", "killing-ground/1"])
def test_a_link_leads_to_the_page_of_its_rule(address):
    _, result = project(address)
    with pikepdf.open(io.BytesIO(result.pdf)) as pdf:
        numbers = {page.obj.objgen: at for at, page in enumerate(pdf.pages)}
        names = dict(pikepdf.NameTree(pdf.Root.Names.Dests)) if "/Names" in pdf.Root else {}
        inside, outside = 0, set()
        for page in pdf.pages:
            for link in page.get("/Annots", []):
                action = link.get("/A")
                if action is not None and "/URI" in action:
                    outside.add(str(action.URI))
                    continue
                target = link.Dest if action is None else action.D
                target = names[str(target)] if isinstance(target, pikepdf.String) else target
                target = target.D if isinstance(target, pikepdf.Dictionary) else target
                assert target[0].objgen in numbers
                inside += 1
    assert inside >= 3
    assert all(address.startswith("https://") for address in outside)


@pytest.mark.parametrize(("address", "ink"), [("ocs/4.3", "black"), ("asl/a3", "colour")])
def test_a_book_keeps_its_promises(address, ink):
    one, result = project(address, ink=ink, paper=PAPERS["a4"], bleed=3.0, marks=True)
    assert [str(problem) for problem in result.problems] == []
    assert [str(problem) for problem in preflight(result.pdf, one.place)] == []


def test_the_contents_name_every_section_and_the_index_what_is_said_of_a_term_where(monkeypatch):
    monkeypatch.setattr("rulewright.print.rulebook_job.LEAST_INDEX", 1)
    _, result = made(FAR)
    pages = texts(result.pdf)
    at = next(number for number, text in enumerate(pages, 1) if "Water is high" in text)
    contents = pages[1]
    for title in ("2 Locks", "1.1 Tugs", "1.2 Rowing", "2.3 Gates"):
        assert re.search(rf"{re.escape(title)} \d+", contents)
    index = pages[-1].partition("INDEX")[2]
    # The section about the term, and the page of the section that names it.
    assert re.search(rf"HW \(High water\) 2\.1, {at}; \d+", index)
    assert "Locks" in index


REVISED = {
    "h/rulebook.yml": BOOK,
    "h/1/edition.yml": 'edition: "1"\n',
    "h/2/edition.yml": 'edition: "2"\nfollows: "1"\n',
    "h/1/rules/1.yml": """
chapter: "1.0"
title: Ships
text: Whatever floats is a ship, and what does not is none.
"1.1 Tugs": A tug pulls 1d6 ships through the lock at high water.
"1.2 Rowing": Boats are rowed by whoever has the oars in hand.
"1.3 Pilots": No ship sails without a pilot who knows the channel.
""",
    "h/2/rules/1.yml": """
chapter: "1.0"
title: Ships
text: Whatever floats is a ship, and what sinks is none.
"1.1 Tugs": A tug pulls 2d6 ships through the lock at high water.
"1.2 Pilots": No ship sails without a pilot who knows the channel.
""",
}


def bars(pdf: bytes) -> int:
    """How many change bars are drawn: upright, and no part of the text."""
    count = 0
    with pikepdf.open(io.BytesIO(pdf)) as opened:
        for page in opened.pages:
            marked, path, inks = [""], [], []
            for operands, operator in pikepdf.parse_content_stream(page):
                match str(operator):
                    case "BDC" | "BMC":
                        marked.append(str(operands[0]))
                    case "EMC":
                        marked.pop()
                    case "k":
                        inks = [float(one) for one in operands]
                    case "m" | "l" as drawn:
                        path = [*([] if drawn == "m" else path), [float(one) for one in operands]]
                    case "f":
                        wide, high = (max(side) - min(side) for side in zip(*path, strict=True))
                        is_bar = abs(wide - 0.6 * 72 / 25.4) < 0.02 and high > wide
                        count += is_bar and marked[-1] == "/Artifact" and inks != [0, 0, 0, 0]
    return count


def test_a_book_has_bars_at_what_changed_and_says_what_they_mean():
    new, old = made(REVISED, "h/2", paper=PAPERS["a5"]), made(REVISED, "h/1", paper=PAPERS["a5"])
    said = "A bar like this one, in the margin, marks what is new or changed since Harbour 1."
    assert f"{said} No longer there: 1.2." in " ".join(texts(new[1].pdf))
    assert bars(new[1].pdf) == 3  # the legend, the chapter's own text, and 1.1
    assert bars(old[1].pdf) == 0


def test_what_errata_changed_is_printed_as_amended_with_the_number_of_the_erratum():
    errata = (
        'errata:\n  - {erratum: "7", date: 2025-02-03, rule: "1.2", replace: rowed, with: rowed or sailed}\n'
    )
    _, result = made({**FAR, "h/1/errata.yml": errata})
    said = " ".join(texts(result.pdf))
    assert "With errata of 2025-02-03" in said
    assert re.search(r"Boats are rowed or sailed\. E7", said)


def test_a_sign_that_the_type_lacks_is_an_error_at_the_word_and_a_box_in_a_proof():
    files = {**FAR, "h/1/rules/2.yml": FAR["h/1/rules/2.yml"].replace("Both open", "Both 渡し open ⛴")}
    _, result = made(files)
    assert {(one.place.file, one.place.line, one.code) for one in result.problems} == {
        ("content/h/1/rules/2.yml", 5, "no-glyph")
    }
    assert result.pdf == b""
    assert {sign for one in result.problems for sign in re.findall(r"U\+\w+", one.message)} == {
        "U+26F4", "U+6E21", "U+3057"
    }  # fmt: skip
    _, proof = made(files, proof=True)
    assert proof.problems == result.problems
    assert proof.pdf


def test_nested_lists_and_hostile_words_are_printed_as_words():
    text = r"""
      - First:
        - inner #panic("x"):
          - innermost $x$ @label <b> // no comment /* none */
      - `raw` _x_ ~ -- \u{1F} #set page(width: 1cm)
"""
    titles = 'chapter: "1.0"\ntitle: "#Ships $ <x> @y"\n"1.1 *#t*":\n'
    rules = f"{titles}    text: |{text}"
    files = {**FAR, "h/1/rules/1.yml": rules}
    _, result = made(files)
    assert result.problems == ()
    said = " ".join(texts(result.pdf))
    for words in (
        "inner #panic(“x”):",
        "innermost $x$ @label <b> // no comment /* none */",
        "#set page(width: 1cm)",
    ):
        assert words in said


def picture(wide: int, high: int) -> bytes:
    data = io.BytesIO()
    Image.new("RGB", (wide, high), (120, 30, 30)).save(data, "PNG")
    return data.getvalue()


def widths(pdf: bytes) -> list[float]:
    """How wide each picture stands, in mm, in order."""
    document = pypdfium2.PdfDocument(io.BytesIO(pdf))
    boxes = [
        o.get_bounds()
        for page in document
        for o in page.get_objects()
        if o.type == pypdfium2.raw.FPDF_PAGEOBJ_IMAGE
    ]
    return [round((right - left) * 25.4 / 72, 1) for left, _, right, _ in boxes]


ON_PAGES = {
    '![D](rules/d.png "A depot")': (15, "A depot"),
    "![D](rules/d.png){: .right width=200 }": (30, ""),
    "- item\n\n    ![D](rules/d.png)": (15, "item"),
    "| a | b |\n|---|---|\n| ![D](rules/d.png) | words |": (15, "words"),
    "<figure markdown>\n ![D](rules/d.png)\n <figcaption>A *depot*</figcaption>\n</figure>": (15, "A depot"),
}


@pytest.mark.parametrize(("said", "wide", "words"), [(said, *right) for said, right in ON_PAGES.items()])
def test_pictures_of_markdown_have_their_size_and_their_caption(said, wide, words):
    page = f"# House\n\nBefore.\n\n{said}\n\nAfter.\n"
    _, result = made({**FAR, "h/1/rules/d.png": picture(100, 100), "h/1/house.md": page})
    assert result.problems == ()
    assert widths(result.pdf) == [pytest.approx(wide, abs=0.6)]
    told = re.search("Before\\.(.*?)After\\.", " ".join(texts(result.pdf)))
    assert told
    assert words in told[1]
    assert not {*"{}<>!"} & {*told[1]}


def test_a_picture_that_cannot_be_read_stops_the_print():
    rules = 'chapter: "1.0"\ntitle: Depots\ntext: "![D](d.png)"\n'
    _, result = made({**FAR, "h/1/rules/1.yml": rules, "h/1/rules/d.png": b"no picture"})
    [problem] = result.problems
    assert problem.code == "book-not-printable"
    assert "content/h/1/rules/d.png is no picture" in problem.message
    assert result.pdf == b""


def test_pages_of_markdown_are_in_the_book():
    page = (
        "# House rules\n\nThe fog (2.1) lifts, *always*.\n\n### Cards\n\n| a | b |\n|---|---|\n| 1 | #x |\n"
    )
    _, result = made({**FAR, "h/1/house.md": page, "h/1/bad.md": b"\xff\xfe no text"})
    assert result.problems == ()
    said = " ".join(texts(result.pdf))
    assert re.search(r"(?i)House rules The fog \(2\.1.{0,8}\) lifts, always ?\. Cards a b 1 #x", said)
    assert "House rules" in texts(result.pdf)[1]


def words_of(nodes: list[Node]) -> str:
    """The words of nodes, in one line."""
    made = ""
    for node in nodes:
        match node:
            case str():
                made += node
            case {"b": inner} | {"i": inner} | {"ref": inner}:
                made += words_of(inner)
            case {"p": inner}:
                made += " " + words_of(inner)
            case {"list": items}:
                made += " " + "".join(words_of(item) for item in items)
            case {"figures": figures}:
                made += " " + words_of(figures)
    return made


def test_no_word_of_the_content_is_lost():
    """Word for word as in plain text, whatever stands in them: lists in lists, marks, emphasis, errata."""
    index = library().index
    desk = RenderContext(index)
    count = 0
    for address, outline in index.outlines.items():
        made = NodeWriter(desk, outline, lambda entry: {})
        for _, texts, _ in edition_texts(outline, index.editions[address].tables):
            for text, cites in texts:
                if cites or any(inline_images(text)) or any(one.match.book for one in index.references(text)):
                    continue
                count += 1
                expected = set_words(plain_text(text), outline.edition.language)
                assert _bare(words_of(made.inline(text))) == _bare(expected)
    assert count > 800


def _bare(words: str) -> str:
    """Words without blanks and breaks, and with plain signs: those beside markup depend on it."""
    return re.sub(r"[\s\u200b]", "", words).translate(str.maketrans("“”‘’–−", 4 * "'" + "--"))


@pytest.mark.parametrize(
    ("written", "printed"),
    [
        ('a "wet" dock\'s 1/2 of 2-4, -1', "a “wet” dock’s ½ of 2–4, −1"),
        ("2026-11-28, D6-1 and 11/2", "2026-11-28, D6-1 and 11/2"),
        ("('twas) 4-6-8", "(‘twas) 4-6-8"),
    ],
)
def test_signs_are_typographic(written, printed):
    assert set_words(written, "en") == printed


TABLE = "id: {0}\ntitle: {0}\ncolumns: [Die, Loss]\nrows: [{{Die: '1', Loss: {0}-loss}}]\n"
TABLED = """chapter: "1.0"
title: Depots
text: |
  First, of ![wet](../tables/wet.yml).

  ![dry](../tables/dry.yml)

  Between.

  ![wet](../tables/wet.yml)

  Last ![gone](../tables/wett.yml).
"""
IN_PLACE = ["First", "dry-loss", "Between", "wet-loss", "Last"]


def test_a_table_stands_where_a_text_names_its_file(tmp_path):
    files = {f"tables/{name}": TABLE.format(name) for name in ("dry", "wet")}
    made = book(tmp_path, 'title: Card\nblocks:\n  - rules: ["1.0"]\n', **{"rules/1": TABLED}, **files)
    wrong = [one.message for one in made.problems if one.code == "figure-not-found"]
    assert wrong == ["there is no table ../tables/wett.yml; did you mean wet.yml?"]
    ordered = RulebookJob(
        made.index.outlines["game/1"],
        RenderContext(made.index),
        PrintOptions(),
        lambda name: (tmp_path / name).read_bytes(),
    ).make()
    pages = pypdfium2.PdfDocument(ordered.pdf)
    printed = " ".join(page.get_textpage().get_text_range() for page in pages)
    page = next(page.html for page in build(tmp_path).pages if page.path == "game/1/1-depots")
    for words in (page, printed[printed.index("First") :]):
        assert re.findall("First|(?:dry|wet)-loss|Between|Last", words)[:5] == IN_PLACE
    assert re.search(r'<a [^<>]*href="[^"]*tables[^"]*#wet"[^<>]*>', page)
    assert [*order(made).pictures] == []


def test_what_closes_a_rule_comes_behind_the_rules_inside_it(tmp_path):
    rules = """chapter: "1.0"
closing: Ends the chapter.
"1.1":
  closing: Ends 1.1.
  "1.1.1": First.
  "1.1.2": {text: Second., closing: Ends 1.1.2.}
"1.2": Third.
"""
    chapters = {"rules/1": rules, "rules/2": 'chapter: "2.0"\nclosing: Ends the book.\n'}
    made = book(tmp_path, rulebook=RULEBOOK.replace('"1.1"', '"1.1.1"'), **chapters)
    outline = made.index.outlines["game/1"]
    job = RulebookJob(outline, RenderContext(made.index), PrintOptions(), lambda name: b"")
    words = " ".join(job.lines)
    said = re.findall(r"First|Second|Third|Ends [\d.]*\d|Ends the \w+", words)
    assert said == ["First", "Second", "Ends 1.1.2", "Ends 1.1", "Third", "Ends the chapter", "Ends the book"]
