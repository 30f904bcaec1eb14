"""A text with its errata shown in it: what was printed, what holds now, and what of both is the same.

    printed ──read──► blocks ─┐
                              ├─ which are the same? ─► words that stayed, went and came ─► HTML
    amended ──read──► blocks ─┘

The same page serves three readers, as printed, as amended and with the changes shown: what went and what came
is marked, and the style sheet shows the one, the other or both. Where errata alter how a text is divided into
paragraphs and items, those are shown whole, as they were and as they are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Protocol

from rulewright.schema.amended_text import COME, GONE, KEPT, AmendedText
from rulewright.schema.erratum import Erratum
from rulewright.schema.text_document import (
    Block,
    Document,
    HtmlWriter,
    Inline,
    MarkupToken,
    TextList,
    TextParagraph,
    TextRun,
    list_html,
    trim_html,
)

Span = tuple[int, int]

_NAMES = {GONE: "gone", COME: "come"}


class ChangeMarker(Protocol):
    """Maker of the HTML of words that went (`-`) or came (`+`), and of the sign that leads to errata."""

    def mark(self, sign: str, words: str) -> str: ...
    def sign(self, errata: Sequence[Erratum]) -> str: ...


class ComparedText:
    """A text before (`-`) or after (`+`) errata.

    Of each character: `erratum_by_character`, its erratum; `order` among all.
    """

    def __init__(self, text: AmendedText, document: Document, sign: str) -> None:
        self.text, self.document = document.text, document
        self.erratum_by_character: list[Erratum | None] = []
        self.order: list[int] = []
        at = 0
        for run in text.runs:
            if run.change in (KEPT, sign):
                self.erratum_by_character += [run.erratum] * len(run.words)
                self.order += range(at, at + len(run.words))
            at += len(run.words)

    def run(self, end: int) -> TextParagraph:
        """All that stands before `end` as one run of words."""
        return TextParagraph(0, end, self.document.inline(0, end))

    def pieces(self, unit: TextParagraph, span: Span) -> Iterator[Inline]:
        for one in unit.inline:
            start, end = max(one.start, span[0]), min(one.end, span[1])
            if start < end and _is_bare(one):
                yield TextRun(start, end, self.text[start:end])
            elif start < end and start == one.start:
                yield one

    def nearest(self, at: int) -> Erratum | None:
        behind = next(filter(None, self.erratum_by_character[at:]), None)
        return behind or next(filter(None, reversed(self.erratum_by_character[:at])), None)

    def starts_block(self, block: Block) -> int:
        return self.order[next(_walk([block])).start]

    def until(self, at: int, end: int) -> int:
        while at < end and self.erratum_by_character[at]:
            at += 1
        return at


class MarkedText:
    """A text `old` and `new`.

    `new_positions`: where kept characters of old are in new; `old_positions`: the other way.
    """

    def __init__(
        self, text: AmendedText, old: Document, new: Document, html: HtmlWriter, marks: ChangeMarker
    ) -> None:
        self.html, self.marks = html, marks
        self.old, self.new = ComparedText(text, old, GONE), ComparedText(text, new, COME)
        places = {order: at for at, order in enumerate(self.new.order)}
        self._same = [(at, places[order]) for at, order in enumerate(self.old.order) if order in places]
        self.new_positions: dict[int, int] = {}
        self.old_positions: dict[int, int] = {}

    def blocks(self) -> str:
        olds, news = self.old.document.blocks, self.new.document.blocks
        self._settle(_walk(olds), _walk(news))
        return "\n".join(self._blocks(olds, news))

    def inline(self, until: int | None = None) -> str:
        """The text in one line, of what it is as amended only what stands before `until`."""
        end = len(self.new.text) if until is None else until
        self._settle([self.old.run(len(self.old.text))], [self.new.run(end)])
        return self._words(self.old.run(self.old_positions.get(end, len(self.old.text))), self.new.run(end))

    def _settle(self, olds: Iterable[TextParagraph], news: Iterable[TextParagraph]) -> None:
        """Make links and emphasis whole: what changed in part, or is in one version, changed altogether."""
        cuts = [[one for unit in units for one in unit.inline if not _is_bare(one)] for units in (olds, news)]
        tags = [
            {at: one.tag for one in cut if isinstance(one, MarkupToken) for at in range(one.start, one.end)}
            for cut in cuts
        ]
        for was, now in self._same:
            if tags[0].get(was) != tags[1].get(now):
                self.old.erratum_by_character[was] = self.new.erratum_by_character[now] = self.new.nearest(
                    now
                ) or self.old.nearest(was)
        changed = True
        while changed:
            changed = False
            for version, own in zip((self.old, self.new), cuts, strict=True):
                for one in own:
                    part = slice(one.start, one.end)
                    due = next(filter(None, version.erratum_by_character[part]), None)
                    if due and not all(version.erratum_by_character[part]):
                        version.erratum_by_character[part] = [
                            known or due for known in version.erratum_by_character[part]
                        ]
                        changed = True
            for was, now in self._same:
                erratum = self.old.erratum_by_character[was] or self.new.erratum_by_character[now]
                if erratum and not (
                    self.old.erratum_by_character[was] and self.new.erratum_by_character[now]
                ):
                    self.old.erratum_by_character[was] = self.new.erratum_by_character[now] = erratum
                    changed = True
        self.new_positions = {was: now for was, now in self._same if not self.old.erratum_by_character[was]}
        self.old_positions = {now: was for was, now in self.new_positions.items()}

    # Blocks

    def _blocks(self, olds: Sequence[Block], news: Sequence[Block], name: str = "p") -> Iterator[str]:
        """Blocks, or the items of a list, whose `name` is another one, as they were and are."""
        for was, now in self._paired(olds, news):
            if len(was) == len(now) == 1 and (made := self._block(was[0], now[0], name)):
                yield made
            else:
                yield from (self._whole(block, GONE, name) for block in was)
                yield from (self._whole(block, COME, name) for block in now)

    def _block(self, old: Block, new: Block, name: str) -> str:
        """A block that is in both versions, or nothing where it is of another sort in each."""
        if isinstance(old, TextList) and isinstance(new, TextList) and old.first == new.first:
            return list_html(new, "".join(self._blocks(old.items, new.items, "li")))
        if isinstance(old, TextList) or isinstance(new, TextList) or not self._same_words(old, new):
            return ""
        opened = self.html.item(new) if name == "li" else f"<{name}>"
        return f"{opened}{self._words(old, new)}{''.join(self._blocks(old.lists, new.lists))}</{name}>"

    def _same_words(self, old: TextParagraph, new: TextParagraph) -> bool:
        """Whether all that stayed of some words stayed within others, and nothing of those was elsewhere."""
        visible = (at for at in range(new.start, new.end) if not self.new.text[at].isspace())
        return {self.new_positions[at] for at in self._seen(old)} == self.old_positions.keys() & set(visible)

    def _seen(self, one: TextParagraph) -> list[int]:
        """The visible characters of what was printed that stayed."""
        return [
            at
            for at in range(one.start, one.end)
            if at in self.new_positions and not self.old.text[at].isspace()
        ]

    def _paired(
        self, olds: Sequence[Block], news: Sequence[Block]
    ) -> Iterator[tuple[Sequence[Block], Sequence[Block]]]:
        """Blocks of both versions that have words in common: as few together as may be, in their order."""
        spans = ((nth, range(one.start, one.end)) for nth, new in enumerate(news) for one in _walk([new]))
        home = {at: nth for nth, span in spans for at in span}
        groups: list[tuple[range, range]] = []
        for nth, old in enumerate(olds):
            for at in (self.new_positions[at] for one in _walk([old]) for at in self._seen(one)):
                was, now = groups[-1] if groups else (range(0), range(0))
                if at not in home:
                    continue
                if was and (was[-1] == nth or now[-1] == home[at]):
                    groups[-1] = range(was[0], nth + 1), range(now[0], home[at] + 1)
                else:
                    groups.append((range(nth, nth + 1), range(home[at], home[at] + 1)))
        was_done = now_done = 0
        for was, now in [*groups, (range(len(olds), len(olds)), range(len(news), len(news)))]:
            alone: list[tuple[int, list[Block], list[Block]]] = []
            alone += ((self.old.starts_block(old), [old], []) for old in olds[was_done : was.start])
            alone += ((self.new.starts_block(new), [], [new]) for new in news[now_done : now.start])
            yield from ((before, after) for _, before, after in sorted(alone, key=lambda one: one[0]))
            if was:
                yield olds[was.start : was.stop], news[now.start : now.stop]
            was_done, now_done = was.stop, now.stop

    def _whole(self, block: Block, sign: str, name: str = "p") -> str:
        classes = f' class="erratum {_NAMES[sign]}"'
        if isinstance(block, TextList):
            return list_html(block, "".join(self._whole(item, sign, "li") for item in block.items), classes)
        version = self.old if sign == GONE else self.new
        span = block.start, block.end
        words = trim_html(self._marked(version, block, span, sign)) + self._sign(
            version.erratum_by_character[slice(*span)]
        )
        inner = "".join(self._whole(one, sign) for one in block.lists)
        opened = self.html.item(block, classes) if (name, sign) == ("li", COME) else f"<{name}{classes}>"
        return f"{opened}{words}{inner}</{name}>"

    # Words

    def _words(self, old: TextParagraph, new: TextParagraph) -> str:
        made: list[str] = []
        was, now = old.start, new.start
        while was < old.end or now < new.end:
            gone, come = self.old.until(was, old.end), self.new.until(now, new.end)
            due = [*self.old.erratum_by_character[was:gone], *self.new.erratum_by_character[now:come]]
            made.append(self._marked(self.old, old, (was, gone), GONE))
            made.append(self._marked(self.new, new, (now, come), COME))
            made.append(self._sign(due))
            was, now = self._kept((gone, old.end), (come, new.end))
            made += map(self.html.piece, self.new.pieces(new, (come, now)))
            if not due and now == come:
                was += 1  # white space that is no part of the other version's words
        return trim_html("".join(made))

    def _kept(self, old: Span, new: Span) -> Span:
        """How far words go on in both versions that stayed."""
        was, now = old[0], new[0]
        while now < new[1] and not self.new.erratum_by_character[now]:
            before = self.old_positions[now]
            if was <= before < old[1]:
                if any(self.old.erratum_by_character[was:before]):
                    break
                was = before + 1
            now += 1
        return was, now

    def _marked(self, version: ComparedText, unit: TextParagraph, span: Span, sign: str) -> str:
        """Words that went or came. Tags of emphasis stay outside; of what went only such as close."""
        pieces = list(version.pieces(unit, span))
        if sign == GONE and not _closes(piece.tag for piece in pieces if isinstance(piece, MarkupToken)):
            pieces = [piece for piece in pieces if not isinstance(piece, MarkupToken)]
        made: list[str] = []
        for is_tag, group in groupby(pieces, lambda one: isinstance(one, MarkupToken)):
            html = "".join(map(self.html.piece, group))
            made.append(html if is_tag or not html.strip() else self.marks.mark(sign, html))
        return "".join(made)

    def _sign(self, due: Iterable[Erratum | None]) -> str:
        errata = list(dict.fromkeys(filter(None, due)))
        return self.marks.sign(errata) if errata else ""


def _is_bare(one: Inline) -> bool:
    return isinstance(one, TextRun) and one.target is None


def _closes(tags: Iterable[str]) -> bool:
    opened: list[str] = []
    for tag in filter(None, tags):
        if not tag.startswith("/"):
            opened.append(tag)
        elif not opened or opened.pop() != tag[1:]:
            return False
    return not opened


def _walk(blocks: Iterable[Block]) -> Iterator[TextParagraph]:
    for block in blocks:
        for one in block.items if isinstance(block, TextList) else (block,):
            yield one
            yield from _walk(one.lists)
