"""Where a reader finds what: entries of the navigation, of a page's contents and of the search."""

import pytest

from rulewright.checks.examine import examine_folder
from rulewright.site import pages
from rulewright.site.artifacts import Branch, Section
from rulewright.site.navigation import beneath, contents, listed, placed
from rulewright.site.passages import page_rows
from rulewright.source.folder import Folder

NAV = (
    Branch("Home", ""),
    Branch("OCS", "ocs", (Branch("4.3", "ocs/4.3", (Branch("12", "ocs/4.3/12"),)), Branch("3.0", "ocs/3.0"))),
    Branch("Tools", None, (Branch("Checks", "checks"),)),
)


@pytest.mark.parametrize(
    ("path", "home"),
    [
        ("ocs/4.3/faq", "ocs/4.3"),
        ("ocs/4.3/12/notes", "ocs/4.3/12"),
        ("ocs/4.3/letters/1999/may", "ocs/4.3"),
        ("ocs/history", "ocs"),
        ("ocs/2.0/faq", "ocs"),
        ("checks/why", "checks"),
        ("credits", None),
        ("articles/first", None),
    ],
)
def test_a_page_is_placed_below_the_nearest_page_above_it(path, home):
    assert _homes(placed(NAV, [path]))[path] == home


def _homes(branches, home=None):
    homes = {branch.path: home for branch in branches}
    for branch in branches:
        homes |= _homes(branch.branches, branch.path)
    return homes


def test_a_page_that_is_in_the_navigation_is_not_placed_again():
    assert placed(NAV, ["ocs/4.3", "checks", ""]) == NAV


def test_placed_pages_follow_in_their_order():
    assert [branch.path for branch in placed((), ["b", "a"])] == ["b", "a"]


def test_branches_are_put_beneath_the_one_at_a_path_or_nowhere():
    more = (Branch("", "guide"),)
    (_, book, _) = beneath("ocs", NAV, more)
    assert book.branches == (*NAV[1].branches, *more)
    assert beneath("docs", NAV, more) == NAV


def test_pages_of_a_folder_stand_below_its_index_in_the_order_of_its_links():
    texts = {
        "credits.md": "# Credits",
        "docs/README.md": "# Docs\n\n[B](b.md#x), then [more](more/index.md), then [A](a.md)\n",
        **{f"docs/{name}.md": f"# {name.upper()}" for name in ("a", "b", "unlinked")},
        "docs/more/index.md": "# More",
        "docs/more/c.md": "# C",
        "loose/d.md": "# D",
    }
    folder = Folder({f"content/{name}": text.encode() for name, text in texts.items()})
    examined = examine_folder(folder)
    _, _, (home, *others) = pages.render(examined.shelf, examined.library)

    def tree(branches):
        return [(one.path, tree(one.branches)) if one.branches else one.path for one in branches]

    docs = ["docs/b", ("docs/more", ["docs/more/c"]), "docs/a", "docs/unlinked"]
    assert (home.path, tree(others)) == ("", ["credits", ("docs", docs), "loose/d"])


def test_the_navigation_as_mkdocs_has_it():
    sources = {"": "index.md", "ocs": "ocs.md", "ocs/4.3": "ocs/4.3.md", "new": "new.md"}
    assert listed((*NAV[:1], Branch("A < B", "ocs", (Branch("", "new"),)), Branch("Empty")), sources) == [
        {"Home": "index.md"},
        {"A &lt; B": ["ocs.md", "new.md"]},
    ]


def _tree(entries):
    return [(entry["level"], entry["id"], _tree(entry["children"])) for entry in entries]


def _sections(*levels: int) -> tuple[Section, ...]:
    return tuple(Section(str(at), f"Section {at}", level) for at, level in enumerate(levels))


@pytest.mark.parametrize(
    ("levels", "tree"),
    [
        ((), []),
        ((1, 2, 3, 2), [(1, "0", [(2, "1", [(3, "2", [])]), (2, "3", [])])]),
        ((1, 1), [(2, "0", []), (2, "1", [])]),  # no heading of the page: Material would show nothing
        ((2, 4, 3), [(2, "0", [(4, "1", []), (3, "2", [])])]),  # a level left out
    ],
)
def test_the_contents_are_a_tree_by_levels(levels, tree):
    assert _tree(contents(_sections(*levels))) == tree


def test_contents_are_text_and_no_markup():
    (entry,) = contents([Section('"x', "<b>")])
    assert (entry["id"], entry["name"]) == ("&quot;x", "&lt;b&gt;")


def test_the_heading_of_a_page_is_found_as_the_page_itself():
    sections = [
        Section("h", "Heading", 1, "words"),
        Section("s", "Section", 2, "more"),
        Section("t", "None", 2),
    ]
    page, section = page_rows("Page", "p", sections)
    assert page == ["page", "", "Page", "p", "", "", "", "words"]
    assert section == ["text", "", "Section", "p", "s", "", "Page", "more"]


@pytest.mark.parametrize(("chapters", "more"), [(1, False), (9, False), (10, True), (18, True)])
def test_the_menu_names_the_indexes_of_an_edition_with_many_chapters_under_one_entry(chapters, more):
    files = {
        "content/road/rulebook.yml": b'title: Road\nnumbers: "1.1a"\nchapters: "1.0"\n',
        "content/road/1/edition.yml": b'edition: "1"\n',
        **{
            f"content/road/1/rules/{n}.yml": f'chapter: "{n}.0"\ntitle: Way\ntext: Go.\n'.encode()
            for n in range(1, chapters + 1)
        },
    }
    examined = examine_folder(Folder(files))
    made, _, nav = pages.render(examined.shelf, examined.library)
    (road,) = [branch for branch in nav if branch.path == "road/1"]
    titles = [branch.title for branch in road.branches]
    assert titles == [*[f"{n}.0 Way" for n in range(1, chapters + 1)], *(["More"] if more else [])]
    assert [one.path for branch in road.branches for one in branch.branches] == ["road/1/numbers"] * more
    assert "road/1/numbers" in {page.path for page in made}, "its own page leads there all the same"
