"""Check of mkdocs.yml: that it is YAML, and says what a site can be made with."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import SplitResult, urlsplit

from rulewright.checks.own_templates import faulty_templates
from rulewright.checks.site_settings import (
    PLUGIN,
    REFUSED,
    extension_modules,
    is_none,
    loaded,
    named,
    read,
    unread_keys,
    value_of,
)
from rulewright.source.filenames import too_long
from rulewright.source.folder import CONTENT, SETTINGS, docs_dir, lies_in
from rulewright.source.patterns import Regex
from rulewright.source.problems import (
    Kind,
    Place,
    Problem,
    Severity,
    did_you_mean,
    kind,
    nearest,
    shown,
)
from rulewright.source.resources import THEME, host_theme, is_installed
from rulewright.source.settings import EXTENSIONS, SHORT_FORMS
from rulewright.source.text import Items, Keys, Node, Text, value_at

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

WRONG = kind(
    "site-settings-wrong",
    """No site can be made with what mkdocs.yml says: a plugin or an extension that is not installed, an
    option or a setting that there is not, another theme, no such file, a value of another sort.""",
)
IDLE = kind(
    "site-setting-idle",
    """A setting of mkdocs.yml changes nothing: its name is misspelt, or our links take each page for a
    folder, or ink and paper keep the colours of the sides apart. Take it out.""",
    Severity.NOTE,
)

_ITS_OPTIONS: Mapping[str, tuple[str, ...]] = {
    "trusted": (), "headers": (), "short": SHORT_FORMS, "content_dir": (),
}  # fmt: skip
_TEXT = (
    "site_name", "site_url", "site_description", "site_author", "copyright", "docs_dir", "site_dir",
    "repo_url", "repo_name", "edit_uri", "edit_uri_template", "remote_branch", "remote_name", "dev_addr",
    "exclude_docs", "draft_docs", "not_in_nav", "INHERIT",
)  # fmt: skip
_FLAGS = ("use_directory_urls", "strict")
_SORTS: Mapping[str, tuple[type, ...]] = {
    **dict.fromkeys((*_TEXT, *_FLAGS), (Text,)),
    **dict.fromkeys(("nav", "extra_css", "extra_javascript", "extra_templates", "hooks", "watch"), (Items,)),
    **dict.fromkeys(("plugins", "markdown_extensions"), (Items, Keys)),
    **dict.fromkeys(("extra", "validation"), (Keys,)),
    "theme": (Text, Keys),
}
"""The settings that MkDocs knows, and what is written behind each."""
_SAID: Mapping[type, str] = {Text: "text", Items: "a list", Keys: "keys"}
_FORMER = {"pages": "nav", "mdx_configs": "markdown_extensions", "google_analytics": "extra"}
_OF_LINKS = ("not_found", "absolute_links", "unrecognized_links", "anchors")
_VALIDATION = {"nav": ("omitted_files", *_OF_LINKS[:2]), "links": _OF_LINKS}
_NEVER_EMPTY = ("extra", "extra_javascript", "validation", "hooks", "watch", "docs_dir")
_PYTHON = Regex(r"(?<=[ \t])!!python/(?:name|object(?:/\w+)?):([\w.]+)")
_LEVELS = ("warn", "info", "ignore")
_OF_SCRIPT = ("path", "type", "defer", "async")
_PROVIDERS = ("google", "custom")
_THEME = (
    *("name", "custom_dir", "direction", "favicon", "features", "font", "icon", "include_search_page"),
    *("language", "locale", "logo", "palette", "search_index_only", "static_templates"),
)
_EXTRA = ("alternate", "analytics", "annotate", "consent", "homepage", "scope", "social", "status", "version")
_FEATURES = (
    "announce.dismiss",
    "content.action.edit", "content.action.view", "content.code.annotate", "content.code.copy",
    "content.code.select", "content.footnote.tooltips", "content.tabs.link", "content.tooltips",
    "header.autohide",
    "navigation.expand", "navigation.footer", "navigation.indexes", "navigation.instant",
    "navigation.instant.prefetch", "navigation.instant.preview", "navigation.instant.progress",
    "navigation.path", "navigation.prune", "navigation.sections", "navigation.tabs",
    "navigation.tabs.sticky", "navigation.top", "navigation.tracking",
    "search.highlight", "search.share", "search.suggest",
    "toc.follow", "toc.integrate",
)  # fmt: skip
"""What Material reads: https://squidfunk.github.io/mkdocs-material/setup/"""


