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
        return [_line(node) if isinstance(node, str) else self._inline_node(node) for node in inline]

    def blocks(self, blocks: Iterable[nodes.Block]) -> list[JsonObject]:
        """Return blocks below each other."""
        return [without_empty(self._block(node)) for node in blocks]

    def _inline_node(self, node: nodes.Inline) -> str | JsonObject:
        match node:
            case str():
                return _line(node)
            case nodes.Reference():
                return self._reference(node)
            case nodes.ReferenceRange():
                return {"range": [part for end in node.ends for part in self.inline(end)]}
            case nodes.Name():
                return {"name": _line(node.words), **self._link(node.target)}
            case nodes.TableLink():
                return {"table": node.words, **self._link(node.target)}
            case nodes.ExternalReference():
                return {"ref": _line(node.words), "href": node.href, "title": node.title, "site": node.site}
            case nodes.Bold():
                return {"bold": self.inline(node.inline)}
            case nodes.Italic():
                return {"italic": self.inline(node.inline)}
            case nodes.Image():
                return self._image(node)
            case nodes.Symbol():
                return {"symbol": node.name}
            case nodes.Deleted():
                return {"deleted": self.inline(node.inline)}
            case nodes.Inserted():
                return {"inserted": self.inline(node.inline)}
            case nodes.ErrataMark():
                return {"errata": [target.key for target in node.errata]}
        assert_never(node)

    def _reference(self, node: nodes.Reference) -> JsonObject:
        made: JsonObject = {"ref": _line(node.words), "edition": node.target.edition, "target": node.number}
        if node.between:
            made["through"] = [target.key for target in node.between]
        return made | self._link(node.target)

    def _link(self, target: TargetId) -> JsonObject:
        found = self.context.targets.find(target)
        return {"href": self.href(found), "title": self.context.name(found)}

    def _block(self, node: nodes.Block) -> JsonObject:
        match node:
            case nodes.Paragraph():
                return {"paragraph": self.inline(node.inline), "change": node.change}
            case nodes.ItemList():
                items = [without_empty(self._item(item)) for item in node.items]
                return {"list": items, "first": node.first, "change": node.change}
            case nodes.Figure():
                return {"figure": _path(node.file), "alt": node.alt, "caption": self.inline(node.caption)}
            case nodes.Drawing():
                return {"diagram": diagram_name(node.diagram), "caption": self.inline(node.caption)}
            case nodes.Note():
                blocks = self.blocks(node.blocks)
                blocks += self.blocks([node.drawing]) if node.drawing else []
                return {"note": node.kind, "title": self.inline(node.title), "blocks": blocks}
            case nodes.Image():
                return self._image(node)
            case nodes.Symbol():
                return {"symbol": node.name}
            case nodes.Table():
                return {"table": node.target.key}
        assert_never(node)

    def _item(self, item: nodes.Item) -> JsonObject:
        return {
            "item": self.inline(item.inline),
            "anchor": item.anchor,
            "blocks": self.blocks(item.blocks),
            "change": item.change,
        }

    @staticmethod
    def _image(node: nodes.Image) -> JsonObject:
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
