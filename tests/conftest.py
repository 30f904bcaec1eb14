import pytest

import run


@pytest.fixture(scope="session")
def chromium() -> str:
    """The browser to start, for Playwright's executable_path."""
    path = run.find_chromium()
    if path is None:
        pytest.skip(run.CHROMIUM.missing())
    return path
