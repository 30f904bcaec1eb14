"""Steps of the sequence of play as nodes for Typst: who acts, what is done, what it costs, the rules for it.

A step is {"is": "turn", "phase" or "line", "title": [...], "marks": [mark, ...], "style": "phasing",
"facts": [[...], ...], "see": [[...], ...], "note": [...], "again": "Every step of …", "steps": [step,
...]}, and a mark {"mark": "P", "style": "phasing", "title": "Phasing player"}. `different`: it is not as in
the turn that is gone through again. Several in one line are {"is": "either" or "same", "those": [step, ...]}.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any

from rulewright.book import roles
from rulewright.book.roles import Actor
from rulewright.book.sequence import StepEntry, is_heading
from rulewright.book.tables import TableEntry
from rulewright.citations.blocks.turn import again
from rulewright.citations.facts import NAMING, facts, named, sentence
from rulewright.citations.repeats import IN_ONE_LINE, alike, groups, in_words, told_as
from rulewright.print.word_nodes import Node, TemplateData, Words
from rulewright.site import diagram
from rulewright.source.text import Text
from rulewright.text.document import plain


def steps(entries: Iterable[StepEntry], words: Words, shown: Collection[StepEntry]) -> list[TemplateData]:
    """The steps of a turn, or of the whole sequence, of those that are shown."""
    made = []
    for sort, group in groups(one for one in entries if one in shown):
        if sort == "same" and group[0].parent and group[0].parent.is_turn:
            said = in_words(alike(group[0]))
            again = {"is": "again", "again": said, "facts": [], "note": []}
            made += [_step(one, words, shown) | again for one in group]
        elif sort in IN_ONE_LINE:
            made.append(_together(sort, group, words))
        else:
            made += [_step(one, words, shown) for one in group]
    return made


def told(entries: Iterable[StepEntry], words: Words) -> list[TemplateData]:
    """The sequence of play in words: an entry for each step that has some."""
    return [{**_head(one, words), "level": one.level, **_told(one, words)} for one in entries]


def _told(one: StepEntry, words: Words) -> TemplateData:
    said, step = in_words(told_as(one)), one.step
    body: list[Any] = []
    if said and one.difference and step.note:
        body.append({"p": words.inline(step.note)})
    if step.narrative and (one.is_turn or not said):
        body += words.blocks(step.narrative)
    return {"again": sentence(f"{said}.") if said else "", "body": body}


def strip(entries: Sequence[StepEntry], words: Words) -> list[TemplateData]:
    """The game turn side by side: each step with its phases, or with the rules for it."""
    made, alike = [], again(entries)
    for one in entries:
        inside: list[Node] = []
        if one in alike:
            inside = ["same phases" + ", roles reversed" * one.reverses]
        elif one.is_turn or not one.step.see:
            within = one.rows or one.played
            within = within if one.is_turn else list(filter(is_heading, within))
            names = [diagram.short(each) for each in within]
            inside = [" · ".join(names)] if names else []
        else:
            inside = _joined(words.see(one.step.see))
        marks = [] if one.is_turn else acting(roles.acting(one))
        style = "turn" if one.is_turn else roles.style(one)
        title = [diagram.short(one)]
        made.append({"title": title, "marks": marks, "style": style, "inside": inside})
    return made


def _step(one: StepEntry, words: Words, shown: Collection[StepEntry]) -> TemplateData:
    step = one.step
    changes = one.parent is None or one.by != one.parent.by
    sort = "turn" if one.is_turn else "phase" if is_heading(one) and not _inside_phase(one) else "line"
    inner = steps(one.rows, words, shown)
    # Steps in one line stand behind a title that has no rules of its own.
    beside = sort == "line" and not step.see and len(inner) == 1 and inner[0]["is"] == "either"
    said = in_words(alike(one))
    made = {
        **_head(one, words),
        "is": sort,
        "see": words.see(step.see),
        "facts": list(_facts(one, words)),
        "note": words.inline(step.note) if step.note else [],
        "again": sentence(f"{said}.") if said else "",
        "any": one.any_order,
        "combat": one.combat,
        "beside": inner[0]["those"] if beside else [],
        "steps": [] if beside else inner,
    }
    if sort == "turn":
        made["marks"] = []
        own = roles.colours(one.edition.book)
        made["sides"] = [
            [acting([role, side] if side.style in own else [role]), side.title]
            for role, side in roles.sides(one)
        ]
    elif sort == "line" and not changes:
        made["marks"] = []
    return made


def _together(sort: str, group: Sequence[StepEntry], words: Words) -> TemplateData:
    """Steps in one line: alternatives, or those that are as in another turn."""
    said = f"{sentence(in_words(alike(group[0])))}: " if sort == "same" else ""
    those = []
    for one in group:
        changes = one.parent is None or one.by != one.parent.by
        facts = [] if one.repeated else list(_facts(one, words))
        made = {**_head(one, words), "see": words.see(one.step.see), "facts": facts, "combat": one.combat}
        those.append(made if changes else made | {"marks": []})
    return {"is": sort, "again": said, "those": those}


def _head(one: StepEntry, words: Words) -> TemplateData:
    return {
        "label": words.name(one.step.label),
        "title": words.inline(one.step.title),
        "short": words.name(one.step.abbreviation),
        "marks": [] if one.is_turn else acting(roles.acting(one)),
        "style": roles.style(one),
        "turn": one.is_turn,
        "different": bool(one.difference),
        "heading": is_heading(one),
    }


def _inside_phase(one: StepEntry) -> bool:
    """Whether it lies in a phase, and so is a line of it however much is in it."""
    return one.parent is not None and not one.parent.is_turn


def _facts(one: StepEntry, words: Words) -> Iterator[list[Node]]:
    for fact in facts(one):
        said: list[Node] = [fact.before] if fact.before else []
        for at, value in enumerate(fact.values):
            last = at == len(fact.values) - 1
            gap = "" if not at else f" {fact.join} " if last else ", "
            other = named(one, value, words.outline) if fact.key in NAMING else None
            said += [gap] if gap else []
            table = _table(one, value, words) if fact.key == "uses" else None
            if table:
                said.append(words.said(plain(table.table.title) + words.desk.shelf.used(one, table)))
            else:
                said += words.inline(other.step.title if other else value)
        yield [*said, *([fact.after] if fact.after else [])]


def _table(one: StepEntry, name: Text, words: Words) -> TableEntry | None:
    """The table that a step uses, where its name is one and no reference."""
    shelf = words.desk.shelf
    return None if shelf.references(name) else shelf.table(one.edition, name)


def acting(actors: Iterable[Actor]) -> list[dict[str, str]]:
    """The signs of who acts."""
    return [{"mark": one.mark, "style": one.style, "title": one.title} for one in actors]


def _joined(lists: Iterable[list[Node]]) -> list[Node]:
    return [node for at, nodes in enumerate(lists) for node in ([", "] if at else []) + nodes]
