"""Errors that the command line prints in one line."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rulewright.files.problems import Problem, errors


class UserError(Exception):
    """A request that cannot be met; the message says why and what to do."""


class ContentErrors(UserError):
    """A request that fails because of errors in the content; `problems` are printed before the message."""

    def __init__(self, problems: Sequence[Problem], message: str) -> None:
        super().__init__(message)
        self.problems = problems

    def __reduce__(self) -> tuple[type[ContentErrors], tuple[Sequence[Problem], str]]:
        return type(self), (self.problems, str(self))


def raise_on_errors(problems: Iterable[Problem], message: str) -> None:
    """Raise ContentErrors with a message if some problems are errors."""
    if reasons := errors(problems):
        raise ContentErrors(reasons, message)
