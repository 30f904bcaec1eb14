"""Typst sets every printed page: a template with data and pictures becomes a PDF, or pictures of its pages.

    templates/print/NAME.typ + data as JSON + pictures ──Typst──► PDF/UA-1, to be finished by `finishing`

Content is data alone and never Typst's markup, no file of the machine is read, no font but our own is used,
and a page says no date: the same data give the same bytes everywhere. PDF/UA-1 refuses a sign that the type
lacks, a picture without words and a level of headings left out; here every warning is refused as well.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from rulewright.source.output import within
from rulewright.source.resources import TEMPLATES

FOLDER = TEMPLATES / "print"
MAIN, DATA = "main.typ", "data.json"
INSTALL = "pip install 'rulewright[pdf]'"

STANDARD = "ua-1"

_LACKS = re.compile(r"the text `\"(.*?)\"` could not be displayed", re.DOTALL)
_ESCAPE = re.compile(r"\\u\{([0-9a-f]+)\}|\\(.)")
_ERROR = re.compile(r"^error: (.*)$", re.MULTILINE)


@cache
def missing() -> str:
    """Name a thing missing for printing, with the command that installs it; empty where none is."""
    try:
        import typst  # noqa: F401
    except ImportError:
        return f"Typst, which prints sheets and books, is not installed; to install it: {INSTALL}"
    return ""


class Refused(Exception):
    """Typst cannot set a document. `lacking`: the signs that the type does not have; `told`: all it says."""

    def __init__(
        self, faults: tuple[str, ...], lacking: frozenset[str] = frozenset(), told: str = ""
    ) -> None:
        super().__init__("; ".join(faults))
        self.faults = faults
        self.lacking = lacking
        self.told = told


@dataclass(frozen=True)
class Document:
    """Something to set: a template by its name in `templates/print/`, its data, and pictures by the names
    that the data have for them."""

    template: str
    data: Mapping[str, Any]
    pictures: Mapping[str, bytes] = field(default_factory=dict, repr=False)

    @cached_property
    def files(self) -> Mapping[str, bytes]:
        """Everything that it is made of but for the type: templates, data, pictures."""
        templates = {path.relative_to(FOLDER).as_posix(): path.read_bytes() for path in FOLDER.rglob("*.typ")}
        data = json.dumps(self.data, ensure_ascii=False, sort_keys=True).encode()
        main = templates[self.template]
        return {**self.pictures, **dict(sorted(templates.items())), MAIN: main, DATA: data}

    def pdf(self) -> bytes:
        """Set it as PDF/UA-1. Raises Refused."""
        return bytes(self._made(format="pdf", pdf_standards=[STANDARD]))

    def pages(self, ppi: float) -> list[bytes]:
        """Draw its pages as PNG. Raises Refused."""
        made = self._made(format="png", ppi=ppi)
        return [bytes(one) for one in made] if isinstance(made, list) else [bytes(made)]

    def told(self, label: str) -> list[Any]:
        """Values that the template says of the finished layout, as metadata with a label. Raises Refused."""
        import typst

        try:
            with self._laid_out() as (main, around):
                said = typst.query(main, f"<{label}>", field="value", **around)
        except typst.TypstError as error:
            raise _refused(error) from None
        except RuntimeError as error:
            raise Refused((str(error),)) from None
        return list(json.loads(said))

    @contextmanager
    def _laid_out(self) -> Iterator[tuple[Any, Mapping[str, Any]]]:
        """The files in memory; where there are pictures, which Typst takes from a disk alone, in a folder."""
        if not self.pictures:
            yield dict(self.files), _around()
            return
        with TemporaryDirectory(prefix="rulewright-") as name:
            folder = Path(name).resolve()
            for file, data in self.files.items():
                path = within(folder, file)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(data)
            yield folder / MAIN, {**_around(), "root": folder}

    def _made(self, **how: Any) -> Any:
        import typst

        try:
            with self._laid_out() as (main, around):
                made, warnings = typst.compile_with_warnings(main, **around, **how)
        except typst.TypstError as error:
            raise _refused(error) from None
        if warnings:
            raise Refused(tuple(dict.fromkeys(one.message for one in warnings)))
        return made


@cache
def _around() -> Mapping[str, Any]:
    """Where Typst looks for what is not among a document's files: in our own folder alone."""
    import typst

    return {"root": str(FOLDER), "font_paths": typst.Fonts(False, False, [str(FOLDER / "fonts")])}


def _refused(error: Any) -> Refused:
    diagnostic = str(error.diagnostic or error.message)
    written = {_ESCAPE.sub(_sign, words) for words in _LACKS.findall(diagnostic)}
    faults = _ERROR.findall(diagnostic) or [str(error.message)]
    return Refused(tuple(dict.fromkeys(faults)), frozenset("".join(written)), diagnostic)


def _sign(escape: re.Match[str]) -> str:
    return chr(int(escape[1], 16)) if escape[1] else escape[2]
