"""How long the language server takes to answer an editor, at rest and while it checks what was typed."""

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
"""By the number of books, of 1,775 rules each, the seconds for an answer."""

ROUNDS = 7
NAME = f"content/b1/1/rules/{CHAPTER}.yml"

Ask = Callable[[Editor], Awaitable[Any]]


def main() -> list[Row]:
    rows = [Row("yardstick: a list of 5,000 strings", best(lambda: [str(at) for at in range(5_000)]))]
    for books, limit in LIMITS.items():
        with tempfile.TemporaryDirectory() as folder:
            project = Path(folder).resolve()
            write(project, as_content(library(books)))
            seconds = _answers(project)
        rows += [
            Row(f"{what}, {1_775 * books:,} rules", took, limit if is_bound else None)
            for what, (took, is_bound) in seconds.items()
        ]
    return rows


def _answers(project: Path) -> dict[str, tuple[float, bool]]:
    """The longest of several answers of each sort, and whether it is held to the limit."""
    found: dict[str, tuple[float, bool]] = {}

    async def work(here: Editor) -> None:
        begin = time.perf_counter()
        await here.open(NAME)
        found["begun, until all is checked and read"] = time.perf_counter() - begin, False
        await asyncio.sleep(1)
        for what, ask in ASKED.items():
            await ask(here)
            found[what] = max([await _timed(ask, here) for _ in range(ROUNDS)]), True
        for what, ask in ASKED.items():
            took = 0.0
            for _ in range(ROUNDS):
                here.hurry(NAME, here.texts[NAME].replace("\n", " \n", 1))
                await asyncio.sleep(0.05)  # it checks
                took = max(took, await _timed(ask, here))
                await here.settled(NAME)
            found[f"{what}, while it checks"] = took, True
        begin = time.perf_counter()
        await here.type(NAME, here.texts[NAME].replace("see 4.8", "see 99.8"))
        found["typed, until all is checked and read"] = time.perf_counter() - begin, False
        begin = time.perf_counter()
        params = lsp.RenameParams(*here.at(NAME, '"12.10f', 2), "12.10g")
        await here.client.text_document_rename_async(params)
        found["rename"] = time.perf_counter() - begin, False

    edit(project, work)
    return found


async def _timed(ask: Ask, here: Editor) -> float:
    begin = time.perf_counter()
    assert await ask(here) is not None
    return time.perf_counter() - begin


AT = NAME, "(see ", 6
ASKED: dict[str, Ask] = {
    "hover": lambda here: here.hover(*AT),
    "definition": lambda here: here.definition(*AT),
    "references": lambda here: here.references(*AT, declared=True),
    "completion": lambda here: here.client.text_document_completion_async(
        lsp.CompletionParams(*here.at(NAME, "(see ", 5))
    ),
    "outline": lambda here: here.outline(NAME),
    "colours": lambda here: here.client.text_document_semantic_tokens_full_async(
        lsp.SemanticTokensParams(here.document(NAME))
    ),
    "symbols of the project": lambda here: here.client.workspace_symbol_async(
        lsp.WorkspaceSymbolParams("12.5")
    ),
}
