"""Placement of a picture or drawing in its column, for figures, diagrams and blocks of an aid."""

from __future__ import annotations

from dataclasses import dataclass

from rulewright.files.problems import Severity, problem_type
from rulewright.schema.yaml_fields import OptionalText, field_key

NO_SIDE = problem_type(
    "width-malformed",
    "The width or height of a picture is neither in pixels (120) nor in percent (50%).",
    Severity.WARNING,
)
NO_SIDE_MESSAGE = "is no {} of a picture; write pixels, such as 120, or percent, such as 50%"


@dataclass(frozen=True, slots=True, eq=False)
class FigurePlacement:
    """Width and place of a picture or drawing in a column."""

    width: OptionalText = field_key(
        "Its width in pixels, or in percent of the column.", width=True, example="40%"
    )
    place: OptionalText = field_key("Its place: left, right or centre.", words="place", example="right")
