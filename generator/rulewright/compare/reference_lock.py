"""Locks, `references.lock`: the files that keep what references meant, one in each folder that has any.

A line for each reference: where it stands, the number that it names, the rule that it led to, a mark of what
that said, and its title. Further lines hold, by their marks, the words of those rules, and what steps, tables
and terms are called, each with a mark of what it says beside its name. Lines are put in order
and say nothing of each other, so branches can be merged line by line. A reference that has several lines then
meant either; it is true as long as one of them is.

Of the words of a rule it does not count how a text is broken into lines, what is bold in it, how dashes and
quotes are set and how its references are written: each reference is the rule it leads to.
"""

from __future__ import annotations

import hashlib
import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from rulewright.book.outline import RuleEntry
from rulewright.book.table_entries import TableEntry, reference_texts_of_table
from rulewright.compare.field_diff import compared_keys
from rulewright.compare.typography import normalize_typography
from rulewright.compare.word_diff import MASK, DiffWord, tokenize
from rulewright.files.content_folder import natural_sort_key
from rulewright.files.located_text import NOT_UTF8, LocatedText, TextKey, decode_utf8
from rulewright.files.problems import Problem, problem_type, quote_short
from rulewright.references.citable_items import ListItem
from rulewright.references.reference_index import ReferenceIndex
from rulewright.references.reference_types import Reference, RuleReference
from rulewright.schema.text_document import TextRun, plain_paragraphs, plain_text
from rulewright.schema.yaml_fields import all_texts_of, reference_texts
from rulewright.sequence.sequence_step import SequenceStep

DAMAGED = problem_type(
    "lock-damaged",
    """A line of `references.lock` cannot be read, so that what the reference meant is not known.
    `rulewright check --accept` writes the file anew from the lines that can be.""",
)
CONFLICT = problem_type(
    "lock-conflict",
    """A merge has left both sides of a conflict in `references.lock`. Both are read;
    `rulewright check --accept` writes the file anew without the marks of the conflict.""",
)

WORDS, NAME = "words", "name"
"""First field of a line that holds the words of a rule, and of one that holds the name of a thing."""

Named = tuple[str, str, str]
"""A name: the sort of its thing, a mark of what that says beside it, and the name."""

UNKNOWN = "-"
"""The mark of a rule whose words are not here."""

_SIDES = re.compile(r"(?:<{7}|\|{7}|>{7})(?: .*)?|={7}")
_MARK = re.compile(r"(?:-|[0-9a-f]{12})(?:\+[0-9a-f]{6})?")
_WORDS_MARK = re.compile(r"[0-9a-f]{12}")

_HEAD = """\
# What the references in this folder led to when they were last read: where each stands, the number it names,
# the rule, a mark of what that said, and its title. `rulewright check --accept` writes this file. Where two
# branches meet, keep the lines of both.
"""


class RecordedRule(NamedTuple):
    """A rule as it was when it was read: its number, its title and the mark of its words."""

    key: str
    title: str
    mark: str


class RecordedTarget(NamedTuple):
    """Target of a reference when it was read: its number, with its edition where that is another one.

    `digest`: of its own words and, behind a plus, of what lies in it or in the range that ends with it.
    """

    target: str
    digest: str
    title: str

    @property
    def key(self) -> str:
        """The number of the rule, without its edition."""
        address, colon, key = self.target.partition(":")
        return key if colon and "/" in address else self.target

    def address(self, home: str) -> str:
        """The edition of the rule, where the lock is that of the folder `home`."""
        return self.target.removesuffix(self.key).removesuffix(":") or home

    @property
    def own_digest(self) -> str:
        return self.digest.partition("+")[0]

    @property
    def inner_digest(self) -> str:
        return self.digest.partition("+")[2]

    @property
    def memory(self) -> RecordedRule:
        return RecordedRule(self.key, self.title, self.own_digest)


Key = tuple[str, str]
"""A reference: what it stands in, and the number that it names."""


@dataclass
class ReferenceLock:
    """Contents of a lock: readings of each reference, the words of rules by their marks, and names."""

    recorded_targets: dict[Key, list[RecordedTarget]] = field(default_factory=dict)
    words: dict[str, str] = field(default_factory=dict)
    names: set[Named] = field(default_factory=set)

    def serialize(self) -> bytes:
        """The file, without words that no reference needs. Equal contents give equal bytes."""
        rows = [
            "\t".join((*key, *meant))
            for key, all_meant in sorted(
                self.recorded_targets.items(), key=lambda one: tuple(map(natural_sort_key, one[0]))
            )
            for meant in sorted(set(all_meant))
        ]
        needed = sorted(
            {meant.own_digest for target in self.recorded_targets.values() for meant in target}
            & set(self.words)
        )
        rows += ["\t".join((WORDS, mark, self.words[mark])) for mark in needed]
        rows += ["\t".join((NAME, *name)) for name in sorted(self.names)]
        return "\n".join((*_HEAD.splitlines(), *rows, "")).encode()


