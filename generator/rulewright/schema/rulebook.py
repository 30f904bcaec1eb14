"""Types for the files of a rulebook and its rules, all frozen.

One description serves three purposes: the reader fills and checks these types from YAML, the language server
completes and explains keys by it, and all other modules use the objects. A YAML key, its field here and its
macro in the templates have the same name.

Every scalar is a `LocatedText`. The `field_key(...)` of a field describes its key.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from rulewright.files.located_text import LocatedText, Node
from rulewright.schema import erratum, shorthand
from rulewright.schema.branding import Branding
from rulewright.schema.diagram_model import Counter, DiagramSpec, HexMap, SymbolSpec
from rulewright.schema.figure_placement import FigurePlacement
from rulewright.schema.yaml_fields import (
    OptionalText,
    Texts,
    field_key,
    list_field,
    mapping_field,
    own_and_inherited_keys,
)

NEW = "none"
"""Value of `was` for a new rule, step or table."""
_ISO_639_1 = """
    aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv
    dz ee el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig
    ii ik io is it iu ja jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh
    mi mk ml mn mr ms mt my na nb nd ne ng nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru
    rw sa sc sd se sg si sk sl sm sn so sq sr ss st su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug
    uk ur uz ve vi vo wa wo xh yi yo za zh zu
