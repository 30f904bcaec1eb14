"""A step of the sequence of play as one line that knows no medium, and the outline that it is seen in.

Links lead nowhere but to rules that references have been resolved to; whoever exports an outline has seen
to it that none of its references is faulty.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from rulewright.book.outline import Outline
from rulewright.book.table_entries import Source, TableEntry
from rulewright.files.located_text import LocatedText
from rulewright.references import site_paths
from rulewright.references.citable_items import Citable, full_name
from rulewright.references.reference_index import ReferenceIndex
from rulewright.references.reference_types import (
    CitableReference,
    ExternalReference,
    FaultyReference,
    Reference,
    RuleReference,
)
from rulewright.render.exports.export_formats import StyledRun
from rulewright.schema.text_document import MarkupToken, TextRun, plain_text, strip_whitespace
from rulewright.sequence import actors
from rulewright.sequence.repetition_phrases import DIFFERENT, Part, repetition_phrase
from rulewright.sequence.sequence_step import AT_ANY_TIME, NOBODY, SequenceStep
from rulewright.sequence.step_attributes import (
    StepPhrase,
    capitalize_first,
    inside_phrase,
    step_phrases,
    turns_phrase,
)

COMBAT = "a combat action of that player"
INTERRUPTIONS = "at any time in it:"

_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f]")  # YAML's escapes can write them, XML cannot


class OutlineView:
    """An outline as it is exported: its lines, its texts with their references, its links below `base`."""

    def __init__(self, outline: Outline, index: ReferenceIndex, base: str = "") -> None:
        self.outline = outline
        self.edition = outline.edition
        self.base = base
        self.index = index
        steps = list(outline.sequence.iter_steps())
        self.signs = [
            ("*", COMBAT, any(step.is_combat for step in steps)),
            ("o", "one of these", any(step.is_choice and not step.lists_options for step in steps)),
            ("~", "at any time", any(step.way == AT_ANY_TIME for step in steps)),
        ]
        sequence = self.edition.sequence
        self.title = f"{sequence.title if sequence else 'Sequence of Play'} – {self.edition.title}"
        self.intro = sequence.text if sequence else None

    def href(self, target: Source | Citable) -> str:
        """The address of a rule, a step or a table, from the site's root or below `base`."""
        return site_paths.absolute_link(self.base, *site_paths.path_and_anchor(target))

    def runs(self, text: LocatedText | None) -> list[StyledRun]:
        """A text as words, signs and references, all in one line."""
        made: list[StyledRun] = []
        for one in strip_whitespace(self.index.document(text).inline()) if text else ():
            words = re.sub(r"\s+", " ", _CONTROL.sub(" ", one.words))
            if isinstance(one, MarkupToken):
                made += [StyledRun("", one.tag)] if one.tag else []
            elif isinstance(one, TextRun) and isinstance(one.target, Reference):
                match = one.target.match
                foreign = match.number and match.mark_span and match.book and match.label is None
                made.append(self.reference_run(self.number(one.target) if foreign else words, one.target))
            else:
                made.append(StyledRun(words))
        return made

    def reference_run(self, words: str, one: Reference) -> StyledRun:
        """Words that are a reference; one that is faulty leads nowhere."""
        match one:
            case ExternalReference():
                return StyledRun(words, "", one.href, one.title, one.site)
            case CitableReference():
                return StyledRun(words, "", self.href(one.citable), plain_text(full_name(one.citable)))
            case FaultyReference():
                return StyledRun(words)
        label = one.match.label
        # A label that begins with the number hides nothing: [[9.0|9.0 in outline]].
        hides = label is not None and self.outline.find(label.split(" ")[0]) is not one.target
        number = self.number(one) if hides else ""
        return StyledRun(words, "", self.href(one.target), str(one.target), number)

    def name(self, entry: SequenceStep) -> list[StyledRun]:
        step = entry.step
        label = [StyledRun(f"{step.label} ")] if step.label else []
        short = [StyledRun(f" ({step.abbreviation})")] if step.abbreviation else []
        return [*label, *self.runs(step.title), *short]

    def difference_sign(self, entry: SequenceStep) -> list[StyledRun]:
        """A sign in front of what is not as in the turn that is repeated."""
        return [StyledRun(f"{DIFFERENT} ")] if entry.is_different else []

    def marks(self, entry: SequenceStep) -> tuple[tuple[str, str], ...]:
        """Who acts, by mark and name, where that is news: at a part of a turn, a change, a combat action."""
        return tuple(map(self.actor, self.new_actors(entry)))

    def new_actors(self, entry: SequenceStep) -> tuple[str, ...]:
        is_turn_of_one = len(entry.phasing) == 1 and not entry.is_played_in_turns
        is_new = not is_turn_of_one and (entry.is_block or entry.is_combat or entry.actors_change)
        return entry.acting if is_new else ()

    def actor(self, name: str) -> tuple[str, str]:
        known = actors.find_actor(name, self.edition.book)
        return known.mark if name != NOBODY else "-", known.title

    def legend(self) -> list[tuple[str, str]]:
        """The marks that stand in the lines and what they mean, in the order of the rulebook."""
        steps = self.outline.sequence.iter_displayed()
        names = (name for step in steps if not step.is_same for name in self.new_actors(step))
        book = self.edition.book
        shown = actors.sort_actors((actors.find_actor(name, book) for name in names), book)
        return [self.actor(known.name) for known in shown]

    def number(self, one: Reference) -> str:
        """The number that a reference means as it is printed, with its book where that is another one."""
        if not isinstance(one, RuleReference):
            return one.match.number.key if one.match.number else ""
        if one.target.edition is self.edition:
            return one.display_number
        return f"{one.target.edition.short} {one.display_number}"

    def details(self, entry: SequenceStep) -> Iterator[list[StyledRun]]:
        """The costs and limits of a step, what it repeats, and how its inner steps are done."""
        if repeated := self.parts(repetition_phrase(entry)):
            yield repeated
        if len(entry.phasing) == 1 and not entry.is_played_in_turns and not entry.reverses_roles:
            yield [StyledRun(f"phasing: {self.actor(entry.phasing[0])[1]}")]
        if words := turns_phrase(entry):
            yield [StyledRun(words)]
        yield from self.facts(entry)
        if words := inside_phrase(entry):
            yield [StyledRun(words)]

    def facts(self, entry: SequenceStep) -> Iterator[list[StyledRun]]:
        for fact in step_phrases(entry):
            yield [StyledRun(fact.before), *self._joined(entry, fact)]

    def parts(self, parts: Iterable[Part]) -> list[StyledRun]:
        """Words with the titles of steps among them."""
        made: list[StyledRun] = []
        for part in parts:
            made += [StyledRun(part)] if isinstance(part, str) else self.runs(part.step.title)
        return made

    def inline_group(self, group: Sequence[SequenceStep]) -> list[StyledRun]:
        """Steps that are as in another turn, in one line."""
        made = [*self.parts(repetition_phrase(group[0])), StyledRun(": ")]
        made[0] = made[0]._replace(words=capitalize_first(made[0].words))
        for at, entry in enumerate(group):
            see = list(self.see(entry))
            made += [
                *([StyledRun(" and " if at == len(group) - 1 else ", ")] if at else []),
                *self.name(entry),
                *([StyledRun(" ["), *see, StyledRun("]")] if see else []),
            ]
        return made

    def _joined(self, entry: SequenceStep, fact: StepPhrase) -> Iterator[StyledRun]:
        for at, text in enumerate(fact.values):
            yield StyledRun("" if at == 0 else f" {fact.join} " if at == len(fact.values) - 1 else ", ")
            table = self.table(text) if fact.key == "uses" else None
            if table:
                words = plain_text(table.table.title) + self.index.table_number_used(entry, table)
                yield StyledRun(words, "", self.href(table), str(table))
            else:
                yield from self.runs(text)

    def table(self, name: LocatedText) -> TableEntry | None:
        """The table that a step uses, where its name is one and no reference."""
        return None if self.index.references(name) else self.index.find_table(self.edition, name)

    def see(self, entry: SequenceStep) -> Iterator[StyledRun]:
        """The rules of a step, listed with commas whichever way they were written: `10.2, 10.3`."""
        first = True
        for text in entry.step.see:
            for reference in self.index.references(text):
                yield StyledRun("" if first else "–" if reference.match.ends_range else ", ")
                words = reference.match.label or self.number(reference) or reference.words_in(text).words
                yield self.reference_run(words, reference)
                first = False
