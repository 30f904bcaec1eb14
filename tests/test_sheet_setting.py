"""How sheets are set: read from the PDF by a tool that did not make it, on ours and on made-up ones."""

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pymupdf
import pytest
from PIL import Image

from rulewright.checks.examine import Examined
from rulewright.citations.blocks import parts
from rulewright.model.paper import MM
from rulewright.print import typesetting
from rulewright.print.imposition import margins_of
from rulewright.print.press.sheet_order import TEMPLATE
from rulewright.print.sheet_document import SheetData
from rulewright.site.context import Desk
from tests import printing
from tests.amount import TIMES
from tests.ours import library
from tests.printing import CARD
from tests.projects import ROOT

BAND = 16.0
"""How far down the title of a page reaches at most, in mm."""

FULL, APART = 0.92, 0.03
"""Least share of its page that a column fills, and most by which two columns of a page end apart."""

RULEBOOK = """title: A Game
numbers: "1.1"
chapters: ["1.0", "2.0"]
roles:
  phasing: {title: Phasing player, mark: P}
  non-phasing: {title: Non-phasing player, mark: N}
  both: {title: Both players, mark: B}
"""
SEQUENCE = """title: Sequence of Play
steps:
  - phase: Movement Phase
    by: phasing
    steps:
      - {do: Overruns, activity: combat, cost: +3 MP}
      - {do: Move}
  - phase: Reaction Phase
    by: non-phasing
    steps: [{do: Barrage, activity: combat}]
"""


def book(folder: Path, **files: str) -> Examined:
    """A book with one aid called `card`; `files` are of its edition, by names without `.yml`."""
    found = printing.book(folder, rulebook=RULEBOOK, **{"sequence": SEQUENCE, **files})
    assert [str(problem) for problem in found.problems if problem.fails] == []
    return found


@dataclass(frozen=True)
class Document:
    """A sheet to be set, with its pictures."""

    data: Mapping[str, Any]
    pictures: Mapping[str, bytes]

    def pdf(self) -> bytes:
        return typesetting.compile(TEMPLATE, self.data, self.pictures).pdf

    def reports(self) -> list[dict[str, Any]]:
        """What the setting says of each area: its type, and what did not fit."""
        return [*typesetting.compile(TEMPLATE, self.data, self.pictures, label="report").told]


def data_of(examined: Examined, address: str = "game/1", name: str = "card") -> SheetData:
    sheet = next(one for one in examined.shelf.sheets[address] if one.name == name)
    return SheetData(sheet, tuple(parts(sheet, examined.shelf)), Desk(examined.shelf), sheet.plan)


def document_of(data: SheetData, folder: Path = ROOT) -> Document:
    made_of = data.data  # which draws the counters and finds the pictures
    files = {name: (folder / name).read_bytes() for name in data.pictures}
    return Document(made_of, files | data.words.drawn)


