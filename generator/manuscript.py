"""Text that is not ours: Markdown and plain text in which references are found but nothing is changed.

Front matter, headings, code, addresses, tags and the label that opens a rule are no prose. They are
blanked out character for character, so that every offset into what is left is one into the file.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from html import escape

from generator import addresses
from generator.citations import BOOK_NOT_FOUND, Resolved, Shelf
from generator.library import Edition, Library
from generator.problems import Problem, did_you_mean
from generator.source import decode

_HIDDEN = "\x00"  # ends every run and cue
_QUIET = "\x01"  # parts a cue from its number no more than a space does

_FRONT_MATTER = re.compile(r"\A(---|\+\+\+)[ \t]*\r?\n.*?^\1[ \t]*(?:\r?\n|\Z)", re.DOTALL | re.MULTILINE)
_NOT_PROSE = re.compile(
    r"""
      ^[ ]{0,3}(?P<fence>```+|~~~+) (?s:.*?) (?:^[ ]{0,3}(?P=fence)[`~]*[ \t]*$ | \Z)   # fenced code
    | <!--(?s:.*?)(?:-->|\Z)
    | <(?P<raw>script|style|pre|code)\b(?s:.*?)(?:</(?P=raw)\s*>|\Z)
    | \{\{[<%](?s:.*?)[>%]\}\}                                                       # a generator's shortcode
    | ^[ ]{0,3}\#{1,6}(?:[ \t].*)?$                                                  # heading
    | ^(?![ ]*(?:[-*+>|]|\d+[.)])[ ]).*\S.*\n[ ]{0,3}(?:=+|-{2,})[ \t]*$              # heading, underlined
    | (?P<ticks>`+)(?!`).+?(?<!`)(?P=ticks)(?!`)                                     # code in a line
    | !\[[^\]]*\]\([^)]*\)                                                           # picture
    | (?<=\])\((?:[^()\s]|\([^()\s]*\))*(?:\s+["'(][^)\n]*)?\)                         # where a link leads
    | ^[ ]{0,3}\[[^\]\n]+\]:[ \t]*\S.*$                                              # the same, at the page's foot
    | <?\b(?:https?|ftp|mailto):[^\s<>)]+>?
    """,
    re.MULTILINE | re.VERBOSE | re.IGNORECASE,
)
_BOOK = re.compile(r"""^book[ \t]*[:=][ \t]*["']?([\w./-]+)["']?[ \t]*$""", re.MULTILINE)
_TAG = re.compile(r"</?[A-Za-z][^<>]*>")
_LABEL = re.compile(
    r"^[ \t]*(?P<item>(?:[-*+]|\d+[.)])[ \t]+)?(?:\*{2,3}|_{2,3})(?P<number>[^\s*_]*\d[^\s*_]*)(?P<title>[ \t]+[A-Z])?",
    re.MULTILINE,
)


def prose_of(text: str) -> str:
    """`text` with all that is no prose blanked out; offsets stay what they are."""
    if front := _FRONT_MATTER.match(text):
        text = _blank(front) + text[front.end() :]
    opened = [m.span("number") for m in _LABEL.finditer(text) if _opens_rule(text, m)]
    for start, end in opened:
        text = text[:start] + _HIDDEN * (end - start) + text[end:]
    text = _NOT_PROSE.sub(_blank, text)
    return _TAG.sub(lambda m: _QUIET * len(m.group()), text)


def _blank(m: re.Match[str]) -> str:
    return re.sub(r"[^\n]", _HIDDEN, m.group())


def _opens_rule(text: str, m: re.Match[str]) -> bool:
    """Whether bold words that begin with a number are a rule's label: they open a block or have a title."""
    before = text[: m.start("number")].rpartition("\n")[0].rstrip(" \t\r")
    line_above = before.rpartition("\n")[2].strip()
    return bool(m["item"] or m["title"] or not line_above or line_above.startswith("#"))


@dataclass(frozen=True)
class Manuscript:
    """An ordinary Markdown page of the content folder with the references found in it."""

    name: str
    text: str
    edition: Edition | None = None
    resolved: tuple[Resolved, ...] = ()
    problems: tuple[Problem, ...] = ()


def read(name: str, data: bytes, library: Library, shelf: Shelf) -> Manuscript:
    """A page's text, and its references resolved in the edition whose folder it lies in.

    Front matter `book: ocs/4.3` names another edition. A page outside of every book has only the
    references that are marked with a book: `[[ocs/4.3:14.7d]]`.
    """
    file, problems = decode(name, data)
    if problems:
        return Manuscript(name, "", problems=tuple(problems))
    declared = _BOOK.search(_front_matter(file.text))
    edition = library.named(declared[1]) if declared else library.edition_of(name)
    if declared and edition is None:
        message = f"no book {declared[1]} here{did_you_mean(declared[1], library.editions)}"
        problems.append(BOOK_NOT_FOUND.at(file.place(declared.start(1)), message, name))
    outline = shelf.outlines[edition.address] if edition else None
    resolved = shelf.resolve(prose_of(file.text), outline)
    for r in resolved:
        if r.fault:
            about = r.number.key if r.number else name
            problems.append(r.fault.at(file.place(r.found.start), r.message, about))
    return Manuscript(name, file.text, edition, tuple(resolved), tuple(problems))


def linked(page: Manuscript) -> str:
    """The page's Markdown with each reference made a link; its own links stay as they are."""
    folder = page.name.removeprefix("content/").removesuffix(".md")
    here = folder.removesuffix("/index").removesuffix("/README") if "/" in folder else folder
    text, end = [], 0
    for r in page.resolved:
        start, stop = r.found.mark or (r.found.start, r.found.end)
        if r.target is None or (r.fault and not r.found.mark) or (not r.found.mark and _in_link(page.text, start)):
            continue
        words = r.found.label or page.text[r.found.start : r.found.end]
        path, anchor = addresses.of(r.target)
        text += [page.text[end:start], f'<a class="ref" href="{addresses.relative(here, path, anchor)}">{escape(words)}</a>']
        end = stop
    return "".join([*text, page.text[end:]])


def _front_matter(text: str) -> str:
    front = _FRONT_MATTER.match(text)
    return front.group() if front else ""


def _in_link(text: str, at: int) -> bool:
    """Whether a spot stands in the words of a Markdown link, or of one made by hand in HTML."""
    line = text[text.rfind("\n\n", 0, at) + 1 : at]
    opened = line.rfind("[")
    in_words = opened > line.rfind("]") and re.match(r"[^\[\]]*\]\s?[(\[]", text[at:]) is not None
    return in_words or line.rfind("<a ") > line.rfind("</a>")
