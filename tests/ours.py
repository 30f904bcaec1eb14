"""The books of the project itself, read, checked and made into pages once for all tests of a process."""

from collections.abc import Mapping, Sequence
from functools import cache

from rulewright.checks.load_and_check import CheckedProject, load_and_check
from rulewright.render import pages
from rulewright.render.build_artifacts import NavItem, SitePage
from run import ROOT


@cache
def library() -> CheckedProject:
    return load_and_check(ROOT)


@cache
def rendered() -> tuple[Sequence[SitePage], Mapping[str, str | bytes], Sequence[NavItem]]:
    return pages.render_site(library().shelf, library().library)
