"""An assessment in sections of lines, those first that say what breaks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from rulewright.book.outline import Entry
from rulewright.citations.prose import plain
from rulewright.compare.changes.change import Change, Kind, Part
from rulewright.compare.changes.rules import GONE
from rulewright.compare.drift.finding import CHANGED
from rulewright.edit.impact.assessment import Assessment
from rulewright.edit.impact.lost import Lost
from rulewright.edit.impact.reading import Elsewhere
from rulewright.edit.impact.remarks import Effect, Noted
from rulewright.edit.impact.sheets import Fit, Touched
from rulewright.edit.impact.standing import place_of
from rulewright.model.reports import several
from rulewright.site.exports.changes import called, phrases
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
    """What is touched of one sort. `kinds`: how much of it was added, removed and so on, where that is known.

    `broken`: how much it is in a clause, where it was right before.
    """

    title: str
    items: tuple[Item, ...]
    kinds: str = ""
    broken: str = ""

    @property
    def says(self) -> str:
        """How much there is of it."""
        return self.kinds or str(len(self.items))


def sections(found: Assessment) -> list[Section]:
    """All that is touched, sort by sort; nothing of those sorts of which nothing is."""
    every = (*_breaking(found), *_changed(found), *_following(found))
    return [section for section in every if section.items]


def heading(found: Assessment) -> str:
    """The whole in a sentence: what breaks, or that nothing does."""
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
        rows = [(one.new.edition.short, c) for one in edited.differences for c in getattr(one, sort)]
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


def _lost(one: Lost) -> Item:
    says = f"leads to {one.now} now" if one.now else "leads nowhere"
    says += f", with {len(one.inside)} more in it" if one.inside else ""
    lines = [f"it is at {one.moved} now"] if one.moved else []
    return Item(f"{one.address} ({one.name})", says, one.was, True, lines=[*lines, *filter(None, [one.mend])])


def _noted(one: Noted) -> Item:
    of, remark = ", ".join(one.of), one.remark
    if one.effect is Effect.VOID:
        says = f"is about {of}, which is gone" if remark.question else f"finds no words to change in {of}"
    else:
        says = f"{one.effect}, {of}" if of else str(one.effect)
    gone = one.effect is Effect.REMOVED
    return Item(str(remark), says, one.place, gone, group=remark.edition.short)


def _sheet(one: Touched) -> Item:
    says = one.how if one.says else "looks otherwise, says the same"
    if one.how != "removed" and not one.is_book:
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
    """What happened, by kinds and in words. The text of a rule that was only a number is transcribed."""
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


def _meant(one: Elsewhere) -> str:
    return f"{one.number} meant {'a rule that is gone' if one.meant == GONE else f'what is {one.meant}'} now"


def _of_phase(steps: Sequence[Any], rules: Sequence[Any]) -> str:
    said = [several(len(steps), "step")] if steps else []
    if rules:
        said.append(f"rules that matter in it: {', '.join(called(change.here) for change in rules)}")
    return "; ".join(said)
