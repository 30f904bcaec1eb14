"""Fifth stage of an import: the files of an edition."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from rulewright.book.outline import Outline
from rulewright.files.filenames import unique_name
from rulewright.files.yaml_writer import CommentedValue, InlineCollection, ParagraphText, QuotedString, Value
from rulewright.imports import Entries
from rulewright.imports.blocks import Picture, Run, Runs, SourceBlock, expand_spans, plain
from rulewright.imports.book import Book, ImportedRule
from rulewright.imports.links import LinkResolver, LinkVerdict
from rulewright.imports.prose import ProseWriter, written_words
from rulewright.imports.sources.source_site import SourcePage
from rulewright.imports.steps import StepsWriter, bare_name, names_step
from rulewright.imports.tables import TableDraft
from rulewright.references.redirect_targets import anchors_of
from rulewright.schema.rulebook import Chapter
from rulewright.schema.shorthand import write_shorthand_key
from rulewright.schema.text_document import plain_text
from rulewright.schema.yaml_fields import own_and_inherited_keys
from rulewright.sequence.sequence_step import SequenceStep, title_slug

DOWNLOADS = "files"
_MOST_TITLE = 80


@dataclass(frozen=True, slots=True)
class ContentFile:
    """A content file: its keys, and comments at its top."""

    entries: Entries
    comments: Sequence[str] = ()
    holds_words: bool = True
    """Its values are words of the book."""


@dataclass(slots=True)
class ContentWriter:
    """Writes the files of one edition."""

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
        """Make a file for each chapter, with its tables beside it."""
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
        head, more = write_shorthand_key(rule.printed, title, own_and_inherited_keys(Chapter))
        entries: Entries = {**more, **self.rule_keys(rule, title, chapter)}
        value = entries["text"] if [*entries] == ["text"] else entries
        return head, CommentedValue(value, rule.comments) if rule.comments else value

    def rule_keys(self, rule: ImportedRule, title: str, chapter: str) -> Entries:
        """Return the keys of a rule other than its number and title."""
        entries: Entries = {"shows": rule.shows} if rule.shows else {}
        pictures = tuple(run for run in rule.title if run.picture)
        lead = [SourceBlock("paragraph", pictures, rule.page, rule.line)] if pictures else []
        blocks, closing = self.with_tables([*lead, *rule.blocks], [*rule.closing], rule, title, chapter)
        text = self.prose.prose(self.describe_pictures(blocks, rule, title), chapter)
        end = self.prose.prose(self.describe_pictures(closing, rule, title), chapter)
        if not rule.rules:
            text = "\n\n".join(filter(None, [text, end]))
        if text:
            entries["text"] = ParagraphText(text)
        notes = [
            (note.kind, self.prose.prose(self.describe_pictures(note.blocks, rule, title), chapter))
            for note in rule.notes
        ]
        written: list[tuple[str, Value]] = [(kind, ParagraphText(words)) for kind, words in notes if words]
        by_kind: Entries = dict(written)
        entries |= (
            by_kind if len(by_kind) == len(written) else {"notes": [{kind: text} for kind, text in written]}
        )
        for inner in rule.rules:
            head, value = self.rule(inner, chapter)
            entries[head] = value
        if rule.rules and end:
            entries["closing"] = ParagraphText(end)
        return entries

    def describe_pictures(
        self, blocks: Sequence[SourceBlock], rule: ImportedRule, title: str
    ) -> list[SourceBlock]:
        """Return blocks whose figures without words have those of the heading above or of the rule."""
        named = words = title or f"Picture of {rule.printed}"
        made: list[SourceBlock] = []
        for block in blocks:
            if block.kind == "heading":
                words = plain(block.runs) or named
            bare = [r for r in block.runs if r.picture and not r.text and not r.picture.caption]
            if bare and not plain(block.runs):
                self.prose.report.added += [words] * len(bare)
                runs = tuple(replace(run, text=words) if run in bare else run for run in block.runs)
                block = replace(block, runs=runs)
            made.append(block)
        return made

    # Tables

    def with_tables(
        self,
        blocks: list[SourceBlock],
        closing: list[SourceBlock],
        rule: ImportedRule,
        title: str,
        chapter: str,
    ) -> tuple[list[SourceBlock], list[SourceBlock]]:
        """Make a file of each table in blocks. A lone one has the rule's number; several stay in place."""
        tables = [block for block in (*blocks, *closing) if block.kind == "table"]
        placed: dict[int, SourceBlock | None] = {}
        above = ""
        for block in (*blocks, *closing):
            if block.kind == "table":
                placed[id(block)] = self.table(block, above, title, rule, chapter, is_lone=len(tables) == 1)
                above = ""
            elif block.runs:
                words = plain(block.runs)
                bold = block.kind == "heading" or all(run.strong for run in block.runs if run.text.strip())
                above = words if bold and len(words) < _MOST_TITLE else ""
        made = [
            [new for block in part if (new := placed.get(id(block), block))] for part in (blocks, closing)
        ]
        return made[0], made[1]

    def table(
        self, block: SourceBlock, above: str, title: str, rule: ImportedRule, chapter: str, *, is_lone: bool
    ) -> SourceBlock | None:
        """Make the file of a table. Return the block that shows it in its place, if it has one."""
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
        name = (title if is_lone else "") or caption or above or title or f"Table of {rule.printed}"
        entries, fault = draft.entries(
            rule.printed if is_lone else "",
            name,
            caption if caption != name else "",
            f"{caption} {above} {title}",
        )
        comments = []
        if not any(cell.is_header for row in block.rows for cell in row):
            report.guess(page, block.line, "the table has no heading row, so its first row is taken for one")
            comments.append("The page does not mark a heading row; the first row is taken for one.")
        if fault:
            report.guess(page, block.line, fault)
        self.count_words(block, entries, draft, texts)
        self.tables += 1
        short = title_slug(rule.printed) if not re.search(r"[\w.]+\Z", rule.printed) else ""
        file = (
            short or re.sub(r"[^\w.-]+", "-", rule.printed).strip("-")
            if is_lone
            else title_slug(name) or "table"
        )
        taken = {
            own.removeprefix("tables/").removesuffix(".yml")
            for own in self.files
            if own.startswith("tables/")
        }
        file = _free_address(file, taken)
        if not is_lone:
            entries["id"] = file
        self.files[f"tables/{file}.yml"] = ContentFile(entries, comments)
        if is_lone:
            return None
        report.added.append(name)
        run = Run(plain_text(name), block.line, picture=Picture(f"tables/{file}.yml", is_table=True))
        return replace(block, kind="paragraph", runs=(run,), rows=(), caption=(), ids=())

    def count_words(
        self, block: SourceBlock, entries: Entries, draft: TableDraft, texts: Sequence[str]
    ) -> None:
        """Report the words of a table that are in several cells of its file, and heads that become keys."""
        source = Counter(word for text in texts for word in written_words(text))
        written = Counter(written_words(entries))
        heads = " ".join(word for row in draft.header_rows for word in row).lower()
        gone = " ".join((source - written).elements())
        if gone and gone.lower() in heads:
            self.prose.report.leave_out(block.page, block.line, gone, "the head over the rolls of a table")
        self.prose.report.added += (written - source).elements()

    # Known numbers and old addresses

    def known(self) -> ContentFile | None:
        """Return the file of numbers on absent pages that links cite."""
        rules = {rule.key for rule in self.book.rules() if not rule.item and rule.number}
        cited = [one for key, one in self.links.cited.items() if key not in rules and "(" not in key]
        if not cited:
            return None
        entries: list[Value] = [
            InlineCollection({"number": QuotedString(number.key), **({"title": title} if title else {})})
            for number, title in sorted(cited, key=lambda one: one[0].ordinals)
        ]
        remark = (
            "These numbers stand on pages that were not imported; links cite them, and their titles are "
            "taken from the addresses of these links."
        )
        return ContentFile({"lists": "cited", "known": entries}, [remark], holds_words=False)

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
        narrated: dict[str, SequenceStep] = {}
        for step in outline.sequence.iter_steps() if self.steps.entries else ():
            if step.step.narrative:
                narrated.setdefault(bare_name(step.step.title), step)
        shows = {rule.key for rule in self.book.rules() if rule.shows == "narrative"}
        entries: list[Value] = []
        for page in pages:
            key = self.book.page_keys.get(page.name)
            to = key or names.get(page.name, ".").removesuffix(".md")
            anchors: Entries = {}
            for (name, anchor), rule in self.book.rule_keys.items():
                if name == page.name and anchor:
                    words = self.book.headings.get((name, anchor), "")
                    title = bare_name(words)
                    names_of = (name for name in narrated if rule in shows and names_step(title, name))
                    told = narrated.get(next(names_of, ""))
                    anchors[anchor] = QuotedString(f"narrative#{told.anchor}" if told else rule)
            kept = set(anchors_of(texts[page.name].encode())) if page.name in texts else ()
            own = (anchor for name, anchor in self.book.headings if name == page.name)
            anchors |= {anchor: f"{to}#{anchor}" for anchor in own if anchor in kept}
            for address in dict.fromkeys((page.address, *page.aliases)):
                if address == "/":
                    continue  # the home of the old site is that of the new one
                entry: Entries = {"from": address, "to": QuotedString(to) if key else to}
                entries.append({**entry, "anchors": anchors} if anchors else entry)
        what = "Where each page and heading of the imported site is now. The build leaves a signpost at each."
        return ContentFile({"redirects": entries}, [what], holds_words=False)


