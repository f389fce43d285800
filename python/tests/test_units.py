# SPDX-License-Identifier: GPL-2.0-only
"""Quantities with units."""

from __future__ import annotations

import pytest

from linux_tcp import units
from linux_tcp.errors import OptionError


@pytest.mark.parametrize(
    ("text", "nanoseconds"),
    [("80ms", 80_000_000), ("0.5us", 500), ("2min", 120_000_000_000), ("50d", 4_320_000 * 10**9)],
)
def test_times(text, nanoseconds):
    assert units.time_ns(text) == nanoseconds


@pytest.mark.parametrize(
    ("text", "bits"),
    [("10Gbps", 10**10), ("2.5Gbps", 2_500_000_000), ("800kbps", 800_000), ("10mbit", 10**7)],
)
def test_rates(text, bits):
    assert units.rate_bps(text) == bits


@pytest.mark.parametrize(("text", "size"), [("64KB", 64000), ("64KiB", 65536), ("1500B", 1500)])
def test_sizes(text, size):
    assert units.size_bytes(text) == size


@pytest.mark.parametrize("text", ["100", "", "ms", "1 parsec", "1e999999999ms", None, 5, "NaNms"])
def test_no_bare_numbers_and_no_other_units(text):
    for parse in (units.time_ns, units.rate_bps, units.size_bytes):
        with pytest.raises(OptionError):
            parse(text)


def test_writing():
    assert [units.format_time(ns) for ns in (80_000_000, 2_000_000_000, 1500)] == [
        "80ms",
        "2s",
        "1500ns",
    ]
    assert [units.format_rate(bps) for bps in (10**10, 265 * 10**6, 0)] == [
        "10Gbps",
        "265Mbps",
        "0bps",
    ]
