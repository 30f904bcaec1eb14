"""Headings of an outline as the steps of a sequence of play.

The words stay; each guess is a comment of the file.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from rulewright.book.title_references import append_references
from rulewright.files.problems import Problem, SourceLocation, problem_type
from rulewright.files.yaml_writer import CommentedValue, ParagraphText, QuotedString, Value, write_yaml
from rulewright.imports import Entries
from rulewright.imports.sequence.outline_blocks import (
    OutlineHeading,
    nest_headings,
    read_headings,
    split_front,
)
from rulewright.imports.sequence.step_titles import (
    LOOPS,
    OTHER,
    PHASING,
    REPEAT,
    WAYS,
    NumberTest,
    is_title,
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
COLOUR_ROLES = {"red": PHASING, "blue": OTHER}
"""Who acts in a step of a colour."""


def build_sequence(name: str, lines: Iterable[OutlineHeading]) -> tuple[str | None, list[Problem]]:
    """Return the sequence.yml of lines; None and a problem if they have no steps."""
    builder = StepsBuilder()
    pieces = read_headings(lines, builder.is_number)
    front, pieces = split_front(pieces)
    nodes = nest_headings(pieces)
    if not nodes:
        message = "no line reads like a step: none has a label, a bullet, or a short title"
        return None, [NO_STEPS.problem(SourceLocation(name), message, name)]
    titles: list[OutlineHeading] = []
    texts: list[str] = []
    for piece in front:
        if piece.is_paragraph:
            texts.append(piece.text)
        else:
            titles.append(piece)
            texts += filter(None, [piece.title.rest])
    title = titles[0].title.words if titles else "Sequence of Play"
    comments = [f"Imported from {Path(name).name}. Verify each guess: and delete its line when it is right."]
    comments += [piece.printed for piece in titles if piece.printed != title]
    text: Entries = {"text": ParagraphText("\n\n".join(texts))} if texts else {}
    return write_yaml({"title": title, **text, "steps": builder.steps(nodes)}, comments), []


class StepsBuilder:
    """Makes steps of headings. `is_number`: tells whether a text is a number that the book's rules may have.

    `sides`: those that player turns name; `count`: of all steps.
    """

    def __init__(self, is_number: NumberTest = lambda number: True) -> None:
        self.is_number = is_number
        self.sides: dict[str, str] = {}
        self.count = 0

    def steps(self, nodes: Sequence[OutlineHeading], outer: str = "", actor: str = "") -> list[Value]:
        """Return steps with those inside them. `outer`: kind of the step around; `actor`: who acts there."""
        steps: list[Value] = []
        turn: Entries = {}
        for node in nodes:
            kind, reason = _kind(node, outer)
            step = self.step(node, kind, actor, turn)
            self.count += 1
            turn = step if "id" in step else turn
            steps.append(_guessed(step, reason) if reason else step)
        return steps

    def step(self, node: OutlineHeading, kind: str, actor: str, turn: Mapping[str, Value]) -> Entries:
        """Return the keys of a step. `turn`: the player turn before, which it may repeat."""
        title, children = node.title, node.children
        text = node.body
        step: Entries = {kind: title.words}
        if node.label or node.marker:
            step["label"] = QuotedString(node.label.printed if node.label else node.marker)
        if title.abbreviation:
            step["abbreviation"] = title.abbreviation
        keys, notes = _clause_keys(node)
        by = COLOUR_ROLES.get(node.colour) or keys.pop("by", "")
        if kind in PLAYERS:
            actor = PHASING
            step |= self.turn_keys(node, kind, text, turn)
            children = [] if "repeats" in step else children
        elif not by and (by := parse_actor(f"{title.words}. {text}" if kind == DO else text)) != actor and by:
            step["by"] = _guessed(by, "who acts, from the words")
        if by and by != actor:
            step.setdefault("by", by)
            actor = by
        inner_key = next((way for way in WAYS if keys.pop(way, "") and len(children) > 1), "steps")
        step |= self.references(node, kind)
        for key, value in keys.items():
            step[key] = [value] if key == "uses" else value
        if notes:
            step["note"] = "; ".join(notes)
        if text:
            step["narrative"] = ParagraphText(text)
        if children:
            step[inner_key] = self.steps(children, kind, actor)
        return step

    def references(self, node: OutlineHeading, kind: str) -> Entries:
        """Return the title with the rules in its brackets, or `see`. A nested label may be a number, too."""
        title, label = node.title, node.label
        short = append_references(title.words, title.see)
        keys: Entries = {kind: short} if short else {}
        numbers = [] if short else [*title.see]
        if label and label.is_nested and self.is_number(label.number):
            see = QuotedString(", ".join([label.number, *numbers]))
            keys["see"] = _guessed(see, "the label is taken for a rule's number")
        elif numbers:
            keys["see"] = QuotedString(", ".join(numbers))
        return keys

    def turn_keys(self, node: OutlineHeading, kind: str, text: str, before: Mapping[str, Value]) -> Entries:
        """Return whose a player turn is, and which turn it repeats: “Repeat for the other player”."""
        side, name = side_of(node.title.words, kind)
        inside = node.children
        is_brief = len(inside) < 2 and not any(step.children for step in inside)
        keys: Entries = {}
        if before and is_brief and REPEAT.search(" ".join([text, *(step.text for step in inside)])):
            keys["repeats"] = _guessed(before["id"], "its words say that it repeats the turn before it")
        elif node.children:
            keys["id"] = side or title_slug(node.title.words)
        if side:
            self.sides.setdefault(side, name)
            keys["phasing"] = side
        return keys


def _guessed(value: Value, reason: str) -> CommentedValue:
    return CommentedValue(value, [f"guess: {reason}"])


def _clause_keys(node: OutlineHeading) -> tuple[dict[str, str], list[str]]:
    """Return the keys that words in brackets and sentences mean, and the words that become a note."""
    keys: dict[str, str] = {}
    notes: list[str] = []
    for limit in node.title.limits:
        key, value = parse_clause(limit)
        if key == "cost" and key in keys:
            keys[key] += f"; {value}"
        elif key in ("note", *WAYS, *keys):
            notes.append(limit)
        else:
            keys[key] = value
    for sentence in (node.title.words, *re.split(r"(?<=[.:!?])\s+|\n+", node.body)):
        key, value = parse_clause(sentence)
        if key == "in turns" or (node.children and key in LOOPS):
            keys.setdefault(key, value)
    return keys, notes


def _kind(node: OutlineHeading, outer: str) -> tuple[str, str]:
    """Return the kind of a step in one of another kind, and why it is guessed."""
    kind, has_title = node.title.kind, is_title(node.title.words)
    kinds = [*KINDS, DO, DO]  # a `do` may be inside a `do`
    inner = kinds[kinds.index(outer) + 1 :] if outer else kinds
    if kind:
        return (kind, "") if kind in inner else (inner[0], f"a {kind} by its name")
    usual = next(kind for kind in inner if kind not in TURNS)
    is_outer = outer in ("", *TURNS)
    is_listed = node.label or (node.is_marked and not outer)
    is_step = (has_title and is_outer and is_listed) or (node.children and (has_title or is_outer))
    return (usual, f"a {usual} by its place") if is_step and usual != DO else (DO, "")
