"""Redirects from a book's old addresses: a page to its chapter, an anchor to its rule or step."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rulewright.book.outline import Outline
from rulewright.book.sequence import StepEntry
from rulewright.citations.redirects import anchors_of
from rulewright.importers.website.book_rules import Book, ParsedPage
from rulewright.importers.website.chapter_files import ContentFile, ContentWriter
from rulewright.source.writing import Label, Value


def old_addresses(
    book: Book,
    pages: Sequence[ParsedPage],
    names: Mapping[str, str],
    texts: Mapping[str, str],
    outline: Outline,
    making: ContentWriter,
) -> ContentFile:
    """`redirects.yml`: every page and every heading's anchor of the site, with its new place.

    `names`: the files of the pages without rules; `texts`: what stands in them.
    """
    told = _steps(making, outline)
    entries: list[Value] = []
    for read in pages:
        page = read.page
        whole = book.whole.get(page.name)
        to = whole.key if whole else names.get(page.name, ".").removesuffix(".md")
        anchors: dict[str, Value] = {}
        for (name, anchor), node in book.found.anchors.items():
            if name == page.name and anchor:
                words = book.headings.get((name, anchor), "")
                step = told.get(_bare(words)) if node.shows == "narrative" else None
                anchors[anchor] = Label(f"narrative#{step.anchor}") if step else Label(node.key)
        kept = set(anchors_of(texts[page.name].encode())) if page.name in texts else ()
        anchors |= {
            anchor: f"{to}#{anchor}" for name, anchor in book.headings if name == page.name and anchor in kept
        }
        for address in dict.fromkeys((page.address, *page.aliases)):
            if address == "/":
                continue  # the old site's home is the new one's
            entry: dict[str, Value] = {"from": address, "to": Label(to) if whole else to}
            entries.append({**entry, "anchors": anchors} if anchors else entry)
    remark = "Where each page and heading of the imported site is now. The build leaves a signpost at each."
    return ContentFile({"redirects": entries}, [], [remark])


def _steps(making: ContentWriter, outline: Outline) -> dict[str, StepEntry]:
    """The steps that have a narrative, by their titles; the first of a title holds."""
    steps: dict[str, StepEntry] = {}
    for step in outline.every_step():
        if step.step.narrative:
            steps.setdefault(_bare(step.step.title), step)
    return steps if making.steps else {}


def _bare(words: str) -> str:
    return " ".join(words.lower().split())
