"""The sequence of play as Markdown: a line for each step, with a link for each reference."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from rulewright.book.outline import Outline
from rulewright.document.nodes import StepGroupNode, StepNode
from rulewright.document.step_builder import StepBuilder
from rulewright.references.reference_index import ReferenceIndex
from rulewright.render.json_writer import JsonWriter
from rulewright.render.render_context import RenderContext
from rulewright.render.text_writer import TextWriter
from rulewright.sequence.actors import Actor, all_actors
from rulewright.sequence.repetition_phrases import DIFFERENT
from rulewright.sequence.step_attributes import capitalize_first

_LAYOUTS = {"any": "in any order", "either": "in any order", "one": "one of"}
"""How the steps of a group are done."""

_BLOCK_START = re.compile(r"^(\d*)([-+#>.)])")
"""A title that would begin a list, a heading or a quotation: "1986. A great year", "+1"."""


def outline_as_markdown(outline: Outline, index: ReferenceIndex, base: str = "") -> str:
    """Return the sequence of play as nested lists, with links below `base`, the URL of the site."""
    context, sequence = RenderContext(index), outline.edition.sequence
    builder, links = context.builders[outline.edition.address], JsonWriter(context, base)
    writer = TextWriter(lambda target: links.href(context.targets.find(target)))
    title = f"{sequence.title if sequence else 'Sequence of Play'} – {outline.edition.title}"
    legend = [
        f"**{_marks([actor], writer)}** {writer.escape(actor.title)}"
        for actor in all_actors(outline.sequence)
    ]
    if all_actors(outline.sequence, combat=True):
        legend.append("**bold**: a combat action of that player")
    lines = _lines(StepBuilder(builder).groups(outline.sequence.steps), writer, "")
    paragraphs = [
        f"## {writer.escape(title)}",
        writer.inline(builder.inline(sequence.text if sequence else None)),
        " · ".join(legend),
        "\n".join(lines),
    ]
    return "\n\n".join(filter(None, paragraphs)) + "\n"


def _lines(groups: Iterable[StepGroupNode], writer: TextWriter, indent: str) -> Iterator[str]:
    """Yield the lines of steps and of those inside them."""
    for group in groups:
        inner = indent
        if group.layout == "same":
            yield f"{indent}- {_same_line(group.steps, writer)}"
            continue
        if group.layout == "between":
            yield f"{indent}- at any time in it:"
            inner += "    "
        for step in group.steps:
            yield f"{inner}- {_line(step, writer)}"
            yield from _lines(step.groups, writer, f"{inner}    ")


def _line(step: StepNode, writer: TextWriter) -> str:
    is_news = step.is_block or step.is_combat or step.actors_change
    name, marks = _BLOCK_START.sub(r"\1\\\2", _name(step, writer)), ""
    if is_news and not step.sides:
        marks = _marks(step.actors, writer)
    if step.is_combat:
        name = f"**{marks}{' ' if marks else ''}{name.replace('*', '')}**"
    elif marks:
        name = f"**{marks}** {name}"
    details = "; ".join(filter(None, _details(step, writer)))
    line = f"{DIFFERENT} {name}" if step.is_different else name
    line += f" – {details}" if details else ""
    if step.note:
        line += f"{'' if details.endswith('.') else '.'} {writer.inline(step.note)}"
    return line + _references(step, writer)


def _same_line(steps: Iterable[StepNode], writer: TextWriter) -> str:
    """Return steps that are as in another turn, in one line."""
    *first, last = steps
    names = [_name(step, writer) + _references(step, writer) for step in (*first, last)]
    words = f"{', '.join(names[:-1])} and {names[-1]}" if first else names[0]
    return f"{capitalize_first(writer.inline(last.repetition))}: {words}"


def _name(step: StepNode, writer: TextWriter) -> str:
    """Return the label, the title and the abbreviation of a step."""
    abbreviation = f"({step.abbreviation})" if step.abbreviation else ""
    return " ".join(filter(None, (step.label, writer.inline(step.title), abbreviation)))


def _details(step: StepNode, writer: TextWriter) -> Iterator[str]:
    """Yield what a step repeats, its attributes, and how its inner steps are done."""
    yield writer.inline(step.repetition)
    if step.sides:
        yield f"phasing: {step.sides[0][1].title}"
    yield step.turns
    for fact in step.facts:
        yield fact.in_words(list(map(writer.inline, fact.values)), writer.escape)
    yield from dict.fromkeys(_LAYOUTS.get(group.layout, "") for group in step.groups)


def _references(step: StepNode, writer: TextWriter) -> str:
    words = ", ".join(map(writer.inline, step.references))
    return f" \\[{words}\\]" if words else ""


def _marks(actors: Iterable[Actor], writer: TextWriter) -> str:
    return "".join(f"[{writer.escape(actor.mark)}]" for actor in actors)
