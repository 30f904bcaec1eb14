"""What holds for a whole book: how it numbers its rules, and its rulebook.yml."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from generator.dialects import dialect_of
from generator.folder import CONTENT
from generator.hugo.book import Read, guessed
from generator.model import Rulebook
from generator.numbers import Dialect, example_fault
from generator.problems import Place, Problem, kind
from generator.reader import read as read_model
from generator.tree import load
from generator.writing import Brief, Label, Value

NO_NUMBERS = kind(
    "import-without-numbers",
    """No heading and no paragraph of a Hugo site begins with a number that could be a rule's, so nothing says
    what the rules are. Say how the book numbers them with `--dialect`.""",
)
BAD_DIALECT = kind("import-dialect", "The example that `--dialect` gives of a book's numbers describes none.")


def numbering(
    pages: Sequence[Read], examples: Sequence[str], book: str, rulebook: bytes | None, source: str
) -> tuple[list[str], list[str], Dialect | None, str | Problem]:
    """How the book numbers its rules, and who says so."""
    guess = guessed(pages)
    if rulebook is not None and not examples:
        name = f"{CONTENT}/{book}/rulebook.yml"
        tree, problems = load(name, rulebook)
        value, _ = read_model(tree, Rulebook) if tree else (None, problems)
        dialect, faults = dialect_of(value) if value else (None, problems)
        if dialect is None or value is None:
            faults = faults or [
                BAD_DIALECT.at(Place(name), "rulebook.yml cannot be read; mend it first", name)
            ]
            return [], [], None, faults[0]
        return [*value.numbers], [*value.chapters], dialect, f"as {name} says: {', '.join(value.numbers)}"
    if examples:
        for example in examples:
            if fault := example_fault(example):
                message = f"--dialect {example}: {fault[1]}"
                return [], [], None, BAD_DIALECT.at(Place(source), message, source)
        forms = list(guess.chapters) if guess else []
        first = Dialect(examples).shapes[0][0].sort
        forms = forms if forms and Dialect(examples, forms).chapter_regexes() else []
        sample = {"number": "12", "digits": "12", "upper": "C", "lower": "c", "Roman": "IV", "roman": "iv"}[
            first
        ]
        return [*examples], forms or [sample], None, f"as --dialect says: {', '.join(examples)}"
    if guess is None:
        message = (
            "no heading begins with a number; say with --dialect how the book numbers its rules, like 1.1a"
        )
        return [], [], None, NO_NUMBERS.at(Place(source), message, source)
    return guess.numbers, guess.chapters, None, f"guessed: {guess}"


def rulebook(
    title: str, numbers: Sequence[str], forms: Sequence[str], sides: Mapping[str, str], *, plays: bool
) -> dict[str, Value]:
    """What holds for all editions of a new book."""
    entries: dict[str, Value] = {"title": title}
    entries["numbers"] = Label(numbers[0]) if len(numbers) == 1 else [Label(one) for one in numbers]
    if forms:
        entries["chapters"] = [Label(form) for form in forms]
    if plays:
        entries["roles"] = {
            "phasing": Brief({"title": "Phasing player", "mark": "P"}),
            "non-phasing": Brief({"title": "Non-phasing player", "mark": "N"}),
            "both": Brief({"title": "Both players", "mark": "B"}),
        }
    if sides:
        entries["sides"] = {name: Brief({"title": words}) for name, words in sides.items()}
    return entries
