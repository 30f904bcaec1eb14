"""Steps of the sequence of play as nodes for Typst: who acts, what is done, what it costs, the rules for it.

A step is {"is": "turn", "phase" or "line", "title": [...], "marks": [mark, ...], "style": "phasing",
"facts": [[...], ...], "see": [[...], ...], "note": [...], "again": "Every step of …", "steps": [step,
...]}, and a mark {"mark": "P", "style": "phasing", "title": "Phasing player"}. `different`: it is not as in
the turn that is gone through again. Several in one line are {"is": "either" or "same", "those": [step, ...]}.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any

from rulewright.document.blocks.sequence_blocks import repeated_turns
from rulewright.print.node_writer import Json as Node
from rulewright.print.node_writer import JsonObject as TemplateData
from rulewright.print.node_writer import NodeWriter, joined
from rulewright.render import turn_diagram
from rulewright.schema.text_document import plain_text
from rulewright.sequence import actors
from rulewright.sequence.actors import Actor
from rulewright.sequence.repetition_phrases import (
    group_steps,
    narrative_repetition,
    phrase_text,
    repetition_phrase,
)
from rulewright.sequence.sequence_step import AT_ANY_TIME, ONE_OF, SequenceStep, is_heading
from rulewright.sequence.step_attributes import capitalize_first, inside_phrase, step_phrases, turns_phrase


def step_nodes(
    entries: Iterable[SequenceStep], words: NodeWriter, shown: Collection[SequenceStep]
) -> list[TemplateData]:
    """The steps of a turn, or of the whole sequence, of those that are shown."""
    made = []
    for sort, group in group_steps(entry for entry in entries if entry in shown):
        if sort == "same" and group[0].parent and group[0].parent.is_turn:
            said = phrase_text(repetition_phrase(group[0]))
            again = {"is": "again", "again": said, "facts": [], "note": []}
            made += [_step(step, words, shown) | again for step in group]
        elif sort in ("same", "either"):
            made.append(_together(sort, group, words))
        else:
            made += [_step(step, words, shown) for step in group]
    return made


def narrative_nodes(entries: Iterable[SequenceStep], words: NodeWriter) -> list[TemplateData]:
    """The sequence of play in words: an entry for each step that has some."""
    return [{**_head(entry, words), "level": entry.level, **_told(entry, words)} for entry in entries]


def _told(one: SequenceStep, words: NodeWriter) -> TemplateData:
    said, step = phrase_text(narrative_repetition(one)), one.step
    body: list[Any] = []
    if said and one.is_different and step.note:
        body.append({"p": words.inline(step.note)})
    if step.narrative and (one.is_turn or not said):
        body += words.blocks(step.narrative)
    return {"again": capitalize_first(f"{said}.") if said else "", "body": body}


def turn_strip_nodes(entries: Sequence[SequenceStep], words: NodeWriter) -> list[TemplateData]:
    """The game turn side by side: each step with its phases, or with the rules for it."""
    made, alike = [], repeated_turns(entries)
    for entry in entries:
        inside: list[Node] = []
        if entry in alike:
            inside = ["same phases" + ", roles reversed" * entry.reverses_roles]
        elif entry.is_turn or not entry.step.see:
            within = entry.inner
            within = within if entry.is_turn else list(filter(is_heading, within))
            names = [turn_diagram.step_short_title(step) for step in within]
            inside = [" · ".join(names)] if names else []
        else:
            inside = joined(words.see(entry.step.see))
        marks = [] if entry.is_turn else actor_nodes(actors.actors_of_step(entry))
        style = "turn" if entry.is_turn else actors.actor_style(entry)
        title = [turn_diagram.step_short_title(entry)]
        phase_steps = [step for step in entry.inner if step.is_block and entry not in alike]
        phases = [
            {
                "title": [turn_diagram.step_short_title(step)],
                "marks": actor_nodes(actors.actors_of_step(step)),
                "see": words.see(step.step.see),
            }
            for step in phase_steps
        ]
        made.append({"title": title, "marks": marks, "style": style, "inside": inside, "phases": phases})
    return made


def _step(one: SequenceStep, words: NodeWriter, shown: Collection[SequenceStep]) -> TemplateData:
    step = one.step
    sort = "turn" if one.is_turn else "phase" if is_heading(one) and one.is_block else "line"
    inner = step_nodes(one.steps_with_lines, words, shown)
    # Steps in one line stand behind a title that has no rules of its own.
    beside = sort == "line" and not step.see and len(inner) == 1 and inner[0]["is"] == "either"
    said = phrase_text(repetition_phrase(one))
    facts = list(_facts(one, words, has_sign=sort == "line"))
    inside = inside_phrase(one)
    if inside and not any(node["is"] == "either" for node in inner):
        facts.append([inside])
    made = {
        **_head(one, words),
        "is": sort,
        "see": words.see(step.see),
        "facts": facts,
        "note": words.inline(step.note) if step.note else [],
        "again": capitalize_first(f"{said}.") if said else "",
        "combat": one.is_combat,
        "may": step.optional is not None or one.way in (ONE_OF, AT_ANY_TIME),
        "name": turn_diagram.step_short_title(one) if sort != "line" else "",
        "beside": inner[0]["those"] if beside else [],
        "steps": [] if beside else inner,
    }
    if sort == "turn":
        made["marks"] = []
        own = actors.actor_colours(one.edition.book)
        made["sides"] = [
            [actor_nodes([role, side] if side.style in own else [role]), side.title]
            for role, side in actors.player_sides(one)
        ] or [[actor_nodes([actor]), actor.title] for actor in actors.actors_of_step(one)]
    elif sort == "line" and not one.actors_change:
        made["marks"] = []
    return made


def _together(sort: str, group: Sequence[SequenceStep], words: NodeWriter) -> TemplateData:
    """Steps in one line: alternatives, or those that are as in another turn."""
    said = phrase_text(repetition_phrase(group[0])) if sort == "same" else "in any order"
    those = []
    for step in group:
        facts = [] if step.is_same else list(_facts(step, words, has_sign=False))
        made = {
            **_head(step, words),
            "see": words.see(step.step.see),
            "facts": facts,
            "combat": step.is_combat,
        }
        those.append(made if step.actors_change else made | {"marks": []})
    return {"is": sort, "again": f"{capitalize_first(said)}: ", "those": those}


def _head(one: SequenceStep, words: NodeWriter) -> TemplateData:
    return {
        "label": words.name(one.step.label),
        "title": words.inline(one.step.title),
        "short": words.name(one.step.abbreviation),
        "marks": [] if one.is_turn else actor_nodes(actors.actors_of_step(one)),
        "style": actors.actor_style(one),
        "turn": one.is_turn,
        "different": one.is_different,
        "heading": is_heading(one),
    }


def _facts(one: SequenceStep, words: NodeWriter, *, has_sign: bool) -> Iterator[list[Node]]:
    """Yield the facts of a step. `has_sign`: its sign says whether it is optional."""
    index = words.context.index
    if one.way == AT_ANY_TIME:
        yield ["at any time"]
    if turns := turns_phrase(one):
        yield [turns]
    for fact in step_phrases(one):
        before = fact.before
        if fact.key == "optional" and has_sign:  # what is left is the condition
            before = before.removeprefix("optional").lstrip(" :")
            if not before and not fact.values:
                continue
        said: list[Node] = [before] if before else []
        for at, value in enumerate(fact.values):
            last = at == len(fact.values) - 1
            gap = "" if not at else f" {fact.join} " if last else ", "
            said += [gap] if gap else []
            # What a step uses is a table where its name is no reference.
            is_name = fact.key == "uses" and not index.references(value)
            if is_name and (table := index.find_table(one.edition, value)):
                number = index.table_number_used(one, table).strip()
                said.append(words.words(plain_text(table.table.title)) + " " * bool(number))
                said += [{"ref": [number]}] if number else []
            else:
                said += words.inline(value)
        yield said


def actor_nodes(actors: Iterable[Actor]) -> list[dict[str, str]]:
    """The signs of who acts."""
    return [{"mark": actor.mark, "style": actor.style, "title": actor.title} for actor in actors]
