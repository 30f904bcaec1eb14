"""Every way to write numbers of an invented book: alone, in lists, in ranges, wrongly, and in words."""

import re
from collections.abc import Iterator
from random import Random

from tests.oracle.numbering import Book, Rule
from tests.oracle.reading import Reader, Spelt, labels_in
from tests.oracle.samples import ENDS, LEADS, Member, Sample, Written, written

LISTED = (", ", " {} ", ", {} ", "/", " & ", "; ", ",\n", " {}\n")
AMOUNTS = (
    "It moves {} miles.",
    "It costs ${} or {}%.",
    "Hex {} is woods, as are hexes {} and 99.99.",
    "This is version {} of the rules.",
    "They need at least {} of those.",
    "Multiply it by {} and add it.",
    "It takes {} MP, or {} to 5 miles.",
    "At {}:1 or x{} they win; -{} is lost.",
    "A strength of {} rounds down; see page {}.",
)


def pairs(reader: Reader, chance: Random, share: float = 1.0) -> Iterator[Sample]:
    """Every two rules of a book as a list and as a range in each spelling, or a share of them."""
    rules = reader.rules
    for first in rules:
        for other in rules:
            if other is first or chance.random() > share:
                continue
            for text, spelt in wholes(reader, first):
                if not spelt.bare or chance.random() < 0.5:
                    for member in continuations(reader, chance, Member("", text, spelt), other):
                        sort = "range" if member.through else "list"
                        yield written(reader.book, chance, [Member("", text, spelt), member], sort)


def singles(reader: Reader, chance: Random) -> Iterator[Sample]:
    """Every rule of a book in every spelling that is whole."""
    for rule in reader.rules:
        for text, spelt in wholes(reader, rule):
            yield written(reader.book, chance, [Member("", text, spelt)], "single")


def longer(reader: Reader, chance: Random, number: int) -> Iterator[Sample]:
    """Lists of three to five, with ranges in them; most of their numbers lie near each other."""
    rules = reader.rules
    for _ in range(number):
        at = chance.randrange(len(rules))
        members = [Member("", *chance.choice([*wholes(reader, rules[at])]))]
        for _ in range(chance.randint(2, 4)):
            at = chance.randrange(at + 1, at + 9) if chance.random() < 0.8 else chance.randrange(len(rules))
            if at >= len(rules):
                break
            if ways := [*continuations(reader, chance, members[-1], rules[at])]:
                members.append(chance.choice(ways))
        if len(members) > 2:
            yield written(reader.book, chance, members, "longer")


def missing(reader: Reader, chance: Random) -> Iterator[Sample]:
    """Numbers that the book could have and has not, alone and between others, after a cue."""
    book = reader.book
    have = {rule.labels for rule in book.rules}
    for rule in book.rules:
        sort = book.levels[rule.form][len(rule.labels) - 1].sort
        counts = (n for n in range(1, 29 if sort != "#" else 10) if len(rule.labels) > 1 or n > 1)
        absent = [(*rule.labels[:-1], book.label(sort, n)) for n in counts if n <= 2 * len(book.alphabet)]
        absent = [labels for labels in absent if labels not in have]
        if not absent:
            continue
        labels = chance.choice(absent)
        for form in range(len(book.levels)):
            if book.same(form) == rule.form and (len(labels) > 1 or book.chapter_forms(form)):
                none = Rule(rule.form, labels, 0, -1, "")
                text = book.printed(form, labels)
                member = Member("", text, Spelt(none, 0, bare=text.isdigit() or len(labels) == 1))
                if text in reader.spelt:
                    continue
                yield written(book, chance, [member], "missing", cued=True)
                other = Member("", *chance.choice([*wholes(reader, chance.choice(reader.rules))]))
                if not other.spelt.bare and not member.spelt.bare:
                    join = chance.choice((" {} ", ", {} ")).format(book.joins[0])
                    yield written(book, chance, [other, member._replace(join=join)], "missing", cued=True)
                    yield written(book, chance, [member, other._replace(join=join)], "missing", cued=True)


def amounts(reader: Reader, chance: Random) -> Iterator[Sample]:
    """Numbers that a book has and that count something else here, or name it."""
    for rule in reader.rules:
        if re.fullmatch(r"[0-9]+\.[0-9]+", rule.key):
            words = chance.choice(AMOUNTS).replace("{}", rule.key)
            yield Sample(chance.choice(LEADS) + words, (0, 0), (), "amount")


