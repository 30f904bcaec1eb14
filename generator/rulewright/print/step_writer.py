"""Writer of steps of the sequence of play as JSON for Typst, which `templates/print/steps.typ` sets.

A step is {"kind": "turn", "phase", "segment" or "action", "title": [...], "marks": [mark, ...], "style":
"phasing", "facts": [[...], ...], "see": [[...], ...], "note": [...], "repeats": "As the …", "steps": [step,
...]}, and a mark {"mark": "P", "style": "phasing", "title": "Phasing player"}. Several in one line are
{"kind": "either" or "same", "repeats": "As in the …: ", "steps": [step, ...]}.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rulewright.document import nodes
from rulewright.document.blocks.sequence_blocks import step_short_title
from rulewright.document.step_builder import StepBuilder
from rulewright.print.node_writer import Json, JsonObject, NodeWriter
from rulewright.render.text_writer import inline_text
from rulewright.sequence.actors import Actor
from rulewright.sequence.sequence_step import AT_ANY_TIME, ONE_OF, SequenceStep, is_heading
from rulewright.sequence.step_attributes import capitalize_first, inside_phrase


def write_groups(groups: Iterable[nodes.StepGroupNode], writer: NodeWriter) -> list[JsonObject]:
    """Return the steps of some groups."""
    steps_json: list[JsonObject] = []
    for group in groups:
        steps = [write_step(step, writer) for step in group.steps]
        if group.layout == "same" and group.steps[0].is_block:
            steps_json += [step | {"kind": "again"} for step in steps]
        elif group.layout in ("same", "either"):
            phrase = inline_text(group.steps[0].repetition) if group.layout == "same" else "in any order"
            steps_json.append(
                {"kind": group.layout, "repeats": f"{capitalize_first(phrase)}: ", "steps": steps}
            )
        else:
            steps_json += steps
    return steps_json


def write_step(node: nodes.StepNode, writer: NodeWriter) -> JsonObject:
    """Return a step with the steps inside it."""
    step = writer.context.targets.find(node.target)
    assert isinstance(step, SequenceStep)
    has_marks = node.kind == "phase" or (node.kind != "turn" and node.actors_change)
    # A line that lists its options has no lines for them.
    inner = [group for group in node.groups if not (step.lists_options and group.layout == "one")]
    phrase = inline_text(node.repetition)
    return {
        "kind": node.kind,
        "label": writer.name(node.label),
        "title": writer.line(node.title),
        "short": writer.name(node.abbreviation),
        "name": step_short_title(step).rstrip(","),
        "marks": write_marks(node.actors if has_marks else ()),
        "style": node.style,
        "sides": _sides(node),
        "different": node.is_different,
        "combat": node.is_combat,
        "may": step.step.optional is not None or step.way in (ONE_OF, AT_ANY_TIME),
        "see": writer.references(node.references),
        "facts": [] if node.original else _facts(node, step, writer),
        "note": writer.line(node.note),
        "repeats": f"{capitalize_first(phrase)}." if phrase and not node.original else "",
        "steps": write_groups(inner, writer),
    }


def write_steps(steps: Iterable[SequenceStep], writer: NodeWriter) -> list[JsonObject]:
    """Return some steps without those inside them."""
    builder = StepBuilder(writer.builder, ())
    return [write_step(builder.step(step), writer) for step in steps]


def write_narrative(steps: Iterable[SequenceStep], writer: NodeWriter) -> list[JsonObject]:
    """Return the sequence of play in words: an entry for each step that has some."""
    steps_json = []
    builder = StepBuilder(writer.builder)
    for node in map(builder.narrative, steps):
        phrase = inline_text(node.repetition)
        note = [{"p": writer.line(node.step.note)}] if phrase and node.step.is_different else []
        steps_json.append(
            write_step(node.step, writer)
            | {
                "level": node.step.level,
                "marks": write_marks(node.step.actors if node.step.kind != "turn" else ()),
                "repeats": f"{capitalize_first(phrase)}." if phrase else "",
                "body": [*(note if node.step.note else ()), *writer.block_nodes(node.blocks)],
            }
        )
    return steps_json


def write_strip(steps: Sequence[SequenceStep], writer: NodeWriter) -> list[JsonObject]:
    """Return the game turn: its steps, each with its phases, or the phrase for a turn that repeats one."""
    steps_json: list[JsonObject] = []
    earlier: list[str] = []
    for step, node in zip(steps, write_steps(steps, writer), strict=True):
        phases = [inner for inner in step.inner if step.is_turn or is_heading(inner)]
        names = list(map(step_short_title, phases)) if step.is_turn else []
        is_repeated = names and names == earlier and step.repeats_step
        repeats = "same phases" + ", roles reversed" * step.reverses_roles if is_repeated else ""
        inner = [] if repeats else write_steps(phases, writer)
        steps_json.append(node | {"repeats": repeats, "phases": inner})
        earlier = names or earlier
    return steps_json


def _facts(node: nodes.StepNode, step: SequenceStep, writer: NodeWriter) -> list[list[Json]]:
    facts: list[list[Json]] = [[node.turns]] if node.turns else []
    if step.way == AT_ANY_TIME:
        facts.append([AT_ANY_TIME])
    for fact in node.facts:
        before = fact.before
        # The sign of a line says that it is optional; the rest of the phrase is the condition.
        if fact.key == "optional" and node.kind in ("segment", "action"):
            before = before.removeprefix("optional").lstrip(" :")
            if not before and not fact.values:
                continue
        words: list[Json] = [before] if before else []
        for position, value in enumerate(fact.values):
            if position:
                words.append(f" {fact.join} " if position == len(fact.values) - 1 else ", ")
            words += writer.line(value)
        facts.append(words)
    phrase = inside_phrase(step)
    if phrase and not any(group.layout == "either" for group in node.groups):
        facts.append([phrase])
    return facts


def _sides(node: nodes.StepNode) -> list[JsonObject]:
    """Return who is phasing in a turn, and the other side."""
    if node.kind != "turn":
        return []
    sides: list[JsonObject] = []
    for role, side in node.sides:
        sides.append(
            {"marks": write_marks((role, side) if side.has_colour else (role,)), "title": side.title}
        )
    return sides or [{"marks": write_marks((actor,)), "title": actor.title} for actor in node.actors]


def write_marks(actors: Iterable[Actor]) -> list[JsonObject]:
    """Return the marks of some actors."""
    return [{"mark": actor.mark, "style": actor.style, "title": actor.title} for actor in actors]
