"""What Find lists: as many results as it announces, and rules that were removed."""

from web import PHONE, reader, served

from rulewright.app.mkdocs_runner import build_site
from tests.commands.duel import BOOK, write

SWORDS = 'chapter: "1.0"\ntitle: Swords\n"1.1 Parry": Hold it high.\n'
OWN = {
    "mkdocs.yml": "site_name: Duel\nplugins: [rulewright]\n",
    "content/duel/rulebook.yml": BOOK["content/duel/rulebook.yml"],
    "content/duel/1/edition.yml": 'edition: "1"\n',
    "content/duel/1/rules/1-swords.yml": f'{SWORDS}"1.2 Lunge": Leap.\n',
    "content/duel/2/edition.yml": 'edition: "2"\nfollows: "1"\n',
    "content/duel/2/rules/1-swords.yml": SWORDS,
}


def test_results_are_counted_and_removed_rules_are_among_them(browser, tmp_path):
    site = build_site(write(tmp_path, OWN), prints=False)
    assert not site.fault
    with served(site.site) as address, reader(browser, address, viewport=PHONE) as context:
        page = context.new_page()
        page.goto(f"{address}/duel/2/numbers/")
        page.get_by_role("link", name="Find a rule").click()
        rows, status = page.locator("#jump-list > a"), page.locator("#jump output")
        for typed in ("1.1", "parry", "swords"):
            page.get_by_role("combobox").first.fill(typed)
            page.wait_for_function("() => document.querySelector('#jump-list').ariaBusy === 'false'")
            assert status.inner_text() == f"{rows.count()} found", typed
        page.get_by_role("combobox").first.fill("1.2")
        page.wait_for_function("() => document.querySelector('#jump-list').ariaBusy === 'false'")
        assert rows.first.inner_text().split("\n") == ["1.2", "Lunge", "in edition 1, removed in 2"]
        assert rows.first.get_attribute("href") == f"{address}/duel/1/1-swords/#1.2"
        page.get_by_role("combobox").first.fill("airdrop")
        page.get_by_text("Nothing is called airdrop.").wait_for()
        assert status.bounding_box()["y"] < PHONE["height"] / 3
