"""The language server, driven as an editor drives it: all that it tells, while a file is typed and wrong."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from lsprotocol import types as lsp
from pygls.workspace import PositionCodec

from rulewright.app.lsp.open_documents import OpenDocuments
from rulewright.app.lsp.session import EditorSession
from rulewright.checks.content_check import check_content
from rulewright.edit.edit_operations import open_session, plan_renumber
from rulewright.files.content_reader import read_content_folder
from rulewright.files.disk_cache import DiskCache
from tests.commands.duel import write
from tests.edited_library import FILES
from tests.editors import Editor, Refused, edit, editing, project_of

SUPPLY = "content/ember-coast/2.1/rules/12-supply.yml"
NOTES = "content/ember-coast/2.1/player-notes.md"
PLAY = "content/ember-coast/2.1/sequence.yml"
BOOK = "content/ember-coast/rulebook.yml"
WOODS = "content/atlas/1/rules/1.yml"


@pytest.fixture(scope="module")
def coast(tmp_path_factory):
    """An editor that tests share which save nothing; what one leaves typed the next opens as it is saved."""
    with editing(project_of(tmp_path_factory.mktemp("coast"), "ember-coast")) as do:
        yield do


def judged(project: Path) -> set[tuple[str, int, int, str, str]]:
    """What the check finds in what is saved."""
    found = check_content(read_content_folder(project), DiskCache(None)).problems
    return {(p.place.file, p.place.line, p.place.column, p.code, p.message) for p in found}


async def as_saved(here: Editor) -> None:
    """Have each file that is open hold what is saved."""
    for name in here.texts:
        await here.open(name)


def hover_text(hover: lsp.Hover | None) -> str:
    return hover.contents.value


def small(folder: Path) -> Path:
    """A project of a few small books, in which much is wrong."""
    return write(folder, {**FILES, "mkdocs.yml": b"plugins: [rulewright]\n"}).resolve()


def test_problems_are_those_of_the_check_while_someone_types(tmp_path):
    project = small(tmp_path)

    async def work(here: Editor) -> None:
        await here.open(WOODS)
        before = here.texts[WOODS]
        assert here.problems() == judged(project)
        for text in (
            before.replace("see 2.2", "see 7.7"),
            before.replace("title: Woods", "titel: Woods"),
            before + '"1.3": [',  # and nothing after it
            before.replace('Paths":', 'Paths"', 1),
            "",
            before,
        ):
            await here.type(WOODS, text)
            (project / WOODS).write_text(text, "utf-8", newline="")
            assert here.problems() == judged(project)

    edit(project, work)


def test_a_place_after_a_character_of_two_units_is_where_the_editor_has_it(coast):
    async def work(here: Editor) -> None:
        text = (here.project / SUPPLY).read_text("utf-8")
        await here.open(SUPPLY, text.replace("fuel for wheels", "🜂🜂 é see 77.7, fuel for wheels"))
        (wrong,) = [d for t in here.published.values() for d in t.diagnostics if "77.7" in d.message]
        assert here.words(SUPPLY, wrong.range) == "77.7"
        hover = await here.hover(SUPPLY, "(12.5);", 2)
        assert here.words(SUPPLY, hover.range) == "12.5"

    coast(work)


def test_a_number_is_explained_led_on_and_found_again(coast):
    async def work(here: Editor) -> None:
        await here.open(SUPPLY)
        await here.open(NOTES)
        at = NOTES, "12.5c(B)", 2
        hover = hover_text(await here.hover(*at))
        assert hover.startswith("**12.5c(B)**")
        assert "Fuel for the Reaction Phase" in hover
        assert "Cited" in hover
        (there,) = await here.definition(*at)
        assert there.uri == here.uri(SUPPLY)
        assert here.words(SUPPLY, there.range) == "12.5c(B)"
        cited = await here.references(SUPPLY, '"12.5c(B)"', 3, declared=False)
        assert {one.uri for one in cited} >= {here.uri(NOTES)}
        assert all(
            here.words(Path(one.uri.split(f"{here.project}/")[1]).as_posix(), one.range) for one in cited
        )
        symbols = await here.client.workspace_symbol_async(lsp.WorkspaceSymbolParams("12.5c"))
        assert symbols[0].name.startswith("12.5c ")

    coast(work)


def test_keys_steps_terms_and_tables_are_explained(coast):
    async def work(here: Editor) -> None:
        await here.open(PLAY)
        await here.open(SUPPLY)
        await here.open(BOOK)
        for name, words, offset, expected in (
            (PLAY, "rolls:", 1, "The dice it rolls."),
            (PLAY, "uses: Weather Table", 8, "rolled with 2d6"),
            (SUPPLY, "chapter:", 2, "required"),
            (SUPPLY, "the HQ has one", 5, "Headquarters"),
            (SUPPLY, "Supply Phase", 2, "Supply Phase"),
            (BOOK, "aliases: batteries", 2, "Other names for it in texts."),
        ):
            assert expected in hover_text(await here.hover(name, words, offset)), words

    coast(work)


async def offers(here: Editor, name: str, text: str) -> dict[str, lsp.CompletionItem]:
    """What is offered at ¦ in a text, which is not waited for to be read."""
    at = text.index("¦")
    here.hurry(name, text.replace("¦", ""))
    line, column = text.count("\n", 0, at), at - text.rfind("\n", 0, at) - 1
    params = lsp.CompletionParams(here.document(name), lsp.Position(line, column))
    found = await here.client.text_document_completion_async(params)
    return {one.label: one for one in found.items}


def test_numbers_keys_and_names_are_completed_in_files_that_are_being_typed(coast):
    async def work(here: Editor) -> None:
        await here.open(SUPPLY)
        await here.open(PLAY)
        await here.open(NOTES)
        rules, play, notes = here.texts[SUPPLY], here.texts[PLAY], here.texts[NOTES]
        found = await offers(here, SUPPLY, rules.replace("wheels and tracks (12.5)", "wheels, see 12.5c¦"))
        assert next(iter(found)) == found["12.5c"].text_edit.new_text == "12.5c"
        assert "12.5c(A)" in found
        found = await offers(here, SUPPLY, rules.replace('wheels and tracks (12.5);"', "see [[Ligh¦"))
        assert any("Light" in (one.detail or "") for one in found.values())
        found = await offers(here, SUPPLY, f'{rules}"12.11":\n  not¦')
        assert [*found] == ["notes"]
        assert found["notes"].text_edit.new_text == "notes: "
        assert "design and play notes" in found["notes"].documentation.value
        found = await offers(here, SUPPLY, f'{rules}"12.11":\n  notes:\n    - kind: ¦')
        assert "example" in found
        found = await offers(here, SUPPLY, f'{rules}"12.11":\n  notes:\n    ¦')
        assert found["kind"].text_edit.new_text == "- kind: "
        found = await offers(here, SUPPLY, f'{rules}"12.99": {{ti¦')
        assert [*found] == ["title"]
        found = await offers(here, PLAY, play.replace("uses: Weather Table", "uses: Wea¦"))
        assert [*found] == ["Weather Table"]
        found = await offers(here, PLAY, play.replace('see: "16.1"', "see: 16.¦"))
        assert found["16.1"].text_edit.new_text == '"16.1"'
        found = await offers(here, PLAY, play.replace("by: either", "by: ¦"))
        assert {"phasing", "both", "league"} <= found.keys()
        found = await offers(here, PLAY, f"{play}  - phase: More\n    repeats: ¦")
        assert "first" in found
        assert "Dawn Phase" not in found
        found = await offers(here, PLAY, f"{play}  - phase: More\n    ¦")
        assert [*found][:3] == ["see", "steps", "optional"]
        found = await offers(here, NOTES, notes.replace("see 12.5c(B)", "see 12.5¦"))
        assert {"12.5", "12.5a", "12.5c(B)"} <= found.keys()
        found = await offers(here, NOTES, notes.replace("see 12.5c(B)", "see [[ember-coast/1:12.¦"))
        assert all(one.startswith("12.") for one in found)
        assert found
        found = await offers(here, SUPPLY, rules.replace("wheels and tracks (12.5)", "wheels (¦"))
        assert {"1.0", "1.1"} <= found.keys()
        assert found["1.1"].text_edit.new_text == "1.1"

    coast(work)


def test_a_broken_file_is_answered_as_it_was_when_it_could_be_read(coast):
    async def work(here: Editor) -> None:
        await here.open(SUPPLY)
        whole = here.texts[SUPPLY]
        broken = whole.replace('"12.2 Sources and Depots":', '"12.2 Sources and Depots:', 1).replace(
            "Moving", "Moving on"
        )
        await here.type(SUPPLY, broken)
        assert any(one[3] == "yaml-syntax" for one in here.problems())
        assert "12.5c" in hover_text(await here.hover(SUPPLY, "12.5c.", 1))
        assert await here.outline(SUPPLY)
        await here.type(SUPPLY, "\t\0{[")
        assert await here.hover(SUPPLY, "{") is None
        await here.type(SUPPLY, whole)
        assert not any(one[3] == "yaml-syntax" for one in here.problems())

    coast(work)


def test_the_outline_of_a_file(coast):
    async def work(here: Editor) -> None:
        await here.open(SUPPLY)
        (chapter,) = await here.outline(SUPPLY)
        assert chapter.name == "12.0 Supply"
        rule = next(one for one in chapter.children if one.name.startswith("12.5"))
        assert [one.name[:5] for one in rule.children][:3] == ["12.5a", "12.5b", "12.5c"]
        await here.open(PLAY)
        dawn = (await here.outline(PLAY))[0]
        assert [dawn.name, *(one.name for one in dawn.children)][:2] == ["Dawn Phase", "Weather Segment"]

    coast(work)


def test_a_number_or_name_is_changed_everywhere(coast):
    async def work(here: Editor) -> None:
        plan = plan_renumber(open_session(here.project, "ember-coast/2.1"), [("12.5d", "12.5e")])
        expected = {n: d.decode() for n, d in plan.proposal.files.items() if d is not None}
        await as_saved(here)
        await here.open(SUPPLY)
        await here.open(NOTES)
        document, position = here.at(SUPPLY, '"12.5d ', 2)
        asked = await here.client.text_document_prepare_rename_async(
            lsp.PrepareRenameParams(document, position)
        )
        assert asked.placeholder == "12.5d"
        change = await here.client.text_document_rename_async(lsp.RenameParams(document, position, "12.5e"))
        assert here.applied(change) == expected
        await here.open(PLAY)
        document, position = here.at(SUPPLY, "in the Supply Phase", 10)
        params = lsp.PrepareRenameParams(document, position)
        asked = await here.client.text_document_prepare_rename_async(params)
        assert asked.placeholder == "Supply Phase"
        params = lsp.RenameParams(document, position, "Provision Phase")
        change = await here.client.text_document_rename_async(params)
        texts = here.applied(change)
        assert "phase: Provision Phase" in texts[PLAY]
        assert "in the Provision Phase" in texts[SUPPLY]
        assert "Supply Phase" not in texts[PLAY] + texts[SUPPLY]
        assert "content/ember-coast/2.1/references.lock" in texts
        params = lsp.RenameParams(*here.at(SUPPLY, "the HQ has one", 5), "Staff")
        texts = here.applied(await here.client.text_document_rename_async(params))
        assert "  Staff:" in texts["content/ember-coast/rulebook.yml"]
        assert "the Staff has one" in texts[SUPPLY]
        document, position = here.at(SUPPLY, '"12.5d ', 2)
        for name, message in (("12.5a", "already exists"), (" ", "is empty")):
            with pytest.raises(Refused, match=message):
                await here.client.text_document_rename_async(lsp.RenameParams(document, position, name))
        nowhere = lsp.PrepareRenameParams(*here.at(SUPPLY, "title: Supply", 1))
        assert await here.client.text_document_prepare_rename_async(nowhere) is None

    coast(work)


def test_an_edit_cancels_the_work_on_older_text_and_a_fault_ends_only_its_own(tmp_path, monkeypatch):
    """Version 2 arrives while version 1 is loaded, version 3 fails, version 4 is checked again."""
    project, published, loaded, load = small(tmp_path), [], [], OpenDocuments.load
    texts = [f"{(project / WOODS).read_text('utf-8')}'1.9': See {n}.7.\n" for n in (70, 80, 90, 60)]

    async def work() -> None:
        with ThreadPoolExecutor(1) as thread:
            session = EditorSession(project, PositionCodec(), thread, lambda *each: published.append(each))
            loop = asyncio.get_running_loop()

            def station(documents, folder):
                loaded.append(texts.index(folder.texts[WOODS].decode()) + 1)
                if loaded[-1] == 1:
                    loop.call_soon_threadsafe(session.open_document, WOODS, "woods", texts[1], 2)
                return load(documents, folder) if loaded[-1] != 3 else 1 / 0

            monkeypatch.setattr(OpenDocuments, "load", station)
            for version in (1, 3, 4):
                session.open_document(WOODS, "woods", texts[version - 1], version)
                await session.wait_until_read()

    ThreadPoolExecutor(1).submit(asyncio.run, work()).result()  # the browser of other tests has a loop here
    assert loaded.count(1) == 1  # neither checked nor read for answers
    found = [(version, str(wrong)) for uri, wrong, version in published if uri == "woods"]
    assert [(version, "80.7" in wrong, "60.7" in wrong) for version, wrong in found] == [
        (2, True, False), (4, False, True),
    ]  # fmt: skip


def test_what_a_problem_proposes_can_be_chosen(tmp_path):
    async def work(here: Editor) -> None:
        await here.open(WOODS)
        whole = here.texts[WOODS]
        for text, code in (
            (whole.replace("title: Woods", "titel: Woods"), "unknown-key"),
            (whole.replace("title: Woods", "title: Woods\nshows: sequenc"), "unknown-word"),
            (whole.replace("[[raid:1.2]]", "[[riad:1.2]]"), "book-not-found"),
        ):
            await here.type(WOODS, text)
            wrong = next(d for d in here.published[here.uri(WOODS)].diagnostics if d.code == code)
            fix = next(one for one in await here.fixes(WOODS, wrong) if one.diagnostics[0].code == code)
            await here.type(WOODS, here.applied(fix.edit)[WOODS])
            assert code not in {d.code for d in here.published[here.uri(WOODS)].diagnostics}, code

    edit(small(tmp_path), work)


def test_files_of_no_project_and_of_no_content_are_left_alone(tmp_path):
    project = small(tmp_path / "a")
    (tmp_path / "b.yml").write_text("a: 1\n")
    (project / "notes.md").write_text("See 12.5.\n")

    async def work(here: Editor) -> None:
        await here.open(WOODS)
        for name in ("../b.yml", "notes.md", "content/.hidden/x.yml"):
            uri = f"{project.as_uri()}/{name}"
            here.client.text_document_did_open(
                lsp.DidOpenTextDocumentParams(lsp.TextDocumentItem(uri, "yaml", 1, "see 12.5: ["))
            )
            params = lsp.HoverParams(lsp.TextDocumentIdentifier(uri), lsp.Position(0, 5))
            assert await here.client.text_document_hover_async(params) is None
            assert not await here.outline(name)
            assert uri not in here.published
        far = lsp.HoverParams(here.document(WOODS), lsp.Position(10**6, 10**6))
        assert await here.client.text_document_hover_async(far) is None
        large = "content/atlas/1/large.md"
        await here.open(large, "see 12.5 " * 500_000)
        assert {one[3] for one in here.problems() if one[0] == large} == {"file-too-large"}

    edit(project, work)
