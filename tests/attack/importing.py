# Seeds and words stand in one line each.
# ruff: noqa: E501
"""Surfaces that take in what others have made: sites, texts, inventories and pictures.

Each `attack_…` writes its data into an empty folder as that foreign thing and has a command read it. A folder
of several files is one text: a line `=== name` opens a file in it, and `=== name -> target` is a link.
"""

import io
import json
import re
import tempfile
import zlib
from collections.abc import Iterable
from contextlib import redirect_stderr, redirect_stdout, suppress
from itertools import islice, pairwise
from pathlib import Path

from rulewright.app import cli
from rulewright.print.typesetting import Refused, sound
from rulewright.source import inventory
from rulewright.source.store import Store
from rulewright.text import harmless
from tests.attack.surface import Surface
from tests.commands.duel import write

_FILE = re.compile(rb"^=== ([^\n]*)\n", re.MULTILINE)
_MOST_FILES, _MOST_CHANGES = 40, 40

BOOK = {
    "content/duel/rulebook.yml": 'title: Duel\nnumbers: "1.1a(A)"\nchapters: ["1.0"]\ncues: [see, rule]\n',
    "content/duel/1/edition.yml": 'edition: "1"\n',
    "content/duel/1/rules/1.yml": (
        'chapter: "1.0"\ntitle: Swords\nrules:\n'
        '  - {number: "1.1", title: Edge, text: A sword is sharp.}\n'
        '  - {number: "1.1a", text: "It cuts, see 1.1."}\n'
        '  - {number: "1.2", text: A sword is long.}\n'
    ),
}


def unfold(data: bytes, folder: Path) -> None:
    """Write the files that some data tells of into the folder, without those that no disk takes."""
    parts = _FILE.split(data)[1:]
    for name, text in islice(zip(parts[::2], parts[1::2], strict=True), _MOST_FILES):
        path, _, target = name.decode("utf-8", "surrogateescape").partition(" -> ")
        whole = folder.joinpath(*(part for part in path.split("/") if part.strip(". ") and len(part) < 100))
        with suppress(OSError, ValueError):  # a folder of this name, or a name with a zero in it
            whole.parent.mkdir(parents=True, exist_ok=True)
            if target and not Path(target).is_absolute():
                whole.symlink_to(target)
            elif whole != folder and not whole.is_symlink():
                whole.write_bytes(text)


def folded(files: dict[str, str]) -> bytes:
    """Files as the data that `unfold` makes them of."""
    return "".join(f"=== {name}\n{text}" for name, text in files.items()).encode("utf-8", "surrogateescape")


def call(*words: str | Path) -> str:
    """Run a command, and give what it printed."""
    out, said = (io.TextIOWrapper(io.BytesIO(), "utf-8") for _ in range(2))
    with redirect_stdout(out), redirect_stderr(said):
        assert cli.main([str(word) for word in words]) in (0, 1, 2)
        out.flush()
    return out.buffer.getvalue().decode()  # type: ignore[attr-defined]


def project(folder: Path) -> Path:
    """A project with a small book."""
    (folder / "project").mkdir()
    (folder / "project" / "mkdocs.yml").write_text("site_name: Rules\n")
    write(folder / "project", BOOK)
    return folder / "project"


# Folders of pages.


def attack_hugo(data: bytes, folder: Path) -> None:
    """A Hugo site, or a section of one, twice, so that the second import finds what the first has left."""
    _import("hugo", data, folder)


def attack_markdown(data: bytes, folder: Path) -> None:
    """A folder of Markdown of any site."""
    _import("markdown", data, folder)


def _import(form: str, data: bytes, folder: Path) -> None:
    site, own = folder / "site", project(folder)
    site.mkdir()
    unfold(data, site)
    start = next(
        (one for one in (site / "content/rules", site / "docs") if data[:1] == b"/" and one.is_dir()), site
    )
    target = own / "content/duel/2" if len(data) % 2 else own / "content/other/1"
    call("--project", own, "import", form, start, target)
    if len(data) % 16 == 0:
        call("--project", own, "import", form, start, target, "--force")


