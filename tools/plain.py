#!/usr/bin/env python3
"""Lint for plain names and plain English, standard library only.

    plain.py [PATH ...]         lint files and folders; by default the program, its docs and its templates
    plain.py --compare [REV]    report only what the working tree adds to a git revision; exit code 1 if anything
    plain.py --summary          print counts only          --only a,c    report some classes only

Without REV, --compare takes the commit where a branch left main, and on main the commit before the last.
Classes: a names   b duplicate names of classes, modules and public functions   c docstrings   d structure
         e docs, templates, messages
A line that ends in `# plain: ok` is skipped. Listed words are frequent here and almost absent in MkDocs and Beancount.
"""

from __future__ import annotations

import argparse
import ast
import io
import re
import subprocess
import sys
import tarfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

DEFAULT_PATHS = ("generator", "content/docs", "templates", "README.md", ".github/CONTRIBUTING.md")
SKIPPED_FOLDERS = {".git", ".venv", "node_modules", "vendor", "tests", "__pycache__", "experiments"}
MAX_FUNCTION_LINES, MAX_HELPER_LINES = 60, 3

# Class a: names that do not say which thing they hold.
PRIVATE_NAMES = set(
    """one told said made kept found shown given own at there here now was were where every each olds news near
    desk wishes behind aside beside besides among around meant wanted sure alone apart bare alike theirs ours mine
    what why whole thing things looks ways goes_on gone come tops mend mended lacks heir heirs remark remarks named
    called listed written through within again others then most least heads making judged examined excused cued
    asked parted lone so such""".split()
)
PRIVATE_FUNCTIONS = PRIVATE_NAMES | set(
    """of in_order in_turn along as_told once placed moved drawn counted tamed set_out walked taken put_in lies_in
    follows followed forth passes rises begins goes stands leads arranged settled settle tell tells dressed sit_down
    beneath below between""".split()
)
PRIVATE_CLASSES = set(
    """Shown Said Told Laid Along Kept Made Given Named Placed Desk Shelf Heir Heirs Drift Memory Memories Making
    Dress Wishes Manner Heard Ways Stand Standing Spot Seen Asked Looked Marked Refused Taken Lack Examined Checked
    Aside Away Look Elsewhere Outside Short Played Refusal Unsound Fate Past""".split()
)

# Classes c and e: turns of phrase that readers have to decode.
PRIVATE_PHRASES = re.compile(
    r"""\b(?:(?:is|are|be|was|were|been)\ told(?!\ to\b) | tells?\ (?:of|in|what|when|so)\b | told\ of | as\ told
    | stands?\ (?:in|at|on|behind|before|beside|below|above|there|here) | stood\ (?:in|at|there) | (?:so|thus|it)\ stands?
    | (?:right\ )?behind\ (?:it|that|them|the|a|an|its|each)\b | lies?\ (?:in|on|ahead|behind|aside|beside|below|apart)
    | lay\ in | what\ is\ no\b | (?:that|which)\ (?:is|are)\ none | where\ none\ (?:is|are|was) | none\ of\ (?:its|ours)\b
    | is\ said\ (?:in|of|here) | anew | whoever | whomever | but\ for\ (?:those|that|the|its|what|such)\b | be\ it\b
    | may\ be\ had | is\ to\ be\ had | of\ today | gone\ through | come\ to\ (?:a|the)\ (?:step|stop)\b | our\ own | of\ ours
    | of\ our\ own | held\ against | passed\ over | in\ the\ place\ of | out\ come | parted\ (?:from|by)\b
    | of\ (?:a|that|which)\ sort | (?:every|which)\ sort | besides\ there | ought | shall\ (?:be|stand|replace) | written\ over
    | else\ nothing | else\ it\ | a\ line\ each | each\ once | at\ one\ stroke)""",
    re.IGNORECASE | re.VERBOSE,
)
WEAK_OPENING = re.compile(
    r"(?:What|Those|The same|A thing that|That which|It is|Who|Where|How|Of which|Some)\b"
)

# Class e: calls whose string arguments people read.
MESSAGE_CALLS = set(
    "at kind key many Problem Refusal Unsound UserError ContentErrors echo remark print_notice".split()
)
MESSAGE_CALLS |= set(
    "warning error info print problem problem_type field_key list_field mapping_field".split()
)
HELP_KEYWORDS = {"help", "message", "meaning", "description", "epilog"}
HIDDEN = re.compile(
    r"```.*?```|~~~.*?~~~|<(script|style)\b.*?</\1>|\{#.*?#\}|\{%.*?%\}|\{\{.*?\}\}|<!--.*?-->", re.DOTALL
)

COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


class Finding(NamedTuple):
    path: str
    line: int
    code: str
    text: str


def is_linted(path: str) -> bool:
    is_skipped = SKIPPED_FOLDERS & set(Path(path).parts) or path.endswith("_test.py") or "CHANGELOG" in path
    return path.endswith((".py", ".md", ".html", ".rst")) and not is_skipped


