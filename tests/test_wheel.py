"""The package: what is in it, and that it works where there is nothing else of the project."""

import os
import subprocess
import sys
import sysconfig
import tarfile
import zipfile
from pathlib import Path

import pytest
import yaml

import run

pytestmark = pytest.mark.thorough

GITHUB = {
    "${{ steps.pages.outputs.base_url }}": "https://example.org/mule-pass",
    "${{ github.event.pull_request.base.sha }}": "HEAD",
}
"""Values that GitHub gives to steps."""
PIP = ("-m", "pip", "--disable-pip-version-check")
PROBE = "import importlib.util as i; print(i.find_spec('rulewright') and i.find_spec('rulewright').origin)"


def done(command: list[str | Path], folder: Path) -> str:
    """What a command prints that is given in a folder, with nothing that leads to this checkout."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    finished = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    assert finished.returncode == 0, finished.stdout + finished.stderr
    return finished.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """The wheel built from the source distribution, as its users do."""
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "-d", folder, "-t"]
    done([*build, "sdist"], run.ROOT)
    (source,) = folder.glob("*.tar.gz")
    with tarfile.open(source) as archive:
        archive.extraction_filter = getattr(tarfile, "data_filter", None)  # Python 3.11.2 has none
        archive.extractall(folder)
    done([*build, "wheel"], folder / source.name.removesuffix(".tar.gz"))
    (package,) = folder.glob("*.whl")
    return package


@pytest.fixture(scope="module")
def scripts(wheel, tmp_path_factory):
    """The programs of an environment that has the wheel and what it needs, and nothing else."""
    bare = tmp_path_factory.mktemp("bare")
    done([sys.executable, "-m", "venv", "--without-pip", bare], bare)
    scripts = bare / run.SCRIPTS.name
    folder = "import sysconfig; print(sysconfig.get_path('purelib'))"
    packages = Path(done([scripts / "python", "-c", folder], bare).strip())
    # Files that lead elsewhere, as an editable install leaves one, do not count in a folder so named.
    (packages / "needed.pth").write_text(f"{sysconfig.get_path('purelib')}\n")
    assert done([scripts / "python", "-c", PROBE], bare) == "None\n"
    alone = ["--no-index", "--no-deps", "--ignore-installed"]
    done([sys.executable, *PIP, "--python", bare, "install", *alone, wheel], bare)
    assert Path(done([scripts / "python", "-c", PROBE], bare).strip()).is_relative_to(packages)
    return scripts


def test_the_wheel_has_the_program_and_nothing_else(wheel):
    folders = {
        "rulewright": run.ROOT / "generator/rulewright",
        "rulewright/templates": run.ROOT / "templates",
    }
    own = {
        f"{name}/{path.relative_to(folder).as_posix()}"
        for name, folder in folders.items()
        for path in folder.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    assert "rulewright/py.typed" in own
    assert {name for name in names if ".dist-info/" not in name} == own
    assert [name for name in names if name.endswith("LICENSE")]


def test_a_strangers_path_from_a_wheel_to_a_site_that_can_be_published(wheel, scripts, tmp_path):
    """`new`, and then each command of the workflow that it wrote, as GitHub runs it, without a network."""
    done([scripts / "rulewright", "new", "mule-pass"], tmp_path)
    game = tmp_path / "mule-pass"
    (workflow,) = (game / ".github/workflows").glob("*.yml")
    jobs = yaml.safe_load(workflow.read_text("utf-8"))["jobs"]
    steps = jobs["check"]["steps"]
    assert jobs["publish"]["needs"] == jobs["comment"]["needs"] == "check"
    schema = ["--builtin-schema", "vendor.github-workflows"]
    done([sys.executable, "-m", "check_jsonschema", *schema, workflow], game)
    pip = tmp_path / "bin/pip"
    pip.parent.mkdir()
    pip.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m pip --python "{scripts.parent}" "$@"\n')
    pip.chmod(0o755)
    git = ["git", "-c", "user.name=An Editor", "-c", "user.email=editor@example.org"]
    for words in (["init", "-q"], ["add", "--all"], ["commit", "-qm", "Begin"]):
        done([*git, *words], game)
    (rules,) = game.glob("content/*/1/rules/1-movement.yml")
    for event in ("push", "pull_request"):
        for step in [step for step in steps if "run" in step]:
            if event not in step.get("if", event):
                continue
            path = os.pathsep.join(map(str, (pip.parent, scripts, os.environ["PATH"])))
            # The wheel replaces the package index.
            index = ["PIP_NO_INDEX=1", f"PIP_FIND_LINKS={wheel.parent}", "PIP_DISABLE_PIP_VERSION_CHECK=1"]
            given = [f"{name}={GITHUB[value]}" for name, value in step.get("env", {}).items()]
            shell = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]]
            done(["env", f"PATH={path}", *index, *given, *shell], game)
        rules.write_text(f"{rules.read_text('utf-8')}# edited\n".replace("may", "can"), "utf-8")
    assert "reworded" in (game / "impact.md").read_text("utf-8")
    (published,) = (step["with"]["path"] for step in steps if "upload-pages" in step.get("uses", ""))
    site = game / published
    assert 'id="1.1"' in (site / "mule-pass/1/1-movement/index.html").read_text("utf-8")
    assert {"index.html", "404.html", "robots.txt"} <= {path.name for path in site.iterdir()}
    assert not [path for path in site.rglob("*") if path.is_symlink() or path.suffix in (".yml", ".py")]
