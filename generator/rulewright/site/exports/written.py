"""The sequence of play as text, Markdown and HTML: the same lines, each medium with its own signs."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from textwrap import wrap

from rulewright.book.outline import Outline
from rulewright.book.sequence import StepEntry
from rulewright.citations.shelf import Shelf
from rulewright.site.exports.lines import COMBAT, Line, Piece, View, is_block

WIDTH = 78
"""Where plain text is wrapped."""

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
    """How pieces are written: words, signs of emphasis (left out where none is given) and links."""

    words: Callable[[str], str]
    link: Callable[[Link], str]
    signs: Mapping[str, str]

    def write(self, pieces: Sequence[Piece], view: View) -> str:
        """Pieces as one text."""
        return "".join(self._piece(piece, view) for piece in pieces)

    def rest(self, line: Line, view: View) -> str:
        """Words behind a line's title: its details, its note, its references in brackets."""
        details = "; ".join(self.write(pieces, view) for pieces in line.details)
        rest = f" – {details}" if details else ""
        if line.note:
            rest += f"{'' if rest.endswith('.') else '.'} {self.write(line.note, view)}"
        return f"{rest} {self.words('[')}{self.write(line.see, view)}{self.words(']')}" if line.see else rest

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
HTML = Medium(lambda words: escape(words, quote=False), _in_html, _TAGS)


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
    legend = [f"**[{markdown_words(mark)}]** {markdown_words(name)}" for mark, name in view.legend()]
    legend += [f"**bold**: {COMBAT}"] if view.combat else []
    parts = [
        f"## {markdown_words(view.title)}",
        MARKDOWN.write(view.pieces(view.intro), view),
        " · ".join(legend),
    ]
    parts.append("\n".join(_bullets(outline.steps, view, "")))
    return "\n\n".join(filter(None, parts)) + "\n"


def _bullets(steps: Sequence[StepEntry], view: View, indent: str) -> Iterator[str]:
    for entry in steps:
        line = view.line(entry)
        title = MARKDOWN.write([p for p in line.title if not (p.sign and entry.combat)], view)
        # Neither a list nor a box to tick: "1986. A great year", "+1", "[x]".
        title = re.sub(r"^(\d+)([.)])", r"\1\\\2", re.sub(r"^([-+#>])", r"\\\1", title))
        mark = "".join(f"[{markdown_words(mark)}]" for mark, _ in line.marks)
        head = f"**{mark} {title}**" if entry.combat else f"**{mark}** {title}" if mark else title
        yield f"{indent}- {MARKDOWN.write(line.lead, view)}{head}{MARKDOWN.rest(line, view)}"
        yield from _bullets(entry.children, view, indent + "    ")


def html(outline: Outline, shelf: Shelf, base: str = "") -> str:
    """The sequence of play as an HTML fragment that needs no style. What has an order stands in an `ol`."""
    view = View(outline, shelf, base)
    legend = [f"<b>[{escape(mark)}]</b> {escape(name)}" for mark, name in view.legend()]
    legend += [f"<b>bold</b>: {COMBAT}"] if view.combat else []
    paragraphs = filter(None, [HTML.write(view.pieces(view.intro), view), " · ".join(legend)])
    lines = [
        f"<h2>{escape(view.title)}</h2>",
        *(f"<p>{p}</p>" for p in paragraphs),
        *_lists(outline.steps, view, ""),
    ]
    return "\n".join(['<section class="outline">', *lines, "</section>", ""])


def _lists(steps: Sequence[StepEntry], view: View, indent: str) -> Iterator[str]:
    for tag, free in (("ol", False), ("ul", True)):
        inside = [entry for entry in steps if (entry.any_order or bool(entry.difference)) == free]
        if not inside:
            continue
        yield f"{indent}<{tag}>"
        for entry in inside:
            line = view.line(entry)
            marks = "".join(
                f'<abbr title="{escape(name)}">[{escape(mark)}]</abbr>' for mark, name in line.marks
            )
            title = HTML.write(line.title, view)
            head = f"<b>{marks} {title}</b>" if entry.combat else f"{marks} {title}" if marks else title
            end = "" if entry.children else "</li>"
            yield f"{indent}<li>{HTML.write(line.lead, view)}{head}{HTML.rest(line, view)}{end}"
            if entry.children:
                yield from _lists(entry.children, view, indent + "  ")
                yield f"{indent}</li>"
        yield f"{indent}</{tag}>"
