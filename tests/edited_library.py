"""A library of books that cite, extend and correct each other, and edits of it by chance."""

import random
import re
from collections.abc import Mapping

from rulewright.files.content_folder import file_kind
from rulewright.files.content_reader import ContentFolder

ATLAS = 'title: Atlas\nnumbers: "1.1a"\nchapters: ["1.0"]\nterms: {Ford: {means: "A crossing, see 2.2"}}\n'
FILES: Mapping[str, bytes] = {
    name: text.encode()
    for name, text in {
        "content/index.md": "# All\n\nSee [[duel:1.1]] and [[atlas/1:2.2]].\n",
        "content/duel/rulebook.yml": "title: Duel\nnumbers: ['1.1a(A)', A.1]\nchapters: ['1.0']\n"
        "cues: [see, per]\nroles: {phasing: {title: Striker, mark: S}}\nsides: {red: {title: Red}}\n"
        "terms: {WP: {means: Weak Point, aliases: [weak spot], see: '1.2'}}\n",
        "content/duel/1/edition.yml": "edition: '1'\ndate: 2019-01-01\n",
        "content/duel/1/rules/1.yml": "chapter: '1.0'\ntitle: Old\n'1.1': A sword.\n",
        "content/duel/2/edition.yml": "edition: '2'\nfollows: '1'\ndate: 2020-01-01\n",
        "content/duel/2/known.yml": "lists: cited\nknown: [{number: '2.0', title: Peace}]\n",
        "content/duel/2/rules/1.yml": "chapter: '1.0'\ntitle: Fighting\ntext: See 1.1 to 1.3.\n"
        "'1.1 Swords': {was: '1.1', text: 'A sword hits a WP, see 1.2a.'}\n"
        "'1.2':\n  text: 'So: (1.1).'\n  '1.2a': Not in 1.4.\n"
        "'1.3': {retired: yes, replaced by: '1.1'}\n'1.5': {shows: sequence}\n",
        "content/duel/2/sequence.yml": "title: Order\nsteps:\n"
        "  - {player turn: Red's turn, id: red, steps: [\n"
        "      {phase: Hit Phase, by: phasing, uses: Winds, steps: [{do: Hit, rolls: 1d6, see: '1.1'}]},\n"
        "      {phase: Rest Phase, narrative: 'All rest, see 1.2.'}]}\n"
        "  - {player turn: Again, repeats: red, except: [{drop: Rest Phase}]}\n",
        "content/duel/2/tables/winds.yml": "title: Winds\nid: winds\nroll: 1d6\ncolumns: [Result, Far]\n"
        "rows: [{roll: 1-3, Result: Calm, Far: '1'}, {roll: 4.., Result: Gale, Far: '2'}]\n"
        "results: {Calm: nothing, Gale: see 1.2}\nmodifiers: [{value: '+1', when: in rain, see: '1.1'}]\n",
        "content/duel/2/errata.yml": "errata:\n"
        "  - {erratum: '1', date: 2020-01-01, rule: '1.1', replace: hits, with: 'strikes, see 1.5'}\n"
        "  - {erratum: '2', date: 2020-01-02, table: Winds, row: 1-3, column: Far, replace: 1, with: 3}\n",
        "content/atlas/rulebook.yml": ATLAS,
        "content/atlas/1/edition.yml": "edition: '1'\ndate: 2001-01-01\n",
        "content/atlas/1/rules/1.yml": "chapter: '1.0'\ntitle: Woods\n"
        "'1.1 Paths': 'Slow; see 2.2 and [[raid:1.2]].'\n"
        "'1.2 Old': {text: 'Gone.', retired: 'not printed again'}\n",
        "content/atlas/1/rules/2.yml": "chapter: '2.0'\ntitle: Rivers\n"
        "'2.1': 'See 1.1.'\n'2.2 Fords': 'See 2.1-2.2.'\n",
        "content/atlas/1/errata.yml": "errata:\n"
        "  - {erratum: Paths, rule: '1.1', date: 2002-01-01, replace: Slow, with: Fast}\n",
        "content/raid/rulebook.yml": 'title: Raid\nnumbers: "1.1"\nchapters: ["1.0"]\n',
        "content/raid/1/edition.yml": "edition: '1'\n",
        "content/raid/1/rules/1.yml": "chapter: '1.0'\n'1.1': 'See 1.2.'\n"
        "'1.2 Loot': 'As [[atlas:1.2]] and [[duel/2:1.1]] say.'\n",
        "content/skirmish/rulebook.yml": "title: Skirmish\n",
        "content/skirmish/1/edition.yml": "edition: '1'\nextends: duel/2\nexcused:\n"
        "  - {code: reference-not-found, at: '9.9', reason: it is a joke}\n",
        "content/skirmish/1/rules/1.yml": "chapter: '7.0'\n'7.1': 'See 9.9, 1.1.'\n",
        "content/notes/about.md": "---\nbook: raid/1\n---\nSee 1.2.\n",
    }.items()
}
MARKS = (
    "[[atlas:1.1]]", "[[atlas/1:2.2]]", "[[raid:1.2]]", "[[duel:1.1]]", "[[duel/1:1.1]]", "[[skirmish:7.1]]",
    "[[none:1.1]]", "[[atlas/9:1.1]]", "[[away:a]]", "[[1.1]]", "[[melee/1:1.1]]",
)  # fmt: skip
LINES = (
    "extends: atlas/1", "extends: duel/2", "extends: duel/9", "follows: '1'", "follows: '7'", "book: atlas/1",
    "date: 2020-01-01", "cues: [rule]", "  - {from: /raid/1/1, to: '1.1'}", "  - {from: /faq/, to: '1.1'}",
    "  - {code: reference-not-found, at: '9.9', reason: so}", "order: first", "  x: 1", "formerly: '1.2'",
)  # fmt: skip


