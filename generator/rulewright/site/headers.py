"""The headers that a server sends with the site, as each server is told of them.

A drawing and the worker have policies of their own; a page's is `policy.sent`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from rulewright.site.offline import WORKER as WORKER_FILE
from rulewright.site.policy import CSP, DRAWING, SAFE, WORKER


def headers(policy: str) -> dict[str, str]:
    """The headers of an answer with this policy; without one where that is empty."""
    return {**({CSP: policy} if policy else {}), **SAFE}


def netlify(policy: str, base: str = "/") -> str:
    """A `_headers` file, as Netlify and Cloudflare Pages read it; of two rules that match both hold."""
    rules = {f"{base}*": headers(policy)}
    rules |= {f"{base}*.svg": {CSP: DRAWING}, f"{base}{WORKER_FILE}": {CSP: WORKER}} if policy else {}
    return "".join(
        f"{path}\n" + "".join(f"  {name}: {value}\n" for name, value in sent.items())
        for path, sent in rules.items()
    )


def nginx(policy: str, base: str = "/") -> str:
    """Lines to include in nginx's `server { … }`. A location with headers of its own sends no others."""

    def lines(policy: str, indent: str = "") -> str:
        sent = headers(policy).items()
        return "".join(f'{indent}add_header {name} "{value}" always;\n' for name, value in sent)

    parts = {"~ \\.svg$": DRAWING, f"= {base}{WORKER_FILE}": WORKER} if policy else {}
    inside = (f"location {where} {{\n{lines(own, '  ')}}}\n" for where, own in parts.items())
    return lines(policy) + "".join(inside)


FORMATS: Mapping[str, Callable[[str, str], str]] = {
    "netlify": netlify,
    "nginx": nginx,
}
"""The servers, by the name that `--format` takes; each is given the policy and the path of the site."""
