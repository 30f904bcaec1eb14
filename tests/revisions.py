"""Invented books of any size, and editions derived from them by known random edits.

A book is nodes: chapters, sections, lettered cases. Texts cite other nodes, so that every reference gets
the number that its rule has in the edition. All is drawn from a seed.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from rulewright.book.library_reader import read_library
from rulewright.book.outline import build_outline
from rulewright.files.content_reader import ContentFolder
from rulewright.references.reference_index import ReferenceIndex, build_reference_index

COMMON = re.findall(
    r"\w+",
    "a an and any are as at attack be before by can combat each enemy for from ground hex hexes if in it its "
    "leave mark marker may mode move movement must no of on one only or other phase place player remove roll "
    "stack step supply that the these they this to turn unit units used when which with zone",
)
SYLLABLES = re.findall("..", "bacodafeguhijokalumenoparisotavewixoyazu")
CASES = "abcdefghijklmnopqrstuvwxyz"


@dataclass(eq=False)
class Node:
    """A rule: `words` are its text, a node among them is a reference to that node."""

    title: str
    words: list[str | Node]
    nodes: list[Node] = field(default_factory=list)

    def walk(self) -> Iterator[Node]:
        yield self
        for node in self.nodes:
            yield from node.walk()


Book = list[Node]


class Maker:
    """Draws books and editions from a seed."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        result = {"".join(self.chance.choices(SYLLABLES, k=self.chance.randint(2, 3))) for _ in range(500)}
        self.vocabulary = COMMON * 12 + sorted(result)

    def word(self) -> str:
        return self.chance.choice(self.vocabulary)

    def words(self, least: int = 12, most: int = 70) -> list[str | Node]:
        return [self.word() for _ in range(self.chance.randint(least, most))]

    def title(self) -> str:
        return " ".join(self.word().capitalize() for _ in range(self.chance.randint(1, 3)))

    def case(self) -> Node:
        return Node(self.title() if self.chance.random() < 0.4 else "", self.words())

    def section(self, cases: int) -> Node:
        words = self.words() if self.chance.random() < 0.7 else []
        return Node(self.title(), words, [self.case() for _ in range(cases)])

    def book(self, chapters: int, sections: int, cases: int) -> Book:
        book = [
            Node(self.title(), self.words(), [self.section(cases) for _ in range(sections)])
            for _ in range(chapters)
        ]
        nodes = [node for chapter in book for node in chapter.walk()]
        for node in nodes:
            if node.words and self.chance.random() < 0.6:
                node.words[self.chance.randrange(len(node.words))] = self.chance.choice(nodes)
        return book


@dataclass
class Revision:
    """A second edition. `heirs`: what each old node is now, `done`: what was done to a node, old or new."""

    old: Book
    new: Book
    heirs: dict[Node, Node]
    done: dict[Node, set[str]]


