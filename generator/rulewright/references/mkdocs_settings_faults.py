"""Check mkdocs.yml: its YAML and the settings that concern Rulewright. MkDocs checks all others."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import yaml

from rulewright.files.content_folder import CONTENT, SETTINGS, docs_dir
from rulewright.files.mkdocs_settings import setting
from rulewright.files.problems import (
    Problem,
    Severity,
    SourceLocation,
    did_you_mean,
    problem_type,
    quote_short,
)
from rulewright.files.yaml_tree import ALIAS, COMMENT, TAG, load_yaml_tree
from rulewright.references.site_settings import (
    PLUGIN,
    REFUSED,
    compose_settings,
    location_of,
    named_nodes,
    named_values,
    value_of,
)

WRONG = problem_type(
    "site-settings-wrong",
    """With this mkdocs.yml no site can be built: its plugins do not include rulewright, an option of
    rulewright is unknown or has a wrong value, or another plugin is incompatible.""",
)
NO_ADDRESS = problem_type(
    "no-site-address",
    """The file mkdocs.yml has no `site_url`. Below the top of a host, as on GitHub Pages, the page 404 has no
    style and short addresses lead nowhere. Printed sheets have no QR code and no link to a host.""",
    Severity.NOTE,
)
_NO_ADDRESS = (
    "a workflow publishes this site on GitHub Pages, where 404.html and short addresses need site_url; "
    "set it to the address of the site"
)
_WORKFLOWS = ".github/workflows"
_ITS_OPTIONS = ("trusted", "headers", "content_dir")


def check_mkdocs_settings(project: Path, data: bytes) -> Iterator[Problem]:
    """Report the problems of mkdocs.yml; there are none if the file is missing."""
    if not data and not os.path.isfile(project / SETTINGS):
        return
    _, problems = load_yaml_tree(SETTINGS, data)
    allowed_here = (ALIAS.code, TAG.code, COMMENT.code)
    yield from (problem for problem in problems if problem.code not in allowed_here)
    root = compose_settings(data)
    if not isinstance(root, yaml.MappingNode):
        return
    places = {str(key.value): location_of(key) for key, _ in root.value}
    keys = dict(named_values(root))
    plugins, inherits = keys.get("plugins"), "INHERIT" in keys
    is_known = plugins is None or not plugins.tag.startswith("!")
    if is_known and not inherits and PLUGIN not in dict(named_values(plugins)):
        place = places.get("plugins", SourceLocation(SETTINGS))
        yield WRONG.problem(place, f"{SETTINGS} does not name {PLUGIN} among its plugins", SETTINGS)
    if not inherits and value_of(keys.get("site_url")) is None and _deploys_to_github_pages(project):
        yield NO_ADDRESS.problem(SourceLocation(SETTINGS), _NO_ADDRESS, SETTINGS)
    for name, options in named_nodes(plugins):
        if name.value in REFUSED:
            yield _wrong_setting(name, f"{name.value} {REFUSED[name.value]}")
        elif name.value == PLUGIN:
            for option, value in named_nodes(options):
                yield from _check_option(option, value, project)


def _deploys_to_github_pages(project: Path) -> bool:
    """Return whether a workflow of the project publishes on GitHub Pages."""
    with suppress(OSError):
        return any(b"deploy-pages" in file.read_bytes() for file in (project / _WORKFLOWS).glob("*.y*ml"))
    return False


def _check_option(option: yaml.Node, node: yaml.Node | None, project: Path) -> Iterator[Problem]:
    name, value = str(option.value), value_of(node)
    if name not in _ITS_OPTIONS:
        hint = did_you_mean(name, _ITS_OPTIONS)
        yield _wrong_setting(option, f"{PLUGIN} has no option {quote_short(name)}{hint}")
    elif name == "content_dir":
        if not isinstance(value, str) or not os.path.isdir(project / value):
            yield _wrong_setting(
                node or option, f"there is no folder {quote_short(str(value))}; write {CONTENT}"
            )
        elif message := _content_dir_fault(value, project):
            yield _wrong_setting(node or option, message)
    elif not isinstance(value, bool):
        yield _wrong_setting(option, f"{name} is true or false")


def _content_dir_fault(value: str, project: Path) -> str:
    """Return what is wrong with a folder of books: it is docs_dir, or apart from docs_dir and the site."""
    folder, pages = (project / value).resolve(), (project / docs_dir(project)).resolve()
    site = (project / (setting(project, "site_dir") or "site")).resolve()
    overlaps = (folder.is_relative_to(path) or path.is_relative_to(folder) for path in (pages, site))
    if folder == pages or not any(overlaps):
        return ""
    message = "the books lie in docs_dir itself, or in a folder beside it and beside the site"
    return f"{message}; write {quote_short(docs_dir(project))}"


def _wrong_setting(node: yaml.Node, message: str) -> Problem:
    return WRONG.problem(location_of(node), message, SETTINGS)
