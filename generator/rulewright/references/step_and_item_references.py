"""References other than rule numbers: counted steps and items, and numbers of other objects.

"Step 2 of 9.1", "9.1, steps 2 to 3" and, in 9.1 itself, "see step 2" are items of the numbered list in 9.1;
"step 4 of the Combat Phase" is a step of the sequence. "Section 2 of the map" is no section of the book.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from rulewright.book.outline import Outline, RuleEntry
from rulewright.files.problems import problem_type, quote_short
from rulewright.numbering.reference_cues import CUED, CueStrength
from rulewright.numbering.reference_finder import FoundReference
from rulewright.references.citable_items import (
    inner_steps,
    list_items_of,
    rules_by_title,
    step_at,
    steps_by_name,
)
from rulewright.references.missing_number_messages import missing_rule_message
from rulewright.references.name_finder import overlaps_any
from rulewright.references.reference_resolver import NOT_FOUND, UNCLEAR, rule_of_number
from rulewright.references.reference_types import (
    CitableReference,
    FaultyReference,
    Reference,
    RuleReference,
)
from rulewright.schema.problem_reports import plural
from rulewright.sequence.sequence_step import SequenceStep
from rulewright.sequence.step_names import nearest_step, spoken_title

NO_ITEM = problem_type(
    "item-not-found",
    """A reference such as step 6 of 9.1 counts a step or an item that its rule or phase does not have. The
    message says how many it has.""",
)
_WORD = re.compile(r"(?<![\w-])(step|item|point)s?\s+(?:nos?\.\s*|#\s*)?(?=\(?\w)", re.IGNORECASE)
_REPEATED_WORD = re.compile(r"(?:step|item|point)s?\s+", re.IGNORECASE)
_BRACKETED = r"\((?:\d{1,3}|[A-Za-z]|[ivxlc]{2,6})\)"
_LABEL = re.compile(
    rf"(?:(?P<row>{_BRACKETED}(?:{_BRACKETED}){{0,3}})"
    r"|\(?(?P<label>\d{1,3}(?:\.\d{1,2}){0,2}|[A-Za-z])(?!\w|[.:,/]\w)\)?)"
)
_OF = re.compile(r"\)?\s+(?:of|in|from|under|within)\s+(?:the\s+)?", re.IGNORECASE)
_NUMBER = re.compile(
    r"(?:(?:rule|section|case)\s+|§\s*)?((?=\S*\d)[\w.]*\w(?:\(\w{1,4}\))*)(?![\w/-])", re.IGNORECASE
)
_OWN = re.compile(r"(?:this|same)\s+\w", re.IGNORECASE)
_BETWEEN = re.compile(
    r"(?:(?:the|rules?|sections?|cases?|chapters?|paragraphs?|articles?|procedure|process|list|sequence|steps|in|of)"
    r"\s+|§\s*|[\w.]{1,12}\s+(?=\S*\Z))*[(\[\"“*_]*",
    re.IGNORECASE,
)
_GAP_AFTER_REFERENCE = re.compile(
    r"(?:['’]s)?[)\]*_\"”]*(?:[,:]\s*|[^\S\n]*\n?[^\S\n]*(?<=\s))[(\[]?(?:at\s+|in\s+)?"
)
_NAME_WORD = re.compile(r"[\w'’/&-]+")
_FARTHEST, _MOST_WORDS, _LOOK_BACK, _LONGEST_SPACE = 60, 8, 160, 8

_PLACES = (
    r"maps?|map[ -]?sheets?|map[ -]?boards?|boards?|scenarios?|campaigns?|play[ -]?books?|scenario books?"
)
_SHEETS = (
    r"counter[ -]?sheets?|counter[ -]?mix|displays?|charts?|cards?|tracks?|sheets?|play[ -]?aids?|box|boxes|"
    r"screens?"
)
_LAWS = r"acts?|codes?|laws?|treaty|convention|regulations?|ordinance|statutes?|directive|constitution"
_OTHER = re.compile(
    r"\)?\s+(?P<of>of|on|from|in)\s+(?:the|a|an|each|every|your|any|its|another|some other)\s+"
    rf"(?:(?:[\w'’-]+\s+){{0,3}}?(?:{_PLACES}|(?P<sheet>{_SHEETS}))"
    rf"|(?:[A-Z][\w'’-]*\s+){{0,4}}?(?i:{_LAWS}))(?![\w-])"
)
_SIGNS = ("number", "numbers", "no.", "nos.", "nr.", "nrs.", "#")
_COUNTS = ("section", "sections", "part", "parts", "case", "cases")
_SHEET = re.compile(
    rf"(?<![\w-])(?:{_PLACES}|{_SHEETS}|counters?|examples?)\s+"
    rf"(?:(?:{'|'.join(_COUNTS)})\s*)?(?:(?:{'|'.join(map(re.escape, _SIGNS))})\s*)?\Z",
    re.IGNORECASE,
)


class ListMember(NamedTuple):
    """A number in a list after "steps"."""

    start: int
    end: int
    label: str
    """Its labels, outermost first, with full stops between them: a.iv of (a)(iv)."""
    ends_range: bool = False


def _start(reference: Reference) -> int:
    return reference.span[0]


def add_step_and_item_references(
    text: str,
    resolved: list[Reference],
    outlines: Sequence[Outline],
    rule: RuleEntry | None,
    external_spans: Sequence[tuple[int, int]] = (),
) -> list[Reference]:
    """Return the references of a text with steps and items, and without numbers of other objects.

    `outlines`: the edition of the text and its series. `rule`: the rule of the text. `external_spans`: the
    spans of citations of external works.
    """
    resolved = _without_other_objects(text, resolved, outlines[0])
    if not _WORD.search(text):
        return resolved  # fast path for most texts
    items = _ItemReader(text, resolved, outlines, rule).find()
    found = [item for item in items if not overlaps_any(external_spans, *item.span)]
    spans = sorted(reference.span for reference in found)
    remaining = [reference for reference in resolved if not overlaps_any(spans, *reference.span)]
    return sorted([*remaining, *found], key=lambda reference: reference.match.start)


# Numbers of other objects


def _without_other_objects(text: str, resolved: list[Reference], outline: Outline) -> list[Reference]:
    """Return the references of a text without those to other objects, and those in a list with them."""
    excluded = {index for index, reference in enumerate(resolved) if _is_other(text, reference)}
    if not excluded:
        return resolved
    find_join = outline.edition.finder.evidence.find_join
    pairs = [*pairwise(range(len(resolved)))]
    for first, second in (*pairs, *reversed(pairs)):
        is_beside = (first in excluded) != (second in excluded)
        if is_beside and find_join(text, resolved[first].match.end, resolved[second].match.start):
            excluded |= {first, second}
    return [reference for index, reference in enumerate(resolved) if index not in excluded]


def _is_other(text: str, reference: Reference) -> bool:
    """Return whether a number belongs to a map, a card, a scenario or a law."""
    start, end = reference.match.start, reference.match.end
    if reference.match.mark_span:
        return False
    if match := _OTHER.match(text, end):
        # "Section 2 on the map" belongs to the map, "12.5 on the map" or "of the charts" may be a rule.
        is_certain = match["of"].lower() == "of" and not match["sheet"]
        number = reference.match.number
        return is_certain or number is None or len(number.labels) == 1
    return _SHEET.search(text[max(0, start - _FARTHEST) : start].rstrip()) is not None


# Steps and items by count

Owner = RuleEntry | SequenceStep


class _ItemReader:
    """Reader of the references to steps and items by count in one text."""

    def __init__(
        self, text: str, resolved: list[Reference], outlines: Sequence[Outline], rule: RuleEntry | None
    ) -> None:
        self.text, self.resolved, self.outlines, self.rule = text, resolved, outlines, rule
        self.cues = outlines[0].edition.finder.evidence

    def find(self) -> Iterator[Reference]:
        done = 0
        for m in _WORD.finditer(self.text):
            members = [*self._members(m)] if m.start() >= done else []
            if not members:
                continue
            done = members[-1].end
            if missing := self._missing_owner(done):
                yield missing
            owner = self._owner(m, members)
            first = max(0, bisect_left(self.resolved, m.start(), key=_start) - 1)
            nearby = self.resolved[first : bisect_left(self.resolved, done, key=_start)]
            rules = [reference for reference in nearby if isinstance(reference, RuleReference)]
            for member in members if owner else ():
                match = FoundReference(member.start, member.end, None, CueStrength.WORD, member.ends_range)
                reference = self._reference(match, m[1].lower(), member.label, owner) if owner else None
                is_rule = "." in member.label and overlaps_any(
                    [rule.span for rule in rules], member.start, member.end
                )
                is_missing = isinstance(reference, FaultyReference) and reference.fault is NO_ITEM
                if reference and not (is_missing and is_rule):
                    yield reference

    def _members(self, word: re.Match[str]) -> Iterator[ListMember]:
        """Yield the numbers after "steps", until a noun follows that the next number may count."""
        m, start, ends_range, last = _LABEL.match(self.text, word.end()), word.start(), False, ""
        while m:
            label = m["label"] or m["row"][1:-1].replace(")(", ".")
            if last and (label[0].isalpha(), label.count(".")) != (last[0].isalpha(), last.count(".")):
                above = last.rpartition(".")[0]
                if not above or not m["row"]:
                    return
                label = f"{above}.{label}"  # (a)(i) and (ii)
            has_stray_bracket = m.group().endswith(")") and m.group()[0] != "("
            end, last = m.end() - has_stray_bracket, label
            yield ListMember(start, end, label, ends_range)
            joined = self.cues.find_join(self.text, end)
            if not joined:
                return
            start, ends_range = joined.end(), joined["through"] is not None
            repeated_word = _REPEATED_WORD.match(self.text, start)
            m = _LABEL.match(self.text, repeated_word.end() if repeated_word else start)
            is_lettered = m and m["row"] and m["row"][1].isalpha()
            if m and not is_lettered and not self.cues.list_may_end(self.text, m.end(m.lastgroup or 0)):
                return

    def _owner(self, word: re.Match[str], members: Sequence[ListMember]) -> Owner | None:
        """Return the rule or step whose items or steps are counted; None if the words count other objects."""
        text, start, end = self.text, word.start(), members[-1].end
        own_rule = self.rule if self.rule and list_items_of(self.rule) else None
        if of := _OF.match(text, end):
            if _OWN.match(text, of.end()):
                return own_rule
            position = bisect_left(self.resolved, of.end(), key=_start)
            ahead = self.resolved[position] if position < len(self.resolved) else None
            if ahead and ahead.span[0] - of.end() <= _FARTHEST:
                owner = _owner_of(ahead)
                if owner and _BETWEEN.fullmatch(text[of.end() : ahead.span[0]]):
                    return owner
            return self._owner_by_name(_phrases(text, of.end()))
        is_lettered = members[0].label[0].isalpha() and text[word.end()] == "("
        if not is_lettered and not self.cues.list_may_end(text, end):
            return None
        position = bisect_left(self.resolved, start, key=_start)
        preceding = self.resolved[position - 1] if position else None
        touches = preceding and _GAP_AFTER_REFERENCE.fullmatch(text, preceding.span[1], start)
        if preceding and touches and (owner := _owner_of(preceding)):
            return owner
        # Directly after a title, a word is part of a longer name: Supply Points (6.2).
        follows_word = text[max(0, start - _LONGEST_SPACE) : start].rstrip()[-1:].isalnum()
        is_part_of_name = follows_word and word[1][0].isupper()
        if not is_part_of_name and (owner := self._owner_by_name(_phrases_before(text, start))):
            return owner
        back = text[max(0, start - _LOOK_BACK) : start]
        is_enclosed = back.endswith("(") and text[end : end + 1] == ")"
        is_cited = is_lettered or is_enclosed or self.cues.classify_preceding(back) in CUED
        return own_rule if is_cited else None

    def _missing_owner(self, end: int) -> Reference | None:
        """Return a fault if the number after "of" is no rule; else None."""
        of = _OF.match(self.text, end)
        m = _NUMBER.match(self.text, of.end()) if of else None
        number = self.outlines[0].edition.dialect.parse_number(m[1]) if m else None
        if m is None or number is None or len(number.labels) < 2 or _OTHER.match(self.text, m.end(1)):
            return None
        if any(rule_of_number(number, outline) for outline in self.outlines):
            return None
        match = FoundReference(*m.span(1), number, CueStrength.WORD)
        return FaultyReference(match, NOT_FOUND, missing_rule_message(number, self.outlines))

    def _owner_by_name(self, phrases: Iterable[str]) -> Owner | None:
        """Return the step or the rule with the title that is one of the phrases."""
        for phrase in phrases:
            name = " ".join(phrase.split()).casefold()
            for outline in self.outlines if phrase[:1].isupper() else ():
                step = nearest_step(steps_by_name(outline).get(name, []))
                if step and inner_steps(step, outline):
                    return step
                rules = rules_by_title(outline).get(name, [])
                if step and not rules:  # its rule may have steps that the sequence omits
                    cited = map(outline.find, step.step.see)
                    rules = [entry for entry in cited if entry and list_items_of(entry)]
                if len(rules) == 1:
                    return rules[0]
        return None

    def _reference(self, match: FoundReference, word: str, label: str, owner: Owner) -> Reference | None:
        """Return the reference to an item or a step of its owner, or its fault; None if that is unclear."""
        if isinstance(owner, SequenceStep):
            outline = next((o for o in self.outlines if o.edition is owner.edition), self.outlines[0])
            steps = inner_steps(owner, outline)
            if step := step_at(steps, label):
                return CitableReference(match, step)
            return _missing_item(match, word, label, spoken_title(owner), plural(len(steps), "step"))
        items = list_items_of(owner)
        if not items and label.isdigit() and owner.rule and not owner.children:
            is_named = re.search(rf"\b{label}\b", owner.rule.text or "")  # **Step 2:** Roll
            return None if is_named else _missing_item(match, word, label, owner.display_number, "no list")
        if not items or (label[0].isalpha() and not any(item.labels[0].isalpha() for item in items)):
            return None
        labels = label.casefold().split(".")
        matches = [item for item in items if [*map(str.casefold, item.labels)] == labels]
        if len(matches) > 1:
            count = f"{owner.display_number} has {len(matches)} lists with {word} {label}"
            return FaultyReference(match, UNCLEAR, f"{count}; name the list in words")
        if matches:
            return CitableReference(match, matches[0])
        top = sum(len(item.labels) == 1 for item in items)
        return _missing_item(match, word, label, owner.display_number, plural(top, word))


def _owner_of(reference: Reference) -> Owner | None:
    return reference.target if isinstance(reference, RuleReference) else None


def _phrases(text: str, start: int) -> Iterator[str]:
    """Yield the words from an offset on, longest phrase first."""
    ends: list[int] = []
    end = start = start + len(text[start : start + 3]) - len(text[start : start + 3].lstrip("\"“'‘*_"))
    while len(ends) < _MOST_WORDS and (m := _NAME_WORD.match(text, end)):
        ends.append(m.end())
        end = m.end() + (text[m.end() : m.end() + 1].isspace())
    return (text[start:end] for end in reversed(ends))


def _phrases_before(text: str, end: int) -> Iterator[str]:
    """Yield the words up to an offset, longest phrase first, without a comma or bracket at the end."""
    back = text[max(0, end - 2 * _FARTHEST) : end].rstrip("( \t\n\xa0").removesuffix(",")
    words = re.split(r"(?<=\s)(?=\S)|(?<=[(\[“\"])", re.split(r"[.;:!?]\s", back)[-1])
    for first in range(max(0, len(words) - _MOST_WORDS), len(words)):
        yield "".join(words[first:])


def _missing_item(match: FoundReference, word: str, label: str, owner: str, count: str) -> FaultyReference:
    return FaultyReference(match, NO_ITEM, f"no {word} {label} in {quote_short(owner)}; it has {count}")
