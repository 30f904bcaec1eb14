"""The conditions of PDF/UA-1 on the elements of the structure: roles, headings, tables, lists, notes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping

from pikepdf import String

from rulewright.print.preflight.conditions import Condition, collect, having, tagged
from rulewright.print.preflight.structure_tree import CIRCLE, STANDARD, Element, Structure
from rulewright.source.problems import shown

CONDITIONS: list[Condition] = []
condition = collect(CONDITIONS)

HEADING = re.compile(r"H([1-9][0-9]*)")


@condition("02-001", "a type is not a standard one and is mapped to none", tagged)
def unmapped(structure: Structure) -> Iterator[str]:
    for element in structure.elements:
        if element.kind not in STANDARD and element.kind != CIRCLE:
            yield shown(element.tag)


@condition("02-003", "a type is mapped to itself in a circle", tagged)
def circular(structure: Structure) -> Iterator[str]:
    yield from (shown(tag) for tag in structure.roles if structure.standard(tag) == CIRCLE)


@condition("02-004", "a standard type is mapped to another", tagged)
def remapped(structure: Structure) -> Iterator[str]:
    yield from (f"{tag} to {to}" for tag, to in structure.roles.items() if tag in STANDARD and to != tag)


TABLE: Mapping[str, frozenset[str]] = {
    "Table": frozenset(("TR", "THead", "TBody", "TFoot", "Caption")),
    "THead": frozenset(("TR",)),
    "TBody": frozenset(("TR",)),
    "TFoot": frozenset(("TR",)),
    "TR": frozenset(("TH", "TD")),
}
TABLE_PARENTS = {"TR": ("Table", "THead", "TBody", "TFoot"), "TH": ("TR",), "TD": ("TR",)} | dict.fromkeys(
    ("THead", "TBody", "TFoot"), ("Table",)
)
LIST: Mapping[str, frozenset[str]] = {
    "L": frozenset(("LI", "L", "Caption")),
    "LI": frozenset(("Lbl", "LBody")),
}
LIST_PARENTS = {"LI": ("L",), "LBody": ("LI",)}
CONTENTS: Mapping[str, frozenset[str]] = {
    "TOC": frozenset(("TOC", "TOCI", "Caption")),
    "TOCI": frozenset(("TOC", "Lbl", "Reference", "NonStruct", "P")),
}
CONTENTS_PARENTS = {"TOCI": ("TOC",)}
RUBY: Mapping[str, frozenset[str]] = {"Ruby": frozenset(("RB", "RT", "RP"))}
RUBY_PARENTS = dict.fromkeys(("RB", "RT"), ("Ruby",))
WARICHU: Mapping[str, frozenset[str]] = {"Warichu": frozenset(("WT", "WP"))}
WARICHU_PARENTS = dict.fromkeys(("WT", "WP"), ("Warichu",))


def _placed(
    structure: Structure, children: Mapping[str, frozenset[str]], parents: Mapping[str, Collection[str]]
) -> Iterator[str]:
    """Elements with a child that may not stand in them, or that stand where they may not."""
    for element in structure.elements:
        if element.kind in children:
            for child in element.children:
                if child.kind not in children[element.kind]:
                    yield f"a {child.tag} in a {element.tag}"
        if element.kind in parents:
            around = element.parent.kind if element.parent else "the root"
            if around not in parents[element.kind]:
                yield f"a {element.tag} in {around if around == 'the root' else f'a {around}'}"


@condition(
    "09-004",
    "the elements of a table do not stand in one another as they should",
    having("Table", "TR", "TH", "TD"),
)
def table_syntax(structure: Structure) -> Iterator[str]:
    yield from _placed(structure, TABLE, TABLE_PARENTS)
    for table in structure.of("Table"):
        count = Counter(child.kind for child in table.children)
        if count["THead"] > 1 or count["TFoot"] > 1:
            yield "a Table with more than one THead or TFoot"
        if (count["THead"] or count["TFoot"]) and not count["TBody"]:
            yield "a Table with a THead or TFoot and no TBody"
        if count["TR"] and (count["THead"] or count["TBody"] or count["TFoot"]):
            yield "a Table with rows beside its THead or TBody"


@condition(
    "09-005", "the elements of a list do not stand in one another as they should", having("L", "LI", "LBody")
)
def list_syntax(structure: Structure) -> Iterator[str]:
    yield from _placed(structure, LIST, LIST_PARENTS)


@condition(
    "09-006", "the elements of a contents do not stand in one another as they should", having("TOC", "TOCI")
)
def contents_syntax(structure: Structure) -> Iterator[str]:
    yield from _placed(structure, CONTENTS, CONTENTS_PARENTS)


@condition(
    "09-007", "the elements of a ruby do not stand in one another as they should", having("Ruby", "RB", "RT")
)
def ruby_syntax(structure: Structure) -> Iterator[str]:
    yield from _placed(structure, RUBY, RUBY_PARENTS)


@condition(
    "09-008",
    "the elements of a warichu do not stand in one another as they should",
    having("Warichu", "WT", "WP"),
)
def warichu_syntax(structure: Structure) -> Iterator[str]:
    yield from _placed(structure, WARICHU, WARICHU_PARENTS)


@condition("13-004", "a Figure has no alternative or replacement text", having("Figure"))
def figure_wordless(structure: Structure) -> Iterator[str]:
    for element in structure.of("Figure"):
        if not element.text("/Alt") and not isinstance(element.source.get("/ActualText"), String):
            yield "a Figure has neither Alt nor ActualText"


def _levels(structure: Structure) -> list[int]:
    """The levels of the numbered headings in order, of tags beyond H6 too."""
    found = (HEADING.fullmatch(e.tag if e.kind not in STANDARD else e.kind) for e in structure.elements)
    return [int(m[1]) for m in found if m]


@condition("14-002", "the first heading is not H1", _levels)
def first_heading(structure: Structure) -> Iterator[str]:
    if (first := _levels(structure)[0]) != 1:
        yield f"it is H{first}"


@condition("14-003", "a level of headings is left out", _levels)
def skipped(structure: Structure) -> Iterator[str]:
    last = 0
    for level in _levels(structure):
        if level > last + 1:
            yield f"H{level} follows H{last}" if last else f"H{level} comes first"
        last = level


@condition("14-006", "an element has more than one H", having("H"))
def headings_together(structure: Structure) -> Iterator[str]:
    for element in structure.elements:
        if sum(child.kind == "H" for child in element.children) > 1:
            yield f"a {element.tag}"


@condition("14-007", "H and numbered headings are both used", lambda s: _levels(s) or s.of("H"))
def mixed(structure: Structure) -> Iterator[str]:
    if _levels(structure) and structure.of("H"):
        yield "H and H1 to H6"


def _headed(table: Element) -> Iterator[Element]:
    """The header cells of a table, those of tables in its cells left out."""
    for child in table.children:
        if child.kind == "TH":
            yield child
        elif child.kind in ("TR", "THead", "TBody", "TFoot"):
            yield from _headed(child)


def _cells(table: Element) -> Iterator[Element]:
    for child in table.children:
        if child.kind in ("TH", "TD"):
            yield child
        elif child.kind in ("TR", "THead", "TBody", "TFoot"):
            yield from _cells(child)


@condition("15-003", "a header cell says neither its scope nor which cells name it", having("TH"))
def scopeless(structure: Structure) -> Iterator[str]:
    for table in structure.of("Table"):
        named = any(cell.attribute("/Headers") is not None for cell in _cells(table))
        for header in _headed(table):
            if not named and str(header.attribute("/Scope")) not in ("/Row", "/Column", "/Both"):
                yield "a TH without Scope"


@condition("17-002", "a formula has no alternative text", having("Formula"))
def formula_wordless(structure: Structure) -> Iterator[str]:
    yield from ("a Formula has no Alt" for one in structure.of("Formula") if not one.text("/Alt"))


@condition("19-003", "a Note has no ID", having("Note"))
def note_nameless(structure: Structure) -> Iterator[str]:
    yield from ("a Note without ID" for one in structure.of("Note") if not one.text("/ID"))


@condition("19-004", "two Notes have the same ID", having("Note"))
def notes_alike(structure: Structure) -> Iterator[str]:
    count = Counter(one.text("/ID") for one in structure.of("Note") if one.text("/ID"))
    yield from (f"the ID {shown(name)}" for name, times in count.items() if times > 1)
