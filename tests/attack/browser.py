"""What a browser has of a site and anybody may have written: storage, addresses, messages, caches.

One page takes thousands of values: its scripts are begun anew for each, as Material begins them for a page
that is swapped in, which is what they do on loading too; some values are tried by really loading the page.
"""

import json
import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote

from playwright.sync_api import Browser, Page

CORPUS = Path(__file__).parent / "corpus/browser.json"
"""Every value that was a finding once: its surface, and what was given to it."""

SOUND: dict[str, Any] = {
    "play/{edition}": {
        "games": {
            "abc12": {
                "id": "abc12", "at": "", "step": "S",
                "log": [
                    {"d": "a", "n": 1, "c": 1, "t": 1, "k": "m", "g": 1, "i": "x", "m": 1},
                    {"d": "a", "n": 2, "c": 2, "t": 1, "k": "x", "g": 2, "v": "a.1"},
                    {"d": "b", "n": 1, "c": 3, "t": 1, "k": "r", "g": 1, "i": "x", "v": "six"},
                    {"d": "b", "n": 2, "c": 4, "t": 1, "k": "t", "g": 2, "m": 2},
                    {"d": "b", "n": 3, "c": 5, "t": 2, "k": "a", "g": 3, "i": "name", "v": "A"},
                ],
            },
        },
        "last": "abc12",
    },
    "play/{edition}/damaged": "{",
    "back": [{"href": "{root}{edition}/#1", "y": 3, "name": "1", "folds": "01", "at": 0}],
    "resumed": [{"href": "{root}{edition}/#1", "y": 3, "name": "1", "folds": "01", "at": 0}],
    "cards": [["{root}{edition}/#1", True]],
    "read": [["{edition}", "{edition}/12-supply", "12.5", "12.5 Fuel", "A book"]],
    "previews": "off",
    "side": "left",
    "errata": "printed",
    "__palette": {"index": 1, "color": {"media": "(prefers-color-scheme: light)", "scheme": "default",
                                        "primary": "blue-grey", "accent": "deep-orange"}},
    "__tabs": ["a"],
    "__announce": 7,
    "__consent": {"analytics": True},
    "__source": {"version": "1"},
    "__outdated": True,
}  # fmt: skip
"""A value for each name under which pages keep something; `__…` are Material's."""

TEXTS = (
    "", "{", "[", "null", "0", "-1", "1e999", "true", '"', "\\", "\x00", "\ud800", "\u2028", "x" * 5000, "..",
    "../..", "__proto__", "constructor", "toString", "javascript:ran()", "https://evil.example/",
    "//evil.example/", "data:text/html,x", "http://[", "%", "%ff", "%2e%2e%2f", "..%2f..%2fevil/p", "#",
    "'\"><img src=x onerror=ran()>", "<script>ran()</script>", "$&", "(", "[id=", "a\\", '"]', "14.7d", "§",
    "é" * 90, "0.1.2", "abc12.3..9d.x", "1.99999999.99999999.99999999d.a",
)  # fmt: skip
ODD = (
    None,
    True,
    False,
    0,
    -1,
    1.5,
    1e300,
    [],
    {},
    [None],
    [[]],
    {"": None},
    {"__proto__": 1},
    [{}],
    "7",
    10**21,
)

WATCH = """() => {
  window.faults = [];
  window.ran = () => window.faults.push("ran");
  addEventListener("error", (event) => window.faults.push(`error: ${event.message}`));
  addEventListener("unhandledrejection", (event) => window.faults.push(`rejected: ${event.reason}`));
}"""

