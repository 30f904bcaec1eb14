"""`rulewright export`: the books in other forms than the site. Each form has a file of its own."""

from __future__ import annotations

import argparse
import importlib
from collections.abc import Mapping
from textwrap import fill

FORMS: Mapping[str, tuple[str, str]] = {
    "pages": ("pages", "the pages as plain HTML, for another site engine"),
    "inventory": ("pages", "only the inventory, by which other sites link to the rules"),
    "zip": ("zip", "the whole site to unpack and open from a disk"),
    "epub": ("epub", "an edition as a book for e-readers"),
    "headers": ("headers", "what a server is to send with the site, by which browsers hold pages to it"),
}
"""What can be exported: the file of each in this folder, behind `export_`, and what it is."""


def options(parser: argparse.ArgumentParser) -> None:
    parser.description = "Write the books in another form than the site."
    parser.epilog = "example:\n  rulewright export zip rules.zip"
    forms = parser.add_subparsers(dest="what", metavar="FORM", required=True)
    how = argparse.RawDescriptionHelpFormatter
    where = "the project's folder, as before the command"
    for name, (file, what) in FORMS.items():
        form = forms.add_parser(name, help=what, formatter_class=how, allow_abbrev=False)
        form.add_argument("--project", metavar="DIR", default=argparse.SUPPRESS, help=where)
        module = importlib.import_module(f"rulewright.app.commands.export_{file}")
        module.options(form)
        form.description = fill(form.description or "", 78)
        form.set_defaults(run_form=module.run)


def run(arguments: argparse.Namespace) -> int:
    """Write the form that is asked for."""
    return int(arguments.run_form(arguments))
