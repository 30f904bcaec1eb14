"""Citations outside of the books: each written for an edition, told or fixed, and never made another's."""

import json
import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from rulewright.app.cli import main
from rulewright.checks.examine import examine
from rulewright.citations.resolving import Books
from rulewright.edit.outside import units
from tests.commands.duel import write

RULES = """\
chapter: "3"
title: Card types
"300 General": Kinds of cards.
"301 Battles":
  text: A battle is a card.
  "301.1": A battle is placed face up before its protector.
  "301.2": A battle has loyalty markers equal to the number printed.
"""
OLD = """\
  "301.3":
    text: Each battle has one protector, a player chosen as it enters.
    "301.3a": The protector may never attack that battle.
    "301.3b": If the protector leaves the game, a new one is chosen; see rule 301.3a.
  "301.4": A battle with no markers is put into the discard pile; see rules 301.3b and 301.2.
  "301.5": A battle can be defeated once in a turn only.
"""
NEW = """\
  "301.3": Nobody pays for a siege that has no markers and no owner.
  "301.4":
    text: Each battle has one protector, the player who is chosen as it enters.
    "301.4a": The protector may never attack that battle.
    "301.4b": If the protector leaves the game, a new one is chosen; see rule 301.4a.
  "301.5": A battle with no markers is put into the discard pile; see rules 301.4b and 301.2.
"""
CARDS = {
    "mkdocs.yml": "site_name: T\nplugins: [rulewright]\n",
    "content/book/rulebook.yml": 'title: Cards\nnumbers: "100.1a"\nchapters: "1"\ncues: [CR]\n',
    "content/book/1/edition.yml": 'edition: "1"\ndate: "2020-01-01"\n',
    "content/book/1/rules/3.yml": RULES + OLD,
    "content/book/2/edition.yml": 'edition: "2"\ndate: "2021-01-01"\nfollows: "1"\n',
    "content/book/2/rules/3.yml": RULES + NEW,
}


