"""The budgets: at each bound all is well, and one beyond it is a problem with a place and a code."""

import re
from collections.abc import Callable, Mapping
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image

from rulewright.app.build import build
from rulewright.checks.examine import examine
from rulewright.print.typesetting import Refused, sound
from rulewright.source import bounds
from rulewright.source.bounds import BOUNDS, Bound
from rulewright.source.problems import KINDS, Problem
from tests.commands.duel import write

ROOT = Path(__file__).parent.parent
NAMES = {name: value for name, value in vars(bounds).items() if isinstance(value, Bound)}
BOOK = {
    "duel/rulebook.yml": 'title: Duel\nnumbers: "1.1a"\nchapters: ["1.0"]\ncues: [see]\n',
    "duel/1/edition.yml": 'edition: "1"\n',
    "duel/1/rules/1.yml": 'chapter: "1.0"\ntitle: Arms\n"1.1": A sword.\n',
}
SIZE = sum(map(len, BOOK.values()))
TABLE = "title: T\nid: t\n"
RULE = 'chapter: "2.0"\ntitle: More\n'
COUNTER = '  c#: {values: "1"}\n'

Files = Mapping[str, str]


def each(n: int, line: str) -> str:
    return "".join(line.replace("#", str(at + 1)) for at in range(n))


def repeats(n: int) -> str:
    """A sequence in which each of n steps repeats the one before it."""
    steps = (f"  - phase: P{i}\n    id: p{i}\n    repeats: p{i - 1}\n" for i in range(1, n + 1))
    return "title: T\nsteps:\n  - phase: P0\n    id: p0\n" + "".join(steps)


def extended(n: int) -> Files:
    """A book of a series, and n editions after it of which each extends the one before."""
    made = {}
    for at in range(n):
        made[f"game{at}/rulebook.yml"] = BOOK["duel/rulebook.yml"]
        before = f"game{at - 1}/1" if at else "duel/1"
        made[f"game{at}/1/edition.yml"] = f'edition: "1"\nextends: {before}\n'
    return made


def doubled(n: int) -> Files:
    """A turn of n steps in lists half as long: a phase with steps, one that repeats it, perhaps one more."""
    inside, more = divmod(n - 2, 2)
    steps = (
        f"  - phase: A\n    id: a\n    steps: [{each(inside, '{do: X#}, ')}]\n  - {{phase: B, repeats: a}}\n"
    )
    return {"duel/1/sequence.yml": f"title: T\nsteps:\n{steps}{each(more, '  - phase: C#')}\n"}


# The most that there may be here, small where the figure is read at the time, and content with so much.
CASES: Mapping[str, tuple[str, int, Callable[[int], Files]]] = {
    "files": ("LIST", 9, lambda n: {f"duel/1/p{i}.md": "# A\n" for i in range(n - len(BOOK))}),
    "folders": ("NESTING", 5, lambda n: {"/".join(["duel/1", *"abcdefgh"[: n - 2], "x.txt"]): "words"}),
    "all texts": ("CONTENT", SIZE + 90, lambda n: {"duel/1/p.md": "x" * (n - SIZE)}),
    "a download": ("CONTENT", SIZE + 90, lambda n: {"duel/1/p.txt": "x" * n}),
    "a file": ("FILE", 300, lambda n: {"duel/1/known.yml": f"known: [] # {'x' * (n - 12)}"}),
    "a page": ("FILE", 300, lambda n: {"duel/1/p.md": "x" * n}),
    "YAML": ("NESTING", 12, lambda n: {"duel/1/known.yml": "[" * n + "]" * n}),
    "a text": (
        "TEXT",
        80,
        lambda n: {"duel/1/rules/2.yml": f"{RULE}'2.1': {'x' * n}\n"},
    ),
    "known": ("LIST", 6, lambda n: {"duel/1/known.yml": "known:\n" + each(n, "  - {number: '3.#'}\n")}),
    "rows": (
        "LIST",
        6,
        lambda n: {"duel/1/tables/t.yml": f"{TABLE}columns: [A]\nrows:\n" + each(n, "  - A: x\n")},
    ),
    "names": (
        "LIST",
        7,
        lambda n: {"duel/rulebook.yml": f"{BOOK['duel/rulebook.yml']}counters:\n{each(n, COUNTER)}"},
    ),
    "pieces": (
        "LIST",
        9,
        lambda n: {
            "duel/1/aids/a.yml": f"title: A\nblocks:\n  - cards: {{cards: [{{title: C, copies: {n}}}]}}\n"
        },
    ),
    "a turn": ("LIST", 9, doubled),
    "repeats": ("NESTING", bounds.NESTING.most, lambda n: {"duel/1/sequence.yml": repeats(n)}),
    "series": ("NESTING", bounds.NESTING.most, extended),
    "pages of an aid": (
        "PAGES",
        bounds.PAGES.most,
        lambda n: {"duel/1/aids/a.yml": f"title: A\npages: {n}\nblocks:\n  - rules: '1.1'\n"},
    ),
    "steps of a page": ("STEPS", 200, lambda n: {"duel/1/p.md": f"[{'x' * (n - 1)}"}),
}
CODES = {
    "files": "files-too-many",
    "folders": "folder-too-deep",
    "a download": "file-too-large",
    "a turn": "turn-too-long",
    "repeats": "turn-too-long",
    "series": "series-not-found",
}
"""The problem of a case, where it is not that of its bound."""


