"""Check of mkdocs.yml: that it is YAML, and says what a site can be made with."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import yaml

from rulewright.source.folder import CONTENT, SETTINGS
from rulewright.source.problems import Kind, Problem, did_you_mean, kind, shown
from rulewright.source.settings import EXTENSIONS, SHORT_FORMS
from rulewright.source.text import Items, Keys, Node, Text
from rulewright.source.tree import ALIAS, COMMENT, TAG, load

WRONG = kind(
    "site-settings-wrong",
    """No site can be made with what mkdocs.yml says: a plugin that is not installed, an option or a
    setting that there is not, another theme, a folder that is not there, a value of another sort.""",
)

PLUGIN = "rulewright"
_ITS_OPTIONS: Mapping[str, tuple[str, ...]] = {"trusted": (), "headers": (), "short": SHORT_FORMS}
_FLAGS = ("true", "false", "yes", "no", "on", "off")
_TEXT = (
    "site_name", "site_url", "site_description", "site_author", "copyright", "docs_dir", "site_dir",
    "repo_url", "repo_name", "edit_uri", "edit_uri_template", "remote_branch", "remote_name", "dev_addr",
    "google_analytics", "exclude_docs", "draft_docs", "not_in_nav", "INHERIT",
)  # fmt: skip
_SORTS: Mapping[str, tuple[type, ...]] = {
    **dict.fromkeys(_TEXT, (Text,)),
    **dict.fromkeys(("use_directory_urls", "strict"), (Text,)),
    **dict.fromkeys(("nav", "pages", "extra_css", "extra_javascript", "extra_templates", "watch"), (Items,)),
    **dict.fromkeys(("plugins", "markdown_extensions"), (Items, Keys)),
    **dict.fromkeys(("extra", "mdx_configs", "validation"), (Keys,)),
    "theme": (Text, Keys),
    "hooks": (Items, Keys),
}
"""The settings that MkDocs knows, and what is written behind each."""
_SAID: Mapping[type, str] = {Text: "text", Items: "a list", Keys: "keys"}

_MAKES_NOTHING = frozenset((
    "search", "offline", "privacy", "typeset", "info", "meta", "optimize", "minify", "mike", "glightbox",
    "social", "git-revision-date-localized", "git-authors", "git-committers",
))  # fmt: skip
"""Plugins that make no page and change no link."""


@dataclass(frozen=True)
class Settings:
    """Settings that the links of pages depend on. `base`: the path of the site's address.

    `makes_all`: no other plugin makes pages; `more`: extensions of Markdown beside ours, None if unknown.
    """

    nav: tuple[Text, ...] = ()
    base: str = "/"
    makes_all: bool = True
    more: Mapping[str, Any] | None = field(default_factory=dict)

    def anchors(self, page: bytes) -> Mapping[str, str] | None:
        """The anchors of a page; None where an extension makes them that is not known."""
        if self.more is None:
            return None
        from rulewright.citations.redirect_targets import anchors_of

        try:
            return anchors_of(page, self.more)
        except Exception:  # of an extension of others
            return None


@lru_cache(8)
def _loaded(data: bytes) -> tuple[Keys | None, Sequence[Problem], frozenset[int]]:
    """The tree of mkdocs.yml, what is wrong in it, and the lines with tags, which MkDocs has of its own."""
    tree, problems = load(SETTINGS, data)
    passed = {ALIAS.code, TAG.code, COMMENT.code}
    tagged = frozenset(one.place.line for one in problems if one.code == TAG.code)
    keys = tree if isinstance(tree, Keys) else None
    return keys, [one for one in problems if one.code not in passed], tagged


def read(data: bytes) -> Settings:
    """The settings of a site; the usual ones where there are none or they cannot be read."""
    tree, _, tagged = _loaded(data) if data else (None, (), ())
    if tree is None:
        return Settings()
    entries = {str(key): value for key, value in tree.entries.items()}
    plugins = {name.rpartition("/")[2] for name, _ in named(entries.get("plugins"))}
    address = entries.get("site_url")
    base = urlsplit(address).path.rstrip("/") + "/" if isinstance(address, Text) else "/"
    makes_all = not plugins - _MAKES_NOTHING - {PLUGIN} and not entries.keys() & {"hooks", "INHERIT"}
    return Settings(
        tuple(_listed(entries.get("nav"))),
        base,
        makes_all,
        None if tagged else _more(entries.get("markdown_extensions")),
    )


def named(node: Node | None) -> Iterator[tuple[Text, Node | None]]:
    """Names in a list, or keys, each with its options."""
    for item in node.items if isinstance(node, Items) else [node]:
        if isinstance(item, Text):
            yield item, None
        elif isinstance(item, Keys):
            yield from item.entries.items()


def _listed(node: Node | None) -> Iterator[Text]:
    if isinstance(node, Text):
        yield node
    for item in (
        node.items if isinstance(node, Items) else node.entries.values() if isinstance(node, Keys) else ()
    ):
        yield from _listed(item)


def _more(node: Node | None) -> Mapping[str, Any] | None:
    more = {}
    for name, options in named(node):
        try:
            given = (
                yaml.safe_load(options.file.text[options.start : options.end])
                if isinstance(options, Text)
                else _plain(options)
            )
        except (yaml.YAMLError, ValueError):
            return None
        if given or name not in EXTENSIONS:
            more[str(name)] = given or {}
    return more


def _plain(node: Node | None) -> Any:
    if isinstance(node, Keys):
        return {str(key): _plain(value) for key, value in node.entries.items()}
    if isinstance(node, Items):
        return [_plain(one) for one in node.items]
    if node is None:
        return None
    return str(node) if node.style else yaml.safe_load(node)


def faults(project: Path, data: bytes) -> Iterator[Problem]:
    """Report what is wrong in mkdocs.yml, at its place; nothing where there is no such file."""
    if not data:
        return
    tree, problems, tagged = _loaded(data)
    yield from problems
    if tree is None:
        return
    entries = {str(key): (key, value) for key, value in tree.entries.items()}
    for name, (key, value) in entries.items():
        if key.place.line in tagged:
            continue
        if name not in _SORTS:
            yield _at(key, f"there is no setting {shown(key)}{did_you_mean(name, _SORTS)}")
        elif value not in (None, "") and not isinstance(value, _SORTS[name]):
            right = " or ".join(_SAID[sort] for sort in _SORTS[name])
            yield _at(key, f"{name} wants {right} here, and it is {_SAID[type(value)]}")
        elif (
            name in ("strict", "use_directory_urls")
            and isinstance(value, Text)
            and value.lower() not in _FLAGS
        ):
            yield _at(value, f"{name} is true or false")
    if "INHERIT" in entries:
        return
    if not entries.get("site_name", (None, None))[1]:
        yield WRONG.at(tree.place, "site_name is missing: the name of the site", SETTINGS)
    yield from _folders(project, entries)
    yield from _plugins(tree, entries)


def _folders(project: Path, entries: Mapping[str, tuple[Text, Node | None]]) -> Iterator[Problem]:
    given = {name: value for name, (_, value) in entries.items()}
    folder, address, theme = given.get("docs_dir"), given.get("site_url"), given.get("theme")
    if isinstance(folder, Text) and folder and not (project / folder).is_dir():
        yield _at(folder, f"there is no folder {shown(folder)}; write {CONTENT}")
    if isinstance(address, Text) and address and address != "null" and not urlsplit(address).scheme:
        yield _at(address, "an address begins with https://")
    inside = (
        {str(key): value for key, value in theme.entries.items()}
        if isinstance(theme, Keys)
        else {"name": theme}
    )
    name, custom = inside.get("name"), inside.get("custom_dir")
    if isinstance(name, Text) and name not in ("material", "", "null"):
        yield _at(
            name, f"the pages are made for the theme material; write that in the place of {shown(name)}"
        )
    if isinstance(custom, Text) and not (project / custom).is_dir():
        yield _at(custom, f"there is no folder {shown(custom)}")


def _plugins(tree: Keys, entries: Mapping[str, tuple[Text, Node | None]]) -> Iterator[Problem]:
    key, node = entries.get("plugins", (None, None))
    plugins = list(named(node))
    if PLUGIN not in [name for name, _ in plugins]:
        message = f"{SETTINGS} does not name {PLUGIN} among its plugins"
        yield WRONG.at(key.place if key else tree.place, message, SETTINGS)
    if others := [name for name, _ in plugins if name not in (PLUGIN, "search")]:
        from importlib.metadata import entry_points  # late: few sites have other plugins

        installed = {one.name for one in entry_points(group="mkdocs.plugins")}
        for name in others:
            if name not in installed and f"material/{name}" not in installed:
                yield _at(name, f"the plugin {shown(name)} is not installed{did_you_mean(name, installed)}")
    for options in (options for name, options in plugins if name == PLUGIN):
        for option, value in options.entries.items() if isinstance(options, Keys) else ():
            right = _ITS_OPTIONS.get(option)
            if right is None:
                yield _at(
                    option, f"{PLUGIN} has no option {shown(option)}{did_you_mean(option, _ITS_OPTIONS)}"
                )
            elif not isinstance(value, Text) or value.lower() not in (right or _FLAGS):
                said = ", ".join(right) or "true or false"
                yield _at(option, f"{option} is {said}")


def _at(where: Text, message: str, kind: Kind = WRONG) -> Problem:
    return kind.at(where.place, message, SETTINGS)