def faults(project: Path, data: bytes) -> Iterator[Problem]:
    """Report what is wrong in mkdocs.yml, at its place; nothing where there is no such file."""
    if not data and not os.path.isfile(project / SETTINGS):
        return
    tree, problems, unread = loaded(data)
    yield from problems
    if tree is not None:
        yield from _tags(tree, data)
        yield from _Settings(project, tree, unread, read(data).makes_all).faults()
    elif not problems:
        yield WRONG.at(
            Place(SETTINGS), f"there are no settings here; write site_name: and {PLUGIN}", SETTINGS
        )


def _tags(tree: Keys, data: bytes) -> Iterator[Problem]:
    """Names of Python that a tag of MkDocs asks for and that are not there."""
    if b"!!python/" not in data:
        return
    for m in _PYTHON.finditer(tree.file.text):
        module, _, name = m[1].rpartition(".")
        if not is_installed(module):
            continue
        try:
            getattr(import_module(module), name)
        except Exception as error:  # whatever a module of others raises
            message = f"Python has no {shown(m[1])}: {error}"
            yield WRONG.at(tree.file.place(m.start()), message, SETTINGS)


class _Settings:
    """The settings of a project. `unread`: lines with what only MkDocs reads; little is told of those."""

    def __init__(self, project: Path, tree: Keys, unread: frozenset[int], makes_all: bool) -> None:
        self.project, self.tree, self.makes_all = project, tree, makes_all
        unknown = unread_keys(tree, unread)
        self.given = {str(key): (key, value) for key, value in tree.entries.items() if key not in unknown}
        self.names = {str(key) for key in tree.entries}

    def faults(self) -> Iterator[Problem]:
        for key in self.tree.entries:
            if key not in _SORTS:
                near = f"; write {_FORMER[key]}" if key in _FORMER else did_you_mean(key, _SORTS)
                yield _at(key, f"there is no setting {shown(key)}{near}")
        for name, (key, value) in self.given.items():
            if name not in _SORTS:
                continue
            if is_none(value):
                if name in _NEVER_EMPTY:
                    yield _at(key, f"{name} is empty; delete the line, or write what it is")
            elif not isinstance(value, _SORTS[name]):
                right = " or ".join(_SAID[sort] for sort in _SORTS[name])
                yield _at(key, f"{name} wants {right} here, and it is {_said(value)}")
            elif isinstance(value, Text) and name in _FLAGS:
                if not isinstance(value_of(value), bool):
                    yield _at(value, f"{name} is true or false")
                elif name == "use_directory_urls" and not value_of(value):
                    yield _at(key, f"{name} changes nothing: each page is a folder; delete the line", IDLE)
            elif isinstance(value, Text) and not isinstance(value_of(value), str):
                yield _at(value, f'{name} is a text; put it in quotes: "{value}"')
            elif check := _CHECKS.get(name):
                yield from check(self, value)
        if "INHERIT" not in self.names:
            if "site_name" not in self.names or ("site_name" in self.given and not self.text("site_name")):
                yield WRONG.at(self.tree.place, "site_name is missing: the name of the site", SETTINGS)
            if "plugins" not in self.names:
                message = f"{SETTINGS} does not name {PLUGIN} among its plugins"
                yield WRONG.at(self.tree.place, message, SETTINGS)

    def text(self, name: str) -> str:
        value = self.given.get(name, (None, None))[1]
        return str(value) if isinstance(value, Text) and not is_none(value) else ""

    def docs_dir(self, value: Text) -> Iterator[Problem]:
        folder = (self.project / value).resolve()
        if not os.path.isdir(folder):
            yield _at(value, f"there is no folder {shown(value)}; write {CONTENT}")
        elif (self.project / (self.text("site_dir") or "site")).resolve().is_relative_to(folder):
            yield _at(value, f"the content has a folder of its own, apart from the site; write {CONTENT}")

    def site_dir(self, value: Text) -> Iterator[Problem]:
        site = (self.project / value).resolve()
        content = (self.project / docs_dir(self.project)).resolve()
        if site.is_relative_to(content) or content.is_relative_to(site):
            yield _at(value, "the site cannot lie around the content or in it; write site")
        elif os.path.isfile(site) or too_long(value):
            yield _at(value, f"{shown(value)} cannot be a folder; write site")

    def address(self, value: Text) -> Iterator[Problem]:
        parts = _parts(value)
        if parts is None:
            yield _at(value, f"{shown(value)} is no address; it begins with https:// and the name of a host")
        elif value and not (parts.scheme and parts.netloc):
            yield _at(value, "an address begins with https://")

    def template(self, value: Text) -> Iterator[Problem]:
        from string import Formatter  # late, as below: few sites say so much

        try:
            asked = [name for _, name, _, _ in Formatter().parse(value) if name is not None]
        except ValueError:
            asked = [""]
        yield from self.edited(value)
        if wrong := [name for name in asked if name not in ("path", "path_noext")]:
            yield _at(value, f"{{{wrong[0]}}} means nothing here; it may be {{path}}, {{path_noext}}")

    def listens(self, value: Text) -> Iterator[Problem]:
        from ipaddress import ip_address

        host, _, port = value.rpartition(":")
        try:
            if host != "localhost":
                ip_address(host.removeprefix("[").removesuffix("]"))
            int(port)
        except ValueError:
            yield _at(value, f"{shown(value)} is no address to listen at; write one like 127.0.0.1:8000")

    def inherited(self, value: Text) -> Iterator[Problem]:
        yield from self.there(value, self.project)

    def files(self, value: Items) -> Iterator[Problem]:
        for item in value.items:
            yield from self.there(item, self.project)

    def watched(self, value: Items) -> Iterator[Problem]:
        for item in value.items:
            yield from self.there(item, self.project, os.path.exists)

    def templates(self, value: Items) -> Iterator[Problem]:
        for item in value.items:
            yield from self.there(item, self.project / docs_dir(self.project))

    def there(
        self, node: Node | None, folder: Path, is_there: Callable[[Path], bool] = os.path.isfile
    ) -> Iterator[Problem]:
        if not isinstance(node, Text) or not isinstance(value_of(node), str):
            yield WRONG.at(node.place if node else self.tree.place, "write the name of a file", SETTINGS)
        elif not is_there(folder / node):
            yield _at(node, f"there is no file {shown(node, 80)}{did_you_mean(node, _beside(folder / node))}")

    def styles(self, value: Items) -> Iterator[Problem]:
        """Styles and scripts of the site's own."""
        for item in value.items:
            path = item
            if isinstance(item, Keys):
                path = value_at(item, "path") or item
                for key in item.entries:
                    if key not in _OF_SCRIPT:
                        yield _at(key, f"a script has no {shown(key)}{did_you_mean(key, _OF_SCRIPT)}")
            yield from self.served(path)

    def served(self, node: Node | None) -> Iterator[Problem]:
        """The fault of what should be the address of a file that the site has."""
        content = self.project / docs_dir(self.project)
        folders = [content, *self.custom, THEME, *filter(None, [host_theme()])]
        if not isinstance(node, Text) or not isinstance(value_of(node), str):
            yield WRONG.at(node.place if node else self.tree.place, "write the name of a file", SETTINGS)
        elif self.makes_all and (parts := _parts(node)) and not parts.scheme and not node.startswith("/"):
            path = node.partition("?")[0]
            if not any(os.path.isfile(folder / path) for folder in folders):
                alike = (one for one in _beside(content / path) if one.endswith(Path(path).suffix))
                near = did_you_mean(path, alike)
                yield _at(node, f"there is no file {shown(node, 80)}{near}")

    def edited(self, value: Text) -> Iterator[Problem]:
        parts = _parts(value)
        if parts is None or (value and not self.text("repo_url") and not parts.scheme):
            yield _at(value, "write repo_url as well, the address of the repository")

    def nav(self, value: Node | None, *, is_inner: bool = False) -> Iterator[Problem]:
        """The shape of a navigation: pages, and a title each for a page or for a list of them."""
        for item in value.items if isinstance(value, Items) else ():
            if isinstance(item, Items):
                yield WRONG.at(item.place, "a list in the navigation has a title in front of it", SETTINGS)
            elif isinstance(item, Keys) and len(item.entries) != 1:
                second = [*item.entries, None, None][1]
                where = second.place if second else item.place
                yield WRONG.at(where, "each entry of the navigation begins with a - of its own", SETTINGS)
            elif isinstance(item, Keys):
                for below in item.entries.values():
                    yield from self.nav(below, is_inner=True)
            else:
                yield from self.nav(item, is_inner=True)
        if is_inner and isinstance(value, Keys):
            yield WRONG.at(value.place, "write these entries as a list, each with a - in front", SETTINGS)
        elif isinstance(value, Text) and not isinstance(value_of(value), str):
            yield _at(value, "write the name of a page here, or a list of pages below its title")

    def validation(self, value: Keys) -> Iterator[Problem]:
        for key, inner in value.entries.items():
            known = [*_VALIDATION, *dict.fromkeys(("omitted_files", *_OF_LINKS))]
            if key not in known:
                yield _at(key, f"validation has no {shown(key)}{did_you_mean(key, known)}")
            pairs = inner.entries.items() if isinstance(inner, Keys) else [(key, inner)]
            for name, level in pairs:
                if key in _VALIDATION and name not in _VALIDATION[key]:
                    yield _at(name, f"{key} has no {shown(name)}{did_you_mean(name, _VALIDATION[key])}")
                elif level not in (*_LEVELS, *(["relative_to_docs"] if name == "absolute_links" else [])):
                    yield _at(name, f"{name} is one of {', '.join(_LEVELS)}")

    def extra(self, value: Keys) -> Iterator[Problem]:
        """Settings of the site that the theme reads."""
        given = {str(key): (key, inner) for key, inner in value.entries.items()}
        yield from self.misspelt(value.entries, _EXTRA)
        for name in ("social", "alternate"):
            key, inner = given.get(name, (None, None))
            if key and inner and not isinstance(inner, Items):
                yield _at(key, f"{name} wants a list here")
            for item in inner.items if isinstance(inner, Items) and name == "social" else ():
                yield from self.shown_by(item)
        inner = value_at(value, "analytics")
        for key, provider in inner.entries.items() if isinstance(inner, Keys) else ():
            if key == "provider" and provider not in _PROVIDERS:
                near = did_you_mean(str(provider), _PROVIDERS)
                yield _at(key, f"there is no provider {shown(str(provider))}{near}")

    def theme(self, value: Text | Keys) -> Iterator[Problem]:
        if isinstance(value, Text):
            yield from self.name_of_theme(value)
            return
        inside = {str(key): (key, inner) for key, inner in value.entries.items()}
        called = value_at(value, "name")
        if is_none(called) or not isinstance(called, Text):
            yield WRONG.at(value.place, "the theme has no name; write name: material", SETTINGS)
        else:
            yield from self.name_of_theme(called)
        yield from self.misspelt(value.entries, _THEME)
        for name, (key, inner) in inside.items():
            if name == "features":
                yield from self.misspelt(inner.items if isinstance(inner, Items) else (), _FEATURES)
            elif name == "custom_dir":
                if not isinstance(inner, Text) or not os.path.isdir(self.project / inner):
                    what = inner if isinstance(inner, Text) else key
                    yield _at(what, f"there is no folder {shown(what)}")
                # Else a plugin may add to what templates are written in, or the folder hold a whole disk.
                elif self.makes_all and not lies_in(self.project, self.project / inner):
                    yield from faulty_templates(self.project, self.project / inner)
            elif name == "icon":
                for at, icon in inner.entries.items() if isinstance(inner, Keys) else ():
                    if at != "tag":
                        yield from self.icon(icon)
                if not isinstance(inner, Keys):
                    yield _at(key, "icon wants keys here, such as logo: material/sword")
            elif name == "language" and isinstance(inner, Text):
                files = _names(host_theme(), "partials/languages", "*.html")
                if files and inner not in files:
                    yield _at(inner, f"the theme has no language {shown(inner)}{did_you_mean(inner, files)}")
            elif name == "locale" and not _is_locale(value_of(inner)):
                yield _at(key, "locale is the name of a language, such as en or pt_BR")
            elif name == "static_templates" and not (
                isinstance(inner, Items) and all(isinstance(one, Text) for one in inner.items)
            ):
                yield _at(key, "static_templates wants a list of names here")
            elif name in ("logo", "favicon"):
                yield from self.served(inner)
            elif name == "palette":
                for one in inner.items if isinstance(inner, Items) else [inner]:
                    if not isinstance(one, Keys):
                        yield _at(key, "palette wants keys here, or a list of them")
                    elif toggle := value_at(one, "toggle"):
                        yield from self.shown_by(toggle)
                    for colour in one.entries if isinstance(one, Keys) else ():
                        if colour in ("primary", "accent"):
                            said = "changes nothing: pages have ink and paper, and links one colour"
                            yield _at(colour, f"{colour} {said}; delete the line", IDLE)

    def misspelt(self, words: Iterable[Node | None], known: Sequence[str]) -> Iterator[Problem]:
        """Words that no template reads and that look like one that the theme's do."""
        for word in words if self.makes_all and not self.custom else ():
            if isinstance(word, Text) and word not in known and (near := nearest(word, known)):
                yield _at(word, f"{shown(word)} changes nothing; did you mean {near}?", IDLE)

    def name_of_theme(self, name: Text) -> Iterator[Problem]:
        if name != "material" and not is_none(name):
            right = "write that in the place of"
            yield _at(name, f"the pages are made for the theme material; {right} {shown(name)}")

    def shown_by(self, node: Node) -> Iterator[Problem]:
        """The fault of what is shown by an icon."""
        if icon := value_at(node, "icon"):
            yield from self.icon(icon)
        else:
            yield WRONG.at(
                node.place, "this has no icon; write keys, icon: material/sword among them", SETTINGS
            )

    def icon(self, name: Node | None) -> Iterator[Problem]:
        top = host_theme()
        folders = [top, *self.custom] if top else []
        if (
            isinstance(name, Text)
            and top
            and not any(os.path.isfile(folder / ".icons" / f"{name}.svg") for folder in folders)
        ):
            path, _, last = name.rpartition("/")
            alike = _names(top, f".icons/{path}", f"{last[:2]}*.svg")
            near = did_you_mean(name, [f"{path}/{one}" for one in alike])
            yield _at(name, f"there is no icon {shown(name)}{near}")

    @cached_property
    def custom(self) -> list[Path]:
        """The folder in which a project overrides the theme, if it has one."""
        folder = value_at(self.given.get("theme", (None, None))[1], "custom_dir")
        return [self.project / folder] if isinstance(folder, Text) else []

    def extensions(self, value: Node) -> Iterator[Problem]:
        yield from _misshapen(value)
        from importlib.metadata import entry_points

        from markdown import Markdown

        for name, options in named(value):
            if is_none(options) and name in EXTENSIONS:
                continue
            if options is not None and not isinstance(options, Keys) and not is_none(options):
                yield _at(name, f"the options of {name} are keys with values")
                continue
            given = value_of(options)
            if not all(map(is_installed, extension_modules(name))):
                continue
            try:
                Markdown(extensions=[str(name)], extension_configs={str(name): given or {}})
            except ModuleNotFoundError:
                known = {one.name for one in entry_points(group="markdown.extensions")}
                yield _at(name, f"the extension {shown(name)} is not installed{did_you_mean(name, known)}")
            except KeyError as error:
                yield _at(name, f"{name} has no option {shown(str(error.args[0]))}")
            except Exception as error:  # of an extension of others
                yield _at(name, f"the extension {shown(name)} cannot be used: {error}")

    def plugins(self, value: Node) -> Iterator[Problem]:
        yield from _misshapen(value)
        plugins = list(named(value))
        if PLUGIN not in [name for name, _ in plugins]:
            where = self.given["plugins"][0]
            yield _at(where, f"{SETTINGS} does not name {PLUGIN} among its plugins")
        for at, (name, options) in enumerate(plugins):
            if name in [one for one, _ in plugins[:at]]:
                yield _at(name, f"{name} stands here twice; keep one of them")
            elif options is not None and not isinstance(options, Keys) and not is_none(options):
                yield _at(name, f"the options of {name} are keys with values")
            elif name == PLUGIN:
                yield from self.own(options)
            elif name in REFUSED:
                yield _at(name, f"{name} {REFUSED[name]}")
            elif name != "search" or options is not None:
                yield from self.other(name, options)

    def own(self, options: Node | None) -> Iterator[Problem]:
        """Our own options."""
        for option, value in options.entries.items() if isinstance(options, Keys) else ():
            right = _ITS_OPTIONS.get(option)
            if right is None:
                yield _at(
                    option, f"{PLUGIN} has no option {shown(option)}{did_you_mean(option, _ITS_OPTIONS)}"
                )
            elif option == "content_dir":
                yield from self.content(option, value)
            elif value not in right if right else not isinstance(value_of(value), bool):
                yield _at(option, f"{option} is {', '.join(right) or 'true or false'}")

    def content(self, option: Text, value: Node | None) -> Iterator[Problem]:
        """The folder of the books, which is that of all pages or lies apart from them and from the site."""
        if not isinstance(value, Text) or not isinstance(value_of(value), str):
            yield _at(option, f"{option} is the name of a folder")
            return
        folder = (self.project / value).resolve()
        apart = [(self.project / docs_dir(self.project)).resolve()]
        apart += [(self.project / (self.text("site_dir") or "site")).resolve(), self.project.resolve()]
        if not os.path.isdir(folder):
            yield _at(value, f"there is no folder {shown(value)}; write {CONTENT}")
        elif folder == apart[-1] or any(
            folder != apart[0] and (folder.is_relative_to(one) or one.is_relative_to(folder))
            for one in apart[:-1]
        ):
            message = "the books lie in docs_dir itself, or in a folder beside it and beside the site"
            yield _at(value, f"{message}; write {shown(docs_dir(self.project))}")

    def other(self, name: Text, options: Node | None) -> Iterator[Problem]:
        """A plugin of others: that it is there, and takes its options."""
        from importlib.metadata import entry_points

        theme = self.given.get("theme", (None, None))[1]
        installed = {one.name: one for one in entry_points(group="mkdocs.plugins")}
        is_material = "material" in (theme, value_at(theme, "name")) or "INHERIT" in self.names
        found = (installed.get(f"material/{name}") if is_material else None) or installed.get(name)
        if found and is_installed(found.module):
            yield from _taken(found, options, self.project)
        elif not found and f"material/{name}" in installed:
            yield _at(name, f"the plugin {name} is the theme's; write material/{name}, or name the theme")
        elif not found:
            near = did_you_mean(name, installed)
            yield _at(name, f"the plugin {shown(name)} is not installed{near}")


