"""What an edit does to errata and answered questions: those that hold no more, and those to be read again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from enum import StrEnum

from rulewright.book.remarks import Remark
from rulewright.edit.impact.edited import Edits
from rulewright.edit.impact.standing import Standing, place_of
from rulewright.source.problems import Place


class Effect(StrEnum):
    """What became of an erratum or a question."""

    VOID = "void"  # the words that it changed, or the rule that it is about, are there no more
    ADDED = "added"
    REMOVED = "removed"
    CHANGED = "changed"
    AGAIN = "to be read again"  # what it is of says something else now


@dataclass(frozen=True, slots=True)
class Noted:
    """An erratum or a question that an edit touches. `of`: what it is of, or was if it is void, by name."""

    remark: Remark
    effect: Effect
    of: tuple[str, ...]

    @property
    def place(self) -> Place | None:
        return place_of(self.remark)


def noted(before: Standing, after: Standing, edited: Edits) -> list[Noted]:
    """The errata and questions that are touched, edition by edition, those that are gone last."""
    found: list[Noted] = []
    for address, remarks in after.desk.shelf.remarks.items():
        left = {one.key: one for one in before.desk.shelf.remarks.get(address, ())}
        for one in remarks:
            was = left.pop(one.key, None)
            if touched := next(_effects(was, one, before, after, edited), None):
                found.append(Noted(one, *touched))
        found += (Noted(one, Effect.REMOVED, _names(one, before)) for one in left.values())
    return found


def _effects(
    was: Remark | None, one: Remark, before: Standing, after: Standing, edited: Edits
) -> Iterator[tuple[Effect, tuple[str, ...]]]:
    """All that became of one, the worst first, with what it is of."""
    if was is None:
        yield Effect.ADDED, _names(one, after)
        return
    if was.is_applied and not one.is_applied and one.erratum and one.erratum.is_official:
        yield Effect.VOID, _names(was, before)
    gone = [thing for thing in before.desk.things.get(was, ()) if thing not in edited.heirs]
    if gone and one.question:
        yield Effect.VOID, tuple(map(before.desk.name, gone))
    if _said(was) != _said(one):
        yield Effect.CHANGED, _names(one, after)
    reworded = [thing for thing in after.desk.things.get(one, ()) if edited.has_touched(thing)]
    if reworded:
        yield Effect.AGAIN, tuple(map(after.desk.name, reworded))


def _names(remark: Remark, here: Standing) -> tuple[str, ...]:
    return tuple(here.desk.name(thing) for thing in here.desk.things.get(remark, ()))


def _said(remark: Remark) -> list[str]:
    """All that an entry says."""
    return [str(getattr(remark.part, one.name)) for one in fields(remark.part)]
