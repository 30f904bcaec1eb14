"""Relations between things, for the templates of a page, with links that start from that page.

Who cites a rule, what it was in earlier editions, what games do to it, and where all that is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from markupsafe import Markup, escape

from rulewright.book.errata_entries import ErrataEntry
from rulewright.book.library import Edition
from rulewright.book.outline import RuleEntry
from rulewright.book.table_entries import Source, TableEntry
from rulewright.compare.history import PastState
from rulewright.compare.item_change import QUIET, ChangeKind
from rulewright.references import site_paths
from rulewright.references.citable_items import ListItem
from rulewright.references.glossary import TermEntry
from rulewright.references.series_overrides import Override
from rulewright.render.render_context import RenderContext
from rulewright.schema.problem_reports import join_some
from rulewright.sequence.sequence_step import SequenceStep


@dataclass(frozen=True, slots=True)
class CitingItem:
    """Who cites a rule: a rule by its number and title, a step by its path."""

    href: str
    name: str
    kind: str


@dataclass(frozen=True, slots=True)
class CitedBy:
    """All who cite a rule, rules first and steps last. `line`: how many of each kind there are."""

    line: Markup
    items: list[CitingItem]


_KINDS = {"rule": "rules", "table": "tables", "erratum": "errata", "question": "questions", "step": "steps"}
"""Kinds of what cites, one and several, in their order."""
_ORDER = {kind: at for at, kind in enumerate(_KINDS)}


def _kind(source: Source) -> str:
    match source:
        case SequenceStep():
            return "step"
        case TableEntry():
            return "table"
        case ErrataEntry():
            return "erratum" if source.erratum else "question"
        case _:
            return "rule"


def _line(citers: Iterable[CitingItem], does: tuple[str, str], name: str) -> Markup:
    """How many cite something, in one line: 4 rules cite 12.5 · used in 3 steps."""
    counts = Counter(citer.kind for citer in citers)
    told = {
        kind: f"<b>{count}</b> {kind if count == 1 else several}"
        for kind, several in _KINDS.items()
        if (count := counts[kind])
    }
    steps = told.pop("step", "")
    words = join_some(list(told.values()))
    if words:
        words += f" {does[counts.total() - counts['step'] > 1]} {escape(name)}"
    if steps:
        words += f" · used in {steps}" if words else f"Used in {steps}"
    return Markup(words)


class RuleHistory(NamedTuple):
    """The past of a rule, the latest first, and a line that says what became of it."""

    line: str
    past: list[PastState]


def _since(entry: RuleEntry, past: Sequence[PastState]) -> str:
    """History of a rule in one line, from the first edition that has it on; empty if nothing became of it."""
    editions = [
        str(edition.edition_file.edition)
        for edition in (entry.edition, *(one.edition.edition for one in past))
    ]
    first = past[-1].rule_then is None
    told = [f"New in edition {editions[-2]}" if first else f"Since edition {editions[-1]}"]
    for edition, one in reversed([*zip(editions, past, strict=False)]):
        if one.rule_then and (
            kinds := [_became(kind, one.rule_then) for kind in one.change.kinds if kind not in QUIET]
        ):
            told.append(f"{' and '.join(dict.fromkeys(kinds))} in edition {edition}")
    return ", ".join(told) if first or told[1:] else ""


def _became(kind: ChangeKind, then: RuleEntry) -> str:
    return f"moved from {then.printed}" if kind in (ChangeKind.MOVED, ChangeKind.RENUMBERED) else str(kind)


@dataclass(frozen=True, slots=True)
class Relations:
    """Relations as links of one page. `path` is that page's address."""

    path: str
    context: RenderContext
    _pages: dict[str, str] = field(default_factory=dict, repr=False)

    def to(self, path: str, anchor: str = "") -> str:
        return site_paths.relative_link(self.path, path, anchor)

    def href(self, source: Source | TermEntry | ListItem) -> str:
        page, end = self.context.page_and_fragment(source)
        if page == self.path:
            return end
        start = self._pages.get(page)
        if start is None:
            start = self._pages[page] = site_paths.relative_link(self.path, page)
        return start + end

    def cited_by(self, entry: RuleEntry | TableEntry) -> CitedBy | None:
        name = str(entry.printed) if isinstance(entry, RuleEntry) else "this table"
        return self._citers(
            self.context.shelf.cited_by.get(entry, ()), entry.edition, ("cites", "cite"), name
        )

    def used_by(self, term: TermEntry) -> CitedBy | None:
        return self._citers(self.context.term_users(term), term.edition, ("uses", "use"), "it")

    def _citers(
        self, sources: Collection[Source], edition: Edition, does: tuple[str, str], name: str
    ) -> CitedBy | None:
        if not sources:
            return None
        found = []
        for source in sources:
            book = "" if source.edition is edition else f"{source.edition.short}: "
            found.append(CitingItem(self.href(source), book + self.context.name(source), _kind(source)))
        found.sort(key=lambda citer: _ORDER[citer.kind])
        return CitedBy(_line(found, does, name), found)

    def overridden(self, entry: RuleEntry) -> list[Override]:
        return self.context.overrides.of.get(entry, [])

    def overrides(self, entry: RuleEntry) -> list[tuple[str, list[Override]]]:
        found = self.context.overrides.by.get(entry, ())
        sorts = dict.fromkeys(one.sort for one in found)
        return [(sort, [one for one in found if one.sort == sort]) for sort in sorts]

    def game(self, edition: Edition) -> str:
        book = edition.address.partition("/")[0]
        several = sum(address.partition("/")[0] == book for address in self.context.shelf.outlines) > 1
        return edition.short if several else str(edition.book.short or edition.book.title)

    def series_page(self, game: Edition) -> str:
        return self.to(site_paths.series_path(game))

    def earlier_versions(self, entry: RuleEntry) -> RuleHistory | None:
        """Counterparts of a rule in each earlier edition; None where it was the same in all of them."""
        past = self.context.histories.history_of(entry)
        line = _since(entry, past) if past else ""
        return RuleHistory(line, past) if line else None

    def revised(self, entry: RuleEntry | TableEntry) -> bool:
        return self.context.is_revised(entry)

    def any_revised(self, chapter: RuleEntry) -> bool:
        return any(map(self.context.is_revised, chapter.iter_subtree()))

    def item_name(self, thing: RuleEntry | SequenceStep | TableEntry) -> str:
        return str(thing.printed) if isinstance(thing, RuleEntry) else self.context.name(thing)

    def series_difference(self, step: SequenceStep) -> tuple[str, SequenceStep | None]:
        """How a step of a game is not that of its series: added, or changed and from which; else nothing."""
        derived = step.edition.derived
        if derived is None:
            return "", None
        if step.written in derived.added:
            return "added", None
        changed = step.written in derived.changed
        return (
            ("changed", self.context.series_steps.get(derived.origin[step.written]))
            if changed
            else ("", None)
        )
