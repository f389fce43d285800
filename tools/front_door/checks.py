# SPDX-License-Identifier: GPL-2.0-only
"""The tests of this machine: each part builds what it needs, runs, and counts its test cases."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import build
import environment
import in_tree
import machine
from console import Stop, call, say

FUZZ_OPERATIONS = 10_000_000


@dataclass(frozen=True)
class Count:
    """How many test cases passed and failed, and how many were not run on this machine."""

    passed: int = 0
    failed: int = 0
    skipped: int = 0

    def __add__(self, other: Count) -> Count:
        return Count(
            self.passed + other.passed, self.failed + other.failed, self.skipped + other.skipped
        )

    def __str__(self) -> str:
        skipped = f", {self.skipped} skipped" if self.skipped else ""
        return f"{self.passed} passed, {self.failed} failed{skipped}"


def _junit(file: Path, status: int) -> Count:
    """Count the cases of a JUnit file.

    A run that stopped without a word, or that failed without a failing case, counts as one failure.
    """
    passed = failed = skipped = 0
    try:
        for case in ElementTree.parse(file).iter("testcase"):
            if case.find("failure") is not None or case.find("error") is not None:
                failed += 1
            elif case.find("skipped") is not None:
                skipped += 1
            else:
                passed += 1
    except (OSError, ElementTree.ParseError):
        return Count(failed=1)
    if status != 0 and failed == 0:
        failed = 1
    return Count(passed, failed, skipped)


def _run_algorithms(tests: build.Build) -> Count:
    """Run the Boost.Test program of a build."""
    results = tests.folder / "algorithm-results.xml"
    results.unlink(missing_ok=True)
    status = subprocess.run(
        [tests.program("linux-tcp-algorithm-tests")]
        + [f"--logger=HRF,error,stdout:JUNIT,all,{results}", "--color_output=no"],
        check=False,
    ).returncode
    return _junit(results, status)


def _run_fuzz(tests: build.Build, operations: int) -> Count:
    """Compare the fair queue scheduler with a plain model of it over random operations."""
    program = tests.program("linux-tcp-fq-fuzz")
    status = subprocess.run([program, "--operations", str(operations)], check=False).returncode
    return Count(failed=1) if status else Count(passed=1)


def check_algorithms(_: str) -> Count:
    """The tests of the pure algorithms."""
    machine.require(machine.TEST_NEEDS)
    tests = build.algorithms()
    tests.make()
    return _run_algorithms(tests)


def check_vectors(_: str) -> Count:
    """The vectors kept in test/vectors, one case a file, by the replay program.

    The name of a directory is the algorithm's, with a remark after an underscore.
    """
    machine.require(machine.REPLAY_NEEDS)
    replay = build.algorithms()
    replay.make("linux-tcp-replay")
    program = replay.program("linux-tcp-replay")
    vectors = build.ROOT / "test" / "vectors"
    count = Count()
    for folder in sorted(entry for entry in vectors.iterdir() if entry.is_dir()):
        files = sorted(file.relative_to(build.ROOT) for file in folder.glob("*.csv*"))
        run = subprocess.run(
            [program, "--algorithm", folder.name.partition("_")[0]]
            + ["--parameters", str(vectors / "parameters.csv"), *files],
            cwd=build.ROOT,
            stdout=subprocess.PIPE,
            text=True,
            check=False,
        )
        found = re.findall(r": rows (\d+), fields \d+, mismatches (\d+)$", run.stdout, re.MULTILINE)
        passed = sum(rows != "0" and mismatches == "0" for rows, mismatches in found)
        failed = len(files) - passed
        if run.returncode != 0 and failed == 0:
            failed = 1
        if failed:
            print(run.stdout, flush=True)
        print(f"{folder.relative_to(build.ROOT)}: {passed} of {len(files)} files agree", flush=True)
        count += Count(passed, failed)
    return count


def suite_count(file: Path, status: int) -> Count:
    """Count the innermost cases of a file with results of ns-3's tests.

    :param file: the file, as the test runner or test.py writes it
    :param status: exit status of what wrote it
    :return: the count; a run without a case, or that failed without a failing case, is one failure
    """
    passed = failed = 0
    try:
        # The runner writes one <Test> after the other, without a root; test.py has one.
        text = file.read_text(encoding="utf-8", errors="replace").strip()
        text = re.sub(r"^<\?xml[^>]*\?>", "", text)
        for test in ElementTree.fromstring(f"<root>{text}</root>").iter("Test"):
            if test.find("Test") is None:
                if test.findtext("Result", "").strip() == "PASS":
                    passed += 1
                else:
                    failed += 1
    except (OSError, ElementTree.ParseError):
        return Count(failed=1)
    if passed + failed == 0 or (status != 0 and failed == 0):
        failed += 1
    return Count(passed, failed)


def _run_suite(runner: Path, suite: str, results: Path) -> Count:
    """Run one suite in a process of its own; its words are shown if it fails."""
    output = results / f"{suite}.xml"
    run = subprocess.run(
        [runner, f"--suite={suite}", "--fullness=EXTENSIVE", "--xml", f"--out={output}"],
        capture_output=True,
        text=True,
        check=False,
        cwd=results,
    )
    count = suite_count(output, run.returncode)
    words = f"{suite}: {count}"
    if count.failed:
        details = subprocess.run(
            [runner, f"--suite={suite}", "--fullness=EXTENSIVE", "--verbose"],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            check=False,
            cwd=results,
        )
        words += f"\n{details.stdout}"
    print(words, flush=True)
    return count


def _run_suites(tests: build.Build) -> Count:
    """Run all suites of a build's test runner, as many at once as there are cores."""
    runner = tests.program("linux-tcp-test-runner")
    listed = subprocess.run([runner, "--list"], capture_output=True, text=True, check=False)
    suites = sorted(set(listed.stdout.split()))
    if listed.returncode != 0 or not suites:
        raise Stop("the test runner lists no suite", 1)
    results = tests.folder / "suite-results"
    shutil.rmtree(results, ignore_errors=True)
    results.mkdir()
    pool = ThreadPoolExecutor(os.cpu_count())
    try:
        return sum(pool.map(lambda suite: _run_suite(runner, suite, results), suites), Count())
    finally:
        pool.shutdown(cancel_futures=True)


