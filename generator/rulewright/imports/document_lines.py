"""Documents and data as lines of text: # is a heading, - an item, two stars begin what stands out.

This is what the outline of a sequence reads. Where it can be, a line is the place that it has in its source.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import takewhile
from pathlib import Path

from rulewright.files.input_file import read_input_file
from rulewright.files.located_text import LocatedText, Node, YamlMapping, YamlSequence
from rulewright.files.problems import Problem, SourceFile
from rulewright.files.yaml_tree import load_yaml_tree
from rulewright.imports.reader.document_reader import AS_LINES
from rulewright.imports.single_document import read_document
from rulewright.imports.website.page_block_types import (
    Admonition,
    Block,
    PageHeading,
    PageList,
    PageParagraph,
    PageTable,
    pieces_text,
)
from rulewright.imports.website.page_blocks import read_page
from rulewright.schema.step_kinds import KINDS

DATA = (".yml", ".yaml", ".json")
_WHAT = "sequence of play"
_NAMES = (*KINDS, "name", "title", "step", "action", "do", "label")
"""Keys that say what a step is called."""
_CITING = ("rule", "see", "ref", "reference", "section")
_ACTING = ("by", "player", "side", "who", "acts")
_HOLDING = frozenset(
    "turn turns sequence steps phases segments actions order substeps children items rules".split()  # noqa: SIM905
)
"""Words of keys that hold steps and name none."""


def lines_given(name: str) -> tuple[SourceFile, list[Problem]]:
    """A file that someone names as lines of text, and what is wrong with it; raises as `read_given` does."""
    ending = Path(name).suffix.lower()
    if ending not in (*AS_LINES, *DATA) or not Path(name).is_file():
        return read_input_file(name, _WHAT)
    if ending in DATA:
        file, problems = read_input_file(name, _WHAT)
        tree, faults = (None, problems) if problems else load_yaml_tree(name, file.text.encode())
        return SourceFile(name, "\n".join(_of_data(tree, 0))), [] if tree else faults
    site = read_document(Path(name))
    lines: list[str] = []
    for page in site.pages:
        for line, words in _of_blocks(read_page(page).blocks, ""):
            lines += [""] * max(line - 1 - len(lines), int(not words.lstrip().startswith("- ")))
            lines.append(words)
    return SourceFile(name, "\n".join(lines)), list(site.problems)


def _of_blocks(blocks: Iterable[Block], indent: str) -> Iterator[tuple[int, str]]:
    """The line of each block, and its words."""
    for block in blocks:
        if isinstance(block, PageHeading):
            yield block.line, f"{'#' * block.level} {pieces_text(block.pieces)}"
        elif isinstance(block, PageParagraph):
            bold = pieces_text(takewhile(lambda piece: piece.bold, block.pieces))
            words = pieces_text(block.pieces)
            yield block.line, f"{indent}**{bold}**{words[len(bold) :]}" if bold else f"{indent}{words}"
        elif isinstance(block, Admonition):
            yield from _of_blocks(block.blocks, f"{indent}> ")
        elif isinstance(block, PageTable):
            for row in block.rows:
                yield block.line, indent + " ".join(pieces_text(cell.pieces) for cell in row)
        elif isinstance(block, PageList):
            for item in block.items:
                yield item.line, f"{indent}- {item.marker} {pieces_text(item.lead)}".replace("-  ", "- ")
                yield from _of_blocks(item.blocks[bool(item.lead) :], f"{indent}    ")


def _of_data(node: Node | None, depth: int) -> Iterator[str]:
    """Lines of steps that are written as data, in whatever keys."""
    indent = "    " * depth
    if isinstance(node, LocatedText):
        yield f"{indent}- {' '.join(node.split())}"
    elif isinstance(node, YamlSequence):
        for item in node.items:
            yield from _of_data(item, depth)
    elif isinstance(node, YamlMapping):
        entries = {re.sub(r"[\s_-]+", " ", key.lower()): (key, one) for key, one in node.entries.items()}
        texts = {
            word: " ".join(text.split())
            for word, (_, text) in entries.items()
            if isinstance(text, LocatedText)
        }
        named = next((word for word in _NAMES if texts.get(word)), "")
        if named:
            yield f"{indent}- {_titled(texts, named)}"
        for word, (key, value) in entries.items():
            if word == named or (named and word in (*_CITING, *_ACTING) and word in texts):
                continue
            if word in texts:
                yield f"{indent}    {texts[word]}" if named else f"{indent}- {key}: {texts[word]}"
            elif named or _HOLDING & {*word.split()}:
                yield from _of_data(value, depth + bool(named))
            else:
                yield f"{indent}- {key}"
                yield from _of_data(value, depth + 1)


def _titled(texts: Mapping[str, str], named: str) -> str:
    """The name of a step with its kind, the rule that it cites, and who acts, as prose would say them."""
    kind = named.title() if named in KINDS and named not in texts[named].lower() else ""
    notes = "".join(f" ({texts[word]})" for word in (*_CITING, *_ACTING) if texts.get(word))
    return f"{texts[named]} {kind}".strip() + notes
