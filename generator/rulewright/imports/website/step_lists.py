"""The sequence of play, read from a nested list: each item a step with its kind, its title, and its keys.

What stands in parentheses behind a step says who does it, what it costs, which table it uses, which rule
tells more. Colours say who acts; narratives stand elsewhere in the book, below headings that name steps.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from rulewright.imports.outline.step_line_parser import (
    REPEAT,
    clauses,
    kind_of,
    parenthesis_spans,
    parse_clause,
    side_of,
)
from rulewright.imports.website.page_block_types import (
    WORD,
    PageList,
    PageListItem,
    PageParagraph,
    TextPiece,
    pieces_text,
    strip_pieces,
)
from rulewright.imports.website.page_prose import ProseWriter
from rulewright.imports.website.rule_tree import RuleNode, Subsection
from rulewright.schema.step import DO
from rulewright.schema.step_kinds import KINDS, PLAYERS, USUAL
from rulewright.sequence.sequence_step import title_slug

_JOIN = re.compile(r"\s*(?:[,;]\s*)?(?:(?:and|or|und|oder|et|y)\s+|&\s*)?", re.IGNORECASE)
_CONJUNCTION = re.compile(r"\b(?:and|or|und|oder|et)\s|&", re.IGNORECASE)
_DASH = re.compile(r"\s+(?:--|–|—)\s+|:\s+")
_COMBAT = re.compile("combat|attack|fight|kampf|angriff", re.IGNORECASE)
_ROLL = re.compile(r"\brolls?\s+(\d{0,2}[dD]\d{1,3})\b")
_MARK = re.compile(r"\[\[(?:[^\[\]|]*\|)?([^\[\]]*)\]\]")
_NO_REFERENCE = re.compile(r"\b(?:and|or|see|also|per|und|oder|siehe|rule|section)\b|[&,;§]", re.IGNORECASE)
_TURNED = frozenset(
    "and or see also per rule section und oder siehe only nur player players non phasing both each side s "  # noqa: SIM905
    "the repeat for other optional every".split()
)
_NO_WORDS = {"by", "id", "repeats", "phasing", "activity", "optional"}
_PARENTHESES = re.compile(r"\([^()]*\)")

Reference = tuple[int, int, str]
"""Where a number of a rule stands in a step's words, and the number."""


@dataclass(slots=True, eq=False)
class StepDraft:
    """A step in the making; `fields` are its keys but for its title and the steps inside. `acts`: the words
    that say who does it.
    """

    kind: str
    title: str
    line: int
    see: list[str] = field(default_factory=list)
    fields: dict[str, str] = field(default_factory=dict)
    acts: str = ""
    uses: list[str] = field(default_factory=list)
    steps: list[StepDraft] = field(default_factory=list)
    free: bool = False
    narrative: str = ""
    colour: str = ""
    comments: list[str] = field(default_factory=list)

    def walk(self) -> Iterator[StepDraft]:
        yield self
        for step in self.steps:
            yield from step.walk()

    def note(self, words: str) -> None:
        before = self.fields.get("note")
        self.fields["note"] = f"{before}; {words}" if before else words


