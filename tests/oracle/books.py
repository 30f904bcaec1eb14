"""The invented books: a numbering each, as a rulebook.yml declares it and as the oracle writes it."""

from random import Random

from tests.oracle.numbering import Book

CUES = "cues: [see, see also, per, rule, section, case]"

BOOKS = [
    Book(
        "OCS",
        'numbers: "1.1a(A)"\nchapters: ["12.0", "12."]\nlevels: [chapter, section, case, item]\n' + CUES,
        ["1 .1 a (A)"],
        [("", ".0"), ("", ".")],
        chain=("chapter", "section", "case", "item"),
        extra=[(0, ("10", "0", "a")), (0, ("10", "0", "b")), (0, ("10", "0", "d"))],
    ),
    Book(
        "Eastern Front",
        'numbers: "1.A.1.a"\nchapters: ["62", "4."]\n' + CUES,
        ["1 .A .1 .a"],
        [("", ""), ("", ".")],
        top=(1, 4, 14, 16, 20, 45, 47, 62),
    ),
    Book(
        "SPI",
        'numbers: "[1.11]"\nchapters: ["3.0"]\n' + CUES,
        ["1 .# # #"],
        [("", ".0")],
        top=(3, 5, 10, 12, 24, 39),
    ),
    Book(
        "SPI, lettered",
        'numbers: "[1.11]A"\nchapters: ["3.0"]\n' + CUES,
        ["1 .# # A"],
        [("", ".0")],
        top=(3, 4, 6, 10, 12, 15),
    ),
    Book(
        "COIN",
        'numbers: "1.1.1"\nchapters: ["4.0", "4"]\n' + CUES,
        ["1 .1 .1"],
        [("", ".0"), ("", "")],
        top=(1, 2, 3, 4, 5, 8),
        limit=110,
    ),
    Book(
        "Squad tactics",
        'numbers: ["A1.111", "A.1"]\nchapters: ["C", "(22-23)"]\nimplied: chapter\n' + CUES,
        ["A 1 .# # #", "A .1"],
        [("", "")],
        top=(1, 2, 4),
        pairs=True,
        home="A",
        extra=[
            *((1, labels) for labels in [("A", "2"), ("A", "7"), ("D", "4")]),
            *((0, (chapter, "2", digit)) for chapter in "AD" for digit in "124"),
        ],
        limit=90,
    ),
    Book(
        "Netrunner",
        'numbers: "1.1.1a"\nchapters: ["4", "4."]\n' + CUES,
        ["1 .1 .1 a"],
        [("", ""), ("", ".")],
        top=(1, 2, 5, 9, 10),
    ),
    Book(
        "Paragraphs",
        'numbers: "§1-a-i"\nchapters: "§4"\n' + CUES,
        ["§1 -a -i"],
        [("§", "")],
        tight=("–", "—"),
    ),
    Book("Articles", 'numbers: "§1.1(a)(i)"\nchapters: "§4"\n' + CUES, ["§1 .1 (a) (i)"], [("§", "")]),
    Book("Rails", 'numbers: "R1.1"\nchapters: "R1"\n' + CUES, ["R1 .1"], [("R", "")]),
    Book("Hyphens", 'numbers: "1-1"\nchapters: "4"\n' + CUES, ["1 -1"], [("", "")], tight=("–", "—")),
    Book(
        "Legions", 'numbers: "I.A.1"\nchapters: "IV"\n' + CUES, ["I .A .1"], [("", "")], top=(1, 2, 4, 9, 10)
    ),
    Book(
        "Two hands",
        'numbers: ["1.1a", "1.1(a)"]\nchapters: "4.0"\n' + CUES,
        ["1 .1 a", "1 .1 (a)"],
        [("", ".0")],
        again=(0, 0),
    ),
    Book(
        "Charts",
        'numbers: ["1.1a", "I.A.1"]\nchapters: "12.0"\n' + CUES,
        ["1 .1 a", "I .A .1"],
        [("", ".0")],
        top=(4, 9, 10, 14),
        extra=[
            (1, labels)
            for labels in [
                ("I", "A"),
                ("I", "A", "1"),
                ("I", "A", "2"),
                ("I", "A", "3"),
                ("I", "B"),
                ("I", "B", "1"),
                ("II", "A"),
                ("II", "A", "9"),
                ("II", "A", "10"),
            ]
        ],
    ),
    Book(
        "Курская дуга",
        'numbers: "1.1a"\nchapters: "4.0"\nalphabet: абвгдежзиклмн\ncues: [см., правило, раздел]\n'
        "joins: [и, или]\nthrough: [до, по]",
        ["1 .1 a"],
        [("", ".0")],
        alphabet="абвгдежзиклмн",
        cues=("правило", "раздел"),
        several=("правило",),
        points=("см.",),
        joins=("и", "или"),
        through=("до", "по"),
    ),
    Book(
        "Σαλαμίνα",
        'numbers: "1.a.i"\nchapters: "4"\nalphabet: αβγδεζηθ\ncues: [βλέπε, κανόνας]\njoins: [και, ή]\n'
        "through: [έως]",
        ["1 .a .i"],
        [("", "")],
        alphabet="αβγδεζηθ",
        cues=("κανόνας",),
        several=("κανόνας",),
        points=("βλέπε",),
        joins=("και", "ή"),
        through=("έως",),
    ),
    Book(
        "Ostfront",
        'numbers: "1.1a"\nchapters: "4.0"\ncues: [siehe, vgl., Abschnitt, Regel]\njoins: [und, oder, sowie]\n'
        "through: [bis]",
        ["1 .1 a"],
        [("", ".0")],
        cues=("Abschnitt", "Regel"),
        several=("Abschnitte", "Regeln"),
        points=("siehe", "vgl."),
        joins=("und", "oder", "sowie"),
        through=("bis",),
    ),
    Book(
        "Law of the woods",
        'numbers: "1.1.1.Ia"\nchapters: ["4", "4.0"]\n' + CUES,
        ["1 .1 .1 .I a"],
        [("", ""), ("", ".0")],
        top=(1, 3, 8, 9),
        limit=120,
    ),
    Book("Magic", 'numbers: "100.1a"\nchapters: "8"\n' + CUES, ["1 0 .1 a"], [("", "")], top=(1, 6, 7, 8)),
    Book(
        "By hundreds",
        'numbers: "[100.1]"\nchapters: "[8]"\n' + CUES,
        ["1 0 .1"],
        [("", "")],
        top=(1, 2, 3, 9),
    ),
    Book(
        "Appendices",
        'numbers: ["1.1", "A.1"]\nchapters: ["4.0", "Appendix A"]\n' + CUES,
        ["1 .1", "A .1"],
        [("", ".0")],
        [("Appendix ", "")],
        extra=[
            (1, labels)
            for labels in [
                ("A",),
                ("A", "1"),
                ("A", "2"),
                ("A", "10"),
                ("B",),
                ("B", "1"),
                ("B", "2"),
                ("C",),
            ]
        ],
    ),
    Book(
        "Rule and case",
        'numbers: "Rule 1 Case A"\nchapters: "Rule 4"\n' + CUES,
        ["Rule_1 _Case_A"],
        [("Rule ", "")],
        cues=("see",),
        several=("see",),
        tight=("–", "—"),
    ),
    Book(
        "Chapters in parentheses",
        'numbers: "1.1"\nchapters: ["5", "(5)"]\nlevels: [section, case]\n' + CUES,
        ["1 .1"],
        [("", "")],
        lone=True,
        pairs=True,
        chain=("section", "case"),
    ),
    Book(
        "Statutes",
        'numbers: "Art. 1(1)(a)"\nchapters: "Art. 4"\n' + CUES,
        ["Art._1 (1) (a)"],
        [("Art. ", "")],
        cues=("see",),
        several=("see",),
    ),
    Book(
        "Letters before numbers",
        'numbers: "1.1a1"\nchapters: "4.0"\nlevels: [chapter, section, case, item]\n' + CUES,
        ["1 .1 a 1"],
        [("", ".0")],
        top=(2, 4, 9, 10),
        chain=("chapter", "section", "case", "item"),
    ),
    Book(
        "太平洋",
        'numbers: "1.1"\nchapters: "4.0"\ncues: [規則, 参照]',
        ["1 .1"],
        [("", ".0")],
        cues=("規則",),
        several=("規則",),
        points=("参照",),
    ),
]


