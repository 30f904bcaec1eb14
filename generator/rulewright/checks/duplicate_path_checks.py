"""Check that each path of the site has one source."""

from __future__ import annotations

from collections.abc import Iterable

from rulewright.checks.check_visitor import LoadedProject, Problems, check
from rulewright.files.content_folder import CONTENT
from rulewright.files.filenames import casefold_path
from rulewright.files.problems import SourceLocation, problem_type, quote_short
from rulewright.references.redirect_targets import generated_paths
from rulewright.references.site_paths import content_page_path

TWICE = problem_type(
    "address-twice",
    """Two files of the content have one address on the site, such as `tips.md` and `tips/index.md`, or one
    has that of a page or file that the site makes of a book; or one lies where the other needs a folder. Only
    one of them could be there.""",
)

_PAGE = "/index.html"


@check(LoadedProject, TWICE)
def check_duplicate_paths(project: LoadedProject, _: object) -> Problems:
    """Report pages and files of the content whose path is that of another file or generated page."""
    held = {casefold_path(path): (path, "") for path in generated_paths(project.index)}
    folders = {folder: path for path in held for folder in _parent_folders(path)}
    pages, files = project.library.pages, project.library.other_files
    unpublished = project.settings.unpublished(name.removeprefix(f"{CONTENT}/") for name in (*pages, *files))
    for name in (*pages, *files):
        own_path = name.removeprefix(f"{CONTENT}/")
        path = f"{content_page_path(name)}{_PAGE}".lstrip("/") if name in pages else own_path
        folded_path = casefold_path(path)
        if own_path in unpublished:
            continue
        above = next((folder for folder in _parent_folders(folded_path) if folder in held), "")
        if source := held.get(folded_path) or held.get(above) or held.get(folders.get(folded_path, "")):
            if casefold_path(source[1]) != casefold_path(name):  # else their names are reported
                yield TWICE.problem(SourceLocation(name), _clash_message(path, *source), name)
            continue
        held[folded_path] = path, name
        folders |= dict.fromkeys(_parent_folders(folded_path), folded_path)


def _clash_message(path: str, other: str, source: str) -> str:
    """Return the message of a clash; `source` is the other file, or empty if the site generates it."""
    url, other_url = (f"/{name.removesuffix('index.html')}" for name in (path, other))
    if casefold_path(path) == casefold_path(other):
        cure = f"{quote_short(source, 80)} too; rename one, or put both in one"
        if not source:
            sort = "page" if other.endswith(_PAGE) else "file"
            cure = f"a {sort} that the site makes; give it another name"
        return f"{quote_short(url, 80)} is the address of {cure}"
    message = f"{quote_short(url, 80)} cannot be there beside {quote_short(other_url, 80)}"
    return f"{message}: one is a file where the other needs a folder; rename it"


def _parent_folders(path: str) -> Iterable[str]:
    """Return the folders of a file, outermost first."""
    return (path[:index] for index, sign in enumerate(path) if sign == "/")
