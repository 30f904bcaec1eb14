"""`rulewright refs`."""

import json

import pytest

from rulewright.app.cli import main
from rulewright.files import limits
from tests.commands.duel import printed, write

TEXT = "See 1.1a and\r\n1.2; [[1.1|Parrying]] (1.9).\n\n    `1.2`\n# Rule 1.1\n"
ROWS = [("1.1a", "1.1a", "Parry"), ("1.2", "1.2", "Lunge"), ("1.1", "1.1", "Parry"), ("1.9", None, None)]


def found_in(capsys: pytest.CaptureFixture[str], *words: str) -> list[dict[str, object]]:
    main(["refs", "duel", *words, "--format", "json"])
    return list(json.loads(capsys.readouterr().out))


@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_rows_quote_the_text_as_it_is(project, output, mark):
    write(project, {"post.md": mark + TEXT})
    rows = found_in(output, "post.md")
    assert [(row["text"], row.get("target"), row.get("title")) for row in rows] == ROWS
    assert all(TEXT[row["start"] : row["end"]] == row["text"] for row in rows)  # type: ignore[misc]
    assert {row["file"] for row in rows} == {"post.md"}
    assert rows[0]["href"] == "duel/1/1-swords/#1.1a"
    assert rows[3]["problem"] == {"code": "reference-not-found", "message": "no rule 1.9; 1.0 ends at 1.2"}
    assert "target" not in rows[3]


def test_text(project, output):
    write(project, {"post.md": TEXT})
    assert main(["refs", "duel", "post.md"]) == 1
    assert output.readouterr().out == (
        "post.md:1:5: 1.1a → duel/1/1-swords/#1.1a Parry\n"
        "post.md:2:1: 1.2 → duel/1/1-swords/#1.2 Lunge\n"
        "post.md:2:8: 1.1 → duel/1/1-swords/#1.1 Parry\n"
        "post.md:2:24: error: no rule 1.9; 1.0 ends at 1.2 [reference-not-found]\n"
    )


def test_a_file_that_cannot_be_read_is_a_problem_and_the_others_are_done(project, output):
    write(
        project, {"bad.txt": "\ufeffé 1.1 \n".encode() + b"\xff", "folder/x": "", "good.txt": "see 1.1\f\x01"}
    )
    rows = found_in(output, "bad.txt", "folder", "good.txt")
    assert [row["problem"]["code"] for row in rows[:2]] == ["file-not-utf8", "file-unreadable"]  # type: ignore[index]
    assert rows[2]["target"] == "1.1"


def test_a_file_too_large_to_be_a_text(project, output, monkeypatch):
    monkeypatch.setattr(limits.FILE, "maximum", 2_000)
    write(project, {"a.txt": "see 1.1" + " " * 2_000})
    assert "[file-too-large]" in printed(output, "refs", "duel", "a.txt", code=1)


def test_numbers_that_look_like_a_rule_and_lead_nowhere_are_listed(project, output):
    rules = 'chapter: "1.0"\ntitle: Arms\n"1.1": See 1.2, 2.5 miles on.\n"1.2": A.\n'
    write(project, {"content/duel/1/rules/1.yml": rules, "content/duel/1/faq.md": "It is 4.4 there (1.1).\n"})
    (project / "content/duel/1/known.yml").unlink()
    listed = "content/duel/1/rules/1.yml:3:17: 2.5\ncontent/duel/1/faq.md:1:7: 4.4\n"
    assert printed(output, "refs", "--unlinked", "duel/1") == listed
