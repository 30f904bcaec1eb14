"""Editions as JSON."""

import json
import re

from rulewright.checks.load_and_check import CheckedProject
from rulewright.render.exports.book_json import FORMAT
from rulewright.render.exports.book_json import edition_to_json as exported
from rulewright.render.render_context import RenderContext
from tests.own_library import library


def data(examined: CheckedProject, address: str) -> dict:
    return json.loads(exported(RenderContext(examined.index), address))


def test_a_rule_says_all_there_is_to_it():
    """A program of elsewhere reads rule 12.1a: its blocks, its references, its lineage."""
    book = data(library(), "ember-coast/2.1")
    assert book["format"] == FORMAT
    rules = {one["number"]: one for one in book["rules"]}
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
    assert len(book["tables"]) == len(library().index.editions["ember-coast/2.1"].tables)
    assert {one["term"] for one in book["terms"]} >= {"MA", "EZOC"}
    assert all(one["href"].startswith("ember-coast/2.1/") for one in (*book["errata"], *book["questions"]))
    outermost = [step for group in book["sequence"]["groups"] for step in group["steps"]]
    assert len(outermost) == len(outline.sequence.steps)
