"""The site navigation: pages of Markdown and indexes of an edition."""

import pytest

from rulewright.checks.load_and_check import load_and_check_folder
from rulewright.files.content_reader import ContentFolder
from rulewright.render import pages
from rulewright.render.render_context import RenderContext


def test_pages_of_a_folder_stand_below_its_index_in_the_order_of_its_links():
    texts = {
        "credits.md": "# Credits",
        "docs/README.md": "# Docs\n\n[B](b.md#x), then [more](more/index.md), then [A](a.md)\n",
        **{f"docs/{name}.md": f"# {name.upper()}" for name in ("a", "b", "unlinked")},
        "docs/more/index.md": "# More",
        "docs/more/c.md": "# C",
        "loose/d.md": "# D",
    }
    folder = ContentFolder({f"content/{name}": text.encode() for name, text in texts.items()})
    examined = load_and_check_folder(folder)
    (home, *others) = pages.render_site(RenderContext(examined.index), examined.library).nav

    def tree(branches):
        return [(one.path, tree(one.branches)) if one.branches else one.path for one in branches]

    docs = ["docs/b", ("docs/more", ["docs/more/c"]), "docs/a", "docs/unlinked"]
    assert (home.path, tree(others)) == ("", ["credits", ("docs", docs), "loose/d"])


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
    examined = load_and_check_folder(ContentFolder(files))
    site = pages.render_site(RenderContext(examined.index), examined.library)
    made, nav = site.pages, site.nav
    (road,) = [branch for branch in nav if branch.path == "road/1"]
    titles = [branch.title for branch in road.branches]
    assert titles == [*[f"{n}.0 Way" for n in range(1, chapters + 1)], *(["More"] if more else [])]
    assert [one.path for branch in road.branches for one in branch.branches] == ["road/1/numbers"] * more
    assert "road/1/numbers" in {page.path for page in made}, "its own page leads there all the same"
