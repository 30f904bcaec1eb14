"""What the pages, the printed sheets and the walk through the turn say of each step, rule and table.

Nothing but their HTML is read, so that whatever the program means to say, only what a player sees counts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from lxml import html

_BARS = ("turn-bar", "bar", "fold", "line", "narrative-name")
_STEPS = ("turn", "phase", "segment", "do", "stop", "narrative-step")
_ASIDE = ("step-label", "mark", "then", "sides", "refs", "permalink", "different", "spoken", "abbreviation")
_SIGNS = str.maketrans({"½": "1/2", "¼": "1/4", "⅔": "2/3", "–": "-", "−": "-", "“": '"', "”": '"'})


def plain(words: str) -> str:
    """Words as they are compared: fractions and dashes in typewriter signs, one space between."""
    return re.sub(r"\s+", " ", words.translate(_SIGNS)).strip()


def _classes(element: html.HtmlElement) -> list[str]:
    return (element.get("class") or "").split()


def _words(
    element: html.HtmlElement, without: Sequence[html.HtmlElement] = (), skip: Sequence[str] = ()
) -> str:
    """The words of an element but for those of others in it, and of what has a tag or a class to `skip`."""
    parts: list[str] = []

    def gather(one: html.HtmlElement) -> None:
        if one not in without and not {"script", "style", *skip} & {one.tag, *_classes(one)}:
            parts.append(one.text or "")
            for inner in one:
                if isinstance(inner.tag, str):
                    gather(inner)
                parts.append(inner.tail or "")

    gather(element)
    # Words that stand in boxes of their own touch in the HTML but not where they are seen.
    return re.sub(r"(?<=\d) - (?=[.\d])", "-", plain(" ".join(parts)))


@dataclass(eq=False)
class Part:
    """A step, as one medium shows it, with the steps inside it; of a page as a whole there is one more."""

    element: html.HtmlElement
    title: str = ""
    label: str = ""
    around: Part | None = None
    inside: list[Part] = field(default_factory=list)

    @cached_property
    def own(self) -> str:
        """Its text without the steps inside it."""
        return _words(self.element, [one.element for one in self.inside])

    @cached_property
    def whole(self) -> str:
        return _words(self.element)

    @cached_property
    def actors(self) -> list[str]:
        """Who acts in it, as its own words say; nobody where they leave that to what is around it."""
        spoken = (_words(one) for one in self._here("spoken"))
        found = (re.fullmatch(r"\((.*)\)", words) for words in spoken)
        names = next((match[1].split(", then ") for match in found if match), [])
        return names or ([self.title] if "round" in _classes(self.element) else [])

    @cached_property
    def sides(self) -> dict[str, str]:
        """The side that has each role in it, by the role's mark, where it is a player turn."""
        row = next(iter(self._here("sides")), None)
        found = {} if row is None else {_words(mark): mark.getparent() for mark in _having(row, "mark")}
        return {letter: _words(one, skip=("mark", "spoken")) for letter, one in found.items()}

    @property
    def combat(self) -> bool:
        return any(True for _ in self._here("combat"))

    @property
    def links(self) -> str:
        """The words of all links in it."""
        return " ".join(map(_words, self.element.iter("a")))

    def up(self) -> Iterator[Part]:
        yield self
        if self.around:
            yield from self.around.up()

    def walk(self) -> Iterator[Part]:
        yield self
        for one in self.inside:
            yield from one.walk()

    def _here(self, name: str) -> Iterator[html.HtmlElement]:
        """What has a class in it, but for the steps inside it."""
        within = {inner.element for inner in self.inside}
        found = _having(self.element, name)
        return (one for one in found if within.isdisjoint((one, *one.iterancestors())))


def _having(element: html.HtmlElement, *names: str) -> Iterator[html.HtmlElement]:
    return (one for one in element.iter() if isinstance(one.tag, str) and set(names) & set(_classes(one)))


def parts(page: html.HtmlElement) -> Part:
    """The steps of a page or a sheet, each inside its parent; narrated ones by their headings."""
    top = Part(page)
    _enter(page, top)
    return top


def _enter(element: html.HtmlElement, around: Part) -> None:
    levels: list[tuple[int, Part]] = []
    for one in element:
        head = _head(one) if isinstance(one.tag, str) else None
        if head is None:
            _enter(one, around)
            continue
        above = around
        if "narrative-step" in _classes(one):
            level = int(next(h.tag[1] for h in one.iter("h1", "h2", "h3", "h4", "h5", "h6")))
            levels = [(depth, part) for depth, part in levels if depth < level]
            above = levels[-1][1] if levels else around
        label = next(_having(head, "step-label"), None)
        name = next(_having(head, "turn-name", "title"), head)
        part = Part(one, _words(name, skip=_ASIDE), "" if label is None else _words(label), around=above)
        above.inside.append(part)
        if "narrative-step" in _classes(one):
            levels.append((level, part))
        else:
            _enter(one, part)


def _head(element: html.HtmlElement) -> html.HtmlElement | None:
    """The line in which a step has its title; None of what is no step."""
    if element.tag == "span" and {"do", "as"} & set(_classes(element)):  # one of several in a line
        return element
    if element.tag not in ("li", "section") or not set(_STEPS) & set(_classes(element)):
        return None
    if "narrative-step" in _classes(element):
        return next(element.iter("h1", "h2", "h3", "h4", "h5", "h6"), None)
    for one in _having(element, *_BARS):
        inner = [up for up in one.iterancestors() if up.tag in ("li", "section")]
        return one if inner and inner[0] is element else None
    return None


def rows(table: html.HtmlElement) -> list[list[str]]:
    """The rows of a table's body, cells that reach down over several rows in each of them."""
    lines: list[list[str]] = []
    for body in table.iter("tbody"):
        held: dict[int, tuple[int, str]] = {}
        for line in body.iter("tr"):
            cells = [
                (int(one.get("rowspan") or 1), _words(one, skip=("sup", "spoken")))
                for one in line.iter("th", "td")
            ]
            row: list[str] = []
            while cells or len(row) in held:
                down, words = held.pop(len(row)) if len(row) in held else cells.pop(0)
                if down > 1:
                    held[len(row)] = down - 1, words
                row.append(words)
            lines.append(row)
    return lines
