"""What the words and the address of a link may mean, in a book whose pages are known in part."""

from __future__ import annotations

import posixpath
import re
from collections import Counter
from collections.abc import Container, Mapping
from dataclasses import dataclass, field
from difflib import SequenceMatcher

from rulewright.importers.hugo.found import Node
from rulewright.importers.hugo.site import Site, Target
from rulewright.importers.hugo.slugs import anchored
from rulewright.numbers.dialect import Dialect, Number
from rulewright.source.problems import nearest

_ALIKE = 0.84
_DIGITS = re.compile(r"\d+")
_LIKE_NUMBER = re.compile(r"[\[(§]?\w{0,4}\d\w{0,3}[.,:;()\[\]§–-][\w.,:;()\[\]–-]{0,10}")
_PARTS = re.compile(r"\s+|--+|[–—/&,;]")
_SIGNS = re.compile(r"\W+")
_BARE = re.compile(r"[\s\[\]()*_.,;:]+|rule|section|case", re.IGNORECASE)


@dataclass(slots=True)
class Hints:
    """The numbers and addresses of a book. `cited`: the numbers that links to absent pages cite."""

    site: Site
    dialect: Dialect
    anchors: Mapping[tuple[str, str], Node]
    chapters: Mapping[str, Node]  # by the name of the page that is a chapter or a rule
    known: set[str]
    headings: Container[tuple[str, str]] = ()  # by page and anchor, those of pages without rules too
    cited: dict[str, tuple[Number, str]] = field(default_factory=dict)
    absent: Counter[str] = field(default_factory=Counter)
    seen: dict[str, set[str]] = field(default_factory=dict)  # the anchors that links name, by their address
    _meant_pages: dict[str, str | None] = field(default_factory=dict)

    def is_known(self, number: Number) -> bool:
        """Whether the book has a number, or an item's rule where items are not listed."""
        return number.key in self.known or number.key in self.cited

    def misspelt(self, address: str) -> str | None:
        """The address that is meant, where one that leads nowhere is much like one that is used more."""
        if address in self._meant_pages:
            return self._meant_pages[address]
        pages = {page.address for page in self.site.pages}
        options = pages | {a for a, n in self.absent.items() if n > self.absent[address]}
        digits = _DIGITS.findall(address)
        alike = [a for a in options if a != address and _DIGITS.findall(a) == digits and digits]
        best = max(alike, key=lambda a: SequenceMatcher(None, a, address).ratio(), default=None)
        close = best if best and SequenceMatcher(None, best, address).ratio() >= _ALIKE else None
        self._meant_pages[address] = close
        return close

    def number(self, words: str) -> Number | None:
        """The number that words are, whole, or None."""
        text = " ".join(words.split()).strip()
        return self.dialect.parse(text) or self.dialect.parse(text.strip("().,;:[]*_ "))

    def named(self, words: str) -> list[Number]:
        """The known numbers among some words; the ends of a range are two."""
        parts = dict.fromkeys([*words.split(), *_PARTS.split(words)])
        numbers = (self.number(part) for part in parts)
        return [number for number in numbers if number and self.is_known(number)]

    def slug(self, number: Number) -> str:
        """How a heading's anchor writes a number: 12.5 is 125."""
        return anchored(number.key, self.site.slugs().style)

    def fits(self, number: Number, target: Target) -> bool:
        """Whether an address can be that of a number: its page by the chapter, its anchor by the section."""
        chain = [number, *self.dialect.ancestors(number)]
        name = posixpath.basename(target.address.rstrip("/")).lower()
        page = re.sub(r"\W+", "-", name)
        forms = {
            form
            for one in chain
            for form in (self.slug(one), re.sub(r"\W+", "-", one.key.lower()).strip("-"))
        }
        forms.add(chain[-1].labels[0].lower())
        on_page = any(page == form or page.startswith(f"{form}-") for form in forms)
        if not any(map(str.isdigit, target.anchor.partition("-")[0])):
            return on_page
        return any(target.anchor == s or target.anchor.startswith(f"{s}-") for s in map(self.slug, chain))

    def nearer(self, number: Number, target: Target) -> str:
        """Where a link to the top of a page would reach a number, or a rule around it; else nothing."""
        if target.anchor:
            return ""
        whole = self.chapters.get(target.page.name) if target.page else None
        for one in (number, *self.dialect.ancestors(number)):
            if len(one.labels) == 1 or (whole and whole.number == one):
                return ""
            for (name, anchor), node in self.anchors.items():
                if target.page and name == target.page.name and anchor and node.number == one:
                    return f"{target.address}#{anchor}"
            for anchor in sorted(self.seen.get(target.address, ())) if not target.page else ():
                if anchor == self.slug(one) or anchor.startswith(f"{self.slug(one)}-"):
                    return f"{target.address}#{anchor}"
        return ""

    def number_at(self, target: Target) -> Number | None:
        """The number that the address of an absent page has, as far as one that is known is like it."""
        if target.page:
            return None
        numbers = [number for number, _ in self.cited.values()]
        fitting = [one for one in numbers if self.fits(one, target)]
        return max(
            fitting, key=lambda one: -len(one.labels) if not target.anchor else len(one.labels), default=None
        )

    def other(self, target: Target) -> str:
        """The known number that an address seems to be of."""
        slug = (
            target.anchor.partition("-")[0]
            or posixpath.basename(target.address.rstrip("/")).partition("-")[0]
        )
        options = (*self.known, *self.cited)
        fitting = [key for key in options if (n := self.dialect.parse(key)) and self.slug(n) == slug]
        return fitting[0] if fitting else ""

    def address(self, number: Number, target: Target) -> str:
        """Where a rule stands, as a link would say it."""
        for one in (number, *self.dialect.ancestors(number)):
            for (name, anchor), node in self.anchors.items():
                if node.key == one.key:
                    return f"{name}#{anchor}" if anchor else name
        chapter = [number, *self.dialect.ancestors(number)][-1]
        names = {address: posixpath.basename(address.rstrip("/")) for address in self.absent}
        forms = {
            self.slug(chapter),
            re.sub(r"\W+", "-", chapter.key.lower()).strip("-"),
            chapter.labels[0].lower(),
        }
        near = [
            a
            for a, name in names.items()
            if any(name == form or name.startswith(f"{form}-") for form in forms)
        ]
        if near:
            return f"{near[0]}#{target.anchor}" if target.anchor else near[0]
        return f"the page of {number.key}"

    def meant(self, text: str) -> Number | None:
        """The known number that a malformed label means: `12,5`, `12.5 c`, `12.5C`."""
        bare = _BARE.sub("", text.replace(",", ".").replace("O", "0")) if len(text) < 16 else ""
        dotted = text.strip().replace(",", ".").replace(" ", "") if len(text) < 16 else ""
        for one in (dotted, dotted.lower(), bare, bare.lower(), dotted.replace("..", ".")):
            if any(map(str.isdigit, one)) and (number := self.dialect.parse(one)) and self.is_known(number):
                return number
        return None

    @staticmethod
    def looks_numbered(text: str) -> bool:
        """Whether words look like a rule's number, whatever the book's own look like."""
        return _LIKE_NUMBER.fullmatch(text) is not None

    def like(self, text: str, target: Target) -> Number | None:
        """The known number that words like a number may mean, among those that their link may lead to."""
        if not self.looks_numbered(text):
            return None
        options = [number for key in (*self.known, *self.cited) if (number := self.dialect.parse(key))]
        fitting = {one.key: one for one in options if self.fits(one, target)}
        bare = text.lstrip("[(§")
        same = next((key for key in fitting if _SIGNS.sub("", key) == _SIGNS.sub("", text)), "")
        begins = max((key for key in fitting if bare.startswith(key)), key=len, default="")
        near = same or begins or nearest(bare, fitting)
        return fitting[near] if near and len(fitting[near].labels) > 1 else None
