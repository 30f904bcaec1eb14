"""The headers that a server sends with the site, for Netlify and Cloudflare Pages.

A drawing and the worker have policies of their own; a page's is `policy.sent`.
"""

from __future__ import annotations

from rulewright.render.content_security_policy import CSP, DRAWING, SAFE, WORKER
from rulewright.render.offline import WORKER as WORKER_FILE


def netlify_headers(policy: str, base: str = "/") -> str:
    """A `_headers` file, as Netlify and Cloudflare Pages read it; of two rules that match both hold."""
    rules = {f"{base}*": {**({CSP: policy} if policy else {}), **SAFE}}
    rules |= {f"{base}*.svg": {CSP: DRAWING}, f"{base}{WORKER_FILE}": {CSP: WORKER}} if policy else {}
    return "".join(
        f"{path}\n" + "".join(f"  {name}: {value}\n" for name, value in sent.items())
        for path, sent in rules.items()
    )
