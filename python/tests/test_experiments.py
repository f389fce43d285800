# SPDX-License-Identifier: GPL-2.0-only
"""What all experiments share: options, files, page, terminal."""

from __future__ import annotations

import io
import json
from pathlib import Path
from types import SimpleNamespace

import pandas
import pyarrow.parquet
import pytest
from fixtures import VERSIONS, result
from rich.console import Console

from linux_tcp import engine, report
from linux_tcp.errors import OptionError
from linux_tcp.experiments import base, get, names
from linux_tcp.experiments.base import (
    Analysis,
    Case,
    Claim,
    Column,
    Dataset,
    Experiment,
    Options,
    Origin,
    Parameter,
    Table,
    check_file,
    check_folder,
    show,
)
from linux_tcp.plots import Figure
from linux_tcp.scenario import dumbbell


class Example(Experiment):
    """An experiment of two runs."""

    name = "example"
    title = "An <example>"
    question = "Does it work?"
    source = "Made up."

    def parameters(self, options):
        return [
            Parameter("rtt", "40ms", Origin.SEED, "stated"),
            Parameter("jitter", "1ms", Origin.CALIBRATION, "fits"),
        ]

    def cases(self, options):
        for run in range(options.count(default=2, quick=1)):
            yield Case({"run": run + 1}, dumbbell(flows=["cubic"], run_number=options.seed + run))

    def analyse(self, runs, options):
        rates = [float(run.result.flows.goodput[0]) / 1e6 for run in runs]
        return Analysis(
            claims=[
                Claim("EX-1", "100 Mbit/s", rates, "all above 90", min(rates) > 90),
                Claim("EX-2", 3, {"drops": float("nan")}, "none", False),
            ],
            tables=[Table("Rates & more", [Column("run"), Column("rate", "Mbit/s", 1)],
                          [[run["run"], rate] for run, rate in zip(runs, rates)])],
            counters={"all runs": {"TcpExtTCPHystartTrainDetect": 2}},
            figures=[Figure("rates", "Rates", "One a run.",
                            lambda canvas: canvas.subplots().plot(rates))],
            data=[Dataset("rates", pandas.DataFrame({"run": [1], "rate": [1.5]}),
                          {"rate": "Mbit/s"})],
            notes=["A note."],
        )


@pytest.fixture
def simulated(monkeypatch):
    """Let runs come from a fixture instead of the simulator."""
    calls = []

    def run_packed(scenarios, **arguments):
        calls.append((scenarios, arguments))
        payloads = [result(scenario, mbps=95.0).pack() for scenario in scenarios]
        return SimpleNamespace(payloads=payloads, cached=1, seconds=2.0)

    monkeypatch.setattr(base, "run_packed", run_packed)
    monkeypatch.setattr(engine, "shown_versions", lambda: VERSIONS)
    return calls


def test_output_of_an_experiment(elsewhere, simulated):
    screen = io.StringIO()
    claims = elsewhere / "claims.json"
    options = Options(out=elsewhere / "out", json=claims, seed=5)
    Example().reproduce(options, Console(file=screen, width=120))

    document = json.loads(claims.read_text())
    assert document == json.loads((elsewhere / "out" / "example.json").read_text())
    assert set(document) == {"experiment", "versions", "parameters", "claims"}
    assert document["experiment"] == "example"
    assert document["versions"] == VERSIONS
    assert document["claims"] == [
        {"id": "EX-1", "seed": "100 Mbit/s", "ours": [95.0, 95.0], "expected": "all above 90",
         "holds": True},
        {"id": "EX-2", "seed": 3, "ours": {"drops": None}, "expected": "none", "holds": False},
    ]
    assert document["parameters"]["values"][1]["origin"] == "calibration"

    scenarios = json.loads((elsewhere / "out" / "scenarios.json").read_text())
    assert [item["labels"] for item in scenarios] == [{"run": 1}, {"run": 2}]
    assert [item["scenario"]["run_number"] for item in scenarios] == [5, 6]

    assert (elsewhere / "out" / "rates.csv").read_text() == "run,rate (Mbit/s)\n1,1.5\n"
    table = pyarrow.parquet.read_table(elsewhere / "out" / "rates.parquet")
    assert table.schema.field("rate").metadata[b"unit"] == b"Mbit/s"
    assert (elsewhere / "out" / "rates.png").read_bytes().startswith(b"\x89PNG")

    page = (elsewhere / "out" / "report.html").read_text()
    for part in ("An &lt;example&gt;", "Rates &amp; more", "<svg", "calibration", "a --- b",
                 "A note.", "./run reproduce example --seed 5", "does not hold", "rate (Mbit/s)"):
        assert part in page
    assert "src=" not in page and "href=\"http" not in page.replace("xlink:href", "")

    text = screen.getvalue()
    for part in ("EX-1", "holds", "does not hold", "TcpExtTCPHystartTrainDetect     2",
                 "2 runs in 2 s, 1 of them from an earlier call"):
        assert part in text


