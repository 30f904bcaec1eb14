"""Passages of an edition, through which the box to find a rule with looks: rules, steps, terms, pages.

A script for each edition, `ocs/4.3/find.js`, the same from a server, from a disk and where a device keeps it.
It also says how the book numbers its rules, so that the script on the page knows nothing of any book.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any

from rulewright.book.outline import Outline, RuleEntry
from rulewright.document import nodes
from rulewright.document.nodes import rules_with_level
from rulewright.files.resources import TEMPLATES
from rulewright.numbering.reference_cues import with_book_cues
from rulewright.references import site_paths
from rulewright.references.glossary import TermEntry
from rulewright.render.build_artifacts import PageSection, SitePage
from rulewright.render.navigation import begins_with_heading
from rulewright.render.render_context import RenderContext
from rulewright.render.text_writer import blocks_text, inline_text, table_lines
from rulewright.schema.text_document import plain_text
from rulewright.sequence.sequence_step import PATH
from rulewright.sequence.step_attributes import step_phrases
from rulewright.sequence.step_names import abbreviation_of, spoken_title

Row = list[str | int]

_CAPITAL = re.compile(r"\b[^\W\d_a-z]")
MIN_INITIALS = 3
"""Capitals of a title that make a name of it: the CRT."""
MAX_NAME_WORDS = 4
"""Words of a meaning that is another name of its term."""


def data_script(path: str, data: object) -> str:
    """Data as a script that a page on a disk can load as well as one from a server."""
    return f"rulewright.receiveData({json.dumps(path)},{compress_json(data)});\n"


def compress_json(data: object) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


def stemmer_script(language: str) -> tuple[str, str]:
    """The path and the script of what stems words of a language, by the Snowball project.

    With it come the words with which one asks (`small`). Where Snowball has nothing for a language, each of
    its words is its own stem.
    """
    folder, path = TEMPLATES / "vendor" / "snowball", f"assets/stem-{language}.js"
    if not (folder / f"{language}.js").is_file():
        return path, f'rulewright.receiveData("{path}",{{stemWord: (word) => word}});\n'
    base, script = ((folder / f"{name}.js").read_text("utf-8") for name in ("base", language))
    small = json.loads((folder / "stop.json").read_text("utf-8")).get(language, "")
    stemmer = f"Object.assign(new {script.split()[1].partition('=')[0]}(),{{small:{compress_json(small)}}})"
    return path, f'(()=>{{let BaseStemmer;{base};{script};rulewright.receiveData("{path}",{stemmer})}})();\n'


def search_entries(context: RenderContext, outline: Outline, pages: Iterable[SitePage]) -> dict[str, Any]:
    """Return everything that Find knows of an edition, and how its numbers are typed.

    `cues`: words before a number; `loose`: whether the first label of a number may be left out.
    `chapters`: the page of each, its label, and its rules in order, each with its number, title, level,
    other names and text. `former`: former numbers, with those of today. `removed`: rules of older editions,
    each with its number, title, page, anchor and the editions. `others`: kind, short name, title, page,
    anchor, other names, path and text. `pages`: the pages of the edition.
    """
    edition, builder = outline.edition, context.builders[outline.edition.address]
    terms_by_rule: dict[RuleEntry | None, list[TermEntry]] = {}
    for term in context.glossaries[edition.address].terms:
        terms_by_rule.setdefault(term.rule, []).append(term)
    chapters = []
    for chapter in outline.chapters:
        rules = [
            _rule(context, rule, level, terms_by_rule.get(context.targets.rule(rule.target), ()))
            for rule, level in rules_with_level(builder.chapter(chapter))
        ]
        chapters.append([site_paths.chapter_path(chapter), chapter.number.labels[0], rules])
    other_rows = [*_terms(context, outline), *_tables(context, outline), *_steps(outline)]
    chapter_paths = {path for path, _, _ in chapters}
    for page in pages:
        if page.path not in chapter_paths:
            title = edition.short if page.path == edition.address else page.title
            other_rows += page_rows(title, page.path, page.sections)
    return {
        "cues": [*with_book_cues([*map(str, edition.book.cues)])],
        "loose": edition.dialect.drops_letters,
        "chapters": chapters,
        "former": [[former, entry.key] for former, entry in outline.former_numbers.items()],
        "removed": [*_removed(context, outline)],
        "others": [trim_row(row) for row in other_rows],
    }


def _removed(context: RenderContext, outline: Outline) -> Iterator[Row]:
    """Yield the rules that this edition lacks, from the last edition that has each."""
    editions = context.counterparts.book_editions(outline)
    earlier = editions[: editions.index(outline) + 1][::-1]
    known = {*outline.entries, *outline.former_numbers}
    for following, older in pairwise(earlier):
        words = f"in edition {older.edition.edition_file.edition}, removed in "
        words += str(following.edition.edition_file.edition)
        for key, entry in older.entries.items():
            if key not in known and context.counterparts.counterpart_of(entry, outline).is_certain:
                known.add(key)
                yield [key, plain_text(entry.title or ""), *site_paths.path_and_anchor(entry), words]


def trim_row(row: Sequence[str | int], minimum: int = 4) -> Row:
    """Return a row without the empty fields at its end, but with at least so many."""
    fields = [*row]
    while len(fields) > minimum and fields[-1] == "":
        fields.pop()
    return fields


def _other_names(title: str, names: Iterable[str] = ()) -> str:
    """Return the other names of an object with a title, and its initials."""
    capitals = "".join(_CAPITAL.findall(title))
    return "; ".join(dict.fromkeys((*names, *([capitals] if len(capitals) >= MIN_INITIALS else []))))


def _rule(context: RenderContext, rule: nodes.RuleTreeNode, level: int, terms: Sequence[TermEntry]) -> Row:
    entry = context.targets.rule(rule.target)
    names = [*map(plain_text, entry.rule.aliases if entry.rule else ())]
    names += [name for term in terms for name in _names(term, context) if name != rule.plain_title]
    words = [blocks_text((*rule.blocks, *rule.attachments, *rule.closing))]
    words += [inline_text(rule.retirement.reason)] if rule.retirement else []
    words += ["; ".join(filter(None, table_lines(rule.table)))] if rule.table else []
    words += [f"{plain_text(term.words)}: {context.name(term)}." for term in terms]
    text = " ".join(filter(None, words))
    return trim_row(
        [rule.target.key, rule.plain_title, level, _other_names(rule.plain_title, names), text], 3
    )


def _names(term: TermEntry, context: RenderContext) -> list[str]:
    """Return the names of a term, and its meaning if that is short enough for a name."""
    meaning = context.name(term)
    is_name = len(meaning.split()) <= MAX_NAME_WORDS
    return [*map(plain_text, term.all_spellings), *([meaning] if is_name else [])]


def _terms(context: RenderContext, outline: Outline) -> Iterator[Row]:
    """Yield the terms that no rule here defines; others are names of their rules."""
    glossary = site_paths.glossary_path(outline.edition.address)
    for term in context.glossaries[outline.edition.address].terms:
        if context.page_and_fragment(term)[0] == glossary:
            names = "; ".join(_names(term, context))
            yield ["glossary", plain_text(term.words), context.name(term), glossary, term.anchor, names]


def _tables(context: RenderContext, outline: Outline) -> Iterator[Row]:
    for table in context.index.editions[outline.edition.address].tables:
        if not table.entry:
            title = plain_text(str(table))
            words = "; ".join(filter(None, table_lines(context.builders[table.edition.address].table(table))))
            path = site_paths.path_and_anchor(table)
            yield ["table", "", title, *path, _other_names(title), "", words]


def _steps(outline: Outline) -> Iterator[Row]:
    for step in outline.sequence.iter_steps():
        if step.difference != "dropped":
            title, short = spoken_title(step), plain_text(abbreviation_of(step) or "")
            texts = filter(None, (step.step.label, step.step.note, step.step.narrative))
            facts = "; ".join(fact.text for fact in step_phrases(step))
            words = ". ".join(filter(None, (facts, *map(plain_text, texts))))
            outer = [plain_text(other.step.title) for other in step.self_and_ancestors() if other is not step]
            path = PATH.join(reversed(outer))
            yield ["step", short, title, *site_paths.path_and_anchor(step), _other_names(title), path, words]


def page_rows(title: str, path: str, sections: Iterable[PageSection]) -> Iterator[Row]:
    """Yield a page and its sections with texts; the page alone finds a section without a text."""
    sections = list(sections)
    heading = sections.pop(0) if begins_with_heading(sections) else PageSection("", "")
    yield ["page", "", title, path, "", "", "", heading.text]
    for section in sections:
        if section.text:
            yield ["text", "", section.title, path, section.anchor, "", title, section.text]
