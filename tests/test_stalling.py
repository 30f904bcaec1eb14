"""The watchdog: a build that stalls says where, and one that comes on says nothing."""

import signal
import subprocess
import sys

import pytest

from rulewright.app.stalling import progress, watched

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there is no such signal there")

STALLS = """
import signal
from rulewright.app.stalling import watched
def busy_with_a_sheet():
    signal.pause()
with watched(0.01):
    busy_with_a_sheet()
"""


def test_what_stalls_is_told_with_where_it_is() -> None:
    done = subprocess.run([sys.executable, "-c", STALLS], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "in busy_with_a_sheet" in done.stderr
    assert "rulewright: nothing has come of this build for 0 seconds" in done.stderr
    assert not done.stdout


def test_progress_puts_it_off_and_the_end_ends_it(capfd: pytest.CaptureFixture[str]) -> None:
    before = signal.getsignal(signal.SIGALRM)
    with capfd.disabled(), watched(1000):
        signal.setitimer(signal.ITIMER_REAL, 500)
        progress()
        assert signal.getitimer(signal.ITIMER_REAL)[0] > 500
    assert signal.getitimer(signal.ITIMER_REAL)[0] == 0
    assert signal.getsignal(signal.SIGALRM) is before
    progress()
    assert signal.getitimer(signal.ITIMER_REAL)[0] == 0


def test_where_standard_error_is_no_file_nothing_is_watched(capsys: pytest.CaptureFixture[str]) -> None:
    with watched(1000):
        progress()
        assert signal.getitimer(signal.ITIMER_REAL)[0] == 0
