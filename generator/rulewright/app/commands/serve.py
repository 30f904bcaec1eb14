"""Make the site and show it, and again after each edit.

It is served to a browser on this machine.

example:
  rulewright serve --port 8080
"""

from __future__ import annotations

import gc
import logging
import os
import re
import socket
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from rulewright.app.command_registry import MANNER, command, print_notice, relative_path
from rulewright.model.problem_reports import count_by_severity
from rulewright.source.content_folder import content_folder
from rulewright.source.errors import UserError

INTERRUPTED = 130


def _port(value: str) -> int:
    if not value.isdecimal() or not 0 < int(value) < 65536:
        raise click.BadParameter(f"{value} is no port; a port is a number up to 65535")
    return int(value)


@command
@click.option(
    "--port", type=_port, metavar="PORT", help="the port to listen at; else as mkdocs.yml says, or 8000"
)
def run(project: Path, port: int | None) -> int:
    from rulewright.app.dev_server import error_summary, faults
    from rulewright.app.mkdocs_runner import (
        PLUGIN,
        build_summary,
        capture_log,
        last_artifacts,
        load_mkdocs_config,
        pages_folder,
        report_printing,
    )
    from rulewright.site.build_artifacts import Artifacts

    with capture_log(MANNER.verbose) as heard:
        from mkdocs.commands import serve

        host: Any = serve
        settings: dict[str, Any] = {"dev_addr": f"127.0.0.1:{port}"} if port else {}
        config = load_mkdocs_config(project, heard, **settings)
        if not _free(*config.dev_addr):
            raise UserError(
                f"{config.dev_addr} is in use, perhaps by another serve; name another port with --port"
            )
        build = host.build

        def checked(artifacts: Artifacts) -> None:
            heard.report(artifacts)
            if not MANNER.quiet:
                print(f"Checked: {count_by_severity(artifacts.problems)}.", flush=True)

        def build_and_tell(config: Any, **how: Any) -> None:
            if serving := config.plugins[PLUGIN].serving:
                serving.tell = checked
                serving.unprinted, serving.flush = heard.kept, lambda: heard.report(Artifacts())
            begun = time.perf_counter()
            gc.disable()  # it goes through all that is kept, and whoever asks for the page waits
            try:
                build(config, **how)
            finally:
                gc.enable()
                artifacts = last_artifacts(config)
                heard.report(replace(artifacts, problems=()) if artifacts.deferred_problems else artifacts)
                tidying = threading.Timer(2, gc.collect)
                tidying.daemon = True
                tidying.start()
            if not MANNER.quiet:
                seconds = f"{time.perf_counter() - begun:.1f} seconds"
                print(f"{build_summary(artifacts)}; {report_printing(config)}; {seconds}.", flush=True)

        gc.set_threshold(100_000, 50, 1_000_000)
        # MkDocs tells nobody that a rebuild is over, so what it builds with is wrapped.
        host.build = build_and_tell
        logging.getLogger("mkdocs.livereload").addFilter(_announce)
        if not MANNER.quiet:
            where = f"{config.dev_addr.host}:{config.dev_addr.port}"
            print(f"Reading {relative_path(content_folder(project))}{os.sep} for {where} …", flush=True)
        try:
            host.serve(config_file=config.config_file_path, **pages_folder(project), **settings)
        except faults() as error:
            print_notice(f"rulewright: {error_summary(error)}", fault=True)
            return 1
        finally:
            logging.getLogger("mkdocs.livereload").removeFilter(_announce)
            host.build = build
    return INTERRUPTED


def _announce(record: logging.LogRecord) -> bool:
    if m := re.search(r"Serving on (\S+)", record.getMessage()):
        print(f"Open {m[1]} (Ctrl-C ends it)", flush=True)
    return True


def _free(host: str, port: int) -> bool:
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
        if sys.platform != "win32":  # where this would let two listen at once
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError:
            return False
    return True
