"""`rulewright doctor`."""

import os
import shutil
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import pytest

from rulewright.app.cli import main
from rulewright.app.commands import doctor
from rulewright.source.resources import PACKAGE
from tests.commands.duel import write

SETTINGS = "site_name: Duel\nsite_url: https://duel.example/\nplugins: [rulewright]\ndocs_dir: content\n"


def test_all_is_well(
    project: Path, said: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doctor, "misreads_patterns", lambda: False)
    write(project, {"mkdocs.yml": SETTINGS})
    assert main(["doctor", "--quiet"]) == 0
    assert said.readouterr().out == ""
    assert main(["doctor"]) == 0
    out = said.readouterr().out
    assert all(line.startswith("ok ") for line in out.splitlines())
    for name in ("rulewright", "mkdocs", "mkdocs-material", "typst", "pikepdf"):
        assert f"{name} {version(name)}" in out
    assert doctor.MATERIAL_ENDS in out
    assert str(project) in out
    assert "https://duel.example/" in out


def test_it_needs_no_project(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(doctor, "misreads_patterns", lambda: False)
    assert main(["doctor"]) == 0
    (line,) = [line for line in capsys.readouterr().out.splitlines() if not line.startswith("ok ")]
    assert line.startswith("note    project   none here; go to one, name it with --project DIR")


def test_a_python_that_misreads_patterns_is_named(
    project: Path, said: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert doctor.misreads_patterns() == ((3, 11) <= sys.version_info < (3, 11, 5))
    write(project, {"mkdocs.yml": SETTINGS})
    monkeypatch.setattr(doctor, "misreads_patterns", lambda: True)
    assert main(["doctor", "--quiet"]) == 0
    (line,) = said.readouterr().out.splitlines()
    assert line.startswith("note    python ")
    assert line.endswith("; install Python 3.11.5 or newer")


def test_what_mkdocs_yml_has_wrong_is_told(project: Path, said: pytest.CaptureFixture[str]) -> None:
    (project / "mkdocs.yml").write_text("site_name: Duel\ndocs_dir: content\n")
    assert main(["doctor", "--quiet", "--project", str(project)]) == 1
    out = said.readouterr().out
    assert "mkdocs.yml does not name rulewright among its plugins" in out
    assert "note    address   none; set site_url" in out


def test_what_is_not_installed_is_told_with_the_command_that_mends_it(project, said, monkeypatch):
    def without(name: str) -> str:
        if name in ("typst", "mkdocs-material"):
            raise PackageNotFoundError(name)
        return version(name)

    monkeypatch.setattr(doctor, "version", without)
    assert main(["doctor", "--quiet"]) == 1
    told = said.readouterr().out.splitlines()
    assert "missing theme     mkdocs-material is not installed; install rulewright again" in told
    (line,) = [line for line in told if " printing " in line]
    assert line.startswith("missing printing  typst not installed, so there are no PDFs; to install: pip ")


def test_a_program_without_its_templates_says_what_to_do(tmp_path: Path) -> None:
    shutil.copytree(
        PACKAGE, tmp_path / "rulewright", ignore=shutil.ignore_patterns("templates", "__pycache__")
    )
    command = [sys.executable, "-m", "rulewright", "build", "--project", str(PACKAGE.parents[1])]
    around = {**os.environ, "PYTHONPATH": str(tmp_path)}
    done = subprocess.run(command, cwd=tmp_path, env=around, capture_output=True, text=True)
    assert done.returncode
    assert done.stderr.startswith(f"rulewright: {tmp_path / 'rulewright'} is installed without its templates")
    assert "install Rulewright again" in done.stderr
