"""Fourth stage of an import: what each link's words say, where it leads, and whether the two agree.

The words are what players read: where both can be right, the number in the words wins.
"""

from __future__ import annotations

import posixpath
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from enum import StrEnum
from urllib.parse import unquote

from rulewright.files.problems import nearest_option, quote_short
from rulewright.imports.blocks import Link, Run, SourceBlock, plain, raw_text
from rulewright.imports.book import Book
from rulewright.imports.sources.slugs import heading_id
from rulewright.imports.sources.source_site import REF, LinkTarget, SourcePage, SourceSite
from rulewright.numbering.numbering_scheme import RuleNumber

_SMALL = {"a", "an", "and", "at", "for", "from", "in", "of", "off", "on", "or", "the", "to", "vs", "with"}
_ALIKE = 0.84
_DIGITS = re.compile(r"\d+")
_LIKE_NUMBER = re.compile(r"[\[(§]?\w{0,4}\d\w{0,3}[.,:;()\[\]§–-][\w.,:;()\[\]–-]{0,10}")
_PARTS = re.compile(r"\s+|--+|[–—/&,;]")
_SIGNS = re.compile(r"\W+")
_SCHEME = re.compile(r"[A-Za-z][\w+.-]*(?=:)")
_WEB = frozenset("http https mailto tel ftp ftps sms irc news".split())  # noqa: SIM905
_PERMANENT = re.compile(r"[¶#🔗⚓↑]*")
_MARKS = re.compile(r"[\[\]|]")
_NOTE_MARK = re.compile(r"[\[(]?\d{1,3}[\])]?")
_NOTE_ANCHOR = re.compile(r"\W*(?:fn|ftn|foot|end|note|cite|ref|id|n(?=\W*\d))", re.IGNORECASE)
_STROKES = re.compile(r"[-_:/#]+")
_BARE = re.compile(r"[\s\[\]()*_.,;:]+|rule|section|case", re.IGNORECASE)


class LinkVerdict(StrEnum):
    """The verdict on a link."""

    AGREES = "agrees"
    MALFORMED = "malformed"
    DISAGREES = "disagrees"
    BROKEN = "broken"
    ABSENT = "page not here"
    OUTSIDE = "leaves the site"
    FILE = "file"
    WORDS = "no rule"
    NO_FILE = "file not here"
    SHORT = "falls short"
    """It leads to the top of a page, and its words name a rule that has a heading there."""


WRONG = (
    LinkVerdict.BROKEN,
    LinkVerdict.DISAGREES,
    LinkVerdict.MALFORMED,
    LinkVerdict.NO_FILE,
    LinkVerdict.SHORT,
)


@dataclass(frozen=True, slots=True)
class JudgedLink:
    """A link and what came of it."""

    page: SourcePage
    link: Link
    text: str
    verdict: LinkVerdict
    says: str = ""
    """The number in its words."""

    target_number: str = ""
    becomes: str = ""
    """The words or the mark that it is written as."""

    proposal: str = ""
    fault: str = ""


def is_file(address: str) -> bool:
    """Return whether an address is that of a picture or a download."""
    ending = posixpath.splitext(address.rstrip("/"))[1]
    return 1 < len(ending) < 6 and ending[1:].isalnum() and not ending[1:].isdigit() and ending != ".md"


def _slug(words: str) -> str:
    return re.sub(r"[\W_]+", "", words).casefold()


def _title_of(slug: str) -> str:
    """Return the title that an address has: `out-of-supply` is Out of Supply."""
    words = [word for word in slug.split("-") if word]
    return " ".join(w if at and w in _SMALL else w[:1].upper() + w[1:] for at, w in enumerate(words))


