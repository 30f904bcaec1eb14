"""Import of a sequence of play from a file: plain text, a document, or data."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from rulewright.files.input_file import read_input_file
from rulewright.files.located_text import LocatedText, Node, YamlMapping, YamlSequence
from rulewright.files.problems import Problem
from rulewright.files.yaml_tree import load_yaml_tree
from rulewright.imports.blocks import plain
from rulewright.imports.reading.documents import HTML, read_document
from rulewright.imports.sequence.outline_blocks import OutlineHeading, document_lines, text_lines
from rulewright.imports.sequence.steps_builder import build_sequence
from rulewright.imports.sources.site_files import MARKDOWN
from rulewright.schema.step_kinds import KINDS

_DATA = (".yml", ".yaml", ".json")
_DOCUMENTS = (*HTML, *MARKDOWN, ".docx", ".pdf", ".odt", ".rtf")
_HOLDING = re.compile(
    r"turns?|sequence|(?:sub)?steps?|phases|segments|actions|order|children|items|rules", re.I
)
"""A key that holds steps and names none."""


def import_sequence(name: str) -> tuple[str | None, list[Problem]]:
    """Return the sequence.yml of a file, None if it has no steps, and problems. Raises as read_input_file."""
    path, ending = Path(name), Path(name).suffix.lower()
    if path.is_file() and ending in _DOCUMENTS:
        source = read_document(path)
        if source.site.problems:
            return None, list(source.site.problems)
        return build_sequence(name, document_lines(source.blocks, lambda block: plain(block.runs)))
    file, problems = read_input_file(name, "sequence of play")
    lines = text_lines(file)
    if not problems and ending in _DATA:
        tree, problems = load_yaml_tree(name, file.text.encode())
        lines = _data_lines(tree, 0)
    return (None, problems) if problems else build_sequence(name, lines)


def _data_lines(node: Node | str | None, depth: int) -> Iterator[OutlineHeading]:
    """Yield lines of steps that are written as data: the first text of a mapping is the title of its step."""
    if isinstance(node, str):
        yield OutlineHeading(" ".join(node.split()), (1, depth), is_marked=True)
    elif isinstance(node, YamlSequence):
        for item in node.items:
            yield from _data_lines(item, depth)
    elif isinstance(node, YamlMapping):
        title = ""
        for key, value in node.entries.items():
            if isinstance(value, LocatedText) and title:
                title += f" ({value})"
            elif isinstance(value, LocatedText):
                is_kind = key in KINDS and key not in value.lower()
                title = f"{value} {key.title()}" if is_kind else value
        if title:
            yield from _data_lines(title, depth)
        for key, value in node.entries.items():
            if not isinstance(value, LocatedText):
                if not (title or _HOLDING.search(key)):
                    yield from _data_lines(key, depth)
                yield from _data_lines(value, depth + 1)
