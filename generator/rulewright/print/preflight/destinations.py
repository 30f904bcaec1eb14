"""The destinations of a PDF that its links and bookmarks lead to, and its bookmarks."""

from __future__ import annotations

from collections.abc import Iterator

from pikepdf import Array, Dictionary, Name, Object, Pdf, String

MOST_BOOKMARKS = 100_000


class Destinations:
    """The named places of a PDF and its pages, which links lead to."""

    def __init__(self, pdf: Pdf) -> None:
        self.pages = {page.obj.objgen for page in pdf.pages}
        self.count = len(pdf.pages)
        self.named: dict[bytes, Object] = {}
        names = pdf.Root.get("/Names")
        tree = names.get("/Dests") if isinstance(names, Dictionary) else None
        if isinstance(tree, Dictionary):
            self._collect(tree)
        old = pdf.Root.get("/Dests")
        if isinstance(old, Dictionary):
            self.named |= {str(key)[1:].encode(): value for key, value in old.items()}

    def _collect(self, tree: Dictionary) -> None:
        todo: list[Object] = [tree]
        known: set[tuple[int, int]] = set()
        while todo:
            node = todo.pop()
            if not isinstance(node, Dictionary) or (node.is_indirect and node.objgen in known):
                continue
            known.add(node.objgen)
            names, kids = node.get("/Names"), node.get("/Kids")
            if isinstance(names, Array):
                for at in range(0, len(names) - 1, 2):
                    if isinstance(names[at], String):
                        self.named[bytes(names[at])] = names[at + 1]
            todo += list(kids) if isinstance(kids, Array) else []

    def leads(self, destination: Object | None) -> bool:
        """Whether a destination is a page of this PDF."""
        for _ in range(3):  # a name, a dictionary with the place in it, the place
            if isinstance(destination, String):
                destination = self.named.get(bytes(destination))
            elif isinstance(destination, Name):
                destination = self.named.get(str(destination)[1:].encode())
            elif isinstance(destination, Dictionary):
                destination = destination.get("/D")
        if not isinstance(destination, Array) or not len(destination):
            return False
        page = destination[0]
        if isinstance(page, Dictionary):
            return page.objgen in self.pages
        return isinstance(page, int) and 0 <= page < self.count


def outline_items(pdf: Pdf) -> Iterator[Dictionary]:
    """The bookmarks of a PDF in order."""
    outlines = pdf.Root.get("/Outlines")
    todo = [outlines.get("/First")] if isinstance(outlines, Dictionary) else []
    known: set[tuple[int, int]] = set()
    while todo and len(known) < MOST_BOOKMARKS:
        item = todo.pop()
        if not isinstance(item, Dictionary) or item.objgen in known:
            continue
        known.add(item.objgen)
        yield item
        todo += [item.get("/Next"), item.get("/First")]
