#!/usr/bin/env python3
"""Set Rulewright up and run it: python3 run.py COMMAND [ARGUMENT ...]

  build    make the site into site/ (build --strict: a warning is a failure)
  serve    the same, and again after each edit
  test     ruff, mypy and the quick tests; test --all: every test; with other arguments only pytest
  bench    the measurements in bench/, or those that are named
  ...      any other command of rulewright itself, such as check or outline

All but test and bench are about the project that the current folder lies in, or that
--project DIR names.
The first run makes .venv/ from the hash-pinned lock. All it needs is Python 3.11 or newer; the browser
that tests use is installed with apt where that may be done, and named elsewhere.
"""

import sys

# Ahead of everything that an older Python would stumble over, so that it can say this.
if sys.version_info < (3, 11):  # noqa: UP036
    sys.exit(
        f"Rulewright needs Python 3.11 or newer; this is {sys.version_info[0]}.{sys.version_info[1]}.\n"
        "Install a newer one and name it in the command, for instance: python3.12 run.py build"
    )

import hashlib
import importlib.util
import json
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
SCRIPTS = VENV / ("Scripts" if sys.platform == "win32" else "bin")
PYTHON = SCRIPTS / ("python.exe" if sys.platform == "win32" else "python")
STAMP = VENV / "installed.json"

LOCK = "requirements.txt"
PROJECT = "pyproject.toml"
TEST_LOCK = "tests/requirements.txt"

# Only wheels: to build a package from source, pip would fetch tools that no lock names.
FROM_LOCK = ("--require-hashes", "--only-binary", ":all:", "--requirement")
INSTALLS: Mapping[str, tuple[str, Sequence[str]]] = {
    LOCK: ("Installing what the build needs", (*FROM_LOCK, LOCK)),
    PROJECT: ("Installing Rulewright itself", ("--no-build-isolation", "--editable", ".")),
    TEST_LOCK: ("Installing what the tests need", (*FROM_LOCK, TEST_LOCK)),
}

# What would import other code, or install other versions or elsewhere. Where packages come from
# (PIP_INDEX_URL and the like, pip's configuration) is the machine's business and is left alone.
MISLEADING = {
    "PYTHONHOME",
    "PYTHONPATH",
    "PIP_CONSTRAINT",
    "PIP_NO_BINARY",
    "PIP_PREFIX",
    "PIP_ROOT",
    "PIP_TARGET",
}

CHECKS: Mapping[str, Sequence[str]] = {
    "ruff check": ("ruff", "check"),
    "ruff format": ("ruff", "format", "--check"),
    "pytest": ("pytest", "--numprocesses", "auto", "--dist", "worksteal"),
    "mypy": ("mypy",),
}
BESIDE = "mypy"
"""A check that uses one processor only: it runs beside the others and has its say when they are done."""
QUICK = ("-m", "not thorough and not slow", "--hypothesis-profile", "quick")
EVERYTHING = "--all"

# rulewright itself ends with 1 for problems found and with 2 for a wrong command line.
SET_UP_FAILED = 3


class SetUpError(Exception):
    """What went wrong and what to do about it."""


def main(argv: list[str] | None = None) -> int:
    words = sys.argv[1:] if argv is None else argv
    if not words or words[0] in ("-h", "--help", "help"):
        print((__doc__ or "").strip())
        return 0 if words else 2
    word, *arguments = words
    try:
        set_up(LOCK, PROJECT, *([TEST_LOCK] if word in ("test", "bench") else []))
        return test(arguments) if word == "test" else hand_over(word, arguments)
    except SetUpError as error:
        say(str(error))
        return SET_UP_FAILED
    except KeyboardInterrupt:
        return 130


def hand_over(word: str, arguments: Sequence[str]) -> int:
    # Without -P a folder `rulewright` where the caller stands would be taken for this one.
    program = ["bench/run.py"] if word == "bench" else ["-P", "-m", "rulewright", word]
    command = [str(PYTHON), *program, *arguments]
    if word == "bench":  # which measures this checkout; all else is about where the caller stands
        os.chdir(ROOT)
    if sys.platform == "win32":  # where exec returns to the prompt before the work is done
        return run(command)
    os.execve(PYTHON, command, environment())


