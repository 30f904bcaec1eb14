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
    decides_order,
    is_title,
    loop_of,
    parse_actor,
    parse_clause,
    parse_references,
    side_of,
    title_of,
)
from rulewright.schema.step import DO
from rulewright.schema.step_kinds import KINDS, PLAYERS, TURNS
from rulewright.sequence.sequence_step import title_slug

NO_STEPS = problem_type(
    "outline-without-steps",
    """A text that is to become a sequence of play has no line that reads like a step: none has a label, a
    bullet, or a short title.""",
)

_NOTE = re.compile(
    r"(?:Design |Play |Designer's )?(?:Notes?|EXC?|Exceptions?|Examples?)\s*[:.]", re.IGNORECASE
)
_INLINE_NOTE = re.compile(
    r"\s*(?:\[((?:EXC?|Exception|Example|Note)[:.][^\[\]]*)\]|\*+((?:Notes?|EXC?|Example)[:.][^*]*)\*+)"
    r"(?:(?<=[.;!?][\])*])\.)?",
    re.IGNORECASE,
)
_SEVERAL = re.compile(r"(?:(?P<head>[^()]+?)(?:\s+(?:--|–|—)\s+|:\s+))?(?P<steps>\S.*?\))[ .;]*")
_ENTRY = re.compile(
    r"\s*(?P<join>[,;]?\s*(?:(?:and|or|und|oder|et|y)\s+|&\s*)?)(?P<title>[^(),;]+?)\s*\((?P<see>[^()]+)\)",
    re.IGNORECASE,
)
_JOINS = {
    "or": "one of",
    "oder": "one of",
    "and": "any order",
    "und": "any order",
    "et": "any order",
    "&": "any order",
}


@dataclass(frozen=True, slots=True)
class StepContext:
    """Facts of the book that the steps are for."""

    is_number: NumberTest
    """Tells whether a text is a number that the book's rules may have."""

    names: Mapping[str, str] = field(default_factory=dict)
    """Keys of roles and sides by their titles."""

    colours: Mapping[str, str] = field(default_factory=dict)
    """Who acts in a step of a colour."""

    marks_combat: bool = False
    """Colours mark combat."""


def build_sequence(
    name: str, lines: Iterable[OutlineHeading], context: StepContext
) -> tuple[str | None, list[Problem]]:
    """Return the sequence.yml of lines, or None and a problem if they have no steps."""
    nodes, texts = nest_headings(read_headings(lines), context.is_number)
    if nodes and not any(node.is_frame for node in nodes):
        first, *rest = nodes
        names_step = first.label or first.is_marked or first.title.kind
        rest = [node for node in (*rest, *first.children) if node.label or node.title.kind]
        first.is_frame = bool(rest and not names_step)
    frame = next((node for node in nodes if node.is_frame), None)
    file_name = PurePosixPath(name.replace("\\", "/")).name
    comments = [f"Made from {file_name}. Look at each guess: and delete its line when it is right."]
    steps = _split_frames(nodes, frame, texts, comments)
    if not steps:
        message = "no line reads like a step: none has a label, a bullet, or a short title"
        return None, [NO_STEPS.problem(SourceLocation(name), message, name)]
    entries: Entries = {"title": frame.title.words if frame else "Sequence of Play"}
    entries |= {"text": ParagraphText("\n\n".join(texts))} if texts else {}
    entries["steps"] = StepsBuilder(context).steps(steps, "", "")
    return write_yaml(entries, comments), []


