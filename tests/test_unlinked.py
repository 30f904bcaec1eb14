"""`refs --unlinked`: the numbers of texts that look like a rule's and lead nowhere."""

from pathlib import Path

from rulewright.app.cli import main
from tests.commands.duel import write

FILES = {
    "mkdocs.yml": "site_name: T\nplugins: [rulewright]\n",
    "content/duel/rulebook.yml": 'title: Duel\nnumbers: "1.1a"\nchapters: "1.0"\n',
    "content/duel/1/edition.yml": 'edition: "1"\n',
    "content/duel/1/rules/1.yml": 'chapter: "1.0"\ntitle: Arms\n"1.1": See 1.2a, 2.5 miles on.\n"1.2a": A.\n',
    "content/duel/1/faq.md": "# FAQ\n\nIt is 4.4 there, not (1.1).\n",
}


def test_the_command_lists_what_is_not_linked(tmp_path: Path, monkeypatch, capsys) -> None:
    monkeypatch.chdir(write(tmp_path, FILES))
    assert main(["refs", "--unlinked", "duel/1"]) == 0
    said = "content/duel/1/rules/1.yml:3:18: 2.5\ncontent/duel/1/faq.md:3:7: 4.4\n"
    assert capsys.readouterr().out == said
    assert main(["refs", "--unlinked", "dule"]) == 2
