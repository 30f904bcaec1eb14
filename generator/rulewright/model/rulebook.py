"""Types that the files of a rulebook and its rules are read into, frozen.

One description serves three ends: the reader fills and checks these types from YAML, the language server
completes and explains keys by it, and every other room works on them. A key in YAML, a field here and a
macro in the templates use the same word.

Every scalar is `Text`, which knows its place. A field's `key(...)` says what it means.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rulewright.model import erratum, shorthand
from rulewright.model.figure_placement import FigurePlacement
from rulewright.model.step_kinds import KINDS
from rulewright.model.yaml_fields import field_key, list_field, mapping_field, own_and_inherited_keys
from rulewright.source.located_text import LocatedText, Node

if TYPE_CHECKING:
    from rulewright.model.branding import Branding
    from rulewright.model.diagram_model import Counter, DiagramSpec, HexMap, SymbolSpec

NEW = "none"
"""Value of `was` for a rule, a step or a table that is new."""
_ISO_639_1 = """
    aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv
    dz ee el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig
    ii ik io is it iu ja jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh
    mi mk ml mn mr ms mt my na nb nd ne ng nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru
    rw sa sc sd se sg si sk sl sm sn so sq sr ss st su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug
    uk ur uz ve vi vo wa wo xh yi yo za zh zu
