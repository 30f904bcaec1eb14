"""References other than rule numbers: counted steps and items, and numbers of other objects.

"Step 2 of 9.1", "9.1, steps 2 to 3" and, in 9.1 itself, "see step 2" are items of the numbered list in 9.1;
"step 4 of the Combat Phase" is a step of the sequence. "Section 2 of the map" is no section of the book.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from rulewright.book.outline import Outline, RuleEntry
from rulewright.files.problems import problem_type, quote_short
from rulewright.numbering.reference_cues import CueStrength, CueWords, PrecedingWords
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
from rulewright.references.page_references import page_references
from rulewright.references.reference_resolver import (
    NOT_FOUND,
    UNCLEAR,
    rule_of_number,
)
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
    """Return the references of a text with steps, items and pages, and without numbers of other objects.

    `outlines`: the edition of the text and its series. `rule`: the rule of the text. `external_spans`: the
    spans of citations of external works.
    """
    home = outlines[0]
    title = home.edition.book.title
    positions = [position for position, reference in enumerate(resolved) if _is_other(text, reference, title)]
    if positions:
        resolved = _without_lists_of(text, resolved, positions, home.edition.finder.evidence)
    if ("tep" in text or "tem" in text or "oint" in text) and _WORD.search(text):
        resolved = _with_counted_items(text, resolved, outlines, rule, external_spans)
    pages = [
        page for page in page_references(text, home.edition) if not overlaps_any(external_spans, *page.span)
    ]
    return _merge(resolved, pages) if pages else resolved


def _merge(references: list[Reference], more: Sequence[Reference]) -> list[Reference]:
    """Return the references with more, which replace those that they overlap."""
    spans = [reference.span for reference in more]
    remaining = [reference for reference in references if not overlaps_any(spans, *reference.span)]
    return sorted([*remaining, *more], key=lambda reference: reference.match.start) if more else references


# Numbers of other objects


def _is_other(text: str, reference: Reference, title: str) -> bool:
    """Return whether a number belongs to a map, a card, a scenario or a law not called `title`."""
    start, end, mark = reference.match.start, reference.match.end, reference.match.mark_span
    if mark:
        return False
    if match := _OTHER.match(text, end):
        owner = " ".join(text[match.start("of") :][: len(title) + _FARTHEST].split())
        if owner.casefold().startswith(f"of the {title}".casefold()):
            return False
        # "Section 2 on the map" belongs to the map, "12.5 on the map" or "of the charts" may be a rule.
        is_certain = match["of"].lower() == "of" and not match["sheet"]
        number = reference.match.number
        return is_certain or number is None or len(number.labels) == 1
    words = text[max(0, start - _FARTHEST) : start].rstrip()
    return words.lower().endswith((*_COUNTS, *_SIGNS)) and _SHEET.search(words) is not None


def _without_lists_of(
    text: str, resolved: Sequence[Reference], positions: Sequence[int], cues: CueWords
) -> list[Reference]:
    """Return the references of a text without those at some positions and those in a list with them."""
    excluded = {*positions}
    for step in (-1, 1):
        for position in positions:
            while 0 <= position + step < len(resolved):
                first, second = sorted((position, position + step))
                if not cues.find_join(text, resolved[first].match.end, resolved[second].match.start):
                    break
                position += step
                excluded.add(position)
    return [reference for position, reference in enumerate(resolved) if position not in excluded]


# Steps and items by count


def _with_counted_items(
    text: str,
    resolved: list[Reference],
    outlines: Sequence[Outline],
    rule: RuleEntry | None,
    external_spans: Sequence[tuple[int, int]],
) -> list[Reference]:
    """Return the references of a text with those to steps and items by count."""
    cues, references, done = outlines[0].edition.finder.evidence, list[Reference](), 0
    for m in _WORD.finditer(text):
        members = list(_members(text, m, cues)) if m.start() >= done else []
        done = members[-1].end if members else done
        missing = _missing_owner(text, done, resolved, outlines) if members else None
        if missing and not overlaps_any(external_spans, *missing.span):
            references.append(missing)
        if not members or not (owner := _find_owner(text, m, members, resolved, outlines, rule, cues)):
            continue
        span = m.start(), members[-1].end
        first = max(0, bisect_left(resolved, span[0], key=_start) - 1)
        nearby = resolved[first : bisect_left(resolved, span[1], key=_start)]
        certain = [reference for reference in nearby if isinstance(reference, RuleReference)]
        inside = (reference.target for reference in certain if overlaps_any([span], *reference.span))
        if isinstance(owner, RuleEntry) and any(owner in cited.self_and_ancestors()[1:] for cited in inside):
            continue  # the item is a rule of the book
        for member in members:
            match = FoundReference(member.start, member.end, None, CueStrength.WORD, member.ends_range)
            reference = _counted_reference(match, m[1].lower(), member.label, owner, outlines)
            spans = [reference.span for reference in certain]
            is_rule = "." in member.label and overlaps_any(spans, member.start, member.end)
            is_missing = isinstance(reference, FaultyReference) and reference.fault is NO_ITEM
            if reference and not (is_missing and is_rule):
                references.append(reference)
    return _merge(resolved, references)


def _members(text: str, word: re.Match[str], cues: CueWords) -> Iterator[ListMember]:
    """Yield the numbers after "steps", until a noun follows that the next number may count."""
    m, start, ends_range = _LABEL.match(text, word.end()), word.start(), False
    above, shape = "", _label_shape(_label(m)) if m else None
    while m and (_label_shape(_label(m)) == shape or (above and m["row"])):
        label = above + _label(m) if _label_shape(_label(m)) != shape else _label(m)
        above = f"{label.rpartition('.')[0]}." if m["row"] and "." in label else ""
        has_stray_bracket = m.group().endswith(")") and m.group()[0] != "("
        end = m.end() - has_stray_bracket
        yield ListMember(start, end, label, ends_range)
        joined = cues.find_join(text, end)
        repeated_word = _REPEATED_WORD.match(text, joined.end()) if joined else None
        start = joined.end() if joined else end
        m = _LABEL.match(text, repeated_word.end() if repeated_word else start) if joined else None
        ends_range = joined is not None and joined["through"] is not None
        if m and not _is_lettered(m) and not cues.list_may_end(text, m.end("row" if m["row"] else "label")):
            return


def _label(m: re.Match[str]) -> str:
    """Return the labels of an item, outermost first, with full stops between them: a.iv of (a)(iv)."""
    return m["label"] or m["row"][1:-1].replace(")(", ".")


def _is_lettered(m: re.Match[str]) -> bool:
    """Return whether a label is a letter in brackets, which cannot be an amount: (b), (a)(iv)."""
    return m["row"] is not None and m["row"][1].isalpha()


def _label_shape(label: str) -> tuple[bool, int]:
    """Return whether a label is a letter, and its depth; labels of different shapes are not a list."""
    return label[0].isalpha(), label.count(".")


Owner = RuleEntry | SequenceStep


def _find_owner(
    text: str,
    word: re.Match[str],
    members: Sequence[ListMember],
    resolved: Sequence[Reference],
    outlines: Sequence[Outline],
    rule: RuleEntry | None,
    cues: CueWords,
) -> Owner | None:
    """Return the rule or step whose items or steps are counted; None if the words count something else."""
    start, end = word.start(), members[-1].end
    if of := _OF.match(text, end):
        if _OWN.match(text, of.end()):
            return rule if rule and list_items_of(rule) else None
        position = bisect_left(resolved, of.end(), key=_start)
        ahead = resolved[position] if position < len(resolved) else None
        if ahead and (first := ahead.span[0]) - of.end() <= _FARTHEST:
            between = text[of.end() : first]
            if _BETWEEN.fullmatch(between) and (owner := _owner_of(ahead)):
                return owner
        return _owner_by_name(_phrases(text, of.end()), outlines)
    is_lettered = members[0].label[0].isalpha() and text[word.end()] == "("
    if not is_lettered and not cues.list_may_end(text, end):
        return None
    position = bisect_left(resolved, start, key=_start)
    preceding = resolved[position - 1] if position else None
    if (
        preceding
        and preceding.span[1] <= start
        and _GAP_AFTER_REFERENCE.fullmatch(text, preceding.span[1], start)
        and (owner := _owner_of(preceding))
    ):
        return owner
    owner = _owner_by_name(_phrases_before(text, start), outlines)
    if owner and not _is_part_of_name(text, word, members[0].label, owner):
        return owner
    if rule and list_items_of(rule):
        back = text[max(0, start - _LOOK_BACK) : start]
        preceding_words = cues.classify_preceding(back)
        enclosed = back.endswith("(") and text[end : end + 1] == ")"
        cites = preceding_words in (
            PrecedingWords.NAMES,
            PrecedingWords.LISTS,
            PrecedingWords.POINTS,
            PrecedingWords.COUNTS,
        )
        return rule if cites or enclosed or is_lettered else None
    return None


def _is_part_of_name(text: str, word: re.Match[str], label: str, owner: Owner) -> bool:
    """Return whether a word directly after a title is part of a longer name: Supply Points (6.2)."""
    if not text[max(0, word.start() - _LONGEST_SPACE) : word.start()].rstrip()[-1:].isalnum():
        return False
    capital = word[1][0].isupper()
    if text[word.end()] == "(":
        return capital or "." in label
    return capital and isinstance(owner, RuleEntry) and not list_items_of(owner)


def _missing_owner(
    text: str, end: int, resolved: Sequence[Reference], outlines: Sequence[Outline]
) -> Reference | None:
    """Return a fault if the number after "of" is no rule and no other reference; else None."""
    of = _OF.match(text, end)
    number = _NUMBER.match(text, of.end()) if of else None
    if not number:
        return None
    first = bisect_left(resolved, number.start(), key=_start)
    nearby = resolved[max(0, first - 1) : first + 2]
    if overlaps_any([reference.span for reference in nearby], *number.span(1)):
        return None
    home = outlines[0]
    rule_number = home.edition.dialect.parse_number(number[1])
    if rule_number is None or len(rule_number.labels) < 2 or _OTHER.match(text, number.end(1)):
        return None
    if any(rule_of_number(rule_number, outline) for outline in outlines):
        return None
    match = FoundReference(*number.span(1), rule_number, CueStrength.WORD)
    return FaultyReference(match, NOT_FOUND, missing_rule_message(rule_number, outlines))


def _owner_of(reference: Reference) -> Owner | None:
    if isinstance(reference, CitableReference):
        return reference.citable if isinstance(reference.citable, SequenceStep) else None
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


def _owner_by_name(phrases: Iterator[str], outlines: Sequence[Outline]) -> Owner | None:
    """Return the step or the rule with the title that is one of the phrases."""
    for phrase in phrases:
        if not phrase[:1].isupper():
            continue
        name = " ".join(phrase.split()).casefold()
        for outline in outlines:
            step = nearest_step(steps_by_name(outline).get(name, []))
            rules = rules_by_title(outline).get(name, [])
            if step and inner_steps(step, outline):
                return step
            if step and not rules:  # its rule may have steps that the sequence omits
                rules = [
                    entry for see in step.step.see if (entry := outline.find(see)) and list_items_of(entry)
                ]
            if len(rules) == 1:
                return rules[0]
    return None


def _counted_reference(
    match: FoundReference, word: str, label: str, owner: Owner, outlines: Sequence[Outline]
) -> Reference | None:
    """Return the reference to an item or a step of its owner, or its fault; None if that is unclear."""
    if isinstance(owner, SequenceStep):
        steps = inner_steps(owner, next((o for o in outlines if o.edition is owner.edition), outlines[0]))
        step = step_at(steps, label)
        count = plural(len(steps), "step")
        return (
            CitableReference(match, step)
            if step
            else _missing_item(match, word, label, spoken_title(owner), f"it has {count}")
        )
    items = list_items_of(owner) if owner.rule else ()
    is_letter = label[0].isalpha()
    if owner.rule is None or (is_letter and not any(item.labels[0].isalpha() for item in items)):
        return None
    labels = label.casefold().split(".")
    matches = [item for item in items if [*map(str.casefold, item.labels)] == labels]
    if len(matches) > 1:
        message = (
            f"{owner.display_number} has {len(matches)} lists with {word} {label}; name the list in words"
        )
        return FaultyReference(match, UNCLEAR, message)
    if matches:
        return CitableReference(match, matches[0])
    if not items and (int(labels[0]) <= len(owner.children) or _has_numbered_text(owner, word, label)):
        return None
    top = sum(len(item.labels) == 1 for item in items)
    return _missing_item(
        match, word, label, owner.display_number, f"it has {plural(top, word)}" if top else "it has no list"
    )


def _missing_item(
    match: FoundReference, word: str, label: str, owner_name: str, hint: str
) -> FaultyReference:
    label = f"({label.replace('.', ')(')})" if label[0].isalpha() and "." in label else label
    return FaultyReference(match, NO_ITEM, f"no {word} {label} in {quote_short(owner_name)}; {hint}")


def _has_numbered_text(rule: RuleEntry, word: str, label: str) -> bool:
    """Return whether the text of a rule or a descendant has a step with that number: **Step 2:** Roll."""
    begins = rf"(?:(?:\A|\n|\*\*)\W*(?:{word}\s+)?|[.!?:;]\s+\W*{word}\s+)"
    pattern = re.compile(rf"{begins}{label}(?!\w|[.,]\d|\s+of\b)", re.IGNORECASE)
    texts = (
        text
        for entry in rule.iter_subtree()
        if entry.rule
        for text in (entry.rule.title, entry.rule.text)
        if text
    )
    return any(map(pattern.search, texts))
