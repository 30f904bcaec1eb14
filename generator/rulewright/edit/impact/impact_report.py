"""An assessment as people and programs pass it on: text, Markdown for a pull request, JSON.

It is told in sections of lines, those first that say what breaks. Each format is a function of the
assessment, of what it is compared with, and of the address below which the files can be seen, for links.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from typing import Any, NamedTuple

from rulewright.book.outline import Entry
from rulewright.book.sequence import StepEntry
from rulewright.compare.change import Change, Kind, WordDifference
from rulewright.compare.drift import CHANGED
from rulewright.compare.edition_changes import PhaseChanges
from rulewright.compare.wording import GONE
from rulewright.edit.impact.assessment import Assessment, LostAddress
from rulewright.edit.impact.rereading import Effect, RemarkChange, StrayReference
from rulewright.edit.impact.sheet_impact import Fit, PrintChange
from rulewright.edit.impact.snapshot import place_of
from rulewright.model.reports import as_json, several, told
from rulewright.site.exports.changes import as_object, called, listed, phrases, pieces
from rulewright.site.exports.media import TEXT, Medium, Run, markdown_words
from rulewright.site.templating import environment
from rulewright.source.folder import CONTENT
from rulewright.source.problems import Place, Problem
from rulewright.text.document import plain

SORTS = {
    "rules": "Rules",
    "steps": "Sequence of play",
    "tables": "Tables",
    "aids": "Player aids, as their files say them",
    "book": "What holds for the whole book",
}
"""Titles of the sections of changes."""

WRONG = {
    "New problems": ("new problem", "new problems"),
    "Cited rules whose text is deleted": ("cited rule without its text", "cited rules without their texts"),
    "References that mean another rule now": (
        "reference that means another rule",
        "references that mean other rules",
    ),
    "Errata and questions that hold no more": ("void erratum or question", "void errata and questions"),
    "Player aids that do not fit any more": ("player aid that does not fit", "player aids that do not fit"),
    "Addresses that are lost": ("lost address", "lost addresses"),
}
"""Titles of the sections of what was right before, with what one and several of those things are called."""

REMOVED = "removed"


class Item(NamedTuple):
    """One thing that is touched. `group`: what it stands below, `says`: what happened to it.

    `was`: its place is one in the content as it was. `parts`: what differs in its words, `lines`: what else
    there is to say.
    """

    name: str
    says: str = ""
    place: Place | None = None
    was: bool = False
    parts: Sequence[WordDifference] = ()
    lines: Sequence[str] = ()
    group: str = ""


class Section(NamedTuple):
    """Things of one sort that are touched. `kinds`: what happened to how many, where that is told."""

    title: str
    items: Sequence[Item]
    kinds: Mapping[Any, int]

    @property
    def says(self) -> str:
        return ", ".join(f"{count} {kind}" for kind, count in self.kinds.items()) or str(len(self.items))

    @property
    def broken(self) -> str:
        count = len(self.items)
        return f"{count} {WRONG[self.title][count != 1]}" if self.title in WRONG else ""


def sections(found: Assessment) -> list[Section]:
    """Sections of the report, those first that say what breaks; nothing has an empty one."""
    noted = [one for one in found.noted if one.effect is not Effect.VOID]
    notes = (one for one in found.new if not one.fails and one.code != CHANGED.code)
    rows: dict[str, Iterable[Item]] = dict(
        zip(
            WRONG,
            (
                (_problem(problem) for problem in found.new if problem.fails),
                (Item(called(one), "is only a listed number now", place_of(one)) for one in found.emptied),
                (Item(one.name, f"{one.number} meant {_was(one)} now", one.place) for one in found.elsewhere),
                (_noted(one) for one in found.noted if one.effect is Effect.VOID),
                (_sheet(one) for one in found.sheets if one.fit is Fit.FAILS),
                map(_lost, found.lost),
            ),
            strict=True,
        )
    )
    kinds: dict[str, Mapping[Any, int]] = {"Errata and questions": Counter(one.effect for one in noted)}
    edited = found.edited
    rows["Editions"] = [
        *(Item(one.title, "added", one.file.edition.place) for one in edited.new),
        *(Item(one.title, REMOVED, one.file.edition.place, True) for one in edited.gone),
    ]
    for sort, title in SORTS.items():
        every = [(one.new.edition.short, c) for one in edited.differences for c in one.by_sort.get(sort, ())]
        every = [(name, change) for name, change in every if change.is_told]
        kinds[title] = Counter(kind for _, change in every for kind, _ in _happened(change))
        rows[title] = [_change(change, name) for name, change in every]
    rows["Typography alone"] = [
        Item(one.new.edition.short, listed(one.typography)) for one in edited.differences if one.typography
    ]
    rows |= {
        "Phases of play": (_phase(one, one.phase) for one in found.phases if one.phase),
        "To be read again": (
            Item(one.name, f"cites {', '.join(one.cites)}", one.place) for one in found.again
        ),
        "Errata and questions": map(_noted, noted),
        "To be printed anew": (_sheet(one) for one in found.sheets if one.fit is not Fit.FAILS),
        "Pages that differ": (
            Item(f"{one.title}, /{one.path}", one.how, one.place, one.how == REMOVED) for one in found.pages
        ),
        "Pictures and downloads": (
            Item(name.rpartition("/")[2], how, Place(name), how == REMOVED) for name, how in found.others
        ),
        "New notes": map(_problem, notes),
        "Mended problems": (_problem(problem, was=True) for problem in found.mended),
    }
    made = (Section(title, list(items), kinds.get(title, {})) for title, items in rows.items())
    return [section for section in made if section.items]


def heading(made: Sequence[Section], found: Assessment) -> str:
    """Heading of the report: what breaks, or that nothing does."""
    if not found.files:
        return "Nothing in the content has changed."
    if not made:
        return "Only comments, order or layout have changed, nothing that anyone sees."
    broken = [section.broken for section in made if section.broken]
    return f"Broken: {', '.join(broken)}." if broken else "Nothing is broken."


def _problem(problem: Problem, was: bool = False) -> Item:
    return Item(str(problem.severity), f"{problem.message} [{problem.code}]", problem.place, was)


def _lost(one: LostAddress) -> Item:
    says = f"leads to {one.now} now" if one.now else "leads nowhere"
    says += f", with {len(one.inside)} more in it" if one.inside else ""
    lines = [f"it is at {one.moved} now"] if one.moved else []
    return Item(f"{one.address} ({one.name})", says, one.was, True, lines=[*lines, *filter(None, [one.mend])])


def _noted(one: RemarkChange) -> Item:
    of, remark = ", ".join(one.of), one.remark
    if one.effect is Effect.VOID:
        says = f"is about {of}, which is gone" if remark.question else f"finds no words to change in {of}"
    else:
        says = f"{one.effect}, {of}" if of else str(one.effect)
    gone = one.effect is Effect.REMOVED
    return Item(str(remark), says, one.place, gone, one.parts, group=remark.edition.short)


def _sheet(one: PrintChange) -> Item:
    says = one.how if one.says else "looks otherwise, says the same"
    if one.how != REMOVED and one.fit:
        says += f"; {one.fit}{f', since {one.why}' if one.why else ''}"
    if one.stale:
        says += f"; copies printed as {one.stale} are out of date"
    lines = [f"{problem.message} [{problem.code}]" for problem in one.problems]
    return Item(one.title, says, one.place, one.how == REMOVED, lines=lines)


def _change(change: Change[Any], edition: str) -> Item:
    here = change.here
    says = ", ".join(words for _, words in _happened(change))
    says += f", with {change.inside} in it" if change.inside else ""
    group = f"{edition}, {called(here.chapter)}" if isinstance(here, Entry) else edition
    return Item(called(here), says, place_of(here), change.new is None, change.parts, group=group)


def _happened(change: Change[Any]) -> Iterator[tuple[str, str]]:
    """Kinds of a change, each with its words. The text of a rule that was only a number is transcribed."""
    old, new = change.old, change.new
    for kind, words in zip(change.kinds, phrases(change), strict=True):
        if kind is Kind.REWORDED and isinstance(old, Entry) and not old.rule:
            yield "transcribed", "transcribed"
        elif kind is Kind.REWORDED and isinstance(new, Entry) and not new.rule:
            yield "emptied", "its text taken out"
        else:
            yield kind, words


def _was(one: StrayReference) -> str:
    return "a rule that is gone" if one.meant == GONE else f"what is {one.meant}"


def _phase(one: PhaseChanges, phase: StepEntry) -> Item:
    said = [several(len(one.steps), "step")] if one.steps else []
    if one.rules:
        said.append(f"rules that matter in it: {', '.join(called(change.here) for change in one.rules)}")
    return Item(plain(phase.path), "; ".join(said), phase.step.title.place)


MARKER = "<!-- rulewright impact -->"
"""The first line of the Markdown, by which a workflow finds the comment that it is to write anew."""

_ALIVE = re.compile(r"(?<=[@#])(?=\w|\Z)|(?<=://)|(?<=\bwww)(?=\.)|(?<=\bGH-)(?=\d)", re.IGNORECASE)


def inert(words: str) -> str:
    """Words that a comment shows as they are: they tell nobody, lead nowhere and are no markup."""
    one_line = re.sub(r"\s*\n\s*", " ", markdown_words(words).replace("~", "\\~"))
    return _ALIVE.sub("&#8203;", one_line)


COMMENT = Medium(inert, {"-": "<del>{}</del>", "+": "<ins>{}</ins>", "#": "<b>{}</b>"})
"""As a comment has it. Stars and tildes are no marks to Markdown where they touch a comma."""

MOST_LETTERS = 60_000
"""How long the Markdown is at most: GitHub takes no comment with more than 65,536 characters."""

_MOST = (200, 60, 20, 6, 2, 1, 0)
"""How many things of a sort are listed, the most that go in."""


def text(found: Assessment, base: str) -> str:
    """Plain text; what was deleted in [-…-], what was inserted in {+…+}."""
    made = sections(found)
    given = {"heading": heading(made, found), "sections": made, "base": base, "commit": base.split()[0]}
    template = environment().get_template("impact/report.txt")
    return template.render(**given, written=lambda part: _written(part, TEXT))


def markdown(found: Assessment, base: str) -> str:
    """Markdown: a table of what is touched, and all of it below to be unfolded."""
    made, commit = sections(found), base.split()[0]
    given = {
        "heading": inert(heading(made, found)),
        "base": inert(base),
        "sections": made,
        "marker": MARKER,
        "escaped": inert,
        "place": lambda item: _place(item, commit),
        "written": lambda part: _written(part, COMMENT),
    }
    template = environment().get_template("impact/report.md")
    written = ""
    for most in _MOST:
        written = template.render(given, most=most, most_parts=max(most, 1))
        if len(written) <= MOST_LETTERS:
            break
    return written


def json(found: Assessment, base: str) -> str:
    """All of it for programs. Places are `file:line:column`."""
    made: dict[str, Any] = {
        "base": base,
        "breaks": found.breaks,
        "files": found.files,
        "editions": [
            {
                "address": one.new.edition.address,
                **{
                    sort: [as_object(c) | {"place": place_of(c.here)} for c in changes if c.kinds]
                    for sort, changes in one.by_sort.items()
                },
            }
            for one in found.edited.differences
            if any(c.kinds for c in one.changes)
        ],
        "new editions": [one.address for one in found.edited.new],
        "removed editions": [one.address for one in found.edited.gone],
        "lost": [*map(_object, found.lost)],
        "elsewhere": [*map(_object, found.elsewhere)],
        "again": [*map(_object, found.again)],
        "emptied": [{"name": called(one), "place": place_of(one)} for one in found.emptied],
        "errata": [told(one, "name place effect of") for one in found.noted],
        "pages": [*map(_object, found.pages)],
        "sheets": [
            _object(one, "place problems") | {"problems": _problems(one.problems)} for one in found.sheets
        ],
        "problems": _problems(found.new),
        "mended": _problems(found.mended),
    }
    return as_json(made)


Format = Callable[[Assessment, str], str]

FORMATS: Mapping[str, Format] = {"text": text, "markdown": markdown, "json": json}
"""The formats of an assessment, by the name that `--format` takes."""


def _written(part: WordDifference, medium: Medium) -> str:
    """Difference in one line, the old words kept apart from the new ones."""
    runs = list(pieces(part))
    for at, (was, gap, now) in enumerate(zip(runs, runs[1:], runs[2:], strict=False)):
        if (was.sign, gap.words, now.sign) == ("-", "", "+"):
            runs[at + 1] = Run(" ")
    words = medium.words(part.name.replace("_", " "))
    return " ".join(f"{words}: {medium.write(runs)}".split())


def _place(item: Item, commit: str) -> str:
    assert item.place
    name, line = item.place.file, item.place.line
    if "`" in name:  # which would end what is shown as code
        return inert(f"{name}:{line}")
    return f"`{commit}:{name}:{line}`" if item.was else f"`{name.removeprefix(f'{CONTENT}/')}:{line}`"


def _object(one: Any, without: str = "") -> dict[str, Any]:
    """Fields of a thing for JSON; null where there may be a text and there is none."""
    rows = ((f, getattr(one, f.name)) for f in fields(one) if f.name not in without.split())
    return {f.name: value or None if f.default == "" else value for f, value in rows}


def _problems(problems: Iterable[Problem]) -> list[dict[str, Any]]:
    return [told(problem, "place severity code message") for problem in problems]
