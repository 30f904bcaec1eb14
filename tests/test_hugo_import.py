"""Hugo sites become editions: each notation, and whole books as others write them."""

from pathlib import Path

import pytest
from casefiles import Case, cases

from rulewright.files.content_reader import ContentFolder
from rulewright.files.errors import ContentErrors
from rulewright.imports.pipeline import ImportRequest, ImportResult, import_source
from rulewright.imports.reading.documents import read_document, read_hugo

BASE = "content/book/1"
PICTURE = b"\x89PNG\r\n\x1a\n"


def imported(case: Case, folder: Path) -> ImportResult:
    """The edition of the pages in a case. `dos` in front of a page's name: as a Windows editor saves it."""
    for info, text in case.blocks:
        kind, _, name = info.partition(" ")
        path = folder / name
        if kind in ("page", "dos", "picture"):
            path.parent.mkdir(parents=True, exist_ok=True)
            data = b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode() if kind == "dos" else text.encode()
            path.write_bytes(PICTURE if kind == "picture" else data)
    dialect = case.text("dialect", "").split()
    rulebook = case.text("rulebook", "").encode()
    content = ContentFolder({"content/book/rulebook.yml": rulebook} if rulebook else {})
    wanted = ImportRequest("book", "1", dialect=dialect, content=content)
    source = read_document(folder) if "markdown" in case.file else read_hugo(folder, "rules")
    return import_source(source, wanted, "site")


def messages_of(result: ImportResult, folder: Path) -> str:
    """What the receipt tells: links that are wrong, guesses, what was dropped, what the check says."""
    receipt = result.report
    lines = [f"numbers {receipt.dialect}"]
    for judged in receipt.wrong():
        words = f"[{judged.text}] says {judged.says or 'no number'}, leads to {judged.target_number}"
        lines.append(f"{judged.page.file.name}:{judged.link.line}: {judged.verdict}: {words}; {judged.fault}")
    lines += [f"{one.page.file.name}:{one.line}: guess: {one.message}" for one in receipt.guesses]
    lines += [
        f"{one.page.file.name}:{one.line}: dropped: {one.reason}" for one in receipt.left_out if not one.words
    ]
    lines += [f"{one.page.file.name}:{one.line}: not found: {one.message}" for one in receipt.missing]
    lines += map(str, receipt.checked)
    return "\n".join(lines).replace(f"{folder.as_posix()}/", "")


@pytest.mark.parametrize("case", [*cases("hugo"), *cases("markdown")], ids=str)
def test_import(case, tmp_path):
    try:
        result = imported(case, tmp_path / "site")
    except ContentErrors as refused:
        text = "\n".join(map(str, refused.problems)).replace(f"{tmp_path.as_posix()}/", "")
        case.agrees(text, case.text("error", ""))
        return
    for info, expected in case.blocks:
        kind, _, name = info.partition(" ")
        if kind == "yaml":
            path = name if name.startswith("content/") else f"{BASE}/{name}"
            if path not in result.files:
                case.fail(f"makes no {name}, but {', '.join(result.files)}")
            case.agrees(result.files[path].decode(), expected)
        elif kind == "markdown":
            case.agrees(result.files[f"{BASE}/{name}"].decode(), expected)
    if expected := case.text("messages", ""):
        case.agrees(messages_of(result, tmp_path / "site"), expected)
    assert not result.report.lost, "words are lost"
