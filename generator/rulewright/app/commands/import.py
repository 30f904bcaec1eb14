"""`rulewright import`: what other people keep in other forms, as content. Each form has a file of its own."""

from __future__ import annotations

import argparse
import importlib
from collections.abc import Mapping
from textwrap import fill

FORMS: Mapping[str, str] = {
    "hugo": "a book kept as a Hugo site: its pages, pictures and old addresses",
    "markdown": "a book kept as any folder of Markdown: MkDocs, Docusaurus, files alone",
    "outline": "a sequence of play in plain text, as a sequence.yml with its guesses marked",
}
"""What can be imported. The file of each in this folder is called `import_` and its name."""


def options(parser: argparse.ArgumentParser) -> None:
    parser.description = "Make content of what is kept in another form."
    parser.epilog = "example:\n  rulewright import hugo ../site/content/rules content/ocs/4.3"
    forms = parser.add_subparsers(dest="form", metavar="FORM", required=True)
    how = argparse.RawDescriptionHelpFormatter
    where = "the project's folder, as before the command"
    for name, what in FORMS.items():
        form = forms.add_parser(name, help=what, formatter_class=how, allow_abbrev=False)
        form.add_argument("--project", metavar="DIR", default=argparse.SUPPRESS, help=where)
        module = importlib.import_module(f"rulewright.app.commands.import_{name}")
        module.options(form)
        form.description = fill(form.description or "", 78)
        form.set_defaults(run_form=module.run)


def run(arguments: argparse.Namespace) -> int:
    """Run the import that is asked for."""
    return int(arguments.run_form(arguments))
