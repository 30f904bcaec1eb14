"""Content-Security-Policy: the sources from which a page may run and load things."""

from __future__ import annotations

import re
from base64 import b64encode
from functools import lru_cache
from hashlib import sha256

from markupsafe import Markup

_SCRIPT = re.compile(r"<script>(.*?)</script>", re.DOTALL)


@lru_cache(maxsize=256)
def policy(parts: str = "") -> Markup:
    """The policy of a page of the site: everything from the site itself, and no script inside of the page.

    `parts`: those of the template whose scripts may run there all the same, told by their digests.
    """
    scripts = " ".join(["'self'", *map(digest, _SCRIPT.findall(parts))])
    return Markup(
        f"default-src 'self'; script-src {scripts}; "
        "style-src 'self' 'unsafe-inline'; img-src 'self' data:; object-src 'none'; base-uri 'none'; "
        "form-action 'self'"
    )


def digest(script: str) -> str:
    """The name by which a policy lets one script run."""
    return f"'sha256-{b64encode(sha256(script.encode()).digest()).decode()}'"
