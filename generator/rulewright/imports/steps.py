"""The sequence of play of an imported book: its steps, sides and roles."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from rulewright.files.yaml_writer import InlineCollection, write_yaml
from rulewright.imports import Entries
from rulewright.imports.blocks import WORD, SourceBlock, plain
from rulewright.imports.book import Book
from rulewright.imports.prose import ProseWriter, written_words
from rulewright.imports.sequence.outline_blocks import SEQUENCE, document_lines, nest_headings, read_headings
from rulewright.imports.sequence.step_titles import kind_of
from rulewright.imports.sequence.steps_builder import COLOUR_ROLES, StepsBuilder

_MARK = re.compile(r"\[\[(?:[^\[\]|]*\|)?([^\[\]]*)\]\]")
_ROLES = {
    "phasing": InlineCollection({"title": "Phasing player", "mark": "P"}),
    "non-phasing": InlineCollection({"title": "Non-phasing player", "mark": "N"}),
    "both": InlineCollection({"title": "Both players", "mark": "B"}),
}


def is_outline(items: Sequence[SourceBlock], heading: str) -> bool:
    """Return whether a list is a sequence of play: it is nested and names enough phases and turns."""
    titles = [plain(block.runs).split("(")[0].strip() for block in items if block.kind == "item"]
    count = sum(bool(kind_of(title)) for title in titles)
    is_nested = any(block.depth > 1 for block in items if block.kind == "item")
    return is_nested and count >= (3 if SEQUENCE.search(heading) else 5) and count * 6 >= len(titles)


@dataclass(slots=True)
class StepsWriter:
    """Writes the sequence of play."""

    prose: ProseWriter
    builder: StepsBuilder = field(default_factory=StepsBuilder)

    def write(self, book: Book) -> Entries:
        """Return the keys of sequence.yml, empty if there is none."""
        rule = next((rule for rule in book.rules() if rule.steps), None)
        if rule is None:
            return {}
        links = self.prose.links
        linked = {plain((run,)) for block in rule.steps for run in block.runs if run.link}

        def is_number(text: str) -> bool:
            number = links.parse(text)
            return number is not None and (links.is_known(number) or text in linked)

        lines = [*document_lines(rule.steps, self.words)]
        words = " ".join([*(line.text for line in lines), *(block.marker for block in rule.steps)])
        source = Counter(WORD.findall(words))
        nodes = nest_headings(read_headings(lines, is_number))
        builder = self.builder = StepsBuilder(is_number)
        if any(run.colour in COLOUR_ROLES for block in rule.steps for run in block.runs):
            message = "red marks steps of the phasing player, blue those of the non-phasing player"
            self.prose.report.guess(rule.steps[0], message)
        titles = (plain(outer.title) for outer in book.rules() if rule in outer.walk())
        own_title = plain(rule.title) or "Sequence of Play"
        title = next(filter(SEQUENCE.search, titles), own_title)
        entries: Entries = {"title": title, "steps": builder.steps(nodes)}
        keys = " ".join((source - Counter(written_words(entries))).elements())
        self.prose.report.leave_out(rule.steps[0], keys, "keys of steps")
        if guesses := write_yaml(entries).count("# guess:"):
            message = f"sequence.yml has {guesses} comments that begin with guess:"
            self.prose.report.guess(rule.steps[0], message)
        return entries

    def words(self, block: SourceBlock) -> str:
        """Return the words of a step, with numbers for marks."""
        words = self.prose.inline(block.page, block.runs)
        return _MARK.sub(r"\1", words).replace("\\*", "*")

    def rulebook_keys(self) -> Entries:
        """Return the roles and sides that the steps need."""
        sides = self.builder.sides
        if not self.builder.count:
            return {}
        if sides.keys() <= {"first", "second"}:
            return {"roles": _ROLES, "players": "2"}
        titles = {name: InlineCollection({"title": title}) for name, title in sides.items()}
        return {"roles": _ROLES, "sides": titles}
