"""The command line: finds the project, runs one command, and never answers bad input with a traceback.

Exit codes: 0 all is well, 1 problems were found, 2 the command line is wrong, 130 interrupted.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from textwrap import fill

from rulewright.app.commands import INTERRUPTED, Refused, Usage, has_colour
from rulewright.source import disk
from rulewright.source.problems import did_you_mean
from rulewright.source.transaction import recover
from rulewright.source.turns import Busy

COMMANDS: Mapping[str, str] = {
    "check": "say what is wrong in the books, all at once, with file, line and column",
    "outline": "print a book's sequence of play with every reference verified",
    "table": "print a table of a book as text, Markdown, CSV or JSON",
    "diff": "say what changed from one edition to another",
    "impact": "say what the edits since a git revision touch, and what they break",
    "refs": "find the references in any text and say which rules they mean",
    "dialect": "propose how a book numbers its rules, read from any of its texts",
    "redirects": "tell web servers, or write pages, where a book's old addresses lead",
    "import": "make content of a Hugo site, or of a sequence of play in plain text",
    "renumber": "give rules other numbers, and change all references to them",
    "insert": "make room for a new rule, with all references to those behind it",
    "retire": "let a rule hold no more, keep its address and say what replaced it",
    "accept": "record that references have been read, and what they lead to",
    "schema": "write the JSON Schema that editors' tools complete content from",
    "aids": "print player aids and rulebooks as PDF, and say which printed ones are out of date",
    "export": "write the site's pages as plain HTML, or its inventory, for other sites",
    "inventory": "list what another site's inventory has to link to",
    "preflight": "say whether a PDF is fit for the printer, and all that was looked at",
    "build": "make the site",
    "serve": "make the site and show it, and again after each edit",
}
"""What each command does. Its file in `commands/` is imported only when it is run."""

DESCRIPTION = "Keeps a wargame's rulebook as data and publishes it with every reference checked."
PIPE_CLOSED = 128 + 13  # as a shell reports a program that SIGPIPE ended


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command line (without the program's name) and return its exit code."""
    for stream in (sys.stdout, sys.stderr):
        _prepare(stream)
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
        return _say(f"standard output: {disk.told(error)}", 2)


def _run(words: list[str]) -> int:
    try:
        arguments = _parse(words)
        return int(arguments.run(arguments))
    except SystemExit as end:  # argparse has said what there is to say
        return end.code if isinstance(end.code, int) else 2
    except Refused as refused:
        from rulewright.model.reports import text

        sys.stderr.write(text(refused.problems, colour=has_colour(sys.stderr)))
        return _say(str(refused), 1)
    except Usage as usage:
        return _say(str(usage), 2)
    except Busy as busy:
        return _say(str(busy), 1)
    except BrokenPipeError:
        raise
    except OSError as error:
        return _say(disk.told(error), 2)


def _parse(words: list[str]) -> argparse.Namespace:
    """The arguments of the command that is asked for, with its `run`. Raises Usage and SystemExit."""
    top = _parser("rulewright")
    top.usage = "rulewright [--project DIR] COMMAND [ARGUMENT ...]"
    top.description = DESCRIPTION
    top.epilog = _overview()
    top.add_argument("--version", action="store_true", help="print the version and end")
    top.add_argument("command", nargs="?", help=argparse.SUPPRESS)
    top.add_argument("words", nargs=argparse.REMAINDER, help=argparse.SUPPRESS)
    asked = top.parse_args(words)
    if asked.version:
        print(f"rulewright {_version()}")
        raise SystemExit(0)
    if asked.command is None:
        top.print_help(sys.stderr)
        raise SystemExit(2)
    if asked.command not in COMMANDS:
        raise Usage(f"no command {asked.command}{did_you_mean(asked.command, COMMANDS)}")
    command = importlib.import_module(f"rulewright.app.commands.{asked.command}")
    parser = _parser(f"rulewright {asked.command}")
    command.options(parser)
    parser.description = fill(parser.description or "", 78)
    parse = parser.parse_intermixed_args
    if hasattr(command, "FORMS"):  # options may stand among arguments, but where each form has its own
        _refuse_unknown(asked.words, command.FORMS)
        parse = parser.parse_args
    arguments = parse(asked.words, asked)
    arguments.run = command.run
    if not getattr(command, "NEEDS_PROJECT", True):
        return arguments
    arguments.project = _project(getattr(arguments, "project", None))
    with contextlib.suppress(Busy):
        if said := recover(arguments.project):
            _say(said, 0)
    return arguments


def _refuse_unknown(words: list[str], forms: Iterable[str]) -> None:
    """Raise Usage where the first argument is none of a command's forms."""
    before = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    before.add_argument("--project")
    _, rest = before.parse_known_args(words)
    if rest and not rest[0].startswith("-") and rest[0] not in forms:
        raise Usage(f"there is no {rest[0]}{did_you_mean(rest[0], forms)}")


def _parser(name: str) -> argparse.ArgumentParser:
    """A parser that knows `--project`, which may stand before the command or behind it."""
    how = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(name, formatter_class=how, allow_abbrev=False)
    where = "the project's folder; else the nearest one above that has mkdocs.yml and content/"
    parser.add_argument("--project", metavar="DIR", default=argparse.SUPPRESS, help=where)
    return parser


def _overview() -> str:
    width = max(map(len, COMMANDS))
    lines = "\n".join(f"  {name:{width}}  {what}" for name, what in COMMANDS.items())
    return f"commands:\n{lines}\n\nrulewright COMMAND --help tells more, with an example."


def _project(named: str | None) -> Path:
    """The folder that holds `content/`. Raises Usage where there is none."""
    if named is not None:
        if not (Path(named) / "content").is_dir() and not (Path(named) / "mkdocs.yml").is_file():
            raise Usage(f"{named} is no project: it has neither content/ nor mkdocs.yml")
        return Path(named)
    here = Path.cwd()
    for folder in (here, *here.parents):
        if (folder / "mkdocs.yml").is_file() and (folder / "content").is_dir():
            return folder
    lacks = f"neither {here} nor a folder above it has mkdocs.yml and content/"
    begin = "begin one with a folder content/ and a copy of the mkdocs.yml of Rulewright"
    raise Usage(f"no project here: {lacks}; go to one, name it with --project DIR, or {begin}")


def _version() -> str:
    """The version of the package, as it was installed."""
    from importlib.metadata import version

    return version("rulewright")


def _say(message: str, code: int) -> int:
    print(f"rulewright: {message}", file=sys.stderr)
    return code


def _prepare(stream: object) -> None:
    """Make a stream take any text: Windows' own code pages lack × and →, and file names can hold anything."""
    reconfigure = getattr(stream, "reconfigure", None)
    if reconfigure and not getattr(stream, "isatty", bool)():
        reconfigure(encoding="utf-8", errors="backslashreplace")
    elif reconfigure:
        reconfigure(errors="backslashreplace")


def _close_quietly() -> None:
    """Let the interpreter flush its streams at its end without finding that nobody reads them."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    sys.exit(main())
