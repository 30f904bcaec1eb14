"""Citations beside numbers: steps and items by count, pages, and numbers that belong to something else.

"Step 2 of 9.1", "9.1, steps 2 to 3" and, in 9.1 itself, "see step 2" are items of the numbered list in 9.1;
"step 4 of the Combat Phase" is a step of the sequence. "Section 2 of the map" is no section of the book.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from rulewright.book.cited_things import items_of, rules_by_title, step_at, steps_by_name, steps_in
from rulewright.book.library import Edition
from rulewright.book.outline import Entry, Outline
from rulewright.book.sequence import StepEntry
from rulewright.book.step_names import one_of, title_of
from rulewright.citations.missing import missing
from rulewright.citations.names import meets
from rulewright.citations.resolving import NOT_FOUND, UNCLEAR, Books, Resolved, rule_of
from rulewright.model.reports import several
from rulewright.numbers.evidence import Before, Cue, Evidence
from rulewright.numbers.finder import Found
from rulewright.source.patterns import Regex
from rulewright.source.problems import Severity, kind, shown

NO_ITEM = kind(
    "item-not-found",
    """A reference counts a step or an item, step 6 of 9.1, and its rule or phase has none of that number.
    How many it has is told.""",
)
PAGE = kind(
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


class Member(NamedTuple):
    """A number in a list behind "steps": `through` where it ends a range."""

    start: int
    end: int
    label: str
    through: bool = False


def _start(one: Resolved) -> int:
    return (one.found.mark or one.found)[0]


def span_of(one: Resolved) -> tuple[int, int]:
    """Where a reference stands, a mark with its brackets."""
    return one.found.mark or (one.found.start, one.found.end)


def with_things(
    text: str,
    resolved: list[Resolved],
    books: Books,
    own: Outline,
    within: Entry | None,
    elsewhere: Sequence[tuple[int, int]] = (),
) -> list[Resolved]:
    """The references of a text, with those to things that are no rules, without numbers of other things.

    `own`: the edition that the text is of. `within`: the rule that it stands in.
    `elsewhere`: where other works are cited.
    """
    title = own.edition.book.title
    if others := [at for at, one in enumerate(resolved) if _is_other(text, one, title)]:
        resolved = _of_this_book(text, resolved, others, own.edition.finder.evidence)
    if ("tep" in text or "tem" in text or "oint" in text) and _WORD.search(text):
        resolved = _with_counted(text, resolved, books.around(own), within, elsewhere)
    if ("age" in text or "p." in text) and _PAGE.search(text):
        pages = _pages(text, own.edition)
        told = [one for one in pages if not meets(elsewhere, *span_of(one))]
        resolved = _together(resolved, told)
    return resolved


def _together(own: list[Resolved], more: Sequence[Resolved]) -> list[Resolved]:
    """References with more, which stand in the place of those that they meet."""
    spans = [span_of(one) for one in more]
    kept = [one for one in own if not meets(spans, *span_of(one))]
    return sorted([*kept, *more], key=lambda one: one.found.start) if more else own


# Numbers of other things


def _is_other(text: str, one: Resolved, title: str) -> bool:
    """Whether a number is one of a map, a card, a scenario or a law, but for a book of this title."""
    start, end, mark = one.found.start, one.found.end, one.found.mark
    if mark:
        return False
    if said := _OTHER.match(text, end):
        named = " ".join(text[said.start("of") :][: len(title) + _FARTHEST].split())
        if named.casefold().startswith(f"of the {title}".casefold()):
            return False
        # "Section 2 on the map" is one of the map, "12.5 on the map" or "of the charts" may be the book's.
        sure = said["of"].lower() == "of" and not said["sheet"]
        return sure or one.number is None or len(one.number.labels) == 1
    words = text[max(0, start - _FARTHEST) : start].rstrip()
    return words.lower().endswith((*_COUNTS, *_SIGNS)) and _SHEET.search(words) is not None


def _of_this_book(
    text: str, resolved: Sequence[Resolved], others: Sequence[int], evidence: Evidence
) -> list[Resolved]:
    """The references of a text without those of other things, and without those in one list with them."""
    left_out = {*others}
    for step in (-1, 1):
        for at in others:
            while 0 <= at + step < len(resolved):
                first, second = sorted((at, at + step))
                if not evidence.joined(text, resolved[first].found.end, resolved[second].found.start):
                    break
                at += step
                left_out.add(at)
    return [one for at, one in enumerate(resolved) if at not in left_out]


# Steps and items by count


def _with_counted(
    text: str,
    resolved: list[Resolved],
    outlines: Sequence[Outline],
    within: Entry | None,
    elsewhere: Sequence[tuple[int, int]],
) -> list[Resolved]:
    evidence, found, done = outlines[0].edition.finder.evidence, list[Resolved](), 0
    for m in _WORD.finditer(text):
        members = list(_members(text, m, evidence)) if m.start() >= done else []
        done = members[-1].end if members else done
        lost = _lost(text, done, resolved, outlines) if members else None
        if lost and not meets(elsewhere, *span_of(lost)):
            found.append(lost)
        if not members or not (home := _home(text, m, members, resolved, outlines, within, evidence)):
            continue
        span = m.start(), members[-1].end
        first = max(0, bisect_left(resolved, span[0], key=_start) - 1)
        read = resolved[first : bisect_left(resolved, span[1], key=_start)]
        sure = [one for one in read if one.target and not one.fault]
        inside = (one.target for one in sure if one.target and meets([span], *span_of(one)))
        if any(home in one.around()[1:] for one in inside if isinstance(home, Entry)):
            continue  # the item is a rule of the book
        for one in members:
            at = Found(one.start, one.end, None, Cue.WORD, one.through)
            made = _counted(at, m[1].lower(), one.label, home, outlines)
            is_rule = "." in one.label and meets(list(map(span_of, sure)), one.start, one.end)
            if made and not (made.fault is NO_ITEM and is_rule):
                found.append(made)
    return _together(resolved, found)


def _members(text: str, word: re.Match[str], evidence: Evidence) -> Iterator[Member]:
    """The numbers behind "steps": a list goes on as long as no noun follows that a number could count."""
    m, start, through = _LABEL.match(text, word.end()), word.start(), False
    above, sort = "", _sort(_label(m)) if m else None
    while m and (_sort(_label(m)) == sort or (above and m["row"])):
        label = above + _label(m) if _sort(_label(m)) != sort else _label(m)
        above = f"{label.rpartition('.')[0]}." if m["row"] and "." in label else ""
        stray = m.group().endswith(")") and m.group()[0] != "("
        end = m.end() - stray
        yield Member(start, end, label, through)
        joined = evidence.joined(text, end)
        again = _AGAIN.match(text, joined.end()) if joined else None
        start = joined.end() if joined else end
        m = _LABEL.match(text, again.end() if again else start) if joined else None
        through = joined is not None and joined["through"] is not None
        if (
            m
            and not _is_lettered(m)
            and not evidence.listed_after(text, m.end("row" if m["row"] else "label"))
        ):
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


Home = Entry | StepEntry


def _home(
    text: str,
    word: re.Match[str],
    members: Sequence[Member],
    resolved: Sequence[Resolved],
    outlines: Sequence[Outline],
    within: Entry | None,
    evidence: Evidence,
) -> Home | None:
    """The rule or the step whose items or steps are counted; None where the words count something else."""
    start, end = word.start(), members[-1].end
    if of := _OF.match(text, end):
        if _OWN.match(text, of.end()):
            return within if within and items_of(within) else None
        at = bisect_left(resolved, of.end(), key=_start)
        ahead = resolved[at] if at < len(resolved) else None
        if ahead and (first := span_of(ahead)[0]) - of.end() <= _FARTHEST:
            between = text[of.end() : first]
            if _BETWEEN.fullmatch(between) and (home := _led_to(ahead)):
                return home
        return _named(_phrases(text, of.end()), outlines)
    lettered = members[0].label[0].isalpha() and text[word.end()] == "("
    if not lettered and not evidence.listed_after(text, end):
        return None
    at = bisect_left(resolved, start, key=_start)
    behind = resolved[at - 1] if at else None
    if (
        behind
        and span_of(behind)[1] <= start
        and _BEHIND.fullmatch(text, span_of(behind)[1], start)
        and (home := _led_to(behind))
    ):
        return home
    home = _named(_phrases_before(text, start), outlines)
    if home and not _is_part_of_name(text, word, members[0].label, home):
        return home
    if within and items_of(within):
        back = text[max(0, start - _LOOK_BACK) : start]
        said = evidence.before(back)
        enclosed = back.endswith("(") and text[end : end + 1] == ")"
        cites = said in (Before.NAMES, Before.LISTS, Before.POINTS, Before.COUNTS)
        return within if cites or enclosed or lettered else None
    return None


def _is_part_of_name(text: str, word: re.Match[str], label: str, home: Home) -> bool:
    """Return whether a word directly after a title is part of a longer name: Supply Points (6.2)."""
    if not text[max(0, word.start() - _LONGEST_SPACE) : word.start()].rstrip()[-1:].isalnum():
        return False
    capital = word[1][0].isupper()
    if text[word.end()] == "(":
        return capital or "." in label
    return capital and isinstance(home, Entry) and not items_of(home)


def _lost(text: str, end: int, resolved: Sequence[Resolved], outlines: Sequence[Outline]) -> Resolved | None:
    """The number that the steps are said to be of, where no rule has it and nothing else cues it."""
    of = _OF.match(text, end)
    number = _NUMBER.match(text, of.end()) if of else None
    if not number or meets([span_of(one) for one in _near(resolved, number.start())], *number.span(1)):
        return None
    own = outlines[0]
    read = own.edition.dialect.parse(number[1])
    if read is None or len(read.labels) < 2 or _OTHER.match(text, number.end(1)):
        return None
    if any(rule_of(read, one) for one in outlines):
        return None
    at = Found(*number.span(1), read, Cue.WORD)
    return Resolved(at, None, read, fault=NOT_FOUND, message=missing(read, outlines))


def _near(resolved: Sequence[Resolved], at: int) -> Sequence[Resolved]:
    """The references that stand before and at a spot, of those that may meet it."""
    first = bisect_left(resolved, at, key=_start)
    return resolved[max(0, first - 1) : first + 2]


def _led_to(one: Resolved) -> Home | None:
    if one.fault:
        return None
    return one.thing if isinstance(one.thing, StepEntry) else one.target


def _phrases(text: str, at: int) -> Iterator[str]:
    """The words from a spot on, the most first."""
    ends: list[int] = []
    end = at = at + len(text[at : at + 3]) - len(text[at : at + 3].lstrip("\"“'‘*_"))
    while len(ends) < _MOST_WORDS and (m := _NAME_WORD.match(text, end)):
        ends.append(m.end())
        end = m.end() + (text[m.end() : m.end() + 1].isspace())
    return (text[at:end] for end in reversed(ends))


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
            step = one_of(steps_by_name(outline).get(name, []))
            rules = rules_by_title(outline).get(name, [])
            if step and steps_in(step, outline):
                return step
            if step and not rules:  # its rule may have the steps that the sequence leaves out
                rules = [entry for see in step.step.see if (entry := outline.find(see)) and items_of(entry)]
            if len(rules) == 1:
                return rules[0]
    return None


def _counted(at: Found, word: str, label: str, home: Home, outlines: Sequence[Outline]) -> Resolved | None:
    """The item or the step of a number in its home, or that there is none; None where that can't be told."""
    if isinstance(home, StepEntry):
        steps = steps_in(home, next((o for o in outlines if o.edition is home.edition), outlines[0]))
        step = step_at(steps, label)
        there = several(len(steps), "step")
        return Resolved(at, thing=step) if step else _none(at, word, label, title_of(home), f"it has {there}")
    items = items_of(home) if home.rule else ()
    is_letter = label[0].isalpha()
    if home.rule is None or (is_letter and not any(one.labels[0].isalpha() for one in items)):
        return None
    labels = label.casefold().split(".")
    found = [one for one in items if [*map(str.casefold, one.labels)] == labels]
    if len(found) > 1:
        message = f"{home.shown} has {len(found)} lists with {word} {label}; say in words which is meant"
        return Resolved(at, fault=UNCLEAR, message=message)
    if found:
        return Resolved(at, thing=found[0])
    if not items and (int(labels[0]) <= len(home.children) or _says(home, word, label)):
        return None
    top = sum(len(one.labels) == 1 for one in items)
    return _none(at, word, label, home.shown, f"it has {several(top, word)}" if top else "it has no list")


