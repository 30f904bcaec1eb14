"""The content as git keeps it, read out of real repositories."""

from pathlib import Path

import pytest

from rulewright.files.content_reader import read_content_folder
from rulewright.files.git_revision import RevisionError, read_revision
from tests.commands.duel import BOOK, write
from tests.repositories import commit, git, undisturbed


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A project with one commit."""
    undisturbed(monkeypatch, tmp_path)
    folder = write(tmp_path / "project", {**BOOK, "content/duel/1/faq.md": "See 1.1\r\n"})
    commit(folder)
    return folder


def diverge(project: Path) -> None:
    """A branch of ours, and on the main one what others have added since."""
    git(project, "checkout", "--quiet", "-b", "ours")
    write(project, {"content/duel/1/ours.md": "# Ours"})
    commit(project)
    git(project, "checkout", "--quiet", "main")
    write(project, {"content/duel/1/theirs.md": "# Theirs"})
    commit(project)


def test_it_is_what_gather_reads(project):
    """Order and all: hidden files and receipts are left out, pictures and downloads are named."""
    files = {
        "content/.hidden.yml": "a: b",
        "content/duel/.cache/x.yml": "a: b",
        "content/duel/1/import-report.md": "# Receipt",
        "content/duel/1/rules/10-last.yml": 'chapter: "10.0"\n',
        "content/duel/1/rules/2-first.yml": 'chapter: "2.0"\n',
        "content/duel/1/aids/map.svg": "<svg/>",
        "content/Bögen/rulebook.yml": "title: Bögen\n",
        "notes.md": "outside",
    }
    write(project, files)
    commit(project)
    was, now = read_revision(project).folder, read_content_folder(project)
    assert list(was.texts.items()) == list(now.texts.items())
    assert list(was.other_files) == list(now.other_files)


def test_what_is_not_committed_is_not_there(project):
    name = "content/duel/1/sequence.yml"
    before = (project / name).read_bytes()
    write(project, {name: "title: Changed\n", "content/duel/1/new.md": "# New"})
    git(project, "add", "--all")
    found = read_revision(project)
    assert found.folder.texts[name] == before
    assert "content/duel/1/new.md" not in found.folder.texts
    assert (project / name).read_text() == "title: Changed\n"


def test_a_branch_is_compared_with_where_this_one_left_it(project):
    """What others have added to it since is no edit of ours that takes it away."""
    left = git(project, "rev-parse", "HEAD")
    diverge(project)
    git(project, "checkout", "--quiet", "ours")
    found = read_revision(project, "main")
    assert found.commit == left
    assert str(found) == f"{left[:9]} (main)"
    assert not {"content/duel/1/theirs.md", "content/duel/1/ours.md"} & set(found.folder.texts)


def test_a_project_in_a_folder_of_the_repository(project):
    write(project / "books/mine", {"content/duel/rulebook.yml": "title: Mine\n"})
    commit(project)
    assert dict(read_revision(project / "books/mine").folder.texts) == {
        "content/duel/rulebook.yml": b"title: Mine\n"
    }


def test_links_are_what_they_lead_to(project):
    write(project, {"content/duel/2/edition.yml": 'edition: "2"\n'})
    (project / "content/duel/2/faq.md").symlink_to("../1/faq.md")
    (project / "content/duel/2/out.md").symlink_to("../../../../out.md")
    commit(project)
    found = read_revision(project).folder.texts
    assert found["content/duel/2/faq.md"] == b"See 1.1\r\n"
    assert "content/duel/2/out.md" not in found


# What cannot be read


def refused(project: Path, named: str = "HEAD") -> str:
    with pytest.raises(RevisionError) as refusal:
        read_revision(project, named)
    return str(refusal.value)


def test_no_repository(project, tmp_path):
    folder = write(tmp_path / "plain", BOOK)
    assert refused(folder) == ("content/ is in no git repository, so it has no history; `git init` makes one")


def test_no_commit(project, tmp_path):
    folder = write(tmp_path / "new", BOOK)
    git(folder, "init", "--quiet")
    assert refused(folder) == "no revision HEAD in this repository; commit once"


def test_an_unknown_revision(project):
    git(project, "tag", "edition-2")
    assert refused(project, "editon-2") == "no revision editon-2 in this repository; did you mean edition-2?"
    wrong = "no revision origin/release in this repository; it may be HEAD, main, edition-2"
    assert refused(project, "origin/release") == wrong


def test_an_option_is_no_revision(project):
    assert refused(project, "--all").startswith("no revision --all in this repository")
    assert refused(project, "HEAD:content").startswith("no revision HEAD:content in this repository")


def test_a_clone_with_too_little_history(project, tmp_path):
    """As a workflow has it that checks out one commit and fetches the branch to compare with."""
    first = git(project, "rev-parse", "HEAD")
    diverge(project)
    shallow = tmp_path / "shallow"
    git(tmp_path, "clone", "--quiet", "--depth=1", "--branch=ours", project.as_uri(), str(shallow))
    whole = "fetch the rest with `git fetch --unshallow` (in a workflow: `fetch-depth: 0`)"
    wrong = "this clone has too little history to find"
    assert refused(shallow, first) == f"{wrong} {first}; {whole}"
    git(shallow, "fetch", "--quiet", "--depth=1", "origin", "main:refs/remotes/origin/main")
    assert refused(shallow, "origin/main") == f"{wrong} origin/main; {whole}"
    git(shallow, "fetch", "--quiet", "--unshallow")
    assert read_revision(shallow, "origin/main").commit == first
