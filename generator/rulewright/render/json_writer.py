"""Writer of nodes as JSON, for other programs; content/docs/data.md documents its form."""

from __future__ import annotations

import re
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

from rulewright.document import nodes
from rulewright.document.targets import Target, TargetId
from rulewright.references import site_paths
from rulewright.render.diagram_renderer import diagram_name
from rulewright.render.render_context import RenderContext
from rulewright.schema.diagram_model import DiagramSpec

JsonObject = dict[str, Any]

_OF_PAGES = ("plain_title", "actors_change", "is_block", "has_loop")  # fields of steps that only pages need
_SPACE = re.compile(r"\s+")
_CAPITAL = re.compile(r"(?<!^)(?=[A-Z])")


@dataclass(frozen=True, slots=True)
class JsonWriter:
    """Writer with links below `base`, the URL of the site."""

    context: RenderContext
    base: str = ""

    def href(self, target: Target) -> str:
        """Return the link to an object."""
        page, fragment = self.context.page_and_fragment(target)
        return site_paths.absolute_link(self.base, page) + fragment

    def value(self, value: object) -> Any:
        """Return a node, a list of nodes, or a part of a node.

        A node is an object whose first key is its kind, with the value of its first field; a target is the
        link to it.
        """
        match value:
            case str():
                return _SPACE.sub(" ", value)
            case TargetId():
                return self.href(self.context.targets.find(value))
            case tuple():
                return list(map(self.value, value))
            case DiagramSpec():
                return diagram_name(value)
            case nodes.TableNode():
                return {"table": self.value(value.target)}
        if not is_dataclass(value):
            return value
        names = [field.name for field in fields(value) if field.name not in _OF_PAGES]
        kind = _CAPITAL.sub("_", type(value).__name__.removesuffix("Node")).lower()
        return {kind: self.value(getattr(value, names[0]))} | self.fields(value, *names[1:])

    def fields(self, node: object, *names: str) -> JsonObject:
        """Return fields of a node, without those that are empty."""
        return {name: self.value(value) for name in names if (value := getattr(node, name))}
