"""Run the command line: python -m rulewright."""

import gc
import sys


def main() -> int:
    """Run the command line and return its exit code."""
    from rulewright.app.cli import main as run

    code = run()
    gc.freeze()  # no search for garbage while the interpreter ends
    return code


if __name__ == "__main__":
    sys.exit(main())
