# SPDX-License-Identifier: GPL-2.0-only
"""The way from a scenario to the C++ side and back."""

from __future__ import annotations

import dataclasses
import hashlib
import re
import sys
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

from .errors import LinuxTcpError, OptionError, RunError
from .result import Result
from .scenario import Record, Scenario, from_dict


@cache
def native() -> ModuleType:
    """Return the extension module.

    :raises LinuxTcpError: if it is not there or does not load
    """
    try:
        import _linux_tcp
    except ImportError as error:
        raise LinuxTcpError(
            f"the extension _linux_tcp cannot be loaded ({error}); "
            "install the package with pip, or use ./run in the repository"
        ) from None
    return _linux_tcp


@cache
def version() -> str:
    """Return the version of this package."""
    source = Path(__file__).resolve().parents[2] / "VERSION"
    if source.is_file():
        return source.read_text(encoding="ascii").split()[0]
    from importlib.metadata import version as installed

    return installed("linux-tcp")


@cache
def _build_identity() -> str:
    """Return a hash of the code that simulates: the extension and the module's library."""
    digest = hashlib.sha256()
    extension = Path(native().__file__).resolve()
    files = {extension}
    maps = Path("/proc/self/maps")
    if maps.is_file():
        for line in maps.read_text(encoding="utf-8", errors="replace").splitlines():
            path = line.rpartition(" ")[2]
            if "liblinux-tcp" in path:
                files.add(Path(path))
    for file in sorted(files, key=lambda path: path.name):
        digest.update(file.read_bytes())
    return digest.hexdigest()[:16]


def versions() -> dict[str, str]:
    """Return the versions that decide a result."""
    return {
        "linux-tcp": version(),
        "ns-3": native().ns3_version,
        "build": _build_identity(),
    }


def shown_versions() -> dict[str, str]:
    """Return the versions to show to a reader: those of :func:`versions` and Python's."""
    return versions() | {"python": ".".join(str(part) for part in sys.version_info[:3])}


def _to_native(record: Record) -> Any:
    """Make the C++ record of a record."""
    spec = getattr(native(), type(record).__name__)()
    for item in dataclasses.fields(record):
        value = getattr(record, item.name)
        if isinstance(value, Record):
            value = _to_native(value)
        elif isinstance(value, tuple):
            value = [_to_native(item) if isinstance(item, Record) else item for item in value]
        setattr(spec, item.name, value)
    return spec


_MESSAGE = re.compile(r"^([A-Za-z_][\w.\[\]]*): '(.*?)' ([^;]*); (.*)$", re.DOTALL)


def _translate(error: ValueError) -> Exception:
    """Give an error of the C++ side in Python's spelling of the names."""

    def snake(match: re.Match) -> str:
        return f"{match.group(1)}_{match.group(2).lower()}"

    head, colon, rest = str(error).partition(":")
    name = re.sub(r"([a-z0-9])([A-Z])", snake, head)
    match = _MESSAGE.match(f"{name}{colon}{rest}")
    if match:
        option, value, problem, allowed = match.groups()
        return OptionError(option, value, allowed, problem)
    return LinuxTcpError(f"{name}{colon}{rest}")


def validate(scenario: Scenario) -> None:
    """Check everything that can be checked before a run.

    :raises LinuxTcpError: with one line naming the field, its value and what is allowed
    """
    try:
        _to_native(scenario).validate()
    except ValueError as error:
        raise _translate(error) from None


def _perform(scenario: Scenario, csv: bool) -> tuple[Result, dict[str, str]]:
    """Run a scenario in this process.

    :return: the result and, if wanted, its tables as CSV
    """
    import numpy

    spec = _to_native(scenario)
    try:
        spec.validate()
    except ValueError as error:
        raise _translate(error) from None
    try:
        out = spec.run(csv=csv)
    except ValueError as error:
        raise _translate(error) from None
    except RuntimeError as error:
        raise RunError(str(error), scenario.to_dict()) from None
    columns = {
        table: {
            name: numpy.array(values, dtype=str) if isinstance(values, list) else values
            for name, values in content.items()
        }
        for table, content in out["tables"].items()
    }
    facts = {
        key: list(value) if isinstance(value, (list, tuple)) else value
        for key, value in out["facts"].items()
    }
    result = Result(scenario.to_dict(), columns, facts, versions())
    result.wall_time = out["wall_time"]
    return result, out.get("csv", {})


def simulate(scenario: Scenario) -> Result:
    """Run a scenario in this process.

    :raises LinuxTcpError: if a value is not allowed or the run fails
    """
    return _perform(scenario, csv=False)[0]


def tables_as_csv(scenario: Scenario) -> dict[str, str]:
    """Run a scenario and return its tables as the C++ side writes them.

    :return: table -> CSV with a header that names columns and units
    """
    return _perform(scenario, csv=True)[1]


def execute(scenario: dict) -> bytes:
    """Run a scenario given as plain data; the work of :mod:`linux_tcp.runs`."""
    return simulate(from_dict(scenario)).pack()
