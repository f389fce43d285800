# SPDX-License-Identifier: GPL-2.0-only
"""What the tests share."""

from __future__ import annotations

import importlib.util
import os
import sys
from pathlib import Path

import pytest

PACKAGES = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(PACKAGES), str(PACKAGES / "tests")]

HAS_NATIVE = importlib.util.find_spec("_linux_tcp") is not None

needs_native = pytest.mark.skipif(
    not HAS_NATIVE, reason="the extension _linux_tcp is not built (./run test builds it)"
)


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in an empty folder, with the package on the path of other processes."""
    monkeypatch.chdir(tmp_path)
    paths = [str(PACKAGES), str(PACKAGES / "tests"), *os.environ.get("PYTHONPATH", "").split(":")]
    monkeypatch.setenv("PYTHONPATH", ":".join(path for path in paths if path))
    return tmp_path
