"""MkDocs, asked to make the site and to keep quiet about it."""

from __future__ import annotations

import logging
import os
import tempfile
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rulewright.app import staged_build
from rulewright.app.command_registry import MANNER, print_notice, print_problems
from rulewright.app.dev_server import error_summary, faults, logged
from rulewright.model.problem_reports import count_by_severity, plural
from rulewright.source.content_folder import docs_dir
from rulewright.source.errors import ContentErrors, UserError
from rulewright.source.mkdocs_settings import has_setting

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig

    from rulewright.site.build_artifacts import Artifacts

PLUGIN = "rulewright"


@dataclass(frozen=True, slots=True)
class BuildOutcome:
    """A build. `fault`: empty where none was; `published`: with --strict too where only printing failed."""

    site: Path
    artifacts: Artifacts
    fault: str
    published: bool


def build_site(
    project: Path,
    output: Path | None = None,
    *,
    strict: bool = False,
    prints: bool = True,
    verbose: bool = False,
) -> BuildOutcome:
    """Make the site and tell what is wrong. Raises Refusal where a folder of others is in its place."""
    with capture_log(verbose) as heard:
        config = load_mkdocs_config(
            project, heard, strict=strict or None, site_dir=str(output) if output else None
        )
        site = Path(config.site_dir)
        staged_build.check_target(site)
        fault = _build(config, heard, prints, verbose)
        heard.report(last_artifacts(config))
        return BuildOutcome(site, last_artifacts(config), fault, config.plugins[PLUGIN].published)  # type: ignore[attr-defined]


def site_files(project: Path, prints: bool) -> dict[str, bytes]:
    """The finished site, every file by its path. Raises Unsound where it cannot be made."""
    with tempfile.TemporaryDirectory() as aside, capture_log(verbose=False) as heard:
        site = Path(aside, "site")
        config = load_mkdocs_config(project, heard, site_dir=str(site))
        if fault := _build(config, heard, prints):
            raise ContentErrors(last_artifacts(config).problems, f"{fault.rstrip('.')}; nothing exported")
        for level, message in heard.kept:
            print_notice(f"{level}: {message}", fault=True)
        paths = (path for path in site.rglob("*") if path.is_file() and path.name != staged_build.MARK)
        return {path.relative_to(site).as_posix(): path.read_bytes() for path in paths}


def _build(config: MkDocsConfig, heard: LogCapture, prints: bool, verbose: bool = False) -> str:
    """Let MkDocs build. What stopped it, in a sentence; empty where nothing did."""
    from mkdocs.commands.build import build

    site = config.site_dir  # which is another folder while a build is under way
    config.plugins[PLUGIN].prints = prints  # type: ignore[attr-defined]
    config.plugins.on_startup(command="build", dirty=False)
    try:
        build(config)
    except faults() as error:
        return error_summary(error)
    except Exception as error:  # something that a page makes MkDocs or a plugin stumble over
        if isinstance(error, OSError) and error.filename is None:
            error.filename = site  # where MkDocs writes; the system does not always name the file
        if verbose:
            traceback.print_exception(error)
        fault = error_summary(error)
        heard.kept.append(("error", fault))
        return fault
    finally:
        config.plugins.on_shutdown()
    return ""


class LogCapture(logging.Handler):
    """Keeps what MkDocs has to say about a build until it is over."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.kept: list[tuple[str, str]] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.kept.append((record.levelname.lower(), record.getMessage()))

    def report(self, artifacts: Artifacts) -> None:
        print_problems(artifacts.problems, self.kept)
        self.kept.clear()


@contextmanager
def capture_log(verbose: bool) -> Iterator[LogCapture]:
    """Capture MkDocs' log messages; with `verbose` print them as they come."""
    os.environ.setdefault("NO_MKDOCS_2_WARNING", "1")  # Material's announcement of its successor
    log, heard = logging.getLogger("mkdocs"), LogCapture()
    level, propagate = log.level, log.propagate
    printed = logging.StreamHandler()
    printed.addFilter(lambda record: verbose or (record.name.endswith(".press") and not MANNER.quiet))
    handlers = heard, printed
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


def pages_folder(project: Path) -> dict[str, str]:
    """Return the setting `docs_dir` for MkDocs if mkdocs.yml does not have it."""
    if has_setting(project, "docs_dir"):
        return {}
    return {"docs_dir": str((project / docs_dir(project)).absolute())}


def load_mkdocs_config(project: Path, heard: LogCapture, **settings: Any) -> MkDocsConfig:
    """The settings of the site. Raises Refusal where mkdocs.yml is missing or wrong."""
    from mkdocs.config import load_config

    file = project / "mkdocs.yml"
    if not file.is_file():
        raise UserError(f"{file} is missing; it holds the settings of the site")
    try:
        config = load_config(config_file=str(file), **pages_folder(project), **settings)
    except faults() as error:
        said = logged(heard.kept)
        raise UserError(f"{file}: {said or error_summary(error)}") from None
    except Exception as error:  # of a tag or a plugin, or where MkDocs takes one sort of value for another
        raise UserError(f"{file}: {error_summary(error)}") from None
    if PLUGIN not in config.plugins:
        raise UserError(f"{file} does not name {PLUGIN} among its plugins")
    return config


def last_artifacts(config: MkDocsConfig) -> Artifacts:
    """The artifacts of the last build."""
    return config.plugins[PLUGIN].artifacts  # type: ignore[attr-defined,no-any-return]


def build_summary(artifacts: Artifacts) -> str:
    """The counts of a build, in words."""
    counts = artifacts.counts
    made = f"{plural(counts.pages, 'page')}, {plural(counts.rules, 'rule')}"
    made = f"{made}, {plural(counts.references, 'reference')}"
    return made if artifacts.deferred_problems else f"{made} checked, {count_by_severity(artifacts.problems)}"


def report_printing(config: MkDocsConfig) -> str:
    """Tells under `serve` when PDFs are made, or what they lack."""
    serving = config.plugins[PLUGIN].serving  # type: ignore[attr-defined]
    if lacks := serving and serving.press and serving.press.missing_dependency:
        return f"no PDFs, since {lacks}"
    return "PDFs are made when they are asked for"


def unprinted_message(artifacts: Artifacts) -> str:
    """A sentence that names the sheets without a PDF; empty where all were printed."""
    if not (names := artifacts.unprinted):
        return ""
    return f"{plural(len(names), 'sheet')} not printed, for the reasons above: {', '.join(names)}."