def read_folders(roots: Iterable[str]) -> dict[str, str]:
    paths = [path for root in roots for path in [Path(root), *sorted(Path(root).rglob("*"))]]
    return {
        str(path): path.read_text("utf-8", "replace")
        for path in paths
        if path.is_file() and is_linted(str(path))
    }


def read_revision(revision: str, roots: list[str]) -> dict[str, str]:
    output = subprocess.run(
        ["git", "archive", revision, "--", *roots], check=True, capture_output=True
    ).stdout
    with tarfile.open(fileobj=io.BytesIO(output)) as archive:
        members = [member for member in archive if member.isfile() and is_linted(member.name)]
        return {
            member.name: archive.extractfile(member).read().decode("utf-8", "replace") for member in members
        }


def lint(files: dict[str, str]) -> Iterator[Finding]:
    definitions: dict[str, list[Finding]] = defaultdict(list)
    for path, text in files.items():
        if not path.endswith(".py"):
            yield from lint_prose(path, text)
            continue
        try:
            module = ast.parse(text)
        except SyntaxError:
            continue
        skipped_lines = {
            number for number, line in enumerate(text.split("\n"), 1) if line.endswith("# plain: ok")
        }
        for check in (lint_names, lint_docstrings, lint_structure, lint_messages):
            yield from (finding for finding in check(path, module) if finding.line not in skipped_lines)
        if not path.endswith("__.py"):
            definitions[Path(path).name].append(Finding(path, 1, "b module", Path(path).name))
        for node in ast.walk(module):
            if isinstance(node, ast.ClassDef):
                definitions[node.name].append(Finding(path, node.lineno, "b class", node.name))
        for node in module.body:
            if (
                isinstance(node, FUNCTIONS)
                and not node.name.startswith("_")
                and node.name not in ("main", "run")
            ):
                definitions[node.name].append(Finding(path, node.lineno, "b function", node.name))
    for places in definitions.values():
        yield from places if len(places) > 1 else ()


def lint_names(path: str, module: ast.Module) -> Iterator[Finding]:
    for node in ast.walk(module):
        if isinstance(node, ast.ClassDef):
            if node.name.strip("_") in PRIVATE_CLASSES:
                yield Finding(path, node.lineno, "a class", node.name)
            for field in node.body:
                target = getattr(field, "target", None)
                if isinstance(target, ast.Name) and target.id.strip("_") in PRIVATE_NAMES:
                    yield Finding(path, field.lineno, "a field", f"{node.name}.{target.id}")
        elif isinstance(node, FUNCTIONS):
            if node.name.strip("_") in PRIVATE_FUNCTIONS:
                yield Finding(path, node.lineno, "a function", node.name)
            for argument in [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]:
                if argument.arg in PRIVATE_NAMES:
                    yield Finding(path, argument.lineno, "a parameter", f"{node.name}({argument.arg})")
        elif isinstance(node, (ast.Name, ast.Attribute)) and isinstance(node.ctx, ast.Store):
            name = node.id if isinstance(node, ast.Name) else node.attr
            if name.strip("_") in PRIVATE_NAMES:
                yield Finding(
                    path, node.lineno, "a variable" if isinstance(node, ast.Name) else "a attribute", name
                )


def lint_docstrings(path: str, module: ast.Module) -> Iterator[Finding]:
    for node in ast.walk(module):
        text = ast.get_docstring(node) if isinstance(node, (ast.Module, ast.ClassDef, *FUNCTIONS)) else None
        if not text:
            continue
        line = node.body[0].lineno
        if WEAK_OPENING.match(text):
            yield Finding(path, line, "c opening", " ".join(text.split()[:6]))
        if word_stems(text) and word_stems(text) <= word_stems(getattr(node, "name", "")):
            yield Finding(path, line, "c repeats name", text)
        yield from (Finding(path, line, "c phrase", phrase) for phrase in private_phrases(text))


