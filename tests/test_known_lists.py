"""Lists of known numbers: what is here is in none, and what is deleted is then told."""

from pathlib import Path

import pytest

from rulewright.app.cli import main
from tests.commands.duel import write

FILES = {
    "content/x/rulebook.yml": 'title: X\nnumbers: "1.1a"\nchapters: "1.0"\ncues: [see]\n',
    "content/x/1/edition.yml": 'edition: "1"\n',
    "content/x/1/rules/1.yml": 'chapter: "1.0"\ntitle: Oars\n"1.2 Row": Pull.\n"1.3 Rest": Stop; see 1.2.\n',
    "content/x/1/tables/1.4.yml": 'number: "1.4"\ntitle: Winds\ncolumns: [Wind]\nrows: [{Wind: calm}]\n',
}
HEAD = "lists: cited   # what section 1 cites\nknown:\n"
LISTED = '  - {number: "1.1", title: Ports}\n'
KEPT = '  - {number: "1.3", formerly: ["1.9"]}\n'


@pytest.mark.parametrize(
    ("entries", "left"),
    [
        (f'{LISTED}  - {{number: "1.2", title: Pull}}\n{KEPT}', f"{LISTED}{KEPT}"),
        (f'{LISTED}  - {{number: "1.2"}}   # printed twice\n', f"{LISTED}  # printed twice\n"),
        (f'{LISTED}  - number: "1.2"\n    title: Row\n  - number: "1.4"\n', LISTED),
        (LISTED, LISTED),
    ],
)
def test_format_takes_out_what_has_text_and_nothing_else(entries: str, left: str, tmp_path: Path) -> None:
    project = write(tmp_path, {**FILES, "content/x/1/known.yml": HEAD + entries})
    assert main(["--project", str(project), "format"]) == 0
    assert (project / "content/x/1/known.yml").read_text() == HEAD + left
    assert main(["--project", str(project), "format", "--check"]) == 0


def test_a_list_of_the_whole_book_in_which_nothing_is_left_goes(tmp_path: Path) -> None:
    known = 'lists: everything\nknown:\n  - {number: "1.0"}\n  - {number: "1.2", title: Row}\n'
    project = write(tmp_path, {**FILES, "content/x/1/known.yml": known})
    assert main(["--project", str(project), "format"]) == 0
    assert not (project / "content/x/1/known.yml").exists()


def test_a_list_that_orders_the_numbers_stays(tmp_path: Path) -> None:
    known = 'lists: cited\nknown:\n  - {number: "1.3"}\n  - {number: "1.1"}\n'
    project = write(tmp_path, {**FILES, "content/x/1/known.yml": known})
    assert main(["--project", str(project), "format"]) == 0
    assert (project / "content/x/1/known.yml").read_text() == known


def test_a_cited_rule_that_is_deleted_is_an_error_then(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    known = HEAD + LISTED + '  - {number: "1.2", title: Row}\n'
    project = write(tmp_path, {**FILES, "content/x/1/known.yml": known})
    assert main(["--project", str(project), "format"]) == 0
    rules = project / "content/x/1/rules/1.yml"
    rules.write_text(rules.read_text().replace('"1.2 Row": Pull.\n', ""))
    capsys.readouterr()
    assert main(["--project", str(project), "check"]) == 1
    assert "error: no rule 1.2" in capsys.readouterr().out
