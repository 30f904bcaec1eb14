"""A small project for the tests of the site, with a line that makes what a test says."""

import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

from mkdocs.commands import build as mkdocs
from mkdocs.config import load_config

from rulewright.app.cli import main
from rulewright.files.problems import Problem, Severity, SourceLocation
from rulewright.references.content_page import MARK, LinkedPage, PageReference
from rulewright.render.build_artifacts import Artifacts, NavItem, PageSection, SitePage
from tests.page_fixtures import site_page

ROOT = Path(__file__).parent.parent
HERE = SourceLocation("content/ocs/4.3/rules/12.yml", 12, 3)
ERROR = Problem(HERE, "reference-not-found", "no rule 12.8g; 12.8 ends at 12.8f")
WARNING = replace(ERROR, code="number-gap", severity=Severity.WARNING)
NOTE = replace(ERROR, severity=Severity.NOTE)


def new_project(folder: Path) -> Path:
    """Begin a game without the workflow that publishes it, so that mkdocs.yml needs no address."""
    assert main(["new", str(folder)]) == 0
    shutil.rmtree(folder / ".github")
    return folder


FAQ = "---\ntitle: Asked & answered\n---\n# FAQ\n\nSee 14.7d.\n"


def chapter(number: int, title: str, *rules: str) -> SitePage:
    sections = [
        PageSection(f"{number}.0", title, 1, f"About {title}"),
        *(PageSection(r, f"{r} A <rule>", 2, "&") for r in rules),
    ]
    body = "".join(f'<h{s.level} id="{s.anchor}">{s.anchor}</h{s.level}>' for s in sections)
    return site_page(
        f"ocs/4.3/{number}-x", f"{title} of OCS", body, tuple(sections), HERE, f"What {title} is"
    )


BUILT = Artifacts(
    pages=(
        site_page("", "Library", "<h1>Library</h1>"),
        site_page("ocs/4.3", "OCS 4.3", "<h1>OCS</h1>"),
        chapter(12, "Supply", "12.5c(B)", "12.9", "12.10"),
        chapter(14, "Air <&> Power", "14.7", "14.7d"),
        site_page("checks", "Checks", "<h1>Checks</h1>"),
    ),
    linked_pages={
        "content/ocs/4.3/faq.md": LinkedPage(
            FAQ.replace("14.7d", MARK.format(0)), (PageReference("../14-x/#14.7d", "14.7d"),)
        )
    },
    files={"r/ocs/4.3/14.7d/index.html": "<title>→ 14.7d</title>\n", "ocs/4.3/outline.json": b"[]\r\n"},
    nav=(
        NavItem("Home", ""),
        NavItem("OCS", "ocs/4.3", (NavItem("12 Supply", "ocs/4.3/12-x"), NavItem("14 Air", "ocs/4.3/14-x"))),
    ),
    problems=(NOTE,),
)
CONTENT = {
    "credits.md": "# Credits\n\n[14.7d](ocs/4.3/14-x.md#14.7d) and [the outline](ocs/4.3/outline.json)\n",
    "ocs/4.3/faq.md": FAQ,
    "ocs/4.3/edition.yml": "edition: '4.3'\n",
    "ocs/4.3/marker.png": "picture",
    "ocs/4.3/outline.json": "the line's file of this name takes its place",
}


class Project:
    """A project whose line makes what a test says."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.site = folder / "site"
        self.result: Artifacts | BaseException = BUILT
        for name, text in CONTENT.items():
            self.write(f"content/{name}", text)
        settings = (ROOT / "mkdocs.yml").read_text("utf-8")
        self.write("mkdocs.yml", f"{settings}theme: {{name: material, custom_dir: theme}}\n")
        self.write("theme/base.html", (ROOT / "templates/theme/base.html").read_text("utf-8"))

    def write(self, name: str, text: str) -> None:
        (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
        (self.folder / name).write_text(text)

    def line(
        self, project: Path, *, cache: dict[str, Any] | None = None, press: Any = None, **more: Any
    ) -> Artifacts:
        assert project == self.folder
        if isinstance(self.result, BaseException):
            raise self.result
        return self.result

    def config(self, **settings: Any) -> Any:
        return load_config(str(self.folder / "mkdocs.yml"), **settings)

    def build(self, **settings: Any) -> Any:
        """`mkdocs build`, as its command does it."""
        config = self.config(**settings)
        config.plugins.on_startup(command="build", dirty=False)
        try:
            mkdocs.build(config)
        finally:
            config.plugins.on_shutdown()
        return config

    def page(self, path: str = "ocs/4.3/14-x") -> str:
        return (self.site / path / "index.html").read_text()


def files(folder: Path) -> dict[str, bytes]:
    return {f.relative_to(folder).as_posix(): f.read_bytes() for f in folder.rglob("*") if f.is_file()}
