"""Check mkdocs.yml: its YAML and the settings that concern Rulewright. MkDocs checks all others."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from rulewright.files.content_folder import CONTENT, SETTINGS, docs_dir
from rulewright.files.located_text import LocatedText, Node, YamlMapping
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
    NULL,
    PLUGIN,
    REFUSED,
    boolean,
    named_values,
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
_ITS_OPTIONS = ("trusted", "content_dir")


def check_mkdocs_settings(project: Path, data: bytes) -> Iterator[Problem]:
    """Report the problems of mkdocs.yml; there are none if the file is missing."""
    if not data and not os.path.isfile(project / SETTINGS):
        return
    root, problems = load_yaml_tree(SETTINGS, data)
    allowed_here = (ALIAS.code, TAG.code, COMMENT.code)
    yield from (problem for problem in problems if problem.code not in allowed_here)
    if not isinstance(root, YamlMapping):
        return
    keys = named_values(root)
    plugins, inherits = named_values(keys.get("plugins")), "INHERIT" in keys
    is_unknown = "plugins" in keys and keys["plugins"] is None
    if not (is_unknown or inherits or PLUGIN in plugins):
        place = next((key.place for key in keys if key == "plugins"), SourceLocation(SETTINGS))
        yield WRONG.problem(place, f"{SETTINGS} does not name {PLUGIN} among its plugins", SETTINGS)
    if not inherits and keys.get("site_url", "") in NULL and _deploys_to_github_pages(project):
        yield NO_ADDRESS.problem(SourceLocation(SETTINGS), _NO_ADDRESS, SETTINGS)
    for name, options in plugins.items():
        if name in REFUSED:
            yield WRONG.problem(name, f"{name} {REFUSED[name]}", SETTINGS)
        elif name == PLUGIN:
            for option, value in named_values(options).items():
                if message := _option_fault(option, value, project):
                    located = value if value is not None and option == "content_dir" else option
                    yield WRONG.problem(located, message, SETTINGS)


def _deploys_to_github_pages(project: Path) -> bool:
    """Return whether a workflow of the project publishes on GitHub Pages."""
    with suppress(OSError):
        return any(b"deploy-pages" in file.read_bytes() for file in (project / _WORKFLOWS).glob("*.y*ml"))
    return False


def _option_fault(name: str, value: Node | None, project: Path) -> str:
    """Return what is wrong with an option of the plugin, or an empty string."""
    if name not in _ITS_OPTIONS:
        return f"{PLUGIN} has no option {quote_short(name)}{did_you_mean(name, _ITS_OPTIONS)}"
    if name != "content_dir":
        return "" if boolean(value) is not None else f"{name} is true or false"
    if not isinstance(value, LocatedText):
        return f"content_dir is the name of a folder; write {CONTENT}"
    if not os.path.isdir(project / value):
        return f"there is no folder {quote_short(value)}; write {CONTENT}"
    return _content_dir_fault(value, project)


def _content_dir_fault(value: str, project: Path) -> str:
    """Return what is wrong with a folder of books: it is docs_dir, or apart from docs_dir and the site."""
    folder, pages = (project / value).resolve(), (project / docs_dir(project)).resolve()
    site = (project / (setting(project, "site_dir") or "site")).resolve()
    overlaps = (folder.is_relative_to(path) or path.is_relative_to(folder) for path in (pages, site))
    if folder == pages or not any(overlaps):
        return ""
    message = "the books must be in docs_dir itself, or in a folder beside it and beside the site"
    return f"{message}; write {quote_short(docs_dir(project))}"
