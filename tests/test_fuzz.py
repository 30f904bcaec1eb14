"""Damaged content and documents: reading, building and importing report problems and raise nothing.

What is damaged: the books that other tests read, as trees of YAML or as bytes, and documents. The quick
profile tries a few; the thorough one, and TIMES in the environment, many more.
"""

import copy
import random
import tempfile
import zipfile
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rulewright.app.build_pipeline import build
from rulewright.checks.load_and_check import load_and_check_folder
from rulewright.files.content_reader import ContentFolder, read_content_folder
from rulewright.files.errors import ContentErrors
from rulewright.imports.pipeline import ImportRequest, import_source
from rulewright.imports.reading.documents import read_document
from rulewright.references.content_page import link_references
from tests.commands.duel import write
from tests.example_counts import TIMES
from tests.test_import_documents import needs_poppler
from tests.test_import_formats import as_docx, as_html, as_pdf, book

HERE = Path(__file__).parent
IS_QUICK = settings().max_examples < 30 * TIMES
SEEDS = st.integers(0, 2**32)


def many(quick: int, thorough: int) -> settings:
    """The settings of a test that tries so many examples in each profile, times TIMES."""
    return settings(
        max_examples=(quick if IS_QUICK else thorough) * TIMES,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
    )


# Content

PAGE = "---\ntitle: Asked\n---\n# Asked\n\nSee 1.1, §2-a, [[nowhere/2:1.1|there]].\n\n| A |\n|---|\n| 1 |\n"
REDIRECTS = "redirects:\n  - {from: /old/, to: '1.1', anchors: {a: '1.1a', b: sequence}}\n"
SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0h9"/></svg>'
ADDED = {"faq.md": PAGE, "redirects.yml": REDIRECTS, "box.svg": SVG}
PROJECTS = [
    {
        **read_content_folder(HERE / name).texts,
        **{f"content/{at}/{one}": text.encode() for one, text in ADDED.items()},
    }
    for name, at in (("sixth", "salt-road/2"), ("seventh", "lantern/2"))
]
NESTED: Any = "x"
for _ in range(45):
    NESTED = [NESTED]
VALUES: list[Any] = [
    *("", "0", "-1", "9" * 5_000, "1.1", "§2-a", "see 1.1 to 9.9", "[[1.1|", "[[nowhere/1:1.1]]", "yes"),
    *("1d6", "2d6+999999999", "1-6", "..3", "2020-01-01", "2020-13-40", "a5", "-1 mm", "#7a3b00", "../../x"),
    *("<script>x()</script>", "*a **b _c", "| a |\n|---|", "\u202eevil", "\ue0007\ue001", "a\nb", "first"),
    *([], {}, None, ["a"], [[]], {"a": {"b": ["c"]}}, [{}], [{"number": "1.1"}], {"1.1 A": "Words."}, NESTED),
]
TOKENS = (
    *(b"<", b'"', b"'", b"[", b"{", b"- ", b": ", b"&a ", b"*a ", b"!x ", b"#", b"|\n", b"\t", b"\r", b"\0"),
    *(b"\xff", b"\n\n", b"---\n", b"<<: ", b"? ", b"\xe2\x80\xae", b"\xee\x80\x80", b"9" * 40, b"[[", b"]]"),
    *(b"]]>", b"</w:p>", b"<w:tbl>", b"w:val=", b"endobj", b"stream", b"&#99999999;", b"</table>", b"<li>"),
    *(b"<td rowspan=999999999>", b"<!--", b"<ol type=a start=9>", b"{{<", b"see 1.1", b"1." * 20),
)


def damaged(data: bytes, chance: random.Random) -> bytes:
    """The bytes with some parts deleted, doubled, reversed, or with tokens inserted."""
    for _ in range(chance.choice([1, 1, 2, 5, 20])):
        at, to = sorted(chance.randrange(len(data) + 1) for _ in range(2))
        to = min(to, at + chance.choice([1, 4, 40, 400]))
        part = data[at:to]
        flipped = bytes(byte ^ 1 << chance.randrange(8) for byte in part)
        new = chance.choice([b"", part * 2, part[::-1], flipped, chance.choice(TOKENS) + part])
        data = data[:at] + new + data[to:]
    return data


def nodes(tree: Any) -> Iterator[tuple[Any, Any]]:
    """Each mapping and list of a tree with a key or an index of it."""
    inner = tree.items() if isinstance(tree, dict) else enumerate(tree) if isinstance(tree, list) else ()
    for key, value in list(inner):
        yield tree, key
        yield from nodes(value)


