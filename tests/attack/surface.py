"""What reads foreign input, one function each, and one input tried on it within bounds.

A surface takes an input or refuses it as a problem. What it must never do is a finding: raise, need more than
a gigabyte, write outside of its folder, start a program, ask another host; and, where its driver brings a
bound for that, take too long.
"""

import hashlib
import importlib
import os
import sys
import tempfile
import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import Any, NamedTuple

MODULES = ("content", "documents", "importing", "chosen")
"""Where surfaces are, beside this file. The browser's are driven by the browser."""

CORPUS = Path(__file__).parent / "corpus"
"""In a folder for each surface, every input that ever was a finding."""

MOST_BYTES = 1_000_000_000
LONGEST = 32_768
"""How many bytes an input has at most, so that slowness is that of a hostile text and not of a long one."""


class Surface(NamedTuple):
    """What reads foreign input: `attack` gives it one, with an empty folder to write to.

    `seeds`: small valid inputs to begin from; `words`: what means something in them; `tries`: how many inputs
    every change is tried with.
    """

    name: str
    attack: Callable[[bytes, Path], None]
    seeds: Callable[[], Iterable[bytes]]
    words: Sequence[bytes] = ()
    tries: int = 30

    def corpus(self) -> list[Path]:
        """The inputs that once broke it."""
        return sorted((CORPUS / self.name).glob("*"))


def seeds_in(name: str) -> Callable[[], list[bytes]]:
    """The seeds of a surface that are files, in `seeds/`."""
    return lambda: [path.read_bytes() for path in sorted((Path(__file__).parent / "seeds" / name).iterdir())]


class Finding(NamedTuple):
    """An input that did harm: `what` it did, and `where`, the last of our own lines that it came through."""

    what: str
    where: str
    data: bytes

    @property
    def name(self) -> str:
        return hashlib.sha256(self.data).hexdigest()[:12]


class Hang(BaseException):
    """An input takes too long. No `except Exception` on the way keeps this from being seen."""


class Outside(BaseException):
    """Something was done outside of the folder."""


def surfaces() -> dict[str, Surface]:
    """All surfaces by their names, of those modules that are there."""
    found: dict[str, Surface] = {}
    for name in MODULES:
        if (Path(__file__).parent / f"{name}.py").exists():
            for surface in importlib.import_module(f"tests.attack.{name}").SURFACES:
                assert surface.name not in found, f"two surfaces are called {surface.name}"
                found[surface.name] = surface
    return found


class Trial:
    """One surface, tried with one input after another in this process.

    `bounded`: entered around each input; raises `Hang` in it when that takes too long.
    """

    def __init__(
        self, surface: Surface, bounded: Callable[[], AbstractContextManager[None]] = nullcontext
    ) -> None:
        self.surface = surface
        self.bounded = bounded
        self.home = os.getcwd()
        self._scratch = tempfile.TemporaryDirectory(prefix="attack-")
        self.folder = Path(os.path.realpath(self._scratch.name), "here")
        self.folder.mkdir()
        for name in ("XDG_STATE_HOME", "XDG_CACHE_HOME", "HYPOTHESIS_STORAGE_DIRECTORY"):
            os.environ[name] = str(self.folder / name.lower())
        tempfile.tempdir = str(self.folder)
        sys.dont_write_bytecode = True
        _guard(self.folder)

    def run(self, data: bytes) -> Finding | None:
        """Try one input. What takes too long is tried twice: a busy machine is no finding."""
        found = None
        for _ in range(2):
            try:
                found = self._attacked(data)
            except Hang:  # raised when the input had come to its end, maybe with a finding
                found = None
            else:
                if found is None or found.what != Hang.__name__:
                    break
            finally:
                os.chdir(self.home)
        return found

    def _attacked(self, data: bytes) -> Finding | None:
        for left in self.folder.iterdir():
            _remove(left)
        os.chdir(self.folder)
        try:
            with self.bounded(), _guarded():
                self.surface.attack(data, self.folder)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            said = f": {error}" if isinstance(error, Outside) else ""
            return Finding(f"{type(error).__name__}{said}", _where(error), data)
        return None

    def smaller(self, found: Finding, told: Callable[[], None] = lambda: None, tries: int = 400) -> Finding:
        """The finding with as much of its input left out as can be while it stays the same."""
        size = len(found.data) // 2
        while size:
            at = 0
            while at < len(found.data) and tries:
                tries -= 1
                told()
                again = self.run(found.data[:at] + found.data[at + size :])
                if again and again[:2] == found[:2]:
                    found = again
                else:
                    at += size
            size = min(size // 2, len(found.data))
        return found


def _where(error: BaseException) -> str:
    own = [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if "site-packages" not in frame.filename and "/attack/" not in frame.filename
    ]
    frames = [f"{Path(frame.filename).name}:{frame.lineno} {frame.name}" for frame in own]
    if isinstance(error, Hang | MemoryError | RecursionError):  # which come anywhere within what is to blame
        frames = frames[:1]
    return frames[-1] if frames else "?"


# -- what is done outside of the folder is seen where Python does it, whoever asks for it


class _Allowed:
    """Where files may be written, while an input is tried."""

    folder = ""
    on = False


_WRITES = {
    "os.mkdir": (0,), "os.remove": (0,), "os.rmdir": (0,), "os.rename": (0, 1), "os.link": (1,),
    "os.symlink": (1,), "os.truncate": (0,), "os.chmod": (0,), "os.chown": (0,), "os.utime": (0,),
    "shutil.rmtree": (0,), "shutil.move": (0, 1), "shutil.copyfile": (1,),
}  # fmt: skip
"""Of what changes files, which of its arguments name them."""
_NEVER = ("os.system", "os.exec", "os.fork", "os.posix_spawn", "subprocess.Popen", "os.kill")
_NEVER += ("socket.connect", "socket.getaddrinfo", "socket.bind", "socket.sendto", "urllib.Request")
_TO_WRITE = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND


def _guard(folder: Path) -> None:
    if not _Allowed.folder:
        sys.addaudithook(_audit)
    _Allowed.folder = str(folder)


@contextmanager
def _guarded() -> Iterator[None]:
    _Allowed.on = True
    try:
        yield
    finally:
        _Allowed.on = False


def _audit(event: str, arguments: tuple[Any, ...]) -> None:
    if not _Allowed.on:
        return
    paths: list[Any] = []
    if event == "open" and arguments[2] & _TO_WRITE:
        paths = [arguments[0]]
    elif event in _WRITES:
        paths = [arguments[at] for at in _WRITES[event]]
    elif event in _NEVER:
        raise Outside(event)
    for path in paths:
        if isinstance(path, str | bytes) and not _lies_within(os.fsdecode(path)):
            raise Outside(f"{event} {os.fsdecode(path)!r}"[:200])


def _lies_within(path: str) -> bool:
    real = os.path.realpath(path)
    return real == os.devnull or f"{real}/".startswith(f"{_Allowed.folder}/")


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        for inner in path.iterdir():
            _remove(inner)
        path.rmdir()
    else:
        path.unlink()
