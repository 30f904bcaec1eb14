"""Headings of an outline as the steps of a sequence of play.

The words stay; each guess is a comment of the file.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from rulewright.book.title_references import append_references
from rulewright.files.problems import Problem, SourceLocation, problem_type
from rulewright.files.yaml_writer import CommentedValue, ParagraphText, QuotedString, Value, write_yaml
from rulewright.imports import Entries
from rulewright.imports.sequence.outline_blocks import OutlineHeading, nest_headings, read_headings
from rulewright.imports.sequence.step_titles import (
    PHASING,
    REPEAT,
    NumberTest,
    is_title,
    loop_of,
    parse_actor,
    parse_clause,
    side_of,
)
from rulewright.schema.step import DO
from rulewright.schema.step_kinds import KINDS, PLAYERS, TURNS
from rulewright.sequence.sequence_step import title_slug

NO_STEPS = problem_type(
    "outline-without-steps",
    """A text that is to become a sequence of play has no line that reads like a step: none has a label, a
    bullet, or a short title.""",
)


_DECIDES = re.compile(
    r"(?:first player|initiative|player order|turn order|order of play)\b.*"
    r"\b(?:determination|phase|segment|step|roll)"
    r"|(?:determine|decide|roll for) (?:the )?(?:first player|initiative|player order|turn order|who "
    r"(?:is|goes|moves|plays|acts) first)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class StepContext:
    """Facts of the book that the steps are for."""

    is_number: NumberTest = lambda number: True
    """Tells whether a text is a number that the book's rules may have."""

    colours: Mapping[str, str] = field(default_factory=dict)
    """Who acts in a step of a colour."""


def build_sequence(name: str, lines: Iterable[OutlineHeading]) -> tuple[str | None, list[Problem]]:
    """Return the sequence.yml of lines; None and a problem if they have no steps."""
    context = StepContext()
    nodes, texts = nest_headings(read_headings(lines), context.is_number)
    file_name = PurePosixPath(name.replace("\\", "/")).name
    comments = [f"Made from {file_name}. Look at each guess: and delete its line when it is right."]
    frame = next((node for node in nodes if node.is_frame), None)
    if frame is None and nodes:
        first, *rest = nodes
        is_step = first.label or first.is_marked or first.title.kind
        first.is_frame = not is_step and any(node.label or node.title.kind for node in rest + first.children)
        frame = first if first.is_frame else None
    title = frame.title.words if frame else "Sequence of Play"
    steps = _without_frames(nodes, title, texts, comments)
    if not steps:
        message = "no line reads like a step: none has a label, a bullet, or a short title"
        return None, [NO_STEPS.problem(SourceLocation(name), message, name)]
    entries: Entries = {"title": title}
    entries |= {"text": ParagraphText("\n\n".join(texts))} if texts else {}
    entries["steps"] = StepsBuilder(context).steps(steps, "", "")
    return write_yaml(entries, comments), []


def _without_frames(
    nodes: Sequence[OutlineHeading], title: str, texts: list[str], comments: list[str]
) -> list[OutlineHeading]:
    """Return the steps inside the headings that name the sequence, whose words are for all of it."""
    steps: list[OutlineHeading] = []
    for node in nodes:
        if not node.is_frame:
            steps.append(node)
            continue
        if node.printed != title:
            comments.append(node.printed)
        texts += [*filter(None, [node.title.rest]), *node.paragraphs]
        steps += _without_frames(node.children, title, texts, comments)
    return steps