def ends(data: SheetData, pdf: bytes, columns: int = 0) -> Iterator[tuple[str, list[float]]]:
    """Each panel by its name, or page by the title of its side, with how far down each column ends: 0 to 1.

    `columns`: how many there are, if fewer than the sheet has.
    """
    plan, margins, sides = data.plan, margins_of(data.plan), data.data["sides"]
    foot = plan.paper.height - margins.foot
    with pymupdf.open(stream=pdf) as opened:
        for at, page in enumerate(opened):
            words = [
                tuple(edge * MM["pt"] - plan.bleed for edge in word[:4]) for word in page.get_text("words")
            ]
            side = sides[min(at, len(sides) - 1)]
            areas = [(one["name"], one["x"], one["width"], one["runs"]) for one in side["panels"]]
            areas = areas or [
                (side["title"], margins.side, plan.paper.width - 2 * margins.side, side["runs"])
            ]
            for name, left, width, runs in areas:
                count = 1 if not runs or runs[-1]["wide"] else columns or plan.columns
                each = (width + margins.gap) / count
                lows = [0.0] * count
                for x, top, right, low in words:
                    column = int(((x + right) / 2 - left) // each)
                    if 0 <= column < count and left - 2 < x < left + width and BAND < top < foot - 1:
                        lows[column] = max(lows[column], low / foot)
                if runs:
                    yield name, lows


def level(lows: list[float], apart: float = APART) -> bool:
    return max(lows) - min(lows) <= apart


def with_tables(data: SheetData) -> set[str]:
    """The areas that end with tables, each of which stays in one piece."""
    sides = data.data["sides"]
    areas = [
        (area.get("name") or area["title"], area["runs"])
        for side in sides
        for area in (*side["panels"], side)
    ]
    return {
        name for name, runs in areas if runs and "tables" in [one["template"] for one in runs[-1]["blocks"]]
    }


def full(lows: list[float]) -> bool:
    return min(lows) >= FULL


OURS = [(address, sheet.name) for address, sheets in library().shelf.sheets.items() for sheet in sheets]


@pytest.mark.parametrize(("address", "name"), OURS)
def test_our_sheets_are_full_and_end_level(address: str, name: str) -> None:
    data = data_of(library(), address, name)
    document = document_of(data)
    said = {one["area"]: one for one in document.reports()}
    assert [one["over"] for one in said.values()] == [None] * len(said)
    for area, lows in ends(data, document.pdf()):
        whole = area in with_tables(data)
        assert level(lows, 0.15 if whole else APART), (area, lows)
        # Type that may not grow leaves room where there is little to say; two thirds of a page are filled.
        assert full([max(lows)] if whole else lows) or (
            said[area]["size"] >= data.plan.largest - 0.01 and min(lows) > 0.66
        ), (
            area,
            lows,
        )


WORDS = [
    *(
        "move",
        "fight",
        "supply",
        "units",
        "hex",
        "adjacent",
        "enemy",
        "attack",
        "may",
        "each",
        "player",
        "only",
    ),
    *(
        "roll",
        "terrain",
        "cost",
        "points",
        "reserve",
        "stack",
        "retreat",
        "advance",
        "combat",
        "before",
        "when",
    ),
    *("marker", "after", "released", "overrun", "artillery"),
]


def said(chance: random.Random, least: int, most: int) -> str:
    return " ".join(chance.choice(WORDS) for _ in range(chance.randint(least, most))).capitalize()


def made_up(seed: int) -> dict[str, str]:
    """The files of a book with a sequence, a table and an aid that shows some of it."""
    chance = random.Random(seed)
    phases = []
    for at in range(chance.randint(3, 12)):
        steps = [f"      - {{do: {said(chance, 2, 12)} {at}.{n}}}" for n in range(chance.randint(1, 7))]
        by = chance.choice(("phasing", "non-phasing", "both", "none"))
        phases.append(f"  - phase: {said(chance, 1, 3)} {at}\n    by: {by}\n    steps:\n" + "\n".join(steps))
    columns = chance.randint(2, 6)
    rows = "\n".join(
        f"  - {{case: {said(chance, 1, 2)} no {chr(96 + at)}, "
        + ", ".join(f"c{n}: {said(chance, 1, 2)}" for n in range(columns))
        + "}"
        for at in range(1, chance.randint(3, 12))
    )
    named = ", ".join(("case", *(f"c{n}" for n in range(columns))))
    table = f"id: one\ntitle: {said(chance, 2, 4)}\ncolumns: [{named}]\nrows:\n{rows}\n"
    items = "\n".join(f"      - {said(chance, 4, 20)}." for _ in range(chance.randint(2, 9)))
    sorts = [
        "  - sequence",
        "  - tables: all",
        f"  - list:\n      items:\n{items.replace('      -', '        -')}\n    title: {said(chance, 1, 3)}",
        f"  - notes: {said(chance, 20, 90)}.\n    title: {said(chance, 1, 3)}",
        "  - checklist",
    ]
    chosen = chance.sample(sorts, chance.randint(1, 4))
    head = f'title: {said(chance, 1, 4)}\ncolumns: "{chance.randint(1, 3)}"\n'
    head += f"paper: {chance.choice(('letter', 'a4', 'a5', 'letter landscape', 'tabloid landscape'))}\n"
    legend = "  - legend\n" if {sorts[0], sorts[-1]}.intersection(chosen) else ""
    aid = f"{head}blocks:\n{legend}" + "\n".join(chosen) + "\n"
    return {
        "sequence": "title: Sequence\nsteps:\n" + "\n".join(phases),
        "tables/one": table,
        "aids/card": aid,
    }


def holds(folder: Path, seed: int) -> str:
    """What is wrong with a made-up sheet; empty where nothing is."""
    data = data_of(book(folder, **made_up(seed)))
    document = document_of(data)
    (report,) = document.reports()
    if report["over"]:
        small = "word" in report["over"] or report["size"] <= data.plan.smallest + 0.01
        return "" if small else f"{seed}: too early {report}"
    found = list(ends(data, document.pdf(), report["columns"]))
    if len(found) != 1:
        return f"{seed}: {len(found)} pages"
    lows = found[0][1]
    # What cannot be parted is as high as it is.
    if not level(lows) and max(lows) - min(lows) > report["part"]:
        return f"{seed}: columns end at {[round(low, 2) for low in lows]}"
    if max(lows) > 1.01:
        return f"{seed}: runs into the foot, {lows}"
    if not full(lows) and min(lows) + report["part"] < FULL and report["size"] < data.plan.largest - 0.01:
        return f"{seed}: ends at {[round(low, 2) for low in lows]} in {report['size']:.1f} pt"
    return ""


@pytest.mark.parametrize("seed", range(6))
def test_made_up_sheets_are_full_and_end_level(tmp_path: Path, seed: int) -> None:
    assert holds(tmp_path, seed) == ""


@pytest.mark.thorough
def test_many_made_up_sheets(tmp_path: Path) -> None:
    assert [fault for seed in range(6, 6 + 20 * TIMES) if (fault := holds(tmp_path / str(seed), seed))] == []


def test_a_word_wider_than_its_column_is_told_at_its_block(tmp_path: Path) -> None:
    word = "Unpartable" * 12
    aid = 'title: A Card\ncolumns: "3"\npaper: a5\nblocks:\n'
    aid += f"  - notes: See {word} there.\n  - notes: More.\n  - notes: Yes.\n"
    (report,) = document_of(data_of(book(tmp_path, **{"aids/card": aid}))).reports()
    assert report["over"]["word"] == word
    assert report["over"]["place"] == ["content/game/1/aids/card.yml", 5, 5]
    assert report["over"]["by"] > 50


def test_what_does_not_fit_names_its_block(tmp_path: Path) -> None:
    aid = (
        "title: A Card\npaper: a5\nblocks:\n  - sequence\n  - notes: |\n"
        + "      Many words stand here.\n\n" * 90
    )
    data = data_of(book(tmp_path, **{"aids/card": aid}))
    document = document_of(data)
    (report,) = document.reports()
    assert (report["size"], report["over"]["name"]) == (8, "notes")
    assert report["over"]["place"] == ["content/game/1/aids/card.yml", 5, 5]
    with pymupdf.open(stream=document.pdf()) as opened:
        assert len(opened) == 1


def test_letter_landscape_lies(tmp_path: Path) -> None:
    data = data_of(book(tmp_path, **{"aids/card": f"paper: letter landscape\n{CARD}"}))
    with pymupdf.open(stream=document_of(data).pdf()) as opened:
        assert [round(edge * MM["pt"], 1) for edge in opened[0].rect[2:]] == [279.4, 215.9]


def test_the_same_sheet_is_the_same_bytes(tmp_path: Path) -> None:
    data = data_of(book(tmp_path))
    assert document_of(data).pdf() == document_of(data).pdf()


def test_a_wide_table_has_the_heads_of_its_rows_at_both_ends(tmp_path: Path) -> None:
    odds = ", ".join(f'"{at}:1"' for at in range(1, 11))
    rows = "\n".join(
        f"  - {{roll: {at}, " + ", ".join(f'"{n}:1": r{at}' for n in range(1, 11)) + "}" for at in range(1, 7)
    )
    table = f"id: one\ntitle: Results\nroll: 1d6\ncolumns: [{odds}]\nrows:\n{rows}\n"
    aid = "title: A Card\npaper: letter landscape\nblocks:\n  - tables: all\n"
    data = data_of(book(tmp_path, **{"aids/card": aid, "tables/one": table}))
    with pymupdf.open(stream=document_of(data).pdf()) as opened:
        found = [word for word in opened[0].get_text("words") if word[4] == "6"]
        width = opened[0].rect.width
    assert [round(word[1]) for word in found] == [round(found[0][1])] * 2
    assert found[0][0] < width * 0.15
    assert found[1][0] > width * 0.85


def charts(tables: int, modifiers: int, notes: int, tall: bool = False) -> dict[str, str]:
    """Tables with so much below each, or below the first, and an aid of two columns with them."""
    files = {}
    for at in range(tables):
        said = f"number: '1.{at}'\ntitle: Chart {at}\nroll: 1d6\ncolumns: [Result]\nrows:\n"
        said += "".join(f'  - {{roll: "{n}", Result: "of{at} row {n}"}}\n' for n in range(1, 7))
        said += "modifiers:\n" + "".join(
            f'  - {{value: "+{n}", when: of{at} a reason for it that is told}}\n' for n in range(modifiers)
        )
        told = [
            f"  - {{mark: '{n}', text: of{at} a note below.}}\n" for n in range(0 if at and tall else notes)
        ]
        said += "notes:\n" + "".join(told) if told else ""
        files[f"tables/chart-{at}"] = said
    named = ", ".join(f"'1.{at}'" for at in range(tables))
    files["aids/card"] = f"title: A Card\ncolumns: '2'\nblocks:\n  - tables: [{named}]\n"
    return files


@pytest.mark.parametrize("paper", ["a5", "letter", "a4 landscape"])
@pytest.mark.parametrize(
    ("tables", "modifiers", "notes"), [(2, 3, 3), (3, 8, 2), (3, 1, 12), (5, 2, 2), (4, 9, 0)]
)
def test_a_table_never_parts_from_what_stands_below_it(
    tmp_path: Path, tables: int, modifiers: int, notes: int, paper: str
) -> None:
    files = charts(tables, modifiers, notes)
    files["aids/card"] += f"paper: {paper}\n"
    data = data_of(book(tmp_path, **files))
    with pymupdf.open(stream=document_of(data).pdf()) as opened:
        half = opened[0].rect.width / 2
        for at in range(tables):
            found = {
                (page.number, x > half)
                for page in opened
                for x, *_, word, _, _, _ in page.get_text("words")
                if word == f"of{at}"
            }
            assert len(found) == 1, (at, found)


@pytest.mark.parametrize("notes", [60, 75, 84])
def test_a_table_higher_than_a_column_has_its_title_in_each(tmp_path: Path, notes: int) -> None:
    files = charts(2, 3, notes, tall=True)
    files["aids/card"] += "paper: a5\n"
    data = data_of(book(tmp_path, **files))
    with pymupdf.open(stream=document_of(data).pdf()) as opened:
        words = opened[0].get_text("words")
        half = opened[0].rect.width / 2
    for right in (False, True):
        column = sorted((word[1], word[0], word[4]) for word in words if (word[0] > half) is right)
        titled = min(y for y, _, word in column if word == "Chart")
        assert titled < min(y for y, _, word in column if word == "of0"), column[:9]


def test_a_proof_is_stamped_below_its_words(tmp_path: Path) -> None:
    data = data_of(book(tmp_path))
    stamped = SheetData(data.sheet, data.panels, data.desk, data.plan, stamp="PROOF")
    with pymupdf.open(stream=document_of(stamped).pdf()) as opened:
        drawn = [word[4] for word in opened[0].get_text("words", sort=False)]
    assert drawn[0] == "PROOF"
    assert "Overruns" in drawn


def test_a_picture_stands_on_the_sheet(tmp_path: Path) -> None:
    (tmp_path / "content/game/1/aids").mkdir(parents=True)
    Image.new("RGB", (600, 300), (200, 30, 30)).save(tmp_path / "content/game/1/aids/map.png")
    aid = "title: A Card\nblocks:\n  - picture: {file: map.png, alt: A map}\n"
    document = document_of(data_of(book(tmp_path, **{"aids/card": aid})), tmp_path)
    assert [one["over"] for one in document.reports()] == [None]
    with pymupdf.open(stream=document.pdf()) as opened:
        (picture,) = opened[0].get_image_info()
    assert picture["width"] == 600
    assert document.pdf() == document.pdf()
