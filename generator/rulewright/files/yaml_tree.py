"""Tree of a YAML file, from libyaml's events, with the location of every problem.

A stack with a depth limit replaces recursion: composing with the C loader crashes the process on 200,000 open
brackets, and pure Python is thirty times slower.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

import yaml

from rulewright.files import limits, yaml_error_hints
from rulewright.files.invisible_characters import (
    UNSEEN,
    first_invisible,
    invisible_character_message,
    unicode_name,
)
from rulewright.files.located_text import (
    CONFLICT,
    CONTROL,
    UNPRINTABLE,
    LocatedText,
    Node,
    YamlMapping,
    YamlSequence,
    decode_utf8,
)
from rulewright.files.problems import (
    Problem,
    ProblemType,
    SourceFile,
    SourceLocation,
    problem_type,
    quote_short,
)
from rulewright.files.yaml_error_hints import PrecedingToken, explain_yaml_error, merge_conflict_markers

try:
    from yaml import CSafeLoader as _SafeLoader
except ImportError:  # PyYAML built without libyaml: slower, but the same events
    from yaml import SafeLoader as _SafeLoader  # type: ignore[assignment]


class FastSafeLoader(_SafeLoader):
    """PyYAML's safe loader, in C if available."""


SYNTAX = problem_type("yaml-syntax", "A file is not YAML. Mostly a colon, a quote or an indent is missing.")
EMPTY = problem_type("file-empty", "A content file holds nothing. Write its first key, or delete the file.")
TOO_DEEP = problem_type("yaml-too-deep", str(limits.NESTING))
ALIAS = problem_type(
    "yaml-alias",
    """YAML's anchors (&), aliases (*) and merge keys (<<) are not used here. Write the part out; text that
    begins with one of these signs must be in quotes.""",
)
TAG = problem_type(
    "yaml-tag", "YAML's tags (!) are not used here. Text that begins with ! must be in quotes."
)
DUPLICATE_KEY = problem_type(
    "duplicate-key", "A key occurs twice in one place, and only one of them would be read."
)
DOCUMENTS = problem_type(
    "yaml-documents", "A file holds more than one YAML document (`---`). Make a file of each."
)
COMMENT = problem_type(
    "words-in-comment",
    """Words after a # would be lost, as a comment. Put the text in quotes. A real comment has a
    space after the #, and two before it if it begins with a count, as in `title: Mules # 3`.""",
)

_DIGIT = re.compile(r"\d")
_LONGEST_NUMBER = 24
_ODD_SPACE = re.compile("[\xa0\u1680\u2000-\u200a\u202f\u205f\u3000]")
_PROPERTIES = re.compile(r"(?:[!&]\S*\s*)*")
_LOST = re.compile(r"[ \t]#(?:[^\s#]| \d)")
_LOST_BEHIND = re.compile(r"[ \t]+(#)[^\s#]|[ ](#)[ ]\d{1,3}(?![.:/-]?\w)")


def load_yaml_tree(name: str, data: bytes) -> tuple[Node | None, list[Problem]]:
    """Return the tree of a YAML file, or None if there is none, and its problems.

    Anchors, aliases, tags, duplicate keys, deep nesting and a second document are reported; nothing is
    raised.
    """
    file, problems = decode_utf8(name, data)
    if problems:
        return None, problems
    tree = _Tree(file, problems)
    try:
        loader = FastSafeLoader(file.text)
        try:
            while (event := loader.get_event()) and tree.take(event):
                pass
        finally:
            loader.dispose()
    except yaml.MarkedYAMLError as error:
        index, message = explain_yaml_error(file, error, PrecedingToken(*tree.before))
        place = file.location(index)
        if all(problem.place.line != place.line for problem in problems):
            problems.append(SYNTAX.problem(place, message, name))
        return None, problems
    except yaml.YAMLError as error:
        return None, [*problems, SYNTAX.problem(SourceLocation(name), f"this is not YAML ({error})", name)]
    for offset in merge_conflict_markers(file.text):
        problems.append(CONFLICT.problem(file.location(offset), yaml_error_hints.CONFLICT, name))
        break
    if not tree.root and not problems:
        problems.append(
            EMPTY.problem(SourceLocation(name), "the file is empty; write its first key, or delete it", name)
        )
    return tree.root or None, problems


