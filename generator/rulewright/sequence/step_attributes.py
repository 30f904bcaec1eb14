"""Attributes of steps and their phrases, in the order in which they are shown.

Pages, the walker, aids and outlines use the same phrases.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, fields

from rulewright.files.located_text import LocatedText
from rulewright.schema.step import YES, StepAttributes
from rulewright.schema.text_document import plain_text
from rulewright.sequence.actors import find_actor
from rulewright.sequence.sequence_step import ANY_ORDER, ONE_OF, PHASING, SequenceStep
from rulewright.sequence.step_counts import parse_counts

_DISPLAYED = {f.name: f.metadata for f in fields(StepAttributes) if f.metadata.get("phrase")}
ATTRIBUTES = tuple(_DISPLAYED)
"""The keys of a step that are attributes, in the order in which they are shown."""

_PARSED = ("in_turns", "in_rounds", "rounds", "decides", "ends")
"""The attributes whose values are not prose."""

_CONTROL = (*_PARSED, "condition", "for_each", "unless")
"""The attributes that decide whether and how often a step is done; they are always shown."""

PLAIN = tuple(name for name in ATTRIBUTES if name not in (*_CONTROL, "optional", "must", "when", "uses"))
"""The attributes that are only displayed; the others affect the walk and links."""


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
_LIMIT = _beginning(
    "all|any|as far|as many|as much|at least|at most|exactly|fewer|less|max|maximum|may|must|no|none|not|"
    "nothing|"
    r"only|unlimited|up to|whatever|\d+ (?:to|or) \d+|alle|beliebig|bis|höchstens|maximal"
)
_PHRASES: dict[str, tuple[tuple[re.Pattern[str], str], ...]] = {
    "optional": ((_CLAUSE, "optional "),),
    "must": ((_CLAUSE, "required "),),
    "when": ((_CLAUSE, ""),),
    "only": ((_beginning("only|all|any|no|none|not|solely|nur|alle|kein|keine|nicht"), ""),),
    "not_for": (
        (_beginning("except|no|none|not|außer|nicht"), ""),
        (_beginning("for|if|in|on|when"), "not "),
    ),
    "limit": ((_LIMIT, ""),),
    "moves": (
        (
            _beginning(
                rf"{_NUMBER}|a|all|an|any|as far|at most|every|full|half|move|moves|moving|only|up to|halbe"
            ),
            "",
        ),
    ),
    "cost": ((_beginning(r"[+−–-].*|cost|costs|expend|free|no|pay|pays|spend|kostet|kostenlos|zahle"), ""),),
    "rolls": ((_beginning("no|roll|rolls|throw|throws|wirf|würfle"), ""),),
    "lasts": (
        (_beginning("for|to|für|always|forever|indefinitely|permanently|dauerhaft"), ""),
        (_beginning("duration|end|remainder|rest"), "for the "),
        (_CLAUSE, ""),
    ),
    "places": ((_beginning("mark|place|places|put|lege"), ""),),
    "removes": ((_beginning("clear|discard|remove|removes|take|entferne"), ""),),
    "flips": ((_beginning("flip|flips|reverse|turn|drehe"), ""),),
    "never": (
        (_beginning("neither|never|no|nor|not|nothing|without|kein|keine|nicht"), ""),
        (_beginning("all|any|each|every|everything|if|in|on|to"), "not "),
    ),
}
"""Words before values whose first words already express the attribute: "at noon", "+3 MP", "any number"."""

_VERBS = {
    "moves": "mov(?:e[sd]?|ing|ement)|bewegt?",
    "cost": "pa(?:y|ys|id|ying|yments?)|cost|costs|expend|spend",
    "rolls": "roll(?:s|ed|ing)?|throw|würfelt?",
    "places": "place[sd]?|placing|put|mark",
    "removes": "remov(?:e[sd]?|ing|al)|clear|take",
    "flips": "flip(?:s|ped)?|turn(?:s|ed)?|reverse",
    "must": "must|has to|have to|muss|müssen",
}
"""Words of a title that make the verb of the attribute phrase redundant."""

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
    """The words before the values."""
    values: tuple[LocatedText, ...]
    join: str
    """The word between the last two values."""

    @property
    def text(self) -> str:
        *earlier, last = map(plain_text, self.values or ("",))
        values = f"{', '.join(earlier)} {self.join} {last}" if earlier else last
        return f"{self.before}{values}"


def capitalize_first(words: str) -> str:
    """Return the words with a capital first letter."""
    return words[:1].upper() + words[1:]


def step_phrases(entry: SequenceStep, names: Collection[str] | None = None) -> Iterator[StepPhrase]:
    """Yield the attribute phrases of some keys or, by default, all that repeat neither title nor note."""
    for phrase in _attribute_phrases(entry, ATTRIBUTES if names is None else names):
        if names is not None or phrase.key in _CONTROL or not repeated_in(entry, phrase):
            yield phrase


def repeated_in(entry: SequenceStep, phrase: StepPhrase) -> LocatedText | None:
    """Return the title or the note of a step if it contains the words of a phrase, in any order."""
    verb, is_duty = _VERBS.get(phrase.key, ""), phrase.key == "must"
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
    step = entry.step
    condition = None if step.ends else step.condition
    for name, meta in _DISPLAYED.items():
        value, join = getattr(step, name), str(meta.get("join", "and"))
        if name not in names or value in (None, ()) or (name == "condition" and condition is None):
            continue
        values: tuple[LocatedText, ...] = value if isinstance(value, tuple) else (value,)
        if name in _PARSED:
            values = (step.condition,) if name == "ends" and step.condition else ()
            yield from (StepPhrase(name, words, values, join) for words in _control_words(entry, name))
            continue
        if value == "":  # a no is shown where the step that is changed has a condition
            if entry.origin and getattr(entry.origin.step, name):
                yield StepPhrase(name, str(meta["phrase_for_no"]), (), join)
            continue
        before, is_duty = str(meta["phrase"]).removesuffix("{}"), "phrase_for_no" in meta
        if is_duty and value == YES:
            values, condition = (condition,) if condition else (), None
            before = before if values else before.removesuffix(" if ")
        elif _SENTENCE.fullmatch(values[0]):
            before = before.replace(" if ", ": ") if is_duty else ""
        else:
            beginnings = (words for pattern, words in _PHRASES.get(name, ()) if pattern.match(values[0]))
            before = next(beginnings, before)
        yield StepPhrase(name, f"but {before}" if name == "must" and step.optional else before, values, join)


def _control_words(entry: SequenceStep, name: str) -> Iterator[str]:
    """Yield the words for a value that is not prose: game turns 3 and 7; 6 rounds by turns."""
    step, book = entry.step, entry.edition.book
    if name == "in_turns":
        for value in step.in_turns:
            numbers = None if value in book.sides else parse_counts(value)
            yield numbers.words("game turns") if numbers else f"{find_actor(value, book).title} turn only"
    elif name == "in_rounds":
        nouns = (outer.rounds.noun for outer in entry.ancestors() if outer.rounds)
        numbers = parse_counts(str(step.in_rounds))
        yield numbers.words(next(nouns, "rounds")) if numbers else str(step.in_rounds)
    elif name == "rounds":
        rounds = entry.rounds
        yield rounds.words(by_turns=entry.is_played_in_turns) if rounds else str(step.rounds)
    elif name == "decides":
        title = find_actor(str(step.decides), book).title
        words = {"order": "the order of play", PHASING: "whose turn it is"}.get(
            str(step.decides), f"who is the {title}"
        )
        yield f"decides {f'the {title[:1].lower()}{title[1:]}' if step.decides in book.orders else words}"
    else:
        title = plain_text(entry.ended_step.step.title) if entry.ended_step else str(step.ends)
        words = f"ends {'' if title.lower().startswith('the ') else 'the '}{title}"
        yield f"{words} if " if step.condition else words


def turns_phrase(entry: SequenceStep) -> str:
    """Return the words for a step that is a turn for each of several players."""
    return "one turn each" if entry.phasing and entry.is_played_in_turns and not entry.step.rounds else ""


def inside_phrase(entry: SequenceStep) -> str:
    """Return how its inner steps are done: "in any order", "one of", or "one of Air, Land or Sea"."""
    if not entry.ordered or not entry.shows_inner_steps:
        return ""
    if entry.lists_options:
        *earlier, last = (plain_text(step.step.title) for step in entry.ordered)
        return f"one of {', '.join(earlier)} or {last}" if earlier else f"one of {last}"
    return {ONE_OF: "one of", ANY_ORDER: "in any order"}.get(entry.ordered[0].way, "")
