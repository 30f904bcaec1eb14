"""Chapters as plain data, to compare what they say."""

from collections.abc import Mapping
from typing import Any

from rulewright.model.rulebook import Chapter, Note
from rulewright.source.text import Items, Keys, Node, Text
from rulewright.source.tree import load


def plain_chapter(data: bytes) -> Any:
    """Return a chapter's file as mappings, lists and texts; `rules` and `notes` are lists."""
    root, problems = load("chapter.yml", data)
    assert root is not None
    assert not problems
    return _plain(root, Chapter)


def _plain(node: Node | None, model: Any = None) -> Any:
    if isinstance(node, Keys):
        entries = model.spelt_out(node.entries) if model else node.entries
        inside = {"rules": Chapter, "notes": Note} if model is Chapter else {}
        return {str(key): _plain(value, inside.get(key)) for key, value in entries.items()}
    if isinstance(node, Items):
        return [_plain(item, model) for item in node.items]
    return str(node) if isinstance(node, Text) else ""


def keyed(chapter: Mapping[str, Any]) -> dict[str, Any]:
    """Return a chapter or rule of plain data with its list `rules` as keys of numbers and titles."""
    made = {key: value for key, value in chapter.items() if key != "rules"}
    for rule in chapter.get("rules", ()):
        head = f"{rule['number']} {rule.get('title', '')}".strip()
        made[head] = keyed({key: value for key, value in rule.items() if key not in ("number", "title")})
    return made