def _split_frames(
    nodes: Sequence[OutlineHeading], frame: OutlineHeading | None, texts: list[str], comments: list[str]
) -> list[OutlineHeading]:
    """Return the steps inside the headings that name the sequence; their words are for all of it.

    A rule with a number beside such a heading that is no step is words too.
    """
    steps: list[OutlineHeading] = []
    has_frame = any(node.is_frame for node in nodes)
    for node in nodes:
        words = [*filter(None, [node.title.rest]), *node.paragraphs]
        is_rule = has_frame and words and node.label and node.label.is_nested
        if not node.is_frame and (not is_rule or node.children or node.title.kind):
            steps.append(node)
            continue
        if node is not frame or node.label or node.title.printed != node.title.words:
            comments.append(node.printed)
        if words and node is not frame:
            words[0] = f"**{node.title.words}.** {words[0]}"
        texts += words
        steps += _split_frames(node.children, frame, texts, comments)
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
            head, several, join = self.several(node)
            self.count += len(several)
            if several and not head:
                self.count -= 1
                steps += several
                continue
            if several:
                node.title = title_of(head, self.context.is_number)
            step = self.step(node, kind, actor, turn)
            step |= {join: several} if several else {}
            self.entries.append((node.title.words, step))
            turn = step if kind in PLAYERS and "id" in step else turn
            steps.append(self.guessed(step, reason))
        return steps

    def several(self, node: OutlineHeading) -> tuple[str, list[Value], str]:
        """Return the steps that a line names with a rule each, with the words before them and their key.

        `Missions -- Sweep (14.6), Transport (14.9) and Drop (14.10)`
        """
        match = _SEVERAL.fullmatch(node.text)
        entries = [*_ENTRY.finditer(match["steps"])] if match else []
        if not match or len(entries) < 2 or node.children or _ENTRY.sub("", match["steps"]):
            return "", [], ""
        steps: list[Value] = []
        join = "steps"
        for entry in entries:
            title, numbers = entry["title"].strip(), parse_references(entry["see"], self.context.is_number)
            is_joined = is_title(title) and (entry is entries[0] or entry["join"])
            if not is_joined or not numbers:
                return "", [], ""
            steps.append({DO: f"{title} ({numbers})"})
            join = _JOINS.get(entry["join"].strip(" ,;").lower(), join)
        return match["head"] or "", steps, join

    def step(self, node: OutlineHeading, kind: str, actor: str, turn: Mapping[str, Value]) -> Entries:
        """Return the keys of a step. `turn`: the player turn before, which it may repeat."""
        title, children = node.title, node.children
        text, notes = _split_notes([*filter(None, [title.rest]), *node.paragraphs])
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
        by, reason = self.actor_of(node, sentences if kind not in PLAYERS else "", keys)
        if by and by != actor:
            step["by"], actor = self.guessed(by, reason), by
        if node.colour and self.context.marks_combat:
            keys["activity"] = "combat"
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
            step["note"] = " ".join(note + "." * (note[-1:] not in ".!?)") for note in notes[:-1])
            step["note"] = f"{step['note']} {notes[-1]}".strip()
        if text:
            step["narrative"] = ParagraphText(text)
        if children:
            inner = self.steps(children, kind, actor)
            step[inner_key if len(inner) > 1 else "steps"] = inner
        return step

    def actor_of(self, node: OutlineHeading, words: str, keys: dict[str, str]) -> tuple[str, str]:
        """Return who acts, and why that is a guess: by the colour, the brackets or the words of a step."""
        by = keys.pop("by", "")
        by = self.context.colours.get(node.colour) or by
        return (by, "") if by else (parse_actor(words, self.context.names), "who acts, from the words")

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
                notes.insert(0, limit)
            else:
                keys[key] = value
        return keys

    def turn_keys(self, node: OutlineHeading, text: str, before: Mapping[str, Value]) -> Entries:
        """Return whose a player turn is, and which turn it repeats: “Repeat for the other player”."""
        side, name = side_of(node.title.words, self.context.names)
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


def _split_notes(words: Sequence[str]) -> tuple[str, list[str]]:
    """Return the text of a step, and the notes in it."""
    notes = [text for text in words if _NOTE.match(text)]
    text = "\n\n".join(text for text in words if not _NOTE.match(text))
    notes += [match[1] or match[2] for match in _INLINE_NOTE.finditer(text)]
    return _INLINE_NOTE.sub("", text).strip(), [re.sub(r"\ANote:\s*", "", note).strip() for note in notes]


def add_loops(node: OutlineHeading, text: str, keys: dict[str, str]) -> str:
    """Add the keys of loops that the words of a step name. Return the key of its inner steps."""
    inner_key = "steps"
    for sentence in (node.title.words, *re.split(r"(?<=[.:!?])\s+|\n+", text)):
        key, value = loop_of(sentence.strip(" .:")) or ("", "")
        if key in ("one of", "any order"):
            inner_key = key
        elif key == "in turns" or (key and node.children and not {"rounds", "for each"} & keys.keys()):
            keys.setdefault(key, value)
    if decides_order(node.title.words):
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
