"""`rulewright import hugo`: a book kept as a Hugo site becomes an edition, with a receipt for every word."""

from __future__ import annotations

import argparse
import gc
import hashlib
import json
import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from rulewright.app.commands import Refused, Usage, has_colour, kept_in
from rulewright.model.reports import as_json, several, text
from rulewright.source.disk import write
from rulewright.source.folder import CONTENT, RECEIPT
from rulewright.source.problems import Place, Problem, kind
from rulewright.source.transaction import replace

if TYPE_CHECKING:
    from rulewright.importers.website.receipt.receipt import Receipt
    from rulewright.importers.website.site.site import Site
    from rulewright.importers.website.site_import import Import

EDITED = kind(
    "import-would-overwrite",
    """An import would replace a file that it did not write, or that was edited since. Keep your edits
    elsewhere, or
    say --force to lose them.""",
)

_OWN = ("edition.yml", "known.yml", "sequence.yml", "redirects.yml", "rules/", "tables/")
"""What an import replaces in a folder that it did not make itself."""

_ASIDE = "set-aside"
"""The folder, beside that of the content, where files go that an import leaves no place for."""

_MOST_QUIET = 50
_SHOWN = 12


def options(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Make an edition of a book that is kept as a Hugo site. Every word of the source is accounted for in "
        f"{RECEIPT}.md and {RECEIPT}.json beside the edition, with each broken link and each guess. Nothing "
        "is written unless all of it is made, and files that were edited since the last import are never "
        "replaced without --force."
    )
    parser.epilog = (
        "examples:\n  rulewright import hugo ../site content/ocs/4.3\n"
        "  rulewright import hugo ../site/content/rules/ocs-4.3 content/ocs/4.3 --at rules/ocs-4.3\n"
        "  rulewright import hugo ../site content/mygame/2 --dialect '1.A.1' --dry-run"
    )
    parser.add_argument(
        "path", metavar="PATH", help="the site's top folder, or the folder of one of its sections"
    )
    parser.add_argument(
        "--at",
        metavar="ADDRESS",
        default="",
        help="where the site shows a section that is imported without its site: rules/ocs-4.3",
    )
    common(parser)


def common(parser: argparse.ArgumentParser) -> None:
    """The options of every import of pages."""
    parser.add_argument("target", metavar="TARGET", help="the edition's folder, content/BOOK/EDITION")
    parser.add_argument("--book", metavar="TITLE", default="", help="the book's title; else the site's own")
    parser.add_argument(
        "--edition", metavar="NAME", default="", help="what the edition is called; else its folder's name"
    )
    parser.add_argument(
        "--dialect", metavar="EXAMPLE", action="append", default=[],
        help="how the book numbers its rules, by example: 1.1a(A); may be given again. Else it is guessed",
    )  # fmt: skip
    parser.add_argument(
        "--force", action="store_true", help="replace files that were edited, or that no import wrote"
    )
    parser.add_argument("--dry-run", action="store_true", help="write nothing; print the report")
    parser.add_argument(
        "--no-excuses", action="store_true",
        help="leave what is wrong in the source to the check; else edition.yml excuses it",
    )  # fmt: skip


def run(arguments: argparse.Namespace) -> int:
    """Import the book. 1 where a word is lost or the site cannot be read. Raises Usage, Refused and
    OSError."""
    from rulewright.importers.website.site.hugo_site import read_site

    return make(arguments, lambda folder: read_site(folder, arguments.at))


