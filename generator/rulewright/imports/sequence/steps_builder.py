"""Headings of an outline as the steps of a sequence of play, each guess marked.

The words stay; what is not understood is reported with its line.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from rulewright.book.title_references import append_references
from rulewright.files.problems import (
    Problem,
    Severity,
    SourceFile,
    SourceLocation,
    problem_type,
    quote_short,
)
from rulewright.files.yaml_writer import CommentedValue, ParagraphText, QuotedString, Value, write_yaml
from rulewright.imports import Entries
from rulewright.imports.sequence.outline_blocks import (
    OutlineHeading,
    TextBlock,
    nest_headings,
    parse_blocks,
)
from rulewright.imports.sequence.step_titles import (
    PHASING,
    REPEAT,
    NumberTest,
    decides_order,
    find_actors,
    is_title,
    loop_of,
    parse_clause,
    references_in,
    side_of,
)
from rulewright.schema.step import DO
from rulewright.schema.step_kinds import KINDS, PLAYERS, TURNS, USUAL
from rulewright.sequence.sequence_step import title_slug

NO_STEPS = problem_type(
    "outline-without-steps",
    """A text that is to become a sequence of play has no line that reads like a step: none has a label, a
    bullet, or a short title.""",
)
LEFT_OUT = problem_type(
    "outline-left-out",
    """A text continues after the sequence of play with other rules or tables, which are left out. Delete them
    from it, or write them where they belong.""",
    Severity.WARNING,
)
ANEW = problem_type(
    "outline-label-anew",
    """Labels begin again in the middle of a text, as where a heading is lost. Look at the steps around, and
    put them into the phase or turn that they belong to.""",
    Severity.WARNING,
)

_INLINE_NOTE = re.compile(
    r"\s*(?:\[(?P<square>(?:EXC?|Exception|Example|Note)[:.][^\[\]]*)\]"
    r"|\*+(?P<star>(?:Notes?|EXC?|Example)[:.][^*]*)\*+)(?P<end>[.;]?)",
    re.IGNORECASE,
)
_NOTE = re.compile(r"Note:\s*", re.IGNORECASE)
_TWO_TURNS = re.compile(r"\b(?:two|2) (?:\w+ )?player[ -]turns\b", re.IGNORECASE)
_SIDE_TURN = re.compile(r"\b(?:[Aa]n?|[Tt]he) ([A-Z][\w/]+) [Pp]layer[ -][Tt]urn\b")
_BRACKETS = "from the brackets behind the title"
_HEAD = re.compile(r"(?P<head>[^()]+?)(?:\s+(?:--|–|—)\s+|:\s+)(?=\S)")
_ENTRY = re.compile(
    r"\s*(?P<join>[,;]?\s*(?:(?:and|or|und|oder|et|y)\s+|&\s*)?)(?P<title>[^(),;]+?)\s*\((?P<see>[^()]+)\)",
    re.IGNORECASE,
)
_DICE = re.compile(r"\brolls?\s+(\d{0,2}[dD]\d{1,3})\b")
_REFERENCE_WORDS = re.compile(
    r"\b(?:and|or|see|also|per|und|oder|siehe|rule|section)\b|[&,;§\s.]", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class StepContext:
    """Facts of the book that the steps are for."""

    is_number: NumberTest
    """Whether a text is a number that the book's rules may have."""

    names: Mapping[str, str] = field(default_factory=dict)
    """Keys of roles and sides by their titles."""

    report: Callable[[int, str], None] | None = None
    """Takes a guess with its line; without it guesses are comments of the file."""

    colours: Mapping[str, str] = field(default_factory=dict)
    """Who acts in a step of a colour."""

    marks_combat: bool = False
    """Colours mark combat."""


