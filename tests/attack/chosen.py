# Words and settings stand in few lines.
# ruff: noqa: E501
"""Surfaces whose inputs are choices: each byte chooses among hostile words, places and forms.

What is chosen is always a file of its sort, so that nearly every input comes as far as the pages that are
made of it, and those are held against what they would be with plain words.
"""

import hashlib
import json
import re
from collections.abc import Iterable, Sequence
from contextlib import redirect_stderr, suppress
from io import StringIO
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import unquote

import yaml

from rulewright.app import host
from rulewright.checks import settings_faults
from rulewright.checks.examine import Examined, examine_folder
from rulewright.site import redirect_pages
from rulewright.site.artifacts import as_bytes
from rulewright.site.context import Desk
from rulewright.site.exports import FORMATS
from rulewright.source.folder import Folder
from rulewright.source.refusal import Refusal
from tests.attack.content import rendered, texts
from tests.attack.mutation import NASTY
from tests.attack.planted import STYLES
from tests.attack.signs import broken, shape, wrong
from tests.attack.surface import Surface
from tests.commands.duel import write

T = TypeVar("T")

SPOKEN = (
    "Über die Zölle", "第一章 移动", "الفصل الأول", "👩‍👩‍👧‍👦 family", "🜂", "e\u0301", "\u202eevil\u202c", "\u2066x\u2069",
    "a\u00adb", "\u200fx", "1.1", "Rule 1.1a(A)", "Winds", "**bold** *x*", "[[1.2|x]]", "[[away:moon]]", "`x`",
    "![a](b.png)", "[a](javascript:ran())", "a | b", "- a", "1. a", "# a", "&amp;", "&lt;b&gt;", "%3Cscript%3E",
    "C:\\x", "a/b", "..", "all", "none", "null", "true", "~", "-", "*", "a" * 3_000, "x " * 500, "${x}", "%s",
    "{0}", "{{ 7 * 191 }}", "{% raw %}", "{# x", "\\", "\\u0041", "'", '"', "<", ">", "]]>", "<!--", "-->",
    "</script>", "</title>", "</textarea>", "<b>x</b>", "\ufdd0", "\u2028", "𝔄", "ﬁ", "½", "№ 5", "§ 1.1",
)  # fmt: skip
"""Words of many scripts, and such as mean something somewhere on the way to a page."""


class Choices:
    """Choices made by the bytes of an input; the first of all where there are no more."""

    def __init__(self, data: bytes) -> None:
        self.data, self.at = data, 0

    def below(self, count: int) -> int:
        part = self.data[self.at : self.at + 2]
        self.at += 2
        return int.from_bytes(part) % count

    def one_of(self, options: Sequence[T]) -> T:
        return options[self.below(len(options))]

    def words(self) -> str:
        """A few hostile words, glued or apart."""
        parts = [self.one_of(self.one_of((SPOKEN, STYLES, NASTY))) for _ in range(1 + self.below(3))]
        return self.one_of(("", " ", "\n", "-", "."))[:1].join(parts)[:4_000]


def seeds() -> Iterable[bytes]:
    """Choices to begin with."""
    yield b""
    yield from (hashlib.shake_256(bytes([at])).digest(160) for at in range(60))


_READ: dict[str, Any] = {}


def _examined(files: dict[str, bytes]) -> Examined:
    every = texts(files)
    inventories = {name: every.pop(name) for name in list(every) if "/elsewhere/" in name}
    return examine_folder(Folder(every, inventories=inventories), cache=_READ)


# -- old addresses

