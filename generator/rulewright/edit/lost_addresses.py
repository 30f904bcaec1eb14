"""Find addresses of published editions that lead nowhere, or to something else, after an edit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rulewright.book.outline import Outline, RuleEntry
from rulewright.book.table_entries import Source, TableEntry
from rulewright.checks.load_and_check import CheckedProject
from rulewright.compare.item_change import item_location
from rulewright.files.content_folder import CONTENT
from rulewright.files.problems import SourceLocation
from rulewright.references import site_paths
from rulewright.references.glossary import TermEntry, term_entries
from rulewright.references.redirect_targets import anchors_of
from rulewright.render.render_context import RenderContext
from rulewright.sequence.sequence_step import SequenceStep

Address = tuple[str, str]
"""A page and an anchor on it, empty for the page itself."""

AddressedItem = Source | TermEntry | str
"""What an address leads to; of a content page or one of its headings, the words."""


@dataclass(frozen=True, slots=True)
class LostAddress:
    """An address that no longer leads to the same item."""

    address: str
    name: str
    """Name of the item that it led to."""
    old_location: SourceLocation | None
    inside: tuple[str, ...] = ()
    """Addresses in the same page or item that are lost with it."""
    current_name: str = ""
    """Name of the item that it leads to now."""
    new_address: str = ""
    cure: str = ""


def is_published(outline: Outline) -> bool:
    """Return whether an edition has a date that is not in the future, so that its addresses may be known."""
    date = outline.edition.edition_file.date
    return bool(date) and not outline.edition.is_future(date)


def lost_addresses(
    before: CheckedProject, after: CheckedProject, successors: Mapping[object, object]
) -> list[LostAddress]:
    """Find the lost addresses; `successors` has the new item of each old one."""
    old, new = _addresses(before, after), _addresses(after, before)
    names, redirects = RenderContext(before.index).name, _redirects(after)
    lost: dict[Address, str] = {}
    for address, item in old.items():
        current = new.get(address)
        if current is None:
            if address not in redirects and (address[0], "") not in redirects:
                lost[address] = ""
        elif (
            isinstance(item, RuleEntry | SequenceStep | TableEntry)
            and type(item) is type(current)
            and successors.get(item) is not current
        ):
            lost[address] = RenderContext(after.index).name(current)
    inside: dict[Address, list[str]] = {address: [] for address in lost}
    for address in lost:
        if outermost := _outermost(address, old[address], lost, old):
            inside[outermost].append(site_paths.relative_link("", *address))
    pages = {
        site_paths.content_page_path(page.name): SourceLocation(page.name) for page in before.manuscripts
    }
    contained = {link for links in inside.values() for link in links}
    result: list[LostAddress] = []
    for address, current_name in lost.items():
        item, link = old[address], site_paths.relative_link("", *address)
        if link not in contained:
            successor = successors.get(item)
            place = None
            if isinstance(successor, RuleEntry | SequenceStep | TableEntry):
                place = site_paths.path_and_anchor(successor)
            if place and not address[1]:
                place = place[0], ""
            result.append(
                LostAddress(
                    link,
                    item if isinstance(item, str) else names(item),
                    pages.get(address[0]) if isinstance(item, str) else item_location(item),
                    tuple(inside[address]),
                    current_name,
                    site_paths.relative_link("", *place) if place else "",
                    _cure(address, item, successor, current_name),
                )
            )
    for address, page in _redirects(before).items():
        if address not in redirects and address not in new and not address[1]:
            cure = f"keep it in {CONTENT}/{page}/redirects.yml"
            result.append(LostAddress(f"{address[0]}/", address[0], None, cure=cure))
    return result


def _addresses(project: CheckedProject, other: CheckedProject) -> dict[Address, AddressedItem]:
    """Return the items of a project by their addresses, without editions that nobody knows yet."""
    result: dict[Address, AddressedItem] = {}
    index = project.index
    for address, outline in index.outlines.items():
        if not is_published(outline) or address not in other.index.outlines:
            continue
        known: set[str] = set()
        for chapter in outline.chapters:
            path, left = (
                site_paths.chapter_path(chapter),
                dict(site_paths.numbers_left_chapter(outline, chapter)),
            )
            result |= {(path, key): entry for key, entry in left.items()} | {(path, ""): chapter}
            known |= left.keys()
        for key, entry in outline.former_numbers.items():
            if key not in known:
                result[site_paths.chapter_path(entry.chapter), key] = entry
        sources: list[Source] = [*outline.ordered_entries, *outline.sequence.iter_steps()]
        sources += [
            *index.editions[address].tables,
            *index.editions[address].errata_entries,
            *index.editions[address].aid_sheets,
        ]
        result |= {site_paths.path_and_anchor(source): source for source in sources}
        glossary = site_paths.glossary_path(address)
        result |= {(glossary, term.anchor): term for term in term_entries(outline, index)}
    for page in project.manuscripts:
        if page.edition is None or is_published(index.outlines[page.edition.address]):
            path, data = site_paths.content_page_path(page.name), project.library.pages[page.name]
            result[path, ""] = page.name.rpartition("/")[2]
            if other.library.pages.get(page.name) != data:
                result |= {(path, anchor): words for anchor, words in anchors_of(data).items() if words}
    return result


def _redirects(project: CheckedProject) -> dict[Address, str]:
    """Return the redirected addresses with the editions that list them."""
    redirects: dict[Address, str] = {}
    for page in project.old_pages:
        path = page.file.removesuffix("index.html").strip("/")
        redirects |= {(path, anchor): page.edition for anchor in ("", *page.anchors)}
    return redirects


def _outermost(
    address: Address, item: AddressedItem, lost: Mapping[Address, str], old: Mapping[Address, AddressedItem]
) -> Address | None:
    """Return the lost page of an address, or the address of the outermost lost item around its item."""
    page, anchor = address
    if not anchor or (page, "") in lost:
        return (page, "") if anchor else None
    outermost = None
    if isinstance(item, RuleEntry | SequenceStep):
        own = site_paths.path_and_anchor(item)
        outermost = own if own in lost and own != address else None  # a former number, lost with its rule
        container = item.parent if isinstance(item, RuleEntry) else item.owner
        while container:
            outer = site_paths.path_and_anchor(container)
            outermost = outer if outer in lost and old[outer] is container else outermost
            container = container.parent if isinstance(container, RuleEntry) else container.owner
    return outermost


def _cure(address: Address, item: AddressedItem, successor: object, current_name: str) -> str:
    page, anchor = address
    if isinstance(item, str):
        if anchor:
            return f"give the new heading the old anchor: {{: #{anchor} }}"
        return f'list it in the redirects.yml of an edition: {{from: "/{page}/", to: ...}}'
    if isinstance(item, RuleEntry):
        if isinstance(successor, RuleEntry) and not anchor:
            name = f"{CONTENT}/{successor.edition.address}/redirects.yml"
            return f'list it in {name}: {{from: "/{page}/", to: "{successor.display_number}"}}'
        if isinstance(successor, RuleEntry) and not current_name:
            return (
                f'write formerly: ["{anchor}"] at {successor.display_number}, as `rulewright renumber` does'
            )
        if successor is None and not current_name:
            return "if players know it, keep its number and retire it (`rulewright renumber --retire`)"
        return "only one rule can have it; a new rule after its last sibling would not move other rules"
    if isinstance(item, SequenceStep) and isinstance(successor, SequenceStep):
        return f"give the step the id that it had: id: {anchor.rpartition('/')[2]}"
    if isinstance(item, TableEntry) and isinstance(successor, TableEntry) and not successor.entry:
        return f"give the table the id that it had: id: {anchor}"
    return ""
