"""The registry of commands: each file in `commands/` is one.

To add `rulewright word`, write `commands/word.py`; nothing else has to know of it. Its docstring is the help:
the first line, a sentence that fits in it, is what `rulewright --help` says of it, what stands from a line
`example:` on is printed as it is. Its function `run`, decorated with `command` and with click's arguments and
options, does the work:

    \"""Count the rules of a book.

    example:
      rulewright count ocs/4.3
    \"""

    @command
    @address()
    def run(project: Path, book: str) -> int:
        print(len(examine(project).outline(book).entries))
        return 0

It gets the folder of the project where it has a parameter `project`, and returns the exit code: 0 all is
well, 1 problems were found. It raises `Refusal` (2: what is asked for cannot be done) or `Unsound` (1: the
content stands in the way). The file is imported only when its command is run. A file that is named after a
word which Python keeps for itself ends in an underscore.
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
from click.shell_completion import CompletionItem

from rulewright.model.problem_reports import set_content_folder
from rulewright.source.content_folder import content_dir, content_folder, parse_address
from rulewright.source.errors import UserError
from rulewright.source.problems import Problem, did_you_mean

F = TypeVar("F", bound=Callable[..., Any])

PROJECT = "the project's folder; else the nearest one above that has mkdocs.yml and content/"


@dataclass
class OutputOptions:
    """How a command line wants to be answered: coloured or not, quietly, or with all that MkDocs says."""

    colour: str = "auto"
    quiet: bool = False
    verbose: bool = False


MANNER = OutputOptions()
"""The manner of the command line that is being run; `main` begins with a new one."""

HELP = {"help_option_names": ["-h", "--help"]}


def _mannered(ctx: click.Context, option: click.Parameter, value: Any) -> None:
    if value:
        setattr(MANNER, "colour" if option.name == "color" else str(option.name), value)


def _common(hidden: bool) -> list[click.Parameter]:
    """Make the options that every command takes; the overview alone lists how it may be answered."""
    mannered: dict[str, Any] = {"callback": _mannered, "expose_value": False, "hidden": hidden}
    quiet = "say only what is wrong, and what a command is asked to print"
    colour = "always or never; else on a terminal, as NO_COLOR and FORCE_COLOR say"
    choice = SuggestingChoice(("auto", "always", "never"))
    return [
        click.Option(["--project"], metavar="DIR", help=PROJECT),
        click.Option(["-q", "--quiet"], is_flag=True, help=quiet, **mannered),
        click.Option(["-v", "--verbose"], is_flag=True, help="say what MkDocs does as well", **mannered),
        click.Option(["--color"], type=choice, metavar="WHEN", help=colour, **mannered),
    ]


class ProjectCommand(click.Command):
    """A command that gets the project where it has a parameter of that name.

    The `obj` of its context is the project that the command line names, if any.
    """

    def __init__(self, *names: Any, **settings: Any) -> None:
        super().__init__(*names, **settings)
        self.params += _common(hidden=True)

    def invoke(self, ctx: click.Context) -> Any:
        ctx.obj = ctx.params.pop("project") or (ctx.parent and ctx.parent.params["project"])
        if self.callback and "project" in inspect.signature(self.callback).parameters:
            ctx.params["project"] = find_project(ctx.obj)
        return super().invoke(ctx)


class CommandGroup(click.Group):
    """The commands in a folder, each a module that is imported when it is run, or for the overview."""

    def __init__(self, package: str, **settings: Any) -> None:
        super().__init__(**settings)
        self.params += _common(hidden=False)
        self.package = package

    def list_commands(self, ctx: click.Context) -> list[str]:
        found = iter_modules(import_module(self.package).__path__)
        return sorted(one.name.rstrip("_") for one in found if not one.name.startswith("_"))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.list_commands(ctx):
            return None
        module = import_module(f"{self.package}.{cmd_name}{'_' * iskeyword(cmd_name)}")
        found: click.Command = module.run
        about, _, example = (module.__doc__ or "").partition("\n\nexample")
        found.help = re.sub(r"\n\n(?=  )", "\n\n\b\n", about)  # lists stay as they are
        found.short_help = about.partition("\n")[0].rstrip(".")
        found.epilog = f"\b\nexample{example}" if example else None
        return found

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        known = self.list_commands(ctx)
        if args[0] not in known and not args[0].startswith("-"):
            raise click.UsageError(f"there is no command {args[0]}{did_you_mean(args[0], known)}", ctx)
        return super().resolve_command(ctx, args)


def command(run: Callable[..., int]) -> click.Command:
    """Make a command of a function, whose module's docstring becomes the help."""
    return click.command(cls=ProjectCommand, context_settings=HELP)(run)


