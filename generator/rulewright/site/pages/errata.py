"""The page with all errata of an edition, and all questions about it that were answered."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rulewright.book.outline import Outline
from rulewright.book.remarks import Remark
from rulewright.citations import addresses
from rulewright.model.erratum import COMPONENTS, SEVERITIES
from rulewright.site.artifacts import Page
from rulewright.site.context import Desk
from rulewright.site.pages.page import page
from rulewright.text.document import plain


@dataclass(frozen=True, slots=True)
class Group:
    """The errata of one component: those of each severity, the gravest first."""

    name: str
    weights: tuple[tuple[str, tuple[Remark, ...]], ...]


def pages(desk: Desk, outline: Outline, given: Mapping[str, Any]) -> Iterator[Page]:
    """The page with the errata and questions of an edition."""
    remarks: list[Remark] = given["remarks"]
    place = remarks[0].part.date.place if remarks[0].part.date else None
    groups = {
        "errata": list(_groups(remarks)),
        "questions": [one for one in remarks if one.question],
        "words": words_of,
    }
    yield page(desk, "errata", addresses.errata_path(outline.edition), place, **{**given, **groups})


def _groups(remarks: Sequence[Remark]) -> Iterator[Group]:
    for name in COMPONENTS:
        own = [one for one in remarks if one.erratum and one.erratum.kind == name]
        weights = ((weight, tuple(_of(own, weight))) for weight in SEVERITIES)
        if own:
            yield Group(name, tuple((weight, them) for weight, them in weights if them))


def _of(remarks: Sequence[Remark], weight: str) -> Iterator[Remark]:
    return (one for one in remarks if one.erratum and one.erratum.weight == weight)


def words_of(remark: Remark) -> str:
    """Words that search finds an erratum or a question by."""
    if question := remark.question:
        return " · ".join(plain(text) for text in (question.answer, question.source) if text)
    assert remark.erratum
    one = remark.erratum
    texts = (
        one.at,
        one.table,
        one.of,
        one.replace,
        one.delete,
        one.new,
        one.insert,
        one.says,
        one.because,
        one.source,
    )
    return " · ".join(plain(text) for text in texts if text)
