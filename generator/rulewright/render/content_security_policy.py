"""Content-Security-Policy: the sources from which a page may run and load things."""

from __future__ import annotations

import re
from base64 import b64encode
from functools import lru_cache
from hashlib import sha256

from markupsafe import Markup

_SCRIPT = re.compile(r"<script>(.*?)</script>", re.DOTALL)
_STATED = re.compile(rb'<meta http-equiv="Content-Security-Policy" content="([^"]*)">')

CSP = "Content-Security-Policy"
SAFE = {"X-Content-Type-Options": "nosniff", "Referrer-Policy": "strict-origin-when-cross-origin"}
"""Headers of every answer."""

ONLY_SENT = "frame-ancestors 'none'"
"""The part of a policy that no page can state, only a server."""

DRAWING = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox"
"""The policy of a drawing that is opened by itself."""


@lru_cache(maxsize=256)
def page_policy(parts: str = "") -> Markup:
    """The policy of a page of the site: everything from the site itself, and no script inside of the page.

    `parts`: those of the template whose scripts may run there all the same, by their digests.
    """
    scripts = " ".join(("'self'", *map(script_digest, _SCRIPT.findall(parts))))
    return Markup(
        f"default-src 'self'; script-src {scripts}; "
        "style-src 'self' 'unsafe-inline'; img-src 'self' data:; object-src 'none'; base-uri 'none'; "
        "form-action 'self'"
    )


def script_digest(script: str) -> str:
    """The name by which a policy lets one script run."""
    return f"'sha256-{b64encode(sha256(script.encode()).digest()).decode()}'"


def policy_of_page(page: bytes) -> str:
    """The policy that a page states, empty where it states none."""
    match = _STATED.search(page)
    return match[1].decode() if match else ""
