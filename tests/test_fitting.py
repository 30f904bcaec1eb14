"""The fit of a sheet: the largest type that fits, or which block does not and by how much."""

from __future__ import annotations

import re
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image

from rulewright.citations.blocks import pictures_of
from rulewright.model.paper import PANELS
from rulewright.print import copyfitting
from rulewright.print.sheet_html import SheetJob, type_areas
from tests.printing import CARD, book, faults, fitted, job, library, needs_printer

pytestmark = needs_printer

LONG = (
    "title: A Card\npaper: a5\n{}blocks:\n  - notes: |\n" + "      Some words to fill the page with.\n" * 150
)


def test_type_is_as_large_as_it_may_be_where_there_is_room(tmp_path: Path) -> None:
    assert fitted(job(book(tmp_path))).points == (10.5,)


def by_walking(search: copyfitting._TypeSearch) -> int | None:
    """What is the largest if one tries every place on the grid from the top."""
    return next((at for at in range(search.most, -1, -1) if search.fits(at)), None)


def test_type_is_the_largest_that_fits(tmp_path: Path) -> None:
    card = job(book(tmp_path, LONG.format("")))
    (points,) = fitted(card).points
    assert 7.5 < points < 10.5
    (room,) = type_areas(card)
    at = round((points - 7.5) / copyfitting.GRID)
    assert by_walking(copyfitting._TypeSearch(card, room)) == at


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("address", "name", "at"),
    [("ocs/4.3", "sequence", 1), ("ocs/3.0", "charts", 0)],
)
def test_the_search_finds_what_trying_every_size_finds(address: str, name: str, at: int) -> None:
    card = job(library(), address, name)
    room = type_areas(card)[at]
    found = copyfitting._TypeSearch(card, room)
    size = found.largest()
    assert size == by_walking(copyfitting._TypeSearch(card, room))
    assert len(found.tried) <= 10, "and with few layouts"


def test_a_sheet_with_room_to_spare_is_given_air_and_even_columns(tmp_path: Path) -> None:
    phases = "".join(
        f"  - phase: Phase {at}\n    by: phasing\n    steps: [{{do: Step of {at}}}]\n" for at in range(13)
    )
    aid = 'title: A Card\npaper: a5\ncolumns: "2"\nblocks: [sequence]\n'
    found = fitted(job(book(tmp_path, aid, sequence=f"title: Sequence of Play\nsteps:\n{phases}")))
    (type,) = found.types
    assert type.points == 10.5
    assert type.air > 0
    ends: dict[int, float] = {}
    for box in found.laid.boxes():
        if box.words.startswith("Step"):
            ends[round(box.x)] = max(ends.get(round(box.x), 0), box.bottom)
    left, right = ends.values()
    assert abs(left - right) < 1, ends


def test_no_line_breaks_long_before_its_end(tmp_path: Path) -> None:
    words = (
        "Reserves that are released: half the MA in the Reaction Phase (1.1), all of it in the Exploitation"
    )
    rules = "chapter: '1.0'\ntitle: One\nrules: [{number: '1.1', title: Two, text: Three.}]\n"
    for width in range(104, 112):
        aid = f"title: A Card\npaper: {width} x 150 mm\ntype: {{smallest: 10, largest: 10}}\n"
        made = fitted(job(book(tmp_path, f"{aid}blocks:\n  - notes: {words!r}\n", **{"rules/1": rules})))
        first = next(box for box in made.laid.boxes() if box.words.startswith("Reserves"))
        assert len(first.words.split()) > 8, (width, first.words)


def test_a_side_that_fills_a_page_has_a_size_of_its_own(tmp_path: Path) -> None:
    aid = LONG.format('sides: "2"\n') + "  - sequence:\n    starts: page\n"
    front, back = fitted(job(book(tmp_path, aid))).points
    assert front < back == 10.5


@pytest.mark.parametrize(
    ("aid", "line", "code", "says"),
    [
        (LONG.format("type: {smallest: 9}\n"), 5, "aid-does-not-fit", "notes runs "),
        ("title: A Card\nblocks:\n  - legend\n  - notes: " + "W" * 120 + "\n", 4, "aid-too-wide", "WWW” is "),
        (CARD + "  - notes: a ☃\n", 5, "glyph-missing", "“☃” (U+2603, SNOWMAN), in “a ☃”"),
        (
            'title: A Card\npages: "2"\nblocks: [sequence]\n',
            2,
            "aid-does-not-fill",
            "it fills 1 of its 2 pages",
        ),
        (
            "title: A Card\nfold: bi-fold\nblocks:\n  - panel: inside left\n  - notes: |\n"
            + "      Some words to fill the panel with.\n" * 300,
            5,
            "aid-does-not-fit",
            "over the panel “inside left”",
        ),
        (
            'title: A Card\npaper: 70 x 45 mm\ncolumns: "2"\nblocks: [sequence]\n',
            4,
            "aid-does-not-fit",
            "over its page",
        ),
    ],
    ids=["long", "word", "glyph", "unfilled", "panel", "paper"],
)
def test_what_does_not_fit_is_named_with_its_place(
    tmp_path: Path, aid: str, line: int, code: str, says: str
) -> None:
    found = [one for one in faults(job(book(tmp_path, aid))) if one.code == code]
    assert found, faults(job(book(tmp_path, aid)))
    assert (found[0].place.file, found[0].place.line) == ("content/game/1/aids/card.yml", line)
    assert says in found[0].message
    assert ";" in found[0].message, "a message says what to do"


