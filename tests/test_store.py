"""The store of work done: what it gives back is what was kept, or nothing, whatever happens to its files."""

import os
from pathlib import Path

from rulewright.files.disk_cache import DiskCache, cache_key


def files_of(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())


def test_work_is_found_again_by_its_key(tmp_path: Path) -> None:
    made = DiskCache(tmp_path)
    made.put_object(cache_key("a", "b"), {"rules": 12})
    made.put(cache_key("ab"), b"page")
    assert DiskCache(tmp_path).get_object(cache_key("a", "b")) == {"rules": 12}
    assert DiskCache(tmp_path).get(cache_key("ab")) == b"page"
    assert DiskCache(tmp_path).get(cache_key("b", "a")) is None
    assert cache_key("a", b"b") == cache_key(b"a", "b") != cache_key("ab")


def test_what_is_damaged_counts_as_not_there(tmp_path: Path) -> None:
    made = DiskCache(tmp_path)
    made.put_object("key", "words " * 20)
    (file,) = files_of(tmp_path)
    whole = file.read_bytes()
    for at in range(len(whole)):
        file.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
        assert made.get_object("key") is None
        file.write_bytes(whole[:at])
        assert made.get_object("key") is None
    file.unlink()
    file.mkdir()
    assert made.get_object("key") is None
    made.put_object("key", "no place")
    file.rmdir()
    made.put_object("key", "again")
    assert made.get_object("key") == "again"


def test_what_lay_unused_the_longest_makes_room(tmp_path: Path) -> None:
    made = DiskCache(tmp_path, limit=10_000)
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
