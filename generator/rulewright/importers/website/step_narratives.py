"""The colours of steps, which say who acts, and their narrative, which stands elsewhere in the book."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from rulewright.importers.website.blocks import said
from rulewright.importers.website.prose_writer import ProseWriter
from rulewright.importers.website.rule_tree import Change, RuleNode, Subsection
from rulewright.importers.website.step_kinds import StepDraft


@dataclass(frozen=True, slots=True)
class ColourLegend:
    """The meaning of the colours of steps: who acts, by colour; and whether they mark combat."""

    roles: Mapping[str, str] = field(default_factory=dict)
    combat: bool = False
    told: bool = False


def legend_of(texts: Sequence[str], colours: Sequence[str]) -> ColourLegend:
    """Read the pages for the meaning of the colours that steps have."""
    roles: dict[str, str] = {}
    combat = False
    for text in texts:
        for colour in colours:
            word = re.escape(colour)
            for m in re.finditer(
                rf"\b(non-?phasing|(?<!non-)(?<!non)phasing)\s+(?:player\s*)?"
                rf"(?:\(|is |in |are |= ?|: ?){word}\b"
                rf"|\b{word}\b\W+(?:is |are |for |marks |means |=)*\W*(?:the )?(non-?phasing|phasing)\b",
                text,
                re.IGNORECASE,
            ):
                roles.setdefault(colour, (m[1] or m[2]).lower().replace("nonphasing", "non-phasing"))
                near = text[max(0, m.start() - 160) : m.end() + 160]
                combat = combat or bool(re.search(r"combat|attack|fight|kampf|angriff", near, re.IGNORECASE))
    return ColourLegend(roles, combat, bool(roles))


def assign_narratives(
    drafts: Sequence[StepDraft], node: RuleNode, writer: ProseWriter, turned: list[Change]
) -> list[Subsection]:
    """Give steps the narrative that stands below headings of their names in a rule.

    The parts of the rule that are none of it are returned.
    """
    every = [step for draft in drafts for step in draft.walk()]
    kept: list[Subsection] = []
    last = 0
    for part in node.parts:
        wanted = _bare(said(part.title))
        options = [
            i for i, step in enumerate(every) if wanted and _bare(step.title) == wanted and not step.narrative
        ]
        # A phase can have its name twice in a turn; the next one in the order of play is meant.
        at = next((i for i in options if i >= last), options[0] if options else None)
        if at is None:
            kept.append(part)
            continue
        last = at
        every[at].narrative = writer.prose(node.page, part.lines, up="")
        turned.append(
            Change(node.page, part.line, said(part.title), "", "narrative of the step with this title")
        )
    return kept


def narrated_share(drafts: Sequence[StepDraft], node: RuleNode) -> float:
    """How many of a rule's headings without numbers name steps."""
    titles = [_bare(said(part.title)) for part in node.parts if part.title]
    names = {_bare(step.title) for draft in drafts for step in draft.walk()}
    return sum(title in names for title in titles) / len(titles) if len(titles) > 2 else 0.0


def _bare(words: str) -> str:
    return " ".join(re.findall(r"\w+", words.lower()))
