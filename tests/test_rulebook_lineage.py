"""What a rulebook.yml cites is, in each edition and every medium, what became of it there, however called."""

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from rulewright.app.build_pipeline import build
from rulewright.app.lsp import hover
from rulewright.checks.load_and_check import CheckedProject, load_and_check_folder
from rulewright.files.content_reader import ContentFolder
from rulewright.print.book_format import BookFormat
from rulewright.print.rulebook_document import RulebookDocument
from rulewright.references.reference_types import CitableReference
from rulewright.render.exports import FORMATS
from rulewright.render.exports.book_json import edition_to_json as book_json
from rulewright.render.render_context import RenderContext
from tests import printing
from tests.commands.duel import write
from tests.test_succession import page

TERM = (
    "A gun (1.4). It rolls on the [[Gunnery Table]] in the [[Salvo Phase]], as step 2 of 1.4 says, and rests \
in step 1 of the Salvo Phase; see [[Powder]]."
)

PHASE = "'Each battery, see {rule}, rolls on the [[{table}]].'"

NAMES = [
    ("1", "1.2", "Fire Table", "Bombard Phase", "2"),
    ("2", "1.3", "Shooting Table", "Barrage Phase", "1"),
    ("3", "1.4", "Gunnery Table", "Salvo Phase", "2"),
]


def editions(names: Sequence[tuple[str, str, str, str, str]] = NAMES) -> dict[str, str]:
    texts = {
        "content/b/rulebook.yml": (
            'title: B\nnumbers: "1.1"\nchapters: "1.0"\ncues: [see]\nroles: {both: {title: Both}}\n'
            f"terms:\n  Battery: {{means: {json.dumps(TERM)}, see: '1.4'}}\n"
            "  Powder: {means: Black dust.}\n"
        )
    }
    was = ""
    for name, rule, table, phase, item in names:
        at = f"content/b/{name}"
        follows = f'follows: "{int(name) - 1}"\n' if name != "1" else ""
        texts[f"{at}/edition.yml"] = f'edition: "{name}"\ndate: "200{name}-01-01"\n{follows}'
        steps = ["Load the piece with powder.", "Roll the dice against the wall."][
            :: 1 if item == "2" else -1
        ]
        texts[f"{at}/rules/1.yml"] = (
            'chapter: "1.0"\ntitle: Guns\n"1.1 Aim": Look at the enemy with care before you do anything.\n'
            f'"{rule} Fire": |\n  Each battery fires once a turn, at whatever it can see.\n\n'
            f"  1. {steps[0]}\n  2. {steps[1]}\n"
        )
        texts[f"{at}/tables/fire.yml"] = (
            f"id: t{name}\ntitle: {table}\nroll: 1d6\ncolumns: [result]\nrows:\n"
            "  - {roll: 1-3, result: miss}\n  - {roll: 4-6, result: wall breached}\n"
        )
        texts[f"{at}/sequence.yml"] = (
            "title: Sequence of Play\nsteps:\n  - {phase: Move Phase, by: both}\n"
            f"  - phase: {phase}\n    by: both\n{was}    steps:\n      - do: Load\n        see: '{rule}'\n"
            f"        uses: {table}\n        note: {PHASE.format(rule=rule, table=table)}\n      - do: Fire\n"
        )
        texts[f"{at}/aids/card.yml"] = (
            f"title: Card {name}\nblocks:\n  - sequence: {{}}\n  - rules: '{rule}'\n  - tables: {table}\n"
            f"  - notes: Roll on the [[{table}]] in the [[{phase}]] ({rule}).\n"
        )
        was = f"    was: {phase}\n"
    return texts


def _examined(texts: dict[str, str]) -> CheckedProject:
    return load_and_check_folder(ContentFolder({name: text.encode() for name, text in texts.items()}))


def _shown(rule: str, table: str, phase: str, item: str) -> str:
    said = TERM.replace("1.4", rule).replace("[[Gunnery Table]]", table).replace("[[Salvo Phase]]", phase)
    return said.replace("step 2", f"step {item}").replace("[[Powder]]", "Powder")


