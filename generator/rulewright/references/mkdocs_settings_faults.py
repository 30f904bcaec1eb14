"""Check mkdocs.yml: its YAML and the settings that concern Rulewright. MkDocs checks all others."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from rulewright.files.content_folder import CONTENT, SETTINGS, docs_dir
from rulewright.files.located_text import LocatedText, Node, YamlMapping, get_value
from rulewright.files.problems import (
    Problem,
    Severity,
    SourceLocation,
    did_you_mean,
    problem_type,
    quote_short,
)
from rulewright.references.site_settings import (
    PLUGIN,
    REFUSED,
    is_none,
    load_settings_tree,
    named_options,
    unread_keys,
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
    tree, problems, tagged = load_settings_tree(data)
    yield from problems
    if tree is None or "plugins" in unread_keys(tree, tagged):
        return
    plugins = [*named_options(get_value(tree, "plugins"))]
    if PLUGIN not in [name for name, _ in plugins] and "INHERIT" not in tree.entries:
        location = next((key.place for key in tree.entries if key == "plugins"), SourceLocation(SETTINGS))
        yield WRONG.problem(location, f"{SETTINGS} does not name {PLUGIN} among its plugins", SETTINGS)
    if (
        is_none(get_value(tree, "site_url"))
        and "INHERIT" not in tree.entries
        and _deploys_to_github_pages(project)
    ):
        yield NO_ADDRESS.problem(SourceLocation(SETTINGS), _NO_ADDRESS, SETTINGS)
    for name, options in plugins:
        if name in REFUSED:
            yield _wrong_setting(name, f"{name} {REFUSED[name]}")
        elif name == PLUGIN and not is_none(options):
            yield from _check_options(options, project, tree)


def _deploys_to_github_pages(project: Path) -> bool:
    """Return whether a workflow of the project publishes on GitHub Pages."""
    with suppress(OSError):
        return any(b"deploy-pages" in file.read_bytes() for file in (project / _WORKFLOWS).glob("*.y*ml"))
    return False


def _check_options(options: Node | None, project: Path, tree: YamlMapping) -> Iterator[Problem]:
    for option, value in options.entries.items() if isinstance(options, YamlMapping) else ():
        if option not in _ITS_OPTIONS:
            yield _wrong_setting(
                option, f"{PLUGIN} has no option {quote_short(option)}{did_you_mean(option, _ITS_OPTIONS)}"
            )
        elif option == "content_dir":
            yield from _check_content_dir(option, value, project, tree)
        elif not isinstance(value_of(value), bool):
            yield _wrong_setting(option, f"{option} is true or false")


def _check_content_dir(
    option: LocatedText, value: Node | None, project: Path, tree: YamlMapping
) -> Iterator[Problem]:
    """Check that the folder of the books is docs_dir, or separate from docs_dir and from the site."""
    if not isinstance(value, LocatedText) or not isinstance(value_of(value), str):
        yield _wrong_setting(option, f"{option} is the name of a folder")
        return
    folder, pages = (project / value).resolve(), (project / docs_dir(project)).resolve()
    site = (project / str(get_value(tree, "site_dir") or "site")).resolve()
    if not os.path.isdir(folder):
        yield _wrong_setting(value, f"there is no folder {quote_short(value)}; write {CONTENT}")
    elif folder == project.resolve() or any(
        folder != pages and (folder.is_relative_to(path) or path.is_relative_to(folder))
        for path in (pages, site)
    ):
        message = "the books lie in docs_dir itself, or in a folder beside it and beside the site"
        yield _wrong_setting(value, f"{message}; write {quote_short(docs_dir(project))}")


def _wrong_setting(text: LocatedText, message: str) -> Problem:
    return WRONG.problem(text.place, message, SETTINGS)
