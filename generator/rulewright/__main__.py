"""Run the command line: python -m rulewright."""

import sys

from rulewright.app.cli import main

sys.exit(main())
