"""Problems as lines, annotations and JSON."""

import json

import rulewright.checks.load_and_check  # noqa: F401  whose kinds of problem are those that are reported
from rulewright.files.located_text import LocatedText
from rulewright.files.problems import Problem, Severity, SourceFile, SourceLocation
from rulewright.schema.problem_reports import FORMATS, problems_github, problems_text, single_line
from rulewright.schema.rulebook import Suppression

ERROR = Problem(
    SourceLocation("content/a/b c.yml", 3, 7), "reference-not-found", "no rule 12.8g; 12.8 ends at 12.8e"
)
WARNING = Problem(
    SourceLocation("content/x.yml", 1, 1), "excuse-unused", "50% of a,b: gone\nand more", Severity.WARNING
)
NOTE = Problem(SourceLocation("content/x.yml"), "not-yet-in-force", "to come", Severity.NOTE, "content/x.yml")


def excuse(reason: str) -> Suppression:
    words = (
        LocatedText.from_source(word, SourceFile("content/e.yml", ""), 0, 0)
        for word in ("reference-not-found", "12.8g", reason)
    )
    return Suppression(*words)


def test_text_is_a_line_each():
    assert problems_text([ERROR, WARNING, NOTE]) == (
        "content/a/b c.yml:3:7: error: no rule 12.8g; 12.8 ends at 12.8e [reference-not-found]\n"
        "content/x.yml:1:1: warning: 50% of a,b: gone and more [excuse-unused]\n"
        "content/x.yml:1:1: note: to come [not-yet-in-force]\n"
    )


def test_escapes_in_the_content_do_not_reach_the_terminal():
    evil = Problem(SourceLocation("content/\udcff\x1b[2J.yml"), "unknown-key", "no key \x1b[31m\u202ered\x07")
    assert problems_text([evil]).isprintable() is False  # for the line end alone
    assert problems_text([evil]).strip().isprintable()
    assert single_line("two\n  lines") == "two lines"
    assert single_line("as  it  is") == "as  it  is"


def test_github_escapes_what_would_end_a_property():
    assert problems_github([ERROR, WARNING, NOTE]) == (
        "::error file=content/a/b c.yml,line=3,col=7,title=reference-not-found"
        "::no rule 12.8g; 12.8 ends at 12.8e\n"
        "::warning file=content/x.yml,line=1,col=1,title=excuse-unused::50%25 of a,b: gone%0Aand more\n"
        "::notice file=content/x.yml,line=1,col=1,title=not-yet-in-force::to come\n"
    )
    odd = Problem(SourceLocation("content/a,b:c%.yml"), "unknown-key", "x")
    assert "file=content/a%2Cb%3Ac%25.yml,line=1" in problems_github([odd])


def test_json_has_all_fields():
    report = json.loads(FORMATS["json"]([NOTE], [(ERROR, excuse("so it is"))]))
    assert report["problems"] == [
        {
            "file": "content/x.yml",
            "line": 1,
            "column": 1,
            "severity": "note",
            "code": "not-yet-in-force",
            "message": "to come",
            "about": "content/x.yml",
        }
    ]
    assert report["excused"][0]["reason"] == "so it is"
