"""Whatever a page of a Hugo site holds, the import makes content of it or says why not, and loses no word."""

import tempfile
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rulewright.importers.website.hugo_site import read_site
from rulewright.importers.website.page_blocks import read_page
from rulewright.importers.website.site import Page
from rulewright.importers.website.site_import import Import, Request, import_site
from rulewright.source.problems import File

LINES = [
    "## 1.1 Roads",
    "### 1.2 Rails {#rails}",
    "# 2 Play",
    "#### Thanks",
    "Setext\n------",
    "**1.1a Trucks.** Go.",
    "**1.1b** stop",
    "* **A)** one",
    "* **B) Two.** two",
    "    * deep",
    "1. first",
    "2) second",
    "(a) item",
    "(b) item",
    "***Note:** all in italics.*",
    "**Example 1:** three",
    "> quoted",
    "> [!TIP]\n> hint",
    "| A | B |\n|---|---|\n| 1 | 2 |",
    "<table><tr><th>Roll</th><td>x</td></tr><tr><td>1-6</td><td colspan=3>y</td></tr>",
    "</table>",
    "<div>",
    "</div>",
    "[1.1](#11-roads)",
    "[x](../y/#z) and [1.2a](/1/)",
    "![pic](a.png)",
    "<img src=b.png alt='b pic'>",
    "***",
    "---",
    "{{< callout note >}}",
    "{{< /callout >}}",
    '{{% wobble a="b c" %}}',
    '{{< ref "x.md" >}}',
    "{{<",
    "<!-- aside -->",
    "text with *em* and **strong** words",
    "broken **bold* word",
    "inde-",
    "pendent",
    "[^1]",
    "[^1]: foot note",
    "Term\n: its meaning",
    "```\ncode here\n```",
    "&amp; &times; &nope;",
    "a_b_c 5*3 x*y*z",
    "\\*star\\*",
    "<span style='color:red'>hot",
    "</span>",
    "* Rally Phase (1.1)\n  * Units rally (1d6)\n    * Segment\n* Move Phase\n* End Phase",
    "[[not a mark]]",
    "http://example.com/a_b",
    "<https://example.com>",
    "(**Exception:** none.)",
    "1986. A year",
    "- - -",
    "\u2028",
    "ﬁne Ünïcode",
    "see ![an icon](icon.png) here",
    '![](bare.png "Its title"){width=10 height="20"}',
    '{{< figure src="a.png" alt="said" caption="below *it*" width="40" >}}',
    "[![thumb](t.png)](large.png) and ![**bold** alt](x.png)",
    "# ![](h.png) 1.3 Ships ![flag](f.png)",
    "3. three\n4. four\n\n   more",
    "1. one\n   - inner\n1. two",
    "5.5--5.10 and a --- b",
    "half*way*house and **in**side",
    "~~struck~~ x<sub>2</sub>y<br>z",
    "<ol start=4><li>four<li>five</ol>",
    "<img src=p.png alt=said title=below> <em>x</em>y",
    "<https://example.com/x_y> https://example.com [a](b 'tip')",
    "hard  \nbreak\\\nagain",
    "",
]
PAGES = st.lists(st.lists(st.sampled_from(LINES), max_size=8).map("\n\n".join), min_size=1, max_size=2)
TIGHT = st.lists(st.lists(st.sampled_from(LINES), max_size=8).map("\n".join), min_size=1, max_size=2)


def imported(pages: list[str]) -> Import:
    with tempfile.TemporaryDirectory() as folder:
        for count, text in enumerate(pages, 1):
            Path(folder, f"{count}.md").write_text(f'---\ntitle: "{count} Page"\n---\n{text}\n', "utf-8")
        return import_site(read_site(Path(folder), "rules"), Request("book", "1"), "site", lambda *_: None)


@given(st.one_of(PAGES, TIGHT))
@settings(max_examples=3 * settings().max_examples // 2, suppress_health_check=[HealthCheck.too_slow])
def test_anything_is_imported(pages: list[str]) -> None:
    made = imported(pages)
    if made.refused:
        assert {p.code for p in made.refused} == {"import-without-numbers"}
        return
    assert made.receipt
    syntax = ("yaml-", "unknown-", "missing-", "wrong-type", "cell-", "duplicate-column", "step-level")
    assert not [str(p) for p in made.receipt.checked if p.code.startswith(syntax)]


@given(st.text(max_size=200))
@settings(max_examples=3 * settings().max_examples)
def test_any_text_is_read(text: str) -> None:
    assert read_page(Page("x.md", File("x.md", text), 0, {}, "page", "/x/")).blocks is not None


UNCLOSED = ("<table", "</table")  # what stands in a table without cells is nothing to a browser either
PLAIN = [line for line in LINES if not line.startswith(UNCLOSED)]


@given(st.sampled_from(("\n\n", "\n")), st.lists(st.sampled_from(PLAIN), max_size=10))
@settings(max_examples=2 * settings().max_examples, suppress_health_check=[HealthCheck.too_slow])
def test_no_word_is_lost(gap: str, lines: list[str]) -> None:
    made = imported([f"## 1.1 First\n\n## 1.2 Second\n\n{gap.join(lines)}"])
    if made.refused:  # labels that are there already are too many beside those that are read
        assert {p.code for p in made.refused} == {"import-without-numbers"}
        assert any("# " in line for line in lines)
        return
    assert [(word, lines) for word, _, lines in made.receipt.lost] == []
    assert [dict(account.gained) for account in made.receipt.accounts if account.gained] == []
