"""Run the command line: python -m rulewright."""

import sys

from rulewright import __version__


def main() -> int:
    """Run the command line. The version is said without loading anything."""
    if sys.argv[1:] == ["--version"]:
        print(f"rulewright {__version__}")
        return 0
    from rulewright.app.cli import main as run

    return run()


if __name__ == "__main__":
    sys.exit(main())
