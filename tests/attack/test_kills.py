"""Commands that are killed, that find the disk full or closed, that meet each other, whose clock is wrong.

Content and site are the old or the new as a whole each time, and the next run makes what it makes anywhere.
`run.py bench kills` tries as many moments as are wanted; here are a few of each command, the same each time.
"""

import os
import random
import re
import select
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest
from _pytest.mark import ParameterSet

from tests.attack.disturbed import Disturbance, Disturbed
from tests.attack.tries import BUILD, IMPORT, OPERATIONS, Tries

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="stops processes and looks into /proc")


def slow(name: object, *more: object) -> ParameterSet:
    """A case that takes seconds, and that others nearly are."""
    return pytest.param(name, *more, marks=pytest.mark.twice)


SLOW = (
    "aids", "build again", "export pages", "export pages again", "import", "import markdown", "merge",
    "new from", "retire", "shift", "split", "undo", "zip",
)  # fmt: skip
NAMED = r"(?m)^(?:rulewright: |error: )?\S*(?:content|site|pages|o/turn\.txt)\S*: "
"""A line that begins with the file that is meant."""


@pytest.fixture(scope="module")
def runner() -> Iterator[Disturbed]:
    """One process for all tries, with everything imported."""
    runner = Disturbed()
    yield runner
    runner.end()


@pytest.fixture(scope="module")
def tried(runner: Disturbed, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Tries]:
    """Each operation made ready, and seen when it is let alone, once for all of its tests."""
    return cache(lambda name: Tries(runner, name, tmp_path_factory.mktemp("tries")))


def moments(tries: Tries, count: int) -> list[int]:
    """A few of the changes that a command makes, the same each time: the last ones, and some by chance."""
    whole = len(tries.events)
    chosen = random.Random(tries.name).sample(range(1, whole + 1), min(count, whole))
    return sorted({*chosen, whole, max(whole - 1, 1)})


BEGUN = ("new", "new from")
"""Commands that leave a hidden folder beside what they were to make where they are killed."""


@pytest.mark.parametrize(
    "name", [slow(name) if name in SLOW else name for name in OPERATIONS if name not in BEGUN]
)
def test_killed(tried: Callable[[str], Tries], name: str) -> None:
    tries = tried(name)
    for at in moments(tries, 1 if name in SLOW or name == "build" else 3):
        ended = tries.disturbed(Disturbance("kill", at))
        assert ended.code == -9, tries.events[at - 1]
        assert not tries.faults(ended, settled=False), tries.events[at - 1]


