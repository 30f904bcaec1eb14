"""Where the running program came from, so that another machine can install the same."""

from __future__ import annotations

import json
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

_NAME = "rulewright[pdf]"


class Origin(NamedTuple):
    """Source of the installed program, in words that pip takes. `local`: its folder or wheel, if any."""

    words: str
    local: Path | None = None


def origin() -> Origin:
    """How this program was installed with all that prints, as pip has noted it (PEP 610).

    From a repository it is the very commit, from an address the file with its digest.
    """
    try:
        own = distribution("rulewright")
    except PackageNotFoundError:
        return Origin(_NAME)
    try:
        noted = json.loads(own.read_text("direct_url.json") or "{}")
    except ValueError:
        noted = {}
    url, made = str(noted.get("url", "")), noted.get("vcs_info")
    if urlsplit(url).scheme == "file":
        path = Path(unquote(urlsplit(url).path))
        return Origin(f"{path}[pdf]", path)
    if made:
        return Origin(f"{_NAME} @ {made['vcs']}+{url}@{made['commit_id']}")
    if url:
        digest = noted.get("archive_info", {}).get("hashes", {}).get("sha256")
        return Origin(f"{_NAME} @ {url}#sha256={digest}" if digest else f"{_NAME} @ {url}")
    return Origin(f"{_NAME}=={own.version}")


def installing() -> str:
    """The command that installs this program again, with all that prints."""
    return f"pip install '{origin().words}'"
