"""The books of the project itself, read and checked once for all tests of a process."""

from functools import cache

from rulewright.checks.examine import Examined, examine
from run import ROOT


@cache
def library() -> Examined:
    return examine(ROOT)