def _none(at: Found, word: str, label: str, where: str, there: str) -> Resolved:
    label = f"({label.replace('.', ')(')})" if label[0].isalpha() and "." in label else label
    return Resolved(at, fault=NO_ITEM, message=f"no {word} {label} in {shown(where)}; {there}")


def _says(home: Entry, word: str, label: str) -> bool:
    """Whether the words of a rule, or of one inside it, call something by that number: **Step 2:** Roll."""
    begins = rf"(?:(?:\A|\n|\*\*)\W*(?:{word}\s+)?|[.!?:;]\s+\W*{word}\s+)"
    said = re.compile(rf"{begins}{label}(?!\w|[.,]\d|\s+of\b)", re.IGNORECASE)
    texts = (text for one in home.walk() if one.rule for text in (one.rule.title, one.rule.text) if text)
    return any(map(said.search, texts))


# Pages


def _pages(text: str, edition: Edition) -> Iterator[Resolved]:
    """The pages that a text cites, which nothing can follow."""
    declared = (*edition.book.not_references, *edition.file.not_references)
    never = {" ".join(one.replace("#", "").split()).casefold() for one in declared if "#" in one}
    for m in _PAGE.finditer(text):
        if _LINE_END.match(text, m.end()) and not _LEADS.search(text[max(0, m.start() - 12) : m.start()]):
            continue  # the foot of a page in a text that was taken from one
        if re.split(r"[\s\d]", m.group(), maxsplit=1)[0].casefold() not in never:
            message = f"{shown(m.group())}: pages move when the book is set anew; cite the rule that is there"
            yield Resolved(Found(*m.span(), None, Cue.WORD), fault=PAGE, message=message)
