"""What a reader hears: the names in the browser's tree of accessibility, said by a speech engine."""

import ctypes
import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

import espeakng_loader
import pytest
from playwright.sync_api import Browser, Page
from web import reader

from rulewright.render.screen_reader_text import spoken_mark

PAGES = (
    "ocs/4.3/sequence/", "ocs/4.3/12-supply/", "ocs/4.3/play/", "ocs/4.3/aids/checklist/",
    "ocs/3.0/tables/", "ember-coast/2.1/tables/", "ember-coast/2.1/sequence/", "ember-coast/2.1/errata/",
    "ember-coast/2.1/",
)  # fmt: skip
SAID = {
    "link", "button", "heading", "cell", "gridcell", "columnheader", "rowheader", "checkbox", "spinbutton",
}  # fmt: skip
"""The roles whose names are said each for itself."""


class Voice:
    """eSpeak NG, which screen readers use: words to the sounds that it makes of them."""

    def __init__(self) -> None:
        self.library = ctypes.CDLL(espeakng_loader.get_library_path())
        self.library.espeak_TextToPhonemes.restype = ctypes.c_char_p
        assert self.library.espeak_Initialize(2, 0, espeakng_loader.get_data_path().encode(), 0) > 0
        assert self.library.espeak_SetVoiceByName(b"en") == 0

    def __call__(self, words: str) -> str:
        rest, sounds = ctypes.pointer(ctypes.c_char_p(words.encode())), []
        while rest.contents.value:
            sounds.append(self.library.espeak_TextToPhonemes(rest, 1, 0).decode())
        return re.sub(r"[^A-Za-z@0-9 ]", "", " ".join(sounds))  # without stress and pauses


voice = cache(Voice)


def hears(words: str) -> str:
    """What is heard of words."""
    return voice()(words)


class Named(NamedTuple):
    role: str
    name: str


@pytest.fixture(scope="module")
def heard(browser: Browser, address: str) -> Iterator[dict[str, list[Named]]]:
    """All that has a name on each page."""
    with reader(browser, address, base_url=f"{address}/") as context:
        page = context.new_page()
        yield {path: list(names(page, path)) for path in PAGES}


def names(page: Page, path: str) -> Iterator[Named]:
    page.goto(path, wait_until="load")
    tree = page.context.new_cdp_session(page).send("Accessibility.getFullAXTree")
    for node in tree["nodes"]:
        if not node["ignored"] and node["role"]["value"] in SAID:
            yield Named(node["role"]["value"], node.get("name", {}).get("value", ""))


def test_nothing_is_heard_as_nothing_or_as_the_name_of_a_sign(heard: dict[str, list[Named]]) -> None:
    """No reference, number, cell, button or heading is silent, and none says dash, colon or hash."""
    signs = {hears(word) for word in ("dash", "colon", "hash", "asterisk asterisk")}
    told = {
        (path, one)
        for path, ones in heard.items()
        for one in ones
        if (one.name.strip() and not hears(one.name)) or signs & set(hears(one.name).split())
    }
    assert not told


def test_nothing_is_said_twice(heard: dict[str, list[Named]]) -> None:
    """No name says two words, and then the same again."""
    told = {
        (path, one)
        for path, ones in heard.items()
        for one in ones
        if one.role in ("heading", "link", "button") and re.search(r"\b(\w{3,} \w{3,})\b.*\b\1\b", one.name)
    }
    assert not told


@pytest.mark.parametrize(
    ("path", "role", "words"),
    [
        ("ocs/4.3/12-supply/", "link", "twelve point one A"),
        ("ocs/4.3/12-supply/", "heading", "twelve point five fuel supply"),
        ("ocs/4.3/12-supply/", "link", "twelve point five c A"),
        ("ocs/4.3/sequence/", "link", "twelve point eight e"),
        ("ocs/4.3/sequence/", "heading", "first player turn"),
        ("ocs/4.3/sequence/", "heading", "supply phase, phasing player"),
        ("ocs/3.0/tables/", "button", "roll two d six"),
        ("ocs/3.0/tables/", "rowheader", "six to eight"),
        ("ocs/3.0/tables/", "rowheader", "greater or equal to nine"),
        ("ocs/3.0/tables/", "rowheader", "five to six"),
        ("ember-coast/2.1/tables/", "columnheader", "ten to one"),
        ("ember-coast/2.1/tables/", "columnheader", "none"),
        ("ember-coast/2.1/sequence/", "link", "to six point five"),
    ],
)
def test_a_name_sounds_as_players_say_it(heard, path, role, words):
    sounds = {hears(one.name).replace(" ", "") for one in heard[path] if one.role == role}
    assert hears(words).replace(" ", "") in sounds


@pytest.mark.parametrize(
    ("mark", "words"),
    [("†", "dagger"), ("**", "asterisk asterisk"), ("a", "a"), ("a)", "a right parenthesis")],
)
def test_a_mark_has_a_name(mark: str, words: str) -> None:
    assert spoken_mark(mark) == words
