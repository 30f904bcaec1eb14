"""Previews of references: the rules, steps, terms and tables of an edition, a file a page.

    ocs/4.3/previews/12-supply.js   what stands on the page ocs/4.3/12-supply, by its anchor there
    ocs/4.3/previews/index.js       on which page a rule stands, by its number or the beginning of it

Each is a script that hands its data to `rulewright.take`, since a page from a disk can read no other file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from json import dumps
from typing import Any

from rulewright.book.outline import RuleEntry
from rulewright.document import nodes
from rulewright.document.nodes import rules_with_level
from rulewright.references import site_paths
from rulewright.references.citable_items import list_items_of
from rulewright.render.build_artifacts import Content
from rulewright.render.edition_html import EditionHtml, own_links
from rulewright.render.html_writer import HtmlWriter, attribute
from rulewright.render.screen_reader_text import without_language_marks
from rulewright.render.templating import environment
from rulewright.render.text_writer import blocks_text
from rulewright.schema.text_document import plain_text
from rulewright.sequence.repetition_phrases import TOLD
from rulewright.sequence.sequence_step import SequenceStep

Preview = tuple[str, ...]
"""Title and path as plain words, and the HTML of what is said, its links from the page that it stands on.

Behind them, of a rule, the number that its title begins with.
"""

STEP = " › "
MOST_SHOWN = 100
"""Characters up to which the text of a rule without a title stands for its title."""


def preview_files(html: EditionHtml) -> Iterator[tuple[str, Content]]:
    """The scripts of an edition by their paths."""
    context, outline = html.context, html.outline
    base, short = outline.edition.address, outline.edition.short
    writer = html.as_amended.writer

    def file(path: str, previews: Callable[[], Iterable[tuple[str, Preview]]]) -> tuple[str, Content]:
        name = preview_file_name(path)
        return name, lambda: _script(
            name,
            {
                anchor: (*words[:2], own_links(words[2].strip(), path), *words[3:])
                for anchor, words in previews()
            },
        )

    def terms() -> Iterator[tuple[str, Preview]]:
        for term in context.glossaries[base].terms:
            rule = writer.inline(html.page.builder.term_rule(term)) if term.rule else ""
            rule = f' <span class="refs">{rule}</span>' if rule else ""
            means = writer.inline(html.page.builder.term_meaning(term))
            yield term.anchor, (plain_text(term.words), short, f"<p>{means}{rule}</p>")

    def tables() -> Iterator[tuple[str, Preview]]:
        for table in own_tables:
            node = html.page.builder.table(table)
            yield table.anchor, (context.name(table), short, writer.table(node, is_main=False))

    for chapter in outline.chapters:
        yield file(site_paths.chapter_path(chapter), partial(_chapter, chapter, html, writer))
    if outline.sequence.root:
        yield file(site_paths.sequence_path(outline.sequence.root), partial(_steps, html))
    if outline.edition.book.terms:
        yield file(site_paths.glossary_path(base), terms)
    if own_tables := [table for table in context.shelf.editions[base].tables if not table.entry]:
        yield file(site_paths.tables_path(own_tables[0]), tables)
    index = f"{site_paths.previews_path(base)}/index.js"
    yield index, lambda: _script(index, pages_by_number_prefix(outline.entries.values()))


def pages_by_number_prefix(entries: Iterable[RuleEntry]) -> dict[str, str]:
    """Pages by the longest number prefix: `12` stands for all numbers in it but those named themselves."""
    named: dict[str, str] = {}
    for entry in entries:
        page = site_paths.chapter_path(entry.chapter).rpartition("/")[2]
        for name in (entry.chapter.number.labels[0], entry.key):
            beginnings = (entry.key[:end] for end in range(len(entry.key), 0, -1))
            known = next((named[key] for key in beginnings if key in named), None)
            if known != page and entry.key.startswith(name):
                named[name] = page
    return named


def _chapter(chapter: RuleEntry, html: EditionHtml, writer: HtmlWriter) -> Iterator[tuple[str, Preview]]:
    """The rules of a chapter, the items of their lists, and what one of them shows of the narrative."""
    titles = [chapter.edition.short]
    for rule, level in rules_with_level(html.page.builder.chapter(chapter)):
        entry = html.context.targets.rule(rule.target)
        # Without a title of its own: that of the rule around it would be the title of other words.
        titles[level + 1 :] = [f"{entry.display_number} {rule.plain_title}".rstrip()]
        html_of_rule = rule_preview(rule, writer)
        yield entry.key, (titles[-1], STEP.join(titles[:-1]), html_of_rule, entry.display_number)
        for item in list_items_of(entry):
            words = f"<p>{writer.inline(html.page.builder.list_item(item))}</p>"
            yield item.anchor, (str(item), STEP.join(titles), words)
        if rule.shows == "narrative":
            for step in html.outline.sequence.narrative_steps:
                yield f"{TOLD}{step.anchor}", _step(html, step)


def rule_preview(rule: nodes.RuleTreeNode, writer: HtmlWriter) -> str:
    """Return the content of a rule, and the rules inside it by name."""
    parts = [writer.retirement(rule.retirement)] if rule.retirement else []
    if rule.blocks:
        parts.append(writer.text(rule.blocks))
    if not all(isinstance(block, nodes.DrawingNode) for block in rule.attachments):
        parts.append(writer.blocks(rule.attachments))
    if not rule.is_transcribed and not rule.table:
        parts.append(f'<p class="label"{writer.english}>The text is in the printed book</p>')
    if rule.table:
        parts.append(f'<div class="table-entry">\n{writer.table(rule.table, is_main=False)}</div>')
    if rule.rules:
        parts.append(f'<ul class="inner">\n{"".join(_inner(inner, writer) for inner in rule.rules)}</ul>')
    if rule.closing:
        parts.append(writer.text(rule.closing, "text closing"))
    return "\n".join(part.strip() for part in parts)


def _inner(rule: nodes.RuleTreeNode, writer: HtmlWriter) -> str:
    name = f"<b>{attribute(rule.plain_title)}</b>" if rule.title else ""
    if not rule.title and rule.blocks:
        words = blocks_text(rule.blocks)
        if len(words) > MOST_SHOWN + 5:
            words = words[: MOST_SHOWN - 3].rsplit(" ", 1)[0] + "..."
        name = f'<span class="cut">{attribute(words)}</span>'
    listed = "" if rule.is_transcribed or rule.table else " listed"
    href = attribute(writer.rule_href(rule.target))
    return f'<li><a class="ref{listed}" href="{href}">{attribute(rule.printed)}</a> {name}</li>\n'


def _steps(html: EditionHtml) -> Iterator[tuple[str, Preview]]:
    """All steps, those that a turn has otherwise than the one that it repeats as they are shown."""
    sequence = html.outline.sequence
    for step in dict.fromkeys((sequence.root, *sequence.iter_steps(), *sequence.iter_displayed())):
        if step:
            yield step.anchor, _step(html, step)


def _step(html: EditionHtml, step: SequenceStep) -> Preview:
    above, parent = "", step.parent
    while parent:
        above, parent = f"{STEP}{plain_text(parent.step.title)}{above}", parent.parent
    sequence = html.outline.sequence
    inner = sequence.steps if step is sequence.root else step.displayed_steps
    parts: Any = environment().get_template("parts/preview.html").module
    body = str(parts.step(step, html.as_amended, inner))
    body = without_language_marks(body) if html.page.writer.is_english else body
    body = "\n".join(filter(None, body.split("\n")))  # without the empty lines of the template
    return plain_text(step.step.title), step.edition.short + above, body


def preview_file_name(page: str) -> str:
    """The script of a page by its path."""
    edition, _, name = page.rpartition("/")
    return f"{site_paths.previews_path(edition)}/{name}.js"


def _script(path: str, data: object) -> str:
    told = (dumps(one, ensure_ascii=False, separators=(",", ":")) for one in (path, data))
    return f"rulewright.take({','.join(told)});\n"