@dataclass(eq=False, slots=True)
class _OpenNode:
    """List or mapping being read.

    `key`: the key of the next value; `keys`: the first occurrence of each key.
    """

    node: YamlMapping | YamlSequence
    awaits_value: bool = False
    key: LocatedText | None = None
    keys: dict[LocatedText, LocatedText] = field(default_factory=dict)


class _Tree:
    """Builder of the tree of a file from its events."""

    def __init__(self, file: SourceFile, problems: list[Problem]) -> None:
        self.file = file
        self.problems = problems
        self.root: Node | None = None
        self.before = (0, 0, "")  # the start, end and style of the scalar or bracketed value read last
        self._documents = 0
        self._stack: list[_OpenNode] = []
        self._loses_words = bool(_LOST.search(file.text))
        self._escapes = "\\" in file.text
        self._hides = bool(first_invisible(file.text) or _ODD_SPACE.search(file.text))

    def take(self, event: yaml.Event) -> bool:
        """Add an event. Return False if the rest of the file is not worth reading."""
        if isinstance(event, yaml.ScalarEvent):
            if event.anchor or event.tag:
                self._refuse_properties(event)
            self._put(self._scalar(event), event)
        elif isinstance(event, yaml.CollectionStartEvent):
            return self._open(event)
        elif isinstance(event, yaml.CollectionEndEvent):
            node = self._stack.pop().node
            if node.flow:
                node.end = _span(event)[1]
                self.before = node.start, node.end, self.file.text[node.start]
            else:
                parts = (
                    node.items if isinstance(node, YamlSequence) else [*node.entries, *node.entries.values()]
                )
                node.end = max((part.end for part in parts if part is not None), default=node.start)
        elif isinstance(event, yaml.AliasEvent):
            top = self._stack[-1] if self._stack else None
            # The value of a key that is reported is skipped.
            if not (top and top.awaits_value and top.key in (None, "<<")):
                self._refuse(ALIAS, event, "*", "aliases")
            self._put(None, event)
        elif isinstance(event, yaml.DocumentStartEvent):
            self._documents += 1
            if self._documents > 1:
                self._report(DOCUMENTS, event, "a second document begins here; move it to a file of its own")
                return False
        return True

    def _open(self, event: yaml.CollectionStartEvent) -> bool:
        """Begin a list or mapping. Return False if it is too deep."""
        if len(self._stack) == limits.NESTING.maximum:
            self._report(TOO_DEEP, event, limits.NESTING.describe)
            self.root = None
            return False
        if event.anchor or event.tag:
            self._refuse_properties(event)
        sort = YamlMapping if isinstance(event, yaml.MappingStartEvent) else YamlSequence
        node = sort(self.file, _span(event)[0], flow=bool(event.flow_style))
        self._put(node, event)
        self._stack.append(_OpenNode(node))
        return True

    def _scalar(self, event: yaml.ScalarEvent) -> LocatedText | None:
        """Return a scalar, or None if it is invalid, which is reported."""
        (start, end), style = _span(event), event.style or ""
        if event.anchor or event.tag:
            properties = _PROPERTIES.match(self.file.text, start, end)
            start = properties.end() if properties else start
        self.before = start, end, style
        text = LocatedText.from_source(event.value, self.file, start, end, style)
        if style == '"' and self._escapes and (bad := UNPRINTABLE.search(text)):
            message = f"this escape makes a control character (U+{ord(bad.group()):04X}); delete it"
            self._report(CONTROL, text.file_offset(bad.start()), message)
            return None
        if self._loses_words and text and not style and (lost := _LOST_BEHIND.match(self.file.text, end)):
            self._lost_in_comment(text, lost)
        return None if event.tag else text

    def _lost_in_comment(self, text: LocatedText, lost: re.Match[str]) -> None:
        """Report a comment that is probably the rest of a text: without a space, or after words."""
        space = "a space after the #" if lost[1] else "two spaces before the #"
        if lost[1] or any(map(str.isalpha, text)):
            message = f"text after # is a comment; put the text in quotes, or {space}"
            self._report(COMMENT, lost.start(lost.lastindex or 0), message)

    def _put(self, node: Node | None, event: yaml.NodeEvent) -> None:
        """Add a node to the list or mapping being read: as item, key or value of the last key."""
        if not self._stack:
            self.root = node
            return
        top = self._stack[-1]
        if self._hides and isinstance(node, LocatedText) and node:
            node = self._seen(node, is_key=isinstance(top.node, YamlMapping) and not top.awaits_value)
        if isinstance(top.node, YamlSequence):
            if node is not None:
                top.node.items.append(node)
        elif top.awaits_value:
            top.awaits_value = False
            if top.key is not None:
                top.node.entries[top.key] = node
        else:
            top.awaits_value = True
            top.key = self._key(node, _span(event)[0], top.keys)

    def _seen(self, word: LocatedText, *, is_key: bool) -> LocatedText:
        """Return a key or a one-word value without invisible characters, which are reported."""
        if is_key and word != word.strip():
            odd = word[0] if word[0].isspace() else word[-1]
            message = f"the space beside {word.strip()} is {unicode_name(odd)}; write a usual one"
            self._report(UNSEEN, word.start, message)
            return word.without_invisible()
        # Longer words are no numbers; invisible characters mark their line breaks.
        is_word = len(word) <= _LONGEST_NUMBER and " " not in word and _DIGIT.search(word)
        if (is_key or is_word) and (invisible := first_invisible(word)):
            self._report(
                UNSEEN, word.file_offset(invisible[0]), invisible_character_message(invisible[1], word)
            )
            return word.without_invisible()
        return word

    def _key(
        self, node: Node | None, start: int, known: dict[LocatedText, LocatedText]
    ) -> LocatedText | None:
        """Return a valid key, or None if it is reported; its value is skipped then."""
        if isinstance(node, (YamlMapping, YamlSequence)):
            self._report(SYNTAX, start, "a key must be text; put it in quotes")
        elif node == "":
            self._report(SYNTAX, start, "there is no key before this colon")
        elif node == "<<" and not node.style:
            self._report(ALIAS, start, "merge keys (<<) are not used here; write the keys out")
            return node
        elif node is not None and (first := known.setdefault(node, node)) is not node:
            line = first.place.line
            message = f"{quote_short(node)} is here twice, first in line {line}; keep one of them"
            self._report(DUPLICATE_KEY, start, message)
        else:
            return node
        return None

    def _refuse_properties(self, event: yaml.NodeEvent) -> None:
        if event.anchor:
            self._refuse(ALIAS, event, "&", "anchors")
        if getattr(event, "tag", None):
            self._refuse(TAG, event, "!", "tags")

    def _refuse(self, kind: ProblemType, event: yaml.NodeEvent, sign: str, description: str) -> None:
        message = f"text that begins with {sign} must be in quotes; YAML's {description} are not used here"
        self._report(kind, event, message)

    def _report(self, kind: ProblemType, position: yaml.Event | int, message: str) -> None:
        index = position if isinstance(position, int) else _span(position)[0]
        self.problems.append(kind.problem(self.file.location(index), message, self.file.name))


def _span(event: yaml.Event) -> tuple[int, int]:
    start, end = event.start_mark, event.end_mark
    return (start.index, end.index) if start and end else (0, 0)
