"""The bill of materials: all of the lock and all that is bundled, each under a licence that was read."""

import json
import re
from itertools import product
from pathlib import Path

import pytest
import yaml
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
from license_expression import get_spdx_licensing

import run
from supply.bill import LOCK, ON_THE_SITE, ROOT, Supply

SETTLED = ROOT / ".github/supply/bundled.yml"
SUPPLY = Supply()
BILL = json.loads(SUPPLY.bill())
COMPONENTS = {one["name"]: one for one in BILL["components"]}


def with_(tmp_path: Path, **changes: object) -> Supply:
    """The supply with other words in bundled.yml."""
    file = tmp_path / "bundled.yml"
    file.write_text(yaml.safe_dump(yaml.safe_load(SETTLED.read_text("utf-8")) | changes), "utf-8")
    return Supply(settled=file)


def test_it_is_a_cyclonedx_document() -> None:
    assert BILL["specVersion"] == "1.6"
    fault = JsonStrictValidator(SchemaVersion.V1_6).validate_str(json.dumps(BILL))
    assert fault is None, str(fault)[:500]
    assert JsonStrictValidator(SchemaVersion.V1_6).validate_str(json.dumps(BILL | {"serialNumber": "x"}))


def test_each_package_of_the_lock_is_in_it_with_all_its_hashes() -> None:
    lock = LOCK.read_text("utf-8")
    pins = re.split(r"^(?=[a-z0-9-]+==)", lock, flags=re.MULTILINE)[1:]
    told = {one["purl"]: {digest["content"] for digest in one["hashes"]} for one in COMPONENTS.values()}
    assert told == {
        f"pkg:pypi/{pin.split()[0].replace('==', '@')}": {*re.findall(r"sha256:([0-9a-f]{64})", pin)}
        for pin in pins
    }


def test_each_has_a_licence_and_the_text_of_it() -> None:
    assert all(one["licenses"] for one in COMPONENTS.values())
    assert [one.name for one in SUPPLY.packages if one.installed and not any(one.texts())] == []


def test_the_tree_of_what_needs_what_is_whole() -> None:
    refs = {one["ref"]: set(one.get("dependsOn", ())) for one in BILL["dependencies"]}
    reached, todo = set(), [BILL["metadata"]["component"]["bom-ref"]]
    while todo:
        reached.add(one := todo.pop())
        todo += refs[one] - reached
    assert {one["name"] for one in COMPONENTS.values() if one["bom-ref"] not in reached} == set()
    assert refs[COMPONENTS["pikepdf"]["bom-ref"]] == {
        COMPONENTS[name]["bom-ref"] for name in ("lxml", "packaging", "pillow")
    }


def test_the_same_locks_give_the_same_bytes() -> None:
    assert SUPPLY.bill() == Supply().bill()
    assert "serialNumber" not in BILL
    assert "timestamp" not in BILL["metadata"]
    assert str(ROOT) not in json.dumps(BILL)


def test_all_licences_are_allowed_and_nothing_is_settled_for_nothing() -> None:
    assert SUPPLY.refused() == []
    settled = SUPPLY.settled
    assert {*settled["licences"]} <= COMPONENTS.keys()
    assert {*settled["excused"]} <= {part["name"] for part in SUPPLY.parts}
    used = " ".join(
        [*(one.licence for one in SUPPLY.packages), *(str(part["licence"]) for part in SUPPLY.parts)]
    )
    assert {one for one in settled["allowed"] if one not in used} == set()


def test_a_licence_that_nobody_has_allowed_is_refused(tmp_path: Path) -> None:
    allowed = [one for one in SUPPLY.settled["allowed"] if one != "MPL-2.0"]
    (first, *_) = lines = with_(tmp_path, allowed=allowed).refused()
    assert first == "certifi: MPL-2.0 is not among the licences that are allowed"
    assert {line.partition(":")[0] for line in lines} == {"certifi", "pathspec", "pikepdf"}
    assert with_(tmp_path, excused={}).refused() == [
        "wordcut: LGPL-3.0-or-later is not among the licences that are allowed"
    ]