def found(project: Path, files: Files) -> list[Problem]:
    write(project / "content", {**BOOK, **files})
    return list(examine(project).problems)


@pytest.mark.parametrize("name", CASES)
def test_at_a_bound_all_is_well_and_one_beyond_is_a_problem(name, tmp_path, monkeypatch):
    which, most, content = CASES[name]
    bound = NAMES[which]
    code = CODES.get(name, bound.code)
    if most != bound.most:
        monkeypatch.setattr(bound, "most", most)
    assert [one for one in found(tmp_path / "at", content(most)) if one.code == code] == []
    beyond = [one for one in found(tmp_path / "beyond", content(most + 1)) if one.code == code]
    assert len(beyond) == 1
    assert beyond[0].place.file.startswith("content/")
    assert (tmp_path / "beyond" / beyond[0].place.file).exists()


def test_a_picture_of_too_many_pixels_is_not_unpacked(monkeypatch: pytest.MonkeyPatch) -> None:
    made = BytesIO()
    Image.new("L", (20, 10)).save(made, "PNG")
    monkeypatch.setattr(bounds.PIXELS, "most", 200)
    assert sound("a.png", made.getvalue()) == made.getvalue()
    monkeypatch.setattr(bounds.PIXELS, "most", 199)
    with pytest.raises(Refused, match=re.escape(bounds.PIXELS.clause)):
        sound("a.png", made.getvalue())
    monkeypatch.setattr(Image, "MAX_IMAGE_PIXELS", 50)  # the library's own, which it raises beyond twice
    with pytest.raises(Refused):
        sound("a.png", made.getvalue())


def test_every_bound_is_tried_and_has_a_kind_of_problem() -> None:
    assert {*NAMES} == {*(which for which, _, _ in CASES.values()), "PIXELS"}
    assert {bound.code for bound in BOUNDS} <= KINDS.keys()
    assert [bound.code for bound in BOUNDS] == [
        "file-too-large",
        "content-too-large",
        "text-too-long",
        "list-too-long",
        "yaml-too-deep",
        "aid-not-printable",
        "count-malformed",
        "page-too-intricate",
    ]
    for bound in BOUNDS:
        assert "at most" in str(bound).lower()
        assert re.fullmatch(r"[A-Z].*\b[\d,]+ .*\.", str(bound)), str(bound)
        assert str(bound)[1:-1] == bound.clause[1:]


def test_the_page_of_codes_and_the_security_policy_list_them(tmp_path: Path) -> None:
    found(tmp_path, {})
    (page,) = (page for page in build(tmp_path).pages if page.path == "checks")
    policy = (ROOT / "SECURITY.md").read_text("utf-8")
    for bound in BOUNDS:
        words = str(bound).replace("'", "&#39;")
        assert f'<tr><td>{words}</td><td><a href="#{bound.code}">' in page.html
        assert f'<dt id="{bound.code}">' in page.html
        assert f"| {bound} | `{bound.code}` |\n" in policy
    assert len(re.findall(r"^\| .*\bat most .* \|$", policy, re.MULTILINE | re.IGNORECASE)) == len(BOUNDS)
