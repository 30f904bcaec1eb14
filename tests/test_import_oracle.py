"""Sites of which all is known beforehand: every word has to be in its own rule, and every link in its text.

What is expected is known from how a site was put together, not from anything that the importer says.
"""

import json
import re
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rulewright.imports.pipeline import ImportRequest, ImportResult, import_source
from rulewright.imports.reading.documents import read_document, read_hugo
from tests.plain_chapter import plain_chapter

PLAIN = [
    "{0} {1} {2}.",
    "{0} *{1}* {2} and **{3}** too.",
    "* {0}\n* {1}\n  * {2}\n* {3}",
    "1. {0}\n2. {1}\n\n   {2}",
    "> {0} {1}.",
    "> [!TIP]\n> {0} {1}.",
    "| {0} | {1} |\n|---|---|\n| {2} | {3} |",
    "<table><tr><th>{0}<th>{1}<tr><td>{2}</table>",
    "<p>{0}<br>{1}</p><ul><li>{2}</li><li>{3}</li></ul>",
    "<dl><dt>{0}<dd>{1}<dt>{2}<dd>{3}</dl>",
    "{0}\n: {1} {2}",
    "**Example:** {0} {1}.",
    "***Note:** {0} {1} in italics.*",
    "![{0}](a.png)",
    "<b>{0}</b> &amp; `{1}` ~~{2}~~ x<sub>{3}</sub>",
    "{0} {1}[^{n}]\n\n[^{n}]: {2}.",
    "```\n{0} {1}\n```",
    "{0}  \n{1}\\\n{2}",
]
SHORTCODES = [
    "{{{{< callout note >}}}}\n{0} {1}.\n{{{{< /callout >}}}}",
    '{{{{< figure src="a.png" alt="{0}" caption="{1}" >}}}}',
    '{{{{% details "{0} {1}" %}}}}\n{2}\n{{{{% /details %}}}}',
    '!!! note "{0}"\n    {1} {2}.',
    ":::tip\n{0} {1}.\n:::",
]
HEADING = ["### {0} {1}\n\n{2}."]
"""The text of a section, also after its lettered rules."""

MATTER = {
    "yaml": "---\ntitle: {title}\nweight: {weight}\n---\n",
    "toml": "+++\ntitle = {title}\nweight = {weight}\n+++\n",
    "json": '{{"title": {title}, "weight": {weight}}}\n',
}


@dataclass
class Known:
    """What a site holds: its files, the words of each rule, and the numbers that its links name."""

    kind: str
    files: dict[str, str] = field(default_factory=dict)
    words: dict[str, list[str]] = field(default_factory=dict)
    links: dict[str, list[str]] = field(default_factory=dict)


