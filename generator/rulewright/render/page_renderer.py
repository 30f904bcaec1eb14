"""Renderer of a page for its template: links from the page, and texts, rules and tables as HTML."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from markupsafe import Markup

from rulewright.book.aid_plan import AidSheet
from rulewright.book.errata_entries import ErrataEntry
from rulewright.book.library import Edition
from rulewright.book.outline import RuleEntry
from rulewright.book.table_entries import Source, TableEntry
from rulewright.compare.history import PastState
from rulewright.compare.word_diff import DiffPiece
from rulewright.document import nodes
from rulewright.document.blocks.sequence_blocks import step_short_title
from rulewright.document.document_builder import DocumentBuilder
from rulewright.document.step_builder import StepBuilder
from rulewright.files.located_text import LocatedText
from rulewright.references import site_paths
from rulewright.references.glossary import TermEntry
from rulewright.render.html_escaping import attribute, builtin
from rulewright.render.html_writer import OVERRIDDEN, OVERRIDING, HtmlWriter
from rulewright.render.render_context import RenderContext
from rulewright.render.rule_html import RuleHtml
from rulewright.render.step_html import StepHtml, fact_values
from rulewright.render.table_html import TableHtml
from rulewright.sequence.actors import actor_colours, actor_style, actors_of_step, player_sides
from rulewright.sequence.sequence_step import SequenceStep


class RuleHistory(NamedTuple):
    """The past of a rule, the latest first, and a line that says since when it is there."""

    line: str
    past: list[PastState]


class PageRenderer:
    """Renderer of one page."""

    def __init__(self, path: str, context: RenderContext) -> None:
        self.path, self.context = path, context
        self.writer = HtmlWriter(path, context)
        self.href = self.writer.href

    @property
    def builder(self) -> DocumentBuilder:
        """The builder of the nodes of the page's edition."""
        return self.context.builders["/".join(self.path.split("/")[:2])]

    # Texts

    def inline(self, text: LocatedText) -> Markup:
        """Return a text of one line."""
        return self.line(self.builder.inline(text))

    def blocks(self, text: LocatedText) -> Markup:
        """Return a text as paragraphs and lists."""
        return Markup(self.writer.blocks(self.builder.blocks(text)))

    def see(self, texts: Iterable[LocatedText]) -> list[Markup]:
        """Return the references of a `see:`, of which a range is one."""
        return [Markup(self.writer.words(reference)) for reference in self.builder.references(texts)]

    def line(self, inline: nodes.Line) -> Markup:
        """Return nodes in one line."""
        return Markup(self.writer.inline(inline))

    def diff_piece_html(self, piece: DiffPiece) -> Markup:
        """Return words that are unchanged, deleted or inserted, with their references."""
        html = ""
        for position, word in enumerate(piece.words):
            html += word.gap.replace("\n", "<br>") if position else ""
            node = self.builder.reference(word.to, word.words) if word.to else word.words
            html += self.writer.words((node,))
        return Markup(html)

    # Rules, tables and pictures

    def rule(self, entry: RuleEntry, level: int) -> Markup:
        """Return a rule on a page that is not its chapter's. `level`: that of its heading, from 0."""
        return Markup(RuleHtml(self.writer).rule(self.builder.rule(entry), level))

    def table(self, entry: TableEntry, is_main: bool = True) -> Markup:
        """Return a table. `is_main`: on its own page, with files to download and dice."""
        return Markup(TableHtml(self.writer).table(self.builder.table(entry), is_main=is_main))

    def block(self, node: nodes.Block) -> Markup:
        """Return a node that is no text, such as a picture."""
        return Markup(self.writer.blocks((node,)))

    def symbol(self, name: str, text: LocatedText, stands_alone: bool = False) -> Markup:
        return Markup(self.writer.words((self.builder.symbol(name, text, stands_alone),)))

    # Errata

    @property
    def errata(self) -> list[ErrataEntry]:
        """The errata that are marked in what the page has so far, in the order in which they are applied."""
        return self.context.errata_of(self.writer.errata)

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
        groups = StepBuilder(self.builder, displayed).groups(steps)
        return Markup(StepHtml(self, level, is_main).groups(groups))

    def narrative(self, steps: Iterable[SequenceStep], level: int, *, is_main: bool = False) -> Markup:
        """Return steps in words. `is_main`: on the page of the narrative, with their anchors."""
        entries = map(StepBuilder(self.builder).narrative, steps)
        return Markup(StepHtml(self, level, is_main).narrative(entries))

    def facts(self, step: SequenceStep) -> list[tuple[nodes.FactNode, list[Markup]]]:
        """Return the attributes of a step, each with its values."""
        facts = StepBuilder(self.builder).facts(step)
        return [(fact, list(map(Markup, fact_values(fact, self.writer)))) for fact in facts]

    # Relations: who cites a rule, what it was in earlier editions, what games do to it, and where that is

    def to(self, path: str, anchor: str = "") -> str:
        return site_paths.relative_link(self.path, path, anchor)

    def cited_by(self, entry: RuleEntry | TableEntry) -> Markup:
        """Return the sources that cite a rule or a table: how many, and each by its name."""
        return self._citing("Cited by", self.context.index.cited_by.get(entry, ()), entry.edition)

    def used_by(self, term: TermEntry) -> Markup:
        """Return the sources that use a term."""
        return self._citing("Used by", self.context.names.users(term), term.edition)

    def _citing(self, verb: str, sources: Collection[Source], edition: Edition) -> Markup:
        items = ""
        for source in sources:
            language = ' lang="en"' if isinstance(source, ErrataEntry) else ""
            book = "" if source.edition is edition else f"{source.edition.short}: "
            name = attribute(book + self.context.name(source))
            items += f'<li><a{language} href="{attribute(self.href(source))}">{name}</a></li>'
        summary = f'<summary lang="en">{verb} <b>{len(sources)}</b></summary>'
        html = f'<details class="cited">{summary}\n<ul>{items}</ul>\n</details>\n'
        return Markup(html if sources else "")

    def overrides(self, entry: RuleEntry) -> str:
        """Return what games do to a rule of their series, or what a rule of a game does to its series."""
        index = self.context.overrides
        links = [(override, OVERRIDDEN, override.by) for override in index.of.get(entry, ())]
        links += [(override, OVERRIDING, override.base) for override in index.by.get(entry, ())]
        items = ""
        for override, verbs, other in links:
            href, name = attribute(self.href(other)), attribute(self.context.name(other))
            items += f'<li class="{"ends" if override.ends else "adds"}">'
            verb = builtin(verbs[override.sort].capitalize())
            items += f'{verb} <a class="ref" href="{href}">{name}</a>'
            items += f" ({attribute(self.context.game_name(other.edition))})</li>\n"
        return f'<ul class="overrides" aria-label="Series and games">\n{items}</ul>\n' if items else ""

    def series_page(self, game: Edition) -> str:
        return self.to(site_paths.series_path(game))

    def earlier_versions(self, entry: RuleEntry) -> RuleHistory | None:
        """Return the past of a rule, unless it was the same in all earlier editions."""
        past = self.context.counterparts.history_of(entry)
        if not any(not state.rule_then or state.change.is_certain for state in past):
            return None
        editions = [entry.edition, *(state.edition.edition for state in past)]
        words, first = ("Since", editions[-1]) if past[-1].rule_then else ("New in", editions[-2])
        return RuleHistory(f"{words} edition {first.edition_file.edition}", past)

    def any_revised(self, chapter: RuleEntry) -> bool:
        return any(map(self.context.is_revised, chapter.iter_subtree()))

    def item_name(self, item: RuleEntry | SequenceStep | TableEntry) -> str:
        return str(item.printed) if isinstance(item, RuleEntry) else self.context.name(item)

    # Functions for templates on actors and steps; templates import nothing themselves.
    acting = staticmethod(actors_of_step)
    style = staticmethod(actor_style)
    sides = staticmethod(player_sides)
    colours = staticmethod(actor_colours)
    short = staticmethod(step_short_title)
