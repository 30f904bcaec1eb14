"""Origin of the running program, so that another machine can install the same version."""

from __future__ import annotations

import json
from importlib.metadata import PackageNotFoundError, distribution
from importlib.util import find_spec
from urllib.parse import unquote, urlsplit


def install_requirement(extra: str) -> str:
    """Return what pip installs this program from, with an extra, as recorded by pip (PEP 610).

    From a repository it is the exact commit, from this machine the path of a folder or wheel.
    """
    name = f"rulewright[{extra}]"
    try:
        installed = distribution("rulewright")
    except PackageNotFoundError:
        return name
    record = json.loads(installed.read_text("direct_url.json") or "{}")
    url, repository = record.get("url", ""), record.get("vcs_info")
    if repository:
        return f"{name} @ {repository['vcs']}+{url}@{repository['commit_id']}"
    if url.startswith("file:"):
        return f"{unquote(urlsplit(url).path)}[{extra}]"
    return f"{name} @ {url}" if url else f"{name}=={installed.version}"


def missing_extra(subject: str, extra: str, *modules: str) -> str:
    """Return which extra a subject needs and how to install it, or "" if its modules are installed."""
    if all(map(find_spec, modules)):
        return ""
    return f"{subject} needs the extra [{extra}]: pip install '{install_requirement(extra)}'"
