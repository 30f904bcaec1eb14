"""Sets a page so that its errata show: what they took out stands beside what they put in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from markupsafe import Markup

from rulewright.book.outline import Entry
from rulewright.book.remarks import Remark, in_turn
from rulewright.book.sequence import StepEntry
from rulewright.book.sheet import Sheet
from rulewright.book.tables import TableEntry
from rulewright.book.targets import chapter_of
from rulewright.citations.resolving import document
from rulewright.model.amended import GONE, Amended
from rulewright.model.erratum import Erratum
from rulewright.site.compositor import Compositor
from rulewright.site.marked import Marked
from rulewright.site.templating import environment
from rulewright.source.text import Text
from rulewright.text.document import Html


@dataclass(frozen=True, slots=True)
class Proof(Compositor):
    """Sets a page of the site; what is printed is set as amended, without these marks."""

    _met: dict[Erratum, None] = field(default_factory=dict, repr=False)

    def blocks(self, text: Text, entry: Entry | None = None) -> Markup:
        if isinstance(text, Amended):
            return Markup(self._marked(text, self.ids(text, entry)).blocks())
        return Compositor.blocks(self, text, entry)

    def inline(self, text: Text, until: int | None = None) -> Markup:
        if isinstance(text, Amended):
            return Markup(self._marked(text).inline(until))
        return Compositor.inline(self, text, until)

    def _marked(self, text: Amended, ids: Mapping[int, str] | None = None) -> Marked:
        self._met.update(dict.fromkeys(text.errata))
        was, now = self.desk.shelf.document(text.printed), self.document(text)
        html = self.writer(text)._replace(link=self.link, ids=ids or {})
        return Marked(text, was, now, html, self)

    def mark(self, sign: str, words: str) -> str:
        parts: Any = environment().get_template("parts/erratum.html").module
        return str((parts.gone if sign == GONE else parts.come)(Markup(words)))

    def sign(self, errata: Sequence[Erratum]) -> str:
        parts: Any = environment().get_template("parts/erratum.html").module
        return str(parts.signs([self.desk.remarks[one] for one in errata], self))

    @property
    def errata(self) -> list[Remark]:
        """The errata that are marked in what was set so far, in the order in which they hold."""
        return [self.desk.remarks[one] for one in sorted(self._met, key=in_turn)]

    def said(self, text: Text, remark: Remark) -> Markup:
        return Markup(Html(self.link).blocks(self.desk.shelf.document(text).blocks))

    def quoted(self, text: Text, remark: Remark) -> Markup:
        words, outline = text.strip(), self.desk.shelf.outlines[remark.edition.address]
        resolved = self.desk.shelf.resolve(words, outline, chapter_of(remark, outline))
        return Markup(Html(self.link).words(document(words, resolved).inline()))

    def remarks(self, thing: Entry | StepEntry | TableEntry | Sheet) -> list[Remark]:
        return self.desk.shelf.shown_at.get(thing, [])
