"""Links that an author made by hand, judged: what their words say, where they lead, whether the two agree.

The words are what players read, so where both can be right the number in the words wins.
"""

from __future__ import annotations

import posixpath
import re
from collections import Counter
from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher
from urllib.parse import unquote

from rulewright.importers.website.blocks import Link, TextPiece
from rulewright.importers.website.receipt import (
    ABSENT,
    AGREES,
    BROKEN,
    DISAGREES,
    FILE,
    MALFORMED,
    NO_FILE,
    OUTSIDE,
    SHORT,
    WORDS,
    JudgedLink,
)
from rulewright.importers.website.rule_tree import RuleNode
from rulewright.importers.website.shortcodes import REF
from rulewright.importers.website.site import Page, Site, Target, anchored
from rulewright.numbers.dialect import Dialect, Number
from rulewright.source.problems import nearest, shown

_SMALL = {"a", "an", "and", "at", "for", "from", "in", "of", "off", "on", "or", "the", "to", "vs", "with"}

_ALIKE = 0.84
_DIGITS = re.compile(r"\d+")
_LIKE_NUMBER = re.compile(r"[\[(§]?\w{0,4}\d\w{0,3}[.,:;()\[\]§–-][\w.,:;()\[\]–-]{0,10}")
_PARTS = re.compile(r"\s+|--+|[–—/&,;]")
_SIGNS = re.compile(r"\W+")
_BARE = re.compile(r"[\s\[\]()*_.,;:]+|rule|section|case", re.IGNORECASE)


def is_file(address: str) -> bool:
    """Whether an address is a file's, such as a picture or a download."""
    ending = posixpath.splitext(address.rstrip("/"))[1]
    return 1 < len(ending) < 6 and ending[1:].isalnum() and not ending[1:].isdigit() and ending != ".md"


def titled(slug: str) -> str:
    """A title as an address has kept it: `out-of-supply` is Out of Supply."""
    words = [word for word in slug.split("-") if word]
    return " ".join(w if at and w in _SMALL else w[:1].upper() + w[1:] for at, w in enumerate(words))