def edited(files: dict[str, bytes], chance: random.Random) -> dict[str, bytes]:
    """The files after one edit: of a word, a number, a mark or a line, or of which files there are."""
    name = chance.choice(sorted(files))
    lines = files[name].decode("utf-8", "replace").splitlines(keepends=True) or ["\n"]
    at = chance.randrange(len(lines))
    match chance.randrange(12):
        case 0:
            del lines[at]
        case 1:
            lines.insert(at, f"{chance.choice(LINES)}\n")
        case 2:
            other = chance.choice(sorted(FILES))
            return {**files, name: FILES[other]}
        case 3:
            return {one: data for one, data in files.items() if one != name}
        case 4 | 5:
            other = chance.choice(sorted(FILES))
            return {**files, other: FILES[other]}
        case 6:
            book = chance.choice(("atlas", "raid", "melee", "Atlas", "new"))
            return {**files, re.sub("content/[^/]+/", f"content/{book}/", name): files[name]}
        case 7 | 8:
            lines[at] = re.sub(r"(?<=[\w'] )(?=\w)", f"{chance.choice(MARKS)} ", lines[at], count=1)
        case 9 | 10:
            number = f"{chance.randrange(1, 4)}.{chance.randrange(4)}"
            lines[at] = re.sub(r"\d\.\d", number, lines[at], count=chance.randrange(2))
        case _:
            words = re.findall(r"[a-z]{3,}", "".join(lines)) or ["see"]
            lines[at] = re.sub(r"[a-z]{3,}", chance.choice(words), lines[at], count=1)
    return {**files, name: "".join(lines).encode()}


def folder_of(files: Mapping[str, bytes]) -> ContentFolder:
    sorts = {name: file_kind(name) for name in files}
    texts = {name: data for name, data in files.items() if sorts[name] == "text"}
    return ContentFolder(texts, [name for name in files if sorts[name] == "other"])
