"""Registry of commands: each module in `commands/` is a command.

To add `rulewright word`, write `commands/word.py`. Its docstring is the help: the first line is a sentence
for `rulewright --help`, and everything from a line `example:` on is printed unchanged. Its function `run`,
decorated with `command` and click's arguments and options, runs the command:

    \"""Count the rules of a book.

    example:
      rulewright count ocs/4.3
    \"""

    @command
    @address_argument()
    def run(project: Path, book: str) -> int:
        print(len(load_and_check(project).outline(book).entries))
        return 0

A parameter `project` receives the project folder. The function returns the exit code, 0 or 1 (problems
found), or raises `UserError` (exit code 2) or `ContentErrors` (1). A module named after a Python keyword ends
in an underscore.
"""

from __future__ import annotations

import inspect
import os
import re
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from keyword import iskeyword
from pathlib import Path
from pkgutil import iter_modules
from typing import Any, TextIO, TypeVar

import click

from rulewright.files.content_folder import content_dir, content_folder, parse_address
from rulewright.files.errors import UserError
from rulewright.files.problems import Problem
from rulewright.schema.problem_reports import set_content_folder

F = TypeVar("F", bound=Callable[..., Any])

PROJECT = "project folder; default: the nearest parent folder with mkdocs.yml and content/"


@dataclass
class OutputOptions:
    """Options of the command line for its output."""

    quiet: bool = False


OUTPUT_OPTIONS = OutputOptions()
"""Options of the running command; reset by `main`."""

HELP = {"help_option_names": ["-h", "--help"]}


def _set_quiet(ctx: click.Context, option: click.Parameter, value: bool) -> None:
    OUTPUT_OPTIONS.quiet = OUTPUT_OPTIONS.quiet or value


def _common_options(hidden: bool) -> list[click.Parameter]:
    """Create the options of every command; `hidden` omits --quiet from its help."""
    quiet = click.Option(
        ["-q", "--quiet"], is_flag=True, callback=_set_quiet, expose_value=False, hidden=hidden
    )
    quiet.help = "print only results and problems"
    return [click.Option(["--project"], metavar="DIR", help=PROJECT), quiet]


class ProjectCommand(click.Command):
    """A command that passes the project folder to a parameter `project`.

    The `obj` of its context is the value of `--project`, if any.
    """

    def __init__(self, *names: Any, **settings: Any) -> None:
        super().__init__(*names, **settings)
        self.params += _common_options(hidden=True)

    def invoke(self, ctx: click.Context) -> Any:
        ctx.obj = ctx.params.pop("project") or (ctx.parent and ctx.parent.params["project"])
        if self.callback and "project" in inspect.signature(self.callback).parameters:
            ctx.params["project"] = find_project(ctx.obj)
        return super().invoke(ctx)


class CommandGroup(click.Group):
    """The commands in a package; their modules are imported on demand."""

    def __init__(self, package: str, **settings: Any) -> None:
        super().__init__(**settings)
        self.params += _common_options(hidden=False)
        self.package = package

    def list_commands(self, ctx: click.Context) -> list[str]:
        modules = iter_modules(import_module(self.package).__path__)
        return sorted(module.name.rstrip("_") for module in modules if not module.name.startswith("_"))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.list_commands(ctx):
            return None
        module = import_module(f"{self.package}.{cmd_name}{'_' * iskeyword(cmd_name)}")
        subcommand: click.Command = module.run
        about, _, example = (module.__doc__ or "").partition("\n\nexample")
        subcommand.help = re.sub(r"\n\n(?=  )", "\n\n\b\n", about)  # keep lists unwrapped
        subcommand.short_help = about.partition("\n")[0].rstrip(".")
        subcommand.epilog = f"\b\nexample{example}" if example else None
        return subcommand


def command(run: Callable[..., int]) -> click.Command:
    """Decorate the function of a command."""
    return click.command(cls=ProjectCommand, context_settings=HELP)(run)


def address_argument(
    name: str = "book", help: str = "ocs/4.3, or ocs for its newest edition", *, required: bool = True
) -> Callable[[F], F]:
    """Create the argument for a book or an edition."""
    return click.argument(
        name, callback=lambda ctx, param, value: value and parse_address(value), help=help, required=required
    )


def formats(names: Iterable[str], more: str = "") -> Callable[[F], F]:
    """Create the option `--format` with the parameter `form`; the first name is the default."""
    first, *rest = names
    help_text = f"{', '.join([f'{first} (the default)', *rest])}{more}"
    return click.option(
        "--format", "form", type=click.Choice([first, *rest]), default=first, metavar="FORMAT", help=help_text
    )


flag = partial(click.option, is_flag=True)
may_replace = flag("--force", help="also replace files that were edited or not written by this command")


def has_colour(stream: TextIO) -> bool:
    """Return whether output to a stream is coloured."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def print_notice(notice: object, fault: bool = False) -> None:
    """Print a notice to standard error; with `--quiet` only if it is a `fault`."""
    if fault or not OUTPUT_OPTIONS.quiet:
        print(notice, file=sys.stderr, flush=True)


def find_project(folder: str | None = None) -> Path:
    """Return the project folder. Raises UserError if there is none."""
    current_folder = Path.cwd()
    project = Path(folder) if folder else nearest_project(current_folder)
    if project is None:
        reason = f"neither {current_folder} nor a parent folder has mkdocs.yml and content/"
        cure = "change to one, name it with --project DIR, or run `rulewright new FOLDER`"
        raise UserError(f"no project here: {reason}; {cure}")
    if not any(_project_files(project)):
        raise UserError(f"{folder} is not a project: it has neither content/ nor mkdocs.yml")
    set_content_folder(Path(os.path.normpath(content_dir(project))).as_posix(), project)
    return project


def new_project_folder(folder: str | None) -> Path | None:
    """Return the folder for a new project: the named or the current one, if it is new or empty."""
    path = Path(folder) if folder else Path.cwd()
    if not folder and nearest_project(path):
        return None
    is_free = not path.exists() or (path.is_dir() and all(p.name.startswith(".") for p in path.iterdir()))
    return path if is_free else None


def nearest_project(folder: Path) -> Path | None:
    """Return the nearest project folder: the folder itself or a parent."""
    return next((path for path in (folder, *folder.parents) if all(_project_files(path))), None)


def _project_files(folder: Path) -> list[bool]:
    return [(folder / "mkdocs.yml").is_file(), content_folder(folder).is_dir()]


def print_problems(problems: Iterable[Problem], messages: Iterable[tuple[str, str]]) -> None:
    """Print the problems of a build and its log messages by severity."""
    from rulewright.schema.problem_reports import problems_text, with_disk_path

    problems = [*map(with_disk_path, problems)]
    sys.stdout.write(problems_text(problems, colour=has_colour(sys.stdout)))
    sys.stdout.flush()
    # The plugin logs them as well, for `mkdocs build`.
    logged_lines = {f"{p.place}: {p.message} [{p.code}]" for p in problems}
    for level, message in messages:
        if message not in logged_lines:
            print_notice(f"{level}: {message}", fault=True)


def relative_path(path: Path) -> str:
    """Return a path relative to the current folder, if it is inside."""
    return str(path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path)
