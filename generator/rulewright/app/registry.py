"""The registry of commands: each file in `commands/` is one, and each folder there a group of them.

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
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial, wraps
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import Any, TextIO, TypeVar

import click
from click.shell_completion import CompletionItem

from rulewright.source.folder import CONTENT, address_of
from rulewright.source.problems import Problem, did_you_mean
from rulewright.source.refusal import Refusal
from rulewright.source.transaction import recover
from rulewright.source.turns import Busy

F = TypeVar("F", bound=Callable[..., Any])

PROJECT = "the project's folder; else the nearest one above that has mkdocs.yml and content/"


@dataclass
class Manner:
    """How a command line wants to be answered: whether it is coloured, and quietly."""

    colour: str = "auto"
    quiet: bool = False


MANNER = Manner()
"""The manner of the command line that is being run; `main` begins with a new one."""


def _mannered(ctx: click.Context, option: click.Parameter, value: Any) -> None:
    if value:
        setattr(MANNER, "quiet" if value is True else "colour", value)


class _Helpful(click.Command):
    """A command, or a group of them, whose help ends with an example and which knows what all know.

    `--quiet` and `--color` are told of in the overview only.
    """

    def __init__(self, *names: Any, **settings: Any) -> None:
        super().__init__(*names, **settings)
        self.params.append(click.Option(["--project"], metavar="DIR", help=PROJECT))
        self.params += (
            click.Option([name], callback=_mannered, expose_value=False, **how) for name, how in _ALL.items()
        )

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        for one in self.params:
            if isinstance(one, click.Option) and {*one.opts} & {*_ALL}:
                one.hidden = ctx.parent is not None
        return super().get_params(ctx)

    def explain(self, docstring: str | None) -> None:
        """Take the help from the docstring of a module."""
        self.help, _, lines = (docstring or "").partition("\n\nexample")
        self.epilog = f"example{lines}".rstrip() if lines else ""

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        formatter.write(f"\n{self.epilog}\n" if self.epilog else "")


class Command(_Helpful):
    """A command that is told the project where it has a parameter of that name.

    Its context has as `obj` the project that the command line names, if any.
    """

    def invoke(self, ctx: click.Context) -> Any:
        named, around = ctx.params.pop("project"), ctx.parent
        while around and not named:
            named, around = around.params["project"], around.parent
        ctx.obj = named
        if self.callback and "project" in inspect.signature(self.callback).parameters:
            ctx.params["project"] = find_project(named)
        return super().invoke(ctx)


class Group(_Helpful, click.Group):
    """The commands in a folder. None is imported until it is run; what the overview says of each is read."""

    def __init__(self, package: str, **settings: Any) -> None:
        super().__init__(package, **settings)
        self.package = package
        module = import_module(package)
        self.explain(module.__doc__)
        self.sections: Mapping[str, str] = getattr(module, "SECTIONS", {})
        self.gone: Mapping[str, str] = getattr(module, "GONE", {})
        self.folder = Path(str(module.__file__)).parent
        files = [*self.folder.glob("[!_]*.py"), *self.folder.glob("[!_]*/__init__.py")]
        tops = [(file.relative_to(self.folder).parts[0], file) for file in files]
        self.files = {top.removesuffix(".py").rstrip("_").replace("_", "-"): file for top, file in tops}
        self.commands = {name: click.Command(name) for name in self.files}  # as names; see `get_command`

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if (file := self.files.get(cmd_name)) is None:
            if cmd_name in self.gone and not ctx.resilient_parsing:
                raise Refusal(self.gone[cmd_name])
            return None
        name = f"{self.package}.{file.relative_to(self.folder).parts[0].removesuffix('.py')}"
        if file.name == "__init__.py":
            return Group(name)
        module = import_module(name)
        module.run.explain(module.__doc__)
        return module.run  # type: ignore[no-any-return]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        said = dict(self.summaries())
        sections = [(title, names.split()) for title, names in self.sections.items()]
        listed = {name for _, names in sections for name in names}
        rest = [name for name in said if name not in listed]
        for title, names in [*sections, ("More" if sections else "Commands", rest)]:
            if rows := [(name, said[name]) for name in names if name in said]:
                with formatter.section(title):
                    formatter.write_dl(rows, col_max=max(map(len, said)))
        formatter.write(f"\n{ctx.command_path} COMMAND --help tells more, with an example.\n")

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        found = [(name, said) for name, said in self.summaries() if name.startswith(incomplete)]
        options = click.Command.shell_complete(self, ctx, incomplete)
        return [*(CompletionItem(name, help=said) for name, said in found), *options]

    def summaries(self) -> Iterator[tuple[str, str]]:
        """The name of each command and the first line of its docstring."""
        for name, file in sorted(self.files.items()):
            with open(file, encoding="utf-8") as lines:
                yield name, lines.readline().strip().strip('"').rstrip(".")


def command(run: Callable[..., int]) -> click.Command:
    """Make a command of a function, whose module's docstring becomes the help."""
    return click.command(cls=Command)(run)