class StepsBuilder:
    """Makes steps of headings.

    `sides`: the sides that player turns name; `entries`: all steps by title; `replaced`: words that are keys.
    """

    def __init__(self, context: StepContext) -> None:
        self.context = context
        self.sides: dict[str, str] = {}
        self.entries: list[tuple[str, Entries]] = []
        self.replaced: list[str] = []
        self.count = 0
        self.guesses = 0

    def steps(self, nodes: Sequence[OutlineHeading], outer: str, actor: str) -> list[Value]:
        """Return steps with those inside them. `outer`: kind of the step around; `actor`: who acts there."""
        steps: list[Value] = []
        turn: Entries = {}
        for node in nodes:
            self.count += 1
            kind, reason = _kind(node, outer)
            step = self.step(node, kind, actor, turn)
            self.entries.append((node.title.words, step))
            turn = step if kind in PLAYERS and "id" in step else turn
            steps.append(self.guessed(step, reason))
        return steps

    def step(self, node: OutlineHeading, kind: str, actor: str, turn: Mapping[str, Value]) -> Entries:
        """Return the keys of a step. `turn`: the player turn before, which it may repeat."""
        title, children = node.title, node.children
        text = "\n\n".join(filter(None, [title.rest, *node.paragraphs]))
        notes: list[str] = []
        keys = self.keys_in_brackets(node, notes)
        sentences = f"{title.words}. {text}" if kind == DO else text
        step: Entries = {kind: title.words}
        if node.label or node.marker:
            step["label"] = QuotedString(node.label.printed if node.label else node.marker)
        if title.abbreviation:
            step["abbreviation"] = title.abbreviation
        if kind in PLAYERS:
            actor = PHASING
            step |= self.turn_keys(node, text, turn)
            children = [] if "repeats" in step else children
        known = keys.pop("by", "")
        known = self.context.colours.get(node.colour) or known
        by = known or ("" if kind in PLAYERS else parse_actor(sentences))
        if by and by != actor:
            step["by"], actor = self.guessed(by, "" if known else "who acts, from the words"), by
        inner_key = add_loops(node, text, keys)
        label = node.label.number if node.label and node.label.is_nested else ""
        numbers = [QuotedString(number) for number in title.see]
        if label and self.context.is_number(label):
            numbers.insert(0, QuotedString(label))
            see = numbers[0] if len(numbers) == 1 else numbers
            step["see"] = self.guessed(see, "the label is taken for a rule's number")
        elif short := append_references(title.words, title.see):
            step[kind] = short
        elif numbers:
            step["see"] = numbers[0] if len(numbers) == 1 else numbers
        for key, value in keys.items():
            step[key] = [value] if key == "uses" else value
        if notes:
            step["note"] = "; ".join(notes)
        if text:
            step["narrative"] = ParagraphText(text)
        if children:
            inner = self.steps(children, kind, actor)
            step[inner_key if len(inner) > 1 else "steps"] = inner
        return step

    def keys_in_brackets(self, node: OutlineHeading, notes: list[str]) -> dict[str, str]:
        """Return the keys that words in brackets mean; following_rules become a note."""
        keys: dict[str, str] = {}
        title = node.title
        for limit in title.limits:
            key, value = parse_clause(limit)
            self.replaced.append(limit)
            if key == "cost" and "cost" in keys:
                keys["cost"] += f"; {value}"
            elif key in ("note", "one of", "any order") or key in keys:
                notes.append(limit)
            else:
                keys[key] = value
        return keys

    def turn_keys(self, node: OutlineHeading, text: str, before: Mapping[str, Value]) -> Entries:
        """Return whose a player turn is, and which turn it repeats: “Repeat for the other player”."""
        side, name = side_of(node.title.words)
        only = node.children[0] if len(node.children) == 1 and not node.children[0].children else None
        keys: Entries = {}
        if before and (only or not node.children) and REPEAT.search(f"{text} {only.text if only else ''}"):
            reason = "its words say that it repeats the turn before it"
            keys["repeats"] = self.guessed(before["id"], reason)
            self.replaced += [only.marker, only.printed, only.text] if only else []
        elif node.children:
            keys["id"] = side or title_slug(node.title.words)
        if side:
            self.sides.setdefault(side, name)
            keys["phasing"] = side
        return keys

    def guessed(self, value: Value, *guesses: str) -> Value:
        """Return a value with what is a guess about it as a comment."""
        reasons = [f"guess: {reason}" for reason in guesses if reason]
        self.guesses += len(reasons)
        return CommentedValue(value, reasons) if reasons else value


def add_loops(node: OutlineHeading, text: str, keys: dict[str, str]) -> str:
    """Add the keys of loops that the words of a step name. Return the key of its inner steps."""
    inner_key = "steps"
    for sentence in (node.title.words, *re.split(r"(?<=[.:!?])\s+|\n+", text)):
        key, value = loop_of(sentence.strip(" .:")) or ("", "")
        if key in ("one of", "any order"):
            inner_key = key
        elif key == "in turns" or (key and node.children and not {"rounds", "for each"} & keys.keys()):
            keys.setdefault(key, value)
    if _DECIDES.search(node.title.words):
        keys.setdefault("decides", "order")
    return inner_key


def _kind(node: OutlineHeading, outer: str) -> tuple[str, str]:
    """Return the kind of a step in one of another kind, and why it is guessed."""
    kind, has_title = node.title.kind, is_title(node.title.words)
    inner = [*KINDS[KINDS.index(outer) + 1 :], DO] if outer in KINDS else [DO] if outer else [*KINDS, DO]
    if kind:
        return (kind, "") if kind in inner else (inner[0], f"a {kind} by its name")
    is_outer = outer in ("", *TURNS)
    is_step = has_title and (node.children or (is_outer and (node.label or (node.is_marked and not outer))))
    usual = next(kind for kind in inner if kind not in TURNS)
    if usual == DO or not (is_step or (is_outer and node.children)):
        return DO, ""
    return usual, f"a {usual} by its place"
