"""`rulewright build` and `rulewright serve`, without letting MkDocs work for long."""

import importlib
import logging
import os
import socket
import subprocess
import sys
from types import SimpleNamespace
from typing import Any

import pytest
from mkdocs.config.defaults import MkDocsConfig

from rulewright.app import staged_build
from rulewright.app.cli import main
from tests.commands.duel import BUILT, FAULTY, MISSING, printed, write
from tests.projects import files


@pytest.fixture
def site(project, tmp_path, monkeypatch):
    """The project with the plugin in its settings, and a site built earlier."""
    settings = "site_name: Duel\ndocs_dir: content\nplugins: [rulewright]\n"
    declared = "[mkdocs.plugins]\nrulewright = rulewright.app.mkdocs_plugin:RulewrightPlugin\n"
    # MkDocs finds plugins among installed packages, and this one may be used from its folder.
    info = tmp_path / "packages/rulewright-0.dist-info"
    write(
        info,
        {"METADATA": "Metadata-Version: 2.1\nName: rulewright\nVersion: 0\n", "entry_points.txt": declared},
    )
    monkeypatch.syspath_prepend(info.parent)
    write(project, {"mkdocs.yml": settings})
    staged_build.swap_in(staged_build.begin_staging(project / "site"))
    return write(project / "site", {"index.html": "the last good one"})


def test_reports_the_result(site, output, monkeypatch):
    def quick(config: MkDocsConfig) -> None:
        config.plugins["rulewright"].artifacts = BUILT  # type: ignore[attr-defined]
        logging.getLogger("mkdocs.commands.build").info("Cleaning site directory")
        logging.getLogger("mkdocs.commands.build").warning("odd")

    monkeypatch.setattr("mkdocs.commands.build.build", quick)
    assert main(["build"]) == 0
    out, err = output.readouterr()
    lines = out.splitlines()
    assert lines[0].startswith("3 pages, 4 rules, 5 references checked, no problems; ")
    assert lines[0].endswith(" seconds.")
    assert lines[1:] == [f"Open site{os.sep}index.html"]
    assert err == "warning: odd\n"


def test_problems_leave_the_last_site_as_it_was(site, output):
    write(site.parent, {"content/duel/1/sequence.yml": FAULTY})
    assert main(["build"]) == 1
    out, err = output.readouterr()
    assert out == MISSING
    assert err == f"1 error; site{os.sep} is unchanged.\n"
    assert (site / "index.html").read_text() == "the last good one"
    assert not [path.name for path in site.parent.iterdir() if path.name.startswith(".")]


def test_a_folder_of_the_users_own_is_not_replaced(site, tmp_path, output):
    mine = write(tmp_path / "mine", {"thesis.txt": "precious", "sub/more.txt": "precious"})
    before = files(tmp_path)
    assert main(["build", "--output", str(mine)]) == 2
    assert output.readouterr().err.startswith(f"rulewright: {mine} contains sub, which is not from a build")
    for _ in range(2):
        assert main(["build", "--output", str(mine / "thesis.txt")]) == 2
        assert f"{mine / 'thesis.txt'} is a file" in output.readouterr().err
    assert files(tmp_path) == before


def test_a_port_that_is_taken(site, output):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert main(["serve", "--port", str(port)]) == 2
    assert f"127.0.0.1:{port} is in use" in output.readouterr().err


def test_serving_says_where_and_what(site, output, monkeypatch):
    plugin = SimpleNamespace(artifacts=BUILT, serving=SimpleNamespace())

    def serve(config_file: str, **settings: object) -> None:
        host.build(SimpleNamespace(plugins={"rulewright": plugin}))
        logging.getLogger("mkdocs.livereload").info("[10:00:00] Serving on http://127.0.0.1:1/")

    host: Any = importlib.import_module("mkdocs.commands.serve")
    monkeypatch.setattr(host, "build", lambda config: None)
    monkeypatch.setattr(host, "serve", serve)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    out = printed(output, "serve", "--port", str(port), code=130)
    reading, _, out = out.partition("\n")
    assert reading == f"Reading content{os.sep} for 127.0.0.1:{port} …"
    assert out.startswith("3 pages, 4 rules, 5 references checked, no problems; 0.0 seconds.\n")
    assert out.endswith("Open http://127.0.0.1:1/ (Ctrl-C to stop)\n")


SLIPS = {
    "a template": (
        "mine/main.html",
        "\n{% if %}",
        "mine/main.html:2: TemplateSyntaxError: Expected an expression",
    ),
    "the YAML": ("mkdocs.yml", "nav: [\n", "mkdocs.yml:6:1: error: a value is missing here"),
    "a setting": ("mkdocs.yml", "hooks: [gone.py]\n", "mkdocs.yml: Config value 'hooks': "),
}
TEMPLATE = {
    "mkdocs.yml": "site_name: B\ndocs_dir: content\nplugins: [rulewright]\n"
    "theme: {name: material, custom_dir: mine}\n",
    "mine/main.html": '{% extends "base.html" %}',
}


def test_serve_reports_a_slip_in_one_line(tmp_path):
    assert main(["new", str(tmp_path / "game")]) == 0
    project = write(tmp_path / "game", TEMPLATE)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    command = [sys.executable, "-P", "-m", "rulewright", "serve", "--port", port]
    with subprocess.Popen(
        command, cwd=project, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as server:
        assert server.stdout
        try:
            for file, slip, message in SLIPS.values():
                assert next(line for line in server.stdout if line.startswith("Checked"))
                write(project, {file: TEMPLATE[file] + slip})
                assert message in next(server.stdout)
                write(project, {file: TEMPLATE[file]})
                assert "reference" in next(server.stdout)
        finally:
            server.terminate()
