"""Passages that a site offers the box to find a rule with, as a test reads them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import yaml

FOLDER = Path(__file__).parent / "find"


def script_data(script: str) -> Any:
    """The data of a script that a page takes: `rulewright.receiveData("ocs/4.3/find.js",{…});`."""
    return json.loads(script[script.index(",") + 1 : script.rindex(")")])


def script_pages(script: str) -> set[str]:
    """The pages whose passages are in a script."""
    data = script_data(script)
    return {page for page, *_ in data["chapters"]} | {other[3] for other in data["others"]}


def questions(name: str) -> list[tuple[str, list[str]]]:
    """What players ask, each with the numbers, `table: TITLE` or `step: TITLE` that answer it."""
    listed = yaml.safe_load((FOLDER / f"{name}.yml").read_text("utf-8"))
    return [(str(one["ask"]), [*map(str, one["answers"])]) for one in listed]
