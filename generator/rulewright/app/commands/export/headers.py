"""Print the headers that a server is to send with a built site, by which browsers hold pages to it.

The policy that its pages state, with what only a server can say, and the policies of drawings and of the
worker. With `headers: true` of the plugin in mkdocs.yml, `build` writes those for Netlify and Cloudflare
Pages into the site.

example:
  rulewright export headers --format nginx --output headers.conf
"""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlsplit

import click

from rulewright.app.registry import command, formats, writes
from rulewright.source.refusal import Refusal


@command
@formats(
    ("netlify", "nginx"),
    "; netlify is for Cloudflare Pages too",
    gone=dict.fromkeys(("apache", "caddy"), "only netlify and nginx are left; send what netlify's lines say"),
)
@click.option("--site", metavar="DIR", help="the folder of the built site; else site/")
@writes
def run(project: Path, form: str, site: str | None) -> str:
    from rulewright.site.headers import FORMATS
    from rulewright.site.policy import sent
    from rulewright.source.settings import site_of, trusts

    folder = Path(site) if site else project / "site"
    if not (folder / "index.html").is_file():
        made = "make it with `rulewright build`, or name its folder with --site"
        raise Refusal(f"{folder} holds no site; {made}")
    base = urlsplit(site_of(project)).path or "/"
    policy = sent((page.read_bytes() for page in folder.rglob("*.html")), trusts(project))
    return FORMATS[form](policy, base)
