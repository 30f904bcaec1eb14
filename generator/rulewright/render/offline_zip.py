"""A finished site rewritten for a disk, where there is no server that finds a folder's page.

Every link to a folder names the page in it.
"""

from __future__ import annotations

import io
import posixpath
import re
import zipfile
from collections.abc import Mapping
from html import escape, unescape
from urllib.parse import unquote, urlsplit

_PAGE = "index.html"
_LINK = re.compile(r"""(\s(?:href=|content=["']?\d+;\s*url=)["']?)([^"'\s>]+)""", re.IGNORECASE)
"""A link of a page, or the page to which it leads on by itself."""
_POLICY = re.compile(r'<meta http-equiv="Content-Security-Policy"[^>]*>')
_FOR_SERVERS = ("sw.js", "site.webmanifest", "sitemap.xml", "sitemap.xml.gz", "404.html")
_OF_SERVERS = re.compile(rb"\s*<link rel=\"(?:manifest|preload)\"[^>]*>")
"""Links that a browser follows only where a server answers: to install the site, to have its fonts sooner."""
_FIRST = (1980, 1, 1, 0, 0, 0)
"""The date of every file in a zip, so that the same site gives the same bytes."""


def make_portable(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Rewrite the files of a site, by path, so that it opens from a disk."""
    portable = {}
    for path, data in files.items():
        if path.endswith(".html"):
            data = _page(path, data, files)
        if path not in _FOR_SERVERS:
            portable[path] = data
    return portable


def pack_zip(files: Mapping[str, bytes], folder: str) -> bytes:
    """Files as a zip, all in one folder."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for path in sorted(files):
            file = zipfile.ZipInfo(f"{folder}/{path}", _FIRST)
            file.external_attr = 0o644 << 16  # as Unix knows it; else nobody may read what is unpacked
            archive.writestr(file, files[path], zipfile.ZIP_DEFLATED)
    return packed.getvalue()


def _page(path: str, data: bytes, files: Mapping[str, bytes]) -> bytes:
    folder = posixpath.dirname(path)
    html = _OF_SERVERS.sub(b"", data).decode()

    def rewrite_link(link: re.Match[str]) -> str:
        href = unescape(link[2])
        page_href = _page_link(folder, href, files)
        return link[0] if page_href == href else f"{link[1]}{escape(page_href)}"

    # On a disk no file is of the same origin as any other.
    html = _POLICY.sub(lambda stated: stated[0].replace("'self'", "'self' file:"), html, count=1)
    return _LINK.sub(rewrite_link, html).encode()


def _page_link(folder: str, link: str, files: Mapping[str, bytes]) -> str:
    """A link from a page in a folder; one to another folder names the page that lies in it."""
    split = urlsplit(link)
    if split.scheme or split.netloc or (not split.path and folder) or split.path.startswith("/"):
        return link
    target = posixpath.normpath(posixpath.join(folder, unquote(split.path)))
    page = posixpath.join(target, _PAGE) if target != "." else _PAGE
    if target in files or page not in files:
        return link
    return posixpath.join(split.path, _PAGE) + link[len(split.path) :]