PATHS = (
    "/old/", "/old", "/a/b.html", "/a/b.htm", "/a.html/", "/a b/", "/", "", "old/", "//a.example/", "/\\a", "/../x/",
    "/./x/", "/.x/", "/a//b/", "/duel/", "/duel/2/", "/duel/2/1-fighting/", "/Duel/2/", "/duel/2/find.js", "/r/1/",
    "/assets/x/", "/search/", "/robots.txt", "/_redirects", "/404.html", "/index.html", "/index.htm", "/a?b", "/a#b",
    "/a%20b/", "/%2e%2e/x/", "/a%00/", "/ä/", "/a\u0308/", "/AUX/", "/a:b/", "/a*/", "/:splat/", "/a  b/", "/a /",
    "/x/ 301", "/x/\n/y/", "javascript:ran()", "/javascript:ran()/", "/a'b/", '/a"b/', "/a<b>/", "/a&b/", "/duel/2/x/",
    "/x/index.html/", "/x/index.html", "/x/y", "/x/y/", "/x", "/checks/", "/problems/", "/sitemap.xml", "/sw.js",
)  # fmt: skip
TARGETS = (
    "1.1", "1.2a", "1.9", "2.0", "1.0", ".", "sequence", "sequence#red", "sequence#", "tables#winds", "numbers",
    "glossary", "changes", "changes/1", "errata", "aids/card", "faq", "faq#q", "faq#nope", "play", "in-order",
    "narrative", "all", "..", "/", "duel/2", "1.1#x", "#1.1", "javascript:ran()", "https://a.example/", "//a.example/",
    "[[1.1]]", "1.1 ", "see 1.1", "Winds", "table/winds", "",
)  # fmt: skip


def old_addresses(data: bytes, folder: Path) -> None:
    """Redirects: what stands at each old address leads on within the site, and is one page or one line."""
    pick = Choices(data)

    def some(plain: Sequence[str]) -> str:
        written, how = pick.one_of(plain), pick.below(6)
        if how == 1:
            written += pick.words()
        elif how == 2:
            written = f"/{pick.words()}/"
        return written * pick.one_of((1, 1, 1, 1, 1, 2, 90))

    listed = []
    for _ in range(1 + pick.below(8)):
        anchors = {some(("a", "b", "#a", "1.1")): some(TARGETS) for _ in range(pick.below(4))}
        listed.append({"from": some(PATHS), "to": some(TARGETS), **({"anchors": anchors} if anchors else {})})
    written = json.dumps({"redirects": listed}, ensure_ascii=bool(pick.below(2)))
    examined = _examined({"content/duel/2/redirects.yml": written.encode("utf-8", "surrogatepass")})
    list(map(str, examined.problems))
    there = [one.file.casefold() for one in examined.moved]
    assert len({*there}) == len(there), "two pages stand at one address"
    for file in there:
        assert not set(file) & set("\0\n\r\\?#"), file
        assert not file.startswith(("/", "assets/", "r/", "search/")), file
        assert not {"", ".", ".."} & {*file.split("/")}, file
        assert all(len(part.encode()) < 256 for part in file.split("/")), file
    made = redirect_pages.files(examined.moved, Desk(examined.shelf))
    for old in examined.moved:
        html = as_bytes(made[old.file]).decode()
        items = ["li id", "a href", "/a", "/li"] * len(old.anchors)
        lists = ["ul", *items, "/ul"] if items else []
        plain = shape(html)
        at = plain.index("/p") + 1
        assert plain[at : at + len(lists)] == lists, plain
        assert broken(html) == ["script"], broken(html)
        assert len(plain) == len(lists) + _PLAIN, plain
    told = redirect_pages.netlify(examined.moved, "https://a.example/b")
    lines = [line for line in told.split("\n") if line and not line.startswith("#")]
    assert len(lines) == len(examined.moved), told
    for line, old in zip(lines, examined.moved, strict=True):
        at_first, to, code = line.split()
        assert code in ("301", "301!"), line
        assert to.startswith("https://a.example/b/"), line
        assert at_first.isascii(), line
        assert unquote(at_first).rstrip("/") == old.address.rstrip("/"), line


_PLAIN = 24
"""Tags of a page at an old address that lists no anchors."""


# -- settings

