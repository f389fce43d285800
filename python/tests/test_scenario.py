# SPDX-License-Identifier: GPL-2.0-only
"""Scenarios: what they may hold, files, and that they mirror the C++ records."""

from __future__ import annotations

import dataclasses
import json

import pytest
from conftest import needs_native

import linux_tcp as lt
from linux_tcp.errors import OptionError
from linux_tcp.scenario import KINDS, Record, Scenario

FULL = lt.dumbbell(
    rate="265Mbps",
    rtt="80ms",
    buffer="1.5bdp",
    sender_queue={"disc": "fq", "attributes": {"FlowLimit": 200, "Flag": True, "a b": "x"}},
    receiver_host={"receive_poll_interval": "40us"},
    flows=[
        lt.flow("cubic", congestion_attributes={"Beta": 0.7}, window_limit=1900),
        {"congestion_control": "nv", "workload": "rpc", "rpc": {"request_bytes": "10KB"}},
        "reno",
    ],
    changes=[{"at": "2s", "rtt": "3ms"}],
    record_packets=["sender"],
)


def test_toml_and_json_give_the_scenario_back():
    assert lt.from_toml(FULL.to_toml()) == FULL
    assert lt.from_json(FULL.to_json()) == FULL
    assert lt.from_dict(json.loads(json.dumps(FULL.to_dict()))) == FULL


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_survives_a_file(kind, tmp_path):
    data = {"kind": kind, "duration": "3s"}
    if kind != "incast":
        data["flows"] = ["htcp"]
    scenario = lt.from_dict(data)
    for suffix, text in (("toml", scenario.to_toml()), ("json", scenario.to_json())):
        file = tmp_path / f"scenario.{suffix}"
        file.write_text(text)
        assert lt.load(file) == scenario


def test_values_are_brought_into_one_form():
    assert FULL.sender_queue.attributes == {"FlowLimit": "200", "Flag": "true", "a b": "x"}
    assert FULL.flows[1].rpc.request_bytes == 10000
    assert FULL.flows[2] == lt.flow("reno")
    assert FULL.record_packets == ("sender",)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: lt.dumbbell(rate="100", flows=["cubic"]), "rate: '100' .*100Mbps"),
        (lambda: lt.dumbbell(rate=100, flows=["cubic"]), "rate: '100' .*100Mbps"),
        (lambda: lt.dumbbell(rate="0bps", flows=["cubic"]), "rate: '0bps' .*above 0"),
        (lambda: lt.dumbbell(rate="10MBps", flows=["cubic"]), "rate: '10MBps' .*units"),
        (lambda: lt.dumbbell(rtt="-1ms", flows=["cubic"]), "rtt: '-1ms' .*not be negative|not neg"),
        (lambda: lt.dumbbell(rtt=0.08, flows=["cubic"]), "rtt: '0.08' .*80ms"),
        (lambda: lt.dumbbell(flows=[]), "flows: '\\[\\]' .*at least 1"),
        (lambda: lt.dumbbell(flows="cubic"), "flows: 'cubic' .*list"),
        (lambda: lt.dumbbell(flows=["cubic"], buffer="0p"), "buffer: '0p' .*above 0"),
        (lambda: lt.dumbbell(flows=["cubic"], buffer="lots"), "buffer: 'lots' .*100p"),
        (lambda: lt.dumbbell(flows=["cubic"], loss_rate=1.0), "loss_rate: '1.0' .*below 1"),
        (lambda: lt.dumbbell(flows=["cubic"], mtu=100), "mtu: '100' .*576.*65535"),
        (lambda: lt.dumbbell(flows=["cubic"], mtu=True), "mtu: 'True'"),
        (lambda: lt.dumbbell(flows=["cubic"], ecn=1), "ecn: '1' .*true or false"),
        (lambda: lt.dumbbell(flows=["cubic"], seed=0), "seed: '0' .*at least 1"),
        (lambda: lt.dumbbell(flows=[lt.flow("cubic", socket="own")]), "socket: 'own'.*linux, stock"),
        (
            lambda: lt.dumbbell(flows=["cubic", {"rttt": "2ms"}]),
            "flows\\[1\\].rttt: '2ms' .*did you mean rtt\\? known are name, ",
        ),
        (
            lambda: lt.dumbbell(flows=[{"rpc": {"think_time": 3}, "workload": "rpc"}]),
            "flows\\[0\\].rpc.think_time: '3' .*80ms",
        ),
        (
            lambda: lt.dumbbell(flows=["cubic"], record_packets=["receiver", "moon"]),
            "record_packets\\[1\\]: 'moon' .*bottleneck",
        ),
        (lambda: lt.dumbbell(flows=["cubic"], rate="1Mbps", bottleneck_rate="1Mbps"), "rate: .*either"),
        (lambda: lt.from_dict({"kind": "ring"}), "kind: 'ring' .*dumbbell, star, incast"),
        (lambda: lt.from_toml("kind = \n"), "scenario: .*line 1"),
        (lambda: lt.from_json("[1]"), "scenario: 'list' .*table"),
        (lambda: lt.load("no-such.toml"), "scenario: 'no-such.toml' .*No such file"),
        (lambda: lt.load("scenario.yaml"), "scenario: 'scenario.yaml' .*\\.toml or \\.json"),
    ],
)
def test_an_error_names_field_value_and_what_is_allowed(make, message):
    with pytest.raises(OptionError, match=message) as caught:
        make()
    assert "\n" not in str(caught.value)


