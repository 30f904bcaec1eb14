"""The language server on books of real size, and on anything: no answer grows with a book or is a fault."""

import random
from collections.abc import Callable
from pathlib import Path

import pytest
from lsprotocol import types as lsp
from pygls.workspace import PositionCodec

from bench.peers import CHAPTER, as_content, library
from rulewright.app.lsp import completion_items, cursor, definitions, diagnostics, hover, marks, structure
from rulewright.app.lsp.positions import Lines, Shift, edits_between
from rulewright.app.lsp.reading import words_of
from rulewright.app.lsp.views import View, Views
from rulewright.app.lsp.workbench import Workbench
from rulewright.book.content_files import MODELS
from rulewright.model.rulebook import SETS
from rulewright.source.folder import Folder
from tests.commands.duel import write
from tests.edited_library import FILES, edited, folder_of
from tests.editors import Editor, edit
from tests.effort import effort
from tests.revisions import Maker, files_of

CODECS = [PositionCodec(one) for one in ("utf-8", "utf-16", "utf-32")]
NAME = f"content/b1/1/rules/{CHAPTER}.yml"

ANSWERS: dict[str, Callable[[View, int], object]] = {
    "hover": lambda view, at: hover.hover(view, at, words_of(view.outline)),
    "completion": completion_items.complete,
    "definition": definitions.definition,
    "references": lambda view, at: definitions.naming(view, at, declared=True),
    "outline": lambda view, at: structure.outline(view),
    "folding": lambda view, at: list(structure.folding(view)),
    "colours": lambda view, at: marks.tokens(view),
}


def read(folder: Folder, project: Path) -> Workbench:
    bench = Workbench(project)
    bench.saved = folder
    bench.read(bench.folder())
    return bench


def test_a_book_of_real_size(tmp_path: Path) -> None:
    project = tmp_path.resolve()
    write(project, as_content(library(1)))

    async def work(here: Editor) -> None:
        await here.open(NAME)
        (chapter,) = await here.outline(NAME)
        assert len(chapter.children) == 10
        at = NAME, "(see 5.6b)", 6
        hover = await here.hover(*at)
        assert "5.6b" in hover.contents.value
        (there,) = await here.definition(*at)
        assert there.uri != here.uri(NAME)
        cited = await here.references(*at, declared=True)
        assert there in cited
        assert all(here.words(one.uri.split(f"{project}/")[1], one.range) for one in cited)
        wrong = here.texts[NAME].replace("(see 5.6b)", "(see 95.6b)")
        await here.type(NAME, wrong)
        assert "reference-not-found" in {one[3] for one in here.problems()}
        symbols = await here.client.workspace_symbol_async(lsp.WorkspaceSymbolParams("12.10f"))
        assert symbols[0].name.startswith("12.10f")

    edit(project, work)


@pytest.mark.parametrize("what", [one for one in ANSWERS if one != "references"])
def test_answers_take_no_more_of_a_larger_book(what: str, tmp_path: Path) -> None:
    taken = []
    for chapters in (4, 16):
        book = Maker(3).book(chapters, 4, 3)
        files = {name: data for name, data in files_of(book, "1", address="b1").items() if "/" in name}
        rulebook = b'title: Book\nnumbers: "1.1a"\nchapters: "1.0"\n'
        bench = read(folder_of({"content/b1/rulebook.yml": rulebook, **files}), tmp_path)
        name = "content/b1/1/rules/2.yml"
        assert bench.reading
        view = Views(CODECS[1], {}).of(name, bench.reading)
        at = view.lines.text.index("text: ") + 10
        ANSWERS[what](view, at)  # what is found once for a file stays found
        taken.append(effort(lambda: ANSWERS[what](view, at)))  # noqa: B023
    assert taken[1] < 2 * taken[0] + 500, taken


def test_a_cursor_in_a_file_of_many_lines_reads_each_once() -> None:
    def took(count: int) -> int:
        text = 'chapter: "1.0"\n"1.1":\n' + '  "1.1a": "see"\n' * count
        lines = Lines(f"{text}  ti", CODECS[1])
        return effort(lambda: cursor.at(lines, len(lines.text), MODELS["chapter"], SETS))

    assert took(4_000) < 5 * took(1_000)


RULE = 'chapter: "1.0"\n"1.1 Fuel":\n  '


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ('chapter: "1.0"\nti', "Chapter"),
        ('chapter: "1.0"\n"1.1":\n  notes:\n  - ki', "Note"),
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
    where = cursor.at(Lines(text, CODECS[1]), len(text), MODELS["chapter"], SETS)
    assert (where and (where.model.__name__ if where.model else where.field.name)) == what


@pytest.mark.parametrize("seed", range(4))
def test_nothing_that_stands_in_a_file_is_a_fault(seed: int, tmp_path: Path) -> None:
    """Files are edited at random, and answers asked for before and after they are read anew."""
    chance, files = random.Random(seed), dict(FILES)
    for _ in range(chance.randrange(5)):
        files = edited(files, chance)
    bench = read(folder_of(files), tmp_path)
    views = Views(chance.choice(CODECS), bench.buffers)
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
            assert bench.reading
            view = views.of(name, bench.reading)
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
    lines = Lines(old, chance.choice(CODECS))
    text, behind = "", 0
    for one in edits_between(lines, new):
        start, end = lines.index(one.range.start), lines.index(one.range.end)
        text += old[behind:start] + one.new_text
        behind = end
    assert text + old[behind:] == new
    shift = Shift(old, new)
    for start in range(len(old)):
        if there := shift.forth(start, start + 1):
            assert new[there[0] : there[1]] == old[start]
            assert shift.back(*there) == (start, start + 1)
