"""Pictures and words of a Hugo page stand in the same order here, whatever stands between them."""

import re
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rulewright.importers.website.hugo_site import read_site
from rulewright.importers.website.site_import import Request, import_site
from tests.plain_chapter import plain_chapter

BLOCKS = [
    "Word{n} alone.",
    "Word{n} has ![an icon](icon{n}.png) in it, tail{n} too.",
    "![Counter](figure{n}.png)",
    "![](figure{n}.png)\nWord{n} right below.",
    '{{{{< figure src="figure{n}.png" caption="Below" width="90" >}}}}',
    '<img src="figure{n}.png" height=40>',
    "Word{n}:\n* one ![icon](icon{n}.png)\n* two{n}",
    "**1.{n}a Title{n}.**\n\n![](figure{n}.png)\n\nWord{n}.",
    "**1.{n}b** ![](icon{n}.png) Word{n} goes on.",
    "<br>\n\n![Plate](plate{n}.png)\n\n<br>",
    "***\n\nWord{n}.",
]
LAST = [
    "",
    "## Example: The End\n\n![](last.png)\n\n<br>",
    "## Example: The End\n\nWordlast ![](last.png) here.",
]
SIGN = re.compile(r"\b(?:[Ww]ord|tail|two|[Tt]itle)\w+|[a-z]+\d*(?=\.png)")


def shown(rule: Any) -> Iterator[str]:
    """The texts of a rule in the order in which a page shows them."""
    yield from (rule.get("title", ""), rule.get("text", ""))
    for inner in rule.get("rules", ()):
        yield from shown(inner)
    yield rule.get("closing", "")


@given(st.lists(st.lists(st.sampled_from(BLOCKS), max_size=5), min_size=1, max_size=3), st.sampled_from(LAST))
@settings(
    max_examples=5 * settings().max_examples, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
def test_everything_stays_where_it_stood(sections: list[list[str]], last: str) -> None:
    parts = []
    for at, blocks in enumerate(sections, 1):
        parts += [f"## 1.{at} Word{at}title", *(b.format(n=at) for b in dict.fromkeys(blocks)), ""]
    source = "\n\n".join([*parts, last])
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "1.md").write_text(f"---\ntitle: 1.0 Units\n---\n{source}\n", "utf-8")
        made = import_site(read_site(Path(folder), "rules"), Request("book", "1"), "site", lambda *_: None)
    assert not made.receipt.lost
    chapter = plain_chapter(made.files["content/book/1/rules/1-units.yml"])
    written = re.sub(r"!\[[^\]]*\]", "", "\n".join(shown(chapter)))
    assert SIGN.findall(written) == SIGN.findall(source)
