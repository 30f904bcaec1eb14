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
from rulewright.source.errors import UserError, raise_on_errors
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
    examined = load_and_check_folder(folder)
    before = examined.outline(old).edition
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
    of_before = examined.problems_in(f"{CONTENT}/{before.address}/")
    raise_on_errors(of_before, f"correct these errors of {before.address} first; {address} was not made")
    made = _copied(project, folder, before, address, fold=fold)
    after = _examined(folder, made)
    own = (address, before.address)
    locks = record_references(
        after.printed,
        [home for home in ("", book, address) if home or lock_of(home) in folder.texts],
        lambda one: (
            one.reference.lock_folder == address and one.reference.target_outline.edition.address in own
        ),
    )
    made.files |= locks.files
    raise_on_errors(new_problems(examined, _examined(folder, made)), f"{address} was not made")
    return made


def write_new_edition(project: Path, made: NewEdition) -> None:
    """Write a new edition. Raises Busy and OSError, and has then written nothing."""
    read = {name: path.read_bytes() for name in made.files if (path := disk_path(project, name)).is_file()}
    replace_files(project, made.files, read)


def _examined(folder: ContentFolder, made: NewEdition) -> CheckedProject:
    texts = {
        **folder.texts,
        **{n: data for n, data in made.files.items() if data is not None and _is_text(n)},
    }
    others = [*folder.other_files, *(name for name in made.files if not _is_text(name))]
    return load_and_check_folder(changed(folder, texts=texts, other_files=others))


def _is_text(name: str) -> bool:
    return name.endswith((".yml", ".yaml", ".md", f"/{LOCK}"))


def _copied(project: Path, folder: ContentFolder, before: Edition, address: str, *, fold: bool) -> NewEdition:
    """Copy the old edition's files, renaming references to itself."""
    base = f"{CONTENT}/{before.address}/"
    made = NewEdition(address, before, {})
    own = re.compile(rf"(?<![\w/.-]){re.escape(before.address)}(?=[:|\]#])")
    errata = list(before.errata.errata) if before.errata else []
    edits = FileEdits()
    if fold:
        made.applied_errata = _fold(before, edits)
    made.open_errata = [erratum for erratum in errata if erratum not in made.applied_errata]
    for name in sorted(name for name in (*folder.texts, *folder.other_files) if name.startswith(base)):
        inside = name.removeprefix(base)
        if inside.startswith(_LEFT):
            continue
        new = f"{CONTENT}/{address}/{inside}"
        if name not in folder.texts:
            made.files[new] = disk_path(project, name).read_bytes()
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
        if inside == "errata.yml" and made.applied_errata:
            if not made.open_errata:
                continue
            changes += _without(root, made.applied_errata)
        made.files[new] = own.sub(address, apply_edits(text, dict.fromkeys(changes))).encode()
    return made


def _renamed(root: YamlMapping, name: str, old: str) -> Iterator[Replacement]:
    """Edits of edition.yml: what the edition is called and follows; its date is still to come."""
    called, follows = get_value(root, "edition"), get_value(root, "follows")
    assert isinstance(called, LocatedText)
    if isinstance(follows, LocatedText):
        yield Replacement(follows.start, follows.end, yaml_scalar(old))
    more = "" if follows else f"\nfollows: {yaml_scalar(old)}"
    yield Replacement(called.start, called.end, yaml_scalar(name) + more)
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
    listed = next(iter(root.entries.values()), None) if isinstance(root, YamlMapping) else None
    if isinstance(listed, YamlSequence):
        numbers = {erratum.number.start for erratum in errata}
        for item, (start, end) in zip(listed.items, spans(listed), strict=True):
            if isinstance(item, YamlMapping) and any(
                isinstance(value, LocatedText) and value.start in numbers for value in item.entries.values()
            ):
                line = 1 if listed.file.text[end : end + 1] == "\n" else 0
                yield Replacement(start, end + line, "")


def _fold(amended: Edition, edits: FileEdits) -> list[Erratum]:
    """Enter errata in the words that they change; those that were entered, each in all of its places."""
    base = f"{CONTENT}/{amended.address}/"
    every = {
        text.printed.key: (text, {run.erratum for run in text.runs if run.erratum})
        for part in (amended.chapters, amended.known, amended.sequence, amended.tables, amended.aids)
        for text in all_texts_of(part)
        if isinstance(text, AmendedText)
    }
    shown = {erratum for _, errata in every.values() for erratum in errata}
    left = {erratum for erratum in amended.applied_errata if erratum not in shown}
    unfit = {key for key, (text, _) in every.items() if not _fits(text, base)}
    while more := {key for key, (_, errata) in every.items() if key in unfit or errata & left}:
        unfit, before = more, set(left)
        left |= {erratum for key in unfit for erratum in every[key][1]}
        if left == before:
            break
    for key, (text, _) in every.items():
        if key in unfit:
            continue
        printed = text.printed
        if not printed.style and not _is_plain(text):
            edits.add(printed.file.name, printed.start, printed.end, dumps(str(text), ensure_ascii=False))
        else:
            for start, end, words in _changes(text):
                span = printed.file_span(start, end)
                edits.add(printed.file.name, *span, escape_for_style(words.replace("\n", " "), printed.style))
    return [erratum for erratum in amended.applied_errata if erratum not in left]


def _is_plain(words: str) -> bool:
    """Whether words can stand without quotes, in braces too."""
    try:
        return bool(yaml.load(f"[{words}]", Loader=yaml.BaseLoader) == [words])
    except yaml.YAMLError:
        return False


def _seen(text: LocatedText, start: int, end: int, words: str, least: int) -> tuple[int, int, str]:
    """A change that begins and ends with what is written in the file, as the break of a line is not."""
    while start > least and (start == end or text[start].isspace()):
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
    at = 0
    for differs, runs in groupby(text.runs, lambda run: run.change in (COME, GONE)):
        row = [*runs]
        end = at + sum(len(run.words) for run in row if run.change != COME)
        if differs:
            yield at, end, "".join(run.words for run in row if run.change == COME)
        at = end
