# SPDX-License-Identifier: GPL-2.0-only
"""The module in the contrib folder of an ns-3 tree: Debian's source package, or a tree given."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import build
import machine
from console import Stop, call, say
from lock import one_at_a_time

FOLDER = build.ROOT / "build" / "in-tree"
PACKAGE = "ns3"
# csma for a library of tests that ns-3.37 always builds.
MODULES = "linux-tcp;csma"
# Optimised, with ns-3's assertions and logging.
PROFILE = "default"


def suites() -> list[str]:
    """The names of the module's test suites."""
    text = "".join(
        file.read_text(encoding="ascii")
        for file in sorted((build.ROOT / "test").glob("*-test-suite.cc"))
    )
    return sorted(set(re.findall(r'TestSuite\(\s*"([\w-]+)"', text)))


def _targets(*filters: str) -> list[list[str]]:
    """Address, release and component of the package lists that apt is configured for."""
    form = "$(REPO_URI) $(RELEASE) $(COMPONENT)"
    told = subprocess.run(
        ["apt-get", "indextargets", "--format", form, "Created-By: Packages", *filters],
        capture_output=True,
        text=True,
        check=False,
    )
    return [words for line in told.stdout.splitlines() if len(words := line.split()) == 3]


def _source_lists() -> str:
    """The lines of an apt list with the sources of the Debian that this machine's lists name."""
    # The origin is known once the lists have been read.
    targets = _targets("Origin: Debian") or _targets()
    if not targets:
        raise Stop("in-tree: apt-get is configured for no package lists; name a tree with NS3_TREE")
    return "".join(sorted({f"deb-src {' '.join(words)}\n" for words in targets}))


def _fetch() -> Path:
    """Fetch and unpack Debian's source package.

    :return: the folder of ns-3
    """
    trees = sorted(FOLDER.glob("ns-3.*"))
    if trees:
        return trees[0]
    if not machine.has_program("apt-get"):
        raise Stop("in-tree: without apt-get, name an ns-3 tree with NS3_TREE=FOLDER")
    say(f"fetching the source package {PACKAGE}")
    apt = FOLDER / "apt"
    (apt / "lists" / "partial").mkdir(parents=True, exist_ok=True)
    (apt / "sources.list").write_text(_source_lists(), encoding="ascii")
    options = [
        "-o", f"Dir::Etc::SourceList={apt}/sources.list",
        "-o", "Dir::Etc::SourceParts=-",
        "-o", f"Dir::State::Lists={apt}/lists",
        "-o", "APT::Sandbox::User=root",
    ]  # fmt: skip
    call(["apt-get", *options, "update", "-q"], why="reading the lists of source packages")
    call(
        ["apt-get", *options, "source", "-q", "--download-only", PACKAGE],
        why="fetching the source package",
        folder=apt,
    )
    archives = sorted(apt.glob(f"{PACKAGE}_*.orig.tar.*"))
    if not archives:
        raise Stop("the source package has no archive of ns-3", 1)
    call(["tar", "-xf", archives[0], "-C", apt], why="unpacking the source package")
    tree = next(iter(sorted(apt.glob("**/ns-3.*/test.py"))), None)
    if tree is None:
        raise Stop("the source package has no ns-3 tree", 1)
    target = FOLDER / tree.parent.name
    shutil.move(tree.parent, target)
    return target


def prepare() -> Path:
    """Configure and build an ns-3 tree with the module in its contrib folder.

    :return: the folder of ns-3
    """
    machine.require((*machine.ALGORITHM_NEEDS, "tar and bzip2"))
    given = os.environ.get("NS3_TREE")
    if given and not (Path(given) / "test.py").is_file():
        raise Stop(f"NS3_TREE: '{given}' is not the folder of an ns-3 tree")
    with one_at_a_time():
        tree = Path(given).resolve() if given else _fetch()
        link = tree / "contrib" / "linux-tcp"
        if link.is_symlink():
            link.unlink()
        elif link.exists():
            raise Stop(f"in-tree: {link} exists and is not a link")
        link.symlink_to(build.ROOT, target_is_directory=True)
        say(f"configuring {tree.name}")
        call(
            [sys.executable, "ns3", "configure", "-d", PROFILE, "-G", "Ninja"]
            + ["--enable-tests", "--enable-examples", f"--enable-modules={MODULES}"]
            + ["--filter-module-examples-and-tests=linux-tcp"],
            why="configuring ns-3",
            folder=tree,
        )
        say(f"building {tree.name}; the first time takes minutes")
        call(
            ["cmake", "--build", "cmake-cache", "-j", str(os.cpu_count() or 1)],
            why="building ns-3",
            folder=tree,
        )
    return tree
