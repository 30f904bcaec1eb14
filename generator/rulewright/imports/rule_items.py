"""Lettered and numbered items in the text of a rule, which become rules inside it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from rulewright.imports.blocks import (
    Notes,
    SourceBlock,
    after,
    cut,
    cut_block,
    plain,
    strip,
)
from rulewright.imports.book import Numbering
from rulewright.imports.numbers import DIGITS, ITEM, readings
from rulewright.imports.rule_draft import BOLD_LEVEL, RuleDraft
from rulewright.imports.rule_titles import bare_title, bold_title_end, keeps_lines
from rulewright.numbering.numbering_scheme import NumberingScheme

_FOOTNOTES = re.compile(
    r"\W*(?:(?:foot|end)-?notes?|notes|anmerkungen|(?:fuß|fuss|end)noten|voetnoten|remarques|notas|note)\W*",
    re.IGNORECASE,
)


def open_items_of(rule: RuleDraft, scheme: NumberingScheme, report: Notes, *, is_fixed: bool) -> None:
    """Make rules of the items of a rule that have a label, (a) or 2), beginning at their first.

    The innermost open item that a label comes next to decides where it belongs; any other label begins a
    list inside the item before.
    """
    if rule.item:
        return
    blocks = [piece for block in rule.blocks for piece in _cut_at_items(block)]
    values = [_item_values(block) for block in blocks]
    plan = _plan_items(blocks, values)

    def is_known(label: str) -> bool:
        return scheme.parse_number(f"{_base(rule, scheme)}({label})") is not None

    first = next((label for label, depth in plan.values() if depth == 0), "")
    if not plan or (is_fixed and not is_known(first)):
        if plan:
            index = next(iter(plan))
            message = f"items like {first}) stay in the text: no number of the book is written so"
            report.guess(blocks[index].page, blocks[index].line, message)
        return
    last = max(plan)
    kept: list[SourceBlock] = []
    closing: list[SourceBlock] = []
    open_items: list[RuleDraft] = []
    for index, block in enumerate(blocks):
        if index in plan:
            label, depth = plan[index]
            del open_items[depth:]
            above = open_items[-1] if open_items else rule
            printed = f"{_base(above, scheme)}({label})"
            match = ITEM.match(block.text)
            assert match
            head = replace(block, runs=after(block.runs, match.end()), marker="")
            item = RuleDraft(None, printed, block.page, block.line, BOLD_LEVEL, block.depth, head, item=label)
            end = bold_title_end(head.runs)
            title, text = cut(head.runs, end)
            item.title = bare_title(title)
            if text := strip(text):
                item.blocks.append(replace(head, kind="paragraph", runs=text, depth=0))
            report.added.append(printed[: -len(label) - 2])
            above.rules.append(item)
            open_items.append(item)
        elif not open_items:
            kept.append(block)
        else:
            inside = [item for item in open_items if item.depth and item.depth <= block.depth]
            follows = index < last and not block.depth and block.kind != "table"
            holder = inside[-1] if inside else open_items[-1] if follows else None
            if holder is None:
                closing.append(block)
            else:
                moved = replace(block, depth=max(block.depth - holder.depth, 0))
                (holder.closing if holder.rules else holder.blocks).append(moved)
    rule.blocks = kept
    rule.closing[:0] = closing
    if all(inner.page is rule.page for inner in rule.rules) and not keeps_lines(rule.page):
        rule.rules.sort(key=lambda inner: inner.line)


def _plan_items(
    blocks: Sequence[SourceBlock], values: Sequence[dict[tuple[int, float], str]]
) -> dict[int, tuple[str, int]]:
    """Return the blocks that are items by index: the label of each, and in how many items it lies."""
    plan: dict[int, tuple[str, int]] = {}
    stack: list[tuple[int, float, list[int]]] = []
    groups: list[list[int]] = []
    in_notes = False
    for index, (block, own) in enumerate(zip(blocks, values, strict=True)):
        if block.kind in ("heading", "table") or _FOOTNOTES.fullmatch(plain(block.runs)):
            in_notes = bool(_FOOTNOTES.fullmatch(plain(block.runs)))
            stack = []
        if not own or in_notes:
            continue
        at = next((n for n in reversed(range(len(stack))) if (stack[n][0], stack[n][1] + 1) in own), None)
        if at is not None:
            kind, value, group = stack[at]
            stack[at:] = [(kind, value + 1, group)]
        else:
            start = next((value for value in sorted(own) if value[1] == 1), None)
            if start is None or (not stack and groups):
                continue
            at, kind, value, group = len(stack), *start, []
            groups.append(group)
            stack.append((kind, value, group))
        label = own[stack[at][0], stack[at][1]]
        stack[at][2].append(index)
        plan[index] = (label, at)
    for group in groups:
        if len(group) == 1 and not plan[group[0]][0].isupper():
            del plan[group[0]]
    return plan


def _item_values(block: SourceBlock) -> dict[tuple[int, float], str]:
    """Return the values that the label of an item may have, each with the label."""
    match = ITEM.match(block.text) if block.kind in ("item", "paragraph") else None
    label = (match["both"] or match["one"] or match["letter"]) if match else ""
    if not match or not block.text[match.end() :].strip() or (block.kind == "item" and block.marker != "-"):
        return {}
    return {key[0]: label for key in readings(label) if not (key[0][0] == DIGITS and label.isupper())}


def _cut_at_items(block: SourceBlock) -> list[SourceBlock]:
    """Return a paragraph cut at the line ends after which the label of an item follows."""
    if block.kind != "paragraph":
        return [block]
    starts = [m.end() for m in re.finditer("\n", block.text) if ITEM.match(block.text, m.end())]
    pieces: list[SourceBlock] = []
    offset, rest = 0, block
    for start in starts:
        piece, rest = cut_block(rest, start - offset)
        offset = start
        pieces.append(piece)
    return [*pieces, rest]


def _base(rule: RuleDraft, scheme: NumberingScheme) -> str:
    """Return the number that the items of a rule continue: 5 for 5."""
    if rule.item or rule.number is None:
        return rule.printed
    own = scheme.shapes[rule.number.shape][0].before.strip()
    words = rule.printed if own else re.sub(r"^[^\W\d_]{2,}\.?\s+", "", rule.printed)
    return words.rstrip(".: ") or rule.printed


def with_item_examples(numbering: Numbering, chapters: Sequence[RuleDraft]) -> Numbering:
    """Return the numbering with the examples that items of rules need."""
    if numbering.is_fixed:
        return numbering
    scheme = numbering.scheme()
    examples = list(numbering.numbers)

    def add(parent: RuleDraft, number: str) -> None:
        for item in parent.rules:
            if item.item:
                label = item.item
                sign = "1" if label.isdigit() else "i" if len(label) > 1 else "A" if label.isupper() else "a"
                examples.append(f"{number}({sign})")
                add(item, examples[-1])

    for chapter in chapters:
        for draft in chapter.walk():
            if draft.number and any(item.item for item in draft.rules):
                levels = len(draft.number.labels)
                add(draft, scheme.example(draft.number, levels=levels))
    longest = [
        example
        for index, example in enumerate(dict.fromkeys(examples))
        if not any(other != example and other.startswith(example) for other in examples)
    ]
    return replace(numbering, numbers=longest)
