"""Ten ways to smuggle a program in, through every field, page, inventory and file name, into every output.

Whatever is made is read in a browser that is told to ignore the policy of the pages: nothing may run even
without it.
"""

import io
import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
import yaml
from attack.planted import STYLES, Planting, closed, every
from attack.signs import wrong
from markdown_it import MarkdownIt
from playwright.sync_api import Browser, Page
from repositories import commit, undisturbed
from web import served

import run
from rulewright.app.cli import main
from rulewright.checks.examine import examine
from rulewright.site.portable import portable
from rulewright.source.folder import gather
from rulewright.source.inventory import Item, lines_of, packed
from tests.amount import TIMES
from tests.commands.duel import write

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
QUOTED = "' onmouseover='ran()' x='"
FRONT = {
    "title": STYLES[0],
    "description": STYLES[3],
    "author": STYLES[4],
    "status": STYLES[3],
    "x": STYLES[1],
}
SVG = "<svg xmlns='http://www.w3.org/2000/svg' onload='ran()'><script>parent.ran()</script></svg>"
SITE = "https://rulewright.example/"  # as mkdocs.yml says

AGAINST = """() => [...document.querySelectorAll("*")].flatMap((one) => [
  ...[...one.attributes].filter(({ name, value }) => /^on/i.test(name)
    || (/^(href|src|action|formaction|data|xlink:href)$/i.test(name) && value !== "javascript:void(0)"
      && URL.canParse(value, location) && /^(java|vb)script:$/.test(new URL(value, location).protocol)))
    .map(({ name, value }) => `${one.localName} ${name}=${value}`),
  ...(one.closest("article, .rw-card, #jump")
    && /^(script|iframe|object|embed|base|form)$/.test(one.localName)
    && !/json/.test(one.type) && !one.closest(".rw.play, #jump") ? [one.outerHTML] : []),
])"""
SHOW = """async () => {
  const shown = document.body?.appendChild(document.createElement("div"));
  for (const link of document.querySelectorAll("article a[href]")) {
    const found = await window.rulewright?.preview(link.href).catch(() => null);
    if (found) shown.insertAdjacentHTML("beforeend", found.html);
  }
  for (const one of document.querySelectorAll("[data-roller] button")) one.click();
  for (const one of document.querySelectorAll(".game form input[type=text], .game form input:not([type])")) {
    one.value = "<img src=x onerror=ran()>";
    one.dispatchEvent(new Event("change", { bubbles: true }));
  }
  for (const one of document.querySelectorAll("details.log, .log details")) one.open = true;
  for (let n = 0; n < 40; n++) document.querySelector(".controls [data-act=done]")?.click();
  await new Promise((resolve) => setTimeout(resolve, 30));
}"""
KINDS = [
    "a.ref:not(.away)", "a.ref.away", "a.named", "a.to-table", ".cited a", ".history a",
    ".numbers li:not(.listed) a",
]  # fmt: skip


def planted(folder: Path) -> Planting:
    """A project whose every field, page, inventory and file name holds something to run."""
    content = folder / "content"
    for books in ("sixth", "seventh"):
        shutil.copytree(run.ROOT / f"tests/{books}/content", content, dirs_exist_ok=True)
    settings = (run.ROOT / "mkdocs.yml").read_text("utf-8")
    (folder / "mkdocs.yml").write_text(
        settings.replace("  - rulewright\n", "  - rulewright: {short: pages}\n")
    )
    for name, more in yaml.load(
        (Path(__file__).parent / "additions.yml").read_text(), yaml.BaseLoader
    ).items():
        file = content / name
        file.parent.mkdir(exist_ok=True)
        was = yaml.load(file.read_text("utf-8"), yaml.BaseLoader) if file.is_file() else {}
        file.write_text(yaml.safe_dump({**was, **more}, allow_unicode=True, sort_keys=False), "utf-8")
    # No foreign word is the name of a file that is there, so files have such names of themselves.
    for file in [
        *content.rglob("aids/day.yml"),
        *content.rglob("tables/raid.yml"),
        *content.rglob("rules/4-*.yml"),
    ]:
        file.rename(file.with_name(f"{QUOTED}{file.name}"))
    for name in ("a.svg", "<img src=x onerror=ran()>.svg", '" onerror="ran().svg'):
        (content / "salt-road" / name).write_text(SVG)
        (content / "salt-road/2" / name).write_text(SVG)
    shutil.copy(
        run.ROOT / "templates/theme/assets/fonts/IBMPlexSansCondensed-Regular-Pi.woff2",
        content / "salt-road/x.woff2",
    )
    shutil.copytree(content / "lantern/1", content / f"lantern/{QUOTED}")
    (content / "elsewhere").mkdir()
    items = (
        Item("moon", "m.html", AWAY),
        Item("sun", "javascript:ran()", AWAY),
        Item("star", '" onfocus="ran()', AWAY),
    )
    (content / "elsewhere/a.inv").write_bytes(packed(AWAY, lines_of(items)))
    for at, text in enumerate([*STYLES, *MARKDOWN]):
        marks = "[[away:moon]], [[away:sun]], [[away:star]] and [[away:moon|<img src=x onerror=ran()>]]"
        page = f"---\n{yaml.safe_dump(FRONT)}---\n{text}\n\n## {marks} {STYLES[at % 10]}\n\n{marks}\n"
        page += f"\n| a |\n|---|\n| {marks} |\n\n![a](<../<img src=x onerror=ran()>.svg>)\n"
        name = QUOTED if at == 1 else f"page-{at}"
        (content / f"salt-road/2/{name}.md").write_text(page if at else f"{text}\n\n{marks}\n")
    commit(folder)
    planting = Planting(gather(folder))
    for name, data in planting.folder.texts.items():
        (folder / name).write_bytes(data)
    return planting


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, Planting]]:
    folder = tmp_path_factory.mktemp("attack")
    with pytest.MonkeyPatch.context() as patch:
        undisturbed(patch, folder)
        own = folder / "project"
        own.mkdir()
        yield own, planted(own)