@dataclass(slots=True)
class LinkResolver:
    """Resolves the links of a book.

    `cited`: numbers that links to absent pages cite, with titles; `absent`: how often each page is linked;
    `seen`: the anchors that links name, by the address of their page.
    """

    site: SourceSite
    book: Book
    known: set[str] = field(default_factory=set)
    cited: dict[str, tuple[RuleNumber, str]] = field(default_factory=dict)
    absent: Counter[str] = field(default_factory=Counter)
    seen: dict[str, set[str]] = field(default_factory=dict)
    judged_links: dict[tuple[str, Link, str], JudgedLink] = field(default_factory=dict)
    _similar_addresses: dict[str, str | None] = field(default_factory=dict)
    _slugs: dict[str, dict[str, RuleNumber | None]] = field(default_factory=dict)

    def is_known(self, number: RuleNumber) -> bool:
        return number.key in self.known or number.key in self.cited

    def parse(self, words: str) -> RuleNumber | None:
        """Return the number that words are."""
        text, scheme = " ".join(words.split()), self.book.scheme
        return scheme.parse_number(text) or scheme.parse_number(text.strip("().,;:[]*_ "))

    def numbers_in(self, words: str) -> list[RuleNumber]:
        """Return the known numbers among words; the ends of a range are two."""
        parts = dict.fromkeys([*words.split(), *_PARTS.split(words)])
        return [number for part in parts if (number := self.parse(part)) and self.is_known(number)]

    def chain(self, number: RuleNumber) -> list[RuleNumber]:
        return [number, *self.book.scheme.ancestors(number)]

    # Numbers on pages that are not here

    def collect(self, blocks: Iterable[SourceBlock], texts: Iterable[RuleNumber | None]) -> None:
        """Find the pages that are not here, and the numbers that links to them cite."""
        self.known = {rule.key for rule in self.book.rules() if rule.number}
        links = [
            (block.page, run, run.link)
            for block in blocks
            for runs in (block.runs, block.caption, *(cell.runs for row in block.rows for cell in row))
            for run in runs
            if run.link
        ]
        for page, _, link in links:
            if target := self.target(page, link):
                self.seen.setdefault(target.address, set()).add(target.anchor)
                if not target.page and not target.file and not is_file(target.address):
                    self.absent[target.address] += 1
        for page, run, link in links:
            target, number = self.target(page, link), self.parse(run.text)
            if target and number and number.key not in self.known and self._proves(number, target):
                self._cite(number, target)
        for number in filter(None, texts if self.cited else ()):
            chapter = self.book.scheme.chapter(number.labels[0])
            for one in self.chain(number):
                if chapter and chapter.key not in self.known and one.key not in self.known:
                    self.cited.setdefault(one.key, (one, ""))

    def _proves(self, number: RuleNumber, target: LinkTarget) -> bool:
        """Return whether a link proves that its number is a rule whose page or chapter is not here."""
        if not target.page:
            meant = replace(target, address=self.misspelt(target.address) or target.address)
            return target.address in self.absent and self.fits(number, meant)
        chapter = self.book.scheme.chapter(number.labels[0])
        is_here = chapter is not None and chapter.key in self.known
        lacks = (target.page.name, target.anchor) not in self.book.rule_keys
        return not is_here and lacks and target.anchor.startswith(f"{self.slug(number)}-")

    def _cite(self, number: RuleNumber, target: LinkTarget) -> None:
        """Add a number on a page that is not here, and those above it, with the titles in the address."""
        name = posixpath.basename(target.address.rstrip("/"))
        for one in self.chain(number):
            if one.key in self.known:
                continue
            slug, title = f"{self.slug(one)}-", self.cited.get(one.key, (one, ""))[1]
            place = name if len(one.labels) == 1 and name.startswith(slug) else target.anchor
            if place.startswith(slug):
                title = title or _title_of(place[len(slug) :])
            self.cited[one.key] = (one, title)

    # Addresses

    def target(self, page: SourcePage, link: Link) -> LinkTarget | None:
        if link.href.startswith(REF):
            name, _, anchor = unquote(link.href[len(REF) :]).partition("#")
            found = self.site.find_page(name, page) if name else page
            return LinkTarget(found.address if found else f"/{name.strip('/')}/", anchor, page=found)
        return self.site.target(page, link.href)

    def misspelt(self, address: str) -> str | None:
        """Return the address that is meant if one that leads nowhere is similar to one that is used more."""
        if address not in self._similar_addresses:
            options = {page.address for page in self.site.pages}
            options |= {a for a, count in self.absent.items() if count > self.absent[address]}
            digits = _DIGITS.findall(address)
            alike = [a for a in options if a != address and _DIGITS.findall(a) == digits and digits]
            self._similar_addresses[address] = next(iter(get_close_matches(address, alike, 1, _ALIKE)), None)
        return self._similar_addresses[address]

    def slug(self, number: RuleNumber) -> str:
        """Return how the anchor of a heading writes a number: 12.5 is 125."""
        return heading_id(number.key, self.site.slugs().style)

    def _names_page(self, numbers: Iterable[RuleNumber], page: str) -> bool:
        """Return whether the name of a page begins with a number."""
        forms = [
            form
            for one in numbers
            for form in (
                self.slug(one),
                re.sub(r"\W+", "-", one.key.lower()).strip("-"),
                one.labels[0].lower(),
            )
        ]
        return f"{page}-".startswith(tuple(f"{form}-" for form in forms))

    def fits(self, number: RuleNumber, target: LinkTarget) -> bool:
        """Return whether an address may be that of a number: page by chapter, anchor by rule."""
        page = re.sub(r"\W+", "-", posixpath.basename(target.address.rstrip("/")).lower())
        if not any(map(str.isdigit, target.anchor.partition("-")[0])):
            return self._names_page(self.chain(number), page)
        return f"{target.anchor}-".startswith(tuple(f"{self.slug(one)}-" for one in self.chain(number)))

    def better_address(self, number: RuleNumber, target: LinkTarget) -> str:
        """Return the address of a number, or of a rule around it, on the page whose top a link leads to."""
        for one in self.chain(number) if not target.anchor else ():
            if len(one.labels) == 1 or (target.page and self.book.page_keys.get(target.page.name) == one.key):
                return ""
            if target.page:
                own = self.book.rule_keys.items()
                anchors = [a for (name, a), key in own if a and name == target.page.name and key == one.key]
            else:
                seen = sorted(self.seen.get(target.address, ()))
                anchors = [a for a in seen if f"{a}-".startswith(f"{self.slug(one)}-")]
            if anchors:
                return f"{target.address}#{anchors[0]}"
        return ""

    def options(self) -> Iterator[RuleNumber]:
        return filter(None, map(self.book.scheme.parse_number, (*self.known, *self.cited)))

    def address(self, number: RuleNumber, target: LinkTarget) -> str:
        """Return the place of a rule as a link would name it."""
        chain = self.chain(number)
        for one in chain:
            for (name, anchor), key in self.book.rule_keys.items():
                if key == one.key:
                    return f"{name}#{anchor}" if anchor else name
            if name := next((name for name, key in self.book.page_keys.items() if key == one.key), ""):
                return name
        for page in self.absent:
            if self._names_page(chain[-1:], posixpath.basename(page.rstrip("/"))):
                return f"{page}#{target.anchor}" if target.anchor else page
        return f"the page of {number.key}"

    def _leads(self, target: LinkTarget) -> tuple[RuleNumber | None, str]:
        """Return the number of the rule that a link leads to, and what is wrong with its address."""
        parse, keys = self.book.scheme.parse_number, self.book.rule_keys
        if target.page is None:
            page = self.misspelt(target.address)
            return None, f"no page {target.address}; did you mean {page}?" if page else ""
        name, anchor = target.page.name, target.anchor
        whole = self.book.page_keys.get(name, "")
        key = keys.get((name, anchor), "") if anchor else whole
        if anchor and not key and not self.site.served and (number := self._addressed(name, anchor)):
            return number, ""
        if key or not anchor or (name, anchor) in self.book.headings:
            return (parse(key or whole) if key or whole else None), ""
        near = nearest_option(anchor, [own for page, own in keys if page == name and own])
        key = keys[name, near] if near else whole
        hint = f"; did you mean #{near}?" if near else ""
        fault = f"{posixpath.basename(name)} has no heading #{anchor}{hint}"
        return (parse(key) if key else None), fault

    def _addressed(self, page: str, anchor: str) -> RuleNumber | None:
        """Return the number of the rule that an address means: by the words of its heading, or by its end."""
        if page not in self._slugs:
            slugs: dict[str, RuleNumber | None] = {}
            for rule in self.book.rules():
                title = plain(rule.title)
                for slug in {_slug(f"{rule.printed} {title}"), _slug(title)} - {""} if rule.number else ():
                    slugs[slug] = rule.number if slugs.get(slug, rule.number) == rule.number else None
            self._slugs[page] = slugs
        return self._slugs[page].get(_slug(anchor)) or self._by_end(anchor, self._slugs[page])

    def _by_end(self, address: str, slugs: Iterable[str] = ()) -> RuleNumber | None:
        """Return the known number that an address ends in, unless it counts repetitions of a heading."""
        parts, taken = _STROKES.split(address), set(slugs)
        for at in range(len(parts)):
            for text in (".".join(parts[at:]), parts[-1] if at == len(parts) - 1 else "-".join(parts[at:])):
                bare = text.lstrip("".join(filter(str.isalpha, text[:4])))
                for number in map(self.parse, (text, bare)):
                    if number and self.is_known(number) and _slug("".join(parts[:at])) not in taken:
                        return number
        return None

    def _repaired(self, text: str) -> RuleNumber | None:
        """Return the known number that a misspelt one means: `12,5`, `12.5 c`, `12.5C`."""
        if len(text) >= 16:
            return None
        bare = _BARE.sub("", text.replace(",", ".").replace("O", "0"))
        dotted = text.strip().replace(",", ".").replace(" ", "")
        for one in (dotted, dotted.lower(), bare, bare.lower(), dotted.replace("..", ".")):
            number = self.book.scheme.parse_number(one) if any(map(str.isdigit, one)) else None
            if number and self.is_known(number):
                return number
        return None

    def _similar(self, text: str, target: LinkTarget) -> RuleNumber | None:
        """Return the known number that words similar to a number may mean, if the link may lead to it."""
        if not _LIKE_NUMBER.fullmatch(text):
            return None
        fitting = {number.key: number for number in self.options() if self.fits(number, target)}
        bare = text.lstrip("[(§")
        same = next((key for key in fitting if _SIGNS.sub("", key) == _SIGNS.sub("", text)), "")
        begins = max((key for key in fitting if bare.startswith(key)), key=len, default="")
        near = same or begins or nearest_option(bare, fitting)
        return fitting[near] if near and len(fitting[near].labels) > 1 else None

    # Verdicts

    def judge(self, page: SourcePage, run: Run, link: Link) -> JudgedLink:
        """Return the verdict on a link."""
        key = (page.name, link, run.text)
        if key not in self.judged_links:
            text = " ".join(run.text.split())
            verdict, more = self._judge(text, link, self.target(page, link))
            self.judged_links[key] = JudgedLink(page, link, text, verdict, **{"becomes": text, **more})
        return self.judged_links[key]

    def _judge(self, text: str, link: Link, target: LinkTarget | None) -> tuple[LinkVerdict, dict[str, str]]:
        if target is None:
            return self._judge_outside(text, link)
        if target.file:
            return LinkVerdict.FILE, {}
        if not target.page and is_file(target.address):
            return LinkVerdict.NO_FILE, {
                "proposal": "put the file where the link leads, or take the link out"
            }
        number = self.parse(text)
        leads, fault = self._leads(target)
        led = leads.key if leads else ""
        if number is None:
            return self._judge_words(text, target, leads, fault)
        is_note = bool(_NOTE_ANCHOR.match(target.anchor))
        is_plain = text.isdigit() and self.is_known(number) and not is_note
        is_mark = _NOTE_MARK.fullmatch(text) and not self.site.served
        if is_mark and not is_plain and (number != leads or (is_note and not text.isdigit())):
            return LinkVerdict.WORDS, {"target_number": led}
        says = {"says": number.key, "target_number": led}
        known_address = f"link it to {self.address(number, target)}"
        if fault:
            near = known_address if self.is_known(number) else ""
            if not target.page and (page := self.misspelt(target.address)):
                near = f"link it to {page}{f'#{target.anchor}' if target.anchor else ''}"
            perhaps = f"; {led} is meant, perhaps" if led else ""
            near = near or f"{number.key} is no rule that any page has{perhaps}"
            return LinkVerdict.BROKEN, {**says, "fault": fault, "proposal": near}
        chapter = self.book.scheme.chapter(number.labels[0])
        if leads is None and number.key in self.known and chapter and chapter.key in self.known:
            fault = f"no page {target.address}"
            return LinkVerdict.BROKEN, {**says, "fault": fault, "proposal": known_address}
        if leads is None and not self.fits(number, target):
            slug = (
                target.anchor.partition("-")[0]
                or posixpath.basename(target.address.rstrip("/")).partition("-")[0]
            )
            other = next((one.key for one in self.options() if self.slug(one) == slug), "")
            says["target_number"] = other or f"{target.address}#{target.anchor}"
            agree = f"{number.key} or {other or 'what the address says'}: make the two agree"
            return LinkVerdict.DISAGREES, {**says, "proposal": f"{agree}; {number.key} is kept"}
        if leads and not self.is_known(number):
            like = self._similar(text, target)
            proposal = f"is it {like.key}? " if like and like != leads else ""
            proposal += f"no page has {number.key}; {led} is where the link leads"
            return LinkVerdict.BROKEN, {**says, "proposal": proposal}
        if leads and number not in self.chain(leads) and leads not in self.chain(number):
            return LinkVerdict.DISAGREES, {
                **says,
                "proposal": f"{known_address}, or write {led}; {number.key} is kept",
            }
        if nearer := self.better_address(number, target):
            return LinkVerdict.SHORT, {**says, "proposal": f"link it to {nearer}"}
        return LinkVerdict.AGREES if leads else LinkVerdict.ABSENT, says

    def _judge_outside(self, text: str, link: Link) -> tuple[LinkVerdict, dict[str, str]]:
        """Return the verdict on a link that leaves the site, or has a scheme of its own: regulation:1.2."""
        scheme = _SCHEME.match(link.href)
        if not scheme or scheme[0].lower() in _WEB:
            address = link.href if link.href not in (text, f"mailto:{text}") else ""
            becomes = f"{text} ({address})" if text and address else text or address
            return LinkVerdict.OUTSIDE, {"becomes": becomes}
        number = self._by_end(link.href)
        if number is None:
            fault = f"{quote_short(link.href, 60)} is no web address"
            return LinkVerdict.BROKEN, {"fault": fault, "proposal": "mend the address, or take the link out"}
        marked = f"[[{number.key}|{text}]]" if text and not _MARKS.search(text) else text
        becomes = text if number in self.numbers_in(text) else marked or number.key
        return LinkVerdict.AGREES, {"says": number.key, "target_number": number.key, "becomes": becomes}

    def _judge_words(
        self, text: str, target: LinkTarget, leads: RuleNumber | None, fault: str
    ) -> tuple[LinkVerdict, dict[str, str]]:
        """Return the verdict on a link whose words are no number."""
        led = leads.key if leads else ""
        if meant := self._repaired(text):
            proposal = f"write {meant.key}; {quote_short(text)} is no number as this book writes them"
            return LinkVerdict.MALFORMED, {
                "becomes": f"[[{meant.key}|{text}]]",
                "says": meant.key,
                "target_number": led,
                "proposal": proposal,
            }
        named = self.numbers_in(text)
        if not named and _LIKE_NUMBER.fullmatch(text):
            like = self._similar(text, target) or leads
            proposal = f"{f'is it {like.key}? ' if like else ''}{quote_short(text)} is no number of this book"
            says = like.key if like else ""
            return LinkVerdict.MALFORMED, {"says": says, "target_number": led, "proposal": proposal}
        if fault:
            return LinkVerdict.BROKEN, {"target_number": led, "proposal": "mend the address", "fault": fault}
        if not leads and not target.page:  # the number in the address
            fitting = [number for number, _ in self.cited.values() if self.fits(number, target)]
            sign = 1 if target.anchor else -1
            leads = max(fitting, key=lambda one: sign * len(one.labels), default=None)
        if leads is None:
            return LinkVerdict.WORDS if target.page else LinkVerdict.ABSENT, {}
        if named:
            about = [number for number in named if leads in self.chain(number)]
            about = about or [number for number in named if number in self.chain(leads)]
            says = (about or named)[0].key
            nearer = self.better_address(about[0], target) if about else self.address(named[0], target)
            verdict = LinkVerdict.SHORT if nearer else LinkVerdict.AGREES
            proposal = f"link it to {nearer}" if nearer else ""
            if not about:
                verdict = LinkVerdict.DISAGREES
                proposal += f", or write {leads.key}; {quote_short(text)} is kept"
            return verdict, {"says": says, "target_number": leads.key, "proposal": proposal}
        becomes = "" if _PERMANENT.fullmatch(text) and text else text or leads.key
        if becomes and text and not _MARKS.search(text):
            becomes = f"[[{leads.key}|{text}]]"
        return LinkVerdict.AGREES, {"target_number": leads.key, "becomes": becomes}


def linked_text(runs: Iterable[Run]) -> str:
    return raw_text(run for run in runs if run.link)