PAGE = """---
title: "5 Modes"
weight: 5
aliases: [/old/, modes]
date: 2020-01-02
---
## 5.1 Roads

Units move along roads (5.2a). See [Rails](#52-rails) and [Air](../6-air/#61).

### 5.2 Rails {#rails}

* **A)** one, per 5.1
* **B) Two.** two

5.2a **Trucks.** Go. {{< callout note >}} Not here. {{< /callout >}}

![A map](map.png "Its title") {{< figure src="b.png" caption="below" >}}

| Roll | A |
|------|---|
| 1-3  | x |
| 4-6  | y |

<table><tr><th>Roll</th></tr><tr><td colspan=2>1</td></tr></table>

> [!TIP]
> hint[^1]

[^1]: a note
"""
OTHER = "+++\ntitle = '6 Air'\nweight = 6\nurl = '/air/'\n+++\n## 6.1 Planes\n\nFly, see 5.1 and {{% ref \"5-modes.md\" %}}.\n"
STEPS = "## 2.1 Sequence of Play\n\n* Rally Phase (5.1)\n  * Units rally (1d6)\n    * Segment\n* Move Phase\n* End Phase\n"
ALIASES = "a: &a [x, x]\n" + "".join(
    f"{b}: &{b} [{', '.join([f'*{a}'] * 9)}]\n" for a, b in pairwise("abcdefgh")
)
MERGED = "a: &a {x: y}\n" + "".join(
    f"{b}: &{b}\n  <<: [{', '.join([f'*{a}'] * 9)}]\n" for a, b in pairwise("abcdefgh")
)


SIGNS = (
    b"*", b"**", b"_", b"`", b"```\n", b"~~~\n", b"# ", b"## ", b"> ", b"- ", b"1. ", b"|", b"|---|\n", b"[^1]", b"](", b"![", b"[[",
    b"{{<", b">}}", b"{{%", b"<!--", b"<table>", b"<td>", b"</", b"&#x", b"\\", b"1.1a", b"(A)", b"see ", b"\xc2\xa7", b"\xe2\x80\x93",
    b"9" * 40, b"1." * 20, b"\xee\x80\x80", b"\x00", b"\xc2\xb2", b"\r",
)  # fmt: skip
"""What means something in texts."""
KEYS = (
    b"=== ", b" -> ", b"../", b"---\n", b"+++\n", b"title: ", b"weight: ", b"aliases: ", b"slug: ", b"url: ", b"contentDir: ",
    b"staticDir: ", b"docs_dir: ", b"nav: ", b"!!int ", b"<<: *a", b"&a ", b".inf", b'"\\0"', b"/_index.md\n", b"/index.md\n",
)  # fmt: skip
"""What means something in folders of pages."""


def hugo_seeds() -> Iterable[bytes]:
    pages = {
        "content/rules/5-modes.md": PAGE,
        "content/rules/6-air.md": OTHER,
        "content/rules/2-play.md": STEPS,
    }
    toml = (
        "baseURL = 'https://example.org/games/'\ntitle = 'Duel'\n[permalinks]\nrules = '/:section/:slug/'\n"
    )
    toml += "[markup.goldmark.parser]\nautoHeadingIDType = 'github'\n"
    yaml = "baseurl: https://example.org\ncontentDir: content\nstaticDir: [static, files]\nlanguages:\n  en: {contentDir: content}\n  de: {}\n"
    yield folded({"hugo.toml": toml} | pages)
    yield folded(
        {"config.yaml": yaml, "static/map.png": "x", "content/rules/_index.md": "---\ntitle: Rules\n---\n"}
        | pages
    )
    yield folded(
        {
            "hugo.json": json.dumps({"baseURL": "/", "disablePathToLower": True}),
            "content/rules/5/index.md": PAGE,
            "content/rules/5/map.png": "x",
        }
    )
    yield folded({"config/_default/hugo.toml": toml, "config/production/params.yml": "a: b\n"} | pages)
    yield folded(
        {"1.md": PAGE, "2.md": '{"title": "2 Play", "weight": 2}\n' + STEPS, "pictures/map.png": "x"}
    )
    yield folded({"1.md": f"---\n{ALIASES}---\n{PAGE}"})
    yield folded({"1.md": f"---\n{MERGED}---\n# 1.1 A\n"})
    yield folded(
        {"hugo.toml": "", "content/a.md -> ../../outside.md": "", "content/b -> .": "", "content/1.md": PAGE}
    )


