"""Fifth stage of an import: the files of an edition."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from rulewright.files.filenames import unique_name
from rulewright.files.yaml_writer import InlineCollection, ParagraphText, QuotedString, Value
from rulewright.imports import Entries
from rulewright.imports.blocks import Picture, Run, Runs, SourceBlock, plain
from rulewright.imports.book import Book, ImportedRule
from rulewright.imports.links import LinkVerdict
from rulewright.imports.prose import ProseWriter, written_words
from rulewright.imports.tables import draft_table, with_titles_above
from rulewright.schema.rulebook import Chapter
from rulewright.schema.shorthand import write_shorthand_key
from rulewright.schema.text_document import plain_text
from rulewright.schema.yaml_fields import own_and_inherited_keys
from rulewright.sequence.sequence_step import title_slug

GLOSSARY = "glossary.md"


@dataclass(slots=True)
class ContentWriter:
    """Writes the files of an edition."""

    book: Book
    prose: ProseWriter
    files: dict[str, Entries] = field(default_factory=dict)

    # Chapters

    def write_chapters(self) -> None:
        """Write a file for each chapter, with its tables beside it."""
        for chapter in self.book.chapters:
            label = chapter.number.labels[0] if chapter.number else chapter.printed
            words = title_slug(plain(chapter.title)) if chapter.title else ""
            name = f"rules/{title_slug(label) or label}{f'-{words}' if words else ''}"
            self.prose.chapter = label
            title = self.title_of(chapter)
            entries: Entries = {"chapter": QuotedString(chapter.printed)}
            entries |= {"title": title} if title else {}
            entries |= self.rule_keys(chapter, title)
            self.files[unique_name(name, self.files, ".yml")] = entries
        self.prose.chapter = ""

    def title_of(self, rule: ImportedRule) -> str:
        """Return the title of a rule without links to the rule itself."""
        runs: list[Run] = []
        for run in rule.title:
            link = run.link
            if link and self.prose.links.judge(rule.page, run, link).target_number == rule.key:
                link = None
            runs.append(replace(run, link=link))
        return self.prose.inline(rule.page, runs)

    def rule_keys(self, rule: ImportedRule, title: str) -> Entries:
        """Return the keys of a rule other than its number and title."""
        entries: Entries = {"shows": "sequence"} if rule.steps else {}
        self.prose.subject = title or f"Picture of {rule.printed}"
        pictures = tuple(run for run in rule.title if run.picture)
        lead = SourceBlock("paragraph", pictures, rule.page, rule.line)
        is_single = sum(block.kind == "table" for block in (*rule.blocks, *rule.closing)) == 1
        text, closing = (
            self.text_with_tables(blocks, rule, title, is_single=is_single)
            for blocks in ([lead, *rule.blocks], rule.closing)
        )
        entries |= {"text": ParagraphText(text)} if text else {}
        notes: list[tuple[str, Value]] = []
        for note in rule.notes:
            words = self.prose.prose(note.blocks)
            notes += [(note.kind, ParagraphText(words))] if words else []
        by_kind: Entries = dict(notes)
        is_unique = len(by_kind) == len(notes)
        entries |= by_kind if is_unique else {"notes": [{kind: words} for kind, words in notes]}
        for inner in rule.rules:
            inner_title = self.title_of(inner)
            key, more = write_shorthand_key(inner.printed, inner_title, own_and_inherited_keys(Chapter))
            keys: Entries = {**more, **self.rule_keys(inner, inner_title)}
            entries[key] = keys["text"] if [*keys] == ["text"] else keys
        return entries | ({"closing": ParagraphText(closing)} if closing else {})

    # Tables

    def text_with_tables(
        self, blocks: Sequence[SourceBlock], rule: ImportedRule, title: str, *, is_single: bool
    ) -> str:
        """Write a file of each table in blocks. Return the text of the other blocks.

        A single table has the rule's number and is not in the text; several keep their places.
        """
        placed: list[SourceBlock] = []
        for block, above in with_titles_above(blocks):
            is_table = block.kind == "table"
            placed += self.table(block, above, title, rule, is_single=is_single) if is_table else [block]
        return self.prose.prose(placed)

    def table(
        self, block: SourceBlock, above: str, title: str, rule: ImportedRule, *, is_single: bool
    ) -> list[SourceBlock]:
        """Write the file of a table. Return the block that shows it in its place, if it has one."""
        report, page = self.prose.report, block.page
        texts = [self.prose.inline(page, block.caption)]

        def words_of(runs: Runs) -> str:
            texts.append(self.prose.words(page, runs))
            return texts[-1]

        draft = draft_table(block, words_of)
        if draft is None:
            return []
        caption = texts[0]
        name = (title if is_single else "") or caption or above or title or f"Table of {rule.printed}"
        slug = (re.sub(r"[^\w.-]+", "-", rule.printed).strip("-.") if is_single else "") or title_slug(name)
        path = unique_name(f"tables/{slug or 'table'}", self.files, ".yml")
        file = path.removeprefix("tables/").removesuffix(".yml")
        address: Entries = {"number": QuotedString(rule.printed)} if is_single else {"id": file}
        text = caption if caption != name else ""
        entries, fault = draft.entries(address, name, text, f"{caption} {above} {title}")
        if not any(cell.is_header for row in block.rows for cell in row):
            report.guess(block, "the table has no heading row, so its first row is taken for one")
        if fault:
            report.guess(block, fault)
        source = Counter(word for text in texts for word in written_words(text))
        file_words = Counter(written_words(entries))
        dropped = " ".join((source - file_words).elements())
        report.leave_out(block, dropped, "the head over the rolls of a table")
        report.added += (file_words - source).elements()
        self.files[path] = entries
        if is_single:
            return []
        report.added.append(name)
        run = Run("", block.line, picture=Picture(path, plain_text(name), is_table=True))
        return [replace(block, kind="paragraph", runs=(run,), rows=(), caption=(), ids=())]

    # Known numbers and old addresses

    def known(self) -> Entries:
        """Return the keys of the file of the numbers that links to absent pages cite, and of those above."""
        links = self.prose.links
        absent = (link for link in links.judged_links.values() if link.verdict == LinkVerdict.ABSENT)
        cited = filter(None, (links.parse(link.says) for link in absent))
        numbers = {above for number in cited for above in links.chain(number) if not links.is_known(above)}
        ordered = sorted(numbers, key=lambda number: number.ordinals)
        keys = (QuotedString(number.key) for number in ordered if "(" not in number.key)
        entries: list[Value] = [InlineCollection({"number": key}) for key in keys]
        return {"lists": "cited", "known": entries} if entries else {}

    def redirects(self, names: Mapping[str, str]) -> list[Value]:
        """Return the redirects: every page and every anchor of the old site, with its new place.

        `names`: the files of the pages without rules.
        """
        anchors: dict[str, Entries] = {}
        for (name, anchor), key in self.book.rule_keys.items():
            if key:
                anchors.setdefault(name, {})[anchor] = QuotedString(key)
            elif name in names and names[name] != GLOSSARY:
                new_address = f"{names[name].removesuffix('.md')}#{anchor}"
                anchors.setdefault(name, {})[anchor] = new_address
        entries: list[Value] = []
        for page in self.prose.links.site.pages:
            page_key = self.book.page_keys.get(page.name)
            address = QuotedString(page_key) if page_key else names.get(page.name, ".").removesuffix(".md")
            inner: Entries = {"anchors": anchors[page.name]} if page.name in anchors else {}
            old_addresses = dict.fromkeys((page.address, *page.aliases))
            entries += ({"from": old, "to": address, **inner} for old in old_addresses if old != "/")
        return entries
