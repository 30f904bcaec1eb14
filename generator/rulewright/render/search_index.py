"""Passages of an edition, through which the box to find a rule with looks: rules, steps, terms, pages.

A script for each edition, `ocs/4.3/find.js`, the same from a server, from a disk and where a device keeps it.
It also says how the book numbers its rules, so that the script on the page knows nothing of any book.
"""

from __future__ import annotations

import json
import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from rulewright.book.outline import Outline, RuleEntry
from rulewright.document import nodes
from rulewright.document.nodes import rules_with_level
from rulewright.files.resources import TEMPLATES
from rulewright.numbering.reference_cues import with_book_cues
from rulewright.references import site_paths
from rulewright.references.glossary import TermEntry
from rulewright.render.build_artifacts import NavItem, PageSection, SitePage
from rulewright.render.navigation import begins_with_heading
from rulewright.render.render_context import RenderContext
from rulewright.render.text_writer import blocks_text, inline_text, table_lines
from rulewright.schema.text_document import plain_text
from rulewright.sequence.sequence_step import PATH, SequenceStep
from rulewright.sequence.step_attributes import step_phrases
from rulewright.sequence.step_names import abbreviation_of, spoken_title

Row = list[str | int]

_CAPITAL = re.compile(r"\b[^\W\d_a-z]")
_APART = ("sequence", "narrative", "tables", "glossary")
"""Pages whose passages have rows of their own."""
_FEWEST = 3
"""Capitals of a title from which on players call it by them: the CRT."""
_LONGEST = 4
"""Words up to which what a term stands for is another name of it."""


def data_script(path: str, data: object) -> str:
    """Data as a script that a page on a disk can load as well as one from a server."""
    return f"rulewright.take({json.dumps(path)},{compress_json(data)});\n"


def compress_json(data: object) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


def stemmer_script(language: str) -> tuple[str, str]:
    """The path and the script of what stems words of a language, by the Snowball project.

    With it come the words with which one asks (`small`). Where Snowball has nothing for a language, each of
    its words is its own stem.
    """
    folder, path = TEMPLATES / "vendor" / "snowball", f"assets/stem-{language}.js"
    if not (folder / f"{language}.js").is_file():
        return path, f'rulewright.take("{path}",{{stemWord: (word) => word}});\n'
    base, own = ((folder / f"{name}.js").read_text("utf-8") for name in ("base", language))
    small = json.loads((folder / "stop.json").read_text("utf-8")).get(language, "")
    made = f"Object.assign(new {own.split()[1].partition('=')[0]}(),{{small:{compress_json(small)}}})"
    return path, f'(()=>{{let BaseStemmer;{base};{own};rulewright.take("{path}",{made})}})();\n'


def search_entries(
    desk: RenderContext, outline: Outline, branch: NavItem, pages: Iterable[SitePage]
) -> dict[str, Any]:
    """Everything that one can find in an edition, and how its numbers are typed.

    `cues`: words that may stand in front of a number; `loose`: whether its first label may be left out.
    `chapters`: the page of each, its label, and its rules in order, each with its number, title, level,
    other names and text. `former`: numbers that rules had, with those they have. `removed`: rules of
    older editions, each with its number, title, page, anchor and the editions. `others`: kind, short
    name, title, page, anchor, other names, where it lies, and text. `branch`: the edition's branch of the
    site's navigation; `pages`: those of its pages that are made of its data.
    """
    numbers, builder = outline.edition.dialect, desk.builders[outline.edition.address]
    defined: dict[RuleEntry | None, list[TermEntry]] = {}
    for term in desk.glossaries[outline.edition.address].terms:
        defined.setdefault(term.rule, []).append(term)
    chapters = [
        [
            site_paths.chapter_path(chapter),
            chapter.number.labels[0],
            [
                _rule(desk, rule, level, defined.get(desk.targets.rule(rule.target), ()))
                for rule, level in rules_with_level(builder.chapter(chapter))
            ],
        ]
        for chapter in outline.chapters
    ]
    told = {page.path: page for page in pages}
    for chapter in chapters:
        told.pop(str(chapter[0]), None)
    apart = {f"{outline.edition.address}/{name}" for name in _APART}
    others = [*_terms(desk, outline), *_tables(desk, outline), *_steps(outline)]
    sheets = {sheet.address for sheet in desk.index.editions[outline.edition.address].aid_sheets}
    others += [row for row in _pages(branch, told, apart) if row[3] not in sheets]
    known = set(_words(json.dumps([chapters, others], ensure_ascii=False)))
    for row in _pages(branch, told, apart):
        if row[3] in sheets:  # which say again what others say: they are found by what they add
            new_words = (word for word in dict.fromkeys(_words(str(row[7]))) if word not in known)
            others.append([*row[:7], " ".join(new_words)])
    return {
        "cues": [*with_book_cues([*map(str, outline.edition.book.cues)])],
        "loose": numbers.drops_letters,
        "chapters": chapters,
        "former": [[former, entry.key] for former, entry in outline.former_numbers.items()],
        "removed": [*_removed(desk, outline)],
        "others": [trim_row(other) for other in others],
    }