def invented(seed: int) -> Book:
    """A book in a dialect that nobody has thought of: any labels, with any signs between them."""
    chance = Random(seed)
    sign = chance.choice(("", "", "", "", "§", "R", "Rule_", "Art._"))
    sorts = [chance.choice("111AI") if not sign else "1"]
    form = [sign + sorts[0]]
    for _ in range(chance.randint(1, 3)):
        sort = chance.choice("111aaAiI" if sorts[-1] == "1" else "111i" if sorts[-1] == "A" else "1")
        ways = [f".{sort}", f"({sort})", f".{sort}", f"-{sort}"]
        if (sort == "1") != (sorts[-1] == "1"):
            ways += [sort, sort]
        sorts.append(sort)
        form.append(chance.choice(ways))
    sign = sign.replace("_", " ")
    ways = [(sign, "")]
    if not sign and sorts[0] == "1" and form[1] == ".1":
        ways = [("", ".0"), *chance.choice(([], [("", "")], [("", ".")]))]
    example = "".join(form).replace("_", " ")
    chapters = ", ".join(
        f'"{before}{"C" if sorts[0] == "A" else "4" if sorts[0] == "1" else "IV"}{after}"'
        for before, after in ways
    )
    word = sign.strip(". ").isalpha() and len(sign) > 1
    return Book(
        f"{example} ({seed})",
        f'numbers: "{example}"\nchapters: [{chapters}]\n{CUES}',
        [" ".join(form)],
        ways,
        cues=("see",) if word else ("rule", "section", "case"),
        several=("see",) if word else ("rules", "sections", "cases"),
        **({"tight": ("–", "—")} if "-" in example else {}),
        top=chance.choice(((1, 2, 3, 4, 8, 9, 10, 12, 24), (1, 4, 5, 10), (2, 3, 4, 6, 14, 16))),
        limit=chance.choice((60, 90, 120)),
    )
