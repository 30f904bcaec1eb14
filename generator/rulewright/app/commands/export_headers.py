"""`rulewright export headers`: what a server is to send with the site, by which browsers hold pages to it."""

from __future__ import annotations

import argparse
from pathlib import Path
from urllib.parse import urlsplit

from rulewright.app.commands import Usage, one_of, show, writes
from rulewright.site.headers import FORMATS
from rulewright.site.policy import sent
from rulewright.source.settings import site_of, trusts


def options(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Print the headers that a server is to send with a built site: the policy that its pages state, with "
        "what only a server can say, and the policies of drawings and of the worker. With `headers: true` of "
        "the plugin in mkdocs.yml, `build` writes those for Netlify and Cloudflare Pages into the site."
    )
    parser.epilog = "example:\n  rulewright export headers --format nginx --output headers.conf"
    forms = "netlify (the default, and for Cloudflare Pages), nginx, apache or caddy"
    parser.add_argument("--format", type=one_of(FORMATS), default="netlify", help=forms)
    parser.add_argument("--site", metavar="DIR", help="the folder of the built site; else site/")
    writes(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print the headers. Raises Usage where there is no site."""
    site = Path(arguments.site) if arguments.site else arguments.project / "site"
    if not (site / "index.html").is_file():
        raise Usage(f"{site} holds no site; make it with `rulewright build`, or name its folder with --site")
    base = urlsplit(site_of(arguments.project)).path or "/"
    policy = sent((page.read_bytes() for page in site.rglob("*.html")), trusts(arguments.project))
    show(FORMATS[arguments.format](policy, base), arguments)
    return 0
