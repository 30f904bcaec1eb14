"""The programs that give a second opinion: Ghostscript's inkcov, and pdffonts and pdfinfo of Poppler.

The only file that starts other programs. A program that is not there is a warning with what installs it.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from rulewright.model import faults
from rulewright.model.paper import MM
from rulewright.print.preflight.expected import Expected
from rulewright.print.preflight.findings import Finding
from rulewright.print.preflight.geometry import Page, number_of
from rulewright.source.problems import shown

PATIENCE = 300
"""How many seconds a program may take."""

GHOSTSCRIPT = ("gs", "gswin64c", "gswin32c")
INSTALLS: Mapping[str, Mapping[str, str]] = {
    "Ghostscript": {
        "linux": "apt install ghostscript",
        "darwin": "brew install ghostscript",
        "win32": "winget install ArtifexSoftware.GhostScript",
    },
    "Poppler": {
        "linux": "apt install poppler-utils",
        "darwin": "brew install poppler",
        "win32": "winget install oschwartz10612.Poppler",
    },
}

INKS = re.compile("^" + r"\s*(\d+\.\d+)" * 4 + r"\s+CMYK OK", re.MULTILINE)
COVERED = 0.00001
"""The least part of a page that Ghostscript can say is covered: it prints five digits."""

ROUNDED = 0.1
"""How many mm pdfinfo may be off: it prints points with few digits."""


@dataclass(frozen=True, slots=True)
class Opinion:
    """What a program says: its words, or the fault that kept it from saying any. `tool` is its maker."""

    tool: str
    words: str | None
    fault: Finding | None = None


def asked(pdf: bytes, expected: Expected) -> Mapping[str, Opinion]:
    """The opinions of the programs, by name: inkcov where a sheet is for black alone, pdffonts, pdfinfo."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "sheet.pdf"
        file.write_bytes(pdf)
        questions: dict[str, tuple[str, Sequence[str], list[str]]] = {
            "pdffonts": ("Poppler", ("pdffonts",), [str(file)]),
            "pdfinfo": ("Poppler", ("pdfinfo",), ["-box", "-f", "1", "-l", "-1", str(file)]),
        }
        if expected.ink == "black":
            options = ["-q", "-dSAFER", "-dBATCH", "-dNOPAUSE", "-o", "-", "-sDEVICE=inkcov", "-r100"]
            questions["inkcov"] = ("Ghostscript", GHOSTSCRIPT, [*options, str(file)])
        with ThreadPoolExecutor() as side_by_side:
            return dict(
                zip(questions, side_by_side.map(lambda one: _ask(*one), questions.values()), strict=True)
            )


def _ask(tool: str, names: Sequence[str], arguments: Sequence[str]) -> Opinion:
    program = next(filter(None, map(shutil.which, names)), None)
    if program is None:
        install = INSTALLS[tool].get(sys.platform, INSTALLS[tool]["linux"])
        message = f"no second opinion from {tool}, which is not installed; to install it: {install}"
        return Opinion(tool, None, Finding(faults.TOOL, message, subject=tool))
    try:
        result = subprocess.run(
            [program, *arguments],
            capture_output=True,
            timeout=PATIENCE,
            stdin=subprocess.DEVNULL,
            env={**os.environ, "LC_ALL": "C"},
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        message = f"{tool} gave no opinion: {shown(str(error), 100)}"
        return Opinion(tool, None, Finding(faults.TOOL, message, subject=tool))
    words = result.stdout.decode("utf-8", "replace")
    if result.returncode != 0:
        said = shown(result.stderr.decode("utf-8", "replace") or words, 100)
        return Opinion(tool, None, Finding(faults.DISAGREE, f"{tool} cannot read it: {said}", subject=tool))
    return Opinion(tool, words)


def missing(opinions: Mapping[str, Opinion]) -> Iterator[Finding]:
    """What kept a program from giving its opinion, once for each maker."""
    yield from {opinion.tool: opinion.fault for opinion in opinions.values() if opinion.fault}.values()


def inks(opinions: Mapping[str, Opinion]) -> Iterator[Finding]:
    """Pages on which Ghostscript sees cyan, magenta or yellow."""
    opinion = opinions.get("inkcov")
    if opinion is None or opinion.words is None:
        return
    for number, found in enumerate(INKS.finditer(opinion.words), 1):
        amounts = dict(zip("CMY", map(float, found.groups()), strict=False))
        if seen := [f"{ink} on {100 * part:.3f} %" for ink, part in amounts.items() if part >= COVERED]:
            message = f"Ghostscript sees {', '.join(seen)} of the page; this sheet is for black alone"
            yield Finding(faults.DISAGREE, message, number, subject="inks")


def fonts(opinions: Mapping[str, Opinion]) -> Iterator[Finding]:
    """Fonts that Poppler does not find in the PDF."""
    opinion = opinions.get("pdffonts")
    if opinion is None or opinion.words is None:
        return
    for line in opinion.words.splitlines()[2:]:
        # From the right, because a name may have spaces in it: emb sub uni object ID.
        parts = line.split()
        if len(parts) >= 6 and parts[-5] == "no" and "Type 3" not in line:
            message = f"Poppler does not find the font {shown(line[:36].strip())} in it; embed it"
            yield Finding(faults.DISAGREE, message, subject=line)


def pages(opinions: Mapping[str, Opinion], own: Sequence[Page], expected: Expected) -> Iterator[Finding]:
    """Where Poppler counts other pages, measures another trim, or sees no tags."""
    opinion = opinions.get("pdfinfo")
    if opinion is None or opinion.words is None:
        return
    words = opinion.words
    counted = re.search(r"^Pages:\s+(\d+)", words, re.MULTILINE)
    if counted and int(counted[1]) != len(own):
        message = f"Poppler counts {counted[1]} pages, and we count {len(own)}"
        yield Finding(faults.DISAGREE, message, subject="pages")
    if expected.tagged and not re.search(r"^Tagged:\s+yes", words, re.MULTILINE):
        yield Finding(faults.DISAGREE, "Poppler sees no tags in it", subject="tags")
    box = re.compile(r"^Page\s+(\d+) TrimBox:" + r"\s+(-?\d+\.\d+)" * 4, re.MULTILINE)
    for found in box.finditer(words):
        number, edges = int(found[1]), [float(edge) * MM["pt"] for edge in found.groups()[1:]]
        if number > len(own):
            continue
        have = sorted((edges[2] - edges[0], edges[3] - edges[1]))
        page = own[number - 1]
        unit = number_of(page.source.get("/UserUnit"), 1.0)
        if any(abs(a * unit - b) > ROUNDED for a, b in zip(have, sorted(page.size), strict=True)):
            message = f"Poppler measures a trim of {have[0]:.1f} x {have[1]:.1f} mm"
            yield Finding(faults.DISAGREE, message, number, subject="trim")
