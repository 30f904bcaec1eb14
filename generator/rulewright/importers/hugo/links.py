"""Links that an author made by hand, judged: what their words say, where they lead, whether the two agree.

The words are what players read, so where both can be right the number in the words wins.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from urllib.parse import unquote

from rulewright.importers.hugo.blocks import Link, Piece
from rulewright.importers.hugo.hints import Hints
from rulewright.importers.hugo.names import is_file, titled
from rulewright.importers.hugo.shortcodes import REF
from rulewright.importers.hugo.site import Page, Target
from rulewright.importers.hugo.verdicts import (  # fmt: skip
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
    Judged,
)
from rulewright.numbers.dialect import Number
from rulewright.source.problems import nearest, shown


@dataclass(slots=True)
class Links(Hints):
    """The links of a book. `known` grows by the numbers that links to absent pages cite."""

    judged: dict[tuple[str, Link, str], Judged] = field(default_factory=dict)
    _targets: dict[tuple[str, str], Target | None] = field(default_factory=dict)

    def collect(self, runs: Iterable[tuple[Page, Piece, Link]]) -> None:
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
        """What a link leads to. A reference by file name is looked up by that."""
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

    def of(self, page: Page, piece: Piece, link: Link) -> Judged:
        """A link judged, once."""
        key = (page.name, link, piece.text)
        if key not in self.judged:
            self.judged[key] = self._judge(page, " ".join(piece.text.split()), link)
        return self.judged[key]

    def recovers(self, judged: Judged) -> bool:
        """Whether a reference to a rule that the book has stands where a link stood."""
        number = self.dialect.parse(judged.says or judged.leads)
        return number is not None and judged.verdict != OUTSIDE and self.is_known(number)

    def _judge(self, page: Page, text: str, link: Link) -> Judged:
        def judged(verdict: str, becomes: str = text, **more: str) -> Judged:
            return Judged(page, link, text, verdict, becomes=becomes, **more)

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
    ) -> Judged:
        """A link whose words are no number."""
        if fault:
            led = leads.key if leads else ""
            return Judged(page, link, text, BROKEN, "", led, text, "mend the address", fault)
        leads = leads or self.number_at(target)
        if leads is None:
            return Judged(page, link, text, WORDS if target.page else ABSENT, becomes=text)
        if named := self.named(text):
            about = [one for one in named if leads in (one, *self.dialect.ancestors(one))]
            about = about or [one for one in named if one in self.dialect.ancestors(leads)]
            says = (about or named)[0]
            nearer = self.nearer(says, target) if about else self.address(says, target)
            verdict = AGREES if about and not nearer else SHORT if about else DISAGREES
            proposal = f"link it to {nearer}" if nearer else ""
            proposal += f", or write {leads.key}; {shown(text)} is kept" if not about else ""
            return Judged(page, link, text, verdict, says.key, leads.key, text, proposal)
        becomes = f"[[{leads.key}|{text}]]" if text and not re.search(r"[\[\]|]", text) else text or leads.key
        return Judged(page, link, text, AGREES, leads=leads.key, becomes=becomes)