"""
WAS = "The number it had in the edition that this one follows, several where it was several; `none` if new."
FORMERLY = "Numbers that it had before in this edition, the last one last; their addresses lead to it still."


@dataclass(frozen=True, slots=True, eq=False)
class Role:
    """Who can act: a role of the turn (phasing, non-phasing, both) or a side of the game."""

    title: LocatedText = field_key("What the player is called.", must=True)
    mark: LocatedText | None = field_key(
        "One or two letters beside the player's steps, so that colour is not the only sign."
    )
    colour: LocatedText | None = field_key(
        "A dark colour of the player's own, as #rrggbb; on a dark page it is lightened."
    )


@dataclass(frozen=True, slots=True, eq=False)
class Term:
    """An abbreviation or a word of the glossary."""

    means: LocatedText = field_key("What the term stands for.", must=True, prose=True)
    aliases: tuple[LocatedText, ...] = list_field(
        "What else it is called, as it is written in texts.", lone=True
    )
    see: LocatedText | None = field_key("The rule that defines it.", cites=True)


@dataclass(frozen=True, slots=True, eq=False)
class ExternalWork:
    """Another work whose numbers texts cite."""

    aliases: tuple[LocatedText, ...] = list_field(
        "What else it is called, as it is written in texts.", lone=True
    )
    leads_to: LocatedText | None = field_key(
        "Where its numbers lead: a book of this project (ocs, ocs/4.3) or an address (https://…)."
    )


@dataclass(frozen=True, slots=True, eq=False)
class Rulebook:
    """`rulebook.yml`: what holds for all editions of a book, its numbering above all."""

    title: LocatedText = field_key("The book's full title.", must=True)
    subtitle: LocatedText | None = field_key("What stands below the title on the cover of the rulebook.")
    short: LocatedText | None = field_key("A short name, for tabs and labels.")
    language: LocatedText | None = field_key(
        "The language of its texts, as de for German; en where left out. Words are hyphenated, read aloud "
        "and found by it.",
        words="languages",
    )
    publisher: LocatedText | None = field_key("Who publishes the game.")
    numbers: tuple[LocatedText, ...] = list_field(
        'How rules are numbered, by example: "1.1a(A)". 1 is a number, a or A a letter, i or I roman; '
        "several digits together are nested; 100 counts by hundreds, 702 in chapter 7; AA is a chapter of "
        "several capitals, GR in GR.4. The first example is "
        'the usual form; others are other forms, with words ("Rule 1 Case A") or of appendices ("A.1") too.',
        lone=True,
        must=True,
    )
    levels: tuple[LocatedText, ...] = list_field(
        "What the levels of a number are called, from the chapter down. In texts, section 6, case 2 is 6.2. "
        'Short forms stand behind a comma, as in "paragraph, para.", which is read in texts too.'
    )
    suffixes: tuple[LocatedText, ...] = list_field(
        "What a number may have behind it that was put in behind another, in the order in which those stand: "
        "bis, ter; +, ++; A for any capital letter (12A beside 12).",
        lone=True,
    )
    chapters: tuple[LocatedText, ...] = list_field(
        'How a whole chapter is cited, by example: "12.0", "12.", "Appendix A"; "(5)" or "[5]" where a bare '
        "number alone in brackets is a chapter.",
        lone=True,
    )
    implied: LocatedText | None = field_key(
        "`chapter` where a number may leave its chapter out inside that chapter.", words="implied"
    )
    alphabet: LocatedText | None = field_key(
        "The letters of lettered rules in their order, where it is not a to z."
    )
    cues: tuple[LocatedText, ...] = list_field(
        "Words that make the number behind them a reference, besides see, see also, per, rule, section, case."
    )
    joins: tuple[LocatedText, ...] = list_field("Words between the numbers of a run: and, or.")
    through: tuple[LocatedText, ...] = list_field("Words between the ends of a range: to, through.")
    not_references: tuple[LocatedText, ...] = list_field(
        'Words in which a number is no reference, and a term no term: "Version 4.3"; # is any number: '
        '"hex #", "# miles".',
        name="not-references",
    )
    books: Mapping[LocatedText, ExternalWork] = mapping_field(
        "Other works, by name: a number beside such a name, Series Rules 4.2, is one of that work."
    )
    steps: tuple[LocatedText, ...] = list_field("The kinds of step in the sequence of play, outermost first.")
    roles: Mapping[LocatedText, Role] = mapping_field("Roles that change hands: phasing, non-phasing, both.")
    sides: Mapping[LocatedText, Role] = mapping_field("The sides of the game, by the name that steps use.")
    terms: Mapping[LocatedText, Term] = mapping_field(
        "The glossary: abbreviations and words with a rule of their own."
    )
    symbols: Mapping[LocatedText, SymbolSpec] = mapping_field("Signs that texts show as `:name:`.")
    counters: Mapping[LocatedText, Counter] = mapping_field(
        "The game's counters, which texts show as `:name:` and diagrams by name."
    )
    terrain: Mapping[LocatedText, LocatedText] = mapping_field(
        "The book's own names of terrain, hexsides and ways, each with what it is drawn as: {steppe: open}."
    )
    map: HexMap | None = field_key("How the hexes of its maps lie.")
    look: Branding | None = field_key("How the book's pages look: its colours, its logo, its font.")
    order: LocatedText | None = field_key(
        "`first` where it stands in front of the other books, which stand in the order of their folders.",
        words="order",
    )


@dataclass(frozen=True, slots=True, eq=False)
class Suppression:
    """A problem that is known and right as it is."""

    code: LocatedText = field_key("The code of the problem.", must=True)
    at: LocatedText = field_key(
        "What it is about: the rule number, step or file that the problem names.", must=True
    )
    reason: LocatedText = field_key("Why it is right as it is.", must=True)


@dataclass(frozen=True, slots=True, eq=False)
class EditionFile:
    """`edition.yml`: one edition of a book."""

    edition: LocatedText = field_key("The edition as the book calls it.", must=True)
    date: LocatedText | None = field_key("When it was published, as year-month-day.", date=True)
    in_force_from: LocatedText | None = field_key("From when it holds, where that is later.", date=True)
    follows: LocatedText | None = field_key("The edition before this one.")
    extends: LocatedText | None = field_key(
        "The edition of the series that this game's rules add to: ocs/4.3."
    )
    not_references: tuple[LocatedText, ...] = list_field(
        "As in rulebook.yml, for this edition.", name="not-references"
    )
    excused: tuple[Suppression, ...] = list_field("Problems that are known and right as they are.")

    @property
    def effective_date(self) -> LocatedText | None:
        """The day from which it holds, if any is said."""
        return self.in_force_from or self.date


@dataclass(frozen=True, slots=True, eq=False)
class RuleHistoryKeys:
    """How a rule stands to others: to what it was, to what took its place, and to the rules of a series."""

    was: tuple[LocatedText, ...] = list_field(WAS, lone=True, apart="name")
    formerly: tuple[LocatedText, ...] = list_field(FORMERLY, lone=True, apart="name")
    retired: LocatedText | None = field_key(
        "`yes`, or why, where the rule holds no more and only keeps its address.",
        prose=True,
        phrase_for_no="not retired",
    )
    replaced_by: tuple[LocatedText, ...] = list_field(
        "The rules that hold in the place of one that is retired.", cites=True, lone=True
    )
    replaces: tuple[LocatedText, ...] = list_field(
        "Rules of the series that it replaces.", of_series=True, lone=True
    )
    adds_to: tuple[LocatedText, ...] = list_field(
        "Rules of the series that it adds to, or changes in part.", of_series=True, lone=True
    )
    voids: tuple[LocatedText, ...] = list_field(
        "Rules of the series that do not hold.", of_series=True, lone=True
    )


@dataclass(frozen=True, slots=True, eq=False)
class ListedRule(RuleHistoryKeys):
    """A printed number that need not be transcribed."""

    number: LocatedText = field_key("The number as printed.", must=True, apart="name")
    title: LocatedText | None = field_key("Its title, where it has one.", prose=True)


@dataclass(frozen=True, slots=True, eq=False)
class KnownNumbers:
    """`known.yml`: the numbers of the printed book, in its order."""

    lists: LocatedText | None = field_key(
        "`everything` where no number of the book is left out (gaps are then reported), else `cited`.",
        words="lists",
    )
    known: tuple[ListedRule, ...] = list_field(
        "The numbers, in the order of the book.", must=True, apart=True
    )


@dataclass(frozen=True, slots=True, eq=False)
class RuleNote:
    """Note beside a rule: an example, a design note, a historical remark."""

    kind: LocatedText = field_key("Which sort of note.", must=True, words="notes")
    text: LocatedText = field_key("The note.", must=True, prose=True)
    title: LocatedText | None = field_key("Its heading.", prose=True)
    diagram: DiagramSpec | None = field_key("A diagram that belongs to it.")

    @staticmethod
    def expand_shorthand(mapping: Mapping[LocatedText, Node | None]) -> dict[LocatedText, Node | None]:
        """Return the keys of a note with its kind as such: `play: …` is the text of a note of that kind."""
        return shorthand.expand_note(mapping, SETS["notes"])


@dataclass(frozen=True, slots=True, eq=False)
class Figure(FigurePlacement):
    """A picture that belongs to a rule."""

    file: LocatedText = field_key("The picture's file, beside this one.", must=True)
    alt: LocatedText = field_key("What the picture shows, for readers who do not see it.", must=True)
    caption: LocatedText | None = field_key("What is below it.", prose=True)


@dataclass(frozen=True, slots=True, eq=False)
class Rule(RuleHistoryKeys):
    """A numbered rule and the rules inside it."""

    number: LocatedText = field_key("The number as printed.", must=True, apart="name", headed=True)
    title: LocatedText | None = field_key("Its title, where it has one.", prose=True)
    aliases: tuple[LocatedText, ...] = list_field(
        "What else players call it, by which it is found too.", lone=True, apart="name"
    )
    text: LocatedText | None = field_key(
        "What it says. Paragraphs, **bold**, *italic*, lists, `![a picture](a.png)`.", prose=True
    )
    dated: LocatedText | None = field_key(
        "The date that the book prints for it, as year-month-day.", date=True
    )
    shows: LocatedText | None = field_key("What stands below the text, drawn from the data.", words="shows")
    rules: tuple[Rule, ...] = list_field("The rules one level down.", apart=True, headed=True)
    closing: LocatedText | None = field_key("What it says behind the rules inside it.", prose=True)
    notes: tuple[RuleNote, ...] = list_field("Examples, exceptions, design and play notes.")
    figures: tuple[Figure, ...] = list_field("Pictures.", one="picture")
    diagrams: tuple[DiagramSpec, ...] = list_field(
        "Diagrams of hexes or counters, drawn from what stands here.", one="diagram"
    )

    @staticmethod
    def short_keys() -> tuple[str, ...]:
        """Return the keys that stand for an entry of one of its lists."""
        return SETS["notes"]

    @staticmethod
    def expand_shorthand(mapping: Mapping[LocatedText, Node | None]) -> dict[LocatedText, Node | None]:
        """Return the keys of a rule with the rules and notes that are keys of it in its lists."""
        return shorthand.expand_rule(mapping, own_and_inherited_keys(Chapter), SETS["notes"])


@dataclass(frozen=True, slots=True, eq=False)
class Chapter(Rule):
    """A file in `rules/`: a chapter, which is a rule whose number stands first."""

    number: LocatedText = field_key(
        "The chapter's number as printed.", must=True, name="chapter", apart="name"
    )


SETS: Mapping[str, tuple[str, ...]] = {
    "heads": ("both",),
    "hexes": ("flat", "pointed"),
    "shifted": ("odd", "even"),
    "place": ("left", "right", "centre"),
    "fold": ("none", "bi-fold", "tri-fold", "gate-fold", "screen"),
    "ink": ("colour", "black"),
    "orientation": ("portrait", "landscape"),
    "starts": ("column", "page"),
    "book columns": ("1", "2", "3"),
    "types": ("serif", "sans"),
    "yes": ("yes",),
    "implied": ("chapter",),
    "lists": ("everything", "cited"),
    "notes": ("design", "play", "example", "important", "exception"),
    "shows": ("sequence", "narrative", "game turn"),
    "order": ("first",),
    "languages": tuple(_ISO_639_1.split()),
    "steps": KINDS,
    **erratum.WORDS,
}
"""The words that some values are chosen from. A rulebook may declare its own kinds of step."""


def numbers_in(rule: Rule) -> Iterator[LocatedText]:
    """Yield the number of a rule and of every rule in it."""
    yield rule.number
    for inner in rule.rules:
        yield from numbers_in(inner)
