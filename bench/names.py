"""How long finding names takes, in a rule of 60 words of a book with 300 terms."""

import random
import re

from bench.references import RULES, WORDS
from bench.run import Row, best
from rulewright.citations.names import Name, Names

TERMS = 300
LIMIT = 100e-6
"""Seconds a rule with six terms may take."""


def main() -> list[Row]:
    chance = random.Random(12)
    terms = ["".join(chance.choices("ABCDEFGHKLMNPRSTUVWZ", k=3)) for _ in range(TERMS)]
    names = Names([*(Name(term, term) for term in terms), *(Name(f"{term} Value", term) for term in terms)])
    single = Names([Name("XYZ", "XYZ")])
    plain = [" ".join(chance.choices(WORDS.split(), k=60)) for _ in range(RULES)]
    rules = [f"{' '.join(chance.choices(terms, k=6))} {rule[30:]}" for rule in plain]
    words = re.compile(r"\w+")
    return [
        Row(
            "yardstick: re.findall of words in a rule",
            best(lambda: [words.findall(r) for r in plain]) / RULES,
        ),
        Row("find, no name in it", best(lambda: [_find(names, rule) for rule in plain]) / RULES),
        Row("find six names", best(lambda: [_find(names, rule) for rule in rules]) / RULES, LIMIT),
        Row("find none of a single name", best(lambda: [_find(single, rule) for rule in plain]) / RULES),
    ]


def _find(names: Names[str], rule: str) -> object:
    return names.find(rule, (), lambda bearers: bearers[0])