def _removed(desk: RenderContext, outline: Outline) -> Iterator[Row]:
    """List the rules of older editions that this one has not, from the last edition that has each."""
    line = desk.counterparts.book_editions(outline)
    line = line[: line.index(outline) + 1]
    known = {*outline.entries, *outline.former_numbers}
    for older, following in zip(line[-2::-1], line[:0:-1], strict=True):
        where = (
            f"in edition {older.edition.edition_file.edition}, removed in "
            f"{following.edition.edition_file.edition}"
        )
        for key, entry in older.entries.items():
            if key not in known and desk.counterparts.counterpart_of(entry, outline).is_certain:
                known.add(key)
                yield [key, plain_text(entry.title or ""), *site_paths.path_and_anchor(entry), where]


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.casefold())


def trim_row(row: Sequence[str | int], least: int = 4) -> Row:
    """A row without the empty fields at its end, but for so many: the first page of a site has no path."""
    fields = [*row]
    while len(fields) > least and fields[-1] == "":
        fields.pop()
    return fields


def _also(title: str, names: Iterable[str]) -> str:
    """The other names of what has a title, and its initials."""
    capitals = "".join(_CAPITAL.findall(title))
    return "; ".join(dict.fromkeys((*names, *([capitals] if len(capitals) >= _FEWEST else []))))


def _rule(desk: RenderContext, rule: nodes.RuleTreeNode, level: int, terms: Sequence[TermEntry]) -> Row:
    entry = desk.targets.rule(rule.target)
    names = [*map(plain_text, entry.rule.aliases if entry.rule else ())]
    names += [name for term in terms for name in _called(term, desk) if name != rule.plain_title]
    words = [blocks_text((*rule.blocks, *rule.attachments, *rule.closing))]
    words += [inline_text(rule.retirement.reason)] if rule.retirement and rule.retirement.reason else []
    words += [_rows(rule.table)] if rule.table else []
    words += [
        f"{plain_text(term.words)}: {desk.index.plain_text_in(term.term.means, term.edition)}."
        for term in terms
    ]
    text = " ".join(filter(None, words))
    return trim_row([rule.target.key, rule.plain_title, level, _also(rule.plain_title, names), text], 3)


def _rows(table: nodes.TableNode) -> str:
    """The text of a table, row by row."""
    return "; ".join(filter(None, table_lines(table)))


def _called(term: TermEntry, desk: RenderContext) -> list[str]:
    """The names of a term, and what it stands for where that is one."""
    means = desk.index.plain_text_in(term.term.means, term.edition)
    return [*map(plain_text, term.all_spellings), *([means] if len(means.split()) <= _LONGEST else [])]


def _terms(desk: RenderContext, outline: Outline) -> Iterator[Row]:
    """The terms that no rule here says the meaning of; others are names of their rules."""
    page = site_paths.glossary_path(outline.edition.address)
    for term in desk.glossaries[outline.edition.address].terms:
        if desk.page_and_fragment(term)[0] == page:
            means, also = (
                desk.index.plain_text_in(term.term.means, term.edition),
                "; ".join(_called(term, desk)),
            )
            yield ["glossary", plain_text(term.words), means, page, term.anchor, also]


def _tables(desk: RenderContext, outline: Outline) -> Iterator[Row]:
    for table in desk.index.editions[outline.edition.address].tables:
        if not table.entry:
            title = plain_text(str(table))
            rows = _rows(desk.builders[outline.edition.address].table(table))
            yield ["table", "", title, *site_paths.path_and_anchor(table), _also(title, ()), "", rows]


def _steps(outline: Outline) -> Iterator[Row]:
    for step in outline.sequence.iter_steps():
        if step.difference == "dropped":
            continue
        title, called = spoken_title(step), plain_text(abbreviation_of(step) or "")
        texts = (plain_text(text) for text in (step.step.label, step.step.note, step.step.narrative) if text)
        words = ". ".join(filter(None, ("; ".join(fact.text for fact in step_phrases(step)), *texts)))
        yield [
            "step",
            called,
            title,
            *site_paths.path_and_anchor(step),
            _also(title, ()),
            _around(step),
            words,
        ]


def _around(step: SequenceStep) -> str:
    """The steps that a step lies in, turns among them: there the same phase comes again."""
    above: list[str] = []
    at = step.parent
    while at:
        above.append(plain_text(at.step.title))
        at = at.parent
    return PATH.join(reversed(above))


def _pages(branch: NavItem, told: Mapping[str, SitePage], apart: Container[str]) -> Iterator[Row]:
    """Pages, each with its sections. Of those `apart` other rows have what stands in the sections."""
    if page := told.get(branch.path or ""):
        rows = page_rows(branch.title, page.path, page.sections)
        yield from islice(rows, 1) if page.path in apart else rows
    for inner in branch.branches:
        yield from _pages(inner, told, apart)


def page_rows(title: str, path: str, sections: Iterable[PageSection]) -> Iterator[Row]:
    """A page and what stands in its sections. One without words is found by the page alone."""
    sections = list(sections)
    heading = sections.pop(0) if begins_with_heading(sections) else PageSection("", "")
    yield ["page", "", title, path, "", "", "", heading.text]
    for section in sections:
        if section.text:
            yield ["text", "", section.title, path, section.anchor, "", title, section.text]
