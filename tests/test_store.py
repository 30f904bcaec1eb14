"""The store of work done: what it gives back is what was kept, or nothing, whatever happens to its files."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from rulewright.source.store import Store, key


def files_of(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())


def test_work_is_found_again_by_its_key(tmp_path: Path) -> None:
    made = Store(tmp_path)
    made.keep(key("a", "b"), {"rules": 12})
    made.put(key("ab"), b"page")
    assert Store(tmp_path).load(key("a", "b")) == {"rules": 12}
    assert Store(tmp_path).get(key("ab")) == b"page"
    assert Store(tmp_path).get(key("b", "a")) is None
    assert key("a", b"b") == key(b"a", "b") != key("ab")


def test_what_is_damaged_counts_as_not_there(tmp_path: Path) -> None:
    made = Store(tmp_path)
    made.keep("key", "words " * 20)
    (file,) = files_of(tmp_path)
    whole = file.read_bytes()
    for at in range(len(whole)):
        file.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
        assert made.load("key") is None
        file.write_bytes(whole[:at])
        assert made.load("key") is None
    file.unlink()
    file.mkdir()
    assert made.load("key") is None
    made.keep("key", "no place")
    file.rmdir()
    made.keep("key", "again")
    assert made.load("key") == "again"


def test_a_type_that_is_gone_is_work_to_be_done_again(tmp_path: Path) -> None:
    made = Store(tmp_path)
    made.put("key", b"\x80\x04\x8c\x0erulewright.gone\x8c\x03One\x93.")
    assert made.load("key") is None


def test_without_a_folder_nothing_is_kept() -> None:
    made = Store(None)
    made.keep("key", 1)
    assert made.load("key") is None


@pytest.mark.skipif(not hasattr(os, "getuid") or os.getuid() == 0, reason="everything is open to root")
def test_a_closed_folder_is_no_fault(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    made = Store(tmp_path)
    made.keep("key", 1)
    assert made.load("key") is None


def test_what_lay_unused_the_longest_makes_room(tmp_path: Path) -> None:
    made = Store(tmp_path, most=10_000)
    for at in range(9):
        made.put(f"{at:02}piece", bytes(1_000))
        os.utime(tmp_path / f"{at:02}" / "piece", (at + 1, at + 1))
    os.utime(tmp_path / "08/piece", (2**40, 2**40))  # a clock was put right since
    assert made.get("00piece")  # used again
    made.put("99piece", bytes(2_000))
    left = {path.parent.name for path in files_of(tmp_path)}
    assert {"00", "99"} <= left
    assert not {"01", "02", "08"} & left
    assert sum(path.stat().st_size for path in files_of(tmp_path)) <= 7_500


WRITER = """
import sys
from pathlib import Path
from rulewright.source.store import Store
made = Store(Path(sys.argv[1]), most=200_000)
print("begins", flush=True)
for turn in range(int(sys.argv[2])):
    for at in range(9):
        value = made.load(f"{at:02}")
        assert value in (None, [at] * 5_000)
        made.keep(f"{at:02}", [at] * 5_000)
"""


def test_two_at_once_and_one_that_is_killed(tmp_path: Path) -> None:
    def writer(turns: int) -> subprocess.Popen[str]:
        words = [sys.executable, "-c", WRITER, str(tmp_path), str(turns)]
        process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
        process.stdout.readline()
        return process

    killed, *others = writer(10_000), writer(5), writer(5)
    assert [other.wait(60) for other in others] == [0, 0]
    killed.kill()
    killed.communicate()
    made = Store(tmp_path)
    for at in range(9):
        made.keep(f"{at:02}", [at] * 5_000)
        assert made.load(f"{at:02}") == [at] * 5_000
    assert not [path for path in files_of(tmp_path) if path.suffix == ".part"]
