"""The address that Hugo gives a page, by its place among the files, its front matter and the settings.

The rules are those of Hugo's own code (resources/page/page_paths.go and permalinks.go).
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from rulewright.importers.website.heading_ids import pathed
from rulewright.importers.website.hugo_settings import Settings
from rulewright.source.amounts import whole
from rulewright.source.problems import shown

_TOKEN = re.compile(r"(?<!\\):(\w+(?:\[[^\]]*\])?)")
_DAYS = ("Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday")
_MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip
_NO_DATE = date(1, 1, 1)


@dataclass(frozen=True, slots=True)
class AddressParts:
    """The parts that a page's address is made of.

    `folder`: the folders below the content folder that it lies in, a bundle's own left out; `name`: that of
    its file, without endings, or of its bundle; `kind`: `home`, `section` or `page`; `sections`: those of its
    folders that are sections, each by its name and the name that its own slug or title gives it.
    """

    kind: str
    folder: str
    name: str
    values: Mapping[str, Any]
    sections: Sequence[tuple[str, str]] = ()


class UnknownPattern(Exception):
    """A pattern of addresses has a part that is not known, which the message names."""


def address_of(origin: AddressParts, settings: Settings) -> str:
    """A page's address below the site's: `/rules/5-modes/`; one with an ending is a file's.

    Raises UnknownPattern where the pattern that is set for the page cannot be followed.
    """
    given = str(origin.values.get("url") or "")
    pattern = "" if given or origin.kind == "home" else _pattern(origin, settings)
    if given and origin.kind != "home":
        if ":" in given:
            given = _expanded(given, origin, settings)
        own = given if given.startswith("/") else f"/{settings.prefix}{given}"
        has_ending = "." in given and not given.endswith("/")
        return _clean(own, is_page=not has_ending)
    if pattern:
        path = _expanded(pattern, origin, settings)
    elif origin.kind == "page":
        path = posixpath.join(origin.folder, str(origin.values.get("slug") or "") or origin.name)
    else:
        path = origin.folder
    ugly = origin.kind != "home" and _is_ugly(origin, settings)
    path = _sanitized(f"{settings.prefix}{path.strip('/')}", settings)
    return _clean(f"/{path}.html" if ugly else f"/{path}", is_page=not ugly)


def alias_of(alias: str, address: str) -> str:
    """Another address of a page. One that does not begin at the site's top begins beside the page."""
    beside = posixpath.join("/", alias) if alias.startswith("/") else posixpath.join(address, "..", alias)
    has_ending = "." in posixpath.basename(alias) and not alias.endswith("/")
    return _clean(beside, is_page=not has_ending)


def _clean(path: str, *, is_page: bool) -> str:
    """An address without doubled slashes and steps upwards; a page's ends in a slash."""
    path = re.sub("/+", "/", posixpath.normpath(path))
    return f"{path.rstrip('/')}/" if is_page else path


def _sanitized(path: str, settings: Settings) -> str:
    lower = not settings.on("disablepathtolower")
    return pathed(path, lower=lower, accents=not settings.on("removepathaccents"))


def _is_ugly(origin: AddressParts, settings: Settings) -> bool:
    """Whether the page's address ends in .html: all do, or those of its top section."""
    ugly = settings.get("uglyurls", default=False)
    if isinstance(ugly, Mapping):
        return ugly.get(origin.folder.partition("/")[0].lower()) is True
    return ugly is True


def _pattern(origin: AddressParts, settings: Settings) -> str:
    """The pattern that the settings have for the page's kind and section, the narrowest section first."""
    permalinks = settings.get("permalinks", default={})
    if not isinstance(permalinks, Mapping):
        return ""
    of_kind = permalinks.get(origin.kind)
    patterns = {k: v for k, v in permalinks.items() if isinstance(v, str) and origin.kind == "page"}
    patterns |= (
        {k: v for k, v in of_kind.items() if isinstance(v, str)} if isinstance(of_kind, Mapping) else {}
    )
    folder = origin.folder.lower()
    for section in sorted(patterns, key=len, reverse=True):
        name = section.strip(" /")
        if folder == name or (name and folder.startswith(f"{name}/")):
            return str(patterns[section])
    return ""


def _expanded(pattern: str, origin: AddressParts, settings: Settings) -> str:
    """A pattern with what its parts stand for. Raises UnknownPattern where a part is not known."""

    def part(m: re.Match[str]) -> str:
        name, _, cut = m[1].partition("[")
        if name in ("sections", "sectionslugs") and cut:
            return "/".join(_cut(_sections(origin, name == "sectionslugs"), cut.rstrip("]")))
        if name not in _PARTS:
            raise UnknownPattern(f"{shown(pattern)} has a part :{m[1]}, which is not known")
        return _PARTS[name](origin, settings)

    return _TOKEN.sub(part, pattern).replace("\\:", ":")


def _sections(origin: AddressParts, slugs: bool) -> list[str]:
    return [slug if slugs else name for name, slug in origin.sections]


def _cut(names: list[str], cut: str) -> list[str]:
    """Some of the sections: `[1:]`, `[:2]`, `[0]`, `[last]`, `[:last]`."""
    counted = cut.lower().replace("last", str(max(len(names) - 1, 0)))
    first, colon, end = (one.strip() for one in counted.partition(":"))
    start = max(whole(first) or 0, 0)
    if not colon:
        return names[start : start + 1]
    return names[start : whole(end)]


def date_of(values: Mapping[str, Any]) -> date:
    """The date of a page, as Hugo finds it."""
    for name in ("date", "publishdate", "pubdate", "published", "lastmod", "modified"):
        value = values.get(name)
        if isinstance(value, date):  # a datetime is one too
            return value
        if isinstance(value, str):
            try:
                return datetime.fromisoformat(value)
            except ValueError:
                continue
    return _NO_DATE


def _title(origin: AddressParts, settings: Settings) -> str:
    return _sanitized(str(origin.values.get("title") or ""), settings)


def _name(origin: AddressParts, settings: Settings) -> str:
    return _sanitized(origin.name if origin.kind == "page" else "", settings)


def _slug_or(other: Callable[[AddressParts, Settings], str]) -> Callable[[AddressParts, Settings], str]:
    def part(origin: AddressParts, settings: Settings) -> str:
        slug = str(origin.values.get("slug") or "")
        return _sanitized(slug, settings) if slug else other(origin, settings)

    return part


def _dated(form: Callable[[date], str]) -> Callable[[AddressParts, Settings], str]:
    return lambda origin, settings: form(date_of(origin.values))


_PARTS: Mapping[str, Callable[[AddressParts, Settings], str]] = {
    "year": _dated(lambda day: str(day.year)),
    "month": _dated(lambda day: f"{day.month:02}"),
    "monthname": _dated(lambda day: _MONTHS[day.month - 1]),
    "day": _dated(lambda day: f"{day.day:02}"),
    "weekday": _dated(lambda day: str(day.isoweekday() % 7)),
    "weekdayname": _dated(lambda day: _DAYS[day.isoweekday() % 7]),
    "yearday": _dated(lambda day: str(day.timetuple().tm_yday)),
    "section": lambda origin, settings: origin.folder.partition("/")[0],
    "sections": lambda origin, settings: "/".join(_sections(origin, False)),
    "sectionslug": lambda origin, settings: "/".join(_sections(origin, True)[:1]),
    "sectionslugs": lambda origin, settings: "/".join(_sections(origin, True)),
    "title": _title,
    "slug": _slug_or(_title),
    "filename": _name,
    "slugorfilename": _slug_or(_name),
    "contentbasename": _name,
    "slugorcontentbasename": _slug_or(_name),
}
