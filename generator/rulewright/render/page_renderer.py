"""Renderer of a page for its template: links from the page, and texts, rules and tables as HTML."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from typing import Any, NamedTuple, TypeVar

from markupsafe import Markup, escape

from rulewright.book.aid_plan import AidSheet
from rulewright.book.errata_entries import ErrataEntry
from rulewright.book.library import Edition
from rulewright.book.outline import RuleEntry
from rulewright.book.table_entries import Source, TableEntry
from rulewright.compare.history import PastState
from rulewright.compare.item_change import QUIET, ChangeKind
from rulewright.compare.word_diff import DiffPiece
from rulewright.document.blocks.sequence_blocks import step_short_title
from rulewright.document.document_builder import DocumentBuilder
from rulewright.document.step_builder import StepBuilder
from rulewright.document.targets import TargetId
from rulewright.files.located_text import LocatedText
from rulewright.references import site_paths
from rulewright.references.glossary import TermEntry
from rulewright.references.series_overrides import Override
from rulewright.render.html_writer import OVERRIDDEN, OVERRIDING, HtmlWriter, attribute, text_html
from rulewright.render.render_context import RenderContext
from rulewright.render.rule_html import RuleHtml
from rulewright.render.step_html import StepHtml
from rulewright.render.templating import environment
from rulewright.schema.aid_blocks import PictureBlock
from rulewright.schema.diagram_model import DiagramSpec
from rulewright.schema.problem_reports import join_some
from rulewright.sequence import actors
from rulewright.sequence.sequence_step import SequenceStep
from rulewright.sequence.step_attributes import StepPhrase, step_phrases

N = TypeVar("N")

_IN_BRACKETS = re.compile(r"\((<a [^<>]*>[^<>]*</a>)\)")


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


class PageRenderer:
    """Renderer of one page."""

    def __init__(self, path: str, context: RenderContext) -> None:
        self.path, self.context = path, context
        outline = context.index.outlines.get("/".join(path.split("/")[:2]))
        self.writer = HtmlWriter(path, context, context.is_english(outline.edition if outline else None))
        self.href = self.writer.href
        self._errata: dict[TargetId, None] = {}

    @property
    def builder(self) -> DocumentBuilder:
        """The builder of the nodes of the page's edition."""
        return self.context.builders["/".join(self.path.split("/")[:2])]

    # Texts

    def inline(self, text: LocatedText, until: int | None = None) -> Markup:
        """Return a text of one line, or what is before the offset `until`."""
        return Markup(self.writer.inline(self._noted(self.builder.inline(text, until))))

    def blocks(self, text: LocatedText) -> Markup:
        """Return a text as paragraphs and lists."""
        return Markup(self.writer.blocks(self._noted(self.builder.blocks(text))))

    def see(self, texts: Iterable[LocatedText], step: SequenceStep | None = None) -> list[Markup]:
        """Return the references of a `see:`, of which a range is one."""
        return [Markup(self.writer.words(reference)) for reference in self.builder.references(texts, step)]

    def means(self, term: TermEntry) -> Markup:
        """Return the meaning of a term."""
        return Markup(self.writer.inline(self.builder.term_meaning(term)))

    def rule_of(self, term: TermEntry) -> Markup:
        """Return the rule that defines a term."""
        return Markup(self.writer.inline(self.builder.term_rule(term)))

    def quotation_html(self, text: LocatedText, entry: ErrataEntry) -> Markup:
        """Return words that an erratum quotes."""
        return Markup(self.writer.inline(self.builder.quotation(text, entry)))

    def diff_piece_html(self, piece: DiffPiece) -> Markup:
        """Return words that are unchanged, deleted or inserted, with their references."""
        parts: list[str] = []
        for position, word in enumerate(piece.words):
            parts.append(word.gap.replace("\n", "<br>") if position else "")
            parts.append(
                self.writer.words((self.builder.reference(word.to, word.words),))
                if word.to
                else text_html(word.words)
            )
        return Markup("".join(parts))

    # Rules, tables and pictures

    def rule(self, entry: RuleEntry, level: int) -> Markup:
        """Return a rule on a page that is not its chapter's. `level`: that of its heading, from 0."""
        return Markup(RuleHtml(self.writer).rule(self._noted(self.builder.rule(entry)), level))

    def table(self, entry: TableEntry, is_main: bool = True) -> Markup:
        """Return a table. `is_main`: on its own page, with files to download and dice."""
        return Markup(self.writer.table(self._noted(self.builder.table(entry)), is_main=is_main))

    def figure(self, picture: PictureBlock) -> Markup:
        return Markup(self.writer.figure(self._noted(self.builder.figure(picture))))

    def drawing(self, diagram: DiagramSpec) -> Markup:
        return Markup(self.writer.drawing(self._noted(self.builder.drawing(diagram))))

    def symbol(self, name: str, text: LocatedText, stands_alone: bool = False) -> Markup:
        return Markup(self.writer.words((self.builder.symbol(name, text, stands_alone),)))

    # Errata

    def _noted(self, node: N) -> N:
        """Return a node, with the errata in it among those of the page."""
        self._errata.update(dict.fromkeys(self.builder.errata_in(node)))
        return node

    @property
    def errata(self) -> list[ErrataEntry]:
        """The errata that are marked in what the page has so far, in the order in which they are applied."""
        return self.context.errata_of(self._errata)

    def errata_entries(
        self, target: RuleEntry | SequenceStep | TableEntry | AidSheet
    ) -> Sequence[ErrataEntry]:
        return self.context.index.errata_by_target.get(target, ())

    # Steps

    def steps(
        self,
        steps: Iterable[SequenceStep],
        level: int = 2,
        *,
        is_main: bool = True,
        displayed: Collection[SequenceStep] | None = None,
    ) -> Markup:
        """Return steps in outline. `level`: that of the headings of outermost steps.

        `is_main`: on the page of the sequence; `displayed`: the steps to show, None for all.
        """
        groups = self._noted(StepBuilder(self.builder, displayed).groups(steps))
        return Markup(StepHtml(self, level, is_main, displayed is not None).groups(groups))

    def narrative(self, steps: Iterable[SequenceStep], level: int, ids: str | None = None) -> Markup:
        """Return steps in words. `ids`: prefix of their anchors; None for no anchors."""
        entries = self._noted(tuple(map(StepBuilder(self.builder).narrative, steps)))
        return Markup(StepHtml(self, level, is_main=False).narrative(entries, ids))

    def facts(self, step: SequenceStep) -> list[tuple[StepPhrase, list[Markup]]]:
        return [
            (phrase, [self._fact(step, phrase.key, text) for text in phrase.values])
            for phrase in step_phrases(step)
        ]

    def _fact(self, step: SequenceStep, key: str, text: LocatedText) -> Markup:
        """A value of a step; a table that it uses is led to by its name."""
        # Facts stand in brackets, which a number in them then does without.
        words = Markup(_IN_BRACKETS.sub(r"\1", str(self.inline(text))).strip())
        target: TableEntry | None = None
        if key == "uses" and "<a" not in words:
            target = self.context.index.find_table(step.edition, text)
        parts: Any = environment().get_template("parts/reference.html").module
        if target is None:
            return words
        words += escape(self.context.index.table_number_used(step, target))
        return Markup(parts.to_table(self.href(target), words))

    # Relations: who cites a rule, what it was in earlier editions, what games do to it, and where that is

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

    # Functions for templates on actors and steps; templates import nothing themselves.
    acting = staticmethod(actors.actors_of_step)
    style = staticmethod(actors.actor_style)
    sides = staticmethod(actors.player_sides)
    colours = staticmethod(actors.actor_colours)
    short = staticmethod(step_short_title)


def _override_list(label: str, items: str) -> str:
    return f'<ul class="overrides" aria-label="{label}">\n{items}</ul>\n' if items else ""
