"""Numbering of a book: by its rulebook.yml, by examples that the editor gives, or by its labels."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from rulewright.files.content_folder import CONTENT
from rulewright.files.problems import SourceLocation, problem_type
from rulewright.files.yaml_tree import load_yaml_tree
from rulewright.imports.blocks import SourceBlock, block_texts, plain
from rulewright.imports.book import Numbering
from rulewright.imports.labels import Candidate, parse_printed
from rulewright.imports.numbers import shape
from rulewright.imports.sources.source_site import SourcePage
from rulewright.numbering.edition_numbering import edition_scheme
from rulewright.numbering.examples import example_fault
from rulewright.numbering.numbering_scheme import NumberingScheme
from rulewright.numbering.reference_cues import CUES
from rulewright.numbering.scheme_detection import DetectedScheme, detect_scheme
from rulewright.schema import model_reader
from rulewright.schema.rulebook import Rulebook

BAD_DIALECT = problem_type(
    "import-dialect", "The example that `--dialect` gives of a book's numbers describes none."
)
LETTER = r"[^\W\d_]"
_CITED = re.compile(
    rf"(?<!{LETTER})(?P<cue>{LETTER}+\.?)\s+[“\"*_\[]{{0,3}}"
    rf"(?P<number>§?(?:[A-Z]{{0,2}}\d{{1,3}}|[A-Z]{{1,2}}(?=[.\d])"
    rf"|[IVX]+(?=\.))(?:[.:/]?\w+|-(?=[^\W\d])\w+|-\d+|\(\w{{1,4}}\))*)"
)
_LIKE_A_NUMBER = re.compile(r"§?\[?\w{1,4}[.:(-]\w|\d{3}\b")
_NO_CUES = frozenset(
    "a an and or to the of in on for at by than is are was be with from hex hexes turn page table "  # noqa: SIM905
    "figure version".split()
)
_SUFFIX = re.compile(r"(?P<number>.*?)(?P<suffix>\+{1,2}|\*{1,2}| ?bis| ?ter)")


@dataclass(frozen=True, slots=True)
class CitedNumber:
    """A number in the words of a page, and the word before it."""

    text: str
    cue: str
    page: SourcePage
    line: int

    @property
    def word(self) -> str:
        return singular_cue(self.cue.lower().rstrip("."))

    def is_read(self, scheme: NumberingScheme) -> bool:
        return bool(scheme.parse_number(self.text) or scheme.parse_number(f"{self.cue} {self.text}"))


def given_numbering(
    examples: Sequence[str], book: str, rulebook: bytes | None, source: str
) -> Numbering | None:
    """Return the numbering that rulebook.yml or the editor declares; None if neither does."""
    if rulebook is not None and not examples:
        return _declared(f"{CONTENT}/{book}/rulebook.yml", rulebook)
    for example in examples:
        if fault := example_fault(example):
            message = f"--dialect {example}: {fault[1]}"
            return Numbering(fault=BAD_DIALECT.problem(SourceLocation(source), message, source))
    if examples:
        chapter = NumberingScheme(examples).bare_chapter
        forms = [chapter, f"{chapter}.0", f"{chapter}."]
        return Numbering(f"as --dialect says: {', '.join(examples)}", examples, forms)
    return None


def _declared(name: str, rulebook: bytes) -> Numbering:
    tree, problems = load_yaml_tree(name, rulebook)
    value, more = model_reader.read_model(tree, Rulebook) if tree else (None, [])
    scheme, faults = edition_scheme(value) if value else (None, [])
    if scheme is None or value is None:
        unread = BAD_DIALECT.problem(SourceLocation(name), "rulebook.yml cannot be read; mend it", name)
        return Numbering(fault=[*problems, *more, *faults, unread][0])
    return Numbering(
        f"as {name} says: {', '.join(value.numbers)}",
        value.numbers,
        value.chapters,
        is_fixed=True,
        cues=value.cues,
        not_references=value.not_references,
        cited=[term.see for term in value.terms.values() if term.see],
        declared_scheme=scheme,
    )


def detected_numbering(
    labels: Sequence[Candidate], blocks: Sequence[SourceBlock], declared: Numbering | None
) -> Numbering | None:
    """Return the numbering that labels show, or None if they show none.

    `declared`: that of the editor's examples.
    """
    printed = [(_without_suffix(label.printed), label.is_heading) for label in labels]
    cited = [plain((run,)) for block in blocks for run in block.runs[1:] if run.link]
    cited += [f"{number.cue} {number.text}" for number in cited_numbers(blocks)]
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
    _add_examples(detected, labels)
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


def _add_examples(detected: DetectedScheme, labels: Sequence[Candidate]) -> None:
    """Add examples of numbers that the detected ones do not cover, if several labels are written so."""
    scheme = detected.dialect()
    unread = [label for label in labels if not parse_printed(_without_suffix(label.printed), scheme)]
    if any(label.number.isdigit() and label.is_heading for label in unread):
        detected.chapters.append("12")
    forms = Counter(shape(label.number) for label in unread if len(label.key) > 1)
    for form, count in forms.most_common():
        if count > 1 and not example_fault(form):
            numbers = [number for number in detected.numbers if not form.startswith(number)]
            detected.numbers[:] = [*numbers, form]


def cited_numbers(blocks: Sequence[SourceBlock]) -> Iterator[CitedNumber]:
    """Yield the numbers after words that lead up to the number of a rule."""
    for block in blocks:
        runs = tuple(replace(run, text=" \0 " * bool(run.link) or run.text) for run in block.runs)
        unlinked = replace(block, runs=runs)
        for text in block_texts(unlinked):
            for match in _CITED.finditer(text):
                line = block.line + text.count("\n", 0, match.start("number"))
                citation = CitedNumber(match["number"], match["cue"], block.page, line)
                is_cued = citation.text.isdigit() and citation.word in CUES[3:]
                begins_line = "\n" in match.group() and citation.word not in CUES
                is_number = _LIKE_A_NUMBER.match(citation.text) or is_cued
                if is_number and not begins_line and citation.word not in _NO_CUES:
                    yield citation


def singular_cue(word: str) -> str:
    return word.removesuffix("s") if len(word) > 3 else word
