"""New inputs from old ones: bytes cut, doubled and mixed, and content whose parts change places and sorts.

The same seed gives the same inputs.
"""

import json
import random
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

import yaml

from tests.attack.surface import LONGEST, Surface

NASTY = [
    "\0", "\ufeff", "\r\n", "\r", "\u2028", "\u202e", "\x85", "\x1b[31m", "\u200d", "\xa0", "\ue0000\ue001",
    "\ue000", "\u0660", "²", "Ⅷ", "ﬁ", "İ", "ß", "e" + "\u0301" * 100, "’", "–", "𝟙", "\U0010ffff",
    "\ufffe", "9" * 5_000, "99999999999999999999", "-1", "0", "1e999", "0x7f", "1.1a", "1.1-1.9", "2.",
    "(1)", "½", "NaN", "[[", "]]", "[[1.1|", "[[x/1:1.1]]", "[a](", "![", "](", "![a](b.png){width=9}",
    "**", "*", "***", "_", "`", "~~~\n", "<", ">", "<!--", "<a ", "<script>", "</", "&#9999999999;",
    "&#xD800;", "&amp;", "{{", "{%", "{: #a }", "\\", "- ", "1. ", "    ", "\t", "\n\n", "\n", "# ", "=\n",
    "|", "> ", "]: ", "[^1]", "!!! x\n", "---\n", "+++\n", "&a ", "*a", "!!python/name:os.system ", "!x ",
    "<<: *a", "? ", ": ", "? - ", "|+\n", ">-\n", "#", "%YAML 1.1\n---\n", "...\n", "{", "[", "}", "]", "'",
    '"', ",", "../../../x", "/x", "//x", "C:\\x", "CON", "a" * 5_000, "x?y", "javascript:x", "%2e%2e%2f",
    "%00", "?", "@", "~", "$", "\\u0000", '"\\ud800"', '"\\0"', "yes", "none", "null", "1d6",
]  # fmt: skip
"""Signs and words that have broken readers of texts."""
TOKENS = [*(one.encode() for one in NASTY), b"\xed\xa0\x80", b"\xff", b"\xc3", b"\xef\xbb\xbf"]

REPEATED = (2, 3, 10, 100, 1_000)
DEEP = (1, 3, 20, 120)


