"""Checks of references: each has a target, and agrees with it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise

from rulewright.book.aid_plan import AidSheet
from rulewright.book.library import Edition
from rulewright.book.outline import Outline, RuleEntry
from rulewright.book.related_outlines import book_names, find_outline, marked_edition
from rulewright.checks.check_visitor import LoadedProject, Problems, Scope, check
from rulewright.compare.successor_rules import missing_number_message
from rulewright.files.content_folder import CONTENT
from rulewright.files.invisible_characters import (
    UNSEEN,
    cleaned,
    first_invisible,
    invisible_character_message,
)
from rulewright.files.located_text import LocatedText
from rulewright.files.problems import Problem, Severity, did_you_mean, problem_type, quote_short
from rulewright.numbering.reference_finder import unclosed_marks
from rulewright.references.citable_items import rules_by_title
from rulewright.references.content_page import ContentPage
from rulewright.references.edition_texts import term_texts
from rulewright.references.external_works import is_url
from rulewright.references.glossary import Glossary
from rulewright.references.previous_edition import book_editions
from rulewright.references.reference_index import TextReferences
from rulewright.references.reference_problems import TO_RETIRED, reference_problems, retired_problems
from rulewright.references.reference_resolver import (
    BOOK_NOT_FOUND,
    MISWRITTEN,
    NOT_A_NUMBER,
    NOT_FOUND,
    NOT_THERE,
    UNCLEAR,
    UNREADABLE,
)
from rulewright.references.reference_types import FaultyReference, Reference, RuleReference
from rulewright.schema.rulebook import Rulebook
from rulewright.schema.text_document import TextParagraph
from rulewright.schema.yaml_fields import texts_with_flag

NOT_CLOSED = problem_type(
    "mark-not-closed", "A mark `[[…` is not closed with `]]`, so that it is not a reference."
)
NOT_YET = problem_type(
    "not-yet-in-force",
    "A date is in the future. Until then an edition is not the newest, and an erratum only announced.",
    Severity.NOTE,
)
LINK = problem_type(
    "link-in-text",
    """Texts of a book support no links, so that a link is shown as written. Cite the rule by its number,
    which becomes a link, or write the link on a page.""",
    Severity.WARNING,
)
TABLE = problem_type(
    "table-in-text",
    """Texts of a book support no tables drawn with |, so that their lines run together. Write a file in
    `tables/`; `![Its title](../tables/its-file.yml)` shows it in the text.""",
    Severity.WARNING,
)
LIST = problem_type(
    "list-in-words",
    """Lines of a paragraph begin with labels such as 1.) and 2.), or with a bullet without a space after it.
    They are not a list, so that they run together. Write lists with 1. or 1), a. or (a), - or •, and a space
    after the label.""",
    Severity.NOTE,
)
TITLE = problem_type(
    "title-disagrees",
    """The words beside a number are the title of another rule than the number leads to.""",
    Severity.NOTE,
)
NO_EDITION = problem_type(
    "edition-not-found", "An edition follows an edition that this book does not have here."
)
NO_CHAPTERS = problem_type(
    "no-chapters",
    "An edition has references, and neither chapters, each a file in its `rules/`, nor a list of numbers.",
)

FAULTS_OF_PLACES = (NOT_FOUND, NOT_THERE, BOOK_NOT_FOUND, TO_RETIRED)
FAULTS_OF_WORDS = (NOT_A_NUMBER, UNREADABLE, UNCLEAR, MISWRITTEN)
"""Types of problems of references in texts, terms, overrides and content pages."""

_LINK = re.compile(r"(?<![!\\])\[[^\[\]\n]+\]\((?:#|(?![\d.]*\))[^\s()./:]*[./:])[^\s()]{0,500}\)")
"""Words in brackets before a number in parentheses are no link."""
_SMALL = r"(?:(?:of|the|and|in|to|for|by|or|a|an|on|from|with)\s)*"
_NAME = rf"((?!(?:See|Per)\s)[A-Z][\w'’-]*(?:\s{_SMALL}[A-Z][\w'’-]*){{1,7}})"
_BEFORE = re.compile(
    rf"(?:\A|[.;:(]\s*|\b[Ss]ee\s|\b[Pp]er\s)[\"“*_]*{_NAME}[*_\"”]*\s*\((?:[a-z]+\s)?[§]?\s?\Z"
)
_AFTER = re.compile(rf"[*_]*[,:]?\s[(\"“*_]*{_NAME}(?![\w-])")
_MAX_DISTANCE = 90
_ITEM = re.compile(
    r"^[ ]*(?P<sign>\(?(?P<count>\d{1,3}|[a-z])[.):]{1,2}(?!\d)|\[\d{1,3}\](?!\])|[\u2460-\u2473•◦▪—])",
    re.MULTILINE,
)
_TABLE = re.compile(r"^[ ]*\|?[^\n|]*\|[^\n]*\n[ ]*(?=[^\n]*\|)(?=[^\n]*-)\|?[ :|-]{3,}$", re.MULTILINE)


@check(TextReferences, *FAULTS_OF_PLACES, *FAULTS_OF_WORDS)
def check_references(citation: TextReferences, scope: Scope) -> Problems:
    """Report references without a target or to retired rules, invalid ranges and contradictory marks."""
    text, resolved = citation.text, citation.resolved
    yield from explained_problems(reference_problems(resolved, text), scope.project)
    if not (isinstance(citation.source, RuleEntry) and citation.source.retired):
        yield from retired_problems(resolved, text)
    if citation.is_see_key:
        yield from only_number_problems(text, resolved, scope.outline)


@check(LoadedProject)
def check_faults_of_loading(project: LoadedProject, _: object) -> Problems:
    """Report changed targets of recorded references, and errata and redirects without a target."""
    yield from project.stale_references.problems
    for problem in (*project.errata_faults, *project.redirect_faults):
        if not project.unreadable.hides(problem.place.file):
            yield problem


@check(ContentPage)
def check_page_references(page: ContentPage, project: LoadedProject) -> Problems:
    """Report faults of reading a content page, and those of its references."""
    problems = reference_problems(page.resolved, page.text, page.name)
    yield from explained_problems((*page.problems, *problems), project)
    yield from retired_problems(page.resolved, page.text)


def explained_problems(problems: Iterable[Problem], project: LoadedProject) -> Problems:
    """Yield the problems of references whose cause is not reported elsewhere, with what a rule is now."""
    library, unreadable, index = project.library, project.unreadable, project.index
    for problem in problems:
        book, _, key = problem.subject.rpartition(":")
        edition = library.edition_of(problem.place.file)
        target = library.find_edition(book) or edition
        if problem.code == BOOK_NOT_FOUND.code and unreadable.lacks_books:
            continue
        if problem.code == NOT_FOUND.code:
            editions = [target] if book and target else edition.with_series if edition else ()
            is_unknown = any(searched.address in unreadable.without_numbers for searched in editions)
            if (
                is_unknown
                or problem.place in project.stale_places
                or (not book and edition and lacks_chapters(edition, project))
            ):
                continue
            outline = find_outline(book or "/".join(problem.place.file.split("/")[1:3]), index.outlines)
            message = missing_number_message(key, outline, project.counterparts) if outline else ""
            problem = replace(problem, message=message) if message else problem
        yield problem


@check(Outline, NO_CHAPTERS)
def check_chapters(outline: Outline, scope: Scope) -> Problems:
    """Report an edition without chapters whose texts have references."""
    if not lacks_chapters(outline.edition, scope.project):
        return
    resolved = [*(reference for citation in scope.references.citations for reference in citation.resolved)]
    for page in scope.project.manuscripts:
        resolved += page.resolved if page.edition is outline.edition else ()
    faulty = (reference for reference in resolved if isinstance(reference, FaultyReference))
    if any(reference.fault is NOT_FOUND and not reference.match.book for reference in faulty):
        name = outline.edition.edition_file.edition
        message = "this edition has no chapters, so no reference of it leads anywhere; write "
        message += f"{CONTENT}/{outline.edition.address}/rules/1-….yml"
        yield NO_CHAPTERS.problem(name, message, name.file.name)


def lacks_chapters(edition: Edition, project: LoadedProject) -> bool:
    """Return whether an edition has no chapters, no listed numbers and no series, nor a faulty file."""
    has_numbers = edition.base or edition.chapters or edition.known
    return not has_numbers and edition.address not in project.unreadable.editions


@check(TextReferences, TITLE)
def check_cited_titles(citation: TextReferences, scope: Scope) -> Problems:
    """Report numbers beside the title of another rule: 12.2.3 Hit Probability."""
    text, titles = citation.text, rules_by_title(scope.outline)
    references = [reference for reference in citation.resolved if isinstance(reference, RuleReference)]
    cited = {reference.target for reference in references}
    for reference in references:
        match, target = reference.match, reference.target
        if match.mark_span:
            continue
        before = _BEFORE.search(text, max(0, match.start - _MAX_DISTANCE), match.start)
        after = _AFTER.match(text, match.end)
        for title in filter(None, (before and before[1], after and after[1])):
            name = " ".join(title.split())
            rules = titles.get(name.casefold(), [])
            other_rules = [rule for rule in rules if str(rule.title) == name and rule not in cited]
            is_related = any(
                target in rule.self_and_ancestors() or rule in target.self_and_ancestors() for rule in rules
            )
            terms = (word for term, keys in scope.book.terms.items() for word in (term, *keys.aliases))
            if other_rules and not is_related and name.casefold() not in map(str.casefold, terms):
                message = f"{quote_short(name)} is the title of {other_rules[0].display_number}, not of "
                message += f"{target.display_number}; correct the number or the title"
                yield TITLE.problem(text.location_of(match.start), message, reference.about(text))


@check(LocatedText, LIST)
def check_unmarked_lists(text: LocatedText, scope: Scope) -> Problems:
    """Report several lines that look like list items but form one paragraph."""
    items = list(_ITEM.finditer(text)) if "\n" in text else []
    for block in scope.index.document(text).blocks if items[1:] else ():
        if isinstance(block, TextParagraph):
            inside = [item for item in items if block.start <= item.start("sign") < block.end]
            firsts = (item for item, other in pairwise(inside) if _is_next_item(item, other, text))
            if first := next(firsts, None):
                message = "these lines look like a list and run together; "
                message += "write 1. or 1), a. or (a), - or • and a space in front of each"
                yield LIST.problem(text.location_of(first.start("sign")), message)


def _is_next_item(item: re.Match[str], other: re.Match[str], text: str) -> bool:
    """Return whether two labels are in adjacent lines and count, or are the same bullet."""
    first, second = (m["count"] or m["sign"].strip("[]") for m in (item, other))
    is_same_bullet = first == second and not first.isalnum()
    is_adjacent = text.count("\n", item.start(), other.start("sign")) == 1
    return is_adjacent and (is_same_bullet or _ordinal(second) == _ordinal(first) + 1)


def _ordinal(sign: str) -> int:
    return int(sign) if sign.isdecimal() else ord(sign[0])


@check(LocatedText, TABLE, LINK, NOT_CLOSED)
def check_unsupported_markup(text: LocatedText, _: Scope) -> Problems:
    """Report tables, links and unclosed marks, which are shown as they are written."""
    for m in _TABLE.finditer(text) if "|" in text else ():
        message = "a text has no tables, so that the lines of this one run together; "
        message += "make a file of it in tables/ and write ![Its title](../tables/its-file.yml) here"
        yield TABLE.problem(text.location_of(m.start()), message)
    for m in _LINK.finditer(text) if "](" in text else ():
        message = "a text has no links, so this is shown as it is written; "
        message += "cite a rule by its number, or write it on a page"
        yield LINK.problem(text.location_of(m.start()), message)
    for offset, mark in unclosed_marks(text) if "[[" in text else ():
        message = f"the mark {quote_short(mark)} is never closed; write {quote_short(mark)}]]"
        yield NOT_CLOSED.problem(text.location_of(offset), message)


@check(Outline)
def check_term_rules(outline: Outline, scope: Scope) -> Problems:
    """Report terms whose rule is not in the newest edition, or was in none of the others."""
    for _, text, is_see_key, home in term_texts(outline, scope.index.outlines):
        if not home or not outline.edition.has_written(text):
            continue
        resolved = scope.index.references(text, outline.edition)
        problems = explained_problems(reference_problems(resolved, text), scope.project)
        for problem in problems:
            if home is outline or problem.code == NOT_THERE.code:
                yield problem
        if home is outline and is_see_key:
            yield from only_number_problems(text, resolved, outline)


@check(LocatedText, UNSEEN)
def check_invisible_characters(text: LocatedText, scope: Scope) -> Problems:
    """Report invisible characters in the words of a text that name a term or a step."""
    source = scope.source
    if text.isascii() or not first_invisible(text) or source is None or isinstance(source, AidSheet):
        return
    for match in Glossary(scope.outline, scope.index).find(scope.index.document(text), source):
        words = text[match.start : match.end]
        if invisible := first_invisible(words):
            place = text.location_of(match.start + invisible[0])
            yield UNSEEN.problem(place, invisible_character_message(invisible[1], words), cleaned(words))


def only_number_problems(text: LocatedText, resolved: Sequence[Reference], outline: Outline) -> Problems:
    """Report words that are no rule number where only numbers are allowed."""
    matches = [reference.match for reference in resolved]
    if word := outline.edition.finder.uncited_list_rest(text, matches):
        message = f"{quote_short(word.group())} is no rule number; only numbers belong here"
        yield NOT_A_NUMBER.problem(text.location_of(word.start()), message, word.group())


@check(Rulebook)
def check_external_works(book: Rulebook, scope: Scope) -> Problems:
    """Report other works whose `leads to` is neither a book here nor a URL."""
    for name, work in book.books.items():
        to, outlines = work.leads_to, scope.index.outlines
        if not to or not scope.edition.has_written(to) or is_url(to):
            continue
        if not marked_edition(to, scope.outline, outlines) and not scope.project.unreadable.lacks_books:
            hint = f"{did_you_mean(to, book_names(outlines))}; for a site write its address, https://…"
            yield BOOK_NOT_FOUND.problem(to, f"no book {quote_short(to)} here{hint}", name)


@check(Outline, NO_EDITION)
def check_followed_editions(outline: Outline, scope: Scope) -> Problems:
    """Report editions that follow an unknown edition or themselves."""
    follows = outline.edition.edition_file.follows
    book, _, name = outline.edition.address.partition("/")
    if not follows or scope.project.unreadable.lacks_books:
        return
    addresses = (other.edition.address for other in book_editions(outline, scope.index.outlines))
    other_editions = [
        address.partition("/")[2] for address in addresses if address != outline.edition.address
    ]
    if follows not in other_editions:
        has_none = f"{book} has no edition {quote_short(follows)}"
        message = "no edition follows itself" if follows == name else has_none
        yield follows.unknown_name_problem(NO_EDITION, message, other_editions, follows)


@check(Outline, NOT_YET)
def check_future_dates(outline: Outline, scope: Scope) -> Problems:
    """Report dates in the future."""
    edition = scope.edition
    parts = (edition.edition_file, *edition.chapters, edition.errata, edition.questions)
    for part in filter(None, parts) if edition.today else ():
        for date, _ in texts_with_flag(part, "date"):
            if edition.is_future(date):
                yield NOT_YET.problem(date, f"{date} is in the future; this is not yet in force")
