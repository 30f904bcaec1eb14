"""Whether two checkouts make the same: `run.py bench same --before DIR` compares DIR with this checkout.

Both build the content of this checkout, the made-up books of the tests, projects made by `rulewright new`,
what an import makes of each `--import PATH`, and `--mutated N` projects with faults put in. Every file of
each site, every export, the findings of the check and what imports say are compared byte for byte; a PDF that
differs is compared page by page as pictures. `--ignore REGEX` blanks out of texts what is meant to differ,
`--skip REGEX` leaves files out by their names. The report ends with what only one side makes.
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
"""Of the pictures of pages in which two PDFs are compared, in pixels a point."""

SHOWN = 12
"""Number of differences that are shown of each kind of file."""

FAULTS: Sequence[Callable[[random.Random, list[str]], None]] = (
    lambda chance, lines: lines.pop(chance.randrange(len(lines))),  # type: ignore[arg-type, return-value]
    lambda chance, lines: lines.insert(chance.randrange(len(lines)), chance.choice(lines)),
    lambda chance, lines: _swap(lines, chance.randrange(len(lines)), chance.randrange(len(lines))),
    lambda chance, lines: _edit(lines, chance, r"\d", lambda _: str(chance.randrange(10))),
    lambda chance, lines: _edit(lines, chance, r"[a-z]{4,}", lambda one: one[0][1:] + one[0][0]),
    lambda chance, lines: _edit(lines, chance, r"[:\"'\-]", lambda _: chance.choice("|>[{&%@`")),
    lambda chance, lines: _edit(lines, chance, r"^ *", lambda one: one[0][1:]),
    lambda chance, lines: _edit(lines, chance, r"$", lambda _: f" See {chance.randint(1, 30)}.1."),
)  # fmt: skip


def _swap(lines: list[str], one: int, other: int) -> None:
    lines[one], lines[other] = lines[other], lines[one]


def _edit(lines: list[str], chance: random.Random, found: str, new: Callable[[re.Match[str]], str]) -> None:
    at = chance.randrange(len(lines))
    lines[at] = re.sub(found, new, lines[at], count=1)


def main(*options: Sequence[str]) -> str:
    asked = _arguments(options[0] if options else ())
    with tempfile.TemporaryDirectory() as folder:
        sides = [Path(folder) / "before", Path(folder) / "after"]
        with ThreadPoolExecutor(2) as both:
            list(both.map(partial(_make, asked), sides, (asked.before.absolute(), ROOT)))
        return _report(asked, *sides)


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


def _make(asked: Namespace, side: Path, checkout: Path) -> None:
    """Have a checkout make everything into a folder, at paths that say nothing of the side."""
    work, made = side / "work", side / "made"
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
    for at, source in enumerate(asked.imports):
        name = f"import-{at}-{source.name}"
        jobs.append(_job(["new", str(work / name), "--from", str(source.absolute())], made / name / "said"))
        projects[name] = work / name
    _run(checkout, jobs)
    jobs = []
    for name, project in projects.items():
        jobs += _jobs(project, made / name, asked)
    for at in range(asked.mutated):
        project = work / f"mutated-{at}"
        _mutate(work / "new-1.1a(A)", project, at)
        jobs.append(_job(_on(project, "check", "--format", "json"), made / project.name / "check.json"))
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


def _jobs(project: Path, made: Path, asked: Namespace) -> Iterator[dict[str, object]]:
    """The command lines for a project: its check, each export of each edition, its site."""
    yield _job(_on(project, "check", "--format", "json"), made / "check.json")
    editions = sorted(file.parent for file in (project / "content").glob("*/*/edition.yml"))
    for edition in editions:
        book = edition.relative_to(project / "content").as_posix()
        names = sorted(file.stem for file in (edition / "tables").glob("*.yml"))
        tables = [("table", name, ("csv", "json")) for name in names]
        for kind, name, forms in (("outline", "", ("text", "markdown", "html", "json")), *tables):
            for form in forms:
                words = (kind, book, *([name] if name else []), "--format", form)
                yield _job(_on(project, "export", *words), made / kind / book / f"{name}.{form}")
    for before, after in itertools.pairwise(editions):
        if before.parent == after.parent:
            names = [one.relative_to(project / "content").as_posix() for one in (before, after)]
            file = made / f"diff-{before.parent.name}.json"
            yield _job(_on(project, "diff", *names, "--format", "json"), file)
    light = ["--no-print"] if asked.no_print else []
    yield _job(_on(project, "build", "--output", str(made / "site"), *light), made / "build")


def _run(checkout: Path, jobs: Sequence[dict[str, object]]) -> None:
    python = checkout / ".venv/bin/python"
    done = subprocess.run(
        [python, "-P", "-c", DRIVER], input=json.dumps(jobs), text=True, cwd=checkout, capture_output=True
    )
    if done.returncode:
        sys.exit(f"{checkout}: {done.stderr[-2000:]}")


def _report(asked: Namespace, before: Path, after: Path) -> str:
    files = [_files(side / "made", asked) for side in (before, after)]
    both = sorted(files[0].keys() & files[1].keys())
    blank = [re.compile(one) for one in asked.ignore]
    found = {name: _difference(files[0][name], files[1][name], blank, before, after) for name in both}
    differences = {name: difference for name, difference in found.items() if difference}
    lines = [f"same: {len(both) - len(differences)} of {len(both)} files that both checkouts make"]
    count: Counter[str] = Counter()
    for name, difference in differences.items():
        group = re.sub(r"mutated-\d+", "mutated", name).split("/")[0] + Path(name).suffix
        count[group] += 1
        if count[group] <= SHOWN:
            lines.append(f"  {name}: {difference}")
    lines += [f"differ: {number} {group}" for group, number in sorted(count.items())]
    for side, here, there in (("before", *files), ("after", *reversed(files))):
        alone = sorted(here.keys() - there.keys())
        lines.append(f"only {side}: {len(alone)}")
        lines += [f"  {name}" for name in alone[:40]]
    return "\n".join(lines)


def _files(folder: Path, asked: Namespace) -> dict[str, Path]:
    names = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()}
    return {name: path for name, path in names.items() if not any(re.search(one, name) for one in asked.skip)}


def _difference(one: Path, other: Path, blank: Sequence[re.Pattern[str]], before: Path, after: Path) -> str:
    """The first place in which two files differ; empty where they do not."""
    was, now = one.read_bytes(), other.read_bytes()
    if was == now:
        return ""
    if one.suffix == ".pdf":
        return _pages(was, now)
    try:
        texts = [was.decode().replace(str(before), ""), now.decode().replace(str(after), "")]
    except UnicodeDecodeError:
        return f"{len(was)} and {len(now)} bytes"
    for pattern in blank:
        texts = [pattern.sub("", text) for text in texts]
    if texts[0] == texts[1]:
        return ""
    at = next((at for at, (a, b) in enumerate(zip(*texts, strict=False)) if a != b), min(map(len, texts)))
    return " | ".join(repr(text[max(at - 40, 0) : at + 60]) for text in texts)


def _pages(was: bytes, now: bytes) -> str:
    """The first page whose picture differs; empty where only what is not seen does."""
    import pypdfium2

    documents = [pypdfium2.PdfDocument(data) for data in (was, now)]
    if len(documents[0]) != len(documents[1]):
        return f"{len(documents[0])} and {len(documents[1])} pages"
    for number in range(len(documents[0])):
        pages = [document[number].render(scale=RESOLUTION).to_numpy() for document in documents]
        if pages[0].shape != pages[1].shape or (pages[0] != pages[1]).any():
            return f"page {number + 1} looks different"
    return ""