class StepReader:
    """Reads one list as steps."""

    def __init__(self, node: RuleNode, writer: ProseWriter) -> None:
        self.node, self.writer, self.links, self.told = node, writer, writer.links, writer.told
        self.sides: dict[str, str] = {}

    def turn(self, line: int, was: str, now: str, what: str) -> None:
        self.told.note_changed(self.node.page, line, was, now, what)

    def steps(self, listing: PageList) -> list[StepDraft]:
        drafts = [draft for item in listing.items for draft in self.item(item, None)]
        has_kind = any(draft.kind != DO for draft in drafts)
        for draft in drafts:  # a top step whose title does not say its kind
            if draft.kind == DO and has_kind:
                draft.kind = USUAL
                what = f"Its title does not say what kind of step it is; the others suggest a {USUAL}."
                draft.comments.append(what)
                self.told.note_guess(self.node.page, draft.line, f"“{draft.title}” is taken for a {USUAL}")
        self.turns([step for draft in drafts for step in draft.walk() if step.kind in PLAYERS])
        return drafts

    def item(self, item: PageListItem, around: str | None) -> list[StepDraft]:
        """An item as a step, or as several where it names several with a rule each."""
        pieces = strip_pieces([p for p in item.lead if not p.picture])
        for p in item.lead:
            if p.picture:
                words = " ".join(filter(None, (p.text, p.picture.caption)))
                self.turn(p.line, words, "", "a picture in the sequence of play, left out")
        text, found = self.text(pieces)
        anchored = next((p.link for p in pieces if p.link and "#" in p.link.href), None)
        target = self.links.target(self.node.page, anchored) if anchored else None
        named = (target.page.name, target.anchor) if target and target.page else ("", "")
        made = self.several(text, found, item.line, around)
        made = made or [self.step(text, found, item.line, around, self.links.book.headings.get(named, ""))]
        draft = made[0]
        if item.marker and len(made) == 1:
            draft.fields = {"label": item.marker, **draft.fields}
        for one in made:
            one.colour = next((p.colour for p in pieces if p.colour), "")
        for block in item.blocks[1:] if pieces else item.blocks:
            if isinstance(block, PageList):
                self.inner(block, draft)
            elif isinstance(block, PageParagraph) and (words := self.text(block.pieces)[0]):
                draft.note(words)
        self.account(text, made, item.line)
        return made

    def inner(self, listing: PageList, draft: StepDraft) -> None:
        """The steps inside a step. A single list of names joined by “and” is gone through in any order."""
        rows = [self.item(item, draft.kind) for item in listing.items]
        free = len(rows) == 1 and len(rows[0]) > 1 and not draft.steps and any(step.free for step in rows[0])
        for row in rows:
            for step in row:
                step.free = step.free and free
            draft.steps += row
            if len(row) > 1 and not free:
                what = "These steps stand in one line of the page; they are in its order here."
                row[0].comments.append(what)

    def text(self, pieces: Sequence[TextPiece]) -> tuple[str, list[Reference]]:
        """The words of a step in one line, and where numbers of rules stand in them."""
        words = _MARK.sub(r"\1", self.writer.inline(self.node.page, pieces)).replace("\\*", "*")
        own = [pieces_text([p]) for p in pieces if p.link]
        found: list[Reference] = []
        for match in self.writer.finder.find(words):
            shown = words[match.start : match.end]
            if match.number and (shown in own or self.links.is_known(match.number)):
                found.append((match.start, match.end, shown))
        return words, found

    def step(
        self, text: str, found: Sequence[Reference], line: int, around: str | None, heading: str
    ) -> StepDraft:
        """One step from its words: what stands in parentheses becomes its keys."""
        draft = StepDraft(DO, "", line)
        title, at = "", 0
        for start, end in parenthesis_spans(text):
            behind = _PARENTHESES.sub("", text[end:])
            if re.match(r"\s+\w", behind) and not kind_of(behind):
                continue  # in the middle of a sentence, and a part of it
            title += text[at:start]
            at = end
            self.group(start + 1, end - 1, text, found, draft)
        title = " ".join((title + text[at:]).split()).strip(" ;,:")
        title = re.sub(r"\s+([;,.:])", r"\1", title).strip(" ;,:")
        self.entitle(draft, title, line, around, heading if draft.see else "")
        return draft

    def entitle(self, draft: StepDraft, title: str, line: int, around: str | None, heading: str = "") -> None:
        """Give a step its kind and title; sentences behind the first, and dice, get keys of their own."""
        kind = kind_of(title)
        if kind is None and heading.lower().startswith(title.lower()) and kind_of(heading):
            self.turn(line, "", heading[len(title) :].strip(), "the title that its heading has")
            title, kind = heading, kind_of(heading)
        ranks = [*KINDS, DO]
        if kind and around and ranks.index(kind) <= ranks.index(around):
            kind = None
        draft.kind, draft.title = kind or DO, title
        if draft.kind == DO:
            first, *rest = re.split(r"(?<=[a-z0-9)])\.\s+(?=[A-Z])", title, maxsplit=1)
            draft.title = first.rstrip(".") if rest else title.removesuffix(".")
            if rest:
                draft.note(rest[0])
            if m := _ROLL.search(draft.title):
                draft.fields["rolls"] = m[1]
                draft.title = " ".join((draft.title[: m.start(1)] + draft.title[m.end(1) :]).split())
            if re.match(r"(?:each|both) (?:players?|sides?)\b", title, re.IGNORECASE):
                draft.fields["by"] = "both"
        draft.title = draft.title or "—"

    def group(self, at: int, stop: int, text: str, found: Sequence[Reference], draft: StepDraft) -> None:
        """Enter the words in one pair of parentheses as keys of a step."""
        for words in clauses(text[at:stop]):
            start = text.index(words, at)
            at = start + len(words)
            inside = [one for one in found if start <= one[0] and one[1] <= at]
            rest = words
            for a, b, _ in reversed(inside):
                rest = rest[: a - start] + rest[b - start :]
            bare = _NO_REFERENCE.sub(" ", rest.strip(" ,;&")).strip()
            key, value, is_sure = parse_clause(words)
            if inside and not bare:
                draft.see += [one for *_, one in inside]
                continue
            alone = bare.strip(" .:")  # as 4 is in a book that cites its chapters so
            number = self.links.dialect.parse_number(alone) or self.links.dialect.parse_number(f"{alone}.")
            if not inside and number and self.links.is_known(number):
                draft.see.append(number.key)
                self.turn(draft.line, words, number.key, "a reference of a step")
                continue
            if key == "uses":
                draft.uses.append(value)
            elif key == "cost" and "cost" in draft.fields:
                draft.fields["cost"] += f"; {value}"
            elif key == "note" or key in draft.fields:
                draft.note(value if key == "note" else words)
            else:
                draft.fields[key] = value
                draft.acts = words if key == "by" else draft.acts
            if not is_sure:
                self.told.note_guess(
                    self.node.page, draft.line, f"“{words}” is taken for the {key} of a step"
                )

    def several(
        self, text: str, found: Sequence[Reference], line: int, around: str | None
    ) -> list[StepDraft]:
        """The steps of an item that names several: `Missions -- Sweep (14.6), Transport (14.9) and …`."""
        all_groups = list(parenthesis_spans(text))
        numbers = {(a - 1, b + 1): number for a, b, number in found}
        if len(all_groups) < 2 or not all(group in numbers for group in all_groups):
            return []
        if text[all_groups[-1][1] :].strip(" .;"):
            return []
        head = _DASH.search(text, 0, all_groups[0][0])
        start = head.end() if head else 0
        drafts: list[StepDraft] = []
        joined = False
        for at, group in enumerate(all_groups):
            words = text[start : group[0]]
            join = _JOIN.match(words) if at else None
            if join and not join.group().strip():
                return []
            joined = joined or bool(join and _CONJUNCTION.search(join.group()))
            title = words[join.end() if join else 0 :].strip()
            if not title:
                return []
            drafts.append(StepDraft(DO, title, line, [numbers[group]], free=True))
            start = group[1]
        for draft in drafts:
            draft.free = joined
        if not head:
            return drafts
        outer = StepDraft(DO, "", line, steps=drafts)
        self.entitle(outer, text[: head.start()].strip(), line, around)
        return [outer]

    def account(self, text: str, made: Sequence[StepDraft], line: int) -> None:
        """Enter the words of a step that became signs or keys: and, see, only."""
        kept: Counter[str] = Counter()
        for draft in made:
            own = [draft.title, *draft.see, *draft.uses]
            own += [value for key, value in draft.fields.items() if key not in _NO_WORDS]
            for inner in draft.steps if len(made) == 1 else ():
                own += [inner.title, *inner.see]
            kept.update(word for words in own for word in WORD.findall(words))
        gone = Counter(WORD.findall(text)) - kept
        signs = _TURNED.union(word.lower() for draft in made for word in WORD.findall(draft.acts))
        if turned := [word for word in gone.elements() if word.lower() in signs]:
            self.turn(line, " ".join(turned), "", "a key or a sign of a step")

    def turns(self, turns: Sequence[StepDraft]) -> None:
        """Fill in whose each player turn is, and which turn repeats another."""
        for turn in turns:
            name, title = side_of(turn.title, {})
            if name:
                self.sides.setdefault(name, title)
                turn.fields["phasing"] = name
        for first, turn in pairwise(turns):
            only = turn.steps[0] if len(turn.steps) == 1 else None
            if only and only.kind == DO and not only.steps and REPEAT.search(only.title):
                turn.steps = []
                first.fields.setdefault("id", first.fields.get("phasing") or title_slug(first.title))
                turn.fields["repeats"] = first.fields["id"]
                words = " ".join([only.title, *only.fields.values()])
                self.turn(only.line, words, "", f"repeats: {first.fields['id']}")

    def colour(self, drafts: Sequence[StepDraft], texts: Sequence[str]) -> None:
        """Fill in who acts in coloured steps. Where no page tells, red is taken for the phasing player."""
        every = [step for draft in drafts for step in draft.walk()]
        colours = list(dict.fromkeys(step.colour for step in every if step.colour))
        roles, is_combat = _legend(texts, colours)
        if colours and not roles:
            usual = {"red": "phasing", "blue": "non-phasing"}
            roles = {colour: usual[colour] for colour in colours if colour in usual}
            what = ", ".join(f"{colour} is taken for the {role} player" for colour, role in roles.items())
            message = f"no page says what the colours of steps mean; {what or 'they are left out'}"
            self.told.note_guess(self.node.page, self.node.line, message)
        _act(drafts, roles, is_combat)