@pytest.fixture
def cards(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(write(tmp_path, CARDS))
    return tmp_path


def refs(capsys: pytest.CaptureFixture[str], *words: str, code: int = 0) -> str:
    capsys.readouterr()
    assert main(["refs", *words]) == code
    return capsys.readouterr().out


# A citation, what --fix makes of it, and the codes that are told of it before that.
VARIANTS = {
    "// CR 301.3a: never.": ("// CR 301.4a: never.", "moved"),
    "// CR 301.4: no markers.": ("// CR 301.5: no markers.", "moved"),
    "(301.3b) and rules 301.3a and b": ("(301.4b) and rules 301.4a and b", "moved moved moved"),
    "see rules 301.2 and 301.4": ("see rules 301.2 and 301.5", "moved"),
    "301.3a-b hold": ("301.4a-b hold", "moved moved"),
    "rule 301.5 is dead, rule 301.5 is": ("rule 301.5 is dead, rule 301.5 is", "lost lost"),
    "CR 301.9": ("CR 301.9", "not-found"),
    "rule 301.3 (301.3b)": ("rule 301.4 (301.4b)", "moved moved to-changed"),
    "301.4 No markers.": ("301.5 No markers.", "moved"),
    "[[301.3a]] [[book/1:301.3a]]": ("[[301.4a]] [[book/1:301.3a]]", "moved"),
    "rule 301.1, 3.1415, v301.4": ("rule 301.1, 3.1415, v301.4", ""),
}


@pytest.mark.parametrize("line", VARIANTS)
def test_each_citation_is_told_and_written_anew(line: str, cards: Path, capsys) -> None:
    wanted, codes = VARIANTS[line]
    (cards / "post.txt").write_text(f"{line}\n")
    failing = bool({*codes.split()} - {"to-changed"})
    said = refs(capsys, "book", "post.txt", "--written-for", "book/1", code=int(failing))
    assert (cards / "post.txt").read_text() == f"{line}\n"
    assert sorted(re.findall(r"\[reference-(.*)\]$", said, re.MULTILINE)) == sorted(codes.split())
    main(["refs", "book", "post.txt", "--written-for", "1", "--fix"])
    assert (cards / "post.txt").read_text() == f"{wanted}\n"
    left = {"lost", "not-found"} & {*codes.split()}
    again = refs(capsys, "post.txt", "--written-for", "book/1", "--fix", code=int(bool(left)))
    assert (cards / "post.txt").read_text() == f"{wanted}\n"
    assert {*re.findall(r"\[reference-(.*)\]$", again, re.MULTILINE)} == left


def test_without_an_edition_the_message_says_what_a_number_became(cards: Path, capsys) -> None:
    (cards / "engine.rs").write_text("// CR 301.3a\n")
    said = refs(capsys, "book", "engine.rs", code=1)
    assert "301.3a of edition 1 is 301.4a now" in said


@pytest.mark.parametrize(
    ("name", "before", "after"),
    [
        ("a.rs", b"let x = 301.4; // 301.4\r\n", b"let x = 301.4; // 301.5\r\n"),
        ("a.py", b"x = f(301.4)  # see 301.4", b"x = f(301.4)  # see 301.5"),
        ("a.json", b'{"cost": 301.4, "rule": "301.4"}', b'{"cost": 301.4, "rule": "301.5"}'),
        ("a.txt", b"\xef\xbb\xbf301.4\r\n\r301.3a\n", b"\xef\xbb\xbf301.5\r\n\r301.4a\n"),
        ("a.txt", "\ufeff§ 301.4 é\r\n".encode("utf-16-le"), "\ufeff§ 301.5 é\r\n".encode("utf-16-le")),
        ("a.txt", "301.3a–b, café\n".encode("cp1252"), "301.4a–b, café\n".encode("cp1252")),
        ("a.txt", b"301.4 \x81\xff\n", b"301.5 \x81\xff\n"),
        ("a.md", b"`301.4` https://x.org/301.4 301.4\n", b"`301.5` https://x.org/301.4 301.5\n"),
    ],
)
def test_nothing_else_is_touched(name: str, before: bytes, after: bytes, cards: Path) -> None:
    (cards / name).write_bytes(before)
    assert main(["refs", "book", name, "--written-for", "book/1", "--fix"]) == 0
    assert (cards / name).read_bytes() == after


def test_a_file_that_is_put_back_is_written_anew_again(cards: Path) -> None:
    path = cards / "post.txt"
    for _ in range(2):
        path.write_text("rule 301.4\n")
        assert main(["refs", "book", "post.txt", "--written-for", "book/1", "--fix"]) == 0
        assert path.read_text() == "rule 301.5\n"


def test_what_is_gone_is_told_even_where_its_number_is_anothers_now(cards: Path, capsys) -> None:
    """Lines that are the same when they are written anew are still told apart."""
    path = cards / "post.txt"
    path.write_text("rule 301.4\nrule 301.5\n")
    main(["refs", "book", "post.txt", "--written-for", "book/1", "--fix"])
    assert path.read_text() == "rule 301.5\nrule 301.5\n"
    told = refs(capsys, "book", "post.txt", "--written-for", "book/1", code=1)
    assert re.findall(r"post\.txt:(\d).*\[reference-lost\]", told) == ["2"]
    path.write_text("More.\nrule 301.5\nrule 301.4\n")  # mended by hand
    assert refs(capsys, "book", "post.txt", "--written-for", "book/1") == ""


def test_what_is_accepted_is_told_no_more_and_news_are(cards: Path, capsys) -> None:
    path = cards / "post.txt"
    path.write_text("rule 301.5\n")
    refs(capsys, "book", "post.txt", "--written-for", "1", "--accept")
    assert refs(capsys, "book", "post.txt", "--written-for", "1") == ""
    path.write_text("rule 301.5\n\nrule 301.5\n")
    assert refs(capsys, "book", "post.txt", "--written-for", "1", code=1).count("\n") == 1


def test_what_cannot_be_done_is_said(cards: Path, capsys) -> None:
    (cards / "bin.dat").write_bytes(b"\0\1\2")
    (cards / "post.txt").write_text("301.4")
    out = refs(capsys, "book", "bin.dat", "post.txt", "--written-for", "1", "--format", "json", code=1)
    rows = json.loads(out)
    assert rows[0]["problems"][0]["code"] == "file-unreadable"
    assert (rows[1]["was"], rows[1]["target"], rows[1]["fix"]) == ("301.4", "301.5", "301.5")
    for words in (
        ["book", "none.txt", "--written-for", "1"],
        ["book", "post.txt", "--written-for", "7"],
        ["book", "post.txt", "--fix"],
        ["book", "-", "--written-for", "1", "--fix"],
        ["book", "--written-for", "1"],
    ):
        assert main(["refs", *words]) == 2
    (cards / "citations.lock").write_text("what\tis this\n")
    assert main(["refs", "book", "post.txt", "--written-for", "1"]) == 2
    assert "citations.lock:1" in capsys.readouterr().err


def test_the_pairs_are_a_file_of_the_site(cards: Path) -> None:
    from rulewright.app.build import build

    made = json.loads(build(cards).files["book/moved.json"])
    moved = {"301.3": "301.4", "301.3a": "301.4a", "301.3b": "301.4b", "301.4": "301.5", "301.5": None}
    assert made == {"newest": "2", "moved": {"1": moved}}


# The work grows with the text.


def test_units_are_whole_lines_and_hold_all() -> None:
    chance = random.Random(3)
    for _ in range(50):
        lines = chance.choices(
            ["see 1.1 and\n", "x\n", "\n", "\x00 1.2\r\n", "(1.2,\n"], k=chance.randint(0, 900)
        )
        text = "".join(lines)
        found = [*units(text, 20)]
        assert "".join(text[start:end] for start, end in found) == text
        assert all(text[start:end].count("\n") <= 200 for start, end in found)


@pytest.mark.parametrize(
    "line", ["rule 301.4;\n", "rule 301.5 and\n", "rule 301.3(a), see 301.4 and 301.3b\n"]
)
def test_the_work_grows_with_the_text(line: str, cards: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[int] = []
    resolve = Books._resolve

    def counted(books: Books, text: str, *rest):  # type: ignore[no-untyped-def]
        read.append(len(text))
        return resolve(books, text, *rest)

    monkeypatch.setattr(Books, "_resolve", counted)
    sums = []
    for count in (2_000, 8_000):
        (cards / "a.txt").write_text("".join(f"L{at} {line}" for at in range(count)))
        (cards / "citations.lock").unlink(missing_ok=True)
        main(
            ["refs", "book", "nothing.txt"] if not count else ["refs", "book", "a.txt", "--written-for", "1"]
        )
        sums.append(sum(read))
        assert max(read) < 20_000
        read.clear()
    assert sums[1] < 4.5 * sums[0]


# Two thousand citations, and thirty edits by the tool.

SAID = "anchor barge chain deck engine flag gale hull inlet jetty keel lamp mast net oar pier quay rope sail"
WORDS = SAID.split()
NUMBER = re.compile(r"\d+\.\d+[a-z]?")


def chapter(number: int, chance: random.Random) -> str:
    made = [f'chapter: "{number}.0"\ntitle: Part {" ".join(chance.sample(WORDS, 4))}\n']
    for section in range(1, 7):
        made.append(f'"{number}.{section} {" ".join(chance.sample(WORDS, 3)).title()}":\n')
        made.append(f"  text: {' '.join(chance.sample(WORDS, 9))}.\n")
        made += [f'  "{number}.{section}{case}": {" ".join(chance.sample(WORDS, 10))}.\n' for case in "abcd"]
    return "".join(made)


def rules(folder: Path) -> Iterator[tuple[str, str, bool]]:
    """The number, the words and the end of each rule, read by other means than ours."""

    def walk(keys: dict[str, object]) -> Iterator[tuple[str, str, bool]]:
        for key, value in keys.items():
            if m := re.match(r"(\d+\.\d+[a-z]?)(?: |$)", str(key)):
                inside = value if isinstance(value, dict) else {"text": value}
                yield m[1], f"{key[m.end() :]} {inside.get('text', '')}".strip(), "retired" in inside
                yield from walk(inside)

    for file in sorted(folder.glob("rules/*.yml")):
        yield from walk(yaml.safe_load(file.read_text()))


@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.thorough)])
def test_two_thousand_citations_and_thirty_edits(seed, tmp_path, monkeypatch, capsys):
    chance = random.Random(seed)
    book = {
        "mkdocs.yml": "site_name: T\nplugins: [rulewright]\n",
        "content/book/rulebook.yml": 'title: Ships\nnumbers: "1.1a"\nchapters: "1.0"\n',
        "content/book/1/edition.yml": 'edition: "1"\ndate: "2020-01-01"\n',
        **{f"content/book/1/rules/{n}.yml": chapter(n, chance) for n in range(1, 10)},
    }
    monkeypatch.chdir(write(tmp_path, book))
    was = {number: words for number, words, _ in rules(tmp_path / "content/book/1")}
    assert main(["new", "edition", "book/2", "--from", "book/1"]) == 0
    done = 0
    while done < 30:
        now = [number for number, _, ended in rules(tmp_path / "content/book/2") if not ended]
        one, other = chance.sample([number for number in now if number[-1].isalpha()], 2)
        section = chance.choice([number for number in now if not number[-1].isalpha()])
        command = chance.choice(
            [
                ["insert", "book/2", one],
                ["insert", "book/2", section, "--title", "New and Strange"],
                ["renumber", "book/2", f"{one}={other}", f"{other}={one}"],
                ["renumber", "book/2", one, f"{section}{chance.choice('efgh')}"],
                ["renumber", "book/2", "--retire", one],
            ]
        )
        done += main([*command, "--force"]) == 0
    today = {number: (words, ended) for number, words, ended in rules(tmp_path / "content/book/2")}

    cited: list[list[str]] = []
    lines: list[str] = []
    keys = [*was]
    while sum(map(len, cited)) < 2000:
        first = chance.choice(keys)
        section = first.rstrip("abcd")
        pair = sorted(chance.sample("abcd", 2))
        form = chance.choice(
            ["see {0}.", "({0})", "{0}: so it is", "rule {0} and rule {1}", "{2}{3} and {4}"]
        )
        second = chance.choice(keys)
        lines.append("// " + form.format(first, second, section, *pair))
        cited.append(
            [section + case for case in pair]
            if "{4}" in form
            else [first, second]
            if "{1}" in form
            else [first]
        )
    path = tmp_path / "engine.rs"
    path.write_text("\n".join(lines))
    capsys.readouterr()
    main(["refs", "book/2", "engine.rs", "--written-for", "book/1", "--fix"])
    told = {int(at) for at in re.findall(r"^engine\.rs:(\d+):", capsys.readouterr().out, re.MULTILINE)}
    fixed = path.read_text().split("\n")
    assert len(fixed) == len(lines)
    wrong = []
    moved = 0
    for at, (line, numbers) in enumerate(zip(fixed, cited, strict=True), 1):
        read = NUMBER.findall(re.sub(r"(\d+\.\d+)([a-z]) and ([a-z])(?!\w)", r"\1\2 and \1\3", line))
        assert len(read) == len(numbers), line
        for number, then in zip(read, numbers, strict=True):
            words, ended = today.get(number, ("", False))
            moved += number != then
            if (words != was[then] or ended) and at not in told:
                wrong.append((at, lines[at - 1], line))
    assert not wrong
    assert moved > 100
    # Nothing is written twice.
    main(["refs", "book/2", "engine.rs", "--written-for", "book/1", "--fix"])
    assert path.read_text().split("\n") == fixed
    assert examine(tmp_path).shelf.outlines.keys() == {"book/1", "book/2"}
