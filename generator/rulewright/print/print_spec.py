"""Print spec of a PDF, which is written into the file and which preflight compares with its pages."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass

SPEC_KEY = "/Rulewright"
"""Entry of the information of a PDF that holds its print spec."""


@dataclass(frozen=True, slots=True)
class PrintSpec:
    """Print spec of a PDF."""

    width: float
    """Width and height of the trimmed page, and its bleed, in mm."""
    height: float
    bleed: float = 0.0
    pages: int = 0
    """Number of pages; 0 for any."""
    smallest: float = 7.5
    """Minimum size of type, and minimum thickness of lines, in points."""
    hairline: float = 0.25
    resolution: float = 300.0
    """Minimum resolution of pictures in dpi; 0 for any."""
    x1a: bool = False

    def to_json(self) -> str:
        return json.dumps(asdict(self))