def test_a_table_that_is_too_wide_is_named(tmp_path: Path) -> None:
    names = [f"Heading{at}" for at in range(20)]
    row = ", ".join(f"{name}: Value" for name in names)
    table = f"title: Wide\nid: wide\ncolumns: [{', '.join(names)}]\nrows: [{{{row}}}]\n"
    aid = 'title: A Card\ncolumns: "2"\nblocks:\n  - tables: wide\n'
    found = faults(job(book(tmp_path, aid, **{"tables/wide": table})))
    assert [one.code for one in found] == ["aid-too-wide"]
    assert "wide: yes" in found[0].message


PICTURED = "title: A Card\nblocks:\n  - picture: {file: map.png, alt: A map}\n"


def pictured(tmp_path: Path, data: bytes) -> SheetJob:
    """A sheet with a picture on it."""
    (tmp_path / "content/game/1/aids").mkdir(parents=True)
    (tmp_path / "content/game/1/aids/map.png").write_bytes(data)
    card = job(book(tmp_path, PICTURED))
    return replace(card, pictures=dict.fromkeys(pictures_of(card.panels), data))


def test_a_picture_with_too_few_dots_is_named_with_the_size_it_needs(tmp_path: Path) -> None:
    made = BytesIO()
    Image.new("RGB", (200, 100), "white").save(made, "PNG")
    (found,) = faults(pictured(tmp_path, made.getvalue()))
    assert (found.code, found.place.line) == ("picture-too-coarse", 3)
    assert re.search(r"give it 2\d{3} pixels", found.message)


def test_a_picture_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    (found,) = faults(pictured(tmp_path, b"no picture at all"))
    assert found.code == "aid-not-printable"
    assert "map.png" in found.message


def spans(card: SheetJob) -> dict[str, list[tuple[float, float]]]:
    """From where to where the words of each panel reach."""
    found: dict[str, list[tuple[float, float]]] = {}
    for box in fitted(card).laid.boxes():
        if box.words.strip():
            found.setdefault(box.within("panel"), []).append((box.x, box.right))
    return found


@pytest.mark.parametrize("fold", ["bi-fold", "tri-fold"])
def test_words_keep_away_from_folds_and_trim(tmp_path: Path, fold: str) -> None:
    panels = PANELS[fold]
    aid = f"title: A Card\nfold: {fold}\nblocks:\n"
    aid += "".join(f"  - panel: {name}\n  - notes: {'Words and more words. ' * 40}\n" for name in panels)
    card = job(book(tmp_path, aid))
    outside, inside = card.plan.folds
    half = len(panels) // 2
    for at, name in enumerate(panels):
        folds = outside if at < half else inside
        for left, right in spans(card)[name] + spans(card)[""]:
            assert left >= 3
            assert right <= card.plan.paper.width - 3
        for left, right in spans(card)[name]:
            assert all(right <= fold - 5 + 0.01 or left >= fold + 5 - 0.01 for fold in folds), name


def test_no_table_or_phase_is_split_and_no_heading_stands_alone(tmp_path: Path) -> None:
    phase = (
        "  - phase: Phase {0}\n    by: phasing\n    steps: [{{do: Step of {0}}}, {{do: Another of {0}}}]\n"
    )
    phases = "".join(map(phase.format, range(20)))
    aid = 'title: A Card\npaper: a5\ncolumns: "2"\nblocks:\n  - sequence\n'
    card = job(book(tmp_path, aid, sequence=f"title: Sequence of Play\nsteps:\n{phases}"))
    columns: dict[str, set[int]] = {}
    for box in fitted(card).laid.boxes():
        if box.words.startswith(("Phase", "Step", "Another")):
            name = box.words.split()[-1]
            columns.setdefault(name, set()).add(
                round(next(one for one in box.out() if "columns" in one.classes).x)
            )
    assert len(columns) == 20
    assert all(len(found) == 1 for found in columns.values())
    left, right = (
        sum(found == {x} for found in columns.values())
        for x in sorted({x for f in columns.values() for x in f})
    )
    assert left == right, "columns are even"
