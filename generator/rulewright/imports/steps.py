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
from rulewright.imports.sequence.outline_blocks import document_lines, nest_headings, read_headings
from rulewright.imports.sequence.step_titles import kind_of
from rulewright.imports.sequence.steps_builder import StepsBuilder
from rulewright.schema.step_kinds import KINDS

SEQUENCE = re.compile(
    r"sequence|outline of play|turn order|order of play|ablauf|reihenfolge|séquence|secuencia", re.IGNORECASE
)
_MARK = re.compile(r"\[\[(?:[^\[\]|]*\|)?([^\[\]]*)\]\]")
_USUAL_ROLES = {"red": "phasing", "blue": "non-phasing"}
_ROLES = {
    "phasing": InlineCollection({"title": "Phasing player", "mark": "P"}),
    "non-phasing": InlineCollection({"title": "Non-phasing player", "mark": "N"}),
    "both": InlineCollection({"title": "Both players", "mark": "B"}),
}
_INNER = ("steps", "any order", "one of")


def is_outline(items: Sequence[SourceBlock], heading: str) -> bool:
    """Return whether a list is a sequence of play: it is nested and names enough phases and turns."""
    titles = [plain(block.runs).split("(")[0].strip() for block in items if block.kind == "item"]
    count = sum(kind_of(title) is not None for title in titles)
    is_nested = any(block.depth > 1 for block in items if block.kind == "item")
    return is_nested and count >= (3 if SEQUENCE.search(heading) else 5) and count * 6 >= len(titles)


def bare_name(words: str) -> str:
    """Return a name to compare: small letters without signs."""
    return " ".join(re.findall(r"\w+", words.lower()))


def names_step(title: str, name: str) -> bool:
    """Return whether a heading names a step, with the kind of the step or without it."""
    return title == name or (title.startswith(f"{name} ") and title.removeprefix(f"{name} ") in KINDS)


@dataclass(slots=True)
class StepsWriter:
    """Writes the sequence of play."""

    prose: ProseWriter
    builder: StepsBuilder = field(default_factory=StepsBuilder)
    narrative_words: list[str] = field(default_factory=list)

    def write(self, book: Book) -> Entries:
        """Return the keys of sequence.yml, empty if there is none; take its narratives out of the rules."""
        rule = next((rule for rule in book.rules() if rule.steps), None)
        if rule is None:
            return {}
        links = self.prose.links
        linked = {plain((run,)) for block in rule.steps for run in block.runs if run.link}
        texts: dict[int, str] = {}
        for block in rule.steps:
            words = self.prose.inline(block.page, block.runs)
            texts[id(block)] = _MARK.sub(r"\1", words).replace("\\*", "*")

        def is_number(text: str) -> bool:
            number = links.parse(text) or links.parse(f"{text}.")
            return number is not None and (links.is_known(number) or text in linked)

        builder = self.builder = StepsBuilder(is_number, self.legend(rule))
        lines = document_lines(rule.steps, lambda block: texts[id(block)])
        steps = builder.steps(nest_headings(read_headings(lines, is_number)))
        for other in book.rules():
            self.take_narratives(other)
        chapter = next((chapter for chapter in book.chapters if rule in chapter.walk()), rule)
        titled = chapter if SEQUENCE.search(plain(chapter.title)) else rule
        title = self.prose.inline(titled.page, [replace(run, link=None) for run in titled.title])
        entries: Entries = {"title": title or "Sequence of Play", "steps": steps}
        words = " ".join([*texts.values(), *(block.marker for block in rule.steps)])
        source = Counter(WORD.findall(words))
        written_steps = Counter(written_words(entries)) - Counter(self.narrative_words)
        keys = " ".join((source - written_steps).elements())
        self.prose.report.leave_out(rule.page, rule.line, keys, "keys of steps")
        self.prose.report.added += (written_steps - source).elements()
        if guesses := write_yaml(entries).count("# guess:"):
            message = f"sequence.yml has {guesses} comments that begin with guess:"
            self.prose.report.guess(rule.page, rule.line, message)
        return entries

    def legend(self, rule: ImportedRule) -> dict[str, str]:
        """Return who acts in steps of a colour."""
        colours = {run.colour for block in rule.steps for run in block.runs}
        roles = {colour: role for colour, role in _USUAL_ROLES.items() if colour in colours}
        if roles:
            message = "red marks steps of the phasing player, blue those of the non-phasing player"
            self.prose.report.guess(rule.page, rule.line, message)
        return roles

    def take_narratives(self, rule: ImportedRule) -> None:
        """Take the sections of a rule that are named like steps, which are their narratives."""
        sections: list[list[SourceBlock]] = [[]]
        for block in rule.blocks:
            if block.kind == "heading":
                sections.append([])
            sections[-1].append(block)
        names = [bare_name(title) for title, _ in self.builder.entries]
        titles = [bare_name(plain(section[0].runs)) for section in sections[1:]]
        if len(titles) < 3 or sum(title in names for title in titles) * 2 < len(titles):
            return
        rule.blocks, rule.shows, last = sections[0], rule.shows or "narrative", 0
        for title, section in zip(titles, sections[1:], strict=True):
            # A phase may have its name twice in a turn; the next in order is meant.
            for index in (*range(last, len(names)), *range(last)):
                entries = self.builder.entries[index][1]
                if names[index] and names_step(title, names[index]) and "narrative" not in entries:
                    self.narrate(entries, section)
                    last = index
                    break
            else:
                rule.blocks += section

    def narrate(self, entries: Entries, section: Sequence[SourceBlock]) -> None:
        """Give a step the text of a section as its narrative, before its inner steps."""
        heading = section[0]
        reason = "the heading of a narrative"
        self.prose.report.leave_out(heading.page, heading.line, plain(heading.runs), reason)
        inner = {key: entries.pop(key) for key in _INNER if key in entries}
        self.prose.up = ""  # sequence.yml is in the folder of the edition
        text = self.prose.prose(section[1:])
        self.prose.up = "../"
        if text:
            entries["narrative"] = ParagraphText(text)
            self.narrative_words += written_words(ParagraphText(text))
        entries |= inner

    def rulebook_keys(self) -> Entries:
        """Return the roles and sides that the steps need."""
        sides = self.builder.sides
        if not self.builder.entries:
            return {}
        if sides.keys() <= {"first", "second"}:
            return {"roles": _ROLES, "players": "2"}
        titles = {name: InlineCollection({"title": title}) for name, title in sides.items()}
        return {"roles": _ROLES, "sides": titles}