class Mutator:
    """Makes inputs for a surface from its seeds."""

    def __init__(self, surface: Surface, seed: int) -> None:
        self.random = random.Random(f"{surface.name} {seed}")
        known = [path.read_bytes() for path in surface.corpus()]
        self.seeds = [*surface.seeds(), *(one for one in known if len(one) < LONGEST)]
        assert self.seeds, f"{surface.name} has no seeds"
        self.tokens = [*TOKENS, *surface.words, *surface.words]
        parts = [part for one in self.seeds if (tree := _tree(one)) is not None for part in _parts(tree)]
        self.keys = sorted({key for part in parts if isinstance(part, dict) for key in part}) or ["a"]
        self.parts = parts or [""]

    def inputs(self) -> Iterator[bytes]:
        """The seeds, and then new inputs without end."""
        yield from self.seeds
        while True:
            yield self.changed(self.random.choice(self.seeds))

    def changed(self, data: bytes) -> bytes:
        """Another input, mostly near to the one given."""
        tree = _tree(data) if self.random.random() < 0.6 else None
        if tree is not None:
            tree = json.loads(json.dumps(tree))
            for _ in range(self.random.choice((1, 1, 1, 2, 3, 6))):
                tree = self._moved(tree)
            data = _text(tree)
            if self.random.random() < 0.7:
                return data[:LONGEST]
        for _ in range(self.random.choice((1, 1, 2, 2, 4, 8))):
            data = self._cut(data)[:LONGEST]
        return data

    def _cut(self, data: bytes) -> bytes:
        """Bytes with one change."""
        r = self.random
        start, end = sorted((r.randint(0, len(data)), r.randint(0, len(data))))
        if r.random() < 0.5:
            end = min(end, start + r.choice((0, 1, 4, 20)))
        token = r.choice(self.tokens)
        match r.randrange(9):
            case 0:
                middle = token
            case 1:
                middle = token * min(r.choice(REPEATED), LONGEST // len(token))
            case 2:
                middle = b""
            case 3:
                middle = data[start:end] * r.choice(REPEATED[:4])
            case 4:
                other = r.choice(self.seeds)
                at = r.randint(0, len(other))
                middle = other[at : at + r.choice((5, 50, 500))]
            case 5:
                middle = data[start:end] + token
            case 6:
                middle = bytes(r.randrange(256) for _ in range(r.choice((1, 1, 3))))
            case 7:  # a line to somewhere else
                lines = data.splitlines(keepends=True)
                if lines:
                    lines.insert(r.randint(0, len(lines)), r.choice(lines) * r.choice(REPEATED[:4]))
                return b"".join(lines)
            case _:  # another digit
                digits = [at for at in range(len(data)) if data[at : at + 1].isdigit()]
                if not digits:
                    return data + token
                start = r.choice(digits)
                end, middle = start + 1, r.choice((b"0", b"1", b"2", b"7", b"10", b"a", b""))
        return data[:start] + middle + data[end:]

    def _moved(self, tree: Any) -> Any:
        """Content with one part of it changed."""
        r = self.random
        holders = [part for part in _parts(tree) if isinstance(part, dict | list) and part]
        if not holders:
            return self._another(tree)
        holder = r.choice(holders)
        at = r.choice(list(holder)) if isinstance(holder, dict) else r.randrange(len(holder))
        value = holder[at]
        match r.randrange(8):
            case 0:
                del holder[at]
            case 1 if isinstance(holder, list):
                holder[at:at] = [value] * r.choice(REPEATED[:4])
            case 1 | 2 if isinstance(holder, dict):
                holder[r.choice(self.keys)] = holder.pop(at)
            case 3:
                holder[at] = r.choice(self.parts)
            case 4:
                inner = value
                for _ in range(r.choice(DEEP)):
                    inner = [inner] if r.random() < 0.5 else {r.choice(self.keys): inner}
                holder[at] = inner
            case 5 if isinstance(value, dict | list):
                holder[at] = r.choice((None, "", "x", [], {}, [[]]))
            case 6 if isinstance(holder, dict):
                holder[r.choice(self.keys)] = r.choice(self.parts)
            case _:
                holder[at] = self._another(value)
        return json.loads(json.dumps(tree))  # parts that are in two places are two

    def _another(self, value: Any) -> Any:
        r = self.random
        said = value if isinstance(value, str) else ""
        token = r.choice(self.tokens).decode("utf-8", "replace")
        at = r.randint(0, len(said))
        return r.choice(
            (
                token,
                said[:at] + token + said[at:],
                token * r.choice(REPEATED[:4]),
                said * 3,
                [value],
                {said: value},
            )
        )


@lru_cache(4_096)
def _tree(data: bytes) -> Any:
    """Bytes as keys and lists of texts; None for what is none, or would grow or go deep when it is loaded."""
    if b"&" in data or max(map(data.count, (b"[", b"{", b"- ", b"? "))) > 300:
        return None
    try:
        found = yaml.load(data, yaml.CBaseLoader)
        return json.loads(json.dumps(found)) if isinstance(found, dict | list) else None
    except (yaml.YAMLError, ValueError, RecursionError, TypeError):
        return None


def _text(tree: Any) -> bytes:
    try:
        return yaml.dump(tree, Dumper=yaml.CSafeDumper, allow_unicode=True, sort_keys=False).encode()
    except (yaml.YAMLError, ValueError):  # a surrogate
        return json.dumps(tree).encode()


def _parts(tree: Any) -> Iterator[Any]:
    yield tree
    for inner in tree.values() if isinstance(tree, dict) else tree if isinstance(tree, list) else ():
        yield from _parts(inner)


def words_of(seeds: Sequence[bytes]) -> list[bytes]:
    """The words of inputs, each once."""
    return sorted({word for one in seeds for word in one.split() if len(word) < 40})
