"""Regular expressions that are compiled when they are first used: a short command needs few of them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    Regex = re.compile
else:

    class Regex:
        """A pattern like that of `re.compile`; each of its methods is looked up once."""

        def __init__(self, *arguments: Any) -> None:
            self._given = arguments

        def __getattr__(self, name: str) -> Any:
            attribute = getattr(re.compile(*self._given), name)
            setattr(self, name, attribute)
            return attribute
