"""Made-up books in forms that nobody had in mind: each label is a rule, or the refusal says why."""

import random
import re
import zipfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from textwrap import wrap

import pytest

from rulewright.importers.document import read_document
from rulewright.importers.website.site_import import Import, Request, import_site
from tests.test_import_documents import chapters, imported, numbers

Levels = Sequence[int]
LETTERS, ROMAN = "abcdefgh", ["", "I", "II", "III", "IV", "V"]


def dotted(levels: Levels) -> str:
    return ".".join(map(str, levels))


STYLES: dict[str, Callable[[Levels], str]] = {
    "1.1.1": dotted,
    "1a1": lambda one: "".join(str(n) if at % 2 == 0 else LETTERS[n - 1] for at, n in enumerate(one)),
    "1(a)(1)": lambda one: (
        str(one[0])
        + "".join(f"({LETTERS[n - 1]})" if at % 2 == 0 else f"({n})" for at, n in enumerate(one[1:]))
    ),
    "§ 1.1": lambda one: f"§ {dotted(one)}",
    "Art. 1.1": lambda one: f"Art. {dotted(one)}",
    "A-1.1": lambda one: "-".join([LETTERS[one[0] - 1].upper(), *([dotted(one[1:])] if one[1:] else [])]),
    "A.1.1": lambda one: ".".join([LETTERS[one[0] - 1].upper(), *map(str, one[1:])]),
    "I.1.1": lambda one: ".".join([ROMAN[one[0]], *map(str, one[1:])]),
    "12.5.b": lambda one: ".".join([*map(str, one[:2]), *(LETTERS[n - 1] for n in one[2:])]),
    "101.1": lambda one: ".".join([f"{one[0]}{f'{one[1]:02}' if one[1:] else ''}", *map(str, one[2:])]),
    "R101/4": lambda one: f"{one[0]}{one[1]:02}/4" if one[1:] else str(one[0]),
}
PLACES = ["heading", "bold", "plain", "item", "bold item", "nested item", "break", "row", "term", "link"]
WORDS = [
    "carts",
    "ponds",
    "reeds",
    "mules",
    "fodder",
    "banks",
    "ferries",
    "lamps",
    "ropes",
    "guards",
    "tolls",
]
AMOUNTS = [
    "It lasts till 1987.",
    "A cart goes 2.5 miles.",
    "They halt at 14.15.",
    "Roll 2d6, add 3.",
    "It is $3.50.",
]
HEADS = [
    "1987 was dry.",
    "2.5 miles are a day.",
    "10:30 is noon.",
    "2d6 are thrown.",
    "4-6 hits.",
    "3.25 coins.",
]


