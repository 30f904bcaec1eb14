"""What a heading says: its title, and behind it an abbreviation, references, who acts, and more words."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from rulewright.importers.outline.lines import KINDS

MOST_LETTERS = 100
_LONGEST = 1_000
"""How long a heading may be in whose brackets references and limits are looked for."""

"""A longer first sentence is no title; its beginning stands in for one."""

_SMALL = {"a", "an", "and", "as", "at", "by", "for", "from", "in", "of", "on", "or", "the", "to", "with"}
_KIND = re.compile(rf"\b({KINDS})[ .]*(?:\Z|\()", re.IGNORECASE)
_OF_TURN = re.compile(r"(Player[ -]Turn)s? (?:Sequence|Outline)\b", re.IGNORECASE)
_BRACKETS = re.compile(r"\s*(?:\(([^()]*(?:\([^()]*\)[^()]*)*)\)|\[([\d.]+[a-z]?)\])[.:]?\Z")
_NUMBER = r"[A-Z]{0,2}\d{1,3}(?:\.(?:\d{1,3}|[A-Z]))*(?:\.[a-z](?![a-z]))?[a-z]?"
_REFERENCE = rf"(?:{_NUMBER}(?:\([A-Za-z0-9]+\))*(?:-\.?\d+(?:\.\d+)*)?)"
_RUN = rf"{_REFERENCE}(?:(?:\s*,\s*|\s+(?:and|or|to|through)\s+|\s*[–-]\s*){_REFERENCE})*"
_CUE = r"(?:see(?: also)?|as per|per|rules?|sections?|cases?)"
_ONLY_REFERENCES = re.compile(rf"(?:{_CUE}[ ]+){{0,2}}({_RUN})(?:\s+for [\w ]+)?", re.IGNORECASE)
_CUED = re.compile(
    rf"\b(?:(?:{_CUE}[ ]+)?(rules?|sections?|cases?|see)|{_CUE})[ ]+({_RUN})|\(({_RUN})\)", re.IGNORECASE
)
_PARTED = re.compile(r":\s+|\s+[–—-]{1,2}\s+|[.!?]['\"”’)]?\s+(?=[\"'“‘(*\[]?[A-Z0-9])")


@dataclass(slots=True)
class Title:
    """The parts of a heading. `rest`: the words behind its title; `kind`: the kind of step that it names.

    `limits`: words in brackets that say for whom or what it is; `guesses`: what an editor should look at;
    `capitals`: it is printed in capitals, and is not here; `printed`: it as printed, with its brackets.
    """

    words: str
    rest: str = ""
    kind: str = ""
    abbreviation: str = ""
    see: list[str] = field(default_factory=list)
    limits: list[str] = field(default_factory=list)
    guesses: list[str] = field(default_factory=list)
    capitals: bool = False
    printed: str = ""


Judge = Callable[[str], bool]
"""Says whether a number is one that the book's rules may have."""


def title_of(said: str, is_number: Judge, whole: bool = False) -> Title:
    """The parts of all that a heading says. `whole`: it is a title, whatever signs are in it."""
    words, rest = (said, "") if whole else _parts(said)
    title = Title(words, rest, printed=words.rstrip(".: "))
    while len(title.words) <= _LONGEST and (m := _BRACKETS.search(title.words)):
        inside, before = (m[1] or m[2] or "").strip(), title.words[: m.start()].rstrip()
        if not before:
            break
        title.words = before
        if not inside:
            continue
        references = _ONLY_REFERENCES.fullmatch(inside)
        if references and _are_numbers(references[1], is_number):
            title.see.insert(0, references[1])
            continue
        if shortens(inside, before) and not title.abbreviation:
            title.abbreviation = inside
        else:
            title.limits.insert(0, inside)
    if len(title.words) > MOST_LETTERS:
        title.rest = f"{title.words} {title.rest}".strip()
        title.words = _beginning(title.words)
        title.guesses.append("the title is how the text begins")
    title.words = title.words.rstrip(".:;, ")
    title.kind = kind_in(title.words)
    if title.words.isupper() and len(title.words) > 3:
        title.words = in_small_letters(title.words)
        title.capitals = True
    return title


def kind_in(words: str) -> str:
    """The kind of step that a title names, mostly with its last word; empty where it names none."""
    m = _KIND.search(words) or _OF_TURN.match(words)
    return m[1].lower().replace("-", " ").removesuffix("s") if m else ""


def cited(text: str, is_number: Judge) -> list[str]:
    """The references in a text that a word or brackets say are some, each run once."""
    # A number alone is one only where rules are spoken of: "per 2 hexes" and "(3)" are amounts.
    found = [m[2] or m[3] for m in _CUED.finditer(text) if m[1] or re.search(r"[A-Za-z.]", m[2] or m[3])]
    return [run for run in dict.fromkeys(found) if _are_numbers(run, is_number)]


def _are_numbers(run: str, is_number: Judge) -> bool:
    """Whether every number of a run may be a rule's; of a range, its first."""
    return all(is_number(one.partition("-")[0]) for one in re.findall(_REFERENCE, run))


def shortens(short: str, words: str) -> bool:
    """Whether letters are what a title is shortened to: RPh for Rally Phase, DFPH for Defensive Fire."""
    if not re.fullmatch(r"[A-Z][A-Za-z/&]{1,7}", short) or not re.search(r"[A-Z].*[A-Z]|[A-Z]{2}", short):
        return False
    letters = iter(re.sub(r"[^a-z]", "", words.lower()))
    return all(letter in letters for letter in re.sub(r"[^a-z]", "", short.lower()))


def in_small_letters(words: str) -> str:
    """A title in capitals as a title is usually set: SEQUENCE OF PLAY is Sequence of Play."""

    def word(m: re.Match[str]) -> str:
        small = m.group().lower()
        return small if small in _SMALL and m.start() else small[0].upper() + small[1:]

    return re.sub(r"[^\W\d_][^\W\d_'’]*", word, words)


def is_title(words: str) -> bool:
    """Whether words are set as a title: few, with capitals."""
    bare = re.findall(r"[^\W\d_][\w'’/&-]*", re.sub(r"\([^()]*\)", "", words))
    large = [word for word in bare if word[0].isupper() or word.lower() in _SMALL]
    return bool(bare) and len(bare) <= 9 and len(large) == len(bare)


def _parts(said: str) -> tuple[str, str]:
    """A heading's title and the words behind it: what is parted by a colon, a dash or a full stop."""
    depth = 0
    starts = {m.start(): m for m in _PARTED.finditer(said)}
    for at, sign in enumerate(said):
        depth += {"(": 1, "[": 1, ")": -1, "]": -1}.get(sign, 0)
        m = starts.get(at)
        if at > 2 * MOST_LETTERS:
            break
        if m and depth <= 0 and at > 1:
            is_sentence = m.group()[0] in ".!?"
            title = said[: m.start() + (1 if is_sentence else 0)]
            # "Roll two dice: 2-5 rain" has its colon inside a sentence, "Supply Segment: The …" has not.
            if is_sentence or is_title(title):
                return title.strip(), said[m.end() :].strip()
    return said.strip(), ""


def _beginning(words: str) -> str:
    """The beginning of a long sentence: up to its first comma, or its first words."""
    head = re.split(r"[,;:(]\s|\s[–—-]+\s", words, maxsplit=1)[0]
    return head if len(head) <= MOST_LETTERS else f"{' '.join(head.split()[:10])} …"