def _legend(texts: Sequence[str], colours: Sequence[str]) -> tuple[dict[str, str], bool]:
    """Read the pages for the meaning of colours: who acts, by colour; and whether they mark combat."""
    roles: dict[str, str] = {}
    is_combat = False
    for colour in colours:
        word = re.escape(colour)
        form = re.compile(
            rf"\b(non-?phasing|(?<!non-)(?<!non)phasing)\s+(?:player\s*)?(?:\(|is |in |are |= ?|: ?){word}\b"
            rf"|\b{word}\b\W+(?:is |are |for |marks |means |=)*\W*(?:the )?(non-?phasing|phasing)\b",
            re.IGNORECASE,
        )
        for text in texts:
            for m in form.finditer(text):
                roles.setdefault(colour, (m[1] or m[2]).lower().replace("nonphasing", "non-phasing"))
                near = text[max(0, m.start() - 160) : m.end() + 160]
                is_combat = is_combat or _COMBAT.search(near) is not None
    return roles, is_combat


def _act(drafts: Sequence[StepDraft], roles: Mapping[str, str], is_combat: bool, acting: str = "") -> None:
    """Fill in who acts in coloured steps, where that is not who acts around them."""
    for draft in drafts:
        acts = draft.fields.get("by") or ("phasing" if draft.kind in PLAYERS else acting)
        if role := roles.get(draft.colour):
            if is_combat:
                draft.fields["activity"] = "combat"
            if role != acts:
                draft.fields["by"] = acts = role
        _act(draft.steps, roles, is_combat, acts)


# Narratives


def narrate(drafts: Sequence[StepDraft], node: RuleNode, writer: ProseWriter) -> list[Subsection] | None:
    """Give steps the narrative below headings named like them; return the rest, None at too few headings."""
    every = [step for draft in drafts for step in draft.walk()]
    names = [bare_name(step.title) for step in every]
    titles = [bare_name(pieces_text(p.title)) for p in node.parts if p.title]
    if len(titles) < 3 or sum(title in names for title in titles) / len(titles) < 0.5:
        return None
    kept: list[Subsection] = []
    last = 0
    for part in node.parts:
        name = bare_name(pieces_text(part.title))
        options = [at for at, step in enumerate(every) if names[at] == name != "" and not step.narrative]
        if not options:
            kept.append(part)
            continue
        # A phase can have its name twice in a turn; the next one in the order of play is meant.
        last = next((option for option in options if option >= last), options[0])
        every[last].narrative = writer.prose(node.page, part.lines, up="")
        what = "narrative of the step with this title"
        writer.told.note_changed(node.page, part.line, pieces_text(part.title), "", what)
    return kept


def bare_name(words: str) -> str:
    return " ".join(re.findall(r"\w+", words.lower()))