def check_module(ns3: str) -> Count:
    """The module's suites, by the module's own runner of ns-3's tests."""
    tests = build.prepare_module(ns3)
    tests.make()
    return _run_suites(tests)


def check_sanitizers(_: str) -> Count:
    """Algorithms and fuzzing again, with AddressSanitizer and UndefinedBehaviorSanitizer."""
    machine.require(machine.TEST_NEEDS)
    tests = build.sanitized_algorithms()
    tests.make("linux-tcp-algorithm-tests", "linux-tcp-fq-fuzz")
    return _run_algorithms(tests) + _run_fuzz(tests, FUZZ_OPERATIONS)


def check_sanitized_module(ns3: str) -> Count:
    """The module's suites again, with the same sanitizers; takes long to build."""
    tests = build.prepare_sanitized_module(ns3)
    tests.make("linux-tcp-test-runner")
    return _run_suites(tests)


def check_format(_: str) -> Count:
    """The layout of the C++ files, one case a file."""
    machine.require(("clang-format 14",))
    listed = subprocess.run(
        ["git", "-C", build.ROOT, "ls-files", "*.cc", "*.h"],
        capture_output=True,
        text=True,
        check=False,
    )
    files = listed.stdout.split()
    if listed.returncode != 0 or not files:
        raise Stop("git lists no C++ file", 1)
    program = machine.clang_format()
    count = Count()
    for file in files:
        status = subprocess.run(
            [program, "--dry-run", "-Werror", file], cwd=build.ROOT, check=False
        ).returncode
        count += Count(failed=1) if status else Count(passed=1)
    return count


def check_python(ns3: str) -> Count:
    """The Python tests, against the extension of the chosen ns-3."""
    machine.require(machine.REPLAY_NEEDS)
    algorithms = build.algorithms()
    algorithms.make("linux-tcp-replay")
    tests = build.prepare_module(ns3)
    tests.make()
    results = tests.folder / "python-results.xml"
    results.unlink(missing_ok=True)
    variables = build.python_environment(tests)
    call(
        [environment.PYTHON, "-B", "-c", "import _linux_tcp"],
        why="importing the extension",
        environment=variables,
    )
    status = subprocess.run(
        [environment.PYTHON, "-B", "-m", "pytest", "-q", f"--junitxml={results}"]
        + ["-p", "no:cacheprovider", str(build.ROOT / "python" / "tests")],
        env=variables,
        cwd=build.ROOT,
        check=False,
    ).returncode
    return _junit(results, status)


def check_in_tree(_: str) -> Count:
    """The module in the contrib folder of an ns-3 tree, with that tree's test.py.

    The suites of ns-3 that the tree has built run too, as test.py runs all at once on all cores.
    """
    tree = in_tree.prepare()
    results = tree / "build" / "test-py-results.xml"  # test.py adds the ending
    results.unlink(missing_ok=True)
    status = subprocess.run(
        [sys.executable, "test.py", "--no-build", f"--xml={results.with_suffix('')}"],
        cwd=tree,
        check=False,
    ).returncode
    count = suite_count(results, status)
    text = results.read_text(encoding="utf-8", errors="replace") if results.is_file() else ""
    for suite in in_tree.suites():
        if f"<Name>{suite}</Name>" not in text:
            say(f"in-tree: test.py did not run the suite {suite}")
            count += Count(failed=1)
    return count


PARTS: dict[str, Callable[[str], Count]] = {
    "algorithms": check_algorithms,
    "vectors": check_vectors,
    "module": check_module,
    "python": check_python,
}
MORE_PARTS: dict[str, Callable[[str], Count]] = {
    "format": check_format,
    "in-tree": check_in_tree,
    "sanitizers": check_sanitizers,
    "sanitized-module": check_sanitized_module,
}


def run(parts: list[str], ns3: str) -> int:
    """Run the parts and print the sum as the last line.

    :param parts: keys of PARTS and MORE_PARTS; all of PARTS if empty
    :param ns3: "wheel" or "system"
    :return: exit status: 0 if nothing failed, else 1
    """
    known = PARTS | MORE_PARTS
    for part in parts:
        if part not in known:
            raise Stop(f"test: unknown part '{part}'; allowed are {', '.join(known)}")
    total = Count()
    lines = []
    for part in parts or PARTS:
        say(f"tests: {part}")
        try:
            count = known[part](ns3)
            if count.passed + count.failed == 0:
                raise Stop(f"tests: {part}: no test case was run", 1)
        except Stop as stop:
            if stop.status == 2:
                raise
            say(str(stop))
            count = Count(failed=1)
        total += count
        lines.append(f"{part}: {count}")
    print("\n" + "\n".join(lines))
    print(f"{total.passed} passed, {total.failed} failed", flush=True)
    return 1 if total.failed or not total.passed else 0
