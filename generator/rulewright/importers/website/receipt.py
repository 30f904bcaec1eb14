"""The receipt of an import: words kept, changed and lost; links judged; guesses; problems.

Everybody who makes something of the pages enters here what came of them. The words of the source are those
that a browser shows, without the reader that made rules of it, so that what the reader loses is seen here.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from html.parser import HTMLParser
from typing import Any, NamedTuple, TypeVar

from markdown_it.token import Token

from rulewright.importers.reader.page import IN_WORDS
from rulewright.importers.website.blocks import WORD, DroppedWords, Link, ParsedPage, list_mark
from rulewright.importers.website.page_blocks import ATTRIBUTES, SILENT, SIZE
from rulewright.importers.website.page_tokens import PARSER, segments
from rulewright.importers.website.site import Page
from rulewright.model.reports import several
from rulewright.source.amounts import whole
from rulewright.source.problems import Problem, shown


class Verdict(StrEnum):
    """The verdict on a link."""

    AGREES = "agrees"
    MALFORMED = "malformed"
    DISAGREES = "disagrees"
    BROKEN = "broken"
    ABSENT = "page not here"  # its page is not among those that were read
    OUTSIDE = "leaves the site"
    FILE = "file"
    WORDS = "no rule"
    NO_FILE = "file not here"
    SHORT = "falls short"  # at the top of a page, and its words name a rule that has a heading there


_WRONG = (Verdict.BROKEN, Verdict.DISAGREES, Verdict.MALFORMED, Verdict.NO_FILE, Verdict.SHORT)


class Change(NamedTuple):
    """Words of the source that became something else: `now`, or a sign, a kind, a place."""

    page: Page
    line: int
    was: str
    now: str
    what: str


class MendedWord(NamedTuple):
    """A word that a line end had parted. `now`: the whole word; `sure`: the book itself shows that."""

    line: int
    was: str
    now: str
    sure: bool = True


@dataclass(frozen=True, slots=True)
class JudgedLink:
    """A link and what came of it. `says` and `leads`: the numbers of its words and of its target.

    `becomes`: the words that stand for it; `fault`: what is wrong with its address; `proposal`: what its
    author may want to do.
    """

    page: Page
    link: Link
    text: str
    verdict: Verdict
    says: str = ""
    leads: str = ""
    becomes: str = ""
    proposal: str = ""
    fault: str = ""


class LostWords(NamedTuple):
    """Words of a line of the source that are nowhere in what was made.

    `whole`: all words of that line, or of a long one those around them.
    """

    words: str
    page: Page
    line: int
    whole: str

    @property
    def size(self) -> int:
        return self.words.count(" ") + 1

    def __str__(self) -> str:
        is_all = self.words == self.whole
        return f"“{shown(self.whole, 90)}”" if is_all else f"“{self.words}” of “{shown(self.whole, 90)}”"


@dataclass(slots=True)
class WordAccount:
    """Word counts of pages of one file. `lost` (by lines) and `gained` words should be none."""

    pages: list[Page]
    words: int = 0
    kept: int = 0
    turned: int = 0
    mended: int = 0
    dropped: int = 0
    lost: list[LostWords] = field(default_factory=list)
    gained: Counter[str] = field(default_factory=Counter)


@dataclass(slots=True)
class Receipt:
    """The report of an import. `unlinked`: references that no link marked; `missing`: pictures not found.

    `published`: the files of the old site, by address, each with its new name if it is copied; `aside`: files
    that were there already, with why they cannot stay; `clashing`: old addresses that lead elsewhere already;
    `elsewhere`: problems that the import brings to other files. `unread`: lines that begin like labels and
    are none, by the reason.
    """

    source: str = ""
    dialect: str = ""
    counts: dict[str, int] = field(default_factory=dict)
    accounts: list[WordAccount] = field(default_factory=list)
    turned: list[Change] = field(default_factory=list)
    mended: list[tuple[Page, MendedWord]] = field(default_factory=list)
    dropped: list[tuple[Page, DroppedWords]] = field(default_factory=list)
    links: list[JudgedLink] = field(default_factory=list)
    unlinked: list[tuple[Page, int, str]] = field(default_factory=list)
    missing: list[tuple[Page, int, str]] = field(default_factory=list)
    guesses: list[tuple[Page, int, str]] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    checked: list[Problem] = field(default_factory=list)
    excused: list[Problem] = field(default_factory=list)
    published: list[tuple[str, str]] = field(default_factory=list)
    aside: dict[str, str] = field(default_factory=dict)
    clashing: list[str] = field(default_factory=list)
    elsewhere: list[Problem] = field(default_factory=list)
    unread: dict[str, list[tuple[Page, int, str]]] = field(default_factory=dict)

    def turn(self, page: Page, line: int, was: str, now: str, what: str) -> None:
        self.turned.append(Change(page, line, was, now, what))

    def guess(self, page: Page, line: int, message: str) -> None:
        self.guesses.append((page, line, message))

    @property
    def lost(self) -> list[LostWords]:
        return [lost for account in self.accounts for lost in account.lost]

    @property
    def words_lost(self) -> int:
        return sum(lost.size for lost in self.lost)

    @property
    def is_refused(self) -> bool:
        """Whether a word is lost, or the check refuses what was made."""
        return bool(self.lost) or any(problem.fails for problem in self.checked)

    def of(self, *verdicts: Verdict) -> list[JudgedLink]:
        return [judged for judged in self.links if judged.verdict in verdicts]

    def wrong(self) -> list[JudgedLink]:
        return self.of(*_WRONG)

    def verdicts(self) -> dict[str, int]:
        return dict(sorted(Counter(judged.verdict for judged in self.links).items()))


ASIDE = "set-aside"
"""The folder, beside that of the content, where files go that an import leaves no place for."""


def data(receipt: Receipt, files: Mapping[str, str]) -> dict[str, Any]:
    """The receipt for programs. `files`: what was written, with the sums by which a later import knows it."""
    return {
        "source": receipt.source,
        "dialect": receipt.dialect,
        "counts": receipt.counts,
        "words": [
            {
                "pages": [page.file.name for page in account.pages],
                **{name: getattr(account, name) for name in ("words", "kept", "turned", "mended", "dropped")},
                "lost": [
                    _at(lost.page, lost.line, words=lost.words, whole=lost.whole) for lost in account.lost
                ],
                "gained": dict(sorted(account.gained.items())),
            }
            for account in receipt.accounts
        ],
        "links": {
            "verdicts": receipt.verdicts(),
            "wrong": [_link(judged) for judged in receipt.wrong()],
            "pages not here": [_link(judged) for judged in receipt.of(Verdict.ABSENT)],
        },
        "references without a link": [_at(page, line, rule=key) for page, line, key in receipt.unlinked],
        "turned": [_at(t.page, t.line, was=t.was, now=t.now, what=t.what) for t in receipt.turned],
        "mended": [_at(page, m.line, was=m.was, now=m.now) for page, m in receipt.mended if m.sure],
        "hyphens left": [_at(page, m.line, was=m.was) for page, m in receipt.mended if not m.sure],
        "dropped": [_at(page, d.line, words=d.words, why=d.why) for page, d in receipt.dropped],
        "pictures not found": [_at(page, line, address=address) for page, line, address in receipt.missing],
        "guesses": [_at(page, line, guess=message) for page, line, message in receipt.guesses],
        "problems": [str(problem) for problem in (*receipt.problems, *receipt.checked)],
        "excused": [str(problem) for problem in receipt.excused],
        "files at old addresses": [{"address": a, "now": now} for a, now in receipt.published],
        "set aside": receipt.aside,
        "addresses left out": receipt.clashing,
        "problems elsewhere": [str(problem) for problem in receipt.elsewhere],
        "files": dict(sorted(files.items())),
    }


def _at(page: Page, line: int, **more: str) -> dict[str, Any]:
    return {"file": page.file.name, "line": line, **more}


def _link(judged: JudgedLink) -> dict[str, Any]:
    return {
        **_at(judged.page, judged.link.line),
        "column": judged.link.column,
        "text": judged.text,
        "address": judged.link.href,
        **{name: getattr(judged, name) for name in ("verdict", "says", "leads", "fault", "proposal")},
    }


def markdown(receipt: Receipt) -> str:
    """The receipt for the editor, as the template words it."""
    # Imported here: only this needs templates.
    from rulewright.site.templating import environment

    made = environment()
    made.filters["oneline"] = lambda words: " ".join(str(words).split())
    places: dict[str, list[str]] = {}  # of the links to each page that is not here
    for judged in receipt.of(Verdict.ABSENT):
        address = judged.link.href.partition("#")[0]
        places.setdefault(address, []).append(f"{judged.page.file.name}:{judged.link.line}")
    text = made.get_template("import/report.md").render(
        receipt=receipt,
        turned=Counter(one.what.partition(":")[0] for one in receipt.turned).most_common(),
        absent=sorted(places.items()),
    )
    return re.sub(r"\n{3,}", "\n\n", text).strip() + "\n"


def counted(receipt: Receipt) -> str:
    """How much was made of what: `1 page, 12 rules, 3 links recovered`."""
    each = ((count, *name.partition(" ")[::2]) for name, count in receipt.counts.items() if count)
    return ", ".join(f"{several(count, noun.removesuffix('s'))} {more}".strip() for count, noun, more in each)


def looks(receipt: Receipt, most: int) -> Iterator[str]:
    """The places that need a look, a line each, and of every sort no more than so many."""
    for judged in receipt.wrong()[:most]:
        link = judged.link
        leads = f", leads to {judged.leads}" if judged.leads else ""
        leads += f", {judged.fault}" if judged.fault else ""
        says = f"says {judged.says}{leads}" if judged.says else f"“{judged.text}”{leads}"
        place = f"{judged.page.file.name}:{link.line}:{link.column}"
        yield f"{place}: link {judged.verdict}: {says}; {judged.proposal}"
    if (more := len(receipt.wrong()) - most) > 0:
        yield f"and {more} more links like these"
    for lost in receipt.lost[:most]:
        yield f"{lost.page.file.name}:{lost.line}: lost: {lost}"
    if (more := len(receipt.lost) - most) > 0:
        yield f"and {more} more lines with words that are lost"
    for name, why in receipt.aside.items():
        yield f"{name}: set aside in {ASIDE}/: {why}"
    if receipt.clashing:
        yield f"old addresses that lead elsewhere, left out: {len(receipt.clashing)}"


def unlabelled(receipt: Receipt) -> Iterator[str]:
    """Lines that begin like labels and are none, by the reason, and how many links are broken."""
    for why, places in receipt.unread.items():
        named = [f"“{shown(words, 40)}” ({page.name}:{line})" for page, line, words in places[:_MOST_SHOWN]]
        more = f" and {len(places) - _MOST_SHOWN} more" if len(places) > _MOST_SHOWN else ""
        count = several(len(places), "label-like beginning")
        yield f"{count} no label, because {why}: {', '.join(named)}{more}"
    if broken := receipt.of(Verdict.BROKEN, Verdict.NO_FILE):
        first = broken[0]
        place = f"{first.page.file.name}:{first.link.line}"
        yield f"{several(len(broken), 'broken link')}, their words are kept: first “{first.text}” ({place})"


_MOST_SHOWN = 3

_ID = re.compile(r" \{: #[^{}\n]*\}$", re.MULTILINE)
_REFERENCE_MARK = re.compile(r"\[\[[^\[\]|]*\|([^\[\]]*)\]\]")
_REACH = 50  # lines: how far behind its block's beginning a word is looked for


def shown_words(text: str, first: int) -> Iterator[tuple[str, int]]:
    """The words of a text without front matter and shortcodes. `first`: the line that it begins in."""
    for start, segment, _ in segments(text):
        yield from _words(segment, first + text.count("\n", 0, start))


def written_page(text: str) -> list[str]:
    """The words of a page that an import writes, whose headings have ids and whose references have marks."""
    return [word for word, _ in shown_words(_REFERENCE_MARK.sub(r"\1", _ID.sub("", text)), 1)]


def _words(text: str, first: int) -> Iterator[tuple[str, int]]:
    tokens, lines = PARSER.parse(text), text.split("\n")
    start = at = 0
    for end, token in enumerate(tokens, 1):
        if token.level or token.nesting > 0:
            continue
        block, start = tokens[start:end], end
        at = next((one.map[0] for one in block if one.map), at)
        for word in _WordGatherer.words(block):
            at = next((n for n in range(at, min(len(lines), at + _REACH)) if word in lines[n]), at)
            yield word, first + at


class _WordGatherer(HTMLParser):
    """Gathers the words of HTML; tags part them, but for those that only change how words look."""

    def __init__(self) -> None:
        super().__init__()
        self.parts: list[str] = []
        self.silent = ""
        self.lists: list[tuple[int, str]] = []  # the next item's number, -1 for a bullet, and how it counts

    @classmethod
    def words(cls, block: Sequence[Token]) -> list[str]:
        seen = cls()
        for token in block:
            _strip_attributes(token.children or [])
        seen.feed(str(PARSER.renderer.render(list(block), PARSER.options, {})))
        seen.close()
        return WORD.findall("".join(seen.parts))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.silent = self.silent or (tag if tag in SILENT else "")
        self.parts.append("" if tag in IN_WORDS else " ")
        if tag in ("ol", "ul"):
            start = whole(dict(attrs).get("start") or "1")
            first = -1 if tag == "ul" else 1 if start is None else max(start, 0)
            self.lists.append((first, dict(attrs).get("type") or ""))
        elif tag == "li" and self.lists and self.lists[-1][0] >= 0:
            count, sort = self.lists[-1]
            given = whole(dict(attrs).get("value") or "")
            count = count if given is None else max(given, 0)
            self.parts.append(f"{list_mark(count, sort)} ")
            self.lists[-1] = count + 1, sort
        elif tag == "img":
            values = dict(attrs)
            self.parts += [f" {said or ''} " for said in dict.fromkeys(map(values.get, ("alt", "title")))]

    def handle_endtag(self, tag: str) -> None:
        if tag in ("ol", "ul") and self.lists:
            self.lists.pop()
        self.silent = "" if tag == self.silent else self.silent
        self.parts.append("" if tag in IN_WORDS else " ")

    def handle_data(self, data: str) -> None:
        self.parts.append("" if self.silent else data)


def _strip_attributes(run: Sequence[Token]) -> None:
    """Take what only a browser sees out of a run of words: sizes of pictures, attributes at its end."""
    for before, token in zip([None, *run], run, strict=False):
        if before and before.type == "image" and token.type == "text" and (m := SIZE.match(token.content)):
            token.content = token.content[m.end() :]
    if run and run[-1].type == "text":
        run[-1].content = ATTRIBUTES.sub("", run[-1].content)


def _footnote(_: Any, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
    """A footnote, and what refers to it, by the name that its author gave it."""
    return f" [{tokens[at].meta.get('label', '')}] "


PARSER.add_render_rule("footnote_ref", _footnote)
PARSER.add_render_rule("footnote_open", _footnote)
PARSER.add_render_rule("footnote_anchor", lambda *_: "")


def accounts(
    pages: Sequence[ParsedPage], written: Sequence[tuple[Sequence[Page], Sequence[str]]], told: Receipt
) -> list[WordAccount]:
    """An account for each page, or all that share a file. `written`: files, by pages and their words."""
    groups = {read.page.name: read.page.name for read in pages}
    for sources, _ in written:
        whole = {groups[page.name] for page in sources}
        groups |= {name: groups[sources[0].name] for name, own in groups.items() if own in whole}
    members, outputs, turned, mended = (defaultdict[str, list[Any]](list) for _ in range(4))
    for read in pages:
        members[groups[read.page.name]].append(read)
    for sources, words in written:
        outputs[groups[sources[0].name]] += words
    for one in told.turned:
        turned[groups[one.page.name]].append((one.was, one.now))
    for page, mend in told.mended:
        mended[groups[page.name]] += [(mend.was, mend.now)] if mend.was != mend.now else []
    return [_account(reads, outputs[name], turned[name], mended[name]) for name, reads in members.items()]


_Changes = Sequence[tuple[str, str]]


def _account(
    pages: Sequence[ParsedPage], outputs: Iterable[str], turned: _Changes, mended: _Changes
) -> WordAccount:
    made = WordAccount([read.page for read in pages])
    source: list[tuple[str, int, Page]] = []
    gone: Counter[str] = Counter()
    for read in pages:
        first = read.page.file.place(read.page.start).line
        source += [(word, 1, read.page) for word in WORD.findall(read.page.title)]
        source += [(word, line, read.page) for word, line in shown_words(read.text, first)]
        source += [(word, line, read.page) for line, word in read.page.unread]
        titles = [word for _, title in read.asides for word in WORD.findall(title)]
        source += [(word, first, read.page) for word in titles]
        for dropped in read.dropped:
            words = WORD.findall(dropped.words)
            made.dropped += len(words)
            gone.update(words)
            if dropped.told:  # what is not told stands on the page
                source += [(word, dropped.line, read.page) for word in words]
    made.words = len(source)
    made.turned = sum(len(WORD.findall(was)) for was, _ in turned)
    made.mended = sum(len(WORD.findall(was)) for was, _ in mended)
    for was, now in (*turned, *mended):
        gone.update(WORD.findall(was))
        gone.subtract(WORD.findall(now))
    balance = Counter(word for word, _, _ in source)
    balance.subtract(gone)
    balance.subtract(outputs)
    made.kept = made.words - made.turned - made.mended - made.dropped
    lines: dict[tuple[Page, int], list[str]] = {}
    for word, line, page in source:
        lines.setdefault((page, line), []).append(word)
    for (page, line), lost in placed(lines, +balance):
        words = lines[page, line]
        first = max(words.index(lost[0]) - _AROUND, 0) if len(words) > _LONGEST else 0
        made.lost.append(LostWords(" ".join(lost), page, line, " ".join(words[first : first + _LONGEST])))
        made.kept -= len(lost)
    made.gained = +Counter({word: -count for word, count in balance.items()})
    return made


_LONGEST, _AROUND = 60, 10
"""How many words of a line are told, and how many in front of the first that is lost."""
_Place = TypeVar("_Place", bound=Hashable)


def placed(lines: Mapping[_Place, Sequence[str]], lost: Counter[str]) -> Iterator[tuple[_Place, list[str]]]:
    """The lines that words are lost from: those first of which most is."""
    left = Counter(lost)
    shares = {at: sum(word in lost for word in words) / len(words) for at, words in lines.items() if words}
    for at in sorted(shares, key=lambda at: -shares[at]):
        own: list[str] = []
        for word in lines[at] if shares[at] else ():
            if left[word] > 0:
                left[word] -= 1
                own.append(word)
        if own:
            yield at, own
