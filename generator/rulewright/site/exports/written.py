"""The sequence of play as text, Markdown, HTML and OPML: the same lines, each medium with its own signs."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from textwrap import wrap

from markupsafe import Markup

from rulewright.book.outline import Outline
from rulewright.book.sequence import StepEntry
from rulewright.citations.shelf import Shelf
from rulewright.site.exports.lines import COMBAT, Line, Piece, View, is_block
from rulewright.site.templating import environment

WIDTH = 78
"""Where plain text is wrapped."""

_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_GLUE = "\x00"  # a space at which no line may break, while text is being wrapped
_LAST = re.compile(r" \[[^][]{,30}\]$")  # the references at the end of a line, where they are few


@dataclass(frozen=True, slots=True)
class Link:
    """A reference to write: its words, where it leads, what the rule there is called, and its number.

    `hidden`: the words are not the number.
    """

    words: str
    href: str
    title: str
    number: str
    hidden: bool


@dataclass(frozen=True, slots=True)
class Medium:
    """How pieces are written: words, signs of emphasis (left out where none is given) and links.

    `made` marks what was written as markup for templates.
    """

    words: Callable[[str], str]
    link: Callable[[Link], str]
    signs: Mapping[str, str]
    made: Callable[[str], str] = str

    def write(self, pieces: Sequence[Piece], view: View) -> str:
        """Pieces as one text."""
        return self.made("".join(self._piece(piece, view) for piece in pieces))

    def rest(self, line: Line, view: View) -> str:
        """Words behind a line's title: its details, its note, its references in brackets."""
        details = "; ".join(self.write(pieces, view) for pieces in line.details)
        rest = f" – {details}" if details else ""
        if line.note:
            rest += f"{'' if rest.endswith('.') else '.'} {self.write(line.note, view)}"
        if line.see:
            rest += f" {self.words('[')}{self.write(line.see, view)}{self.words(']')}"
        return self.made(rest)

    def _piece(self, piece: Piece, view: View) -> str:
        if piece.sign:
            return self.signs.get(piece.sign, "")
        if table := piece.table:
            return self.link(Link(self.words(piece.words), view.href(table), str(table), table.key, False))
        if piece.to and (away := piece.to.away):
            return self.link(Link(self.words(piece.words), away.href, away.title, away.site, True))
        if piece.to is None or piece.to.target is None or piece.to.fault:
            return self.words(piece.words)
        target, label = piece.to.target, piece.to.found.label
        # A label that begins with the number hides nothing: [[9.0|9.0 in outline]].
        hidden = label is not None and view.outline.find(label.split(" ")[0]) is not target
        link = Link(self.words(piece.words), view.href(target), str(target), view.number(piece.to), hidden)
        return self.link(link)


def _in_text(link: Link) -> str:
    return f"{link.words} ({link.number})" if link.hidden else link.words


def markdown_words(words: str) -> str:
    """Words that no Markdown takes for markup."""
    words = re.sub(r"([\\`*_\[\]])", r"\\\1", words)
    return re.sub(r"&(?=#?\w+;)", "&amp;", words).replace("<", "&lt;")


def _in_markdown(link: Link) -> str:
    # An address may hold (B), and many a forum ends it at the first bracket.
    return f"[{link.words}]({link.href.replace('(', '%28').replace(')', '%29')})"


def _in_html(link: Link) -> str:
    return f'<a href="{escape(link.href)}" title="{escape(link.title)}">{link.words}</a>'


_TAGS = {sign: f"<{sign}>" for sign in ("strong", "/strong", "em", "/em")}
TEXT = Medium(str, _in_text, {})
MARKDOWN = Medium(markdown_words, _in_markdown, {"strong": "**", "/strong": "**", "em": "*", "/em": "*"})
HTML = Medium(lambda words: escape(words, quote=False), _in_html, _TAGS, Markup)
XML = Medium(lambda words: _NOT_XML.sub(" ", words), _in_text, {})


def plain(entry: StepEntry, view: View) -> str:
    """A step as plain text in one line. A star behind the mark says that it is a combat action."""
    line = view.line(entry)
    mark = f"{line.mark}{'*' if entry.combat else ''} " if line.mark else ""
    return TEXT.write(line.lead, view) + mark + TEXT.write(line.title, view) + TEXT.rest(line, view)


def text(outline: Outline, shelf: Shelf, base: str = "") -> str:
    """The sequence of play as plain text. It has no links, so `base` makes no difference."""
    view = View(outline, shelf)
    legend = [f"[{mark}] {name}" for mark, name in view.legend()] + ([f"* {COMBAT}"] if view.combat else [])
    lines = [view.title, "=" * len(view.title)]
    lines += [*_wrapped(TEXT.write(view.pieces(view.intro), view)), ""] if view.intro else []
    lines += _wrapped("   ".join(part.replace(" ", _GLUE) for part in legend))

    def add(entry: StepEntry, indent: str) -> None:
        block = is_block(entry)
        lines.extend([""] if block else [])
        hang = indent + ("    " if block else "  ")
        words = _glued(plain(entry, view))
        lines.extend(_wrapped(words if block else f"-{_GLUE}{words}", indent, hang))
        for child in entry.children:
            add(child, hang)

    for step in outline.steps:
        add(step, "")
    return "\n".join(lines).replace(_GLUE, " ") + "\n"


def _glued(words: str) -> str:
    """Words to wrap so that a line may end with a dash, but begins neither with it nor with references."""
    words = _LAST.sub(lambda m: m.group().replace(" ", _GLUE), words)
    return words.replace(" – ", f"{_GLUE}– ")


def _wrapped(words: str, indent: str = "", hang: str = "") -> list[str]:
    return wrap(
        words,
        WIDTH,
        initial_indent=indent,
        subsequent_indent=hang,
        break_long_words=False,
        break_on_hyphens=False,
    )


def markdown(outline: Outline, shelf: Shelf, base: str = "") -> str:
    """The sequence of play as nested Markdown lists with a link for each reference."""
    view = View(outline, shelf, base)

    def titled(entry: StepEntry, line: Line) -> str:
        title = MARKDOWN.write([p for p in line.title if not (p.sign and entry.combat)], view)
        # Neither a list nor a box to tick: "1986. A great year", "+1", "[x]".
        return re.sub(r"^(\d+)([.)])", r"\1\\\2", re.sub(r"^([-+#>])", r"\\\1", title))

    return _rendered("outline.md", MARKDOWN, view, titled=titled)


def html(outline: Outline, shelf: Shelf, base: str = "") -> str:
    """The sequence of play as an HTML fragment that needs no style. What has an order stands in an `ol`."""
    return _rendered("outline.html", HTML, View(outline, shelf, base))


def opml(outline: Outline, shelf: Shelf, base: str = "") -> str:
    """The sequence of play as OPML 2.0. A step is a link to the site where `base` says where that is."""
    view = View(outline, shelf, base)
    return _rendered("outline.opml", XML, view, told=lambda step: XML.words(plain(step, view)))


def _rendered(template: str, medium: Medium, view: View, **more: object) -> str:
    made = (
        environment()
        .get_template(f"exports/{template}")
        .render(
            view=view,
            combat=COMBAT,
            words=medium.words,
            write=lambda pieces: medium.write(pieces, view),
            rest=lambda line: medium.rest(line, view),
            **more,
        )
    )
    return made.rstrip("\n") + "\n"