@dataclass(slots=True)
class Links:
    """The links of a book, judged by its numbers and addresses.

    `cited`: the numbers that links to absent pages cite; `known` are those that the book has.
    """

    site: Site
    dialect: Dialect
    anchors: Mapping[tuple[str, str], RuleNode]
    chapters: Mapping[str, RuleNode]  # by the name of the page that is a chapter or a rule
    known: set[str]
    headings: Container[tuple[str, str]] = ()  # by page and anchor, those of pages without rules too
    cited: dict[str, tuple[Number, str]] = field(default_factory=dict)
    absent: Counter[str] = field(default_factory=Counter)
    seen: dict[str, set[str]] = field(default_factory=dict)  # the anchors that links name, by their address
    _meant_pages: dict[str, str | None] = field(default_factory=dict)
    judged: dict[tuple[str, Link, str], JudgedLink] = field(default_factory=dict)
    _targets: dict[tuple[str, str], Target | None] = field(default_factory=dict)

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
        """Read words as one number; None where they are none."""
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

    def _names(self, numbers: Iterable[Number], page: str) -> bool:
        """Whether a page's name begins as one that is made of a number or of its chapter."""
        for one in numbers:
            forms = self.slug(one), re.sub(r"\W+", "-", one.key.lower()).strip("-"), one.labels[0].lower()
            if any(page == form or page.startswith(f"{form}-") for form in forms):
                return True
        return False

    def fits(self, number: Number, target: Target) -> bool:
        """Whether an address can be that of a number: its page by the chapter, its anchor by the section."""
        chain = [number, *self.dialect.ancestors(number)]
        name = posixpath.basename(target.address.rstrip("/")).lower()
        page = re.sub(r"\W+", "-", name)
        if not any(map(str.isdigit, target.anchor.partition("-")[0])):
            return self._names(chain, page)
        return any(target.anchor == s or target.anchor.startswith(f"{s}-") for s in map(self.slug, chain))

    def nearer(self, number: Number, target: Target) -> str:
        """The address that leads from the top of a page to a number, or to a rule around it; else nothing."""
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
        names = ((one, posixpath.basename(one.rstrip("/"))) for one in self.absent)
        if near := next((one for one, name in names if self._names([chapter], name)), ""):
            return f"{near}#{target.anchor}" if target.anchor else near
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

    def collect(self, runs: Iterable[tuple[Page, TextPiece, Link]]) -> None:
        """Gather which pages are not here, and the numbers that links to them cite, with their titles."""
        runs = list(runs)
        for page, _, link in runs:
            target = self.target(page, link)
            if target:
                self.seen.setdefault(target.address, set()).add(target.anchor)
            if target and not target.page and not target.file and not is_file(target.address):
                self.absent[target.address] += 1
        for page, piece, link in runs:
            target = self.target(page, link)
            number = self.number(piece.text) if target else None
            if target and number and number.key not in self.known and self._shows(number, target):
                self.cite(number, target)

    def _shows(self, number: Number, target: Target) -> bool:
        """Whether a link shows that there is a rule with its number, though no page that was read has it.

        Its page is not here; or it leads to a page that lacks its anchor, and the chapter is not here.
        """
        if not target.page:
            meant = replace(target, address=self.misspelt(target.address) or target.address)
            return target.address in self.absent and self.fits(number, meant)
        chapter = self.dialect.chapter(number.labels[0])
        is_here = chapter is not None and chapter.key in self.known
        lacks = (target.page.name, target.anchor) not in self.anchors
        return not is_here and lacks and target.anchor.startswith(f"{self.slug(number)}-")

    def cite(self, number: Number, target: Target) -> None:
        """Enter a number that stands on a page that is not here, and those above it."""
        for one in (number, *self.dialect.ancestors(number)):
            if one.key in self.known:
                continue
            title = self.cited.get(one.key, (one, ""))[1]
            slug = self.slug(one)
            name = posixpath.basename(target.address.rstrip("/"))
            if len(one.labels) == 1 and name.startswith(f"{slug}-"):
                title = title or titled(name[len(slug) + 1 :])
            elif target.anchor.startswith(f"{slug}-"):
                title = title or titled(target.anchor[len(slug) + 1 :])
            self.cited[one.key] = (one, title)

    def cite_all(self, numbers: Iterable[Number | None]) -> None:
        """Enter the numbers that the book cites of chapters that are not here, where only a part of it is."""
        for number in filter(None, numbers if self.cited else ()):
            chapter = self.dialect.chapter(number.labels[0])
            for one in (number, *self.dialect.ancestors(number)):
                if chapter and chapter.key not in self.known and one.key not in self.known:
                    self.cited.setdefault(one.key, (one, ""))

    def target(self, page: Page, link: Link) -> Target | None:
        """Find the target of a link. A reference by file name is looked up by that."""
        key = (page.address, link.href)
        if key not in self._targets:
            self._targets[key] = self._target(page, link)
        return self._targets[key]

    def _target(self, page: Page, link: Link) -> Target | None:
        if link.href.startswith(REF):
            name, _, anchor = unquote(link.href[len(REF) :]).partition("#")
            found = self.site.named(name, page) if name else page
            return Target(found.address if found else f"/{name.strip('/')}/", anchor, page=found)
        return self.site.target(page, link.href)

    def of(self, page: Page, piece: TextPiece, link: Link) -> JudgedLink:
        """A link judged, once."""
        key = (page.name, link, piece.text)
        if key not in self.judged:
            self.judged[key] = self._judge(page, " ".join(piece.text.split()), link)
        return self.judged[key]

    def recovers(self, judged: JudgedLink) -> bool:
        """Whether a reference to a rule that the book has stands where a link stood."""
        number = self.dialect.parse(judged.says or judged.leads)
        return number is not None and judged.verdict != OUTSIDE and self.is_known(number)

    def _judge(self, page: Page, text: str, link: Link) -> JudgedLink:
        def judged(verdict: str, becomes: str = text, **more: str) -> JudgedLink:
            return JudgedLink(page, link, text, verdict, becomes=becomes, **more)

        target = self.target(page, link)
        number = self.number(text)
        if target is None:
            address = link.href if link.href not in (text, f"mailto:{text}") else ""
            return judged(OUTSIDE, f"{text} ({address})" if text and address else text or address)
        if target.file:
            return judged(FILE)
        if not target.page and is_file(target.address):
            return judged(NO_FILE, proposal="put the file where the link leads, or take the link out")
        leads, fault = self._leads(target, number)
        if meant := self.meant(text) if number is None else None:
            proposal = f"write {meant.key}; {shown(text)} is no number as this book writes them"
            becomes = f"[[{meant.key}|{text}]]"
            led = leads.key if leads else ""
            return judged(MALFORMED, becomes, says=meant.key, leads=led, proposal=proposal)
        if not number and not self.named(text) and self.looks_numbered(text):
            like = self.like(text, target) or leads
            proposal = f"is it {like.key}? " if like else ""
            proposal += f"{shown(text)} is no number of this book"
            says, led = like.key if like else "", leads.key if leads else ""
            return judged(MALFORMED, says=says, leads=led, proposal=proposal)
        if number is None:
            return self._worded(page, text, link, target, leads, fault)
        says, led = number.key, leads.key if leads else ""
        chain = [number, *self.dialect.ancestors(number)]
        if fault:
            near = f"link it to {self.address(number, target)}" if self.is_known(number) else ""
            if not target.page and (page_meant := self.misspelt(target.address)):
                near = f"link it to {page_meant}{f'#{target.anchor}' if target.anchor else ''}"
            lacks = f"{says} is no rule that any page has" + (f"; {led} is meant, perhaps" if led else "")
            return judged(BROKEN, says=says, leads=led, fault=fault, proposal=near or lacks)
        if leads is None:
            chapter = self.dialect.chapter(number.labels[0])
            if number.key in self.known and chapter and chapter.key in self.known:
                proposal = f"link it to {self.address(number, target)}"
                return judged(BROKEN, says=says, fault=f"no page {target.address}", proposal=proposal)
            if self.fits(number, target):
                if nearer := self.nearer(number, target):
                    return judged(SHORT, says=says, proposal=f"link it to {nearer}")
                return judged(ABSENT, says=says)
            other = self.other(target)
            proposal = f"{says} or {other or 'what the address says'}: make the two agree; {says} is kept"
            return judged(
                DISAGREES, says=says, leads=other or f"{target.address}#{target.anchor}", proposal=proposal
            )
        above = [leads, *self.dialect.ancestors(leads)]
        if not self.is_known(number):
            like = self.like(text, target)
            proposal = f"is it {like.key}? " if like and like != leads else ""
            proposal += f"no page has {says}; {led} is where the link leads"
            return judged(BROKEN, says=says, leads=led, proposal=proposal)
        if leads.key in {one.key for one in chain} or number.key in {one.key for one in above}:
            if nearer := self.nearer(number, target):
                return judged(SHORT, says=says, leads=led, proposal=f"link it to {nearer}")
            return judged(AGREES, says=says, leads=led)
        proposal = f"link it to {self.address(number, target)}, or write {led}; {says} is kept"
        return judged(DISAGREES, says=says, leads=led, proposal=proposal)

    def _leads(self, target: Target, number: Number | None) -> tuple[Number | None, str]:
        """The number of the rule that a link leads to, and what is wrong with its address."""
        if target.page is None:
            page = self.misspelt(target.address)
            return None, f"no page {target.address}; did you mean {page}?" if page else ""
        whole = self.chapters.get(target.page.name)
        if not target.anchor:
            return (whole.number if whole else None), ""
        if node := self.anchors.get((target.page.name, target.anchor)):
            return node.number, ""
        if (target.page.name, target.anchor) in self.headings:
            return (whole.number if whole else None), ""
        there = [anchor for name, anchor in self.anchors if name == target.page.name]
        near = nearest(target.anchor, there)
        meant = self.anchors[target.page.name, near] if near else None
        hint = f"; did you mean #{near}?" if near else ""
        fault = f"{posixpath.basename(target.page.name)} has no heading #{target.anchor}{hint}"
        return (meant.number if meant else whole.number if whole else None), fault

    def _worded(
        self, page: Page, text: str, link: Link, target: Target, leads: Number | None, fault: str
    ) -> JudgedLink:
        """A link whose words are no number."""
        if fault:
            led = leads.key if leads else ""
            return JudgedLink(page, link, text, BROKEN, "", led, text, "mend the address", fault)
        leads = leads or self.number_at(target)
        if leads is None:
            return JudgedLink(page, link, text, WORDS if target.page else ABSENT, becomes=text)
        if named := self.named(text):
            about = [one for one in named if leads in (one, *self.dialect.ancestors(one))]
            about = about or [one for one in named if one in self.dialect.ancestors(leads)]
            says = (about or named)[0]
            nearer = self.nearer(says, target) if about else self.address(says, target)
            verdict = AGREES if about and not nearer else SHORT if about else DISAGREES
            proposal = f"link it to {nearer}" if nearer else ""
            proposal += f", or write {leads.key}; {shown(text)} is kept" if not about else ""
            return JudgedLink(page, link, text, verdict, says.key, leads.key, text, proposal)
        becomes = f"[[{leads.key}|{text}]]" if text and not re.search(r"[\[\]|]", text) else text or leads.key
        return JudgedLink(page, link, text, AGREES, leads=leads.key, becomes=becomes)
