"""Files that no longer agree with an imported edition, set aside."""

from __future__ import annotations

import re
from collections.abc import Container, Mapping

from rulewright.checks.examine import examine_folder
from rulewright.citations.redirects import CLASH
from rulewright.importers.website.site_import import Import
from rulewright.source.folder import Folder
from rulewright.source.problems import Problem

_LOCK = "references.lock"
_ADDRESS = re.compile(r"""\bfrom:\s*(?:"([^"]*)"|'([^']*)'|([^\s,{}]+))""")
_MOST_ROUNDS = 5


def set_conflicts_aside(made: Import, around: Folder, base: str, replaced: Container[str]) -> None:
    """Set aside what keeps the content from building with an import in it, and enter that in its receipt.

    `base`: the edition's folder; `replaced`: files of it that are the import's own affair.
    """
    assert made.receipt
    told = made.receipt
    before = {_key(problem) for problem in examine_folder(around).problems if problem.fails}
    locks = [f"{base}/{_LOCK}", f"{base.rpartition('/')[0]}/{_LOCK}"]
    for _ in range(_MOST_ROUNDS):
        kept = {n: text for n, text in around.texts.items() if n not in replaced and n not in told.aside}
        texts = {**kept, **made.files}
        others = [*around.others, *made.copies]
        examined = examine_folder(Folder(texts, others, around.problems, around.inventories))
        wrong = [p for p in examined.problems if p.fails and _key(p) not in before]
        told.elsewhere = [problem for problem in wrong if problem.place.file not in made.files]
        clashing = {_address(problem, texts) for problem in wrong if problem.code == CLASH.code}
        inside = [p for p in told.elsewhere if p.place.file.startswith(f"{base}/")]
        if new := sorted(clashing - {"", *told.clashing}):
            told.clashing += new
            made.leave_out(told.clashing)
        elif set(wrong) & set(examined.drift.problems) and (left := [name for name in locks if name in kept]):
            told.aside |= dict.fromkeys(left, "it keeps what references meant before the import")
        elif inside:
            told.aside |= {p.place.file: f"{p.message} [{p.code}]" for p in reversed(inside)}
        else:
            break


def _key(problem: Problem) -> tuple[str, str, str]:
    return problem.place.file, problem.code, problem.message


def _address(problem: Problem, texts: Mapping[str, bytes]) -> str:
    """The old address that a problem is about."""
    lines = texts.get(problem.place.file, b"").decode("utf-8", "replace").split("\n")
    m = _ADDRESS.search(lines[problem.place.line - 1]) if problem.place.line <= len(lines) else None
    return next(filter(None, m.groups()), "") if m else ""
