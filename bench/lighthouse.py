"""Time of the largest paint of a page, its Lighthouse scores and its weight, beside a plain page.

The scores are for performance, accessibility, best practices and search engines, 100 each at best;
the weight is all data of a first visit. `--site DIR` measures a site in another folder than site/.
Pages are compressed, as by a real host. Lighthouse comes with npm and is not part of the project:
`npm install -g lighthouse`, or set LIGHTHOUSE in the environment to the program.
"""

import argparse
import gzip
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import run as project
from bench.run import Row

PAGES = {
    "home": "",
    "chapter": "ocs/4.3/2-sequence-of-play/",
    "sequence": "ocs/4.3/sequence/",
    "play": "ocs/4.3/play/",
}
LIMIT = 2.5
"""Seconds that Lighthouse rates as good."""

BARE = "site_name: Bare\ntheme: {name: material, font: false}\n"
WORDS = ("html", "css", "js", "json", "svg", "xml")


class Compressed(SimpleHTTPRequestHandler):
    """Sends text files compressed, with a long life in the browser's cache; logs nothing."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        path = Path(self.translate_path(self.path))
        path = path / "index.html" if path.is_dir() else path
        if not path.is_file():
            return self.send_error(404)
        words = path.suffix[1:] in WORDS
        content = gzip.compress(path.read_bytes(), 9, mtime=0) if words else path.read_bytes()
        self.send_response(200)
        self.send_header("Content-Type", self.guess_type(path))
        self.send_header("Content-Length", str(len(content)))
        self.send_header("Cache-Control", "max-age=31536000")
        if words:
            self.send_header("Content-Encoding", "gzip")
        self.end_headers()
        self.wfile.write(content)
        return None

    def log_message(self, format: str, *arguments: object) -> None:
        """Nothing."""


@contextmanager
def sent(folder: Path) -> Iterator[str]:
    """Serve a folder like a web host. Yields its URL, which ends with a slash."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Compressed, directory=str(folder))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


def site_and_browser(arguments: Sequence[str]) -> tuple[Path, str]:
    """Return the site to measure and the path of Chromium. Raises SystemExit if one is missing."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--site", type=Path, default=project.ROOT / "site")
    site, chromium = parser.parse_args(arguments).site, project.find_chromium()
    if not chromium:
        raise SystemExit(project.CHROMIUM.missing())
    if not (site / "index.html").is_file():
        raise SystemExit("not measured: there is no site; python3 run.py build")
    return site, chromium


def plain_site(folder: Path) -> Path:
    """Build a site of one page with the defaults of Material. Returns its folder."""
    (folder / "docs").mkdir()
    (folder / "docs" / "index.md").write_text("# A page\n\nIts words.\n")
    (folder / "mkdocs.yml").write_text(BARE)
    quiet = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    subprocess.run([sys.executable, "-m", "mkdocs", "build", "-q"], cwd=folder, env=quiet, check=True)
    return folder / "site"


def run_lighthouse(program: str, chromium: str, address: str, *, desktop: bool) -> dict[str, Any]:
    """Return the report of Lighthouse on a page."""
    command = [program, address, "--output=json", "--quiet", "--chrome-flags=--headless --no-sandbox"]
    command += ["--preset=desktop"] if desktop else []
    environment = {**os.environ, "CHROME_PATH": chromium}
    done = subprocess.run(command, env=environment, capture_output=True, check=True)
    return json.loads(done.stdout)  # type: ignore[no-any-return]


def main(arguments: Sequence[str] = ()) -> list[Row]:
    site, chromium = site_and_browser(arguments)
    program = os.environ.get("LIGHTHOUSE") or shutil.which("lighthouse")
    if not program:
        raise SystemExit("not measured: Lighthouse is not here; npm install -g lighthouse")
    rows = []
    with (
        tempfile.TemporaryDirectory() as folder,
        sent(plain_site(Path(folder))) as plain,
        sent(site) as site_url,
    ):
        pages = {"yardstick: a plain page": plain, **{name: site_url + path for name, path in PAGES.items()}}
        for screen in ("phone", "desktop"):
            for name, address in pages.items():
                report = run_lighthouse(program, chromium, address, desktop=screen == "desktop")
                marks = " ".join(
                    f"{category['score'] * 100:.0f}" for category in report["categories"].values()
                )
                painted, weight = (
                    report["audits"][audit]["numericValue"] / 1000
                    for audit in ("largest-contentful-paint", "total-byte-weight")
                )
                rows.append(Row(f"{name}, {screen}: {marks}, {weight:.0f} kB", painted, LIMIT))
    return rows
