"""Remake the pictures of the documentation: .venv/bin/python tools/docs_pictures.py

Pages and sheet are photographed as they are built; the diagram of the packages is drawn.
"""

import subprocess
import sys
import tempfile
from html import escape
from pathlib import Path

import pypdfium2
from PIL import Image
from playwright.sync_api import sync_playwright

sys.path += [str(Path(__file__).parents[1]), str(Path(__file__).parents[1] / "tests")]
from web import served

import run

PICTURES = run.ROOT / "content" / "docs" / "pictures"
PAGE = "ember-coast/2.1/3-units-and-markers/"
BOOK = "ember-coast/2.1"
SHEETS = {
    "sequence": "sheet",
    "cards": "cards",
    "counters": "counters",
    "combat": "combat",
    "tracks": "tracks",
}
"""Sheets of that book that the guide shows, each with the name of its picture."""

SCREENS = {"chapter": (PAGE, 1280, 800, 1), "phone": (PAGE, 390, 800, 2), "home": ("", 1280, 800, 1)}
"""Pages, with width, height and the dots to a pixel of the screens on which they are lines_of_page."""

PACKAGES = {
    "app": ("command line, MkDocs plugin, the build", "build", "site/"),
    "imports": ("Hugo sites, Markdown and documents into content", "", ""),
    "edit": ("renumber, insert, retire, fix, impact", "", ""),
    "print": ("aids and books as PDF, preflight", "press", "PDFs"),
    "render": ("pages and their HTML, exports, offline", "render", "pages, files"),
    "checks": ("every check, suppressed problems", "check", "problems"),
    "document": ("player aids as blocks to show", "", ""),
    "compare": ("two editions, stale references", "", ""),
    "references": ("what each number and name means, addresses", "index", "ReferenceIndex"),
    "book": ("an edition in order, errata applied, series", "assemble", "Outline"),
    "sequence": ("steps, who acts, repeats, the turn as played", "", ""),
    "numbering": ("numbering schemes, finding numbers in prose", "", ""),
    "schema": ("types of content, the markup of a text", "read", "content"),
    "files": ("YAML and folders as text with places, edits", "load", "ContentFolder"),
}
"""Packages from the top: content, the step of a build that runs there, and its result."""

LIGHT = {"paper": "#ffffff", "room": "#eceff1", "ink": "#1f2a30", "soft": "#52626b", "line": "#a33b00"}
DARK = {"paper": "#1e2129", "room": "#2c313c", "ink": "#eceff4", "soft": "#b4bdca", "line": "#ffa06b"}


def house(colours: dict[str, str]) -> str:
    """Draw the packages and the steps of a build through them, as SVG."""
    top, high, gap, left, wide, line = 20, 38, 6, 52, 500, 590
    bottom = top + len(PACKAGES) * (high + gap)
    out: list[str] = []

    def text(x: float, y: float, words: str, colour: str, *, more: str = "") -> None:
        out.append(f'<text x="{x}" y="{y}" fill="{colours[colour]}"{more}>{escape(words)}</text>')

    def arrow(x: float, y: float, tip: float, colour: str) -> None:
        down = 8 if tip > y else -8
        out.append(f'<path d="M{x} {y}V{tip - down}" stroke="{colours[colour]}" stroke-width="2"/>')
        out.append(f'<path d="M{x - 5} {tip - down}h10l-5 {down}z" fill="{colours[colour]}"/>')

    arrow(line, bottom + 14, top - 6, "line")
    for index, (room, (inside, step, result)) in enumerate(PACKAGES.items()):
        y = top + index * (high + gap)
        out.append(
            f'<rect x="{left}" y="{y}" width="{wide}" height="{high}" rx="4" fill="{colours["room"]}"/>'
        )
        text(left + 14, y + 24, room, "ink", more=' font-weight="700"')
        text(left + 116, y + 24, inside, "soft")
        if step:
            out.append(
                f'<path d="M{left + wide} {y + 19}H{line}" stroke="{colours["line"]}" stroke-width="2"/>'
                f'<circle cx="{line}" cy="{y + 19}" r="5" fill="{colours["line"]}"/>'
            )
            text(line + 16, y + 15, step, "soft", more=' font-size="12"')
            text(line + 16, y + 31, result, "ink", more=' font-weight="700"')
    arrow(26, top + 4, bottom - gap, "soft")
    turned = f' font-size="12" transform="rotate(-90 16 {bottom / 2})" text-anchor="middle"'
    text(16, bottom / 2, "imports only downward", "soft", more=turned)
    text(line + 16, bottom + 14, "content/**.yml", "ink", more=' font-weight="700"')
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 780 {bottom + 30}" font-size="14" '
        f'font-family="IBM Plex Sans Condensed, Helvetica Neue, Arial, sans-serif" fill="none">\n'
        f'<rect width="780" height="{bottom + 30}" fill="{colours["paper"]}"/>\n'
        + "\n".join(out)
        + "\n</svg>\n"
    )


