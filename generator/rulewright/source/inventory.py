"""Inventories: what a site has that others can link to, by name, in Sphinx's `objects.inv` and as JSON.

https://sphobjinv.readthedocs.io/en/stable/syntax.html describes the first; Sphinx, mkdocstrings and autorefs
read it. The second says the same to programs that have no zlib at hand.
"""

from __future__ import annotations

import json
import zlib
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

from rulewright.source import bounds
from rulewright.source.amounts import whole
from rulewright.source.patterns import Regex
from rulewright.source.problems import MOST_OPTIONS, Place, Problem, did_you_mean, kind

UNREADABLE = kind(
    "inventory-unreadable",
    "Another site's inventory is not there, or is neither an objects.inv of version 2 nor our own JSON.",
)

_HEAD = "# Sphinx inventory version 2"
_PACKED = "# The remainder of this file is compressed using zlib."
_SAME = "-"  # in place of a title that is the name
_PRIORITY = Regex(r"-?[0-9]+")


class Item(NamedTuple):
    """Something that can be linked to. `uri` leads there from the site's root; `dispname` is its title.

    `domain`, `role` and `priority` are Sphinx's: what sort of thing it is, and where a search shows it.
    """

    name: str
    uri: str
    dispname: str
    domain: str = "std"
    role: str = "label"
    priority: int = -1


@dataclass(frozen=True)
class Inventory:
    """All that a site has to link to, in its order. `project` is what the site calls itself."""

    project: str
    items: tuple[Item, ...] = ()
    version: str = ""

    @cached_property
    def _by_name(self) -> dict[str, list[Item]]:
        named: defaultdict[str, list[Item]] = defaultdict(list)
        for item in self.items:
            named[item.name].append(item)
            named[f"{item.domain}:{item.role}:{item.name}"].append(item)
        return dict(named)

    def find(self, name: str) -> list[Item]:
        """The items of a name, `intro` or `std:label:intro`: one for each place that they lead to."""
        return list({item.uri: item for item in reversed(self._by_name.get(name, ()))}.values())[::-1]

    def did_you_mean(self, name: str) -> str:
        """A clause to end a message with: the nearest name. Of very many, only those that begin alike."""
        names, folded = list(dict.fromkeys(item.name for item in self.items)), name.casefold()
        for length in range(1, len(folded) + 1):
            if len(names) <= MOST_OPTIONS:
                break
            names = [one for one in names if one[:length].casefold() == folded[:length]]
        return did_you_mean(name, names)


@lru_cache(maxsize=1)  # while serving, most edits change no title
def packed(project: str, lines: str, version: str = "") -> bytes:
    """An `objects.inv`, version 2, of the lines of its items. The same lines give the same bytes."""
    head = [_HEAD, f"# Project: {project}", f"# Version: {version}", _PACKED, ""]
    return "\n".join(head).encode() + zlib.compress(lines.encode(), 6)


def lines_of(items: Iterable[Item]) -> str:
    """Items as an `objects.inv` has them."""
    return "".join(
        f"{i.name} {i.domain}:{i.role} {i.priority} {i.uri} {_SAME if i.dispname == i.name else i.dispname}\n"
        for i in items
    )


def as_json(project: str, objects: Iterable[str], version: str = "") -> str:
    """An inventory as JSON, of the objects of its items."""
    head = json.dumps({"project": project, "version": version}, ensure_ascii=False, separators=(",", ":"))
    return f'{head[:-1]},"items":[{",".join(filter(None, objects))}]}}'


def objects_of(items: Iterable[Item]) -> str:
    """Items as the JSON of an inventory has them, one behind the other."""
    made = json.dumps([one._asdict() for one in items], ensure_ascii=False, separators=(",", ":"))
    return made[1:-1]


