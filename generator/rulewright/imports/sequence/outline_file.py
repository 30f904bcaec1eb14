"""Import of a sequence of play from a file: plain text, a document, or data."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from rulewright.files.content_folder import CONTENT, content_folder, parse_address
from rulewright.files.input_file import read_input_file
from rulewright.files.located_text import LocatedText, Node, YamlMapping, YamlSequence
from rulewright.files.output_files import write_into_folder
from rulewright.files.problems import Problem, SourceFile
from rulewright.files.transaction import replace_files
from rulewright.files.yaml_tree import load_yaml_tree
from rulewright.imports.blocks import plain
from rulewright.imports.reading.documents import HTML, read_document
from rulewright.imports.sequence.outline_blocks import document_lines, text_lines
from rulewright.imports.sequence.steps_builder import build_sequence
from rulewright.imports.sources.site_files import MARKDOWN
from rulewright.schema.step_kinds import KINDS

_DATA = (".yml", ".yaml", ".json")
_DOCUMENTS = (*HTML, *MARKDOWN, ".docx", ".pdf", ".odt", ".rtf")
_NAME = "sequence.yml"
_NAMES = (*KINDS, "name", "title", "step", "action", "do", "label")
_CITING = ("rule", "see", "ref", "reference", "section", "by", "player", "side", "who", "acts")
_HOLDING = frozenset(
    "turn turns sequence steps phases segments actions order substeps children items rules".split()  # noqa: SIM905
)
"""Words of a key that holds steps and names none."""


def import_sequence(name: str) -> tuple[str | None, list[Problem]]:
    """Return the sequence.yml of a file, None if it has no steps, and problems. Raises as read_input_file."""
    path, ending = Path(name), Path(name).suffix.lower()
    if path.is_file() and ending in _DOCUMENTS:
        source = read_document(path)
        if source.site.problems:
            return None, list(source.site.problems)
        return build_sequence(name, document_lines(source.blocks, lambda block: plain(block.runs)))
    file, problems = read_input_file(name, "sequence of play")
    if not problems and ending in _DATA:
        tree, problems = load_yaml_tree(name, file.text.encode())
        file = SourceFile(name, "\n".join(_data_lines(tree, 0)))
    return (None, problems) if problems else build_sequence(name, text_lines(file))


def _data_lines(node: Node | None, depth: int) -> Iterator[str]:
    """Yield lines of steps that are written as data, whatever their keys."""
    indent = "    " * depth
    if isinstance(node, LocatedText):
        yield f"{indent}- {' '.join(node.split())}"
    elif isinstance(node, YamlSequence):
        for item in node.items:
            yield from _data_lines(item, depth)
    elif isinstance(node, YamlMapping):
        texts = {key.lower(): value for key, value in node.entries.items() if isinstance(value, LocatedText)}
        name = next((key for key in _NAMES if texts.get(key)), "")
        if name:
            kind = f" {name.title()}" if name in KINDS and name not in texts[name].lower() else ""
            citations = [f" ({texts.pop(key)})" for key in _CITING if texts.get(key)]
            yield from _data_lines(LocatedText(f"{texts.pop(name)}{kind}{''.join(citations)}"), depth)
        for key, text in texts.items():
            yield f"{indent}    {' '.join(text.split())}" if name else f"{indent}- {key}: {text}"
        for key, value in node.entries.items():
            is_frame = name or _HOLDING & {*re.split(r"[\s_-]+", key.lower())}
            if not isinstance(value, LocatedText):
                yield from () if is_frame else (f"{indent}- {key}",)
                yield from _data_lines(value, depth + (not is_frame or bool(name)))


def sequence_target(project: Path, name: str) -> Path:
    """Return the file to write: the named one, or that of the edition whose folder is named."""
    path = Path(name)
    if path.suffix in (".yml", ".yaml"):
        return path
    edition = content_folder(project) / parse_address(name)
    return (path if path.is_dir() or not edition.is_dir() else edition) / _NAME


def write_content(project: Path, target: Path, text: str) -> None:
    """Write a file; in the content only while no other command changes it. Raises UserError and OSError."""
    content, real = content_folder(project).resolve(), target.resolve()
    if not real.is_relative_to(content):
        write_into_folder(target, text)
        return
    name = f"{CONTENT}/{real.relative_to(content).as_posix()}"
    replace_files(project, {name: text.encode()}, {name: target.read_bytes()} if target.exists() else {})
