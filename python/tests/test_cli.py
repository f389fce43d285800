# SPDX-License-Identifier: GPL-2.0-only
"""The command line: bad input, exit codes, passing on."""

from __future__ import annotations

import json
import os
import signal
import stat
import subprocess
import sys

import pytest
from conftest import needs_native

from linux_tcp import cli
from linux_tcp.errors import Interrupted, RunError
from linux_tcp.experiments import hystart

GOOD = 'rtt = "10ms"\nbottleneck_rate = "10Mbps"\nduration = "1s"\n[[flows]]\n'


def fails(words, capsys, status=2):
    """Run the command line, expect a failure, return its one line."""
    assert cli.main(words) == status
    lines = capsys.readouterr().err.strip().splitlines()
    assert len(lines) == 1, lines
    return lines[0]


@pytest.mark.parametrize(
    ("words", "parts"),
    [
        (["reproduce", "hystarr"], ["hystarr", "hystart"]),
        (["reproduce", "hystart", "--runs", "0"], ["--runs", "'0'", "at least 1"]),
        (["reproduce", "hystart", "--runs", "many"], ["--runs", "'many'", "whole number"]),
        (["reproduce", "hystart", "--jobs", "0"], ["--jobs", "'0'", "at least 1"]),
        (["reproduce", "hystart", "--seed", "0"], ["--seed", "'0'", "at least 1"]),
        (["reproduce", "hystart", "--out", "/proc/nowhere"], ["--out", "/proc/nowhere", "folder"]),
        (["reproduce", "hystart", "--json", "/proc/no/x"], ["--json", "/proc/no/x", "file"]),
        (["reproduce", "hystart", "--store", "/proc/no"], ["--store", "/proc/no", "folder"]),
        (["reproduce", "hystart", "--sped", "3"], ["--sped", "--seed"]),
        (["reprduce"], ["reprduce"]),
        (["run"], ["SCENARIO"]),
        (["run", "none.toml"], ["none.toml", "No such file"]),
        (["run", "scenario.txt"], ["scenario.txt", ".toml"]),
        (["run", "good.toml", "--set", "rtt"], ["--set", "rtt", "FIELD=VALUE"]),
        (["run", "good.toml", "--set", "rtt=5"], ["rtt", "'5'", "80ms"]),
        (["run", "good.toml", "--set", "flows[0].rttt=5ms"], ["flows[0].rttt", "known are"]),
        (["run", "bad.toml"], ["flows[0].speed", "'fast'", "known are"]),
        (["bench", "quick"], ["quick", "fq", "algorithm"]),
    ],
)
def test_bad_input_is_one_line_and_status_2(words, parts, elsewhere, capsys):
    (elsewhere / "good.toml").write_text(GOOD)
    (elsewhere / "bad.toml").write_text(GOOD + 'speed = "fast"\n')
    (elsewhere / "scenario.txt").write_text(GOOD)
    line = fails(words, capsys)
    assert line.startswith("linux-tcp: ")
    for part in parts:
        assert part in line


def test_one_output_for_several_experiments_is_refused(elsewhere, capsys):
    line = fails(["reproduce", "hystart", "hystart", "--json", "x.json"], capsys)
    assert "--json" in line and "one experiment" in line


def test_an_interruption_says_how_to_go_on(elsewhere, capsys, monkeypatch):
    def stop(*_):
        raise Interrupted(3, 20, "results/cache")

    monkeypatch.setattr(hystart.Hystart, "reproduce", stop)
    line = fails(["reproduce", "hystart"], capsys, status=130)
    assert "3 of 20 runs are finished and are kept in results/cache" in line
    assert "the same command goes on from there" in line


def test_a_failed_run_is_status_1(elsewhere, capsys, monkeypatch):
    def fail(*_):
        raise RunError("run 3 failed", {})

    monkeypatch.setattr(hystart.Hystart, "reproduce", fail)
    assert "run 3 failed" in fails(["reproduce", "hystart"], capsys, status=1)