def make(arguments: argparse.Namespace, read: Callable[[Path], Site]) -> int:
    """Make an edition of the pages that are read. 1 where a word is lost or nothing can be made of them."""
    from rulewright.importers.website.conflicts import set_conflicts_aside
    from rulewright.importers.website.site_import import Request, import_site
    from rulewright.source.folder import gather

    project: Path = arguments.project
    book, edition = _target(arguments.target, project)
    folder = Path(arguments.path)
    target = kept_in(project / CONTENT, project / CONTENT / book / edition)
    before = _earlier(target)
    rulebook = project / CONTENT / book / "rulebook.yml"
    name = f"{CONTENT}/{book}/rulebook.yml"
    is_own = before.get(name) == (_sum(rulebook) if rulebook.is_file() else "")
    kept = rulebook.read_bytes() if rulebook.is_file() and not is_own else None
    wanted = Request(
        book, edition, arguments.book, arguments.edition, arguments.dialect, kept, not arguments.no_excuses
    )
    # A long book is a million small things that all stay; looking for garbage among them takes long.
    gc.disable()
    try:
        made = import_site(read(folder), wanted, folder.as_posix(), _progress())
    finally:
        gc.enable()
    if made.refused or made.receipt is None:
        raise Refused(made.refused, "nothing imported until this is mended")
    base = f"{CONTENT}/{book}/{edition}"
    around = gather(project)
    set_conflicts_aside(
        made, around, base, {name for name in around.texts if _is_replaced(name, base, before)}
    )
    if arguments.dry_run:
        from rulewright.importers.website.receipt.receipt import markdown

        sys.stdout.write(markdown(made.receipt))
        return 1 if made.receipt.lost else 0
    if (edits := _edits(target, before, book, edition)) and not arguments.force:
        raise Refused(edits, f"{_shown(target, project)} stays as it is; --force replaces these files")
    _write(made, project, target, before)
    _tell(made.receipt, _shown(target, project))
    return 1 if made.receipt.lost else 0


def _target(value: str, project: Path) -> tuple[str, str]:
    """The book and the edition of a folder `content/ocs/4.3`, which may be named from anywhere."""
    path = value.replace("\\", "/").rstrip("/")
    absolute, top = os.path.abspath(path), os.path.abspath(project / CONTENT)
    inside = os.path.relpath(absolute, top).replace(os.sep, "/") if absolute.startswith(top + os.sep) else ""
    parts = PurePosixPath(inside or path.removeprefix(f"{CONTENT}/")).parts
    if len(parts) != 2 or any(part.startswith(".") for part in parts):
        raise Usage(f"{value} is no edition's folder; name one like {CONTENT}/ocs/4.3")
    return parts[0], parts[1]


def _shown(target: Path, project: Path) -> str:
    return f"{target.relative_to(project).as_posix()}/"


def _progress() -> Callable[[int, int], None]:
    """Shows how far the reading has got, where there is much to read and someone watches."""

    def show(count: int, whole: int) -> None:
        if whole > _MOST_QUIET and (count % 25 == 0 or count == whole):
            if sys.stderr.isatty():
                sys.stderr.write(f"\rpage {count} of {whole}{chr(10) if count == whole else ''}")
            elif count % 100 == 0 or count == whole:
                sys.stderr.write(f"page {count} of {whole}\n")
            sys.stderr.flush()

    return show


