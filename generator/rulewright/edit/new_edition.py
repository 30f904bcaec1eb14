"""Begin the next edition of a book with what its last one says, as amended if so wished."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from dataclasses import replace as changed
from itertools import groupby
from json import dumps
from pathlib import Path

import yaml

from rulewright.book.library import Edition
from rulewright.checks.load_and_check import CheckedProject, load_and_check_folder
from rulewright.compare.reference_inventory import lock_of
from rulewright.edit.change_proposal import new_problems
from rulewright.edit.lock_updates import record_references
from rulewright.edit.yaml_list_edits import remove_key, spans
from rulewright.model.amended_text import COME, GONE, AmendedText
from rulewright.model.erratum import Erratum
from rulewright.model.yaml_fields import all_texts_of
from rulewright.source import yaml_tree
from rulewright.source.content_folder import (
    CONTENT,
    LOCK,
    LOCKS,
    RECEIPT,
    ContentFolder,
    content_folder,
    disk_path,
    read_content_folder,
)
from rulewright.source.errors import ContentErrors, UserError
from rulewright.source.filenames import name_problem
from rulewright.source.located_text import LocatedText, Node, TextSlice, YamlMapping, YamlSequence, get_value
from rulewright.source.output_files import check_inside
from rulewright.source.text_edits import FileEdits, Replacement, apply_edits, escape_for_style
from rulewright.source.transaction import replace_files
from rulewright.source.yaml_writer import yaml_scalar

_LEFT = ("redirects.yml", *LOCKS, f"{RECEIPT}.")
"""Files that hold for one edition alone: its prints, old addresses, what was read, the import's report."""


@dataclass
class NewEdition:
    """A new edition, its files by name.

    `applied_errata`: errata that its words have; `open_errata`: the others.
    """

    address: str
    previous: Edition
    files: dict[str, bytes | None]
    applied_errata: list[Erratum] = field(default_factory=list)
    open_errata: list[Erratum] = field(default_factory=list)

    def report_lines(self) -> Iterator[str]:
        """The report of what was made, in lines."""
        yield f"{CONTENT}/{self.address}/: all that {self.previous.address} says, which it follows"
        if self.applied_errata:
            yield f"errata in the words of the rules now: {', '.join(map(str, self.applied_errata))}"
        if self.open_errata:
            yield f"errata that errata.yml still has: {', '.join(map(str, self.open_errata))}"
        yield "Next: edit its rules; what has changed is said by"
        yield f"  rulewright diff {self.previous.address} {self.address}"


def plan_new_edition(project: Path, address: str, old: str, *, fold: bool) -> NewEdition:
    """Make a new edition `ocs/4.4` of an older one. `fold`: put its errata into the words of the rules.

    Raises Refusal where it cannot be begun, Unsound where it would have problems that the old one has not.
    """
    folder = read_content_folder(project)
    checked_project = load_and_check_folder(folder)
    before = checked_project.outline(old).edition
    book, _, name = address.partition("/")
    if not name or book != before.address.partition("/")[0]:
        raise UserError(
            f"{address} is no edition of {before.address.partition('/')[0]}; write one like {old}.1"
        )
    if fault := name_problem(name):
        raise UserError(f"{name} cannot be the folder of an edition: {fault}")
    top = f"{CONTENT}/{address}/"
    check_inside(content_folder(project), disk_path(project, top))
    if disk_path(project, top).exists():
        raise UserError(f"{top} is there already")
    failures = [
        problem
        for problem in checked_project.problems_in(f"{CONTENT}/{before.address}/")
        if problem.is_failure
    ]
    if failures:
        raise ContentErrors(failures, f"{address} is not begun until {before.address} is mended")
    new_edition = _copied(project, folder, before, address, fold=fold)
    after = _examined(folder, new_edition)
    addresses = (address, before.address)
    locks = record_references(
        after.printed,
        [home for home in ("", book, address) if home or lock_of(home) in folder.texts],
        lambda finding: (
            finding.reference.lock_folder == address
            and finding.reference.target_outline.edition.address in addresses
        ),
    )
    new_edition.files |= locks.files
    if problems := new_problems(checked_project, _examined(folder, new_edition)):
        raise ContentErrors(problems, f"{address} was not made")
    return new_edition


