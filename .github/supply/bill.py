"""The bill of materials: each package of the lock and each part inside of one, with its licence and the text.

    python3 run.py sbom [FOLDER]

writes into FOLDER (dist/) `sbom.cdx.json`, a CycloneDX 1.6 document, and `licences.txt`, the texts to hand on
with an installation; and beside the templates the texts that every built site carries. The same lock gives
the same bytes: no clock, no random serial, nothing of the machine.
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

import yaml
from boolean import Expression
from cyclonedx.contrib.license.factories import LicenseFactory
from cyclonedx.model import HashAlgorithm, HashType, Property
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentScope, ComponentType
from cyclonedx.output.json import JsonV1Dot6
from license_expression import get_spdx_licensing
from packageurl import PackageURL
from packaging.requirements import Requirement

ROOT = Path(__file__).resolve().parents[2]
LOCK = ROOT / "requirements.txt"
SETTLED = ".github/supply/bundled.yml"
OWN = Path(__file__).resolve().parent
TEXTS = OWN / "texts"
ON_THE_SITE = ROOT / "templates/theme/assets/licences.txt"
RULED = "=" * 100

_PIN = re.compile(
    r"^(?P<pin>[a-z0-9-]+==[^\\\n]+?)(?P<hashes>(?: \\\n    --hash=sha256:[0-9a-f]{64})+)"
    r"\n    # via(?P<via>.*(?:\n    #   .*)*)",
    re.MULTILINE,
)
_SPDX = get_spdx_licensing()


class Refused(Exception):
    """A package or part whose licence nobody has named or allowed."""


@dataclass(frozen=True)
class Package:
    """A line of the lock.

    `hashes`: of its files, any one of which pip takes. `via`: what needs it. `named`: licences read by hand.
    """

    requirement: Requirement
    hashes: Sequence[str]
    via: Sequence[str]
    named: Mapping[str, str]

    @property
    def name(self) -> str:
        return self.requirement.name

    @property
    def version(self) -> str:
        return next(iter(self.requirement.specifier)).version

    @property
    def purl(self) -> PackageURL:
        return PackageURL("pypi", name=self.name, version=self.version)

    @cached_property
    def installed(self) -> Distribution | None:
        """The package as it is installed; None where its marker leaves it out on this machine."""
        try:
            return distribution(self.name)
        except PackageNotFoundError:
            return None

    @property
    def licence(self) -> str:
        """Its licence as an SPDX expression; refused where neither it nor bundled.yml names one."""
        if self.name in self.named:
            return self.named[self.name]
        if self.installed:
            given = self.installed.metadata
            for written in (given[field] for field in ("License-Expression", "License") if field in given):
                if not _SPDX.validate(written).errors:
                    return written
        raise Refused(
            f"{self.name}: its licence is not named; read it and name it in .github/supply/bundled.yml"
        )

    def texts(self) -> Iterator[str]:
        """The texts of its licences and notices, as its wheel brings them."""
        for file in sorted((self.installed.files if self.installed else None) or [], key=str):
            if ".dist-info" in file.parts[0] and re.search(r"licen[cs]e|copying|notice", str(file), re.I):
                yield Path(file.locate()).read_text("utf-8", "replace")


def packages(lock: Path, named: Mapping[str, str]) -> list[Package]:
    """The packages of a lock in its order."""
    return [
        Package(
            Requirement(pin["pin"]),
            re.findall(r"[0-9a-f]{64}", pin["hashes"]),
            re.findall(r"[a-z][\w.-]+", pin["via"].replace("-r ", "")),
            named,
        )
        for pin in _PIN.finditer(lock.read_text("utf-8"))
    ]


class Supply:
    """What a lock and what is bundled come to. `settled`: supply/bundled.yml."""

    def __init__(self, lock: Path = LOCK, settled: Path = OWN / "bundled.yml") -> None:
        self.settled = yaml.safe_load(settled.read_text("utf-8"))
        self.packages = packages(lock, self.settled["licences"])
        self.parts: list[dict[str, object]] = self.settled["parts"]
        self._allowed = {*self.settled["allowed"]}

    def refused(self) -> list[str]:
        """One line for each package or part whose licence is not named, or not allowed."""
        lines = []
        for one in self.packages:
            try:
                if not self.allows(one.licence):
                    lines.append(f"{one.name}: {one.licence} is not among the licences that are allowed")
            except Refused as reason:
                lines.append(str(reason))
        return lines + [
            f"{part['name']}: {part['licence']} is not among the licences that are allowed"
            for part in self.parts
            if not self.allows(str(part["licence"]))
            and (part["site"] or part["name"] not in self.settled["excused"])
        ]

    def allows(self, licence: str) -> bool:
        """Whether an SPDX expression can be kept to with licences that are allowed alone."""

        def allowed(one: Expression) -> bool:
            if one.isliteral:
                return str(one) in self._allowed
            return (any if one.operator.strip() == "OR" else all)(map(allowed, one.args))

        return allowed(_SPDX.parse(licence, validate=True))

    def bill(self) -> str:
        """The CycloneDX document."""
        project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
        own = _component(
            project["name"],
            project["license"],
            PackageURL("pypi", name=project["name"], version=project["version"]),
        )
        own.version, own.type = project["version"], ComponentType.APPLICATION
        bom = Bom()
        bom.metadata.component = own
        made = {one.name: self._package(one) for one in self.packages}
        for component in made.values():
            bom.components.add(component)
        for part in self.parts:
            (made[str(part["in"])].components if part["in"] in made else own.components).add(_part(part))
        for needing, ref in {LOCK.with_suffix(".in").name: own, **made}.items():
            bom.register_dependency(ref, [made[one.name] for one in self.packages if needing in one.via])
        document = json.loads(JsonV1Dot6(bom).output_as_string())
        # The two that the format leaves open to be different each time.
        del document["serialNumber"], document["metadata"]["timestamp"]
        return json.dumps(document, indent=1, sort_keys=True, ensure_ascii=False) + "\n"

    def _package(self, one: Package) -> Component:
        component = _component(one.name, one.licence, one.purl)
        component.version = one.version
        for digest in one.hashes:
            component.hashes.add(HashType(alg=HashAlgorithm.SHA_256, content=digest))
        if one.requirement.marker:
            component.scope = ComponentScope.OPTIONAL
            component.properties.add(Property(name="rulewright:marker", value=str(one.requirement.marker)))
        return component

    def texts(self, only_site: bool = False) -> str:
        """The licences' texts: of all that an installation has, or of what every site carries."""
        told: dict[str, tuple[str, str, object, list[str]]] = {
            one.name: (f"{one.name} {one.version}", one.licence, (), list(one.texts()))
            for one in self.packages
            if one.installed and (not only_site or one.name == "mkdocs-material")
        }
        for part in self.parts:
            if part["site"] or not only_site:
                name, licence = str(part["name"]), str(part["licence"])
                told[name] = (name, licence, part["copyright"], [self._text(part)])
        what = "a site made by Rulewright carries" if only_site else "Rulewright is installed with"
        head = f"The licences of what {what}, each with the text that has to go with it.\n"
        return "\n".join([head, *(_told(*told[name]) for name in sorted(told, key=str.casefold))])

    def _text(self, part: Mapping[str, object]) -> str:
        """The text that a part's licence asks to hand on."""
        if "text" not in part:
            return f"In the files of {part['name']} themselves."
        name = str(part["text"])
        inside = (
            distribution(str(part["in"])).locate_file(name) if part["in"] != "rulewright" else ROOT / name
        )
        return next(file for file in (TEXTS / name, Path(str(inside))) if file.exists()).read_text("utf-8")