@pytest.fixture(scope="module")
def site(project: tuple[Path, Planting]) -> Path:
    assert main(["build", "--no-print", "--project", str(project[0])]) == 0
    return project[0] / "site"


class Watched:
    """A page of a browser that keeps to no policy; `found`: all that ran, was asked for or could run."""

    def __init__(self, browser: Browser, own: str) -> None:
        self.context = browser.new_context(bypass_csp=True, service_workers="block")
        self.found: list[str] = []
        self.context.add_init_script("window.ran = () => console.log(`ran on ${location}`)")
        self.context.on(
            "console", lambda said: self.found.append(said.text) if "ran on" in said.text else None
        )
        self.context.on("dialog", lambda dialog: self.found.append(dialog.message))
        self.context.on(
            "request",
            lambda r: None if r.url.startswith((own, "data:", "blob:")) else self.found.append(r.url),
        )
        self.page: Page = self.context.new_page()

    def read(self, address: str, *, whole: bool = True) -> None:
        """Open a page and, if `whole`, all that it shows when it is used."""
        self.page.goto(address, wait_until="load")
        for script in ("", *([SHOW] if whole else [])):
            if script:
                self.page.evaluate(script)
            self.found += [f"{address} {script and 'used'}: {one}" for one in self.page.evaluate(AGAINST)]

    def close(self) -> None:
        self.context.close()
        assert not self.found, "\n".join(self.found[:20])


LEADS_ON = b'http-equiv="refresh"'


def addresses(root: str, folder: Path, pattern: str = "*.html") -> list[str]:
    """The pages in a folder, but for those that lead on to others or hold none of the content."""
    files = [file for file in sorted(folder.rglob(pattern)) if LEADS_ON not in file.read_bytes()]
    names = (file.relative_to(folder).as_posix() for file in files)
    return [f"{root}/{quote(name)}" for name in names if not name.startswith("guide/")]


def test_every_field_of_every_file_is_attacked(project: tuple[Path, Planting]) -> None:
    """A new field takes foreign words, and then they stand on the pages below, or says that it does not."""
    planting = project[1]
    assert not planting.refused
    assert planting.taken | closed() == every()
    assert len(planting.taken) > len(closed())


def test_nothing_runs_on_any_page(site: Path, browser: Browser) -> None:
    with served(site) as root:
        one = Watched(browser, root)
        pages = addresses(root, site)
        assert len(pages) > 60
        for address in [*pages, *addresses(root, site, "*.svg")]:
            one.read(address)
        one.close()


def test_what_leads_on_holds_no_script_but_its_own(site: Path) -> None:
    pages = [page for page in site.rglob("*.html") if LEADS_ON in page.read_bytes()]
    assert len(pages) > 60
    for page in pages:
        assert wrong(page.read_text()) in ([], ["script"]), page


def test_nothing_runs_in_what_is_shown_on_demand(site: Path, browser: Browser) -> None:
    """Cards of every kind of link, the box to jump with, the search of all texts."""
    with served(site) as root:
        one = Watched(browser, root)
        page = one.page
        for path in (
            "salt-road/2/part-2-water/",
            "fogbound/1/sequence/",
            "salt-road/2/glossary/",
            "salt-road/2/numbers/",
        ):
            page.goto(f"{root}/{path}")
            for kind in KINDS:
                link = page.locator(f"article :is({kind}) >> visible=true").first
                if link.count():
                    link.hover()
                    page.wait_for_timeout(450)
                    one.found += page.evaluate(AGAINST)
                    page.mouse.move(0, 0)
        page.goto(f"{root}/salt-road/2/")
        page.keyboard.press("/")
        for words in (*STYLES, "2", "water", "day"):
            page.locator("#jump input").fill(words[:80])
            page.wait_for_timeout(30)
            one.found += page.evaluate(AGAINST)
        for words in ("onerror", *STYLES[:4]):
            page.locator("#jump input").fill(words)
            page.wait_for_timeout(150)
            one.found += page.evaluate(AGAINST)
        page.goto(f"{root}/salt-road/2/?q={STYLES[1]}&h={STYLES[2]}#{STYLES[3]}")
        one.found += page.evaluate(AGAINST)
        one.close()


