"""An assessment as people and programs pass it on: text, Markdown for a pull request, JSON.

It is told in sections of lines, those first that say what breaks. Each format is a function of the
assessment, of what it is compared with, and of the address below which the files can be seen, for links.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple
from urllib.parse import quote

from rulewright.book.outline import Entry
from rulewright.citations.prose import plain
from rulewright.compare.change import Change, Kind, Part
from rulewright.compare.drift import CHANGED
from rulewright.compare.rules import GONE
from rulewright.edit.impact.assessment import Assessment
from rulewright.edit.impact.lost import LostAddress
from rulewright.edit.impact.rereading import Effect, RemarkChange, StrayReference
from rulewright.edit.impact.sheets import Fit, PrintChange
from rulewright.edit.impact.snapshot import place_of
from rulewright.model.reports import as_json, several
from rulewright.site.compositor import environment
from rulewright.site.exports.changes import as_object, called, phrases, pieces
from rulewright.site.exports.media import TEXT, Medium, Run
from rulewright.site.exports.written import markdown_words
from rulewright.source.folder import CONTENT
from rulewright.source.problems import Place, Problem


class Item(NamedTuple):
    """One thing that is touched. `group`: what it stands below, `says`: what happened to it.

    `was`: its place is one in the content as it was. `parts`: what differs in its words, `lines`: what else
    there is to say.
    """

    name: str
    says: str = ""
    place: Place | None = None
    was: bool = False
    parts: Sequence[Part] = ()
    lines: Sequence[str] = ()
    group: str = ""


@dataclass(frozen=True, slots=True)
class Section:
    """Things of one sort that are touched. `kinds`: how many were added, removed and so on, if known.

    `broken`: how much it is in a clause, where it was right before.
    """

    title: str
    items: tuple[Item, ...]
    kinds: str = ""
    broken: str = ""

    @property
    def says(self) -> str:
        """Count of the things, by kind where that is known."""
        return self.kinds or str(len(self.items))


def sections(found: Assessment) -> list[Section]:
    """Sections of the report; a sort of which nothing is touched has none."""
    every = (*_breaking(found), *_changed(found), *_following(found))
    return [section for section in every if section.items]


def heading(found: Assessment) -> str:
    """Heading of the report: what breaks, or that nothing does."""
    if not found.files:
        return "Nothing in the content has changed."
    made = sections(found)
    if not made:
        return "Only comments, order or layout have changed, nothing that anyone sees."
    broken = [section.broken for section in made if section.broken]
    return f"Broken: {', '.join(broken)}." if broken else "Nothing is broken."


def _breaking(found: Assessment) -> Iterator[Section]:
    yield _broken(
        "New problems", map(_problem, [p for p in found.new if p.fails]), "1 new problem", "{} new problems"
    )
    yield _broken(
        "References that mean another rule now",
        (Item(one.name, _meant(one), one.place) for one in found.elsewhere),
        "1 reference that means another rule",
        "{} references that mean other rules",
    )
    yield _broken(
        "Errata and questions that hold no more",
        (_noted(one) for one in found.noted if one.effect is Effect.VOID),
        "1 void erratum or question",
        "{} void errata and questions",
    )
    yield _broken(
        "Player aids that do not fit any more",
        (_sheet(one) for one in found.sheets if one.fit is Fit.FAILS),
        "1 player aid that does not fit",
        "{} player aids that do not fit",
    )
    yield _broken("Addresses that are lost", map(_lost, found.lost), "1 lost address", "{} lost addresses")


def _broken(title: str, items: Iterable[Item], one: str, many: str) -> Section:
    row = tuple(items)
    return Section(title, row, broken=one if len(row) == 1 else many.format(len(row)))


def _changed(found: Assessment) -> Iterator[Section]:
    edited = found.edited
    editions = [
        *(Item(one.title, "added", one.file.edition.place) for one in edited.new),
        *(Item(one.title, "removed", one.file.edition.place, True) for one in edited.gone),
    ]
    yield Section("Editions", tuple(editions))
    for title, sort in (
        ("Rules", "rules"),
        ("Sequence of play", "steps"),
        ("Tables", "tables"),
        ("Player aids, as their files say them", "aids"),
    ):
        rows = [(one.new.edition.short, c) for one in edited.differences for c in one.by_sort[sort]]
        told = [(name, change) for name, change in rows if change.is_told or _is_retired(change)]
        counts = Counter(kind for _, change in told for kind, _ in _happened(change))
        kinds = ", ".join(f"{count} {kind}" for kind, count in counts.items())
        yield Section(title, tuple(_change(change, name) for name, change in told), kinds)
    phases = (
        Item(plain(phase.phase.path), _of_phase(phase.steps, phase.rules), phase.phase.step.title.place)
        for phase in found.phases
        if phase.phase
    )
    yield Section("Phases of play", tuple(phases))


def _following(found: Assessment) -> Iterator[Section]:
    again = (Item(one.name, f"cites {', '.join(one.cites)}", one.place) for one in found.again)
    yield Section("To be read again", tuple(again))
    noted = tuple(_noted(one) for one in found.noted if one.effect is not Effect.VOID)
    effects = Counter(one.effect for one in found.noted if one.effect is not Effect.VOID)
    kinds = ", ".join(f"{count} {effect}" for effect, count in effects.items())
    yield Section("Errata and questions", noted, kinds)
    printed = (one for one in found.sheets if one.fit is not Fit.FAILS)
    yield Section("To be printed anew", tuple(map(_sheet, printed)))
    pages = (
        Item(f"{page.title}, /{page.path}", page.how, page.place, page.how == "removed")
        for page in found.pages
    )
    yield Section("Pages that differ", tuple(pages))
    others = (Item(name.rpartition("/")[2], how, Place(name), how == "removed") for name, how in found.others)
    yield Section("Pictures and downloads", tuple(others))
    notes = (one for one in found.new if not one.fails and one.code != CHANGED.code)
    yield Section("New notes", tuple(map(_problem, notes)))
    yield Section("Mended problems", tuple(_problem(problem, was=True) for problem in found.mended))


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
    return Item(str(remark), says, one.place, gone, group=remark.edition.short)


def _sheet(one: PrintChange) -> Item:
    says = one.how if one.says else "looks otherwise, says the same"
    if one.how != "removed" and one.fit:
        says += f"; {one.fit}{f', since {one.why}' if one.why else ''}"
    if one.stale:
        says += f"; copies printed as {one.stale} are out of date"
    lines = [f"{problem.message} [{problem.code}]" for problem in one.problems]
    return Item(one.title, says, one.place, one.how == "removed", lines=lines)


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
    if _is_retired(change):
        yield "retired", "retired"


def _is_retired(change: Change[Any]) -> bool:
    """Whether a rule has been retired, and not only what it lies in."""
    old, new = change.old, change.new
    if not isinstance(old, Entry) or not isinstance(new, Entry) or old.retired:
        return False
    return bool(new.retired and not (new.parent and new.parent.retired))


def _meant(one: StrayReference) -> str:
    return f"{one.number} meant {'a rule that is gone' if one.meant == GONE else f'what is {one.meant}'} now"


def _of_phase(steps: Sequence[Any], rules: Sequence[Any]) -> str:
    said = [several(len(steps), "step")] if steps else []
    if rules:
        said.append(f"rules that matter in it: {', '.join(called(change.here) for change in rules)}")
    return "; ".join(said)


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
                **{sort: _changes(changes) for sort, changes in one.by_sort.items()},
            }
            for one in found.edited.differences
            if any(c.kinds for c in one.changes)
        ],
        "new editions": [one.address for one in found.edited.new],
        "removed editions": [one.address for one in found.edited.gone],
        "lost": _objects(found.lost, "address name was inside now? moved? mend?"),
        "elsewhere": _objects(found.elsewhere, "name place number meant"),
        "again": _objects(found.again, "name place cites"),
        "errata": _objects(found.noted, "name place effect of"),
        "pages": _objects(found.pages, "path title place how"),
        "sheets": [
            {**one, "problems": _problems(one["problems"])}
            for one in _objects(found.sheets, "address title how says fit why? stale? problems")
        ],
        "problems": _problems(found.new),
        "mended": _problems(found.mended),
    }
    return as_json(made)


Format = Callable[[Assessment, str, str], str]

FORMATS: Mapping[str, Format] = {"text": text, "markdown": markdown, "json": json}
"""The formats of an assessment, by the name that `--format` takes."""


def _written(part: Part, medium: Medium) -> str:
    """Difference in one line, the old words kept apart from the new ones."""
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
    return [as_object(one) | {"place": place_of(one.here)} for one in changes if one.kinds]


def _objects(rows: Iterable[object], names: str) -> list[dict[str, Any]]:
    """Attributes of things, by name, for JSON; behind a name, `?` makes an empty text null."""
    return [
        {
            name: value or None if mark else value
            for name, mark, _ in (each.partition("?") for each in names.split())
            for value in [getattr(one, name)]
        }
        for one in rows
    ]


def _problems(problems: Iterable[Problem]) -> list[dict[str, Any]]:
    return _objects(problems, "place severity code message")
