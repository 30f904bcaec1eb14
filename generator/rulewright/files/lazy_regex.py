"""Regular expressions that are compiled on first use, because a short command needs few of them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    Regex = re.compile
else:

    class Regex:
        """Pattern like that of `re.compile`; caches each method on first use."""

        def __init__(self, *arguments: Any) -> None:
            self._arguments = arguments

        def __getattr__(self, name: str) -> Any:
            attribute = getattr(re.compile(*self._arguments), name)
            setattr(self, name, attribute)
            return attribute