@dataclass
class MadeBook:
    """A book of a seed, in HTML, Markdown or text, and the labels that it prints."""

    seed: int
    form: str
    labels: list[str] = field(default_factory=list)
    notes: int = 0

    def __post_init__(self) -> None:
        self.chance = random.Random(self.seed)
        self.style = self.pick(*STYLES)
        self.place = self.pick(*PLACES)
        self.tail = "" if self.style == "1(a)(1)" else self.pick("", "", ".", ")", ":")
        self.contents = (
            self.pick("", "", "link", "dots", "plain") if self.form != "txt" else self.pick("", "dots")
        )
        self.footed, self.stepped, self.odd = (self.chance.random() < share for share in (0.3, 0.3, 0.4))
        if self.form == "md" and self.place in ("row", "term"):
            self.place = "table"
        if self.form == "txt" and self.place not in ("heading", "plain"):
            self.place = "plain"
        self.text = "".join(self.lines())

    def pick(self, *options: str) -> str:
        return self.chance.choice(options)

    def word(self) -> str:
        return self.pick(*WORDS)

    def rules(self) -> list[tuple[str, str, list[tuple[int, str]]]]:
        """The heading, the title and the rules of each chapter, each with its depth."""
        label, made = STYLES[self.style], []
        for chapter in range(1, self.chance.randint(3, 5) + 1):
            inner = []
            for section in range(1, self.chance.randint(2, 5) + 1):
                inner.append((1, label([chapter, section])))
                if self.style != "R101/4" and self.chance.random() < 0.4:
                    inner += [(2, label([chapter, section, case])) for case in (1, 2, 3)]
            made.append((label([chapter]), self.word().title(), inner))
        if self.style[0] != "A" and self.chance.random() < 0.4:
            made += [(f"Appendix {a}", self.word().title(), [(1, f"{a}.1"), (1, f"{a}.2")]) for a in "AB"]
        self.labels = [one for head, _, inner in made for one in (head, *(rule for _, rule in inner))]
        return made

    def sentence(self) -> str:
        made = f"The {self.word()} {self.pick('halt', 'move', 'wait')} by the {self.word()}."
        if self.chance.random() < 0.3:
            made += f" See {self.pick('', 'rule ', 'section ')}{self.pick(*self.labels)}."
        if self.odd and self.chance.random() < 0.3:
            made += " " + self.pick(*AMOUNTS)
        if self.footed and self.notes < 9 and self.chance.random() < 0.2 and self.style != "1(a)(1)":
            self.notes += 1
            made += f" ({self.notes})"
        return made

    def paragraph(self, words: str) -> str:
        if self.form == "txt":
            words = "\n".join(wrap(words, 72))
        return f"<p>{words}</p>\n" if self.form == "html" else f"{words}\n\n"

    def heading(self, level: int, words: str) -> str:
        marked = f"<h{level}>{words}</h{level}>\n" if self.form == "html" else f"{'#' * level} {words}\n\n"
        return f"{words}\n\n" if self.form == "txt" else marked

    def bold(self, words: str) -> str:
        return f"<b>{words}</b>" if self.form == "html" else f"**{words}**"

    def lines(self) -> list[str]:
        book = self.rules()
        made = [self.heading(1, "The Mule Fair")]
        if self.contents:
            made.append(self.heading(2, "Contents"))
        for at, (head, title, _) in enumerate(book):
            line = f"{head}{self.tail} {title}"
            if self.contents == "link":
                made.append(
                    f'<ul><li><a href="#c{at}">{line}</a></li></ul>\n'
                    if self.form == "html"
                    else f"- [{line}](#c{at})\n"
                )
            elif self.contents:
                made.append(self.paragraph(f"{line} ........ {at + 2}" if self.contents == "dots" else line))
        made.append(
            ("\n" if self.contents == "link" else "") + self.paragraph(f"A book of fairs. {self.sentence()}")
        )
        for head, title, rules in book:
            made.append(self.heading(2, f"{head}{self.tail} {title}"))
            made += [self.paragraph(self.pick(*HEADS))] if self.odd and self.chance.random() < 0.3 else []
            made += self.placed([(depth, f"{rule}{self.tail}", self.sentence()) for depth, rule in rules])
            if self.stepped and self.form != "txt":
                made.append(
                    "<ol><li>Lay out.</li><li>Go.</li></ol>\n"
                    if self.form == "html"
                    else "1. Lay out.\n2. Go.\n\n"
                )
        if self.notes:
            made.append(self.heading(2, "Notes"))
            made += [self.paragraph(f"({n}) A note on {self.word()}.") for n in range(1, self.notes + 1)]
        return made

    def placed(self, rules: list[tuple[int, str, str]]) -> list[str]:
        """The rules of a chapter, their labels in the place that this book has for them."""
        html = self.form == "html"
        if self.place == "heading":
            return [
                self.heading(2 + depth, f"{label} {self.word().title()}") + self.paragraph(words)
                for depth, label, words in rules
            ]
        if self.place in ("bold", "plain"):
            look = self.bold if self.place == "bold" else str
            return [self.paragraph(f"{look(label)} {words}") for _, label, words in rules]
        if self.place == "break":
            lines = [f"{label} {words}" for _, label, words in rules]
            return [f"<p>{'<br>'.join(lines)}</p>\n" if html else "  \n".join(lines) + "\n\n"]
        if self.place == "row":
            rows = "".join(f"<tr><td>{label}</td><td>{words}</td></tr>\n" for _, label, words in rules)
            return [f"<table>{rows}</table>\n"]
        if self.place == "table":
            rows = "".join(f"| {label} | {words} |\n" for _, label, words in rules)
            return [f"| No. | Rule |\n|---|---|\n{rows}\n"]
        if self.place == "term":
            return ["<dl>", *(f"<dt>{label}</dt><dd>{words}</dd>\n" for _, label, words in rules), "</dl>\n"]
        made = ""
        for at, (depth, label, words) in enumerate(rules):
            shown = self.bold(label) if self.place == "bold item" else label
            if self.place == "link":
                shown = f'<a href="#{at}">{label}</a>' if html else f"[{label}](#{at})"
            inner = depth > 1 and self.place == "nested item"
            item = f"<li>{shown} {words}</li>\n"
            made += (
                (f"<ul>{item}</ul>" if inner else item) if html else f"{'    ' * inner}- {shown} {words}\n"
            )
        return [f"<ul>{made}</ul>\n" if html else f"{made}\n"]


