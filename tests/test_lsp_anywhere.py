"""Answers of the language server on any content: none raises an error."""

import random

import pytest
from lsprotocol import types as lsp
from pygls.workspace import PositionCodec

from rulewright.app.lsp.answers import ANSWERS, FileRequest
from rulewright.app.lsp.diagnostics import problem_span
from rulewright.app.lsp.session import EditorSession
from rulewright.app.lsp.text_positions import OffsetMap, PositionMap, edits_between
from tests.edited_library import FILES, edited, folder_of

pytestmark = pytest.mark.thorough

CODECS = [PositionCodec(one) for one in ("utf-8", "utf-16", "utf-32")]


@pytest.mark.parametrize("seed", range(4))
def test_any_content_gets_an_answer(seed, tmp_path):
    """Files are edited at random, and answers asked for before and after they are read anew."""
    chance, files = random.Random(seed), dict(FILES)
    for _ in range(chance.randrange(5)):
        files = edited(files, chance)
    session = EditorSession(tmp_path, chance.choice(CODECS), None, None)
    documents = session.documents
    documents.saved = folder_of(files)
    documents.read(documents.folder())
    params = lsp.ReferenceParams(lsp.ReferenceContext(True), None, None)
    for _ in range(12):
        name = chance.choice([one for one in files if one.endswith((".yml", ".md"))])
        text = files[name].decode("utf-8", "replace")
        for _ in range(chance.randrange(3)):
            at = chance.randrange(len(text) + 1)
            words = chance.choice(
                ["🜂", "\n", "\r\n", "  - ", "{", '"', "[[", "see 1.", "\t", ": ", "\u2028", "\ud800"]
            )
            text = text[:at] + words + text[at + chance.choice((0, 0, 1, 9)) :]
        documents.buffers[name] = text
        for fresh in (False, True):
            folder = documents.folder()
            if fresh:
                documents.read(folder)
            view = session.view(name, documents.content)
            for at in [0, len(text), *(chance.randrange(len(text) + 1) for _ in range(6))]:
                for answer in ANSWERS.values():
                    answer(FileRequest(session, view, at, view.span_at(at), params))
                assert view.lines.offset(view.lines.position(at)) in (at, at - 1)  # inside of a line's end
        for problem in documents.check(folder).problems:
            if problem.place.file == name:
                start, end = problem_span(problem, view.lines)
                assert 0 <= start <= end <= len(text)


@pytest.mark.parametrize("seed", range(20))
def test_places_and_edits_hold_in_all_units(seed):
    chance = random.Random(seed)
    signs = "ab é🜂\n\r\u2028\x0c"
    old, new = ("".join(chance.choices(signs, k=chance.randrange(60))) for _ in range(2))
    if seed % 2:
        at = chance.randrange(len(old) + 1)
        new = old[:at] + "12.5c" + old[at:]
    lines = PositionMap(old, chance.choice(CODECS))
    text, position = "", 0
    for one in edits_between(lines, new):
        start, end = lines.offset(one.range.start), lines.offset(one.range.end)
        text += old[position:start] + one.new_text
        position = end
    assert text + old[position:] == new
    shift = OffsetMap(old, new)
    for start in range(len(old)):
        if there := shift.to_new(start, start + 1):
            assert new[there[0] : there[1]] == old[start]
            assert shift.to_old(there[0]) == start