_CHECKS: Mapping[str, Callable[[_Settings, Any], Iterator[Problem]]] = {
    "docs_dir": _Settings.docs_dir,
    "site_dir": _Settings.site_dir,
    "site_url": _Settings.address,
    "repo_url": _Settings.address,
    "edit_uri_template": _Settings.template,
    "dev_addr": _Settings.listens,
    "INHERIT": _Settings.inherited,
    "hooks": _Settings.files,
    "watch": _Settings.watched,
    "extra_templates": _Settings.templates,
    "edit_uri": _Settings.edited,
    "extra_css": _Settings.styles,
    "extra_javascript": _Settings.styles,
    "nav": _Settings.nav,
    "validation": _Settings.validation,
    "extra": _Settings.extra,
    "theme": _Settings.theme,
    "markdown_extensions": _Settings.extensions,
    "plugins": _Settings.plugins,
}


def _taken(plugin: EntryPoint, options: Node | None, project: Path) -> Iterator[Problem]:
    """Options that a plugin of others does not take, as it says itself."""
    if not isinstance(options, Keys):
        return
    given = {key: value for key, value in value_of(options).items() if key != "enabled"}
    found: list[tuple[str, object]]
    try:
        errors, more = plugin.load()().load_config(given, str(project / SETTINGS))
        found = [*errors, *more]
    except Exception as raised:  # of a plugin of others
        found = [("", raised)]
    keys = {str(key): key for key in options.entries}
    for name, error in found:
        where = keys.get(name) or next(iter(options.entries), None)
        if where is not None:
            yield _at(where, f"{plugin.name.rpartition('/')[2]}: {error}")


