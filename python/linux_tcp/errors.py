# SPDX-License-Identifier: GPL-2.0-only
"""Errors that a user can act on: one line each, naming what is wrong and what is allowed."""

from __future__ import annotations


class LinuxTcpError(Exception):
    """Base class; its text is one line that can be shown as it is."""


class OptionError(LinuxTcpError, ValueError):
    """A value that is not allowed.

    :param option: name of the option or field, as the user wrote it (``flows[0].rtt``, ``--runs``)
    :param value: the value given
    :param allowed: what is allowed, as an order: "give a time with its unit"
    :param problem: what is wrong with the value
    """

    def __init__(
        self, option: str, value: object, allowed: str, problem: str = "is not allowed"
    ) -> None:
        self.option = option
        self.value = value
        self.allowed = allowed
        self.problem = problem
        shown = value if isinstance(value, str) else repr(value)
        super().__init__(f"{option}: '{shown}' {problem}; {allowed}")

    def __reduce__(self):
        return (type(self), (self.option, self.value, self.allowed, self.problem))

    def within(self, prefix: str) -> OptionError:
        """Return the same error with the option named from further out."""
        joined = prefix + self.option if self.option.startswith("[") else f"{prefix}.{self.option}"
        return self.renamed(joined)

    def renamed(self, option: str) -> OptionError:
        """Return the same error with another name of the option."""
        return OptionError(option, self.value, self.allowed, self.problem)


class RunError(LinuxTcpError, RuntimeError):
    """A run that failed, with the scenario it was given.

    :param message: what went wrong
    :param scenario: the scenario as plain data
    """

    def __init__(self, message: str, scenario: dict | None = None) -> None:
        self.message = message
        self.scenario = scenario
        super().__init__(message)

    def __reduce__(self):
        return (type(self), (self.message, self.scenario))


class Interrupted(LinuxTcpError):
    """The user stopped a series of runs; the finished ones are kept.

    :param done: number of runs that are stored
    :param total: number of runs asked for
    :param store: folder that holds the finished runs
    """

    def __init__(self, done: int, total: int, store: str | None) -> None:
        self.done = done
        self.total = total
        self.store = store
        kept = f"are kept in {store}" if store else "are lost (no store was given)"
        super().__init__(f"interrupted: {done} of {total} runs are finished and {kept}")
