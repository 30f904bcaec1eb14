"""Chapters spelt out: the short forms of a file as the keys and lists that they stand for."""

from typing import Any

import yaml

from rulewright.model.rulebook import Chapter, Note
from rulewright.source.text import Items, Keys, Node, Text
from rulewright.source.tree import load


def spelt_out(data: bytes) -> Any:
    """A chapter's file as plain keys, lists and texts."""
    root, problems = load("chapter.yml", data)
    assert root is not None
    assert not problems
    return _plain(root, Chapter)


def longhand(data: bytes) -> bytes:
    """A chapter's file in long forms."""
    return yaml.safe_dump(spelt_out(data), sort_keys=False, allow_unicode=True, width=70).encode()


def _plain(node: Node | None, model: Any = None) -> Any:
    if isinstance(node, Keys):
        entries = model.spelt_out(node.entries) if model else node.entries
        inside = {"rules": Chapter, "notes": Note} if model is Chapter else {}
        return {str(key): _plain(value, inside.get(key)) for key, value in entries.items()}
    if isinstance(node, Items):
        return [_plain(item, model) for item in node.items]
    return str(node) if isinstance(node, Text) else ""
