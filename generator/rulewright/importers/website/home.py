"""The place of an imported edition: what an earlier import left there, what is the editor's, and the writing.

Everything is put in place at once. Files that are no import's stay.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Container, Mapping
from dataclasses import dataclass, field
from dataclasses import replace as amended
from pathlib import Path, PurePosixPath

from rulewright.checks.examine import examine_folder
from rulewright.citations.redirect_targets import CLASH
from rulewright.importers.website.import_report import ASIDE, data, markdown
from rulewright.importers.website.site import Site
from rulewright.importers.website.site_import import Import, Request, import_site
from rulewright.model.reports import as_json
from rulewright.source.disk import digest
from rulewright.source.folder import CONTENT, RECEIPT, Folder, gather
from rulewright.source.output import kept_in, put
from rulewright.source.problems import Place, Problem, kind
from rulewright.source.refusal import Refusal, Unsound
from rulewright.source.transaction import replace

_LOCK = "references.lock"
_ADDRESS = re.compile(r"""\bfrom:\s*(?:"([^"]*)"|'([^']*)'|([^\s,{}]+))""")
_MOST_ROUNDS = 5


def set_conflicts_aside(made: Import, around: Folder, base: str, replaced: Container[str]) -> None:
    """Set aside what keeps the content from building with an import in it, and enter that in its receipt.

    `base`: the edition's folder; `replaced`: files of it that are the import's own affair.
    """
    assert made.receipt
    told = made.receipt
    before = {_key(problem) for problem in examine_folder(around).problems if problem.fails}
    locks = [f"{base}/{_LOCK}", f"{base.rpartition('/')[0]}/{_LOCK}"]
    for _ in range(_MOST_ROUNDS):
        kept = {n: text for n, text in around.texts.items() if n not in replaced and n not in told.aside}
        texts = {**kept, **made.files}
        others = [*around.others, *made.copies]
        examined = examine_folder(amended(around, texts=texts, others=others))
        wrong = [p for p in examined.problems if p.fails and _key(p) not in before]
        own = made.files.keys() | made.copies.keys()
        told.elsewhere = [problem for problem in wrong if problem.place.file not in own]
        clashing = {_address(problem, texts) for problem in wrong if problem.code == CLASH.code}
        inside = [p for p in told.elsewhere if p.place.file.startswith(f"{base}/")]
        if new := sorted(clashing - {"", *told.clashing}):
            told.clashing += new
            made.leave_out(told.clashing)
        elif set(wrong) & set(examined.drift.problems) and (left := [name for name in locks if name in kept]):
            told.aside |= dict.fromkeys(left, "it keeps what references meant before the import")
        elif inside:
            told.aside |= {p.place.file: f"{p.message} [{p.code}]" for p in reversed(inside)}
        else:
            break


def _key(problem: Problem) -> tuple[str, str, str]:
    return problem.place.file, problem.code, problem.message


def _address(problem: Problem, texts: Mapping[str, bytes]) -> str:
    """The old address that a problem is about."""
    lines = texts.get(problem.place.file, b"").decode("utf-8", "replace").split("\n")
    m = _ADDRESS.search(lines[problem.place.line - 1]) if problem.place.line <= len(lines) else None
    return next(filter(None, m.groups()), "") if m else ""


EDITED = kind(
    "import-would-overwrite",
    """An import would replace a file that it did not write, or that was edited since. Keep your edits
    elsewhere, or
    say --force to lose them.""",
)

_OWN = ("edition.yml", "known.yml", "sequence.yml", "redirects.yml", "rules/", "tables/")
"""The files that an import replaces in a folder that it did not make itself."""


