"""A text before and after its errata, character by character: what stayed, and which erratum did what."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from typing import NamedTuple

from rulewright.citations.prose import Link, Setting, Show, Stretch
from rulewright.citations.resolving import Resolved
from rulewright.model.amended import COME, GONE, KEPT, Amended
from rulewright.model.erratum import Erratum

Span = tuple[int, int]


class Piece(NamedTuple):
    """Words or a link as HTML, or a tag of emphasis, which stands by itself."""

    html: str
    is_tag: bool


class Version:
    """The text before or after. For each character `due` is the erratum that took it out or put it in, if one
    did, and `order` its place among all that went, came and stayed.
    """

    def __init__(self, setting: Setting, due: list[Erratum | None], order: list[int]) -> None:
        self.setting, self.due, self.order = setting, due, order

    @property
    def text(self) -> str:
        return self.setting.text

    def pieces(self, unit: Span, span: Span) -> Iterator[Piece]:
        """The words, links and tags between two places of a paragraph or an item, its `unit`."""
        start, end = span
        for cut in self.setting.cuts(*unit):
            if cut.end <= span[0] or cut.start >= end:
                continue
            if start < cut.start:
                yield Piece(escape(self.text[start : cut.start], quote=False), False)
            if cut.start >= span[0]:
                yield Piece(cut.html, not cut.is_link)
            start = cut.end
        if start < end:
            yield Piece(escape(self.text[start:end], quote=False), False)

    def nearest(self, at: int) -> Erratum | None:
        """The erratum nearest to a character."""
        behind = next(filter(None, self.due[at:]), None)
        return behind or next(filter(None, reversed(self.due[:at])), None)

    def until(self, at: int, end: int, *, is_due: bool) -> int:
        """How far it goes on that characters are due to an erratum, or that they are not."""
        while at < end and bool(self.due[at]) == is_due:
            at += 1
        return at


class Versions:
    """Both versions of a text. `now`: where each character that stayed of the old one is in the new one, and
    `before` the other way round.
    """

    def __init__(
        self,
        text: Amended,
        references: tuple[Sequence[Resolved], Sequence[Resolved]],
        link: Link,
        stretches: Sequence[Stretch],
        show: Show,
    ) -> None:
        due: tuple[list[Erratum | None], list[Erratum | None]] = [], []
        order: tuple[list[int], list[int]] = [], []
        self._same: list[Span] = []
        at = 0
        for run in text.runs:
            if run.sign == KEPT:
                self._same += ((len(due[0]) + n, len(due[1]) + n) for n in range(len(run.words)))
            for version, other in ((0, COME), (1, GONE)):
                if run.sign != other:
                    due[version].extend([run.erratum] * len(run.words))
                    order[version].extend(range(at, at + len(run.words)))
            at += len(run.words)
        self.old = Version(Setting(text.printed, references[0], link, show=show), due[0], order[0])
        self.new = Version(Setting(text, references[1], link, stretches, show), due[1], order[1])
        self.now: dict[int, int] = {}
        self.before: dict[int, int] = {}

    def settle(self, olds: Sequence[Span], news: Sequence[Span]) -> None:
        """Make links and signs of emphasis whole: what went or came of one in part went or came altogether.

        So does a sign that is one in one version only, as a star whose partner went.
        """
        cuts = [
            {(cut.start, cut.end): cut for unit in units for cut in version.setting.cuts(*unit)}
            for version, units in ((self.old, olds), (self.new, news))
        ]
        signs = [
            {at: cut.html for cut in own.values() if not cut.is_link for at in range(cut.start, cut.end)}
            for own in cuts
        ]
        for was, now in self._same:
            if signs[0].get(was) != signs[1].get(now):
                self.old.due[was] = self.new.due[now] = self.new.nearest(now) or self.old.nearest(was)
        changed = True
        while changed:
            changed = False
            for version, own in zip((self.old, self.new), cuts, strict=True):
                for start, end in own:
                    due = next(filter(None, version.due[start:end]), None)
                    if due and not all(version.due[start:end]):
                        version.due[start:end] = [one or due for one in version.due[start:end]]
                        changed = True
            for was, now in self._same:
                one = self.old.due[was] or self.new.due[now]
                if one and not (self.old.due[was] and self.new.due[now]):
                    self.old.due[was] = self.new.due[now] = one
                    changed = True
        self.now = {was: now for was, now in self._same if not self.old.due[was]}
        self.before = {now: was for was, now in self.now.items()}
