"""Steps as HTML: the sequence of play in outline and in words.

A turn has a bar, a phase another one that folds, and what is done is a line with its rules flush right. The
class of who acts gives bar, rail, mark and weight their looks.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from markupsafe import Markup

from rulewright.document.nodes import (
    FactNode,
    NarrativeNode,
    References,
    StepGroupNode,
    StepNode,
)
from rulewright.document.targets import TargetId
from rulewright.render.html_escaping import attribute
from rulewright.render.html_writer import HtmlWriter
from rulewright.render.templating import environment
from rulewright.sequence.actors import Actor
from rulewright.sequence.sequence_step import SequenceStep
from rulewright.sequence.step_attributes import capitalize_first

if TYPE_CHECKING:
    from rulewright.render.page_renderer import PageRenderer

_IN_BRACKETS = re.compile(r"\((<a [^<>]*>[^<>]*</a>)\)")
_LAYOUTS = {"any": "any-order", "either": "any-order", "one": "choice", "between": "between"}
_LABELS = {"any": "In any order:", "either": "In any order:", "one": "One of:", "between": "At any time:"}
MAX_REFERENCES_LENGTH = 18
"""Characters of references that leave room in the last line of a step; more have a column."""


@dataclass(frozen=True, slots=True)
class StepHtml:
    """Writer of steps on a page."""

    page: PageRenderer
    level: int
    """The level of the headings of outermost steps."""
    is_main: bool
    """They have their anchors there; those in outline fold."""

    @property
    def writer(self) -> HtmlWriter:
        return self.page.writer

    def groups(self, groups: Iterable[StepGroupNode]) -> str:
        """Return steps, those in order as a numbered list, others as a plain list with a rail."""
        return "".join(map(self._group, groups))

    def narrative(self, entries: Iterable[NarrativeNode]) -> str:
        """Return steps in words."""
        level, html = self.level - 1, '<div class="narrative">\n'
        for entry in entries:
            # A step around it may have no words, and then no heading: no level is left out for that.
            level = min(self.level + entry.step.level, level + 1, 6)
            html += self._narrative(entry, level)
        return f"{html}</div>\n"

    def _group(self, group: StepGroupNode) -> str:
        steps, layout = group.steps, group.layout
        if layout == "same" and steps[0].is_block:
            return f"<ol>\n{''.join(map(self._phase, steps))}</ol>\n"
        if layout == "same":
            words = capitalize_first(self.writer.words(steps[0].repetition))
            names = [f'<span class="as"{self._id(step)}>{self._in_short(step)}</span>' for step in steps]
            *first, last = names
            line = f'{", ".join(first)} <span lang="en">and</span> {last}' if first else last
            return f'<p class="same"><span lang="en">{words}:</span> {line}.</p>\n'
        items = "".join(map(self._step, steps))
        if layout == "steps":
            return f"<ol>\n{items}</ol>\n"
        label = f'<p class="aside" lang="en">{_LABELS[layout]}</p>'
        return f'<div class="{_LAYOUTS[layout]}">\n{label}\n<ul>\n{items}</ul>\n</div>\n'

    def _step(self, step: StepNode) -> str:
        match step.kind:
            case "turn":
                return self._turn(step)
            case "phase":
                return self._phase(step)
            case _:
                return self._line(step)

    # Kinds of steps

    def _turn(self, step: StepNode) -> str:
        title, tag = self.writer.inline(step.title), f"h{self._heading_level(step)}"
        html = f'<li class="turn{_loop(step)}"{self._id(step)}>\n<div class="turn-bar">\n'
        html += f"<{tag}>{_label(step)}{title}{self._series_difference(step)}</{tag}>"
        if self.is_main:
            html += f' <a class="permalink" href="#{attribute(step.target.key)}" '
            html += f'aria-label="Link to {attribute(step.plain_title)}">#</a>'
        html += "\n"
        if step.sides:
            html += '<p class="sides">'
            for role, side in step.sides:
                html += f'<span>{mark(role)}<span class="spoken">{actor_title(role)}: </span> '
                html += f"{mark(side) if side.has_colour else ''}{attribute(side.title)}</span> "
            html += "</p>\n"
        elif step.actors:
            actors = "".join(f"<span>{mark(actor)}{actor_title(actor)}</span> " for actor in step.actors)
            turns = f'<span lang="en">{step.turns}</span>' if step.turns else ""
            html += f'<p class="sides">{actors}{turns}</p>\n'
        html += f"</div>\n{self._repetition(step)}{self._details(step, step.references)}{self._errata(step)}"
        return f"{html}{self.groups(step.groups)}</li>\n"

    def _phase(self, step: StepNode) -> str:
        """Return a phase; of one that is as in the turn that is repeated only its bar, which leads there."""
        again = " again" if step.original else ""
        html = f'<li class="phase{again} {step.style}{_loop(step)}"{self._id(step)}>\n'
        html += self._phase_references(step)
        if step.original:
            facts = f'<span class="facts" lang="en">{self.writer.words(step.repetition)}</span>'
            return f'{html}<div class="fold">{self._phase_name(step)} {facts}</div>\n</li>\n'
        title = self._phase_name(step)
        inside = self._repetition(step) + self._details(step) + self._errata(step)
        inside = (inside + self.groups(step.groups)).strip()
        inner_html = f'<div class="within">\n{inside}\n</div>\n' if inside else ""
        if self.is_main and inside:
            html += f'<details class="fold" open>\n<summary>{title}</summary>\n{inner_html}</details>\n'
        else:
            html += f'<div class="fold">{title}</div>\n{inner_html}'
        return f"{html}</li>\n"

    def _line(self, step: StepNode) -> str:
        is_heading, anchor = step.kind == "segment", attribute(step.target.key)
        tag = f"h{self._heading_level(step)}" if is_heading else "span"
        bullet = '<span class="bullet" aria-hidden="true"></span>'
        if self.is_main:
            bullet = f'<a class="bullet" href="#{anchor}" tabindex="-1" aria-hidden="true"></a>'
        style = f" {step.style}" if step.actors_change else ""
        html = f'<li class="{"segment" if is_heading else "do"}{style}{_loop(step)}"{self._id(step)}>\n'
        html += f'<div class="line">{bullet}'
        html += f'<span class="who">{marks(step.actors)}</span>' if step.actors_change else ""
        references = self.writer.references(step.references)
        # The room that the last line leaves for its references.
        words = Markup(references).striptags()
        room = f' data-refs="{attribute(words)}"' if 0 < len(words) <= MAX_REFERENCES_LENGTH else ""
        html += f'<div class="says"{room}>\n'
        combat = f" combat {step.style}" if step.is_combat else ""
        title = self.writer.inline(step.title)
        html += f'<{tag} class="title{combat}">{_different(step)}{_label(step)}{title}</{tag}>'
        if step.actors_change or step.is_combat:
            action = ", combat action" if step.is_combat else ""
            html += f'<span class="spoken"><span lang="en">{action}</span>{spoken(step.actors)}</span>'
        facts = self._facts(step)
        html += _abbreviation(step) + self._series_difference(step)
        html += f' <span class="facts">({facts})</span>' if facts else ""
        html += f' <span class="aside">{self.writer.inline(step.note)}</span>' if step.note else ""
        html += '<span class="leader"></span></div>' if references else "</div>"
        html += f' <span class="refs">{references}</span>' if references else ""
        html += f"</div>\n{self._repetition(step)}{self._errata(step)}"
        return f"{html}{self.groups(step.groups)}</li>\n"

    def _in_short(self, step: StepNode) -> str:
        """Return a step in a line with others: its title, which leads to the original, and its rules."""
        assert step.original
        name = f"{_label(step)}{attribute(step.plain_title)}"
        name = f'<a class="title" href="{self._href(step.original)}">{name}</a>'
        if step.actors_change:
            name = marks(step.actors) + name + spoken(step.actors)
        references = self.writer.references(step.references)
        return f'{name}&nbsp;<span class="refs">{references}</span>' if references else name

    def _narrative(self, entry: NarrativeNode, level: int) -> str:
        step, writer = entry.step, self.writer
        is_turn = step.kind == "turn"
        classes = "narrative-step" + (" turn" if is_turn else "") + (" inner" if entry.is_inner else "")
        name = f"{_different(step)}{_label(step)}{attribute(step.plain_title)}"
        title = f'<a href="{self._href(step.target)}" title="In the outline">{name}</a>'
        if not is_turn:
            title = f"{marks(step.actors)}{title}{spoken(step.actors)}"
        html = f'<section class="{classes}"{self._id(step)}>\n<h{level}>{title}</h{level}>\n'
        if entry.references:
            html += f'<span class="refs">{writer.references(entry.references)}</span>\n'
        if entry.repetition:
            note = f" {writer.inline(step.note)}" if step.is_different and step.note else ""
            words = capitalize_first(writer.words(entry.repetition))
            html += f'<p class="repeat" lang="en">{words}.{note}</p>\n'
        return f"{html}{writer.text(entry.blocks) if entry.blocks else ''}</section>\n"

    # Parts of steps

    def _phase_name(self, step: StepNode) -> str:
        tag = f"h{self._heading_level(step)}"
        name = f"{_different(step)}{_label(step)}{self.writer.inline(step.title)}"
        more = f"{_abbreviation(step)}{self._series_difference(step)}{spoken(step.actors)}"
        return f'<{tag}>{marks(step.actors)}<span class="title">{name}</span>{more}</{tag}>'

    def _phase_references(self, step: StepNode) -> str:
        if not step.references:
            return ""
        references = self.writer.references(step.references)
        label = f"Rules for the {attribute(step.plain_title)}"
        return f'<span class="refs" role="group" aria-label="{label}">{references}</span>\n'

    def _repetition(self, step: StepNode) -> str:
        words = capitalize_first(self.writer.words(step.repetition))
        return f'<p class="repeat" lang="en">{words}.</p>\n' if words and not step.original else ""

    def _facts(self, step: StepNode) -> str:
        return "; ".join(
            f'<span class="fact" lang="en">{fact.in_words(fact_values(fact, self.writer), attribute)}</span>'
            for fact in step.facts
        )

    def _details(self, step: StepNode, references: References = ()) -> str:
        """Return the facts and the note of a turn or a phase, below its bar."""
        writer = self.writer
        refs = f'<span class="refs">{writer.references(references)}</span>' if references else ""
        words = "; ".join(filter(None, (self._facts(step), refs)))
        html = f'<p class="besides">{words}</p>\n' if words else ""
        return f'{html}<p class="aside">{writer.inline(step.note)}</p>\n' if step.note else html

    def _errata(self, step: StepNode) -> str:
        """Return the errata of a step, on the page of the sequence."""
        errata = self.page.errata_entries(self._find(step.target)) if self.is_main else ()
        if not errata:
            return ""
        template = environment().get_template("parts/erratum.html")
        return str(template.module.remarks(errata, self.page))  # type: ignore[attr-defined]

    def _series_difference(self, step: StepNode) -> str:
        """Return the mark of a step that is not as in the series."""
        kind, base = self.page.context.series_difference(self._find(step.target))
        if not kind:
            return ""
        words = f'<a href="{attribute(self.page.href(base))}">{kind}</a>' if base else kind
        return f' <span class="label differs" lang="en">{words}</span>'

    def _heading_level(self, step: StepNode) -> int:
        return min(step.level + self.level, 6)

    def _id(self, step: StepNode) -> str:
        return f' id="{attribute(step.target.key)}"' if self.is_main else ""

    def _find(self, target: TargetId) -> SequenceStep:
        step = self.page.context.targets.find(target)
        assert isinstance(step, SequenceStep)
        return step

    def _href(self, target: TargetId) -> str:
        return attribute(self.page.href(self._find(target)))


def fact_values(fact: FactNode, writer: HtmlWriter) -> list[str]:
    """Return the values of an attribute. Numbers have no brackets, since facts are in brackets themselves."""
    return [_IN_BRACKETS.sub(r"\1", writer.inline(value)).strip() for value in fact.values]


def actor_title(actor: Actor) -> str:
    """Return the title of an actor, in English if the book has no word of its own."""
    title = attribute(actor.title)
    return f'<span lang="en">{title}</span>' if actor.is_builtin else title


def mark(actor: Actor) -> str:
    """Return the mark of an actor, a letter in a shape."""
    two = " two" if len(actor.mark) > 1 else ""
    return f'<span class="mark {actor.style}{two}" aria-hidden="true">{attribute(actor.mark)}</span>'


def marks(actors: Iterable[Actor]) -> str:
    """Return the marks of actors, of several in the order in which they act."""
    return '<span class="then" aria-hidden="true">›</span>'.join(map(mark, actors))


def spoken(actors: Sequence[Actor]) -> str:
    """Return who acts in words, for those who do not see the mark."""
    names = ', <span lang="en">then</span> '.join(map(actor_title, actors))
    return f'<span class="spoken"> ({names})</span>' if actors else ""


def _different(step: StepNode) -> str:
    if not step.is_different:
        return ""
    words = '<span class="spoken" lang="en"> different here:</span>'
    return f'<span class="different" title="different here">≠{words}</span> '


def _label(step: StepNode) -> str:
    return f'<span class="step-label">{attribute(step.label)}</span> ' if step.label else ""


def _abbreviation(step: StepNode) -> str:
    words = attribute(step.abbreviation)
    return f' <span class="abbreviation">({words})</span>' if step.abbreviation else ""


def _loop(step: StepNode) -> str:
    """Return the class of a step that is done again and again, whose rail has an arrow."""
    return " loop" if step.has_loop else ""
