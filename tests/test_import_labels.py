"""Labels of imported texts: the lines that form the book's tree are rules, and all others are reported."""

import random
from pathlib import Path

import pytest

from rulewright.files.errors import ContentErrors
from rulewright.imports.pipeline import ImportRequest, ImportResult, import_source
from rulewright.imports.reading.documents import read_document
from tests.test_import_documents import chapters, imported, numbers

BODY = "{h}1{d} Ground\n\n{h}1.1{d} Reeds\n\nA cart halts.\n\n{h}1.2{d} Ponds\n\nIt sinks (see 1.1).\n\n"
BODY += "{h}2{d} Carts\n\n{h}2.1{d} Loads\n\nOne load (see 1.2).\n"
RULES = ["1", "1.1", "1.2", "2", "2.1"]


def bare(result: ImportResult) -> list[str]:
    return [number.rstrip(".") for number in numbers(result)]


def sound(result: ImportResult) -> None:
    assert not result.report.lost
    assert not result.report.suppressed
    assert not [str(one) for one in result.report.checked if one.is_failure]


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("form", ["{})", "{}.", "{}", "**{}**"])
def test_labels_in_items_of_lists_at_every_depth_and_out_again(seed, form):
    chance = random.Random(seed)
    lines: list[str] = []
    wanted: list[str] = []

    def items(above: str, depth: int) -> None:
        for at in range(1, chance.randint(2, 4)):
            own = above + (str(at) if depth % 2 else "abcdef"[at - 1])
            wanted.append(own)
            lines.append(f"{'    ' * depth}- {form.format(own)} Racers bring a cart of their own.")
            if depth < 3 and chance.random() < 0.6:
                items(own, depth + 1)

    for chapter in ("1", "2", "3"):
        wanted.append(chapter)
        lines += ["", f"## Article {chapter}: Part", ""]
        items(chapter, 0)
    result = imported("\n".join(["# Races", *lines, "", f"Racers win (see {wanted[-1]})."]))
    sound(result)
    assert numbers(result) == wanted
    assert result.report.counts["references"] == 1


def listed(seed: int, heads: bool) -> tuple[str, list[str], list[str]]:
    """Ordered lists under headings: the text, the numbers that places give, and where they are cited."""
    chance = random.Random(seed)
    lines: list[str] = ["# League", ""]
    wanted: list[str] = []

    def items(above: str, depth: int) -> None:
        for at in range(1, chance.randint(3, 5)):
            own = f"{above}.{at}"
            wanted.append(own)
            lines.append(f"{'   ' * depth}1. Carts have two wheels.")
            if depth < 2 and chance.random() < 0.4:
                items(own, depth + 1)

    for chapter in ("1", "2"):
        wanted.append(chapter)
        lines += ["", f"## {'' if heads else f'{chapter}. '}Rules", ""]
        items(chapter, 0)
    cited = [one for one in wanted if "." in one][::2]
    lines += ["", "A horse is no cart (see " + "; see ".join(cited) + ")."]
    return "\n".join(lines), wanted, cited


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("heads", [False, True])
def test_numbers_by_place(seed, heads):
    text, wanted, cited = listed(seed, heads)
    with pytest.raises(ContentErrors) as asked:
        imported(text)
    assert heads or "--number" in asked.value.problems[0].message
    result = numbered(text)
    sound(result)
    assert bare(result) == wanted
    assert result.report.counts["references"] == len(cited)


def numbered(text: str) -> ImportResult:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "book.md")
        path.write_text(text)
        return import_source(read_document(path), ImportRequest("b", "1", "T", number=True), "x")


NOTICES = [
    "|  |  |\n|--|--|\n|  | {} |\n",
    "|  |\n|--|\n| {} |\n",
    "| {} |\n|--|\n",
    '<table><tr><td class="icon">Note</td><td>{}</td></tr></table>\n',
    "<table><tr><td><b>Tip:</b></td><td><p>{}</p></td></tr></table>\n",
    "<table><tr><td>{}</td></tr></table>\n",
]


@pytest.mark.parametrize("notice", NOTICES)
@pytest.mark.parametrize("count", [1, 3])
def test_tables_of_one_cell_are_notes_of_their_rule(notice, count):
    boxes = "\nMore words.\n\n".join(notice.format(f"Waiting {at} is free.") for at in range(count))
    result = imported(f"## 1 Ground\n\n### 1.1 Reeds\n\nHalt.\n\n{boxes}\n\n### 1.2 Ponds\n\nB.\n")
    sound(result)
    (chapter,) = chapters(result)
    notes = [one["text"].strip() for one in chapter["rules"][0]["notes"]]
    assert notes == [f"Waiting {at} is free." for at in range(count)]
    assert not [name for name in result.files if "/tables/" in name]


def test_a_misprinted_label_is_reported_with_the_number_that_fits():
    rules = "**2.1a** Ox.\n\n**2.1b** Ass.\n\n**2.1c8** Frogs.\n\n2,2 Mules.\n\nl.3 Ice (see 2.2).\n"
    result = imported(BODY.format(h="## ", d="") + f"\n{rules}")
    fits = [("2.1c8 Frogs.", "2.1c"), ("2,2 Mules.", "2.2"), ("l.3 Ice (see 2.2).", "1.3")]
    assert [(one.words, one.fits) for one in result.report.passed] == fits
    assert [problem.subject for problem in result.report.checked] == ["2.2"]


LISTED = ("1 Ground", "1.1 Reeds", "1.2 Ponds", "2 Carts", "2.1 Loads", "2.2 Wheels")
README = "# Cart\n\nA tool.\n\n## Install\n\n### 1. Clone it\n\nUse git.\n\n### 2. Build it\n\nRun make.\n\n"
README += "## Usage\n\nCall it.\n\n## License\n\nNone.\n"
NO_BOOKS = {
    "tool.md": (README, "headings have no number"),
    "pages.txt": (
        "Contents\n\n" + "\n".join(f"{one} . . . . {at}" for at, one in enumerate(LISTED)),
        "beside 0 headings",
    ),
    "dots.txt": ("\n".join(f"{one} ........ {at}" for at, one in enumerate(LISTED)), "beside 0 headings"),
    "lines.md": ("# Contents\n\n" + "  \n".join(LISTED), "a list of contents"),
    "links.md": ("# Contents\n\n" + "\n".join(f"- [{one}](#{one[0]})" for one in LISTED), "no book of rules"),
}


def test_contents_line_by_line_are_left_out():
    contents = "\n".join(["CONTENTS", "", *LISTED[:5]])
    result = imported(f"FENS\n\n{contents}\n\n{BODY.format(h='', d='.')}", "a.txt")
    sound(result)
    assert bare(result) == RULES


@pytest.mark.parametrize("name", NO_BOOKS)
def test_what_is_no_book_of_rules_is_refused_with_what_it_holds(name):
    text, message = NO_BOOKS[name]
    with pytest.raises(ContentErrors) as refused:
        imported(text, name)
    (why,) = refused.value.problems
    assert why.code == "import-without-numbers"
    assert message in why.message
