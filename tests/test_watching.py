"""Edits are told once each, whoever hears of them first: the system, or a look at the files."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from queue import Empty, SimpleQueue

import pytest
from watchdog.events import FileSystemEvent, FileSystemEventHandler

from rulewright.app import watching

Told = SimpleQueue[str]


class Listener(FileSystemEventHandler):
    def __init__(self, told: Told) -> None:
        self.told = told

    def on_any_event(self, event: FileSystemEvent) -> None:
        self.told.put(os.path.basename(str(event.dest_path or event.src_path)))


def deaf(self: object) -> None:
    raise OSError("inotify watch limit reached")


@pytest.fixture(params=["told of edits", "deaf"])
def told(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Told]:
    monkeypatch.setattr(watching, "OFTEN", 0.2)
    if request.param == "deaf":
        monkeypatch.setattr(watching.Observer, "start", deaf)
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "rules.yml").write_text("one")
    told: Told = SimpleQueue()
    watcher = watching.Watcher()
    watcher.schedule(Listener(told), str(tmp_path), recursive=True)
    watcher.start()
    yield told
    watcher.stop()
    watcher.join()


def heard(told: Told) -> list[str]:
    """All that is told until no more comes for as long as several looks take."""
    found = []
    while True:
        try:
            found.append(told.get(timeout=3 * watching.OFTEN if found else 60))
        except Empty:
            return found


def test_an_edit_is_told_and_nothing_else(told: Told, tmp_path: Path) -> None:
    (tmp_path / "inner" / "rules.yml").write_text("two")
    assert set(heard(told)) == {"rules.yml"}
    (tmp_path / "inner" / "rules.yml").read_text()  # which is no edit
    (tmp_path / "inner" / "steps.yml").write_text("new")
    assert set(heard(told)) == {"steps.yml"}


def test_a_file_that_an_editor_puts_in_the_place_of_another_is_told(told: Told, tmp_path: Path) -> None:
    (tmp_path / ".rules.swp").write_text("two")
    heard(told)
    os.replace(tmp_path / ".rules.swp", tmp_path / "inner" / "rules.yml")
    assert set(heard(told)) == {"rules.yml"}


def test_a_file_that_goes_is_told(told: Told, tmp_path: Path) -> None:
    (tmp_path / "inner" / "rules.yml").unlink()
    assert "rules.yml" in heard(told)
