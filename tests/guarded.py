"""The list of all that a build reads and writes, each with the check that guards it.

An entry has files that are wrong in its own way, and the codes of which `check` then tells one. The tests
hold the list against what a build of a project with everything opens and leaves.
"""

from typing import NamedTuple

SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0h9"/></svg>'
SETTINGS = """\
site_name: B
site_url: https://example.org/
theme: {name: material}
plugins: [rulewright]
extra_css: [own.css]
"""


class Guarded(NamedTuple):
    """`files`: a pattern for paths, from the project's folder or the top of the site."""

    files: str
    what: str
    wrong: dict[str, str]
    codes: frozenset[str]


def guarded(files: str, what: str, wrong: dict[str, str], *codes: str) -> Guarded:
    return Guarded(files, what, wrong, frozenset(codes))


PROJECT = {
    "mkdocs.yml": SETTINGS,
    "content/own.css": "a { color: inherit }\n",
    "content/index.md": "# Home\n\nWords.\n",
    "content/notes.md": "---\nicon: material/sword\n---\n# Notes\n\n[a](base/1.md) ![A box](box.svg)\n",
    "content/box.svg": SVG,
    "content/map.png": "GIF89a",
    "content/table.txt": "words",
    "content/base/cover.svg": SVG,
    "content/base/1/known.yml": 'known:\n  - {number: "9.0", title: Siege}\n',
    "content/base/1/redirects.yml": 'redirects:\n  - {from: /old/, to: "1.1"}\n',
    "content/base/1/errata.yml": (
        'errata:\n  - {erratum: "1", date: 2020-02-01, at: "1.2", replace: Woods, with: Thick woods}\n'
    ),
    "content/base/1/questions.yml": (
        'questions:\n  - {question: Do woods stop units?, answer: "No.", rules: ["1.2"], date: 2020-07-01}\n'
    ),
    "content/elsewhere.yml": (
        "sites:\n  sea: {title: The Sea, address: 'https://sea.example/', labels: {tide: tides/}}\n"
    ),
}
"""A project with one of each, beside what `rulewright new` makes."""

_KEY = "nope: x\n"
_UNKNOWN = "unknown-key"
_EDITION = "content/base/1"

