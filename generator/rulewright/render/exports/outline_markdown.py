"""The sequence of play as Markdown: a line for each step, with a link for each reference."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from rulewright.book.outline import Outline
from rulewright.document import nodes
from rulewright.document.step_builder import StepBuilder
from rulewright.references.reference_index import ReferenceIndex
from rulewright.render.json_writer import JsonWriter
from rulewright.render.render_context import RenderContext
from rulewright.render.text_writer import TextWriter
from rulewright.sequence import actors
from rulewright.sequence.repetition_phrases import DIFFERENT, group_steps
from rulewright.sequence.sequence_step import NOBODY, SequenceStep
from rulewright.sequence.step_attributes import capitalize_first, inside_phrase

INTERRUPTIONS = "at any time in it:"

_BLOCK_START = re.compile(r"^(\d*)([-+#>.)])")
"""A title that would begin a list, a heading or a quotation: "1986. A great year", "+1"."""


class OutlineWriter:
    """Writer of an outline, with links below `base`, the URL of the site."""

    def __init__(self, outline: Outline, index: ReferenceIndex, base: str) -> None:
        self.outline, self.book, context = outline, outline.edition.book, RenderContext(index)
        self.builder = context.builders[outline.edition.address]
        links = JsonWriter(context, base)
        self.writer = TextWriter(lambda target: links.href(context.targets.find(target)))

    def text(self) -> str:
        """Return the outline: its title, its text, the meaning of its marks, and a line for each step."""
        sequence, escape = self.outline.edition.sequence, self.writer.escape
        title = f"{sequence.title if sequence else 'Sequence of Play'} – {self.outline.edition.title}"
        paragraphs = [f"## {escape(title)}"]
        if sequence and sequence.text:
            paragraphs.append(self.writer.inline(self.builder.inline(sequence.text)))
        new_steps = (step for step in self.outline.sequence.iter_displayed() if not step.is_same)
        acting = {actor for step in new_steps for actor in self.new_actors(step)}
        legend = [
            f"**[{escape(_mark(actor))}]** {escape(actor.title)}"
            for actor in actors.sort_actors(acting, self.book)
        ]
        if any(step.is_combat for step in self.outline.sequence.iter_steps()):
            legend.append("**bold**: a combat action of that player")
        paragraphs += [" · ".join(legend)] if legend else []
        lines = "\n".join(self.lines(self.outline.sequence.steps, ""))
        return "\n\n".join([*paragraphs, lines]) + "\n"

    def lines(self, steps: Iterable[SequenceStep], indent: str) -> Iterator[str]:
        """Yield the lines of steps and of those inside them."""
        for layout, group in group_steps(steps):
            inner = indent
            if layout == "same":
                yield f"{indent}- {self.same_line(group)}"
                continue
            if layout == "between":
                yield f"{indent}- {INTERRUPTIONS}"
                inner += "    "
            for step in group:
                yield f"{inner}- {self.line(step)}"
                yield from self.lines(step.steps_with_lines, f"{inner}    ")

    def line(self, step: SequenceStep) -> str:
        """Return a step in one line."""
        node = StepBuilder(self.builder, ()).step(step)
        marks = "".join(f"[{self.writer.escape(_mark(actor))}]" for actor in self.new_actors(step))
        title = _BLOCK_START.sub(r"\1\\\2", self.name(node))
        if step.is_combat:
            name = f"**{marks}{' ' if marks else ''}{title.replace('*', '')}**"
        else:
            name = f"**{marks}** {title}" if marks else title
        details = "; ".join(filter(None, self.details(step, node)))
        line = f"{DIFFERENT} {name}" if step.is_different else name
        line += f" – {details}" if details else ""
        if node.note:
            line += f"{'' if details.endswith('.') else '.'} {self.writer.inline(node.note)}"
        return line + self.references(node)

    def same_line(self, steps: Iterable[SequenceStep]) -> str:
        """Return steps that are as in another turn, in one line."""
        step_nodes = [StepBuilder(self.builder, ()).step(step) for step in steps]
        *first, last = (self.name(node) + self.references(node) for node in step_nodes)
        names = f"{', '.join(first)} and {last}" if first else last
        return f"{capitalize_first(self.writer.inline(step_nodes[0].repetition))}: {names}"

    def new_actors(self, step: SequenceStep) -> list[actors.Actor]:
        """Return who acts if that is news: at a part of a turn, a combat action."""
        is_turn_of_one = len(step.phasing) == 1 and not step.is_played_in_turns
        is_news = not is_turn_of_one and (step.is_block or step.is_combat or step.actors_change)
        return [actors.find_actor(name, self.book) for name in step.acting] if is_news else []

    def name(self, node: nodes.StepNode) -> str:
        """Return the label, the title and the abbreviation of a step."""
        abbreviation = f"({node.abbreviation})" if node.abbreviation else ""
        return " ".join(filter(None, (node.label, self.writer.inline(node.title), abbreviation)))

    def details(self, step: SequenceStep, node: nodes.StepNode) -> Iterator[str]:
        """Yield what a step repeats, its attributes, and how its inner steps are done."""
        yield self.writer.inline(node.repetition)
        if len(step.phasing) == 1 and not step.is_played_in_turns and not step.reverses_roles:
            yield f"phasing: {actors.find_actor(step.phasing[0], self.book).title}"
        yield node.turns
        for fact in node.facts:
            *first, last = map(self.writer.inline, fact.values or ((),))
            yield fact.before + (f"{', '.join(first)} {fact.join} {last}" if first else last)
        yield inside_phrase(step)

    def references(self, node: nodes.StepNode) -> str:
        """Return the rules of a step in brackets."""
        words = ", ".join(map(self.writer.inline, node.references))
        return f" \\[{words}\\]" if words else ""


def _mark(actor: actors.Actor) -> str:
    return actor.mark if actor.name != NOBODY else "-"


def outline_as_markdown(outline: Outline, index: ReferenceIndex, base: str = "") -> str:
    """Return the sequence of play as nested Markdown lists."""
    return OutlineWriter(outline, index, base).text()
