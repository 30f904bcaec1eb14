"""Headings of an outline as the steps of a sequence of play.

The words stay; each guess is a comment of the file, or is reported.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
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
from rulewright.imports.sequence.outline_blocks import OutlineHeading, nest_headings, read_outline_text
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

_NOTE = re.compile(
    r"(?:Design |Play |Designer's )?(?:Notes?|EXC?|Exceptions?|Examples?)\s*[:.]", re.IGNORECASE
)
_INLINE_NOTE = re.compile(
    r"\s*(?:\[((?:EXC?|Exception|Example|Note)[:.][^\[\]]*)\]|\*+((?:Notes?|EXC?|Example)[:.][^*]*)\*+)"
    r"(?:(?<=[.;!?][\])*])\.)?",
    re.IGNORECASE,
)
_TWO_TURNS = re.compile(r"\b(?:two|2) (?:\w+ )?player[ -]turns\b", re.IGNORECASE)
_SIDE_TURN = re.compile(r"\b(?:[Aa]n?|[Tt]he) ([A-Z][\w/]+) [Pp]layer[ -][Tt]urn\b")
_BRACKETS = "from the brackets behind the title"
_SEVERAL = re.compile(r"(?:(?P<head>[^()]+?)(?:\s+(?:--|–|—)\s+|:\s+))?(?P<steps>\S.*?\))[ .;]*")
_ENTRY = re.compile(
    r"\s*(?P<join>[,;]?\s*(?:(?:and|or|und|oder|et|y)\s+|&\s*)?)(?P<title>[^(),;]+?)\s*\((?P<see>[^()]+)\)",
    re.IGNORECASE,
)
_DICE = re.compile(r"\brolls?\s+(\d{0,2}[dD]\d{1,3})\b")
_REFERENCE_WORDS = re.compile(
    r"\b(?:and|or|see|also|per|und|oder|siehe|rule|section)\b|[&,;§\s]|\.(?!\w)", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class StepContext:
    """Facts of the book that the steps are for."""

    is_number: NumberTest
    """Tells whether a text is a number that the book's rules may have."""

    names: Mapping[str, str] = field(default_factory=dict)
    """Keys of roles and sides by their titles."""

    report: Callable[[int, str], None] | None = None
    """Takes a guess with its line; without it guesses are comments of the file."""

    colours: Mapping[str, str] = field(default_factory=dict)
    """Who acts in a step of a colour."""

    marks_combat: bool = False
    """Colours mark combat."""


def build_sequence(
    file: SourceFile, context: StepContext, pieces: Iterable[OutlineHeading] | None = None
) -> tuple[str | None, list[Problem]]:
    """Return the sequence.yml of a text, None if it has no steps, and what is wrong or left out.

    `pieces`: the headings and paragraphs of a document that is no plain text.
    """
    nodes, before = nest_headings(read_outline_text(file) if pieces is None else pieces, context.is_number)
    named_frame = next((node for node in nodes if node.is_frame), None)
    frame = named_frame or _titling(nodes)
    problems: list[Problem] = []
    if frame and frame.label and frame.label.is_nested:  # a rule with another number is no part of it
        start = nodes.index(frame) + 1
        indexes = [n for n in range(start, len(nodes)) if (label := nodes[n].label) and label.is_nested]
        if indexes:
            node = nodes[indexes[0]]
            message = f"{quote_short(node.printed)} is no part of {quote_short(frame.title.words)}"
            message += "; this and all lines below it are left out"
            problems.append(LEFT_OUT.problem(SourceLocation(file.name, node.line), message, file.name))
            nodes = nodes[: indexes[0]]
    steps, texts, comments = _split_frames(nodes, frame)
    if not steps:
        message = "no line reads like a step: none has a label, a bullet, or a short title"
        return None, [NO_STEPS.problem(SourceLocation(file.name), message, file.name)]
    entries: Entries = {"title": frame.title.words if frame else "Sequence of Play"}
    words = "\n\n".join([*before, *texts])
    if words:
        entries["text"] = ParagraphText(words)
    entries["steps"] = StepsBuilder(context).in_turns(steps, words)
    name = PurePosixPath(file.name.replace("\\", "/")).name
    first = [f"Made from {name}. Look at each guess: and delete its line when it is right."]
    if not named_frame:
        unnamed = "the text does not say what the sequence is called"
        first.append(f"guess: {'the first line is the title' if frame else unnamed}.")
    if any(node.title.is_in_capitals for top in nodes for node in top.walk()):
        first.append("guess: titles that are printed in capitals have small letters here.")
    return write_yaml(entries, [*first, *comments]), problems