def _earlier(target: Path) -> Mapping[str, str]:
    """The files of an earlier import, from its receipt, each with its sum."""
    try:
        files = json.loads((target / f"{RECEIPT}.json").read_text("utf-8"))["files"]
        return {str(name): str(value) for name, value in files.items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return {}


def _edits(target: Path, before: Mapping[str, str], book: str, edition: str) -> list[Problem]:
    """The files in the way: those that were edited since an earlier import, or that none wrote."""
    base = f"{CONTENT}/{book}/{edition}/"
    there = {
        f"{base}{path.relative_to(target).as_posix()}": path
        for path in sorted(target.rglob("*"))
        if path.is_file()
    }
    found = []
    for name, path in there.items():
        own = name.removeprefix(base)
        if name in before and _sum(path) != before[name]:
            message = f"{own} was edited since the last import, and the import would replace it"
        elif name not in before and own.startswith(_OWN):
            message = f"{own} was not written by an import, and this one would replace it"
        else:
            continue
        found.append(EDITED.at(Place(name), message, name))
    return found


def _sum(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _write(made: Import, project: Path, target: Path, before: Mapping[str, str]) -> None:
    """Put everything in place at once. Files that are no import's stay."""
    from rulewright.importers.website.receipt.receipt import data, markdown

    assert made.receipt
    base = f"{target.relative_to(project).as_posix()}/"
    sums = {name: hashlib.sha256(content).hexdigest() for name, content in made.files.items()}
    sums |= {name: _sum(path) for name, path in made.copies.items()}
    new: dict[str, bytes | None] = {
        **{name: path.read_bytes() for name, path in made.copies.items()},
        **made.files,
        f"{base}{RECEIPT}.json": as_json(data(made.receipt, sums)).encode(),
        f"{base}{RECEIPT}.md": markdown(made.receipt).encode(),
    }
    for path in sorted(target.rglob("*")) if target.is_dir() else []:
        name = f"{base}{path.relative_to(target).as_posix()}"
        if path.is_file() and name not in new and _is_replaced(name, base.rstrip("/"), before):
            new[name] = None
    new |= dict.fromkeys(name for name in made.receipt.aside if name not in new)
    was = {name: (project / name).read_bytes() for name in new if (project / name).is_file()}
    for name in made.receipt.aside:
        _set_aside(project, name, was[name])
    replace(project, {name: content for name, content in new.items() if content != was.get(name)}, was)


def _set_aside(project: Path, name: str, data: bytes) -> None:
    """Keep a file of the content beside it. What was set aside before stays; once is enough for the same."""
    there = project / _ASIDE / name.removeprefix(f"{CONTENT}/")
    count, room = 1, there
    while room.exists() and not (room.is_file() and room.read_bytes() == data):
        count += 1
        room = there.with_name(f"{there.stem}-{count}{there.suffix}")
    room.parent.mkdir(parents=True, exist_ok=True)
    write(room, data)


def _is_replaced(name: str, base: str, before: Mapping[str, str]) -> bool:
    """Whether a file is an import's own affair: it wrote it before, or would write one like it."""
    own = name.removeprefix(f"{base}/")
    return name in before or (own != name and own.startswith((*_OWN, f"{RECEIPT}.")))


def _counted(count: int, names: str, *more: str) -> str:
    """How many of what: `1 page`, `3 links recovered`."""
    return " ".join([several(count, names.removesuffix("s")), *more])


def _tell(receipt: Receipt, target: str) -> None:
    """What was made, in few lines: counts on standard output, what needs a look on standard error."""
    counts = receipt.counts
    words = sum(account.words for account in receipt.accounts)
    told = ", ".join(_counted(count, *name.split(maxsplit=1)) for name, count in counts.items() if count)
    print(f"{target}: {told}")
    print(f"{several(words, 'word')}: {len(receipt.lost)} lost. Numbers {receipt.dialect}.")
    sys.stderr.write(text(receipt.problems, colour=has_colour(sys.stderr)))
    for judged in receipt.wrong()[:_SHOWN]:
        link = judged.link
        place = f"{judged.page.file.name}:{link.line}:{link.column}"
        leads = f", leads to {judged.leads}" if judged.leads else ""
        leads += f", {judged.fault}" if judged.fault else ""
        says = f"says {judged.says}{leads}" if judged.says else f"“{judged.text}”{leads}"
        print(f"{place}: link {judged.verdict}: {says}; {judged.proposal}", file=sys.stderr)
    if (more := len(receipt.wrong()) - _SHOWN) > 0:
        print(f"and {more} more links like these", file=sys.stderr)
    for word, page, lines in receipt.lost[:_SHOWN]:
        print(
            f"{page.file.name}:{lines[0]}: lost: “{word}”, here or in another of its places", file=sys.stderr
        )
    for name, why in receipt.aside.items():
        print(f"{name}: set aside in {_ASIDE}/: {why}", file=sys.stderr)
    if receipt.clashing:
        print(f"old addresses that lead elsewhere, left out: {len(receipt.clashing)}", file=sys.stderr)
    sys.stderr.write(text(receipt.elsewhere[:_SHOWN], colour=has_colour(sys.stderr)))
    guesses = (
        several(len(receipt.guesses), "guess")
        if len(receipt.guesses) == 1
        else f"{len(receipt.guesses)} guesses"
    )
    problems = several(len(receipt.checked), "problem")
    print(f"{guesses} and {problems} to look at: {target}{RECEIPT}.md", file=sys.stderr)
