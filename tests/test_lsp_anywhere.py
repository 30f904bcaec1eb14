"""Answers of the language server on any content: none raises an error."""

import random
from pathlib import Path

import pytest
from lsprotocol import types as lsp
from pygls.workspace import PositionCodec

from rulewright.app.lsp.answers import ANSWERS, FileRequest
from rulewright.app.lsp.diagnostics import problem_span
from rulewright.app.lsp.session import EditorSession
from rulewright.app.lsp.text_positions import OffsetMap, PositionMap, edits_between
from rulewright.book.content_files import MODELS
from rulewright.schema import position
from tests.edited_library import FILES, edited, folder_of

CODECS = [PositionCodec(one) for one in ("utf-8", "utf-16", "utf-32")]

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
def test_what_can_be_written_at_a_position(text: str, what: str | None) -> None:
    place = position.at(text, len(text), MODELS["chapter"])
    assert (place and (place.model.__name__ if place.model else place.field.name)) == what


@pytest.mark.parametrize(
    ("text", "path", "siblings", "needs_dash"),
    [
        ('"1.1":\n  te¦\n  title: A\n"1.2": [{broken', ("1.1",), {"title"}, False),
        ('"1.1":\n  notes:\n    ¦', ("1.1", "notes"), set(), True),
        ('"1.1":\n  notes:\n    - kind: play\n      ¦', ("1.1", "notes", "-"), {"kind"}, False),
        ('"1.1":\n  notes:\n  - text: a\n    ¦\n  - title: b', ("1.1", "notes", "-"), {"text"}, False),
        ('"1.1": {title: A, t¦, text: b}', ("1.1",), {"title", "text"}, False),
    ],
)
def test_a_position_has_a_key_path_and_siblings(text, path, siblings, needs_dash):
    place = position.at(text.replace("¦", ""), text.index("¦"), MODELS["chapter"])
    assert (place.path, place.siblings, place.needs_dash) == (path, siblings, needs_dash)


@pytest.mark.parametrize("seed", range(4))
def test_any_content_gets_an_answer(seed: int, tmp_path: Path) -> None:
    """Files are edited at random, and answers asked for before and after they are read anew."""
    chance, files = random.Random(seed), dict(FILES)
    for _ in range(chance.randrange(5)):
        files = edited(files, chance)
    session = EditorSession(tmp_path, chance.choice(CODECS), None, None, None)
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
        start, end = lines.offset(one.range.start), lines.offset(one.range.end)
        text += old[behind:start] + one.new_text
        behind = end
    assert text + old[behind:] == new
    shift = OffsetMap(old, new)
    for start in range(len(old)):
        if there := shift.to_new(start, start + 1):
            assert new[there[0] : there[1]] == old[start]
            assert shift.to_old(there[0]) == start