def test_nothing_runs_from_a_disk(site: Path, browser: Browser, tmp_path: Path) -> None:
    """The site as it is unpacked from an archive."""
    files = {
        file.relative_to(site).as_posix(): file.read_bytes() for file in site.rglob("*") if file.is_file()
    }
    write(tmp_path, portable(files))
    one = Watched(browser, tmp_path.as_uri())
    own = [one for one in addresses(tmp_path.as_uri(), tmp_path) if "/page-" not in one]
    for address in own[:: 1 if TIMES > 1 else 3]:  # Markdown pages are the same as on a server
        one.read(address, whole="play" in address)
    one.close()


def test_nothing_runs_in_plain_pages_and_outlines(project, browser, tmp_path):
    """The share of other engines, opened by a browser, which runs more of it than they do."""
    folder = project[0]
    assert main(["export", "pages", str(tmp_path / "pages"), "--project", str(folder)]) == 0
    for form in ("html", "markdown", "text", "json"):
        out = tmp_path / "outlines" / f"{form}.html"
        out.parent.mkdir(exist_ok=True)
        assert (
            main(
                [
                    "export",
                    "outline",
                    "salt-road/2",
                    "--format",
                    form,
                    "--output",
                    str(out),
                    "--project",
                    str(folder),
                ]
            )
            == 0
        )
        if form == "markdown":
            out.write_text(MarkdownIt("commonmark", {"html": True}).render(out.read_text()))
        elif form != "html":
            out.unlink()
    one = Watched(browser, tmp_path.as_uri())
    for pattern in ("*.html", "*.svg"):
        for address in addresses(tmp_path.as_uri(), tmp_path, pattern):
            one.read(address, whole=False)
    one.close()
    for file in tmp_path.rglob("*.json"):
        json.loads(file.read_text())


def test_what_is_said_in_a_pull_request_is_inert(project, capsys):
    """The host finds the comment's frame of folds and tables in it, and links to the files, alone."""
    assert main(["impact", "--no-print", "--format", "markdown", "--project", str(project[0])]) == 0
    said = capsys.readouterr().out
    html = MarkdownIt("gfm-like", {"html": True, "linkify": False}).render(said)
    assert not wrong(html)
    found = re.findall(r"<([a-z]\w*)([^<>]*)>", html)
    frame = "a b br code details em h1 h2 h3 li ol p strong summary table tbody td th thead tr ul del ins pre"
    assert {name for name, _ in found} <= set(frame.split())
    assert {inside for name, inside in found if name not in ("a", "td", "th")} <= {"", " open", ' open=""'}
    assert "ran()" in html


ACTIONS = {"/JavaScript", "/JS", "/Launch", "/SubmitForm", "/ImportData", "/GoToR", "/GoToE", "/Rendition"}


@pytest.mark.thorough
def test_printed_sheets_hold_nothing_that_runs(project: tuple[Path, Planting]) -> None:
    pikepdf = pytest.importorskip("pikepdf")
    pytest.importorskip("typst")
    from rulewright.print import press
    from rulewright.print import typesetting as printer
    from rulewright.print.press.orders import PrintOptions

    if said := printer.missing():
        pytest.skip(said)
    shelf = examine(project[0]).shelf
    orders = press.orders_of(project[0], shelf, PrintOptions(None, "", False, None, SITE))
    assert len(orders) > 5
    for order in orders:
        copy, problems, _ = press.make(order)
        assert copy or problems, order.address
        assert not [problem for problem in problems if "report it" in problem.message], order.address
        if copy is None:
            continue
        with pikepdf.open(io.BytesIO(copy.pdf)) as pdf:
            for thing in pdf.objects:
                if isinstance(thing, pikepdf.Dictionary):
                    assert not {*thing.keys(), str(thing.get("/S"))} & {*ACTIONS, "/AA", "/EmbeddedFile"}
                    if thing.get("/S") == "/URI":
                        assert re.match(r"https?://", str(thing.URI)), thing.URI
            assert "/OpenAction" not in pdf.Root or isinstance(pdf.Root.OpenAction, pikepdf.Array)
