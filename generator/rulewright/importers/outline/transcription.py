"""A plain text made into a sequence.yml: its title, its words, its steps, and what of it is left out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath

from rulewright.importers.outline.nesting import HeadingNode, nested
from rulewright.importers.outline.sequence_steps import Book, steps_of
from rulewright.importers.outline.text_lines import pieces
from rulewright.source.problems import File, Place, Problem, Severity, kind, shown
from rulewright.source.writing import Prose, Value, written

NO_STEPS = kind(
    "outline-without-steps",
    """A text that is to become a sequence of play has no line that reads like a step: none has a label, a
    bullet, or a short title.""",
)
LEFT_OUT = kind(
    "outline-left-out",
    """A text goes on behind the sequence of play with other rules or tables, which are left out. Delete them
    from it, or write them where they belong.""",
    Severity.WARNING,
)
ANEW = kind(
    "outline-label-anew",
    """Labels begin again in the middle of a text, as where a heading is lost. Look at the steps around, and
    put them into the phase or turn that they belong to.""",
    Severity.WARNING,
)

_USUAL = "Sequence of Play"


def transcribed(file: File, book: Book, schema: str) -> tuple[str | None, list[Problem]]:
    """Make the sequence.yml of a text, or None where it has no steps, and what is wrong or left out.

    `schema`: the path that the file's first line names.
    """
    nodes, before = nested(pieces(file), book.is_number)
    frame = next((node for node in nodes if node.is_frame), None)
    guessed = None if frame else _title(nodes)
    frame = frame or guessed
    problems: list[Problem] = []
    if frame:
        nodes, left = _within(nodes, frame)
        problems += _left_out(file, left, frame)
    steps, texts, remarks = _framed(nodes, frame)
    if not steps:
        message = "no line reads like a step: none has a label, a bullet, or a short title"
        return None, [NO_STEPS.at(Place(file.name), message, file.name)]
    problems += [_anew(file, node) for top in steps for node in top.walk() if node.anew]
    words = [*(paragraph.text for paragraph in before), *texts]
    entries: dict[str, Value] = {"title": frame.title.words if frame else _USUAL}
    if words:
        entries["text"] = Prose("\n\n".join(words))
    entries["steps"] = steps_of(steps, book)
    name = PurePosixPath(file.name.replace("\\", "/")).name
    head = [f"Made from {name}. Look at each guess: and delete its line when it is right."]
    head += ["guess: the first line is the title."] if guessed else []
    head += [] if frame else ["guess: the text does not say what the sequence is called."]
    capitals = any(node.title.capitals for top in nodes for node in top.walk())
    head += ["guess: titles that are printed in capitals have small letters here."] if capitals else []
    return written(entries, schema, [*head, *remarks]), problems


def _title(nodes: Sequence[HeadingNode]) -> HeadingNode | None:
    """The first heading, where it seems to be the title: it has no label and no kind, the next ones have."""
    first = nodes[0] if nodes else None
    if first is None or first.heading.label or first.heading.marked or first.title.kind:
        return None
    others = first.children if len(nodes) == 1 else nodes[1:] if not first.children else ()
    follow = any(node.heading.label or node.title.kind for node in others)
    return first if follow else None


def _within(nodes: Sequence[HeadingNode], frame: HeadingNode) -> tuple[list[HeadingNode], list[HeadingNode]]:
    """The headings that belong to the sequence, and those behind it that do not.

    Where the sequence has a rule's number, whatever has another one does not.
    """
    label = frame.heading.label
    start = nodes.index(frame)
    for at, node in enumerate(nodes[start + 1 :], start + 1):
        other = node.heading.label
        if label and label.parts and other and other.parts:
            return [*nodes[:at]], [*nodes[at:]]
    return [*nodes], []


def _left_out(file: File, left: Sequence[HeadingNode], frame: HeadingNode) -> Iterator[Problem]:
    if left:
        heading = left[0].heading
        lines = len(file.text.splitlines()) - heading.line + 1
        what = shown(_printed(left[0]))
        message = f"{what} is no part of {shown(frame.title.words)}; from here on {lines} lines are left out"
        yield LEFT_OUT.at(Place(file.name, heading.line, heading.column), message, file.name)


def _anew(file: File, node: HeadingNode) -> Problem:
    heading = node.heading
    label = heading.label.printed if heading.label else ""
    message = f"the labels begin again with {label} {shown(node.title.words)}; a heading may be missing above"
    return ANEW.at(Place(file.name, heading.line, heading.column), message, label)


def _framed(
    nodes: Sequence[HeadingNode], frame: HeadingNode | None
) -> tuple[list[HeadingNode], list[str], list[str]]:
    """The steps inside the headings that name the sequence, the words that hold for all of it, and remarks.

    Rules that stand beside such a heading, and are no steps, are words too.
    """
    steps: list[HeadingNode] = []
    texts: list[str] = []
    remarks: list[str] = []
    frames = [node for node in nodes if node is frame or (node.is_frame and node.children)]
    for node in nodes:
        words = [*filter(None, [node.title.rest]), *(paragraph.text for paragraph in node.paragraphs)]
        label = node.heading.label
        if node in frames:
            remarks += [_printed(node)] if label or node.title.printed != node.title.words else []
            texts += words if node is frame else _headed(node, words)
            inner = _framed(node.children, None)
            steps, texts, remarks = [*steps, *inner[0]], [*texts, *inner[1]], [*remarks, *inner[2]]
        elif frames and label and label.parts and words and not (node.children or node.title.kind):
            remarks.append(_printed(node))
            texts += _headed(node, words)
        else:
            steps.append(node)
    return steps, texts, remarks


def _printed(node: HeadingNode) -> str:
    """A heading as it is printed, with its label."""
    label = node.heading.label.printed if node.heading.label else ""
    return f"{label} {node.title.printed}".strip()


def _headed(node: HeadingNode, words: Sequence[str]) -> list[str]:
    """The paragraphs below a heading that is no step, the first of them with its title."""
    first, *others = words or [""]
    return [f"**{node.title.words}.** {first}".strip(), *others]
