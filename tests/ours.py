"""The books of the project itself, read, checked and made into pages once for all tests of a process."""

from collections.abc import Mapping, Sequence
from functools import cache

from rulewright.checks.examine import Examined, examine
from rulewright.site import pages
from rulewright.site.artifacts import Branch, Page
from run import ROOT


@cache
def library() -> Examined:
    return examine(ROOT)


@cache
def rendered() -> tuple[Sequence[Page], Mapping[str, str | bytes], Sequence[Branch]]:
    return pages.render(library().shelf, library().library)