def _misshapen(value: Node) -> Iterator[Problem]:
    """Entries of a list of names, each with its options, that are of another shape."""
    for item in value.items if isinstance(value, Items) else ():
        if isinstance(item, Keys) and len(item.entries) > 1:
            second = [*item.entries][1]
            yield _at(second, f"write a - in front of {second}, or indent it below the one above")
        elif isinstance(item, Items) or (isinstance(item, Keys) and not item.entries):
            yield WRONG.at(item.place, "write a name here", SETTINGS)
        elif isinstance(item, Text) and not isinstance(value_of(item), str):
            yield _at(item, f"{shown(item)} is no name")


def _parts(address: str) -> SplitResult | None:
    """The parts of an address; None of what is none."""
    try:
        return urlsplit(address)
    except ValueError:
        return None


def _said(value: Node | None) -> str:
    return next(words for sort, words in _SAID.items() if isinstance(value, sort))


def _is_locale(value: object) -> bool:
    from babel import Locale, UnknownLocaleError  # late: few sites say so much

    try:
        return isinstance(value, str) and Locale.parse(value, sep="_") is not None
    except (ValueError, UnknownLocaleError):
        return False


def _beside(path: Path) -> Iterator[str]:
    """The names of the files in the folder of one, written as that is."""
    return (
        (one.name for one in path.parent.iterdir() if one.is_file())
        if os.path.isdir(path.parent)
        else iter(())
    )


def _names(top: Path | None, folder: str, pattern: str) -> list[str]:
    is_there = top is not None and os.path.isdir(top / folder)
    return sorted(path.stem for path in (top / folder).glob(pattern)) if top and is_there else []


def _at(where: Text, message: str, kind: Kind = WRONG) -> Problem:
    return kind.at(where.place, message, SETTINGS)
