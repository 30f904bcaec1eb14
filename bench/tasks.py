"""Seven tasks of readers, on a phone, at a desk and by keyboard, in taps, keys, Tabs and seconds.

The phone has a quarter of this processor's speed and a slow line, as in Lighthouse. The
site is site/, or that of `--site DIR`.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from playwright.sync_api import Browser, Locator, Page, sync_playwright

from bench.lighthouse import sent, site_and_browser

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
DESKTOP = {"viewport": {"width": 1280, "height": 900}}
LINE = {"offline": False, "latency": 150, "downloadThroughput": 204_800, "uploadThroughput": 93_750}
SLOWER = 4
MOST_TABS = 200


class Reader:
    """A reader whose taps, keys and Tabs are counted."""

    def __init__(self, page: Page, root: str, *, taps: bool) -> None:
        self.page, self.root, self._taps = page, root, taps
        self.taps = self.keys = self.tabs = 0

    def open(self, path: str) -> None:
        """Open a page and wait until the network is idle for half a second."""
        self.page.goto(self.root + path, wait_until="networkidle")
        self.begun = time.perf_counter()

    def tap(self, element: Locator) -> None:
        self.taps += 1
        if self._taps:
            element.tap()
        else:
            element.click()

    def type(self, words: str) -> None:
        self.keys += len(words)
        self.page.keyboard.type(words)

    def press(self, key: str) -> None:
        self.keys += 1
        self.page.keyboard.press(key)

    def tab_to(self, condition: str) -> None:
        """Press Tab until `condition` is true for the focused element."""
        for _ in range(MOST_TABS):
            self.tabs += 1
            self.page.keyboard.press("Tab")
            if self.page.evaluate(f"(it => {condition})(document.activeElement)"):
                return
        raise SystemExit(f"no Tab leads to {condition}")

    def find(self, words: str) -> None:
        self.tap(self.page.locator("a.rw-jump:visible").first)
        self.page.locator("#jump[open]").wait_for()
        self.type(words)

    def top_of(self, selector: str) -> int:
        """Return the distance of an element from the top of the screen, in pixels."""
        return round(self.page.locator(selector).first.evaluate("it => it.getBoundingClientRect().top"))


def find_a_number(reader: Reader) -> str:
    reader.open("ocs/4.3/")
    reader.find("14.7d")
    reader.press("Enter")
    reader.page.wait_for_url("**/*#14.7d")
    top = reader.top_of("[id='14.7d']")
    return f"the rule is {top} px below the top"


def follow_a_reference(reader: Reader) -> str:
    reader.open("ember-coast/2.1/12-supply/")
    reader.tap(reader.page.locator(".rule a.ref:visible").first)
    if reader._taps:
        reader.page.locator(".rw-card").wait_for()
        return "its rule shows"
    reader.page.wait_for_url("**/*#*")
    return "its page is open"


def see_the_turn(reader: Reader) -> str:
    offsets = []
    for path in ("ocs/4.3/", "ember-coast/2.1/", "asl/a3/", "eastern-front/2009-02-16/"):
        reader.open(f"{path}sequence/")
        offsets.append(reader.top_of(".outline > ol > li, .outline li"))
    return f"its first phase is {min(offsets)} to {max(offsets)} px below the top"


def play_a_step(reader: Reader) -> str:
    reader.open("ember-coast/2.1/")
    reader.tap(reader.page.locator(".tiles a[data-way=play]"))
    reader.tap(reader.page.locator(".controls [data-act=done]"))
    reader.page.locator(".controls [data-act=back]:enabled").wait_for()
    return "done"


def link_to_a_step(reader: Reader) -> str:
    reader.open("ember-coast/2.1/play/")
    for _ in range(11):
        reader.page.locator(".controls [data-act=done]").click()
    reader.tap(reader.page.get_by_role("button", name="Link to this step"))
    link = reader.page.locator(".rw-dock .message input").input_value()
    reader.page.goto("about:blank")
    reader.open(link.removeprefix(reader.root))
    return f"{len(link) - len(reader.root)} letters; opened {reader.top_of('li.now .title')} px below the top"


def see_what_changed(reader: Reader) -> str:
    reader.open("ember-coast/2.1/12-supply/")
    reader.tap(reader.page.locator("details.before > summary").first)
    return reader.page.locator("details.before > summary").first.inner_text()


def tab_to_a_reference(reader: Reader) -> str:
    reader.open("ember-coast/2.1/12-supply/")
    reader.tab_to("it.matches('.md-skip')")
    reader.press("Enter")
    reader.tab_to("it.matches('.rule a.ref')")
    return "at the first"


Task = Callable[[Reader], str]
TASKS: dict[str, Task] = {
    "read rule 14.7d": find_a_number,
    "follow a reference": follow_a_reference,
    "see the sequence of play": see_the_turn,
    "play a step": play_a_step,
    "copy the link to a step, and open it": link_to_a_step,
    "see how a rule changed": see_what_changed,
}
BY_KEYBOARD: dict[str, Task] = {"reach a reference by Tab": tab_to_a_reference}


@contextmanager
def reading(browser: Browser, root: str, *, phone: bool) -> Iterator[Reader]:
    """Yield a reader with an empty browser profile."""
    with browser.new_context(service_workers="block", **(PHONE if phone else DESKTOP)) as context:  # type: ignore[arg-type]
        page = context.new_page()
        if phone:
            wire = context.new_cdp_session(page)
            wire.send("Network.emulateNetworkConditions", LINE)
            wire.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
        yield Reader(page, root, taps=phone)


def main(arguments: Sequence[str] = ()) -> str:
    site, chromium = site_and_browser(arguments)
    lines = ["tasks"]
    with sent(site) as root, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for device, phone, tasks in (("phone", True, TASKS), ("desktop", False, {**TASKS, **BY_KEYBOARD})):
            lines.append(f"  {device:<30} taps  keys  Tabs  seconds")
            for name, task in tasks.items():
                with reading(browser, root, phone=phone) as reader:
                    result = task(reader)
                    took = time.perf_counter() - reader.begun
                    counts = f"{reader.taps:>4}  {reader.keys:>4}  {reader.tabs:>4}  {took:>7.2f}"
                    lines.append(f"  {name:<30} {counts}  {result}")
        browser.close()
    return "\n".join(lines)