def markdown_seeds() -> Iterable[bytes]:
    body = PAGE.split("---\n", 2)[2]
    nav = "site_name: A\nsite_url: https://example.org/\ndocs_dir: docs\nuse_directory_urls: false\nnav:\n  - Home: index.md\n  - Rules: [5.md, {Air: 6.md}]\n"
    yield folded({"mkdocs.yml": nav, "docs/index.md": "# Duel\n", "docs/5.md": body, "docs/6.md": STEPS})
    yield folded(
        {"SUMMARY.md": "# Summary\n- [Modes](5.md)\n  - [Air](a/6.md)\n", "5.md": body, "a/6.md": STEPS}
    )
    yield folded({"1.md": f"---\nsidebar_position: 2\n---\n{body}", "b/2.md": STEPS})
    yield folded({"1.md": f"# 5 Modes\n\n{body}", "2.md": STEPS, "map.png": "x"})
    yield folded({"mkdocs.yml": ALIASES.replace("h:", "nav:"), "docs/1.md": body})
    yield folded({"mkdocs.yml": MERGED, "docs/1.md": body})


# Texts.


def attack_dialect(data: bytes, folder: Path) -> None:
    """A text whose numbering is surveyed. Its length says what it is called, and what is asked for."""
    file = folder / ("rules.md", "rules.txt", "rules.html")[len(data) % 3]
    file.write_bytes(data)
    call("import", "dialect", file, *(("--known",), ())[len(data) // 3 % 2])


def attack_refs(data: bytes, folder: Path) -> None:
    """A text that cites rules of a book."""
    file = folder / ("post.md", "post.txt", "post.html")[len(data) % 3]
    file.write_bytes(data)
    call("--project", project(folder), "refs", "duel/1", file, "--format", ("json", "text")[len(data) % 2])


def attack_outline(data: bytes, folder: Path) -> None:
    """A sequence of play in plain text, for a book or for none."""
    own, file = project(folder), folder / "sequence.txt"
    file.write_bytes(data)
    call("--project", own, "import", "outline", file, *([own / "content/duel/1"] if len(data) % 2 else []))


def text_seeds() -> Iterable[bytes]:
    yield PAGE.encode()
    yield b"1.1 Roads\n1.1a Trucks. Go, see 1.2 or 3.4b(C).\n1.2 Rails\n2.0 PLAY\n[3.2] x, per section 6, case 2\n"
    yield b"A.1 One\nA.2 Two\nAppendix A\nRule 16.G and 45.B.1.d; 12.12-.122, 22-23, 5.5\xe2\x80\x935.10\n"
    yield "§1 Der Zug\n§2(3) siehe § 1\nI. First\nII. Second\nA. Third\n(5) five\n1.1.Ia deep\nRule 1 Case A\n".encode()
    yield b"<h2>12.5 Fuel</h2><p>see <a href='#x'>12.5c</a> and 9.14b and c</p><pre>1.1</pre>[[1.1|x]] `1.1`\n"
    yield b"{{< x >}} [a](b) ![p](q) <!-- 1.1 --> ``` 1.2 ```\n\n[1.1]: /x\nhttp://a/1.1 |1|2|3| ~~~\n1.1\n"


def outline_seeds() -> Iterable[bytes]:
    yield b"I. First Player Turn\n  A. Rally Phase (5.1)\n    1. Units rally (1d6)\n    2. Others\n  B. Move Phase\nII. Second Player Turn\n  Same as above\n"
    yield "[3.2] Sequence\n3.1 Air Phase: both players, every fourth turn\n• Overruns — 4 MP\n\t• See 4.A.1\n1) x\nPhase 2\n".encode()
    yield STEPS.encode()


# Inventories.


def attack_inventory(data: bytes, folder: Path) -> None:
    """Another site's inventory, looked up in and written again. Its body is packed here."""
    head, _, body = data.partition(b"zlib.\n")
    if data.startswith(b"#") and body and len(data) % 8:
        data = head + b"zlib.\n" + zlib.compress(body, 1)
    file = folder / "objects.inv"
    file.write_bytes(data)
    found, _ = inventory.read(file.name, data)
    if found:
        for one in found.items[:3]:
            assert found.find(one.name)
        found.did_you_mean("intro")
        inventory.packed(found.project, inventory.lines_of(found.items))
        inventory.as_json(found.project, [inventory.objects_of(found.items)]).encode()


def inventory_seeds() -> Iterable[bytes]:
    head = "# Sphinx inventory version 2\n# Project: A\n# Version: 1\n# The remainder of this file is compressed using zlib.\n"
    yield f"{head}intro std:label -1 r/intro/#$ Introduction\na b py:class 1 x.html#$ -\n".encode()
    yield b"# Sphinx inventory version 1\n# Project: A\n"
    yield b'{"project": "A", "version": "1", "items": [{"name": "a", "uri": "b", "dispname": "c", "domain": "d", "role": "e", "priority": 1}]}'


# Pictures, and sheets that are kept.


def attack_picture(data: bytes, folder: Path) -> None:
    """A picture of the content, as the site and the press take it. The first byte says by which name."""
    name, data = f"p.{('png', 'jpg', 'svg', 'gif', 'webp', 'tif')[data[0] % 6 if data else 0]}", data[1:]
    if name == "p.png":
        data = _summed(data)
    with suppress(Refused):
        sound(name, data)
    if name == "p.svg":
        harmless.drawing(data)


def _summed(data: bytes) -> bytes:
    """A PNG whose checksums are right, so that what else is wrong is looked at."""
    made, at = bytearray(data[:8]), 8
    while at + 8 <= len(data):
        length = int.from_bytes(data[at : at + 4])
        part = data[at + 4 : at + 8 + min(length, len(data))]
        made += len(part[4:]).to_bytes(4) + part + zlib.crc32(part).to_bytes(4)
        at += 12 + length
    return bytes(made)


def picture_seeds() -> Iterable[bytes]:
    from PIL import Image

    for at, form in enumerate(("PNG", "JPEG", None, "GIF", "WEBP", "TIFF")):
        for mode in ("RGB", "L", "RGBA", "CMYK", "1", "P") if form else ():
            made = io.BytesIO()
            with suppress(OSError, ValueError):  # this form has no such pictures
                Image.new(mode, (3, 2)).save(made, form)
                yield bytes([at]) + made.getvalue()
    yield (
        b'\x02<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 9 9">'
        b'<style>p{fill:red}</style><path d="M0 0" style="fill:#123;stroke:rgb(1 2 3)" onclick="x()"/>'
        b'<image href="data:image/png;base64,iVBORw0KGgo="/><use xlink:href="#a"/><script>x</script></svg>'
    )
    yield b'\x02<!DOCTYPE s [<!ENTITY a "x"><!ENTITY b SYSTEM "file:///etc/passwd">]><svg xmlns="http://www.w3.org/2000/svg">&a;&b;</svg>'


def attack_store(data: bytes, folder: Path) -> None:
    """Work that was kept and is no more what it was: it is not there."""
    made = Store(folder)
    made.keep("key", KEPT)
    next(path for path in folder.rglob("*") if path.is_file()).write_bytes(data)
    assert made.load("key") in (None, KEPT)


KEPT = {"pdf": b"%PDF" * 9, "problems": ("none", 9)}


def store_seeds() -> Iterable[bytes]:
    with tempfile.TemporaryDirectory() as folder:
        Store(Path(folder)).keep("key", KEPT)
        yield from (path.read_bytes() for path in Path(folder).rglob("*") if path.is_file())


SURFACES = (
    Surface("hugo", attack_hugo, hugo_seeds, (*SIGNS, *KEYS), tries=30),
    Surface("markdown", attack_markdown, markdown_seeds, (*SIGNS, *KEYS), tries=25),
    Surface("book's text", attack_dialect, text_seeds, SIGNS),
    Surface("cited text", attack_refs, text_seeds, SIGNS, tries=30),
    Surface("outline", attack_outline, outline_seeds, SIGNS),
    Surface(
        "inventory", attack_inventory, inventory_seeds, (b"std:label", b" -1 ", b"$", b'"items"', b"\\ud800")
    ),
    Surface(
        "picture",
        attack_picture,
        picture_seeds,
        (b"\x7f\xff\xff\xff", b"<!ENTITY a '", b"url(#", b"data:image/png;base64,"),
    ),
    Surface("kept work", attack_store, store_seeds, (b"\x80\x05", b"\x8c\x08builtins")),
)
