"""Commands on a small project, disturbed: what is there before, what is done, and what must be whole after.

A try is run in the same folder each time, made anew from a template, so that a command that is let alone
makes the same bytes each time: what it makes is what every later run is held against.
"""

import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tests.attack.disturbed import TOP, Disturbance, Disturbed, Outcome
from tests.commands.duel import write
from tests.projects import files

BOOK = {
    "content/duel/rulebook.yml": 'title: Duel\nnumbers: "1.1a"\nchapters: ["1.0"]\n',
    "content/duel/1/edition.yml": 'edition: "1"\ndate: 2020-01-01\n',
    "content/duel/1/rules/1-swords.yml": (
        'chapter: "1.0"\ntitle: Swords\nrules:\n'
        '  - {number: "1.1", title: Parry, text: A parry turns a lunge (1.2).}\n'
        '  - {number: "1.2", title: Lunge, text: A lunge is met by a parry (1.1) or a bow (1.3).}\n'
        '  - {number: "1.3", title: Bow, text: Who bows ends the duel.}\n'
    ),
    "content/duel/1/rules/2-ends.yml": (
        'chapter: "2.0"\ntitle: Ends\nrules:\n  - {number: "2.1", title: Mercy, text: See 1.2 and 1.3.}\n'
    ),
    "content/duel/1/sequence.yml": 'title: Order\nsteps:\n  - phase: Fight\n    see: "1.2"\n',
    "content/duel/1/aids/card.yml": "title: Card\npaper: a5\nblocks:\n  - sequence\n",
    "content/duel/1/faq.md": "# Asked\n\nMay I lunge twice? No (1.2).\n",
}
PAGE = "---\ntitle: '1.0 Bows'\n---\n## 1.1 Deep\n\n{}. ![A](a.png)\n\n## 1.2 Ends\n\nSee [1.1](#11-deep).\n"
SITE = {
    "site-of-old/config.toml": 'title = "Bows"\n',
    "site-of-old/content/1.md": PAGE.format("Deep"),
    "site-of-old/content/a.png": b"\x89PNG",
}


@dataclass(frozen=True)
class Operation:
    """A command, what is done before it, and what is changed then, so that it has something to do."""

    words: Sequence[str]
    before: Sequence[Sequence[str]] = ()
    edits: Mapping[str, str | bytes] = field(default_factory=dict)
    site: str = "site"
    """The folder that it makes, beside the content."""
    at_once: bool = True
    """Whether that is whole at any moment; else it is when the same is done again, as the content."""


SWAP = ["renumber", "duel/1", "1.2=1.3", "1.3=1.2"]
IMPORT = ["import", "hugo", "site-of-old", "content/bows/1"]
BUILD = ["build", "--no-print"]
PAGES = ["export", "pages", "pages", "--force"]
EDIT = {"content/duel/1/rules/2-ends.yml": BOOK["content/duel/1/rules/2-ends.yml"].replace("Mercy", "Grace")}
RULES = "# Bows\n\n## 1.0 Deep\n\n1.1 A bow bends, see 1.2.\n\n1.2 It is deep.\n"
TABLE = "Die,Far\n1-3,1\n4-6,2\n"
OUTLINE = "I. First\n  A. Bow (1.1)\n  B. Lunge (1.2)\n"
CHAPTER = "content/duel/1/rules/1-swords.yml"
LINES = {
    CHAPTER: BOOK[CHAPTER]
    .replace("- {", "- ")
    .replace(", title", "\n    title")
    .replace(", text", "\n    text")
    .replace(".}", ".")
}
*_, SECOND, THIRD = BOOK[CHAPTER].splitlines(keepends=True)
MOVED = {  # two rules that changed places by hand
    CHAPTER: BOOK[CHAPTER].replace(
        SECOND + THIRD, THIRD.replace("1.3", "1.2") + SECOND.replace('"1.2"', '"1.3"')
    )
}
AGAIN = {
    "site-of-old/content/1.md": PAGE.format("Deeper").replace("1.2", "1.3"),
    "site-of-old/content/2.md": "---\ntitle: '2.0 Hats'\n---\n## 2.1 Off\n\nHats off.\n",
}

