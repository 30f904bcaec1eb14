"""Documents damaged at random: each is a page or a refusal, soon, and never a traceback."""

import random
import zipfile
from collections.abc import Callable
from io import BytesIO
from itertools import islice
from pathlib import Path

import pytest
from tests.attack.documents import docx_of
from tests.attack.mutation import Mutator
from tests.attack.surface import surfaces

from rulewright.importers.document import read_document
from rulewright.importers.proposal import proposal_of
from rulewright.importers.reader import Damaged
from rulewright.importers.reader.page import page_text, raw_lines
from rulewright.importers.reader.pdf import html_of_pdf
from rulewright.importers.reader.word import html_of_docx
from rulewright.importers.website.page_blocks import read_page
from rulewright.source.processes import apart
from tests.amount import TIMES
from tests.effort import FACTOR, growth
from tests.test_import_formats import as_docx, as_html, as_pdf, book

MANY = {".docx": 100, ".html": 300, ".pdf": 300}
SIGNS = [
    *(b"<", b">", b'"', b"[", b"(", b"<<", b"]]>", b"\0", b"\xff", b"\n\n", b"-1", b"99999999999", b"{{<"),
    *(b"</w:p>", b"<w:p>", b"<w:tbl>", b"<w:r>", b"w:val=", b"endobj", b"stream", b"&#99999999;", b"&amp"),
    *(b"</table>", b"<table>", b"<li>", b"<td rowspan=999999999>", b"<!--", b"<script>", b"</head>"),
    *(b"<title>", b"<ol type=a start=9>", b"</td>", b"<nav>"),
]


def damaged(data: bytes, chance: random.Random) -> bytes:
    for _ in range(chance.choice([1, 1, 2, 5, 20])):
        at, to = sorted(chance.randrange(len(data) + 1) for _ in range(2))
        to = min(to, at + chance.choice([1, 4, 40, 400]))
        how = chance.randrange(5)
        part = data[at:to]
        new = (
            b"",
            part * 2,
            chance.choice(SIGNS),
            bytes(byte ^ 1 << chance.randrange(8) for byte in part),
            part[::-1],
        )
        data = data[:at] + new[how] + data[to if how != 2 else at :]
    return data


def damaged_docx(data: bytes, chance: random.Random) -> bytes:
    """A DOCX of which one part is damaged, or all of it."""
    if chance.random() < 0.1:
        return damaged(data, chance)
    kept = BytesIO()
    with zipfile.ZipFile(BytesIO(data)) as archive, zipfile.ZipFile(kept, "w") as copy:
        names = [name for name in archive.namelist() if name.endswith((".xml", ".rels"))]
        hurt = chance.choice([*names, *["word/document.xml", "word/numbering.xml", "word/styles.xml"] * 3])
        for name in archive.namelist():
            copy.writestr(name, damaged(archive.read(name), chance) if name == hurt else archive.read(name))
    return kept.getvalue()


def html_of(path: Path, reader: Callable[[Path], object]) -> None:
    made = reader(path)
    page_text(made[0] if isinstance(made, tuple) else str(made))


def fates(folder: Path, ending: str, first: int, count: int) -> list[str]:
    """What becomes of so many damaged documents: `read` or `refused`; anything else is raised."""
    sound = {
        ".docx": as_docx(book(), counted=True),
        ".pdf": as_pdf(book(), 2) if ending == ".pdf" else b"",
        ".html": as_html(book()),
    }
    made = []
    path = folder / f"a{ending}"
    for seed in range(first, first + count):
        chance = random.Random(seed)
        path.write_bytes((damaged_docx if ending == ".docx" else damaged)(sound[ending], chance))
        try:
            if ending == ".html":
                site = read_document(path)
                for page in site.pages:
                    read_page(page)
                made.append("refused" if site.problems else "read")
            else:
                html_of(path, html_of_docx if ending == ".docx" else html_of_pdf)
                made.append("read")
        except Damaged:
            made.append("refused")
    return made


@pytest.mark.parametrize("ending", MANY)
def test_a_damaged_document_is_read_or_refused(ending: str, tmp_path: Path) -> None:
    made = apart(fates, tmp_path, ending, 0, MANY[ending])
    assert len(made) == MANY[ending]
    assert {*made} <= {"read", "refused"}
    assert "read" in made


def test_a_hostile_docx_is_read_or_refused_by_the_process_beside_it(tmp_path: Path) -> None:
    """As the standing attack makes them, which reads them in its own process."""
    for at, data in enumerate(islice(Mutator(surfaces()["docx"], 5).inputs(), 5 * TIMES)):
        (tmp_path / "book.docx").write_bytes(docx_of(data, random.Random(at)))
        site = read_document(tmp_path / "book.docx")
        assert [one.code for one in site.problems] == ([] if site.pages else ["import-document-unreadable"])


@pytest.mark.parametrize(
    "piece", ["</{}", "<a {}", "1.1 Roads{}x", "1.1 Roads{}5", "<p title='{}", "![a]({}.png)"]
)
@pytest.mark.parametrize("fill", ["a", " ", ". ", "\t", "- ", '"'])
def test_work_grows_no_faster_than_a_document(piece: str, fill: str, tmp_path: Path) -> None:
    def work(count: int) -> Callable[[], object]:
        text = f"## 1 Ground\n\n{piece.format(fill * count)}\n\n## 1.2 Ponds\n\nWords.\n"

        def run() -> None:
            raw_lines(text)
            (tmp_path / "a.md").write_text(text)
            proposal_of([str(tmp_path / "a.md")])

        return run

    assert growth(work, 400) < 2 * FACTOR
