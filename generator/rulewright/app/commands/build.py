"""`rulewright build`: the site, made by MkDocs, which is asked to keep quiet about it."""

from __future__ import annotations

import argparse
import logging
import os
import sys
import tempfile
import time
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rulewright.app import staging
from rulewright.app.commands import Refused, Usage, has_colour
from rulewright.app.serving import in_short
from rulewright.model.reports import counted, several, text

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig

    from rulewright.site.artifacts import Artifacts

PLUGIN = "rulewright"


def options(parser: argparse.ArgumentParser) -> None:
    parser.description = "Make the site. If that fails, the last good one stays as it was."
    parser.epilog = "example:\n  rulewright build --strict"
    parser.add_argument("--strict", action="store_true", help="a warning is a failure")
    parser.add_argument("--no-print", action="store_true", help="leave the PDFs of aids and rulebooks out")
    parser.add_argument(
        "--output", metavar="DIR", help="where to, a folder that is empty or was built before; else to site/"
    )
    parser.add_argument("-v", "--verbose", action="store_true", help="let MkDocs say what it does")


def run(arguments: argparse.Namespace) -> int:
    """Make the site and say what was made, or what is wrong. 1 where it was not made.

    Raises Usage where it would replace what no build has made.
    """
    begun = time.perf_counter()
    output = str(Path(arguments.output).absolute()) if arguments.output else None
    with listening(arguments.verbose) as heard:
        # Imported here, because Material says something about itself that `listening` knows to prevent.
        from mkdocs.commands.build import build

        config = load(arguments.project, heard, strict=arguments.strict or None, site_dir=output)
        site = Path(config.site_dir)  # which is another folder while a build is under way
        try:
            staging.refuse(site)
        except staging.Taken as taken:
            raise Usage(str(taken)) from None
        config.plugins[PLUGIN].prints = not arguments.no_print  # type: ignore[attr-defined]
        config.plugins.on_startup(command="build", dirty=False)
        try:
            build(config)
            fault = ""
        except faults() as error:
            fault = str(error) or type(error).__name__
        except Exception as error:  # something that a page makes MkDocs or a plugin stumble over
            if isinstance(error, OSError) and error.filename is None:
                error.filename = str(site)  # where MkDocs writes; the system does not always name the file
            if arguments.verbose:
                traceback.print_exception(error)
            fault = in_short(error)
            heard.kept.append(("error", fault))
        finally:
            config.plugins.on_shutdown()
            artifacts = made(config)
            heard.tell(artifacts)
    if fault:
        wrong = any(problem.fails for problem in artifacts.problems)
        left = f"{shown(site)}{os.sep} is as it was" if site.is_dir() else "no site was made"
        print(f"{counted(artifacts.problems) if wrong else fault.rstrip('.')}; {left}.", file=sys.stderr)
        return 1
    print(
        f"{summary(artifacts)}; {time.perf_counter() - begun:.1f} seconds.\nOpen {shown(site / 'index.html')}"
    )
    return 0


def site_files(project: Path, prints: bool) -> dict[str, bytes]:
    """The finished site, every file by its path. Raises Refused where it cannot be made."""
    with tempfile.TemporaryDirectory() as aside, listening(verbose=False) as heard:
        from mkdocs.commands.build import build

        config = load(project, heard, site_dir=str(Path(aside, "site")))
        config.plugins[PLUGIN].prints = prints  # type: ignore[attr-defined]
        config.plugins.on_startup(command="build", dirty=False)
        try:
            build(config)
        except Exception as error:
            fault = str(error) if isinstance(error, faults()) else in_short(error)
            raise Refused(made(config).problems, f"{fault.rstrip('.')}; nothing exported") from None
        finally:
            config.plugins.on_shutdown()
        for level, message in heard.kept:
            print(f"{level}: {message}", file=sys.stderr)
        site = Path(aside, "site")
        paths = (path for path in site.rglob("*") if path.is_file() and path.name != staging.MARK)
        return {path.relative_to(site).as_posix(): path.read_bytes() for path in paths}


class Heard(logging.Handler):
    """Keeps what MkDocs has to say about a build until it is over."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.kept: list[tuple[str, str]] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.kept.append((record.levelname.lower(), record.getMessage()))

    def tell(self, artifacts: Artifacts) -> None:
        """Print the problems of the content as the check does, and whatever else there was."""
        sys.stdout.write(text(artifacts.problems, colour=has_colour(sys.stdout)))
        sys.stdout.flush()
        # The plugin says them as well, for `mkdocs build`.
        said = {f"{p.place}: {p.message} [{p.code}]" for p in artifacts.problems}
        for level, message in self.kept:
            if message not in said:
                print(f"{level}: {message}", file=sys.stderr)
        self.kept.clear()


@contextmanager
def listening(verbose: bool) -> Iterator[Heard]:
    """MkDocs' messages kept in what is yielded; with `verbose` they are also printed as they come."""
    os.environ.setdefault("NO_MKDOCS_2_WARNING", "1")  # Material's announcement of its successor
    log, heard = logging.getLogger("mkdocs"), Heard()
    level, propagate = log.level, log.propagate
    handlers: list[logging.Handler] = [heard]
    if verbose:
        handlers.append(logging.StreamHandler())
    progress = logging.StreamHandler()
    progress.addFilter(lambda record: record.name.endswith(".press") and not verbose)
    handlers.append(progress)
    log.setLevel(logging.INFO)
    log.propagate = False
    for handler in handlers:
        log.addHandler(handler)
    try:
        yield heard
    finally:
        for handler in handlers:
            log.removeHandler(handler)
        log.setLevel(level)
        log.propagate = propagate


def load(project: Path, heard: Heard, **settings: Any) -> MkDocsConfig:
    """The settings of the site. Raises Usage where mkdocs.yml is missing or wrong."""
    from mkdocs.config import load_config

    file = project / "mkdocs.yml"
    if not file.is_file():
        raise Usage(f"{file} is missing; it holds the settings of the site")
    try:
        config = load_config(config_file=str(file), **settings)
    except faults() as error:
        said = "; ".join(message for _, message in heard.kept)
        raise Usage(f"{file}: {said or error}") from None
    if PLUGIN not in config.plugins:
        raise Usage(f"{file} does not name {PLUGIN} among its plugins")
    return config


def faults() -> tuple[type[BaseException], ...]:
    """What MkDocs raises for faults of settings, pages and templates."""
    from jinja2 import TemplateError
    from mkdocs.exceptions import MkDocsException

    return MkDocsException, TemplateError


def made(config: MkDocsConfig) -> Artifacts:
    """What the line made in the last build."""
    return config.plugins[PLUGIN].artifacts  # type: ignore[attr-defined,no-any-return]


def summary(artifacts: Artifacts) -> str:
    """What was made, in words."""
    counts = artifacts.counts
    made = [several(counts.pages, "page"), several(counts.rules, "rule")]
    made.append(f"{several(counts.references, 'reference')} checked")
    return f"{', '.join(made)}, {counted(artifacts.problems)}"


def shown(path: Path) -> str:
    """A path as short as it can be said from here."""
    return str(path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path)
