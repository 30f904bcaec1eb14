"""Compositor of a page, for its templates: links that start from that page, and texts set as HTML.

Words and tags are in `templates/`; here is what they need to know of rules, steps and references.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from html import escape
from json import dumps
from typing import Any

from markupsafe import Markup

from rulewright.book import drawing_shapes
from rulewright.book.library import Edition
from rulewright.book.outline import Outline, RuleEntry
from rulewright.book.resolved_branding import file_of
from rulewright.book.series_inheritance import series_citation_names
from rulewright.book.table_entries import TableEntry, table_of_file
from rulewright.book.table_layout import TableLayout, layout_table
from rulewright.compare.word_diff import DiffPiece
from rulewright.files.located_text import LocatedText, TextKey
from rulewright.references import site_paths
from rulewright.references.citable_items import ListItem, list_items_of
from rulewright.references.glossary import Bearer, TermEntry
from rulewright.references.reference_types import (
    CitableReference,
    ExternalReference,
    FaultyReference,
    Reference,
    RuleReference,
)
from rulewright.render import turn_diagram
from rulewright.render.diagram_renderer import CounterDrawing, DiagramDrawing, counter_drawing, draw_diagram
from rulewright.render.exports import table_export as written
from rulewright.render.rule_relations import Relations
from rulewright.render.screen_reader_text import spoken_number
from rulewright.render.templating import environment
from rulewright.schema.aid_blocks import PictureBlock
from rulewright.schema.diagram_model import Counter, DiagramSpec, SymbolSpec
from rulewright.schema.inline_images import InlineImage, picture_of, sibling_name
from rulewright.schema.rulebook import Figure
from rulewright.schema.table import TableGrid
from rulewright.schema.text_document import Document, HtmlWriter
from rulewright.sequence import actors
from rulewright.sequence.repetition_phrases import TOLD
from rulewright.sequence.sequence_step import SequenceStep
from rulewright.sequence.step_attributes import NAMING, StepPhrase, named_step, step_phrases

_IN_BRACKETS = re.compile(r"\((<a [^<>]*>[^<>]*</a>)\)")
_IN_PAGE = {ord(sign): f"\\u{ord(sign):04x}" for sign in "<>&"}


def _parts(name: str) -> Any:
    return environment().get_template(f"parts/{name}.html").module


@dataclass(frozen=True, slots=True)
class PageRenderer(Relations):
    """Sets one page."""

    _links: dict[tuple[RuleEntry | Bearer | TableEntry | ListItem, str, str, str], str] = field(
        default_factory=dict, repr=False
    )
    _texts: dict[TextKey, Markup] = field(default_factory=dict, repr=False)

    def blocks(self, text: LocatedText, entry: RuleEntry | None = None) -> Markup:
        """A text as paragraphs and lists, its references and names linked; set once, whoever asks.

        `entry`: the rule whose own text it is, where that stands on its page: its items have addresses there.
        """
        if ids := self.ids(text, entry):
            return Markup(self.writer(text)._replace(ids=ids).blocks(self.document(text).blocks))
        known = self._texts.get(text.key)
        if known is None:
            known = self._texts[text.key] = Markup(self.writer(text).blocks(self.document(text).blocks))
        return known

    @staticmethod
    def ids(text: LocatedText, entry: RuleEntry | None) -> dict[int, str]:
        """The addresses of the items of a text's numbered lists, by where each begins."""
        return (
            {
                list_item.start: list_item.anchor
                for list_item in list_items_of(entry)
                if list_item.text is text
            }
            if entry
            else {}
        )

    def item(self, one: ListItem) -> Markup:
        """The words of an item of a list, without what is inside it."""
        return Markup(self.writer(one.text).words(self.document(one.text).inline(one.start, one.end)))

    @property
    def rendered_texts(self) -> tuple[Any, ...]:
        """All that is set so far: a compositor of the same page that is given it does not set it again."""
        return self._pages, self._links, self._texts

    def inline(self, text: LocatedText, until: int | None = None) -> Markup:
        """A text of one line, its references and names linked; only what stands before `until`."""
        return Markup(self.writer(text).words(self.document(text).inline(0, until)))

    def document(self, text: LocatedText) -> Document:
        return self.context.shelf.document(text).with_names(self.context.names_on_page(text, self.path))

    def writer(self, text: LocatedText) -> HtmlWriter:
        """Writer of a text's HTML. Pictures are looked for beside its file."""

        def show(inset: InlineImage, alone: bool) -> str:
            if inset.sign:
                return str(self.symbol(inset.sign, text, alone or text.strip() == f":{inset.sign}:"))
            name = sibling_name(text.file.name, inset.file)
            if not inset.is_table:
                return str(_parts("picture").inset(inset, self.src(name), alone))
            edition = self.edition_of(text)
            tables = self.context.shelf.editions[edition.address].tables if edition else ()
            table = table_of_file(tables, name)
            if table and alone:
                return str(_parts("table").table_of_rule(table, self, False))
            if table:
                return str(_parts("reference").to_table(self.href(table.cited_as), inset.words))
            return str(_parts("picture").inset(inset, "", alone))

        return HtmlWriter(self.linking(text), show)

    def symbol(self, name: str, text: LocatedText, alone: bool = False) -> Markup:
        """A sign of a text, or as written where the book has none such. `alone`: nothing is beside it."""
        edition = self.edition_of(text)
        found = drawing_shapes.inline_symbol(name, edition.book) if edition else None
        if edition is None or found is None:
            return Markup(escape(f":{name}:"))
        src, words = "", name
        drawn: CounterDrawing | drawing_shapes.Drawn = found
        if isinstance(found, Counter):
            drawn = counter_drawing(name, found, edition.book)
            words = drawn.words
        elif isinstance(found, SymbolSpec):
            words = found.means or name
            file = file_of(found.file) if found.file else ""
            src = self.image_path(file) if file in edition.shared else ""
        return Markup(_parts("picture").sign(drawn, words, src, alone))

    def diagram_drawing(self, diagram: DiagramSpec) -> DiagramDrawing | None:
        """The sketch of a diagram; None where nothing of it can be drawn."""
        edition = self.edition_of(diagram.area)
        return draw_diagram(diagram, edition.book) if edition else None

    def edition_of(self, text: LocatedText) -> Edition | None:
        """The edition that a text stands in; of what holds for a whole book any edition of that."""
        _, book, folder, *_ = (*text.file.name.split("/"), "", "")
        outlines = self.context.shelf.outlines
        outline = outlines.get(f"{book}/{folder}") or next(
            (one for address, one in outlines.items() if address.startswith(f"{book}/")), None
        )
        return outline.edition if outline else None

    def means(self, term: TermEntry) -> Markup:
        """Meaning of a term. It is the same text in every edition, and may lead elsewhere in each."""
        document = self.context.shelf.document(term.term.means, term.edition)
        names = self.context.glossaries[term.edition.address].find(document, term)
        return Markup(HtmlWriter(self.link).words(document.with_names(names).inline()))

    def name_link(self, target: Bearer | TableEntry | ListItem, words: str) -> str:
        """A name as a link around its words: to a step, a table, an item, or to where a term is explained."""
        known = self._links.get((target, "", words, ""))
        if known is None:
            known = str(
                _parts("reference").named(self.href(target), self.context.name(target), Markup(words))
            )
            self._links[target, "", words, ""] = known
        return known

    def rule_of(self, term: TermEntry) -> Markup:
        see = term.term.see
        inline = self.context.shelf.document(see, term.edition).inline() if see else ()
        return Markup(HtmlWriter(self.link).words(inline))

    def see(self, texts: Iterable[LocatedText], step: SequenceStep | None = None) -> list[Markup]:
        """The references of a `see:`, one by one; the two ends of a range are one.

        One to a rule that shows the narrative leads to the entry of `step` in it.
        """
        shown: list[Markup] = []
        game = self.game_here()
        for text in texts:
            resolved = self.context.shelf.references(text)
            for reference in resolved:
                words = escape(reference.words_in(text).words, quote=False)
                target = reference.target if isinstance(reference, RuleReference) else None
                link = Markup(self.link(reference, words, narrative_anchor(target, step)))
                if game and target and target.edition is not game.edition:
                    link = self._replaced(self._named_series(link, target, game), target, game)
                if reference.match.ends_range and shown:
                    shown[-1] += Markup('<span aria-hidden="true">–</span>') + link
                else:
                    shown.append(link)
            if not resolved:
                shown.append(Markup(escape(text)))
        return shown

    def game_here(self) -> Outline | None:
        """The edition that the page is of, where it extends a series."""
        outline = self.context.shelf.outlines.get("/".join(self.path.split("/")[:2]))
        return outline if outline and outline.edition.base else None

    def series_of(self, entry: RuleEntry) -> str:
        """Name of the series in front of the number of its rule on a page of a game."""
        game = self.game_here()
        return (
            f"{series_citation_names(entry.edition.book)[0]} "
            if game and entry.edition is not game.edition
            else ""
        )

    def linking(self, text: LocatedText) -> Callable[[Reference | Bearer, str], str]:
        """Maker of a text's links. On a game's page they name its series at need, unless the text does."""
        game = self.game_here()
        if game is None:
            return self.link
        is_own = game.edition.has_written(text)

        def link(one: Reference | Bearer, words: str) -> str:
            made = self.link(one, words)
            if not isinstance(one, RuleReference):
                return made
            unnamed = not is_own or (one.match.mark_span and one.match.book and not one.match.label)
            return self._named_series(Markup(made), one.target, game) if unnamed else made

        return link

    @staticmethod
    def _named_series(link: Markup, target: RuleEntry, game: Outline) -> Markup:
        """A reference to a rule of the series, which is named where the game has a rule of that number."""
        if target.key not in game.entries or target.edition is game.edition:
            return link
        return Markup("{} {}").format(series_citation_names(target.edition.book)[0], link)

    def _replaced(self, link: Markup, target: RuleEntry, game: Outline) -> Markup:
        ones = self.context.overrides.in_game(target, game.edition)
        return link + Markup(_parts("series").instead(ones, self)) if ones else link

    def link(self, resolved: Reference | Bearer, words: str, anchor: str = "") -> str:
        """A reference or a name as a link around the HTML of its words; a faulty one is just those.

        `anchor`: a place on the rule's page that it leads to instead of the rule.
        """
        match resolved:
            case FaultyReference():
                return words
            case CitableReference():
                return self.name_link(self.context.cited(resolved.citable), words)
            case ExternalReference():
                return str(_parts("reference").away(resolved, Markup(words)))
            case RuleReference():
                return self._rule_link(resolved, words, anchor)
        return self.name_link(resolved, words)

    def _rule_link(self, resolved: RuleReference, words: str, anchor: str) -> str:
        target, number = resolved.target, resolved.number
        # Heard alone, (B) is 14.7d B, and the end of a range says that it is one.
        name = spoken_number(number.key) if number.key.endswith(words) else ""
        name = f"to {name or number.key}" if resolved.match.ends_range else "" if name == words else name
        name = "" if resolved.match.label else name
        key = (target, name or number.key, words, anchor)
        known = self._links.get(key)
        if known is None:
            title = self.context.name(target).replace(target.key, number.key, 1)
            listed = not (target.rule or target in self.context.shelf.tables_by_target)
            href = self.to(self.context.page_and_fragment(target)[0], anchor) if anchor else self.href(target)
            known = str(_parts("reference").reference(target, href, title, Markup(words), listed, name))
            self._links[key] = known
        return known

    def table(self, entry: RuleEntry) -> TableEntry | None:
        return self.context.shelf.tables_by_target.get(entry)

    @staticmethod
    def lay_out(table: TableEntry, grid: TableGrid) -> TableLayout:
        notes = table.table.notes
        own = grid is table.table  # headings that a second roll has too have their signs once
        return layout_table(grid, notes if own else [replace(note, at=None) for note in notes])

    @staticmethod
    def data(table: TableEntry) -> Markup:
        """A table as JSON that can stand in a page."""
        return Markup(
            dumps(written.table_data(table), ensure_ascii=False, separators=(",", ":")).translate(_IN_PAGE)
        )

    def diff_piece_html(self, piece: DiffPiece) -> Markup:
        """Words that stayed, went or came, their references linked as they were or are."""
        made: list[str] = []
        for at, word in enumerate(piece.words):
            words = escape(word.words, quote=False)
            gap = word.gap.replace("\n", "<br>") if at else ""
            made.append(gap + (self.link(word.to, words) if word.to else words))
        return Markup("".join(made))

    def picture(self, figure: Figure | PictureBlock) -> str:
        """The address of a picture, which is looked for beside the file that names it; empty without one."""
        return self.src(picture_of(figure))

    def src(self, name: str) -> str:
        """The address of a picture by its name in the content folder; empty where it is not there."""
        edition = self.context.shelf.outlines.get("/".join(name.split("/")[1:3]))
        return self.image_path(name) if edition and name in edition.edition.files else ""

    def image_path(self, name: str) -> str:
        return site_paths.relative_link(self.path, name.removeprefix("content/")).rstrip("/")

    def facts(self, step: SequenceStep) -> list[tuple[StepPhrase, list[Markup]]]:
        return [
            (phrase, [self._fact(step, phrase.key, text) for text in phrase.values])
            for phrase in step_phrases(step)
        ]

    def _fact(self, step: SequenceStep, key: str, text: LocatedText) -> Markup:
        """A value of a step; a table that it uses, and a step that it names, is led to by its name."""
        # Facts stand in brackets, which a number in them then does without.
        words = Markup(_IN_BRACKETS.sub(r"\1", str(self.inline(text))).strip())
        target: TableEntry | SequenceStep | None = None
        if key == "uses" and "<a" not in words:
            target = self.context.shelf.find_table(step.edition, text)
        elif key in NAMING:
            target = named_step(step, text, self.context.shelf.outlines[step.edition.address].sequence)
        if isinstance(target, SequenceStep):
            return Markup(_parts("reference").to_step(self.href(target), self.inline(target.step.title)))
        if target is None:
            return words
        words += escape(self.context.shelf.table_number_used(step, target))
        return Markup(_parts("reference").to_table(self.href(target), words))

    # What templates ask about who acts, and about steps; they import nothing themselves.
    acting = staticmethod(actors.actors_of_step)
    style = staticmethod(actors.actor_style)
    sides = staticmethod(actors.player_sides)
    colours = staticmethod(actors.actor_colours)
    short = staticmethod(turn_diagram.step_short_title)


def narrative_anchor(rule: RuleEntry | None, step: SequenceStep | None) -> str:
    """Return the anchor of a step, or of its nearest ancestor there, in the narrative that a rule shows."""
    if rule and rule.rule and rule.rule.shows == "narrative":
        while step and not step.is_turn:
            if step.has_narrative:
                return f"{TOLD}{step.anchor}"
            step = step.parent
    return ""
