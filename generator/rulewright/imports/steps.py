"""The sequence of play of an imported book: its steps, narratives, sides and roles."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from rulewright.files.yaml_writer import InlineCollection, ParagraphText
from rulewright.imports import Entries
from rulewright.imports.blocks import WORD, SourceBlock, plain
from rulewright.imports.book import Book, ImportedRule
from rulewright.imports.prose import ProseWriter, written_words
from rulewright.imports.sequence.outline_blocks import headings_of, nest_headings
from rulewright.imports.sequence.step_titles import kind_of
from rulewright.imports.sequence.steps_builder import StepContext, StepsBuilder
from rulewright.schema.step_kinds import KINDS

SEQUENCE = re.compile(
    r"sequence|outline of play|turn order|order of play|ablauf|reihenfolge|séquence|secuencia", re.IGNORECASE
)
_MARK = re.compile(r"\[\[(?:[^\[\]|]*\|)?([^\[\]]*)\]\]")
_COMBAT = re.compile("combat|attack|fight|kampf|angriff", re.IGNORECASE)
_ROLES = (
    ("phasing", "Phasing player", "P"),
    ("non-phasing", "Non-phasing player", "N"),
    ("both", "Both players", "B"),
)
_INNER = ("steps", "any order", "one of")
_KEY_WORDS = frozenset("and or see also per rule section".split())  # noqa: SIM905


def is_outline(listing: Sequence[SourceBlock], heading: str) -> bool:
    """Return whether a list is a sequence of play: it is nested and names enough phases and turns."""
    items = [block for block in listing if block.kind == "item"]
    titles = [plain(block.runs).split("(")[0].strip() for block in items]
    named = sum(kind_of(title) is not None for title in titles)
    is_nested = any(block.depth > 1 for block in items)
    return is_nested and named >= (3 if SEQUENCE.search(heading) else 5) and named * 6 >= len(titles)


def bare_name(words: str) -> str:
    """Return a name to compare: small letters without signs."""
    return " ".join(re.findall(r"\w+", words.lower()))


def names_step(title: str, name: str) -> bool:
    """Return whether a heading names a step, with the kind of the step or without it."""
    return title == name or (title.startswith(f"{name} ") and title.removeprefix(f"{name} ") in KINDS)


@dataclass(slots=True)
class StepsWriter:
    """Writes the sequence of play. `texts`: the words of the book, which say what colours mean."""

    prose: ProseWriter
    texts: Sequence[str]
    entries: list[tuple[str, Entries]] = field(default_factory=list)
    sides: dict[str, str] = field(default_factory=dict)
    narrated: list[str] = field(default_factory=list)
    count: int = 0

    def write(self, book: Book) -> Entries:
        """Return the keys of sequence.yml, empty if there is none; take its narratives out of the rules."""
        rule = next((rule for rule in book.rules() if rule.steps), None)
        if rule is None:
            return {}
        blocks = [replace(b, runs=tuple(r for r in b.runs if not r.picture)) for b in rule.steps]
        texts = {
            id(b): _MARK.sub(r"\1", self.prose.inline(b.page, b.runs)).replace("\\*", "*") for b in blocks
        }
        links = self.prose.links

        linked = {plain((run,)) for block in blocks for run in block.runs if run.link}

        def is_number(text: str) -> bool:
            number = links.parse(text) or links.parse(f"{text}.")
            return number is not None and (links.is_known(number) or text in linked)

        colours, marks_combat = self.legend(blocks, rule)
        builder = StepsBuilder(
            StepContext(
                is_number,
                report=lambda line, message: self.prose.report.guess(rule.page, line, message),
                colours=colours,
                marks_combat=marks_combat,
            )
        )
        pieces = list(headings_of(blocks, lambda block: texts[id(block)], keeps_markers=True))
        nodes, _ = nest_headings(pieces, is_number)
        steps = builder.steps(nodes, "", ())
        self.entries, self.sides, self.count = builder.entries, builder.sides, builder.count
        for other in book.rules():
            self.take_narratives(other)
        around = next((one for one in book.chapters if rule in one.walk()), rule)
        named = around if SEQUENCE.search(plain(around.title)) else rule
        title = self.prose.inline(named.page, [replace(run, link=None) for run in named.title])
        title = title or "Sequence of Play"
        entries: Entries = {"title": title, "steps": steps}
        words = " ".join([*texts.values(), *(b.marker for b in blocks)])
        self.account(rule, words, {"title": title, "steps": steps}, builder.replaced)
        return entries

    def account(self, rule: ImportedRule, words: str, entries: Entries, replaced: Sequence[str]) -> None:
        """Report the words of steps that became keys, and the words that were added."""
        source, narrated = Counter(WORD.findall(words)), Counter(self.narrated)
        written = Counter(written_words(entries)) - narrated
        allowed = {word.lower() for word in WORD.findall(" ".join(replaced))} | _KEY_WORDS
        gone = [word for word in (source - written).elements() if word.lower() in allowed]
        self.prose.report.leave_out(rule.page, rule.line, " ".join(gone), "keys of steps")
        self.prose.report.added += (written - source).elements()

    def legend(self, blocks: Sequence[SourceBlock], rule: ImportedRule) -> tuple[dict[str, str], bool]:
        """Return who acts in steps of a colour, as the book says, and whether colours mark combat."""
        colours = list(dict.fromkeys(run.colour for block in blocks for run in block.runs if run.colour))
        roles: dict[str, str] = {}
        is_combat = False
        for colour in colours:
            word = re.escape(colour)
            form = re.compile(
                rf"\b(non-?phasing|(?<!non-)(?<!non)phasing)\s+(?:player\s*)?"
                rf"(?:\(|is |in |are |[=:] ?){word}\b"
                rf"|\b{word}\b\W+(?:is |are |for |marks |means |=)*\W*(?:the )?(non-?phasing|phasing)\b",
                re.IGNORECASE,
            )
            for text in (" ".join(text.split()) for text in self.texts):
                for match in form.finditer(text):
                    role = (match[1] or match[2]).lower().replace("nonphasing", "non-phasing")
                    roles.setdefault(colour, role)
                    near = text[max(0, match.start() - 160) : match.end() + 160]
                    is_combat = is_combat or _COMBAT.search(near) is not None
        if colours and not roles:
            usual = {"red": "phasing", "blue": "non-phasing"}
            roles = {colour: usual[colour] for colour in colours if colour in usual}
            what = ", ".join(f"{colour} is taken for the {role} player" for colour, role in roles.items())
            message = f"no page says what the colours of steps mean; {what or 'they are left out'}"
            self.prose.report.guess(rule.page, rule.line, message)
        return roles, is_combat

    def take_narratives(self, rule: ImportedRule) -> None:
        """Take the sections of a rule that are named like steps, which are their narratives."""
        sections: list[list[SourceBlock]] = [[]]
        for block in rule.blocks:
            if block.kind == "heading":
                sections.append([])
            sections[-1].append(block)
        names = [bare_name(title) for title, _ in self.entries]
        titles = [bare_name(plain(section[0].runs)) for section in sections[1:]]
        if len(titles) < 3 or sum(title in names for title in titles) * 2 < len(titles):
            return
        rule.blocks, rule.shows, last = sections[0], rule.shows or "narrative", 0
        for title, section in zip(titles, sections[1:], strict=True):
            options: list[int] = []
            for index, name in enumerate(names):
                if name and names_step(title, name) and "narrative" not in self.entries[index][1]:
                    options.append(index)
            if not options:
                rule.blocks += section
                continue
            # A phase may have its name twice in a turn; the next in order is meant.
            last = next((option for option in options if option >= last), options[0])
            self.narrate(self.entries[last][1], section)

    def narrate(self, entries: Entries, section: Sequence[SourceBlock]) -> None:
        """Give a step the text of a section as its narrative, before its inner steps."""
        words = plain(section[0].runs)
        self.prose.report.leave_out(section[0].page, section[0].line, words, "the heading of a narrative")
        inner = {key: entries.pop(key) for key in _INNER if key in entries}
        if text := self.prose.prose(section[1:], up=""):
            entries["narrative"] = ParagraphText(text)
            self.narrated += written_words(ParagraphText(text))
        entries |= inner

    def rulebook_keys(self) -> Entries:
        """Return the roles and sides that the steps need."""
        if not self.entries:
            return {}
        made: Entries = {
            "roles": {name: InlineCollection({"title": title, "mark": mark}) for name, title, mark in _ROLES}
        }
        if self.sides.keys() <= {"first", "second"}:
            made["players"] = "2"
        else:
            made["sides"] = {name: InlineCollection({"title": title}) for name, title in self.sides.items()}
        return made
