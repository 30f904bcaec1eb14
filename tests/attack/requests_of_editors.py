"""An editor that asks the language server at odd places, of odd files, in the words of the protocol itself.

A client of a library would not let such words pass.
"""

import json
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from queue import Queue
from threading import Thread
from typing import Any

from tests.attack.mutation import Mutator
from tests.attack.surface import surfaces

QUICK = (
    "hover", "completion", "definition", "references", "prepareRename", "documentSymbol", "foldingRange",
    "semanticTokens/full",
)  # fmt: skip
METHODS = (*QUICK * 8, "rename", "codeAction")
"""What is asked; rarely what another process answers."""
ODD = (-(2**31), -5, -1, 2**31 - 1, 2**31, 2**40)
URIS = (
    "", "untitled:1", "http://a.example/b.yml", "file://%", "file:content/x.yml", "file://host/c.yml",
    "file:///a%00b.yml", f"file:///{'a/' * 3000}b.yml", f"file:///{'a' * 300}.yml", "file:///%ff%fe.yml",
    "file:///", "content/x.yml",
)  # fmt: skip
NAMES = ("1.9", "", "🜂", "x" * 10_000, "1.1\n1.2", "9.9.9", "\0", "-1")
BATCH = 100
"""How many requests are asked before their answers are read."""


class Asking:
    """A language server, and what is asked of it."""

    def __init__(self, project: Path) -> None:
        self.project, self.asked = project, 0
        self.faults: list[str] = []
        self.errors = tempfile.TemporaryFile()  # noqa: SIM115
        self.process = subprocess.Popen(
            [sys.executable, "-P", "-m", "rulewright", "lsp"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.errors, cwd=project,
        )  # fmt: skip
        self.answers: Queue[dict[str, Any] | None] = Queue()
        Thread(target=self.read, daemon=True).start()  # else both would wait for the other to read
        root = {"rootUri": project.as_uri(), "capabilities": {}, "processId": None}
        self.all([("initialize", root)])
        self.send("initialized", {})

    def send(self, method: str, params: Any, **more: Any) -> None:
        said = json.dumps({"jsonrpc": "2.0", "method": method, "params": params, **more}).encode()
        assert self.process.stdin
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(said), said))
        self.process.stdin.flush()

    def all(self, requests: list[tuple[str, Any]]) -> list[Any]:
        """Ask, and read an answer to each. What is answered by a fault of the server is kept."""
        waiting, answers = {}, {}
        for method, params in requests:
            self.asked += 1
            waiting[self.asked] = method, params
            self.send(method, params, id=self.asked)
        while waiting:
            if (answer := self.answers.get()) is None:
                raise AssertionError(f"the server ended; {self.told()[-500:]}")
            if answer.get("id") in waiting and "method" not in answer:
                of = waiting.pop(answer["id"])
                answers[answer["id"]] = answer.get("result")
                if (error := answer.get("error")) and error["code"] == -32603:  # an internal error
                    self.faults.append(f"{str(of)[:300]}: {str(error)[:300]}")
        return [answers[at] for at in sorted(answers)]

    def read(self) -> None:
        """Hand on what the server says, and None at its end."""
        assert self.process.stdout
        length = 0
        while line := self.process.stdout.readline():
            if line.lower().startswith(b"content-length:"):
                length = int(line.partition(b":")[2])
            elif not line.strip():
                self.answers.put(json.loads(self.process.stdout.read(length)))
        self.answers.put(None)

    def told(self) -> str:
        """What the server has written to standard error."""
        self.errors.seek(0)
        return self.errors.read().decode("utf-8", "replace")

    def end(self) -> None:
        self.all([("shutdown", {})])
        self.send("exit", {})
        assert self.process.stdin
        self.process.stdin.close()
        self.process.wait()


def requests(uris: list[str], text: str, chance: random.Random) -> Iterator[tuple[str, dict[str, Any]]]:
    """Requests at places within a text, at its ends, in the middle of signs, and where nothing can be."""
    lines = text.split("\n")

    def place() -> dict[str, int]:
        line = chance.choice((*ODD, len(lines), *range(len(lines))))
        width = len(lines[line].encode("utf-16-le")) // 2 if 0 <= line < len(lines) else 0
        return {"line": line, "character": chance.choice((*ODD, width, width + 1, *range(width + 1)))}

    while True:
        method = chance.choice(METHODS)
        params: dict[str, Any] = {
            "textDocument": {"uri": chance.choice([*uris * 8, *URIS])},
            "position": place(),
        }
        if method == "references":
            params["context"] = {"includeDeclaration": chance.random() < 0.5}
        elif method == "rename":
            params["newName"] = chance.choice(NAMES)
        elif method == "codeAction":
            params |= {"range": {"start": place(), "end": place()}, "context": {"diagnostics": []}}
        yield f"textDocument/{method}", params


QUERIES = ("1.1", "", "see", "x" * 5_000, "\0", "🜂", "[[", "*")
PLACES: tuple[Any, ...] = (
    None, 5, "x", [], ["a"], [5, 5, 5], ["content/x.yml", 1, 1], ["content/duel/2/rules/1.yml", "1", None],
    ["content/duel/2/rules/1.yml", 2**40, -5], ["/etc/passwd", 1, 1], {"a": 1}, [[], [], []],
)  # fmt: skip
"""What an editor may send back with an action for its place."""
MISSHAPEN: tuple[Any, ...] = (
    None, {}, [], "x", {"textDocument": None}, {"textDocument": {}}, {"textDocument": {"uri": 5}},
    {"textDocument": {"uri": "x"}, "position": None},
    {"textDocument": {"uri": "x"}, "position": {"line": "1"}},
    {"textDocument": {"uri": "x"}, "position": {"line": 1.5, "character": None}}, {"position": {}},
)  # fmt: skip