def test(arguments: Sequence[str]) -> int:
    if Path.cwd() != ROOT:
        arguments = [str(Path(one).absolute()) if Path(one).is_file() else one for one in arguments]
    os.chdir(ROOT)
    provide(TEST_PACKAGES)
    if arguments and arguments != [EVERYTHING]:
        return run([PYTHON, "-m", "pytest", *arguments])
    failed = []
    with ThreadPoolExecutor() as beside:
        said = beside.submit(quietly, [PYTHON, "-m", *CHECKS[BESIDE]])
        for name, command in CHECKS.items():
            print(f"== {name}", flush=True)
            which = QUICK if name == "pytest" and not arguments else ()
            if name == BESIDE:
                print(said.result().stdout, end="", flush=True)
                status = said.result().returncode
            else:
                status = run([PYTHON, "-m", *command, *which])
            if status != 0:
                failed.append(name)
    print(f"Failed: {', '.join(failed)}" if failed else "All passed")
    return 1 if failed else 0


# The environment: .venv/ and in it a stamp, the digest of each file that was installed from.


def set_up(*sources: str) -> None:
    """Install what these files ask for and .venv/ does not have; the lock is the first of them."""
    if not outdated(sources):
        return
    with one_at_a_time():
        todo = outdated(sources)  # asked again, because another run may just have done it
        if todo and not os.access(VENV if VENV.exists() else ROOT, os.W_OK):
            raise SetUpError(
                f"{VENV} cannot be made or changed: this user may not write there.\n"
                f"Run a copy of {ROOT}, or use `pip install {ROOT}` in an environment of your own."
            )
        done = {} if LOCK in todo else installed()
        # Until the end there is no stamp: what an interruption leaves behind is not trusted.
        STAMP.unlink(missing_ok=True)
        if LOCK in todo:
            make_venv()
        try:
            for source in todo:
                line, arguments = INSTALLS[source]
                attempt(line, [PYTHON, "-m", "pip", "install", "--no-input", "--no-deps", *arguments])
                done[source] = digest(source)
        except SetUpError:
            record(done)  # pip takes a failed install back, so what was there still is
            raise
        record(done)


def outdated(sources: Sequence[str]) -> Sequence[str]:
    """The sources to install from: all when the lock has changed, because .venv/ is then made anew."""
    have = installed() if PYTHON.exists() else {}
    changed = [source for source in sources if have.get(source) != digest(source)]
    return sources if LOCK in changed else changed


