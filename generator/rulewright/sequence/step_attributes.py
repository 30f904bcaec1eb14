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

_DUTIES = ("optional", "must")

PLAIN = tuple(name for name in ATTRIBUTES if name not in (*_CONTROL, *_DUTIES, "when", "uses"))
"""The attributes that are only displayed; the others affect the walk and links."""


_CLAUSE = (
    "after|as|at|before|between|by|each|every|except|following|from|if|in|immediately|instead of|on|once|"
    "only|prior to|since|so long as|through|throughout|unless|until|upon|when|whenever|where|while|within|"
    "always|never|during|per|provided|twice|am|außer|bei|beim|bis|falls|im|in|jede[nrs]?|nach|nur|sobald|solange|vor|"
    "während|wenn|zu|zum"
)
_NUMBER = r"[+×±½¼¾⅓⅔−–-].*|\d.*|one|two|three|four|five|six|ein|eine|einen|zwei|drei"
_LIMIT = (
    "all|any|as far|as many|as much|at least|at most|exactly|fewer|less|max|maximum|may|must|no|none|not|"
    r"nothing|only|unlimited|up to|whatever|\d+ (?:to|or) \d+|alle|beliebig|bis|höchstens|maximal"
)
_MOVES = "a|all|an|any|as far|at most|every|full|half|move|moves|moving|only|up to|halbe"
_BEGINNINGS = (
    ("optional", _CLAUSE, "optional "),
    ("must", _CLAUSE, "required "),
    ("when", _CLAUSE, ""),
    ("only", "only|all|any|no|none|not|solely|nur|alle|kein|keine|nicht", ""),
    ("not_for", "except|no|none|not|außer|nicht", ""),
    ("not_for", "for|if|in|on|when", "not "),
    ("limit", _LIMIT, ""),
    ("moves", f"{_NUMBER}|{_MOVES}", ""),
    ("cost", r"[+−–-].*|cost|costs|expend|free|no|pay|pays|spend|kostet|kostenlos|zahle", ""),
    ("rolls", "no|roll|rolls|throw|throws|wirf|würfle", ""),
    ("lasts", "for|to|für|always|forever|indefinitely|permanently|dauerhaft", ""),
    ("lasts", "duration|end|remainder|rest", "for the "),
    ("lasts", _CLAUSE, ""),
    ("places", "mark|place|places|put|lege", ""),
    ("removes", "clear|discard|remove|removes|take|entferne", ""),
    ("flips", "flip|flips|reverse|turn|drehe", ""),
    ("never", "neither|never|no|nor|not|nothing|without|kein|keine|nicht", ""),
    ("never", "all|any|each|every|everything|if|in|on|to", "not "),
)
"""Attributes with the first words of values that change the words before them: "at noon", "+3 MP"."""

_SENTENCE = re.compile(r"[A-ZÄÖÜ„“\"]\S*(?:\s+\S+){2,}[.!?]", re.DOTALL)
_SMALL = {"a", "all", "an", "and", "its", "of", "or", "the", "their", "to"}
_SYNONYMS = {"requir": "must", "turn": "flip", "throw": "roll", "spend": "pay"}
"""Stems of words of titles and phrases that mean the same."""
_ENDING = re.compile(r"(?:ations?|ings?|ment|ed|es|e|s)$")


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
    """Return the title or the note of a step if a sentence of it has all words of a phrase."""
    words = _stems(phrase.text)
    for text in filter(None, (entry.step.title, entry.step.note)):
        if any(words <= _stems(sentence) for sentence in re.split(r"[.;!?]\s", plain_text(text))):
            return text
    return None


def _stems(words: str) -> set[str]:
    """Return the stems of the words except articles and the like."""
    stems = set()
    for word in re.findall(r"[^\W_]+", words.casefold()):
        singular = word.removesuffix("s")
        stem = _ENDING.sub("", singular) if len(singular) > 4 else singular
        stems.add(_SYNONYMS.get(stem, stem))
    return stems - _SMALL


def _attribute_phrases(entry: SequenceStep, names: Collection[str]) -> Iterator[StepPhrase]:
    step = entry.step
    condition = None if step.ends else step.condition
    for name, meta in _DISPLAYED.items():
        value = condition if name == "condition" else getattr(step, name)
        if name not in names or value in (None, ()):
            continue
        before, join = str(meta["phrase"]).removesuffix("{}"), str(meta.get("join", "and"))
        values: tuple[LocatedText, ...] = value if isinstance(value, tuple) else (value,)
        if name in _PARSED:
            values = (step.condition,) if name == "ends" and step.condition else ()
            yield from (StepPhrase(name, words, values, join) for words in _control_words(entry, name))
            continue
        if value == "":  # a no is shown where the step that is changed has a condition
            before, values = str(meta["phrase_for_no"]), ()
            if not entry.origin or not getattr(entry.origin.step, name):
                continue
        elif value == YES and name in _DUTIES:
            values, condition = (condition,) if condition else (), None
            before = before if values else before.removesuffix(" if ")
        else:
            before = _words_before(name, values[0], before)
        yield StepPhrase(name, f"but {before}" if name == "must" and step.optional else before, values, join)


def _words_before(name: str, value: str, before: str) -> str:
    """Return the words before a value, which may say some of them already."""
    if _SENTENCE.fullmatch(value):
        return before.replace(" if ", ": ") if name in _DUTIES else ""
    for attribute, beginning, words in _BEGINNINGS:
        if attribute == name and re.match(rf"\s*(?:{beginning})(?!\w)", value, re.IGNORECASE):
            return words
    return before


def _control_words(entry: SequenceStep, name: str) -> Iterator[str]:
    """Yield the words for a value that is not prose: game turns 3 and 7; 6 rounds by turns."""
    step, book, rounds = entry.step, entry.edition.book, entry.rounds
    if name == "in_turns":
        for value in step.in_turns:
            numbers = None if value in book.sides else parse_counts(value)
            yield numbers.words("game turns") if numbers else f"{find_actor(value, book).title} turn only"
    elif name == "in_rounds":
        nouns = (outer.rounds.noun for outer in entry.ancestors() if outer.rounds)
        numbers = parse_counts(str(step.in_rounds))
        yield numbers.words(next(nouns, "rounds")) if numbers else str(step.in_rounds)
    elif name == "rounds":
        yield rounds.words(by_turns=entry.is_played_in_turns) if rounds else str(step.rounds)
    elif name == "decides":
        title, decided = find_actor(str(step.decides), book).title, str(step.decides)
        usual = {"order": "the order of play", PHASING: "whose turn it is"}
        words = f"the {title[:1].lower()}{title[1:]}" if decided in book.orders else f"who is the {title}"
        yield f"decides {usual.get(decided, words)}"
    else:
        title = plain_text(entry.ended_step.step.title) if entry.ended_step else str(step.ends)
        article = "" if title.lower().startswith("the ") else "the "
        yield f"ends {article}{title}{' if ' if step.condition else ''}"


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
