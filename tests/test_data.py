"""Editions as JSON: what stands in them, and that the same book comes out of it again."""

import json
import re

import pytest

from rulewright.app.cli import main
from rulewright.checks.load_and_check import CheckedProject, load_and_check, load_and_check_folder
from rulewright.files.content_folder import CONTENT
from rulewright.files.content_reader import ContentFolder, read_content_folder
from rulewright.render import pages
from rulewright.render.build_artifacts import force_files
from rulewright.render.exports.book_json import CONTENT_FORMAT, FORMAT, content_from_json, content_to_json
from rulewright.render.exports.book_json import edition_to_json as exported
from rulewright.render.render_context import RenderContext
from run import ROOT
from tests.own_library import library, rendered
from tests.revisions import Maker, files_of

MADE_UP = {"content/b/rulebook.yml": b'title: B\nnumbers: "1.1a"\nchapters: "1.0"\n'}
MADE_UP |= files_of(Maker(1).book(23, 2, 2), "1") | files_of(Maker(2).book(12, 3, 1), "2", "1")


def data(examined: CheckedProject, address: str) -> dict:
    return json.loads(exported(RenderContext(examined.index), address))


def made_again(folder: ContentFolder, examined: CheckedProject) -> ContentFolder:
    """A content folder in which every book is made from the JSON of its editions."""
    books = {address.partition("/")[0] for address in examined.index.outlines}
    texts = {name: text for name, text in folder.texts.items() if name.split("/")[1] not in books}
    for address in examined.index.outlines:
        for name, text in content_from_json(json.loads(content_to_json(address, examined.library))).items():
            texts[f"{CONTENT}/{name}"] = text.encode()
    return ContentFolder(
        {name: texts[name] for name in sorted(texts, key=[*folder.texts].index)},
        folder.other_files,
        folder.problems,
        folder.settings,
        folder.today,
    )


@pytest.mark.parametrize("which", [pytest.param("ours", marks=pytest.mark.thorough), "sixth", "made up"])
def test_the_same_site_comes_out_of_the_json(which):
    folder = {"ours": ROOT, "sixth": ROOT / "tests/sixth"}.get(which)
    before = read_content_folder(folder) if folder else ContentFolder(MADE_UP)
    examined = (
        library() if which == "ours" else load_and_check(folder) if folder else load_and_check_folder(before)
    )
    after = made_again(before, examined)
    assert set(after.texts) == set(before.texts)
    second = load_and_check_folder(after)

    def told(one: CheckedProject) -> list[tuple[str, str, str]]:
        return [(p.place.file, p.code, re.sub(r"\d+:\d+", "", p.message)) for p in one.problems]

    assert told(second) == told(examined)
    site = (
        rendered() if which == "ours" else pages.render_site(RenderContext(examined.index), examined.library)
    )
    old, files = site.pages, force_files(site.files)
    site = pages.render_site(RenderContext(second.index), second.library)
    new, others = site.pages, force_files(site.files)
    assert len(old) > 5
    for page, same in zip(old, new, strict=True):
        assert (page.path, page.title, page.html) == (same.path, same.title, same.html)
    assert {**files} == {**others}


def test_a_rule_says_all_there_is_to_it():
    """A program of elsewhere reads rule 12.1a: its blocks, its references, its lineage."""
    made = data(library(), "ember-coast/2.1")
    assert made["format"] == FORMAT
    rules = {one["number"]: one for one in made["rules"]}
    outline = library().index.outlines["ember-coast/2.1"]
    assert list(rules) == list(outline.entries)
    found = 0
    for number, one in rules.items():
        made_of = json.dumps([one.get("blocks"), one.get("closing")], ensure_ascii=False)
        rule = outline.entries[number].rule
        for text in filter(None, (rule and rule.text, rule and rule.closing)):
            words = re.sub(r"\[\[.*?\]\]|!\[.*?\)|:[\w-]+:", "", text)
            assert set(re.findall(r"\w{4,}", words)) <= {*re.findall(r"\w+", made_of)}
        found += made_of.count('"reference": "ember-coast/2.1/')
    assert found > 200
    assert rules["12.5"]["href"] == "ember-coast/2.1/12-supply/#12.5"
    assert any(rule.get("was") for rule in data(library(), "ocs/4.3")["rules"])
    assert len(made["tables"]) == len(library().index.editions["ember-coast/2.1"].tables)
    assert {one["term"] for one in made["terms"]} >= {"MA", "EZOC"}
    assert all(one["href"].startswith("ember-coast/2.1/") for one in (*made["errata"], *made["questions"]))
    outermost = [step for group in made["sequence"]["groups"] for step in group["steps"]]
    assert len(outermost) == len(outline.sequence.steps)


def test_a_project_begins_with_the_content_of_an_edition(tmp_path, monkeypatch):
    written = content_to_json("killing-ground/1", library().library)
    (tmp_path / "content.json").write_text(written, "utf-8")
    monkeypatch.chdir(tmp_path)
    assert main(["new", "k", "--from", "content.json"]) == 0
    second = load_and_check(tmp_path / "k")
    assert not [problem for problem in second.problems if problem.is_failure]
    first = json.loads(content_to_json("killing-ground/1", second.library))
    assert {**first, "files": []} == {**json.loads(written), "files": []}


HOSTILE = [
    {"../../evil.yml": "x"},
    {"/etc/evil.yml": "x"},
    {"k/../../evil.md": "x"},
    {"k/.git/config.yml": "x"},
    {"k/run.js": "x"},
    {"k/1/edition.yml": 5},
    {"k/1/edition.yml": {"a": None}},
    {},
]


NO_EDITION = [
    *(json.dumps({"format": CONTENT_FORMAT, "files": [], "content": content}) for content in HOSTILE),
    "[" * 100_000,
    '{"format": 1}',
    "",
    "\0",
    '{"files": []}',
]


@pytest.mark.parametrize("text", NO_EDITION, ids=lambda text: text[-40:])
def test_what_is_no_edition_makes_nothing(tmp_path, text, monkeypatch, capsys):
    (tmp_path / "x.json").write_text(text)
    monkeypatch.chdir(tmp_path)
    assert main(["new", "made", "--from", "x.json"]) == 2
    assert "x.json" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["x.json"]
