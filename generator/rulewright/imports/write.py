"""Fifth stage of an import: the files of an edition."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from rulewright.book.outline import Outline
from rulewright.files.filenames import unique_name
from rulewright.files.yaml_writer import CommentedValue, InlineCollection, ParagraphText, QuotedString, Value
from rulewright.imports import Entries
from rulewright.imports.blocks import Picture, Run, Runs, SourceBlock, expand_spans, plain
from rulewright.imports.book import Book, ImportedRule
from rulewright.imports.links import JudgedLink, LinkResolver, LinkVerdict
from rulewright.imports.prose import ProseWriter, written_words
from rulewright.imports.sources.source_site import SourcePage
from rulewright.imports.steps import StepsWriter, bare_name, names_step
from rulewright.imports.tables import draft_table
from rulewright.references.redirect_targets import anchors_of
from rulewright.schema.rulebook import Chapter
from rulewright.schema.shorthand import write_shorthand_key
from rulewright.schema.text_document import plain_text
from rulewright.schema.yaml_fields import own_and_inherited_keys
from rulewright.sequence.sequence_step import SequenceStep, title_slug

DOWNLOADS = "files"
_MAX_TITLE = 80


@dataclass(frozen=True, slots=True)
class ContentFile:
    """A content file: its keys, and comments at its top."""

    entries: Entries
    comments: Sequence[str] = ()
    holds_words: bool = True
    """Its values are words of the book."""


@dataclass(slots=True)
class ContentWriter:
    """Writes the files of an edition."""

    book: Book
    prose: ProseWriter
    steps: StepsWriter
    files: dict[str, ContentFile] = field(default_factory=dict)
    tables: int = 0

    @property
    def links(self) -> LinkResolver:
        return self.prose.links

    # Chapters

    def write_chapters(self) -> None:
        """Write a file for each chapter, with its tables beside it."""
        for chapter in self.book.chapters:
            label = chapter.number.labels[0] if chapter.number else chapter.printed
            words = title_slug(plain(chapter.title)) if chapter.title else ""
            name = f"rules/{title_slug(label) or label}{f'-{words}' if words else ''}"
            while f"{name}.yml" in self.files:
                name += "-again"
            title = self.prose.inline(chapter.page, own_title(chapter, self.links), label)
            entries: Entries = {"chapter": QuotedString(chapter.printed)}
            entries |= {"title": title} if title else {}
            entries |= self.rule_keys(chapter, title, label)
            self.files[f"{name}.yml"] = ContentFile(entries, chapter.comments)

    def rule(self, rule: ImportedRule, chapter: str) -> tuple[QuotedString, Value]:
        """Return the key of a rule, which is its number and title, and the value of that key."""
        title = self.prose.inline(rule.page, own_title(rule, self.links), chapter)
        key, more = write_shorthand_key(rule.printed, title, own_and_inherited_keys(Chapter))
        entries: Entries = {**more, **self.rule_keys(rule, title, chapter)}
        value = entries["text"] if [*entries] == ["text"] else entries
        return key, CommentedValue(value, rule.comments) if rule.comments else value

    def rule_keys(self, rule: ImportedRule, title: str, chapter: str) -> Entries:
        """Return the keys of a rule other than its number and title."""
        entries: Entries = {"shows": rule.shows} if rule.shows else {}
        pictures = tuple(run for run in rule.title if run.picture)
        lead = [SourceBlock("paragraph", pictures, rule.page, rule.line)] if pictures else []
        blocks = self.with_tables([*lead, *rule.blocks, *rule.closing], rule, title, chapter)
        closing = {id(block) for block in rule.closing}

        def prose(parts: Sequence[SourceBlock]) -> str:
            return self.prose.prose(self.described(parts, rule, title), chapter)

        text = prose([new for block, new in blocks if id(block) not in closing and new])
        end = prose([new for block, new in blocks if id(block) in closing and new])
        if not rule.rules:
            text = "\n\n".join(filter(None, [text, end]))
        if text:
            entries["text"] = ParagraphText(text)
        notes: list[tuple[str, Value]] = [
            (note.kind, ParagraphText(words)) for note in rule.notes if (words := prose(note.blocks))
        ]
        by_kind: Entries = dict(notes)
        is_unique = len(by_kind) == len(notes)
        entries |= by_kind if is_unique else {"notes": [{kind: words} for kind, words in notes]}
        for inner in rule.rules:
            key, value = self.rule(inner, chapter)
            entries[key] = value
        if rule.rules and end:
            entries["closing"] = ParagraphText(end)
        return entries

    def described(self, blocks: Sequence[SourceBlock], rule: ImportedRule, title: str) -> list[SourceBlock]:
        """Return blocks whose figures without words have those of the heading above or of the rule."""
        words = title or f"Picture of {rule.printed}"
        described: list[SourceBlock] = []
        for block in blocks:
            if block.kind == "heading":
                words = plain(block.runs) or words
            wordless = [run for run in block.runs if run.picture and not run.text and not run.picture.caption]
            if wordless and not plain(block.runs):
                self.prose.report.added += [words] * len(wordless)
                runs = tuple(replace(run, text=run.text or words * (run in wordless)) for run in block.runs)
                block = replace(block, runs=runs)
            described.append(block)
        return described

    # Tables

    def with_tables(
        self, blocks: Sequence[SourceBlock], rule: ImportedRule, title: str, chapter: str
    ) -> list[tuple[SourceBlock, SourceBlock | None]]:
        """Write a file of each table in blocks. Return each block with what it is in the text.

        A single table has the rule's number and is not in the text; several keep their places.
        """
        is_single = sum(block.kind == "table" for block in blocks) == 1
        placed: list[tuple[SourceBlock, SourceBlock | None]] = []
        above = ""
        for block in blocks:
            if block.kind == "table":
                placed.append((block, self.table(block, above, title, rule, chapter, is_single=is_single)))
                above = ""
                continue
            placed.append((block, block))
            if block.runs:
                words = plain(block.runs)
                bold = block.kind == "heading" or all(run.strong for run in block.runs if run.text.strip())
                above = words if bold and len(words) < _MAX_TITLE else ""
        return placed

    def table(
        self, block: SourceBlock, above: str, title: str, rule: ImportedRule, chapter: str, *, is_single: bool
    ) -> SourceBlock | None:
        """Write the file of a table. Return the block that shows it in its place, if it has one."""
        report, page = self.prose.report, block.page
        texts: list[str] = []

        def words_of(runs: Runs) -> str:
            texts.append(self.prose.words(page, runs, chapter))
            return texts[-1]

        draft = draft_table(block, words_of)
        if draft is None:
            words = " ".join(plain(cell.runs) for row in block.rows for cell in row)
            report.leave_out(page, block.line, words, "a table without rows, left out")
            return None
        caption = self.prose.inline(page, block.caption, chapter)
        texts.append(caption)
        name = (title if is_single else "") or caption or above or title or f"Table of {rule.printed}"
        number, text = rule.printed if is_single else "", caption if caption != name else ""
        entries, fault = draft.entries(number, name, text, f"{caption} {above} {title}")
        comments = []
        if not any(cell.is_header for row in block.rows for cell in row):
            report.guess(page, block.line, "the table has no heading row, so its first row is taken for one")
            comments.append("The page does not mark a heading row; the first row is taken for one.")
        if fault:
            report.guess(page, block.line, fault)
        self.count_words(block, entries, draft.header_rows, texts)
        self.tables += 1
        label = re.sub(r"[^\w.-]+", "-", rule.printed).strip("-") if rule.printed[-1].isalnum() else ""
        file = (label or title_slug(rule.printed)) if is_single else title_slug(name) or "table"
        taken = {path.removeprefix("tables/").removesuffix(".yml") for path in self.files}
        file = _free_address(file, taken)
        if not is_single:
            entries["id"] = file
        self.files[f"tables/{file}.yml"] = ContentFile(entries, comments)
        if is_single:
            return None
        report.added.append(name)
        run = Run(plain_text(name), block.line, picture=Picture(f"tables/{file}.yml", is_table=True))
        return replace(block, kind="paragraph", runs=(run,), rows=(), caption=(), ids=())

    def count_words(
        self, block: SourceBlock, entries: Entries, rows: Sequence[Sequence[str]], texts: Sequence[str]
    ) -> None:
        """Report the words of a table that are in several cells of its file, and heads that become keys."""
        source = Counter(word for text in texts for word in written_words(text))
        file_words = Counter(written_words(entries))
        head_words = " ".join(word for row in rows for word in row).lower()
        words = " ".join((source - file_words).elements())
        if words and words.lower() in head_words:
            self.prose.report.leave_out(block.page, block.line, words, "the head over the rolls of a table")
        self.prose.report.added += (file_words - source).elements()

    # Known numbers and old addresses

    def known(self) -> ContentFile | None:
        """Return the file of numbers on absent pages that links cite."""
        rules = {rule.key for rule in self.book.rules() if not rule.item and rule.number}
        cited = [entry for key, entry in self.links.cited.items() if key not in rules and "(" not in key]
        if not cited:
            return None
        entries: list[Value] = []
        for number, title in sorted(cited, key=lambda entry: entry[0].ordinals):
            keys: Entries = {"number": QuotedString(number.key)}
            entries.append(InlineCollection(keys | {"title": title} if title else keys))
        comment = (
            "These numbers stand on pages that were not imported; links cite them, and their titles are "
            "taken from the addresses of these links."
        )
        return ContentFile({"lists": "cited", "known": entries}, [comment], holds_words=False)

    def redirects(
        self,
        pages: Sequence[SourcePage],
        names: Mapping[str, str],
        texts: Mapping[str, str],
        outline: Outline,
    ) -> ContentFile:
        """Return the file of redirects: every page and every anchor of the old site, with its new place.

        `names` and `texts`: the files of the pages without rules, and what is in them.
        """
        narratives: dict[str, SequenceStep] = {}
        for step in outline.sequence.iter_steps() if self.steps.builder.entries else ():
            if step.step.narrative:
                narratives.setdefault(bare_name(step.step.title), step)
        shows = {rule.key for rule in self.book.rules() if rule.shows == "narrative"}
        entries: list[Value] = []
        for page in pages:
            key = self.book.page_keys.get(page.name)
            address = key or names.get(page.name, ".").removesuffix(".md")
            anchors: Entries = {}
            for (name, anchor), rule in self.book.rule_keys.items():
                if name == page.name and anchor:
                    words = bare_name(self.book.headings.get((name, anchor), ""))
                    steps = [
                        s for title, s in narratives.items() if rule in shows and names_step(words, title)
                    ]
                    anchors[anchor] = QuotedString(f"narrative#{steps[0].anchor}" if steps else rule)
            same = set(anchors_of(texts[page.name].encode())) if page.name in texts else ()
            for name, anchor in self.book.headings:
                if name == page.name and anchor in same:
                    anchors[anchor] = f"{address}#{anchor}"
            for old in dict.fromkeys((page.address, *page.aliases)):
                if old != "/":  # the home of the old site is that of the new one
                    entry: Entries = {"from": old, "to": QuotedString(address) if key else address}
                    entries.append({**entry, "anchors": anchors} if anchors else entry)
        comment = (
            "Where each page and heading of the imported site is now. The build leaves a signpost at each."
        )
        return ContentFile({"redirects": entries}, [comment], holds_words=False)


def own_title(rule: ImportedRule, links: LinkResolver) -> Runs:
    """Return the title of a rule without links to the rule itself."""
    runs: list[Run] = []
    for run in rule.title:
        is_own = run.link and links.judge(rule.page, run, run.link).target_number == rule.key
        runs.append(replace(run, link=None if is_own else run.link))
    return tuple(runs)


def _free_address(name: str, taken: set[str]) -> str:
    """Return a name that is not taken and short enough for an address."""
    count, address = 2, name
    while address in taken:
        end = f"-{count}"
        address = name + end
        while title_slug(address) != address and "-" in address.removesuffix(end):
            address = address.removesuffix(end).rpartition("-")[0] + end
        count += 1
    return address


# Pages without rules


def page_file_names(pages: Mapping[SourcePage, Sequence[SourceBlock]], taken: set[str]) -> dict[str, str]:
    """Return the name of a file for each page without rules."""
    names: dict[str, str] = {}
    used = set(taken)
    for page in pages:
        stem = page.name.rpartition("/")[2].removesuffix(".md")
        slug = title_slug(page.title if stem in ("_index", "index") else stem) or "page"
        names[page.name] = unique_name(slug, used, ".md")
        used.add(names[page.name])
    return names


_SIMPLE = re.compile(r"[A-Za-z0-9]+(?: [A-Za-z0-9]+)*")
_LINE_START = re.compile(r"(?m)^(?=[#>])")
_MARKUP = re.compile(r"\[(?=[^\[\]]*\]\()|<(?=[a-zA-Z/!])")


class PageWriter(ProseWriter):
    """Writes pages without rules: links to rules as references, others to the new pages."""

    names: Mapping[str, str] = {}

    def page_text(self, page: SourcePage, blocks: Sequence[SourceBlock]) -> str:
        """Return a page in Markdown."""
        parts: list[str] = []
        if page.title and not (blocks[0].kind == "heading" and plain(blocks[0].runs) == page.title):
            parts.append(f"# {page.title}")
        group: list[SourceBlock] = []
        asides: set[int] = set()
        for block in (*blocks, None):
            is_prose = block and block.kind in ("item", "code", "paragraph") and not block.admonition
            if block and is_prose:
                group.append(block)
                continue
            parts.append(self.prose(group, up="", as_page=True))
            group = []
            if block is None:
                continue
            if block.kind == "heading":
                words = self.words(page, block.runs, up="", as_page=True)
                usual = "-".join(words.lower().split()) if _SIMPLE.fullmatch(words) else ""
                anchor = f" {{: #{block.anchor} }}" if block.anchor not in ("", usual) else ""
                parts.append(f"{'#' * max(block.level, 1)} {words}{anchor}")
            elif block.kind == "table":
                parts.append(self._markdown_table(page, block))
            elif block.admonition:
                words = self.prose([replace(block, admonition=None)], up="", as_page=True)
                kind = block.admonition.kind.upper()
                is_named = kind not in ("", "QUOTE", "BLOCKQUOTE") and block.admonition.number not in asides
                asides.add(block.admonition.number)
                quote = f"**{kind}**\n\n{words}" if is_named else words
                parts.append("\n".join(f"> {line}".rstrip() for line in quote.split("\n")))
        return "\n\n".join(filter(None, parts)) + "\n"

    def _markdown_table(self, page: SourcePage, block: SourceBlock) -> str:
        def cell_text(runs: Runs) -> str:
            return self.words(page, runs, up="", as_page=True).replace("|", "\\|")

        rows = expand_spans(block.rows, lambda cell: cell_text(cell.runs), "")
        lines = [f"| {' | '.join(row)} |" for row in rows]
        lines.insert(1, "|" + "---|" * len(rows[0]))
        return "\n".join([*([cell_text(block.caption), ""] if block.caption else []), *lines])

    def words(
        self,
        page: SourcePage,
        runs: Sequence[Run],
        chapter: str = "",
        up: str = "../",
        *,
        as_page: bool = False,
    ) -> str:
        escaped: list[Run] = []
        for run in runs:
            is_bare = not (run.code or run.picture or run.link)
            escaped.append(replace(run, text=_MARKUP.sub("\ue003\\g<0>", run.text)) if is_bare else run)
        text = super().words(page, escaped, chapter, up, as_page=as_page).replace("\ue003", "\\")
        return _LINE_START.sub(r"\\", text)

    def page_link(self, page: SourcePage, run: Run, outcome: JudgedLink) -> str:
        link, words = outcome.link, " ".join(run.text.split())
        target = self.links.target(page, link)
        if outcome.verdict == LinkVerdict.OUTSIDE:
            return f"[{words}]({link.href})" if words else link.href
        if outcome.verdict == LinkVerdict.FILE:
            return f"[{words}]({self.files.copy_name(page, link.href, run.line, DOWNLOADS)})"
        if outcome.verdict == LinkVerdict.WORDS and target and target.page and target.page.name in self.names:
            anchor = f"#{target.anchor}" if target.anchor else ""
            file = "" if target.page is page and anchor else self.names[target.page.name]
            return f"[{words}]({file}{anchor})"
        return outcome.becomes
