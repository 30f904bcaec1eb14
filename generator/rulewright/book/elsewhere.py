"""Other sites that marks lead to, `[[name:label]]`, as `content/elsewhere.yml` declares them.

Nothing is fetched: a site's inventory is a file in `content/elsewhere/`, put there once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, MutableMapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from rulewright.model.keys import key, table
from rulewright.source import inventory
from rulewright.source.folder import ELSEWHERE
from rulewright.source.inventory import UNREADABLE, Inventory
from rulewright.source.patterns import Regex
from rulewright.source.problems import Kind, Problem, kind, nearest, shown
from rulewright.source.text import Text

DECLARED = f"{ELSEWHERE}.yml"
FOLDER = ELSEWHERE

NO_LABEL = kind(
    "label-not-found",
    "A mark names something that another site's inventory does not have. The nearest is named.",
)
AMBIGUOUS = kind(
    "label-ambiguous",
    "Another site's inventory has several things of one name. Say which by its sort: [[site:py:class:name]].",
)
NO_ADDRESS = kind("site-address", "The address of another site is none that begins with https:// or http://.")
NAME_TAKEN = kind("site-name-taken", "Another site has the name of a book. Give the site another.")

_ADDRESS = Regex(r"https?://[^\s/<>\"']+(?:/[^\s<>\"']*)?")


@dataclass(frozen=True, slots=True, eq=False)
class Site:
    """A site of other people that marks lead to: `[[name:label]]`."""

    address: Text = key("Where the site is: https://example.org/rules/.", must=True)
    inventory: Text = key("The site's objects.inv or inventory.json, in content/elsewhere/.", must=True)
    title: Text | None = key("What readers see that a link leads to.")


@dataclass(frozen=True, slots=True, eq=False)
class Elsewhere:
    """`elsewhere.yml`: other sites, by the names that marks give them."""

    sites: Mapping[Text, Site] = table("The sites, by the names that marks give them.")


class Away(NamedTuple):
    """A place on another site: `href`, its `title` there, and what the `site` is called."""

    href: str
    title: str
    site: str


@dataclass(frozen=True, eq=False)
class OtherSite:
    """A site that is declared. `inventory` is None where it, or the address, cannot be relied on."""

    title: str
    address: str
    inventory: Inventory | None = None

    def find(self, label: str) -> tuple[Away | None, Kind | None, str]:
        """The place that a label names, or what is wrong with it; neither where the inventory is unread."""
        if self.inventory is None:
            return None, None, ""
        found = self.inventory.find(label)
        if not found:
            near = self.inventory.did_you_mean(label)
            return None, NO_LABEL, f"{self.title} has no {shown(label) or 'label without a name'}{near}"
        if len(found) > 1:
            sorts = " or ".join(f"{one.domain}:{one.role}:{one.name}" for one in found[:3])
            return None, AMBIGUOUS, f"{self.title} has {len(found)} things called {shown(label)}; say {sorts}"
        return Away(f"{self.address.rstrip('/')}/{found[0].uri}", found[0].dispname, self.title), None, ""


def sites(
    declared: Elsewhere | None,
    files: Mapping[str, bytes],
    books: Iterable[str],
    cache: MutableMapping[str, Any],
) -> tuple[dict[str, OtherSite], list[Problem]]:
    """The declared sites by their names, and what is wrong with them.

    `files`: the inventories by name. `cache`, kept from one call to the next, saves reading unchanged ones.
    """
    made: dict[str, OtherSite] = {}
    problems: list[Problem] = []
    for name, site in declared.sites.items() if declared else ():
        if name in books:
            problems.append(NAME_TAKEN.at(name.place, f"{name} is a book; give the site another name", name))
            continue
        wrong = list(_faults(name, site, files))
        listed: Inventory | None = None
        if (file := f"{FOLDER}/{site.inventory}") in files:
            if file not in cache or cache[file][0] != files[file]:
                cache[file] = files[file], *inventory.read(file, files[file])
            _, listed, fault = cache[file]
            problems += [fault] if fault else []
        made[name] = OtherSite(site.title or name, site.address, None if wrong else listed)
        problems += wrong
    return made, problems


def _faults(name: Text, site: Site, files: Mapping[str, bytes]) -> Iterator[Problem]:
    """Problems of a declaration. A value that is the name itself stands in for a faulty one."""
    if site.address is not name and not _ADDRESS.fullmatch(site.address):
        message = f"{shown(site.address)} is no address of a site; write it like https://example.org/rules/"
        yield NO_ADDRESS.at(site.address.place, message, name)
    file = f"{FOLDER}/{site.inventory}"
    if site.inventory is not name and file not in files:
        near = nearest(file, files)
        hint = f"; did you mean {near.rpartition('/')[2]}?" if near else "; put the site's objects.inv there"
        yield UNREADABLE.at(site.inventory.place, f"{shown(file, 80)} is not here{hint}", name)
