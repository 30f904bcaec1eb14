"""Links that an author made by hand, judged: what their words say, where they lead, whether the two agree.

The words are what players read, so where both can be right the number in the words wins.
"""

from __future__ import annotations

import posixpath
import re
from collections import Counter
from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from urllib.parse import unquote

from rulewright.files.problems import nearest_option, quote_short
from rulewright.imports.website.import_report import JudgedLink, LinkVerdict
from rulewright.imports.website.page_block_types import Link, TextPiece, pieces_text
from rulewright.imports.website.page_tokens import REF
from rulewright.imports.website.rule_tree import ImportedBook
from rulewright.imports.sources.source_site import LinkTarget, SourcePage, SourceSite, heading_id
from rulewright.numbering.numbering_scheme import NumberingScheme, RuleNumber

_SMALL = {"a", "an", "and", "at", "for", "from", "in", "of", "off", "on", "or", "the", "to", "vs", "with"}

_ALIKE = 0.84
_DIGITS = re.compile(r"\d+")
_LIKE_NUMBER = re.compile(r"[\[(§]?\w{0,4}\d\w{0,3}[.,:;()\[\]§–-][\w.,:;()\[\]–-]{0,10}")
_PARTS = re.compile(r"\s+|--+|[–—/&,;]")
_SIGNS = re.compile(r"\W+")
_SCHEME = re.compile(r"[A-Za-z][\w+.-]*(?=:)")
_WEB = frozenset("http https mailto tel ftp ftps sms irc news".split())  # noqa: SIM905
_PERMANENT = re.compile(r"[¶#🔗⚓]")
"""Words of a link that is only there to be copied."""
_MARKS = re.compile(r"[\[\]|]")
_MARK = re.compile(r"[\[(]?\d{1,3}[\])]?")
"""What leads to a note at the foot of a page, and back."""
_OF_NOTES = re.compile(r"\W*(?:fn|ftn|foot|note|cite|ref|id|n(?=\W*\d))", re.IGNORECASE)
_STROKES = re.compile(r"[-_:/#]+")
_BARE = re.compile(r"[\s\[\]()*_.,;:]+|rule|section|case", re.IGNORECASE)


def is_file(address: str) -> bool:
    """Whether an address is a file's, such as a picture or a download."""
    ending = posixpath.splitext(address.rstrip("/"))[1]
    return 1 < len(ending) < 6 and ending[1:].isalnum() and not ending[1:].isdigit() and ending != ".md"


def title_from_slug(slug: str) -> str:
    """A title as an address has kept it: `out-of-supply` is Out of Supply."""
    words = [word for word in slug.split("-") if word]
    return " ".join(w if at and w in _SMALL else w[:1].upper() + w[1:] for at, w in enumerate(words))


def _slug(words: str) -> str:
    """Words as an address has them, whatever signs it writes between them."""
    return re.sub(r"[\W_]+", "", words).casefold()