def _titling(nodes: Sequence[OutlineHeading]) -> OutlineHeading | None:
    """Return the first heading if it seems to be the title: only the others have a label or a kind."""
    first = nodes[0] if nodes else None
    if first is None or first.label or first.is_marked or first.title.kind:
        return None
    inner = first.children if len(nodes) == 1 else nodes[1:] if not first.children else ()
    return first if any(node.label or node.title.kind for node in inner) else None


def _split_frames(
    nodes: Sequence[OutlineHeading], frame: OutlineHeading | None
) -> tuple[list[OutlineHeading], list[str], list[str]]:
    """Return the steps inside the headings that name the sequence, the words for all of it, and comments.

    Rules beside such a heading that are no steps are words too.
    """
    steps: list[OutlineHeading] = []
    texts: list[str] = []
    comments: list[str] = []
    frames = [node for node in nodes if node is frame or (node.is_frame and node.children)]
    numbers = [node.label for node in frames if node.label]
    for node in nodes:
        words = [*filter(None, [node.title.rest]), *node.paragraphs]
        first, *rest = words or [""]
        with_title = [f"**{node.title.words}.** {first}".strip(), *rest]
        label = node.label
        is_rule = label and label.is_nested and words and not node.children
        if node in frames:
            comments += [node.printed] if label or node.title.printed != node.title.words else []
            texts += words if node is frame else with_title
            inner = _split_frames(node.children, None)
            steps, texts, comments = [*steps, *inner[0]], [*texts, *inner[1]], [*comments, *inner[2]]
        elif label and is_rule and frames and (not node.title.kind or any(map(label.is_sibling, numbers))):
            comments.append(node.printed)
            texts += with_title
        else:
            steps.append(node)
    return steps, texts, comments


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

    def in_turns(self, nodes: Sequence[OutlineHeading], words: str) -> list[Value]:
        """Return steps, in two player turns if only the words before them name these."""
        sides = [*dict.fromkeys(_SIDE_TURN.findall(words))]
        if len(sides) != 2 and _TWO_TURNS.search(words):
            sides = ["First", "Second"]
        if len(sides) != 2 or any(node.title.kind in TURNS and node.children for node in nodes):
            return self.steps(nodes, "", ())
        titles = [f"{side} Player Turn" for side in sides]
        first, second = (side_of(title, self.context.names)[0] or title_slug(title) for title in titles)
        reason = "the words in front name the two turns, of which the second repeats the first"
        steps = self.steps(nodes, "player turn", [PHASING])
        turn: Entries = {"player turn": titles[0], "id": first, "phasing": first, "steps": steps}
        repeated: Entries = {"player turn": titles[1], "repeats": first, "phasing": second}
        return [self.guessed(turn, nodes[0].line, reason), repeated]

    def steps(self, nodes: Sequence[OutlineHeading], kind: str, acts: Sequence[str]) -> list[Value]:
        """Return steps with those inside them. `kind` and `acts`: of the step around, and who acts there."""
        beside: dict[str, Counter[str]] = {}  # plain: ok
        for node in nodes:
            beside.setdefault(node.row_style, Counter())[node.title.kind] += 1
        steps: list[Value] = []
        turn: Entries | None = None
        for node in nodes:
            step_kind, reason = _kind(node, beside[node.row_style], kind)
            several = self.several(node)
            self.count += (len(several[1]) if several else 0) + (not several or bool(several[0]))
            if several and not several[0]:
                steps += several[1]
                continue
            step = self.step(node, step_kind, acts, turn, several)
            reasons = [*node.title.guesses, reason]
            reasons += ["it stood in one line with others"] if node.is_inline else []
            steps.append(self.guessed(step, node.line, *reasons))
            self.entries.append((node.title.words, step))
            if step_kind in PLAYERS and {"steps", "any order", "one of"} & step.keys():
                turn = step
        return steps

    def several(self, node: OutlineHeading) -> tuple[str, list[Value], str] | None:
        """Return the steps that a line names with a rule each, with the words before them and their key.

        `Missions -- Sweep (14.6), Transport (14.9) and Drop (14.10)`
        """
        match = _SEVERAL.fullmatch(node.text)
        entries = [*_ENTRY.finditer(match["steps"])] if match else []
        is_joined = all(entry["join"] for entry in entries[1:])
        if not match or len(entries) < 2 or not is_joined or _ENTRY.sub("", match["steps"]):
            return None
        steps: list[Value] = []
        for entry in entries:
            numbers = _REFERENCE_WORDS.sub(" ", entry["see"]).split()
            if not numbers or not all(map(self.context.is_number, numbers)):
                return None
            title = entry["title"].strip()
            steps.append({DO: append_references(title, numbers) or title})
        joins = {entry["join"].strip(" ,").lower() for entry in entries}
        is_choice, is_free = joins & {"or", "oder"}, joins & {"and", "und", "&", "et"}
        return match["head"] or "", steps, "one of" if is_choice else "any order" if is_free else "steps"

    def step(
        self,
        node: OutlineHeading,
        kind: str,
        acts: Sequence[str],
        turn: Mapping[str, Value] | None,
        several: tuple[str, list[Value], str] | None,
    ) -> Entries:
        """Return the keys of a step. `turn`: the player turn before, which it may repeat."""
        title, line, children = node.title, node.line, node.children
        words = [] if several else [*filter(None, [title.rest]), *node.paragraphs]
        notes = [text for text in words if _NOTE.match(text)]
        text = "\n\n".join(text for text in words if not _NOTE.match(text))
        notes += ["".join(match.groups("")) for match in _INLINE_NOTE.finditer(text)]
        notes = [re.sub(r"\ANote:\s*", "", note).strip() for note in notes]
        text = _INLINE_NOTE.sub("", text).strip()
        keys = self.keys_in_brackets(node, notes)
        title_words = several[0] if several else title.words
        sentences = f"{title_words}. {text}" if kind == DO else text
        step: Entries = {kind: title_words}
        if node.label or node.marker:
            step["label"] = QuotedString(node.label.printed if node.label else node.marker)
        if title.abbreviation:
            step["abbreviation"] = title.abbreviation
        if kind in PLAYERS:
            step |= self.turn_keys(node, text, turn)
            children = [] if "repeats" in step else children
        inherited = [PHASING] if kind in PLAYERS else acts
        by, reason = [keys["by"]] if "by" in keys else [], f"who acts, {_BRACKETS}"
        if not by and kind not in PLAYERS:
            by, reason = find_actors(sentences, self.context.names), "who acts, from the words"
        if role := self.context.colours.get(node.colour):
            by, reason = [role], ""
            keys |= {"activity": "combat"} if self.context.marks_combat else {}
        if by and by != list(inherited):
            step["by"] = self.guessed(by[0] if len(by) == 1 else list(by), line, reason)
        keys.pop("by", "")
        inner_key = self.add_loops(node, title_words, text, keys)
        numbers, reasons = ([], []) if several else self.see(node, sentences)
        if short := None if reasons else append_references(title_words, numbers):
            step[kind] = short
        elif numbers:
            labels = [QuotedString(number) for number in numbers]
            step["see"] = self.guessed(labels[0] if len(labels) == 1 else labels, line, *reasons)
        for key, value in keys.items():
            guess = _BRACKETS if key != "activity" else ""
            step[key] = self.guessed([value] if key == "uses" else value, line, guess)
        if notes:
            step["note"] = " ".join(note + "." * (note[-1:] not in ".!?)") for note in notes[:-1])
            step["note"] = f"{step['note']} {notes[-1]}".strip()
        if text and not ("repeats" in step and self.context.report):
            step["narrative"] = ParagraphText(text)
        if several:
            step[several[2]] = several[1]
        elif children:
            inner = self.steps(children, kind, by or inherited)
            step[inner_key if len(inner) > 1 else "steps"] = inner
        return step

    def keys_in_brackets(self, node: OutlineHeading, notes: list[str]) -> dict[str, str]:
        """Return the keys that words in brackets mean; others become a note."""
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
        inner_key = "steps"
        for sentence in (title, *re.split(r"(?<=[.:!?])\s+|\n+", text)):
            loop = loop_of(sentence.strip(" .:"))
            if loop and loop[0] in ("one of", "any order"):
                inner_key = loop[0]
            elif (
                loop and (loop[0] == "in turns" or node.children) and not {"rounds", "for each"} & keys.keys()
            ):
                keys.setdefault(*loop)
        if decides_order(title):
            keys.setdefault("decides", "order")
        return inner_key

    def turn_keys(self, node: OutlineHeading, text: str, before: Mapping[str, Value] | None) -> Entries:
        """Return whose a player turn is, and which turn it repeats: “Repeat for the other player”."""
        side, title = side_of(node.title.words, self.context.names)
        if side:
            self.sides.setdefault(side, title)
        only = node.children[0] if len(node.children) == 1 and not node.children[0].children else None
        repeats = REPEAT.search(f"{text} {only.text if only else ''}") and (only or not node.children)
        keys: Entries = {}
        if before and repeats:
            reason = "its words say that it repeats the turn before it"
            keys["repeats"] = self.guessed(before["id"], node.line, reason)
            label = only.label.printed if only and only.label else ""
            self.replaced += [text, f"{only.marker} {label} {only.text}" if only else ""]
        elif node.children:
            keys["id"] = side or title_slug(node.title.words)
        if side:
            is_known = side in {*self.context.names.values(), "first", "second"} or self.context.report
            reason = "" if is_known else f"rulebook.yml has to name {side} as a side"
            keys["phasing"] = self.guessed(side, node.line, reason)
        return keys

    def see(self, node: OutlineHeading, words: str) -> tuple[list[str], list[str]]:
        """Return the rules that a step names, by its label, title and words, and what of it is a guess."""
        label, reasons = node.label, []
        numbers = list(node.title.see)
        if label and label.is_nested and self.context.is_number(label.number):
            numbers.insert(0, label.number)
            reasons.append("the label is taken for a rule's number")
        if more := [run for run in references_in(words, self.context.is_number) if run not in numbers]:
            numbers += more
            reasons.append(f"{', '.join(more)} from the words")
        return numbers, reasons

    def guessed(self, value: Value, line: int, *guesses: str) -> Value:
        """Return a value with what is a guess about it as a comment, unless guesses are reported."""
        reasons = [reason for reason in guesses if reason]
        if not reasons or not self.context.report:
            return CommentedValue(value, [f"guess: {reason}" for reason in reasons]) if reasons else value
        for reason in reasons:
            if _BRACKETS not in reason:
                self.context.report(line, reason)
        return value


