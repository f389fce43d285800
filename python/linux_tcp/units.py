# SPDX-License-Identifier: GPL-2.0-only
"""Quantities as text with a unit, as ns-3 reads them; bare numbers are refused.

"80ms" and "10Gbps" say what they mean in a file, on a command line and in a table of
parameters, and a number cannot be taken for one in another unit.
"""

from __future__ import annotations

import re
from fractions import Fraction

from .errors import OptionError

_NUMBER = re.compile(r"^([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,2})?)\s*([A-Za-z/]*)$")

#: Units of time in nanoseconds.
TIME_UNITS: dict[str, Fraction] = {
    "ns": Fraction(1),
    "us": Fraction(10**3),
    "ms": Fraction(10**6),
    "s": Fraction(10**9),
    "min": Fraction(60 * 10**9),
    "h": Fraction(3600 * 10**9),
    "d": Fraction(86400 * 10**9),
}

#: Units of rate in bits per second. "MBps" is refused: some read it as bytes, some as bits.
RATE_UNITS: dict[str, Fraction] = {
    f"{prefix}{unit}": Fraction(factor)
    for prefix, factor in {
        "": 1,
        "k": 10**3,
        "K": 10**3,
        "M": 10**6,
        "m": 10**6,
        "G": 10**9,
        "g": 10**9,
        "T": 10**12,
    }.items()
    for unit in ("bps", "b/s", "bit/s", "bit")
}

#: Units of size in bytes.
SIZE_UNITS: dict[str, Fraction] = {
    "B": Fraction(1),
    "kB": Fraction(10**3),
    "KB": Fraction(10**3),
    "MB": Fraction(10**6),
    "GB": Fraction(10**9),
    "KiB": Fraction(2**10),
    "MiB": Fraction(2**20),
    "GiB": Fraction(2**30),
}

_TIME_HINT = 'give a time with its unit, such as "80ms" (units: ns us ms s min h d)'
_RATE_HINT = 'give a rate with its unit, such as "100Mbps" (units: bps kbps Mbps Gbps Tbps)'
_SIZE_HINT = 'give a size with its unit, such as "1MB" (units: B kB MB GB KiB MiB GiB)'


def _parse(text: object, units: dict[str, Fraction], option: str, hint: str) -> Fraction:
    if not isinstance(text, str):
        raise OptionError(option, text, hint)
    match = _NUMBER.match(text.strip())
    if match is None or match.group(2) not in units:
        raise OptionError(option, text, hint)
    return Fraction(match.group(1)) * units[match.group(2)]


def time_ns(text: object, option: str = "time", *, minimum: int = 0) -> int:
    """Read a time.

    :param text: a number and its unit
    :param option: what to call the value in an error
    :param minimum: smallest value allowed (ns)
    :return: nanoseconds, rounded to the nearest
    """
    value = _parse(text, TIME_UNITS, option, _TIME_HINT)
    if value < minimum:
        allowed = "not negative" if minimum == 0 else f"at least {minimum} ns"
        raise OptionError(option, text, f"a time must be {allowed}")
    return round(value)


def rate_bps(text: object, option: str = "rate", *, zero: bool = False) -> int:
    """Read a rate.

    :param text: a number and its unit
    :param option: what to call the value in an error
    :param zero: whether 0 is allowed
    :return: bits per second, rounded to the nearest
    """
    value = _parse(text, RATE_UNITS, option, _RATE_HINT)
    if value < 0 or (value == 0 and not zero):
        raise OptionError(option, text, f"a rate must be {'at least' if zero else 'above'} 0bps")
    if value >= 2**63:
        raise OptionError(option, text, "a rate must be below 2^63 bit/s")
    return round(value)


def size_bytes(text: object, option: str = "size", *, minimum: int = 0) -> int:
    """Read a size.

    :param text: a number and its unit
    :param option: what to call the value in an error
    :param minimum: smallest value allowed (bytes)
    :return: bytes, rounded to the nearest
    """
    value = _parse(text, SIZE_UNITS, option, _SIZE_HINT)
    if value < minimum:
        raise OptionError(option, text, f"a size must be at least {minimum}B")
    return round(value)


def format_time(nanoseconds: int) -> str:
    """Write a time in the largest unit that keeps it exact, from ns to s."""
    for unit in ("s", "ms", "us"):
        factor = int(TIME_UNITS[unit])
        if nanoseconds % factor == 0:
            return f"{nanoseconds // factor}{unit}"
    return f"{nanoseconds}ns"


def format_rate(bits_per_second: int) -> str:
    """Write a rate in the largest decimal unit that keeps it exact."""
    for unit in ("Gbps", "Mbps", "kbps"):
        factor = int(RATE_UNITS[unit])
        if bits_per_second and bits_per_second % factor == 0:
            return f"{bits_per_second // factor}{unit}"
    return f"{bits_per_second}bps"