FILES: dict[str, bytes] = {
    "content/index.md": b"# A\n", "content/tips.md": b"# B\n\nWords.\n", "content/own.css": b"a {}\n",
    "content/duel/rulebook.yml": b'title: Duel\nnumbers: "1.1"\nchapters: "1.0"\n',
    "content/duel/1/edition.yml": b'edition: "1"\n',
    "content/duel/1/rules/1.yml": b'chapter: "1.0"\ntitle: Swords\nrules: [{number: "1.1", title: A, text: A.}]\n',
    "theme/main.html": b"{% extends 'base.html' %}\n", "wrong/main.html": b"{% extends %}\n", "books/x.txt": b"x",
    "more.yml": b"site_name: More\n", "hook.py": b"", "broken.py": b"x = (\n",
}  # fmt: skip
SCALARS: tuple[Any, ...] = (
    "x", "", None, True, False, 5, 1.5, -1, [], {}, ["x"], {"x": "y"}, [[]], [None], [{}], "true", "yes", "null",
    "https://a.example/", "http://[x", "//a", "javascript:ran()", "a" * 300, "..", ".", "/", "content", "books",
    "theme", "site", "gone", "more.yml", "tips.md", "index.md", "hook.py", "own.css", {"a": {"b": ["c"]}}, "content/duel",
    "café", "\u200b", "{{ 7 * 191 }}", "<b>x</b>", "material/sword", "a\nb", "127.0.0.1:8000", "en", "de", "xy",
)  # fmt: skip
SETTINGS = (
    "site_name", "site_url", "site_description", "site_author", "copyright", "docs_dir", "site_dir", "repo_url",
    "repo_name", "edit_uri", "edit_uri_template", "remote_branch", "dev_addr", "exclude_docs", "draft_docs",
    "not_in_nav", "use_directory_urls", "strict", "nav", "extra_css", "extra_javascript", "extra_templates", "hooks",
    "watch", "plugins", "markdown_extensions", "extra", "validation", "theme", "INHERIT", "pages", "nope",
)  # fmt: skip
THEME = ("name", "language", "custom_dir", "palette", "features", "icon", "font", "logo", "favicon", "locale",
         "static_templates", "direction", "nope")  # fmt: skip
OPTIONS = ("trusted", "headers", "short", "content_dir", "nope", "enabled", "Trusted")
PLUGINS = ("search", "tags", "offline", "meta", "info", "redirects", "macros", "awesome-nav", "material/tags",
           "material/search", "rulewright", "nope", "mike", "i18n", "git-revision-date-localized")  # fmt: skip
EXTENSIONS = ("toc", "admonition", "pymdownx.details", "pymdownx.tabbed", "pymdownx.snippets", "tables", "meta",
              "attr_list", "codehilite", "markdown.extensions.toc", "nope", "toc:TocExtension")  # fmt: skip
EXTRA = ("social", "alternate", "status", "analytics", "homepage", "scope", "version", "consent", "report",
         "generator", "tags", "annotate", "worker")  # fmt: skip
NAVS: tuple[Any, ...] = (
    "tips.md", {"A": "tips.md"}, {"A": ["tips.md", {"B": "index.md"}]}, {"A": "https://a.example/"}, ["tips.md"],
    {"A": "tips.md", "B": "index.md"}, {"A": {"B": "tips.md"}}, None, "", 5, "gone.md", "duel/1/", "duel/1/1-swords.md",
    {"A": None}, {"A": []}, {5: "tips.md"}, {"": "tips.md"}, "duel", "tips.md#x", "../mkdocs.yml", "/tips.md",
)  # fmt: skip