@pytest.mark.parametrize(
    "name", ["build", "renumber", "import again", slow("export pages"), "outline to a file"]
)
@pytest.mark.parametrize("how", ["ENOSPC", slow("EIO")])
def test_the_disk_refuses(tried: Callable[[str], Tries], name: str, how: str) -> None:
    """From a moment on; what is wrong is said with the file and what to do, and nothing is half."""
    tries = tried(name)
    mine = [
        at
        for at, event in enumerate(tries.events, 1)
        if event.startswith(("create project/", "write project/"))
    ]
    for at in (mine[0], mine[len(mine) // 2], mine[-1]):
        ended = tries.disturbed(Disturbance(how, at, lasting=how == "ENOSPC"))
        assert ended.code in (1, 2), tries.events[at - 1]
        assert re.search(NAMED, ended.err), ended.err
        assert {"ENOSPC": "make room", "EIO": "the disk fails"}[how] in ended.err
        assert not tries.faults(ended), tries.events[at - 1]


@pytest.mark.parametrize("how", ["EIO", slow("ENOSPC")])
@pytest.mark.parametrize("name", OPERATIONS)
def test_a_change_of_files_is_refused_once(tried: Callable[[str], Tries], name: str, how: str) -> None:
    tries = tried(name)
    for at in moments(tries, 1):
        tries.refused_once(how, at)


@pytest.mark.parametrize("how", ["EIO", "ENOSPC"])
@pytest.mark.parametrize("name", [one if one == "outline to a file" else slow(one) for one in OPERATIONS])
def test_each_change_in_its_order_is_refused_once(tried: Callable[[str], Tries], name: str, how: str) -> None:
    """Every write, sync, rename and removal; of a whole site, whose files are written alike, some 200."""
    tries = tried(name)
    for at in range(1, len(tries.events) + 1, 1 + len(tries.events) // 200):
        tries.refused_once(how, at)


@pytest.mark.parametrize("how", ["EROFS", slow("EACCES")])
@pytest.mark.parametrize(
    ("name", "closed"),
    [
        ("renumber", "project/content"),
        ("import", "project/content"),
        ("build", "project"),
        ("outline to a file", "project/o"),
        slow("export pages", "project"),
    ],
)
def test_a_folder_is_closed(tried: Callable[[str], Tries], how: str, name: str, closed: str) -> None:
    tries = tried(name)
    ended = tries.disturbed(Disturbance(how, 1, lasting=True, under=str(tries.folder / closed)))
    assert ended.code in (1, 2)
    assert "name another folder" in ended.err
    assert re.search(NAMED, ended.err), ended.err
    assert not tries.faults(ended)


@pytest.mark.parametrize("closed", ["cache", "state"])
@pytest.mark.parametrize("name", ["build", "renumber", "outline to a file"])
def test_the_users_own_folders_are_closed(tried: Callable[[str], Tries], closed: str, name: str) -> None:
    """Nothing is kept there then; what a change needs is kept among the temporary files."""
    tries = tried(name)
    ended = tries.disturbed(Disturbance("EROFS", 1, lasting=True, under=str(tries.folder / closed)))
    assert ended.code == 0, ended.err
    assert tries.picture() == tries.after


PAIRS = [
    ("renumber", ["renumber", "duel/1", "1.1=1.2", "1.2=1.1"]),
    slow("renumber", BUILD),
    ("renumber", ["check", "--accept"]),
    ("accept", ["insert", "duel/1", "1.2", "--title", "Feint"]),
    ("insert", ["check", "--accept"]),
    ("import", IMPORT),
    ("build", BUILD),
    slow("build", ["renumber", "duel/1", "1.2=1.3", "1.3=1.2"]),
    ("outline to a file", ["export", "outline", "duel/1", "--output", "o/turn.txt"]),
    slow("export pages", ["export", "pages", "pages", "--force"]),
]


@pytest.mark.parametrize(("name", "other"), PAIRS, ids=lambda one: one if isinstance(one, str) else one[0])
def test_two_at_once(runner: Disturbed, tried: Callable[[str], Tries], name: str, other: list[str]) -> None:
    """One is stopped in the middle, another is run, the first goes on: as if one came after the other."""
    tries = tried(name)
    orders = []
    for words in ((tries.operation.words, other), (other, tries.operation.words)):
        tries.anew()
        for each in words:
            tries.run(each)
            orders.append(tries.picture())
    for at in moments(tries, 2)[:3]:
        stopped = tries.disturbed(Disturbance("stop", at))
        assert stopped.code is None
        second = tries.run(other, Disturbance(impatient=True))
        first = runner.go_on(tries.folder, stopped)
        assert "Traceback" not in first.err + second.err
        for each in (first, second):
            assert each.code == 0 or "try again" in each.err or "another command" in each.err, each.err
        assert 0 in (first.code, second.code)
        made = tries.picture()
        assert not made.beside, tries.events[at - 1]
        assert any((made.content, made.site) == (order.content, order.site) for order in orders), (
            tries.events[at - 1]
        )


@pytest.mark.parametrize("name", ["build again", "renumber", slow("import again")])
def test_the_clock_goes_backwards(runner: Disturbed, tmp_path: Path, name: str) -> None:
    """Each look at it finds an earlier time, and every file is from a time that is still to come."""
    tries = Tries(runner, name, tmp_path)
    future = 4_000_000_000  # the year 2096
    for folder in (tries.template, tries.template / "cache"):
        for path in folder.rglob("*"):
            os.utime(path, (future, future), follow_symlinks=False)
    ended = tries.disturbed(Disturbance(clock=3600))
    assert ended.code == 0, ended.err
    assert tries.picture() == tries.after


def test_a_full_standard_output_is_no_traceback(tried: Callable[[str], Tries]) -> None:
    tries = tried("accept")
    ended = tries.run(["export", "outline", "duel/1"], Disturbance(out="/dev/full"))
    assert ended.code == 2
    assert (
        ended.err
        == "rulewright: standard output: the disk is full; make room on it and give the command again\n"
    )


@pytest.mark.thorough
def test_a_file_may_not_become_as_large(tried: Callable[[str], Tries]) -> None:
    """A limit of the system itself, which it says without naming the file."""
    tries = tried("build again")
    ended = tries.disturbed(Disturbance(limit=20_000))
    assert ended.code == 1
    assert re.search(NAMED + "this system lets no file become as large; raise the limit", ended.err), (
        ended.err
    )
    assert not tries.faults(ended)


@pytest.mark.thorough
def test_a_serve_that_is_killed_leaves_content_and_site_alone(runner: Disturbed, tmp_path: Path) -> None:
    tries = Tries(runner, "build again", tmp_path)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    for at in (3, 20, 60):
        tries.anew()
        ended = tries.run(["serve", "--port", str(port)], Disturbance("kill", at))
        assert ended.code == -9, ended.err
        assert tries.picture() == tries.before
        assert not tries.faults(ended)


ORPHANS = """
import os, signal, sys
from rulewright.source.processes import share_out
def work(at):
    os.write(int(sys.argv[1]), b"1")
    signal.pause()
os.sched_getaffinity = lambda process: {0, 1}
list(share_out(work, 2))
"""


def test_what_helps_to_print_ends_with_the_command_that_is_killed() -> None:
    """Else it would run for ever, and no other command would ever have a turn."""
    ours, theirs = os.pipe()
    process = subprocess.Popen([sys.executable, "-c", ORPHANS, str(theirs)], pass_fds=[theirs])
    os.close(theirs)
    assert os.read(ours, 1) + os.read(ours, 1) == b"11"
    process.kill()
    process.wait()
    with open(ours, "rb") as pipe:
        assert select.select([pipe], [], [], 60)[0], "something still has the pipe"
        assert pipe.read() == b""
