"""Four books of more than 200 labels, each set in its own way: every label, every word in order."""

import random
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from html import escape
from io import BytesIO

import docx
import pytest
import typst

from tests.plain_chapter import plain_chapter
from tests.test_import_documents import imported, needs_poppler

NOUNS = "heron ferry lock towpath miller barge sluice weir reeve beacon tollman causeway osier".split()  # noqa: SIM905
VERBS = "passes repairs salutes surveys shelters audits signals tows hauls counts".split()  # noqa: SIM905
ENDINGS = [
    "if the water is below 3.5 feet",
    "unless rule {cite} says otherwise",
    "as in the spring of 1742, when the bank broke",
    "for 2 coins or 1.5 loads of reed",
    "on a roll of 4-6 with 2d6",
    "once per turn (see {cite})",
    "at odds of 3:1 or better",
    "before 10:30 in the morning",
]


@dataclass
class Text:
    """A book: its parts are number, title and sentences of each label, in order."""

    seed: int
    levels: Callable[[int, int, int], tuple[str, ...]]
    parts: list[tuple[str, str, str]] = field(default_factory=list)

    def __post_init__(self) -> None:
        chance = random.Random(self.seed)
        numbers: list[tuple[int, str]] = []
        for chapter in range(1, 11):
            numbers.append((0, self.levels(chapter, 0, 0)[0]))
            for rule in range(1, chance.randint(6, 9)):
                numbers.append((1, self.levels(chapter, rule, 0)[1]))
                inner = chance.choice([0, 0, 3, 4, 5])
                numbers += [(2, self.levels(chapter, rule, case)[2]) for case in range(1, inner + 1)]
        cited = [number for depth, number in numbers if depth]
        for depth, number in numbers:
            title = " ".join(word.capitalize() for word in chance.sample(NOUNS, 2)) if depth < 2 else ""
            sentences = []
            for _ in range(chance.randint(1, 3) if depth else 1):
                ending = chance.choice(ENDINGS).format(cite=chance.choice(cited))
                subject, thing = chance.sample(NOUNS, 2)
                sentences.append(f"The {subject} {chance.choice(VERBS)} the {thing} {ending}.")
            self.parts.append((number, title, " ".join(sentences)))


def in_columns(text: Text) -> bytes:
    """A PDF of three columns with running heads, and hyphens at line ends."""
    lines = ['#set page(width: 560pt, height: 420pt, margin: 30pt, numbering: "1", header: [The River Game])']
    lines += [
        "#set par(justify: true)",
        "#set text(size: 8pt, hyphenate: true)",
        "#columns(3, gutter: 12pt)[",
    ]
    for number, title, words in text.parts:
        heading = f'#text(10pt, weight: "bold")[{number} {title}]\n\n' if title else ""
        lines.append(f"{heading}{words if title else f'*{number}* {words}'}\n")
    return typst.compile("\n".join([*lines, "]"]).encode())


def in_word(text: Text) -> bytes:
    """A document of Word with a list of contents."""
    document, file = docx.Document(), BytesIO()
    document.add_heading("Rules of the River, 2nd printing 1987", 0)
    document.add_paragraph("Contents")
    for page, (number, title, _) in enumerate(text.parts):
        if title:
            document.add_paragraph(f"{number} {title}\t{page // 5 + 2}")
    for number, title, words in text.parts:
        if title:
            document.add_heading(f"{number} {title}", 1 + number.count("."))
            document.add_paragraph(words)
        else:
            document.add_paragraph().add_run(f"{number} ").bold = True
            document.paragraphs[-1].add_run(words)
    document.save(file)
    return file.getvalue()


def in_html(text: Text) -> bytes:
    """A page with anchors, a table of rolls and a numbered label in front of each paragraph."""
    body = ["<title>1.9 River</title><h1>River Law 2.1</h1><p>As read in 1742. 12 players may sit.</p>"]
    for number, title, words in text.parts:
        name = number.replace(".", "-").strip("-")
        if title:
            body.append(f'<h3 id="r{name}">{number} {title}</h3><p>{escape(words)}</p>')
        else:
            body.append(f'<p><a name="r{name}"></a>{number} {escape(words)}</p>')
    body.insert(9, "<table><tr><th>Die</th><th>Catch</th></tr><tr><td>1-3</td><td>eel</td></tr>"
                   "<tr><td>4-6</td><td>carp</td></tr></table>")  # fmt: skip
    return "\n".join(body).encode()


def in_markdown(text: Text) -> bytes:
    """Lettered chapters in no order of the alphabet, cases as items of lists."""
    lines = ["# Reeds & Weirs (1066)", "", "For 2 to 4 players. 3 boats each.", ""]
    for number, title, words in text.parts:
        depth = 2 + number.count(".")
        lines += (
            [f"{'#' * depth} {number} {title}", "", words, ""] if title else [f"- **{number}** {words}", ""]
        )
    return "\n".join(lines).encode()


LETTERS = "QBMKAZDWFT"
BOOKS: dict[str, tuple[Text, Callable[[Text], bytes]]] = {
    "river.pdf": (Text(1, lambda a, b, c: (f"{a}.0", f"{a}.{b}", f"{a}.{b}.{c}")), in_columns),
    "river.docx": (Text(2, lambda a, b, c: (f"{a}.", f"{a}.{b}", f"{a}.{b}{'abcdefg'[c - 1]}")), in_word),
    "river.html": (Text(3, lambda a, b, c: (f"{a}.", f"{a}{b:02}.", f"{a}{b:02}.{c}.")), in_html),
    "river.md": (Text(4, lambda a, b, c: tuple(LETTERS[a - 1] + end for end in ("", f"{b}", f"{b}.{c}"))),
                 in_markdown),
}  # fmt: skip


@pytest.mark.parametrize("name", BOOKS)
def test_a_book_that_no_reader_knows(name):
    needs_poppler(name)
    text, write = BOOKS[name]
    assert len(text.parts) > 200
    result = imported(write(text), name)
    assert not result.report.lost
    assert not result.report.account.out_of_order
    assert not [str(problem) for problem in result.report.checked if problem.is_failure]
    rules: dict[str, str] = {}

    def gather(rule: dict) -> None:
        inner = rule.pop("rules", ())
        number = str(rule.pop("number", rule.pop("chapter", "")))
        rules[number.rstrip(".")] = " ".join(str(value) for value in rule.values())
        for one in inner:
            gather(one)

    for file, data in result.files.items():
        if "/rules/" in file:
            gather(plain_chapter(data))
    wanted = [number.rstrip(".") for number, _, _ in text.parts]
    assert len([number for number in wanted if number in rules]) >= 0.99 * len(wanted)
    assert len(rules) <= 1.01 * len(wanted)
    for number, title, words in text.parts:
        written = " ".join(re.findall(r"\w+", re.sub(r"\[\[[^|\]]*\|", "", rules[number.rstrip(".")])))
        assert written.startswith(" ".join(re.findall(r"\w+", title))), number
        assert " ".join(re.findall(r"\w+", words)) in written, number
