"""Sets a page so that its errata show: what they took out stands beside what they put in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from markupsafe import Markup

from rulewright.book.aid_plan import AidSheet
from rulewright.book.errata_entries import ErrataEntry, errata_sort_key
from rulewright.book.errata_targets import entry_chapter
from rulewright.book.outline import RuleEntry
from rulewright.book.table_entries import TableEntry
from rulewright.files.located_text import LocatedText
from rulewright.references.reference_types import parse_document
from rulewright.render.errata_markup import MarkedText
from rulewright.render.page_renderer import PageRenderer
from rulewright.render.templating import environment
from rulewright.schema.amended_text import GONE, AmendedText
from rulewright.schema.erratum import Erratum
from rulewright.schema.text_document import HtmlWriter
from rulewright.sequence.sequence_step import SequenceStep


@dataclass(frozen=True, slots=True)
class ErrataRenderer(PageRenderer):
    """Sets a page of the site; what is printed is set as amended, without these marks."""

    _met: dict[Erratum, None] = field(default_factory=dict, repr=False)

    def blocks(self, text: LocatedText, entry: RuleEntry | None = None) -> Markup:
        if isinstance(text, AmendedText):
            return Markup(self._marked(text, self.ids(text, entry)).blocks())
        return PageRenderer.blocks(self, text, entry)

    def inline(self, text: LocatedText, until: int | None = None) -> Markup:
        if isinstance(text, AmendedText):
            return Markup(self._marked(text).inline(until))
        return PageRenderer.inline(self, text, until)

    def _marked(self, text: AmendedText, ids: Mapping[int, str] | None = None) -> MarkedText:
        self._met.update(dict.fromkeys(text.errata))
        was, now = self.context.shelf.document(text.printed), self.document(text)
        return MarkedText(text, was, now, self.writer(text)._replace(link=self.link, ids=ids or {}), self)

    def mark(self, sign: str, words: str) -> str:
        parts: Any = environment().get_template("parts/erratum.html").module
        return str((parts.gone if sign == GONE else parts.come)(Markup(words)))

    def sign(self, errata: Sequence[Erratum]) -> str:
        parts: Any = environment().get_template("parts/erratum.html").module
        return str(parts.signs([self.context.remarks[erratum] for erratum in errata], self))

    @property
    def errata(self) -> list[ErrataEntry]:
        """The errata that are marked in what was set so far, in the order in which they hold."""
        return [self.context.remarks[erratum] for erratum in sorted(self._met, key=errata_sort_key)]

    def errata_text_html(self, text: LocatedText) -> Markup:
        return Markup(HtmlWriter(self.link).blocks(self.context.shelf.document(text).blocks))

    def quotation_html(self, text: LocatedText, remark: ErrataEntry) -> Markup:
        words, outline = text.strip(), self.context.shelf.outlines[remark.edition.address]
        resolved = self.context.shelf.resolver.resolve(words, outline, entry_chapter(remark, outline))
        return Markup(HtmlWriter(self.link).words(parse_document(words, resolved).inline()))

    def errata_entries(
        self, thing: RuleEntry | SequenceStep | TableEntry | AidSheet
    ) -> Sequence[ErrataEntry]:
        return self.context.shelf.errata_by_target.get(thing, [])
