"""The sequence of play as text, Markdown and HTML: a line for each step."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from markdown import markdown

from rulewright.book.outline import Outline
from rulewright.document import nodes
from rulewright.document.step_builder import StepBuilder
from rulewright.document.targets import TargetId
from rulewright.references import site_paths
from rulewright.references.reference_index import ReferenceIndex
from rulewright.render.render_context import RenderContext
from rulewright.render.text_writer import TextWriter
from rulewright.sequence import actors
from rulewright.sequence.repetition_phrases import DIFFERENT, group_steps
from rulewright.sequence.sequence_step import AT_ANY_TIME, NOBODY, SequenceStep
from rulewright.sequence.step_attributes import capitalize_first, inside_phrase

INTERRUPTIONS = "at any time in it:"
_BULLETS = {"one": "o", "between": "~"}


class OutlineWriter:
    """Writer of an outline as text or, with links below `base`, as Markdown."""

    def __init__(self, outline: Outline, index: ReferenceIndex, base: str | None) -> None:
        self.outline, self.book, self.base = outline, outline.edition.book, base
        self.context, self.is_text = RenderContext(index), base is None
        self.builder = self.context.builders[outline.edition.address]
        self.writer = TextWriter(None if base is None else self.href)

    def href(self, target: TargetId) -> str:
        """Return the link to an object."""
        page, fragment = self.context.page_and_fragment(self.context.targets.find(target))
        return site_paths.absolute_link(self.base or "", page) + fragment

    def text(self) -> str:
        """Return the outline: its title, its text, the meaning of its marks, and a line for each step."""
        sequence, escape = self.outline.edition.sequence, self.writer.escape
        title = f"{sequence.title if sequence else 'Sequence of Play'} – {self.outline.edition.title}"
        lines = [title, "=" * len(title)] if self.is_text else [f"## {escape(title)}", ""]
        if sequence and sequence.text:
            lines += [self.writer.inline(self.builder.inline(sequence.text)), ""]
        steps = list(self.outline.sequence.iter_steps())
        shown = (step for step in self.outline.sequence.iter_displayed() if not step.is_same)
        acting = {actor for step in shown for actor in self.new_actors(step)}
        mark = "[{}] {}" if self.is_text else "**[{}]** {}"
        legend = [
            mark.format(escape(_mark(actor)), escape(actor.title))
            for actor in actors.sort_actors(acting, self.book)
        ]
        if any(step.is_combat for step in steps):
            legend.append(f"{'*' if self.is_text else '**bold**:'} a combat action of that player")
        if self.is_text and any(step.is_choice and not step.lists_options for step in steps):
            legend.append("o one of these")
        if self.is_text and any(step.way == AT_ANY_TIME for step in steps):
            legend.append("~ at any time")
        lines += [("   " if self.is_text else " · ").join(legend)] if legend else []
        lines += [""] if legend and not self.is_text else []
        return "\n".join([*lines, *self.lines(self.outline.sequence.steps, "")]) + "\n"

    def lines(self, steps: Iterable[SequenceStep], indent: str) -> Iterator[str]:
        """Yield the lines of steps and of those inside them."""
        for layout, group in group_steps(steps):
            inner = indent
            if layout == "between":
                yield indent + ("" if self.is_text else "- ") + INTERRUPTIONS
                inner += "" if self.is_text else "    "
            for step in group if layout != "same" else group[:1]:
                bullet = f"{_BULLETS.get(layout, '-') if self.is_text else '-'} "
                if self.is_text and step.is_block:
                    yield ""
                    bullet = ""
                if layout == "same":
                    yield f"{inner}{bullet}{self.same_line(group)}"
                else:
                    yield f"{inner}{bullet}{self.line(step)}"
                    depth = "    " if step.is_block or not self.is_text else "  "
                    yield from self.lines(step.steps_with_lines, inner + depth)

    def line(self, step: SequenceStep) -> str:
        """Return a step in one line. In text a star after the mark says that it is a combat action."""
        node = StepBuilder(self.builder, ()).step(step)
        marks = "".join(f"[{self.writer.escape(_mark(actor))}]" for actor in self.new_actors(step))
        title = self.name(node)
        is_bold = step.is_combat and not self.is_text
        if self.is_text:
            marks += ("* " if step.is_combat else " ") if marks else ""
        else:
            # Neither a list nor a box to tick: "1986. A great year", "+1", "[x]".
            title = re.sub(r"^(\d*)([-+#>.)])", r"\1\\\2", title)
            marks = f"{marks} " if is_bold else f"**{marks}** " if marks else ""
        name = f"**{marks}{title.replace('*', '')}**" if is_bold else f"{marks}{title}"
        details = "; ".join(filter(None, self.details(step, node)))
        line = f"{DIFFERENT} {name}" if step.is_different else name
        line += f" – {details}" if details else ""
        if node.note:
            line += f"{'' if details.endswith('.') else '.'} {self.writer.inline(node.note)}"
        return line + self.references(node)

    def same_line(self, steps: Iterable[SequenceStep]) -> str:
        """Return steps that are as in another turn, in one line."""
        found = [StepBuilder(self.builder, ()).step(step) for step in steps]
        *first, last = (self.name(node) + self.references(node) for node in found)
        names = f"{', '.join(first)} and {last}" if first else last
        return f"{capitalize_first(self.phrase(found[0]))}: {names}"

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
        yield self.phrase(node)
        if len(step.phasing) == 1 and not step.is_played_in_turns and not step.reverses_roles:
            yield f"phasing: {actors.find_actor(step.phasing[0], self.book).title}"
        yield node.turns
        for fact in node.facts:
            *first, last = map(self.writer.inline, fact.values or ((),))
            yield fact.before + (f"{', '.join(first)} {fact.join} {last}" if first else last)
        yield inside_phrase(step)

    def phrase(self, node: nodes.StepNode) -> str:
        """Return what a step repeats."""
        words = ""
        for part in node.repetition:
            words += part if isinstance(part, str) else part.title
        return self.writer.escape(words)

    def references(self, node: nodes.StepNode) -> str:
        """Return the rules of a step in brackets."""
        words = ", ".join(map(self.writer.inline, node.references))
        return f" {self.writer.escape('[')}{words}{self.writer.escape(']')}" if words else ""


def _mark(actor: actors.Actor) -> str:
    return actor.mark if actor.name != NOBODY else "-"


def outline_as_text(outline: Outline, index: ReferenceIndex, base: str = "") -> str:
    """Return the sequence of play as plain text. It has no links, so `base` makes no difference."""
    return OutlineWriter(outline, index, None).text()


def outline_as_markdown(outline: Outline, index: ReferenceIndex, base: str = "") -> str:
    """Return the sequence of play as nested Markdown lists with a link for each reference."""
    return OutlineWriter(outline, index, base).text()


def outline_as_html(outline: Outline, index: ReferenceIndex, base: str = "") -> str:
    """Return the sequence of play as HTML that needs no style, to paste into any page."""
    return f'<section class="outline">\n{markdown(outline_as_markdown(outline, index, base))}\n</section>\n'
