"""Compare the output of two checkouts: `run.py bench same --before DIR` compares DIR with this one.

Both build the content of this checkout, the invented books of the tests, projects from `rulewright new`,
the import of each `--import PATH`, and `--mutated N` projects with inserted errors. Every file of
each site, every export, and the output of checks and imports are compared byte for byte; a PDF that
differs is compared page by page as pictures. `--ignore REGEX` removes intended differences from texts,
`--skip REGEX` omits files by name. The report ends with the files that only one side writes.
"""

import itertools
import json
import random
import re
import shutil
import subprocess
import sys
import tempfile
from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

from bench.run import BENCH

ROOT = BENCH.parent
DRIVER = """
import contextlib, io, json, re, sys, traceback
from pathlib import Path
from rulewright.app.cli import main
for job in json.load(sys.stdin):
    out, code = io.StringIO(), None
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
        try:
            code = main(job["command"])
        except BaseException:
            out.write(traceback.format_exc())
    if job["file"]:
        Path(job["file"]).parent.mkdir(parents=True, exist_ok=True)
        output = re.sub(r"[\\d.]+ seconds", "", out.getvalue())
        Path(job["file"]).write_text(f"exit {code}\\n{output}", "utf-8")
"""
"""Runs command lines one after the other in one process and writes the output of each to a file."""

RESOLUTION = 0.8
"""Pixels for each point in the page pictures of a PDF comparison."""

SHOWN = 12
"""Limit of listed differences for each kind of file."""

FAULTS: Sequence[Callable[[random.Random, list[str]], None]] = (
    lambda chance, lines: lines.pop(chance.randrange(len(lines))),  # type: ignore[arg-type, return-value]
    lambda chance, lines: lines.insert(chance.randrange(len(lines)), chance.choice(lines)),
    lambda chance, lines: lines.append(lines.pop(chance.randrange(len(lines)))),
    lambda chance, lines: _edit(lines, chance, r"\d", lambda _: str(chance.randrange(10))),
    lambda chance, lines: _edit(lines, chance, r"[a-z]{4,}", lambda match: match[0][1:] + match[0][0]),
    lambda chance, lines: _edit(lines, chance, r"[:\"'\-]", lambda _: chance.choice("|>[{&%@`")),
    lambda chance, lines: _edit(lines, chance, r"^ *", lambda match: match[0][1:]),
    lambda chance, lines: _edit(lines, chance, r"$", lambda _: f" See {chance.randint(1, 30)}.1."),
)  # fmt: skip


def _edit(lines: list[str], chance: random.Random, pattern: str, new: Callable[[re.Match[str]], str]) -> None:
    index = chance.randrange(len(lines))
    lines[index] = re.sub(pattern, new, lines[index], count=1)


def main(*arguments: Sequence[str]) -> str:
    options = _arguments(arguments[0] if arguments else ())
    with tempfile.TemporaryDirectory() as folder:
        sides = [Path(folder) / "before", Path(folder) / "after"]
        with ThreadPoolExecutor(2) as both:
            list(both.map(partial(_make, options), sides, (options.before.absolute(), ROOT)))
        return _report(options, *sides)


def _arguments(words: Sequence[str]) -> Namespace:
    parser = ArgumentParser(prog="bench same")
    parser.add_argument(
        "--before", type=Path, required=True, metavar="DIR", help="the other checkout, set up"
    )
    parser.add_argument("--mutated", type=int, default=200, metavar="N", help="projects with faults in them")
    parser.add_argument("--import", dest="imports", type=Path, action="append", default=[], metavar="PATH")
    parser.add_argument("--no-print", action="store_true", help="leave PDFs out")
    parser.add_argument("--ignore", action="append", default=[], metavar="REGEX")
    parser.add_argument("--skip", action="append", default=[], metavar="REGEX")
    return parser.parse_args(words)


def _make(options: Namespace, side: Path, checkout: Path) -> None:
    """Let a checkout write all its output into a folder, at the same paths for both sides."""
    work, results = side / "work", side / "results"
    jobs: list[dict[str, object]] = []
    projects = {"own": work / "own", **{name: work / name for name in ("sixth", "seventh")}}
    for name, project in projects.items():
        project.mkdir(parents=True)
        shutil.copy(ROOT / "mkdocs.yml", project)
        source = ROOT / "content" if name == "own" else ROOT / "tests" / name
        shutil.copytree(
            source, project / "content", ignore=shutil.ignore_patterns("docs", "*.py", "__pycache__")
        )
    for numbers in ("1.1a(A)", "1.11a", "A1.1"):
        name = f"new-{numbers}"
        jobs.append(_job(["new", str(work / name), "--title", "A Game", "--numbers", numbers]))
        projects[name] = work / name
    for count, source in enumerate(options.imports):
        name = f"import-{count}-{source.name}"
        jobs.append(
            _job(["new", str(work / name), "--from", str(source.absolute())], results / name / "output")
        )
        projects[name] = work / name
    _run(checkout, jobs)
    jobs = []
    for name, project in projects.items():
        jobs += _jobs(project, results / name, options)
    for seed in range(options.mutated):
        project = work / f"mutated-{seed}"
        _mutate(work / "new-1.1a(A)", project, seed)
        jobs.append(_job(_on(project, "check", "--format", "json"), results / project.name / "check.json"))
    _run(checkout, jobs)