def own_title(rule: ImportedRule, links: LinkResolver) -> Runs:
    """Return the title of a rule without links to the rule itself."""
    return tuple(
        replace(run, link=None)
        if run.link and links.judge(rule.page, run, run.link).target_number == rule.key
        else run
        for run in rule.title
    )


def draft_table(block: SourceBlock, words: Callable[[Runs], str]) -> TableDraft | None:
    """Return the words of a table in rows of one length; None if it has no body."""
    cells = expand_spans(block.rows, lambda cell: (cell.is_header, words(cell.runs)), (False, ""))
    heads = 0
    while heads < len(cells) and all(is_header or not text for is_header, text in cells[heads]):
        if not any(is_header for is_header, _ in cells[heads]):
            break
        heads += 1
    rows = [[text for _, text in row] for row in cells]
    heads = max(1, heads) if len(rows) > 1 else 0
    body = [row for row in rows[heads:] if any(row)]
    return TableDraft(rows[:heads], body) if body else None


def _free_address(name: str, taken: set[str]) -> str:
    """Return a name that is not taken and short enough for an address."""
    count, made = 2, name
    while made in taken:
        end = f"-{count}"
        made = name + end
        while title_slug(made) != made and "-" in made.removesuffix(end):
            made = made.removesuffix(end).rpartition("-")[0] + end
        count += 1
    return made