OPERATIONS = {
    "build": Operation(BUILD),
    "build again": Operation(BUILD, [BUILD], EDIT),
    "aids": Operation(["aids", "duel/1", "card"], [["aids", "duel/1", "card"]], EDIT, "print"),
    "renumber": Operation(SWAP),
    "insert": Operation(["insert", "duel/1", "1.2", "--title", "Feint"]),
    "retire": Operation(["renumber", "duel/1", "--retire", "1.3", "--for", "1.2"]),
    "accept": Operation(["check", "--accept"]),
    "import": Operation(IMPORT),
    "import again": Operation(IMPORT, [IMPORT], AGAIN),
    "export pages": Operation(PAGES, [], {}, "pages", at_once=False),
    "export pages again": Operation(PAGES, [PAGES], EDIT, "pages", at_once=False),
    "outline to a file": Operation(
        ["export", "outline", "duel/1", "--output", "o/turn.txt"], [], {"o/mine.txt": "mine"}, "o"
    ),
    "new": Operation(["new", "base"], [], {}, "base"),
    "new from": Operation(["new", "base", "--from", "rules.md"], [], {"rules.md": RULES}, "base"),
    "new edition": Operation(["new", "edition", "duel/2", "--from", "duel/1"]),
    "shift": Operation(["renumber", "duel/1", "1.3", "1.1", "--taken", "shift"]),
    "merge": Operation(["renumber", "duel/1", "1.3", "1.2", "--taken", "merge"], [], LINES),
    "undo": Operation(["renumber", "duel/1", "--undo"], [SWAP]),
    "split": Operation(["insert", "duel/1", "1.4", "--split", "1.2 or a bow"], [], LINES),
    "format": Operation(["format"]),
    "fix": Operation(["check", "--fix"], [["check", "--accept"]], MOVED),
    "import markdown": Operation(
        ["import", "markdown", "rules.md", "content/bows/1"], [], {"rules.md": RULES}
    ),
    "import outline": Operation(
        ["import", "outline", "turn.txt", "content/duel/1", "--force"], [], {"turn.txt": OUTLINE}
    ),
    "import table": Operation(["import", "table", "t.csv", "content/duel/1"], [], {"t.csv": TABLE}),
    "refs fix": Operation(
        ["refs", "duel", "o/a.md", "--written-for", "duel/1", "--fix"],
        [SWAP],
        {"o/a.md": "See 1.2 and 1.3.\n"},
        "",
    ),
    "inventory": Operation(["export", "inventory", "o"], [], {}, "o"),
    "zip": Operation(["export", "zip", "o/all.zip", "--no-print"], [], {"o/mine.txt": "mine"}, "o"),
}  # fmt: skip


@dataclass(frozen=True)
class Picture:
    """All that a try may have changed: the content, and what is made of it."""

    content: Mapping[str, bytes]
    site: Mapping[str, bytes]
    beside: Sequence[str]
    """Hidden entries beside them that hold something, which nobody but we can have left."""