def build_sequence(
    file: SourceFile, context: StepContext, pieces: Sequence[TextBlock] | None = None
) -> tuple[str | None, list[Problem]]:
    """Return the sequence.yml of a text, None if it has no steps, and what is wrong or left out.

    `pieces`: the headings and paragraphs of a document that is no plain text.
    """
    nodes, before = nest_headings(parse_blocks(file) if pieces is None else pieces, context.is_number)
    framed = next((node for node in nodes if node.is_frame), None)
    frame = framed or _titling(nodes)
    problems: list[Problem] = []
    if frame and frame.label and frame.label.parts:  # what has another number is no part of it
        following = range(nodes.index(frame) + 1, len(nodes))
        if end := next((at for at in following if (other := nodes[at].label) and other.parts), 0):
            node, what = nodes[end], f"is no part of {quote_short(frame.title.words)}; from here on"
            lines = len(file.text.splitlines()) - node.line + 1
            message = f"{quote_short(node.printed)} {what} {lines} lines are left out"
            place = SourceLocation(file.name, node.line, node.column)
            problems.append(LEFT_OUT.problem(place, message, file.name))
            nodes = nodes[:end]
    steps, texts, remarks = _framed(nodes, frame)
    if not steps:
        message = "no line reads like a step: none has a label, a bullet, or a short title"
        return None, [NO_STEPS.problem(SourceLocation(file.name), message, file.name)]
    for node in (node for top in steps for node in top.walk() if node.restarts_labels):
        label = node.label.printed if node.label else ""
        message = f"the labels begin again with {label} {quote_short(node.title.words)}"
        place = SourceLocation(file.name, node.line, node.column)
        problems.append(ANEW.problem(place, f"{message}; a heading may be missing above", label))
    entries: Entries = {"title": frame.title.words if frame else "Sequence of Play"}
    words = "\n\n".join([*(paragraph.text for paragraph in before), *texts])
    if words:
        entries["text"] = ParagraphText(words)
    entries["steps"] = StepsBuilder(context).in_turns(steps, words)
    name = PurePosixPath(file.name.replace("\\", "/")).name
    head = [f"Made from {name}. Look at each guess: and delete its line when it is right."]
    if not framed:
        unnamed = "the text does not say what the sequence is called"
        head.append(f"guess: {'the first line is the title' if frame else unnamed}.")
    if any(node.title.capitals for top in nodes for node in top.walk()):
        head.append("guess: titles that are printed in capitals have small letters here.")
    return write_yaml(entries, [*head, *remarks]), problems


def _titling(nodes: Sequence[OutlineHeading]) -> OutlineHeading | None:
    """Return the first heading if it seems to be the title: only the others have a label or a kind."""
    first = nodes[0] if nodes else None
    if first is None or first.label or first.marked or first.title.kind:
        return None
    others = first.children if len(nodes) == 1 else nodes[1:] if not first.children else ()
    return first if any(node.label or node.title.kind for node in others) else None


def _framed(
    nodes: Sequence[OutlineHeading], frame: OutlineHeading | None
) -> tuple[list[OutlineHeading], list[str], list[str]]:
    """The steps inside the headings that name the sequence, the words that hold for all of it, and remarks.

    Rules that stand beside such a heading, and are no steps, are words too.
    """
    steps: list[OutlineHeading] = []
    texts: list[str] = []
    remarks: list[str] = []
    frames = [node for node in nodes if node is frame or (node.is_frame and node.children)]
    for node in nodes:
        words = [*filter(None, [node.title.rest]), *(paragraph.text for paragraph in node.paragraphs)]
        first, *others = words or [""]
        headed = [f"**{node.title.words}.** {first}".strip(), *others]
        label = node.label
        if node in frames:
            remarks += [node.printed] if label or node.title.printed != node.title.words else []
            texts += words if node is frame else headed
            inner = _framed(node.children, None)
            steps, texts, remarks = [*steps, *inner[0]], [*texts, *inner[1]], [*remarks, *inner[2]]
        elif frames and label and label.parts and words and not node.children and _is_rule(node, frames):
            remarks.append(node.printed)
            texts += headed
        else:
            steps.append(node)
    return steps, texts, remarks


def _is_rule(node: OutlineHeading, frames: Sequence[OutlineHeading]) -> bool:
    """Whether a heading with a number says something of the sequence, and is no step of it."""
    numbers = [frame.label for frame in frames if frame.label]
    return not node.title.kind or any(node.label and node.label.is_sibling(number) for number in numbers)