class SuggestingChoice(click.Choice[str]):
    """One of a few words. The answer to another names the nearest."""

    def get_invalid_choice_message(self, value: Any, ctx: click.Context | None) -> str:
        return f"there is no {value}{did_you_mean(str(value), self.choices) or f'; {_or(self.choices)}'}"


class BookParameter(click.ParamType[str]):
    """A book or an edition, `ocs/4.3`. Its folder `content/ocs/4.3/` may be named too."""

    name = "book"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        return parse_address(value)

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        try:
            content = content_folder(find_project(ctx.params.get("project")))
        except UserError:
            return []
        books = (file.parent.relative_to(content).as_posix() for file in content.glob("*/*/edition.yml"))
        return [CompletionItem(book) for book in sorted(books) if book.startswith(incomplete)]


def address_argument(
    name: str = "book", help: str = "ocs/4.3, or ocs for its newest edition", *, required: bool = True
) -> Callable[[F], F]:
    """The argument that names a book or an edition."""
    return click.argument(name, type=BookParameter(), help=help, required=required)


def formats(names: Iterable[str], more: str = "") -> Callable[[F], F]:
    """The option `--format`, whose first name is the usual one. The command has it as `form`."""
    first, *rest = list(names)
    said = f"{_or([f'{first} (the default)', *rest])}{more}"
    return click.option(
        "--format", "form", type=SuggestingChoice([first, *rest]), default=first, metavar="FORMAT", help=said
    )


flag = partial(click.option, is_flag=True)
may_replace = flag(
    "--force", help="replace a file that was not written by this command, or has been edited since"
)


def _or(words: Iterable[str]) -> str:
    *words, last = words
    return f"{', '.join(words)} or {last}" if words else last


def has_colour(stream: TextIO) -> bool:
    """Whether what is printed to a stream may be coloured."""
    if MANNER.colour != "auto":
        return MANNER.colour == "always"
    if os.environ.get("NO_COLOR"):
        return False
    forced = os.environ.get("FORCE_COLOR", "") not in ("", "0")
    return forced or (stream.isatty() and os.environ.get("TERM") != "dumb")


def write_result(content: str, output: str | None, force: bool) -> None:
    """Write what a command made to the file that is named, else to standard output."""
    if output is None:
        sys.stdout.write(content)
    else:
        from rulewright.source.output_files import write_output

        write_output(content, Path(output), force)


def print_notice(said: object, fault: bool = False) -> None:
    """Print a remark to standard error; with `--quiet` only if it is a `fault`."""
    if fault or not MANNER.quiet:
        print(said, file=sys.stderr, flush=True)


def find_project(named: str | None = None) -> Path:
    """The folder that holds `content/`, an interrupted change undone. Raises Refusal."""
    here = Path.cwd()
    project = Path(named) if named else nearest_project(here)
    if project is None:
        lacks = f"neither {here} nor a folder above it has mkdocs.yml and content/"
        begin = "begin one with `rulewright new FOLDER`"
        raise UserError(f"no project here: {lacks}; go to one, name it with --project DIR, or {begin}")
    if not any(_signs(project)):
        raise UserError(f"{named} is no project: it has neither content/ nor mkdocs.yml")
    set_content_folder(Path(os.path.normpath(content_dir(project))).as_posix(), project)
    return project


def nearest_project(folder: Path) -> Path | None:
    """The nearest folder, itself or above, that holds a project."""
    return next((path for path in (folder, *folder.parents) if all(_signs(path))), None)


def _signs(folder: Path) -> list[bool]:
    return [(folder / "mkdocs.yml").is_file(), content_folder(folder).is_dir()]


def print_problems(problems: Iterable[Problem], messages: Iterable[tuple[str, str]]) -> None:
    """Print the problems of a build and its log messages by severity."""
    from rulewright.model.problem_reports import problems_text, with_disk_path

    problems = [*map(with_disk_path, problems)]
    sys.stdout.write(problems_text(problems, colour=has_colour(sys.stdout)))
    sys.stdout.flush()
    # The plugin says them as well, for `mkdocs build`.
    said = {f"{p.place}: {p.message} [{p.code}]" for p in problems}
    for level, message in messages:
        if message not in said:
            print_notice(f"{level}: {message}", fault=True)


def relative_path(path: Path) -> str:
    """A path as short as it can be said from here."""
    return str(path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path)
