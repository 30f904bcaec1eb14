"""A made-up rulebook with all that stands in a real one is imported and printed at the first try."""

import pypdfium2
import pytest

from rulewright.checks.load_and_check import load_and_check
from rulewright.print import typst_compiler
from rulewright.print.pdf_preflight import run_preflight as preflight
from rulewright.print.press import all_print_jobs
from rulewright.print.press.print_job import PrintOptions
from tests.example_counts import TIMES
from tests.rulebooks import MadeUpBook, imported

pytestmark = pytest.mark.skipif(bool(typst_compiler.missing()), reason=typst_compiler.missing())

LEVEL = 90.0
"""How far apart two columns of a page may end, in points: what a small picture or a short table leaves."""

HEAD, FOOT = 48, 34
"""How much of a page, in points, its running head and its foot margin take at least."""


def feet(page: pypdfium2.PdfPage) -> list[float]:
    """Where the two columns of a page end, from its lower edge."""
    width, height = page.get_size()
    ends = [height, height]
    for one in page.get_objects(max_depth=3):
        left, bottom, right, top = one.get_bounds()
        if bottom > FOOT and top < height - HEAD:
            for column in {int(left > width / 2), int(right > width / 2)}:
                ends[column] = min(ends[column], bottom)
    return ends


@pytest.mark.parametrize(
    ("seed", "chapters", "pictures", "least"),
    [
        (15, 4, 16, 12),
        *(pytest.param(seed, 14, 80, 55, marks=pytest.mark.thorough) for seed in range(1, 1 + TIMES)),
    ],
)
def test_a_book_is_imported_and_printed_at_the_first_try(tmp_path, seed, chapters, pictures, least):
    book, project = MadeUpBook(seed, chapters, pictures), tmp_path / "project"
    (project / "content").mkdir(parents=True)
    (tmp_path / "site").mkdir()
    book.write(tmp_path / "site")
    imported(tmp_path / "site", project)
    (order,) = all_print_jobs(
        project, load_and_check(project).index, PrintOptions(site="https://example.org/")
    )
    made = order.make()
    assert [str(problem) for problem in made.problems] == []
    assert [str(problem) for problem in preflight(made.pdf, order.place).problems] == []
    document = pypdfium2.PdfDocument(made.pdf)
    pages = list(document)
    assert len(pages) >= least
    titles = [mark.get_title() for mark in document.get_toc() if mark.level == 0]
    assert [title.split()[0] for title in titles[1 : chapters + 1]] == [f"{n + 1}.0" for n in range(chapters)]
    assert any("House Rules" in title for title in titles[chapters:])
    shown = sum(one.type == pypdfium2.raw.FPDF_PAGEOBJ_IMAGE for page in pages for one in page.get_objects())
    assert shown >= sum(text.count(".png") + text.count(".jpg") for text in book.pages)
    # A chapter begins behind the pictures of the one before: there a column may end early.
    begun = {mark.get_dest().get_index() + 1 for mark in document.get_toc() if mark.level == 0}
    apart = {at: abs(left - right) for at, page in enumerate(pages, 1) for left, right in [feet(page)]}
    early = {at: far for at, far in apart.items() if far > LEVEL and at > 3}
    assert {at: far for at, far in early.items() if not {at, at + 1} & begun} == {}