def _kind(node: OutlineHeading, row: Counter[str], outer: str) -> tuple[str, str]:
    """Return the kind of a step, and why it is guessed. `row`: counts of kinds; `outer`: its parent's."""
    kind, reason = node.title.kind, ""
    count, usual = max(((count, kind) for kind, count in row.items() if kind), default=(0, ""))
    if usual in TURNS and not node.label:
        usual = ""
    if usual and kind != usual and count > 1 and (not kind or count >= 3 * row[kind]):
        kind, reason = usual, f"a {usual} like those beside it"
    rank = KINDS.index(outer) if outer in KINDS else -1
    inner = [*KINDS[rank + 1 :], DO] if outer != DO else [DO]
    if not kind:
        is_outer, has_title = outer in ("", *TURNS), is_title(node.title.words)
        is_step = (has_title and node.label and is_outer) or (node.children and (has_title or is_outer))
        is_step = is_step or (not outer and node.is_marked and has_title and any(row))
        kind = DO
        if is_step and outer != DO:
            kind = next(iter(KINDS[max(rank + 1, KINDS.index(USUAL)) :]), DO)
        reason = reason or (f"a {kind} by its place" if kind != DO else "")
    if kind not in inner:
        reason = f"a {kind} by its name, which cannot stand in a {outer}" if outer else reason
        kind = inner[0]
    return kind, reason
