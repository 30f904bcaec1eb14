"""The data of a printed sheet as HTML that `said` reads: what stands in which step, table or block of it."""

from collections.abc import Iterable, Mapping
from html import escape
from typing import Any

Node = Mapping[str, Any]


def sheet_html(data: Node) -> str:
    """The blocks of a sheet, one after the other, each below its title."""
    runs = (run for side in data["sides"] for area in (side, *side["panels"]) for run in area["runs"])
    blocks = "".join(_block(block) for run in runs for block in run["blocks"])
    blocks = blocks.replace("’", "'").replace("−", "-")  # the signs of print
    return f"<html><body><h1>{escape(data['title'])}</h1>{blocks}</body></html>"


def _block(block: Node) -> str:
    kind = block["template"]
    inside = {
        "sequence": lambda: _blocks(block["text"]) + _steps(block["steps"]),
        "turn": lambda: "".join(
            f"<p>{escape(one['name'])} {' · '.join(phase['name'] for phase in one['phases'])}</p>"
            for one in block["steps"]
        ),
        "narrative": lambda: "".join(map(_told, block["steps"])),
        "tables": lambda: "".join(map(_table, block["tables"])),
        "rules": lambda: "".join(map(_rule, block["rules"])),
        "list": lambda: "".join(f"<p>{_inline(item)}</p>" for item in block["items"]),
        "notes": lambda: _blocks(block["body"]),
        "matrix": lambda: "".join(map(_matrix, block["matrices"])),
    }.get(kind, lambda: "")()
    head = f"<h2>{_inline(block['title'])} {_see(block['see'])}</h2>"
    return f'<section class="block {kind}">{head}{inside}</section>'


def _inline(nodes: Iterable[Any]) -> str:
    made = []
    for node in nodes:
        if isinstance(node, str):
            made.append(escape(node))
        elif "ref" in node:
            made.append(f"<a>{_inline(node['ref'])}</a>")
        elif "picture" not in node:
            made.append(_inline(node.get("b") or node.get("i") or ()))
    return "".join(made)


def _blocks(nodes: Iterable[Node]) -> str:
    made = []
    for node in nodes:
        if "p" in node:
            made.append(f"<p>{_inline(node['p'])}</p>")
        elif "list" in node:
            made.append("<ul>" + "".join(f"<li>{_blocks(item)}</li>" for item in node["list"]) + "</ul>")
    return "".join(made)


def _see(references: Iterable[Any]) -> str:
    return f'<span class="refs">{", ".join(map(_inline, references))}</span>'


def _spoken(marks: Iterable[Node]) -> str:
    names = ", then ".join(one["title"] for one in marks)
    return f' <span class="spoken">({escape(names)})</span>' if names else ""


def _may(step: Node) -> str:
    """The circle of optional steps, as the legend explains it."""
    return " (optional)" if step.get("may") else ""


def _title(step: Node) -> str:
    label = f'<span class="step-label">{escape(step["label"])}</span> ' if step["label"] else ""
    short = f' <span class="abbreviation">({escape(step["short"])})</span>' if step["short"] else ""
    sign = '<span class="different">≠</span> ' if step["different"] else ""
    return f"{sign}{label}{_inline(step['title'])}{short}"


def _steps(steps: Iterable[Node]) -> str:
    html = ""
    for step in steps:
        kind = step["kind"]
        if "title" not in step:
            html += f"<p>{escape(step['repeats'])}{_together(step['steps'], kind)}</p>"
            continue
        facts = "; ".join(map(_inline, step["facts"]))
        besides = f"{_may(step)} ({facts}) {_inline(step['note'])} {escape(step['repeats'])}"
        inside = _steps(step["steps"])
        if kind == "again":
            html += f"<p>{_together([step], 'same')} {escape(step['repeats'])}</p>"
        elif kind == "turn":
            sides = "".join(
                f'<span class="one"><span class="mark">{side["marks"][0]["mark"]}</span> '
                f"{escape(side['title'])}</span> "
                for side in step["sides"]
            )
            html += (
                f'<section class="turn"><h3 class="turn-bar"><span class="turn-name">{_title(step)}</span>'
                f'<span class="sides">{sides}</span>{_see(step["see"])}</h3><p>{besides}</p>'
                f"{inside}</section>"
            )
        elif kind == "phase":
            html += (
                f'<section class="phase"><h3 class="bar"><span class="title">{_title(step)}</span>'
                f"{_spoken(step['marks'])}{_see(step['see'])}</h3><p>{besides}</p>{inside}</section>"
            )
        else:
            fights = " combat" if step["combat"] else ""
            html += (
                f'<ul><li class="{"segment" if kind == "segment" else "do"}"><p class="line">'
                f'<span class="title{fights}">{_title(step)}</span>'
                f"{_spoken(step['marks'])}{besides}{_see(step['see'])}</p>{inside}</li></ul>"
            )
    return html


