"""Headings as the steps of a sequence.yml, each guess marked for the editor."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from rulewright.importers.outline import actors
from rulewright.importers.outline.nesting import HeadingNode
from rulewright.importers.outline.text_lines import Heading, Paragraph
from rulewright.importers.outline.titles import NumberTest, cited, is_title
from rulewright.model.step import DO
from rulewright.model.step_kinds import KINDS, PLAYERS, TURNS, USUAL
from rulewright.source.writing import Label, Prose, Remarked, Value

_INLINE_NOTE = re.compile(
    r"\s*(?:\[(?P<square>(?:EXC?|Exception|Example|Note)[:.][^\[\]]*)\]"
    r"|\*+(?P<star>(?:Notes?|EXC?|Example)[:.][^*]*)\*+)(?P<end>[.;]?)",
    re.IGNORECASE,
)
_NOTE = re.compile(r"Note:\s*", re.IGNORECASE)
_REPEATS = re.compile(r"\b(?:repeat\w*|same as|as (?:above|in the first))\b", re.IGNORECASE)
_ORDINALS = (
    (re.compile(r"(?:the )?(?:first|1st)\b", re.IGNORECASE), "first"),
    (re.compile(r"(?:the )?(?:second|2nd)\b", re.IGNORECASE), "second"),
)
_CONDITION = re.compile(r"(?:if|when|in|during|after|before|unless|on)\b", re.IGNORECASE)


@dataclass(frozen=True)
class Book:
    """Facts of the book that the steps are for. `names`: roles and sides by what they are called."""

    is_number: NumberTest
    kinds: Sequence[str] = KINDS
    names: Mapping[str, str] = field(default_factory=dict)


@dataclass(slots=True)
class _Row:
    """A row of steps in one step: its kind, who acts there, and the last player turn."""

    kind: str
    acts: list[str]
    turn: dict[str, Value] | None = None
    named: str = ""


def steps_of(
    nodes: Sequence[HeadingNode], book: Book, kind: str = "", acts: Sequence[str] = ()
) -> list[Value]:
    """Steps with those inside them. `kind` and `acts`: the kind of what they lie in, and who acts there."""
    kinds = _kinds(nodes, kind, book)
    row = _Row(kind, list(acts))
    return [_step(node, *kinds[node], row, book) for node in nodes]


def _step(node: HeadingNode, kind: str, why: str, row: _Row, book: Book) -> Value:
    """One step: its keys in the order in which editors write them."""
    title, heading = node.title, node.heading
    told, notes = _told(node)
    words = f"{title.words}. {told}" if kind == DO else told
    remarks = [*title.guesses, why]
    remarks += ["it stood in one line with others"] if heading.run else []
    remarks += ["the labels begin again here; a heading may be missing above"] if node.anew else []
    step: dict[str, Value] = {kind: title.words}
    if heading.label:
        step["label"] = Label(heading.label.printed)
    turn = _turn(node, kind, told, row, book)
    named = [role for words in title.limits for role in actors.bracketed(words)]
    limits = [words for words in title.limits if not actors.bracketed(words)]
    inherited = [actors.PHASING] if kind in PLAYERS else row.acts
    by = named or actors.acting(words, book.names)
    if kind in PLAYERS and not named:
        by = []
    if title.abbreviation:
        step["abbreviation"] = title.abbreviation
    step |= turn
    if by and by != inherited:
        why = "who acts, from the brackets behind the title" if named else "who acts, from the words"
        step["by"] = _guessed(actors.ordered(by), why)
    if see := _see(node, words, book):
        step["see"] = see
    for words in limits:
        key = "only" if "only" in words.lower() else "when" if _CONDITION.match(words) else "note"
        if key == "note" or key in step:
            notes.insert(0, words)
        else:
            words = re.sub(r"\s+only\Z", "", words)
            step[key] = _guessed(words, "from the brackets behind the title")
    if notes:
        ended = [note if note[-1:] in ".!?)" else f"{note}." for note in notes[:-1]]
        step["note"] = " ".join([*ended, notes[-1]])
    if told:
        parts: list[Heading | Paragraph] = [heading, *node.paragraphs]
        mended = [word for piece in parts for word in piece.mended]
        step["narrative"] = _guessed(Prose(told), *(f"the end of a line parted {word}" for word in mended))
    if node.children:
        step["steps"] = steps_of(node.children, book, kind, by or inherited)
    if kind in PLAYERS and node.children:
        row.turn, row.named = step, _id(node, book)
    return _guessed(step, *remarks)


def _turn(node: HeadingNode, kind: str, told: str, row: _Row, book: Book) -> dict[str, Value]:
    """The keys of a player turn: whose it is, and which it repeats."""
    if kind not in PLAYERS:
        return {}
    keys: dict[str, Value] = {"id": _id(node, book)} if node.children else {}
    words = node.title.words
    side = next((name for form, name in _ORDINALS if form.match(words)), "")
    side = side or actors.named_side(words, book.names)
    if not node.children and row.turn and _REPEATS.search(told):
        keys["repeats"] = _guessed(row.named, "its words say that it repeats the turn before it")
    if side:
        known = side in book.names.values()
        keys["phasing"] = _guessed(side, *([] if known else [f"rulebook.yml has to name {side} as a side"]))
    return keys


def _id(node: HeadingNode, book: Book) -> str:
    """A short name for a turn that another one repeats."""
    words = node.title.words
    ordinal = next((name for form, name in _ORDINALS if form.match(words)), "")
    return ordinal or actors.named_side(words, book.names) or re.sub(r"\W+", "-", words.lower()).strip("-")


def _told(node: HeadingNode) -> tuple[str, list[str]]:
    """The words below a heading as paragraphs, and the notes among them."""
    paragraphs, notes = [], []
    for words, is_note in ((node.title.rest, False), *((p.text, p.note) for p in node.paragraphs)):
        if is_note:
            notes.append(_NOTE.sub("", words, count=1))
            continue
        notes += [_NOTE.sub("", m["square"] or m["star"], count=1) for m in _INLINE_NOTE.finditer(words)]
        words = _INLINE_NOTE.sub(_without, words)
        paragraphs.append(words.strip())
    return "\n\n".join(filter(None, paragraphs)), [note.strip() for note in notes]


def _without(m: re.Match[str]) -> str:
    """The full stop that a note leaves behind, unless there is one in front of it."""
    return "" if not m.start() or m.string[m.start() - 1] in ".;!?" else m["end"]


def _see(node: HeadingNode, words: str, book: Book) -> Value:
    """The rules that a step names: its label, where that is a number, and those in its title and words."""
    label, remarks = node.heading.label, []
    found = list(node.title.see)
    if label and label.parts and book.is_number(label.bare):
        found.insert(0, label.bare)
        remarks.append("the label is taken for a rule's number")
    if more := [run for run in cited(words, book.is_number) if run not in found]:
        found += more
        remarks.append(f"{', '.join(more)} from the words")
    if not found:
        return ""
    labels = [Label(run) for run in found]
    return _guessed(labels[0] if len(labels) == 1 else labels, *remarks)


def _kinds(nodes: Sequence[HeadingNode], around: str, book: Book) -> dict[HeadingNode, tuple[str, str]]:
    """The kind of each of some steps beside each other, and why it is that, where it is a guess."""
    groups: dict[str, Counter[str]] = {}
    for node in nodes:
        groups.setdefault(_sort(node), Counter())[node.title.kind] += 1
    return {node: _kind(node, groups[_sort(node)], around, book) for node in nodes}


def _kind(node: HeadingNode, beside: Counter[str], around: str, book: Book) -> tuple[str, str]:
    """The kind of a step. `beside`: how often each is named beside it; `around`: what it lies in."""
    own = node.title.kind
    named = [(count, kind) for kind, count in beside.items() if kind]
    most, usual = max(named, default=(0, ""))
    why = ""
    if usual in TURNS and not node.heading.label:
        usual = ""
    if usual and own != usual and most > 1 and (not own or most >= 3 * beside[own]):
        own, why = usual, f"a {usual} like those beside it"
    inner = (
        [*(kind for kind in book.kinds if KINDS.index(kind) > _rank(around)), DO] if _known(book) else [DO]
    )
    if around == DO:
        inner = [DO]
    if not own:
        is_heading = is_title(node.title.words) and bool(node.heading.label) and around in ("", *TURNS)
        usual = next(iter(KINDS[max(_rank(around) + 1, KINDS.index(USUAL)) :]), DO)
        holds = bool(node.children) and (is_title(node.title.words) or around in ("", *TURNS))
        own = usual if (is_heading or holds) and around != DO else DO
        why = why or (f"a {own} by its place" if own != DO else "")
    if own not in inner:
        wanted, own = own, inner[0]
        why = f"a {wanted} by its name, which cannot stand in a {around}" if around else why
    return own, why


def _known(book: Book) -> bool:
    return set(book.kinds) <= set(KINDS)


def _rank(kind: str) -> int:
    return KINDS.index(kind) if kind in KINDS else -1


def _sort(node: HeadingNode) -> str:
    """The sort of label that all steps of one row have."""
    label = node.heading.label
    if label is None:
        return f"none {node.heading.depth}"
    return "parts" if label.parts else label.counts[0][0].replace("roman", "letter")


def _guessed(value: Value, *why: str) -> Value:
    """A value with a comment for each guess in it."""
    remarks = [f"guess: {one}" for one in why if one]
    return Remarked(value, remarks) if remarks else value
