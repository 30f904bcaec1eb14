"""The look: light, legible, and without anything from another host."""

import gzip
import re
from pathlib import Path

import pytest

from rulewright.app.mkdocs_plugin.bundle import FRONT, LATER, SCRIPTS, STYLES, bundled, squeezed, tightened

ROOT = Path(__file__).parent.parent
ASSETS = ROOT / "templates/theme/assets"


def test_every_style_and_script_is_on_the_pages() -> None:
    there = {f"assets/{file.name}" for file in ASSETS.iterdir() if file.suffix in (".css", ".js")}
    assert {*STYLES, *SCRIPTS, *LATER, *FRONT} == there - {"assets/minisearch.js"}


def test_style_and_script_are_light() -> None:
    """Bytes that a reader's browser gets: all style in one file, all scripts in another, some when needed."""

    def joined(*names: str) -> str:
        return bundled((ASSETS.parent / name).read_text("utf-8") for name in names)

    sent = [squeezed(joined(*STYLES)), tightened(joined(*SCRIPTS))]
    assert all(sent)
    assert sum(len(gzip.compress(text.encode())) for text in sent) < 30_000
    assert all(len(gzip.compress(tightened(joined(name)).encode())) < 12_000 for name in LATER)
    assert all(len(gzip.compress(squeezed(joined(name)).encode())) < 3_000 for name in FRONT)


def test_what_is_sent_has_no_comments_and_all_else() -> None:
    style = "/* All\n   of it. */\n.a { color: red }\n  /* this */ .b { content: '/* not */' }\n"
    script = "/** Twice. */\nfunction twice(a) {\n  // because\n  return a / 2 // not\n    / 2;\n}\n"
    assert bundled([style]) == ".a { color: red }\n.b { content: '/* not */' }\n"
    assert bundled([script]) == "function twice(a) {\nreturn a / 2 // not\n/ 2;\n}\n"
    assert bundled([script, style]) == bundled([script]) + bundled([style])


def test_a_style_is_squeezed_only_where_spaces_say_nothing() -> None:
    style = 'a , b :hover { content: "{ ; , : }"; margin: 0 calc(1em + 2px) }\n'
    style += ".c { background: url(a; b.png) }"
    assert squeezed(style) == (
        """a,b :hover{content:"{ ; , : }";margin:0 calc(1em + 2px)}.c{background:url(a; b.png)}"""
    )


def test_a_script_is_tightened_only_where_spaces_say_nothing() -> None:
    script = 'const a = b ? `${c ? `${d} = e` : " ; "}, f : g` : "h = \\" { i";\n'
    script += "if (j && /x = [/ ] k/.test(l)) {\n  m = n + +o - -p / q;\n}\nr();\n"
    assert tightened(script) == (
        'const a=b?`${c ? `${d} = e` : " ; "}, f : g`:"h = \\" { i";'
        "if(j&&/x = [/ ] k/.test(l)){m=n + +o - -p / q;}\nr();"
    )


def test_the_fonts_that_the_style_names_are_there_with_their_licence() -> None:
    style = (ASSETS / "rulewright.css").read_text()
    named = set(re.findall(r"url\(fonts/([^)]+)\)", style))
    there = {file.name for file in (ASSETS / "fonts").glob("*.woff2")}
    assert named == there
    assert "SIL OPEN FONT LICENSE" in (ASSETS / "fonts/LICENSE.txt").read_text()
    assert "http" not in style


INK_ON = [
    ("ink", "paper"),
    ("soft", "paper"),
    ("soft", "tint"),
    ("ink", "glow"),
    ("ink", "both"),
    ("ink", "card"),
    ("soft", "card"),
    ("ink", "tint"),
    ("accent", "paper"),
    ("accent", "tint"),
    ("head-text", "head"),
]
INK_ON += [
    ("p", "paper"),
    ("n", "paper"),
    ("s1", "paper"),
    ("s2", "paper"),
    ("p-text", "p-bar"),
    ("p-text", "s1-bar"),
]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(("ink", "ground"), INK_ON)
def test_words_can_be_told_from_their_ground(scheme: str, ink: str, ground: str) -> None:
    """The contrast that WCAG asks for at level AA, in both colour schemes."""
    style = (ASSETS / "rulewright.css").read_text()
    light, dark = re.findall(r"\{([^{}]*--rw-paper:[^{}]*--rw-both:[^{}]*)\}", style)
    colours = dict(re.findall(r"--(?:rw|usual)-([\w-]+): (#\w+)", light))
    if scheme == "dark":
        colours |= dict(re.findall(r"--(?:rw|usual)-([\w-]+): (#\w+)", dark))
    a, b = sorted(map(_luminance, (colours[ink], colours[ground])))
    assert (b + 0.05) / (a + 0.05) >= 4.5


def _luminance(colour: str) -> float:
    digits = colour[1:] if len(colour) == 7 else "".join(c * 2 for c in colour[1:])
    parts = [int(digits[at : at + 2], 16) / 255 for at in (0, 2, 4)]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