def plainest(label: str) -> str:
    return re.sub(r"^(?:Appendix |§ ?|Art\. ?)|/4$|[. ]+$", "", label)


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("form", ["html", "md", "txt"])
def test_each_label_of_a_made_up_book_is_a_rule(seed: int, form: str) -> None:
    book = MadeBook(seed * 3 + ["html", "md", "txt"].index(form), form)
    made = imported(book.text, f"book.{form}")
    assert sorted(map(plainest, numbers(made))) == sorted(map(plainest, book.labels))
    sound(made)


def sound(made: Import) -> None:
    """Hold an import against its promise: no word is lost, and its own check takes the book."""
    assert not made.refused, made.refused[0].message
    assert not made.receipt.lost
    assert not [str(one) for one in made.receipt.checked]


def rules_of(text: str, name: str = "book.md") -> list[str]:
    """The numbers of a text's rules, which is sound."""
    made = imported(text, name)
    sound(made)
    return [number.rstrip(".") for number in numbers(made)]


@pytest.mark.parametrize(
    "rows",
    [
        "1.5|half a day of rain|2.5|a day of wind",
        "1d6|roll one die for it|2d6|two dice",
        "10:30|the gates open|14:15|they close",
        "1-2|the cart is lost|3-4|it is late",
    ],
)
def test_tables_of_amounts_rolls_and_times_stay_tables(rows: str) -> None:
    cells = rows.split("|")
    table = "".join(f"<tr><td>{cells[at]}</td><td>{cells[at + 1]}</td></tr>" for at in (0, 2))
    made = imported(
        f"<h2>1 Rain</h2><p><b>1.1</b> Roll.</p><table>{table}</table><p><b>1.2</b> Go.</p>", "book.html"
    )
    assert numbers(made) == ["1", "1.1", "1.2"]
    assert made.receipt.counts["tables"] == 1


def test_links_of_an_epub_lead_from_page_to_page(tmp_path: Path) -> None:
    pages = {
        "one.xhtml": '<h1>1. Carts</h1><span id="own"></span><h2>1.1. Wheels</h2>'
        '<p>See <a href="two.xhtml#own">mules</a>.</p>',
        "two.xhtml": '<h1>2. Mules</h1><h2 id="own">2.1. Fodder</h2><p>See <a href="#own">this</a>, '
        '<a href="one.xhtml#own">wheels</a>, <a href="one.xhtml">carts</a>.</p>',
    }
    with zipfile.ZipFile(tmp_path / "book.epub", "w") as archive:
        items = "".join(f'<item id="{name}" href="{name}"/>' for name in pages)
        spine = "".join(f'<itemref idref="{name}"/>' for name in pages)
        archive.writestr("book.opf", f"<package><manifest>{items}</manifest><spine>{spine}</spine></package>")
        for name, page in pages.items():
            archive.writestr(name, f"<html><body>{page}</body></html>")
    made = import_site(read_document(tmp_path / "book.epub"), Request("b", "1", "T"), "x", lambda *_: None)
    sound(made)
    one, two = (chapter["rules"][0]["text"] for chapter in chapters(made))
    assert "[[2.1|mules]]" in one
    assert [*re.findall(r"\[\[([\d.]+)\|", two)] == ["2.1", "1.1", "1."]


@pytest.mark.parametrize(
    "mark", ['<a href="#n{0}">({0})</a>', '<sup><a href="#fn{0}">{0}</a></sup>', "({0})"]
)
@pytest.mark.parametrize("note", ['<p id="n{0}">({0}) A note.</p>', '<h4 id="n{0}">({0})</h4><p>A note.</p>'])
def test_footnotes_of_html_are_no_rules_and_no_references(mark: str, note: str) -> None:
    text = "".join(
        f"<h2>{n}. Part</h2><p><b>{n}.1</b> Halt {mark.format(n)}.</p><p><b>{n}.2</b> Go.</p>"
        for n in (1, 2, 3)
    )
    text += "<h2>Notes</h2>" + "".join(note.format(n) for n in (1, 2, 3))
    assert rules_of(text, "book.html") == [f"{n}{one}" for n in (1, 2, 3) for one in ("", ".1", ".2")]
