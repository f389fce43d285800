# SPDX-License-Identifier: GPL-2.0-only
"""The build files agree with each other and with the files that are there."""

from __future__ import annotations

import re
import runpy
import tomllib
from pathlib import Path
from types import SimpleNamespace

import pytest

ROOT = Path(__file__).resolve().parents[2]


def cmake_lists(file: str) -> dict[str, list[str]]:
    """The lists that a CMake file sets, by name."""
    text = re.sub(r"#.*", "", (ROOT / file).read_text(encoding="ascii"))
    return {name: words.split() for name, words in re.findall(r"set\((\w+)\s([^)]*)\)", text)}


MODULE = cmake_lists("CMakeLists.txt")
EXTRAS = cmake_lists("cmake/standalone-extras.cmake")


def found(*patterns: str) -> list[str]:
    """The files in the repository that match, relative to its root."""
    return sorted(str(file.relative_to(ROOT)) for pattern in patterns for file in ROOT.glob(pattern))


@pytest.mark.parametrize(
    ("listed", "patterns"),
    [
        (MODULE["algorithm_sources"], ["model/algorithm/*.cc"]),
        (MODULE["algorithm_headers"], ["model/algorithm/*.h"]),
        (MODULE["module_sources"], ["model/*.cc", "helper/*.cc"]),
        (MODULE["module_headers"], ["model/*.h", "helper/*.h"]),
        (MODULE["module_test_sources"], ["test/*-test-suite.cc"]),
        (EXTRAS["algorithm_test_sources"], ["test/algorithm/*.cc"]),
    ],
)
def test_every_file_is_listed_once_in_alphabetical_order(
    listed: list[str], patterns: list[str]
) -> None:
    assert listed == sorted(set(listed))
    assert listed == found(*patterns)


def test_headers_have_names_of_their_own() -> None:
    # ns-3 puts all headers into one folder.
    names = [Path(file).name for file in MODULE["algorithm_headers"] + MODULE["module_headers"]]
    assert len(names) == len(set(names))


class FakeWaf(SimpleNamespace):
    """As much of waf's build context as a module's wscript uses."""

    def __init__(self, version: str, folder: Path) -> None:
        (folder / "VERSION").write_text(version + "\n", encoding="ascii")
        node = SimpleNamespace(abspath=lambda: str(folder))
        super().__init__(
            path=SimpleNamespace(abspath=lambda: str(ROOT)),
            srcnode=node,
            bldnode=node,
            env={"ENABLE_EXAMPLES": True},
            recursed=[],
        )

    def create_ns3_module(self, name: str, modules: list[str]) -> SimpleNamespace:
        """Make the module's library."""
        self.module = SimpleNamespace(name=name, modules=modules)
        return self.module

    def create_ns3_module_test_library(self, name: str) -> SimpleNamespace:
        """Make the library of the module's tests."""
        self.tests = SimpleNamespace(name=name)
        return self.tests

    def __call__(self, features: str) -> SimpleNamespace:
        """Make a task generator."""
        self.headers = SimpleNamespace(features=features)
        return self.headers

    def recurse(self, folder: str) -> None:
        """Run the wscript of a folder."""
        self.recursed.append(folder)


def test_wscript_builds_what_cmake_builds(tmp_path: Path) -> None:
    waf = FakeWaf("3.35", tmp_path)
    runpy.run_path(str(ROOT / "wscript"))["build"](waf)

    text = (ROOT / "CMakeLists.txt").read_text(encoding="ascii")
    assert waf.module.modules == re.findall(r"\$\{lib([\w-]+)\}", text)
    assert waf.module.source == found("model/algorithm/*.cc") + MODULE["module_sources"]
    assert waf.headers.source == found("model/algorithm/*.h") + MODULE["module_headers"]
    assert waf.tests.source == found("test/*-test-suite.cc")
    assert waf.recursed == ["examples"]
    config = (tmp_path / "ns3" / "linux-tcp-config.h").read_text(encoding="ascii")
    assert "#define LINUX_TCP_NS3_VERSION 3035\n" in config


def test_example_wscript_builds_what_cmake_builds() -> None:
    class Examples:
        """Waf's build context in the folder of the examples."""

        path = SimpleNamespace(abspath=lambda: str(ROOT / "examples"))

        def __init__(self) -> None:
            self.names: list[str] = []

        def create_ns3_program(self, name: str, _: list[str]) -> SimpleNamespace:
            """Make a program."""
            self.names.append(name)
            return SimpleNamespace()

    waf = Examples()
    runpy.run_path(str(ROOT / "examples" / "wscript"))["build"](waf)
    text = (ROOT / "examples" / "CMakeLists.txt").read_text(encoding="ascii")
    assert waf.names == re.findall(r"NAME\s+([\w-]+)", text)


def test_one_version_of_everything() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    pins = [
        line
        for file in ("requirements.txt", "requirements-ns3.txt")
        for line in (ROOT / file).read_text(encoding="ascii").splitlines()
        if line and not line.startswith("#")
    ]
    assert all(re.fullmatch(r"[\w.-]+==[\w.]+", pin) for pin in pins)
    exact = {re.sub(r"[-_.]+", "-", pin).lower() for pin in pins}
    for requirement in project["build-system"]["requires"]:
        assert re.sub(r"[-_.]+", "-", requirement).lower() in exact
    names = {pin.partition("==")[0].lower() for pin in pins}
    for requirement in project["project"]["dependencies"]:
        assert re.split(r"[<>=]", requirement)[0].lower() in names


def test_version_is_that_of_the_changes() -> None:
    version = (ROOT / "VERSION").read_text(encoding="ascii").strip()
    changes = (ROOT / "CHANGES.md").read_text(encoding="ascii")
    assert re.findall(r"^## (\S+)", changes, re.MULTILINE)[0] == version
