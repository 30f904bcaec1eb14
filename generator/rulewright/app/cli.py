"""Command line interface: runs a command and reports errors without a traceback.

Exit codes: 0 no problem, 1 problems found, 2 wrong usage, 130 interrupted. Each module in `commands/` is a
command; its help is part of the documentation.
"""

from __future__ import annotations

import contextlib
import gc
import io
import os
import sys
from collections.abc import Iterator, Sequence
from functools import cache

import click
import click.shell_completion

from rulewright import __version__
from rulewright.app.command_registry import HELP, OUTPUT_OPTIONS, CommandGroup, has_colour
from rulewright.files import atomic_write
from rulewright.files.errors import ContentErrors, UserError

NAME = "rulewright"
COMPLETE = "_RULEWRIGHT_COMPLETE"
"""Environment variable with which a shell requests completion."""

DESCRIPTION = "Keeps a wargame's rulebook as data and publishes it with every reference checked."
HINT = "Run `rulewright COMMAND --help` for options and examples."
PAGE = "content/docs/commands.md"
"""Page to which the help of every command is appended."""

KEYS_PAGE = "content/docs/keys.md"
"""Page to which the reference of all keys is appended."""

WIDTH = 78
"""Width of help on a terminal of 80 columns."""

INTERRUPTED = 128 + 2
PIPE_CLOSED = 128 + 13
"""Exit codes with which a shell reports Ctrl-C (SIGINT) and SIGPIPE."""


def create_program() -> click.Group:
    """Create the command `rulewright` with all subcommands."""
    group = CommandGroup("rulewright.app.commands", help=DESCRIPTION, epilog=HINT, context_settings=HELP)
    return click.version_option(__version__, "-V", "--version", message="%(prog)s %(version)s")(group)


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command line (without the program's name) and return its exit code."""
    OUTPUT_OPTIONS.quiet = False
    # Commands keep most objects until they end, so frequent garbage collection is wasted.
    gc.set_threshold(100_000, 20, 50)
    for stream in (sys.stdout, sys.stderr):
        # Windows code pages lack × and →, and file names can contain any character.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding=None if stream.isatty() else "utf-8", errors="backslashreplace")
    try:
        code = _run(list(sys.argv[1:] if argv is None else argv))
        sys.stdout.flush()
        return code
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        _close_quietly()
        return PIPE_CLOSED
    except OSError as error:
        _close_quietly()
        return _print_error(f"standard output: {atomic_write.describe_os_error(error)}", 2)


def _run(words: list[str]) -> int:
    """Run a command or complete a command line, and report errors."""
    group = create_program()
    try:
        if instruction := os.environ.get(COMPLETE):
            return click.shell_completion.shell_complete(group, {}, NAME, COMPLETE, instruction)
        with group.make_context(NAME, words) as context:  # click's own `main` has other exit codes
            return int(group.invoke(context))
    except click.exceptions.Exit as end:
        return end.exit_code
    except click.exceptions.NoArgsIsHelpError as error:
        error.show()
        return error.exit_code
    except click.UsageError as error:
        hint = f"\n{error.ctx.command_path} --help lists the arguments and options." if error.ctx else ""
        return _print_error(f"{error.format_message()}{hint}", error.exit_code)
    except ContentErrors as error:
        from rulewright.schema.problem_reports import problems_text

        sys.stderr.write(problems_text(error.problems, colour=has_colour(sys.stderr)))
        return _print_error(str(error), 1)
    except UserError as error:
        return _print_error(str(error), 2)
    except BrokenPipeError:
        raise
    except OSError as error:
        return _print_error(atomic_write.describe_os_error(error), 2)


def _print_error(message: str, code: int) -> int:
    print(f"{NAME}: {message}", file=sys.stderr)
    return code


def _close_quietly() -> None:
    """Avoid a BrokenPipeError when the interpreter flushes its streams at exit."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@cache
def command_help() -> str:
    """Return the help of all commands in Markdown, one section per command."""
    group = click.Context(
        create_program(), info_name=NAME, terminal_width=WIDTH, help_option_names=HELP["help_option_names"]
    )
    return "".join(f"\n## {name}\n\n```text\n{help_text}\n```\n" for name, help_text in _iter_help(group))


def _iter_help(context: click.Context) -> Iterator[tuple[str, str]]:
    command = context.command
    title = context.command_path.removeprefix(f"{NAME} ") if context.parent else "All commands"
    yield title, command.get_help(context).strip()
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            if inner := command.get_command(context, name):
                yield from _iter_help(click.Context(inner, parent=context, info_name=name))
