"""`rulewright export`."""

import os

import pytest

from rulewright.app.cli import main


def test_a_file_of_another_sort_is_not_replaced(project, said):
    mine = project / "mine.zip"
    mine.write_text("precious")
    assert main(["export", "zip", "mine.zip"]) == 2
    assert "was not written by this command, so it is not changed; --force" in said.readouterr().err
    assert mine.read_text() == "precious"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no such files")
def test_what_is_no_ordinary_file_is_written_to_and_stays(project, said):
    os.mkfifo(project / "pipe")
    reader = os.open(project / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    assert main(["export", "outline", "duel", "--output", "pipe"]) == 0
    assert b"Fight" in os.read(reader, 10_000)
    os.close(reader)
    assert (project / "pipe").is_fifo()
