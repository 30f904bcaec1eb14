"""Run MkDocs and capture its log."""

from __future__ import annotations

import logging
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rulewright.app import staged_build
from rulewright.app.command_registry import print_notice, print_problems
from rulewright.app.dev_server import MKDOCS_ERRORS, error_summary, join_messages
from rulewright.files.content_folder import docs_dir
from rulewright.files.errors import ContentErrors, UserError
from rulewright.files.mkdocs_settings import setting
from rulewright.schema.problem_reports import count_by_severity, plural

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig

    from rulewright.render.build_artifacts import Artifacts

PLUGIN = "rulewright"


@dataclass(frozen=True, slots=True)
class BuildOutcome:
    """Result of a build."""

    site: Path
    artifacts: Artifacts
    fault: str
    """Reason why the build failed; empty if it succeeded."""

    published: bool
    """The site was replaced; with --strict also if only printing failed."""


def build_site(
    project: Path,
    output: Path | None = None,
    *,
    strict: bool = False,
    prints: bool = True,
) -> BuildOutcome:
    """Build the site and report problems. Raises UserError if the output folder has files of other origin."""
    with capture_log() as log_capture:
        config = load_mkdocs_config(
            project, log_capture, strict=strict or None, site_dir=str(output) if output else None
        )
        site = Path(config.site_dir)
        staged_build.check_target(site)
        fault = _build(config, log_capture, prints)
        log_capture.report(last_artifacts(config))
        return BuildOutcome(site, last_artifacts(config), fault, config.plugins[PLUGIN].published)  # type: ignore[attr-defined]


def site_files(project: Path, prints: bool) -> dict[str, bytes]:
    """Build the site and return its files by path. Raises ContentErrors if the build fails."""
    with tempfile.TemporaryDirectory() as temporary_folder, capture_log() as log_capture:
        site = Path(temporary_folder, "site")
        config = load_mkdocs_config(project, log_capture, site_dir=str(site))
        if fault := _build(config, log_capture, prints):
            raise ContentErrors(last_artifacts(config).problems, f"{fault.rstrip('.')}; nothing exported")
        for level, message in log_capture.messages:
            print_notice(f"{level}: {message}", fault=True)
        paths = (path for path in site.rglob("*") if path.is_file() and path.name != staged_build.MARK)
        return {path.relative_to(site).as_posix(): path.read_bytes() for path in paths}


def _build(config: MkDocsConfig, log_capture: LogCapture, prints: bool) -> str:
    """Build with MkDocs. Return the error in a sentence; an empty string if there is none."""
    from mkdocs.commands.build import build

    config.plugins[PLUGIN].prints = prints  # type: ignore[attr-defined]
    config.plugins.on_startup(command="build", dirty=False)
    try:
        build(config)
    except MKDOCS_ERRORS as error:
        return error_summary(error)
    except Exception as error:  # an error of MkDocs or a plugin on some page
        fault = error_summary(error)
        log_capture.messages.append(("error", fault))
        return fault
    finally:
        config.plugins.on_shutdown()
    return ""


class LogCapture(logging.Handler):
    """Log handler that stores warnings until the build is over, and prints the progress of printing."""

    def __init__(self) -> None:
        super().__init__(logging.INFO)
        self.messages: list[tuple[str, str]] = []

    def emit(self, record: logging.LogRecord) -> None:
        if record.name.endswith(".press"):
            print_notice(record.getMessage())
        elif record.levelno >= logging.WARNING:
            self.messages.append((record.levelname.lower(), record.getMessage()))

    def report(self, artifacts: Artifacts) -> None:
        print_problems(artifacts.problems, self.messages)
        self.messages.clear()


@contextmanager
def capture_log() -> Iterator[LogCapture]:
    """Capture MkDocs' log messages."""
    os.environ.setdefault("NO_MKDOCS_2_WARNING", "1")  # Material's announcement of its successor
    log, log_capture = logging.getLogger("mkdocs"), LogCapture()
    level, propagate = log.level, log.propagate
    log.setLevel(logging.INFO)
    log.propagate = False
    log.addHandler(log_capture)
    try:
        yield log_capture
    finally:
        log.removeHandler(log_capture)
        log.setLevel(level)
        log.propagate = propagate


def pages_folder(project: Path) -> dict[str, str]:
    """Return the setting `docs_dir` for MkDocs if mkdocs.yml does not have it."""
    if setting(project, "docs_dir"):
        return {}
    return {"docs_dir": str((project / docs_dir(project)).absolute())}


def load_mkdocs_config(project: Path, log_capture: LogCapture, **settings: Any) -> MkDocsConfig:
    """Load mkdocs.yml. Raises UserError if it is missing or invalid."""
    from mkdocs.config import load_config

    file = project / "mkdocs.yml"
    if not file.is_file():
        raise UserError(f"{file} is missing; it holds the settings of the site")
    try:
        config = load_config(config_file=str(file), **pages_folder(project), **settings)
    except MKDOCS_ERRORS as error:
        log_text = join_messages(log_capture.messages)
        raise UserError(f"{file}: {log_text or error_summary(error)}") from None
    except Exception as error:  # of a YAML tag, a plugin, or a wrong type of value
        raise UserError(f"{file}: {error_summary(error)}") from None
    if PLUGIN not in config.plugins:
        raise UserError(f"{file} does not name {PLUGIN} among its plugins")
    return config


def last_artifacts(config: MkDocsConfig) -> Artifacts:
    """Return the artifacts of the last build."""
    return config.plugins[PLUGIN].artifacts  # type: ignore[attr-defined,no-any-return]


def build_summary(artifacts: Artifacts) -> str:
    """Return the counts of a build in words."""
    counts = artifacts.counts
    summary = f"{plural(counts.pages, 'page')}, {plural(counts.rules, 'rule')}"
    summary = f"{summary}, {plural(counts.references, 'reference')}"
    return (
        summary
        if artifacts.deferred_problems
        else f"{summary} checked, {count_by_severity(artifacts.problems)}"
    )
