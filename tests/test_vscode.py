"""The extension for VS Code: what it declares is what it does."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

import run
from rulewright.app.cli import create_program
from rulewright.files.problems import Problem, Severity, SourceLocation

FOLDER = run.ROOT / "editors/vscode"
MANIFEST = json.loads((FOLDER / "package.json").read_text("utf-8"))
SCRIPT = (FOLDER / "extension.js").read_text("utf-8")
DECLARED = MANIFEST["contributes"]

STUB = Path(__file__).with_name("vscode_stub.js").read_text("utf-8")


def test_what_it_declares_is_what_it_does(tmp_path):
    if not (node := shutil.which("node")):
        pytest.skip("Node.js is not installed")
    (tmp_path / "content").mkdir()
    (tmp_path / "mkdocs.yml").touch()
    done = subprocess.run(
        [node, "-e", STUB, str(FOLDER / "extension.js"), str(tmp_path)],
        capture_output=True,
        text=True,
        check=True,
    )
    seen = json.loads(done.stdout)
    assert sorted(seen["commands"]) == sorted(one["command"] for one in DECLARED["commands"])
    (kind,) = DECLARED["taskDefinitions"]
    assert [task for task, _ in seen["tasks"]] == kind["properties"]["task"]["enum"]
    (started,) = seen["started"]
    ours = create_program().list_commands(None)  # type: ignore[arg-type]
    assert {started["server"]["args"][-1], *(word for _, word in seen["tasks"])} <= {*ours}
    assert [one["language"] for one in started["selector"]] == ["yaml", "markdown"]
    asked = set(re.findall(r'getConfiguration\("rulewright"\)\.get\("(\w+)"\)', SCRIPT))
    assert {f"rulewright.{one}" for one in asked} == DECLARED["configuration"]["properties"].keys() - {
        "rulewright.trace.server"  # which the client reads
    }


def test_the_tasks_read_problems_as_the_check_prints_them():
    (matcher,) = DECLARED["problemMatchers"]
    pattern = matcher["pattern"]
    problem = Problem(
        SourceLocation("content/a/1/rules/1.yml", 3, 14), "number-gap", "1.3 [x] is out", Severity.WARNING
    )
    found = re.match(pattern["regexp"], str(problem))
    groups = {name: found[at] for name, at in pattern.items() if name != "regexp"}
    assert groups == {
        "file": problem.place.file, "line": "3", "column": "14",
        "severity": "warning", "message": problem.message, "code": problem.code,
    }  # fmt: skip
