"""The documentation: its examples are sound, and each command in it is one that the program has."""

import re
import shlex
from dataclasses import is_dataclass
from typing import Any, ClassVar, get_args

import click
import pytest
import yaml
from jsonschema import Draft7Validator

import run
from rulewright.app.cli import create_program, main
from rulewright.book.content_files import MODELS, path_pattern, sort_of
from rulewright.book.outline import RuleEntry
from rulewright.checks.check_visitor import CHECKS
from rulewright.checks.load_and_check import load_and_check
from rulewright.files.problems import KINDS
from rulewright.render.exports.json_schema import json_schema
from rulewright.render.exports.key_reference import HEAD, key_reference
from rulewright.render.exports.outline_markdown import outline_as_markdown
from rulewright.schema.problem_reports import problems_text
from rulewright.schema.yaml_fields import keys_with_types, yaml_keys
from tests.books import checked
from tests.commands.duel import write

DOCS = run.ROOT / "content" / "docs"
CONTRIBUTING = (run.ROOT / ".github" / "CONTRIBUTING.md").read_text("utf-8")
FENCE = re.compile(r"^```yaml\n# (content/\S+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def _examples() -> dict[str, str]:
    """Each block that begins with the name of a content file is that file; a sequence may be shown alone."""
    found = [m.groups() for page in DOCS.glob("*.md") for m in FENCE.finditer(page.read_text("utf-8"))]
    files = dict(found)
    assert len(files) == len(found) > 12
    for edition in [name.rpartition("/")[0] for name in files if name.endswith("/sequence.yml")]:
        files.setdefault(f"{edition}/edition.yml", 'edition: "1"')
        book = f"{edition.rpartition('/')[0]}/rulebook.yml"
        files.setdefault(book, 'title: Game\nnumbers: "1.1"\nsides: {a: A, b: B}')
    return files


def test_the_examples_of_all_pages_are_sound_books():
    examined = checked(_examples())
    failures = [f"{one.place}: {one.message}" for one in examined.problems if one.is_failure]
    assert not failures
    assert sum(count.references for count in examined.counts.values()) > 10


def test_the_book_that_a_newcomer_types_builds_by_itself(tmp_path, capsys):
    page = (DOCS / "start.md").read_text("utf-8")
    typed = re.findall(r"^```yaml\n(# (\S+\.yml)\n.*?)^```$", page, re.MULTILINE | re.DOTALL)
    assert [name for _, name in typed if name == "mkdocs.yml"]
    write(tmp_path, {name: words for words, name in typed})
    assert main(["--project", str(tmp_path), "build", "--no-print", "--strict"]) == 0, capsys.readouterr()
    assert (tmp_path / "site/mule-pass/1/4-fodder/index.html").is_file()


def test_the_turn_of_the_readme_is_the_text_beside_it():
    readme = (run.ROOT / "README.md").read_text("utf-8")
    sequence, text = re.findall(r"^```(?:yaml|markdown)\n(.*?)^```$", readme, re.MULTILINE | re.DOTALL)
    files = {**_examples(), "content/mule-pass/1/sequence.yml": sequence}
    project = checked(files)
    assert text in outline_as_markdown(project.outline("mule-pass/1"), project.index, "")
    assert len(readme.encode()) <= 3072


def test_the_problem_that_a_newcomer_is_shown_is_the_one():
    start = (DOCS / "start.md").read_text("utf-8")
    (words,) = [m[2] for m in FENCE.finditer(start) if m[1].endswith("4-fodder.yml")]
    files = _examples()
    files["content/mule-pass/1/rules/4-fodder.yml"] = words.replace("(4.2a)", "(4.2z)", 1)
    del files["content/mule-pass/1/errata.yml"]
    found = checked(files)
    (problem,) = [one for one in found.problems if one.is_failure]
    assert f"\n{problems_text([problem]).strip()}\n" in start


def test_the_check_that_contributors_are_shown_works():
    (check,) = re.findall(r"^```python\n(from .*?)^```$", CONTRIBUTING, re.MULTILINE | re.DOTALL)
    namespace: dict[str, Any] = {}
    exec(check, namespace)
    rules = b'chapter: "1.0"\n"1.1 Roads.": None.\n'
    book = {
        "content/x/rulebook.yml": b'title: X\nnumbers: "1.1"\nchapters: "1.0"\n',
        "content/x/1/edition.yml": b'edition: "1"\n',
        "content/x/1/rules/1.yml": rules,
    }
    problems = checked(book).problems
    CHECKS[RuleEntry].pop()  # no other test shall meet it
    KINDS.pop("title-full-stop")
    (problem,) = [problem for problem in problems if problem.code == "title-full-stop"]
    assert (problem.place.line, problem.place.column) == (2, 6)


def test_every_name_that_contributors_read_exists():
    """Names of classes, functions, constants and modules in the pages for contributors and in the diagram."""
    modules = [*(run.ROOT / "generator").rglob("*.py")]
    code = "\n".join(module.read_text("utf-8") for module in modules)
    known = {*re.findall(r"\b\w+\b", code), *(module.name for module in modules)}
    spans = re.findall(r"`([^`\n]+)`", CONTRIBUTING + (DOCS / "architecture.md").read_text("utf-8"))
    names = {name for name in spans if re.fullmatch(r"[A-Z]\w+|[a-z]\w*_\w*|\w+\.py", name)}
    names |= {*re.findall(r"^    \w+: (\w+)", CONTRIBUTING, re.MULTILINE)}
    names |= {
        *re.findall(r">([A-Z]\w*[a-z][A-Z]\w+)<", (DOCS / "pictures/house-light.svg").read_text("utf-8"))
    }
    paths = [name for name in spans if re.fullmatch(r"tests/[\w/.]+", name)]
    assert [path for path in paths if not (run.ROOT / path).exists()] == []
    assert len(names) > 12
    assert names <= known, sorted(names - known)


PAGES = [run.ROOT / "README.md", *sorted(DOCS.glob("*.md"))]
COMMAND = re.compile(r"(?:^|`)(?:cd \S+ && )?(?:rulewright|python3 run\.py) ([^`\n]+)", re.MULTILINE)
OF_RUN = {
    "build": {"--strict"},
    "serve": set[str](),
    "book": set[str](),
    "test": {"--all"},
    "bench": set[str](),
}
"""Options of run.py, which MkDocs or pytest take; `rulewright book 1` is the name of a format."""


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_each_command_and_option_on_a_page_exists(page):
    group, unknown = create_program(), []
    for line in COMMAND.findall(page.read_text("utf-8")):
        word, *rest = shlex.split(line.partition("  #")[0])
        command = group.get_command(click.Context(group), word)
        options = {"--help", *OF_RUN.get(word, ())}
        if command:
            options.update(one for each in command.get_params(click.Context(command)) for one in each.opts)
        used = {one.partition("=")[0] for one in rest if one.startswith("--")}
        is_name = command or word in OF_RUN or word.isupper() or word[0] == "-"
        if not is_name or used - options:
            unknown.append(line)
    assert not unknown


class TextLoader(yaml.SafeLoader):
    """Dates are texts for the program."""

    yaml_implicit_resolvers: ClassVar = {
        first: [resolver for resolver in resolvers if resolver[0] != "tag:yaml.org,2002:timestamp"]
        for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
    }


def all_models(model: Any, found: set[Any]) -> set[Any]:
    if is_dataclass(model) and model not in found:
        found.add(model)
        for _, kind in keys_with_types(model).values():
            for part in (kind, *get_args(kind)):
                all_models(part, found)
    return found


def test_every_key_is_on_the_page_of_keys_and_in_the_schema_with_a_sound_example():
    page, schemas = key_reference(), {kind: json_schema(model) for kind, model in MODELS.items()}
    assert "| text | en | `de` |" in page
    assert "if left out" not in page.replace(HEAD, "")
    definitions = {name: each for schema in schemas.values() for name, each in schema["definitions"].items()}
    found: set[Any] = set()
    for model in MODELS.values():
        all_models(model, found)
    for part in found:
        for key, f in yaml_keys(part).items():
            assert f"| `{key}` |" in page
            if f.metadata.get("headed"):
                continue
            of_key = definitions[part.__name__]["properties"][key]
            example = yaml.load(f"{f.metadata['example']}", TextLoader)
            schema = {**of_key, "definitions": definitions}
            problems = [str(one.message) for one in Draft7Validator(schema).iter_errors(example)]
            assert "…" in f.metadata["example"] or not problems, (part, key, problems)


def test_every_file_of_the_library_is_valid_by_its_schema_and_a_misspelt_key_is_not():
    validators = {kind: Draft7Validator(json_schema(model)) for kind, model in MODELS.items()}
    seen = set()
    for path in sorted((run.ROOT / "content").rglob("*.yml")):
        name = path.relative_to(run.ROOT)
        if kind := sort_of(name.as_posix()):
            seen.add(kind)
            assert name.match(path_pattern(kind))
            data = yaml.load(path.read_text("utf-8"), TextLoader)
            assert [*validators[kind].iter_errors(data)] == [], name
            assert [*validators[kind].iter_errors({**data, "tilte": "x"})], name
    for wrong in ({"title": [], "blocks": []}, {"title": "A", "blocks": "B"}, {"title": "A", "blocks": [{}]}):
        assert [*validators["aid"].iter_errors(wrong)], wrong
    assert not [*validators["aid"].iter_errors({"title": "A", "blocks": []})]
    assert seen >= MODELS.keys() - {"redirects"}


def test_nothing_is_wrong_in_the_game_of_our_own_and_nothing_is_excused():
    own = ("content/ember-coast/", "content/last-ember/")
    library = load_and_check(run.ROOT)
    assert [str(one) for one in library.problems if one.place.file.startswith(own)] == []
    editions = [
        one.edition for name, one in library.index.outlines.items() if f"content/{name}".startswith(own)
    ]
    assert len(editions) == 3
    assert not any(edition.edition_file.excused for edition in editions)
