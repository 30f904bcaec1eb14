"""Check of the templates in a project's own folder of the theme."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rulewright.source import syntax
from rulewright.source.problems import File, Place, Problem, kind, shown
from rulewright.source.resources import THEME, host_theme
from rulewright.source.text import CONFLICT

TEMPLATE = kind(
    "template-wrong",
    """A template in the theme's folder of a project, `custom_dir`, is none: a tag is not closed or not known,
    or what it includes or extends is not there.""",
)
_FILTERS = ("url", "script_tag", "policy", "as_written")
"""What templates of the theme may use beside Jinja's own filters."""


def faulty_templates(project: Path, folder: Path) -> Iterator[Problem]:
    """Templates of a project's own that cannot be read as such, or ask for others that are not there."""
    from jinja2 import Environment, TemplateSyntaxError

    reader = Environment(extensions=["jinja2.ext.i18n"])
    reader.filters |= dict.fromkeys(_FILTERS, str)
    theirs = [THEME, *filter(None, [host_theme()])]
    for file in sorted(folder.rglob("*.html")):
        name = Path(os.path.relpath(file, project)).as_posix()
        try:
            text = file.read_text("utf-8")
            if (at := next(syntax.conflicts(text), None)) is not None:
                yield CONFLICT.at(File(name, text).place(at), syntax.CONFLICT, name)
            reader.compile(text)
            is_used = any(os.path.isfile(top / file.relative_to(folder)) for top in theirs)
            for asked, line in _asked(reader.parse(text)) if is_used else ():
                path = asked.removeprefix("material/")  # by which one includes what it overrides
                if not any(os.path.isfile(top / path) for top in (folder, *theirs)):
                    message = f"there is no template {shown(asked, 80)}"
                    yield TEMPLATE.at(Place(name, line), message, name)
        except TemplateSyntaxError as error:
            yield TEMPLATE.at(Place(name, error.lineno), f"this template breaks off: {error.message}", name)
        except (OSError, ValueError) as error:
            yield TEMPLATE.at(Place(name), f"this template cannot be read: {error}", name)


def _asked(tree: Any) -> Iterator[tuple[str, int]]:
    """The templates that one surely asks for, each with its line."""
    from jinja2 import nodes

    for one in tree.find_all((nodes.Extends, nodes.Include, nodes.Import, nodes.FromImport)):
        named = isinstance(one.template, nodes.Const) and isinstance(one.template.value, str)
        if named and not getattr(one, "ignore_missing", False):
            yield one.template.value, one.lineno
