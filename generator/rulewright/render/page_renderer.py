"""Renderer of a page for its template: links from the page, and texts, rules and tables as HTML."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from typing import Any, TypeVar

from markupsafe import Markup, escape

from rulewright.book.aid_plan import AidSheet
from rulewright.book.errata_entries import ErrataEntry
from rulewright.book.outline import RuleEntry
from rulewright.book.table_entries import TableEntry
from rulewright.compare.word_diff import DiffPiece
from rulewright.document.blocks.sequence_blocks import step_short_title
from rulewright.document.document_builder import DocumentBuilder
from rulewright.document.step_builder import StepBuilder
from rulewright.document.targets import TargetId
from rulewright.files.located_text import LocatedText
from rulewright.references.glossary import TermEntry
from rulewright.render.html_writer import HtmlWriter, text_html
from rulewright.render.render_context import RenderContext
from rulewright.render.rule_html import RuleHtml
from rulewright.render.rule_relations import Relations
from rulewright.render.step_html import StepHtml
from rulewright.render.templating import environment
from rulewright.schema.aid_blocks import PictureBlock
from rulewright.schema.diagram_model import DiagramSpec
from rulewright.sequence import actors
from rulewright.sequence.sequence_step import SequenceStep
from rulewright.sequence.step_attributes import StepPhrase, step_phrases

N = TypeVar("N")

_IN_BRACKETS = re.compile(r"\((<a [^<>]*>[^<>]*</a>)\)")


class PageRenderer(Relations):
    """Renderer of one page."""

    def __init__(self, path: str, context: RenderContext, writer: HtmlWriter | None = None) -> None:
        Relations.__init__(self, path, context, writer)
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

    # What templates ask about who acts, and about steps; they import nothing themselves.
    acting = staticmethod(actors.actors_of_step)
    style = staticmethod(actors.actor_style)
    sides = staticmethod(actors.player_sides)
    colours = staticmethod(actors.actor_colours)
    short = staticmethod(step_short_title)