def word_stems(text: str) -> set[str]:
    words = [word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+", text)]
    return {word[:4] for word in words if word not in ("a", "an", "the", "of", "its")}


def private_phrases(text: str) -> list[str]:
    flat = " ".join(re.sub(r"`[^`]*`", "`", text).split())
    return [match.group().strip().lower() for match in PRIVATE_PHRASES.finditer(flat)]


def lint_structure(path: str, module: ast.Module) -> Iterator[Finding]:
    uses = Counter(getattr(node, "id", getattr(node, "attr", "")) for node in ast.walk(module))
    for node in ast.walk(module):
        if isinstance(node, COMPREHENSIONS):
            inner = [child for child in ast.walk(node) if child is not node]
            if len(node.generators) > 2 or any(isinstance(child, COMPREHENSIONS) for child in inner):
                yield Finding(path, node.lineno, "d nested comprehension", ast.unparse(node)[:60])
            if any(isinstance(child, ast.IfExp) for child in inner):
                yield Finding(path, node.lineno, "d conditional in comprehension", ast.unparse(node)[:60])
        elif isinstance(node, FUNCTIONS):
            length = (node.end_lineno or 0) - node.lineno + 1
            if length > MAX_FUNCTION_LINES:
                yield Finding(path, node.lineno, "d long function", f"{node.name}: {length} lines")
            statements = node.body[1:] if ast.get_docstring(node) else node.body
            lines = (node.end_lineno or 0) - statements[0].lineno + 1 if statements else 0
            is_helper = (
                node.name.startswith("_") and not node.name.startswith("__") and not node.decorator_list
            )
            if is_helper and lines <= MAX_HELPER_LINES and uses[node.name] == 1:
                yield Finding(path, node.lineno, "d helper called once", f"{node.name}: {lines} lines")


def lint_messages(path: str, module: ast.Module) -> Iterator[Finding]:
    """Check the strings that users see: problems, exceptions, help."""
    if "/commands/" in path and (help_text := ast.get_docstring(module)):
        yield from (Finding(path, 1, "e help", phrase) for phrase in private_phrases(help_text))
    for node in (node for node in ast.walk(module) if isinstance(node, ast.Call)):
        function = getattr(node.func, "attr", getattr(node.func, "id", ""))
        arguments = [keyword.value for keyword in node.keywords if keyword.arg in HELP_KEYWORDS]
        if function in MESSAGE_CALLS or function.endswith(("Error", "Exception")):
            arguments += node.args
        for phrase in private_phrases(". ".join(map(literal, arguments))):
            yield Finding(path, node.lineno, "e message", phrase)


def literal(node: ast.AST) -> str:
    """Return the constant text of an expression, with `…` for each inserted value."""
    if isinstance(node, ast.Constant):
        return str(node.value)
    if isinstance(node, (ast.JoinedStr, ast.IfExp, ast.BinOp)):
        return " ".join(literal(child) for child in ast.iter_child_nodes(node))
    return "…" if isinstance(node, ast.FormattedValue) else ""


def lint_prose(path: str, text: str) -> Iterator[Finding]:
    """Check Markdown and the visible text of templates, line by line."""
    visible = re.sub(r"<[^<>]*>|\]\([^)]*\)", blank_lines, HIDDEN.sub(blank_lines, text))
    for number, line in enumerate(visible.split("\n"), 1):
        yield from (Finding(path, number, "e prose", phrase) for phrase in private_phrases(line))


def blank_lines(match: re.Match[str]) -> str:
    return " " + "\n" * match.group().count("\n")


def added_findings(new: Iterable[Finding], old: Iterable[Finding]) -> Iterator[Finding]:
    """Yield the findings that are new, ignoring moved lines and files."""
    remaining = Counter((finding.code, finding.text) for finding in old)
    for finding in new:
        remaining[finding.code, finding.text] -= 1
        if remaining[finding.code, finding.text] < 0:
            yield finding


def find_base() -> str | None:
    """Return the commit to compare with: the merge base with main, or on main the commit before the last."""
    head = git("rev-parse", "HEAD")
    for branch in ("origin/main", "main"):
        base = git("merge-base", "HEAD", branch)
        if base and base != head:
            return base
    return git("rev-parse", "--verify", "--quiet", "HEAD^")


def git(*arguments: str) -> str | None:
    """Return what git prints, or None if it fails."""
    result = subprocess.run(["git", *arguments], capture_output=True, text=True)
    return result.stdout.strip() if result.returncode == 0 else None


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("paths", nargs="*")
    parser.add_argument("--compare", metavar="REV", nargs="?", const="")
    parser.add_argument("--summary", action="store_true")
    parser.add_argument("--only", default="abcde")
    options = parser.parse_args()
    roots = options.paths or [path for path in DEFAULT_PATHS if Path(path).exists()]
    files = read_folders(roots)
    findings = sorted(lint(files))
    if options.compare is not None:
        revision = options.compare or find_base()
        if revision is None:
            print("no earlier commit to compare with", file=sys.stderr)
            return 0
        findings = list(added_findings(findings, lint(read_revision(revision, roots))))
    findings = [finding for finding in findings if finding.code[0] in options.only]
    for finding in [] if options.summary else findings:
        print(f"{finding.path}:{finding.line}: {finding.code}: {finding.text}")
    for code, count in sorted(Counter(finding.code for finding in findings).items()):
        print(f"{count:6} {code}", file=sys.stderr)
    lines = sum(text.count("\n") for text in files.values())
    rate = 1000 * len(findings) / max(lines, 1)
    print(
        f"{len(findings):6} in {len(files)} files of {lines:,} lines: {rate:.1f} per 1,000", file=sys.stderr
    )
    return 1 if options.compare is not None and findings else 0


if __name__ == "__main__":
    sys.exit(main())
