"""Pages without rules: copied as Markdown, with links to rules as references and others to the new pages."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from rulewright.files.anchors import heading_anchor
from rulewright.files.filenames import unique_name
from rulewright.imports.blocks import Link, Run, SourceBlock, plain
from rulewright.imports.links import LinkResolver, LinkVerdict
from rulewright.imports.prose import CopiedFiles
from rulewright.imports.reading.shortcodes import expand_shortcodes
from rulewright.imports.sources.source_site import SourcePage
from rulewright.sequence.sequence_step import title_slug

_DOWNLOADS = "files"
_LINK = re.compile(
    r"`[^`]*`|(?<!\\)(?P<sign>!?)\[(?P<words>(?:[^\[\]]|!\[[^\[\]]*\]\([^()\n]*\))*)\]"
    r"\((?P<href><[^<>\n]*>|[^\s<>()]+(?:\([^\s<>()]*\)[^\s<>()]*)?)(?P<more>[^()\n]*)\)"
)
_SIGNS = re.compile(r"[*_`]+")


@dataclass(slots=True)
class PageCopier:
    """Copies pages without rules. `names`: the names of their files."""

    links: LinkResolver
    files: CopiedFiles
    names: dict[str, str] = field(default_factory=dict)

    def name_pages(self, pages: Mapping[SourcePage, Sequence[SourceBlock]], taken: set[str]) -> None:
        for page in pages:
            slug = title_slug(page.title if page.is_index else PurePosixPath(page.name).stem) or "page"
            self.names[page.name] = unique_name(slug, {*taken, *self.names.values()}, ".md")

    def page_text(self, page: SourcePage, blocks: Sequence[SourceBlock]) -> str:
        """Return a page in Markdown. Below a title that it gets here, its headings are one level down."""
        has_title = not page.title or (blocks[0].level and plain(blocks[0].runs) == page.title)
        mark = "" if has_title or all(block.level != 1 for block in blocks) else "#"
        first_line = page.file.location(page.start).line
        lines = expand_shortcodes(page, []).split("\n")
        for block in blocks:
            index = block.line - first_line
            if block.level and block.ids and not lines[index].startswith("<"):
                if block.ids[0] != heading_anchor(plain(block.runs)):
                    lines[index] += f" {{: #{block.ids[0]} }}"
                if lines[index].startswith("#"):
                    lines[index] = mark + lines[index]
        text = "\n" * (first_line - 1) + "\n".join(lines)
        text = _LINK.sub(lambda match: self._new_link(page, match), text).strip()
        return f"{text}\n" if has_title else f"# {page.title}\n\n{text}\n"

    def _new_link(self, page: SourcePage, match: re.Match[str]) -> str:
        """Return a link as a reference, with its new address, or as mere words if it leads nowhere."""
        words, href = match["words"], match["href"]
        if href is None:
            return match.group()
        href = href.strip("<>")
        line = 1 + match.string.count("\n", 0, match.start("href"))
        if match["sign"]:
            self.files.picture_count += 1
            return f"![{words}]({self.files.copy_name(page, href, line)}{match['more']})"
        words = _LINK.sub(lambda picture: self._new_link(page, picture), words)
        run = Run(_SIGNS.sub("", words), line)
        outcome = self.links.judge(page, run, Link(href, line))
        target = self.links.site.target(page, href)
        if outcome.verdict == LinkVerdict.OUTSIDE:
            return match.group()
        if outcome.verdict == LinkVerdict.FILE:
            return f"[{words}]({self.files.copy_name(page, href, line, _DOWNLOADS)})"
        if outcome.verdict == LinkVerdict.WORDS and target and target.page and target.page.name in self.names:
            anchor = f"#{target.anchor}" if target.anchor else ""
            return f"[{words}]({self.names[target.page.name]}{anchor})"
        if self.links.book.scheme.parse_number(words):
            return f"[[{words}]]"
        return outcome.becomes if outcome.becomes != outcome.text else words