def _settings(pick: Choices) -> dict[str, Any]:
    """Settings of a site, some of them odd."""

    def odd() -> Any:
        return pick.words()[:200] if pick.below(8) == 1 else pick.one_of(SCALARS)

    def named(names: Sequence[str], count: int) -> dict[str, Any]:
        return {pick.one_of(names): odd() for _ in range(pick.below(count))}

    def either(found: dict[str, Any]) -> Any:
        """Names with their options, as a list or as keys."""
        if pick.below(2):
            return found
        return [name if value is None else {name: value} for name, value in found.items()]

    made: dict[str, Any] = {"site_name": "B", "plugins": ["rulewright"]}
    for _ in range(1 + pick.below(3)):
        match pick.below(9):
            case 0:
                made["plugins"] = either(
                    {**dict.fromkeys(["search"] * pick.below(2)), "rulewright": named(OPTIONS, 3)}
                )
            case 1:
                others = {
                    pick.one_of(PLUGINS): pick.one_of((None, None, {}, odd())) for _ in range(pick.below(3))
                }
                made["plugins"] = either({**others, "rulewright": None})
            case 2:
                made["nav"] = [pick.one_of(NAVS) for _ in range(1 + pick.below(3))]
            case 3:
                made["theme"] = {"name": "material", **named(THEME, 4)}
            case 4:
                made["extra"] = {**named(EXTRA, 3)}
            case 5:
                made["markdown_extensions"] = either(
                    {
                        pick.one_of(EXTENSIONS): pick.one_of((None, None, {}, odd()))
                        for _ in range(pick.below(3))
                    }
                )
            case 6:
                made[pick.one_of(SETTINGS)] = odd()
            case 7:
                made[pick.one_of(SETTINGS)] = odd()
                made.pop(pick.one_of(("x", "y", "site_name", "plugins")), None)
            case _:
                made["extra"] = {pick.one_of(EXTRA): [{pick.one_of(("icon", "link", "name", "lang")): odd()}]}
    return made


def plugin(data: bytes, folder: Path) -> None:
    """Settings of a site with our plugin: what MkDocs refuses to begin with, the check has told.

    Of one in a hundred the site is made: what the check passes is, and what it tells is not.
    """
    pick = Choices(data)
    made = json.loads(json.dumps(_settings(pick)))  # what stands in two places is two
    try:
        written = yaml.dump(made, Dumper=yaml.CSafeDumper, allow_unicode=True, sort_keys=False).encode()
    except (yaml.YAMLError, UnicodeError):
        return
    write(folder, {**FILES, "mkdocs.yml": written})
    found = [one for one in settings_faults.faults(folder, written) if one.fails]
    list(map(str, found))
    with host.listening(verbose=False) as heard, redirect_stderr(StringIO()):
        try:
            host.load(folder, heard)
            fault = ""
        except Refusal as refusal:
            fault = str(refusal)
    assert found or not fault, fault
    if "Traceback" in fault:
        raise AssertionError(fault)


# -- titles


