"""Tables from CSV, Markdown, HTML and documents; sequences from data and lists."""

import json
from io import BytesIO
from typing import Any

import docx
import pytest
import yaml

from rulewright.app.cli import main
from rulewright.imports.table_import import import_table_files
from tests.commands.duel import write

HEADS, ROWS = ["Die", "1-2", "Fords"], [["1-2", "A1", "a, b"], ["3-4", "D1", "–"], ["5-6", "D2", "c"]]


def rows_of(sign: str) -> str:
    return "".join(f"{sign.join(f'{chr(34)}{cell}{chr(34)}' for cell in row)}\r\n" for row in [HEADS, *ROWS])


def as_html() -> str:
    cells = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in ROWS)
    heads = "".join(f"<th>{one}</th>" for one in HEADS)
    return f"<h2>4.3 Losses</h2><p>So it goes:</p><table><tr>{heads}</tr>{cells}</table>"


def as_markdown() -> str:
    return "## 4.3 Losses\n\n" + "\n".join(f"| {' | '.join(row)} |" for row in [HEADS, ["---"] * 3, *ROWS])


GIVEN = {
    "4.3-Losses.csv": rows_of(","),
    "4.3 Losses.csv": rows_of(";"),
    "4.3 Losses.tsv": rows_of("\t"),
    "any.md": as_markdown(),
    "any.html": as_html(),
}


@pytest.mark.parametrize("name", GIVEN)
def test_a_table_is_the_same_from_each_format(name, tmp_path):
    data = GIVEN[name]
    (tmp_path / name).write_bytes(data if isinstance(data, bytes) else data.encode())
    files, problems = import_table_files(tmp_path / name)
    assert not problems
    (table,) = (yaml.safe_load(text) for text in files.values())
    assert table == {
        "number": "4.3",
        "title": "Losses",
        "roll": "1d6",
        "columns": HEADS[1:],
        "rows": [dict(zip(["roll", *HEADS[1:]], row, strict=True)) for row in ROWS],
    }


STEPS = [
    ("Start", ["Ready carts", "Draw a card", "Roll for weather"]),
    ("Main", ["March (see 1.1)", "Fight"]),
]
AS_DATA: dict[str, Any] = {
    "kinds": {"turn": [{"phase": name, "steps": inner} for name, inner in STEPS]},
    "names": [{"name": f"{name} Phase", "Actions": inner} for name, inner in STEPS],
    "deep": {
        "sequence": [
            {
                "phase": f"{name} Phase",
                "steps": [{"name": one.partition(" (")[0], "rule": "1.1"} for one in inner],
            }
            for name, inner in STEPS
        ]
    },
}


def html(steps: Any) -> str:
    items = "".join(
        f"<li>{n} Phase<ul>{''.join(f'<li>{one}</li>' for one in inner)}</ul></li>" for n, inner in steps
    )
    return f"<title>x</title><style>a. b {{}}</style><nav>Home</nav><h1>Sequence of Play</h1><ul>{items}</ul>"


def as_document(steps: Any) -> bytes:
    word, buffer = docx.Document(), BytesIO()
    word.add_heading("Sequence of Play", 1)
    for name, inner in steps:
        word.add_heading(f"{name} Phase", 2)
        for one in inner:
            word.add_paragraph(one, "List Bullet")
    word.save(buffer)
    return buffer.getvalue()


TEXTS: dict[str, str | bytes] = {
    "steps.docx": as_document(STEPS),
    **{f"{name}.yml": yaml.safe_dump(data, sort_keys=False) for name, data in AS_DATA.items()},
    **{f"{name}.json": json.dumps(data) for name, data in AS_DATA.items()},
    "steps.html": html(STEPS),
    "steps.md": "".join(f"- {n} Phase\n" + "".join(f"    - {one}\n" for one in inner) for n, inner in STEPS),
}


@pytest.mark.parametrize("name", TEXTS)
def test_a_sequence_comes_of_data_as_of_lists(name, tmp_path, capsys, monkeypatch):
    write(tmp_path, {"mkdocs.yml": "site_name: x\n", "content/x": "", name: TEXTS[name]})
    monkeypatch.chdir(tmp_path)
    assert main(["import", "outline", name]) == 0
    sequence = yaml.safe_load(capsys.readouterr().out)
    assert [step["phase"] for step in sequence["steps"]] == ["Start Phase", "Main Phase"]
    inner = [step["do"].partition(" (")[0] for phase in sequence["steps"] for step in phase["steps"]]
    assert inner == ["Ready carts", "Draw a card", "Roll for weather", "March", "Fight"]


@pytest.mark.parametrize("data", ["a: [", "{", "- &a x", "[" * 9_000, "5", "", "{}", "[[[]]]", "a: {b: {}}"])
@pytest.mark.parametrize("ending", ["yml", "json"])
def test_data_without_steps_is_reported(data, ending, tmp_path, capsys, monkeypatch):
    write(tmp_path, {"mkdocs.yml": "site_name: x\n", "content/x": "", f"a.{ending}": data})
    monkeypatch.chdir(tmp_path)
    code = main(["import", "outline", f"a.{ending}"])
    captured = capsys.readouterr()
    assert (code == 1 and f"a.{ending}" in captured.err) or "do: " in captured.out


def test_a_file_without_a_table_is_reported(tmp_path):
    (tmp_path / "prose.md").write_text("# Combat\n\nRoll two dice.\n")
    assert [problem.code for problem in import_table_files(tmp_path / "prose.md")[1]] == ["import-no-table"]