def test_each_edition_has_its_own_targets_in_every_medium(tmp_path: Path) -> None:
    examined = _examined(editions())
    assert not [one for one in examined.problems if one.code != "number-gap"]
    desk = RenderContext(examined.index)
    artifacts = build(write(tmp_path, editions()))
    for name, rule, table, phase, item in NAMES:
        outline = examined.index.outlines[f"b/{name}"]
        term = next(iter(outline.edition.book.terms.values()))
        found = examined.index.references(term.means, outline.edition)
        assert {
            (one.citable if isinstance(one, CitableReference) else one.target).edition.address
            for one in found
        } == {f"b/{name}"}
        assert len(found) == 7
        said = _shown(rule, table, phase, item)
        assert examined.index.plain_text_in(term.means, outline.edition) == said
        html = page(artifacts, f"b/{name}/glossary")
        for href in (f"#{rule}", f"#{rule}/{item}", f"#t{name}", f"#{phase.lower().replace(' ', '-')}/load"):
            assert f'{href}"' in html, (name, href)
        printed = json.dumps(
            RulebookDocument(outline, desk, BookFormat.from_branding(None))._part("glossary"),
            ensure_ascii=False,
        )
        for words in (rule, table, phase, f"step {item}"):
            assert words in printed
        assert said in str(artifacts.search[f"b/{name}"]())


OTHERS = {name: {one for row in NAMES for one in row[1:4]} - {*rest[:3]} for name, *rest in NAMES}
"""By edition, what another calls the rule, the table and the phase."""


def test_what_is_exported_of_an_edition_has_its_own_targets(tmp_path: Path) -> None:
    examined = _examined(editions())
    desk = RenderContext(examined.index)
    for name, rule, table, phase, item in NAMES:
        at, outline = f"b/{name}", examined.index.outlines[f"b/{name}"]
        phase_id = phase.lower().replace(" ", "-")
        own = f"{at}/1-guns/#{rule}", f"{at}/tables/#t{name}"
        step = f"{at}/sequence/#{phase_id}/load"
        book = json.loads(book_json(desk, at))
        term = next(one for one in book["terms"] if one["term"] == "Battery")
        hrefs = {*_refs(term["means"])}
        assert {*own, f"{own[0]}/{item}", step} <= hrefs, hrefs
        assert all(href.startswith(f"{at}/") for href in hrefs)
        assert term["defined_by"] == rule
        assert {*_refs(book)} >= hrefs
        assert all(href.startswith(f"{at}/") for href in _refs(book))
        for form in FORMATS.values():
            said = re.sub('"was": "[^"]*"', "", form(outline, examined.index, ""))
            assert rule in said
            assert table in said
            assert not [one for one in OTHERS[name] if re.search(rf"{re.escape(one)}(?!\d)", said)]
        for form in ("html", "json", "markdown"):
            assert all(href in FORMATS[form](outline, examined.index, "") for href in own)
        (told,) = (one for one in desk.glossaries[at].terms if one.words == "Battery")
        assert _shown(rule, table, phase, item) in hover.describe_target(told, examined.index)
        sheet = printing.order(examined, at).made_of.data
        said = json.dumps(sheet, ensure_ascii=False)
        assert own[0] in said
        assert table in said
        assert not [href for href in re.findall(r"\bb/(\d)/", said) if href != name]


def _refs(value: object) -> Iterator[str]:
    """The links of all references in what is exported."""
    if isinstance(value, list):
        yield from (one for inner in value for one in _refs(inner))
    elif isinstance(value, dict):
        yield from (str(value[kind]) for kind in ("reference", "name", "table_link") if kind in value)
        if "href" in value and "text" in value:
            yield str(value["href"])
        yield from (one for inner in value.values() for one in _refs(inner))


def test_what_an_edition_has_not_is_told_where_it_is_cited() -> None:
    texts = editions()
    del texts["content/b/1/tables/fire.yml"]
    texts["content/b/1/sequence.yml"] = "title: Sequence of Play\nsteps:\n  - {phase: Move Phase, by: both}\n"
    texts["content/b/2/sequence.yml"] = texts["content/b/2/sequence.yml"].replace(
        "was: Bombard Phase", "was: none"
    )
    told = [str(one) for one in _examined(texts).problems if one.code == "term-without-rule"]
    line = texts["content/b/rulebook.yml"].splitlines()[6]
    for words in ("Gunnery Table", "Salvo Phase", "step 1 of"):
        place = f"content/b/rulebook.yml:7:{line.index(words) + 1}: "
        assert any(one.startswith(place) and "is not in B 1" in one for one in told), (words, told)