def titles_everywhere(data: bytes, folder: Path) -> None:
    """Hostile titles of books, chapters, rules, tables, steps, pages, aids, games: each page keeps its shape."""
    pick = Choices(data)
    share = pick.one_of((2, 2, 5, 20))

    def named(plain: str) -> str:
        if pick.below(share):
            return plain
        words = (
            "".join(sign for sign in pick.words() if sign.isprintable()) if pick.below(9) else pick.words()
        )
        return pick.one_of((words, f"{plain} {words}", f"{words} {plain}"))

    book: dict[str, Any] = yaml.safe_load(texts({})["content/duel/rulebook.yml"])
    book |= {
        "title": named("Duel"),
        "short": named("D"),
        "sides": {"red": {"title": named("Red"), "mark": "R"}},
    }
    book["terms"] = {
        named("WP"): {"means": named("Weak Point"), "aliases": [named("weak spot")], "see": "1.2"}
    }
    if not pick.below(3):
        book["subtitle"] = named("A game")
    if not pick.below(3):
        book["language"] = pick.one_of(("de", "en", "ja", "xx", named("de")))
    rules = [
        {"number": "1.1", "title": named("Swords"), "text": "See 1.2a and [[1.2]]."},
        {"number": "1.2", "title": named("Bows"), "text": "See 1.1.", "aliases": [named("archery")]},
        {
            "number": "1.2a",
            "text": "- one\n- two\n",
            "notes": [{"kind": "example", "text": named("A red one.")}],
        },
        {"number": "1.5", "title": named("Turn"), "shows": "sequence"},
    ]
    steps = [
        {"turn": named("Red's turn"), "id": "red", "phasing": "red",
         "steps": [{"phase": named("Hit Phase"), "uses": "winds", "see": "1.1", "steps": [{"do": named("Hit")}]}]},
        {"phase": named("Rest Phase")},
    ]  # fmt: skip
    table = {
        "title": named("Winds"), "id": "winds", "roll": "1d6", "columns": ["Result", named("Far")],
        "rows": [{"roll": "1-3", "Result": named("Calm")}, {"roll": "4..", "Result": "Gale"}],
        "modifiers": [{"value": "+1", "when": named("in rain")}],
    }  # fmt: skip
    aid = {"title": named("Card"), "about": named("A card."), "blocks": ["sequence", {"tables": "all"}]}
    made: dict[str, Any] = {
        "rulebook.yml": book, "2/edition.yml": {"edition": named("2"), "follows": "1", "date": "2020-01-01"},
        "2/rules/1.yml": {"chapter": "1.0", "title": named("Fighting"), "rules": rules},
        "2/sequence.yml": {"title": named("Order"), "steps": steps}, "2/tables/winds.yml": table,
        "2/aids/card.yml": aid, "2/errata.yml": {}, "2/questions.yml": {},
    }  # fmt: skip
    files = {f"content/duel/{name}": json.dumps(one).encode() for name, one in made.items() if one}
    files["content/duel/2/faq.md"] = (
        f"---\n{yaml.safe_dump({'title': named('Asked')})}---\n# {named('Q')}\n".encode()
    )
    files["content/melee/rulebook.yml"] = json.dumps({"title": named("Melee")}).encode()
    for name in ("errata", "questions", "redirects", "known", "references"):
        files[f"content/duel/2/{name}.{'lock' if name == 'references' else 'yml'}"] = b""
    files |= {"content/melee/1/sequence.yml": b"", "content/melee/1/rules/1.yml": b'chapter: "1.0"\n'}
    write(folder, texts(files))
    artifacts = rendered(folder)
    list(map(str, artifacts.problems))
    for page in artifacts.pages:
        own = {"form"} if page.path.endswith("/play") else set()
        assert {*broken(page.html)} <= own, (page.path, broken(page.html)[:3])
        assert not re.search(r"\b1337\b", page.html + page.description), page.path
    for path, content in artifacts.files.items():
        text = as_bytes(content)
        if path.endswith(".json"):
            json.loads(text)
        elif path.endswith(".html"):
            assert broken(text.decode()) in ([], ["script"]), (path, broken(text.decode()))
        elif path.endswith(".js") and text.startswith(b"rulewright.take("):
            for _, html in _previews(json.loads(f"[{text[16:].decode().rstrip().removesuffix(');')}]")):
                assert not broken(html), (path, broken(html)[:3])
    if pick.below(5):
        return
    examined = _examined(files)
    for outline in examined.shelf.outlines.values():
        for form, export in FORMATS.items():
            told = export(outline, examined.shelf, "https://a.example")
            assert form != "html" or not wrong(told), wrong(told)


def _previews(data: Any) -> Iterable[tuple[str, str]]:
    """The HTML of the things in a script of previews, by their names."""
    held = data[1] if len(data) > 1 and isinstance(data[1], dict) else {}
    for name, one in held.items():
        with suppress(IndexError, TypeError):
            yield name, one[2]


SURFACES = (
    Surface("old addresses", old_addresses, seeds, (), 150),
    Surface("plugin", plugin, seeds, (), 60),
    Surface("titles everywhere", titles_everywhere, seeds, (), 20),
)
