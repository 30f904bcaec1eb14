"""Fourth stage of an import: the number in a link's words, the rule that it leads to, and their verdict.

The words are what players read: if both can be right, the number in the words wins.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum

from rulewright.files.problems import quote_short
from rulewright.imports.blocks import Link, Run, plain
from rulewright.imports.book import Book
from rulewright.imports.sources.source_site import LinkTarget, SourcePage, SourceSite
from rulewright.numbering.numbering_scheme import RuleNumber

_SEPARATORS = re.compile(r"\s+|--+|[–—/&,;]")
_SCHEME = re.compile(r"(?!(?:https?|mailto|tel|ftps?|sms|irc|news):)[A-Za-z][\w+.-]*:", re.IGNORECASE)
_PERMANENT = re.compile(r"[¶#🔗⚓↑]+")
_MARKS = re.compile(r"[\[\]|]")
_FILE = re.compile(r"\.(?!md/?\Z)(?=\w*[A-Za-z])\w{1,4}/?\Z")
"""The end of the address of a picture or a download."""

_STROKES = re.compile(r"[-_:/#]+")


class LinkVerdict(StrEnum):
    """The verdict on a link."""

    AGREES = "agrees"
    DISAGREES = "disagrees"
    BROKEN = "broken"
    ABSENT = "page not imported"
    OUTSIDE = "leaves the site"
    FILE = "file"
    WORDS = "no rule"


WRONG = (LinkVerdict.BROKEN, LinkVerdict.DISAGREES)


@dataclass(slots=True)
class JudgedLink:
    """A link and what came of it."""

    page: SourcePage
    link: Link
    text: str
    verdict: LinkVerdict = LinkVerdict.AGREES
    says: str = ""
    """The number in its words."""

    target_number: str = ""
    becomes: str = ""
    """The words or the mark that it is written as."""

    fault: str = ""
    """The fault of its address, and what to do."""

    column: int = 1
    """The column of the address, if the link is wrong and its line holds the address."""


@dataclass(slots=True)
class LinkResolver:
    """Resolves the links of a book."""

    site: SourceSite
    book: Book
    known: set[str] = field(default_factory=set)
    judged_links: dict[tuple[Link, str], JudgedLink] = field(default_factory=dict)
    rules_by_words: dict[str, RuleNumber | None] = field(default_factory=dict)
    """The rule of each title without spaces, also with its number; None if several have it."""

    def __post_init__(self) -> None:
        for rule in self.book.rules():
            self.known.add(rule.key)
            title = plain(rule.title)
            for words in {_letters(f"{rule.printed} {title}"), _letters(title)} - {""}:
                is_same = self.rules_by_words.get(words, rule.number) == rule.number
                self.rules_by_words[words] = rule.number if is_same else None

    def is_known(self, number: RuleNumber) -> bool:
        return number.key in self.known

    def parse(self, words: str) -> RuleNumber | None:
        """Return the number that words are."""
        text, scheme = " ".join(words.split()), self.book.scheme
        return scheme.parse_number(text) or scheme.parse_number(text.strip("().,;:[]*_ "))

    def chain(self, number: RuleNumber) -> list[RuleNumber]:
        return [number, *self.book.scheme.ancestors(number)]

    # Addresses

    def _target_rule(self, target: LinkTarget) -> tuple[RuleNumber | None, str]:
        """Return the number of the rule that a link leads to, and what is wrong with its address."""
        if target.page is None:
            is_file = _FILE.search(target.address)
            return None, "put the file where the link leads, or take the link out" if is_file else ""
        name, anchor = target.page.name, target.anchor
        key = self.book.rule_keys.get((name, anchor))
        number = None if key or self.site.served else self.rules_by_words.get(_letters(anchor))
        key = number.key if number else key
        is_there = not anchor or key is not None
        fault = "" if is_there else f"{posixpath.basename(name)} has no heading #{anchor}"
        key = key or self.book.page_keys.get(name)
        return self.book.scheme.parse_number(key) if key else None, fault

    def _by_end(self, address: str) -> RuleNumber | None:
        """Return the known number that an address ends in."""
        parts = _STROKES.split(address)
        for index in range(len(parts)):
            number = self.parse(".".join(parts[index:]))
            if number and self.is_known(number):
                return number
        return None

    # Verdicts

    def judge(self, page: SourcePage, run: Run, link: Link) -> JudgedLink:
        """Return the verdict on a link."""
        key = link, run.text
        if key not in self.judged_links:
            text = " ".join(run.text.split())
            outcome = self.judged_links[key] = JudgedLink(page, link, text, becomes=text)
            target = self.site.target(page, link.href)
            if target is None:
                self._judge_outside(outcome)
            elif target.file:
                outcome.verdict = LinkVerdict.FILE
            else:
                self._judge(outcome, target)
            if outcome.verdict in WRONG:
                line = "".join(page.file.text.split("\n")[link.line - 1 : link.line])
                after_words = line.find(link.href, line.find(run.text))  # as in Markdown
                outcome.column = after_words + 1 or line.find(link.href) + 1 or 1
        return self.judged_links[key]

    def _judge(self, outcome: JudgedLink, target: LinkTarget) -> None:
        """Judge a link inside the site."""
        leads, fault = self._target_rule(target)
        number = self.parse(outcome.text)
        numbers = [number] if number else [*self._numbers_in(outcome.text)]
        chain = self.chain(leads) if leads else []
        related = [other for other in numbers if other in chain or leads in self.chain(other)]
        says = next(iter([*related, *numbers]), None)
        if says and not fault:
            if not target.page and self.is_known(says):
                fault = f"no page {target.address}"
            elif leads and not self.is_known(says):
                fault = f"the link leads to {leads.key}"
        if fault:
            outcome.verdict = LinkVerdict.BROKEN
        elif leads and says and not related:
            outcome.verdict = LinkVerdict.DISAGREES
        elif not leads and not target.page:
            outcome.verdict = LinkVerdict.ABSENT
        elif not leads and not says:
            outcome.verdict = LinkVerdict.WORDS
        if says:
            outcome.says = says.key
        elif leads and not fault:
            outcome.becomes = _mark(leads, outcome.text)
        if leads:
            outcome.target_number = leads.key
        if says and outcome.verdict in WRONG:
            fault = f"{fault}; {self._hint(says)}".removeprefix("; ")
        outcome.fault = fault

    def _hint(self, number: RuleNumber) -> str:
        """Return the address that a number has."""
        places = {key: name for name, key in self.book.page_keys.items()}
        places |= {key: f"{name}#{anchor}".rstrip("#") for (name, anchor), key in self.book.rule_keys.items()}
        for above in self.chain(number) if self.is_known(number) else ():
            if above.key in places:
                return f"link it to {places[above.key]}"
        return f"no imported page has {number.key}"

    def _judge_outside(self, outcome: JudgedLink) -> None:
        """Judge a link that leaves the site, or has a scheme of its own: regulation:1.2."""
        text, href = outcome.text, outcome.link.href
        number = self._by_end(href) if _SCHEME.match(href) else None
        if number:
            outcome.says = outcome.target_number = number.key
            if number not in self._numbers_in(text):
                outcome.becomes = _mark(number, text)
        elif _SCHEME.match(href):
            outcome.verdict = LinkVerdict.BROKEN
            outcome.fault = f"{quote_short(href, 60)} is no web address"
        else:
            outcome.verdict = LinkVerdict.OUTSIDE
            address = f" ({href})" if href not in (text, f"mailto:{text}") else ""
            outcome.becomes = f"{text}{address}" if text else href

    def _numbers_in(self, words: str) -> Iterator[RuleNumber]:
        """Yield the known numbers among words; the ends of a range are two."""
        for part in dict.fromkeys([*words.split(), *_SEPARATORS.split(words)]):
            number = self.parse(part)
            if number and self.is_known(number):
                yield number


def _mark(number: RuleNumber, text: str) -> str:
    """Return the mark of a number with the words of a link; nothing for a sign like ¶."""
    if _PERMANENT.fullmatch(text):
        return ""
    return text if _MARKS.search(text) else f"[[{number.key}|{text}]]" if text else number.key


def _letters(words: str) -> str:
    return re.sub(r"[\W_]+", "", words).casefold()
