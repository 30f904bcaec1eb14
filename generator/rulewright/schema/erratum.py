"""Types for `errata.yml` and `questions.yml`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rulewright.files.located_text import LocatedText
from rulewright.schema.yaml_fields import OptionalText, Texts, field_key, list_field

RULES, AID, TABLE, COUNTER, MAP = "rules", "aid", "table", "counter", "map"
ANSWERS = "answers"
COMPONENTS = (RULES, TABLE, AID, COUNTER, MAP)
"""Keys that name the subject of an erratum, in display order."""

NOT_HERE = (COUNTER, MAP)
"""Subjects that are not part of the content, so that nothing is amended or checked."""

OFFICIAL, DRAFT, WITHDRAWN = "official", "draft", "withdrawn"
CORRECTION = "correction"
SEVERITIES = ("change", CORRECTION, "clarification", "typo")
"""Severities of errata, most severe first: the game, a mistake in it, its interpretation, the spelling."""

WORDS: Mapping[str, tuple[str, ...]] = {
    "components": COMPONENTS,
    "remarks": (*COMPONENTS, ANSWERS),
    "parts": ("title", "text", "closing", "notes"),
    "severities": SEVERITIES,
    "statuses": (OFFICIAL, DRAFT, WITHDRAWN),
}
"""Allowed words for values of an erratum."""


THROUGHOUT = "throughout"
"""Name of all rules in an erratum or a question."""


@dataclass(frozen=True, slots=True, eq=False)
class Erratum:
    """One change to the printed text, in force from its date."""

    number: LocatedText = field_key(
        "The publisher's number for it, or any short name.", name="erratum", must=True, example='"1"'
    )
    date: LocatedText = field_key(
        "The date of publication, as year-month-day.", must=True, date=True, example="2025-06-15"
    )
    in_force_from: OptionalText = field_key(
        "The date from which it is in force, if later.", date=True, example="2025-07-01"
    )
    source: OptionalText = field_key(
        "The source: a web site, a magazine, the designer.", example="The authors' letter, June"
    )
    status: OptionalText = field_key(
        "official, draft or withdrawn; official if left out. Only official errata are applied.",
        words="statuses",
        example="draft",
    )
    component: OptionalText = field_key(
        "Its subject: rules, table, aid, counter or map; that of its other keys if left out.",
        words="components",
        example="counter",
    )
    severity: OptionalText = field_key(
        "change (of the game), correction (of a mistake), clarification or typo; correction if left out.",
        words="severities",
        example="change",
    )
    rule: Texts = list_field(
        "The amended rules, by number, or tables or steps, by name; `throughout` for all rules.",
        cites=True,
        lone=True,
        example="7.1a",
    )
    part: OptionalText = field_key(
        "The part of the rule, if its words occur in several: title, text, closing or notes.",
        name="in",
        words="parts",
        example="title",
    )
    table: OptionalText = field_key(
        "The amended table, by number, id or title.", example="Combat Results Table"
    )
    row: OptionalText = field_key("The row of the table: its roll, or its first cell.", example="13..")
    column: OptionalText = field_key("The column of the table, by its heading.", example='"1:4"')
    step: OptionalText = field_key(
        "The amended step, by title, id or path: first/supply-phase.", example="first/combat-phase"
    )
    particular: OptionalText = field_key(
        "The key of the step: cost, when, note.", name="key", example="moves"
    )
    aid: OptionalText = field_key("The amended player aid, by file name.", example="charts")
    of: OptionalText = field_key("The counter, or the place on the map.", example="Tern Flotilla")
    replace: OptionalText = field_key(
        "The words to replace, as printed; ` … ` omits some in the middle.",
        either=True,
        example="four levels",
    )
    insert: OptionalText = field_key(
        "The words to insert: after or before others, else as a paragraph at the end.",
        either=True,
        example="It may be in an EZOC.",
    )
    delete: OptionalText = field_key("The words to delete, as printed.", either=True, example="aboard")
    says: OptionalText = field_key(
        "Its text, if no words are changed: a clarification, a counter, the map.",
        either=True,
        prose=True,
        example="Its range is 3, on both sides.",
    )
    new: OptionalText = field_key("The new words.", name="with", example="five levels")
    after: OptionalText = field_key("The words to insert after.", example="The HQ must be Lit.")
    before: OptionalText = field_key("The words to insert before.", example="The HQ must be Lit.")
    which: OptionalText = field_key(
        "The number of the occurrence, if there are several: 2 is the second.", example='"2"'
    )
    reason: OptionalText = field_key(
        "The reason, or its effect on play.", prose=True, example="It did not survive the summer."
    )

    @property
    def since(self) -> LocatedText:
        """Date from which it is in force."""
        return self.in_force_from or self.date

    @property
    def is_throughout(self) -> bool:
        return THROUGHOUT in self.rule

    @property
    def is_official(self) -> bool:
        return self.status is None or self.status == OFFICIAL

    @property
    def is_withdrawn(self) -> bool:
        return self.status == WITHDRAWN

    @property
    def kind(self) -> str:
        if self.component:
            return str(self.component)
        return TABLE if self.table else AID if self.aid else RULES

    @property
    def quotes_text(self) -> bool:
        return self.says is None and self.kind not in NOT_HERE

    @property
    def severity_or_default(self) -> str:
        return str(self.severity or CORRECTION)

    def __str__(self) -> str:
        return f"erratum {self.number}"


@dataclass(frozen=True, slots=True, eq=False)
class Errata:
    """`errata.yml`: the corrections of an edition since it was printed."""

    errata: tuple[Erratum, ...] = list_field(
        "The errata, applied in the order of their dates.",
        must=True,
        example='[{erratum: "1", date: 2025-06-15, rule: 7.1a, replace: four, with: five}]',
    )


@dataclass(frozen=True, slots=True, eq=False)
class Question:
    """Answered question."""

    question: LocatedText = field_key("The question.", must=True, prose=True, example="May a Dark HQ move?")
    answer: LocatedText = field_key(
        "The answer.", must=True, prose=True, example="Yes, at half its MA (6.1c)."
    )
    rules: Texts = list_field(
        "The rules that show it, by number, or tables or steps, by name; `throughout` for all rules.",
        cites=True,
        lone=True,
        example="[6.1c, 6.4a]",
    )
    number: OptionalText = field_key("The publisher's number for it.", example="Q12")
    date: OptionalText = field_key(
        "The date of the answer, as year-month-day.", date=True, example="2025-05-11"
    )
    in_force_from: OptionalText = field_key(
        "The date from which it is in force, if later.", date=True, example="2025-06-01"
    )
    source: OptionalText = field_key("The source of the answer.", example="The authors' letter, April")

    @property
    def since(self) -> LocatedText | None:
        """Date from which it is in force, if any."""
        return self.in_force_from or self.date


@dataclass(frozen=True, slots=True, eq=False)
class Questions:
    """`questions.yml`: answered questions about an edition."""

    questions: tuple[Question, ...] = list_field(
        "The questions.", must=True, example='[{question: "May a Dark HQ move?", answer: "Yes."}]'
    )
