"""The books of the project itself, read, checked and rendered once for all tests of a process."""

from functools import cache

from rulewright.checks.load_and_check import CheckedProject, load_and_check
from rulewright.render import pages
from rulewright.render.build_artifacts import Artifacts
from rulewright.render.render_context import RenderContext
from run import ROOT


@cache
def library() -> CheckedProject:
    return load_and_check(ROOT)


@cache
def rendered() -> Artifacts:
    return pages.render_site(RenderContext(library().index), library().library)
