"""The structure of a tagged PDF: its elements, what they contain, and what stands in none of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import pikepdf
from pikepdf import Array, Dictionary, Name, NumberTree, Object, Pdf, Stream, String

from rulewright.print.preflight.fonts import Font
from rulewright.print.preflight.geometry import Page, number_of
from rulewright.print.preflight.paint import Painting
from rulewright.print.preflight.reading import annotated

MOST_ELEMENTS = 2_000_000
DEEPEST = 400
CIRCLE = "circle"
"""The standard type of what a role map maps to itself."""

GROUPING = "Document Part Art Sect Div BlockQuote Caption TOC TOCI Index NonStruct Private"
BLOCK = "P H H1 H2 H3 H4 H5 H6 L LI Lbl LBody Table TR TH TD THead TBody TFoot"
INLINE = "Span Quote Note Reference BibEntry Code Link Annot Ruby RB RT RP Warichu WT WP Figure Formula Form"
STANDARD = frozenset(f"{GROUPING} {BLOCK} {INLINE}".split())
"""The standard types of ISO 32000-1, 14.8.4."""


@dataclass(eq=False, slots=True)
class Element:
    """An element. `kind` is its standard type, after the role map; `contents` are stream and id of each."""

    source: Dictionary
    tag: str
    kind: str
    parent: Element | None
    children: list[Element] = field(default_factory=list)
    contents: list[tuple[int, int]] = field(default_factory=list)
    objects: list[tuple[int, int]] = field(default_factory=list)

    def text(self, key: str) -> str:
        value = self.source.get(key)
        return str(value).strip() if isinstance(value, String) else ""

    def within(self, kind: str) -> bool:
        """Whether it is of a type, or stands in an element that is."""
        node: Element | None = self
        while node is not None and node.kind != kind:
            node = node.parent
        return node is not None

    @property
    def language(self) -> str:
        """Its language, or that of the element around it that has one."""
        node: Element | None = self
        while node is not None and not node.text("/Lang"):
            node = node.parent
        return node.text("/Lang") if node else ""

    def attribute(self, key: str) -> Object | None:
        """An attribute of any owner."""
        found = self.source.get("/A")
        for one in found if isinstance(found, Array) else [found]:
            if isinstance(one, Dictionary | Stream) and key in one:
                return one[key]
        return None


class Structure:
    """A PDF by its structure, with its pages and what they paint."""

    def __init__(self, pdf: Pdf, pages: Sequence[Page], paintings: Sequence[Painting]) -> None:
        self.pdf, self.root, self.pages, self.paintings = pdf, pdf.Root, pages, paintings
        tree = pdf.Root.get("/StructTreeRoot")
        self.tree = tree if isinstance(tree, Dictionary) else None
        roles = self.tree.get("/RoleMap") if self.tree is not None else None
        self.roles = (
            {str(k)[1:]: str(v)[1:] for k, v in roles.items()} if isinstance(roles, Dictionary) else {}
        )
        self.ends: dict[str, str] = {}  # the standard types of tags, empty for those that are mapped to none
        self.elements: list[Element] = []
        if self.tree is not None:
            self._walk()

    def standard(self, tag: str) -> str:
        """The standard type of a tag; itself where it is mapped to none, `circle` where that has no end."""
        first, seen = tag, []
        while tag in self.roles and tag not in STANDARD and tag not in self.ends:
            seen.append(tag)
            self.ends[tag] = CIRCLE  # unless it turns out to lead somewhere
            tag = self.roles[tag]
        end = tag if tag in STANDARD else self.ends.get(tag, "")
        self.ends |= dict.fromkeys(seen, end)
        return end or first

    def _walk(self) -> None:
        assert self.tree is not None
        todo: list[tuple[Object | None, Element | None, Object | None, int]] = [
            (self.tree.get("/K"), None, None, 0)
        ]
        known: set[tuple[int, int]] = set()
        while todo and len(self.elements) < MOST_ELEMENTS:
            item, parent, page, depth = todo.pop()
            if isinstance(item, Array):
                if item.is_indirect and item.objgen in known:
                    continue
                known.add(item.objgen)
                todo += [(one, parent, page, depth) for one in reversed(list(item))]
            elif isinstance(item, int) and parent:
                parent.contents.append((_number(page), item))
            elif isinstance(item, Dictionary):
                page = item.get("/Pg", page)
                if item.get("/Type") == Name.MCR:
                    if parent and isinstance(item.get("/MCID"), int):
                        stream = item.get("/Stm")
                        own = stream if isinstance(stream, Stream) else page
                        parent.contents.append((_number(own), int(item["/MCID"])))
                elif item.get("/Type") == Name.OBJR:
                    if parent and isinstance(item.get("/Obj"), Dictionary | Stream):
                        parent.objects.append(item["/Obj"].objgen)
                elif "/S" in item and depth < DEEPEST and (not item.is_indirect or item.objgen not in known):
                    known.add(item.objgen)
                    tag = str(item["/S"])[1:]
                    element = Element(item, tag, self.standard(tag), parent)
                    if parent:
                        parent.children.append(element)
                    self.elements.append(element)
                    todo.append((item.get("/K"), element, page, depth + 1))

    def of(self, *kinds: str) -> list[Element]:
        """The elements of some standard types, in the order of the structure."""
        return [element for element in self.elements if element.kind in kinds]

    @cached_property
    def fonts(self) -> list[tuple[Font, frozenset[int]]]:
        """The fonts that show something, with the codes that they show."""
        found: dict[int, tuple[Font, set[int]]] = {}
        for painting in self.paintings:
            for text in painting.texts:
                if text.letters:
                    shows = found.setdefault(id(text.font), (text.font, set()))[1]
                    shows.update(letter.glyph.code for letter in text.letters)
        return [(font, frozenset(codes)) for font, codes in found.values()]

    @cached_property
    def claimed(self) -> Counter[tuple[int, int]]:
        """How many elements have each marked content, by the number of its page or form and its id."""
        return Counter(content for element in self.elements for content in element.contents)

    @cached_property
    def held(self) -> frozenset[tuple[int, int]]:
        """The marked content that the parent tree gives to an element, be that in the tree itself or not."""
        tree = self.tree.get("/ParentTree") if self.tree is not None else None
        if not isinstance(tree, Dictionary):
            return frozenset()
        parents = NumberTree(tree)
        owners: list[Object] = [page.source for page in self.pages]
        owners += [one for one in self.pdf.objects if isinstance(one, Stream) and "/StructParents" in one]
        found = set()
        for owner in owners:
            row = parents.get(int(number_of(owner.get("/StructParents"), -1)))
            for content, element in enumerate(row if isinstance(row, Array) else ()):
                if isinstance(element, Dictionary):
                    found.add((owner.objgen[0], content))
        return frozenset(found)

    @cached_property
    def holders(self) -> dict[tuple[int, int], Element]:
        """The elements that hold annotations and forms, by the object held."""
        return {held: element for element in self.elements for held in element.objects}

    @cached_property
    def annotations(self) -> list[tuple[Page, Dictionary]]:
        """All annotations that are not hidden, with their pages."""
        hidden = 2
        return [
            (page, one)
            for page in self.pages
            for one in annotated(page)
            if not int(number_of(one.get("/F"), 0)) & hidden and one.get("/Subtype") != Name.Popup
        ]

    def fields(self) -> Iterator[tuple[Page, Dictionary]]:
        yield from ((page, one) for page, one in self.annotations if one.get("/Subtype") == Name.Widget)

    @cached_property
    def metadata(self) -> pikepdf.models.metadata.PdfMetadata | None:
        """Its XMP; None where there is none that can be read."""
        if not isinstance(self.root.get("/Metadata"), Stream):
            return None
        try:
            return self.pdf.open_metadata(strict=True)
        except Exception:  # whatever damaged metadata is read with
            return None

    @property
    def language(self) -> str:
        return str(self.root.get("/Lang", "")).strip()

    def dictionary(self, key: str) -> Dictionary:
        """A dictionary of the catalogue; an empty one where there is none."""
        found = self.root.get(key)
        return found if isinstance(found, Dictionary) else Dictionary()

    def says(self, dictionary: str, key: str, value: bool) -> bool:
        """Whether an entry of a dictionary of the catalogue is exactly true, or exactly false."""
        found: object = self.dictionary(dictionary).get(key)
        return found is value


def _number(page: Object | None) -> int:
    return page.objgen[0] if isinstance(page, Dictionary | Stream) else 0
