# SPDX-License-Identifier: GPL-2.0-only
"""./run says one clear line and returns 2 when it is called wrongly; its help needs nothing."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FRONT_DOOR = ROOT / "tools" / "front_door"


def call(*words: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Call ./run."""
    environment = {**os.environ, "PYTHON": sys.executable, **variables}
    return subprocess.run(
        [ROOT / "run", *words],
        capture_output=True,
        text=True,
        env=environment,
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize("words", [(), ("--help",), ("-h",), ("help",), ("--ns3", "system", "-h")])
def test_help(words: tuple[str, ...]) -> None:
    result = call(*words)
    assert result.returncode == 0
    assert "Usage: ./run" in result.stdout
    assert result.stderr == ""


def test_help_needs_no_python() -> None:
    result = call("--help", PYTHON="/nowhere/python")
    assert result.returncode == 0
    assert "Usage: ./run" in result.stdout


def test_help_names_every_command_and_part() -> None:
    text = call("--help").stdout
    program = "import checks; print(*checks.PARTS, *checks.MORE_PARTS)"
    listed = subprocess.run(
        [sys.executable, "-B", "-c", program],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(FRONT_DOOR)},
        check=True,
    )
    for word in [*listed.stdout.split(), "reproduce", "test", "replay", "bench", "example"]:
        assert word in text


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (("nonsense",), ["'nonsense'", "reproduce", "test"]),
        (("--nonsense",), ["'--nonsense'", "--help"]),
        (("--ns3",), ["--ns3", "wheel", "system"]),
        (("--ns3", "other", "test"), ["--ns3", "'other'", "wheel", "system"]),
        (("test", "--ns3=3.37"), ["--ns3", "'3.37'", "wheel", "system"]),
        (("test", "nonsense"), ["'nonsense'", "algorithms", "module", "python"]),
        (("test", "-q"), ["'-q'", "--help"]),
        (("example", "nonsense"), ["'nonsense'", "allowed"]),
    ],
)
def test_wrong_call_says_one_line(words: tuple[str, ...], named: list[str]) -> None:
    result = call(*words)
    assert result.returncode == 2
    assert result.stdout == ""
    assert len(result.stderr.splitlines()) == 1
    for word in named:
        assert word in result.stderr


def test_each_example_is_a_program_of_the_build() -> None:
    names = call("example").stdout.split()
    text = (ROOT / "examples" / "CMakeLists.txt").read_text(encoding="ascii")
    targets = re.findall(r"NAME (\S+)", text)
    program = (
        "import sys; from front_door.__main__ import example_target; "
        "print(*map(example_target, sys.argv[1:]))"
    )
    result = subprocess.run(
        [sys.executable, "-B", "-c", program, *names],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": f"{FRONT_DOOR}:{FRONT_DOOR.parent}"},
        check=True,
    )
    assert names
    assert result.stdout.split() == sorted(targets)


def test_wrong_python_says_one_line() -> None:
    result = call("test", PYTHON="/nowhere/python")
    assert result.returncode == 2
    assert len(result.stderr.splitlines()) == 1
    assert "3.11" in result.stderr


def test_without_privilege_the_line_to_install_is_printed() -> None:
    program = (
        "import machine\n"
        "machine.NEEDS['ns-3'] = (lambda: False, ('libns3-dev', 'ns3'))\n"
        "machine.has_program = lambda *names: True\n"
        "machine.become_root = lambda: None\n"
        "try:\n"
        "    machine.require(('ns-3',))\n"
        "except machine.Stop as stop:\n"
        "    print(stop.status, stop)\n"
    )
    result = subprocess.run(
        [sys.executable, "-B", "-c", program],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(FRONT_DOOR)},
        check=True,
    )
    assert result.stdout == (
        "2 missing: ns-3; install with: "
        "sudo apt-get install -y --no-install-recommends libns3-dev ns3\n"
    )
