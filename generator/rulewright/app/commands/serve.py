"""Build the site, serve it on this computer and rebuild it after each edit.

Stop it with Ctrl-C.

example:
  rulewright serve --open
"""

from __future__ import annotations

import gc
import logging
import os
import re
import socket
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rulewright.app.command_registry import OUTPUT_OPTIONS, command, flag, print_notice, relative_path
from rulewright.files.content_folder import content_folder
from rulewright.files.errors import UserError
from rulewright.schema.problem_reports import count_by_severity

if TYPE_CHECKING:
    from rulewright.app.mkdocs_runner import LogCapture

INTERRUPTED = 130


@command
@click.option(
    "--port",
    type=click.IntRange(1, 65535),
    metavar="PORT",
    help="port to listen on; default: from mkdocs.yml, or 8000",
)
@flag("--open", "open_browser", help="open the site in the browser")
def run(project: Path, port: int | None, open_browser: bool) -> int:
    from rulewright.app.dev_server import MKDOCS_ERRORS, error_summary
    from rulewright.app.mkdocs_runner import capture_log, load_mkdocs_config, pages_folder

    with capture_log() as log_capture:
        from mkdocs.commands import serve

        serve_module: Any = serve
        settings: dict[str, Any] = {"dev_addr": f"127.0.0.1:{port}"} if port else {}
        config = load_mkdocs_config(project, log_capture, **settings)
        if not _is_free(*config.dev_addr):
            raise UserError(
                f"{config.dev_addr} is in use, perhaps by another serve; choose another port with --port"
            )
        build = serve_module.build
        gc.set_threshold(100_000, 50, 1_000_000)
        # MkDocs has no event for the end of a rebuild, so its build function is wrapped.
        serve_module.build = _reporting_build(build, log_capture)
        logging.getLogger("mkdocs.livereload").addFilter(_print_address)
        if not OUTPUT_OPTIONS.quiet:
            address = f"{config.dev_addr.host}:{config.dev_addr.port}"
            print(f"Reading {relative_path(content_folder(project))}{os.sep} for {address} …", flush=True)
        try:
            serve_module.serve(
                config_file=config.config_file_path,
                open_in_browser=open_browser,
                **pages_folder(project),
                **settings,
            )
        except MKDOCS_ERRORS as error:
            print_notice(f"rulewright: {error_summary(error)}", fault=True)
            return 1
        finally:
            logging.getLogger("mkdocs.livereload").removeFilter(_print_address)
            serve_module.build = build
    return INTERRUPTED


def _reporting_build(build: Callable[..., None], log_capture: LogCapture) -> Callable[..., None]:
    """Wrap MkDocs' build function so that it prints problems and a summary."""
    from rulewright.app.mkdocs_runner import PLUGIN, build_summary, last_artifacts
    from rulewright.render.build_artifacts import Artifacts

    def report_checks(artifacts: Artifacts) -> None:
        log_capture.report(artifacts)
        if not OUTPUT_OPTIONS.quiet:
            print(f"Checked: {count_by_severity(artifacts.problems)}.", flush=True)

    def build_and_report(config: Any, **options: Any) -> None:
        if serving := config.plugins[PLUGIN].serving:
            serving.report, serving.unprinted = report_checks, log_capture.messages
            serving.flush = lambda: log_capture.report(Artifacts())
        start = time.perf_counter()
        try:
            build(config, **options)
        finally:
            artifacts = last_artifacts(config)
            log_capture.report(replace(artifacts, problems=()) if artifacts.deferred_problems else artifacts)
        if not OUTPUT_OPTIONS.quiet:
            seconds = f"{time.perf_counter() - start:.1f} seconds"
            print(f"{build_summary(artifacts)}; {seconds}.", flush=True)

    return build_and_report


def _print_address(record: logging.LogRecord) -> bool:
    if m := re.search(r"Serving on (\S+)", record.getMessage()):
        print(f"Open {m[1]} (Ctrl-C to stop)", flush=True)
    return True


def _is_free(host: str, port: int) -> bool:
    try:
        socket.create_connection((host, port), timeout=1).close()
    except OSError:
        return True
    return False