def write_new_edition(project: Path, new_edition: NewEdition) -> None:
    """Write a new edition. Raises Busy and OSError, and has then written nothing."""
    read = {
        name: path.read_bytes() for name in new_edition.files if (path := disk_path(project, name)).is_file()
    }
    replace_files(project, new_edition.files, read)


def _examined(folder: ContentFolder, new_edition: NewEdition) -> CheckedProject:
    texts = {
        **folder.texts,
        **{n: data for n, data in new_edition.files.items() if data is not None and _is_text(n)},
    }
    other_files = [*folder.other_files, *(name for name in new_edition.files if not _is_text(name))]
    return load_and_check_folder(changed(folder, texts=texts, other_files=other_files))


def _is_text(name: str) -> bool:
    return name.endswith((".yml", ".yaml", ".md", f"/{LOCK}"))


def _copied(project: Path, folder: ContentFolder, before: Edition, address: str, *, fold: bool) -> NewEdition:
    """Copy the old edition's files, renaming references to itself."""
    base = f"{CONTENT}/{before.address}/"
    new_edition = NewEdition(address, before, {})
    address_pattern = re.compile(rf"(?<![\w/.-]){re.escape(before.address)}(?=[:|\]#])")
    errata = list(before.errata.errata) if before.errata else []
    edits = FileEdits()
    if fold:
        new_edition.applied_errata = _fold(before, edits)
    new_edition.open_errata = [erratum for erratum in errata if erratum not in new_edition.applied_errata]
    for name in sorted(name for name in (*folder.texts, *folder.other_files) if name.startswith(base)):
        inside = name.removeprefix(base)
        if inside.startswith(_LEFT):
            continue
        new = f"{CONTENT}/{address}/{inside}"
        if name not in folder.texts:
            new_edition.files[new] = disk_path(project, name).read_bytes()
            continue
        text = folder.texts[name].decode("utf-8-sig")
        root, _ = (
            yaml_tree.load_yaml_tree(name, folder.texts[name])
            if name.endswith((".yml", ".yaml"))
            else (None, [])
        )
        changes = [*edits.for_file(name), *_without_was(root)]
        if inside == "edition.yml" and isinstance(root, YamlMapping):
            changes += _renamed(root, address.partition("/")[2], before.address.partition("/")[2])
        if inside == "errata.yml" and new_edition.applied_errata:
            if not new_edition.open_errata:
                continue
            changes += _without(root, new_edition.applied_errata)
        new_edition.files[new] = address_pattern.sub(
            address, apply_edits(text, dict.fromkeys(changes))
        ).encode()
    return new_edition


def _renamed(root: YamlMapping, name: str, old: str) -> Iterator[Replacement]:
    """Edits of edition.yml: what the edition is called and follows; its date is still to come."""
    edition_name, follows = get_value(root, "edition"), get_value(root, "follows")
    assert isinstance(edition_name, LocatedText)
    if isinstance(follows, LocatedText):
        yield Replacement(follows.start, follows.end, yaml_scalar(old))
    follows_line = "" if follows else f"\nfollows: {yaml_scalar(old)}"
    yield Replacement(edition_name.start, edition_name.end, yaml_scalar(name) + follows_line)
    yield from remove_key(root, "date")
    yield from remove_key(root, "in force from")


def _without_was(node: Node | None) -> Iterator[Replacement]:
    if isinstance(node, YamlMapping):
        yield from remove_key(node, "was")
        for value in node.entries.values():
            yield from _without_was(value)
    elif isinstance(node, YamlSequence):
        for item in node.items:
            yield from _without_was(item)


