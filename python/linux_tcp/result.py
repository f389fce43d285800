# SPDX-License-Identifier: GPL-2.0-only
"""What a run gives back: columns, and pandas tables made of them when asked for."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy
    import pandas

    from .scenario import Scenario

_DOCUMENT = "document.json"


class Result:
    """The outcome of one run.

    The tables are columns of numpy arrays (:attr:`columns`); as attributes they are pandas data
    frames, made when first used: :attr:`flows`, :attr:`samples`, :attr:`requests`,
    :attr:`queues`.

    :param scenario: the scenario, as plain data
    :param columns: table -> column -> values
    :param facts: everything else that the run tells, as plain data
    :param versions: versions of what performed the run
    """

    def __init__(
        self,
        scenario: Mapping[str, Any],
        columns: Mapping[str, Mapping[str, numpy.ndarray]],
        facts: Mapping[str, Any],
        versions: Mapping[str, str],
    ) -> None:
        self.settings = dict(scenario)
        self.columns = {table: dict(values) for table, values in columns.items()}
        self.facts = dict(facts)
        self.versions = dict(versions)

    def table(self, name: str) -> pandas.DataFrame:
        """Return a table as a data frame.

        :param name: one of :attr:`columns`
        """
        import pandas

        if name not in self.columns:
            raise KeyError(f"no table {name}; there are {', '.join(sorted(self.columns))}")
        return pandas.DataFrame(self.columns[name])

    @cached_property
    def flows(self) -> pandas.DataFrame:
        """One row a flow: what it was, what it achieved, what it met."""
        return self.table("flows")

    @cached_property
    def samples(self) -> pandas.DataFrame:
        """State of each flow over time."""
        return self.table("samples")

    @cached_property
    def requests(self) -> pandas.DataFrame:
        """One row for each completed request."""
        return self.table("requests")

    @cached_property
    def queues(self) -> pandas.DataFrame:
        """One row for each queue: packets, drops and marks."""
        return self.table("queues")

    @cached_property
    def scenario(self) -> Scenario:
        """The scenario that was run."""
        from .scenario import from_dict

        return from_dict(self.settings)

    def pack(self) -> bytes:
        """Write the result as one block of bytes; equal results give equal bytes."""
        import numpy

        document = {
            "scenario": self.settings,
            "facts": self.facts,
            "versions": self.versions,
            "tables": {table: list(values) for table, values in self.columns.items()},
        }
        block = io.BytesIO()
        with zipfile.ZipFile(block, "w", zipfile.ZIP_DEFLATED) as archive:
            # A fixed date: the bytes must not depend on the clock.
            head = zipfile.ZipInfo(_DOCUMENT, (1980, 1, 1, 0, 0, 0))
            head.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(head, json.dumps(document))
            for table, values in self.columns.items():
                for column, array in values.items():
                    data = io.BytesIO()
                    numpy.save(data, numpy.asarray(array), allow_pickle=False)
                    entry = zipfile.ZipInfo(f"{table}/{column}.npy", (1980, 1, 1, 0, 0, 0))
                    entry.compress_type = zipfile.ZIP_DEFLATED
                    archive.writestr(entry, data.getvalue())
        return block.getvalue()

    @classmethod
    def unpack(cls, payload: bytes) -> Result:
        """Read what :meth:`pack` wrote."""
        import numpy

        with zipfile.ZipFile(io.BytesIO(payload)) as archive:
            document = json.loads(archive.read(_DOCUMENT))
            columns = {
                table: {
                    name: numpy.load(
                        io.BytesIO(archive.read(f"{table}/{name}.npy")), allow_pickle=False
                    )
                    for name in names
                }
                for table, names in document["tables"].items()
            }
        return cls(document["scenario"], columns, document["facts"], document["versions"])

    def __repr__(self) -> str:
        sizes = ", ".join(
            f"{table} {len(next(iter(values.values()), []))}"
            for table, values in self.columns.items()
        )
        return f"<Result: {sizes}>"
