"""Attributes of steps and their phrases, in the order in which they are shown.

Pages, turn playthroughs, aids and outlines use the same phrases.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, fields

from rulewright.files.located_text import LocatedText
from rulewright.schema.step import YES, Interval, StepAttributes
from rulewright.schema.step_kinds import KINDS
from rulewright.schema.text_document import plain_text
from rulewright.sequence.sequence_step import SequenceOfPlay, SequenceStep, has_name

_DISPLAYED = {f.name: f.metadata for f in fields(StepAttributes) if f.metadata.get("phrase")}
ATTRIBUTES = tuple(_DISPLAYED)
"""The keys of a step that are attributes, in the order in which they are shown."""

ASKED = ("may_occur", "optional", "must", "every", "when", "skip_when", "second_time_when")
"""The attributes that decide whether a step is done at all."""

NAMING = ("during", "swaps")
"""The attributes whose values may be the names of other steps."""

PLAIN = tuple(name for name in ATTRIBUTES if name not in (*ASKED, *NAMING, "uses"))
"""The attributes that are only displayed; the others affect playthroughs and links."""


def _beginning(words: str) -> re.Pattern[str]:
    """Return a pattern for the beginning of a value, in English or German."""
    return re.compile(rf"\s*(?:{words})(?!\w)", re.IGNORECASE)


_CLAUSE = _beginning(
    "after|as|at|before|between|by|each|every|except|following|from|if|in|immediately|instead of|on|once|"
    "only|prior to|since|so long as|through|throughout|unless|until|upon|when|whenever|where|while|within|"
    "always|never|during|per|provided|twice|am|außer|bei|beim|bis|falls|im|in|jede[nrs]?|nach|nur|sobald|solange|vor|"
    "während|wenn|zu|zum"
)
_NUMBER = r"[+×±½¼¾⅓⅔−–-].*|\d.*|one|two|three|four|five|six|ein|eine|einen|zwei|drei"
_AMOUNT = _beginning(
    rf"{_NUMBER}|a|all|an|any|any number|as far|as many|as much|at|at least|at most|each|either|every|"
    "everything|exactly|fewer|full|half|less|may|max|maximum|minimum|more|must|no|none|not|nothing|once|one|only|twice|"
    "unlimited|up to|whatever|alle|beliebig|bis|bis zu|halbe|höchstens|je|maximal"
)
_PHRASES: dict[str, tuple[tuple[re.Pattern[str], str], ...]] = {
    "may_occur": ((_CLAUSE, "may occur {}"),),
    "optional": ((_CLAUSE, "optional {}"),),
    "must": ((_CLAUSE, "required {}"),),
    "every": ((_beginning("after|at|each|every|on|once|in|alle|jede[nrs]?"), "{}"),),
    "when": ((_CLAUSE, "{}"),),
    "during": ((_CLAUSE, "{}"),),
    "skip_when": ((_beginning("skip|skipped"), "{}"), (_CLAUSE, "skipped {}")),
    "second_time_when": ((_CLAUSE, "only the second time {}"),),
    "only": ((_beginning("only|all|any|no|none|not|solely|nur|alle|kein|keine|nicht"), "{}"),),
    "not_for": (
        (_beginning("except|no|none|not|außer|nicht"), "{}"),
        (_beginning("for|if|in|on|when"), "not {}"),
    ),
    "exempt": ((_beginning("all but|but|except|not|save|unless|außer|nicht"), "{}"),),
    "limit": (
        (_beginning(rf"by (?:{_NUMBER})"), "{}"),
        (_beginning("by"), "limited {}"),
        (_beginning("to"), "limited {}"),
        (_AMOUNT, "{}"),
        (_CLAUSE, "{}"),
        (_beginning("limited"), "{}"),
    ),
    "moves": (
        (
            _beginning(
                rf"{_NUMBER}|a|all|an|any|as far|at most|every|full|half|move|moves|moving|up to|halbe"
            ),
            "{}",
        ),
    ),
    "cost": (
        (_beginning(r"[+−–-].*|cost|costs|expend|free|no|pay|pays|spend|kostet|kostenlos|zahle"), "{}"),
    ),
    "rolls": ((_beginning("no|roll|rolls|throw|throws|wirf|würfle"), "{}"),),
    "sets": (
        (_beginning("as"), "mark {}"),
        (_beginning("become|becomes|is|are|mark|set|sets|status|no change"), "{}"),
    ),
    "lasts": (
        (_beginning("for|to|für"), "{}"),
        (_beginning("always|forever|indefinitely|permanently|dauerhaft"), "{}"),
        (_beginning("duration|end|remainder|rest"), "for the {}"),
        (_CLAUSE, "{}"),
    ),
    "places": ((_beginning("mark|place|places|put|lege"), "{}"),),
    "removes": ((_beginning("clear|discard|remove|removes|take|entferne"), "{}"),),
    "flips": ((_beginning("flip|flips|reverse|turn|drehe"), "{}"),),
    "allows": ((_beginning("also|and|even|may|auch"), "{}"),),
    "never": (
        (_beginning("neither|never|no|nor|not|nothing|without|kein|keine|nicht"), "{}"),
        (_beginning("all|any|each|every|everything|if|in|on|to"), "not {}"),
    ),
}
"""Phrases for values whose first words already express the attribute: "at noon", "+3 MP", "any number"."""

_VERBS = {
    "moves": "mov(?:e[sd]?|ing|ement)|bewegt?",
    "cost": "pa(?:y|ys|id|ying|yments?)|cost|costs|expend|spend",
    "rolls": "roll(?:s|ed|ing)?|throw|würfelt?",
    "places": "place[sd]?|placing|put|mark",
    "removes": "remov(?:e[sd]?|ing|al)|clear|take",
    "flips": "flip(?:s|ped)?|turn(?:s|ed)?|reverse",
}
"""Words of a title that make the verb of the attribute phrase redundant."""

_DUTIES = {"must": "must|has to|have to|muss|müssen"}
"""Words of a title that make the attribute phrase for a duty redundant."""

_SENTENCE = re.compile(r"[A-ZÄÖÜ„“\"]\S*(?:\s+\S+){2,}[.!?]", re.DOTALL)
_WORD = re.compile(r"[^\W_]+")
_SMALL = {"a", "all", "an", "and", "its", "of", "or", "the", "their", "to"}
_ENDING = re.compile(r"(?:ations?|ings?|ment|ed|es|e|s)$")


def _stems(words: str) -> set[str]:
    """Return the stems of the words except articles and the like."""
    stems = set()
    for word in _WORD.findall(words):
        singular = word.casefold().removesuffix("s")
        stems.add(_ENDING.sub("", singular) if len(singular) > 4 else singular)
    return stems - _SMALL


@dataclass(frozen=True, slots=True)
class StepPhrase:
    """The phrase for an attribute of a step."""

    key: str
    before: str
    after: str
    values: tuple[LocatedText, ...]
    join: str  # the word between the last two values

    @property
    def text(self) -> str:
        *earlier, last = map(plain_text, self.values or ("",))
        values = f"{', '.join(earlier)} {self.join} {last}" if earlier else last
        return f"{self.before}{values}{self.after}"


def capitalize_first(words: str) -> str:
    """Return the words with a capital first letter."""
    return words[:1].upper() + words[1:]


def attribute_texts(entry: SequenceStep, name: str) -> tuple[LocatedText, ...]:
    """Return the texts of a key of a step, with an interval expressed in words."""
    value = getattr(entry.step, name)
    if isinstance(value, Interval):
        turn = (entry.edition.book.steps or KINDS)[0]
        words = str(turn) if value.turns == "1" else f"{value.turns} {turn}s"
        words += f", from {turn} {value.start}" if value.start else ""
        return (LocatedText.from_source(words, value.turns.file, value.turns.start, value.turns.end),)
    return (value,) if value and isinstance(value, LocatedText) else value or ()


def step_phrases(entry: SequenceStep, names: Collection[str] | None = None) -> Iterator[StepPhrase]:
    """Yield the attribute phrases of some keys or, by default, all that repeat neither title nor note."""
    phrases = _attribute_phrases(entry, ATTRIBUTES if names is None else names)
    return (phrase for phrase in phrases if names is not None or not repeated_in(entry, phrase))


def repeated_in(entry: SequenceStep, phrase: StepPhrase) -> LocatedText | None:
    """Return the title or the note of a step if it contains the words of a phrase, in any order."""
    verb, is_duty = _VERBS.get(phrase.key) or _DUTIES.get(phrase.key, ""), phrase.key in _DUTIES
    words = _stems(
        " ".join(phrase.values) if is_duty else phrase.text.removeprefix(phrase.before * bool(verb))
    )
    for text in filter(None, (entry.step.title, entry.step.note)):
        for sentence in re.split(r"[.;!?]\s", plain_text(text)):
            has_verb = not verb or re.search(rf"\b(?:{verb})\b", sentence, re.IGNORECASE)
            if (words or is_duty) and has_verb and words <= _stems(sentence):
                return text
    return None


def _attribute_phrases(entry: SequenceStep, names: Collection[str]) -> Iterator[StepPhrase]:
    for name, meta in _DISPLAYED.items():
        values = attribute_texts(entry, name) if name in names else ()
        join, words = str(meta.get("join", "and")), str(meta["phrase"])
        if not values:
            if entry.difference == "changed" and name in names and getattr(entry.step, name) == "":
                yield StepPhrase(name, str(meta["phrase_for_no"]), "", (), join)
            continue
        if "phrase_for_no" in meta and values == (YES,):
            yield StepPhrase(name, words.removesuffix(" if {}"), "", (), join)
            continue
        templates = (template for pattern, template in _PHRASES.get(name, ()) if pattern.match(values[0]))
        words = next(templates, words)
        if _SENTENCE.fullmatch(values[0]):
            words = words.replace(" if {}", ": {}") if "phrase_for_no" in meta else "{}"
        elif name == "during" and words != "{}" and _is_kind(entry, values[0]):
            words = "during the {}"
        elif name == "must" and entry.step.optional:
            words = f"but {words}"
        before, after = words.split("{}")
        verb = _VERBS.get(name, "")
        title = plain_text(entry.step.title)
        if before and verb and (match := re.search(rf"\b(?:{verb})\b", title, re.IGNORECASE)):
            other_words = _stems(title[: match.start()] + title[match.end() :])
            if name in ("moves", "cost", "rolls") or other_words <= _stems(" ".join(values)):
                before = ""
        yield StepPhrase(name, before, after, values, join)


def _is_kind(entry: SequenceStep, name: str) -> bool:
    """Return whether a name is that of a step whose title ends in a kind: the Movement Segment."""
    steps = entry.parent_in_play.effective_steps if entry.parent_in_play else ()
    title = next((plain_text(step.step.title) for step in steps if has_name(step, name)), name)
    kinds = (*KINDS, *entry.edition.book.steps)
    return title[:1].isupper() and title.split()[-1].casefold() in {kind.split()[-1] for kind in kinds}


def sibling_steps(step: SequenceStep, sequence: SequenceOfPlay) -> list[SequenceStep]:
    """Return the effective steps beside a step."""
    siblings = step.parent_in_play.effective_steps if step.parent_in_play else sequence.steps
    return [sibling for sibling in siblings if sibling is not step]


def named_step(step: SequenceStep, name: str, sequence: SequenceOfPlay) -> SequenceStep | None:
    """Return the step that an attribute of another names: a sibling, or else any step by id or title."""
    siblings = [sibling for sibling in sibling_steps(step, sequence) if has_name(sibling, name)]
    steps = siblings or sequence.steps_named(name)
    return steps[0] if len(steps) == 1 and steps[0] is not step else None


def hosting_step(step: SequenceStep, sequence: SequenceOfPlay) -> SequenceStep | None:
    """Return the sibling during which a step is played, if it has `during:`."""
    base_name = step.base_step.step.during if step.difference == "changed" and step.base_step else None
    name = step.step.during or base_name
    host = named_step(step, name, sequence) if name else None
    return host if host and host.parent_in_play is step.parent_in_play else None