def test_a_licence_that_nobody_has_named_is_refused(tmp_path: Path) -> None:
    licences = {name: one for name, one in SUPPLY.settled["licences"].items() if name != "segno"}
    assert with_(tmp_path, licences=licences).refused() == [
        "segno: its licence is not named; read it and name it in .github/supply/bundled.yml"
    ]


@pytest.mark.parametrize(("word", "taken"), [("OR", any), ("AND", all)])
def test_one_of_several_licences_is_enough_where_one_may_choose(word: str, taken: object) -> None:
    for pair in product(("MIT", "GPL-3.0-only"), repeat=2):
        assert SUPPLY.allows(f" {word} ".join(pair)) is taken(one == "MIT" for one in pair)  # type: ignore[operator]
    assert not SUPPLY.allows("MIT AND (GPL-3.0-only OR LGPL-3.0-only)")


# What is bundled


def test_each_part_of_the_scripts_and_styles_of_the_theme_is_named() -> None:
    """The maps beside them tell what they were put together from."""
    material = next(one for one in SUPPLY.packages if one.name == "mkdocs-material").installed
    maps = [file for file in material.files or () if file.name.endswith(".map")]
    sources = [name for file in maps for name in json.loads(file.read_text("utf-8"))["sources"]]
    found = {name for one in sources for name in re.findall(r".*node_modules/((?:@[^/]+/)?[^/]+)", one)}
    assert {"rxjs", "lunr"} <= found
    on_site = {part["name"] for part in SUPPLY.parts if part["site"] and part["in"] == "mkdocs-material"}
    assert found <= on_site
    assert {part["purl"].partition("@")[0] for part in SUPPLY.parts if part["name"] in found} == {
        f"pkg:npm/{name}" for name in found
    }


def test_each_folder_of_icons_is_named() -> None:
    material = next(one for one in SUPPLY.packages if one.name == "mkdocs-material").installed
    folders = {re.search(r"\.icons/(\w+)/", str(file)) for file in material.files or ()}
    assert {match[1] for match in folders if match} == {"material", "fontawesome", "octicons", "simple"}


def test_each_font_and_script_of_others_is_named_by_its_hash() -> None:
    own = BILL["metadata"]["component"]["components"]
    named = {file["name"] for part in own for file in part["components"]}
    endings = (".woff", ".woff2", ".ttf", ".otf")
    fonts = {
        path.relative_to(ROOT).as_posix() for path in ROOT.glob("templates/**/*") if path.suffix in endings
    }
    assert named == {*fonts, "templates/theme/assets/qrcode.js"}


def test_a_text_is_there_for_each_part_of_a_site_and_is_kept_as_it_is_made() -> None:
    made = SUPPLY.texts(only_site=True)
    assert ON_THE_SITE.read_text("utf-8") == made, "python3 run.py sbom writes it anew"
    for part in SUPPLY.parts:
        assert (f"\n{part['name']}: {part['licence']}\n" in made) == part["site"]
        assert not part["site"] or all(owner in made for owner in part["copyright"])
    for words in ("Permission is hereby granted, free of charge", "Apache License", "SIL OPEN FONT LICENSE"):
        assert words in made


def test_every_licence_of_a_part_is_an_spdx_expression() -> None:
    for part in SUPPLY.parts:
        assert not get_spdx_licensing().validate(str(part["licence"])).errors


def test_the_command(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """One command, which installs what it needs and writes both files."""
    done: list[object] = []
    monkeypatch.setattr(run, "set_up", lambda *sources: done.append(sources))
    assert run.main(["sbom", str(tmp_path / "out")]) == 0
    assert done == [(run.LOCK, run.PROJECT, run.TEST_LOCK)]
    assert json.loads((tmp_path / "out/sbom.cdx.json").read_text("utf-8")) == BILL
    assert (tmp_path / "out/licences.txt").read_text("utf-8") == SUPPLY.texts()
