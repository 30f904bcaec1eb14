"""Citations beside numbers: steps and items by count, pages, and numbers that belong to something else.

"Step 2 of 9.1", "9.1, steps 2 to 3" and, in 9.1 itself, "see step 2" are items of the numbered list in 9.1;
"step 4 of the Combat Phase" is a step of the sequence. "Section 2 of the map" is no section of the book.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from rulewright.book.citable_items import inner_steps, list_items_of, rules_by_title, step_at, steps_by_name
from rulewright.book.library import Edition
from rulewright.book.outline import Outline, RuleEntry
from rulewright.book.sequence import SequenceStep
from rulewright.book.step_names import nearest_step, spoken_title
from rulewright.citations.missing_number_messages import missing_rule_message
from rulewright.citations.name_finder import overlaps_any
from rulewright.citations.reference_resolver import (
    NOT_FOUND,
    UNCLEAR,
    ReferenceResolver,
    ResolvedReference,
    rule_of_number,
)
from rulewright.model.problem_reports import plural
from rulewright.numbers.reference_cues import CueStrength, CueWords, PrecedingWords
from rulewright.numbers.reference_finder import FoundReference
from rulewright.source.lazy_regex import Regex
from rulewright.source.problems import Severity, problem_type, quote_short

NO_ITEM = problem_type(
    "item-not-found",
    """A reference counts a step or an item, step 6 of 9.1, and its rule or phase has none of that number.
    How many it has is told.""",
)
PAGE = problem_type(
    "page-cited",
    """A text cites a page. Pages move when a book is set anew; cite the rule, or name the other book whose
    page it is under `books:`.""",
    Severity.NOTE,
)

_WORD = Regex(r"(?<![\w-])(step|item|point)s?\s+(?:nos?\.\s*|#\s*)?(?=\(?\w)", re.IGNORECASE)
_AGAIN = Regex(r"(?:step|item|point)s?\s+", re.IGNORECASE)
_BRACKETED = r"\((?:\d{1,3}|[A-Za-z]|[ivxlc]{2,6})\)"
_LABEL = Regex(
    rf"(?:(?P<row>{_BRACKETED}(?:{_BRACKETED}){{0,3}})"
    r"|\(?(?P<label>\d{1,3}(?:\.\d{1,2}){0,2}|[A-Za-z])(?!\w|[.:,/]\w)\)?)"
)
_OF = Regex(r"\)?\s+(?:of|in|from|under|within)\s+(?:the\s+)?", re.IGNORECASE)
_NUMBER = Regex(
    r"(?:(?:rule|section|case)\s+|§\s*)?((?=\S*\d)[\w.]*\w(?:\(\w{1,4}\))*)(?![\w/-])", re.IGNORECASE
)
_OWN = Regex(r"(?:this|same)\s+\w", re.IGNORECASE)
_BETWEEN = Regex(
    r"(?:(?:the|rules?|sections?|cases?|chapters?|paragraphs?|articles?|procedure|process|list|sequence|steps|in|of)"
    r"\s+|§\s*|[\w.]{1,12}\s+(?=\S*\Z))*[(\[\"“*_]*",
    re.IGNORECASE,
)
_BEHIND = Regex(r"(?:['’]s)?[)\]*_\"”]*(?:[,:]\s*|[^\S\n]*\n?[^\S\n]*(?<=\s))[(\[]?(?:at\s+|in\s+)?")
_NAME_WORD = Regex(r"[\w'’/&-]+")
_FARTHEST, _MOST_WORDS, _LOOK_BACK, _LONGEST_SPACE = 60, 8, 160, 8

_PAGE = Regex(
    r"(?<![\w-])(?:pages?|pp?\.)[ \xa0]*\n?[ ]*\d{1,3}(?![\w%]|[.:/]\d)"
    r"(?:\s*(?:,|-|–|to|and|or|through)\s*\d{1,3}(?![\w%]|[.:/]\d))*",
    re.IGNORECASE,
)
_LINE_END = Regex(r"[ \t]*(?:\r?\n|\Z)")
_LEADS = Regex(r"(?:\b(?:see|also|on|at|from|to|of|in|and|or|cf\.)|[(\[])\s*\Z", re.IGNORECASE)

_PLACES = (
    r"maps?|map[ -]?sheets?|map[ -]?boards?|boards?|scenarios?|campaigns?|play[ -]?books?|scenario books?"
)
_SHEETS = (
    r"counter[ -]?sheets?|counter[ -]?mix|displays?|charts?|cards?|tracks?|sheets?|play[ -]?aids?|box|boxes|"
    r"screens?"
)
_LAWS = r"acts?|codes?|laws?|treaty|convention|regulations?|ordinance|statutes?|directive|constitution"
_OTHER = Regex(
    r"\)?\s+(?P<of>of|on|from|in)\s+(?:the|a|an|each|every|your|any|its|another|some other)\s+"
    rf"(?:(?:[\w'’-]+\s+){{0,3}}?(?:{_PLACES}|(?P<sheet>{_SHEETS}))"
    rf"|(?:[A-Z][\w'’-]*\s+){{0,4}}?(?i:{_LAWS}))(?![\w-])"
)
_SIGNS = ("number", "numbers", "no.", "nos.", "nr.", "nrs.", "#")
_COUNTS = ("section", "sections", "part", "parts", "case", "cases")
_SHEET = Regex(
    rf"(?<![\w-])(?:{_PLACES}|{_SHEETS}|counters?|examples?)\s+"
    rf"(?:(?:{'|'.join(_COUNTS)})\s*)?(?:(?:{'|'.join(map(re.escape, _SIGNS))})\s*)?\Z",
    re.IGNORECASE,
)


class ListMember(NamedTuple):
    """A number in a list behind "steps": `ends_range` where it ends a range."""

    start: int
    end: int
    label: str
    ends_range: bool = False


def _start(reference: ResolvedReference) -> int:
    return (reference.match.mark_span or reference.match)[0]


def reference_span(reference: ResolvedReference) -> tuple[int, int]:
    """Where a reference stands, a mark with its brackets."""
    return reference.match.mark_span or (reference.match.start, reference.match.end)


def add_step_and_item_references(
    text: str,
    resolved: list[ResolvedReference],
    resolver: ReferenceResolver,
    home: Outline,
    rule: RuleEntry | None,
    external_spans: Sequence[tuple[int, int]] = (),
) -> list[ResolvedReference]:
    """The references of a text, with those to things that are no rules, without numbers of other things.

    `own`: the edition that the text is of. `within`: the rule that it stands in.
    `elsewhere`: where other works are cited.
    """
    title = home.edition.book.title
    if positions := [
        position for position, reference in enumerate(resolved) if _is_other(text, reference, title)
    ]:
        resolved = _of_this_book(text, resolved, positions, home.edition.finder.evidence)
    if ("tep" in text or "tem" in text or "oint" in text) and _WORD.search(text):
        resolved = _with_counted(text, resolved, resolver.with_series(home), rule, external_spans)
    if ("age" in text or "p." in text) and _PAGE.search(text):
        pages = _pages(text, home.edition)
        book_pages = [page for page in pages if not overlaps_any(external_spans, *reference_span(page))]
        resolved = _together(resolved, book_pages)
    return resolved


def _together(
    references: list[ResolvedReference], more: Sequence[ResolvedReference]
) -> list[ResolvedReference]:
    """References with more, which stand in the place of those that they meet."""
    spans = [reference_span(reference) for reference in more]
    remaining = [reference for reference in references if not overlaps_any(spans, *reference_span(reference))]
    return sorted([*remaining, *more], key=lambda reference: reference.match.start) if more else references


# Numbers of other things


def _is_other(text: str, reference: ResolvedReference, title: str) -> bool:
    """Whether a number is one of a map, a card, a scenario or a law, but for a book of this title."""
    start, end, mark = reference.match.start, reference.match.end, reference.match.mark_span
    if mark:
        return False
    if match := _OTHER.match(text, end):
        owner = " ".join(text[match.start("of") :][: len(title) + _FARTHEST].split())
        if owner.casefold().startswith(f"of the {title}".casefold()):
            return False
        # "Section 2 on the map" is one of the map, "12.5 on the map" or "of the charts" may be the book's.
        is_certain = match["of"].lower() == "of" and not match["sheet"]
        return is_certain or reference.number is None or len(reference.number.labels) == 1
    words = text[max(0, start - _FARTHEST) : start].rstrip()
    return words.lower().endswith((*_COUNTS, *_SIGNS)) and _SHEET.search(words) is not None


def _of_this_book(
    text: str, resolved: Sequence[ResolvedReference], positions: Sequence[int], cues: CueWords
) -> list[ResolvedReference]:
    """The references of a text without those of other things, and without those in one list with them."""
    left_out = {*positions}
    for step in (-1, 1):
        for position in positions:
            while 0 <= position + step < len(resolved):
                first, second = sorted((position, position + step))
                if not cues.find_join(text, resolved[first].match.end, resolved[second].match.start):
                    break
                position += step
                left_out.add(position)
    return [reference for position, reference in enumerate(resolved) if position not in left_out]


# Steps and items by count


def _with_counted(
    text: str,
    resolved: list[ResolvedReference],
    outlines: Sequence[Outline],
    rule: RuleEntry | None,
    external_spans: Sequence[tuple[int, int]],
) -> list[ResolvedReference]:
    cues, references, done = outlines[0].edition.finder.evidence, list[ResolvedReference](), 0
    for m in _WORD.finditer(text):
        members = list(_members(text, m, cues)) if m.start() >= done else []
        done = members[-1].end if members else done
        lost = _lost(text, done, resolved, outlines) if members else None
        if lost and not overlaps_any(external_spans, *reference_span(lost)):
            references.append(lost)
        if not members or not (owner := _home(text, m, members, resolved, outlines, rule, cues)):
            continue
        span = m.start(), members[-1].end
        first = max(0, bisect_left(resolved, span[0], key=_start) - 1)
        nearby = resolved[first : bisect_left(resolved, span[1], key=_start)]
        certain = [reference for reference in nearby if reference.target and not reference.fault]
        inside = (
            reference.target
            for reference in certain
            if reference.target and overlaps_any([span], *reference_span(reference))
        )
        if any(owner in rule.self_and_ancestors()[1:] for rule in inside if isinstance(owner, RuleEntry)):
            continue  # the item is a rule of the book
        for member in members:
            at = FoundReference(member.start, member.end, None, CueStrength.WORD, member.ends_range)
            reference = _counted(at, m[1].lower(), member.label, owner, outlines)
            is_rule = "." in member.label and overlaps_any(
                list(map(reference_span, certain)), member.start, member.end
            )
            if reference and not (reference.fault is NO_ITEM and is_rule):
                references.append(reference)
    return _together(resolved, references)


def _members(text: str, word: re.Match[str], cues: CueWords) -> Iterator[ListMember]:
    """The numbers behind "steps": a list goes on as long as no noun follows that a number could count."""
    m, start, ends_range = _LABEL.match(text, word.end()), word.start(), False
    above, shape = "", _sort(_label(m)) if m else None
    while m and (_sort(_label(m)) == shape or (above and m["row"])):
        label = above + _label(m) if _sort(_label(m)) != shape else _label(m)
        above = f"{label.rpartition('.')[0]}." if m["row"] and "." in label else ""
        has_stray_bracket = m.group().endswith(")") and m.group()[0] != "("
        end = m.end() - has_stray_bracket
        yield ListMember(start, end, label, ends_range)
        joined = cues.find_join(text, end)
        repeated_word = _AGAIN.match(text, joined.end()) if joined else None
        start = joined.end() if joined else end
        m = _LABEL.match(text, repeated_word.end() if repeated_word else start) if joined else None
        ends_range = joined is not None and joined["through"] is not None
        if m and not _is_lettered(m) and not cues.list_may_end(text, m.end("row" if m["row"] else "label")):
            return


def _label(m: re.Match[str]) -> str:
    """Return the labels of an item from the outermost on, with full stops between them: a.iv of (a)(iv)."""
    return m["label"] or m["row"][1:-1].replace(")(", ".")


def _is_lettered(m: re.Match[str]) -> bool:
    """Return whether a label is a letter in brackets, which counts nothing: (b), (a)(iv)."""
    return m["row"] is not None and m["row"][1].isalpha()


def _sort(label: str) -> tuple[bool, int]:
    """Whether a label is a number, and how deep it lies: step 2 and 9.1 are no list."""
    return label[0].isalpha(), label.count(".")


Home = RuleEntry | SequenceStep


def _home(
    text: str,
    word: re.Match[str],
    members: Sequence[ListMember],
    resolved: Sequence[ResolvedReference],
    outlines: Sequence[Outline],
    rule: RuleEntry | None,
    cues: CueWords,
) -> Home | None:
    """The rule or the step whose items or steps are counted; None where the words count something else."""
    start, end = word.start(), members[-1].end
    if of := _OF.match(text, end):
        if _OWN.match(text, of.end()):
            return rule if rule and list_items_of(rule) else None
        position = bisect_left(resolved, of.end(), key=_start)
        ahead = resolved[position] if position < len(resolved) else None
        if ahead and (first := reference_span(ahead)[0]) - of.end() <= _FARTHEST:
            between = text[of.end() : first]
            if _BETWEEN.fullmatch(between) and (owner := _led_to(ahead)):
                return owner
        return _named(_phrases(text, of.end()), outlines)
    lettered = members[0].label[0].isalpha() and text[word.end()] == "("
    if not lettered and not cues.list_may_end(text, end):
        return None
    position = bisect_left(resolved, start, key=_start)
    preceding = resolved[position - 1] if position else None
    if (
        preceding
        and reference_span(preceding)[1] <= start
        and _BEHIND.fullmatch(text, reference_span(preceding)[1], start)
        and (owner := _led_to(preceding))
    ):
        return owner
    owner = _named(_phrases_before(text, start), outlines)
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
        return rule if cites or enclosed or lettered else None
    return None


def _is_part_of_name(text: str, word: re.Match[str], label: str, owner: Home) -> bool:
    """Return whether a word directly after a title is part of a longer name: Supply Points (6.2)."""
    if not text[max(0, word.start() - _LONGEST_SPACE) : word.start()].rstrip()[-1:].isalnum():
        return False
    capital = word[1][0].isupper()
    if text[word.end()] == "(":
        return capital or "." in label
    return capital and isinstance(owner, RuleEntry) and not list_items_of(owner)


def _lost(
    text: str, end: int, resolved: Sequence[ResolvedReference], outlines: Sequence[Outline]
) -> ResolvedReference | None:
    """The number that the steps are said to be of, where no rule has it and nothing else cues it."""
    of = _OF.match(text, end)
    number = _NUMBER.match(text, of.end()) if of else None
    if not number or overlaps_any(
        [reference_span(reference) for reference in _near(resolved, number.start())], *number.span(1)
    ):
        return None
    home = outlines[0]
    rule_number = home.edition.dialect.parse_number(number[1])
    if rule_number is None or len(rule_number.labels) < 2 or _OTHER.match(text, number.end(1)):
        return None
    if any(rule_of_number(rule_number, outline) for outline in outlines):
        return None
    match = FoundReference(*number.span(1), rule_number, CueStrength.WORD)
    return ResolvedReference(
        match, None, rule_number, fault=NOT_FOUND, message=missing_rule_message(rule_number, outlines)
    )


def _near(resolved: Sequence[ResolvedReference], offset: int) -> Sequence[ResolvedReference]:
    """The references that stand before and at a spot, of those that may meet it."""
    first = bisect_left(resolved, offset, key=_start)
    return resolved[max(0, first - 1) : first + 2]


def _led_to(reference: ResolvedReference) -> Home | None:
    if reference.fault:
        return None
    return reference.citable if isinstance(reference.citable, SequenceStep) else reference.target


def _phrases(text: str, start: int) -> Iterator[str]:
    """The words from a spot on, the most first."""
    ends: list[int] = []
    end = start = start + len(text[start : start + 3]) - len(text[start : start + 3].lstrip("\"“'‘*_"))
    while len(ends) < _MOST_WORDS and (m := _NAME_WORD.match(text, end)):
        ends.append(m.end())
        end = m.end() + (text[m.end() : m.end() + 1].isspace())
    return (text[start:end] for end in reversed(ends))


def _phrases_before(text: str, end: int) -> Iterator[str]:
    """The words up to a spot, the most first, without the comma or the bracket behind them."""
    back = text[max(0, end - 2 * _FARTHEST) : end].rstrip("( \t\n\xa0").removesuffix(",")
    words = re.split(r"(?<=\s)(?=\S)|(?<=[(\[“\"])", re.split(r"[.;:!?]\s", back)[-1])
    for first in range(max(0, len(words) - _MOST_WORDS), len(words)):
        yield "".join(words[first:])


def _named(phrases: Iterator[str], outlines: Sequence[Outline]) -> Home | None:
    """The step, or the rule with such a title, that one of some phrases names."""
    for phrase in phrases:
        if not phrase[:1].isupper():
            continue
        name = " ".join(phrase.split()).casefold()
        for outline in outlines:
            step = nearest_step(steps_by_name(outline).get(name, []))
            rules = rules_by_title(outline).get(name, [])
            if step and inner_steps(step, outline):
                return step
            if step and not rules:  # its rule may have the steps that the sequence leaves out
                rules = [
                    entry for see in step.step.see if (entry := outline.find(see)) and list_items_of(entry)
                ]
            if len(rules) == 1:
                return rules[0]
    return None


def _counted(
    match: FoundReference, word: str, label: str, owner: Home, outlines: Sequence[Outline]
) -> ResolvedReference | None:
    """The item or the step of a number in its home, or that there is none; None where that can't be told."""
    if isinstance(owner, SequenceStep):
        steps = inner_steps(owner, next((o for o in outlines if o.edition is owner.edition), outlines[0]))
        step = step_at(steps, label)
        count = plural(len(steps), "step")
        return (
            ResolvedReference(match, citable=step)
            if step
            else _none(match, word, label, spoken_title(owner), f"it has {count}")
        )
    items = list_items_of(owner) if owner.rule else ()
    is_letter = label[0].isalpha()
    if owner.rule is None or (is_letter and not any(item.labels[0].isalpha() for item in items)):
        return None
    labels = label.casefold().split(".")
    matches = [item for item in items if [*map(str.casefold, item.labels)] == labels]
    if len(matches) > 1:
        message = f"{owner.display_number} has {len(matches)} lists with {word} {label}; say in words which is meant"
        return ResolvedReference(match, fault=UNCLEAR, message=message)
    if matches:
        return ResolvedReference(match, citable=matches[0])
    if not items and (int(labels[0]) <= len(owner.children) or _says(owner, word, label)):
        return None
    top = sum(len(item.labels) == 1 for item in items)
    return _none(
        match, word, label, owner.display_number, f"it has {plural(top, word)}" if top else "it has no list"
    )


