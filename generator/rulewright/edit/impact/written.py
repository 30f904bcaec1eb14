"""An assessment as people and programs pass it on: text, Markdown for a pull request, JSON.

Each is a function of the assessment, of what it is compared with, and of the address below which the files
can be seen, for links.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import quote

from rulewright.compare.changes.change import Change, Part
from rulewright.edit.impact.assessment import Assessment
from rulewright.edit.impact.edited import every
from rulewright.edit.impact.standing import place_of
from rulewright.edit.impact.telling import Item, heading, sections
from rulewright.model.reports import as_json
from rulewright.site.compositor import environment
from rulewright.site.exports.changes import as_object, pieces
from rulewright.site.exports.media import TEXT, Medium, Run
from rulewright.site.exports.written import markdown_words
from rulewright.source.folder import CONTENT
from rulewright.source.problems import Place, Problem

MARKER = "<!-- rulewright impact -->"
"""The first line of the Markdown, by which a workflow finds the comment that it is to write anew."""

_ALIVE = re.compile(r"(?<=[@#])(?=\w|\Z)|(?<=://)|(?<=\bwww)(?=\.)|(?<=\bGH-)(?=\d)", re.IGNORECASE)


def inert(words: str) -> str:
    """Words that a comment shows as they are: they tell nobody, lead nowhere and are no markup."""
    one_line = re.sub(r"\s*\n\s*", " ", markdown_words(words).replace("~", "\\~"))
    return _ALIVE.sub("&#8203;", one_line)


COMMENT = Medium(inert, "<del>{}</del>", "<ins>{}</ins>", "<b>{}</b>")
"""As a comment has it. Stars and tildes are no marks to Markdown where they touch a comma."""

MOST_LETTERS = 60_000
"""How long the Markdown is at most: GitHub takes no comment with more than 65,536 characters."""

_MOST = (200, 60, 20, 6, 0)
"""How many things of a sort are listed, the most that go in."""


def text(found: Assessment, base: str, files: str = "") -> str:
    """Plain text; what was deleted in [-…-], what was inserted in {+…+}."""
    template = environment().get_template("impact/report.txt")
    given = {"heading": heading(found), "sections": sections(found), "base": base, "commit": base.split()[0]}
    return template.render(**given, written=lambda part: _written(part, TEXT))


def markdown(found: Assessment, base: str, files: str = "") -> str:
    """Markdown: a table of what is touched, and all of it below to be unfolded."""
    template = environment().get_template("impact/report.md")
    given = {"heading": inert(heading(found)), "base": inert(base), "sections": sections(found)}
    made = ""
    for most in _MOST:
        made = template.render(
            **given,
            marker=MARKER,
            most=most,
            most_parts=max(most, 1),
            escaped=inert,
            linked=lambda item: _linked(item, base.split()[0], files),
            written=lambda part: _written(part, COMMENT),
        )
        if len(made) <= MOST_LETTERS:
            break
    return made


def json(found: Assessment, base: str, files: str = "") -> str:
    """All of it for programs. Places are `file:line:column`."""
    made: dict[str, Any] = {
        "base": base,
        "breaks": found.breaks,
        "files": found.files,
        "editions": [
            {
                "address": one.new.edition.address,
                "rules": _changes(one.rules),
                "steps": _changes(one.steps),
                "tables": _changes(one.tables),
                "aids": _changes(one.aids),
            }
            for one in found.edited.differences
            if any(c.kinds for c in every(one))
        ],
        "new editions": [one.address for one in found.edited.new],
        "removed editions": [one.address for one in found.edited.gone],
        "lost": [
            {
                "address": one.address,
                "name": one.name,
                "was": _place(one.was),
                "inside": one.inside,
                "now": one.now or None,
                "moved": one.moved or None,
                "mend": one.mend or None,
            }
            for one in found.lost
        ],
        "elsewhere": [
            {"name": one.name, "place": _place(one.place), "number": one.number, "meant": one.meant}
            for one in found.elsewhere
        ],
        "again": [{"name": one.name, "place": _place(one.place), "cites": one.cites} for one in found.again],
        "errata": [
            {"name": str(one.remark), "place": _place(one.place), "effect": str(one.effect), "of": one.of}
            for one in found.noted
        ],
        "pages": [
            {"path": one.path, "title": one.title, "place": _place(one.place), "how": one.how}
            for one in found.pages
        ],
        "sheets": [
            {
                "address": one.address,
                "title": one.title,
                "how": one.how,
                "says": one.says,
                "fit": None if one.is_book else str(one.fit),
                "why": one.why or None,
                "stale": one.stale or None,
                "problems": [_problem(problem) for problem in one.problems],
            }
            for one in found.sheets
        ],
        "problems": [_problem(problem) for problem in found.new],
        "mended": [_problem(problem) for problem in found.mended],
    }
    return as_json(made)


Format = Callable[[Assessment, str, str], str]

FORMATS: Mapping[str, Format] = {"text": text, "markdown": markdown, "json": json}
"""The formats of an assessment, by the name that `--format` takes."""


def _written(part: Part, medium: Medium) -> str:
    """What differs in a part, in one line; what was and what is now are kept apart."""
    runs = list(pieces(part))
    for at, (was, gap, now) in enumerate(zip(runs, runs[1:], runs[2:], strict=False)):
        if (was.sign, gap.words, now.sign) == ("-", "", "+"):
            runs[at + 1] = Run(" ")
    words = medium.words(part.name.replace("_", " "))
    return " ".join(f"{words}: {medium.write(runs)}".split())


def _linked(item: Item, commit: str, files: str) -> str:
    """The place of an item, and where files can be seen as they are now, a link to it."""
    assert item.place
    name, line = item.place.file, item.place.line
    if "`" in name:  # which would end what is shown as code
        return inert(f"{name}:{line}")
    shown = f"`{name.removeprefix(f'{CONTENT}/')}:{line}`"
    if item.was:
        return f"`{commit}:{name}:{line}`"
    return f"[{shown}]({files.rstrip('/')}/{quote(name)}#L{line})" if files else shown


def _changes(changes: list[Change[Any]]) -> list[dict[str, Any]]:
    return [as_object(one) | {"place": _place(place_of(one.here))} for one in changes if one.kinds]


def _place(place: Place | None) -> str | None:
    return str(place) if place else None


def _problem(problem: Problem) -> dict[str, str]:
    return {
        "place": str(problem.place),
        "severity": str(problem.severity),
        "code": problem.code,
        "message": problem.message,
    }