KEYS = sorted(
    {
        key
        for project in PROJECTS
        for name, data in project.items()
        if name.endswith(".yml")
        for holder, key in nodes(yaml.load(data, yaml.BaseLoader))
        if isinstance(holder, dict)
    }
)


def reshaped(data: bytes, chance: random.Random) -> bytes:
    """A tree of YAML with other values and keys, some of them moved or deleted."""
    try:
        tree = yaml.load(data, yaml.BaseLoader)
    except yaml.YAMLError:  # a damaged file was put in its place
        return data
    for _ in range(chance.choice([1, 1, 2, 4])):
        places = [*nodes(tree)]
        if not places:
            break
        holder, key = chance.choice(places)
        other, source = chance.choice(places)
        value = copy.deepcopy(chance.choice([chance.choice(VALUES), other[source]]))
        how = chance.randrange(4)
        if how == 0:
            del holder[key]
        elif how == 1:
            holder[key] = value
        elif isinstance(holder, dict):
            holder[chance.choice(KEYS)] = value
        else:
            holder.insert(key, value)
    return yaml.safe_dump(tree, allow_unicode=True, sort_keys=False).encode()


def content(seed: int) -> dict[str, bytes]:
    """The books with one or two files damaged, and sometimes one gone or at a wrong place."""
    chance = random.Random(seed)
    result = dict(chance.choice(PROJECTS))
    for name in chance.sample(sorted(result), chance.choice([1, 1, 2])):
        way = reshaped if name.endswith(".yml") and chance.random() < 0.7 else damaged
        result[name] = way(result[name], chance)
        if chance.random() < 0.1:
            result[chance.choice(sorted(result))] = result.pop(name)
    return result


@given(SEEDS)
@many(30, 1_500)
def test_damaged_content_is_read_and_each_problem_has_its_place(seed):
    texts = content(seed)
    examined = load_and_check_folder(ContentFolder(texts))
    for problem in examined.problems:
        data = texts.get(problem.place.file, b"")
        assert problem.place.file.startswith("content/")
        assert 1 <= problem.place.line <= data.count(b"\n") + data.count(b"\r") + 2
        assert problem.place.column >= 1
        assert not {*str(problem)} & {"\n", "\r", "\x1b", "\u202e"}
    for page in examined.manuscripts:
        link_references(page)


@given(SEEDS)
@many(5, 150)
def test_damaged_content_is_built_or_refused(seed):
    """Every page is there, or the errors say why none is."""
    with tempfile.TemporaryDirectory() as folder:
        write(Path(folder), {"mkdocs.yml": "site_name: F\nplugins: [rulewright]\n", **content(seed)})
        try:
            result = build(Path(folder))
        except ContentErrors:
            return
        assert all(page.html for page in result.pages)


# Documents


def damaged_docx(data: bytes, chance: random.Random) -> bytes:
    """A DOCX of which one part is damaged, or all of it."""
    if chance.random() < 0.1:
        return damaged(data, chance)
    buffer = BytesIO()
    with zipfile.ZipFile(BytesIO(data)) as archive, zipfile.ZipFile(buffer, "w") as copy:
        names = [name for name in archive.namelist() if name.endswith((".xml", ".rels"))]
        hurt = chance.choice([*names, *["word/document.xml", "word/numbering.xml", "word/styles.xml"] * 3])
        for name in archive.namelist():
            part = archive.read(name)
            copy.writestr(name, damaged(part, chance) if name == hurt else part)
    return buffer.getvalue()


def fates(folder: Path, ending: str, count: int) -> set[str]:
    """What becomes of so many damaged documents: `imported` or `refused`; anything else is raised."""
    sound = {"docx": lambda: as_docx(book(), counted=True), "html": lambda: as_html(book())}.get(
        ending, lambda: as_pdf(book(), 2)
    )()
    path, found = folder / f"a.{ending}", set[str]()
    for seed in range(count):
        chance = random.Random(seed)
        path.write_bytes((damaged_docx if ending == "docx" else damaged)(sound, chance))
        try:
            import_source(read_document(path), ImportRequest("book", "1"), "a")
            found.add("imported")
        except ContentErrors:
            found.add("refused")
    return found


@pytest.mark.parametrize(("ending", "count"), [("docx", 20), ("html", 20), ("pdf", 10)])
def test_a_damaged_document_is_read_or_refused(ending, count, tmp_path):
    needs_poppler(ending)
    assert "imported" in fates(tmp_path, ending, count if IS_QUICK else 15 * count)