@st.composite
def sites(draw: st.DrawFn) -> Known:
    known = Known(draw(st.sampled_from(("hugo", "section", "markdown", "mkdocs"))))
    pages = range(1, draw(st.integers(2, 3)) + 1)
    sections = {page: draw(st.integers(1, 3)) for page in pages}
    lettered = {(p, s): draw(st.integers(0, 2)) for p in pages for s in range(1, sections[p] + 1)}
    style = draw(st.sampled_from([*MATTER]))
    count = iter(range(10_000))

    def word() -> str:
        return "w" + "".join("abcdefghij"[int(digit)] for digit in str(next(count))) + "x"

    titles = {f"{p}.{s}": (word(), word()) for p, s in lettered}
    targets = [*titles, *(f"{p}.{s}{letter}" for (p, s), most in lettered.items() for letter in "ab"[:most])]

    def link(page: int) -> tuple[str, str]:
        number = draw(st.sampled_from(targets))
        other, section = number.partition(".")[0], number.rstrip("ab")
        anchor = f"#{section.replace('.', '')}-{'-'.join(titles[section])}"
        forms = [f"{other}-chapter.md{anchor}"]
        if known.kind in ("hugo", "section"):
            forms += [f"../{other}-chapter/{anchor}", f'{{{{< ref "{other}-chapter.md{anchor}" >}}}}']
        forms += [anchor] if other == str(page) else []
        return number, f"[{number}]({draw(st.sampled_from(forms))})"

    def body(number: str, page: int) -> Iterator[str]:
        forms = PLAIN + (SHORTCODES if known.kind != "mkdocs" else [])
        forms += HEADING if number[-1].isdigit() else []
        for form in draw(st.lists(st.sampled_from(forms), max_size=3)):
            fresh = [word() for _ in re.findall(r"\{\d\}", form)]
            known.words[number] += fresh
            yield form.format(*fresh, n=fresh[0])
        for _ in range(draw(st.integers(0, 2))):
            meant, written = link(page)
            known.links[number].append(meant)
            known.words[number].append(own := word())
            yield f"{own.capitalize()} {written}."

    for page in pages:
        name = word()
        known.words[f"{page}.0"] = [name]
        parts = []
        for section in range(1, sections[page] + 1):
            number = f"{page}.{section}"
            known.words[number], known.links[number] = [*titles[number]], []
            parts += [f"## {number} {' '.join(titles[number])}", *body(number, page)]
            for letter in "ab"[: lettered[page, section]]:
                own = f"{number}{letter}"
                known.words[own], known.links[own] = [word(), word()], []
                title, text = known.words[own]
                parts += [f"**{own} {title.capitalize()}.** {text.capitalize()}.", *body(own, page)]
        title = f"{page}.0 {name}"
        head = MATTER[style].format(title=json.dumps(title), weight=page)
        head = f"# {title}\n\n" if known.kind == "mkdocs" else head
        known.files[f"{page}-chapter.md"] = head + "\n\n".join(parts) + "\n"
    return known


def imported(known: Known) -> ImportResult:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        pages = root / {"hugo": "content/rules", "mkdocs": "docs"}.get(known.kind, "")
        pages.mkdir(parents=True, exist_ok=True)
        if known.kind == "hugo":
            (root / "hugo.toml").write_text('baseURL = "https://example.org/games/"\n')
        elif known.kind == "mkdocs":
            (root / "mkdocs.yml").write_text("site_name: Duel\n")
        for name, text in known.files.items():
            (pages / name).write_text(text, "utf-8")
        is_hugo = known.kind in ("hugo", "section")
        source = read_hugo(root, "rules") if is_hugo else read_document(root)
        return import_source(source, ImportRequest("book", "1"), "site")


def rules(entry: Any) -> Iterator[tuple[str, str]]:
    """Each rule with all that is written of itself."""
    inner = entry.pop("rules", ())
    yield (
        str(entry.get("number", entry.get("chapter"))),
        yaml.safe_dump(entry, width=10_000, allow_unicode=True),
    )
    for one in inner:
        yield from rules(one)


@given(sites())
@settings(
    max_examples=8 * settings().max_examples // 3, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
def test_every_word_and_link_is_in_its_rule(known):
    result = imported(known)
    assert not result.report.lost
    assert not result.report.wrong()
    files = {
        name: plain_chapter(data) if "/rules/" in name else yaml.safe_load(data)
        for name, data in result.files.items()
        if name.endswith(".yml")
    }
    written: dict[str, str] = {}
    for name, data in files.items():
        if "/rules/" in name:
            written |= {number: text.lower() for number, text in rules(data)}
    tables = "\n".join(result.files[name].decode().lower() for name in files if "/tables/" in name)
    assert set(written) == set(known.words)
    for number, words in known.words.items():
        # A table has a file of its own; a heading inside a rule is in its text.
        missing = [word for word in words if word not in written[number] and word not in tables]
        assert missing == [], number
    for number, links in known.links.items():
        for cited in set(links):
            found = re.findall(rf"(?<![\w.]){re.escape(cited)}(?![\w(]|\.\d)", written[number])
            assert len(found) >= links.count(cited), (number, cited)