def _component(name: str, licence: str, purl: PackageURL | None) -> Component:
    expression = LicenseFactory().make_from_string(licence)
    return Component(name=name, purl=purl, licenses=[expression], bom_ref=str(purl or name))


def _part(part: Mapping[str, object]) -> Component:
    purl = PackageURL.from_string(str(part["purl"])) if "purl" in part else None
    made = _component(str(part["name"]), str(part["licence"]), purl)
    made.version = purl.version if purl else None
    made.copyright = "\n".join(_strings(part["copyright"])) or None
    for file in sorted(ROOT.glob(str(part["files"]))) if "files" in part else ():
        digest = HashType(alg=HashAlgorithm.SHA_256, content=hashlib.sha256(file.read_bytes()).hexdigest())
        path = file.relative_to(ROOT).as_posix()
        made.components.add(Component(name=path, type=ComponentType.FILE, hashes=[digest], bom_ref=path))
    return made


def _strings(value: object) -> list[str]:
    return [str(one) for one in value] if isinstance(value, Iterable) else []


def _told(title: str, licence: str, owners: object, texts: Iterable[str]) -> str:
    body = "\n\n".join(text.replace("\r\n", "\n").strip("\n") for text in dict.fromkeys(texts))
    lines = [RULED, f"{title}: {licence}", *_strings(owners), "", body, ""]
    return "\n".join(line.rstrip() for line in "\n".join(lines).split("\n"))


def main(arguments: list[str]) -> int:
    supply = Supply()
    if refused := supply.refused():
        print("\n".join(refused), file=sys.stderr)
        return 1
    folder = Path(arguments[0] if arguments else ROOT / "dist")
    folder.mkdir(parents=True, exist_ok=True)
    made = {
        folder / "sbom.cdx.json": supply.bill(),
        folder / "licences.txt": supply.texts(),
        ON_THE_SITE: supply.texts(only_site=True),
    }
    for path, text in made.items():
        path.write_text(text, "utf-8", newline="\n")
        print(f"{path}: {len(text.encode()):,} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
