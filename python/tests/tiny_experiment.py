# SPDX-License-Identifier: GPL-2.0-only
"""An experiment of quick runs, for tests of the command line."""

from __future__ import annotations

from linux_tcp.experiments.base import Analysis, Case, Claim, Experiment
from linux_tcp.scenario import dumbbell


class Tiny(Experiment):
    """Some seconds at 5 Mbit/s; the last run takes much longer than the others."""

    name = "tiny"
    title = "Quick runs"
    question = "Does the link fill?"
    source = "The rate of the link."

    def parameters(self, options):
        return []

    def cases(self, options):
        for run in range(options.count(default=4, quick=2)):
            base = dumbbell(rate="5Mbps", rtt="20ms", flows=["cubic"], duration="3s")
            yield Case({"run": run + 1}, base.replace({"run_number": options.seed + run}))
        if not options.quick:
            long = base.replace({"bottleneck_rate": "100Mbps", "duration": "1h"})
            yield Case({"run": "long"}, long)

    def analyse(self, runs, options):
        rates = [float(run.result.flows.goodput[0]) / 1e6 for run in runs]
        return Analysis(
            claims=[Claim("T-1", "5 Mbit/s", rates, "4 to 5", all(4 < r < 5 for r in rates))]
        )
