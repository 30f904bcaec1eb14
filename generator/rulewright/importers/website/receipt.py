"""The receipt of an import: words kept, changed and lost; wrong links; guesses; problems."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from rulewright.importers.website.blocks import DroppedWords
from rulewright.importers.website.links import (
    ABSENT,
    BROKEN,
    DISAGREES,
    MALFORMED,
    NO_FILE,
    SHORT,
    JudgedLink,
)
from rulewright.importers.website.prose import MendedWord
from rulewright.importers.website.rule_tree import Change
from rulewright.importers.website.site import Page
from rulewright.importers.website.word_accounts import WordAccount
from rulewright.model.reports import several
from rulewright.source.problems import Problem

ASIDE = "set-aside"
"""The folder, beside that of the content, where files go that an import leaves no place for."""

_WRONG = (BROKEN, DISAGREES, MALFORMED, NO_FILE, SHORT)


@dataclass(slots=True)
class Receipt:
    """The report of an import."""

    source: str
    dialect: str
    counts: dict[str, int] = field(default_factory=dict)
    accounts: list[WordAccount] = field(default_factory=list)
    turned: list[Change] = field(default_factory=list)
    mended: list[tuple[Page, MendedWord]] = field(default_factory=list)
    dropped: list[tuple[Page, DroppedWords]] = field(default_factory=list)
    links: list[JudgedLink] = field(default_factory=list)
    unlinked: list[tuple[Page, int, str]] = field(default_factory=list)
    missing: list[tuple[Page, int, str]] = field(default_factory=list)
    guesses: list[tuple[Page, int, str]] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    checked: list[Problem] = field(default_factory=list)
    excused: list[Problem] = field(default_factory=list)
    published: list[tuple[str, str]] = field(default_factory=list)  # files: old address, new name if copied
    aside: dict[str, str] = field(default_factory=dict)  # files that were there, with why
    clashing: list[str] = field(default_factory=list)  # old addresses that lead elsewhere already
    elsewhere: list[Problem] = field(default_factory=list)  # that the import brings to other files

    @property
    def lost(self) -> list[tuple[str, Page, list[int]]]:
        return [lost for account in self.accounts for lost in account.lost]

    def of(self, *verdicts: str) -> list[JudgedLink]:
        """The links of some verdicts, in the order of the pages."""
        return [judged for judged in self.links if judged.verdict in verdicts]

    def wrong(self) -> list[JudgedLink]:
        return self.of(*_WRONG)


def data(receipt: Receipt, files: Mapping[str, str]) -> dict[str, Any]:
    """The receipt for programs. `files`: what was written, each with a sum by which a later import knows
    it."""
    return {
        "source": receipt.source,
        "dialect": receipt.dialect,
        "counts": receipt.counts,
        "words": [_account(account) for account in receipt.accounts],
        "links": {
            "verdicts": dict(sorted(Counter(judged.verdict for judged in receipt.links).items())),
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


def _account(account: WordAccount) -> dict[str, Any]:
    return {
        "pages": [page.file.name for page in account.pages],
        **{name: getattr(account, name) for name in ("words", "kept", "turned", "mended", "dropped")},
        "lost": [
            {"word": word, "file": page.file.name, "one of the lines": lines}
            for word, page, lines in account.lost
        ],
        "gained": dict(sorted(account.gained.items())),
    }


def markdown(receipt: Receipt) -> str:
    """The receipt for the editor, as the template words it."""
    # Imported here: only this needs templates.
    from rulewright.site.compositor import environment

    made = environment()
    made.filters["oneline"] = lambda words: " ".join(str(words).split())
    text = made.get_template("import/report.md").render(
        receipt=receipt, verdicts=_verdicts(receipt), turned=_turned(receipt), absent=_absent(receipt)
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


def _turned(receipt: Receipt) -> list[tuple[str, int]]:
    """How often words became what."""
    return Counter(one.what.partition(":")[0] for one in receipt.turned).most_common()


def _absent(receipt: Receipt) -> list[tuple[str, list[str]]]:
    """The pages that links lead to and that are not here, each with the places of these links."""
    places: dict[str, list[str]] = {}
    for judged in receipt.of(ABSENT):
        address = judged.link.href.partition("#")[0]
        places.setdefault(address, []).append(f"{judged.page.file.name}:{judged.link.line}")
    return sorted(places.items())
