"""What the tests that open pages in a browser share: a web server, and a reader."""

import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext

PHONE, DESKTOP = {"width": 390, "height": 844}, {"width": 1280, "height": 900}
HEARD_REFUSED = (
    "window.refused = []; document.addEventListener('securitypolicyviolation',"
    " (e) => window.refused.push(`${e.effectiveDirective} ${e.blockedURI}`));"
)
finger = pytest.mark.parametrize("page", [PHONE], indirect=True, ids=["phone"])


@contextmanager
def served(
    folder: Path, headers: Callable[[str], Mapping[str, str]] = lambda path: {}, missing: str = ""
) -> Iterator[str]:
    """A folder as a web server shows it, at an address of its own, with `headers` for each path.

    `missing` is the file that it shows where there is none.
    """
    with _Server(("127.0.0.1", 0), partial(_Quiet, headers, missing, directory=str(folder))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@contextmanager
def reader(browser: Browser, *own: str, **wishes: Any) -> Iterator[BrowserContext]:
    """A reader's browser. An error on a page, or a request to an address that begins as none of `own`, fails.

    No edition is stored in the background, which takes longer than reading the page.
    """
    faults: list[str] = []
    allowed = (*own, "data:", "blob:")
    with browser.new_context(**{"service_workers": "block", **wishes}) as context:
        context.on("console", lambda line: faults.append(line.text) if line.type == "error" else None)
        context.on("weberror", lambda error: faults.append(str(error.error)))
        context.on("request", lambda r: None if r.url.startswith(allowed) else faults.append(r.url))
        yield context
    assert not faults, faults


class _Server(ThreadingHTTPServer):
    def handle_error(self, request: object, client_address: object) -> None:
        """A browser that leaves a page early is not an error; others are reported."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)  # type: ignore[arg-type]


class _Quiet(SimpleHTTPRequestHandler):
    def send_head(self) -> Any:
        """A file, or 404 also for a name that none can have."""
        return self.send_error(404) if "\0" in self.translate_path(self.path) else super().send_head()

    def send_error(self, code: int, *message: Any) -> None:
        if code != 404 or not self.missing:
            return super().send_error(code, *message)
        self.send_response(code)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(Path(self.directory, self.missing).read_bytes())

    def __init__(
        self, more: Callable[[str], Mapping[str, str]], missing: str, *given: Any, **how: Any
    ) -> None:
        self.more, self.missing = more, missing
        super().__init__(*given, **how)

    def end_headers(self) -> None:
        for name, value in self.more(self.path.partition("?")[0]).items():
            self.send_header(name, value)
        super().end_headers()

    def log_message(self, format: str, *arguments: object) -> None:
        """Say nothing: a test that fails says enough."""