@dataclass(slots=True)
class LinkAudit:
    """The links of a book, judged. `known`: its numbers; `cited`: those that links to absent pages cite."""

    site: SourceSite
    book: ImportedBook
    known: set[str]
    cited: dict[str, tuple[RuleNumber, str]] = field(default_factory=dict)
    absent: Counter[str] = field(default_factory=Counter)
    seen: dict[str, set[str]] = field(default_factory=dict)  # the anchors that links name, by their address
    _meant_pages: dict[str, str | None] = field(default_factory=dict)
    judged: dict[tuple[str, Link, str], JudgedLink] = field(default_factory=dict)
    _slugs: dict[str, dict[str, RuleNumber | None]] = field(default_factory=dict)

    @property
    def dialect(self) -> NumberingScheme:
        return self.book.dialect

    def is_known(self, number: RuleNumber) -> bool:
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
        self._meant_pages[address] = next(iter(get_close_matches(address, alike, 1, _ALIKE)), None)
        return self._meant_pages[address]

    def number(self, words: str) -> RuleNumber | None:
        """Read words as one number; None where they are none."""
        text = " ".join(words.split()).strip()
        return self.dialect.parse_number(text) or self.dialect.parse_number(text.strip("().,;:[]*_ "))

    def numbers_in(self, words: str) -> list[RuleNumber]:
        """The known numbers among some words; the ends of a range are two."""
        parts = dict.fromkeys([*words.split(), *_PARTS.split(words)])
        numbers = (self.number(part) for part in parts)
        return [number for number in numbers if number and self.is_known(number)]

    def slug(self, number: RuleNumber) -> str:
        """How a heading's anchor writes a number: 12.5 is 125."""
        return heading_id(number.key, self.site.slugs().style)

    def _names(self, numbers: Iterable[RuleNumber], page: str) -> bool:
        """Whether a page's name begins as one that is made of a number or of its chapter."""
        for number in numbers:
            forms = (
                self.slug(number),
                re.sub(r"\W+", "-", number.key.lower()).strip("-"),
                number.labels[0].lower(),
            )
            if f"{page}-".startswith(tuple(f"{form}-" for form in forms)):
                return True
        return False

    def fits(self, number: RuleNumber, target: LinkTarget) -> bool:
        """Whether an address can be that of a number: its page by the chapter, its anchor by the section."""
        chain = [number, *self.dialect.ancestors(number)]
        page = re.sub(r"\W+", "-", posixpath.basename(target.address.rstrip("/")).lower())
        if not any(map(str.isdigit, target.anchor.partition("-")[0])):
            return self._names(chain, page)
        return f"{target.anchor}-".startswith(tuple(f"{self.slug(number)}-" for number in chain))

    def better_address(self, number: RuleNumber, target: LinkTarget) -> str:
        """The address that leads from the top of a page to a number, or to a rule around it; else nothing."""
        whole = self.book.rules_by_page.get(target.page.name) if target.page else None
        for one in (number, *self.dialect.ancestors(number)) if not target.anchor else ():
            if len(one.labels) == 1 or (whole and whole.number == one):
                return ""
            if target.page:
                page, own = target.page.name, self.book.anchors.items()
                anchors = [a for (name, a), node in own if a and name == page and node.number == one]
            else:
                seen, form = sorted(self.seen.get(target.address, ())), f"{self.slug(one)}-"
                anchors = [a for a in seen if f"{a}-".startswith(form)]
            if anchors:
                return f"{target.address}#{anchors[0]}"
        return ""

    def other(self, target: LinkTarget) -> str:
        """The known number that an address seems to be of."""
        name = posixpath.basename(target.address.rstrip("/"))
        slug = target.anchor.partition("-")[0] or name.partition("-")[0]
        return next((number.key for number in self.options() if self.slug(number) == slug), "")

    def options(self) -> Iterator[RuleNumber]:
        return filter(None, map(self.dialect.parse_number, (*self.known, *self.cited)))

    def address(self, number: RuleNumber, target: LinkTarget) -> str:
        """Where a rule stands, as a link would say it."""
        around = self.dialect.ancestors(number)
        for one in (number, *around):
            for (name, anchor), node in self.book.anchors.items():
                if node.key == one.key:
                    return f"{name}#{anchor}" if anchor else name
        chapter = [number, *around][-1]
        for page in self.absent:
            if self._names([chapter], posixpath.basename(page.rstrip("/"))):
                return f"{page}#{target.anchor}" if target.anchor else page
        return f"the page of {number.key}"

    def repaired_number(self, text: str) -> RuleNumber | None:
        """The known number that a malformed label means: `12,5`, `12.5 c`, `12.5C`."""
        if len(text) >= 16:
            return None
        bare = _BARE.sub("", text.replace(",", ".").replace("O", "0"))
        dotted = text.strip().replace(",", ".").replace(" ", "")
        for one in (dotted, dotted.lower(), bare, bare.lower(), dotted.replace("..", ".")):
            if (
                any(map(str.isdigit, one))
                and (number := self.dialect.parse_number(one))
                and self.is_known(number)
            ):
                return number
        return None

    def similar_number(self, text: str, target: LinkTarget) -> RuleNumber | None:
        """The known number that words like a number may mean, among those that their link may lead to."""
        if not _LIKE_NUMBER.fullmatch(text):
            return None
        fitting = {number.key: number for number in self.options() if self.fits(number, target)}
        bare = text.lstrip("[(§")
        same = next((key for key in fitting if _SIGNS.sub("", key) == _SIGNS.sub("", text)), "")
        begins = max((key for key in fitting if bare.startswith(key)), key=len, default="")
        near = same or begins or nearest_option(bare, fitting)
        return fitting[near] if near and len(fitting[near].labels) > 1 else None

    def collect(self, runs: Iterable[tuple[SourcePage, TextPiece, Link]]) -> None:
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

    def _shows(self, number: RuleNumber, target: LinkTarget) -> bool:
        """Whether a link proves that its number is a rule, whose page or chapter is not here."""
        if not target.page:
            meant = replace(target, address=self.misspelt(target.address) or target.address)
            return target.address in self.absent and self.fits(number, meant)
        chapter = self.dialect.chapter(number.labels[0])
        is_here = chapter is not None and chapter.key in self.known
        lacks = (target.page.name, target.anchor) not in self.book.anchors
        return not is_here and lacks and target.anchor.startswith(f"{self.slug(number)}-")

    def cite(self, number: RuleNumber, target: LinkTarget) -> None:
        """Enter a number that stands on a page that is not here, and those above it."""
        for one in (number, *self.dialect.ancestors(number)):
            if one.key in self.known:
                continue
            title = self.cited.get(one.key, (one, ""))[1]
            slug = self.slug(one)
            name = posixpath.basename(target.address.rstrip("/"))
            if len(one.labels) == 1 and name.startswith(f"{slug}-"):
                title = title or title_from_slug(name[len(slug) + 1 :])
            elif target.anchor.startswith(f"{slug}-"):
                title = title or title_from_slug(target.anchor[len(slug) + 1 :])
            self.cited[one.key] = (one, title)

    def cite_all(self, numbers: Iterable[RuleNumber | None]) -> None:
        """Enter the numbers that the book cites of chapters that are not here, where only a part of it is."""
        for number in filter(None, numbers if self.cited else ()):
            chapter = self.dialect.chapter(number.labels[0])
            for one in (number, *self.dialect.ancestors(number)):
                if chapter and chapter.key not in self.known and one.key not in self.known:
                    self.cited.setdefault(one.key, (one, ""))

    def target(self, page: SourcePage, link: Link) -> LinkTarget | None:
        if link.href.startswith(REF):
            name, _, anchor = unquote(link.href[len(REF) :]).partition("#")
            found = self.site.find_page(name, page) if name else page
            return LinkTarget(found.address if found else f"/{name.strip('/')}/", anchor, page=found)
        return self.site.target(page, link.href)

    def judge_link(self, page: SourcePage, piece: TextPiece, link: Link) -> JudgedLink:
        key = (page.name, link, piece.text)
        if key not in self.judged:
            text = " ".join(piece.text.split())
            verdict, more = self._judge(text, link, self.target(page, link))
            self.judged[key] = JudgedLink(page, link, text, verdict, **{"becomes": text, **more})
        return self.judged[key]

    def _judge(self, text: str, link: Link, target: LinkTarget | None) -> tuple[LinkVerdict, dict[str, str]]:
        """The verdict on a link, and what the receipt tells of it."""
        if target is None and (scheme := _SCHEME.match(link.href)) and scheme[0].lower() not in _WEB:
            number = self.by_number(link.href)
            if number is None:
                fault = f"{quote_short(link.href, 60)} is no web address"
                return LinkVerdict.BROKEN, {
                    "fault": fault,
                    "proposal": "mend the address, or take the link out",
                }
            marked = f"[[{number.key}|{text}]]" if text and not _MARKS.search(text) else text
            becomes = text if number in self.numbers_in(text) else marked or number.key
            return LinkVerdict.AGREES, {"says": number.key, "target_number": number.key, "becomes": becomes}
        if target is None:
            address = link.href if link.href not in (text, f"mailto:{text}") else ""
            return LinkVerdict.OUTSIDE, {
                "becomes": f"{text} ({address})" if text and address else text or address
            }
        if target.file:
            return LinkVerdict.FILE, {}
        if not target.page and is_file(target.address):
            return LinkVerdict.NO_FILE, {
                "proposal": "put the file where the link leads, or take the link out"
            }
        number = self.number(text)
        leads, fault = self._leads(target)
        led = leads.key if leads else ""
        if number is None:
            return self._judge_words(text, target, leads, fault)
        of_notes = bool(_OF_NOTES.match(target.anchor))
        is_mark = _MARK.fullmatch(text) and not self.site.served
        is_plain = text.isdigit() and self.is_known(number) and not of_notes  # it may well be a rule's
        if is_mark and not is_plain and (number != leads or (of_notes and not text.isdigit())):
            return LinkVerdict.WORDS, {"target_number": led}
        says = {"says": number.key, "target_number": led}
        if fault:
            near = f"link it to {self.address(number, target)}" if self.is_known(number) else ""
            if not target.page and (page := self.misspelt(target.address)):
                near = f"link it to {page}{f'#{target.anchor}' if target.anchor else ''}"
            perhaps = f"; {led} is meant, perhaps" if led else ""
            near = near or f"{number.key} is no rule that any page has{perhaps}"
            return LinkVerdict.BROKEN, {**says, "fault": fault, "proposal": near}
        chapter = self.dialect.chapter(number.labels[0])
        if leads is None and number.key in self.known and chapter and chapter.key in self.known:
            near = f"link it to {self.address(number, target)}"
            return LinkVerdict.BROKEN, {**says, "fault": f"no page {target.address}", "proposal": near}
        if leads is None and not self.fits(number, target):
            other = self.other(target)
            agree = f"{number.key} or {other or 'what the address says'}: make the two agree"
            says["target_number"] = other or f"{target.address}#{target.anchor}"
            return LinkVerdict.DISAGREES, {**says, "proposal": f"{agree}; {number.key} is kept"}
        if leads and not self.is_known(number):
            like = self.similar_number(text, target)
            proposal = f"is it {like.key}? " if like and like != leads else ""
            proposal += f"no page has {number.key}; {led} is where the link leads"
            return LinkVerdict.BROKEN, {**says, "proposal": proposal}
        lies_in = leads and number in (leads, *self.dialect.ancestors(leads))
        if leads and not lies_in and leads not in self.dialect.ancestors(number):
            proposal = f"link it to {self.address(number, target)}, or write {led}; {number.key} is kept"
            return LinkVerdict.DISAGREES, {**says, "proposal": proposal}
        if nearer := self.better_address(number, target):
            return LinkVerdict.SHORT, {**says, "proposal": f"link it to {nearer}"}
        return LinkVerdict.AGREES if leads else LinkVerdict.ABSENT, says

    def _judge_words(
        self, text: str, target: LinkTarget, leads: RuleNumber | None, fault: str
    ) -> tuple[LinkVerdict, dict[str, str]]:
        """The verdict on a link whose words are no number."""
        led = leads.key if leads else ""
        if meant := self.repaired_number(text):
            proposal = f"write {meant.key}; {quote_short(text)} is no number as this book writes them"
            becomes = f"[[{meant.key}|{text}]]"
            return LinkVerdict.MALFORMED, {
                "becomes": becomes,
                "says": meant.key,
                "target_number": led,
                "proposal": proposal,
            }
        named = self.numbers_in(text)
        if not named and _LIKE_NUMBER.fullmatch(text):
            like = self.similar_number(text, target) or leads
            proposal = f"{f'is it {like.key}? ' if like else ''}{quote_short(text)} is no number of this book"
            return LinkVerdict.MALFORMED, {
                "says": like.key if like else "",
                "target_number": led,
                "proposal": proposal,
            }
        if fault:
            return LinkVerdict.BROKEN, {"target_number": led, "proposal": "mend the address", "fault": fault}
        if not leads and not target.page:  # the number that the address has, as far as one is like it
            fitting = [number for number, _ in self.cited.values() if self.fits(number, target)]
            sign = 1 if target.anchor else -1
            leads = max(fitting, key=lambda one: sign * len(one.labels), default=None)
        if leads is None:
            return LinkVerdict.WORDS if target.page else LinkVerdict.ABSENT, {}
        if named:
            around = self.dialect.ancestors(leads)
            about = [number for number in named if leads in (number, *self.dialect.ancestors(number))]
            about = about or [number for number in named if number in around]
            says = (about or named)[0]
            nearer = self.better_address(says, target) if about else self.address(says, target)
            verdict = (
                LinkVerdict.DISAGREES if not about else LinkVerdict.SHORT if nearer else LinkVerdict.AGREES
            )
            proposal = f"link it to {nearer}" if nearer else ""
            proposal += "" if about else f", or write {leads.key}; {quote_short(text)} is kept"
            return verdict, {"says": says.key, "target_number": leads.key, "proposal": proposal}
        becomes = "" if _PERMANENT.fullmatch(text) else text or leads.key
        if becomes and text and not _MARKS.search(text):
            becomes = f"[[{leads.key}|{text}]]"
        return LinkVerdict.AGREES, {"target_number": leads.key, "becomes": becomes}

    def addressed(self, page: str, anchor: str) -> RuleNumber | None:
        """The number of the rule that an address means, by the words of its heading or by its last part."""
        slugs = self._slugs.setdefault(page, {})
        for (name, own), words in self.book.headings.items() if not slugs else ():
            node = self.book.anchors.get((name, own))
            if name == page and node and node.number:
                for slug in {_slug(words), _slug(pieces_text(node.title))}:
                    slugs[slug] = node.number if slugs.get(slug, node.number) == node.number else None
        return slugs.get(_slug(anchor)) or self.by_number(anchor, {*filter(None, slugs)})

    def by_number(self, address: str, slugs: Container[str] = ()) -> RuleNumber | None:
        """The known number that an address ends in, behind no `slugs`, whose repetitions are counted so."""
        parts = _STROKES.split(address)
        for at in range(len(parts)):
            for text in (".".join(parts[at:]), parts[-1] if at == len(parts) - 1 else "-".join(parts[at:])):
                bare = text.lstrip("".join(filter(str.isalpha, text[:4])))
                for number in map(self.number, (text, bare)):
                    if number and self.is_known(number) and _slug("".join(parts[:at])) not in slugs:
                        return number
        return None

    def _leads(self, target: LinkTarget) -> tuple[RuleNumber | None, str]:
        """The number of the rule that a link leads to, and what is wrong with its address."""
        if target.page is None:
            page = self.misspelt(target.address)
            return None, f"no page {target.address}; did you mean {page}?" if page else ""
        name, anchor = target.page.name, target.anchor
        whole = self.book.rules_by_page.get(name)
        node = self.book.anchors.get((name, anchor)) if anchor else whole
        if anchor and not node and not self.site.served and (number := self.addressed(name, anchor)):
            return number, ""
        if node or not anchor or (name, anchor) in self.book.headings:
            node = node or whole
            return node.number if node else None, ""
        near = nearest_option(anchor, [own for page, own in self.book.anchors if page == name])
        node = self.book.anchors[name, near] if near else whole
        hint = f"; did you mean #{near}?" if near else ""
        return node.number if node else None, f"{posixpath.basename(name)} has no heading #{anchor}{hint}"