def _without(root: Node | None, errata: Iterable[Erratum]) -> Iterator[Replacement]:
    """Edits that take some errata out of errata.yml."""
    items = next(iter(root.entries.values()), None) if isinstance(root, YamlMapping) else None
    if isinstance(items, YamlSequence):
        numbers = {erratum.number.start for erratum in errata}
        for item, (start, end) in zip(items.items, spans(items), strict=True):
            if isinstance(item, YamlMapping) and any(
                isinstance(value, LocatedText) and value.start in numbers for value in item.entries.values()
            ):
                line = 1 if items.file.text[end : end + 1] == "\n" else 0
                yield Replacement(start, end + line, "")


def _fold(amended: Edition, edits: FileEdits) -> list[Erratum]:
    """Enter errata in the words that they change; those that were entered, each in all of its places."""
    base = f"{CONTENT}/{amended.address}/"
    texts = {
        text.printed.key: (text, {run.erratum for run in text.runs if run.erratum})
        for part in (amended.chapters, amended.known, amended.sequence, amended.tables, amended.aids)
        for text in all_texts_of(part)
        if isinstance(text, AmendedText)
    }
    visible_errata = {erratum for _, errata in texts.values() for erratum in errata}
    open_errata = {erratum for erratum in amended.applied_errata if erratum not in visible_errata}
    unfit_keys = {key for key, (text, _) in texts.items() if not _fits(text, base)}
    while new_unfit_keys := {
        key for key, (_, errata) in texts.items() if key in unfit_keys or errata & open_errata
    }:
        unfit_keys, before = new_unfit_keys, set(open_errata)
        open_errata |= {erratum for key in unfit_keys for erratum in texts[key][1]}
        if open_errata == before:
            break
    for key, (text, _) in texts.items():
        if key in unfit_keys:
            continue
        printed = text.printed
        if not printed.style and not _is_plain(text):
            edits.add(printed.file.name, printed.start, printed.end, dumps(str(text), ensure_ascii=False))
        else:
            for start, end, words in _changes(text):
                span = printed.file_span(start, end)
                edits.add(printed.file.name, *span, escape_for_style(words.replace("\n", " "), printed.style))
    return [erratum for erratum in amended.applied_errata if erratum not in open_errata]


def _is_plain(words: str) -> bool:
    """Whether words can stand without quotes, in braces too."""
    try:
        return bool(yaml.load(f"[{words}]", Loader=yaml.BaseLoader) == [words])
    except yaml.YAMLError:
        return False


def _seen(text: LocatedText, start: int, end: int, words: str, min_start: int) -> tuple[int, int, str]:
    """A change that begins and ends with what is written in the file, as the break of a line is not."""
    while start > min_start and (start == end or text[start].isspace()):
        start -= 1
        words = text[start] + words
    while end < len(text) and (start == end or text[end - 1].isspace()):
        words += text[end]
        end += 1
    return start, end, words


def _fits(text: AmendedText, base: str) -> bool:
    """Whether the words of a text as amended can stand where it is written."""
    is_here = text.printed.file.name.startswith(base) and bool(text.printed)
    if isinstance(text.printed, TextSlice) and not text.printed.style and not _is_plain(text):
        return False  # the rest of its key would have to be put in quotes with it
    return is_here and not any("\n\n" in words for _, _, words in _changes(text))


def _changes(text: AmendedText) -> Iterator[tuple[int, int, str]]:
    """Stretches of a printed text that are written in its file, with the words that come in their place."""
    last = 0
    for start, end, words in _differences(text):
        start, end, words = _seen(text.printed, max(start, last), end, words, last)
        yield start, end, words
        last = end


def _differences(text: AmendedText) -> Iterator[tuple[int, int, str]]:
    start = 0
    for differs, runs in groupby(text.runs, lambda run: run.change in (COME, GONE)):
        group = [*runs]
        end = start + sum(len(run.words) for run in group if run.change != COME)
        if differs:
            yield start, end, "".join(run.words for run in group if run.change == COME)
        start = end
