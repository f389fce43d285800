# SPDX-License-Identifier: GPL-2.0-only
"""The package as a whole."""

from __future__ import annotations

import subprocess
import sys

import linux_tcp as lt


def test_importing_loads_nothing_heavy(elsewhere):
    script = (
        "import sys, linux_tcp\n"
        "heavy = {'numpy', 'pandas', 'matplotlib', 'pyarrow', 'rich', 'typer', '_linux_tcp'}\n"
        "print(sorted(heavy & set(sys.modules)), len(sys.modules))\n"
    )
    output = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    ).stdout
    assert output.startswith("[] ")


def test_describing_a_scenario_loads_nothing_heavy(elsewhere):
    script = (
        "import sys, linux_tcp as lt\n"
        "lt.dumbbell(rate='100Mbps', rtt='40ms', flows=[lt.flow('cubic')]).to_toml()\n"
        "print(sorted({'numpy', 'pandas', 'matplotlib', 'pyarrow'} & set(sys.modules)))\n"
    )
    output = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    ).stdout
    assert output == "[]\n"


def test_all_names_are_there():
    for name in lt.__all__:
        assert getattr(lt, name) is not None
    assert set(lt.__all__) <= set(dir(lt))
