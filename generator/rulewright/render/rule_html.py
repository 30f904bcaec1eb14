"""Rules as HTML: on the page of their chapter, where others refer to them, or on a player aid."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rulewright.book.outline import RuleEntry
from rulewright.document.nodes import RuleTreeNode
from rulewright.render.html_escaping import attribute
from rulewright.render.html_writer import HtmlWriter
from rulewright.render.screen_reader_text import spoken_number
from rulewright.render.table_html import TableHtml

if TYPE_CHECKING:
    from rulewright.render.chapter_surroundings import ChapterSurroundings


@dataclass(frozen=True, slots=True)
class RuleHtml:
    """Writer of rules. `chapter`: what the page of their chapter says of them; None on another page."""

    writer: HtmlWriter
    chapter: ChapterSurroundings | None = None

    def rule(self, rule: RuleTreeNode, level: int = 0) -> str:
        """Return a rule with the rules inside it. `level`: that of its heading, from 0."""
        return "".join(self._rule(rule, level))

    def _rule(self, rule: RuleTreeNode, level: int) -> Iterator[str]:
        chapter, writer, entry = self.chapter, self.writer, self._entry(rule)
        title_only = chapter is not None and entry in chapter.title_only
        is_light = title_only and level > 1
        element = "div" if is_light else "section"
        classes = f"rule level-{level}"
        classes += " with-table" if rule.table else "" if rule.is_transcribed else " listed"
        classes += f"{' light' if is_light else ''}{'' if rule.title else ' untitled'}"
        if chapter is None:
            yield f'<{element} class="{classes}">\n'
        else:
            classes += " revised" if writer.context.is_revised(entry) else ""
            yield f'<{element} class="{classes}" id="{attribute(rule.target.key)}">\n'
            yield from map(_anchor, rule.former)
        yield self._heading(rule, "span" if is_light else "h6" if level > 5 else f"h{level + 1}")
        if rule.retirement:
            yield writer.retirement(rule.retirement)
        if chapter:
            yield chapter.page.overrides(entry)
        if rule.is_optional:
            yield '<p class="dated" lang="en">Optional rule</p>\n'
        if rule.dated:
            date = attribute(rule.dated)
            yield f'<p class="dated" lang="en">Dated <time datetime="{date}">{date}</time></p>\n'
        if rule.blocks:
            yield self._text(rule)
        if rule.shows and chapter:
            yield chapter.generated(rule.shows, level)
        if rule.attachments:
            yield f"{writer.blocks(rule.attachments)}\n"
        if title_only and level == 0:
            yield '<p class="notice" role="note" lang="en">The text of this chapter is in the '
            yield "printed book.</p>\n"
        if rule.table:
            table = TableHtml(writer).table(rule.table, is_main=chapter is not None)
            yield f'<div class="table-entry">\n{table}</div>\n'
        if chapter:
            yield chapter.after_text(entry)
        yield from self._inner(rule, level, title_only)
        if rule.closing:
            yield writer.text(rule.closing, "text closing")
        if chapter:
            yield chapter.after_rules(entry)
        yield f"</{element}>\n"

    def _heading(self, rule: RuleTreeNode, tag: str) -> str:
        writer = self.writer
        href = attribute(writer.href(self._entry(rule)))
        label = series = ""
        if self.chapter is None:
            series = f"{attribute(rule.series)} " if rule.series else ""
        elif "(" in rule.printed:
            label = f' aria-label="{attribute(spoken_number(rule.printed))}"'
        title = f' <span class="title">{writer.inline(rule.title)}</span>' if rule.title else ""
        number = f'<a class="number" href="{href}"{label}>{attribute(rule.printed)}</a>'
        return f"<{tag}>{series}{number}{title}</{tag}>\n"

    def _text(self, rule: RuleTreeNode) -> str:
        text = self.writer.text(rule.blocks)
        if rule.retirement is None:
            return text
        summary = '<summary lang="en">Former text</summary>'
        return f'<details class="retired">{summary}\n{text}</details>\n'

    def _inner(self, rule: RuleTreeNode, level: int, title_only: bool) -> Iterator[str]:
        chapter = self.chapter
        for index, inner in enumerate(rule.rules):
            if chapter and self._entry(inner) in chapter.unnamed:
                yield from map(_anchor, all_anchors(inner))
                continue
            yield from self._rule(inner, level + 1)
            if chapter and self._entry(inner) in chapter.title_only and not title_only:
                following = map(self._entry, rule.rules[index + 1 : index + 2])
                if chapter.title_only.isdisjoint(following):
                    yield '<p class="bare" lang="en">The text is in the printed book.</p>\n'

    def _entry(self, rule: RuleTreeNode) -> RuleEntry:
        return self.writer.context.targets.rule(rule.target)


def all_anchors(rule: RuleTreeNode) -> Iterator[str]:
    """Yield the number and the former numbers of a rule and of the rules inside it."""
    yield rule.target.key
    yield from rule.former
    for inner in rule.rules:
        yield from all_anchors(inner)


def _anchor(anchor: str) -> str:
    return f'<span class="former" id="{attribute(anchor)}"></span>'
