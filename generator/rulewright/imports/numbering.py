"""Numbering of a book: by its rulebook.yml, by examples that the editor gives, or by its labels."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from rulewright.files.content_folder import CONTENT
from rulewright.files.problems import problem_type
from rulewright.files.yaml_tree import load_yaml_tree
from rulewright.imports.blocks import SourceBlock, block_runs
from rulewright.imports.labels import Candidate
from rulewright.imports.refusals import refusal
from rulewright.numbering.edition_numbering import edition_scheme
from rulewright.numbering.examples import example_fault
from rulewright.numbering.numbering_scheme import NumberingScheme
from rulewright.numbering.scheme_detection import Numbering, detect_scheme, read_label
from rulewright.schema import model_reader
from rulewright.schema.rulebook import Rulebook

BAD_DIALECT = problem_type(
    "import-dialect", "The example that `--dialect` gives of a book's numbers describes none."
)
_LETTER = r"[^\W\d_]"
_CITED = re.compile(
    rf"(?<!{_LETTER})(?!(?:an?|and|or|to|the|of|in|on|for|at|by|than|is|are|was|be|with|from|hex|hexes|turn|page|"
    rf"table|figure|version)\s){_LETTER}+\.?[ \xa0]+[“\"*_\[]{{0,3}}(?=§?\[?\w{{1,4}}[.:(-]\w|\d{{3}}\b)"
    rf"§?(?:[A-Z]{{0,2}}\d{{1,3}}|[A-Z]{{1,2}}(?=[.\d])|[IVX]+(?=\.))"
    r"(?:[.:/]?\w+|-(?=[^\W\d])\w+|-\d+|\(\w{1,4}\))*",
    re.IGNORECASE,
)
"""A number after a word that may lead up to the number of a rule."""

_SUFFIX = re.compile(r"(?P<number>.*?)(?P<suffix>\+{1,2}|\*{1,2}| ?bis| ?ter)")


def given_numbering(
    examples: Sequence[str], book: str, rulebook: bytes | None, source: str
) -> Numbering | None:
    """Return the numbering that rulebook.yml or the editor declares; None if neither does.

    Raises ContentErrors if it cannot be read.
    """
    name = f"{CONTENT}/{book}/rulebook.yml"
    for example in examples:
        if fault := example_fault(example):
            raise refusal(BAD_DIALECT, source, f"--dialect {example}: {fault[1]}")
    if examples:
        chapter = NumberingScheme(examples).bare_chapter
        forms = [chapter, f"{chapter}.0", f"{chapter}."]
        return Numbering(f"as --dialect says: {', '.join(examples)}", examples, forms)
    if rulebook is None:
        return None
    tree, _ = load_yaml_tree(name, rulebook)
    value, _ = model_reader.read_model(tree, Rulebook) if tree else (None, [])
    scheme = edition_scheme(value)[0] if value else None
    if value is None or scheme is None:
        raise refusal(BAD_DIALECT, name, "rulebook.yml cannot be read; run `rulewright check` and mend it")
    return Numbering(
        f"as {name} says: {', '.join(value.numbers)}",
        value.numbers,
        value.chapters,
        cues=value.cues,
        not_references=value.not_references,
        declared_scheme=scheme,
    )


def detected_numbering(labels: Sequence[Candidate], blocks: Sequence[SourceBlock]) -> Numbering | None:
    """Return the numbering that labels show, or None if they show none."""
    cited: list[str] = []
    for block in blocks:
        cited += [run.text for run in block_runs(block) if run.link]
        unlinked = "\0".join(run.text for run in block_runs(block) if not run.link)
        cited += [match.group() for match in _CITED.finditer(unlinked)]
    printed = (read_label(label.printed, label.key, is_heading=label.is_heading) for label in labels)
    detected = detect_scheme([label for label in printed if label], cited)
    known = {label.number for label in labels}
    matches = (_SUFFIX.fullmatch(label.number) for label in labels)
    suffixes = sorted({m["suffix"].strip() for m in matches if m and m["number"] in known})  # + of 5b+
    return detected and replace(detected, suffixes=suffixes)
