"""Player aids: what each block shows, for cases that are the guide as well, and for the five books."""

import re
from collections.abc import Iterator
from html import unescape

import pytest

from rulewright.book.aid_plan import AidSheet
from rulewright.checks.load_and_check import load_and_check
from rulewright.document.blocks import block_contents
from rulewright.document.blocks.block_content import BlockContent
from rulewright.document.blocks.checklist_block import ChecklistContent as ShownChecklist
from rulewright.document.blocks.cut_out_blocks import CardsContent as ShownCards
from rulewright.document.blocks.cut_out_blocks import CutOutContent
from rulewright.document.blocks.matrix_block import Matrix
from rulewright.document.blocks.matrix_block import MatrixContent as ShownMatrix
from rulewright.document.blocks.reference_blocks import LegendContent as ShownLegend
from rulewright.document.blocks.reference_blocks import ResultsContent as ShownResults
from rulewright.document.blocks.track_block import TrackContent as ShownTrack
from rulewright.references.reference_index import ReferenceIndex
from rulewright.render import pages
from rulewright.render.exports.outline_markdown import outline_as_markdown
from rulewright.render.render_context import RenderContext
from rulewright.schema.step import Step
from rulewright.schema.yaml_fields import keys_with_types
from rulewright.sequence.actors import Actor
from rulewright.sequence.sequence_step import SequenceStep
from rulewright.sequence.step_attributes import ATTRIBUTES, step_phrases
from tests.casefiles import cases
from tests.own_library import library
from tests.printing import book, order
from tests.test_checks import write

CASES = cases("aids")


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_block_shows(case, tmp_path):
    write(case, tmp_path)
    examined = load_and_check(tmp_path)
    assert [str(problem) for problem in examined.problems if problem.is_failure] == []
    case.agrees(
        "\n".join(shown(examined.index.editions["harbour/1"].aid_sheets[0], examined.index)),
        case.text("expect"),
    )
    assert case.why


def shown(sheet: AidSheet, index: ReferenceIndex) -> Iterator[str]:
    """What a sheet shows, line by line."""
    for panel in block_contents(sheet, index):
        if panel.name:
            yield f"== {panel.name}"
        for part in panel.parts:
            about = _about(part)
            yield (
                f"{part.block_kind}: {about}".rstrip()
                if about or isinstance(part, ShownChecklist)
                else part.block_kind
            )
            yield from (f"  {line}" for line in _lines(part))


def _about(part: BlockContent) -> str:
    """Return the text of a line of a block."""
    if isinstance(part, ShownChecklist):
        turns = f"; {part.checklist.turns} turns" if part.checklist.turns > 1 else ""
        header = f"; {', '.join(part.yaml_value.header)}" if part.yaml_value.header else ""
        return _names(part.checklist.columns) + turns + header
    if isinstance(part, ShownMatrix):
        return " / ".join(map(_columns, part.matrices))
    if isinstance(part, ShownLegend):
        fighters = f"; combat: {_names(part.fighters)}" if part.fighters else ""
        return _names(part.everyone) + fighters
    if isinstance(part, CutOutContent):
        size = f"{part.size.width:g} x {part.size.height:g} mm, {len(part.expanded_pieces)}"
        return size + ", with backs" * part.backs
    return str(part.block.title or "")


def _columns(matrix: Matrix) -> str:
    turns = " and ".join(str(turn.step.title) for turn in matrix.turns)
    return ", ".join(str(phase.step.title) for phase in matrix.columns) + f" ({turns})" * bool(turns)


def _lines(part: BlockContent) -> Iterator[str]:
    if isinstance(part, ShownChecklist):
        for group in part.checklist.groups:
            if group.turns:
                yield f"= {', '.join(str(turn.step.title) for turn in group.turns)}"
            for tick in group.ticks:
                boxes = " ".join("x" if box else "." for box in tick.boxes)
                where = "one for all" if tick.has_one_box else boxes if tick.shape else ""
                rounds = [f"a row for {actor.title if actor else 'all'}" for actor in tick.rows]
                label = " / ".join(tick.labels)
                line = f"{'  ' * tick.level}{label and label + ' '}{tick.step.step.title} [{where}]"
                yield " ".join(filter(None, (line, *rounds, tick.words, tick.ending)))
    elif isinstance(part, ShownMatrix):
        for row in (row for matrix in part.matrices for row in matrix.rows):
            cells = (
                "never" if c.is_forbidden else "".join(a.mark for a in c.actors) or "-" for c in row.cells
            )
            yield f"{row.title}: {', '.join(cells)}"
    elif isinstance(part, ShownTrack):
        for box in part.boxes:
            marks = ", ".join(str(mark.text or f":{mark.counter}:") for mark in box.marks)
            yield box.name + (f" [{box.date}]" if box.date else "") + (f": {marks}" if marks else "")
    elif isinstance(part, ShownCards):
        for card, front, back in part.cards:
            suffix = f" / {back.yaml_value.title}" if back else ""
            yield f"{card.title}{suffix}: {', '.join(one.block_kind for one in front.block_contents)}"
    elif isinstance(part, CutOutContent):
        yield from (f"{name} × {count}" if count else str(name) for name, count in part.pieces)
    elif isinstance(part, ShownResults):
        yield from (f"{name}: {means}" for name, means in part.results)
    elif part.block_kind in ("narrative", "turn"):
        yield from (str(step.step.title) for step in part.steps)
    elif part.steps:
        for step in part.steps:
            yield from _steps(step, part)
    for content in (part, *part.nested_contents):
        yield from map(str, (*content.tables, *content.entries))


