"""The fit of a sheet: the largest type that fits, or which block does not."""

import re
from io import BytesIO
from pathlib import Path

import pymupdf
import pytest
from PIL import Image

from rulewright.model.paper import PANELS
from rulewright.print.preflight import run
from rulewright.source.problems import Place
from tests.printing import book, faults, needs_printer, order, printed, sizes, words

pytestmark = needs_printer

LONG = (
    "title: A Card\npaper: a5\n{}blocks:\n  - notes: |\n" + "      Some words to fill the page with.\n" * 150
)


def test_type_is_the_largest_that_fits(tmp_path: Path) -> None:
    """Fixed a little larger, the same sheet runs over."""
    (points,) = sizes(order(book(tmp_path / "free", LONG.format(""))))
    assert 7.5 < points < 10.5
    for more, fits in ((0.0, True), (0.3, False)):
        fixed = f"type: {{smallest: {points + more:g}, largest: {points + more:g}}}\n"
        found = faults(order(book(tmp_path / f"{more}", LONG.format(fixed))))
        assert (not found) is fits, (points, found)


def test_a_sheet_with_room_to_spare_has_level_columns(tmp_path: Path) -> None:
    phases = "".join(
        f"  - phase: Phase {at}\n    by: phasing\n    steps: [{{do: Step of {at}}}]\n" for at in range(31)
    )
    aid = 'title: A Card\npaper: a5\ncolumns: "2"\nblocks: [sequence]\n'
    found = order(book(tmp_path, aid, sequence=f"title: Sequence of Play\nsteps:\n{phases}"))
    ends: dict[bool, float] = {}
    for left, _, _, bottom, word in words(printed(found)[0]):
        if word == "Step":
            ends[left > 74] = max(ends.get(left > 74, 0), bottom)
    assert len(ends) == 2
    assert abs(ends[True] - ends[False]) < 1.5, ends


def test_a_side_that_fills_a_page_has_a_size_of_its_own(tmp_path: Path) -> None:
    aid = LONG.format('sides: "2"\n') + "  - sequence:\n    starts: page\n"
    front, back = sizes(order(book(tmp_path, aid)))
    assert front < back


@pytest.mark.parametrize(
    ("aid", "line", "code", "says"),
    [
        (LONG.format("type: {smallest: 13, largest: 14}\n"), 5, "aid-does-not-fit", "notes runs "),
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
            "over inside left",
        ),
        (
            'title: A Card\npaper: 70 x 45 mm\ncolumns: "2"\nblocks: [sequence]\n',
            4,
            "aid-does-not-fit",
            "over A Card",
        ),
    ],
    ids=["long", "unfilled", "panel", "paper"],
)
def test_what_does_not_fit_is_named_with_its_place(tmp_path, aid, line, code, says):
    problems = faults(order(book(tmp_path, aid)))
    found = [one for one in problems if one.code == code]
    assert found, problems
    assert (found[0].place.file, found[0].place.line) == ("content/game/1/aids/card.yml", line)
    assert says in found[0].message
    assert ";" in found[0].message, "a message says what to do"


def test_a_proof_has_what_does_not_fit_and_says_that_it_is_one(tmp_path: Path) -> None:
    sheet = order(book(tmp_path, LONG.format("type: {smallest: 13, largest: 14}\n")), proof=True)
    assert [one.code for one in faults(sheet)] == ["aid-does-not-fit"]
    assert "PROOF" in printed(sheet)[0].get_text()


PICTURED = "title: A Card\nblocks:\n  - picture: {file: map.png, alt: A map}\n"


def pictured(tmp_path: Path, data: bytes, said: str = "") -> list[tuple[str, int, str]]:
    (tmp_path / "content/game/1/aids").mkdir(parents=True)
    (tmp_path / "content/game/1/aids/map.png").write_bytes(data)
    found = faults(order(book(tmp_path, PICTURED.replace("}", said + "}")), folder=tmp_path))
    return [(one.code, one.place.line, one.message) for one in found]


def test_a_picture_with_too_few_dots_is_named_with_the_size_it_needs(tmp_path: Path) -> None:
    made = BytesIO()
    Image.new("RGB", (200, 100), "white").save(made, "PNG")
    ((code, line, message),) = pictured(tmp_path, made.getvalue(), ", width: 100%")
    assert (code, line) == ("picture-too-coarse", 3)
    assert re.search(r"give it 2\d{3} pixels", message)


@pytest.mark.parametrize(("said", "wide"), [("", 15.0), (', width: "60"', 9.0), (", width: 5%", 9.795)])
def test_a_small_picture_is_not_blown_up(tmp_path: Path, said: str, wide: float) -> None:
    made = BytesIO()
    Image.new("RGB", (100, 100), "white").save(made, "PNG")
    aid = f"title: A Card\nblocks:\n  - picture: {{file: map.png, alt: A map{said}}}\n  - legend\n"
    (tmp_path / "content/game/1/aids").mkdir(parents=True)
    (tmp_path / "content/game/1/aids/map.png").write_bytes(made.getvalue())
    (page, *_) = printed(order(book(tmp_path, aid), folder=tmp_path))
    (image,) = page.get_image_info()
    left, _, right, _ = image["bbox"]
    assert (right - left) * 25.4 / 72 == pytest.approx(wide, abs=0.1)


