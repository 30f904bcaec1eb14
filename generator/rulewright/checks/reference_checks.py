"""Checks of references: each has a target, and agrees with it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from rulewright.book.outline import Outline, RuleEntry
from rulewright.book.related_outlines import book_names, marked_edition, one_edition_per_book
from rulewright.book.table_entries import reference_texts_of_table
from rulewright.files.invisible_characters import (
    UNSEEN,
    cleaned,
    first_invisible,
    invisible_character_message,
)
from rulewright.files.located_text import LocatedText
from rulewright.files.problems import Problem, Severity, SourceFile, did_you_mean, problem_type, quote_short
from rulewright.numbering.reference_finder import unclosed_marks
from rulewright.references.citable_items import rules_by_title
from rulewright.references.edition_texts import edition_texts, term_texts
from rulewright.references.external_works import is_url
from rulewright.references.glossary import Glossary
from rulewright.references.reference_index import ReferenceIndex
from rulewright.references.reference_problems import reference_problems
from rulewright.references.reference_resolver import (
    BOOK_NOT_FOUND,
    NOT_A_NUMBER,
    NOT_THERE,
)
from rulewright.references.reference_types import Reference, RuleReference
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


_LINK = re.compile(r"(?<![!\\])\[[^\[\]\n]+\]\((?P<to>[^\s()]{1,500})\)")
_NUMBERS = re.compile(r"[\d.]*")
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


def check_references(index: ReferenceIndex) -> Iterator[Problem]:
    """Report references without a target, invalid ranges and contradictory marks."""
    for address, references in index.editions.items():
        for citation in references.citations:
            resolved, outline = citation.resolved, index.outlines[address]
            yield from reference_problems(resolved, citation.text, citation.text.location_of)
            if citation.is_see_key:
                yield from _check_only_numbers(citation.text, resolved, outline)
            yield from _check_titles(citation.text, resolved, outline)


def _check_titles(text: LocatedText, resolved: Sequence[Reference], outline: Outline) -> Iterator[Problem]:
    """Report numbers beside the title of another rule: 12.2.3 Hit Probability."""
    titles = rules_by_title(outline)
    references = [reference for reference in resolved if isinstance(reference, RuleReference)]
    for reference in references:
        match, target = reference.match, reference.target
        if match.mark_span:
            continue
        before = _BEFORE.search(text, max(0, match.start - _MAX_DISTANCE), match.start)
        after = _AFTER.match(text, match.end)
        for title in (before[1] if before else "", after[1] if after else ""):
            name = " ".join(title.split())
            rules = titles.get(name.casefold(), []) if " " in name else []
            cited = {reference.target for reference in references} if rules else set()
            other_rules = [rule for rule in rules if str(rule.title) == name and rule not in cited]
            is_related = target in rules or any(
                target in rule.self_and_ancestors() or rule in target.self_and_ancestors() for rule in rules
            )
            if other_rules and not is_related and not _is_term(name, outline):
                message = f"{quote_short(name)} is the title of {other_rules[0].display_number}, not of "
                message += f"{target.display_number}; correct the number or the title"
                yield TITLE.problem(text.location_of(match.start), message, reference.about(text))


def _is_term(name: str, outline: Outline) -> bool:
    terms = outline.edition.book.terms.items()
    return any(
        str(words).casefold() == name.casefold() for key, term in terms for words in (key, *term.aliases)
    )


def _edition_files(outline: Outline, index: ReferenceIndex) -> set[SourceFile]:
    """Return the files of the rules, the sequence and the tables of an edition."""
    texts = [chapter.number for chapter in outline.edition.chapters]
    texts += [step.step.title for step in outline.sequence.iter_steps()]
    texts += [
        text
        for table in index.editions[outline.edition.address].tables
        for text, _ in reference_texts_of_table(table)
    ]
    return {text.file for text in texts}


def check_marks(index: ReferenceIndex) -> Iterator[Problem]:
    """Report unclosed marks, and Markdown that texts do not support: links, tables and unmarked lists."""
    for address, outline in index.outlines.items():
        for source, texts, _ in edition_texts(
            outline, index.editions[address].tables, index.editions[address].aid_sheets
        ):
            odd = (text for text, _ in texts if "[" in text or "|" in text or "\n" in text)
            for text in (text for text in odd if outline.edition.has_written(text)):
                about = source.key if isinstance(source, RuleEntry) else str(source)
                for offset in _unmarked_lists(text, index) if "\n" in text else ():
                    message = "these lines look like a list and run together; "
                    message += "write 1. or 1), a. or (a), - or • and a space in front of each"
                    yield LIST.problem(text.location_of(offset), message, about)
                for m in _TABLE.finditer(text) if "|" in text else ():
                    message = "a text has no tables, so that the lines of this one run together; "
                    message += (
                        "make a file of it in tables/ and write ![Its title](../tables/its-file.yml) here"
                    )
                    yield TABLE.problem(text.location_of(m.start()), message, about)
                for m in _iter_links(text):
                    yield LINK.problem(text.location_of(m.start()), _link_message(m, outline), about)
                for offset, opened in unclosed_marks(text) if "[[" in text else ():
                    message = f"the mark {quote_short(opened)} is never closed; write {quote_short(opened)}]]"
                    yield NOT_CLOSED.problem(text.location_of(offset), message, about)


def _unmarked_lists(text: LocatedText, index: ReferenceIndex) -> Iterator[int]:
    """Yield the offset of the first of several lines that look like list items but form one paragraph."""
    items = list(_ITEM.finditer(text))
    done = 0
    for match, other in pairwise(items):
        first, second = (m["count"] or m["sign"].strip("[]") for m in (match, other))
        is_next = _ordinal(second) == _ordinal(first) + 1
        follows = is_next or (first == second and not first.isalnum())
        if not follows or text.count("\n", match.start(), other.start("sign")) != 1 or match.start() < done:
            continue
        for block in index.document(text).blocks:
            if (
                isinstance(block, TextParagraph)
                and block.start <= match.start("sign") < other.start("sign") < block.end
            ):
                yield match.start("sign")
                done = block.end


def _ordinal(sign: str) -> int:
    return int(sign) if sign.isdecimal() else ord(sign[0])


def _iter_links(text: LocatedText) -> Iterator[re.Match[str]]:
    """Yield the Markdown links of a text; words in brackets before a number in parentheses are no links."""
    for m in _LINK.finditer(text) if "](" in text else ():
        if m["to"][0] == "#" or (not _NUMBERS.fullmatch(m["to"]) and any(sign in m["to"] for sign in "./:")):
            yield m


def _link_message(link: re.Match[str], outline: Outline) -> str:
    """Return the message for a link, with the number of the rule that it leads to, if any."""
    path, _, anchor = link["to"].partition("#")
    page = path.removesuffix("/").rpartition("/")[2].removesuffix(".md").partition("-")[0]
    entry = outline.find(anchor) or (None if anchor else outline.find(page) or outline.find(f"{page}.0"))
    right = f"write [[{entry.key}]]" if entry else "cite a rule by its number, or write it on a page"
    return f"a text has no links, so this is shown as it is written; {right}"


def check_term_rules(index: ReferenceIndex) -> Iterator[Problem]:
    """Report terms whose rule is not in the newest edition, or was in none of the others."""
    for outline in index.outlines.values():
        for text, cites, home in term_texts(outline, index.outlines):
            if home and outline.edition.has_written(text):
                resolved = index.references(text, outline.edition)
                if home is outline:
                    yield from reference_problems(resolved, text, text.location_of)
                    yield from _check_only_numbers(text, resolved, outline) if cites else ()
                else:
                    problems = reference_problems(resolved, text, text.location_of)
                    yield from (problem for problem in problems if problem.code == NOT_THERE.code)


def unseen_in_names(index: ReferenceIndex) -> Iterator[Problem]:
    """Signs that cannot be seen in the words of a text that name a term or a step."""
    for address, outline in index.outlines.items():
        if not any(first_invisible(file.text) for file in _edition_files(outline, index)):
            continue
        glossary: Glossary | None = None
        for source, texts, _ in edition_texts(outline, index.editions[address].tables):
            for text, cites in texts:
                if cites or text.isascii() or not first_invisible(text):
                    continue
                glossary = glossary or Glossary(outline, index)
                for match in glossary.find(index.document(text), source):
                    if invisible := first_invisible(words := text[match.start : match.end]):
                        place = text.location_of(match.start + invisible[0])
                        yield UNSEEN.problem(
                            place, invisible_character_message(invisible[1], words), cleaned(words)
                        )


def _check_only_numbers(
    text: LocatedText, resolved: Sequence[Reference], outline: Outline
) -> Iterator[Problem]:
    if word := outline.edition.finder.uncited_list_rest(text, [reference.match for reference in resolved]):
        message = f"{quote_short(word.group())} is no rule number; only numbers stand here"
        yield NOT_A_NUMBER.problem(text.location_of(word.start()), message, word.group())


def check_external_works(index: ReferenceIndex) -> Iterator[Problem]:
    """Report other works whose `leads to` is neither a book here nor a URL."""
    for edition in one_edition_per_book(index.outlines):
        outline = index.outlines[edition.address]
        for name, work in edition.book.books.items():
            to = work.leads_to
            if not to or not edition.has_written(to) or is_url(to):
                continue
            if not marked_edition(to, outline, index.outlines):
                suggestion = did_you_mean(to, book_names(index.outlines))
                message = (
                    f"no book {quote_short(to)} here{suggestion}; for a site write its address, https://…"
                )
                yield BOOK_NOT_FOUND.problem(to.place, message, name)


def check_followed_editions(index: ReferenceIndex) -> Iterator[Problem]:
    """Report editions that follow an unknown edition or themselves."""
    of_book: dict[str, list[str]] = {}
    for address in index.outlines:
        of_book.setdefault(address.partition("/")[0], []).append(address.partition("/")[2])
    for address, outline in index.outlines.items():
        follows = outline.edition.edition_file.follows
        book, _, edition_name = address.partition("/")
        if follows and (follows == edition_name or f"{book}/{follows}" not in index.outlines):
            other_names = (name for name in of_book[book] if name != edition_name)
            missing = (
                "no edition follows itself"
                if follows == edition_name
                else f"{book} has no edition {quote_short(follows)}"
            )
            yield follows.unknown_name_problem(NO_EDITION, missing, other_names, follows)


def check_future_dates(index: ReferenceIndex) -> Iterator[Problem]:
    """Report dates in the future."""
    for address, outline in index.outlines.items():
        edition = outline.edition
        parts = (edition.edition_file, *edition.chapters, edition.errata, edition.questions)
        for part in filter(None, parts) if edition.today else ():
            for date, _ in texts_with_flag(part, "date"):
                if edition.is_future(date):
                    yield NOT_YET.problem(
                        date.place, f"{date} is in the future; this is not yet in force", address
                    )
