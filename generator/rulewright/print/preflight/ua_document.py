"""The conditions of PDF/UA-1 on a PDF as a whole: metadata, language, layers, files, security, notes."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pikepdf import Array, Dictionary, Stream, String

from rulewright.print.preflight.conditions import Condition, collect, tagged
from rulewright.print.preflight.geometry import number_of
from rulewright.print.preflight.reading import outline_items
from rulewright.print.preflight.streams import unpacked
from rulewright.print.preflight.structure import Structure
from rulewright.source.problems import shown

CONDITIONS: list[Condition] = []
condition = collect(CONDITIONS)

LANGUAGE = re.compile(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*|x(-[A-Za-z0-9]{1,8})+|i(-[A-Za-z0-9]{2,8})+")
"""A language as BCP 47 writes it, without the registry of all there are."""

PDFUA = "{http://www.aiim.org/pdfua/ns/id/}part"
ACCESSIBLE = 512
"""The tenth bit of the permissions: content may be taken out for readers who need it."""


@condition("01-007", "the Suspects entry says that the tags may be wrong", tagged)
def suspects(structure: Structure) -> Iterator[str]:
    if structure.says("/MarkInfo", "/Suspects", True):
        yield "Suspects is true"


@condition("06-001", "there is no XMP metadata")
def no_metadata(structure: Structure) -> Iterator[str]:
    if structure.metadata is None:
        yield "the catalogue has none that can be read"


@condition("06-002", "the metadata does not claim PDF/UA")
def unclaimed(structure: Structure) -> Iterator[str]:
    metadata = structure.metadata
    if metadata is None or str(metadata.get(PDFUA, "")).strip() != "1":
        yield "pdfuaid:part is not 1"


@condition("06-003", "the metadata has no title")
def untitled(structure: Structure) -> Iterator[str]:
    metadata = structure.metadata
    if metadata is None or not str(metadata.get("dc:title") or "").strip():
        yield "dc:title is missing or empty"


@condition("07-001", "nothing says that the title is shown")
def title_unsaid(structure: Structure) -> Iterator[str]:
    if "/DisplayDocTitle" not in structure.dictionary("/ViewerPreferences"):
        yield "DisplayDocTitle is missing"


@condition("07-002", "the title is not shown")
def title_hidden(structure: Structure) -> Iterator[str]:
    if structure.says("/ViewerPreferences", "/DisplayDocTitle", False):
        yield "DisplayDocTitle is false"


def _sensible(language: str) -> bool:
    return LANGUAGE.fullmatch(language) is not None


@condition("11-001", "the language of text cannot be told", tagged)
def text_language(structure: Structure) -> Iterator[str]:
    if _sensible(structure.language):
        return
    for element in structure.elements:
        if element.contents and not _sensible(element.language):
            yield f"a {element.tag} has none, and the catalogue has {shown(structure.language) or 'none'}"


@condition("11-002", "the language of alternative or replacement text cannot be told", tagged)
def alternative_language(structure: Structure) -> Iterator[str]:
    for element in structure.elements:
        named = next((key for key in ("/Alt", "/ActualText", "/E") if element.text(key)), None)
        if named and not _sensible(element.language or structure.language):
            yield f"the {named[1:]} of a {element.tag}"


def _bookmarks(structure: Structure) -> object:
    return next(outline_items(structure.pdf), None) is not None


@condition("11-003", "the language of bookmarks cannot be told", _bookmarks)
def bookmark_language(structure: Structure) -> Iterator[str]:
    if not _sensible(structure.language):
        yield "the catalogue has no Lang"


@condition("11-004", "the language of the words of an annotation cannot be told", lambda s: s.annotations)
def annotation_language(structure: Structure) -> Iterator[str]:
    for page, one in structure.annotations:
        holder = structure.holders.get(one.objgen)
        own = str(one.get("/Lang", "")) or (holder.language if holder else "") or structure.language
        if isinstance(one.get("/Contents"), String) and not _sensible(own):
            yield f"an annotation on page {page.number}"


@condition("11-005", "the language of a field's description cannot be told", lambda s: list(s.fields()))
def field_language(structure: Structure) -> Iterator[str]:
    for page, one in structure.fields():
        if "/TU" in one and not _sensible(structure.language):
            yield f"a field on page {page.number}"


@condition("11-006", "the language of the metadata cannot be told", lambda s: s.metadata is not None)
def metadata_language(structure: Structure) -> Iterator[str]:
    # A title for every language is there as `x-default`, for which the catalogue speaks.
    if not _sensible(structure.language) and not re.search(
        rb'xml:lang=["\'](?!x-default)[A-Za-z]', unpacked(structure.root["/Metadata"])
    ):
        yield "neither the catalogue nor the metadata has one"


def _layers(structure: Structure) -> list[Dictionary]:
    properties = structure.dictionary("/OCProperties")
    configured = properties.get("/Configs")
    return [
        one for one in (configured if isinstance(configured, Array) else ()) if isinstance(one, Dictionary)
    ]


def _default(structure: Structure) -> Dictionary | None:
    found = structure.dictionary("/OCProperties").get("/D")
    return found if isinstance(found, Dictionary) else None


def _has_layers(structure: Structure) -> bool:
    return "/OCProperties" in structure.root


@condition("20-001", "a configuration of layers has no name", _has_layers)
def unnamed(structure: Structure) -> Iterator[str]:
    if any(not str(one.get("/Name", "")).strip() for one in _layers(structure)):
        yield "an entry of Configs has no Name"


@condition(
    "20-002", "the default configuration of layers has no name", lambda s: _has_layers(s) and _layers(s)
)
def default_unnamed(structure: Structure) -> Iterator[str]:
    default = _default(structure)
    if default is None or not str(default.get("/Name", "")).strip():
        yield "the entry D has no Name"


@condition("20-003", "a configuration of layers switches them by itself", _has_layers)
def switching(structure: Structure) -> Iterator[str]:
    default = _default(structure)
    if any("/AS" in one for one in [*_layers(structure), *([default] if default is not None else [])]):
        yield "a configuration has an AS entry"


def _files(structure: Structure) -> list[Dictionary]:
    """The specifications of the files that are embedded, by the tree of names and by annotations."""
    found = [one for one in structure.pdf.objects if isinstance(one, Dictionary) and "/EF" in one]
    return [one for one in found if isinstance(one["/EF"], Dictionary)]


@condition("21-001", "a file that is embedded has no name", _files)
def nameless_file(structure: Structure) -> Iterator[str]:
    for one in _files(structure):
        if not {"/F", "/UF"} <= set(one.keys()):
            yield "its specification lacks F or UF"


@condition("25-001", "a form is rendered as it is filled", lambda s: "/AcroForm" in s.root)
def dynamic(structure: Structure) -> Iterator[str]:
    form = structure.dictionary("/AcroForm").get("/XFA")
    streams = form if isinstance(form, Array) else [form]
    for part in streams:
        if isinstance(part, Stream) and re.search(rb"dynamicRender\s*>\s*required", unpacked(part)):
            yield "dynamicRender is required"


@condition("26-001", "it is encrypted and says nothing of permissions", lambda s: s.pdf.is_encrypted)
def silent(structure: Structure) -> Iterator[str]:
    if "/P" not in structure.pdf.trailer["/Encrypt"]:
        yield "its encryption has no P entry"


@condition(
    "26-002", "it is encrypted and shuts out readers who need other programs", lambda s: s.pdf.is_encrypted
)
def shut(structure: Structure) -> Iterator[str]:
    encryption = structure.pdf.trailer["/Encrypt"]
    if "/P" in encryption and not int(number_of(encryption["/P"], 0)) & ACCESSIBLE:
        yield "the tenth bit of P is not set"
