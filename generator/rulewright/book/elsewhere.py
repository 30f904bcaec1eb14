"""Other sites that marks lead to, `[[name:label]]`, as `content/elsewhere.yml` declares them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from rulewright.model.keys import key, table
from rulewright.source.folder import CONTENT
from rulewright.source.patterns import Regex
from rulewright.source.problems import Kind, Problem, did_you_mean, kind, shown
from rulewright.source.text import Text

DECLARED = f"{CONTENT}/elsewhere.yml"

NO_LABEL = kind(
    "label-not-found", "A mark names something that elsewhere.yml does not have. The nearest is named."
)
NO_ADDRESS = kind("site-address", "The address of another site is none that begins with https:// or http://.")
NAME_TAKEN = kind("site-name-taken", "Another site has the name of a book. Give the site another.")

_ADDRESS = Regex(r"https?://[^\s/<>\"']+(?:/[^\s<>\"']*)?")


@dataclass(frozen=True, slots=True, eq=False)
class Site:
    """A site of other people that marks lead to: `[[name:label]]`."""

    address: Text = key("Where the site is: https://example.org/rules/.", must=True)
    labels: Mapping[Text, Text] = table("What marks name there, each with its address from the site's on.")
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


@dataclass(frozen=True)
class OtherSite:
    """A site that is declared. `sound`: its address can be relied on."""

    title: str
    address: str
    labels: Mapping[str, str]
    sound: bool = True

    def find(self, label: str) -> tuple[Away | None, Kind | None, str]:
        """The place that a label names, or what is wrong with it; neither where the site is unsound."""
        if not self.sound:
            return None, None, ""
        if (path := self.labels.get(label)) is None:
            near = did_you_mean(label, self.labels)
            return None, NO_LABEL, f"{self.title} has no {shown(label) or 'label without a name'}{near}"
        return Away(f"{self.address.rstrip('/')}/{path.lstrip('/')}", label, self.title), None, ""


def sites(declared: Elsewhere | None, books: Iterable[str]) -> tuple[dict[str, OtherSite], list[Problem]]:
    """The declared sites by their names, and what is wrong with them."""
    made: dict[str, OtherSite] = {}
    problems: list[Problem] = []
    for name, site in declared.sites.items() if declared else ():
        if name in books:
            problems.append(NAME_TAKEN.at(name.place, f"{name} is a book; give the site another name", name))
            continue
        wrong = list(_faults(name, site))
        labels = {str(label): str(path) for label, path in site.labels.items()}
        made[name] = OtherSite(site.title or name, site.address, labels, not wrong)
        problems += wrong
    return made, problems


def _faults(name: Text, site: Site) -> Iterator[Problem]:
    """Problems of a declaration. A value that is the name itself stands in for a faulty one."""
    if site.address is not name and not _ADDRESS.fullmatch(site.address):
        message = f"{shown(site.address)} is no address of a site; write it like https://example.org/rules/"
        yield NO_ADDRESS.at(site.address.place, message, name)
