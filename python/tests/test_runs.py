# SPDX-License-Identifier: GPL-2.0-only
"""The parallel runner: order, storage, resuming, failures, interruption."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from fake_work import VERSIONS

from linux_tcp.errors import Interrupted, OptionError, RunError
from linux_tcp.runs import LocalPool, Progress, Store, run_packed

WORK = "fake_work:square"


def run(scenarios, **arguments):
    return run_packed(scenarios, work=WORK, versions=VERSIONS, **arguments)


def test_results_come_in_the_order_of_the_scenarios(elsewhere):
    # The first takes longest, so it finishes last.
    scenarios = [{"value": value, "sleep": 0.2 if value == 1 else 0.0} for value in (1, 2, 3, 4)]
    assert run(scenarios, jobs=2).payloads == [b"1", b"4", b"9", b"16"]


def test_number_of_jobs_does_not_change_a_byte(elsewhere):
    scenarios = [{"value": value} for value in range(7)]
    assert run(scenarios, jobs=1).payloads == run(scenarios, jobs=2).payloads


def test_finished_runs_are_not_computed_again(elsewhere):
    trace = elsewhere / "trace"
    scenarios = [{"value": value, "trace": str(trace)} for value in (2, 3)]
    store = Store(elsewhere / "store")
    first = run(scenarios, store=store)
    second = run(scenarios, store=store)
    assert (first.cached, second.cached) == (0, 2)
    assert second.payloads == first.payloads == [b"4", b"9"]
    assert sorted(trace.read_text().split()) == ["2", "3"]
    third = run(scenarios, store=store, fresh=True)
    assert third.cached == 0
    assert sorted(trace.read_text().split()) == ["2", "2", "3", "3"]


def test_equal_scenarios_are_computed_once(elsewhere):
    trace = elsewhere / "trace"
    scenario = {"value": 5, "trace": str(trace)}
    assert run([scenario, scenario]).payloads == [b"25", b"25"]
    assert trace.read_text().split() == ["5"]


def test_the_name_of_a_run_depends_on_all_that_decides_it():
    base = Store.key(WORK, {"a": 1, "b": 2}, VERSIONS)
    assert base == Store.key(WORK, {"b": 2, "a": 1}, VERSIONS)
    others = {
        Store.key(WORK, {"a": 1, "b": 3}, VERSIONS),
        Store.key("other:work", {"a": 1, "b": 2}, VERSIONS),
        Store.key(WORK, {"a": 1, "b": 2}, VERSIONS | {"ns-3": "3.1"}),
        Store.key(WORK, {"a": 1, "b": 2}, VERSIONS | {"linux-tcp": "1"}),
    }
    assert len(others | {base}) == 5


def test_a_stored_run_is_there_in_full_or_not_at_all(elsewhere, monkeypatch):
    store = Store(elsewhere / "store")

    def fail(*_):
        raise OSError("disk full")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(OSError, match="disk full"):
        store.save("ab12", b"payload")
    assert store.load("ab12") is None
    assert [file for file in store.folder.rglob("*") if file.is_file()] == []


def test_a_failed_run_names_its_scenario_and_the_others_are_kept(elsewhere):
    store = Store(elsewhere / "store")
    scenarios = [{"value": 2}, {"value": 3, "raise": "no such queue"}, {"value": 4}]
    with pytest.raises(RunError) as caught:
        run(scenarios, store=store, labels=["two", "three", "four"])
    text = str(caught.value)
    assert "1 of 3 runs failed" in text
    assert "run 2 (three): no such queue" in text
    assert '"value":3' in text
    assert caught.value.scenario == scenarios[1]
    assert run([scenarios[0], scenarios[2]], store=store).cached == 2


@pytest.mark.parametrize(
    ("how", "shown"), [({"exit": 7}, "exit code 7"), ({"signal": 6}, "signal SIGABRT")]
)
def test_a_run_that_ends_its_process_fails_alone(elsewhere, how, shown):
    store = Store(elsewhere / "store")
    scenarios = [{"value": value} for value in range(1, 6)]
    scenarios[1] |= how
    with pytest.raises(RunError) as caught:
        run(scenarios, store=store, jobs=2)
    assert shown in str(caught.value)
    if "exit" in how:
        assert "last words" in str(caught.value)
    rest = scenarios[:1] + scenarios[2:]
    assert run(rest, store=store).cached == 4


def test_an_interrupted_series_goes_on_where_it_stopped(elsewhere):
    store = Store(elsewhere / "store")
    scenarios = [{"value": value} for value in range(1, 6)]

    def stop_after_two(progress: Progress) -> None:
        if progress.done == 2:
            raise KeyboardInterrupt

    with pytest.raises(Interrupted) as caught:
        run(scenarios, store=store, jobs=1, observe=stop_after_two)
    assert (caught.value.done, caught.value.total) == (2, 5)
    assert str(store.folder) in str(caught.value)
    again = run(scenarios, store=store)
    assert again.cached == 2
    assert again.payloads == [b"1", b"4", b"9", b"16", b"25"]


def test_ctrl_c_keeps_finished_runs_and_leaves_no_process(elsewhere):
    script = (
        "import fake_work\n"
        "from linux_tcp.runs import Store, run_packed\n"
        "from linux_tcp.errors import Interrupted\n"
        "scenarios = [{'value': 1}, {'value': 2}, {'value': 3, 'sleep': 60}]\n"
        "try:\n"
        "    run_packed(scenarios, work='fake_work:square', versions=fake_work.VERSIONS, jobs=1,\n"
        "               store=Store('store'), observe=lambda p: print(p.done, flush=True))\n"
        "except Interrupted as error:\n"
        "    print(error)\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", script],
        stdout=subprocess.PIPE,
        text=True,
        # The tests may run in the background, which ignores Ctrl-C.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    for line in process.stdout:
        if line.strip() == "2":
            break
    time.sleep(0.2)
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    process.send_signal(signal.SIGINT)
    output, _ = process.communicate(timeout=20)
    assert "interrupted: 2 of 3 runs are finished and are kept in store" in output
    assert children
    assert not any(Path(f"/proc/{child}").exists() for child in children)


def test_a_worker_ends_with_its_parent(elsewhere):
    script = (
        "import fake_work\n"
        "from linux_tcp.runs import Store, run_packed\n"
        "run_packed([{'value': 1}, {'value': 3, 'sleep': 60}], work='fake_work:square',\n"
        "           versions=fake_work.VERSIONS, jobs=1, store=Store('store'),\n"
        "           observe=lambda p: print(p.done, flush=True))\n"
    )
    process = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    for line in process.stdout:
        if line.strip() == "1":
            break
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    process.kill()
    process.wait()
    process.stdout.close()
    assert children
    end = time.monotonic() + 10
    while any(is_running(child) for child in children) and time.monotonic() < end:
        time.sleep(0.1)
    assert not any(is_running(child) for child in children)


def is_running(pid):
    """Tell whether a process is there and has not ended."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_progress_counts(elsewhere):
    store = Store(elsewhere / "store")
    run([{"value": 1}], store=store)
    seen = []
    run(
        [{"value": 1}, {"value": 2}],
        store=store,
        labels=["one", "two"],
        observe=lambda p: seen.append((p.total, p.cached, p.done, p.failed, p.label)),
    )
    assert seen == [(2, 1, 0, 0, ""), (2, 1, 1, 0, "two")]


def test_number_of_jobs_is_checked(elsewhere):
    with pytest.raises(OptionError, match="--jobs: '0' is not allowed; .* at least 1"):
        run([{"value": 1}], jobs=0)


def test_no_more_workers_than_runs(elsewhere, monkeypatch):
    started = []
    start = LocalPool._start
    monkeypatch.setattr(LocalPool, "_start", lambda self: started.append(1) or start(self))
    run([{"value": 1}], jobs=8)
    assert len(started) == 1


def test_dask_is_optional_and_says_so(elsewhere, monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(OptionError, match="--dask: 'tcp://x:1'.*pip install"):
        run([{"value": 1}], dask="tcp://x:1")


def test_dask_gives_the_same_bytes(elsewhere):
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
    ) as cluster:
        scenarios = [{"value": value} for value in range(5)]
        there = run(scenarios, dask=cluster.scheduler_address)
    assert there.payloads == run(scenarios).payloads