TRY = """async (tries) => {
  const found = [];
  const told = console.error;
  console.error = (...words) => window.faults.push(`said: ${words.join(" ")}`);
  const rw = window.rulewright;
  const again = () => document$.next(document);
  const call = {
    rule: (text) => rw.rule(rw.edition(), text).catch(() => {}),
    need: (text) => rw.need(`${text}.js`).catch(() => {}),
    preview: (text) => Promise.allSettled([text, rw.root + text].map(rw.preview)),
    place: (text) => {
      for (const href of [text, rw.root + text]) {
        const parts = rw.place(href)[0]?.split("/") ?? [];
        if (parts.some((one) => /^\\.\\.?$|\\\\/.test(one))) window.faults.push(`leads out: ${href}`);
      }
    },
  };
  const act = {
    store({ at, key, text }) {
      window[at].setItem(key, text);
      dispatchEvent(new StorageEvent("storage", { key, newValue: text, storageArea: window[at] }));
      for (const [shade, one] of Object.entries(__md_get("__palette")?.color ?? {})) {
        document.body.setAttribute(`data-md-color-${shade}`, one);
      }
      for (const name of ["__announce", "__consent", "__tabs", "__source", "__outdated"]) __md_get(name);
      again();
    },
    hash({ text }) {
      history.replaceState(history.state, "", location.pathname + location.search);
      location.hash = text;
    },
    query({ text }) {
      history.replaceState(history.state, "", `${location.pathname}?${text}${location.hash}`);
      again();
    },
    state({ value }) {
      history.replaceState(value, "");
      dispatchEvent(new PopStateEvent("popstate", { state: value }));
      again();
    },
    message({ value }) {
      dispatchEvent(new MessageEvent("message", { data: value, origin: "https://evil.example" }));
      navigator.serviceWorker?.dispatchEvent(new MessageEvent("message", { data: value }));
      navigator.serviceWorker?.controller?.postMessage(value);
    },
    call: ({ name, text }) => call[name](text),
    type({ text }) {
      const input = document.querySelector("#jump input");
      input.value = text;
      input.dispatchEvent(new Event("input", { bubbles: true }));
    },
  };
  for (const one of tries) {
    const before = window.faults.length;
    try {
      await act[one.surface](one);
    } catch (error) {
      window.faults.push(`threw: ${error}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 0));
    if (window.faults.length > before) found.push([one, window.faults.slice(before)]);
  }
  console.error = told;
  return found;
}"""

CALLS = ("rule", "need", "preview", "place")

WHOLE = """() => [
  !!document.querySelector("article h1"), !!window.rulewright?.root, !!document.querySelector(".rw-dock"),
  !!window.document$,
]"""


@dataclass
class Told:
    """How many values were tried, and what was found: the value, and what was wrong."""

    tries: int = 0
    found: list[tuple[dict[str, Any], list[str]]] = field(default_factory=list)


def kept(name: str, edition: str, scope: str) -> tuple[str, str]:
    """The store and the key under which pages keep what has a name."""
    if name.startswith("__"):
        return ("sessionStorage" if name in ("__outdated", "__source") else "localStorage"), f"{scope}.{name}"
    session = name in ("back", "resumed", "cards")
    return ("sessionStorage" if session else "localStorage"), f"rulewright.{name}".replace(
        "{edition}", edition
    )


def mutated(value: Any, chance: random.Random) -> Any:
    """A value with one part of it made something else, left out or doubled."""
    if chance.random() < 0.2 or not isinstance(value, (dict, list)) or not value:
        return chance.choice((*ODD, *TEXTS))
    if isinstance(value, list):
        at = chance.randrange(len(value))
        return [*value[:at], mutated(value[at], chance), *value[at + (chance.random() < 0.8) :]]
    key = chance.choice(list(value))
    if chance.random() < 0.2:
        return {name: one for name, one in value.items() if name != key}
    name = key if chance.random() < 0.8 else chance.choice(TEXTS)
    return {**value, name: mutated(value[key], chance)}


def torn(text: str, chance: random.Random) -> str:
    """A text with a piece cut out, put in or put twice."""
    at, more = sorted(chance.choices(range(len(text) + 1), k=2))
    return text[:at] + chance.choice(("", text[at:more] * 2, chance.choice(TEXTS))) + text[more:]


def drawn(edition: str, root: str, scope: str, chance: random.Random) -> Iterator[dict[str, Any]]:
    """Values without an end, each for a surface drawn by chance."""

    def text() -> str:
        parts = (
            *TEXTS,
            "12.5",
            "/",
            "&",
            "play=abc12.1.0.d.x",
            "q=",
            "h=",
            edition,
            f"{edition}/",
            "-",
        )
        return "".join(chance.choices(parts, k=chance.randint(1, 3)))

    while True:
        surface = chance.choice(
            ("store", "store", "store", "hash", "query", "state", "message", "call", "type")
        )
        one: dict[str, Any] = {"surface": surface}
        if surface == "store":
            name = chance.choice(list(SOUND))
            one["at"], one["key"] = kept(name, edition, scope)
            sound = SOUND[name] if isinstance(SOUND[name], str) else json.dumps(SOUND[name])
            sound = sound.replace("{root}", root).replace("{edition}", edition)
            try:
                value: Any = json.loads(sound)
            except ValueError:
                value = sound
            for _ in range(chance.randint(1, 3)):
                value = mutated(value, chance)
            said = value if isinstance(value, str) and chance.random() < 0.7 else json.dumps(value)
            one["text"] = said if chance.random() < 0.8 else torn(sound, chance)
        elif surface in ("state", "message"):
            keeping = {"keeping": edition, "done": 1, "all": 2, "read": root, "failed": False}
            one["value"] = chance.choice((mutated(keeping, chance), chance.choice(ODD), text(), "renew"))
        else:
            one["text"] = text()
            if surface == "call":
                one["name"] = chance.choice(CALLS)
        # A browser's strings may be halves of letters, which no wire carries.
        yield json.loads(json.dumps(one).replace("\\ud800", "\\ufffd"))


