import gc
import logging
import os
import signal
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from filelock import FileLock
from hypothesis import settings
from playwright.sync_api import BrowserContext, expect, sync_playwright
from web import DESKTOP, PHONE, reader, served

import run
from tests.example_counts import TIMES

START = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"]
# Each window gets pages of the browser's own for its address bar, which take longer than those that we test.
# The rest Playwright switches off itself; of two such switches only the last is heard.
START += [
    "--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup,SpareRendererForSitePerProcess,"
    "DestroyProfileOnBrowserClose,HttpsUpgrades,LensOverlay,MediaRouter,NetworkTimeServiceQuerying,"
    "OptimizationHints,PaintHolding,PreconnectToSearch,ThirdPartyStoragePartitioning"
]

expect.set_options(timeout=30_000)  # as long as Playwright waits for all else

# The same examples each time: what a change is checked with says something of that change.
settings.register_profile("thorough", deadline=None, max_examples=30 * TIMES, derandomize=True)
settings.register_profile("quick", deadline=None, max_examples=20 * TIMES, derandomize=True)
settings.load_profile("thorough")
"""No test fails because a machine was busy: how fast we are is measured in bench/."""

AROUND = dict(os.environ)
"""The user's own environment: a site of this checkout finds what it prints where the last one left it."""

EXPENSIVE = {"browser", "chromium", "built"}
"""What only thorough tests start or build, but for the one pass through the site in test_browser.py."""

SHARED = {"built", "pages"}
"""What the first that needs it builds for all: files of such tests come last, so that few wait for it."""

SLOW = frozenset(Path(__file__).with_name("slow.txt").read_text().split())
"""Quick tests that take three seconds of a processor and more: .ci/run runs them after the others."""

# In the background of a shell it is ignored, and so in all children.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.nodeid.partition("[")[0] in SLOW:
            item.add_marker("slow")
        if EXPENSIVE.intersection(getattr(item, "fixturenames", ())) and item.path.name != "test_browser.py":
            item.add_marker("thorough")
    late = {item.path for item in items if SHARED.intersection(getattr(item, "fixturenames", ()))}
    items.sort(key=lambda item: item.path in late)


def pytest_collection_finish() -> None:
    """Keep garbage collection from going through all tests and modules again and again."""
    gc.freeze()
    gc.set_threshold(100_000, 20, 50)  # as the program itself does


def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> None:
    """Clear the caches of a file's tests: they hold whole books, and a run reads hundreds."""
    module = getattr(item, "module", None)
    if module is None or getattr(nextitem, "module", None) is module:
        return
    own = [one for one in vars(module).values() if getattr(one, "__module__", "") == module.__name__]
    caches = [one for one in own if hasattr(one, "cache_info") and one.cache_info().currsize]
    for one in caches:
        one.cache_clear()
    if caches:
        gc.collect()


@pytest.fixture(scope="session", autouse=True)
def _own_home(tmp_path_factory):
    """Nothing that a test leaves in the user's folders is found by another run, or by the user."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("XDG_STATE_HOME", "XDG_CACHE_HOME"):
            patch.setenv(name, str(tmp_path_factory.mktemp(name.lower())))
        yield


@pytest.fixture(scope="session")
def chromium():
    """The browser to start, for Playwright's executable_path."""
    path = run.find_chromium()
    if path is None:
        pytest.skip(run.CHROMIUM.missing())
    return path


@pytest.fixture(scope="session")
def browser(chromium):
    """One browser for all tests, as there can be only one at a time. Each test makes its own context."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=START)
        begin = browser.new_context

        def patient(**given: Any) -> BrowserContext:
            """A context that waits long enough for a machine that is busy with other tests."""
            context = begin(**given)
            context.set_default_timeout(120_000)
            return context

        browser.new_context = patient  # type: ignore[method-assign]
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def built(tmp_path_factory):
    """The project's own site, built as a newcomer builds it: `mkdocs build --strict`."""
    return _once(tmp_path_factory, "built", "mkdocs", "build", "--strict", "--quiet", "--site-dir")


@pytest.fixture(scope="session")
def pages(tmp_path_factory):
    """The project's own site without PDFs, which take longer than all the rest."""
    return _once(tmp_path_factory, "pages", "rulewright", "build", "--no-print", "--output")


def _once(tmp_path_factory: pytest.TempPathFactory, name: str, *words: str) -> Path:
    """Build a site that all tests share, in whichever process they run; none may write to it."""
    own = tmp_path_factory.getbasetemp()
    folder = (own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / name
    site, stamp = folder / "site", folder / "built"
    command = [sys.executable, "-m", *words, str(site)]
    with FileLock(f"{folder}.lock"):
        if not stamp.exists():
            done = subprocess.run(command, cwd=run.ROOT, env=AROUND, capture_output=True, text=True)
            assert done.returncode == 0, done.stdout + done.stderr
            stamp.touch()
    return site


@pytest.fixture(scope="session")
def address(pages):
    """The project's own site, served: an address without a slash at its end."""
    with served(pages, missing="404.html") as address:
        yield address


@pytest.fixture
def page(browser, address, request):
    """A reader's page, on a desk unless a test says a phone."""
    size = getattr(request, "param", DESKTOP)
    phone = {"has_touch": size == PHONE, "is_mobile": size == PHONE}
    with reader(browser, address, viewport=size, base_url=f"{address}/", **phone) as context:
        yield context.new_page()


@pytest.fixture
def bare(browser, address):
    """The page of a reader whose browser runs no scripts."""
    with reader(browser, address, base_url=f"{address}/", java_script_enabled=False) as context:
        yield context.new_page()


@pytest.fixture
def project(tmp_path, monkeypatch, caplog):
    """A small project of a site, whose line makes what a test says; what MkDocs warns of is heard."""
    from tests.projects import Project

    project = Project(tmp_path)
    monkeypatch.setitem(sys.modules, "rulewright.app.build_pipeline", SimpleNamespace(build=project.line))
    caplog.set_level(logging.WARNING, "mkdocs")
    return project
