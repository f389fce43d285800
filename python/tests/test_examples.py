# SPDX-License-Identifier: GPL-2.0-only
"""The example programs against the same scenarios run from Python."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from conftest import needs_native

from linux_tcp import engine
from linux_tcp.experiments import hystart
from linux_tcp.scenario import Flow

TABLES = {
    "flows": "flows",
    "samples": "samples",
    "queues": "queues",
    "drops": "drops",
    "exits": "exits",
}


def program(name: str) -> Path:
    """Return an example program of the build that the extension is from."""
    import _linux_tcp

    build = Path(_linux_tcp.__file__).resolve().parents[1]
    path = build / "examples" / name
    if not path.is_file():
        pytest.skip(f"{name} is not built ({os.path.relpath(build)} has no examples)")
    return path


def option(name: str, value: object) -> str:
    """Return an option of an example program."""
    text = str(value).lower() if isinstance(value, bool) else value
    return f"--{name}={text}"


def flow_option(flow: Flow) -> str:
    """Return the option that gives an example program this flow."""
    fields = {
        "cc": flow.congestion_control,
        "start": flow.start,
        "windowLimit": flow.window_limit,
        **{f"cc.{key}": value for key, value in flow.congestion_attributes.items()},
        **{f"socket.{key}": value for key, value in flow.socket_attributes.items()},
    }
    return option("flow", ";".join(f"{key}={value}" for key, value in fields.items()))


def printed(name: str, *options: str) -> str:
    """Return what an example program prints."""
    return subprocess.run(
        [program(name), *options], capture_output=True, text=True, check=True
    ).stdout


@needs_native
@pytest.mark.parametrize("table", TABLES)
def test_the_dumbbell_program_gives_the_bytes_of_hystart(table):
    scenario = hystart.scenario(16, 3).replace({"duration": "600ms"})
    queue = scenario.sender_queue
    attributes = [f"{key}={value}" for key, value in queue.attributes.items()]
    ours = engine.tables_as_csv(scenario)[table]
    assert ours.count("\n") > 1 or table == "drops"
    assert ours == printed(
        "linux-tcp-dumbbell",
        option("rtt", scenario.rtt),
        option("bottleneckRate", scenario.bottleneck_rate),
        option("accessRate", scenario.access_rate),
        option("buffer", scenario.buffer),
        option("senderQueue", ";".join([queue.disc, *attributes])),
        option("senderOffload", scenario.sender_host.segmentation_offload),
        option("senderAckJitter", scenario.sender_host.ack_jitter),
        option("receiverPoll", scenario.receiver_host.receive_poll_interval),
        option("receiverPollSegments", scenario.receiver_host.receive_max_segments),
        option("receiverQuickAcks", scenario.receiver_host.quick_acks),
        option("duration", scenario.duration),
        option("sampleInterval", scenario.sample_interval),
        option("sampleQueues", scenario.sample_queues),
        option("run", scenario.run_number),
        flow_option(scenario.flows[0]),
        option("print", TABLES[table]),
    )


@needs_native
def test_an_example_program_refuses_what_it_does_not_know():
    run = subprocess.run(
        [program("linux-tcp-dumbbell"), "--rtt=-1ms"], capture_output=True, text=True, check=False
    )
    assert run.returncode == 2
    assert len(run.stderr.splitlines()) == 1 and "rtt: '-1ms'" in run.stderr
