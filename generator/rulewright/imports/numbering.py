"""Numbering of a book: by its rulebook.yml, by examples that the editor gives, or by its labels."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from rulewright.files.content_folder import CONTENT
from rulewright.files.problems import SourceLocation, problem_type
from rulewright.files.yaml_tree import load_yaml_tree
from rulewright.imports.blocks import SourceBlock, block_runs
from rulewright.imports.book import Numbering
from rulewright.imports.labels import Candidate, parse_printed
from rulewright.imports.numbers import shape
from rulewright.numbering.edition_numbering import edition_scheme
from rulewright.numbering.examples import example_fault
from rulewright.numbering.numbering_scheme import NumberingScheme
from rulewright.numbering.reference_cues import CUES
from rulewright.numbering.scheme_detection import detect_scheme
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
    """Return the numbering that rulebook.yml or the editor declares; None if neither does."""
    for example in examples:
        if fault := example_fault(example):
            message = f"--dialect {example}: {fault[1]}"
            return Numbering(fault=BAD_DIALECT.problem(SourceLocation(source), message, source))
    if examples:
        chapter = NumberingScheme(examples).bare_chapter
        forms = [chapter, f"{chapter}.0", f"{chapter}."]
        return Numbering(f"as --dialect says: {', '.join(examples)}", examples, forms)
    return _declared(f"{CONTENT}/{book}/rulebook.yml", rulebook) if rulebook is not None else None


def _declared(name: str, rulebook: bytes) -> Numbering:
    tree, _ = load_yaml_tree(name, rulebook)
    value, _ = model_reader.read_model(tree, Rulebook) if tree else (None, [])
    scheme = edition_scheme(value)[0] if value else None
    if value is None or scheme is None:
        message = "rulebook.yml cannot be read; run `rulewright check` and mend it"
        return Numbering(fault=BAD_DIALECT.problem(SourceLocation(name), message, name))
    description = f"as {name} says: {', '.join(value.numbers)}"
    return Numbering(
        description,
        value.numbers,
        value.chapters,
        is_fixed=True,
        cues=value.cues,
        not_references=value.not_references,
        declared_scheme=scheme,
    )


def detected_numbering(
    labels: Sequence[Candidate], blocks: Sequence[SourceBlock], declared: Numbering | None
) -> Numbering | None:
    """Return the numbering that labels show, or None if they show none.

    `declared`: that of the editor's examples.
    """
    printed = [(_without_suffix(label.printed), label.is_heading) for label in labels]
    cited: list[str] = []
    for block in blocks:
        cited += [run.text for run in block_runs(block) if run.link]
        unlinked = "\0".join(run.text for run in block_runs(block) if not run.link)
        cited += [match.group() for match in _CITED.finditer(unlinked)]
    detected = detect_scheme(printed, cited, are_numbers=True)
    known = {label.number for label in labels}
    matches = (_SUFFIX.fullmatch(label.number) for label in labels)
    suffixes = sorted({m["suffix"].strip() for m in matches if m and m["number"] in known})  # + of 5b+
    cues = [name for name in detected.names if name not in CUES] if detected else []
    if declared is not None:
        chapters = detected.chapters if detected else []
        if not (chapters and NumberingScheme(declared.numbers, chapters).chapter_regexes()):
            chapters = [NumberingScheme(declared.numbers).bare_chapter]
        return Numbering(declared.description, declared.numbers, chapters, suffixes=suffixes, cues=cues)
    if detected is None:
        return None
    scheme = detected.dialect()
    unread = [label for label in labels if not parse_printed(_without_suffix(label.printed), scheme)]
    if any(label.number.isdigit() and label.is_heading for label in unread):
        detected.chapters.append("12")
    forms = Counter(shape(label.number) for label in unread if len(label.key) > 1)
    for form, count in forms.most_common():
        if count > 1 and not example_fault(form):  # several labels that the detected examples do not cover
            numbers = [number for number in detected.numbers if not form.startswith(number)]
            detected.numbers[:] = [*numbers, form]
    return Numbering(
        f"guessed: {detected}",
        detected.numbers,
        detected.chapters,
        suffixes=suffixes,
        cues=cues,
        alphabet=detected.alphabet,
    )


def _without_suffix(printed: str) -> str:
    match = _SUFFIX.fullmatch(printed.rstrip(".:)]"))
    return match["number"] if match else printed