def loose(reader: Reader, chance: Random) -> Iterator[Sample]:
    """Numbers that are cued but not written as the book writes them."""
    book = reader.book
    for rule in book.rules:
        levels, key = book.levels[rule.form], rule.key
        if len(rule.labels) < 2 or key.isdigit() or len(labels_in(key)) < len(rule.labels):
            continue
        swapped = [rule.labels[0], *(label.swapcase() for label in rule.labels[1:])]  # p.5 is a page
        ways = {book.tail(rule.form, swapped, 0)}
        if all(level.before in (".", "") and level.sort not in "#0" for level in levels):
            ways.add(".".join(rule.labels))
            if len(rule.labels) > 2:
                above = book.tail(rule.form, rule.labels[:-1], 0)
                ways |= {f"{above}({label})" for label in (rule.labels[-1], rule.labels[-1].swapcase())}
        if key.replace(".", "").isdigit() and ("", "") not in book.chapters:
            ways.add(key.replace(".", ","))
        # 12.5f: and the one that follows; B1-B: to chapter B; 3D6 are dice, 8x is 8 times.
        other = r".*f|\d+[dD]\d+|\d+[xX].*" + (r"|.*-[^\W\d_].*" if levels[0].sort in "AI" else "")
        ways = {way for way in ways if not re.fullmatch(other, way)}
        for way in sorted(ways - set(reader.spelt)):
            spelt = Spelt(rule, 0)
            yield written(book, chance, [Member("", way, spelt)], "loose", cued=True)
    for rule in book.rules:
        if rule.key[0].isdigit() and not rule.key.isdigit() and rule.key[-1].isdigit():
            cue, start = chance.choice(book.cues), chance.choice(LEADS)
            for before, after in ((cue, "."), (f"{cue} ", "for all."), (f"{cue} ", "applies.")):
                at = len(start + before)
                number = Written(at, at + len(rule.key), rule, False)
                yield Sample(start + before + rule.key + after, number[:2], (number,), "loose")


def chains(reader: Reader, chance: Random) -> Iterator[Sample]:
    """Numbers with their levels in words: section 6, case 2."""
    book = reader.book
    for rule in book.rules:
        if 1 < len(rule.labels) <= len(book.chain) and "0" not in rule.labels:
            words = [f"{word} {label}" for word, label in zip(book.chain, rule.labels, strict=False)]
            for join in (", ", " "):
                start = chance.choice(LEADS) + chance.choice(("See ", "As shown in ", "(", ""))
                run = join.join(words)
                end = ")." if start.endswith("(") else " applies." if start[-1:] != "e" else "."
                at = len(start)
                number = Written(at + len(book.chain[0]) + 1, at + len(run), rule, False)
                yield Sample(start + run + end, (at, at + len(run)), (number,), "chain")
        if len(rule.labels) == 2 and book.chain:
            start = f"{chance.choice(LEADS)}See {book.chain[1]} "
            number = Written(len(start), len(start) + len(rule.labels[1]), rule, False)
            text = f"{start}{rule.labels[1]}{chance.choice(ENDS)}"
            # Its level says where it lies: in the chapter around, and in no other.
            yield Sample(text, number[:2], (number,), "level", home=rule.labels[0])


def wholes(reader: Reader, rule: Rule) -> Iterator[tuple[str, Spelt]]:
    """The ways to write a rule without another before it."""
    for text, spelt in dict(reader.spellings(rule)).items():
        if spelt.level == 0 and spelt.signed:
            yield text, spelt


def continuations(reader: Reader, chance: Random, last: Member, rule: Rule) -> Iterator[Member]:
    """Every way to write a rule after another, each in a list and, if it comes later, in a range."""
    book, before = reader.book, last.spelt.rule
    for text, spelt in reader.spellings(rule):
        short = spelt.level > 0 or not spelt.signed
        if rule is before or (
            shortened(book, text, spelt, before) if short else spelt.bare > last.spelt.bare
        ):
            continue
        digit = spelt.level > 0 and text[0].isdigit()
        forward = rule.at > before.at
        if not digit and (forward or not short or text[0] in "(.-"):
            join = chance.choice(LISTED).format(chance.choice(book.joins))
            dashed = short and text[0] == "." and join[-1].isspace() and chance.random() < 0.3
            yield Member(join + "-" * dashed, text, spelt)
        # 12.5c, d-13.1 is no range, nor is R1.2, 1.4-R1.5.
        whole = last.text[0] in ".0123456789" and not last.text.isalnum() and text[0].isdigit()
        goes_on = not last.join or not (last.spelt.level or not last.spelt.signed) or short or whole
        if forward and not last.through and goes_on:
            words = [f" {word} " for word in book.through]
            ways = book.tight[:2] if digit else [*book.tight, *words, *(() if short else (" – ",))]
            yield Member(chance.choice(ways), text, spelt, through=True)


def shortened(book: Book, text: str, spelt: Spelt, before: Rule) -> str:
    """The reason not to shorten a number like this after another; empty if there is none."""
    rule, at, ends = spelt.rule, spelt.level, (len(before.labels), len(spelt.rule.labels))
    level = book.levels[rule.form][at]
    if rule.form != before.form or rule.labels[:at] != before.labels[:at]:
        return "it shares no beginning"
    if at >= ends[0] or (at == 0 and ends[1] < 2):
        return "it is no end of a number that was there"
    if at and rule.labels[at] == before.labels[at] and level.sort != "#":
        return "it begins before they differ"
    if level.sort == "0" or (text[0] == "-" and text[1].isdigit()) or text in book.joins:
        return "it looks like something else"
    if at and text[0].isdigit() and not (text.isdigit() and ends[0] == ends[1]):
        return "12.5e-7 is not 12.5e to 12.7"
    return ""
