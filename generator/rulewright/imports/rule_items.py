"""Lettered and numbered items in the text of a rule, which become rules inside it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from rulewright.imports.blocks import Notes, SourceBlock, after, cut, cut_block, plain, strip
from rulewright.imports.book import BOLD_LEVEL, ImportedRule, Numbering
from rulewright.imports.numbers import DIGITS, ITEM, readings
from rulewright.imports.rule_titles import bare_title, bold_title_end, keeps_lines
from rulewright.numbering.numbering_scheme import NumberingScheme

_FOOTNOTES = re.compile(
    r"\W*(?:(?:foot|end)-?notes?|notes|anmerkungen|(?:fuß|fuss|end)noten|voetnoten|remarques|notas|note)\W*",
    re.IGNORECASE,
)


def open_items_of(rule: ImportedRule, scheme: NumberingScheme, report: Notes, *, is_fixed: bool) -> None:
    """Add the items of a rule that have a label, (a) or 2), as rules inside it."""
    blocks = [] if rule.item else [piece for block in rule.blocks for piece in _cut_at_items(block)]
    plan = _plan_items(blocks)
    if not plan:
        return
    first = min(plan)
    if is_fixed and not scheme.parse_number(f"{_base(rule, scheme)}({plan[first][0]})"):
        message = f"items like {plan[first][0]}) stay in the text: no number of the book is written so"
        report.guess(blocks[first].page, blocks[first].line, message)
        return
    rule.blocks = []
    closing: list[SourceBlock] = []
    items: list[ImportedRule] = []
    for index, block in enumerate(blocks):
        if index in plan:
            label, depth = plan[index]
            del items[depth:]
            outer = items[-1] if items else rule
            base = _base(outer, scheme)
            items.append(_item(block, label, f"{base}({label})"))
            report.added.append(base)
            outer.rules.append(items[-1])
        elif not items:
            rule.blocks.append(block)
        else:
            inside = [item for item in items if item.depth and item.depth <= block.depth]
            follows = index < max(plan) and not block.depth and block.kind != "table"
            holder = inside[-1] if inside else items[-1] if follows else None
            if holder and not closing:
                block = replace(block, depth=max(block.depth - holder.depth, 0))
                (holder.closing if holder.rules else holder.blocks).append(block)
            else:
                closing.append(block)
    rule.closing[:0] = closing
    if all(inner.page is rule.page for inner in rule.rules) and not keeps_lines(rule.page):
        rule.rules.sort(key=lambda inner: inner.line)


def _item(block: SourceBlock, label: str, printed: str) -> ImportedRule:
    match = ITEM.match(block.text)
    head = replace(block, runs=after(block.runs, match.end() if match else 0), marker="")
    item = ImportedRule(None, printed, block.page, block.line, BOLD_LEVEL, block.depth, head, item=label)
    title, text = cut(head.runs, bold_title_end(head.runs))
    item.title = bare_title(title)
    if text := strip(text):
        item.blocks.append(replace(head, kind="paragraph", runs=text, depth=0))
    return item


def _plan_items(blocks: Sequence[SourceBlock]) -> dict[int, tuple[str, int]]:
    """Return the blocks that are items by index: the label of each, and in how many items it is.

    The innermost open item that a label comes next to decides where it belongs; any other label begins a
    list inside the item before.
    """
    plan: dict[int, tuple[str, int]] = {}
    stack: list[tuple[int, float]] = []
    first: list[int] = []
    in_notes = False
    for index, block in enumerate(blocks):
        if block.kind in ("heading", "table") or _FOOTNOTES.fullmatch(plain(block.runs)):
            in_notes = bool(_FOOTNOTES.fullmatch(plain(block.runs)))
            stack = []
        label, values = ("", set[tuple[int, float]]()) if in_notes else _item_values(block)
        next_depths = [n for n, (kind, value) in enumerate(stack) if (kind, value + 1) in values]
        starts = sorted(value for value in values if value[1] == 1)
        if next_depths:
            depth = next_depths[-1]
            stack[depth:] = [(stack[depth][0], stack[depth][1] + 1)]
        elif starts and (stack or not first):
            depth = len(stack)
            stack.append(starts[0])
            first.append(index)
        else:
            continue
        plan[index] = label, depth
    for index in first:  # a single item is none, except a capital letter
        label, depth = plan[index]
        following = [other for other in plan if other > index and plan[other][1] <= depth]
        if not label.isupper() and not (following and plan[min(following)][1] == depth):
            del plan[index]
    return plan


def _item_values(block: SourceBlock) -> tuple[str, set[tuple[int, float]]]:
    """Return the label of an item, and the values that it may have."""
    match = ITEM.match(block.text) if block.kind in ("item", "paragraph") else None
    label = (match["both"] or match["one"] or match["letter"]) if match else ""
    if not match or not block.text[match.end() :].strip() or (block.kind == "item" and block.marker != "-"):
        return "", set()
    values = {key[0] for key in readings(label)}
    return label, {value for value in values if not (value[0] == DIGITS and label.isupper())}


def _cut_at_items(block: SourceBlock) -> Iterator[SourceBlock]:
    """Yield the pieces of a paragraph, cut at the line ends after which the label of an item follows."""
    offset, rest = 0, block
    for match in re.finditer("\n", block.text) if block.kind == "paragraph" else ():
        if ITEM.match(block.text, match.end()):
            piece, rest = cut_block(rest, match.end() - offset)
            offset = match.end()
            yield piece
    yield rest


def _base(rule: ImportedRule, scheme: NumberingScheme) -> str:
    """Return the number that the items of a rule continue: 5 for 5."""
    if rule.item or rule.number is None:
        return rule.printed
    has_word = scheme.shapes[rule.number.shape][0].before.strip()
    words = rule.printed if has_word else re.sub(r"^[^\W\d_]{2,}\.?\s+", "", rule.printed)
    return words.rstrip(".: ") or rule.printed


def with_item_examples(numbering: Numbering, chapters: Sequence[ImportedRule]) -> Numbering:
    """Return the numbering with the examples that items of rules need."""
    if numbering.is_fixed:
        return numbering
    scheme = numbering.scheme()
    examples = dict.fromkeys(numbering.numbers)

    def add(outer: ImportedRule, number: str) -> None:
        for item in outer.rules:
            if label := item.item:
                sign = "1" if label.isdigit() else "i" if len(label) > 1 else "A" if label.isupper() else "a"
                examples[f"{number}({sign})"] = None
                add(item, f"{number}({sign})")

    for chapter in chapters:
        for rule in chapter.walk():
            if rule.number and any(item.item for item in rule.rules):
                add(rule, scheme.example(rule.number, levels=len(rule.number.labels)))
    longest: list[str] = []
    for example in examples:
        if not any(other != example and other.startswith(example) for other in examples):
            longest.append(example)  # noqa: PERF401
    return replace(numbering, numbers=longest)