def test_a_picture_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    ((code, _, message),) = pictured(tmp_path, b"no picture at all")
    assert code == "aid-not-printable"
    assert "map.png" in message or "image" in message


TABS = {
    "one word": "Combat",
    "two": "Order of Battle",
    "long": "Reinforcement Schedule",
    "many": "A|B|C|D|E|F",
}


@pytest.mark.parametrize("bleed", ["", "1mm", "2mm", "3mm", "1/8in", "5mm", "6mm"])
@pytest.mark.parametrize("tab", TABS.values(), ids=TABS)
def test_a_tab_reaches_into_any_bleed_and_its_words_keep_off_the_trim(
    tab: str, bleed: str, tmp_path: Path
) -> None:
    names = tab.split("|")
    said = f"bleed: {bleed}\n" if bleed else ""
    aid = "title: A Card\npaper: a5\nsides: '2'\n{}tab: {}\nblocks:\n  - sequence\n"
    aid += "  - notes: Two.\n    starts: page\n"
    others = {f"aids/other-{at}": aid.format(said, name) for at, name in enumerate(names[1:])}
    sheet = order(book(tmp_path, aid.format(said, names[0]), **others))
    made = sheet.make()
    assert made.problems == ()
    assert run(made.pdf, Place("card.pdf")).problems == []
    with pymupdf.open(stream=made.pdf) as opened:
        for page, at_right in zip(opened, (True, False), strict=True):
            edge = sheet.plan.bleed
            far = [
                (page.rect.width - box.x1 if at_right else box.x0) * 25.4 / 72 - edge
                for box in page.search_for(names[0].upper().split()[0])
            ]
            assert any(3 <= one < 6.8 for one in far), far


MARKED = {
    "a row of heads": "columns: [Odds, Loss]\nrows:\n  - {Odds: '1:1', Loss: A1}\n",
    "heads under one": "columns: [Odds, Loss, Gain]\nover: {Effect: [Loss, Gain]}\nrows:\n"
    "  - {Odds: '1:1', Loss: A1, Gain: B}\n",
    "rolls": "roll: 1d6\ncolumns: [Odds, Loss]\nrows:\n  - {roll: '1-6', Odds: '1:1', Loss: A1}\n",
    "heads of rows": "columns: [Odds, Loss]\nrows:\n  - {Odds: '1:1', Loss: A1}\nheads: Odds\n",
}


@pytest.mark.parametrize("ink", ["colour", "black"])
@pytest.mark.parametrize("table", MARKED.values(), ids=MARKED)
def test_marks_of_notes_are_seen_on_the_ground_of_their_head(table: str, ink: str, tmp_path: Path) -> None:
    said = f"id: losses\ntitle: Losses\n{table}notes:\n  - {{mark: '‡', at: Loss, text: A note.}}\n"
    aid = "title: A Card\nblocks:\n  - tables: [losses]\n"
    (page, *_) = printed(order(book(tmp_path, aid, **{"tables/losses": said}), ink=ink))
    picture = page.get_pixmap(dpi=200)
    marks = page.search_for("‡")
    assert len(marks) == 2
    for box in marks:
        clip = [at * 200 / 72 for at in box]
        across = range(round(clip[0]), round(clip[2]))
        tones = [picture.pixel(x, y)[0] for x in across for y in range(round(clip[1]), round(clip[3]))]
        assert max(tones) - min(tones) > 150


@pytest.mark.parametrize("fold", [*PANELS])
def test_words_keep_away_from_folds_and_trim(tmp_path: Path, fold: str) -> None:
    panels = PANELS[fold]
    aid = f"title: A Card\nfold: {fold}\nblocks:\n"
    aid += "".join(f"  - panel: {name}\n  - notes: {'Words and more words. ' * 40}\n" for name in panels)
    card = order(book(tmp_path, aid))
    pages = printed(card)
    assert len(pages) == 2
    for page, folds in zip(pages, card.plan.folds, strict=True):
        for left, _, right, _, word in words(page):
            assert left >= 3, word
            assert right <= card.plan.paper.width - 3, word
            assert all(right <= fold - 5 + 0.05 or left >= fold + 5 - 0.05 for fold in folds), word


def test_no_phase_is_split_and_no_heading_stands_alone(tmp_path: Path) -> None:
    phase = "  - phase: Phase {0}\n    by: phasing\n    steps: [{{do: Step{0}}}, {{do: Another{0}}}]\n"
    phases = "".join(map(phase.format, range(20)))
    aid = 'title: A Card\npaper: a5\ncolumns: "2"\nblocks:\n  - sequence\n'
    card = order(book(tmp_path, aid, sequence=f"title: Sequence of Play\nsteps:\n{phases}"))
    columns: dict[str, set[bool]] = {}
    for left, top, _, bottom, word in words(printed(card)[0]):
        if (
            top > 16 and bottom < 200 and (m := re.fullmatch(r"(?:Step|Another)?(\d+)", word))
        ):  # between title and foot
            columns.setdefault(m[1], set()).add(left > 74)
    found = [columns[str(at)] for at in range(20)]
    assert all(len(one) == 1 for one in found)
    assert sum(one == {True} for one in found) == 10, "columns are even"
