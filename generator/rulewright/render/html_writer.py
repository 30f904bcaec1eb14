"""Writer of nodes as HTML, with links that start from one page."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, assert_never

from rulewright.book.table_entries import Source
from rulewright.document.nodes import (
    Block,
    BoldNode,
    Change,
    DeletedNode,
    DrawingNode,
    ErrataMarkNode,
    ExternalNode,
    FigureNode,
    ImageNode,
    Inline,
    InsertedNode,
    ItalicNode,
    Line,
    ListNode,
    NameNode,
    NoteNode,
    ParagraphNode,
    RangeNode,
    ReferenceNode,
    RetirementNode,
    SymbolNode,
    TableLinkNode,
    TableNode,
)
from rulewright.document.targets import Target, TargetId
from rulewright.references import site_paths
from rulewright.references.edition_texts import ADDS, REPLACES, VOIDS
from rulewright.render.drawings import diagram_html, find_symbol, symbol_html
from rulewright.render.html_escaping import attribute, builtin, text_html, trim_lines
from rulewright.render.screen_reader_text import (
    spoken_number,
)
from rulewright.render.table_html import TableHtml
from rulewright.schema.text_document import SIGNED

if TYPE_CHECKING:
    from rulewright.render.render_context import RenderContext

NOTE_KINDS = {
    "design": "Design note",
    "play": "Play note",
    "example": "Example",
    "important": "Important",
    "exception": "Exception",
}
"""Headings of the kinds of note."""

OVERRIDDEN = {REPLACES: "replaced by", ADDS: "extended by", VOIDS: "voided by"}
"""What a rule of a game does to a rule of the series, in words that follow the latter."""
OVERRIDING = {REPLACES: "Replaces", ADDS: "Adds to", VOIDS: "Voids"}
OVERRIDE_SIGNS = {REPLACES: "→", ADDS: "+", VOIDS: "×"}

_PLACES = {
    "centre": "; margin-inline: auto; text-align: center",
    "left": "; float: left; margin: .3rem 0 .6rem; margin-right: 1rem",
    "right": "; float: right; margin: .3rem 0 .6rem; margin-left: 1rem",
}
"""Styles of figures by their places."""


@dataclass(frozen=True, slots=True)
class HtmlWriter:
    """Writer for one page."""

    path: str
    """The page from which links start."""
    context: RenderContext
    page_link: str = ""
    """The link to the page with the nodes; empty if that is `path`."""
    has_anchors: bool = False
    """The items of lists have anchors, as on the page of their chapter."""

    errata: dict[TargetId, None] = field(default_factory=dict, repr=False)
    """The errata whose marks it has written."""

    def for_page(self, page_link: str) -> HtmlWriter:
        """Return the writer of a chapter's page beside `path`. `page_link`: the link to that page."""
        return replace(self, page_link=page_link, has_anchors=True)

    # Links

    def href(self, target: Target | Source) -> str:
        """Return the link to an object."""
        page, fragment = self.context.page_and_fragment(target)
        return fragment if page == self.path else site_paths.relative_link(self.path, page) + fragment

    def file_link(self, name: str) -> str:
        """Return the link to a file of the content folder."""
        return site_paths.relative_link(self.path, name.removeprefix("content/")).rstrip("/")

    # Words

    def inline(self, inline: Iterable[Inline]) -> str:
        """Return nodes in one line."""
        return trim_lines(self.words(inline))

    def references(self, references: Iterable[Line]) -> str:
        """Return a list of references."""
        return ", ".join(map(self.words, references))

    def words(self, inline: Iterable[Inline]) -> str:
        """Return nodes in the middle of a line."""
        return "".join(map(self._inline_node, inline))

    def _inline_node(self, node: Inline) -> str:
        match node:
            case str():
                return text_html(node)
            case ReferenceNode():
                return self._reference(node)
            case NameNode():
                target = self.context.targets.find(node.target)
                href, title = attribute(self.href(target)), attribute(self.context.name(target))
                return f'<a class="named" href="{href}" title="{title}">{text_html(node.words)}</a>'
            case BoldNode():
                return f"<strong>{self.words(node.inline)}</strong>"
            case ItalicNode():
                return f"<em>{self.words(node.inline)}</em>"
            case RangeNode():
                return '<span aria-hidden="true">–</span>'.join(map(self.words, node.ends))
            case TableLinkNode():
                href = attribute(self.href(self.context.targets.find(node.target)))
                return f'<a class="to-table" href="{href}">{attribute(node.words)}</a>'
            case ExternalNode():
                title = attribute(f"{node.title} ({node.site})")
                return (
                    f'<a class="ref away" rel="external" href="{attribute(node.href)}" title="{title}">'
                    f"{text_html(node.words)}</a>"
                )
            case ImageNode():
                return self._image(node, ' class="icon"') if node.file else f"[{attribute(node.words)}]"
            case SymbolNode():
                return self._symbol(node)
            case DeletedNode():
                return self._changed_words("del", "printed", node.inline)
            case InsertedNode():
                return self._changed_words("ins", "now", node.inline)
            case ErrataMarkNode():
                return "".join(map(self._errata_link, node.errata))
        assert_never(node)

    def _reference(self, node: ReferenceNode) -> str:
        rule, words, number = self.context.targets.rule(node.target), node.words, node.number
        title = self.context.name(rule).replace(rule.key, number, 1)
        is_listed = not (rule.rule or rule in self.context.index.tables_by_target)
        # Heard alone, (B) is 14.7d B, and the end of a range says that it is one.
        spoken = spoken_number(number) if number.endswith(words) else ""
        spoken = f"to {spoken or number}" if node.ends_range else "" if spoken == words else spoken
        classes = (
            f"ref{' listed' if is_listed else ''}{' whole' if '-' in words and ' ' not in words else ''}"
        )
        title += " (number only)" if is_listed else ""
        overrides = self._overrides(node) if node.shows_overrides else ""
        return (
            f'<a class="{classes}" href="{attribute(self.href(rule))}" title="{attribute(title)}"'
            f' data-ref="{attribute(f"{node.target.edition}:{rule.key}")}"'
            f"{_optional('aria-label', '' if node.has_label else spoken)}>{text_html(words)}</a>{overrides}"
        )

    def _overrides(self, node: ReferenceNode) -> str:
        """Return the rules of the game that override a rule of its series."""
        game = self.context.index.outlines["/".join(self.path.split("/")[:2])].edition
        links = [
            f' <span aria-hidden="true">{OVERRIDE_SIGNS[override.sort]}</span>'
            f'<span class="spoken" lang="en">{OVERRIDDEN[override.sort]} </span>'
            f'<a class="ref" href="{attribute(self.href(override.by))}" title="'
            f"{attribute(self.context.game_name(override.by.edition))}: {OVERRIDDEN[override.sort]} "
            f'{attribute(self.context.name(override.by))}">{attribute(override.by.printed)}</a>'
            for override in self.context.overrides.in_game(self.context.targets.rule(node.target), game)
        ]
        return f'<span class="instead">{"".join(links)}</span>' if links else ""

    def _symbol(self, node: SymbolNode) -> str:
        edition = self.context.index.outlines[node.edition].edition
        symbol = find_symbol(node.name, edition)
        assert symbol
        if symbol.file not in edition.shared:
            return (
                attribute(symbol.words)
                if symbol.file
                else symbol_html(symbol, stands_alone=node.stands_alone)
            )
        href = attribute(self.file_link(symbol.file))
        return f'<img class="icon" src="{href}" alt="{attribute(symbol.words)}">'

    def _image(self, node: ImageNode, classes: str = "") -> str:
        style = f"width: {_length(node.width)}; " if node.width else ""
        if node.width or node.height:
            style += f"height: {_length(node.height) if node.height else 'auto'}"
        style += "; object-fit: contain" if node.width and node.height else ""
        return self._img(node.file, node.alt or node.caption, style, classes)

    def _img(self, file: str, alt: str, style: str, classes: str = "") -> str:
        src = attribute(self.file_link(file))
        return f'<img{classes} src="{src}" alt="{attribute(alt)}"{_optional("style", style)} loading="lazy">'

    def _changed_words(self, tag: str, state: str, inline: Line) -> str:
        return (
            f'<{tag} class="erratum"><span class="spoken" lang="en">[{state}: </span>'
            f'<span class="w">{self.words(inline)}</span><span class="spoken">]</span></{tag}>'
        )

    def _errata_link(self, target: TargetId) -> str:
        self.errata[target] = None
        entry = self.context.targets.erratum(target)
        assert entry.erratum
        number = entry.erratum.number
        title = attribute(f"{entry}, {entry.erratum.date}")
        sign = f"E{number}" if number[:1].isdigit() else str(number)
        return (
            f'<a class="erratum-sign" href="{attribute(self.href(entry))}" title="{title}">'
            f'<span class="spoken" lang="en">{attribute(str(entry))}</span>'
            f'<span aria-hidden="true">{attribute(sign)}</span></a>'
        )

    # Blocks

    def blocks(self, blocks: Iterable[Block]) -> str:
        """Return blocks below each other."""
        return "\n".join(filter(None, map(self._block, blocks)))

    def text(self, blocks: Iterable[Block], classes: str = "text") -> str:
        """Return the blocks of a text."""
        return f'<div class="{classes}">\n{self.blocks(blocks)}\n</div>\n'

    def _block(self, node: Block) -> str:
        match node:
            case ParagraphNode():
                if node.heading:
                    anchor = _optional("id", node.heading if self.has_anchors else "")
                    return f'<h6 class="heading"{anchor}>{self.inline(node.inline)}</h6>'
                return f"<p{self._change(node.change)}>{self.inline(node.inline)}</p>"
            case ListNode():
                return self._list(node)
            case FigureNode():
                return self.figure(node)
            case DrawingNode():
                return self.drawing(node)
            case NoteNode():
                title = f" <b>{self.inline(node.title)}</b>" if node.title else ""
                kind = builtin(NOTE_KINDS.get(node.kind, attribute(node.kind)))
                drawing = f"{self.drawing(node.drawing)}\n" if node.drawing else ""
                return (
                    f'<div class="note {attribute(node.kind)}" role="note">\n'
                    f'<p class="label">{kind}{title}</p>\n{self.blocks(node.blocks)}\n{drawing}</div>'
                )
            case ImageNode():
                caption = attribute(node.caption) if node.file else self._missing_picture(node.words)
                caption = f"<figcaption>{caption}</figcaption>" if caption else ""
                return f'<figure class="inset">{self._image(node) if node.file else ""}{caption}</figure>'
            case SymbolNode():
                return self._symbol(node)
            case TableNode():
                return f'<div class="table-entry">\n{TableHtml(self).table(node, is_main=False)}</div>'
        assert_never(node)

    def _change(self, change: Change) -> str:
        if not change:
            return ""
        return f' class="erratum {"gone" if change == "deleted" else "come"}"'

    def _list(self, node: ListNode) -> str:
        items = []
        for item in node.items:
            anchor = _optional("id", item.anchor if self.has_anchors else "")
            inner = "".join(map(self._block, item.blocks))
            items.append(f"<li{anchor}{self._change(item.change)}>{self.inline(item.inline)}{inner}</li>")
        tag = "ol" if node.first > 0 else "ul"
        start = f' start="{node.first}"' if node.first > 1 else ""
        labelled = ' data-signed=""' if node.first == SIGNED else ""
        return f"<{tag}{start}{self._change(node.change)}{labelled}>{''.join(items)}</{tag}>"

    def _missing_picture(self, words: str) -> str:
        return f"{builtin('Picture:')} {attribute(words)}"

    def figure(self, node: FigureNode) -> str:
        """Return a picture; its text alternative if there is no such file."""
        if not node.file:
            caption = f"<figcaption>{self._missing_picture(node.alt)}</figcaption>"
            return f"<figure{_placement(node)}>{caption}</figure>"
        style = "width: 100%; height: auto" if node.width else ""
        caption = f"<figcaption>{self.inline(node.caption)}</figcaption>" if node.caption else ""
        return f"<figure{_placement(node)}>{self._img(node.file, node.alt, style)}{caption}</figure>"

    def drawing(self, node: DrawingNode) -> str:
        """Return a diagram with the legend of its areas and its caption."""
        edition = self.context.index.outlines[node.edition].edition
        caption = f"<figcaption>{self.inline(node.caption)}</figcaption>\n" if node.caption else ""
        diagram = diagram_html(node.diagram, edition)
        return f'<figure class="drawn"{_placement(node)}>\n{diagram}{caption}</figure>'

    def retirement(self, node: RetirementNode) -> str:
        """Return the statement that a rule is no longer in force."""
        words = builtin("This rule holds no more")
        if node.replaced_by:
            words += f"{builtin('; in its place:')} {self.references(node.replaced_by)}"
        reason = f" {self.inline(node.reason)}" if node.reason else ""
        mark = '<strong lang="en">Retired.</strong>'
        return f'<p class="notice retired" role="note">{mark} {words}.{reason}</p>\n'


def _optional(name: str, value: str) -> str:
    """Return an attribute; nothing if it has no value."""
    return f' {name}="{attribute(value)}"' if value else ""


def _length(side: str) -> str:
    return side if side.endswith("%") else f"{side}px"


def _placement(node: FigureNode | DrawingNode) -> str:
    """Return the style of a figure: its greatest width and its place."""
    if not (node.width or node.place):
        return ""
    width = f"width: {_length(node.width)}; " if node.width else ""
    maximum = "48%" if node.place in ("left", "right") and not node.width else "100%"
    style = f"{width}max-width: {maximum}{_PLACES.get(node.place, '')}"
    return _optional("style", style)
