"""A nested list read as steps: each item with its kind, its title, and what stands in parentheses behind
it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence

from rulewright.book.sequence import slug
from rulewright.importers.website.blocks import (
    WORD,
    Item,
    Listing,
    Paragraph,
    TextPiece,
    said,
    trimmed,
)
from rulewright.importers.website.clauses import Group, clause, clauses, groups
from rulewright.importers.website.prose_writer import ProseWriter
from rulewright.importers.website.rule_tree import Change, RuleNode
from rulewright.importers.website.step_kinds import StepDraft, kind_of, side_of
from rulewright.importers.website.step_narratives import ColourLegend
from rulewright.model.step import DO
from rulewright.model.step_kinds import KINDS, PLAYERS, USUAL
from rulewright.numbers.finder import Finder

_REPEAT = re.compile(r"repeat|same as|as above|roles? reversed|wiederhol|ebenso|répét|repit", re.IGNORECASE)
_JOIN = re.compile(r"\s*(?:[,;]\s*)?(?:(?:and|or|und|oder|et|y)\s+|&\s*)?", re.IGNORECASE)
_CONJUNCTION = re.compile(r"\b(?:and|or|und|oder|et)\s|&", re.IGNORECASE)
_DASH = re.compile(r"\s+(?:--|–|—)\s+|:\s+")
_ROLL = re.compile(r"\brolls?\s+(\d{0,2}[dD]\d{1,3})\b")
_TURNED = frozenset(
    "and or see also per rule section und oder siehe only nur player players non phasing both each side s "  # noqa: SIM905
    "the repeat for other optional every".split()
)
_NO_WORDS = {"by", "id", "repeats", "phasing", "activity", "optional"}
_PARENTHESES = re.compile(r"\([^()]*\)")


class StepReader:
    """Reads one list as steps. `headings`: the words of a heading by page and anchor."""

    def __init__(
        self, node: RuleNode, writer: ProseWriter, finder: Finder, headings: Mapping[tuple[str, str], str]
    ) -> None:
        self.node, self.writer, self.finder, self.headings = node, writer, finder, headings
        self.turned: list[Change] = []
        self.guesses: list[tuple[int, str]] = []
        self.colours: dict[int, str] = {}
        self.sides: dict[str, str] = {}

    def steps(self, listing: Listing) -> list[StepDraft]:
        """The steps of the whole list."""
        drafts = [draft for item in listing.items for draft in self.item(item, None)]
        self.fill_kinds(drafts)
        self.turns(drafts)
        return drafts

    def item(self, item: Item, around: str | None) -> list[StepDraft]:
        """An item as a step, or as several where it names several with a rule each."""
        first = item.blocks[0] if item.blocks else None
        whole = first.pieces if isinstance(first, Paragraph) else []
        pieces = trimmed([p for p in whole if not p.picture])
        for p in (p for p in whole if p.picture):
            what = "a picture in the sequence of play, left out"
            words = " ".join(filter(None, (p.text, p.picture.caption if p.picture else "")))
            self.turned.append(Change(self.node.page, p.line, words, "", what))
        text, links = self.text(pieces)
        made = self.several(text, links, item.line, around) or [self.step(text, links, item.line, around)]
        draft = made[0]
        if item.marker and len(made) == 1:
            draft.fields = {"label": item.marker, **draft.fields}
        colour = next((p.colour for p in pieces if p.colour), "")
        if colour:
            for one in made:
                self.colours[id(one)] = colour
        for block in item.blocks[1:] if pieces else item.blocks:
            if isinstance(block, Listing):
                self.inner(block, draft)
            elif isinstance(block, Paragraph) and (words := self.text(block.pieces)[0]):
                self.note(draft, words)
        self.account(text, made, item.line)
        return made

    def inner(self, listing: Listing, draft: StepDraft) -> None:
        """The steps inside a step. A single list of names joined by “and” may be gone through in any
        order."""
        rows = [self.item(item, draft.kind) for item in listing.items]
        free = len(rows) == 1 and len(rows[0]) > 1 and not draft.steps and any(step.free for step in rows[0])
        for row in rows:
            for step in row:
                step.free = step.free and free
                draft.steps.append(step)
            if len(row) > 1 and not free:
                row[0].remarks.append(
                    "These steps stand in one line of the page; they are in its order here."
                )

    def text(self, pieces: Sequence[TextPiece]) -> tuple[str, list[tuple[int, int, str]]]:
        """The words of a step in one line, and where numbers of rules stand in them."""
        words = self.writer.inline(self.node.page, pieces)
        for mark in reversed(list(re.finditer(r"\[\[(?:[^\[\]|]*\|)?([^\[\]]*)\]\]", words))):
            words = words[: mark.start()] + mark[1] + words[mark.end() :]
        words = words.replace("\\*", "*")
        own = [said([p]) for p in pieces if p.link]
        found = []
        for one in self.finder.find(words):
            shown = words[one.start : one.end]
            if one.number and (shown in own or self.writer.links.is_known(one.number)):
                found.append((one.start, one.end, shown))
        self.anchored = next((p for p in pieces if p.link and "#" in p.link.href), None)
        return words, found

    def step(
        self, text: str, links: Sequence[tuple[int, int, str]], line: int, around: str | None
    ) -> StepDraft:
        """One step from its words: what stands in parentheses becomes its keys."""
        draft = StepDraft(DO, "", line)
        title, end = "", 0
        for group in groups(text):
            behind = _PARENTHESES.sub("", text[group.end :])
            if re.match(r"\s+\w", behind) and not kind_of(behind):
                continue  # in the middle of a sentence, and a part of it
            title += text[end : group.start]
            end = group.end
            self.group(group, text, links, draft)
        title = " ".join((title + text[end:]).split()).strip(" ;,:")
        title = re.sub(r"\s+([;,.:])", r"\1", title).strip(" ;,:")
        self.entitle(draft, title, line, around)
        return draft

    def entitle(self, draft: StepDraft, title: str, line: int, around: str | None) -> None:
        """Give a step its kind and title; sentences behind the first, and dice, get keys of their own."""
        heading = self.heading() if draft.see else ""
        kind = kind_of(title)
        if kind is None and heading.lower().startswith(title.lower()) and kind_of(heading):
            added = heading[len(title) :].strip()
            self.turned.append(Change(self.node.page, line, "", added, "the title that its heading has"))
            title, kind = heading, kind_of(heading)
        ranks = [*KINDS, DO]
        if kind and around and ranks.index(kind) <= ranks.index(around):
            kind = None
        draft.kind, draft.title = kind or DO, title
        if draft.kind == DO:
            first, *rest = re.split(r"(?<=[a-z0-9)])\.\s+(?=[A-Z])", title, maxsplit=1)
            draft.title = first.rstrip(".") if rest else title.removesuffix(".")
            if rest:
                self.note(draft, rest[0])
            if m := _ROLL.search(draft.title):
                draft.fields["rolls"] = m[1]
                draft.title = " ".join((draft.title[: m.start(1)] + draft.title[m.end(1) :]).split())
            if re.match(r"(?:each|both) (?:players?|sides?)\b", title, re.IGNORECASE):
                draft.fields["by"] = "both"
        draft.title = draft.title or "—"

    def heading(self) -> str:
        """The words of the heading that the step's link leads to."""
        link = self.anchored.link if self.anchored else None
        target = self.writer.links.target(self.node.page, link) if link else None
        return self.headings.get((target.page.name, target.anchor), "") if target and target.page else ""

    def group(self, group: Group, text: str, links: Sequence[tuple[int, int, str]], draft: StepDraft) -> None:
        """Enter the words in one pair of parentheses as keys of a step."""
        at = group.start + 1
        for words in clauses(group.words):
            start = text.index(words, at)
            at = start + len(words)
            inside = [one for one in links if start <= one[0] and one[1] <= at]
            rest, end = "", start
            for a, b, _ in inside:
                rest += text[end:a]
                end = b
            rest = (rest + text[end:at]).strip(" ,;&")
            bare = re.sub(
                r"\b(?:and|or|see|also|per|und|oder|siehe|rule|section)\b|[&,;§]", " ", rest, flags=re.I
            )
            if inside and not bare.strip():
                draft.see += [number for *_, number in inside]
                continue
            if not inside and (number := self.known(bare.strip(" .:"))):
                draft.see.append(number)
                self.turned.append(Change(self.node.page, draft.line, words, number, "a reference of a step"))
                continue
            found = clause(words)
            if found.key == "note":
                self.note(draft, found.value)
            elif found.key == "uses":
                draft.uses.append(found.value)
            elif found.key == "cost" and "cost" in draft.fields:
                draft.fields["cost"] += f"; {found.value}"
            elif found.key in draft.fields:
                self.note(draft, words)
            else:
                draft.fields[found.key] = found.value
            if not found.sure:
                self.guesses.append((draft.line, f"“{words}” is taken for the {found.key} of a step"))

    def known(self, words: str) -> str:
        """The number of a rule that words are by themselves, as 4 is in a book that cites its chapters so."""
        dialect = self.writer.links.dialect
        number = dialect.parse(words) or dialect.parse(f"{words}.")
        return number.key if number and self.writer.links.is_known(number) else ""

    def note(self, draft: StepDraft, words: str) -> None:
        before = draft.fields.get("note")
        draft.fields["note"] = f"{before}; {words}" if before else words

    def several(
        self, text: str, links: Sequence[tuple[int, int, str]], line: int, around: str | None
    ) -> list[StepDraft]:
        """The steps of an item that names several: `Missions -- Sweep (14.6), Transport (14.9) and …`."""
        found = list(groups(text))
        numbers = {(a, b): number for a, b, number in links}
        pure = [group for group in found if (group.start + 1, group.end - 1) in numbers]
        if len(pure) < 2 or len(pure) != len(found) or text[found[-1].end :].strip(" .;"):
            return []
        head = _DASH.search(text, 0, found[0].start)
        start = head.end() if head else 0
        drafts: list[StepDraft] = []
        joined = False
        for at, group in enumerate(found):
            words = text[start : group.start]
            join = _JOIN.match(words)
            if at and join and not join.group().strip():
                return []
            joined = joined or bool(at and _CONJUNCTION.search(words[: join.end()] if join else ""))
            title = words[join.end() if at and join else 0 :].strip()
            if not title:
                return []
            number = numbers[group.start + 1, group.end - 1]
            drafts.append(StepDraft(DO, title, line, [number], free=True))
            start = group.end
        for draft in drafts:
            draft.free = joined
        if head:
            outer = StepDraft(DO, "", line, steps=drafts)
            self.entitle(outer, text[: head.start()].strip(), line, around)
            return [outer]
        return drafts

    def account(self, text: str, made: Sequence[StepDraft], line: int) -> None:
        """Enter the words of a step that became signs or keys: and, see, only. Any other that is gone is
        lost."""
        kept: Counter[str] = Counter()
        for draft in made:
            own = [draft.title, *draft.see, *draft.uses]
            own += [value for key, value in draft.fields.items() if key not in _NO_WORDS]
            own += (
                [word for inner in draft.steps for word in (inner.title, *inner.see)]
                if len(made) == 1
                else []
            )
            kept.update(word for words in own for word in WORD.findall(words))
        gone = Counter(WORD.findall(text)) - kept
        turned = [word for word in gone.elements() if word.lower() in _TURNED]
        if turned:
            self.turned.append(
                Change(self.node.page, line, " ".join(turned), "", "a key or a sign of a step")
            )

    def fill_kinds(self, drafts: Sequence[StepDraft]) -> None:
        """Take a top step whose title does not say its kind for a phase."""
        kinds = [draft.kind for draft in drafts if draft.kind != DO]
        for draft in drafts:
            if draft.kind == DO and kinds:
                draft.kind = USUAL
                draft.remarks.append(
                    f"Its title does not say what kind of step it is; the others suggest a {USUAL}."
                )
                self.guesses.append((draft.line, f"“{draft.title}” is taken for a {USUAL}"))

    def turns(self, drafts: Sequence[StepDraft]) -> None:
        """Fill in whose each player turn is, and which turn repeats another."""
        turns = [step for draft in drafts for step in draft.walk() if step.kind in PLAYERS]
        for turn in turns:
            name, title = side_of(turn.title)
            if name:
                self.sides.setdefault(name, title)
                turn.fields["phasing"] = name
        for at, turn in enumerate(turns[1:], 1):
            only = turn.steps[0] if len(turn.steps) == 1 else None
            if only and only.kind == DO and not only.steps and _REPEAT.search(only.title):
                turn.steps = []
                first = turns[at - 1]
                first.fields.setdefault("id", first.fields.get("phasing") or slug(first.title))
                turn.fields["repeats"] = first.fields["id"]
                words = " ".join([only.title, *only.fields.values()])
                self.turned.append(
                    Change(self.node.page, only.line, words, "", f"repeats: {first.fields['id']}")
                )

    def colour(self, drafts: Sequence[StepDraft], legend: ColourLegend, acting: str = "") -> None:
        """Fill in who acts in coloured steps, where that is not who acts around them."""
        for draft in drafts:
            acts = draft.fields.get("by") or ("phasing" if draft.kind in PLAYERS else acting)
            role = legend.roles.get(self.colours.get(id(draft), ""))
            if role:
                if legend.combat:
                    draft.fields["activity"] = "combat"
                if role != acts:
                    draft.fields["by"] = acts = role
            self.colour(draft.steps, legend, acts)
