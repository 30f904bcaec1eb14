"""Run the command line: python -m rulewright."""

import sys

from rulewright import __version__


def main() -> int:
    """Run the command line. The version is said without loading anything."""
    if sys.argv[1:] == ["--version"]:
        print(f"rulewright {__version__}")
        return 0
    import gc

    from rulewright.app.cli import main as run

    code = run()
    gc.freeze()  # the interpreter, as it ends, need not search for garbage in what ends with it
    return code


if __name__ == "__main__":
    sys.exit(main())
