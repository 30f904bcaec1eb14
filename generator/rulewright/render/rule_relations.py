"""Relations between things, for the templates of a page, with links that start from that page.

Who cites a rule, what it was in earlier editions, what games do to it, and where all that is.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from markupsafe import Markup

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


class RuleHistory(NamedTuple):
    """The past of a rule, the latest first, and a line that says what became of it."""

    line: str
    past: list[PastState]


def _since(entry: RuleEntry, past: Sequence[PastState]) -> str:
    """Return the history of a rule in one line, the oldest first; empty if it never changed."""
    oldest = past[-1]
    names = [str(item.edition_file.edition) for item in (entry.edition, *(p.edition.edition for p in past))]
    words = [f"Since edition {names[-1]}" if oldest.rule_then else f"New in edition {names[-2]}"]
    for name, state in reversed([*zip(names, past, strict=False)]):
        changes = [kind for kind in state.change.kinds if kind not in QUIET] if state.rule_then else []
        if changes:
            words.append(f"{' and '.join(_change_words(changes, state.rule_then))} in edition {name}")
    return ", ".join(words) if words[1:] or not oldest.rule_then else ""


def _change_words(changes: Iterable[ChangeKind], rule_then: RuleEntry | None) -> list[str]:
    words = dict[str, None]()
    for kind in changes:
        is_moved = rule_then and kind in (ChangeKind.MOVED, ChangeKind.RENUMBERED)
        words[f"moved from {rule_then.printed}" if is_moved and rule_then else str(kind)] = None
    return list(words)


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
        return self._citing("Cited by", self.context.index.cited_by.get(entry, ()), entry.edition)

    def used_by(self, term: TermEntry) -> Markup:
        """Return the sources that use a term."""
        return self._citing("Used by", self.context.names.users(term), term.edition)

    def _citing(self, verb: str, sources: Collection[Source], edition: Edition) -> Markup:
        if not sources:
            return Markup()
        by_kind: dict[str, list[str]] = {}
        for source in sources:
            kind = _kind(source)
            language = self.writer.english if kind in ("erratum", "question") else ""
            classes = ' class="to-step"' if kind == "step" else ""
            book = "" if source.edition is edition else f"{source.edition.short}: "
            by_kind.setdefault(kind, []).append(
                f'<li><a{classes}{language} href="{attribute(self.href(source))}">'
                f"{attribute(book + self.context.name(source))}</a></li>"
            )
        counts = [
            f"<b>{len(by_kind[kind])}</b> {kind if len(by_kind[kind]) == 1 else plural}"
            for kind, plural in _KINDS.items()
            if kind in by_kind
        ]
        items = "".join(item for kind in _KINDS for item in by_kind.get(kind, ()))
        return Markup(
            f'<details class="cited"><summary{self.writer.english}>{verb} {join_some(counts)}</summary>\n'
            f"<ul>{items}</ul>\n</details>\n"
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

    def item_name(self, item: RuleEntry | SequenceStep | TableEntry) -> str:
        return str(item.printed) if isinstance(item, RuleEntry) else self.context.name(item)


def _override_list(label: str, items: str) -> str:
    return f'<ul class="overrides" aria-label="{label}">\n{items}</ul>\n' if items else ""
