"""Errata and answered questions of an edition, with their names and anchors."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from rulewright.book.library import Edition
from rulewright.files.content_folder import natural_sort_key
from rulewright.schema.erratum import Erratum, Question


@dataclass(eq=False, slots=True)
class ErrataEntry:
    """Erratum, or question with its answer."""

    source: Erratum | Question
    edition: Edition
    anchor: str
    """Anchor on the errata page."""
    name: str

    @property
    def key(self) -> str:
        return self.anchor

    @property
    def erratum(self) -> Erratum | None:
        return self.source if isinstance(self.source, Erratum) else None

    @property
    def question(self) -> Question | None:
        return self.source if isinstance(self.source, Question) else None

    @property
    def is_applied(self) -> bool:
        return self.source in self.edition.applied_errata

    @property
    def is_future(self) -> bool:
        return self.edition.is_future(self.source.since)

    @property
    def is_in_force(self) -> bool:
        return not self.is_future and (self.erratum is None or self.erratum.is_official)

    def __str__(self) -> str:
        return self.name


def errata_sort_key(erratum: Erratum) -> tuple[object, ...]:
    """Return the key that sorts errata by date, then by number."""
    return str(erratum.date), natural_sort_key(str(erratum.number))


def errata_entries(edition: Edition) -> Iterator[ErrataEntry]:
    """Yield the errata of an edition in the order in which they are applied, then its questions."""
    taken: Counter[str] = Counter()

    def anchor(name: str) -> str:
        taken[name] += 1
        return name if taken[name] == 1 else f"{name}-{taken[name]}"

    for erratum in sorted(edition.errata.errata if edition.errata else (), key=errata_sort_key):
        name = f"Erratum {erratum.number}"
        yield ErrataEntry(erratum, edition, anchor(f"erratum-{_anchor_part(erratum.number)}"), name)
    for position, question in enumerate(edition.questions.questions if edition.questions else (), 1):
        number = str(question.number or position)
        yield ErrataEntry(question, edition, anchor(f"question-{_anchor_part(number)}"), f"Question {number}")


def _anchor_part(number: str) -> str:
    """Return a number in the form that anchors use."""
    return "-".join(re.findall(r"(?:[^\W_]|\.)+", number.casefold()))
