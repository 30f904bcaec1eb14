"""Time from the saving of an edit to its page, as a browser that reloads the page sees it."""

import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from statistics import median
from urllib.request import urlopen

from bench.run import Row, best
from rulewright.checks.load_and_check import load_and_check
from tests.own_library import ROOT

EDITS = {
    "ember-coast/2.1/rules/09-combat.yml": ("ember-coast/2.1/9-combat/", r"\b(the|a)\b"),
    "ocs/4.3/sequence.yml": ("ocs/4.3/narrative/", "the players settle"),
    "killing-ground/1/rules/3-sequence-of-play.yml": (
        "killing-ground/1/3-sequence-of-play/",
        "opens with the",
    ),
}
"""For each file the page that shows it, and the words after which a word is added."""

LIMIT = 0.35
"""Seconds for an edit."""

ROUNDS = 7
CHECKS = 1.5
"""Seconds after an edit in which its checks end."""


def main() -> list[Row]:
    with tempfile.TemporaryDirectory() as folder:
        project = Path(folder)
        shutil.copytree(ROOT / "content", project / "content")
        shutil.copy(ROOT / "mkdocs.yml", project)
        rows = [Row("yardstick: a check without a cache", best(lambda: load_and_check(project)))]
        with _serve(project) as site:
            for file, (page, before) in EDITS.items():
                seconds = median(_edits(site, project / "content" / file, page, before))
                rows.append(Row(f"an edit in {file.partition('/')[0]}", seconds, LIMIT))
    return rows


@contextmanager
def _serve(project: Path) -> Iterator[str]:
    """Serve a project; yield the address of its site."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-P", "-m", "rulewright", "serve", "--port", str(port)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "generator")}
    server = subprocess.Popen(command, cwd=project, env=environment, stdout=subprocess.DEVNULL)
    try:
        address = f"http://127.0.0.1:{port}/"
        while server.poll() is None:
            with suppress(OSError):
                urlopen(address).close()
                break
            time.sleep(0.1)
        yield address
    finally:
        server.terminate()
        server.wait()


def _edits(site: str, file: Path, page: str, before: str) -> Iterator[float]:
    """Yield the seconds of some edits of a file."""
    text = file.read_text("utf-8")
    for number in range(ROUNDS):
        # The script of a page asks for the next state of the site, and is answered after a build.
        state = re.search(r"livereload\((\d+), (\d+)\)", _get(site + page))
        assert state
        time.sleep(CHECKS)
        word = f"word{number}"
        file.write_text(re.sub(before, rf"\g<0> {word}", text, count=1), "utf-8")
        begun = time.perf_counter()
        _get(f"{site}livereload/{state[1]}/{state[2]}")
        assert word in _get(site + page)
        yield time.perf_counter() - begun


def _get(address: str) -> str:
    with urlopen(address) as answer:
        return str(answer.read(), "utf-8")
