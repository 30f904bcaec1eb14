"""References: found where a careful reader would find them, resolved to the rule that is meant."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from generator.citations import Resolved, Shelf
from generator.library import Folder, gather, read_library
from generator.manuscript import prose_of
from generator.outline import Outline, arrange
from tests.casefiles import Case, cases

PROJECT = Path(__file__).parent.parent
MARKED = re.compile(r"‹([^‹›]*?)(?: [=!] [^‹›]*)?›")
"""A reference in a case: ‹12.5›, ‹c = 12.5c› where it is shortened, ‹12.8g ! reference-not-found›."""


@pytest.mark.parametrize("case", cases("references"), ids=str)
def test_references_are_found_and_resolved(case: Case) -> None:
    shelf, outline = book_of(case)
    chapter = case.text("chapter", outline.home if outline else "").strip()
    for info, expected in case.blocks:
        if info in ("text", "markdown", "see"):
            text = MARKED.sub(r"\1", expected)
            prose = prose_of(text) if info == "markdown" else text
            resolved = shelf.resolve(prose, outline, chapter, cued=info == "see")
            case.agrees(marked(text, resolved), expected)
            if messages := case.text("expect", ""):
                case.agrees("\n".join(r.message for r in resolved if r.fault), messages)


def marked(text: str, resolved: list[Resolved]) -> str:
    """The text with each reference marked as cases mark it."""
    pieces, end = [], 0
    for r in resolved:
        start, stop = r.found.mark or (r.found.start, r.found.end)
        written = text[start:stop]
        meant = (
            f" ! {r.fault.code}"
            if r.fault
            else f" = {r.number.key}"
            if r.number and r.number.key != written
            else ""
        )
        pieces += [text[end:start], f"‹{written}{meant}›"]
        end = stop
    return "".join([*pieces, text[end:]])


def book_of(case: Case) -> tuple[Shelf, Outline | None]:
    """The book of a case: one in content/ that it names, or one made of its own files."""
    if named := case.text("book", "").strip():
        shelf = content()
        return shelf, shelf.named(named)
    files = {info.removeprefix("yaml "): text for info, text in case.blocks if info.startswith("yaml ")}
    if numbers := case.text("numbers", "").split():
        files["content/x/1/edition.yml"] = files.get("content/x/1/edition.yml", 'edition: "1"\n')
        files["content/x/1/known.yml"] = "known:\n" + "".join(f"  - {{number: '{n}'}}\n" for n in numbers)
    shelf = Shelf(outlines({name: text.encode() for name, text in files.items()}))
    return shelf, shelf.named("x/1")


@cache
def content() -> Shelf:
    return Shelf(outlines(gather(PROJECT).texts))


def outlines(texts: dict[str, bytes]) -> dict[str, Outline]:
    return {address: arrange(edition) for address, edition in read_library(Folder(texts)).editions.items()}