def _none(match: FoundReference, word: str, label: str, owner_name: str, hint: str) -> ResolvedReference:
    label = f"({label.replace('.', ')(')})" if label[0].isalpha() and "." in label else label
    return ResolvedReference(
        match, fault=NO_ITEM, message=f"no {word} {label} in {quote_short(owner_name)}; {hint}"
    )


def _says(rule: RuleEntry, word: str, label: str) -> bool:
    """Whether the words of a rule, or of one inside it, call something by that number: **Step 2:** Roll."""
    begins = rf"(?:(?:\A|\n|\*\*)\W*(?:{word}\s+)?|[.!?:;]\s+\W*{word}\s+)"
    pattern = re.compile(rf"{begins}{label}(?!\w|[.,]\d|\s+of\b)", re.IGNORECASE)
    texts = (
        text
        for rule in rule.iter_subtree()
        if rule.rule
        for text in (rule.rule.title, rule.rule.text)
        if text
    )
    return any(map(pattern.search, texts))


# Pages


def _pages(text: str, edition: Edition) -> Iterator[ResolvedReference]:
    """The pages that a text cites, which nothing can follow."""
    declared = (*edition.book.not_references, *edition.edition_file.not_references)
    never = {" ".join(text.replace("#", "").split()).casefold() for text in declared if "#" in text}
    for m in _PAGE.finditer(text):
        if _LINE_END.match(text, m.end()) and not _LEADS.search(text[max(0, m.start() - 12) : m.start()]):
            continue  # the foot of a page in a text that was taken from one
        if re.split(r"[\s\d]", m.group(), maxsplit=1)[0].casefold() not in never:
            message = (
                f"{quote_short(m.group())}: pages move when the book is set anew; cite the rule that is there"
            )
            yield ResolvedReference(
                FoundReference(*m.span(), None, CueStrength.WORD), fault=PAGE, message=message
            )
