"""Surfaces of the content: files of each sort, prose, dialects, pages, locks, journals, names, commands.

A file is put into a small book, and into a game that extends it; the line is run on both as a check runs it,
and for one input of sixty as a build does, up to the pages.
"""

import hashlib
import io
import json
import re
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import redirect_stderr, redirect_stdout, suppress
from functools import cache, partial
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, get_args, get_origin

import requests  # noqa: F401  which tries a socket when it is imported, as plugins of MkDocs do
import yaml
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from markdown import Markdown

from rulewright.app import cli, host
from rulewright.app.build import build
from rulewright.app.mkdocs_plugin.markdown_page import PageExtension
from rulewright.app.mkdocs_plugin.shown_settings import Shown, address, runs
from rulewright.app.mkdocs_plugin.theming import EXTENSIONS
from rulewright.app.serving import Serving
from rulewright.book.content_files import MODELS, sort_of
from rulewright.checks import settings_faults
from rulewright.checks.examine import examine, examine_folder
from rulewright.citations.manuscript import linked
from rulewright.importers.proposal import proposal_of
from rulewright.model.colours import colour
from rulewright.model.dice import dice, ranges
from rulewright.model.keys import typed_keys
from rulewright.model.paper import length, paper_of, points
from rulewright.model.reader import chosen_of, either_of
from rulewright.model.rulebook import SETS
from rulewright.numbers.declared import MOST_EXAMPLES, MOST_LETTERS
from rulewright.numbers.dialect import Dialect
from rulewright.numbers.examples import example_fault
from rulewright.numbers.finder import Finder
from rulewright.site.artifacts import Artifacts
from rulewright.site.exports import FORMATS
from rulewright.site.templating import environment
from rulewright.source import private, transaction
from rulewright.source import settings as project_settings
from rulewright.source.amounts import counted, unescaped, whole
from rulewright.source.folder import LOCK, Folder
from rulewright.source.refusal import Refusal
from rulewright.source.text import Text
from rulewright.source.transaction import Busy
from rulewright.text.document import Document, Html, passages, plain
from rulewright.text.harmless import drawing
from tests.attack.mutation import words_of
from tests.attack.surface import Surface, seeds_in
from tests.commands.duel import write

HERE = Path(__file__).parent
BOOK = {
    path.relative_to(HERE / "book").as_posix(): path.read_bytes()
    for path in sorted((HERE / "book").rglob("*.*"))
}
"""A small book with a file of each sort, and a game of it."""
SAMPLES = [HERE.parent / name for name in ("sixth", "seventh")]


_READ: dict[str, Any] = {}
"""Files that were read before."""


