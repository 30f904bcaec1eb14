"""The site navigation: pages of Markdown and indexes of an edition."""

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
