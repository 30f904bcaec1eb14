"""Facts of a step beside its title: its keys in the order in which they are shown, and the words for them.

Pages, the turn as it is played, sheets and outlines all take their words from here.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, fields

from rulewright.book.outline import Outline
from rulewright.book.sequence import SequenceStep, has_name
from rulewright.model.step import FREE, Interval, StepAttributes
from rulewright.model.step_kinds import KINDS
from rulewright.source.lazy_regex import Regex
from rulewright.source.located_text import LocatedText
from rulewright.text.text_document import plain_text

_SAID = {f.name: f.metadata for f in fields(StepAttributes) if f.metadata.get("said")}
FACTS = tuple(_SAID)
"""The keys of a step that are facts, in the order in which they are shown."""

ASKED = ("may_occur", "optional", "must", "every", "when", "skip_when", "second_time_when")
"""The facts that say whether a step is done at all."""

NAMING = ("during", "swaps")
"""The facts whose values may be the names of other steps."""

PLAIN = tuple(name for name in FACTS if name not in (*ASKED, *NAMING, "uses"))
"""The facts that are said and no more; play and links go by the others."""


def _begins(words: str) -> re.Pattern[str]:
    """A pattern of how a value begins. German is what else is imported."""
    return Regex(rf"\s*(?:{words})(?!\w)", re.IGNORECASE)


_CLAUSE = _begins(
    "after|as|at|before|between|by|each|every|except|following|from|if|in|immediately|instead of|on|once|"
    "only|prior to|since|so long as|through|throughout|unless|until|upon|when|whenever|where|while|within|"
    "always|never|during|per|provided|twice|am|außer|bei|beim|bis|falls|im|in|jede[nrs]?|nach|nur|sobald|solange|vor|"
    "während|wenn|zu|zum"
)
_NUMBER = r"[+×±½¼¾⅓⅔−–-].*|\d.*|one|two|three|four|five|six|ein|eine|einen|zwei|drei"
_AMOUNT = _begins(
    rf"{_NUMBER}|a|all|an|any|any number|as far|as many|as much|at|at least|at most|each|either|every|"
    "everything|exactly|fewer|full|half|less|may|max|maximum|minimum|more|must|no|none|not|nothing|once|one|only|twice|"
    "unlimited|up to|whatever|alle|beliebig|bis|bis zu|halbe|höchstens|je|maximal"
)
_IN_WORDS: dict[str, tuple[tuple[re.Pattern[str], str], ...]] = {
    "may_occur": ((_CLAUSE, "may occur {}"),),
    "optional": ((_CLAUSE, "optional {}"),),
    "must": ((_CLAUSE, "required {}"),),
    "every": ((_begins("after|at|each|every|on|once|in|alle|jede[nrs]?"), "{}"),),
    "when": ((_CLAUSE, "{}"),),
    "during": ((_CLAUSE, "{}"),),
    "skip_when": ((_begins("skip|skipped"), "{}"), (_CLAUSE, "skipped {}")),
    "second_time_when": ((_CLAUSE, "only the second time {}"),),
    "only": ((_begins("only|all|any|no|none|not|solely|nur|alle|kein|keine|nicht"), "{}"),),
    "not_for": ((_begins("except|no|none|not|außer|nicht"), "{}"), (_begins("for|if|in|on|when"), "not {}")),
    "exempt": ((_begins("all but|but|except|not|save|unless|außer|nicht"), "{}"),),
    "limit": (
        (_begins(rf"by (?:{_NUMBER})"), "{}"),
        (_begins("by"), "limited {}"),
        (_begins("to"), "limited {}"),
        (_AMOUNT, "{}"),
        (_CLAUSE, "{}"),
        (_begins("limited"), "{}"),
    ),
    "moves": (
        (
            _begins(rf"{_NUMBER}|a|all|an|any|as far|at most|every|full|half|move|moves|moving|up to|halbe"),
            "{}",
        ),
    ),
    "cost": ((_begins(r"[+−–-].*|cost|costs|expend|free|no|pay|pays|spend|kostet|kostenlos|zahle"), "{}"),),
    "rolls": ((_begins("no|roll|rolls|throw|throws|wirf|würfle"), "{}"),),
    "sets": (
        (_begins("as"), "mark {}"),
        (_begins("become|becomes|is|are|mark|set|sets|status|no change"), "{}"),
    ),
    "lasts": (
        (_begins("for|to|für"), "{}"),
        (_begins("always|forever|indefinitely|permanently|dauerhaft"), "{}"),
        (_begins("duration|end|remainder|rest"), "for the {}"),
        (_CLAUSE, "{}"),
    ),
    "places": ((_begins("mark|place|places|put|lege"), "{}"),),
    "removes": ((_begins("clear|discard|remove|removes|take|entferne"), "{}"),),
    "flips": ((_begins("flip|flips|reverse|turn|drehe"), "{}"),),
    "allows": ((_begins("also|and|even|may|auch"), "{}"),),
    "never": (
        (_begins("neither|never|no|nor|not|nothing|without|kein|keine|nicht"), "{}"),
        (_begins("all|any|each|every|everything|if|in|on|to"), "not {}"),
    ),
}
"""Words around values that say by themselves how they are meant: "at noon", "+3 MP", "any number"."""

_VERBS = {
    "moves": "mov(?:e[sd]?|ing|ement)|bewegt?",
    "cost": "pa(?:y|ys|id|ying|yments?)|cost|costs|expend|spend",
    "rolls": "roll(?:s|ed|ing)?|throw|würfelt?",
    "places": "place[sd]?|placing|put|mark",
    "removes": "remov(?:e[sd]?|ing|al)|clear|take",
    "flips": "flip(?:s|ped)?|turn(?:s|ed)?|reverse",
}
"""The words of a title that say already what is done with what the fact names."""

_DUTIES = {"must": "must|has to|have to|muss|müssen"}
"""The words of a title that say already that a step is no free choice."""

_SENTENCE = Regex(r"[A-ZÄÖÜ„“\"]\S*(?:\s+\S+){2,}[.!?]", re.DOTALL)
_WORD = re.compile(r"[^\W_]+")
_SMALL = {"a", "all", "an", "and", "its", "of", "or", "the", "their", "to"}
_ENDING = re.compile(r"(?:ations?|ings?|ment|ed|es|e|s)$")


def _stems(words: str) -> set[str]:
    """The words that mean something, without their endings."""
    words_without_s = (word.casefold().removesuffix("s") for word in _WORD.findall(words))
    return {_ENDING.sub("", word) if len(word) > 4 else word for word in words_without_s} - _SMALL


@dataclass(frozen=True, slots=True)
class StepPhrase:
    """A key of a step as a phrase: words before and after its values, `join` between the last two."""

    key: str
    before: str
    after: str
    values: tuple[LocatedText, ...]
    join: str

    @property
    def text(self) -> str:
        *earlier, last = map(plain_text, self.values or ("",))
        values = f"{', '.join(earlier)} {self.join} {last}" if earlier else last
        return f"{self.before}{values}{self.after}"


def capitalize_first(words: str) -> str:
    """Words with a capital first letter."""
    return words[:1].upper() + words[1:]


def attribute_texts(entry: SequenceStep, name: str) -> tuple[LocatedText, ...]:
    """The texts of a key of a step; keys that stand in the place of words are put in words."""
    value = getattr(entry.step, name)
    if isinstance(value, Interval):
        turn = (entry.edition.book.steps or KINDS)[0]
        words = str(turn) if value.turns == "1" else f"{value.turns} {turn}s"
        words += f", from {turn} {value.start}" if value.start else ""
        return (LocatedText.from_source(words, value.turns.file, value.turns.start, value.turns.end),)
    return (value,) if value and isinstance(value, LocatedText) else value or ()


def step_phrases(entry: SequenceStep, names: Collection[str] | None = None) -> Iterator[StepPhrase]:
    """The facts of a step that neither its title nor its note says, or all those of some names."""
    phrases = _facts(entry, FACTS if names is None else names)
    return (fact for fact in phrases if names is not None or not repeated_in(entry, fact))


def repeated_in(entry: SequenceStep, fact: StepPhrase) -> LocatedText | None:
    """The title or the note of a step where it says a fact in the same words, in whichever order."""
    verb, is_duty = _VERBS.get(fact.key) or _DUTIES.get(fact.key, ""), fact.key in _DUTIES
    words = _stems(" ".join(fact.values) if is_duty else fact.text.removeprefix(fact.before * bool(verb)))
    for text in filter(None, (entry.step.title, entry.step.note)):
        for sentence in re.split(r"[.;!?]\s", plain_text(text)):
            is_done = not verb or re.search(rf"\b(?:{verb})\b", sentence, re.IGNORECASE)
            if (words or is_duty) and is_done and words <= _stems(sentence):
                return text
    return None


def _facts(entry: SequenceStep, names: Collection[str]) -> Iterator[StepPhrase]:
    for name, meta in _SAID.items():
        values = attribute_texts(entry, name) if name in names else ()
        join, words = str(meta.get("join", "and")), str(meta["said"])
        if not values:
            if entry.difference == "changed" and name in names and getattr(entry.step, name) == "":
                yield StepPhrase(name, str(meta["free"]), "", (), join)
            continue
        if "free" in meta and values == (FREE,):
            yield StepPhrase(name, words.removesuffix(" if {}"), "", (), join)
            continue
        words = next(
            (template for begins, template in _IN_WORDS.get(name, ()) if begins.match(values[0])), words
        )
        if _SENTENCE.fullmatch(values[0]):
            words = words.replace(" if {}", ": {}") if "free" in meta else "{}"
        elif name == "during" and words != "{}" and _is_kind(entry, values[0]):
            words = "during the {}"
        elif name == "must" and entry.step.optional:
            words = f"but {words}"
        before, after = words.split("{}")
        verb = _VERBS.get(name, "")
        title = plain_text(entry.step.title)
        if before and verb and (done := re.search(rf"\b(?:{verb})\b", title, re.IGNORECASE)):
            other_words = _stems(title[: done.start()] + title[done.end() :])
            if name in ("moves", "cost", "rolls") or other_words <= _stems(" ".join(values)):
                before = ""
        yield StepPhrase(name, before, after, values, join)


def _is_kind(entry: SequenceStep, name: str) -> bool:
    """Whether a step is named whose title ends in its kind: the Movement Segment."""
    steps = entry.parent_in_play.effective_steps if entry.parent_in_play else ()
    title = next((plain_text(step.step.title) for step in steps if has_name(step, name)), name)
    kinds = (*KINDS, *entry.edition.book.steps)
    return title[:1].isupper() and title.split()[-1].casefold() in {kind.split()[-1] for kind in kinds}


def sibling_steps(step: SequenceStep, outline: Outline) -> list[SequenceStep]:
    """The other steps of its row, as they are gone through."""
    siblings = step.parent_in_play.effective_steps if step.parent_in_play else outline.steps
    return [sibling for sibling in siblings if sibling is not step]


def named_step(step: SequenceStep, name: str, outline: Outline) -> SequenceStep | None:
    """The step that another one names among its facts: one beside it or else, by id or title, any."""
    steps = [
        sibling for sibling in sibling_steps(step, outline) if has_name(sibling, name)
    ] or outline.steps_named(name)
    return steps[0] if len(steps) == 1 and steps[0] is not step else None


def hosting_step(step: SequenceStep, outline: Outline) -> SequenceStep | None:
    """The step beside it in which a step is played, though the sequence lists it apart."""
    base_name = step.base_step.step.during if step.difference == "changed" and step.base_step else None
    name = step.step.during or base_name
    host = named_step(step, name, outline) if name else None
    return host if host and host.parent_in_play is step.parent_in_play else None