def test_fields_further_in_are_replaced():
    changed = FULL.replace(
        {
            "flows[0].rtt": "10ms",
            "flows[*].min_rto": "1ms",
            "sender_queue.attributes.FlowLimit": "50",
            "flows[1].rpc.connections": 3,
            "duration": "1s",
        }
    )
    assert [flow.rtt for flow in changed.flows] == ["10ms", "", ""]
    assert {flow.min_rto for flow in changed.flows} == {"1ms"}
    assert changed.sender_queue.attributes["FlowLimit"] == "50"
    assert changed.flows[1].rpc.connections == 3
    assert FULL.duration == "10s"


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ({"flows[9].rtt": "1ms"}, "flows\\[9\\].rtt: '1ms' .*3 items"),
        ({"flows[0].rtt": "1"}, "flows\\[0\\].rtt: '1' .*80ms"),
        ({"sender_queue.dics": "fq"}, "sender_queue.dics: 'fq' .*disc, attributes"),
        ({"rtt.x": "1ms"}, "rtt.x: '1ms' .*no fields"),
        ({"rtt[0]": "1ms"}, "rtt\\[0\\]: '1ms' .*no list|rtt is not a list"),
    ],
)
def test_errors_of_replacements(setting, message):
    with pytest.raises(OptionError, match=message):
        FULL.replace(setting)


def test_sweep_product_zip_and_repeat():
    base = lt.dumbbell(flows=["cubic"])
    made = lt.sweep(
        base,
        product={"rtt": ["1ms", "2ms"], "flows[0].congestion_control": ["reno", "nv"]},
        zipped={"bottleneck_rate": ["1Mbps", "2Mbps"], "buffer": ["10p", "20p"]},
        repeat=2,
    )
    assert len(made) == 16
    seen = [
        (s.bottleneck_rate, s.buffer, s.rtt, s.flows[0].congestion_control, s.run_number)
        for s in made
    ]
    assert seen[:5] == [
        ("1Mbps", "10p", "1ms", "reno", 1),
        ("1Mbps", "10p", "1ms", "reno", 2),
        ("1Mbps", "10p", "1ms", "nv", 1),
        ("1Mbps", "10p", "1ms", "nv", 2),
        ("1Mbps", "10p", "2ms", "reno", 1),
    ]
    assert seen[-1] == ("2Mbps", "20p", "2ms", "nv", 2)
    with pytest.raises(OptionError, match="zipped: .*same number"):
        lt.sweep(base, zipped={"rtt": ["1ms"], "buffer": ["1p", "2p"]})


def _native_values(spec: object) -> dict:
    import _linux_tcp

    names = [name for name in dir(type(spec)) if isinstance(getattr(type(spec), name), property)]
    values = {}
    for name in names:
        value = getattr(spec, name)
        if type(value).__module__ == _linux_tcp.__name__:
            value = _native_values(value)
        values[name] = value
    return values


def _records() -> list[type[Record]]:
    found, waiting = [], [Record]
    while waiting:
        kind = waiting.pop()
        waiting += kind.__subclasses__()
        if kind not in (Record, Scenario):
            found.append(kind)
    return sorted(found, key=lambda kind: kind.__name__)


@needs_native
@pytest.mark.parametrize("kind", _records(), ids=lambda kind: kind.__name__)
def test_records_mirror_the_cpp_side_with_its_defaults(kind):
    import _linux_tcp

    expected = _native_values(getattr(_linux_tcp, kind.__name__)())
    assert {item.name for item in dataclasses.fields(kind)} == set(expected)
    given = {"flows": ["cubic"]} if "flows" in expected else {}
    given |= {"at": "1s"} if kind.__name__ == "PathChange" else {}
    ours = kind.from_dict(given)

    def plain(value):
        if isinstance(value, Record):
            return {item.name: plain(getattr(value, item.name)) for item in dataclasses.fields(value)}
        return list(value) if isinstance(value, tuple) else value

    for name, value in expected.items():
        if name not in given:
            assert plain(getattr(ours, name)) == value, name
