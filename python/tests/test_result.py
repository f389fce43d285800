# SPDX-License-Identifier: GPL-2.0-only
"""Results: packing and tables."""

from __future__ import annotations

import numpy
import pytest
from fixtures import result

from linux_tcp.result import Result


def test_packing_gives_the_result_back():
    original = result(exits=[("delay", 36)])
    again = Result.unpack(original.pack())
    assert again.settings == original.settings
    assert again.facts == original.facts
    assert again.versions == original.versions
    assert list(again.columns) == list(original.columns)
    for table, values in original.columns.items():
        assert list(again.columns[table]) == list(values)
        for name, array in values.items():
            assert again.columns[table][name].dtype == array.dtype
            numpy.testing.assert_array_equal(again.columns[table][name], array)


def test_equal_results_give_equal_bytes():
    assert result().pack() == result().pack()
    assert result().pack() == Result.unpack(result().pack()).pack()
    assert result(mbps=99.0).pack() != result().pack()


def test_tables_are_data_frames():
    flows = result(mbps=250.0).flows
    assert flows["goodput"].tolist() == [250e6]
    assert flows is not None and len(flows) == 1
    with pytest.raises(KeyError, match="no table rounds; there are drops, exits, flows, samples"):
        result().rounds if hasattr(Result, "rounds") else result().table("rounds")


def test_text_tells_the_sizes():
    assert repr(result()) == "<Result: flows 1, exits 0, samples 3, drops 1>"