class StepsBuilder:
    """Makes steps of headings.

    `sides`: the sides that player turns name; `entries`: all steps by title; `replaced`: words that keys say.
    """

    def __init__(self, context: StepContext) -> None:
        self.context = context
        self.sides: dict[str, str] = {}
        self.entries: list[tuple[str, Entries]] = []
        self.replaced: list[str] = []
        self.count = 0

    def in_turns(self, nodes: Sequence[OutlineHeading], words: str) -> list[Value]:
        """Return steps, in two player turns if only the words before them name these."""
        found = [*dict.fromkeys(_SIDE_TURN.findall(words))]
        if len(found) != 2 and _TWO_TURNS.search(words):
            found = ["First", "Second"]
        if len(found) != 2 or any(node.title.kind in TURNS and node.children for node in nodes):
            return self.steps(nodes, "", ())
        names = [f"{name} Player Turn" for name in found]
        first, second = (side_of(name, self.context.names)[0] or title_slug(name) for name in names)
        why = "the words in front name the two turns, of which the second repeats the first"
        steps = self.steps(nodes, "player turn", [PHASING])
        turn: Entries = {"player turn": names[0], "id": first, "phasing": first, "steps": steps}
        return [
            self.guessed(turn, nodes[0].line, why),
            {"player turn": names[1], "repeats": first, "phasing": second},
        ]

    def steps(self, nodes: Sequence[OutlineHeading], kind: str, acts: Sequence[str]) -> list[Value]:
        """Return steps with those inside them. `kind` and `acts`: of the step around, and who acts there."""
        beside: dict[str, Counter[str]] = {}
        for node in nodes:
            beside.setdefault(node.sort, Counter())[node.title.kind] += 1
        made: list[Value] = []
        turn: Entries | None = None
        for node in nodes:
            own, why = _kind(node, beside[node.sort], kind)
            several = self.several(node)
            self.count += (len(several[1]) if several else 0) + (not several or bool(several[0]))
            if several and not several[0]:
                made += several[1]
                continue
            step = self.step(node, own, acts, turn, several)
            remarks = [*node.title.guesses, why]
            remarks += ["it stood in one line with others"] if node.is_inline else []
            if node.restarts_labels:
                remarks.append("the labels begin again here; a heading may be missing above")
            made.append(self.guessed(step, node.line, *remarks))
            self.entries.append((node.title.words, step))
            if own in PLAYERS and any(key in step for key in ("steps", "any order", "one of")):
                turn = step
        return made

    def several(self, node: OutlineHeading) -> tuple[str, list[Value], str] | None:
        """Return the steps that a line names with a rule each, with the words before them and their key.

        `Missions -- Sweep (14.6), Transport (14.9) and Drop (14.10)`
        """
        head = _HEAD.match(node.text)
        text = node.text[head.end() :] if head else node.text
        found, at = list[re.Match[str]](), 0
        while match := _ENTRY.match(text, at):
            found.append(match)
            at = match.end()
        numbers = [_references(match["see"], self.context.is_number) for match in found]
        if (
            len(found) < 2
            or not all(numbers)
            or text[at:].strip(" .;")
            or not all(m["join"] for m in found[1:])
        ):
            return None
        steps: list[Value] = [
            {DO: append_references(m["title"].strip(), list(own)) or m["title"].strip()}
            for m, own in zip(found, numbers, strict=True)
        ]
        joins = " ".join(match["join"].lower() for match in found[1:]).split()
        key = (
            "one of"
            if {"or", "oder"} & {*joins}
            else "any order"
            if {"and", "und", "&", "et"} & {*joins}
            else "steps"
        )
        return head["head"] if head else "", steps, key

    def step(
        self,
        node: OutlineHeading,
        kind: str,
        acts: Sequence[str],
        turn: Mapping[str, Value] | None,
        several: tuple[str, list[Value], str] | None,
    ) -> Entries:
        """Return the keys of a step. `turn`: the player turn before, which it may repeat."""
        title, line = node.title, node.line
        text, notes = ("", []) if several else _told(node)
        keys = self.keys_in_brackets(node, notes)
        words_of_title = several[0] if several else title.words
        words = f"{words_of_title}. {text}" if kind == DO else text
        step: Entries = {kind: words_of_title}
        if node.label or node.marker:
            step["label"] = QuotedString(node.label.printed if node.label else node.marker)
        if title.abbreviation:
            step["abbreviation"] = title.abbreviation
        children = node.children
        if kind in PLAYERS:
            step |= self.turn_keys(node, text, turn)
            if "repeats" in step:
                children = []
        named = keys.pop("by", "")
        inherited = [PHASING] if kind in PLAYERS else acts
        by = [named] if named else [] if kind in PLAYERS else find_actors(words, self.context.names)
        why = f"who acts, {_BRACKETS if named else 'from the words'}"
        if role := self.context.colours.get(node.colour):
            by, why = [role], ""
            keys |= {"activity": "combat"} if self.context.marks_combat else {}
        if by and by != list(inherited):
            step["by"] = self.guessed(by[0] if len(by) == 1 else list(by), line, why)
        inner_key = self.add_loops(node, words_of_title, text, keys)
        found, remarks = self.see(node, words) if not several else ([], [])
        if short := None if remarks else append_references(words_of_title, found):
            step[kind] = short
        elif found:
            labels = [QuotedString(run) for run in found]
            step["see"] = self.guessed(labels[0] if len(labels) == 1 else labels, line, *remarks)
        for key, value in keys.items():
            step[key] = self.guessed(
                [value] if key == "uses" else value, line, _BRACKETS if key != "activity" else ""
            )
        if notes:
            ended = [note if note[-1:] in ".!?)" else f"{note}." for note in notes[:-1]]
            step["note"] = " ".join([*ended, notes[-1]])
        if text and not ("repeats" in step and self.context.report):
            joined = [*node.joined_words, *(word for piece in node.paragraphs for word in piece.joined_words)]
            reasons = (f"the end of a line parted {word}" for word in joined)
            step["narrative"] = self.guessed(ParagraphText(text), line, *reasons)
        if several:
            step[several[2]] = several[1]
        elif children:
            inner = self.steps(children, kind, by or inherited)
            step[inner_key if len(inner) > 1 else "steps"] = inner
        return step

    def keys_in_brackets(self, node: OutlineHeading, notes: list[str]) -> dict[str, str]:
        """Return the keys that words in brackets say; what is none becomes a note."""
        keys: dict[str, str] = {}
        title = node.title
        if match := _DICE.search(title.words) if self.context.report else None:
            keys["rolls"] = match[1]
            title.words = " ".join(f"{title.words[: match.start(1)]}{title.words[match.end(1) :]}".split())
        for limit in title.limits:
            key, value, is_sure = parse_clause(limit)
            self.replaced.append(limit)
            if key == "cost" and "cost" in keys:
                keys["cost"] += f"; {value}"
            elif key == "note" or key in keys or key in ("one of", "any order"):
                notes.insert(0, limit)
            else:
                keys[key] = value
                if not is_sure and self.context.report:
                    self.context.report(node.line, f"“{limit}” is taken for the {key} of a step")
        return keys

    def add_loops(self, node: OutlineHeading, title: str, text: str, keys: dict[str, str]) -> str:
        """Add the keys of loops that the words of a step name. Return the key of its inner steps."""
        inner = "steps"
        for sentence in (title, *re.split(r"(?<=[.:!?])\s+|\n+", text)):
            loop = loop_of(sentence.strip(" .:")) if sentence else None
            if loop and loop[0] in ("one of", "any order"):
                inner = loop[0]
            elif loop and (loop[0] == "in turns" or node.children) and not {"rounds", "for each"} & {*keys}:
                keys.setdefault(*loop)
        if decides_order(title):
            keys.setdefault("decides", "order")
        return inner

    def turn_keys(self, node: OutlineHeading, text: str, before: Mapping[str, Value] | None) -> Entries:
        """Return whose a player turn is, and which turn it repeats: “Repeat for the other player”."""
        side, title = side_of(node.title.words, self.context.names)
        if side:
            self.sides.setdefault(side, title)
        only = node.children[0] if len(node.children) == 1 and not node.children[0].children else None
        repeats = REPEAT.search(f"{text} {only.text if only else ''}") and (only or not node.children)
        keys: Entries = {}
        if before and repeats:
            why = "its words say that it repeats the turn before it"
            keys["repeats"] = self.guessed(before["id"], node.line, why)
            label = only.label.printed if only and only.label else ""
            self.replaced += [text, f"{only.marker} {label} {only.text}" if only else ""]
        elif node.children:
            keys["id"] = side or title_slug(node.title.words)
        if side:
            known = {*self.context.names.values(), "first", "second"}
            keys["phasing"] = self.guessed(
                side,
                node.line,
                "" if side in known or self.context.report else f"rulebook.yml has to name {side} as a side",
            )
        return keys

    def see(self, node: OutlineHeading, words: str) -> tuple[list[str], list[str]]:
        """Return the rules that a step names, by its label, title and words, and what of it is a guess."""
        label, remarks = node.label, []
        found = list(node.title.see)
        if label and label.parts and self.context.is_number(label.number):
            found.insert(0, label.number)
            remarks.append("the label is taken for a rule's number")
        if more := [run for run in references_in(words, self.context.is_number) if run not in found]:
            found += more
            remarks.append(f"{', '.join(more)} from the words")
        return found, remarks

    def guessed(self, value: Value, line: int, *why: str) -> Value:
        """Return a value with what is a guess about it as a comment, unless guesses are reported."""
        reasons = [reason for reason in why if reason]
        if not reasons:
            return value
        if self.context.report:
            for reason in reasons:
                if _BRACKETS not in reason:
                    self.context.report(line, reason)
            return value
        return CommentedValue(value, [f"guess: {reason}" for reason in reasons])


