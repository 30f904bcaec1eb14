"""Words of the content as nodes of JSON, which `templates/print/words.typ` sets.

    text ──text.document──► blocks, words ──here──► nodes

An inline node is a string or one of

    {"b": [...]}, {"i": [...]}                                bold, italic
    {"ref": [...], "to": "12.5"} or {"ref": [...], "url": …}  a reference; "pages": the rule whose page to say
    {"picture": "content/…/depot.png", "alt": "…", "width": "120", "height": "50%"}

and a block one of

    {"p": [...]}, {"list": [[block, ...], ...], "first": 1}, {"figures": [picture, ...]}

with "errata" where errata changed its words: the numbers of those. First is 0 for a list of bullets. No word
is ever Typst markup. Which texts were set is kept beside, so that `lacking` leads to the place of a sign.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from unicodedata import category, normalize

from rulewright.book.library import Edition
from rulewright.book.outline import Outline, RuleEntry
from rulewright.book.series_inheritance import series_citation_names
from rulewright.book.table_entries import TableEntry, table_of_file
from rulewright.files.located_text import LocatedText, TextKey
from rulewright.files.problems import SourceLocation
from rulewright.print.line_break_points import BREAK, with_break_points
from rulewright.references.citable_items import Citable, ListItem
from rulewright.references.reference_types import (
    CitableReference,
    ExternalReference,
    FaultyReference,
    Reference,
    RuleReference,
)
from rulewright.render import drawings
from rulewright.render.render_context import RenderContext
from rulewright.schema.aid_blocks import PictureBlock
from rulewright.schema.amended_text import COME, KEPT, AmendedText
from rulewright.schema.diagram_model import DiagramSpec
from rulewright.schema.inline_images import InlineImage, sibling_name
from rulewright.schema.rulebook import Figure
from rulewright.schema.text_document import Block, Inline, TextList, TextParagraph, strip_whitespace
from rulewright.schema.text_document import TextRun as Run

TemplateData = dict[str, Any]
"""Values that a template of Typst gets, by their names."""

Node = str | TemplateData
Where = Callable[[RuleEntry], Mapping[str, str]]
"""Where a reference to a rule leads: `to` a place in the document, or a `url`; empty where nowhere."""

_CHAINS = ("/", ",", "+", ";")
_SPACE = re.compile(r"[ \t\r\n\f\v]+")
_UNSEEN = ("Cc", "Cf", "Zl", "Zp", "Zs")  # categories of signs that need no glyph
_VARIANTS = range(0xFE00, 0xFE10)


@dataclass(slots=True)
class TextNodes:
    """Sets the texts of one document.

    `pictures` are the names of those that stand in them, `drawings_by_name` the drawings by name.

    `plain` is applied to every run of words, such as to make 1/2 one sign; `table` sets a table that stands
    in a text.
    """

    context: RenderContext
    outline: Outline
    link_target: Where
    plain: Callable[[str], str] = str
    table: Callable[[TableEntry], Node] | None = None
    pictures: dict[str, None] = field(default_factory=dict)
    drawings_by_name: dict[str, bytes] = field(default_factory=dict)
    _texts: dict[TextKey, LocatedText] = field(default_factory=dict)

    def break_words(self, words: str) -> str:
        """Words as they are set, long ones with places where a line may end."""
        return with_break_points(self.plain(words))

    def inline(
        self, text: LocatedText, until: int | None = None, edition: Edition | None = None
    ) -> list[Node]:
        """A text in one line; only what stands before `until`. `edition`: of a term, which several share."""
        self.record_text(text)
        return self._nodes(text, self.context.shelf.document(text, edition).inline(0, until))

    def title(self, text: LocatedText) -> list[Node]:
        """A text in one line whose references lead nowhere, such as a heading, which the contents repeat."""
        return _unlinked(self.inline(text))

    def name(self, text: LocatedText | None) -> str:
        """A text in which no sign means anything, such as a number or a label; empty where there is none."""
        if text is None:
            return ""
        self.record_text(text)
        return self.plain(str(text))

    def record_text(self, text: LocatedText) -> None:
        """Keep a text that is set by others, for `missing_glyphs`."""
        self._texts.setdefault(text.key, text)

    def blocks(self, text: LocatedText) -> list[Node]:
        self.record_text(text)
        changes = _changes(text)
        return [self._block(text, block, changes) for block in self.context.shelf.document(text).blocks]

    def see(self, texts: Iterable[LocatedText], edition: Edition | None = None) -> list[list[Node]]:
        """The references of a `see:`, one by one; the two ends of a range are one. `edition`: of a term."""
        shown: list[list[Node]] = []
        for text in texts:
            self.record_text(text)
            resolved = self.context.shelf.references(text, edition)
            for at, reference in enumerate(resolved):
                node = self._reference(text, resolved, at, named=True)
                if reference.match.ends_range and shown:
                    shown[-1] += ["–", *node]
                else:
                    shown.append(node)
            if not resolved:
                shown.append([self.break_words(str(text))])
        return shown

    def missing_glyphs(self, glyphs: Collection[str]) -> dict[str, SourceLocation]:
        """Signs of texts that the type lacks, each with the place where it is written first."""
        found: dict[str, SourceLocation] = {}
        for text in self._texts.values():
            for sign in sorted(set(normalize("NFC", text)).difference(glyphs, found)):
                if category(sign) not in _UNSEEN and ord(sign) not in _VARIANTS:
                    found[sign] = text.location_of(max(0, text.find(sign)))
        return found

    def place_of(self, words: str) -> SourceLocation | None:
        """The place where words stand first; None where they are not written so."""
        texts = ((text, text.find(words)) for text in self._texts.values())
        return next((text.location_of(at) for text, at in texts if at >= 0), None)

    def _nodes(self, text: LocatedText, inline: Sequence[Inline]) -> list[Node]:
        opened: list[list[Node]] = [[]]
        resolved = [run.target for run in inline if isinstance(run, Run) and run.target]
        at = 0
        for one in strip_whitespace(inline):
            if isinstance(one, InlineImage):
                opened[-1].append(self._picture(text, one))
            elif isinstance(one, Run) and one.target:
                opened[-1] += self._reference(text, resolved, at)
                at += 1
            elif isinstance(one, Run):
                said = self.break_words(_SPACE.sub(" ", one.words))
                # Between references a chain goes on that neither of them sees.
                opened[-1].append(said + BREAK if said in _CHAINS and opened[-1] else said)
            elif one.tag.startswith("/"):
                inner = opened.pop()
                opened[-1].append({"b" if one.tag == "/strong" else "i": inner})
            elif one.tag:
                opened.append([])
        return opened[0]

    def _block(self, text: LocatedText, block: Block, changes: list[tuple[int, int, str]]) -> Node:
        if isinstance(block, TextList):
            items = [
                [self._paragraph(text, item, changes)]
                + [self._block(text, inner, changes) for inner in item.lists]
                for item in block.items
            ]
            return {"list": items, "first": block.first}
        alone = block.pictures
        if len(alone) == 1 and alone[0].is_table and self.table:
            tables = self.context.shelf.editions[self.outline.edition.address].tables
            if table := table_of_file(tables, sibling_name(text.file.name, alone[0].file)):
                return self.table(table)
        if alone:
            return {"figures": [self._picture(text, image) for image in alone]}
        return self._paragraph(text, block, changes)

    def _paragraph(self, text: LocatedText, one: TextParagraph, changes: list[tuple[int, int, str]]) -> Node:
        errata = dict.fromkeys(number for a, b, number in changes if a <= one.end and one.start <= b)
        return {"p": self._nodes(text, one.inline), **({"errata": [*errata]} if errata else {})}

    def _picture(self, text: LocatedText, inset: InlineImage) -> Node:
        """A picture, or its words where its file is not there; a sign stands as high as its `em` says."""
        if inset.sign:
            sign = drawings.symbol_drawing(inset.sign, self.outline.edition)
            return self.drawing(sign) | {"em": sign.height} if sign else self.plain(f":{inset.sign}:")
        name = sibling_name(text.file.name, inset.file)
        if inset.is_table or name not in self.outline.edition.files:
            return self.break_words(inset.words)
        self.pictures[name] = None
        made = {"picture": name, "alt": inset.alt or inset.caption or name.rpartition("/")[2]}
        caption = [self.break_words(inset.caption)] if inset.caption else []
        sides = {"width": inset.width, "height": inset.height, "caption": caption}
        return made | {side: value for side, value in sides.items() if value}

    def figure(self, name: str, one: Figure | PictureBlock) -> TemplateData:
        caption = self.inline(one.caption) if one.caption else []
        said = {"width": str(one.width or ""), "place": str(one.place or ""), "caption": caption}
        made: TemplateData = {"picture": name, "alt": self.name(one.alt)}
        return made | {key: value for key, value in said.items() if value}

    def diagram(self, one: DiagramSpec) -> list[Node]:
        """A diagram as blocks: the drawing, and what is below it."""
        made = drawings.diagram_drawing_of(one, self.outline.edition)
        sides = {"width": str(one.width or "100%")}
        blocks: list[Node] = [{"figures": [self.drawing(made) | sides]}] if made else []
        return [*blocks, *([{"p": self.inline(one.title)}] if one.title else [])]

    def drawing(self, made: drawings.Drawing) -> TemplateData:
        if made.data:
            self.drawings_by_name[made.name] = made.data
        else:
            self.pictures[made.name] = None
        return {"picture": made.name, "alt": made.words}

    def _reference(
        self, text: LocatedText, resolved: Sequence[Reference], at: int, named: bool = False
    ) -> list[Node]:
        """A reference with what says where it leads. The end of a range says the page where it starts."""
        reference = resolved[at]
        words = self.break_words(_SPACE.sub(" ", reference.words_in(text).words))
        match reference:
            case ExternalReference():
                return [{"ref": [words], "url": reference.href, "site": reference.site}]
            case CitableReference():
                return self._thing(words, reference.citable)
            case FaultyReference():
                return [words]
        target = reference.target
        lead = dict(self.link_target(target))
        if "to" in lead and not (at + 1 < len(resolved) and resolved[at + 1].match.ends_range):
            first = resolved[at - 1] if reference.match.ends_range and at else reference
            begins = first.target if isinstance(first, RuleReference) else target
            lead["pages"] = self.link_target(begins).get("to", lead["to"])
        made: list[Node] = [
            self._series(text, reference, target, named),
            {"ref": [words], **lead} if lead else words,
        ]
        own = self.outline.edition
        if target.edition not in own.with_series:
            made.append(f" of {target.edition.short}")
        for other in (
            self.context.overrides.in_game(target, own) if named and own is not target.edition else ()
        ):
            made += [f" {SIGNS[other.sort]}", {"ref": [str(other.by.printed)], **self.link_target(other.by)}]
        return [node for node in made if node]

    def _thing(self, words: str, thing: Citable) -> list[Node]:
        """A reference to what is no rule: it leads to the rule that it is in, if it is in one."""
        entry = thing.entry if isinstance(thing, ListItem | TableEntry) else None
        lead = self.link_target(entry) if entry else {}
        made: list[Node] = [{"ref": [words], **lead} if lead else words]
        known = isinstance(thing, ListItem) or thing.edition.address in {
            edition.address for edition in self.outline.edition.with_series
        }
        return made if known else [*made, f" of {thing.edition.short}"]

    def _series(self, text: LocatedText, one: RuleReference, target: RuleEntry, named: bool) -> str:
        """The name of the series, before a number that its game has too, where the text lacks it."""
        own = self.outline.edition
        is_mark = one.match.mark_span and one.match.book and not one.match.label
        bare = named or not own.has_written(text) or is_mark
        is_series = target.edition is not own and own.base and target.edition in own.with_series
        is_named = is_series and bare and target.key in self.outline.entries
        return f"{series_citation_names(target.edition.book)[0]} " if is_named else ""


SIGNS = {"replaces": "→", "adds to": "+", "voids": "×"}
"""Signs for the ways in which a game changes a rule of its series, between the numbers of the two."""


def _unlinked(nodes: Iterable[Node]) -> list[Node]:
    """Nodes with the words of references instead of these."""
    made: list[Node] = []
    for node in nodes:
        if isinstance(node, str):
            made.append(node)
        elif "ref" in node:
            made += _unlinked(node["ref"])
        else:
            made.append(
                {key: _unlinked(value) if key in ("b", "i") else value for key, value in node.items()}
            )
    return made


def _changes(text: LocatedText) -> list[tuple[int, int, str]]:
    """Where errata changed a text: from and to which of its characters, and the number of the erratum."""
    changes, at = [], 0
    for run in text.runs if isinstance(text, AmendedText) else ():
        length = len(run.words) if run.change in (KEPT, COME) else 0
        if run.erratum:
            changes.append((at, at + length, str(run.erratum.number)))
        at += length
    return changes


_NO_WORDS = (
    "to",
    "url",
    "pages",
    "key",
    "rule",
    "anchor",
    "picture",
    "width",
    "height",
    "place",
    "note",
    "is",
    "style",
)
"""Names in nodes whose values are no words, unless they are lists."""


_INSIDE = ("body", "steps", "told", "index", "under")
_INLINE = {"b", "i", "ref", "picture"}


def node_lines(node: Mapping[str, Any]) -> Iterator[str]:
    """The words of a block, with lines of their own for what stands in it."""
    own = {name: value for name, value in node.items() if name not in _INSIDE}
    if line := " ".join("".join(node_words(own)).replace(BREAK, "").split()):
        yield line
    for one in (one for name in _INSIDE for one in node.get(name, ())):
        if isinstance(one, dict):
            yield from node_lines(one)


def node_words(node: Any, unseen: str = "") -> Iterator[str]:
    """Every word of a node, with a space between what stands apart, but those of the name `unseen`."""
    if isinstance(node, str):
        yield node
    elif isinstance(node, list):
        apart = not all(
            isinstance(one, str) or (isinstance(one, dict) and one.keys() & _INLINE) for one in node
        )
        for one in node:
            yield from node_words(one, unseen)
            if apart:
                yield " "
    elif isinstance(node, dict):
        for name, value in node.items():
            if name not in ("errata", unseen) and (name not in _NO_WORDS or isinstance(value, list)):
                yield from node_words(value, unseen)
                yield "" if name in ("b", "i", "ref", "p") else " "


def joined_nodes(lists: Iterable[list[Node]]) -> list[Node]:
    """Join lists of nodes with commas."""
    return [node for at, nodes in enumerate(lists) for node in ([", "] if at else []) + nodes]