def texts(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """The files of the books by their names from the project, some of them others."""
    return {**BOOK, **files}


def run_line(files: Mapping[str, bytes], folder: Path, data: bytes) -> None:
    """Run the line as a check does, and for some inputs as a build does."""
    every = texts(files)
    if hashlib.sha256(data).digest()[0] % 60:
        inventories = {name: every.pop(name) for name in list(every) if "/elsewhere/" in name}
        examined = examine_folder(Folder(every, inventories=inventories), cache=_READ)
        for page in examined.manuscripts:
            linked(page)
        list(map(str, examined.problems))
        return
    write(folder, every)
    rendered(folder)


def rendered(folder: Path) -> Artifacts:
    """All that a build makes of a project, but for what the printer and the host do."""
    made = build(folder)
    json.dumps([page.html for page in made.pages]).encode()
    for page in made.prose.values():
        page.filled().encode()
    return made


def make_ready() -> None:
    """Do once what every process would do first: compile templates, read the books, list all signs."""
    with tempfile.TemporaryDirectory() as folder:
        rendered(write(Path(folder, "book"), BOOK))
        several(bytes(400), Path(folder, "several"))
    environment().bytecode_cache = None  # which would write beside the folder of an input


# -- each sort of file


def places_of(sort: str) -> list[str]:
    """Where a sort of content file stands in the books, by the names of its files; in either book."""
    names = [name for name in BOOK if sort_of(name) == sort]
    if not names:
        stems = (f"{sort}.yml", f"{sort}s/x.yml", f"{sort}/x.yml")
        folders = ("content", "content/duel", "content/duel/2")
        names = [name for at in folders for one in stems if sort_of(name := f"{at}/{one}") == sort]
    newest = [name for name in names if not name.startswith("content/duel/1/")]
    own = next((name for name in newest if "/duel/" in name), newest[0])
    game = own.replace("/duel/2/", "/melee/1/")
    return [own] if game in names or game == own else [own, game]


def _file(sort: str, data: bytes, folder: Path) -> None:
    run_line(dict.fromkeys(places_of(sort), data), folder, data)


def example(wanted: Any, meta: Mapping[str, Any], choice: int = 0, depth: int = 0) -> Any:
    """A value for a key of a content file, or a whole one, with every key in it."""
    if wanted is Text:
        if "words" in meta:
            return SETS[meta["words"]][0]
        if meta.get("date"):
            return "2020-01-01"
        is_number = meta.get("cites") or meta.get("of_series")
        return "1.1" if is_number else "See 1.1, **bold** [[1.2|x]]." if meta.get("prose") else "1"
    if depth > 2 and get_origin(wanted) and not meta.get("must"):
        return None
    if get_origin(wanted) is tuple:
        return [example(get_args(wanted)[0], meta, choice, depth)]
    if get_origin(wanted):
        return {"a": example(get_args(wanted)[1], {}, choice, depth)}
    either = either_of(wanted)
    made = {"do": "Row"} if chosen_of(wanted) else {}
    for name, (field, inner) in typed_keys(wanted).items() if hasattr(wanted, "__dataclass_fields__") else ():
        if name not in either or name == either[choice % len(either)]:
            value = example(inner, field.metadata, choice, depth + 1)
            if value is not None:
                made[name] = "1.1" if field.name in ("number", "formerly") else value
    return made


def seeds_of(sort: str) -> list[bytes]:
    """Files of a sort: those of the books, those of the samples, and such as have every key."""
    found = [text for name, text in BOOK.items() if sort_of(name) == sort]
    for sample in SAMPLES:
        files = sorted(sample.rglob("*.yml"))
        found += (f.read_bytes() for f in files if sort_of(f.relative_to(sample).as_posix()) == sort)
    whole = (example(MODELS[sort], {}, choice) for choice in range(12))
    return [*found, *dict.fromkeys(yaml.safe_dump(one, sort_keys=False).encode() for one in whole)]


@cache
def words() -> list[bytes]:
    """All words of the books: keys, numbers, names."""
    return words_of([*BOOK.values()])


# -- several files at once, as Hypothesis makes them from the model


def _value(wanted: Any, meta: Mapping[str, Any]) -> st.SearchStrategy[Any]:
    """Values for a key: mostly such as the model asks for."""
    if wanted is Text:
        known = [*SETS.get(meta.get("words", ""), ()), *(["2020-01-01"] if meta.get("date") else [])]
        return st.sampled_from([*known, *known]) if known else st.sampled_from(WORDS) | st.text(max_size=12)
    if get_origin(wanted) is tuple:
        return st.lists(st.deferred(lambda: _value(get_args(wanted)[0], meta)), max_size=3)
    if get_origin(wanted):
        inner = st.deferred(lambda: _value(get_args(wanted)[1], {}))
        return st.dictionaries(st.sampled_from(WORDS), inner, max_size=2)
    return _model(wanted)


@cache
def _model(model: Any) -> st.SearchStrategy[Any]:
    keys = typed_keys(model)
    values = {
        name: st.deferred(lambda inner=inner, field=field: _value(inner, field.metadata))  # type: ignore[misc]
        for name, (field, inner) in keys.items()
    }
    must = {name for name, (field, _) in keys.items() if field.metadata.get("must")}
    made = st.fixed_dictionaries(
        {name: values[name] for name in must}, optional={n: v for n, v in values.items() if n not in must}
    )
    if not chosen_of(model):
        return made
    heads = st.sampled_from([*SETS["steps"], "do", "turn"])
    return st.tuples(made, heads, st.sampled_from(WORDS)).map(lambda one: {one[1]: one[2], **one[0]})


WORDS = [
    "1.0", "1.1", "1.2a", "1.2a(A)", "A.1", "2.0", "2.1", "9.9", "1", "2", "3 turns", "yes", "none", "all",
    "x", "red", "phasing", "both", "Winds", "winds", "Hit", "Hit Phase", "Red's turn", "WP", "duel",
    "duel/1", "duel/2", "melee/1", "1d6", "2d6", "d66", "1-3", "4..", "roll", "Result", "Far", "+1", "x2",
    "See 1.1 to 1.3.", "[[1.2|x]]", "sword", "a5", "10 mm", "#123456", "/old/", "sequence", "faq#q", "*",
    "tri-fold", "2020-01-01", "**b** *i*", "![a](b.png)",
]  # fmt: skip
PLACES = [name for name in BOOK if sort_of(name) and "/duel/1/" not in name]


@settings(database=None, deadline=None, phases=[Phase.generate], suppress_health_check=list(HealthCheck))
@given(st.data())
def _several(data: st.DataObject) -> None:
    files: dict[str, bytes] = {}
    for name in data.draw(st.lists(st.sampled_from(PLACES), min_size=1, max_size=3, unique=True)):
        made = data.draw(_model(MODELS[str(sort_of(name))]))
        files[name] = json.dumps(made).encode()
    _several_in.run(files)


class _SeveralIn:
    """Where the files go that Hypothesis has made."""

    def __init__(self) -> None:
        self.folder, self.data = Path(), b""

    def run(self, files: Mapping[str, bytes]) -> None:
        run_line(files, self.folder, self.data)


_several_in = _SeveralIn()


def several(data: bytes, folder: Path) -> None:
    """Bytes as decisions of Hypothesis, which makes files of the model's types from them."""
    _several_in.folder, _several_in.data = folder, data
    _several.hypothesis.fuzz_one_input(data)


# -- texts


FINDERS = [
    Finder(
        Dialect(numbers, chapters, implied=implied),
        cues=["see"],
        joins=["and"],
        through=["to"],
        levels=levels,
    )
    for numbers, chapters, implied, levels in [
        (["1.1a(A)", "A.1"], ["12.0", "12."], False, ["chapter", "rule", "case"]),
        (["I.A.1"], ["12.0"], False, []),
        (["[1.11]A"], ["3.0"], False, []),
        (["A1.111", "A.1"], ["C", "(22-23)"], True, []),
        (["§1-a-i"], ["§4"], False, ["part", "clause"]),
        (["1.1a", "Rule 1 Case A"], ["7"], False, []),
    ]
]  # fmt: skip


def prose(data: bytes, folder: Path) -> None:
    """A text of a rule: references found, paragraphs and HTML made."""
    text = data.decode("utf-8", "replace").replace("\r", "")
    FINDERS[len(data) % len(FINDERS)].find(text, "1")
    read, html = Document(text), Html(lambda to, words: words)
    html.blocks(read.blocks).encode()
    html.words(read.inline())
    plain(text)
    list(passages(read.blocks))


def ruled(data: bytes, folder: Path) -> None:
    """The same text as that of a rule, on the whole line."""
    text = "".join(c for c in data.decode("utf-8", "replace") if c.isprintable() or c == "\n")
    rules = {"chapter": "1.0", "title": text[:100], "text": text, "rules": [{"number": "1.2", "text": text}]}
    rules["rules"] += [{"number": "1.1", "text": "A sword hits."}]
    run_line({"content/duel/2/rules/1.yml": json.dumps(rules).encode()}, folder, data)


def page(data: bytes, folder: Path) -> None:
    """A Markdown page: read, its references found, made into HTML as the site does it."""
    name = "content/duel/2/faq.md"
    every = texts({name: data})
    inventories = {other: every.pop(other) for other in list(every) if "/elsewhere/" in other}
    found = next(
        one
        for one in examine_folder(Folder(every, inventories=inventories), cache=_READ).manuscripts
        if one.name == name
    )
    made, written = linked(found), _written()
    written[1].begin(made)
    written[0].reset()
    html = written[0].convert(made.text)
    unescaped(html).encode("utf-8", "replace")


@cache
def _written() -> tuple[Markdown, PageExtension]:
    own = PageExtension(False)
    return Markdown(extensions=[*EXTENSIONS, own]), own


def dialect(data: bytes, folder: Path) -> None:
    """Numbers by example, in the lines up to an empty one, and a text in which they are found."""
    said, _, text = data.decode("utf-8", "replace").replace("\r", "").partition("\n\n")
    numbers, chapters, *rest = [part.split("|") for part in f"{said}\n\n".split("\n")]
    cues = [cue for cue in rest[0] if cue.strip()]
    rulebook = {
        "title": "Duel",
        "numbers": numbers,
        "chapters": [one for one in chapters if one],
        "cues": cues,
    }
    run_line({"content/duel/rulebook.yml": json.dumps(rulebook).encode()}, folder, data)
    few = [one for one in numbers if len(one) <= MOST_LETTERS][:MOST_EXAMPLES]
    if few and not any(map(example_fault, few)):
        made = Dialect(few)
        for word in text.split()[:50]:
            if number := made.parse(word):
                made.forms(number)
                list(made.ancestors(number))
        Finder(made, cues=cues).find(text)


def surveyed(data: bytes, folder: Path) -> None:
    """A text whose numbering is proposed, as Markdown and as plain text."""
    for name in ("x.md", "x.txt"):
        (folder / name).write_bytes(data.decode("utf-8", "replace").encode())
        found, _ = proposal_of([str(folder / name)])
        if found:
            found.as_rulebook(1)
            found.as_known()


def value(data: bytes, folder: Path) -> None:
    """A single value: an amount, dice, a roll, a paper, a colour, words of HTML."""
    for text in data.decode("utf-8", "replace").split("\n", 30):
        _value_of(text)


def _value_of(text: str) -> None:
    for read in (whole, dice, ranges, length, points, paper_of, colour, unescaped):
        read(text)  # type: ignore[operator]
    counted(text, 20)


def svg(data: bytes, folder: Path) -> None:
    """A drawing."""
    if (made := drawing(data)) is not None:
        drawing(made)


# -- what lies beside the content


def lock(data: bytes, folder: Path) -> None:
    """What references meant, for an edition, its book, and all."""
    run_line({f"content/{at}{LOCK}": data for at in ("duel/2/", "duel/", "")}, folder, data)


def journal(data: bytes, folder: Path) -> None:
    """The journal of a change that was killed, in the user's own folder; only content may be put back."""
    write(folder, {"content/a.yml": b"now", "content/b/c.yml": b"now", "outside.txt": b"mine"})
    root = Path(folder, "content")
    aside = private.folder() / private.key(root)
    at = root.stat()
    journal = _fill(data, str(root), at.st_dev, at.st_ino)
    write(aside, {"journal.json": journal, "0.old": b"was", "1.old": b"was"})
    with suppress(Busy, OSError):
        transaction.recover(folder)
    assert (folder / "outside.txt").read_bytes() == b"mine"
    kept = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    assert not [name for name in kept if name.endswith(".txt") and name != "outside.txt"]


def _fill(data: bytes, root: str, device: int, node: int) -> bytes:
    """A journal with what is only known where it lies."""
    for name, known in {b"ROOT": root, b"DEVICE": str(device), b"NODE": str(node)}.items():
        data = data.replace(name, known.encode())
    return data


def mkdocs(data: bytes, folder: Path) -> None:
    """The settings of a project: what we read of them, and for some inputs what MkDocs makes of them."""
    write(folder, {"mkdocs.yml": data})
    project_settings.site_of(folder)
    project_settings.trusts(folder)
    list(map(str, settings_faults.faults(folder, data)))
    if not hashlib.sha256(data).digest()[0] % 20:
        with suppress(Refusal), host.listening(verbose=False) as heard:
            host.load(folder, heard)


PAGE = environment().from_string(
    '<title>{{ c.site_name }}</title><a href="{{ c.repo_url }}" title="{{ c.site_name | e }}">{{ c.nav }}</a>'
    "<a href='{{ c.extra.social[0].link }}' title='{{ c.extra.social[0].name }}'></a>"
)
"""Settings as templates put them into pages."""


def titles(data: bytes, folder: Path) -> None:
    """A text as a title of everything, and as an address."""
    text = data.decode("utf-8", "replace")[:2_000]
    social = [{"link": address(text), "name": text}]
    given = {"site_name": text, "repo_url": address(text), "nav": text, "extra": {"social": social}}
    signs = _Tags()
    signs.feed(PAGE.render(c=Shown(given, trusted=False)))
    signs.close()
    assert signs.tags == ["title", "a href title", "a href title"]
    assert not any(map(runs, signs.addresses))
    shown = "".join(sign for sign in text if sign.isprintable())
    rulebook = {"title": shown, "numbers": "1.1", "chapters": "1.0", "language": shown[:9]}
    edition = {"edition": shown[:200], "title": shown}
    rules = {"chapter": "1.0", "title": shown, "rules": [{"number": "1.1", "title": shown}]}
    made = {"rulebook.yml": rulebook, "2/edition.yml": edition, "2/rules/1.yml": rules}
    files = {f"content/duel/{name}": json.dumps(words).encode() for name, words in made.items()}
    if not hashlib.sha256(data).digest()[1] % 20:
        run_line(files, folder, data)


class _Tags(HTMLParser):
    """The tags of a page with the names of what they have, and its addresses."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.addresses: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(" ".join((tag, *(name for name, _ in attrs))))
        self.addresses += (value or "" for name, value in attrs if name == "href")


def names(data: bytes, folder: Path) -> None:
    """Names of files in the content, a line each."""
    base = folder / "content"
    base.mkdir()
    for name in data.decode("utf-8", "surrogateescape").splitlines()[:30]:
        path = base.joinpath(*[part for part in name.split("/") if part not in ("", ".", "..")][:6])
        with suppress(OSError, ValueError):  # no disk takes every name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(
                b"edition: '1'\n" if name.endswith("edition.yml") else b"title: A\nnumbers: '1.1'\n"
            )
    if hashlib.sha256(data).digest()[0] % 60:
        examine(folder)
    else:
        rendered(folder)


def request(data: bytes, folder: Path) -> None:
    """What a browser asks of the server, a line each: path, host, origin."""
    path, host, origin, *_ = [*data.decode("latin-1").split("\n"), "", "", ""]
    around = {"PATH_INFO": path, "HTTP_HOST": host, "HTTP_ORIGIN": origin}

    def site(environ: Any, start: Callable[..., Any]) -> Iterable[bytes]:
        start("200 OK", [("Content-Type", "text/html"), ("Content-Length", str(len(data)))])
        return [data]

    list(Serving().app(site)(around, lambda *said: lambda more: None))  # type: ignore[arg-type, return-value]


# -- the command line


COMMANDS = [
    ["export", "outline"], ["export", "table"], ["diff"], ["refs"], ["export", "redirects"],
    ["export", "inventory"], ["renumber", "--dry-run"], ["insert", "--dry-run"],
    ["renumber", "--retire", "--dry-run"], ["check", "--accept"], ["check"], ["import", "dialect"],
]  # fmt: skip
"""Commands that read, or change nothing but the project. Where they write to is the user's own word."""
_WRITES = re.compile(r"--?(?:o|p|i)")


def command(data: bytes, folder: Path) -> None:
    """The words of a command, a line each; which one it is, the first byte says."""
    said = [word for word in data[1:].decode("utf-8", "surrogateescape").split("\n") if "\0" not in word]
    said = [word for word in said if not _WRITES.match(word)][:12]
    write(folder, texts({}))
    write(folder, {"text.md": b"# T\n\nSee 1.1 and 1.9.\n", "mkdocs.yml": b"site_name: x\n"})
    which = COMMANDS[(data[0] if data else 0) % len(COMMANDS)]
    if which == ["export", "inventory"]:
        said = [str(folder / "made"), *said]
    with redirect_stdout(_Out()), redirect_stderr(_Out()):
        code = cli.main([which[0], "--project", str(folder), *which[1:], *said])
    assert code in (0, 1, 2)


class _Out(io.TextIOWrapper):
    """An output that takes what can be written."""

    def __init__(self) -> None:
        super().__init__(io.BytesIO(), "utf-8", "backslashreplace")


def _commands() -> Iterator[bytes]:
    words: Mapping[str, list[list[str]]] = {
        "export outline": [["duel/2", "--format", one] for one in FORMATS]
        + [["duel", "--base", "https://a.example"]],
        "export table": [["duel/2", "winds", "--format", one] for one in ("text", "csv", "json")],
        "diff": [["duel/1", "duel/2", "--format", one] for one in ("text", "json", "html", "markdown")],
        "refs": [["duel", "text.md", "--format", "json"]],
        "export redirects": [["duel/2"], ["--base", "https://a.example/b"]],
        "renumber --dry-run": [
            ["duel/2", "1.1", "1.9"],
            ["duel/2", "1.1=1.2", "1.2=1.1"],
            ["duel/2", "1.0", "3.0"],
        ],
        "insert --dry-run": [["duel/2", "1.2", "--title", "New"]],
        "renumber --retire --dry-run": [["duel/2", "1.1", "--for", "1.2"]],
        "check --accept": [["duel/2"], ["all"]],
        "import dialect": [["text.md", "--known"]],
    }
    for at, name in enumerate(COMMANDS):
        for line in words.get(" ".join(name), [[]]):
            yield bytes([at]) + "\n".join(line).encode()


SURFACES = (
    *(Surface(sort, partial(_file, sort), partial(seeds_of, sort), words(), 30) for sort in MODELS),
    Surface(
        "several", several, lambda: [hashlib.shake_256(bytes([at])).digest(400) for at in range(30)], (), 30
    ),
    Surface("prose", prose, seeds_in("prose"), words(), 1_500),
    Surface("ruled", ruled, seeds_in("prose"), words(), 40),
    Surface("page", page, seeds_in("page"), words(), 12),
    Surface("dialect", dialect, seeds_in("dialect"), words(), 60),
    Surface("survey", surveyed, seeds_in("survey"), words(), 400),
    Surface("value", value, seeds_in("value"), (), 1_500),
    Surface("drawing", svg, seeds_in("drawing"), (), 400),
    Surface("lock", lock, seeds_in("lock"), words(), 30),
    Surface("journal", journal, seeds_in("journal"), (), 300),
    Surface("mkdocs", mkdocs, seeds_in("mkdocs"), (), 400),
    Surface("titles", titles, seeds_in("titles"), words(), 400),
    Surface("names", names, seeds_in("names"), words(), 30),
    Surface("request", request, seeds_in("request"), (), 400),
    Surface("command", command, lambda: list(_commands()), words(), 40),
)
