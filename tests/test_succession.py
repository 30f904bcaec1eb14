"""Old numbers lead to where their rules are, on the site as in the books."""

import re
from pathlib import Path

import pytest

from rulewright.app.build_pipeline import build
from rulewright.app.cli import main
from rulewright.checks.load_and_check import load_and_check, load_and_check_folder
from rulewright.files.content_reader import ContentFolder
from rulewright.references.reference_types import RuleReference
from rulewright.render.build_artifacts import Artifacts, as_bytes
from tests.commands.duel import write

BOOK = {
    "content/x/rulebook.yml": 'title: X\nnumbers: "1.1a"\nchapters: "1.0"\ncues: [see]\n',
    "content/x/1/edition.yml": 'edition: "1"\n',
    "content/x/1/rules/1.yml": (
        'chapter: "1.0"\ntitle: Ships\n"1.1":\n  "1.1a": Sails.\n'
        '"1.2": {text: See 1.1a., retired: "yes", replaced by: "1.1"}\n'
    ),
    "content/x/1/rules/2.yml": 'chapter: "2.0"\ntitle: Boats\n"2.1":\n',
}


@pytest.fixture
def project(tmp_path):
    return write(tmp_path, BOOK | {"mkdocs.yml": "site_name: Duel\nplugins: [rulewright]\n"})


def built_after(project: Path, *commands: list[str]) -> Artifacts:
    for command in commands:
        assert main(["--project", str(project), *command, "--force"]) == 0
    return build(project)


def page(artifacts: Artifacts, path: str) -> str:
    return next(one.html for one in artifacts.pages if one.path == path)


def test_into_another_chapter(project):
    artifacts = built_after(project, ["renumber", "x", "1.1", "2.2"])
    assert re.search(r'<li id="1.1a">.*href="\.\./2-boats/#2\.2a"', page(artifacts, "x/1/1-ships"))
    assert '<span class="former" id="1.1a"></span>' in page(artifacts, "x/1/2-boats")
    assert '<li id="1.1a"><a href="1/2-boats/#2.2a"' in as_bytes(artifacts.files["x/index.html"]).decode()


def test_a_new_rule_of_the_number_wins(project):
    artifacts = built_after(project, ["insert", "x", "1.1", "--title", "Anchors"])
    body = page(artifacts, "x/1/1-ships")
    assert body.count('id="1.1"') == 1
    assert '<span class="former" id="1.1a"></span>' in body
    book_page = as_bytes(artifacts.files["x/index.html"]).decode()
    assert '<li id="1.1">' not in book_page
    assert '<li id="1.1a"><a href="1/1-ships/#1.2a"' in book_page


def test_excuses_move_with_what_they_excuse(project):
    write(
        project,
        {
            "content/x/1/edition.yml": (
                'edition: "1"\nexcused:\n  - {code: number-gap, at: "1.1b", reason: never printed}  # so\n'
                '  - {code: reference-not-found, at: "9.9", reason: a slip of the print}\n'
            ),
            "content/x/1/rules/1.yml": ('chapter: "1.0"\n"1.1":\n  "1.1a":\n  "1.1c": see 9.9\n'),
        },
    )
    assert not [problem for problem in load_and_check(project).problems if problem.is_failure]
    built_after(project, ["renumber", "x", "1.1", "1.2"])
    text = (project / "content/x/1/edition.yml").read_text()
    assert '- {code: number-gap, at: "1.2b", reason: never printed}  # so\n' in text
    assert not [problem for problem in load_and_check(project).problems if problem.is_failure]


# Terms, which hold for all editions: their numbers are those of the newest.

HEXES = "1.1 Hexes: A hex holds two units, and no more than that."
ZOC = "1.2 Zones: A unit that comes beside an enemy stops at once."
RAIN = "1.3 Rain: Roll for rain at dawn, before anything else is done."
FOG = "1.2 Fog: In fog nobody sees farther than the next hex, and no gun fires."
LATER = [HEXES, FOG, ZOC.replace("1.2", "1.3"), RAIN.replace("1.3", "1.4")]
FIRST = [HEXES, ZOC, RAIN]
OTHER = "2.1 Wind: Ask the keeper of the winds for the one of today."
WAS = {"2.1": "1.2"}

