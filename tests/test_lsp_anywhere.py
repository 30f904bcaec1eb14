"""Answers of the language server on any content: none raises an error."""

import random
from collections.abc import Callable
from pathlib import Path

import pytest
from pygls.workspace import PositionCodec

from rulewright.app.lsp import (
    completion_items,
    definitions,
    diagnostics,
    document_symbols,
    hover,
    semantic_tokens,
    yaml_cursor,
)
from rulewright.app.lsp.open_documents import OpenDocuments
from rulewright.app.lsp.open_files import FileView, FileViews
from rulewright.app.lsp.text_positions import OffsetMap, PositionMap, edits_between
from rulewright.book.content_files import MODELS
from tests.edited_library import FILES, edited, folder_of

CODECS = [PositionCodec(one) for one in ("utf-8", "utf-16", "utf-32")]

ANSWERS: dict[str, Callable[[FileView, int], object]] = {
    "hover": lambda view, at: hover.hover(view, at),
    "completion": completion_items.complete,
    "definition": definitions.find_definition,
    "references": lambda view, at: definitions.find_usages(view, at, declared=True),
    "outline": lambda view, at: document_symbols.outline(view),
    "folding": lambda view, at: list(document_symbols.folding(view)),
    "colours": lambda view, at: semantic_tokens.tokens(view),
}


RULE = 'chapter: "1.0"\n"1.1 Fuel":\n  '


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ('chapter: "1.0"\nti', "Chapter"),
        ('chapter: "1.0"\n"1.1":\n  notes:\n  - ki', "RuleNote"),
        ('chapter: "1.0"\n"1.1": {replaced by: [12', "replaced_by"),
        (f"{RULE}text: see 12", "text"),
        (f'{RULE}text: "see 12', "text"),
        (f"{RULE}rules:\n    - ti", None),
        (f'{RULE}"1.1a Mules": see 12', "text"),
        (f'{RULE}"1.1a Mules": |\n    see 12', "text"),
        (f'{RULE}"1.1a Mules":\n    te', "Rule"),
        (f'{RULE}"1.1a Mules": |\n    te', "text"),
        (f"{RULE}play: see 12", "text"),
        (f"{RULE}notes:\n    - play: see 12", "text"),
        ("a: [b: }", None),
        ('chapter: "1.0"\nnone such:\n  ti', None),
    ],
)
def test_where_a_cursor_stands(text: str, what: str | None) -> None:
    where = yaml_cursor.cursor_at(PositionMap(text, CODECS[1]), len(text), MODELS["chapter"])
    assert (where and (where.model.__name__ if where.model else where.field.name)) == what


@pytest.mark.parametrize("seed", range(4))
def test_nothing_that_stands_in_a_file_is_a_fault(seed: int, tmp_path: Path) -> None:
    """Files are edited at random, and answers asked for before and after they are read anew."""
    chance, files = random.Random(seed), dict(FILES)
    for _ in range(chance.randrange(5)):
        files = edited(files, chance)
    bench = OpenDocuments(tmp_path)
    bench.saved = folder_of(files)
    bench.read(bench.folder())
    views = FileViews(chance.choice(CODECS), bench.buffers)
    for _ in range(12):
        name = chance.choice([one for one in files if one.endswith((".yml", ".md"))])
        text = files[name].decode("utf-8", "replace")
        for _ in range(chance.randrange(3)):
            at = chance.randrange(len(text) + 1)
            words = chance.choice(
                ["🜂", "\n", "\r\n", "  - ", "{", '"', "[[", "see 1.", "\t", ": ", "\u2028", "\ud800"]
            )
            text = text[:at] + words + text[at + chance.choice((0, 0, 1, 9)) :]
        bench.buffers[name] = text
        for fresh in (False, True):
            folder = bench.folder()
            if fresh:
                bench.read(folder)
            assert bench.content
            view = views.view_of(name, bench.content)
            for at in [0, len(text), *(chance.randrange(len(text) + 1) for _ in range(6))]:
                for ask in ANSWERS.values():
                    ask(view, at)
                assert view.lines.index(view.lines.position(at)) in (at, at - 1)  # inside of a line's end
        for problem in bench.check(folder).problems:
            if problem.place.file == name:
                for fix in diagnostics.fixes(problem, view.lines):
                    assert fix.edits is None or all(one.new_text for one in fix.edits)


@pytest.mark.parametrize("seed", range(20))
def test_places_and_edits_hold_in_all_units(seed: int) -> None:
    chance = random.Random(seed)
    signs = "ab é🜂\n\r\u2028\x0c"
    old, new = ("".join(chance.choices(signs, k=chance.randrange(60))) for _ in range(2))
    if seed % 2:
        at = chance.randrange(len(old) + 1)
        new = old[:at] + "12.5c" + old[at:]
    lines = PositionMap(old, chance.choice(CODECS))
    text, behind = "", 0
    for one in edits_between(lines, new):
        start, end = lines.index(one.range.start), lines.index(one.range.end)
        text += old[behind:start] + one.new_text
        behind = end
    assert text + old[behind:] == new
    shift = OffsetMap(old, new)
    for start in range(len(old)):
        if there := shift.to_new(start, start + 1):
            assert new[there[0] : there[1]] == old[start]
            assert shift.to_old(*there) == (start, start + 1)