@dataclass
class Home:
    """The folder of an edition in a project. `before`: the files of an earlier import, each with its sum."""

    project: Path
    book: str
    edition: str
    target: Path = field(init=False)
    before: Mapping[str, str] = field(init=False)

    def __post_init__(self) -> None:
        content = self.project / CONTENT
        self.target = kept_in(content, content / self.book / self.edition)
        self.before = _earlier(self.target)

    @property
    def base(self) -> str:
        return f"{CONTENT}/{self.book}/{self.edition}"

    def make(
        self, read: Callable[[Path], Site], folder: Path, wanted: Request, tell: Callable[[int, int], None]
    ) -> Import:
        """Import the pages that are read from a folder. Raises Unsound where nothing can be made."""
        rulebook = self.project / CONTENT / self.book / "rulebook.yml"
        own = self.before.get(f"{CONTENT}/{self.book}/rulebook.yml")
        if rulebook.is_file() and own != _sum(rulebook):
            wanted = amended(wanted, rulebook=rulebook.read_bytes())
        made = import_site(read(folder), wanted, folder.as_posix(), tell)
        if made.refused or made.receipt is None:
            raise Unsound(made.refused, "nothing imported until this is mended")
        around = gather(self.project)
        set_conflicts_aside(made, around, self.base, {name for name in around.texts if self._replaces(name)})
        return made

    def write(self, made: Import, *, force: bool) -> None:
        """Put an import in its place. Raises Unsound where edited files are in the way, and OSError."""
        if (edits := self._edits()) and not force:
            raise Unsound(edits, f"{self.base}/ stays as it is; --force replaces these files")
        assert made.receipt
        sums = {name: digest(content) for name, content in made.files.items()}
        sums |= {name: _sum(path) for name, path in made.copies.items()}
        new: dict[str, bytes | None] = {
            **{name: path.read_bytes() for name, path in made.copies.items()},
            **made.files,
            f"{self.base}/{RECEIPT}.json": as_json(data(made.receipt, sums)).encode(),
            f"{self.base}/{RECEIPT}.md": markdown(made.receipt).encode(),
        }
        left = [name for name in self._there() if self._replaces(name)]
        new |= dict.fromkeys(name for name in (*left, *made.receipt.aside) if name not in new)
        was = {name: path.read_bytes() for name in new if (path := self.project / name).is_file()}
        for name in made.receipt.aside:
            self._set_aside(name, was[name])
        changed = {name: content for name, content in new.items() if content != was.get(name)}
        replace(self.project, changed, was)

    def _there(self) -> dict[str, Path]:
        """The files of the folder, by their names in the project."""
        found = sorted(self.target.rglob("*")) if self.target.is_dir() else []
        return {
            f"{self.base}/{path.relative_to(self.target).as_posix()}": path
            for path in found
            if path.is_file()
        }

    def _edits(self) -> list[Problem]:
        """The files in the way: those that were edited since an earlier import, or that none wrote."""
        found = []
        for name, path in self._there().items():
            own = name.removeprefix(f"{self.base}/")
            if name in self.before and _sum(path) != self.before[name]:
                message = f"{own} was edited since the last import, and the import would replace it"
            elif name not in self.before and own.startswith(_OWN):
                message = f"{own} was not written by an import, and this one would replace it"
            else:
                continue
            found.append(EDITED.at(Place(name), message, name))
        return found

    def _replaces(self, name: str) -> bool:
        """Whether a file is an import's own affair: it wrote it before, or would write one like it."""
        own = name.removeprefix(f"{self.base}/")
        return name in self.before or (own != name and own.startswith((*_OWN, f"{RECEIPT}.")))

    def _set_aside(self, name: str, content: bytes) -> None:
        """Keep a file beside the content. What was set aside before stays; once is enough for the same."""
        there = self.project / ASIDE / name.removeprefix(f"{CONTENT}/")
        count, room = 1, there
        while room.exists() and not (room.is_file() and room.read_bytes() == content):
            count += 1
            room = there.with_name(f"{there.stem}-{count}{there.suffix}")
        put(room, content)


def home_of(project: Path, target: str) -> Home:
    """The place that a folder `content/ocs/4.3` is, which may be named from anywhere. Raises Refusal."""
    path = target.replace("\\", "/").rstrip("/")
    absolute, top = os.path.abspath(path), os.path.abspath(project / CONTENT)
    inside = os.path.relpath(absolute, top).replace(os.sep, "/") if absolute.startswith(top + os.sep) else ""
    parts = PurePosixPath(inside or path.removeprefix(f"{CONTENT}/")).parts
    if len(parts) != 2 or any(part.startswith(".") for part in parts):
        raise Refusal(f"{target} is no edition's folder; name one like {CONTENT}/ocs/4.3")
    return Home(project, *parts)


def _earlier(target: Path) -> Mapping[str, str]:
    try:
        files = json.loads((target / f"{RECEIPT}.json").read_text("utf-8"))["files"]
        return {str(name): str(value) for name, value in files.items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return {}


def _sum(path: Path) -> str:
    return digest(path.read_bytes())