FOLLOWED = [
    pytest.param(FIRST, FIRST, "1.2", {}, ["1.2"], id="the same number"),
    pytest.param(FIRST, LATER, "1.3", {}, ["1.2"], id="one was put in before it"),
    pytest.param(FIRST, [ZOC, RAIN], "1.2", {}, ["1.2"], id="one before it is gone"),
    pytest.param(FIRST, LATER, "1.2", {}, None, id="it is new"),
    pytest.param(FIRST, [HEXES, ZOC.replace("1.2", "2.7")], "2.7", {}, ["1.2"], id="in another chapter"),
    pytest.param(FIRST, [HEXES, RAIN.replace("1.3", "1.2"), ZOC.replace("1.2", "1.3")], "1.3", {}, ["1.2"],
                 id="two took each other's places"),
    pytest.param(FIRST, [HEXES, FOG, ZOC.replace("1.2", "1.3").replace("at once", "there")], "1.3", {},
                 ["1.2"], id="reworded"),
    pytest.param(FIRST, [HEXES, FOG, ZOC.replace("1.2 Zones", "1.3 Control")], "1.3", {}, ["1.2"],
                 id="retitled"),
    pytest.param(FIRST, [HEXES, OTHER], "2.1", {}, None, id="something else in its place"),
    pytest.param(FIRST, [HEXES, OTHER], "2.1", WAS, ["1.2"], id="an editor says what it was"),
    pytest.param(FIRST, LATER, "1.3-1.4", {}, ["1.2", "1.3"], id="a range"),
    pytest.param(FIRST, LATER, "[[x/1:1.2]]", {}, ["1.2"], id="an edition is named"),
    pytest.param(FIRST, LATER, "1.3, 1.1", {}, ["1.2", "1.1"], id="several"),
]  # fmt: skip


def two(old: list[str], new: list[str], see: str, was: dict[str, str], newest: str = "2") -> ContentFolder:
    """A book of two editions; rules of chapters 1 and 2, and a term."""
    dates = {"1": "2001-01-01", "2": "2002-01-01" if newest == "2" else ""}
    texts = {
        "content/x/rulebook.yml": (
            'title: X\nnumbers: "1.1a"\nchapters: "1.0"\n'
            f'terms: {{ZOC: {{means: "A zone, see {see}.", see: "{see}"}}}}\n'
        )
    }
    for name, rules in (("1", old), ("2", new)):
        follows = 'follows: "1"\n' if name == "2" else ""
        date = f'date: "{dates[name]}"\n' if dates[name] else ""
        texts[f"content/x/{name}/edition.yml"] = f'edition: "{name}"\n{date}{follows}'
        for chapter in "12":
            own = [rule.partition(": ") for rule in rules if rule.startswith(chapter)]
            lines = (
                f'"{head}":\n  text: {text}\n'
                + (f'  was: "{was[n]}"\n' if (n := head[:3]) in was and name == "2" else "")
                for head, _, text in own
            )
            texts[f"content/x/{name}/rules/{chapter}.yml"] = f'chapter: "{chapter}.0"\n{"".join(lines)}'
    return ContentFolder({name: text.encode() for name, text in texts.items()})


@pytest.mark.parametrize(("old", "new", "see", "was", "wanted"), FOLLOWED)
def test_a_term_leads_to_what_its_rule_is_in_each_edition(old, new, see, was, wanted):
    examined = load_and_check_folder(two(old, new, see, was))
    first, second = examined.index.outlines.values()
    (term,) = first.edition.book.terms.values()
    assert term.see
    for text in (term.see, term.means):
        found = examined.index.references(text, first.edition)
        targets = [one.target for one in found if isinstance(one, RuleReference)]
        assert [target.key for target in targets] == (wanted or [])
        assert {target.edition.address for target in targets} <= {"x/1"}
        assert all(isinstance(one, RuleReference) for one in examined.index.references(text, second.edition))
    messages = [problem.message for problem in examined.problems if problem.code == "term-without-rule"]
    assert len(messages) == (0 if wanted else 2)
    assert not [one for one in examined.problems if one.is_failure and one.code != "number-gap"]