READ = (
    guarded("mkdocs.yml", "settings", {"mkdocs.yml": "site_name: B\n"}, "site-settings-wrong"),
    guarded("mkdocs.yml", "navigation", {"mkdocs.yml": f"{SETTINGS}nav: [gone.md]\n"}, "page-link-not-found"),
    guarded("content/*/rulebook.yml", "books", {"content/base/rulebook.yml": "titel: B\n"}, _UNKNOWN),
    guarded("content/*/*/edition.yml", "editions", {f"{_EDITION}/edition.yml": _KEY}, _UNKNOWN),
    guarded("content/*/*/known.yml", "known numbers", {f"{_EDITION}/known.yml": _KEY}, _UNKNOWN),
    guarded("content/*/*/sequence.yml", "sequences", {f"{_EDITION}/sequence.yml": _KEY}, _UNKNOWN),
    guarded("content/*/*/redirects.yml", "redirects", {f"{_EDITION}/redirects.yml": _KEY}, _UNKNOWN),
    guarded("content/*/*/errata.yml", "errata", {f"{_EDITION}/errata.yml": _KEY}, _UNKNOWN),
    guarded("content/*/*/questions.yml", "questions", {f"{_EDITION}/questions.yml": _KEY}, _UNKNOWN),
    guarded("content/*/*/rules/*.yml", "chapters", {f"{_EDITION}/rules/2-combat.yml": _KEY}, _UNKNOWN),
    guarded("content/*/*/tables/*.yml", "tables", {f"{_EDITION}/tables/combat.yml": _KEY}, _UNKNOWN),
    guarded("content/*/*/aids/*.yml", "aids", {f"{_EDITION}/aids/player-aid.yml": _KEY}, _UNKNOWN),
    guarded(
        "content/elsewhere.yml",
        "other sites",
        {"content/elsewhere.yml": "sites:\n  sea: {nope: x}\n"},
        _UNKNOWN,
    ),
    guarded(
        "content/*/*/printed.lock", "sheets", {f"{_EDITION}/printed.lock": "?\n"}, "printed-lock-damaged"
    ),
    guarded("content/**/references.lock", "locks", {f"{_EDITION}/references.lock": "?\n"}, "lock-damaged"),
    guarded(
        "content/**/*.md", "links of pages", {"content/notes.md": "[a](gone.md)\n"}, "page-link-not-found"
    ),
    guarded("content/**/*.md", "anchors", {"content/notes.md": "[a](#gone)\n"}, "page-anchor-not-found"),
    guarded("content/**/*.md", "references", {"content/notes.md": "[[base/1:7.7]]\n"}, "reference-not-found"),
    guarded(
        "content/**/*.md", "front matter", {"content/notes.md": "---\nhide: 5\n---\n"}, "front-matter-value"
    ),
    guarded("content/**/*.md", "HTML", {"content/notes.md": "<script>x</script>\n"}, "page-markup-left-out"),
    guarded("content/**/*.md", "merges", {"content/notes.md": "<<<<<<< HEAD\n"}, "merge-conflict"),
    guarded("content/**/*.svg", "drawings", {"content/box.svg": "<svg>"}, "drawing-unreadable"),
    guarded("content/**/*.png", "pictures", {"content/map.png": "words"}, "picture-unreadable"),
    guarded("content/**/*.jpg", "pictures", {"content/map.jpg": "words"}, "picture-unreadable"),
    guarded("content/**/*.gif", "pictures", {"content/map.gif": "words"}, "picture-unreadable"),
    guarded("content/**/*.webp", "pictures", {"content/map.webp": "words"}, "picture-unreadable"),
    guarded("content/**", "other files", {"content/run.js": "x"}, "file-that-runs"),
)
WRITTEN = (
    guarded("*/index.html", "pages of books", {f"{_EDITION}/all.md": "# A\n"}, "address-twice"),
    guarded(
        "*/index.html",
        "pages",
        {"content/tips.md": "# A\n", "content/tips/index.md": "# B\n"},
        "address-twice",
    ),
    guarded("index.html", "the first page", {"content/README.md": "# A\n"}, "address-twice"),
    guarded("checks/index.html", "page of checks", {"content/checks.md": "# A\n"}, "file-name-unusable"),
    guarded(
        "*/index.html",
        "old addresses",
        {f"{_EDITION}/redirects.yml": 'redirects:\n  - {from: /notes/, to: "1.1"}\n'},
        "redirect-clash",
    ),
    guarded("*/tables/*.csv", "tables", {f"{_EDITION}/tables/combat.csv": "x"}, "address-twice"),
    guarded("*/tables/*.json", "tables", {f"{_EDITION}/tables/combat.json": "x"}, "address-twice"),
    guarded("*/find.js", "passages", {f"{_EDITION}/find.js/a.txt": "x"}, "address-twice"),
    guarded("*/book.json", "data", {f"{_EDITION}/book.json": "x"}, "address-twice"),
    guarded("search/*", "search of pages", {"content/search/a.txt": "x"}, "file-name-unusable"),
    guarded("*/previews/*.js", "previews", {f"{_EDITION}/previews": "x"}, "address-twice"),
    guarded("*/look.css", "styles of books", {"content/base/look.css": "x"}, "address-twice"),
    guarded("*/moved.json", "moved numbers", {"content/base/moved.json": "x"}, "address-twice"),
    guarded("assets/*", "files of the theme", {"content/assets/a.txt": "x"}, "file-name-unusable"),
    guarded("r/*", "short addresses", {"content/r/a.txt": "x"}, "file-name-unusable"),
    guarded("404.html", "page for what is missing", {"content/404.html": "x"}, "file-that-runs"),
    guarded("sitemap.xml*", "map of the site", {"content/sitemap.xml": "x"}, "file-that-runs"),
    guarded(
        "robots.txt",
        "robots.txt",
        {f"{_EDITION}/redirects.yml": 'redirects:\n  - {from: /robots.txt, to: "1.1"}\n'},
        "redirect-clash",
    ),
    guarded("sw.js", "worker", {"content/sw.js": "x"}, "file-that-runs"),
    guarded("site.webmanifest", "manifest", {"content/site.webmanifest": "x"}, "file-name-unusable"),
    guarded("*.svg", "drawings", {"content/Box.svg": SVG}, "file-name-unusable"),
    guarded("*.png", "pictures", {f"{_EDITION}/aids/player-aid.png": "GIF89a"}, "address-twice"),
    guarded("*.css", "styles", {"content/own.css.md": "# A\n"}, "address-twice"),
    guarded("*.txt", "downloads", {"content/table.txt.md": "# A\n"}, "address-twice"),
)
