"""Regular expressions that are compiled when they are first used: a short command needs few of them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    Regex = re.compile
else:

    class Regex:
        """What `re.compile` makes. A method that was asked for once is kept, and as fast as that one's."""

        def __init__(self, *given: Any) -> None:
            self._given = given

        def __getattr__(self, name: str) -> Any:
            found = getattr(re.compile(*self._given), name)
            setattr(self, name, found)
            return found
