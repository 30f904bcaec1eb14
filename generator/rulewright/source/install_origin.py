"""Where the running program came from, so that another machine can install the same."""

from __future__ import annotations

import json
from importlib.metadata import PackageNotFoundError, distribution
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote, urlsplit


class InstallOrigin(NamedTuple):
    """Source of the installed program, in words that pip takes. `local`: its folder or wheel, if any."""

    requirement: str
    local: Path | None = None


def install_origin(extra: str) -> InstallOrigin:
    """Return how this program was installed, with an extra, as pip has noted it (PEP 610).

    From a repository it is the very commit, from an address the file with its digest.
    """
    name = f"rulewright[{extra}]"
    try:
        installed = distribution("rulewright")
    except PackageNotFoundError:
        return InstallOrigin(name)
    try:
        noted = json.loads(installed.read_text("direct_url.json") or "{}")
    except ValueError:
        noted = {}
    url, vcs_info = str(noted.get("url", "")), noted.get("vcs_info")
    if urlsplit(url).scheme == "file":
        path = Path(unquote(urlsplit(url).path))
        return InstallOrigin(f"{path}[{extra}]", path)
    if vcs_info:
        return InstallOrigin(f"{name} @ {vcs_info['vcs']}+{url}@{vcs_info['commit_id']}")
    if url:
        digest = noted.get("archive_info", {}).get("hashes", {}).get("sha256")
        return InstallOrigin(f"{name} @ {url}#sha256={digest}" if digest else f"{name} @ {url}")
    return InstallOrigin(f"{name}=={installed.version}")


def missing_extra(subject: str, extra: str, *modules: str) -> str:
    """Return name the extra that a subject needs and how to install it; return "" if its modules are
    installed.
    """
    if all(map(find_spec, modules)):
        return ""
    return f"{subject} needs the extra [{extra}]: pip install '{install_origin(extra).requirement}'"