# Pages without rules


def page_file_names(pages: Mapping[SourcePage, Sequence[SourceBlock]], taken: set[str]) -> dict[str, str]:
    """Return the name of a file for each page without rules."""
    names: dict[str, str] = {}
    used = set(taken)
    for page in pages:
        stem = page.name.rpartition("/")[2].removesuffix(".md")
        own = title_slug(page.title if stem in ("_index", "index") else stem) or "page"
        names[page.name] = unique_name(own, used, ".md")
        used.add(names[page.name])
    return names


_SIMPLE = re.compile(r"[A-Za-z0-9]+(?: [A-Za-z0-9]+)*")
_LINE_START = re.compile(r"(?m)^(#|>|\d+(?=[.)] ))")


class PageWriter(ProseWriter):
    """Writes pages without rules: links to rules as references, others to the new pages."""

    names: Mapping[str, str] = {}

    def page_text(self, page: SourcePage, blocks: Sequence[SourceBlock]) -> str:
        """Return a page in Markdown."""
        parts: list[str] = []
        title = blocks[0] if blocks and blocks[0].kind == "heading" else None
        if page.title and not (title and plain(title.runs) == page.title):
            parts.append(f"# {page.title}")
        run: list[SourceBlock] = []
        for block in (*blocks, None):
            if block is not None and (block.kind in ("item", "code", "paragraph") and not block.admonition):
                run.append(block)
                continue
            if run:
                parts.append(self.prose(run, up="", as_page=True))
                run = []
            if block is None:
                continue
            if block.kind == "heading":
                words = self.words(page, block.runs, up="", code=True)
                here = "-".join(words.lower().split()) if _SIMPLE.fullmatch(words) else ""
                level = "#" * max(block.level, 1)
                own = f" {{: #{block.anchor} }}" if block.anchor and block.anchor != here else ""
                parts.append(f"{level} {words}{own}")
            elif block.kind == "table":
                parts.append(self.markdown_table(page, block))
            else:
                words = self.prose([replace(block, admonition=None)], up="", as_page=True)
                kind = block.admonition.kind.upper() if block.admonition else ""
                first = block.admonition and not any(
                    one.admonition == block.admonition for one in blocks[: blocks.index(block)]
                )
                quote = (
                    f"**{kind}**\n\n{words}"
                    if kind and kind not in ("QUOTE", "BLOCKQUOTE") and first
                    else words
                )
                parts.append("\n".join(f"> {line}".rstrip() for line in quote.split("\n")))
        return "\n\n".join(filter(None, parts)) + "\n"

    def markdown_table(self, page: SourcePage, block: SourceBlock) -> str:
        rows = expand_spans(
            block.rows, lambda cell: self.words(page, cell.runs, up="", code=True).replace("|", "\\|"), ""
        )
        lines = [f"| {' | '.join(row)} |" for row in rows]
        lines.insert(1, "|" + "---|" * len(rows[0]))
        caption = self.words(page, block.caption, up="", code=True)
        return "\n".join([*([caption, ""] if caption else []), *lines])

    def words(
        self, page: SourcePage, runs: Sequence[Run], chapter: str = "", up: str = "../", *, code: bool = False
    ) -> str:
        escaped = [
            run
            if run.code or run.picture or run.link
            else replace(
                run, text=re.sub(r"\[(?=[^\[\]]*\]\()|<(?=[a-zA-Z/!])", lambda m: f"\ue003{m[0]}", run.text)
            )
            for run in runs
        ]
        text = super().words(page, escaped, chapter, up, code=code).replace("\ue003", "\\")
        return _LINE_START.sub(lambda m: f"\\{m[1]}" if not m[1].isdigit() else m[1], text)

    def page_link(self, page: SourcePage, run: Run, becomes: str, verdict: LinkVerdict) -> str:
        link, words = run.link, " ".join(run.text.split())
        assert link
        target = self.links.target(page, link)
        if verdict == LinkVerdict.OUTSIDE:
            return f"[{words}]({link.href})" if words else link.href
        if verdict == LinkVerdict.FILE:
            return f"[{words}]({self.files.copy_name(page, link.href, run.line, DOWNLOADS)[0]})"
        if verdict == LinkVerdict.WORDS and target and target.page and target.page.name in self.names:
            anchor = f"#{target.anchor}" if target.anchor else ""
            here = target.page is page and anchor
            return f"[{words}]({'' if here else self.names[target.page.name]}{anchor})"
        return becomes
