# SPDX-License-Identifier: GPL-2.0-only
"""Configuring and building, each kind of build in a folder of its own."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import environment
import machine
from console import Stop, call, say
from lock import one_at_a_time

ROOT = environment.ROOT
STAMP = "linux-tcp.json"


@dataclass(frozen=True)
class Build:
    """A build folder and how it is configured.

    :ivar folder: the folder
    :ivar options: cmake's options
    """

    folder: Path
    options: tuple[str, ...]

    def _configure(self) -> None:
        """Configure, unless that was done with the same options."""
        wanted = {
            "source": str(ROOT),
            "options": [*self.options, *_more_options()],
            "compiler": os.environ.get("CXX", ""),
            "missing": machine.missing(machine.OPTIONAL_NEEDS),
        }
        stamp = self.folder / STAMP
        try:
            present = json.loads(stamp.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            present = None
        if present == wanted and (self.folder / "build.ninja").is_file():
            return
        if self.folder.exists() and (
            not isinstance(present, dict)
            or any(present.get(key) != wanted[key] for key in ("source", "compiler"))
        ):
            shutil.rmtree(self.folder)
        say(f"configuring {self.folder.relative_to(ROOT)}")
        stamp.unlink(missing_ok=True)
        call(
            ["cmake", "-S", ROOT, "-B", self.folder, "-G", "Ninja", *wanted["options"]],
            why="configuring",
        )
        stamp.write_text(json.dumps(wanted, indent=1) + "\n", encoding="utf-8")

    def make(self, *targets: str) -> None:
        """Configure and build; silent when there is nothing to do.

        :param targets: what to build; everything if empty
        """
        with one_at_a_time():
            self._configure()
            self._make(targets)

    def _make(self, targets: tuple[str, ...]) -> None:
        ninja = shutil.which("ninja") or shutil.which("ninja-build") or "ninja"
        command = [ninja, "-C", str(self.folder), "-j", str(os.cpu_count() or 1), *targets]
        dry = subprocess.run([*command, "-n"], capture_output=True, text=True, check=False)
        if dry.returncode == 0 and "no work to do" in dry.stdout:
            return
        say(f"building {' '.join(targets) or 'all'} in {self.folder.relative_to(ROOT)}")
        call(command, why="building")

    def program(self, name: str) -> Path:
        """The path of a program that make() built.

        :raises Stop: if there is none of that name
        """
        path = self.folder / name
        if not path.is_file():
            raise Stop(f"the build has no program {name} in {self.folder.relative_to(ROOT)}", 1)
        return path


def _more_options() -> list[str]:
    return shlex.split(os.environ.get("LINUX_TCP_CMAKE_ARGS", ""))


def algorithms() -> Build:
    """The pure algorithms with their tests, benchmarks and replay; without ns-3."""
    return Build(ROOT / "build" / "algorithm", ("-DLINUX_TCP_NS3=OFF",))


def module(ns3: str) -> Build:
    """The module with its test runner, examples and Python extension.

    :param ns3: "wheel" or "system"
    """
    options = (
        "-DLINUX_TCP_ALGORITHM_PROGRAMS=OFF",
        "-DLINUX_TCP_PYTHON=ON",
        f"-DPython_EXECUTABLE={environment.PYTHON}",
        f"-DNS3_FROM_PYTHON={'ON' if ns3 == 'wheel' else 'OFF'}",
    )
    return Build(ROOT / "build" / ns3, options)


def prepare_module(ns3: str) -> Build:
    """See to all that the module's build needs, short of building it.

    :param ns3: "wheel" or "system"
    :return: the build
    """
    needs = machine.MODULE_NEEDS + (("ns-3",) if ns3 == "system" else ())
    machine.require(needs)
    environment.prepare(ns3)
    return module(ns3)


def sanitized_algorithms() -> Build:
    """The tests and the fuzz program of the pure algorithms with sanitizers."""
    return Build(
        ROOT / "build" / "sanitizers", ("-DLINUX_TCP_NS3=OFF", "-DLINUX_TCP_SANITIZE=ON")
    )


def prepare_sanitized_module(ns3: str) -> Build:
    """See to all that the module's build with sanitizers needs, short of building it.

    :param ns3: "wheel" or "system"
    :return: the build
    """
    prepare_module(ns3)
    options = (
        "-DLINUX_TCP_ALGORITHM_PROGRAMS=OFF",
        "-DLINUX_TCP_SANITIZE=ON",
        "-DLINUX_TCP_EXAMPLES=OFF",
        f"-DPython_EXECUTABLE={environment.PYTHON}",
        f"-DNS3_FROM_PYTHON={'ON' if ns3 == 'wheel' else 'OFF'}",
    )
    return Build(ROOT / "build" / f"sanitizers-{ns3}", options)


def python_environment(build: Build) -> dict[str, str]:
    """The environment in which Python finds the package and the extension of a build."""
    result = dict(os.environ)
    paths = [str(ROOT / "python"), str(build.folder / "python")]
    if result.get("PYTHONPATH"):
        paths.append(result["PYTHONPATH"])
    result["PYTHONPATH"] = os.pathsep.join(paths)
    result["LINUX_TCP_BUILD"] = str(build.folder)
    result["PATH"] = os.pathsep.join([str(environment.PYTHON.parent), result.get("PATH", "")])
    return result
