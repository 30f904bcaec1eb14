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


def apache(policy: str, base: str = "/") -> str:
    """Lines for Apache's configuration or an `.htaccess`; they need its module headers."""

    def line(name: str, value: str) -> str:
        return f'Header always set {name} "{value}"\n'

    parts = {r'FilesMatch "\.svg$"': DRAWING, f'Files "{WORKER_FILE}"': WORKER} if policy else {}
    inside = (f"<{where}>\n  {line(CSP, own)}</{where.split()[0]}>\n" for where, own in parts.items())
    return "".join(line(*one) for one in headers(policy).items()) + "".join(inside)


def caddy(policy: str, base: str = "/") -> str:
    """Lines for a site's block of a Caddyfile."""
    parts = {"drawings": ("path *.svg", DRAWING), "worker": (f"path {base}{WORKER_FILE}", WORKER)}
    parts["pages"] = (f"not path *.svg {base}{WORKER_FILE}", policy)
    policies = "".join(
        f'@{name} {where}\nheader @{name} {CSP} "{own}"\n' for name, (where, own) in parts.items() if policy
    )
    return policies + "".join(f'header {name} "{value}"\n' for name, value in SAFE.items())


FORMATS: Mapping[str, Callable[[str, str], str]] = {
    "netlify": netlify,
    "nginx": nginx,
    "apache": apache,
    "caddy": caddy,
}
"""The servers, by the name that `--format` takes; each is given the policy and the path of the site."""
