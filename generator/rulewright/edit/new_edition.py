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
from rulewright.checks.examine import Examined, examine_folder
from rulewright.compare.passages import lock_of
from rulewright.edit.list_entries import spans, without_key
from rulewright.edit.locks import record
from rulewright.edit.proposal import new_problems
from rulewright.model.amended import COME, GONE, Amended
from rulewright.model.erratum import Erratum
from rulewright.model.keys import every_text
from rulewright.source import tree
from rulewright.source.edits import Edit, Edits, applied, quoted
from rulewright.source.filenames import why_not
from rulewright.source.folder import CONTENT, LOCK, LOCKS, RECEIPT, Folder, content_folder, gather, on_disk
from rulewright.source.output import kept_in
from rulewright.source.refusal import Refusal, refuse_errors
from rulewright.source.text import Items, Keys, Node, Piece, Text, value_at
from rulewright.source.transaction import replace
from rulewright.source.writing import scalar

_LEFT = ("redirects.yml", *LOCKS, f"{RECEIPT}.")
"""Files that hold for one edition alone: its prints, old addresses, what was read, the import's report."""


@dataclass
class NewEdition:
    """A new edition, its files by name. `folded`: errata that its words have; `kept`: the others."""

    address: str
    before: Edition
    files: dict[str, bytes | None]
    folded: list[Erratum] = field(default_factory=list)
    kept: list[Erratum] = field(default_factory=list)

    def told(self) -> Iterator[str]:
        """The report of what was made, in lines."""
        yield f"{CONTENT}/{self.address}/: all that {self.before.address} says, which it follows"
        if self.folded:
            yield f"errata in the words of the rules now: {', '.join(map(str, self.folded))}"
        if self.kept:
            yield f"errata that errata.yml still has: {', '.join(map(str, self.kept))}"
        yield "Next: edit its rules; what has changed is said by"
        yield f"  rulewright diff {self.before.address} {self.address}"


def begin(project: Path, address: str, old: str, *, fold: bool) -> NewEdition:
    """Make a new edition `ocs/4.4` of an older one. `fold`: put its errata into the words of the rules.

    Raises Refusal where it cannot be begun, Unsound where it would have problems that the old one has not.
    """
    folder = gather(project)
    examined = examine_folder(folder)
    before = examined.outline(old).edition
    book, _, name = address.partition("/")
    if not name or book != before.address.partition("/")[0]:
        raise Refusal(
            f"{address} is no edition of {before.address.partition('/')[0]}; write one like {old}.1"
        )
    if fault := why_not(name):
        raise Refusal(f"{name} cannot be the folder of an edition: {fault}")
    top = f"{CONTENT}/{address}/"
    kept_in(content_folder(project), on_disk(project, top))
    if on_disk(project, top).exists():
        raise Refusal(f"{top} is there already")
    of_before = examined.problems_in(f"{CONTENT}/{before.address}/")
    refuse_errors(of_before, f"correct these errors of {before.address} first; {address} was not made")
    made = _copied(project, folder, before, address, fold=fold)
    after = _examined(folder, made)
    own = (address, before.address)
    locks = record(
        after.printed,
        [home for home in ("", book, address) if home or lock_of(home) in folder.texts],
        lambda one: one.reference.home == address and one.reference.into.edition.address in own,
    )
    made.files |= locks.files
    refuse_errors(new_problems(examined, _examined(folder, made)), f"{address} was not made")
    return made


def make(project: Path, made: NewEdition) -> None:
    """Write a new edition. Raises Busy and OSError, and has then written nothing."""
    read = {name: path.read_bytes() for name in made.files if (path := on_disk(project, name)).is_file()}
    replace(project, made.files, read)


def _examined(folder: Folder, made: NewEdition) -> Examined:
    texts = {
        **folder.texts,
        **{n: data for n, data in made.files.items() if data is not None and _is_text(n)},
    }
    others = [*folder.others, *(name for name in made.files if not _is_text(name))]
    return examine_folder(changed(folder, texts=texts, others=others))


def _is_text(name: str) -> bool:
    return name.endswith((".yml", ".yaml", ".md", f"/{LOCK}"))


