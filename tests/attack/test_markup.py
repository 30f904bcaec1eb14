"""Ten ways to smuggle a program into a page, through every field of prose, page, inventory and file name.

The site is read in a browser that is told to ignore the policy of its pages: nothing may run even without it.
"""

from __future__ import annotations

import importlib
import os
import pkgutil
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest
import yaml
from playwright.sync_api import Browser
from web import served

import rulewright.model
import run
from rulewright.source.inventory import Inventory, Item, packed

STYLES = [
    "<script>ran()</script>",
    "<img src=x onerror=ran()>",
    "<svg onload=ran()><set attributeName=href to=javascript:ran()></svg>",
    '"><a href="javascript:ran()" autofocus onfocus="ran()">go</a>',
    "' onmouseover='ran()' x='",
    "</script></title></textarea></style><script>ran()</script>",
    "<iframe srcdoc='<script>parent.ran()</script>'></iframe>",
    "<details open ontoggle=ran()><summary>s</summary></details>",
    "{{ ''.__class__ }}{% include 'x' %}${ran()}",
    "&lt;img src=x onerror=ran()&gt;&#60;script&#62;ran()",
]
MARKDOWN = [
    "[x](javascript:ran())",
    "[x](<java\tscript:ran()>)",
    "[x][1]\n\n[1]: javascript:ran() 'x\" onmouseover=\"ran()'",
    '![x" onerror="ran()](x.png \'y" onload="ran()\')',
    "<javascript:ran()>",
    "x\n{: onclick=ran() onmouseover='ran()' style='background:url(javascript:ran())' }",
    "# H {: data-toc-label='<img src=x onerror=ran()>' id='__config' }",
    "<div markdown='1' onclick='ran()'>*x*</div>",
    "<form action=javascript:ran()><button formaction=javascript:ran()>x</button></form>",
    "`<script>ran()</script>`\n\n    <script>ran()</script>\n",
]
AWAY = "![onmouseover=ran() y=](x) <img src=x onerror=ran()> {: onclick=ran() } **b**"
WORDS = {"title", "means", "alt", "short", "publisher", "source"}
"""Keys of words that are shown, in which no references are found."""
KEPT = re.compile(r"^[\w§.,: -]{1,40}$")

AGAINST = """() => [...document.querySelectorAll("*")].flatMap((one) => [
  ...[...one.attributes].filter(({ name, value }) => /^on/i.test(name)
    || (/^(href|src|action|formaction|data|xlink:href)$/i.test(name) && value !== "javascript:void(0)"
      && URL.canParse(value, location) && /^(java|vb)script:$/.test(new URL(value, location).protocol)))
    .map(({ name, value }) => `${one.localName} ${name}=${value}`),
  ...(one.closest("article") && /^(script|iframe|object|form)$/.test(one.localName)
    && !/json/.test(one.type) && !one.closest(".rw.play") ? [one.outerHTML] : []),
])"""
SHOW = """async () => {
  const shown = document.body?.appendChild(document.createElement("div"));
  for (const link of document.querySelectorAll("article a[href]")) {
    const found = await window.rulewright?.preview(link.href).catch(() => null);
    if (found) shown.insertAdjacentHTML("beforeend", found.html);
  }
  for (let n = 0; n < 40; n++) document.querySelector(".controls [data-act=done]")?.click();
  await new Promise((resolve) => setTimeout(resolve, 30));
}"""


def prose() -> set[str]:
    """The keys of every model type whose values are prose."""
    found = set()
    for info in pkgutil.iter_modules(rulewright.model.__path__):
        for model in vars(importlib.import_module(f"rulewright.model.{info.name}")).values():
            for one in fields(model) if isinstance(model, type) and is_dataclass(model) else ():
                if one.metadata.get("prose"):
                    found.add(one.metadata.get("name") or one.name.replace("_", " "))
    return found


KEYS = prose() | WORDS