def test_runs_quick_and_jobs_reach_the_runner(elsewhere, simulated):
    Example().reproduce(Options(quick=True, jobs=2, fresh=True, store=elsewhere / "store"))
    scenarios, arguments = simulated[0]
    assert len(scenarios) == 1
    assert (arguments["jobs"], arguments["fresh"]) == (2, True)
    assert arguments["labels"] == ["run 1"]
    assert Options(runs=7, quick=True).count(default=10, quick=2) == 7
    assert (elsewhere / "results" / "example" / "report.html").is_file()


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"runs": 0}, "--runs: '0' .*at least 1"),
        ({"seed": 0}, "--seed: '0' .*at least 1"),
        ({"jobs": -1}, "--jobs: '-1' .*at least 1"),
    ],
)
def test_options_are_checked(values, message):
    with pytest.raises(OptionError, match=message):
        Options(**values)


def test_output_is_checked_before_anything_runs(elsewhere, simulated):
    (elsewhere / "file").write_text("")
    with pytest.raises(OptionError, match="--out: .*file/x' .*folder that can be written"):
        Example().reproduce(Options(out=elsewhere / "file" / "x"))
    with pytest.raises(OptionError, match="--json: .*there is no folder"):
        Example().reproduce(Options(json=elsewhere / "none" / "x.json"))
    with pytest.raises(OptionError, match="--json: .*it is a folder"):
        Example().reproduce(Options(json=elsewhere))
    assert simulated == []


def test_checks_leave_no_trace(elsewhere):
    check_file("--json", elsewhere / "new.json")
    assert list(elsewhere.iterdir()) == []
    old = elsewhere / "old.json"
    old.write_text("kept")
    check_file("--json", old)
    assert old.read_text() == "kept"
    check_folder("--out", elsewhere / "a" / "b")
    assert list((elsewhere / "a" / "b").iterdir()) == []


def test_counters_look_as_nstat_prints_them():
    # Layout of iproute2's nstat: name in 32 columns, value in 16, rate with one digit in 6.
    assert report.nstat({"TcpExtTCPHystartTrainDetect": 2, "TcpExtTCPHystartTrainCwnd": 4756}) == (
        "#kernel\n"
        "TcpExtTCPHystartTrainDetect     2                  0.0\n"
        "TcpExtTCPHystartTrainCwnd       4756               0.0"
    )


def test_values_are_written_for_readers():
    assert show(None) == "-"
    assert show(float("nan"), 2) == "-"
    assert show(True) == "yes"
    assert show(251.094, 2) == "251.09"
    assert show(0.123456) == "0.1235"
    assert show({"a": 1.0, "b": [1, 2]}, 1) == "a 1.0; b 1, 2"
    assert show(pandas.Series([1, 2]).max()) == "2"


def test_registry():
    assert "hystart" in names()
    for name in names():
        experiment = get(name)
        assert (experiment.name, bool(experiment.title)) == (name, True)
    with pytest.raises(OptionError, match="experiment: 'hystarr' .*hystart"):
        get("hystarr")


def test_a_file_is_written_in_full_or_not_at_all(elsewhere):
    target = elsewhere / "report.html"
    report.write_text(target, "old")
    with pytest.raises(UnicodeEncodeError):
        report.write_text(target, "new \ud800")
    assert target.read_text() == "old"
    assert list(Path(elsewhere).iterdir()) == [target]