class Tries:
    """Tries of one operation. `before` and `after` are the pictures around a run that was let alone."""

    def __init__(self, runner: Disturbed, name: str, folder: Path) -> None:
        self.runner, self.name, self.operation = runner, name, OPERATIONS[name]
        self.template, self.folder = folder / "template", folder / "try"
        self.project = self.folder / "project"
        files = {"mkdocs.yml": (TOP / "mkdocs.yml").read_bytes(), **BOOK, **SITE}
        if runner.compiled is None:
            write(folder / "compiling/project", files)
            for words in (BUILD, PAGES):
                self._sound(runner.run(folder / "compiling", words))
            runner.compiled = folder / "compiling" / COMPILED
        write(self.project, files)
        shutil.copytree(runner.compiled, self.folder / COMPILED)
        for words in self.operation.before:
            self._sound(self.run(words))
        write(self.project, self.operation.edits)
        self.keep()
        self.before = self.picture()
        whole = self.run(self.operation.words)
        self._sound(whole)
        self.events, self.after = whole.events, self.picture()

    def keep(self) -> None:
        """Let what is there now be what each try begins with."""
        shutil.rmtree(self.template, ignore_errors=True)
        shutil.copytree(self.folder, self.template, symlinks=True)

    def anew(self) -> None:
        """Make the folder what it was before the first try."""
        shutil.rmtree(self.folder)
        shutil.copytree(self.template, self.folder, symlinks=True)

    def run(self, words: Sequence[str], disturbance: Disturbance | None = None) -> Outcome:
        """Run a command there."""
        return self.runner.run(self.folder, words, disturbance or Disturbance())

    def disturbed(self, disturbance: Disturbance) -> Outcome:
        """Run the operation, disturbed, on a fresh copy."""
        self.anew()
        return self.run(self.operation.words, disturbance)

    def refused_once(self, how: str, at: int) -> None:
        """Have one change of a file refused: the command ends by itself with a sentence, and all is whole."""
        ended = self.disturbed(Disturbance(how, at))
        assert ended.code in (0, 1, 2), (self.events[at - 1], ended.err)
        assert ended.code == 0 or ended.err, self.events[at - 1]
        assert not self.faults(ended), self.events[at - 1]

    def picture(self) -> Picture:
        """What is there now."""
        content, site = self.project / "content", self.project / self.operation.site
        parents = {content.parent, *(folder for folder in content.rglob("*") if folder.is_dir()), site}
        hidden = [p for folder in parents if folder.is_dir() for p in folder.iterdir() if p.name[0] == "."]
        hidden = [
            p for p in hidden if p.name != ".rulewright-site" and not (p.is_dir() and not any(p.iterdir()))
        ]
        left = sorted(str(p.relative_to(self.project)) for p in hidden)
        return Picture(files(content), files(site), left)

    def faults(self, ended: Outcome, *, settled: bool = True) -> list[str]:
        """Whatever is not whole after a disturbed run; then the next command, and the same one again.

        `settled`: the command was not killed, so that nothing may be left for the next one to do.
        """
        found = []
        if "Traceback" in ended.err:
            found.append(f"a traceback: {ended.err[-300:]}")
        now = self.picture()
        seen = {name: data for name, data in now.site.items() if settled or ".part" not in name}
        if (settled or self.operation.at_once) and seen not in (self.before.site, self.after.site):
            differing = _differing(seen, self.before.site, self.after.site)
            found.append(f"{self.operation.site}/ is neither old nor new{differing}")
        if settled:
            found += self._content(now, "right after it")
        check = self.run(["check"])
        if check.code not in (0, 1) or "Checked everything" not in check.err or "Traceback" in check.err:
            found.append(f"the next check ends with {check.code}: {check.err[-300:]}")
        found += self._content(self.picture(), "after the next command")
        now = self.picture()
        if self.name in ONCE and (now.content, now.site) == (self.after.content, self.after.site):
            again = Outcome(0, "", "", ())  # it was done, and would be done twice
        else:
            again = self.run(self.operation.words)
        made = self.picture()
        if made.content != self.after.content:
            differing = _differing(made.content, self.after.content)
            found.append(f"the next run made other content{differing}: {again.err[-300:]}")
        if made.site != self.after.site:
            differing = _differing(made.site, self.after.site)
            found.append(f"the next run made another {self.operation.site}/{differing}: {again.err[-300:]}")
        if left := [name for name in made.beside if name not in self.after.beside]:
            found.append(f"the next run leaves {', '.join(left)}")
        return found

    def _content(self, now: Picture, when: str) -> list[str]:
        if now.content in (self.before.content, self.after.content):
            return []
        differing = _differing(now.content, self.before.content, self.after.content)
        return [f"the content is neither old nor new {when}{differing}"]

    @staticmethod
    def _sound(ended: Outcome) -> None:
        assert ended.code == 0, ended.out + ended.err


COMPILED = "cache/rulewright/templates"
"""Where compiled templates are kept; every try finds them, as most of a first build is to compile them."""

ONCE = ("renumber", "insert", "retire", "shift", "merge", "undo", "split", "refs fix")
"""What does more when it is done again."""


def _differing(now: Mapping[str, bytes], *others: Mapping[str, bytes]) -> str:
    """The files by which each of some pictures differs from what there is."""
    said = []
    for other in others:
        names = sorted(name for name in {*now, *other} if now.get(name) != other.get(name))
        said.append(", ".join(names[:4]))
    return f" ({' / '.join(said)})"
