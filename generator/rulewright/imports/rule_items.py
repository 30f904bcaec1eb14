"""Lettered and numbered items in the text of a rule, which become rules inside it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from rulewright.imports.blocks import Notes, SourceBlock, after, cut_block, plain
from rulewright.imports.book import BOLD_LEVEL, ImportedRule
from rulewright.imports.rule_titles import bare_title, bold_title_end
from rulewright.numbering.numbering_scheme import NumberingScheme
from rulewright.numbering.printed_labels import ITEM, readings
from rulewright.numbering.scheme_detection import Numbering

_FOOTNOTES = re.compile(
    r"\W*(?:(?:foot|end)-?notes?|notes|anmerkungen|(?:fuß|fuss|end)noten|voetnoten|remarques|notas|note)\W*",
    re.IGNORECASE,
)

_MAX_DEPTH = 5
Value = tuple[int, float]


def open_items_of(rule: ImportedRule, scheme: NumberingScheme, report: Notes, *, is_fixed: bool) -> None:
    """Add the items of a rule that have a label, (a) or 2), as rules inside it.

    The innermost open item that a label comes next to decides where it belongs; any other label begins a
    list inside the item before.
    """
    blocks = [piece for block in rule.blocks for piece in _cut_at_items(block)]
    labels = _item_labels(blocks)
    depths = _item_depths(blocks, labels)
    if not depths:
        return
    first, last = min(depths), max(depths)
    if is_fixed and not scheme.parse_number(f"{_base(rule)}({labels[first]})"):
        message = f"items like {labels[first]}) stay in the text: no number of the book is written so"
        report.guess(blocks[first], message)
        return
    rule.blocks = blocks[:first]
    closing: list[SourceBlock] = []
    top_items: list[ImportedRule] = []
    items: list[ImportedRule] = []
    for index in range(first, len(blocks)):
        block = blocks[index]
        if index in depths:
            del items[depths[index] :]
            outer = items[-1] if items else rule
            base = _base(outer)
            items.append(_item(block, labels[index], base))
            report.added.append(base)
            (top_items if outer is rule else outer.rules).append(items[-1])
            continue
        inside = [item for item in items if item.depth and item.depth <= block.depth]
        if not inside and index < last:
            inside = items
        if closing or not inside:
            closing.append(block)
            continue
        block = replace(block, depth=max(block.depth - inside[-1].depth, 0))
        (inside[-1].closing if inside[-1].rules else inside[-1].blocks).append(block)
    rule.rules[:0] = top_items
    rule.closing[:0] = closing


def _item_labels(blocks: Sequence[SourceBlock]) -> dict[int, str]:
    """Return the labels that blocks begin with, by index: (a), 2) or a. Labels of footnotes are none."""
    labels: dict[int, str] = {}
    for index, block in enumerate(blocks):
        if _FOOTNOTES.fullmatch(plain(block.runs)):
            break
        match = ITEM.match(block.text) if block.kind != "heading" else None
        if match and block.text[match.end() :].strip() and block.marker in ("", "-"):
            labels[index] = match[match.lastindex or 0]
    return labels


def _item_depths(blocks: Sequence[SourceBlock], labels: Mapping[int, str]) -> dict[int, int]:
    """Return the blocks that are items, by index, each with the number of items around it."""
    all_keys = {index: sorted(readings(label)) for index, label in labels.items()}
    last_places = {key[0]: index for index, keys in all_keys.items() for key in keys}
    depths: dict[int, int] = {}
    stack: list[Value] = []
    for index, block in enumerate(blocks):
        if block.kind in ("heading", "table"):
            stack = []
        values = [key[0] for key in all_keys.get(index, ())]
        nexts = [depth for depth, (kind, value) in enumerate(stack) if (kind, value + 1) in values]
        # A single item is none, except a capital letter.
        starts = [
            (kind, value)
            for kind, value in values
            if value == 1 and (labels[index].isupper() or last_places.get((kind, 2), 0) > index)
        ]
        if nexts:
            kind, value = stack[nexts[-1]]
            stack[nexts[-1] :] = [(kind, value + 1)]
        elif starts and (stack or not depths) and len(stack) < _MAX_DEPTH:
            stack.append(starts[0])
        else:
            continue
        depths[index] = len(stack) - 1
    return depths


def _item(block: SourceBlock, label: str, base: str) -> ImportedRule:
    match = ITEM.match(block.text)
    head = replace(block, runs=after(block.runs, match.end() if match else 0), marker="")
    printed = f"{base}({label})"
    item = ImportedRule(None, printed, block.page, block.line, BOLD_LEVEL, block.depth, head, item=label)
    title, rest = cut_block(head, bold_title_end(head.runs))
    item.title = bare_title(title.runs)
    if rest.runs:
        item.blocks.append(replace(rest, depth=0, ids=head.ids))
    return item


def _cut_at_items(block: SourceBlock) -> Iterator[SourceBlock]:
    """Yield the pieces of a paragraph, cut at the line ends after which the label of an item follows."""
    offset, rest = 0, block
    for match in re.finditer("\n", block.text) if block.kind == "paragraph" else ():
        if ITEM.match(block.text, match.end()):
            piece, rest = cut_block(rest, match.end() - offset)
            offset = match.end()
            yield piece
    yield rest


def _base(rule: ImportedRule) -> str:
    """Return the number that the items of a rule continue: 5 for 5."""
    return rule.printed.rstrip(".: ")


def with_item_examples(numbering: Numbering, rules: Sequence[ImportedRule]) -> Numbering:
    """Return the numbering with the examples that items of rules need."""
    if numbering.declared_scheme:
        return numbering
    scheme = numbering.scheme()
    numbers = [*numbering.numbers]
    for rule in rules:
        if rule.number:
            numbers += _item_examples(rule, scheme.example(rule.number))
    longest: list[str] = []
    for number in dict.fromkeys(numbers):
        longer = [other for other in numbers if other != number and other.startswith(number)]
        longest += [] if longer else [number]
    return replace(numbering, numbers=longest)


def _item_examples(outer: ImportedRule, base: str) -> Iterator[str]:
    """Yield the examples of the items inside a rule, whose own example is given: 1.1(a) and 1.1(a)(1)."""
    for rule in outer.rules:
        if label := rule.item:
            letter = "i" if len(label) > 1 else "A" if label.isupper() else "a"
            example = f"{base}({'1' if label.isdigit() else letter})"
            yield example
            yield from _item_examples(rule, example)
