"""The sequence of play of an imported book: its steps, narratives, sides and roles."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from rulewright.files.yaml_writer import InlineCollection, ParagraphText, write_yaml
from rulewright.imports import Entries
from rulewright.imports.blocks import WORD, SourceBlock, plain
from rulewright.imports.book import Book, ImportedRule
from rulewright.imports.prose import ProseWriter, written_words
from rulewright.imports.sequence.outline_blocks import SEQUENCE, document_lines, nest_headings, read_headings
from rulewright.imports.sequence.step_titles import kind_of
from rulewright.imports.sequence.steps_builder import COLOUR_ROLES, StepsBuilder, step_name

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
        """Return the keys of sequence.yml, empty if there is none; take its narratives out of the rules."""
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
        names = {step_name(step.title.words) for node in nodes for step in node.walk() if not step.body}
        narratives: dict[str, str] = {}
        for other in book.rules():
            self.take_narratives(other, names, narratives)
        builder = self.builder = StepsBuilder(is_number, narratives)
        if any(run.colour in COLOUR_ROLES for block in rule.steps for run in block.runs):
            message = "red marks steps of the phasing player, blue those of the non-phasing player"
            self.prose.report.guess(rule.steps[0], message)
        chapter = next((chapter for chapter in book.chapters if rule in chapter.walk()), rule)
        titled = chapter if SEQUENCE.search(plain(chapter.title)) else rule
        title = self.prose.inline(titled.page, [replace(run, link=None) for run in titled.title])
        entries: Entries = {"title": title or "Sequence of Play", "steps": builder.steps(nodes)}
        narrative_words = written_words([ParagraphText(text) for text in narratives.values()])
        written_steps = Counter(written_words(entries)) - Counter(narrative_words)
        keys = " ".join((source - written_steps).elements())
        self.prose.report.leave_out(rule.steps[0], keys, "keys of steps")
        if guesses := write_yaml(entries).count("# guess:"):
            message = f"sequence.yml has {guesses} comments that begin with guess:"
            self.prose.report.guess(rule.steps[0], message)
        return entries

    def words(self, block: SourceBlock) -> str:
        """Return the words of a step, with numbers for marks."""
        words = self.prose.inline(block.page, block.runs)
        return _MARK.sub(r"\1", words).replace("\\*", "*")

    def take_narratives(self, rule: ImportedRule, names: set[str], narratives: dict[str, str]) -> None:
        """Move the sections of a rule that are named like steps to the narratives by name.

        `names`: of the steps that have no text.
        """
        sections: list[list[SourceBlock]] = [[]]
        for block in rule.blocks:
            if block.kind == "heading":
                sections.append([])
            sections[-1].append(block)
        titles = [step_name(plain(section[0].runs)) for section in sections[1:]]
        if len(titles) < 3 or sum(title in names for title in titles) * 2 < len(titles):
            return
        rule.blocks, rule.shows = sections[0], rule.shows or "narrative"
        for title, section in zip(titles, sections[1:], strict=True):
            heading = section[0]
            if title not in names or title in narratives:
                rule.blocks += section
                continue
            reason = "the heading of a narrative"
            self.prose.report.leave_out(heading, plain(heading.runs), reason)
            self.prose.up = ""  # sequence.yml is in the folder of the edition
            narratives[title] = self.prose.prose(section[1:])
            self.prose.up = "../"

    def rulebook_keys(self) -> Entries:
        """Return the roles and sides that the steps need."""
        sides = self.builder.sides
        if not self.builder.count:
            return {}
        if sides.keys() <= {"first", "second"}:
            return {"roles": _ROLES, "players": "2"}
        titles = {name: InlineCollection({"title": title}) for name, title in sides.items()}
        return {"roles": _ROLES, "sides": titles}
