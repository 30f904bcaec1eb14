#!/usr/bin/env python3
"""Install Rulewright and run it: python3 run.py COMMAND [ARGUMENT ...]

  build    build the site into site/ (build --strict: treat warnings as errors)
  serve    serve the site on this computer and rebuild it after each edit
  test     run ruff, mypy and the quick tests; test --all: all tests; with other arguments only pytest
  bench    run all benchmarks in bench/, or the named ones
  ...      any other command of rulewright, such as check or export

All commands except test and bench use the project that contains the current folder, or --project DIR.
The first run creates .venv/ from the hash-pinned lock and needs Python 3.11 or newer. The browser for tests
is installed with apt if run as root; otherwise the command to install it is printed.
"""

import sys

# Before any code that older Python versions cannot run.
if sys.version_info < (3, 11):  # noqa: UP036
    sys.exit(
        f"Rulewright needs Python 3.11 or newer; this is {sys.version_info[0]}.{sys.version_info[1]}.\n"
        "Install a newer one and run it, for example: python3.12 run.py build"
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

# Wheels only: to build from source, pip would download tools that are not in the lock.
FROM_LOCK = ("--require-hashes", "--only-binary", ":all:", "--requirement")
INSTALLS: Mapping[str, tuple[str, Sequence[str]]] = {
    LOCK: ("Installing what the build needs", (*FROM_LOCK, LOCK)),
    PROJECT: ("Installing Rulewright itself", ("--no-build-isolation", "--editable", ".")),
    TEST_LOCK: ("Installing what the tests need", (*FROM_LOCK, TEST_LOCK)),
}

# Variables that would import other code or install other versions. The package index (PIP_INDEX_URL and pip's
# configuration) stays as configured.
REMOVED_VARIABLES = {
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
BACKGROUND_CHECK = "mypy"
"""Uses one processor only, so it runs in parallel; its output is printed at the end."""
QUICK = ("-m", "not thorough and not slow", "--hypothesis-profile", "quick")
EVERYTHING = "--all"

# rulewright itself exits with 1 if problems were found and with 2 for wrong usage.
SET_UP_FAILED = 3


class SetUpError(Exception):
    """Set-up failed. The message says how to fix it."""


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
    # Without -P, Python would import a folder `rulewright` of the current folder.
    program = ["bench/run.py"] if word == "bench" else ["-P", "-m", "rulewright", word]
    command = [str(PYTHON), *program, *arguments]
    if word == "bench":  # it measures this checkout; other commands use the current folder
        os.chdir(ROOT)
    if sys.platform == "win32":  # exec returns to the prompt at once
        return run(command)
    os.execve(PYTHON, command, environment())


def test(arguments: Sequence[str]) -> int:
    if Path.cwd() != ROOT:
        arguments = [os.path.abspath(word) if os.path.isfile(word) else word for word in arguments]
    os.chdir(ROOT)
    install_packages(TEST_PACKAGES)
    if arguments and arguments != [EVERYTHING]:
        return run([PYTHON, "-m", "pytest", *arguments])
    failed = []
    with ThreadPoolExecutor() as executor:
        background = executor.submit(run_captured, [PYTHON, "-m", *CHECKS[BACKGROUND_CHECK]])
        for name, command in CHECKS.items():
            print(f"== {name}", flush=True)
            options = QUICK if name == "pytest" and not arguments else ()
            if name == BACKGROUND_CHECK:
                print(background.result().stdout, end="", flush=True)
                status = background.result().returncode
            else:
                status = run([PYTHON, "-m", *command, *options])
            if status != 0:
                failed.append(name)
    print(f"Failed: {', '.join(failed)}" if failed else "All passed")
    return 1 if failed else 0


# Environment: .venv/ with a stamp file, the digests of the files that it was installed from.


def set_up(*sources: str) -> None:
    """Install from the files that have changed; the first is the lock."""
    if not outdated(sources):
        return
    with install_lock():
        changed = outdated(sources)  # again: another run may have installed them
        if changed and not os.access(VENV if VENV.exists() else ROOT, os.W_OK):
            raise SetUpError(
                f"{VENV} cannot be created or changed: this user may not write there.\n"
                f"Run a copy of {ROOT}, or use `pip install {ROOT}` in an environment of your own."
            )
        digests = {} if LOCK in changed else installed()
        # No stamp until the end, so that an interrupted installation is repeated.
        STAMP.unlink(missing_ok=True)
        if LOCK in changed:
            make_venv()
        try:
            for source in changed:
                line, arguments = INSTALLS[source]
                attempt(line, [PYTHON, "-m", "pip", "install", "--no-input", "--no-deps", *arguments])
                digests[source] = digest(source)
        except SetUpError:
            record(digests)  # pip reverts a failed installation
            raise
        record(digests)


def outdated(sources: Sequence[str]) -> Sequence[str]:
    """Return the changed sources; all if the lock has changed, because .venv/ is then recreated."""
    digests = installed() if PYTHON.exists() else {}
    changed = [source for source in sources if digests.get(source) != digest(source)]
    return sources if LOCK in changed else changed


def installed() -> dict[str, str]:
    try:
        stamp = json.loads(STAMP.read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return stamp if isinstance(stamp, dict) else {}


def record(digests: Mapping[str, str]) -> None:
    STAMP.write_text(json.dumps(digests, indent=1), "utf-8")


def digest(source: str) -> str:
    """Return the digest of a file, Python version and folder, since .venv/ depends on all of them."""
    context = f"{sys.implementation.cache_tag} {ROOT}\n"
    return hashlib.sha256(context.encode() + (ROOT / source).read_bytes()).hexdigest()


@contextmanager
def install_lock() -> Iterator[None]:
    """Make concurrent runs wait until the first has finished installing."""
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
            f"{sys.executable} cannot create an environment: the module ensurepip is missing.\n"
            f"On Debian and Ubuntu: {apt_command('python3-venv')}"
        )
    # Not sys.executable: it may be in .venv/, which is deleted.
    python = getattr(sys, "_base_executable", sys.executable)
    attempt("Creating .venv/", [python, "-m", "venv", "--clear", VENV])


def attempt(line: str, command: Sequence[str | Path]) -> None:
    """Print a line and run a command of the set-up. Raises SetUpError with its output if it fails."""
    say(f"{line} ...")
    result = run_captured(command)
    if result.returncode != 0:
        output = "\n".join(f"    {text}" for text in result.stdout.strip().splitlines()[-15:])
        raise SetUpError(
            f"This failed:\n{output}\n"
            "If no package was found, check the network and `pip config list`.\n"
            "Otherwise run `deactivate` if an environment is active, delete .venv/ and run the command again."
        )


def run_captured(command: Sequence[str | Path]) -> "subprocess.CompletedProcess[str]":
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
    """Return the environment variables with .venv/ activated."""
    variables = {name: value for name, value in os.environ.items() if name not in REMOVED_VARIABLES}
    return variables | {
        "VIRTUAL_ENV": str(VENV),
        "PATH": os.pathsep.join((str(SCRIPTS), variables.get("PATH", os.defpath))),
        "PIP_USER": "0",
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
        "PYTHONDONTWRITEBYTECODE": "",  # otherwise each start compiles all modules
        "PYTHONUTF8": "1",  # Windows code pages lack × and ≤
    }


def say(text: str) -> None:
    """Print to standard error; standard output belongs to the command."""
    print(text, file=sys.stderr, flush=True)


# Packages that pip cannot install. Tests that need them are skipped if they are missing.


class SystemPackage(NamedTuple):
    name: str
    needed_by: str
    find: Callable[[], object]
    commands: Mapping[str, str]  # command that installs it, by sys.platform
    debian: Sequence[str] = ()  # names in Debian, if they differ

    def packages(self) -> Sequence[str]:
        return self.debian or (self.name,)

    def missing(self) -> str:
        command = self.commands.get(sys.platform, apt_command(*self.packages()))
        return f"{self.needed_by} skipped: {self.name} is not installed; run: {command}"


def apt_command(*packages: str) -> str:
    """Return the command that installs packages, with sudo if needed."""
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
    CHROMIUM.commands,
)


POPPLER = SystemPackage(
    "poppler-utils",
    "PDF import tests",
    lambda: shutil.which("pdftotext"),
    {"darwin": "brew install poppler", "win32": "winget install oschwartz10612.Poppler"},
)


TEST_PACKAGES: Sequence[SystemPackage] = (CHROMIUM, SHELL, POPPLER)


def install_packages(packages: Sequence[SystemPackage]) -> None:
    """Install missing packages with apt if possible. Print how to install the others."""
    missing = [package for package in packages if not package.find()]
    if missing and may_use_apt():
        apt = ["env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-o", "DPkg::Lock::Timeout=120"]
        apt += ["-o", "Acquire::Retries=0", "-o", "Acquire::http::Timeout=20"]  # fail fast without a network
        say(f"Installing with apt: {', '.join(package.name for package in missing)} ...")
        run_captured([*apt, "update"])  # if it fails, older package lists may do
        for package in missing:  # one by one, since one unknown package makes apt fail
            run_captured([*apt, "install", "--yes", "--no-install-recommends", *package.packages()])
    for package in missing:
        if not package.find():
            say(package.missing())


def may_use_apt() -> bool:
    return sys.platform == "linux" and os.geteuid() == 0 and shutil.which("apt-get") is not None


if __name__ == "__main__":
    sys.exit(main())