def installed() -> dict[str, str]:
    try:
        stamp = json.loads(STAMP.read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return stamp if isinstance(stamp, dict) else {}


def record(done: Mapping[str, str]) -> None:
    STAMP.write_text(json.dumps(done, indent=1), "utf-8")


def digest(source: str) -> str:
    """Of a file for one Python and one place: .venv/ serves no other version and cannot be moved."""
    made_for = f"{sys.implementation.cache_tag} {ROOT}\n"
    return hashlib.sha256(made_for.encode() + (ROOT / source).read_bytes()).hexdigest()


@contextmanager
def one_at_a_time() -> Iterator[None]:
    """Let a run in a second terminal wait for the first to finish installing."""
    if sys.platform == "win32":
        yield
        return
    import fcntl

    with open(__file__, "rb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def make_venv() -> None:
    if importlib.util.find_spec("ensurepip") is None:
        raise SetUpError(
            f"{sys.executable} cannot make an environment: it lacks ensurepip, a part of venv.\n"
            f"On Debian and Ubuntu: {with_apt('python3-venv')}"
        )
    # Not sys.executable: when that lies in .venv/ it is about to be deleted.
    python = getattr(sys, "_base_executable", sys.executable)
    attempt("Making .venv/", [python, "-m", "venv", "--clear", VENV])


def attempt(line: str, command: Sequence[str | Path]) -> None:
    """Do one stage of the set-up behind one line of text, and show the tool's own words only if it fails."""
    say(f"{line} ...")
    result = quietly(command)
    if result.returncode != 0:
        words = "\n".join(f"    {text}" for text in result.stdout.strip().splitlines()[-15:])
        raise SetUpError(
            f"That failed:\n{words}\n"
            "If no package was found: is there a network, and what does `pip config list` say?\n"
            "Otherwise leave an activated environment (deactivate), delete .venv/ and give the command again."
        )


def quietly(command: Sequence[str | Path]) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        command,
        cwd=ROOT,
        env=environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
    )


def run(command: Sequence[str | Path]) -> int:
    return subprocess.run(command, env=environment()).returncode


def environment() -> dict[str, str]:
    """The caller's environment variables as they are once .venv/ is activated, without what misleads."""
    kept = {name: value for name, value in os.environ.items() if name not in MISLEADING}
    return kept | {
        "VIRTUAL_ENV": str(VENV),
        "PATH": os.pathsep.join((str(SCRIPTS), kept.get("PATH", os.defpath))),
        "PIP_USER": "0",
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
        "PYTHONDONTWRITEBYTECODE": "",  # or each start compiles all modules anew, for seconds
        "PYTHONUTF8": "1",  # Windows' own code pages lack × and ≤
    }


def say(text: str) -> None:
    """To standard error: standard output belongs to the command that is handed over to."""
    print(text, file=sys.stderr, flush=True)


# What pip cannot install. What needs it is skipped where it is missing.


class SystemPackage(NamedTuple):
    name: str
    needed_by: str
    found: Callable[[], object]
    elsewhere: Mapping[str, str]  # the command that installs it, by sys.platform
    debian: Sequence[str] = ()  # Debian's names, where they are others

    def packages(self) -> Sequence[str]:
        return self.debian or (self.name,)

    def missing(self) -> str:
        command = self.elsewhere.get(sys.platform, with_apt(*self.packages()))
        return f"{self.needed_by} skipped: no {self.name} on this machine; to install it: {command}"


def with_apt(*packages: str) -> str:
    """The command that installs packages, as this user has to give it."""
    sudo = "" if sys.platform == "win32" or os.geteuid() == 0 else "sudo "
    return f"{sudo}apt install {' '.join(packages)}"


def find_chromium() -> str | None:
    candidates = [
        *map(shutil.which, ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")),
        "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
        "/Applications/Chromium.app/Contents/MacOS/Chromium",
        "C:/Program Files/Google/Chrome/Application/chrome.exe",
        "C:/Program Files (x86)/Microsoft/Edge/Application/msedge.exe",  # every Windows has it
    ]
    return next((path for path in candidates if path and Path(path).exists()), None)


CHROMIUM = SystemPackage(
    "chromium",
    "Browser tests",
    find_chromium,
    {"darwin": "brew install --cask google-chrome", "win32": "winget install Google.Chrome"},
)


SHELL = SystemPackage(
    "chromium-headless-shell",
    "Browser tests in two thirds of the time",
    lambda: sys.platform != "linux" or shutil.which("chromium-headless-shell"),
    CHROMIUM.elsewhere,
)


TEST_PACKAGES: Sequence[SystemPackage] = (CHROMIUM, SHELL)


def provide(packages: Sequence[SystemPackage]) -> None:
    """Install the packages that are missing where this script may, and name those that it cannot."""
    missing = [package for package in packages if not package.found()]
    if missing and may_use_apt():
        apt = ["env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-o", "DPkg::Lock::Timeout=120"]
        apt += ["-o", "Acquire::Retries=0", "-o", "Acquire::http::Timeout=20"]  # there may be no network
        say(f"Installing with apt: {', '.join(package.name for package in missing)} ...")
        quietly([*apt, "update"])  # when this fails, yesterday's package lists may still do
        for package in missing:  # one by one, so that one that apt does not have costs only itself
            quietly([*apt, "install", "--yes", "--no-install-recommends", *package.packages()])
    for package in missing:
        if not package.found():
            say(package.missing())


def may_use_apt() -> bool:
    return sys.platform == "linux" and os.geteuid() == 0 and shutil.which("apt-get") is not None


if __name__ == "__main__":
    sys.exit(main())
