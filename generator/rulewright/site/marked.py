"""A text with its errata shown in it: what was printed, what holds now, and what of both is the same.

    printed ──parted──► blocks ─┐
                                ├─ which are the same? ─► words that stayed, went and came ─► HTML
    amended ──parted──► blocks ─┘

The same page serves three readers, as printed, as amended and with the changes shown: what went and what came
is marked, and the style sheet shows the one, the other or both. Where errata alter how a text is divided into
paragraphs and items, those are shown whole, as they were and as they are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Protocol

from rulewright.citations.paragraphs import Item, List, parted
from rulewright.citations.prose import Link, Show, Stretch, told
from rulewright.citations.resolving import Resolved
from rulewright.model.amended import COME, GONE, Amended
from rulewright.model.erratum import Erratum
from rulewright.site.versions import Span, Version, Versions

Lines = list[Span]
Block = Lines | List


class Marks(Protocol):
    """Maker of the HTML of words that went (`-`) or came (`+`), and of the sign that leads to errata."""

    def mark(self, sign: str, words: str) -> str: ...
    def sign(self, errata: Sequence[Erratum]) -> str: ...


class Marked:
    """One text with its errata. `old` and `new` are what was printed and what it is as amended."""

    def __init__(
        self,
        text: Amended,
        references: tuple[Sequence[Resolved], Sequence[Resolved]],
        link: Link,
        marks: Marks,
        stretches: Sequence[Stretch] = (),
        show: Show = told,
    ) -> None:
        self.marks = marks
        self.versions = Versions(text, references, link, stretches, show)
        self.old, self.new = self.versions.old, self.versions.new

    def blocks(self) -> str:
        """The paragraphs and lists of the text."""
        olds, news = (list(parted(version.text)) for version in (self.old, self.new))
        self.versions.settle(
            [s for block in olds for s in _spans(block)], [s for block in news for s in _spans(block)]
        )
        return "\n".join(self._blocks(olds, news))

    def inline(self, until: int | None = None) -> str:
        """The text in one line, of what it is as amended only what stands before `until`."""
        end = len(self.new.text) if until is None else until
        self.versions.settle([(0, len(self.old.text))], [(0, end)])
        last = self.versions.before.get(end, len(self.old.text))
        return self._words((0, last), (0, end))

    # Blocks

    def _blocks(self, olds: Sequence[Block], news: Sequence[Block]) -> Iterator[str]:
        for before, after in self._paired(list(map(_spans, olds)), list(map(_spans, news))):
            was, now = [olds[at] for at in before], [news[at] for at in after]
            if len(was) == len(now) == 1 and (made := self._block(was[0], now[0])):
                yield made
            else:
                yield from (self._whole(block, GONE) for block in was)
                yield from (self._whole(block, COME) for block in now)

    def _block(self, old: Block, new: Block) -> str:
        """A block that is in both versions, or nothing where it is of another sort in each."""
        if isinstance(old, List) and isinstance(new, List) and old.first == new.first:
            return f"{new.opening()}{''.join(self._items(old.items, new.items))}{new.closing}"
        if isinstance(old, List) or isinstance(new, List) or not self._same_words(_around(old), _around(new)):
            return ""
        return f"<p>{self._words(_around(old), _around(new))}</p>"

    def _items(self, olds: Sequence[Item], news: Sequence[Item]) -> Iterator[str]:
        spans = [[_spans_of(item) for item in items] for items in (olds, news)]
        for before, after in self._paired(*spans):
            was, now = [olds[at] for at in before], [news[at] for at in after]
            if len(was) == len(now) == 1 and self._same_words(_around(was[0].lines), _around(now[0].lines)):
                words = self._words(_around(was[0].lines), _around(now[0].lines))
                yield f"<li>{words}{''.join(self._blocks(was[0].lists, now[0].lists))}</li>"
            else:
                yield from (self._whole_item(item, GONE) for item in was)
                yield from (self._whole_item(item, COME) for item in now)

    def _same_words(self, old: Span, new: Span) -> bool:
        """Whether all that stayed of some words stayed within others, and nothing of those was elsewhere."""
        stayed = {self.versions.now[at] for at in self._seen(*old)}
        before = self.versions.before
        visible = {at for at in range(*new) if at in before and not self.new.text[at].isspace()}
        return stayed == visible

    def _seen(self, start: int, end: int) -> list[int]:
        """The visible characters of what was printed that stayed."""
        return [at for at in range(start, end) if at in self.versions.now and not self.old.text[at].isspace()]

    def _paired(
        self, olds: Sequence[Sequence[Span]], news: Sequence[Sequence[Span]]
    ) -> Iterator[tuple[list[int], list[int]]]:
        """Which parts of the two versions have words in common: as few together as may be, in their order."""
        home = {at: nth for nth, spans in enumerate(news) for span in spans for at in range(*span)}
        hits = [
            {
                home[now]
                for span in spans
                for at in self._seen(*span)
                if (now := self.versions.now[at]) in home
            }
            for spans in olds
        ]
        at = reached = 0
        while at < len(olds):
            if not hits[at]:
                following = min((min(one) for one in hits[at:] if one), default=len(news))
                ahead = [n for n in range(reached, following) if self._is_ahead(news[n], olds[at])]
                yield from (([], [nth]) for nth in ahead)
                yield [at], []
                at, reached = at + 1, reached + len(ahead)
                continue
            first, last, end = min(hits[at]), max(hits[at]), at + 1
            yield from (([], [nth]) for nth in range(reached, first))
            while further := [nth for nth in range(end, len(olds)) if hits[nth] and min(hits[nth]) <= last]:
                end = further[-1] + 1
                last = max(last, *(max(hits[nth]) for nth in further))
            yield list(range(at, end)), list(range(max(first, reached), last + 1))
            at, reached = end, last + 1
        yield from (([], [nth]) for nth in range(reached, len(news)))

    def _is_ahead(self, new: Sequence[Span], old: Sequence[Span]) -> bool:
        """Whether words that came stand ahead of some that went."""
        return self.new.order[new[0][0]] < self.old.order[old[0][0]]

    def _whole(self, block: Block, sign: str) -> str:
        """A block of one version alone."""
        name = _NAMES[sign]
        if isinstance(block, List):
            items = "".join(self._whole_item(item, sign) for item in block.items)
            classes = f' class="erratum {name}"'
            return f"{block.opening(classes)}{items}{block.closing}"
        return f'<p class="erratum {name}">{self._whole_words(_around(block), sign)}</p>'

    def _whole_item(self, item: Item, sign: str) -> str:
        inner = "".join(self._whole(block, sign) for block in item.lists)
        return (
            f'<li class="erratum {_NAMES[sign]}">{self._whole_words(_around(item.lines), sign)}{inner}</li>'
        )

    def _whole_words(self, span: Span, sign: str) -> str:
        version = self.old if sign == GONE else self.new
        due = list(dict.fromkeys(filter(None, version.due[slice(*span)])))
        return _trimmed(self._marked(version, span, span, sign)) + (self.marks.sign(due) if due else "")

    # Words

    def _words(self, old: Span, new: Span) -> str:
        """The words of a paragraph or an item that is in both versions."""
        made: list[str] = []
        was, now = old[0], new[0]
        while was < old[1] or now < new[1]:
            gone = self.old.until(was, old[1], is_due=True)
            come = self.new.until(now, new[1], is_due=True)
            due = [*self.old.due[was:gone], *self.new.due[now:come]]
            if due:
                made += [self._marked(self.old, old, (was, gone), GONE)]
                made += [self._marked(self.new, new, (now, come), COME)]
                made.append(self.marks.sign(list(dict.fromkeys(filter(None, due)))))
            was, now = self._kept((gone, old[1]), (come, new[1]))
            made += (piece.html for piece in self.new.pieces(new, (come, now)))
            if not due and now == come:
                was += 1  # white space that is no part of the other version's words
        return _trimmed("".join(made))

    def _kept(self, old: Span, new: Span) -> Span:
        """How far words go on in both versions that stayed."""
        was, now = old[0], new[0]
        while now < new[1] and not self.new.due[now]:
            before = self.versions.before[now]
            if was <= before < old[1]:
                if any(self.old.due[was:before]):
                    break
                was = before + 1
            now += 1
        return was, now

    def _marked(self, version: Version, unit: Span, span: Span, sign: str) -> str:
        """Words that went or came. Tags of emphasis stay outside; of what went only such as close."""
        pieces = list(version.pieces(unit, span))
        if sign == GONE and not _closes([piece.html for piece in pieces if piece.is_tag]):
            pieces = [piece for piece in pieces if not piece.is_tag]
        made: list[str] = []
        for is_tag, group in groupby(pieces, lambda piece: piece.is_tag):
            html = "".join(piece.html for piece in group)
            made.append(html if is_tag or not html.strip() else self.marks.mark(sign, html))
        return "".join(made)


_NAMES = {GONE: "gone", COME: "come"}


def _closes(tags: Iterable[str]) -> bool:
    """Whether tags that open all close again, in order."""
    opened: list[str] = []
    for tag in filter(None, tags):
        if not tag.startswith("</"):
            opened.append(tag)
        elif not opened or opened.pop() != tag.replace("/", ""):
            return False
    return not opened


def _trimmed(html: str) -> str:
    return "\n".join(line.strip() for line in html.strip().split("\n"))


def _around(lines: Lines) -> Span:
    return lines[0][0], lines[-1][1]


def _spans(block: Block) -> list[Span]:
    if isinstance(block, List):
        return [span for item in block.items for span in _spans_of(item)]
    return [_around(block)]


def _spans_of(item: Item) -> list[Span]:
    return [_around(item.lines), *(span for block in item.lists for span in _spans(block))]