def _mutate(source: Path, project: Path, seed: int) -> None:
    shutil.copytree(source, project, ignore=shutil.ignore_patterns(".cache", "site"))
    chance = random.Random(seed)
    files = sorted(path for path in project.rglob("content/**/*.yml"))
    for _ in range(chance.choice((1, 1, 1, 2, 3))):
        file = chance.choice(files)
        lines = file.read_text("utf-8").split("\n")
        chance.choice(FAULTS)(chance, lines)
        file.write_text("\n".join(lines) or "x", "utf-8")


def _job(command: Sequence[str], file: Path | None = None) -> dict[str, object]:
    """Return a command line with the file for its output."""
    return {"command": command, "file": str(file or "")}


def _on(project: Path, *words: str) -> list[str]:
    return [words[0], "--project", str(project), *words[1:]]


def _jobs(project: Path, results: Path, options: Namespace) -> Iterator[dict[str, object]]:
    """Yield the command lines for a project: its check, each export of each edition, its site."""
    yield _job(_on(project, "check", "--format", "json"), results / "check.json")
    editions = sorted(file.parent for file in (project / "content").glob("*/*/edition.yml"))
    for edition in editions:
        book = edition.relative_to(project / "content").as_posix()
        names = sorted(file.stem for file in (edition / "tables").glob("*.yml"))
        yield _job(_on(project, "export", "outline", book), results / "outline" / book / "outline.md")
        for name, form in itertools.product(names, ("csv", "json")):
            words = ("table", book, name, "--format", form)
            yield _job(_on(project, "export", *words), results / "table" / book / f"{name}.{form}")
    for before, after in itertools.pairwise(editions):
        if before.parent == after.parent:
            names = [edition.relative_to(project / "content").as_posix() for edition in (before, after)]
            file = results / f"diff-{before.parent.name}.txt"
            yield _job(_on(project, "diff", *names), file)
    light = ["--no-print"] if options.no_print else []
    yield _job(_on(project, "build", "--output", str(results / "site"), *light), results / "build")


def _run(checkout: Path, jobs: Sequence[dict[str, object]]) -> None:
    python = checkout / ".venv/bin/python"
    done = subprocess.run(
        [python, "-P", "-c", DRIVER], input=json.dumps(jobs), text=True, cwd=checkout, capture_output=True
    )
    if done.returncode:
        sys.exit(f"{checkout}: {done.stderr[-2000:]}")


def _report(options: Namespace, before: Path, after: Path) -> str:
    files = [_files(side / "results", options) for side in (before, after)]
    both = sorted(files[0].keys() & files[1].keys())
    blank = [re.compile(pattern) for pattern in options.ignore]
    differences: dict[str, str] = {}
    for name in both:
        if difference := _difference(files[0][name], files[1][name], blank, before, after):
            differences[name] = difference
    lines = [f"same: {len(both) - len(differences)} of {len(both)} files that both checkouts write"]
    count: Counter[str] = Counter()
    for name, difference in differences.items():
        group = re.sub(r"mutated-\d+", "mutated", name).split("/")[0] + Path(name).suffix
        count[group] += 1
        if count[group] <= SHOWN:
            lines.append(f"  {name}: {difference}")
    lines += [f"differ: {number} {group}" for group, number in sorted(count.items())]
    for side, files_of_side, other in (("before", *files), ("after", *reversed(files))):
        names = sorted(files_of_side.keys() - other.keys())
        lines.append(f"only {side}: {len(names)}")
        lines += [f"  {name}" for name in names[:40]]
    return "\n".join(lines)


def _files(folder: Path, options: Namespace) -> dict[str, Path]:
    files: dict[str, Path] = {}
    for path in folder.rglob("*"):
        name = path.relative_to(folder).as_posix()
        if path.is_file() and not any(re.search(pattern, name) for pattern in options.skip):
            files[name] = path
    return files


def _difference(file: Path, other: Path, blank: Sequence[re.Pattern[str]], before: Path, after: Path) -> str:
    """Return the first place in which two files differ; an empty string if they do not."""
    before_bytes, after_bytes = file.read_bytes(), other.read_bytes()
    if before_bytes == after_bytes:
        return ""
    if file.suffix == ".pdf":
        return _pages(before_bytes, after_bytes)
    try:
        texts = [before_bytes.decode().replace(str(before), ""), after_bytes.decode().replace(str(after), "")]
    except UnicodeDecodeError:
        return f"{len(before_bytes)} and {len(after_bytes)} bytes"
    for pattern in blank:
        texts = [pattern.sub("", text) for text in texts]
    if texts[0] == texts[1]:
        return ""
    start = min(map(len, texts))
    for index, characters in enumerate(zip(*texts, strict=False)):
        if len({*characters}) > 1:
            start = index
            break
    return " | ".join(repr(text[max(start - 40, 0) : start + 60]) for text in texts)


def _pages(before_bytes: bytes, after_bytes: bytes) -> str:
    """Return the first page whose picture differs; an empty string if none does."""
    import pypdfium2

    documents = [pypdfium2.PdfDocument(data) for data in (before_bytes, after_bytes)]
    if len(documents[0]) != len(documents[1]):
        return f"{len(documents[0])} and {len(documents[1])} pages"
    for number in range(len(documents[0])):
        pages = [document[number].render(scale=RESOLUTION).to_numpy() for document in documents]
        if pages[0].shape != pages[1].shape or (pages[0] != pages[1]).any():
            return f"page {number + 1} looks different"
    return ""
