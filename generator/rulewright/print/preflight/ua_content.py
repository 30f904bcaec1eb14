"""The conditions of PDF/UA-1 on what pages paint: whether it is tagged, and what its characters say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from pikepdf import Stream

from rulewright.print.preflight.conditions import Condition, collect, tagged
from rulewright.print.preflight.paint import described
from rulewright.print.preflight.structure_tree import Structure
from rulewright.source.problems import shown

CONDITIONS: list[Condition] = []
condition = collect(CONDITIONS)


@condition("01-003", "an artifact stands inside tagged content", tagged)
def artifact_inside(structure: Structure) -> Iterator[str]:
    yield from _nested(structure, inner_artifact=True)


@condition("01-004", "tagged content stands inside an artifact", tagged)
def content_inside(structure: Structure) -> Iterator[str]:
    yield from _nested(structure, inner_artifact=False)


def _nested(structure: Structure, *, inner_artifact: bool) -> Iterator[str]:
    for number, painting in enumerate(structure.paintings, 1):
        for item in painting.everything():
            if item.tag.nested and item.tag.inner_artifact == inner_artifact:
                yield f"{described(item)} on page {number}"


@condition("01-005", "content is neither tagged nor an artifact")
def untagged(structure: Structure) -> Iterator[str]:
    if structure.tree is None:
        yield "there is no structure at all"
        return
    for page, painting in zip(structure.pages, structure.paintings, strict=True):
        for item in painting.everything():
            if not item.tag.artifact and item.tag.content is None:
                yield f"{described(item)} on page {page.number}"
        own = page.source.objgen[0]
        for stream, content in painting.contents:
            places = {(stream or own, content), (own, content)}
            if not places & structure.claimed.keys() and not places & structure.held:
                yield f"content {content} of page {page.number} belongs to no element"


@condition("10-001", "a character cannot be told in Unicode", lambda s: s.fonts)
def mute(structure: Structure) -> Iterator[str]:
    for number, painting in enumerate(structure.paintings, 1):
        for text in painting.texts:
            for letter in text.letters:
                if letter.glyph.text is None and not text.tag.artifact:
                    yield f"code {letter.glyph.code:#x} of {shown(text.font.name)} on page {number}"


def _forms(structure: Structure) -> list[Stream]:
    return [o for o in structure.pdf.objects if isinstance(o, Stream) and o.get("/Subtype") == "/Form"]


@condition("30-001", "a form brings in content of another file", _forms)
def reference(structure: Structure) -> Iterator[str]:
    if any("/Ref" in form for form in _forms(structure)):
        yield "a form has a Ref entry"


@condition("30-002", "a form with tagged content is drawn more than once", _forms)
def drawn_twice(structure: Structure) -> Iterator[str]:
    drawn = Counter(form for painting in structure.paintings for form in painting.forms)
    yield from (f"object {form[0]} is drawn {times} times" for form, times in drawn.items() if times > 1)
