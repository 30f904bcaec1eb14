"""The commands of `rulewright`, a file each; `rulewright.app.registry` says how to add one."""

from collections.abc import Mapping

SECTIONS: Mapping[str, str] = {
    "Begin": "new import dialect doctor help completion",
    "Write": "check accept lsp format schema insert renumber retire",
    "See": "build serve aids outline table refs diff impact",
    "Publish": "export impose preflight redirects inventory",
}
"""The commands of the overview by what they are for; one that is in none of these is listed behind them."""

GONE: Mapping[str, str] = {
    "sbom": "sbom is gone; requirements.txt names every package with its hashes",
}
"""Commands that there were, and what does their work."""
