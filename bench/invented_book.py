"""An invented rulebook as a Hugo site, with the size and the mixture of a real one, in meaningless words.

seed ──chance──► chapters of rules, lists in lists, tables, notes, pictures ──► pages and pictures by name
"""

import random
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from io import BytesIO, StringIO
from pathlib import Path

from PIL import Image, ImageDraw

from rulewright.app.cli import main

_WORDS = """
    a the of to in and or each any no its from with into before after while unless until beyond beside along
    unit stack hex player phase turn marker supply road river bridge harbour fort air column step reserve
    movement combat adjacent independent disorganized reinforcement interdiction transport railway artillery
    moves enters leaves pays rolls draws fires halts retreats exits loses gains spends places removes marks
    may must cannot also only again once twice half double full owning opposing friendly enemy eligible
"""
_NAMES = "Depots Fords Convoys Sieges Garrisons Patrols Ferries Ambushes Pontoons Signals Relays Beacons"
WORDS, NAMES = _WORDS.split(), _NAMES.split()
NOTES = ("Design Note", "Play Note", "Important Note", "Exception")


def imported(section: Path, project: Path) -> None:
    """Import a Hugo section as the only book of a project. Raises AssertionError if that fails."""
    with redirect_stdout(StringIO()), redirect_stderr(StringIO()):
        assert main(["--project", str(project), "import", "hugo", str(section), "content/book/1"]) == 0


@dataclass
class InventedBook:
    """A book with its seed. `files`: its pages and pictures by their names in the section."""

    seed: int
    chapters: int = 20
    pictures: int = 80
    chance: random.Random = field(init=False)
    files: dict[str, bytes] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.chance = random.Random(self.seed)
        self.sections = {chapter: self.chance.randint(6, 11) for chapter in range(1, self.chapters + 1)}
        self.files |= dict(self._pictures())
        for chapter in self.sections:
            self.files[f"{chapter}-0-chapter.md"] = self._page(chapter).encode()
        self.files["house-rules.md"] = self._house_rules().encode()

    @property
    def pages(self) -> list[str]:
        """Return its pages as Markdown."""
        return [data.decode() for name, data in self.files.items() if name.endswith(".md")]

    def write(self, folder: Path) -> None:
        """Write the site's section into a folder."""
        for name, data in self.files.items():
            (folder / name).write_bytes(data)

    def words(self, minimum: int, maximum: int) -> str:
        """Return a sentence, which may cite a rule of the book or have a word in bold."""
        chosen = self.chance.choices(WORDS, k=self.chance.randint(minimum, maximum))
        if self.chance.random() < 0.3:
            chosen.append(f"({self._cited()})")
        if self.chance.random() < 0.15:
            chosen[len(chosen) // 2] = f"**{chosen[len(chosen) // 2]}**"
        return " ".join(chosen).capitalize() + "."

    def _text(self, sentences: int) -> str:
        return " ".join(self.words(8, 24) for _ in range(sentences))

    def _cited(self) -> str:
        chapter = self.chance.choice([*self.sections])
        section = self.chance.randint(1, self.sections[chapter])
        return f"{chapter}.{section}" + self.chance.choice(["", "a", "b"])

    def _title(self) -> str:
        return f"{self.chance.choice(NAMES)} and {self.chance.choice(NAMES)}"

    def _page(self, chapter: int) -> str:
        parts = [f'---\ntitle: "{chapter}.0 {self._title()}"\nweight: {chapter}\n---', self._text(4)]
        for section in range(1, self.sections[chapter] + 1):
            parts += [f"## {chapter}.{section} {self._title()}", self._text(self.chance.randint(2, 6))]
            for letter in "abcdef"[: self.chance.randint(2, 5)]:
                parts.append(f"**{chapter}.{section}{letter} {self._title()}.** {self._text(3)}")
                parts += self._more()
        return "\n\n".join(parts) + "\n"

    def _more(self) -> Iterator[str]:
        """Yield sometimes a list, a table, a note or a picture after a rule."""
        share = self.chance.random()
        if share < 0.22:
            yield "\n".join(self._bullets(0))
        elif share < 0.28:
            yield self._table(self.chance.choice([2, 3, 4, 6, 8, 10]), self.chance.randint(3, 14))
        elif share < 0.36:
            yield f"***{self.chance.choice(NOTES)}:** {self._text(2)}*"
        elif share < 0.40:
            yield f"**Example of Play.** {self._text(self.chance.choice([3, 14]))}"
        elif share < 0.58:
            name = f"p{self.chance.randrange(self.pictures)}"
            file = next(file for file in self.files if file.startswith(f"{name}."))
            width = self.chance.choice(["", ' width="90"', ' width="60%"'])
            yield self.chance.choice(
                [
                    f"![A counter]({file})",
                    f'{{{{< figure src="{file}" caption="{self.words(4, 9)}"{width} >}}}}',
                ]
            )

    def _bullets(self, depth: int) -> Iterator[str]:
        for _ in range(self.chance.randint(2, 4)):
            yield f"{'  ' * depth}* {self.words(5, 20)}"
            if depth < 3 and self.chance.random() < 0.35:
                yield from self._bullets(depth + 1)

    def _table(self, columns: int, rows: int) -> str:
        wordy = columns < 4

        def cell() -> str:
            return (
                self.words(2, 9) if wordy and self.chance.random() < 0.5 else f"{self.chance.randint(1, 12)}"
            )

        headings = ["Roll", *(self.chance.choice(NAMES) for _ in range(columns - 1))]
        grid = [headings, ["---"] * columns]
        for roll in range(2, rows + 2):
            cells = [cell() for _ in headings[1:]]
            grid.append([str(roll), *cells])
        return "\n".join(f"| {' | '.join(row)} |" for row in grid)

    def _house_rules(self) -> str:
        parts = ["---\ntitle: House Rules\nweight: 99\n---", self._text(3)]
        for _ in range(6):
            parts += [f"## {self._title()}", self._text(3), "\n".join(self._bullets(0)), self._table(3, 5)]
        return "\n\n".join(parts) + "\n"

    def _pictures(self) -> Iterator[tuple[str, bytes]]:
        """Return counters as PNG, some with a mask or few colours, and plates as JPEG."""
        for number in range(self.pictures):
            colour = tuple(self.chance.randrange(256) for _ in range(3))
            counter = number % 4
            size = (100, 100) if counter else (self.chance.randint(600, 1400), self.chance.randint(300, 900))
            picture = Image.new("RGBA" if number % 8 == 1 else "RGB", size, colour)
            pen = ImageDraw.Draw(picture)
            for _ in range(12):
                x, y = (self.chance.randrange(side) for side in size)
                pen.rectangle(
                    (x, y, x + size[0] // 5, y + size[1] // 7), fill=(number * 3 % 256, y % 256, x % 256)
                )
            file = BytesIO()
            saved = picture.convert("P") if number % 8 == 2 else picture
            saved.save(file, "PNG" if counter else "JPEG")
            yield f"p{number}.{'png' if counter else 'jpg'}", file.getvalue()