def _references(words: str, is_number: NumberTest) -> list[str]:
    """Return the numbers that words are, if they are nothing else."""
    parts = [
        part for part in _REFERENCE_WORDS.sub(" ", re.sub(r"(?<=\w)\.(?=\w)", "\0", words)).split() if part
    ]
    numbers = [part.replace("\0", ".") for part in parts]
    return numbers if all(map(is_number, numbers)) else []


def _told(node: OutlineHeading) -> tuple[str, list[str]]:
    """Return the words below a heading as paragraphs, and the notes among them."""

    def without(match: re.Match[str]) -> str:
        """Drop the full stop that a note leaves, unless there is one before it."""
        notes.append(_NOTE.sub("", match["square"] or match["star"], count=1))
        return "" if not match.start() or match.string[match.start() - 1] in ".;!?" else match["end"]

    paragraphs: list[str] = []
    notes: list[str] = []
    for words, is_note in ((node.title.rest, False), *((p.text, p.note) for p in node.paragraphs)):
        if is_note:
            notes.append(_NOTE.sub("", words, count=1))
        else:
            paragraphs.append(_INLINE_NOTE.sub(without, words).strip())
    return "\n\n".join(filter(None, paragraphs)), [note.strip() for note in notes]


def _kind(node: OutlineHeading, beside: Counter[str], around: str) -> tuple[str, str]:
    """Return the kind of a step, and why it is guessed. `beside`: counts of kinds; `around`: its parent's."""
    own, why = node.title.kind, ""
    most, usual = max(((count, kind) for kind, count in beside.items() if kind), default=(0, ""))
    if usual in TURNS and not node.label:
        usual = ""
    if usual and own != usual and most > 1 and (not own or most >= 3 * beside[own]):
        own, why = usual, f"a {usual} like those beside it"
    rank = KINDS.index(around) if around in KINDS else -1
    inner = [*KINDS[rank + 1 :], DO] if around != DO else [DO]
    if not own:
        is_outer, is_named = around in ("", *TURNS), is_title(node.title.words)
        is_step = (is_named and node.label and is_outer) or (node.children and (is_named or is_outer))
        is_step = is_step or (not around and node.marked and is_named and any(beside))
        own = next(iter(KINDS[max(rank + 1, KINDS.index(USUAL)) :]), DO) if is_step and around != DO else DO
        why = why or (f"a {own} by its place" if own != DO else "")
    if own not in inner:
        why = f"a {own} by its name, which cannot stand in a {around}" if around else why
        own = inner[0]
    return own, why