class OneOf(click.Choice[str]):
    """One of a few words. Another is answered with the nearest, and one that is `gone` with what is left."""

    def __init__(self, choices: Sequence[str], gone: Mapping[str, str] = MappingProxyType({})) -> None:
        super().__init__(choices)
        self.gone = gone

    def get_invalid_choice_message(self, value: Any, ctx: click.Context | None) -> str:
        if instead := self.gone.get(str(value)):
            return instead
        return f"there is no {value}{did_you_mean(str(value), self.choices) or f'; {_or(self.choices)}'}"


_ALL: dict[str, dict[str, Any]] = {
    "--quiet": {"is_flag": True, "help": "say only what is wrong, and what a command is asked to print"},
    "--color": {
        "type": OneOf(("auto", "always", "never")),
        "metavar": "WHEN",
        "help": "always or never; else where a terminal shows it and NO_COLOR is not set",
    },
}
"""The options that every command takes beside `--project`."""


class Book(click.ParamType[str]):
    """A book or an edition, `ocs/4.3`. Its folder `content/ocs/4.3/` may be named too."""

    name = "book"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        return address_of(value)

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        try:
            content = find_project(ctx.params.get("project")) / CONTENT
        except Refusal:
            return []
        books = (file.parent.relative_to(content).as_posix() for file in content.glob("*/*/edition.yml"))
        return [CompletionItem(book) for book in sorted(books) if book.startswith(incomplete)]


def address(
    name: str = "book", help: str = "ocs/4.3, or ocs for its newest edition", *, required: bool = True
) -> Callable[[F], F]:
    """The argument that names a book or an edition."""
    return click.argument(name, type=Book(), help=help, required=required)


def formats(
    names: Iterable[str], more: str = "", gone: Mapping[str, str] = MappingProxyType({})
) -> Callable[[F], F]:
    """The option `--format`, whose first name is the usual one. The command has it as `form`."""
    first, *rest = list(names)
    said = f"{_or([f'{first} (the default)', *rest])}{more}"
    return click.option(
        "--format", "form", type=OneOf([first, *rest], gone), default=first, metavar="FORMAT", help=said
    )


flag = partial(click.option, is_flag=True)
may_replace = flag(
    "--force", help="replace a file that was not written by this command, or has been edited since"
)


def writes(run: Callable[..., str | tuple[str, int]]) -> Callable[..., int]:
    """Make a command of a function that returns what it made, perhaps with the exit code.

    It is written to the file that is named, else to standard output.
    """

    @click.option("--output", metavar="FILE", help="write to this file instead of printing")
    @may_replace
    @wraps(run)
    def written(*, output: str | None, force: bool, **given: Any) -> int:
        made = run(**given)
        content, code = (made, 0) if isinstance(made, str) else made
        show(content, output, force)
        return code

    return written


def _or(words: Iterable[str]) -> str:
    *words, last = words
    return f"{', '.join(words)} or {last}" if words else last


def has_colour(stream: TextIO) -> bool:
    """Whether what is printed to a stream may be coloured."""
    if MANNER.colour != "auto":
        return MANNER.colour == "always"
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def show(content: str, output: str | None, force: bool) -> None:
    """Write what a command made to the file that is named, else to standard output."""
    if output is None:
        sys.stdout.write(content)
    else:
        from rulewright.source.output import deliver

        deliver(content, Path(output), force)


def remark(said: object, fault: bool = False) -> None:
    """Say something to whoever watches, and not to whoever reads what the command made.

    With `--quiet` only a `fault` is said.
    """
    if fault or not MANNER.quiet:
        print(said, file=sys.stderr, flush=True)


def find_project(named: str | None = None) -> Path:
    """The folder that holds `content/`, an interrupted change undone. Raises Refusal."""
    here = Path.cwd()
    project = Path(named) if named else project_around(here)
    if project is None:
        lacks = f"neither {here} nor a folder above it has mkdocs.yml and content/"
        begin = "begin one with `rulewright new FOLDER`"
        raise Refusal(f"no project here: {lacks}; go to one, name it with --project DIR, or {begin}")
    if not any(_signs(project)):
        raise Refusal(f"{named} is no project: it has neither content/ nor mkdocs.yml")
    with suppress(Busy):
        if said := recover(project):
            remark(f"rulewright: {said}", fault=True)
    return project


def project_around(folder: Path) -> Path | None:
    """The nearest folder, itself or above, that holds a project."""
    return next((one for one in (folder, *folder.parents) if all(_signs(one))), None)


def _signs(folder: Path) -> list[bool]:
    return [(folder / "mkdocs.yml").is_file(), (folder / CONTENT).is_dir()]


def tell(problems: Iterable[Problem], messages: Iterable[tuple[str, str]]) -> None:
    """Print the problems of a build as the check does, and what else there was, by how grave it is."""
    from rulewright.model.reports import text

    problems = [*problems]
    sys.stdout.write(text(problems, colour=has_colour(sys.stdout)))
    sys.stdout.flush()
    # The plugin says them as well, for `mkdocs build`.
    said = {f"{p.place}: {p.message} [{p.code}]" for p in problems}
    for level, message in messages:
        if message not in said:
            remark(f"{level}: {message}", fault=True)


def shown(path: Path) -> str:
    """A path as short as it can be said from here."""
    return str(path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path)