def read_lock(name: str, data: bytes) -> tuple[ReferenceLock, list[Problem]]:
    """A lock, and each line of it that cannot be read."""
    file, problems = decode_utf8(name, data)
    lock, meant = ReferenceLock(), defaultdict[Key, list[RecordedTarget]](list)
    if any(problem.code == NOT_UTF8.code for problem in problems):
        return lock, problems
    at = 0
    for line in file.text.splitlines(keepends=True):
        text = line.rstrip("\r\n")
        fields = text.split("\t")
        if len(fields) == 5 and _MARK.fullmatch(fields[3]):
            meant[fields[0], fields[1]].append(RecordedTarget(*fields[2:]))
        elif len(fields) == 3 and fields[0] == WORDS and _WORDS_MARK.fullmatch(fields[1]):
            lock.words[fields[1]] = fields[2]
        elif len(fields) == 4 and fields[0] == NAME and _WORDS_MARK.fullmatch(fields[2]):
            lock.names.add((fields[1], fields[2], fields[3]))
        elif _SIDES.fullmatch(text):
            if text.startswith("<"):
                message = (
                    "a merge has left both sides here; both are read, and `rulewright check --accept` "
                    "takes its marks out"
                )
                problems.append(CONFLICT.problem(file.location(at), message, file.name))
        elif text.strip() and not text.startswith("#"):
            message = (
                f"{quote_short(text)} says nothing of a reference; take the line back from your repository, "
                "or let `rulewright check --accept` write the file anew"
            )
            problems.append(DAMAGED.problem(file.location(at), message, file.name))
        at += len(line)
    lock.recorded_targets = dict(meant)
    return lock, problems


def escape_field(words: str) -> str:
    """Words in one line, fit for a field of a lock."""
    return " ".join(words.split())


Target = RuleEntry | TableEntry | ListItem | SequenceStep

COUNTED = "#"
"""Parts the number of an item from that of its rule, 9.1#2; the name of a step begins with it."""


def lock_target_name(target: Target) -> str:
    """The name of a target in a lock."""
    match target:
        case ListItem():
            return f"{target.entry.key}{COUNTED}{target.anchor[len(target.entry.key) + 1 :]}"
        case SequenceStep():
            return f"{COUNTED}{target.anchor}"
    return target.key


_REFERENCE = re.compile(r"\[\[([^\[\]]*)\]\]")
_PART = re.compile(r"¶[\w-]+ ?")
_MARKUP = re.compile(r"[\\*<>&\[]|(?:^|\n)[ ]*(?:-|\d{1,3}\.)[ ]")
_SAME = str.maketrans("’‘“”¶", "''\"\"|")


