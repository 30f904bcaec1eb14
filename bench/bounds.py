"""The largest edition, table and page that the bounds allow: seconds and memory to check and to make pages.

Each is done by a process of its own, whose memory is what it had at most.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from time import perf_counter

from bench.run import BENCH
from rulewright.source import bounds
from tests.commands.duel import write

BOOK = 'title: Duel\nnumbers: "1.1a"\nchapters: ["1.0"]\ncues: [see]\n'
WORDS = "A unit that moves pays for each hex, and stops where an enemy stands; see {}. "
CHECK = "from rulewright.checks.examine import examine as work"
BUILD = "from rulewright.app.build import build as work"


def main() -> str:
    lines = ["bounds                                    check              pages"]
    for what, files in CONTENTS.items():
        with tempfile.TemporaryDirectory() as folder:
            book = {"rulebook.yml": BOOK, "1/edition.yml": "edition: '1'\n", **files()}
            write(Path(folder, "content/duel"), book)
            cells = (_cost(work, folder) for work in (CHECK, BUILD))
            lines.append(f"  {what:<36}" + "".join(f"{cell:>19}" for cell in cells))
    return "\n".join(lines)


def _cost(work: str, folder: str) -> str:
    """Seconds and megabytes of one piece of work in a process of its own."""
    script = f"import sys; from pathlib import Path; {work}; work(Path(sys.argv[1]))"
    begin = perf_counter()
    process = subprocess.Popen([sys.executable, "-c", script, folder], cwd=BENCH.parent)
    _, status, used = os.wait4(process.pid, 0)
    assert status == 0
    return f"{perf_counter() - begin:.1f} s, {used.ru_maxrss // 1024:,} MB"


def _rules() -> Mapping[str, str]:
    """As many rules as an edition has, in chapters of a hundred, each of which cites another."""
    chapters = range(1, bounds.LIST.most // 100 + 1)
    return {
        f"1/rules/{chapter}.yml": f"chapter: '{chapter}.0'\ntitle: Part {chapter}\n"
        + "".join(
            f"'{chapter}.{at}': '{WORDS.format(f'{chapter}.{100 - at}')}'\n"
            for at in range(1, 100)
        )
        for chapter in chapters
    }


def _table() -> Mapping[str, str]:
    columns = [f"c{at}" for at in range(100)]
    row = f"  - {{{', '.join(f'{name}: x' for name in columns)}}}\n"
    head = f"title: T\nid: t\ncolumns: [{', '.join(columns)}]\nrows:\n"
    return {"1/tables/t.yml": head + row * 2_000}


def _page() -> Mapping[str, str]:
    paragraph = f"{WORDS.format('1.1') * 8}\n\n"
    return {"1/page.md": paragraph * (bounds.FILE.most // len(paragraph))}


def _text() -> Mapping[str, str]:
    words = WORDS.format("hex 9") * (bounds.TEXT.most // 90)
    return {"1/rules/1.yml": f"chapter: '1.0'\n'1.1': '{words}'\n"}


CONTENTS: Mapping[str, Callable[[], Mapping[str, str]]] = {
    f"{bounds.LIST.most:,} rules": _rules,
    "a table of 2,000 x 100": _table,
    f"a page of {bounds.FILE.most // 1_000_000} MB": _page,
    f"a rule of {bounds.TEXT.most:,} letters": _text,
}