def poisoned(value: Any, styles: Iterator[str], key: str = "") -> Any:
    """Content with something to run behind each of its words."""
    if isinstance(value, dict):
        return {name: poisoned(one, styles, name) for name, one in value.items()}
    if isinstance(value, list):
        return [poisoned(one, styles, key) for one in value]
    if key not in KEYS or value in ("yes", ""):
        return value
    return f"{value} {' '.join(STYLES)}" if key in ("text", "means", "answer") else f"{value} {next(styles)}"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    project = tmp_path_factory.mktemp("attack")
    shutil.copytree(run.ROOT / "tests/sixth/content", project / "content")
    (project / "mkdocs.yml").symlink_to(run.ROOT / "mkdocs.yml")
    styles = cycle(STYLES)
    for file in sorted((project / "content").rglob("*.yml")):
        data = yaml.load(file.read_text("utf-8"), yaml.BaseLoader)
        if file.name == "errata.yml":  # those of what has another name now are of nothing
            data["errata"] = [one for one in data["errata"] if not one.keys() & {"table", "step"}]
        file.write_text(yaml.safe_dump(poisoned(data, styles), allow_unicode=True, sort_keys=False), "utf-8")
    elsewhere = project / "content/elsewhere"
    elsewhere.mkdir()
    (elsewhere / "a.inv").write_bytes(packed(Inventory("A", (Item("moon", "m.html", AWAY),))))
    declared = {"sites": {"away": {"title": AWAY, "address": "https://a.example/", "inventory": "a.inv"}}}
    (project / "content/elsewhere.yml").write_text(yaml.safe_dump(declared))
    front = {
        "title": STYLES[0],
        "description": STYLES[3],
        "author": STYLES[4],
        "status": STYLES[3],
        "x": STYLES[1],
    }
    for at, text in enumerate([*STYLES, *MARKDOWN]):
        marks = "[[away:moon]] and [[away:moon|<img src=x onerror=ran()>]]"
        page = f"---\n{yaml.safe_dump(front)}---\n{text}\n\n## {marks} {STYLES[at % 10]}\n\n{marks}\n"
        page += f"\n| a |\n|---|\n| {marks} |\n"
        name = "' onmouseover='ran()' x='" if at == 1 else f"page-{at}"
        (project / f"content/salt-road/2/{name}.md").write_text(page if at else f"{text}\n\n{marks}\n")
    (project / "content/a.svg").write_text(
        "<svg xmlns='http://www.w3.org/2000/svg' onload='ran()'><script>parent.ran()</script></svg>"
    )
    command = [sys.executable, "-m", "rulewright", "build", "--no-print", "--project", str(project)]
    around = {**os.environ, "PYTHONPATH": str(run.ROOT)}
    done = subprocess.run(command, cwd=project, env=around, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return project / "site"


def test_nothing_runs_on_any_page(site: Path, browser: Browser) -> None:
    found: list[str] = []
    with served(site) as address:
        context = browser.new_context(bypass_csp=True, base_url=f"{address}/", service_workers="block")
        context.add_init_script("window.ran = () => console.log(`ran on ${location}`)")
        context.on("console", lambda said: found.append(said.text) if "ran on" in said.text else None)
        context.on("dialog", lambda dialog: found.append(dialog.message))
        context.on(
            "request",
            lambda r: None if r.url.startswith((address, "data:", "blob:")) else found.append(r.url),
        )
        page = context.new_page()
        pages = [
            file
            for file in sorted(site.rglob("*.html"))
            if file.relative_to(site).parts[0] not in ("guide", "r")
        ]
        for file in [*pages, site / "a.svg"]:
            page.goto(file.relative_to(site).as_posix().replace("%", "%25"), wait_until="load")
            found += [f"{file.relative_to(site)}: {one}" for one in page.evaluate(AGAINST)]
            page.evaluate(SHOW)
            found += [f"{file.relative_to(site)}, shown: {one}" for one in page.evaluate(AGAINST)]
        page.goto("salt-road/2/")
        page.keyboard.press("/")
        page.keyboard.type("onerror")
        page.wait_for_timeout(200)
        page.get_by_role("button", name="Search all texts").click()
        page.locator(".md-search-result__link").first.wait_for()
        found += page.evaluate(AGAINST)
        context.close()
    assert len(pages) > 30
    assert not found, "\n".join(found[:20])
