"""A slip while `serve` shows a page: it stays, says what is wrong, and is right again when that is mended."""

import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from rulewright.app import new_game
from tests.commands.duel import write

Slip = Callable[[str], str | bytes] | None
RULES, NOTES = "books/salt/1/rules/1-movement.yml", "books/salt/1/notes.md"


def instead(old: str, new: str) -> Slip:
    return lambda text: text.replace(old, new, 1)


def behind(words: str) -> Slip:
    return lambda text: text + words


SLIPS: dict[str, tuple[str, Slip]] = {
    "a colon": (RULES, instead("title: Movement", "title: Movement: by land")),
    "Latin-1": (RULES, lambda text: text.replace("Movement", "Mövement").encode("latin-1")),
    "deleted": (RULES, None),
    "renumbered": (RULES, instead('chapter: "1.0"', 'chapter: "3.0"')),
    "a key": (RULES, instead("title: Movement", "titel: Movement")),
    "an aid": ("books/salt/1/aids/player-aid.yml", behind("\n [")),
    "a book": ("books/salt/rulebook.yml", behind("\n [")),
    "the settings": ("mkdocs.yml", behind("\nnav: [")),
    "a plugin": ("mkdocs.yml", behind("  - nope\n")),
    "a page": (NOTES, None),
}


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The books lie beside the pages, where the settings say."""
    made = new_game.project_files("Salt", "salt", new_game.USUAL)
    books = {f"books/{name.removeprefix('content/')}": text for name, text in made.items() if "/" in name[:9]}
    settings = "site_name: Club\nplugins:\n  - rulewright: {content_dir: books}\n"
    pages = {"docs/index.md": "# The club\n", NOTES: "# Notes\n\nOf 1.1 more.\n", "mkdocs.yml": settings}
    return write(tmp_path_factory.mktemp("slips"), {**books, **pages})


@pytest.fixture(scope="module")
def address(project: Path) -> Iterator[str]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    words = [sys.executable, "-P", "-m", "rulewright", "serve", "--port", port]
    with subprocess.Popen(words, cwd=project, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout
        assert next(server.stdout).startswith("Reading books")
        assert next(line for line in server.stdout if line.startswith("Open "))
        yield f"http://127.0.0.1:{port}/"
        server.send_signal(signal.SIGINT)
        server.stdout.read()


@pytest.fixture
def page(browser: Browser, address: str) -> Iterator[Page]:
    """A page of its own for each slip: one that still loads anew for the last goes nowhere else."""
    with browser.new_context(base_url=address) as context:
        yield context.new_page()


@pytest.mark.parametrize("name", SLIPS)
def test_a_page_stays_where_it_was_and_is_right_again_when_a_slip_is_mended(
    project: Path, page: Page, name: str
) -> None:
    file, slip = SLIPS[name]
    page.goto("salt/1/notes/" if file == NOTES else "salt/1/1-movement/")
    heading, told = page.locator("article h1").first, page.locator("body > aside[role=alert]")
    words = heading.inner_text()
    expect(told).to_have_count(0)
    path, good = project / file, (project / file).read_bytes()
    try:
        if slip is None:
            path.unlink()
        else:
            wrong = slip(good.decode())
            path.write_bytes(wrong if isinstance(wrong, bytes) else wrong.encode())
        if name in ("a page", "deleted", "renumbered"):  # what is gone is asked for again and again
            expect(page).to_have_title("Club", timeout=30_000)
        else:
            expect(told).to_be_visible(timeout=30_000)
            expect(told).to_contain_text("notes.md:" if file == NOTES else file.rpartition("/")[2])
            if file != NOTES:
                expect(heading).to_have_text(words)
    finally:
        path.write_bytes(good)
    expect(told).to_have_count(0, timeout=30_000)
    expect(heading).to_have_text(words, timeout=30_000)
