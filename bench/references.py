"""How long finding and resolving references takes, for a rule of 60 words."""

import random
import re
from pathlib import Path

from bench.run import Row, best
from rulewright.book.library import read_library
from rulewright.book.outline import Outline, arrange
from rulewright.citations.manuscript import prose_of
from rulewright.citations.shelf import Shelf
from rulewright.source.folder import gather

PROJECT = Path(__file__).resolve().parent.parent
LIMIT = 15e-6
"""Seconds a rule may take, finding and resolving."""

RULES = 300
WORDS = (
    "a an and any are as at attack be before by can combat each enemy for from ground hex hexes if in it its "
    "leave mark marker may mode move movement must no of on one only or other phase place player remove roll "
    "stack step supply that the these they this to turn unit units used when which with zone"
)


def main() -> list[Row]:
    library = read_library(gather(PROJECT))
    outline = arrange(library.editions["ocs/4.3"])
    shelf = Shelf({"ocs/4.3": outline})
    rules = sample(outline)
    finder = outline.edition.finder
    cited = sum(len(shelf.resolve(rule, outline)) for rule in rules)
    plain = " ".join(WORDS.split()[:60])
    page = "\n\n".join(rules)
    digits = re.compile(r"\d+\.\d+")
    return [
        Row(
            "yardstick: re.findall of 1.1 in a rule", best(lambda: [digits.findall(r) for r in rules]) / RULES
        ),
        Row("find", best(lambda: [finder.find(rule) for rule in rules]) / RULES),
        Row(
            f"find and resolve ({cited / RULES:.1f} references a rule)",
            best(lambda: [shelf.resolve(rule, outline) for rule in rules]) / RULES,
            LIMIT,
        ),
        Row("the same, no numbers in it", best(lambda: finder.find(plain))),
        Row("blank out what is no prose", best(lambda: prose_of(page)) / RULES),
    ]


def sample(outline: Outline) -> list[str]:
    """Rules of 60 words that cite as often as a rulebook's do: two in three, each in another way."""
    chance = random.Random(12)
    keys, choice = list(outline.entries), WORDS.split()
    ways = (
        "(see {})",
        "({})",
        "per {}",
        "rule {}",
        "({}, {})",
        "as in {} and {}",
        "{} applies",
        "2.5 miles ({})",
    )
    rules = []
    for _ in range(RULES):
        words = [chance.choice(choice) for _ in range(60)]
        if chance.random() < 2 / 3:
            words[chance.randrange(60)] = chance.choice(ways).format(*chance.sample(keys, 2))
        rules.append(" ".join(words))
    return rules