def _copied(project: Path, folder: Folder, before: Edition, address: str, *, fold: bool) -> NewEdition:
    """Copy the old edition's files, renaming references to itself."""
    base = f"{CONTENT}/{before.address}/"
    made = NewEdition(address, before, {})
    own = re.compile(rf"(?<![\w/.-]){re.escape(before.address)}(?=[:|\]#])")
    errata = list(before.errata.errata) if before.errata else []
    edits = Edits()
    if fold:
        made.folded = _fold(before, edits)
    made.kept = [one for one in errata if one not in made.folded]
    for name in sorted(name for name in (*folder.texts, *folder.others) if name.startswith(base)):
        inside = name.removeprefix(base)
        if inside.startswith(_LEFT):
            continue
        new = f"{CONTENT}/{address}/{inside}"
        if name not in folder.texts:
            made.files[new] = on_disk(project, name).read_bytes()
            continue
        text = folder.texts[name].decode("utf-8-sig")
        root, _ = tree.load(name, folder.texts[name]) if name.endswith((".yml", ".yaml")) else (None, [])
        changes = [*edits.of(name), *_without_was(root)]
        if inside == "edition.yml" and isinstance(root, Keys):
            changes += _renamed(root, address.partition("/")[2], before.address.partition("/")[2])
        if inside == "errata.yml" and made.folded:
            if not made.kept:
                continue
            changes += _without(root, made.folded)
        made.files[new] = own.sub(address, applied(text, dict.fromkeys(changes))).encode()
    return made


def _renamed(root: Keys, name: str, old: str) -> Iterator[Edit]:
    """Edits of edition.yml: what the edition is called and follows; its date is still to come."""
    called, follows = value_at(root, "edition"), value_at(root, "follows")
    assert isinstance(called, Text)
    if isinstance(follows, Text):
        yield Edit(follows.start, follows.end, scalar(old))
    more = "" if follows else f"\nfollows: {scalar(old)}"
    yield Edit(called.start, called.end, scalar(name) + more)
    yield from without_key(root, "date")
    yield from without_key(root, "in force from")


def _without_was(node: Node | None) -> Iterator[Edit]:
    if isinstance(node, Keys):
        yield from without_key(node, "was")
        for value in node.entries.values():
            yield from _without_was(value)
    elif isinstance(node, Items):
        for item in node.items:
            yield from _without_was(item)


def _without(root: Node | None, errata: Iterable[Erratum]) -> Iterator[Edit]:
    """Edits that take some errata out of errata.yml."""
    listed = next(iter(root.entries.values()), None) if isinstance(root, Keys) else None
    if isinstance(listed, Items):
        numbers = {one.number.start for one in errata}
        for item, (start, end) in zip(listed.items, spans(listed), strict=True):
            if isinstance(item, Keys) and any(
                isinstance(value, Text) and value.start in numbers for value in item.entries.values()
            ):
                line = 1 if listed.file.text[end : end + 1] == "\n" else 0
                yield Edit(start, end + line, "")


def _fold(amended: Edition, edits: Edits) -> list[Erratum]:
    """Enter errata in the words that they change; those that were entered, each in all of its places."""
    base = f"{CONTENT}/{amended.address}/"
    every = {
        text.printed.key: (text, {run.erratum for run in text.runs if run.erratum})
        for part in (amended.chapters, amended.known, amended.sequence, amended.tables, amended.aids)
        for text in every_text(part)
        if isinstance(text, Amended)
    }
    shown = {erratum for _, errata in every.values() for erratum in errata}
    left = {one for one in amended.applied if one not in shown}
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
                span = printed.span_of(start, end)
                edits.add(printed.file.name, *span, quoted(words.replace("\n", " "), printed.style))
    return [one for one in amended.applied if one not in left]


def _is_plain(words: str) -> bool:
    """Whether words can stand without quotes, in braces too."""
    try:
        return bool(yaml.load(f"[{words}]", Loader=yaml.BaseLoader) == [words])
    except yaml.YAMLError:
        return False


def _seen(text: Text, start: int, end: int, words: str, least: int) -> tuple[int, int, str]:
    """A change that begins and ends with what is written in the file, as the break of a line is not."""
    while start > least and (start == end or text[start].isspace()):
        start -= 1
        words = text[start] + words
    while end < len(text) and (start == end or text[end - 1].isspace()):
        words += text[end]
        end += 1
    return start, end, words


def _fits(text: Amended, base: str) -> bool:
    """Whether the words of a text as amended can stand where it is written."""
    is_here = text.printed.file.name.startswith(base) and bool(text.printed)
    if isinstance(text.printed, Piece) and not text.printed.style and not _is_plain(text):
        return False  # the rest of its key would have to be put in quotes with it
    return is_here and not any("\n\n" in words for _, _, words in _changes(text))


def _changes(text: Amended) -> Iterator[tuple[int, int, str]]:
    """Stretches of a printed text that are written in its file, with the words that come in their place."""
    last = 0
    for start, end, words in _differences(text):
        start, end, words = _seen(text.printed, max(start, last), end, words, last)
        yield start, end, words
        last = end


def _differences(text: Amended) -> Iterator[tuple[int, int, str]]:
    at = 0
    for differs, runs in groupby(text.runs, lambda run: run.sign in (COME, GONE)):
        row = [*runs]
        end = at + sum(len(run.words) for run in row if run.sign != COME)
        if differs:
            yield at, end, "".join(run.words for run in row if run.sign == COME)
        at = end
