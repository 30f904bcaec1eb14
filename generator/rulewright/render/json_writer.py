"""Writer of nodes as JSON, for other programs and for print; content/docs/data.md documents its form."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, assert_never

from rulewright.document import nodes
from rulewright.document.targets import Target, TargetId
from rulewright.references import site_paths
from rulewright.render.diagram_renderer import diagram_name
from rulewright.render.render_context import RenderContext

JsonObject = dict[str, Any]

_SPACE = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class JsonWriter:
    """Writer with links below `base`, the URL of the site."""

    context: RenderContext
    base: str = ""

    def href(self, target: Target) -> str:
        """Return the link to an object."""
        page, fragment = self.context.page_and_fragment(target)
        return site_paths.absolute_link(self.base, page) + fragment

    def inline(self, inline: Iterable[nodes.Inline]) -> list[str | JsonObject]:
        """Return nodes in one line."""
        return list(map(self._inline_node, inline))

    def blocks(self, blocks: Iterable[nodes.Block]) -> list[JsonObject]:
        """Return blocks below each other."""
        return [without_empty(self._block(node)) for node in blocks]

    def _inline_node(self, node: nodes.Inline) -> str | JsonObject:
        match node:
            case str():
                return _line(node)
            case nodes.ReferenceNode():
                return self._reference(node)
            case nodes.RangeNode():
                return {"range": [part for end in node.ends for part in self.inline(end)]}
            case nodes.NameNode():
                return {"name": _line(node.words), **self._link(node.target)}
            case nodes.TableLinkNode():
                return {"table": node.words, **self._link(node.target)}
            case nodes.ExternalNode():
                return {"ref": _line(node.words), "href": node.href, "title": node.title, "site": node.site}
            case nodes.BoldNode():
                return {"bold": self.inline(node.inline)}
            case nodes.ItalicNode():
                return {"italic": self.inline(node.inline)}
            case nodes.ImageNode():
                return self._image(node)
            case nodes.SymbolNode():
                return {"symbol": node.name}
            case nodes.DeletedNode():
                return {"deleted": self.inline(node.inline)}
            case nodes.InsertedNode():
                return {"inserted": self.inline(node.inline)}
            case nodes.ErrataMarkNode():
                return {"errata": [target.key for target in node.errata]}
        assert_never(node)

    def _reference(self, node: nodes.ReferenceNode) -> JsonObject:
        made: JsonObject = {"ref": _line(node.words), "edition": node.target.edition, "target": node.number}
        if node.between:
            made["through"] = [target.key for target in node.between]
        return made | self._link(node.target)

    def _link(self, target: TargetId) -> JsonObject:
        found = self.context.targets.find(target)
        return {"href": self.href(found), "title": self.context.name(found)}

    def _block(self, node: nodes.Block) -> JsonObject:
        match node:
            case nodes.ParagraphNode():
                return {"paragraph": self.inline(node.inline), "change": node.change}
            case nodes.ListNode():
                items = [without_empty(self._item(item)) for item in node.items]
                return {"list": items, "first": node.first, "change": node.change}
            case nodes.FigureNode():
                return {"figure": _path(node.file), "alt": node.alt, "caption": self.inline(node.caption)}
            case nodes.DrawingNode():
                return {"diagram": diagram_name(node.diagram), "caption": self.inline(node.caption)}
            case nodes.NoteNode():
                blocks = self.blocks(node.blocks)
                blocks += self.blocks([node.drawing]) if node.drawing else []
                return {"note": node.kind, "title": self.inline(node.title), "blocks": blocks}
            case nodes.ImageNode():
                return self._image(node)
            case nodes.SymbolNode():
                return {"symbol": node.name}
            case nodes.TableNode():
                return {"table": node.target.key}
        assert_never(node)

    def _item(self, item: nodes.ItemNode) -> JsonObject:
        return {
            "item": self.inline(item.inline),
            "anchor": item.anchor,
            "blocks": self.blocks(item.blocks),
            "change": item.change,
        }

    @staticmethod
    def _image(node: nodes.ImageNode) -> JsonObject:
        return without_empty({
            "image": _path(node.file),
            "alt": node.alt,
            "caption": node.caption,
            "width": node.width,
            "height": node.height,
        })  # fmt: skip


def _line(words: str) -> str:
    return _SPACE.sub(" ", words)


def _path(file: str) -> str:
    return file.removeprefix("content/")


def without_empty(values: JsonObject) -> JsonObject:
    """Return values without empty texts and lists."""
    return {key: value for key, value in values.items() if value or value == 0}
