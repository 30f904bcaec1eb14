"""Time of the answers of the language server, at rest and while it checks an edit."""

import asyncio
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from lsprotocol import types as lsp

from bench.peers import CHAPTER, as_content, library
from bench.run import Row, best
from tests.commands.duel import write
from tests.editors import Editor, edit

LIMITS = {1: 0.05, 10: 0.2}
"""For numbers of books of 1,775 rules, the seconds for an answer."""

ROUNDS = 7
NAME = f"content/b1/1/rules/{CHAPTER}.yml"

Ask = Callable[[Editor], Awaitable[Any]]


def main() -> list[Row]:
    rows = [Row("yardstick: a list of 5,000 strings", best(lambda: [str(number) for number in range(5_000)]))]
    for books, limit in LIMITS.items():
        with tempfile.TemporaryDirectory() as folder:
            project = Path(folder).resolve()
            write(project, as_content(library(books)))
            seconds = _answers(project)
        for name, (took, is_bound) in seconds.items():
            rows.append(Row(f"{name}, {1_775 * books:,} rules", took, limit if is_bound else None))
    return rows


def _answers(project: Path) -> dict[str, tuple[float, bool]]:
    """Return the longest time of each kind of answer, and whether the limit applies to it."""
    seconds_by_name: dict[str, tuple[float, bool]] = {}

    async def work(editor: Editor) -> None:
        begin = time.perf_counter()
        await editor.open(NAME)
        seconds_by_name["begun, until all is checked and read"] = time.perf_counter() - begin, False
        await asyncio.sleep(1)
        for name, ask in QUESTIONS.items():
            await ask(editor)
            seconds_by_name[name] = max([await _timed(ask, editor) for _ in range(ROUNDS)]), True
        for name, ask in QUESTIONS.items():
            took = 0.0
            for _ in range(ROUNDS):
                editor.hurry(NAME, editor.texts[NAME].replace("\n", " \n", 1))
                await asyncio.sleep(0.05)  # it checks
                took = max(took, await _timed(ask, editor))
                await editor.settled(NAME)
            seconds_by_name[f"{name}, while it checks"] = took, True
        begin = time.perf_counter()
        await editor.type(NAME, editor.texts[NAME].replace("see 4.8", "see 99.8"))
        seconds_by_name["typed, until all is checked and read"] = time.perf_counter() - begin, False
        begin = time.perf_counter()
        params = lsp.RenameParams(*editor.at(NAME, '"12.10f', 2), "12.10g")
        await editor.client.text_document_rename_async(params)
        seconds_by_name["rename"] = time.perf_counter() - begin, False

    edit(project, work)
    return seconds_by_name


async def _timed(ask: Ask, editor: Editor) -> float:
    begin = time.perf_counter()
    assert await ask(editor) is not None
    return time.perf_counter() - begin


AT = NAME, "(see ", 6
QUESTIONS: dict[str, Ask] = {
    "hover": lambda editor: editor.hover(*AT),
    "definition": lambda editor: editor.definition(*AT),
    "references": lambda editor: editor.references(*AT, declared=True),
    "completion": lambda editor: editor.client.text_document_completion_async(
        lsp.CompletionParams(*editor.at(NAME, "(see ", 5))
    ),
    "outline": lambda editor: editor.outline(NAME),
    "symbols of the project": lambda editor: editor.client.workspace_symbol_async(
        lsp.WorkspaceSymbolParams("12.5")
    ),
}
