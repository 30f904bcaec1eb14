"""Types that `errata.yml` and `questions.yml` are read into."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rulewright.model.yaml_fields import field_key, list_field
from rulewright.source.located_text import LocatedText

RULES, AID, TABLE, COUNTER, MAP = "rules", "aid", "table", "counter", "map"
ANSWERS = "answers"
COMPONENTS = (RULES, TABLE, AID, COUNTER, MAP)
"""Keys that name the subject of an erratum, in the order in which they are listed."""

NOT_HERE = (COUNTER, MAP)
"""Subjects that the content does not hold, so that nothing is amended or checked."""

OFFICIAL, DRAFT, WITHDRAWN = "official", "draft", "withdrawn"
CORRECTION = "correction"
SEVERITIES = ("change", CORRECTION, "clarification", "typo")
"""Sorts of errata, the gravest first: the game, a mistake in it, how it is understood, the spelling."""

WORDS: Mapping[str, tuple[str, ...]] = {
    "components": COMPONENTS,
    "remarks": (*COMPONENTS, ANSWERS),
    "parts": ("title", "text", "closing", "notes"),
    "severities": SEVERITIES,
    "statuses": (OFFICIAL, DRAFT, WITHDRAWN),
}
"""The words that values of an erratum are chosen from."""


@dataclass(frozen=True, slots=True, eq=False)
class Erratum:
    """One change to what was printed: where, which words, and what they are from its date on."""

    number: LocatedText = field_key(
        "The number that its publisher gave it, or any short name.", name="erratum", must=True
    )
    date: LocatedText = field_key("When it was published, as year-month-day.", must=True, date=True)
    in_force_from: LocatedText | None = field_key("From when it holds, where that is later.", date=True)
    source: LocatedText | None = field_key("Who says so, and where: a web site, a magazine, the designer.")
    status: LocatedText | None = field_key(
        "official, draft or withdrawn; official where left out. Only what is official is applied.",
        words="statuses",
    )
    component: LocatedText | None = field_key(
        "What it is of: rules, table, aid, counter or map. Where left out, what it names.", words="components"
    )
    severity: LocatedText | None = field_key(
        "change (of the game), correction (of a mistake), clarification or typo; correction where left out.",
        words="severities",
    )
    rule: LocatedText | None = field_key(
        "The rule that it is of, by its number; a table can have one too.", cites=True
    )
    part: LocatedText | None = field_key(
        "Which part of the rule, where its words stand in several: title, text, closing or notes.",
        name="in",
        words="parts",
    )
    table: LocatedText | None = field_key("The table that it is of, by number, id or title.")
    row: LocatedText | None = field_key("The row of the table: its roll, or its first cell.")
    column: LocatedText | None = field_key("The column of the table, by its heading.")
    step: LocatedText | None = field_key(
        "The step that it is of, by title, id or address: first/supply-phase."
    )
    particular: LocatedText | None = field_key("Which key of the step: cost, when, note.", name="key")
    aid: LocatedText | None = field_key("The player aid that it is of, by the name of its file.")
    of: LocatedText | None = field_key("Which counter, or which place on the map.")
    replace: LocatedText | None = field_key(
        "The words that are replaced, as they stand there; ` … ` leaves some out in the middle.", either=True
    )
    insert: LocatedText | None = field_key(
        "The words that are put in: after or before others, else behind all, as a paragraph.", either=True
    )
    delete: LocatedText | None = field_key("The words that are taken out, as they stand there.", either=True)
    says: LocatedText | None = field_key(
        "What holds, where no words are changed: a clarification, a counter, the map.",
        either=True,
        prose=True,
    )
    new: LocatedText | None = field_key(
        "The words that come in the place of those that are replaced.", name="with"
    )
    after: LocatedText | None = field_key("The words behind which others are put in.")
    before: LocatedText | None = field_key("The words in front of which others are put in.")
    which: LocatedText | None = field_key(
        "Which of several places, where the words stand in more than one: 2 is the second."
    )
    reason: LocatedText | None = field_key("Why, or what it means in play.", prose=True)

    @property
    def since(self) -> LocatedText:
        """The day from which it holds, if any is said."""
        return self.in_force_from or self.date

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
    """`errata.yml`: what has been corrected in an edition since it was printed."""

    errata: tuple[Erratum, ...] = list_field("The errata; they hold in the order of their dates.", must=True)


@dataclass(frozen=True, slots=True, eq=False)
class Question:
    """A question that was asked, with its answer."""

    question: LocatedText = field_key("What was asked.", must=True, prose=True)
    answer: LocatedText = field_key("The answer.", must=True, prose=True)
    rules: tuple[LocatedText, ...] = list_field(
        "The rules that it is about, which show it.", cites=True, lone=True
    )
    number: LocatedText | None = field_key("Its number, where its publisher gave it one.")
    date: LocatedText | None = field_key("When it was answered, as year-month-day.", date=True)
    in_force_from: LocatedText | None = field_key("From when it holds, where that is later.", date=True)
    source: LocatedText | None = field_key("Who answered, and where.")

    @property
    def since(self) -> LocatedText | None:
        """The day from which it holds, if any is said."""
        return self.in_force_from or self.date


@dataclass(frozen=True, slots=True, eq=False)
class Questions:
    """`questions.yml`: questions about an edition that have been answered."""

    questions: tuple[Question, ...] = list_field("The questions.", must=True)
