# SPDX-License-Identifier: GPL-2.0-only
"""The tests of this machine: each part builds what it needs, runs, and counts its test cases."""

from __future__ import annotations

import os
import shutil
import subprocess
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import build
import environment
import machine
from console import Stop, say


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


def _results(folder: Path) -> Path:
    """An empty folder for the files with the results."""
    results = folder / "test-results"
    shutil.rmtree(results, ignore_errors=True)
    results.mkdir(parents=True)
    return results


def check_algorithms(_: str) -> Count:
    """Boost.Test programs of the pure algorithms."""
    machine.require(machine.TEST_NEEDS)
    tests = build.algorithms()
    tests.make()
    results = _results(tests.folder) / "algorithms.xml"
    status = subprocess.run(
        [tests.program("linux-tcp-algorithm-tests")]
        + [f"--logger=HRF,error,stdout:JUNIT,all,{results}", "--color_output=no"],
        check=False,
    ).returncode
    return _junit(results, status)


def _suite_count(file: Path, status: int) -> Count:
    """Count the innermost cases of a file with results of ns-3's test runner."""
    passed = failed = 0
    try:
        # The runner writes one <Test> after the other, without a root.
        text = file.read_text(encoding="utf-8", errors="replace")
        text = text[text.index("?>") + 2 :] if text.startswith("<?xml") else text
        if not text.lstrip().startswith("<TestResults"):
            text = f"<TestResults>{text}</TestResults>"
        for test in ElementTree.fromstring(text).iter("Test"):
            if test.find("Test") is None:
                if test.findtext("Result", "").strip() == "PASS":
                    passed += 1
                else:
                    failed += 1
    except (OSError, ValueError, ElementTree.ParseError):
        return Count(failed=1)
    if passed + failed == 0 or (status != 0 and failed == 0):
        failed += 1
    return Count(passed, failed)


def _run_suite(runner: Path, suite: str, results: Path) -> Count:
    output = results / f"{suite}.xml"
    run = subprocess.run(
        [runner, f"--suite={suite}", "--fullness=EXTENSIVE", "--xml", f"--out={output}"],
        capture_output=True,
        text=True,
        check=False,
        cwd=results,
    )
    count = _suite_count(output, run.returncode)
    print(f"{suite}: {count}", flush=True)
    if count.failed:
        details = subprocess.run(
            [runner, f"--suite={suite}", "--fullness=EXTENSIVE", "--verbose"],
            capture_output=True,
            text=True,
            check=False,
            cwd=results,
        )
        print(details.stdout + details.stderr, flush=True)
    return count


def check_module(ns3: str) -> Count:
    """The module's suites, each in a process of its own, by its own runner of ns-3's tests."""
    tests = build.prepare_module(ns3)
    tests.make()
    runner = tests.program("linux-tcp-test-runner")
    listed = subprocess.run([runner, "--list"], capture_output=True, text=True, check=False)
    suites = sorted(set(listed.stdout.split()))
    if listed.returncode != 0 or not suites:
        raise Stop("the test runner lists no suite", 1)
    results = _results(tests.folder)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        counts = pool.map(lambda suite: _run_suite(runner, suite, results), suites)
        return sum(counts, Count())


def check_python(ns3: str) -> Count:
    """The Python tests, against the extension of the chosen ns-3."""
    tests = build.prepare_module(ns3)
    tests.make()
    results = tests.folder / "pytest.xml"
    results.unlink(missing_ok=True)
    variables = build.python_environment(tests)
    variables["LINUX_TCP_ALGORITHM_BUILD"] = str(build.algorithms().folder)
    status = subprocess.run(
        [environment.PYTHON, "-B", "-m", "pytest", "-q", f"--junitxml={results}"]
        + ["-p", "no:cacheprovider", str(build.ROOT / "python" / "tests")],
        env=variables,
        cwd=build.ROOT,
        check=False,
    ).returncode
    return _junit(results, status)


PARTS: dict[str, Callable[[str], Count]] = {
    "algorithms": check_algorithms,
    "module": check_module,
    "python": check_python,
}


def run(parts: list[str], ns3: str) -> int:
    """Run the parts and print the sum as the last line.

    :param parts: keys of PARTS; all if empty
    :param ns3: "wheel" or "system"
    :return: exit status: 0 if nothing failed, else 1
    """
    for part in parts:
        if part not in PARTS:
            raise Stop(f"test: unknown part '{part}'; allowed are {', '.join(PARTS)}")
    total = Count()
    lines = []
    for part in parts or PARTS:
        say(f"tests: {part}")
        try:
            count = PARTS[part](ns3)
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
