"""Problems as text, as GitHub annotations and as JSON.

Each report function takes the problems in order and the suppressed ones, and returns the whole text.
"""

from __future__ import annotations

import json
import os
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from rulewright.files.content_folder import CONTENT
from rulewright.files.problems import Problem, Severity, single_line
from rulewright.schema.rulebook import Suppression

Suppressed = Sequence[tuple[Problem, "Suppression"]]
Report = Callable[[Sequence[Problem], Suppressed], str]

_COLOURS = {Severity.ERROR: "\x1b[31m", Severity.WARNING: "\x1b[33m", Severity.NOTE: "\x1b[36m"}
_PLAIN = "\x1b[0m"
_GITHUB = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "notice"}


_content_folder = CONTENT
_project = Path()


def set_content_folder(folder: str, project: Path = _project) -> None:
    """Set the project that reports are about, and the folder in it that has the content."""
    global _content_folder, _project
    _content_folder, _project = folder, project


def _repository_path(file: str) -> str:
    """Return the path of a project's file from the top of its repository, else from the current folder."""
    project = _project.resolve()
    workspace = os.environ.get("GITHUB_WORKSPACE")
    folders = [Path(workspace).resolve()] if workspace else []
    folders += [folder for folder in (project, *project.parents) if (folder / ".git").exists()]
    top = next((f for f in [*folders, Path.cwd()] if project.is_relative_to(f)), project)
    return Path(os.path.relpath(project / file, top)).as_posix()


def with_disk_path(problem: Problem) -> Problem:
    """Return a problem that names files by their paths on disk."""
    if _content_folder == CONTENT:
        return problem
    place, message = problem.place, problem.message.replace(f"{CONTENT}/", f"{_content_folder}/")
    if place.file.startswith(f"{CONTENT}/"):
        place = replace(place, file=f"{_content_folder}{place.file.removeprefix(CONTENT)}")
    return replace(problem, place=place, message=message)


def problems_text(problems: Sequence[Problem], suppressed: Suppressed = (), *, colour: bool = False) -> str:
    """Return one line per problem: `file:line:column: error: message [code]`.

    Suppressed problems come last, with their reasons.
    """
    text = ""
    for problem in problems:
        severity = f"{_COLOURS[problem.severity]}{problem.severity}{_PLAIN}" if colour else problem.severity
        text += f"{_line(problem, severity)}\n"
    for problem, suppression in suppressed:
        text += f"{_line(problem, 'excused')}; reason: {single_line(suppression.reason)}\n"
    return text


def _line(problem: Problem, severity: str) -> str:
    problem = with_disk_path(problem)
    place, message = single_line(str(problem.place)), single_line(problem.message)
    return f"{place}: {severity}: {message} [{problem.code}]"


def problems_github(problems: Sequence[Problem], suppressed: Suppressed = ()) -> str:
    """Return one workflow command per problem, which GitHub shows at its line, without suppressed ones."""
    lines = []
    for problem in map(with_disk_path, problems):
        place = problem.place
        location = f"file={_property(_repository_path(place.file))},line={place.line},col={place.column}"
        annotation = f"title={_property(problem.code)}::{_data(problem.message)}"
        lines.append(f"::{_GITHUB[problem.severity]} {location},{annotation}\n")
    return "".join(lines)


def problems_json(problems: Sequence[Problem], suppressed: Suppressed = ()) -> str:
    """Return a JSON object with the lists `problems` and `excused`."""
    suppressed_objects = [_object(problem) | to_dict(reason, "reason") for problem, reason in suppressed]
    return to_json_text({"problems": [*map(_object, problems)], "excused": suppressed_objects})


FORMATS: Mapping[str, Report] = {"text": problems_text, "github": problems_github, "json": problems_json}
"""The formats of a check, by the name that `--format` takes."""


def count_by_severity(problems: Sequence[Problem], suppressed: Suppressed = ()) -> str:
    """Return the number of problems by severity in words: `1 error, 2 warnings; 1 excused`."""
    numbers = Counter(problem.severity for problem in problems)
    words = ", ".join(plural(numbers[severity], severity) for severity in Severity if numbers[severity])
    return (words or "no problems") + (f"; {len(suppressed)} excused" if suppressed else "")


def join_some(names: Sequence[str], limit: int = sys.maxsize) -> str:
    """Return names as part of a sentence, at most `limit`: 5.3, 5.5 and 4 more."""
    more = len(names) - limit
    names = [*names[:limit], f"{more} more"] if more > 0 else names
    return " and ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))


def plural(count: int, noun: str) -> str:
    """Return a number with its noun: `1 rule`, `545 rules`."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def to_json_text(value: object) -> str:
    """Return a value as indented JSON with a final line end; other objects as strings."""
    return json.dumps(value, ensure_ascii=False, indent=2, default=str) + "\n"


def to_dict(source: object, always: str = "", stated: str = "") -> dict[str, Any]:
    """Return attributes of an object as a dict: `always`, and `stated` unless empty.

    Both list names, `key=attribute` for another key.
    """
    values = {key: getattr(source, name or key) for key, _, name in _pairs(always)}
    return values | {key: value for key, _, name in _pairs(stated) if (value := getattr(source, name or key))}


def _pairs(names: str) -> Iterator[tuple[str, str, str]]:
    return (name.partition("=") for name in names.split())


def _object(problem: Problem) -> dict[str, object]:
    problem = with_disk_path(problem)
    return to_dict(problem.place, "file line column") | to_dict(
        problem, "severity code message about=subject"
    )


def _data(words: str) -> str:
    """Return words escaped for a workflow command."""
    return words.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(words: str) -> str:
    """Return a property escaped for a workflow command, where colons and commas would end it."""
    return _data(words).replace(":", "%3A").replace(",", "%2C")