class Editor:
    """Makes a second edition by random edits, never two that interfere on one node."""

    def __init__(self, maker: Maker, old: Book) -> None:
        self.maker, self.chance, self.old = maker, maker.chance, old
        self.heirs: dict[Node, Node] = {}
        self.new = [self._copy(chapter) for chapter in old]
        for node in [*self.heirs.values()]:
            node.words = [self.heirs[w] if isinstance(w, Node) else w for w in node.words]
        self.was = {new: old for old, new in self.heirs.items()}
        self.done: dict[Node, set[str]] = {}
        self.taken: set[Node] = set()
        self.into: dict[Node, Node] = {}

    def _copy(self, node: Node) -> Node:
        copy = replace(node, words=list(node.words), nodes=[self._copy(inner) for inner in node.nodes])
        self.heirs[node] = copy
        return copy

    def revise(self, edits: int) -> Revision:
        """Do so many edits of every sort."""
        for edit in (self.delete, self.split, self.merge, self.move, self.reword, self.both, self.retitle):
            for _ in range(edits):
                edit()
        for _ in range(edits):
            self.add()
        self.chapter()
        there = set(self.every())
        for node in there:  # what is gone is cited no more
            words = [self.into.get(w, w) if isinstance(w, Node) else w for w in node.words]
            node.words = ["it" if isinstance(w, Node) and w not in there else w for w in words]
            if node.words != words and not self.done.get(node, set()) & {"added", "split", "merged"}:
                self.done.setdefault(node, set()).add("reworded")
        return Revision(self.old, self.new, self.heirs, self.done)

    def every(self) -> list[Node]:
        return [node for chapter in self.new for node in chapter.walk()]

    def parents(self) -> list[Node]:
        return [section for chapter in self.new for section in chapter.nodes]

    def leaf(self, least: int = 10) -> tuple[Node, int]:
        """A section with room in it and the place of a case that nothing was done to, nor beside it."""
        while True:
            parent = self.chance.choice(self.parents())
            if len(parent.nodes) > 2 and parent not in self.taken:
                at = self.chance.randrange(len(parent.nodes))
                beside = parent.nodes[max(0, at - 1) : at + 2]
                if not self.taken.intersection(beside) and len(parent.nodes[at].words) >= least:
                    self.taken.update(beside)
                    return parent, at

    def room(self) -> Node:
        return self.chance.choice([one for one in self.parents() if len(one.nodes) < 20])

    def delete(self) -> None:
        parent, at = self.leaf()
        gone = parent.nodes.pop(at)
        self.done[self.was[gone]] = {"removed"}
        del self.heirs[self.was[gone]]

    def add(self) -> None:
        room, node = self.room(), self.maker.case()
        room.nodes.insert(self.chance.randint(0, len(room.nodes)), node)
        self.done[node] = {"added"}

    def split(self) -> None:
        parent, at = self.leaf(least=24)
        node = parent.nodes[at]
        cut = round(len(node.words) * self.chance.uniform(0.4, 0.6))
        more = Node("", node.words[cut:])
        node.words = node.words[:cut]
        parent.nodes.insert(at + 1, more)
        self.done[node] = self.done[more] = {"split"}

    def merge(self) -> None:
        while True:
            parent, at = self.leaf()
            if at + 1 < len(parent.nodes):
                break
        node, other = parent.nodes[at], parent.nodes.pop(at + 1)
        node.words = [*node.words, *other.words]
        self.done[node] = self.done[self.was[other]] = {"merged"}
        del self.heirs[self.was[other]]
        self.into[other] = node

    def move(self) -> Node:
        parent, at = self.leaf()
        others = [one for one in self.parents() if len(one.nodes) < 20 and one is not parent]
        room = self.chance.choice(others)
        node = parent.nodes.pop(at)
        room.nodes.insert(self.chance.randint(0, len(room.nodes)), node)
        self.done.setdefault(node, set()).add("moved")
        return node

    def reword(self) -> None:
        parent, at = self.leaf()
        self.change(parent.nodes[at], 0.15)

    def both(self) -> None:
        """Moved, and at least 80 % of its words stayed."""
        self.change(self.move(), 0.2)

    def change(self, node: Node, share: float) -> None:
        """Replace, delete and insert words, so many in all as this share of the text."""
        for _ in range(max(1, int(len(node.words) * share))):
            at = self.chance.randrange(len(node.words))
            if isinstance(node.words[at], Node):
                at = 0 if at else 1
            how = self.chance.choice("rid")
            if how == "r":
                node.words[at] = f"{self.maker.word()}ly"
            elif how == "i":
                node.words.insert(at, self.maker.word())
            elif not isinstance(node.words[at], Node):
                del node.words[at]
        self.done.setdefault(node, set()).add("reworded")

    def retitle(self) -> None:
        while True:
            parent, at = self.leaf()
            if parent.nodes[at].title:
                break
        parent.nodes[at].title = f"{self.maker.title()} Anew"
        self.done[parent.nodes[at]] = {"retitled"}

    def chapter(self) -> None:
        """An additional chapter, so that all after it are renumbered."""
        result = Node(self.maker.title() + " Chapter", self.maker.words())
        self.new.insert(self.chance.randint(1, len(self.new) - 1), result)
        self.done[result] = {"added"}


def numbers_of(book: Book) -> dict[Node, str]:
    """The number of every node."""
    result = {}
    for at, chapter in enumerate(book, 1):
        result[chapter] = f"{at}.0"
        for inner, section in enumerate(chapter.nodes, 1):
            result[section] = f"{at}.{inner}"
            result.update({case: f"{at}.{inner}{CASES[a]}" for a, case in enumerate(section.nodes)})
    return result


def files_of(book: Book, edition: str, follows: str = "", address: str = "b") -> dict[str, bytes]:
    """The content files of an edition."""
    base, numbers = f"content/{address}/{edition}", numbers_of(book)

    def lines(node: Node, indent: str) -> Iterator[str]:
        words = " ".join(f"(see {numbers[w]})" if isinstance(w, Node) else w for w in node.words)
        yield from [f'{indent}text: "{words}."'] if words else []
        for inner in node.nodes:
            yield f'{indent}"{numbers[inner]} {inner.title or ""}":'
            yield from lines(inner, f"{indent}  ")

    data = {f"{base}/edition.yml": f'edition: "{edition}"\n' + (f'follows: "{follows}"\n' if follows else "")}
    for at, chapter in enumerate(book, 1):
        title = [f'title: "{chapter.title}"'] if chapter.title else []
        data[f"{base}/rules/{at}.yml"] = "\n".join(
            [f'chapter: "{numbers[chapter]}"', *title, *lines(chapter, "")]
        )
    return {name: text.encode() for name, text in data.items()}


def shelf_of(revision: Revision) -> ReferenceIndex:
    """Both editions, read and cited."""
    book = {"content/b/rulebook.yml": b'title: B\nnumbers: "1.1a"\nchapters: "1.0"\n'}
    texts = {**book, **files_of(revision.old, "1"), **files_of(revision.new, "2", "1")}
    library = read_library(ContentFolder(texts))
    assert not [problem for problem in library.problems if problem.is_failure]
    return build_reference_index(
        {address: build_outline(edition) for address, edition in library.editions.items()}
    )