"""
WAS = "Its number, or numbers, in the edition that this one follows; `none` if new."
FORMERLY = "Former numbers in this edition, the latest last; their URLs redirect to it."


@dataclass(frozen=True, slots=True, eq=False)
class Role:
    """Role of the turn (phasing, non-phasing, both) or side of the game."""

    title: LocatedText = field_key("The name of the player.", must=True, whole=True, example="Phasing player")
    mark: OptionalText = field_key(
        "One or two letters beside the player's steps, in addition to the colour.", example="P"
    )
    colour: OptionalText = field_key(
        "The player's colour, dark, as #rrggbb; it is lightened on dark pages.",
        colour=True,
        example='"#0d4a80"',
    )


@dataclass(frozen=True, slots=True, eq=False)
class Term:
    """Abbreviation or word of the glossary."""

    means: LocatedText = field_key(
        "The meaning of the term.", must=True, prose=True, example="Zone of Control"
    )
    aliases: Texts = list_field("Other names for it in texts.", lone=True, example="[zone]")
    see: OptionalText = field_key("The rule that defines it.", cites=True, example='"4.5"')
    since: OptionalText = field_key("The first edition that has the term.", apart=True, example='"4.3"')
    until: OptionalText = field_key("The last edition that has the term.", apart=True, example='"4.2"')


@dataclass(frozen=True, slots=True, eq=False)
class ExternalWork:
    """Another publication whose numbers texts cite."""

    aliases: Texts = list_field("Other names for it in texts.", lone=True, example="[SR]")
    leads_to: OptionalText = field_key(
        "The target of its numbers: a book of this project (ocs, ocs/4.3) or a URL (https://…).",
        example="ocs/4.3",
    )


@dataclass(frozen=True, slots=True, eq=False)
class Rulebook:
    """`rulebook.yml`: everything common to the editions of a book, especially its numbering."""

    title: LocatedText = field_key("The book's full title.", must=True, example="Ember Coast")
    subtitle: OptionalText = field_key(
        "The line below the title on the cover of the rulebook.", example="The war of the lights"
    )
    short: OptionalText = field_key("A short name, for tabs and labels.", example="EC")
    language: OptionalText = field_key(
        "The language of its texts, such as de for German; en if left out. It determines hyphenation, speech "
        "and search.",
        words="languages",
        example="de",
    )
    publisher: OptionalText = field_key("The publisher of the game.", example="Tidewater Games")
    numbers: Texts = list_field(
        'How rules are numbered, by example: "1.1a(A)". 1 is a number, a or A a letter, i or I roman; '
        "several digits together are nested; 100 counts by hundreds (702 in chapter 7); AA is a chapter of "
        "several capitals, GR in GR.4. The first example is "
        'the usual form; others are other forms, with words ("Rule 1 Case A") or of appendices ("A.1") too.',
        lone=True,
        must=True,
        example='["1.1a(A)", "A.1"]',
    )
    levels: Texts = list_field(
        "Words for the levels of a number, from the chapter down. In texts, section 6, case 2 is 6.2. "
        'Short forms follow after a comma, as in "paragraph, para."; texts may use either.',
        example="[chapter, section, case]",
    )
    suffixes: Texts = list_field(
        "Suffixes of rules that were inserted after another, in order: "
        "bis, ter; +, ++; A for any capital letter (12A beside 12).",
        lone=True,
        example="[bis, ter]",
    )
    chapters: Texts = list_field(
        'How a whole chapter is cited, by example: "12.0", "12.", "Appendix A"; "(5)" or "[5]" if a bare '
        "number alone in brackets is a chapter.",
        lone=True,
        example='["12.0", "Appendix A"]',
    )
    implied: OptionalText = field_key(
        "`chapter` if numbers may leave out their chapter inside that chapter.",
        words="implied",
        example="chapter",
    )
    alphabet: OptionalText = field_key(
        "The letters of lettered rules in order, if not a to z.", example="abcdefghjkl"
    )
    cues: Texts = list_field(
        "Words that make the number after them a reference, besides see, see also, per, rule, section, case.",
        example="[under]",
    )
    joins: Texts = list_field("Words between the numbers of a list: and, or.", example="[and, or]")
    through: Texts = list_field(  # plain: ok
        "Words between the ends of a range: to, through.", example="[to, through]"
    )
    not_references: Texts = list_field(
        'Phrases in which a number is no reference and a term no term: "Version 4.3"; # is any number: '
        '"hex #", "# miles".',
        name="not-references",
        example='["Version 4.3", "hex #"]',
    )
    books: Mapping[LocatedText, ExternalWork] = mapping_field(
        "Other publications, by name: a number beside the name, Series Rules 4.2, is one of that work.",
        example="{Series Rules: {leads to: ocs/4.3}}",
    )
    roles: Mapping[LocatedText, Role] = mapping_field(
        "Roles that alternate between players: phasing, non-phasing, both.",
        example="{phasing: Phasing player}",
    )
    sides: Mapping[LocatedText, Role] = mapping_field(
        "The sides of the game, by the name that steps use.", example="{league: League}"
    )
    orders: Mapping[LocatedText, Role] = mapping_field(
        "Orders of the players that are decided in play, besides the usual one, by the name that steps use.",
        example="{initiative: By initiative}",
    )
    players: OptionalText = field_key(
        "For a game without fixed sides, how many play: 2, or 3 to 6.", example='"2"'
    )
    terms: Mapping[LocatedText, Term] = mapping_field(
        "The glossary: abbreviations and words with a rule of their own.",
        example="{ZOC: {means: Zone of Control}}",
    )
    symbols: Mapping[LocatedText, SymbolSpec] = mapping_field(
        "Symbols that texts show for `:name:`.", example="{ember: {means: an Ember Point, letters: EP}}"
    )
    counters: Mapping[LocatedText, Counter] = mapping_field(
        "The game's counters, which texts show for `:name:` and diagrams by name.",
        example="{mill-watch: {unit: infantry, values: 2-4}}",
    )
    terrain: Mapping[LocatedText, LocatedText] = mapping_field(
        "The book's own names of terrain, hexsides and ways, and how to draw each: {steppe: open}.",
        example="{heath: broken}",
    )
    map: HexMap | None = field_key("The hex grid of its maps.", example="{hexes: flat}")
    look: Branding | None = field_key(
        "The branding of the book's pages: colours, logo, font.", example='{colour: "#1d4d4f"}'
    )
    order: OptionalText = field_key(
        "`first` to list it before the other books, which are in the order of their folders.",
        words="order",
        example="first",
    )


@dataclass(frozen=True, slots=True, eq=False)
class Suppression:
    """Suppression of a known problem, with the reason."""

    code: LocatedText = field_key("The code of the problem.", must=True, example="label-repeated")
    at: LocatedText = field_key(  # plain: ok
        "The subject of the problem: its rule number, step or file.", must=True, example='"14.1"'
    )
    reason: LocatedText = field_key("The reason to accept it.", must=True, example="the book prints it twice")


@dataclass(frozen=True, slots=True, eq=False)
class EditionFile:
    """`edition.yml`: one edition of a book."""

    edition: LocatedText = field_key("The name of the edition.", must=True, example='"4.3"')
    date: OptionalText = field_key(
        "The date of publication, as year-month-day.", date=True, example="2020-08-09"
    )
    in_force_from: OptionalText = field_key(
        "The date from which it is in force, if later.", date=True, example="2020-09-01"
    )
    follows: OptionalText = field_key("The edition before this one.", example='"4.2"')
    extends: OptionalText = field_key(
        "The edition of the series that this game extends: ocs/4.3.", example="ocs/4.3"
    )
    not_references: Texts = list_field(
        "As in rulebook.yml, for this edition.", name="not-references", example="[rules 2.1]"
    )
    excused: tuple[Suppression, ...] = list_field(  # plain: ok
        "Suppressed problems.", example='[{code: label-repeated, at: "14.1", reason: printed so}]'
    )

    @property
    def effective_date(self) -> LocatedText | None:
        """Date from which it is in force, if any."""
        return self.in_force_from or self.date


@dataclass(frozen=True, slots=True, eq=False)
class RuleHistoryKeys:
    """Relations of a rule: former numbers, replacements, and rules of a series."""

    was: Texts = list_field(WAS, lone=True, apart="name", example="9.12c")  # plain: ok
    formerly: Texts = list_field(FORMERLY, lone=True, apart="name", example="9.12b")
    retired: OptionalText = field_key(
        "`yes`, or the reason, if the rule is no longer in force and only keeps its URL.",
        prose=True,
        phrase_for_no="not retired",
        example="yes",
    )
    replaced_by: Texts = list_field(
        "The rules that replace a retired one.", cites=True, lone=True, example='"8.3"'
    )
    replaces: Texts = list_field(
        "Rules of the series that it replaces.", of_series=True, lone=True, example='"12.8"'
    )
    adds_to: Texts = list_field(
        "Rules of the series that it adds to or partly changes.", of_series=True, lone=True, example="18.1e"
    )
    voids: Texts = list_field(
        "Rules of the series that do not apply.", of_series=True, lone=True, example='["2.6", "13.8"]'
    )


@dataclass(frozen=True, slots=True, eq=False)
class ListedRule(RuleHistoryKeys):
    """Printed rule number that need not be transcribed."""

    number: LocatedText = field_key("The number as printed.", must=True, apart="name", example='"12.5"')
    title: OptionalText = field_key("Its title, if any.", prose=True, example="Fuel")


@dataclass(frozen=True, slots=True, eq=False)
class KnownNumbers:
    """`known.yml`: the numbers of the printed book, in order."""

    lists: OptionalText = field_key(
        "`everything` if the list is complete (gaps are then reported), else `cited`.",
        words="lists",
        example="everything",
    )
    known: tuple[ListedRule, ...] = list_field(
        "The numbers, in the order of the book.",
        must=True,
        apart=True,
        example='[{number: "12.5", title: Fuel}]',
    )


@dataclass(frozen=True, slots=True, eq=False)
class RuleNote:
    """Note to a rule: an example, a design note, a historical remark."""

    kind: LocatedText = field_key("The kind of note.", must=True, words="notes", example="play")
    text: LocatedText = field_key("The note.", must=True, prose=True, example="Fill up early.")
    title: OptionalText = field_key("Its heading.", prose=True, example="A convoy")
    diagram: DiagramSpec | None = field_key("A diagram that belongs to it.", example='{area: "0506"}')

    @staticmethod
    def short_keys() -> tuple[str, ...]:
        """Return the kinds of notes: as a key, each takes the text of the note."""
        return SETS["notes"]

    @staticmethod
    def expand_shorthand(mapping: Mapping[LocatedText, Node | None]) -> shorthand.Entries:
        """Return the keys of a note with its kind as a key: `play: …` is the text of a note of that kind."""
        return shorthand.expand_note(mapping, SETS["notes"])


@dataclass(frozen=True, slots=True, eq=False)
class Figure(FigurePlacement):
    """Picture that belongs to a rule."""

    file: LocatedText = field_key("The picture's file, beside this one.", must=True, example="convoy.png")
    alt: LocatedText = field_key(
        "A text alternative that describes the picture.", must=True, example="A convoy on a road"
    )
    caption: OptionalText = field_key(
        "The caption below it.", prose=True, example="Trucks on the road (12.5)"
    )


@dataclass(frozen=True, slots=True, eq=False)
class Rule(RuleHistoryKeys):
    """Numbered rule with the rules inside it."""

    number: LocatedText = field_key(
        "The number as printed.", must=True, apart="name", headed=True, example='"12.5 Fuel": …'
    )
    title: OptionalText = field_key("Its title, if any.", prose=True, example="Fuel")
    aliases: Texts = list_field(
        "Other names for it, for the search.", lone=True, apart="name", example="[line of sight]"
    )
    text: OptionalText = field_key(
        "Its text: paragraphs, **bold**, *italic*, lists, `![a picture](a.png)`.",
        prose=True,
        example="Trucks burn fuel (12.4).",
    )
    dated: OptionalText = field_key(
        "The printed date of the rule, as year-month-day.", date=True, example="2009-02-16"
    )
    optional: OptionalText = field_key(
        "`yes` for a rule that players use only if they agree on it.", words="yes", example="yes"
    )
    shows: OptionalText = field_key("Generated content below the text.", words="shows", example="sequence")
    starts: OptionalText = field_key(
        "Where it begins in the printed book: a new `column` or `page`.",
        words="starts",
        apart=True,
        example="page",
    )
    rules: tuple[Rule, ...] = list_field(
        "The rules one level down.", apart=True, headed=True, example='"12.5a": Mules burn none.'
    )
    closing: OptionalText = field_key(
        "Text after the rules inside it.", prose=True, example="All of this is done each turn."
    )
    notes: tuple[RuleNote, ...] = list_field(
        "Examples, exceptions, design and play notes.", example="[{play: Fill up early.}]"
    )
    figures: tuple[Figure, ...] = list_field(
        "Pictures.", one="picture", example="[{file: convoy.png, alt: A convoy on a road}]"
    )
    diagrams: tuple[DiagramSpec, ...] = list_field(
        "Diagrams of hexes or counters, drawn from data.", one="diagram", example='[{area: "0506-0909"}]'
    )

    @staticmethod
    def short_keys() -> tuple[str, ...]:
        """Return the keys that are shorthand for an item of one of its lists."""
        return SETS["notes"]

    @staticmethod
    def expand_shorthand(mapping: Mapping[LocatedText, Node | None]) -> shorthand.Entries:
        """Return the keys of a rule with shorthand rules and notes moved into its lists."""
        return shorthand.expand_rule(mapping, own_and_inherited_keys(Chapter), SETS["notes"])


@dataclass(frozen=True, slots=True, eq=False)
class Chapter(Rule):
    """File in `rules/`: a chapter, which is a rule of the top level."""

    number: LocatedText = field_key(
        "The chapter's number as printed.", must=True, name="chapter", apart="name", example='"12.0"'
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
    **erratum.WORDS,
}
"""Allowed words of some values."""


def numbers_in(rule: Rule) -> Iterator[LocatedText]:
    """Yield the number of a rule and of every rule in it."""
    yield rule.number
    for inner in rule.rules:
        yield from numbers_in(inner)