def attack_browser(
    browser: Browser, root: str, edition: str, rounds: int, seed: int = 0, loads: int = 0
) -> Told:
    """Give `rounds` values to the pages of an edition, and load one of them `loads` times with what is kept.

    `root`: the address of the site, with a slash at its end. What was a finding once is given first.
    """
    told, chance = Told(), random.Random(seed)
    context = browser.new_context(base_url=root)
    context.add_init_script(f"({WATCH})()")
    page = context.new_page()
    left: list[str] = []
    own = (root, "about:", "data:", "blob:")
    page.on("request", lambda request: request.url.startswith(own) or left.append(request.url))
    page.on("framenavigated", lambda frame: frame.url.startswith(own) or left.append(frame.url))
    page.on("dialog", lambda dialog: (left.append(dialog.message), dialog.dismiss()))
    page.on("pageerror", lambda error: left.append(str(error)))
    scope = root.partition("//")[2].partition("/")[2]
    values = drawn(edition, root, f"/{scope}", chance)
    pages = [f"{edition}/play/", f"{edition}/", f"{edition}/glossary/", f"{edition}/sequence/"]
    once = [fitted(one, root, edition, scope) for one in json.loads(CORPUS.read_text("utf-8"))]
    for at, batch in enumerate([once, *batches(values, rounds)]):
        page.goto(pages[at % len(pages)])
        if page.evaluate("!!window.document$"):
            told.found += [(one, faults) for one, faults in page.evaluate(TRY, batch)]
        told.tries += len(batch)
        told.found += [({"surface": "page", "batch": at}, [one]) for one in left]
        left.clear()
        if not all(page.evaluate(WHOLE)):
            stores = "[localStorage, sessionStorage].map((one) => ({ ...one }))"
            told.found.append(({"surface": "page", "stores": page.evaluate(stores)}, ["not whole any more"]))
            page.evaluate("localStorage.clear(); sessionStorage.clear()")
    for _ in range(loads):
        load(page, [next(values) for _ in range(8)], pages, told, left, chance)
    context.close()
    return told


def fitted(one: dict[str, Any], root: str, edition: str, scope: str) -> dict[str, Any]:
    """A value of the corpus, which has `{root}`, `{edition}` and `{scope}` for those of a site."""
    words = json.dumps(one)
    for name, value in (("root", root), ("edition", edition), ("scope", f"/{scope}")):
        words = words.replace(f"{{{name}}}", value)
    made: dict[str, Any] = json.loads(words)
    return made


def batches(values: Iterator[dict[str, Any]], rounds: int, size: int = 250) -> Iterable[list[dict[str, Any]]]:
    """Values in portions for one page."""
    for begin in range(0, rounds, size):
        yield [next(values) for _ in range(min(size, rounds - begin))]


def load(
    page: Page,
    values: list[dict[str, Any]],
    pages: list[str],
    told: Told,
    left: list[str],
    chance: random.Random,
) -> None:
    """Load a page with damaged storage and an odd address, as a reader does who comes back to it."""
    page.goto("about:blank")
    stored = [one for one in values if one["surface"] == "store"]
    texts = [one["text"] for one in values if one["surface"] in ("hash", "query", "call", "type")]
    page.goto(pages[0])
    page.evaluate("(all) => all.forEach(({ at, key, text }) => window[at].setItem(key, text))", stored)
    ends = [quote(text, safe="#?&=%/.\\\"'[]") for text in texts] or [""]
    where = (
        chance.choice(pages) + chance.choice(("#", "?q=", "?h=", "#play=")) + chance.choice(ends).lstrip("/")
    )
    page.goto("about:blank")
    page.goto(where, wait_until="load")
    faults = [*page.evaluate("window.faults"), *left]
    left.clear()
    told.tries += 1
    if faults or not all(page.evaluate(WHOLE)):
        told.found.append(({"surface": "load", "where": where, "stored": stored}, faults or ["not whole"]))
