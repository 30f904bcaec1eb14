"""Find addresses of published editions that lead nowhere, or to something else, after an edit."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from rulewright.book.outline import Outline, RuleEntry
from rulewright.book.table_entries import Source, TableEntry
from rulewright.checks.load_and_check import CheckedProject
from rulewright.compare.edition_diff import EditionDiff
from rulewright.compare.item_change import item_location
from rulewright.files.content_folder import CONTENT
from rulewright.files.problems import SourceLocation
from rulewright.references import site_paths
from rulewright.references.glossary import TermEntry, term_entries
from rulewright.references.reference_index import ReferenceIndex
from rulewright.render.render_context import RenderContext
from rulewright.sequence.sequence_step import SequenceStep

Address = tuple[str, str]
"""A page and an anchor on it, empty for the page itself."""

AddressedItem = Source | TermEntry


@dataclass(frozen=True, slots=True)
class LostAddress:
    """An address that no longer leads to the same item."""

    address: str
    name: str
    """Name of the item that it led to."""
    old_location: SourceLocation | None
    inside: tuple[str, ...]
    """Addresses in the same page or item that are lost with it."""
    current_name: str
    """Name of the item that it leads to now."""
    cure: str


def lost_addresses(
    before: CheckedProject,
    after: CheckedProject,
    diffs: Iterable[EditionDiff],
    successor_of: Callable[[object], object],
) -> Iterator[LostAddress]:
    """Yield the lost addresses of changed editions; an edition without a date has none yet."""
    redirects: set[Address] = set()
    for page in after.old_pages:
        path = page.file.removesuffix("index.html").strip("/")
        redirects |= {(path, anchor) for anchor in ("", *page.anchors)}
    for diff in diffs:
        date = diff.old.edition.edition_file.date
        if not date or diff.old.edition.is_future(date):
            continue
        old, new = _addresses(diff.old, before.index), _addresses(diff.new, after.index)
        lost: dict[Address, AddressedItem] = {}
        for address, item in old.items():
            current, is_redirected = new.get(address), not redirects.isdisjoint((address, (address[0], "")))
            is_comparable = isinstance(item, RuleEntry | SequenceStep | TableEntry)
            is_other = is_comparable and type(item) is type(current) and successor_of(item) is not current
            if is_other or (current is None and not is_redirected):
                lost[address] = item
        groups: dict[Address, list[Address]] = {}
        for address, item in lost.items():
            groups.setdefault(_outermost(address, item, lost), []).append(address)
        for address, addresses in groups.items():
            item, successor = lost[address], successor_of(lost[address])
            yield LostAddress(
                site_paths.relative_link("", *address),
                RenderContext(before.index).name(item),
                item_location(item),
                tuple(site_paths.relative_link("", *inner) for inner in addresses if inner != address),
                RenderContext(after.index).name(new[address]) if address in new else "",
                "" if address in new else _cure(address, item, successor),
            )


def _addresses(outline: Outline, index: ReferenceIndex) -> dict[Address, AddressedItem]:
    """Return the items of an edition by their addresses, rules also by former numbers."""
    result: dict[Address, AddressedItem] = {}
    former_numbers = dict(outline.former_numbers)
    for chapter in outline.chapters:
        path = site_paths.chapter_path(chapter)
        result[path, ""] = chapter
        for key, entry in site_paths.numbers_left_chapter(outline, chapter):
            result[path, key] = entry
            former_numbers.pop(key, None)
    for key, entry in former_numbers.items():
        result[site_paths.chapter_path(entry.chapter), key] = entry
    references = index.editions[outline.edition.address]
    sources: list[Source] = [*outline.ordered_entries, *outline.sequence.iter_steps(), *references.tables]
    sources += [*references.errata_entries, *references.aid_sheets]
    result |= {site_paths.path_and_anchor(source): source for source in sources}
    glossary = site_paths.glossary_path(outline.edition.address)
    return result | {(glossary, term.anchor): term for term in term_entries(outline, index)}


def _outermost(address: Address, item: AddressedItem, lost: dict[Address, AddressedItem]) -> Address:
    """Return the lost page of an address, or the address of the outermost lost item around its item."""
    if (address[0], "") in lost:
        return address[0], ""
    outermost = address
    container: RuleEntry | SequenceStep | None = item if isinstance(item, RuleEntry | SequenceStep) else None
    while container:
        outer = site_paths.path_and_anchor(container)
        outermost = outer if lost.get(outer) is container else outermost
        container = container.parent if isinstance(container, RuleEntry) else container.owner
    return outermost


def _cure(address: Address, item: AddressedItem, successor: object) -> str:
    page, anchor = address
    if isinstance(item, RuleEntry) and isinstance(successor, RuleEntry):
        number = successor.display_number
        if anchor:
            return f'write formerly: ["{anchor}"] at {number}, as `rulewright renumber` does'
        name = f"{CONTENT}/{successor.edition.address}/redirects.yml"
        return f'list it in {name}: {{from: "/{page}/", to: "{number}"}}'
    if isinstance(item, RuleEntry):
        return "if players know it, keep its number and retire it (`rulewright renumber --retire`)"
    if isinstance(item, SequenceStep | TableEntry) and isinstance(successor, type(item)):
        return f"give it the id that it had: id: {anchor.rpartition('/')[2]}"
    return ""
