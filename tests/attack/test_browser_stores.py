"""What a device, an address or a message brings stops no page, runs nothing and leads nowhere else."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from attack.browser import attack_browser
from playwright.sync_api import Browser
from web import served


@pytest.fixture(scope="module")
def address(pages: Path) -> Iterator[str]:
    with served(pages.parent) as root:  # a site beside others on the same host
        yield f"{root}/{pages.name}/"


def test_what_others_wrote_stops_no_page(browser: Browser, address: str) -> None:
    told = attack_browser(browser, address, "ocs/4.3", rounds=1000, seed=12, loads=12)
    assert told.tries == 1012
    assert not told.found, "\n".join(json.dumps(one)[:600] for one in told.found[:12])
