"""The fit of a sheet: which block does not fit, and where it is written."""

import re
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image

from tests.printing import book, faults, needs_printer, order, printed, words

pytestmark = needs_printer

LONG = (
    "title: A Card\npaper: a5\n{}blocks:\n  - notes: |\n" + "      Some words to fill the page with.\n" * 150
)


@pytest.mark.parametrize(
    ("aid", "line", "code", "says"),
    [
        (LONG.format("type: 13 pt\n"), 5, "aid-does-not-fit", "does not fit on A Card in 13 pt"),
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
            "on inside left",
        ),
        (
            'title: A Card\npaper: 70 x 45 mm\ncolumns: "2"\nblocks: [sequence]\n',
            4,
            "aid-does-not-fit",
            "on A Card",
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


PICTURED = "title: A Card\nblocks:\n  - picture: {file: map.png, alt: A map}\n"


def pictured(tmp_path: Path, data: bytes, extra: str = "") -> list[tuple[str, int, str]]:
    (tmp_path / "content/game/1/aids").mkdir(parents=True)
    (tmp_path / "content/game/1/aids/map.png").write_bytes(data)
    found = faults(order(book(tmp_path, PICTURED.replace("}", extra + "}")), folder=tmp_path))
    return [(one.code, one.place.line, one.message) for one in found]


def test_a_picture_with_too_few_dots_is_named_with_its_resolution(tmp_path):
    buffer = BytesIO()
    Image.new("RGB", (200, 100), "white").save(buffer, "PNG")
    (tmp_path / "content/game/1/aids").mkdir(parents=True)
    (tmp_path / "content/game/1/aids/map.png").write_bytes(buffer.getvalue())
    aid = PICTURED.replace("}", ", width: 100%}")
    result = order(book(tmp_path, aid), folder=tmp_path).make()
    (problem,) = result.problems
    assert not result.pdf
    assert problem.code == "pdf-picture-coarse"
    assert re.search(r"page 1: a picture is printed at 2\d dpi, not at 300", problem.message)


def test_an_unreadable_picture_is_reported(tmp_path):
    ((code, _, message),) = pictured(tmp_path, b"no picture at all")
    assert code == "aid-not-printable"
    assert "map.png" in message or "image" in message


def test_no_phase_is_split_and_no_heading_is_alone(tmp_path):
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
