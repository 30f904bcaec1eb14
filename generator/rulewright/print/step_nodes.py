"""Steps of the sequence of play as nodes for Typst: who acts, what is done, what it costs, the rules for it.

A step is {"is": "turn", "phase" or "line", "title": [...], "marks": [mark, ...], "style": "phasing",
"facts": [[...], ...], "see": [[...], ...], "note": [...], "again": "Every step of …", "steps": [step,
...]}, and a mark {"mark": "P", "style": "phasing", "title": "Phasing player"}. `sign` and `instead` say how
one differs from what it stands for in the turn that is gone through again.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any

from rulewright.book import roles
from rulewright.book.roles import Actor
from rulewright.book.sequence import StepEntry, is_heading
from rulewright.citations.blocks.turn import again
from rulewright.citations.facts import NAMING, facts, named
from rulewright.print.word_nodes import Node, Words
from rulewright.site import diagram
from rulewright.text.document import plain


def steps(entries: Iterable[StepEntry], words: Words, shown: Collection[StepEntry]) -> list[dict[str, Any]]:
    """The steps of a turn, or of the whole sequence, of those that are shown."""
    return [_step(one, words, shown) for one in entries if one in shown and not one.difference]


def told(entries: Iterable[StepEntry], words: Words) -> list[dict[str, Any]]:
    """The sequence of play in words: an entry for each step that has some."""
    return [
        {
            **_head(one, words),
            "level": one.level,
            "again": _as(one),
            "body": [
                *(
                    [{"p": words.inline(one.step.note)}]
                    if one.difference == "changed" and one.step.note
                    else []
                ),
                *(words.blocks(one.step.narrative) if one.step.narrative else []),
            ],
        }
        for one in entries
    ]


def strip(entries: Sequence[StepEntry], words: Words) -> list[dict[str, Any]]:
    """The game turn side by side: each step with its phases, or with the rules for it."""
    made, alike = [], again(entries)
    for one in entries:
        inside: list[Node] = []
        if one in alike:
            inside = ["same phases" + ", roles reversed" * one.reverses]
        elif one.is_turn or not one.step.see:
            within = one.played if one.is_turn else filter(is_heading, one.played)
            names = [diagram.short(each) for each in within]
            inside = [" · ".join(names)] if names else []
        else:
            inside = _joined(words.see(one.step.see))
        marks = [] if one.is_turn else _marks(roles.acting(one))
        style = "turn" if one.is_turn else roles.style(one)
        head = {"label": "", "title": [diagram.short(one)], "short": "", "marks": marks, "style": style}
        made.append({**head, "inside": inside})
    return made


def _step(one: StepEntry, words: Words, shown: Collection[StepEntry]) -> dict[str, Any]:
    step = one.step
    changes = one.parent is None or one.by != one.parent.by
    sort = "turn" if one.is_turn else "phase" if is_heading(one) and not _inside_phase(one) else "line"
    made = {
        **_head(one, words),
        "is": sort,
        "see": words.see(step.see),
        "facts": list(_facts(one, words)),
        "note": words.inline(step.note) if step.note else [],
        "again": _again(one, shown),
        "any": one.any_order,
        "combat": one.combat,
        "steps": [
            *(_different(each, words, shown) for each in one.differences if _is_in(each, shown)),
            *steps(one.children, words, shown),
        ],
    }
    if sort == "turn":
        made["marks"] = []
        made["sides"] = [[_mark(role), side.title] for role, side in roles.sides(one)]
    elif sort == "line" and not changes:
        made["marks"] = []
    return made


def _head(one: StepEntry, words: Words) -> dict[str, Any]:
    return {
        "label": words.name(one.step.label),
        "title": words.inline(one.step.title),
        "short": words.name(one.step.abbreviation),
        "marks": [] if one.is_turn else _marks(roles.acting(one)),
        "style": roles.style(one),
        "turn": one.is_turn,
    }


def _inside_phase(one: StepEntry) -> bool:
    """Whether it lies in a phase, and so is a line of it however much is in it."""
    return one.parent is not None and not one.parent.is_turn


def _is_in(one: StepEntry, shown: Collection[StepEntry]) -> bool:
    return one.difference == "dropped" or one in shown


def _different(one: StepEntry, words: Words, shown: Collection[StepEntry]) -> dict[str, Any]:
    """A step in which a turn differs from the one that it goes through again."""
    origin = one.origin
    if one.difference == "dropped":
        said = (
            f"No {plain(one.step.title)}" if origin and is_heading(origin) else f"Not {_the(origin or one)}"
        )
        return {"is": "dropped", "sign": "−", "instead": said}
    made = _step(one, words, shown)
    if one.difference == "changed" and origin:
        return made | {"is": "line", "sign": "≠", "instead": f"Instead of {_the(origin)}:"}
    where = f"{'Before' if one.before else 'After'} {_the(origin)}:" if origin else ""
    return made | {"is": "line", "sign": "+", "instead": where}


def _the(one: StepEntry) -> str:
    """A step in a sentence: the Movement Phase, “Light a fire”."""
    title = plain(one.step.title)
    return f"the {title}" if is_heading(one) else f"“{title}”"


def _again(one: StepEntry, shown: Collection[StepEntry]) -> str:
    if not one.repeated:
        return ""
    told = any(_is_in(each, shown) for each in one.differences)
    end = "; what is different:" if told else ", with differences." if one.differences else "."
    return f"Every step of the {plain(one.repeated.step.title)} again{_reversed(one)}{end}"


def _as(one: StepEntry) -> str:
    """How a step that is told in words goes as another."""
    if one.difference == "dropped":
        return "There is no such step in this turn."
    if one.difference == "changed" and one.origin:
        return f"As in the {plain(one.origin.step.title)}."
    if one.repeated:
        end = "; what is different follows." if one.differences else "."
        return f"As the {plain(one.repeated.step.title)}{_reversed(one)}{end}"
    return ""


def _reversed(one: StepEntry) -> str:
    return ", with the roles reversed" if one.reverses else ""


def _facts(one: StepEntry, words: Words) -> Iterator[list[Node]]:
    for fact in facts(one):
        said: list[Node] = [fact.before] if fact.before else []
        for at, value in enumerate(fact.values):
            last = at == len(fact.values) - 1
            gap = "" if not at else f" {fact.join} " if last else ", "
            other = named(one, value, words.outline) if fact.key in NAMING else None
            said += [*([gap] if gap else []), *words.inline(other.step.title if other else value)]
        yield [*said, *([fact.after] if fact.after else [])]


def _marks(actors: Iterable[Actor]) -> list[dict[str, str]]:
    return [_mark(one) for one in actors]


def _mark(one: Actor) -> dict[str, str]:
    return {"mark": one.mark, "style": one.style, "title": one.title}


def _joined(lists: Iterable[list[Node]]) -> list[Node]:
    return [node for at, nodes in enumerate(lists) for node in ([", "] if at else []) + nodes]
