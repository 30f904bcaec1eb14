"""Corrections to the tags of a finished PDF, which screen readers stumble over as the engine leaves them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any


def mark_margins(pdf: Any, pages: list[Any]) -> None:
    """Mark headers and footers in page margins as artifacts: they are no part of the text.

    The engine gives it elements that hang in no tree, which is neither one nor the other.
    """
    root = _object(pdf, pdf.catalog["StructTreeRoot"])
    reached = set(_numbers(pdf, root))
    by_page = _object(pdf, root["ParentTree"])["Nums"]
    for at, page in enumerate(pages):
        elements = by_page[2 * at + 1]
        loose = {mcid for mcid, reference in enumerate(elements) if _number(reference) not in reached}
        if not loose:
            continue
        for mcid in loose:
            elements[mcid] = "null"
        stream = _object(pdf, page["Contents"]).stream
        for place, item in enumerate(stream):
            if isinstance(item, dict) and item.get("MCID") in loose:
                stream[place - 1] = "/Artifact"
                stream[place] = type(item)({"Type": "/Pagination"})


def fill_items(pdf: Any) -> None:
    """Move the content of a list item into its body; the engine leaves a paragraph beside its sign."""
    root = _object(pdf, pdf.catalog["StructTreeRoot"])
    for number in sorted(set(_numbers(pdf, root))):
        item = pdf.objects[number]
        if item.get("S") != "/LI":
            continue
        kids = [(kid, _object(pdf, kid)) for kid in item["K"] if isinstance(kid, bytes)]
        loose = [(kid, element) for kid, element in kids if element.get("S") not in ("/Lbl", "/LBody")]
        if not loose:
            continue
        bodies = [element for _, element in kids if element.get("S") == "/LBody"]
        body = bodies[0] if bodies else type(item)({**item, "S": "/LBody", "P": item.reference, "K": []})
        if not bodies:
            body["K"] = type(item["K"])()
            pdf.add_object(body)
            item["K"].append(body.reference)
        for kid, element in loose:
            item["K"].remove(kid)
            element["P"] = body.reference
            body["K"].append(kid)


def _numbers(pdf: Any, element: Any) -> Iterator[int]:
    """The numbers of all elements in an element of the tree."""
    todo = [element]
    while todo:
        kids = todo.pop().get("K", ())
        for kid in kids if isinstance(kids, list) else (kids,):
            if isinstance(kid, bytes):
                yield _number(kid)
                todo.append(_object(pdf, kid))


def _number(reference: bytes) -> int:
    return int(reference.split()[0])


def _object(pdf: Any, reference: bytes) -> Any:
    return pdf.objects[_number(reference)]