def _steps(step: SequenceStep, part: BlockContent) -> Iterator[str]:
    if step in part.displayed_steps:
        sign = "≠ " if step.is_different else "= " if step.is_same else ""
        yield f"{sign}{step.step.title}"
        yield from (f"  {line}" for row in step.displayed_steps for line in _steps(row, part))


def _names(actors: tuple[Actor, ...]) -> str:
    return ", ".join(actor.title or actor.name.capitalize() + " players" for actor in actors)


def test_every_book_has_a_sequence_card_and_no_block_is_empty():
    index = library().index
    for address, references in index.editions.items():
        sorts = {
            part.block_kind
            for sheet in references.aid_sheets
            for panel in block_contents(sheet, index)
            for part in panel.parts
        }
        assert "sequence" in sorts, address
        for sheet in references.aid_sheets:
            parts = [part for panel in block_contents(sheet, index) for part in panel.parts]
            assert parts, sheet.address
            assert not any(part.is_empty for part in parts), sheet.address


@pytest.mark.parametrize("value", ["rafts (if any)", "yes"])
@pytest.mark.parametrize("key", ATTRIBUTES)
def test_every_medium_says_every_fact_in_the_same_words(key, value, tmp_path):
    name = next(name for name, (field, _) in keys_with_types(Step).items() if field.name == key)
    line = f'{{do: Moor, {name}: "{value}"}}'
    examined = book(tmp_path, sequence=f"title: Turn\nsteps:\n  - {{phase: Storm, steps: [{line}]}}\n")
    outline = examined.index.outlines["game/1"]
    step = outline.sequence.steps[0].inner[0]
    phrase = next(iter(step_phrases(step))).text
    assert value in phrase or (value == "yes" and phrase)
    rendered = pages.render_site(RenderContext(examined.index), examined.library).pages
    html = {page.path.rpartition("/")[2]: " ".join(words(page.html).split()) for page in rendered}
    assert phrase in " ".join(outline_as_markdown(outline, examined.index, "").split())
    # A sheet has a sign for what may be done, and says the condition alone.
    condition = phrase.removeprefix("optional").removeprefix("required").strip()
    assert any(condition in line for line in order(examined).lines)
    assert f"Moor ({phrase})" in html["sequence"]
    assert phrase.casefold() in html["play"].casefold()


def words(html: str) -> str:
    """The words of a page."""
    return unescape(re.sub(r"<[^>]+>", "", html)).replace("\xa0", " ")


@pytest.mark.parametrize(
    "steps",
    [
        "[{player turn: A, id: a, repeats: a}]",
        "[{player turn: A, id: a, steps: [{player turn: B, repeats: a}]}]",
        "[{game turn: A, id: a, steps: [{player turn: D, repeats: b}]},"
        " {game turn: B, id: b, steps: [{player turn: C, repeats: a}]}]",
        "[{player turn: A, id: a, repeats: b}, {player turn: B, id: b, repeats: a,"
        " except: [{add: {phase: X, repeats: a}}]}]",
    ],
)
def test_turns_that_lead_back_to_themselves_can_be_shown(steps, tmp_path):
    texts = {
        "rulebook.yml": "title: H\nnumbers: 1.1a\n",
        "1/edition.yml": "edition: '1'\n",
        "1/sequence.yml": f"title: Turn\nsteps: {steps}\n",
        "1/aids/a.yml": "title: A\nblocks: [sequence, checklist, matrix, turn, legend]\n",
    }
    for name, text in texts.items():
        file = tmp_path / "content" / "h" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    examined = load_and_check(tmp_path)
    assert "repeat-cycle" in {problem.code for problem in examined.problems}
    assert {
        page.path for page in pages.render_site(RenderContext(examined.index), examined.library).pages
    } >= {"h/1/aids/a"}
    assert list(shown(examined.index.editions["h/1"].aid_sheets[0], examined.index))


RULES = """chapter: "1.0"
text: A turn is an hour.
"1.1":
  text: Ships meet.
  closing: So ends it.
  notes: [{kind: example, text: Two rams.}, {kind: design, text: It felt right.}]
"""


def test_a_printed_rule_has_its_notes_but_for_those_of_the_design(tmp_path):
    card = "title: A\nblocks:\n  - rules: '1.1'\n"
    lines = order(book(tmp_path, card, **{"rules/1": RULES})).lines
    assert [line for line in lines if line != "1.1"][-4:] == [
        "Ships meet.",
        "Example",
        "Two rams.",
        "So ends it.",
    ]
