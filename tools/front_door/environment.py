# SPDX-License-Identifier: GPL-2.0-only
"""The virtual environment with the pinned Python packages."""

from __future__ import annotations

import hashlib
import json
import shutil
import sys
from pathlib import Path

import machine
from console import call, say
from lock import one_at_a_time

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / ".venv"
PYTHON = FOLDER / "bin" / "python"
STAMP = FOLDER / "linux-tcp.json"
REQUIREMENTS = ROOT / "requirements.txt"
NS3_REQUIREMENTS = ROOT / "requirements-ns3.txt"


def _hash(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


def _base() -> str:
    """Which Python the environment is made of."""
    return f"{sys.version_info[0]}.{sys.version_info[1]} {sys.base_prefix} {ROOT}"


def _read_stamp() -> dict[str, str]:
    try:
        stamp = json.loads(STAMP.read_text(encoding="ascii"))
    except (OSError, ValueError):
        return {}
    return stamp if isinstance(stamp, dict) else {}


def prepare(ns3: str) -> None:
    """Make the virtual environment, or bring it up to date.

    :param ns3: "wheel" installs ns-3 too
    """
    machine.require(machine.PYTHON_NEEDS)
    with one_at_a_time():
        _prepare([REQUIREMENTS] + ([NS3_REQUIREMENTS] if ns3 == "wheel" else []))


def _prepare(wanted: list[Path]) -> None:
    stamp = _read_stamp()
    if stamp.get("base") != _base() or not PYTHON.exists():
        say(f"making a virtual environment in {FOLDER.name}")
        if FOLDER.exists():
            shutil.rmtree(FOLDER)
        call([sys.executable, "-m", "venv", FOLDER], why="making the virtual environment")
        stamp = {"base": _base()}

    for requirements in wanted:
        if stamp.get(requirements.name) == _hash(requirements):
            continue
        say(f"installing the Python packages of {requirements.name} into {FOLDER.name}")
        # Without dependencies: the file lists them all, but for those of ns3 that only its own
        # Python interface needs and that would have to be compiled.
        call(
            [PYTHON, "-m", "pip", "install", "--disable-pip-version-check", "--no-deps"]
            + ["-r", requirements],
            why="installing Python packages",
        )
        stamp[requirements.name] = _hash(requirements)
        STAMP.write_text(json.dumps(stamp, indent=1) + "\n", encoding="ascii")
