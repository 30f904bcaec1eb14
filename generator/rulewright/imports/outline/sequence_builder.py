"""A sequence of play in plain text made into a sequence.yml: its title, its words, its steps, its guesses.

Nothing is rewritten: the words stay, and what is not understood is reported with its line.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from rulewright.book.library import BookLibrary
from rulewright.book.outline import build_outline
from rulewright.book.title_references import append_references
from rulewright.files.content_folder import CONTENT, content_folder, parse_address
from rulewright.files.output_files import write_into_folder
from rulewright.files.problems import (
    Problem,
    Severity,
    SourceFile,
    SourceLocation,
    problem_type,
    quote_short,
)
from rulewright.files.transaction import replace_files
from rulewright.files.yaml_writer import CommentedValue, ParagraphText, QuotedString, Value, write_yaml
from rulewright.imports import Entries
from rulewright.imports.outline.outline_blocks import OutlineHeading, nest_headings, parse_blocks
from rulewright.imports.outline.step_line_parser import (
    PHASING,
    REPEAT,
    NumberTest,
    find_actors,
    is_title,
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
    """A text goes on behind the sequence of play with other rules or tables, which are left out. Delete them
    from it, or write them where they belong.""",
    Severity.WARNING,
)
ANEW = problem_type(
    "outline-label-anew",
    """Labels begin again in the middle of a text, as where a heading is lost. Look at the steps around, and
    put them into the phase or turn that they belong to.""",
    Severity.WARNING,
)

_NAME = "sequence.yml"
_INLINE_NOTE = re.compile(
    r"\s*(?:\[(?P<square>(?:EXC?|Exception|Example|Note)[:.][^\[\]]*)\]"
    r"|\*+(?P<star>(?:Notes?|EXC?|Example)[:.][^*]*)\*+)(?P<end>[.;]?)",
    re.IGNORECASE,
)
_NOTE = re.compile(r"Note:\s*", re.IGNORECASE)
_TWO_TURNS = re.compile(r"\b(?:two|2) (?:\w+ )?player[ -]turns\b", re.IGNORECASE)
_SIDE_TURN = re.compile(r"\b(?:[Aa]n?|[Tt]he) ([A-Z][\w/]+) [Pp]layer[ -][Tt]urn\b")
_BRACKETS = "from the brackets behind the title"


@dataclass(frozen=True)
class SequenceContext:
    """Facts of the book that the steps are for. `names`: roles and sides by what they are called."""

    is_number: NumberTest
    kinds: Sequence[str] = KINDS
    names: Mapping[str, str] = field(default_factory=dict)


# The edition that a sequence is for


def target_of(project: Path, named: str) -> Path:
    """The file to write: the one that is named, or that of the edition whose folder is named."""
    path = Path(named)
    if path.suffix in (".yml", ".yaml"):
        return path
    own = content_folder(project) / parse_address(named)
    return (path if path.is_dir() or not own.is_dir() else own) / _NAME


def sequence_context(library: BookLibrary, project: Path, target: Path | None) -> SequenceContext:
    """The numbers, kinds of step and players of the book that a file belongs to."""
    content = content_folder(project).resolve()
    path = target.resolve() if target else None
    address = path.relative_to(content).parent.as_posix() if path and path.is_relative_to(content) else ""
    edition = library.find_edition(address) or library.find_edition(address.partition("/")[0])
    if edition is None:
        return SequenceContext(lambda number: True)
    home = build_outline(edition).default_chapter
    players = {**edition.book.roles, **edition.book.sides}
    return SequenceContext(
        lambda number: edition.dialect.parse_number(number, home) is not None,
        KINDS,
        {str(role.title): str(name) for name, role in players.items()},
    )


def write_sequence(project: Path, target: Path, made: str) -> None:
    """Write the file, in the content only while no other command changes that. Raises Busy and OSError."""
    content, real = content_folder(project).resolve(), target.resolve()
    if not real.is_relative_to(content):
        write_into_folder(target, made)
        return
    name = f"{CONTENT}/{real.relative_to(content).as_posix()}"
    replace_files(project, {name: made.encode()}, {name: target.read_bytes()} if target.exists() else {})


# The file


def build_sequence(file: SourceFile, book: SequenceContext) -> tuple[str | None, list[Problem]]:
    """Make the sequence.yml of a text, or None where it has no steps, and what is wrong or left out."""
    nodes, before = nest_headings(parse_blocks(file), book.is_number)
    framed = next((node for node in nodes if node.is_frame), None)
    frame = framed or _titling(nodes)
    problems: list[Problem] = []
    if frame and frame.label and frame.label.parts:  # whatever has another number is no part of it
        behind = range(nodes.index(frame) + 1, len(nodes))
        if end := next((at for at in behind if (other := nodes[at].label) and other.parts), 0):
            node, what = nodes[end], f"is no part of {quote_short(frame.title.words)}; from here on"
            lines = len(file.text.splitlines()) - node.line + 1
            message = f"{quote_short(node.printed)} {what} {lines} lines are left out"
            problems.append(
                LEFT_OUT.problem(SourceLocation(file.name, node.line, node.column), message, file.name)
            )
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
    entries["steps"] = _in_turns(steps, words, book)
    name = PurePosixPath(file.name.replace("\\", "/")).name
    head = [f"Made from {name}. Look at each guess: and delete its line when it is right."]
    if not framed:
        title = (
            "the first line is the title" if frame else "the text does not say what the sequence is called"
        )
        head.append(f"guess: {title}.")
    if any(node.title.capitals for top in nodes for node in top.walk()):
        head.append("guess: titles that are printed in capitals have small letters here.")
    return write_yaml(entries, [*head, *remarks]), problems


def _titling(nodes: Sequence[OutlineHeading]) -> OutlineHeading | None:
    """The first heading, where it seems to be the title: it has no label and no kind, the next ones have."""
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


# Steps


def _in_turns(nodes: Sequence[OutlineHeading], words: str, book: SequenceContext) -> list[Value]:
    """The steps; in two player turns, where only the words in front of them say that there are these."""
    found = [*dict.fromkeys(_SIDE_TURN.findall(words))]
    if len(found) != 2 and _TWO_TURNS.search(words):
        found = ["First", "Second"]
    if len(found) != 2 or any(node.title.kind in TURNS and node.children for node in nodes):
        return _steps(nodes, book, "", ())
    names = [f"{name} Player Turn" for name in found]
    first, second = (side_of(name, book.names)[0] or title_slug(name) for name in names)
    why = "the words in front name the two turns, of which the second repeats the first"
    steps = _steps(nodes, book, "player turn", [PHASING])
    return [
        _guessed({"player turn": names[0], "id": first, "phasing": first, "steps": steps}, why),
        {"player turn": names[1], "repeats": first, "phasing": second},
    ]


def _steps(
    nodes: Sequence[OutlineHeading], book: SequenceContext, kind: str, acts: Sequence[str]
) -> list[Value]:
    """Steps with those inside them. `kind` and `acts`: the kind of what they lie in, and who acts there."""
    beside: dict[str, Counter[str]] = {}
    for node in nodes:
        beside.setdefault(node.sort, Counter())[node.title.kind] += 1
    made: list[Value] = []
    turn: Entries | None = None  # the player turn before, which another may repeat
    for node in nodes:
        own, why = _kind(node, beside[node.sort], kind, book)
        step = _step(node, own, acts, turn, book)
        remarks = [*node.title.guesses, why]
        remarks += ["it stood in one line with others"] if node.is_inline else []
        remarks += (
            ["the labels begin again here; a heading may be missing above"] if node.restarts_labels else []
        )
        made.append(_guessed(step, *remarks))
        if own in PLAYERS and node.children:
            turn = step
    return made


def _step(
    node: OutlineHeading,
    kind: str,
    acts: Sequence[str],
    turn: Mapping[str, Value] | None,
    book: SequenceContext,
) -> Entries:
    title = node.title
    told, notes = _told(node)
    words = f"{title.words}. {told}" if kind == DO else told
    step: Entries = {kind: title.words}
    if node.label:
        step["label"] = QuotedString(node.label.printed)
    if title.abbreviation:
        step["abbreviation"] = title.abbreviation
    if kind in PLAYERS:
        step |= _turn(node, told, turn, book)
    keys: dict[str, str] = {}
    for limit in title.limits:
        key, value, _ = parse_clause(limit)
        if key == "note" or key in keys:
            notes.insert(0, limit)
        else:
            keys[key] = value
    named = keys.pop("by", "")
    inherited = [PHASING] if kind in PLAYERS else acts
    by = [named] if named else [] if kind in PLAYERS else find_actors(words, book.names)
    if by and by != inherited:
        why = f"who acts, {_BRACKETS if named else 'from the words'}"
        step["by"] = _guessed(by[0] if len(by) == 1 else list(by), why)
    found, remarks = _see(node, words, book)
    if short := None if remarks else append_references(title.words, found):
        step[kind] = short
    elif found:
        labels = [QuotedString(run) for run in found]
        step["see"] = _guessed(labels[0] if len(labels) == 1 else labels, *remarks)
    step |= {key: _guessed([said] if key == "uses" else said, _BRACKETS) for key, said in keys.items()}
    if notes:
        ended = [note if note[-1:] in ".!?)" else f"{note}." for note in notes[:-1]]
        step["note"] = " ".join([*ended, notes[-1]])
    if told:
        mended = [*node.joined_words, *(word for piece in node.paragraphs for word in piece.joined_words)]
        step["narrative"] = _guessed(
            ParagraphText(told), *(f"the end of a line parted {word}" for word in mended)
        )
    if node.children:
        step["steps"] = _steps(node.children, book, kind, by or inherited)
    return step


def _turn(
    node: OutlineHeading, told: str, before: Mapping[str, Value] | None, book: SequenceContext
) -> Entries:
    side, _ = side_of(node.title.words, book.names)
    keys: Entries = {}
    if node.children:
        keys["id"] = side or title_slug(node.title.words)
    elif before and REPEAT.search(told):
        keys["repeats"] = _guessed(before["id"], "its words say that it repeats the turn before it")
    if side:
        remark = "" if side in book.names.values() else f"rulebook.yml has to name {side} as a side"
        keys["phasing"] = _guessed(side, remark)
    return keys


def _told(node: OutlineHeading) -> tuple[str, list[str]]:
    """The words below a heading as paragraphs, and the notes among them."""

    def without(m: re.Match[str]) -> str:
        """The full stop that a note leaves behind, unless there is one in front of it."""
        notes.append(_NOTE.sub("", m["square"] or m["star"], count=1))
        return "" if not m.start() or m.string[m.start() - 1] in ".;!?" else m["end"]

    paragraphs: list[str] = []
    notes: list[str] = []
    for words, is_note in ((node.title.rest, False), *((p.text, p.note) for p in node.paragraphs)):
        if is_note:
            notes.append(_NOTE.sub("", words, count=1))
        else:
            paragraphs.append(_INLINE_NOTE.sub(without, words).strip())
    return "\n\n".join(filter(None, paragraphs)), [note.strip() for note in notes]


def _see(node: OutlineHeading, words: str, book: SequenceContext) -> tuple[list[str], list[str]]:
    """The rules that a step names: its label, where that is a number, and those in its title and words.

    Behind them what is a guess.
    """
    label, remarks = node.label, []
    found = list(node.title.see)
    if label and label.parts and book.is_number(label.number):
        found.insert(0, label.number)
        remarks.append("the label is taken for a rule's number")
    if more := [run for run in references_in(words, book.is_number) if run not in found]:
        found += more
        remarks.append(f"{', '.join(more)} from the words")
    return found, remarks


def _kind(node: OutlineHeading, beside: Counter[str], around: str, book: SequenceContext) -> tuple[str, str]:
    """The kind of a step, and why it is guessed. `beside`: counts of kinds there; `around`: its parent's."""
    own, why = node.title.kind, ""
    most, usual = max(((count, kind) for kind, count in beside.items() if kind), default=(0, ""))
    if usual in TURNS and not node.label:
        usual = ""
    if usual and own != usual and most > 1 and (not own or most >= 3 * beside[own]):
        own, why = usual, f"a {usual} like those beside it"
    rank = KINDS.index(around) if around in KINDS else -1
    inner = [kind for kind in book.kinds if kind in KINDS and KINDS.index(kind) > rank]
    inner = [*inner, DO] if around != DO and set(book.kinds) <= set(KINDS) else [DO]
    if not own:
        is_outer, is_named = around in ("", *TURNS), is_title(node.title.words)
        is_step = (is_named and node.label and is_outer) or (node.children and (is_named or is_outer))
        own = next(iter(KINDS[max(rank + 1, KINDS.index(USUAL)) :]), DO) if is_step and around != DO else DO
        why = why or (f"a {own} by its place" if own != DO else "")
    if own not in inner:
        why = f"a {own} by its name, which cannot stand in a {around}" if around else why
        own = inner[0]
    return own, why


def _guessed(value: Value, *why: str) -> Value:
    remarks = [f"guess: {one}" for one in why if one]
    return CommentedValue(value, remarks) if remarks else value