class RuleFingerprints:
    """Words of the rules and tables on a shelf, and the marks of those, each worked out once."""

    def __init__(self, shelf: ReferenceIndex) -> None:
        self.shelf = shelf
        self._said: dict[Target, str] = {}
        self._marks: dict[Target, str] = {}

    def record_target(self, target: Target, home: str, inside: Sequence[RuleEntry] = ()) -> RecordedTarget:
        """Reading of a reference in a folder's texts; `inside`: the rules of the range that ends there."""
        address = target.edition.address
        key = lock_target_name(target) if home == address else f"{address}:{lock_target_name(target)}"
        # However they are set, since the words of what lies in a rule are not kept.
        more = "".join(
            words_digest(normalize_typography(self.rule_words(one)))
            for one in (*inside, *self._inside(target))
        )
        mark = self.mark(target)
        return RecordedTarget(
            key, f"{mark}+{_digest(more)[:6]}" if more.strip(UNKNOWN) else mark, self.title(target)
        )

    def title(self, target: Target) -> str:
        """Its title in plain words; empty where it has none."""
        match target:
            case TableEntry():
                title: LocatedText | None = target.table.title
            case SequenceStep():
                title = target.step.title
            case ListItem():
                title = None
            case _:
                title = target.title
        return escape_field(plain_text(title) if _MARKUP.search(title) else title) if title else ""

    def mark(self, target: Target) -> str:
        if target not in self._marks:
            self._marks[target] = words_digest(self.rule_words(target))
        return self._marks[target]

    def rule_words(self, target: Target) -> str:
        """Its own words, each part of it by its name; empty where they are not here."""
        if target not in self._said:
            parts = (f"¶{name} {words}" for name, words in self._parts(target) if words)
            self._said[target] = " ".join(parts)
        return self._said[target]

    def _parts(self, target: Target) -> Iterator[tuple[str, str]]:
        if not isinstance(target, RuleEntry | TableEntry):
            yield self._counted(target)
            return
        address = target.edition.address
        rule = target.rule if isinstance(target, RuleEntry) else None
        if rule:
            told = {note.kind.key for note in rule.notes}
            notes = ((str(note.kind), note.text) for note in rule.notes)
            for name, text in (("text", rule.text), *notes, ("closing", rule.closing)):
                if text:
                    told.add(text.key)
                    yield name, self._words(text, address)
            yield from self._rest(rule, address, told)
        if table := self.shelf.tables_by_target.get(target):
            texts = [text for text, _ in reference_texts_of_table(table) if text is not table.table.title]
            prose = {text.key for text in texts}
            cells = [*_cells(table)]
            words = (self._words(t, address) if t.key in prose else escape_field(t) for t in cells)
            yield "cells", " | ".join(words)
            told = {cell.key for cell in cells}
            yield "table", " ".join(self._words(text, address) for text in texts if text.key not in told)
            for grid in table.grids():
                yield from self._rest(grid, address, told | prose)

    def _rest(self, part: Any, address: str, told: Collection[TextKey]) -> Iterator[tuple[str, str]]:
        """Whatever else it says, by the keys of the model: pictures, heads of columns, what replaced it."""
        model: Any = type(part)
        for f in compared_keys(model):
            if f.name != "title" and (value := getattr(part, f.name)):
                found = (text for text in all_texts_of(value) if text.key not in told)
                yield f.name, " | ".join(self._words(text, address) for text in found)

    def _counted(self, target: ListItem | SequenceStep) -> tuple[str, str]:
        """The words of an item or a step alone, without what is inside it."""
        address = target.edition.address
        if isinstance(target, SequenceStep):
            own = [text for text, cites in reference_texts(target.step) if not cites]
            rest = (words for _, words in self._rest(target.step, address, {text.key for text in own}))
            return "step", " ".join([*(self._words(text, address) for text in own), *filter(None, rest)])
        inline = self.shelf.document(target.text).inline(target.start, target.end)
        return "item", _marked(
            ((o.words, o.target if isinstance(o, TextRun) else None) for o in inline), address
        )

    def _words(self, text: LocatedText, address: str) -> str:
        """A text in one line, each reference as a mark of the rule that it leads to."""
        resolved = self.shelf.references(text)
        if _MARKUP.search(text):
            read = (inline for _, inline in plain_paragraphs(self.shelf.document(text).blocks))
            runs = [
                run for inline in read for run in (*((run.words, run.target) for run in inline), (" ", None))
            ]
        else:
            runs, at = [], 0
            for reference in resolved:
                runs += [
                    (text[at : reference.match.start], None),
                    (reference.as_written(text), reference),
                ]
                at = reference.match.end
            runs.append((text[at:], None))
        return _marked(runs, address)

    def _inside(self, target: Target) -> Iterator[RuleEntry]:
        """The rules in a rule that have no title of their own, and so are part of what it says."""
        for child in target.children if isinstance(target, RuleEntry) else ():
            if not child.title:
                yield child
                yield from self._inside(child)


def _cells(table: TableEntry) -> Iterator[LocatedText]:
    for grid in table.grids():
        yield from filter(None, (*grid.columns, grid.roll))
        yield from (text for row in grid.rows for pair in row.items() for text in pair)
        for modifier in grid.modifiers:
            yield from filter(None, (modifier.value, modifier.of, modifier.when))


def _marked(runs: Iterable[tuple[str, Reference | None]], address: str) -> str:
    """Words in one line, each reference as a mark of the rule that it leads to."""
    words = (_mark_of(one, address) or run.replace("[[", "[").translate(_SAME) for run, one in runs)
    return " ".join("".join(words).split())


def _mark_of(one: Reference | None, address: str) -> str:
    """A reference as a mark; empty where it leads to no rule."""
    if not isinstance(one, RuleReference):
        return ""
    other = one.target.edition.address
    return f"[[{f'{other}:' if other != address else ''}{one.number.key}]]"


def _digest(words: str) -> str:
    return hashlib.sha256(words.encode()).hexdigest()[:12]


def words_digest(said: str) -> str:
    """The mark of words that are kept."""
    return _digest(said) if said else UNKNOWN


def normalize_words(said: str, now: dict[str, str] | None = None) -> list[DiffWord]:
    """Words of a rule as a lock keeps them. `now`: the numbers today of the rules that it cites."""
    found: list[DiffWord] = []
    for at, piece in enumerate(_REFERENCE.split(_PART.sub("\n", said))):
        if at % 2:
            key = (now or {}).get(piece, piece)
            found.append(DiffWord(piece, MASK + key, " ", None, key, is_reference=True))
        else:
            found += tokenize(piece)
    return found


def with_new_numbers(said: str, number: Callable[[str], str]) -> str:
    """Words of a rule as a lock keeps them, the rules that it cites under other numbers."""
    return _REFERENCE.sub(lambda m: f"[[{number(m[1])}]]", said)
