"""Relations between things, for the templates of a page, with links that start from that page.

Who cites a rule, what it was in earlier editions, what games do to it, and where all that is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from markupsafe import Markup, escape

from rulewright.book.errata_entries import ErrataEntry
from rulewright.book.library import Edition
from rulewright.book.outline import RuleEntry
from rulewright.book.table_entries import Source, TableEntry
from rulewright.compare.history import PastState
from rulewright.compare.item_change import QUIET, ChangeKind
from rulewright.references import site_paths
from rulewright.references.glossary import TermEntry
from rulewright.references.series_overrides import Override
from rulewright.render.html_writer import OVERRIDDEN, OVERRIDING, HtmlWriter, attribute
from rulewright.render.render_context import RenderContext
from rulewright.schema.problem_reports import join_some
from rulewright.sequence.sequence_step import SequenceStep

_KINDS = {"rule": "rules", "table": "tables", "erratum": "errata", "question": "questions", "step": "steps"}
"""Kinds of sources that cite, singular and plural, in the order of a list."""
_ORDER = {kind: position for position, kind in enumerate(_KINDS)}


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


def _summary(kinds: Iterable[str], verb: tuple[str, str], name: str) -> str:
    """Return how many sources of each kind cite something: 4 rules cite 12.5 · used in 3 steps."""
    counts = Counter(kinds)
    phrases = {}
    for kind, plural in _KINDS.items():
        if counts[kind]:
            phrases[kind] = f"<b>{counts[kind]}</b> {kind if counts[kind] == 1 else plural}"
    steps = phrases.pop("step", "")
    words = join_some(list(phrases.values()))
    if words:
        words += f" {verb[counts.total() - counts['step'] > 1]} {escape(name)}"
    if steps:
        words += f" · used in {steps}" if words else f"Used in {steps}"
    return words


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


class Relations:
    """Relations as links of one page."""

    def __init__(self, path: str, context: RenderContext, writer: HtmlWriter | None = None) -> None:
        self.path, self.context = path, context
        outline = context.index.outlines.get("/".join(path.split("/")[:2]))
        is_english = context.is_english(outline.edition if outline else None)
        self.writer = writer or HtmlWriter(path, context, is_english)
        self.href = self.writer.href

    def to(self, path: str, anchor: str = "") -> str:
        return site_paths.relative_link(self.path, path, anchor)

    def cited_by(self, entry: RuleEntry | TableEntry) -> Markup:
        """Return the sources that cite a rule or a table: how many, and folded below each by its name."""
        name = str(entry.printed) if isinstance(entry, RuleEntry) else "this table"
        return self._citing(
            self.context.index.cited_by.get(entry, ()), entry.edition, ("cites", "cite"), name
        )

    def used_by(self, term: TermEntry) -> Markup:
        """Return the sources that use a term."""
        return self._citing(self.context.names.users(term), term.edition, ("uses", "use"), "it")

    def _citing(
        self, sources: Collection[Source], edition: Edition, verb: tuple[str, str], name: str
    ) -> Markup:
        if not sources:
            return Markup()
        english = self.writer.english
        attributes = {"step": ' class="to-step"', "erratum": english, "question": english}
        kinds = {source: _kind(source) for source in sources}
        items = ""
        for source in sorted(kinds, key=lambda source: _ORDER[kinds[source]]):
            book = "" if source.edition is edition else f"{source.edition.short}: "
            link = f'<a{attributes.get(kinds[source], "")} href="{attribute(self.href(source))}">'
            items += f"<li>{link}{attribute(book + self.context.name(source))}</a></li>"
        summary = _summary(kinds.values(), verb, name)
        return Markup(
            f'<details class="cited"><summary{english}>{summary}</summary>\n<ul>{items}</ul>\n</details>\n'
        )

    def overrides_of(self, entry: RuleEntry) -> str:
        """Return each game that overrides a rule of its series, with its rule."""
        items = ""
        for override in self.context.overrides.of.get(entry, ()):
            game = override.by.edition
            items += f'<li class="{"ends" if override.ends else "adds"}">{self.writer.builtin("In")} '
            items += f'<a href="{attribute(self.series_page(game))}">'
            items += f"{attribute(self.context.game_name(game))}</a>: "
            items += f"{self.writer.builtin(OVERRIDDEN[override.sort])} {self._rule_link(override.by)}</li>\n"
        return _override_list("In games of the series", items)

    def overrides_by(self, entry: RuleEntry) -> str:
        """Return the rules of its series that a rule of a game overrides."""
        by_action: dict[str, list[Override]] = {}
        for override in self.context.overrides.by.get(entry, ()):
            by_action.setdefault(override.sort, []).append(override)
        items = ""
        for action, overrides in by_action.items():
            rules = ", ".join(self._rule_link(override.base) for override in overrides)
            series = attribute(overrides[0].base.edition.short)
            items += f'<li class="{"ends" if overrides[0].ends else "adds"}">'
            items += f"{self.writer.builtin(OVERRIDING[action])} {rules} {self.writer.builtin('of')} {series}"
            items += "</li>\n"
        return _override_list("In the series", items)

    def _rule_link(self, entry: RuleEntry) -> str:
        name = attribute(self.context.name(entry))
        return f'<a class="ref" href="{attribute(self.href(entry))}">{name}</a>'

    def series_page(self, game: Edition) -> str:
        return self.to(site_paths.series_path(game))

    def earlier_versions(self, entry: RuleEntry) -> RuleHistory | None:
        """Counterparts of a rule in each earlier edition; None where it was the same in all of them."""
        past = self.context.counterparts.history_of(entry)
        line = _since(entry, past) if past else ""
        return RuleHistory(line, past) if line else None

    def any_revised(self, chapter: RuleEntry) -> bool:
        return any(map(self.context.is_revised, chapter.iter_subtree()))

    def item_name(self, thing: RuleEntry | SequenceStep | TableEntry) -> str:
        return str(thing.printed) if isinstance(thing, RuleEntry) else self.context.name(thing)

    def series_difference(self, step: SequenceStep) -> tuple[str, SequenceStep | None]:
        """How a step of a game is not that of its series: added, or changed and from which; else nothing."""
        derived = step.edition.derived
        if derived is None:
            return "", None
        if step.own_keys in derived.added:
            return "added", None
        changed = step.own_keys in derived.changed
        return (
            ("changed", self.context.series_steps.get(derived.origin[step.own_keys]))
            if changed
            else ("", None)
        )


def _override_list(label: str, items: str) -> str:
    return f'<ul class="overrides" aria-label="{label}">\n{items}</ul>\n' if items else ""
