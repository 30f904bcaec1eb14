"""The receipt of an import as a report: for the editor, for programs, and in a few lines."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from rulewright.importers.website.receipt import ABSENT, JudgedLink, Receipt
from rulewright.importers.website.site import Page
from rulewright.model.reports import several

ASIDE = "set-aside"
"""The folder, beside that of the content, where files go that an import leaves no place for."""


def data(receipt: Receipt, files: Mapping[str, str]) -> dict[str, Any]:
    """The receipt for programs. `files`: what was written, each with a sum by which a later import knows
    it."""
    return {
        "source": receipt.source,
        "dialect": receipt.dialect,
        "counts": receipt.counts,
        "words": [
            {
                "pages": [page.file.name for page in account.pages],
                **{name: getattr(account, name) for name in ("words", "kept", "turned", "mended", "dropped")},
                "lost": [
                    {"word": word, "file": page.file.name, "one of the lines": lines}
                    for word, page, lines in account.lost
                ],
                "gained": dict(sorted(account.gained.items())),
            }
            for account in receipt.accounts
        ],
        "links": {
            "verdicts": dict(_verdicts(receipt)),
            "wrong": [_link(judged) for judged in receipt.wrong()],
            "pages not here": [_link(judged) for judged in receipt.of(ABSENT)],
        },
        "references without a link": [_at(page, line, rule=key) for page, line, key in receipt.unlinked],
        "turned": [_at(t.page, t.line, was=t.was, now=t.now, what=t.what) for t in receipt.turned],
        "mended": [_at(page, m.line, was=m.was, now=m.now) for page, m in receipt.mended if m.sure],
        "hyphens left": [_at(page, m.line, was=m.was) for page, m in receipt.mended if not m.sure],
        "dropped": [_at(page, d.line, words=d.words, why=d.why) for page, d in receipt.dropped],
        "pictures not found": [_at(page, line, address=address) for page, line, address in receipt.missing],
        "guesses": [_at(page, line, guess=message) for page, line, message in receipt.guesses],
        "problems": [str(problem) for problem in (*receipt.problems, *receipt.checked)],
        "excused": [str(problem) for problem in receipt.excused],
        "files at old addresses": [{"address": a, "now": now} for a, now in receipt.published],
        "set aside": receipt.aside,
        "addresses left out": receipt.clashing,
        "problems elsewhere": [str(problem) for problem in receipt.elsewhere],
        "files": dict(sorted(files.items())),
    }


def _at(page: Page, line: int, **more: str) -> dict[str, Any]:
    return {"file": page.file.name, "line": line, **more}


def _link(judged: JudgedLink) -> dict[str, Any]:
    return {
        **_at(judged.page, judged.link.line),
        "column": judged.link.column,
        "text": judged.text,
        "address": judged.link.href,
        **{name: getattr(judged, name) for name in ("verdict", "says", "leads", "fault", "proposal")},
    }


def markdown(receipt: Receipt) -> str:
    """The receipt for the editor, as the template words it."""
    # Imported here: only this needs templates.
    from rulewright.site.templating import environment

    made = environment()
    made.filters["oneline"] = lambda words: " ".join(str(words).split())
    places: dict[str, list[str]] = {}  # of the links to each page that is not here
    for judged in receipt.of(ABSENT):
        address = judged.link.href.partition("#")[0]
        places.setdefault(address, []).append(f"{judged.page.file.name}:{judged.link.line}")
    text = made.get_template("import/report.md").render(
        receipt=receipt,
        verdicts=_verdicts(receipt),
        turned=Counter(one.what.partition(":")[0] for one in receipt.turned).most_common(),
        absent=sorted(places.items()),
    )
    return re.sub(r"\n{3,}", "\n\n", text).strip() + "\n"


def counted(receipt: Receipt) -> str:
    """How much was made of what: `1 page, 12 rules, 3 links recovered`."""
    each = ((count, *name.partition(" ")[::2]) for name, count in receipt.counts.items() if count)
    return ", ".join(f"{several(count, noun.removesuffix('s'))} {more}".strip() for count, noun, more in each)


def looks(receipt: Receipt, most: int) -> Iterator[str]:
    """The places that need a look, a line each, and of every sort no more than so many."""
    for judged in receipt.wrong()[:most]:
        link = judged.link
        leads = f", leads to {judged.leads}" if judged.leads else ""
        leads += f", {judged.fault}" if judged.fault else ""
        says = f"says {judged.says}{leads}" if judged.says else f"“{judged.text}”{leads}"
        place = f"{judged.page.file.name}:{link.line}:{link.column}"
        yield f"{place}: link {judged.verdict}: {says}; {judged.proposal}"
    if (more := len(receipt.wrong()) - most) > 0:
        yield f"and {more} more links like these"
    for word, page, lines in receipt.lost[:most]:
        yield f"{page.file.name}:{lines[0]}: lost: “{word}”, here or in another of its places"
    for name, why in receipt.aside.items():
        yield f"{name}: set aside in {ASIDE}/: {why}"
    if receipt.clashing:
        yield f"old addresses that lead elsewhere, left out: {len(receipt.clashing)}"


def _verdicts(receipt: Receipt) -> list[tuple[str, int]]:
    return sorted(Counter(judged.verdict for judged in receipt.links).items())
