"""The sequence of play as text, Markdown and HTML: the same lines, each medium with its own signs."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial
from textwrap import wrap

from rulewright.book.outline import Outline
from rulewright.references.reference_index import ReferenceIndex
from rulewright.render.exports.export_formats import HTML, MARKDOWN, TEXT, OutputFormat
from rulewright.render.exports.outline_lines import INTERRUPTIONS, OutlineView
from rulewright.render.templating import environment
from rulewright.sequence.repetition_phrases import group_steps
from rulewright.sequence.sequence_step import SequenceStep

WIDTH = 78
"""Where plain text is wrapped."""

_wrapped = partial(wrap, width=WIDTH, break_long_words=False, break_on_hyphens=False)
_BULLETS = {"one": "o", "between": "~"}
_GLUE = "\x00"  # a space at which no line may break, while text is being wrapped
_LAST = re.compile(r" \[[^][]{,30}\]$")  # the references at the end of a line, where they are few


def _rest(medium: OutputFormat, view: OutlineView, entry: SequenceStep) -> str:
    details = "; ".join(map(medium.write, view.details(entry)))
    rest = f" – {details}" if details else ""
    if note := view.runs(entry.step.note):
        rest += f"{'' if rest.endswith('.') else '.'} {medium.write(note)}"
    see = list(view.see(entry))
    return f"{rest} {medium.words('[')}{medium.write(see)}{medium.words(']')}" if see else rest


def step_line(entry: SequenceStep, view: OutlineView) -> str:
    """A step as plain text in one line. A star behind the mark says that it is a combat action."""
    marks = "".join(f"[{mark}]" for mark, _ in view.marks(entry))
    marks += ("* " if entry.is_combat else " ") if marks else ""
    return (
        TEXT.write(view.difference_sign(entry))
        + marks
        + TEXT.write(view.name(entry))
        + _rest(TEXT, view, entry)
    )


def outline_as_text(outline: Outline, index: ReferenceIndex, base: str = "") -> str:
    """The sequence of play as plain text. It has no links, so `base` makes no difference."""
    view = OutlineView(outline, index)
    legend = [f"[{mark}] {name}" for mark, name in view.legend()]
    legend += [f"{sign} {meaning}" for sign, meaning, is_used in view.signs if is_used]
    lines = [view.title, "=" * len(view.title)]
    lines += [*_wrapped(TEXT.write(view.runs(view.intro))), ""] if view.intro else []
    lines += _wrapped("   ".join(part.replace(" ", _GLUE) for part in legend))

    def add(rows: Sequence[SequenceStep], indent: str) -> None:
        for layout, group in group_steps(rows):
            if layout == "same":
                put(TEXT.write(view.inline_group(group)), "" if group[0].is_block else "-", indent)
                continue
            if layout == "between":
                lines.append(indent + INTERRUPTIONS)
            for entry in group:
                hang = put(
                    step_line(entry, view), "" if entry.is_block else _BULLETS.get(layout, "-"), indent
                )
                add(entry.steps_with_lines, hang)

    def put(words: str, bullet: str, indent: str) -> str:
        """Add a step, and return the indent of the steps in it."""
        hang = indent + ("  " if bullet else "    ")
        lines.extend([] if bullet else [""])
        words = (f"{bullet}{_GLUE}" if bullet else "") + _glued(words)
        lines.extend(_wrapped(words, initial_indent=indent, subsequent_indent=hang))
        return hang

    add(outline.sequence.steps, "")
    return "\n".join(lines).replace(_GLUE, " ") + "\n"


def _glued(words: str) -> str:
    """Words to wrap so that a line may end with a dash, but begins neither with it nor with references."""
    words = _LAST.sub(lambda m: m.group().replace(" ", _GLUE), words)
    return words.replace(" – ", f"{_GLUE}– ")


def outline_as_markdown(outline: Outline, index: ReferenceIndex, base: str = "") -> str:
    """The sequence of play as nested Markdown lists with a link for each reference."""
    view = OutlineView(outline, index, base)

    def titled(entry: SequenceStep) -> str:
        title = MARKDOWN.write(run for run in view.name(entry) if not (run.sign and entry.is_combat))
        # Neither a list nor a box to tick: "1986. A great year", "+1", "[x]".
        return re.sub(r"^(\d+)([.)])", r"\1\\\2", re.sub(r"^([-+#>])", r"\\\1", title))

    return _rendered("outline.md", MARKDOWN, view, titled=titled)


def outline_as_html(outline: Outline, index: ReferenceIndex, base: str = "") -> str:
    """The sequence of play as an HTML fragment that needs no style. What has an order stands in an `ol`."""
    return _rendered("outline.html", HTML, OutlineView(outline, index, base))


def _rendered(template: str, medium: OutputFormat, view: OutlineView, **more: object) -> str:
    more |= {"words": medium.words, "write": medium.write, "rest": partial(_rest, medium, view)}
    more |= {"view": view, "interruptions": INTERRUPTIONS}
    made = environment().get_template(f"exports/{template}").render(**more)
    return made.rstrip("\n") + "\n"
