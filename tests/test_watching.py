"""Each edit is reported once."""

from __future__ import annotations

import os
from queue import Empty, SimpleQueue

import pytest
from pathspec.gitignore import GitIgnoreSpec
from watchdog.events import FileSystemEvent, FileSystemEventHandler

from rulewright.app import file_watcher
from rulewright.app.mkdocs_plugin import SOURCES
from rulewright.files.content_reader import read_content_folder

Events = SimpleQueue[str]
LEFT = (
    *(".rules.yml.swp", ".rules.yml.swx", "rules.yml~", "#rules.yml#", ".#rules.yml", "4913", "5036"),
    *(".DS_Store", "rules.tmp", "~$rules.docx", ".~lock.rules.odt#", "rules.yml___jb_tmp___"),
    *(".rules.yml.kate-swp", ".goutputstream-ABC", "Thumbs.db"),
)


class Listener(FileSystemEventHandler):
    def __init__(self, events: Events) -> None:
        self.events = events

    def on_any_event(self, event: FileSystemEvent) -> None:
        self.events.put(os.path.basename(str(event.dest_path or event.src_path)))


@pytest.fixture
def events(tmp_path):
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "rules.yml").write_text("one")
    events: Events = SimpleQueue()
    watcher = file_watcher.Watcher()
    watcher.schedule(Listener(events), str(tmp_path), recursive=True)
    watcher.start()
    yield events
    watcher.stop()
    watcher.join()


def heard(events: Events) -> list[str]:
    """All events until none comes during several polls."""
    found = []
    while True:
        try:
            found.append(events.get(timeout=3 * file_watcher.POLL_INTERVAL if found else 60))
        except Empty:
            return found


def test_every_edit_is_reported_once(events, tmp_path):
    rules = tmp_path / "inner" / "rules.yml"
    rules.write_text("two")
    assert set(heard(events)) == {"rules.yml"}
    rules.read_text()  # no edit
    (tmp_path / ".rules.part").write_text("three")
    heard(events)
    os.replace(tmp_path / ".rules.part", rules)  # as some editors save
    assert set(heard(events)) == {"rules.yml"}
    rules.unlink()
    assert "rules.yml" in heard(events)


def test_what_editors_leave_beside_files_and_a_touch_are_no_edits(events, tmp_path):
    for name in LEFT:
        (tmp_path / "inner" / name).write_text("x")
    os.utime(tmp_path / "inner" / "rules.yml")
    beside = tmp_path.with_suffix(".yml")  # outside the watched folder: it is never seen half written
    beside.write_text("one")
    os.replace(beside, tmp_path / "inner" / "rules.yml")
    for name in LEFT:
        (tmp_path / "inner" / name).unlink()
    (tmp_path / "inner" / "last.yml").write_text("the last event")
    assert set(heard(events)) == {"last.yml"}


def test_what_editors_leave_is_none_of_the_content(tmp_path):
    for name in [*LEFT, "1986.png", "rules.md"]:
        (tmp_path / "content").mkdir(exist_ok=True)
        (tmp_path / "content" / name).write_bytes(b"GIF89a")
    folder = read_content_folder(tmp_path)
    assert [*folder.texts, *folder.other_files] == ["content/rules.md", "content/1986.png"]
    published = GitIgnoreSpec.from_lines([".*", *SOURCES]).match_files(LEFT)
    assert {*LEFT} - {*published} == {"4913", "5036"}  # which are there for a moment
