"""Origin of the running program, so that another machine can install the same version."""

from __future__ import annotations

import json
from importlib.metadata import PackageNotFoundError, distribution
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote, urlsplit


class InstallOrigin(NamedTuple):
    """Requirement that pip installs this program from. `local`: its folder or wheel, if any."""

    requirement: str
    local: Path | None = None


def install_origin(extra: str) -> InstallOrigin:
    """Return the origin of this program with an extra, as recorded by pip (PEP 610).

    From a repository it is the exact commit, from a URL the file with its digest.
    """
    name = f"rulewright[{extra}]"
    try:
        installed = distribution("rulewright")
    except PackageNotFoundError:
        return InstallOrigin(name)
    try:
        record = json.loads(installed.read_text("direct_url.json") or "{}")
    except ValueError:
        record = {}
    url, vcs_info = str(record.get("url", "")), record.get("vcs_info")
    if urlsplit(url).scheme == "file":
        path = Path(unquote(urlsplit(url).path))
        return InstallOrigin(f"{path}[{extra}]", path)
    if vcs_info:
        return InstallOrigin(f"{name} @ {vcs_info['vcs']}+{url}@{vcs_info['commit_id']}")
    if url:
        digest = record.get("archive_info", {}).get("hashes", {}).get("sha256")
        return InstallOrigin(f"{name} @ {url}#sha256={digest}" if digest else f"{name} @ {url}")
    return InstallOrigin(f"{name}=={installed.version}")


def missing_extra(subject: str, extra: str, *modules: str) -> str:
    """Return which extra a subject needs and how to install it, or "" if its modules are installed."""
    if all(map(find_spec, modules)):
        return ""
    return f"{subject} needs the extra [{extra}]: pip install '{install_origin(extra).requirement}'"
