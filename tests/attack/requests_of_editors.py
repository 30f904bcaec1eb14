"""An editor that asks the language server at odd places, of odd files, in the words of the protocol itself.

A client of a library would not let such words pass.
"""

import json
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from queue import Queue
from threading import Thread
from typing import Any

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

    def send(self, method: str, params: Mapping[str, Any], **more: Any) -> None:
        said = json.dumps({"jsonrpc": "2.0", "method": method, "params": params, **more}).encode()
        assert self.process.stdin
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(said), said))
        self.process.stdin.flush()

    def all(self, requests: list[tuple[str, dict[str, Any]]]) -> None:
        """Ask, and read an answer to each. What is answered by a fault of the server is kept."""
        waiting = {}
        for method, params in requests:
            self.asked += 1
            waiting[self.asked] = method, params
            self.send(method, params, id=self.asked)
        while waiting:
            if (answer := self.answers.get()) is None:
                raise AssertionError(f"the server ended; {self.told()[-500:]}")
            if answer.get("id") in waiting and "method" not in answer:
                of = waiting.pop(answer["id"])
                if (error := answer.get("error")) and error["code"] == -32603:  # an internal error
                    self.faults.append(f"{str(of)[:300]}: {str(error)[:300]}")

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