def read(name: str, data: bytes) -> tuple[Inventory | None, Problem | None]:
    """The inventory in a file, `objects.inv` or JSON, or what keeps it from being read, with its place."""
    try:
        return (_from_json(data) if data.lstrip()[:1] == b"{" else _unpacked(data)), None
    except json.JSONDecodeError as error:
        place, what = Place(name, error.lineno, error.colno), f"this is no JSON: {error.msg}"
    except UnicodeDecodeError:
        place, what = Place(name), "this is no text in UTF-8"
    except zlib.error:
        place, what = Place(name, 5), "what stands below the head does not unpack; fetch the file again"
    except RecursionError:
        place, what = Place(name), "this JSON is nested too deep for an inventory"
    except ValueError:
        place, what = Place(name), "this JSON holds a number that is too long, or half of a character"
    except _Faulty as error:
        place, what = Place(name, error.line), str(error)
    return None, UNREADABLE.at(place, what, name)


class _Faulty(Exception):
    """Why a file is no inventory, and in which line that shows."""

    def __init__(self, line: int, why: str) -> None:
        super().__init__(why)
        self.line = line


def _unpacked(data: bytes) -> Inventory:
    """Raises _Faulty, zlib.error and UnicodeDecodeError."""
    head = data.split(b"\n", 4)
    if (first := head[0].rstrip()) != _HEAD.encode():
        other = first.startswith(b"# Sphinx inventory version")
        raise _Faulty(1, f"only version 2 is read; this is {first[2:40].decode()}" if other else _NEITHER)
    if len(head) < 5 or b"zlib" not in head[3]:
        raise _Faulty(
            min(len(head), 4), "the head of an objects.inv has four lines, the last of which says zlib"
        )
    unpacking = zlib.decompressobj()
    body = unpacking.decompress(head[4], bounds.CONTENT.most)
    if unpacking.unconsumed_tail:
        raise _Faulty(5, f"this unpacks to more; {bounds.CONTENT.clause}")
    if not unpacking.eof:
        raise _Faulty(5, "the end of this file is missing; fetch it again")
    project, version = (line.decode().partition(":")[2].strip() for line in head[1:3])
    items = (item for line in body.decode().split("\n") for item in _item(line))
    return Inventory(project, tuple(items), version)


_NEITHER = f"this is no inventory: neither JSON nor a file that begins with “{_HEAD}”"


def _item(line: str) -> Iterator[Item]:
    """The item of a line. A name may hold spaces; lines that are none are passed over, as Sphinx does."""
    words = line.rstrip("\r").split(" ")
    for at in range(1, len(words) - 2):
        if ":" in words[at] and _PRIORITY.fullmatch(words[at + 1]):
            name, (domain, _, role) = " ".join(words[:at]), words[at].partition(":")
            uri = words[at + 2]
            uri = uri[:-1] + name if uri.endswith("$") else uri
            title = " ".join(words[at + 3 :])
            yield Item(
                name, uri, name if title in (_SAME, "") else title, domain, role, whole(words[at + 1]) or 0
            )
            return


def _from_json(data: bytes) -> Inventory:
    """Raises _Faulty, RecursionError and ValueError."""
    made = json.loads(data.decode("utf-8-sig"))
    json.dumps(made, ensure_ascii=False).encode()  # half of a character cannot be written to any page
    items = made.get("items")
    if not isinstance(items, list):
        raise _Faulty(1, "this JSON has no list of items, so it is no inventory")
    read = []
    for at, one in enumerate(items):
        values = {k: one.get(k, "") for k in ("name", "uri", "dispname")} if isinstance(one, dict) else {}
        if (
            not values
            or not all(isinstance(v, str) for v in values.values())
            or not (values["name"] and values["uri"])
        ):
            raise _Faulty(1, f"item {at + 1} of this inventory has no name and uri that are text")
        sort = {k: one[k] for k in ("domain", "role") if isinstance(one.get(k), str)}
        read.append(Item(values["name"], values["uri"], values["dispname"] or values["name"], **sort))
    project, version = (v if isinstance(v := made.get(k), str) else "" for k in ("project", "version"))
    return Inventory(project, tuple(read), version)
