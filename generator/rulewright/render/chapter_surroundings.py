"""Relations of the rules of a chapter: to errata, other editions, games, and what cites them."""

from __future__ import annotations

from typing import Any

from rulewright.book.outline import RuleEntry
from rulewright.compare.history import OLD
from rulewright.document.blocks.sequence_blocks import side_by_side
from rulewright.render.page_renderer import PageRenderer
from rulewright.render.render_context import RenderContext
from rulewright.render.templating import environment
from rulewright.sequence import actors


class ChapterSurroundings:
    """Relations of the rules of a chapter, for `RuleHtml`. `page`: a page beside that of the chapter."""

    def __init__(self, page: PageRenderer, chapter: RuleEntry) -> None:
        self.page, self.context = page, page.context
        self.edition = chapter.edition
        self.title_only, self.unnamed = title_only_rules(self.context, chapter)
        outline, counterparts = self.context.index.outlines[self.edition.address], self.context.counterparts
        self.newest = counterparts.newest(outline) if counterparts.standing(outline) == OLD else None
        """The newest edition, if this is an older one."""

    def generated(self, shows: str, level: int) -> str:
        """Return what a rule shows below its text."""
        outline = self.context.index.outlines[self.edition.address]
        sequence = outline.sequence
        match shows:
            case "game turn" if steps := side_by_side(outline):
                return str(_parts("turn").game_turn(steps, self.page, self.edition))
            case "sequence" if sequence.steps:
                everyone, fighters = actors.all_actors(sequence), actors.all_actors(sequence, combat=True)
                return str(_parts("generated").sequence(outline, self.page, everyone, fighters, level + 2))
            case "narrative" if steps := sequence.narrative_steps:
                return str(_parts("generated").narrative(steps, self.page, self.edition, level + 2))
        return ""

    def after_text(self, entry: RuleEntry) -> str:
        """Return the errata of a rule, and the rule of the newest edition that corresponds to it."""
        html = ""
        if errata := self.page.errata_entries(entry):
            html += str(_parts("erratum").remarks(errata, self.page))
        if self.newest:
            counterpart = self.context.counterparts.counterpart_of(entry, self.newest)
            html += str(_parts("change").later(self.newest.edition, counterpart, self.page))
        return html

    def after_rules(self, entry: RuleEntry) -> str:
        """Return what cites a rule, and what it was in earlier editions."""
        history = self.page.earlier_versions(entry)
        html = str(_parts("change").history(history, self.page)) if history else ""
        return f"{self.page.cited_by(entry)}{html}"


def title_only_rules(context: RenderContext, chapter: RuleEntry) -> tuple[set[RuleEntry], set[RuleEntry]]:
    """Return the rules of which only numbers and titles are known, and those of them without a heading.

    A number without a title has none if the rule around it is known by its number only, too.
    """
    known: set[RuleEntry] = set()
    untitled: set[RuleEntry] = set()
    for entry in reversed(list(chapter.iter_subtree())):
        if entry.rule or entry in context.index.tables_by_target or not known.issuperset(entry.children):
            continue
        known.add(entry)
        has_more = entry in context.index.errata_by_target or entry in context.overrides.of
        if not (entry.title or entry.retired or has_more) and untitled.issuperset(entry.children):
            untitled.add(entry)
    return known, {entry for entry in untitled if entry.parent in known}


def _parts(name: str) -> Any:
    return environment().get_template(f"parts/{name}.html").module