def edits(uri: str, here: str, text: str, chance: random.Random) -> Iterator[list[tuple[str, Any]]]:
    """What an editor says and asks in turn while a text is typed, cut up, closed and opened again.

    `here`: the project. Each is a list of messages: those that begin with a `!` want no answer.
    """
    mutator = Mutator(surfaces()["chapter"], chance.randrange(10**9))
    now, version = text, 2
    asked = requests([uri], text, chance)
    while True:
        made: list[tuple[str, Any]] = []
        for _ in range(chance.choice((1, 1, 2, 5))):
            version += chance.choice((1, 1, 1, 0, -3, 2**31))
            whole = {"uri": uri, "version": chance.choice((version, version, None))}
            match chance.randrange(9):
                case 0 | 1 | 2 | 3:
                    was = now.encode("utf-8", "surrogatepass")
                    now = chance.choice(
                        (mutator.changed(was).decode("utf-8", "replace"), text, now + "\n  - x")
                    )
                    changes: list[Any] = [{"text": now}]
                    if not chance.randrange(4):
                        start, end = ({"line": chance.choice((0, 1, *ODD)), "character": 0} for _ in "ab")
                        changes.insert(0, {"range": {"start": start, "end": end}, "text": "x"})
                    made.append(
                        ("!textDocument/didChange", {"textDocument": whole, "contentChanges": changes})
                    )
                case 4:
                    made.append(("!textDocument/didSave", {"textDocument": {"uri": uri}, "text": now}))
                case 5:
                    kind = chance.choice(("Close", "Open"))
                    one = {"uri": uri, "languageId": "yaml", "version": 1, "text": now}
                    made.append((f"!textDocument/did{kind}", {"textDocument": one}))
                case 6:
                    changed = [{"uri": chance.choice((uri, *URIS)), "type": chance.choice((1, 2, 3, 9))}]
                    made.append(("!workspace/didChangeWatchedFiles", {"changes": changed}))
                case 7:
                    made.append(("!$/cancelRequest", {"id": chance.choice((1, "x", -1, 10**9, None))}))
                case _:
                    odd = chance.choice(("textDocument/didChange", "x/y", "textDocument/didOpen", "$/z"))
                    made.append((f"!{odd}", chance.choice(MISSHAPEN)))
        for _ in range(chance.choice((1, 2, 6))):
            match chance.randrange(8):
                case 0:
                    made.append(("workspace/symbol", {"query": chance.choice(QUERIES)}))
                case 1:
                    data = {"project": chance.choice((here, here, "/", 5, None)), "at": chance.choice(PLACES)}
                    data = chance.choice((data, data, data, None, 5, [], "x", {}))
                    made.append(("codeAction/resolve", {"title": "x", "data": data}))
                case 2:
                    method = chance.choice(
                        (f"textDocument/{chance.choice(METHODS)}", "x/y", "workspace/executeCommand")
                    )
                    made.append((method, chance.choice(MISSHAPEN)))
                case 3:
                    place = next(asked)[1]["position"]
                    spans = {"start": place, "end": next(asked)[1]["position"]}
                    whole = {"textDocument": {"uri": uri}, "range": spans}
                    made.append(("textDocument/semanticTokens/range", whole))
                case _:
                    made.append(next(asked))
        yield made


def type_on(project: Path, text: str, name: str, count: int, seed: int) -> tuple[int, list[str]]:
    """Edit a text and ask, so often. Returns how many messages there were, and faults.

    At the end the text is what it was, and what is asked of it has the answer that it had at first.
    """
    chance, here = random.Random(f"edits {seed}"), Asking(project)
    uri = (project / name).as_uri()
    document = {"uri": uri, "languageId": "yaml", "version": 1, "text": text}
    outline = ("textDocument/documentSymbol", {"textDocument": {"uri": uri}})
    here.send("textDocument/didOpen", {"textDocument": document})
    before, said, stream = here.all([outline]), 0, edits(uri, str(project), text, chance)
    while said < count:
        messages = next(stream)
        said += len(messages)
        for method, params in messages:
            if method.startswith("!"):
                here.send(method[1:], params)
        here.all([one for one in messages if not one[0].startswith("!")])
    here.send("textDocument/didOpen", {"textDocument": document})
    if here.all(
        [("textDocument/prepareRename", {"textDocument": {"uri": uri}, "position": PLACE}), outline]
    ) != [
        *here.all([("textDocument/prepareRename", {"textDocument": {"uri": uri}, "position": PLACE})]),
        *before,
    ]:
        here.faults.append("the text that is as it was has another outline")
    here.end()
    told = here.told()
    return said, [*here.faults, *([told[-800:]] if "Traceback" in told else [])]


PLACE = {"line": 0, "character": 0}


def ask(project: Path, text: str, name: str, count: int, seed: int) -> tuple[int, list[str]]:
    """Ask so many things of a project with a file open as a text. Returns how many were asked, and faults."""
    chance, here = random.Random(seed), Asking(project)
    uri = (project / name).as_uri()
    longer = (project / "content" / f"{'é' * 200}.yml").as_uri()
    for one in (uri, longer, *URIS):
        document = {"uri": one, "languageId": "yaml", "version": 1, "text": text}
        here.send("textDocument/didOpen", {"textDocument": document})
    stream = requests([uri, longer], text, chance)
    while here.asked < count:
        here.all([next(stream) for _ in range(BATCH)])
    here.end()
    told = here.told()
    return here.asked, [*here.faults, *([told[-800:]] if "Traceback" in told else [])]
