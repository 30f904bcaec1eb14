"""Pictures of a printed rulebook: each on the page of its rule or after it, and in its chapter."""

import json

import pymupdf
import pytest
from PIL import Image

from rulewright.app.cli import main
from tests.printing import needs_printer

WIDE, TALL = (900, 500), (500, 800)
CASES = {
    "one": [WIDE],
    "two": [WIDE] * 2,
    "four": [WIDE] * 4,
    "six": [WIDE] * 6,
    "nine": [WIDE] * 9,
    "tall": [TALL] * 4,
    "of every sort": [WIDE, TALL, WIDE, TALL, TALL, WIDE],
    "one at the end": [None, None, None, WIDE],
    "tall at the end": [None] * 3 + [TALL],
    "between texts": [WIDE, None, None, TALL, None, None, WIDE, None],
}
TEXT = "These words follow the picture of the part, and describe what is shown there. " * 3


@needs_printer
@pytest.mark.parametrize("in_one", [False, True], ids=["a rule each", "in one rule"])
@pytest.mark.parametrize("name", CASES)
def test_a_picture_is_on_the_page_of_its_rule_or_later_in_its_chapter(name, in_one, tmp_path, capsys):
    edition = tmp_path / "content/p/1"
    (edition / "rules").mkdir(parents=True)
    (edition.parent / "rulebook.yml").write_text('title: P\nnumbers: "1.1"\nchapters: "1.0"\n')
    (edition / "edition.yml").write_text('edition: "1"\n')
    (tmp_path / "mkdocs.yml").write_text("site_name: P\nplugins: [rulewright]\n")
    for chapter in (1, 2):
        rules: dict[str, str] = {}
        for at, size in enumerate(CASES[name], 1):
            shown = ""
            if size:
                Image.new("RGB", (size[0] + at + 20 * chapter, size[1]), "grey").save(
                    edition / f"p{chapter}{at}.png"
                )
                shown = f"![Part {at}](../p{chapter}{at}.png)\n\n"
            key = f"{chapter}.1 Parts" if in_one else f"{chapter}.{at} Part {at}"
            rules[key] = rules.get(key, "") + f"Part {at}.\n\n{shown}{TEXT}\n\n"
        written = {"chapter": f"{chapter}.0", "title": f"Chapter {chapter}", **rules}
        (edition / f"rules/{chapter}.yml").write_text(json.dumps(written))
    (edition / "rules/3.yml").write_text(
        json.dumps({"chapter": "3.0", "title": "Chapter 3", "3.1 Last": TEXT})
    )
    assert main(["aids", "p/1", "rulebook", "--project", str(tmp_path), "--quiet"]) == 0, capsys.readouterr()
    document = pymupdf.open("pdf", (tmp_path / "print/p/1/rulebook.pdf").read_bytes())
    heads, pictures = dict[str, int](), dict[int, int]()
    for page in list(document)[1:]:
        for block in page.get_text("dict")["blocks"]:
            for line in block.get("lines", ()):
                words = "".join(span["text"] for span in line["spans"]).strip()
                if line["spans"][0]["size"] > 9.5:
                    number = words.split()[0] if words else ""
                    heads[f"{number}.0" if "CHAPTER" in words else number] = page.number
        pictures |= {info["width"]: page.number for info in page.get_image_info()}
    for chapter in (1, 2):
        for at, size in enumerate(CASES[name], 1):
            if size:
                picture = pictures[size[0] + at + 20 * chapter]
                own = f"{chapter}.1" if in_one else f"{chapter}.{at}"
                assert heads[own] <= picture <= heads[f"{chapter + 1}.0"], (chapter, at)