def picture(sheet: Path) -> Image.Image:
    """Return the first page of a sheet as a picture."""
    return pypdfium2.PdfDocument(sheet)[0].render(scale=1.25).to_pil().convert("RGB")


def report(folder: Path) -> str:
    """Return a page that shows a mistake in a new game and the report of the check, as on a terminal."""
    program = [sys.executable, "-m", "rulewright"]
    subprocess.run([*program, "new", folder / "mygame"], check=True, capture_output=True)
    chapter = folder / "mygame/content/mygame/1/rules/1-movement.yml"
    lines = chapter.read_text("utf-8").splitlines()
    lines[6] += " See 1.9."
    chapter.write_text("\n".join(lines) + "\n", "utf-8")
    check = subprocess.run([*program, "check"], cwd=folder / "mygame", capture_output=True, text=True)
    lines_of_page = [
        f"<p class=line><i>{number}</i>{escape(line)}" for number, line in enumerate(lines[:7], 1)
    ]
    lines_of_page[-1] = lines_of_page[-1].replace("See 1.9.", "<b>See 1.9.</b>")
    lines_of_page += ["<p class=command>$ rulewright check"]
    lines_of_page += [f"<p>{escape(line)}" for line in (check.stdout + check.stderr).splitlines()]
    return (
        "<style>main{background:#1e2129;color:#eceff4;width:46ch;padding:14px 18px;white-space:pre-wrap;"
        "font:15px/1.5 'IBM Plex Mono','DejaVu Sans Mono',monospace}p{margin:0}.command{margin-top:1em}"
        ".line{padding-left:7ch;text-indent:-4ch}i{display:inline-block;width:4ch;text-indent:0;font-style:normal;"
        f"color:#8b94a3}}b{{color:#ffa06b}}</style><main>{''.join(lines_of_page)}</main>"
    )


def main() -> None:
    """Write all pictures."""
    PICTURES.mkdir(exist_ok=True)
    for name, colours in (("light", LIGHT), ("dark", DARK)):
        (PICTURES / f"house-{name}.svg").write_text(house(colours), "utf-8")
    with tempfile.TemporaryDirectory() as folder:
        site, sheets = Path(folder, "site"), Path(folder, "print")
        program = [sys.executable, "-m", "rulewright"]
        subprocess.run([*program, "build", "--no-print", "--output", site], cwd=run.ROOT, check=True)
        for aid in SHEETS:
            subprocess.run([*program, "aids", BOOK, aid, "--output", sheets], cwd=run.ROOT, check=True)
        with served(site) as address, sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=run.find_chromium(), args=["--no-sandbox"])
            for name, (path, width, height, scale) in SCREENS.items():
                size = {"width": width, "height": height}
                page = browser.new_page(viewport=size, device_scale_factor=scale, service_workers="block")
                page.goto(f"{address}/{path}", wait_until="networkidle")
                shot = Path(folder, f"{name}.png")
                page.screenshot(path=shot)
                Image.open(shot).convert("RGB").save(PICTURES / f"{name}.webp", quality=80, method=6)
            page = browser.new_page(device_scale_factor=2)
            page.set_content(report(Path(folder)))
            page.locator("main").screenshot(path=Path(folder, "error.png"))
            Image.open(Path(folder, "error.png")).save(PICTURES / "error.webp", quality=80, method=6)
        for aid, name in SHEETS.items():
            (sheet,) = sheets.rglob(f"{aid}.pdf")
            picture(sheet).save(PICTURES / f"{name}.webp", quality=70, method=6)


if __name__ == "__main__":
    main()
