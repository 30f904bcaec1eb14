"""Create a new edition as a copy of an earlier one, with its errata applied."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import groupby
from pathlib import Path

from rulewright.book.library import Edition
from rulewright.book.lock_file import lock_name
from rulewright.checks.load_and_check import CheckedProject, load_and_check_folder
from rulewright.edit.change_proposal import new_problems
from rulewright.edit.key_edits import remove_key
from rulewright.edit.lock_updates import record_references
from rulewright.edit.rule_blocks import find_lines, split_lines
from rulewright.files import yaml_tree
from rulewright.files.content_folder import CONTENT, LOCK, RECEIPT, content_folder, disk_path, file_kind
from rulewright.files.content_reader import ContentFolder, read_content_folder
from rulewright.files.errors import UserError, raise_on_errors
from rulewright.files.filenames import name_problem
from rulewright.files.located_text import (
    LocatedText,
    Node,
    TextKey,
    TextSlice,
    YamlMapping,
    YamlSequence,
    get_value,
)
from rulewright.files.output_files import check_inside
from rulewright.files.text_edits import FileEdits, Replacement, apply_edits
from rulewright.files.transaction import replace_files
from rulewright.files.yaml_writer import yaml_scalar
from rulewright.schema.amended_text import DELETED, INSERTED, AmendedText
from rulewright.schema.erratum import Erratum
from rulewright.schema.yaml_fields import all_texts_of

_NOT_COPIED = ("redirects.yml", LOCK, f"{RECEIPT}.")
"""Files of one edition only: redirects, printed sheets, locks, the import report."""


@dataclass
class NewEdition:
    """Files of a new edition."""

    address: str
    previous: Edition
    files: dict[str, bytes | None]  # content by file name
    applied_errata: list[Erratum] = field(default_factory=list)  # errata that are part of the new texts
    open_errata: list[Erratum] = field(default_factory=list)  # errata that stay in errata.yml

    def report_lines(self) -> Iterator[str]:
        """Yield the lines of the report."""
        yield f"{CONTENT}/{self.address}/: a copy of {self.previous.address}, which it follows"
        if self.applied_errata:
            yield f"errata applied to the rules: {', '.join(map(str, self.applied_errata))}"
        if self.open_errata:
            yield f"errata that stay in errata.yml: {', '.join(map(str, self.open_errata))}"
        yield "Next: edit its rules; list the changes with"
        yield f"  rulewright diff {self.previous.address} {self.address}"


def plan_new_edition(project: Path, address: str, old: str) -> NewEdition:
    """Plan a new edition such as `ocs/4.4`, with the errata applied to the texts.

    Raises:
        UserError: The address is invalid or exists.
        ContentErrors: The old edition has errors, or the new one would have more.
    """
    folder = read_content_folder(project)
    checked_project = load_and_check_folder(folder)
    before = checked_project.outline(old).edition
    book, _, name = address.partition("/")
    if not name or book != before.address.partition("/")[0]:
        raise UserError(
            f"{address} is not an edition of {before.address.partition('/')[0]}; write for example {old}.1"
        )
    if reason := name_problem(name):
        raise UserError(f"{name} cannot be the folder of an edition: {reason}")
    new_folder = f"{CONTENT}/{address}/"
    check_inside(content_folder(project), disk_path(project, new_folder))
    if disk_path(project, new_folder).exists():
        raise UserError(f"{new_folder} already exists")
    old_problems = checked_project.problems_in(f"{CONTENT}/{before.address}/")
    raise_on_errors(old_problems, f"fix these errors of {before.address} before creating {address}")
    new_edition = _copy_edition(project, folder, before, address)
    after = _check_new_edition(folder, new_edition)
    addresses = (address, before.address)
    locks = record_references(
        after,
        [home for home in ("", book, address) if home or lock_name(home) in folder.texts],
        lambda finding: (
            finding.reference.lock_folder == address
            and finding.reference.target_outline.edition.address in addresses
        ),
    )
    new_edition.files |= locks.files
    problems = new_problems(checked_project, _check_new_edition(folder, new_edition))
    raise_on_errors(problems, f"{address} was not created")
    return new_edition


def write_new_edition(project: Path, new_edition: NewEdition) -> None:
    """Write all files of a new edition or none. Raises FolderBusy and OSError."""
    current_files = {
        name: path.read_bytes() for name in new_edition.files if (path := disk_path(project, name)).is_file()
    }
    replace_files(project, new_edition.files, current_files)


def _check_new_edition(folder: ContentFolder, new_edition: NewEdition) -> CheckedProject:
    texts, other_files = dict(folder.texts), [*folder.other_files]
    for name, data in new_edition.files.items():
        if file_kind(name) != "text":
            other_files.append(name)
        elif data is not None:
            texts[name] = data
    return load_and_check_folder(replace(folder, texts=texts, other_files=other_files))


def _copy_edition(project: Path, folder: ContentFolder, before: Edition, address: str) -> NewEdition:
    """Copy the files of an edition, with the new address in references to the edition itself."""
    base = f"{CONTENT}/{before.address}/"
    new_edition = NewEdition(address, before, {})
    address_pattern = re.compile(rf"(?<![\w/.-]){re.escape(before.address)}(?=[:|\]#])")
    edits = FileEdits()
    new_edition.applied_errata = _apply_errata(before, edits)
    for erratum in before.errata.errata if before.errata else ():
        if erratum not in new_edition.applied_errata:
            new_edition.open_errata.append(erratum)
    for name in sorted(name for name in (*folder.texts, *folder.other_files) if name.startswith(base)):
        relative_name = name.removeprefix(base)
        if relative_name.startswith(_NOT_COPIED):
            continue
        new_name = f"{CONTENT}/{address}/{relative_name}"
        if name not in folder.texts:
            new_edition.files[new_name] = disk_path(project, name).read_bytes()
            continue
        text = folder.texts[name].decode("utf-8-sig")
        root: Node | None = None
        if name.endswith((".yml", ".yaml")):
            root, _ = yaml_tree.load_yaml_tree(name, folder.texts[name])
        changes = [*edits.for_file(name), *_remove_was(root)]
        if relative_name == "edition.yml" and isinstance(root, YamlMapping):
            changes += _rename_edition(root, address.partition("/")[2], before.address.partition("/")[2])
        if relative_name == "errata.yml" and new_edition.applied_errata:
            if not new_edition.open_errata:
                continue
            text, changes = _without_errata(root, text, new_edition.applied_errata), []
        new_edition.files[new_name] = address_pattern.sub(
            address, apply_edits(text, dict.fromkeys(changes))
        ).encode()
    return new_edition


def _rename_edition(root: YamlMapping, name: str, old: str) -> Iterator[Replacement]:
    """Yield the edits of edition.yml: new `edition` and `follows`, no dates."""
    edition_name = get_value(root, "edition")
    assert isinstance(edition_name, LocatedText)
    words = f"{yaml_scalar(name)}\nfollows: {yaml_scalar(old)}"
    yield Replacement(edition_name.start, edition_name.end, words)
    for key in ("follows", "date", "in force from"):
        yield from remove_key(root, key)


def _remove_was(node: Node | None) -> Iterator[Replacement]:
    if isinstance(node, YamlMapping):
        yield from remove_key(node, "was")
        for value in node.entries.values():
            yield from _remove_was(value)
    elif isinstance(node, YamlSequence):
        for item in node.items:
            yield from _remove_was(item)


def _without_errata(root: Node | None, text: str, errata: Iterable[Erratum]) -> str:
    """Return errata.yml without some errata. Raises UserError if it is written in brackets."""
    items = next(iter(root.entries.values()), None) if isinstance(root, YamlMapping) else None
    lines, numbers = split_lines(text), {erratum.number.start for erratum in errata}
    if isinstance(items, YamlSequence):
        if items.flow:
            raise UserError(f"{items.place} is written in brackets; write the errata on separate lines first")
        for item in reversed(items.items):
            if isinstance(item, YamlMapping) and any(
                isinstance(value, LocatedText) and value.start in numbers for value in item.entries.values()
            ):
                start, end, _ = find_lines(item, lines, 0)
                del lines[start:end]
    return "".join(lines)


def _apply_errata(amended: Edition, edits: FileEdits) -> list[Erratum]:
    """Add edits that apply errata; return the errata that can be applied at all their places."""
    base = f"{CONTENT}/{amended.address}/"
    parts = (amended.chapters, amended.known, amended.sequence, amended.tables, amended.aids)
    texts: dict[TextKey, AmendedText] = {}
    errata_of: dict[TextKey, set[Erratum]] = {}
    for text in all_texts_of(parts):
        if isinstance(text, AmendedText):
            texts[text.printed.key] = text
            errata_of[text.printed.key] = {run.erratum for run in text.runs if run.erratum}
    visible_errata = set().union(*errata_of.values())
    open_errata = {erratum for erratum in amended.applied_errata if erratum not in visible_errata}
    open_errata.update(*(errata_of[key] for key, text in texts.items() if not _fits(text, base)))
    # If one erratum of a text stays open, so do the others of that text.
    count = -1
    while count < len(open_errata):
        count = len(open_errata)
        open_errata.update(*(errata for errata in errata_of.values() if errata & open_errata))
    for key, text in texts.items():
        if errata_of[key] & open_errata:
            continue
        printed = text.printed
        if not printed.style and not _is_plain(text):
            edits.add(printed.file.name, printed.start, printed.end, yaml_scalar(text, flow=True))
        else:
            for start, end, words in _changes(text):
                edits.replace_in_scalar(printed, start, end, words.replace("\n", " "))
    return [erratum for erratum in amended.applied_errata if erratum not in open_errata]


def _is_plain(words: str) -> bool:
    """Return whether words are a valid YAML scalar without quotes, even in a flow list."""
    return yaml_scalar(words, flow=True) == words


def _fits(text: AmendedText, base: str) -> bool:
    """Return whether the amended text can be written where the printed one is."""
    is_in_edition = text.printed.file.name.startswith(base) and bool(text.printed)
    if isinstance(text.printed, TextSlice) and not text.printed.style and not _is_plain(text):
        return False  # the rest of its key would need quotes too
    return is_in_edition and not any("\n\n" in words for _, _, words in _changes(text))


def _changes(text: AmendedText) -> Iterator[tuple[int, int, str]]:
    """Yield the changed spans of a printed text, with the new words."""
    start = 0
    for is_changed, runs in groupby(text.runs, lambda run: run.change in (INSERTED, DELETED)):
        group = [*runs]
        end = start + sum(len(run.words) for run in group if run.change != INSERTED)
        if is_changed:
            yield start, end, "".join(run.words for run in group if run.change == INSERTED)
        start = end
