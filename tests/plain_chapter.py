"""Chapters as plain data, to compare what they say."""

from collections.abc import Mapping
from typing import Any

from rulewright.files.located_text import LocatedText, Node, YamlMapping, YamlSequence
from rulewright.files.yaml_tree import load_yaml_tree
from rulewright.schema.rulebook import Chapter, RuleNote


def plain_chapter(data: bytes) -> Any:
    """Return a chapter's file as mappings, lists and texts; `rules` and `notes` are lists."""
    root, problems = load_yaml_tree("chapter.yml", data)
    assert root is not None
    assert not problems
    return _plain(root, Chapter)


def _plain(node: Node | None, model: Any = None) -> Any:
    if isinstance(node, YamlMapping):
        entries = model.expand_shorthand(node.entries) if model else node.entries
        inside = {"rules": Chapter, "notes": RuleNote} if model is Chapter else {}
        return {str(key): _plain(value, inside.get(key)) for key, value in entries.items()}
    if isinstance(node, YamlSequence):
        return [_plain(item, model) for item in node.items]
    return str(node) if isinstance(node, LocatedText) else ""


def keyed(chapter: Mapping[str, Any]) -> dict[str, Any]:
    """Return a chapter or rule of plain data with its list `rules` as keys of numbers and titles."""
    result = {key: value for key, value in chapter.items() if key != "rules"}
    for rule in chapter.get("rules", ()):
        head = f"{rule['number']} {rule.get('title', '')}".strip()
        result[head] = keyed({key: value for key, value in rule.items() if key not in ("number", "title")})
    return result
