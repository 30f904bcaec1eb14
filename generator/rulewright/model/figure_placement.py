"""How a picture or a drawing stands in its column, as figures, diagrams and blocks of an aid say it."""

from __future__ import annotations

from dataclasses import dataclass

from rulewright.model.yaml_fields import field_key
from rulewright.source.located_text import LocatedText
from rulewright.source.problems import Severity, problem_type

NO_SIDE = problem_type(
    "width-malformed",
    "The width or the height of a picture is neither pixels, 120, nor percent, 50%.",
    Severity.WARNING,
)
NO_SIDE_SAID = "is no {} of a picture; write pixels, such as 120, or percent, such as 50%"


@dataclass(frozen=True, slots=True, eq=False)
class FigurePlacement:
    """A picture or a drawing in a column: its width and its place."""

    width: LocatedText | None = field_key(
        "How wide it is, in pixels, or in percent of the column.", width=True
    )
    place: LocatedText | None = field_key("Where it stands: left, right or centre.", words="place")