@pytest.mark.parametrize("words", [["--help"], ["reproduce", "--help"], ["run", "-h"], []])
def test_help(words, capsys):
    assert cli.main(words) == 0
    assert "Usage" in capsys.readouterr().out


def test_programs_of_the_build_are_taken_over(elsewhere):
    build = elsewhere / "build" / "wheel"
    algorithm = elsewhere / "build" / "algorithm"
    build.mkdir(parents=True)
    algorithm.mkdir()
    program = algorithm / "linux-tcp-replay"
    program.write_text('#!/bin/sh\necho "$@"\nexit 7\n')
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    words = ["replay", "--algorithm", "cubic", "--set", "beta=717", "a.csv", "--help"]
    run = subprocess.run(
        [sys.executable, "-m", "linux_tcp", *words],
        env=os.environ | {"LINUX_TCP_BUILD": str(build)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (run.returncode, run.stdout.split()) == (7, words[1:])


def test_a_missing_program_is_an_error(elsewhere, capsys, monkeypatch):
    monkeypatch.delenv("LINUX_TCP_BUILD", raising=False)
    monkeypatch.setenv("PATH", "")
    assert "linux-tcp-replay is not installed" in fails(["replay", "x"], capsys, status=1)


def test_experiments_are_listed(capsys):
    assert cli.main(["experiment", "list"]) == 0
    assert "hystart" in capsys.readouterr().out


@needs_native
def test_list_and_version(capsys):
    assert cli.main(["list"]) == 0
    text = capsys.readouterr().out
    assert "hystart" in text and "cubic" in text and "fq_codel" in text
    assert cli.main(["version"]) == 0
    assert "ns-3 3." in capsys.readouterr().out


@needs_native
def test_a_scenario_runs_from_a_file(elsewhere, capsys):
    (elsewhere / "good.toml").write_text(GOOD)
    assert cli.main(["run", "good.toml", "--set", "flows[0].congestion_control=reno"]) == 0
    text = capsys.readouterr().out
    assert "reno" in text and "goodput" in text
    assert cli.main(["run", "good.toml", "--csv", "tables"]) == 0
    assert (elsewhere / "tables" / "flows.csv").read_text().count("\n") == 2


TINY = """
import sys
from linux_tcp import cli, experiments
experiments.REGISTRY["tiny"] = ("tiny_experiment", "Tiny")
sys.exit(cli.main(sys.argv[1:]))
"""


def take_ctrl_c():
    """Let a child be interrupted even where the tests run in the background, which ignores it."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def reproduce_tiny(*words):
    """Start ``reproduce tiny`` as a process of its own."""
    return subprocess.Popen(
        [sys.executable, "-c", TINY, "reproduce", "tiny", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=take_ctrl_c,
    )


@needs_native
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_keeps_what_is_done_and_the_next_call_goes_on(elsewhere, how):
    process = reproduce_tiny("--jobs", "1")
    for line in process.stdout:
        if line.startswith("tiny: 4 of 5 "):
            break
    process.send_signal(how)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130, errors
    assert "4 of 5 runs are finished and are kept in results/cache" in errors
    process = reproduce_tiny("--quick", "--strict", "--json", "claims.json")
    output, errors = process.communicate(timeout=60)
    assert process.returncode == 0, errors
    assert "2 runs in" in output and "2 of them from an earlier call" in output
    assert json.loads((elsewhere / "claims.json").read_text())["claims"][0]["holds"]


@needs_native
def test_the_number_of_jobs_changes_no_byte_of_the_output(elsewhere):
    for jobs in ("1", "2"):
        process = reproduce_tiny(
            "--quick", "--jobs", jobs, "--out", f"out{jobs}", "--store", f"store{jobs}"
        )
        _, errors = process.communicate(timeout=60)
        assert process.returncode == 0, errors
    for folder in ("out", "store"):
        files = [
            {
                str(file.relative_to(elsewhere / f"{folder}{jobs}")): file.read_bytes()
                for file in (elsewhere / f"{folder}{jobs}").rglob("*")
                if file.is_file()
            }
            for jobs in ("1", "2")
        ]
        assert files[0] == files[1]
        assert files[0]
