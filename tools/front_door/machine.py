# SPDX-License-Identifier: GPL-2.0-only
"""The packages of the system that the build needs, and their installation."""

from __future__ import annotations

import ctypes.util
import importlib.util
import os
import shlex
import shutil
import subprocess
import sysconfig
from collections.abc import Callable
from pathlib import Path

from console import Stop, call, say
from lock import one_at_a_time

INCLUDE_FOLDERS = (Path("/usr/include"), Path("/usr/local/include"))
LIBRARY_FOLDERS = (Path("/usr"), Path("/usr/local"))


def has_program(*names: str) -> bool:
    """Whether one of the programs is in the search path."""
    return any(shutil.which(name) for name in names)


def has_header(name: str) -> bool:
    """Whether the compiler finds the header in one of its own folders."""
    return any((folder / name).is_file() for folder in INCLUDE_FOLDERS)


def has_system_ns3() -> bool:
    """Whether an ns-3 is installed where CMake looks, or was named for it."""
    if os.environ.get("ns3_DIR") or os.environ.get("CMAKE_PREFIX_PATH"):
        return True
    patterns = ("lib/cmake/ns3", "lib64/cmake/ns3", "lib/*/cmake/ns3")
    return any(
        (found / "ns3Config.cmake").is_file()
        for folder in LIBRARY_FOLDERS
        for pattern in patterns
        for found in folder.glob(pattern)
    )


def has_python_headers() -> bool:
    """Whether extensions of this Python can be compiled."""
    return (Path(sysconfig.get_path("include")) / "Python.h").is_file()


def has_venv() -> bool:
    """Whether this Python can make virtual environments with pip."""
    return all(importlib.util.find_spec(name) for name in ("venv", "ensurepip"))


def clang_format() -> str | None:
    """The program clang-format of version 14, which the layout of the code is that of."""
    for name in ("clang-format-14", "clang-format"):
        path = shutil.which(name)
        if path:
            told = subprocess.run([path, "--version"], capture_output=True, text=True, check=False)
            if " version 14." in told.stdout:
                return path
    return None


# What is needed: for each name, how to see that it is there, and Debian's packages of it.
NEEDS: dict[str, tuple[Callable[[], bool], tuple[str, ...]]] = {
    "C++ compiler": (
        lambda: bool(os.environ.get("CXX")) or has_program("c++", "g++", "clang++"),
        ("g++",),
    ),
    "CMake": (lambda: has_program("cmake"), ("cmake",)),
    "Ninja": (lambda: has_program("ninja", "ninja-build"), ("ninja-build",)),
    "Boost.Test": (
        lambda: has_header("boost/test/unit_test.hpp")
        and ctypes.util.find_library("boost_unit_test_framework") is not None,
        ("libboost-test-dev",),
    ),
    "Google Benchmark": (lambda: has_header("benchmark/benchmark.h"), ("libbenchmark-dev",)),
    "liblzma": (lambda: has_header("lzma.h"), ("liblzma-dev",)),
    "zlib": (lambda: has_header("zlib.h"), ("zlib1g-dev",)),
    "Python headers": (has_python_headers, ("python3-dev",)),
    "Python venv": (has_venv, ("python3-venv",)),
    "clang-format 14": (lambda: clang_format() is not None, ("clang-format-14",)),
    "tar and bzip2": (
        lambda: has_program("tar") and has_program("bzip2"),
        ("tar", "bzip2"),
    ),
    "ns-3": (has_system_ns3, ("libns3-dev", "ns3")),
}

ALGORITHM_NEEDS = ("C++ compiler", "CMake", "Ninja")
REPLAY_NEEDS = (*ALGORITHM_NEEDS, "liblzma", "zlib")
TEST_NEEDS = (*REPLAY_NEEDS, "Boost.Test")
BENCHMARK_NEEDS = (*ALGORITHM_NEEDS, "Google Benchmark")
# What cmake does without if it is missing, so that it has to look again once it is there.
OPTIONAL_NEEDS = ("Boost.Test", "Google Benchmark", "liblzma", "zlib")
PYTHON_NEEDS = ("Python venv",)
MODULE_NEEDS = (*ALGORITHM_NEEDS, *PYTHON_NEEDS, "Python headers")


def missing(needs: tuple[str, ...]) -> list[str]:
    """The needs that this machine does not meet."""
    return [need for need in needs if not NEEDS[need][0]()]


def become_root() -> list[str] | None:
    """What to put before a command to run it as root; None if that is not possible."""
    if os.geteuid() == 0:
        return []
    if has_program("sudo"):
        asked = subprocess.run(
            ["sudo", "-n", "true"], stdin=subprocess.DEVNULL, capture_output=True, check=False
        )
        if asked.returncode == 0:
            return ["sudo"]
    return None


def require(needs: tuple[str, ...]) -> None:
    """Install what the machine lacks.

    :param needs: keys of NEEDS
    :raises Stop: if something is missing and cannot be installed from here
    """
    lacks = missing(needs)
    if not lacks:
        return
    packages = [package for need in lacks for package in NEEDS[need][1]]
    what = ", ".join(lacks)
    install = ["apt-get", "install", "-y", "--no-install-recommends", *packages]
    if not has_program("apt-get"):
        raise Stop(f"missing: {what}; install with your package manager (on Debian: "
                   f"{' '.join(packages)}) and call again")
    root = become_root()
    if root is None:
        raise Stop(f"missing: {what}; install with: sudo {shlex.join(install)}")

    say(f"installing packages of the system: {' '.join(packages)}")
    quiet = [*root, "env", "DEBIAN_FRONTEND=noninteractive"]
    with one_at_a_time():
        call([*quiet, "apt-get", "update", "-q"], why="apt-get update")
        call([*quiet, *install], why="apt-get install")
    lacks = missing(needs)
    if lacks:
        raise Stop(f"still missing after the installation: {', '.join(lacks)}", 1)