def _together(steps: Iterable[Node], sort: str) -> str:
    """Steps in one line."""
    return ", ".join(
        f'<span class="{"as" if sort == "same" else "do"}">'
        f'<span class="title{" combat" if one["combat"] else ""}">{_title(one)}</span>'
        f"{_may(one)}{_spoken(one['marks'])} ({'; '.join(map(_inline, one['facts']))}) "
        f"{_see(one['see'])}</span>"
        for one in steps
    )


def _told(step: Node) -> str:
    level = min(6, 2 + step["level"])
    head = f"<h{level}>{_title(step)}{_spoken(step['marks'])}</h{level}>"
    return f'<section class="told">{head}<p>{escape(step["repeats"])}</p>{_blocks(step["body"])}</section>'


def _rule(rule: Node) -> str:
    notes = "".join(f"<p>{escape(note['label'])}: {_blocks(note['body'])}</p>" for note in rule["notes"])
    head = f'<span class="tab">{escape(rule["number"])}</span> {_inline(rule["title"])}'
    return f'<div class="rule"><p class="rule-name">{head}</p>{_blocks(rule["body"])}{notes}</div>'


def _table(made: Node) -> str:
    grids = "".join(_grid(grid, made) for grid in made["grids"])
    notes = "".join(f"<li>{note['mark']} {_blocks(note['body'])}</li>" for note in made["notes"])
    return f'<div class="tabled">{grids}{_blocks(made["text"])}<ul>{notes}</ul></div>'


def _grid(grid: Node, made: Node) -> str:
    caption = f"{made['number']} {_inline(grid['title'])} {grid['roll']}"
    head = "".join("<tr>" + "".join(_cell(one, "th") for one in row) + "</tr>" for row in grid["head"])
    body = "".join(
        "<tr>" + "".join(_cell(one, "th" if "scope" in one else "td") for one in row) + "</tr>"
        for row in grid["rows"]
    )
    results = "".join(f"<p>{one['value']} {_inline(one['words'])}</p>" for one in grid["results"])
    modifiers = "".join(
        f"<li>{one['value']} {_inline(one['words'])} {_see(one['see'])}</li>" for one in grid["modifiers"]
    )
    return (
        f"<table><caption>{caption}</caption><thead>{head}</thead><tbody>{body}</tbody></table>"
        f'{results}<ul class="modifiers">{modifiers}</ul>'
    )


def _cell(cell: Node, tag: str) -> str:
    spans = f' colspan="{cell.get("across", 1)}" rowspan="{cell.get("down", 1)}"'
    signs = f"<sup>{', '.join(cell['signs'])}</sup>" if "signs" in cell else ""
    return f"<{tag}{spans}>{_inline(cell['words'])}{signs}</{tag}>"


def _matrix(block: Node) -> str:
    head = "".join(
        f"<th>{escape(one)}</th>" for one in ("Activity", *(one["name"] for one in block["columns"]))
    )
    rows = ""
    for row in block["rows"]:
        # The legend says what the cross means.
        cells = [
            "× not allowed" if one["is_forbidden"] else " › ".join(who["mark"] for who in one["actors"])
            for one in row["cells"]
        ]
        rows += f"<tr><th>{escape(row['title'])}</th>{''.join(f'<td>{one}</td>' for one in cells)}</tr>"
    of = "".join(f"<caption>{_inline(turn['title'])}</caption>" for turn in block["turns"][:1])
    return f'<table class="matrix">{of}<thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>'
