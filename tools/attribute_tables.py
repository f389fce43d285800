# SPDX-License-Identifier: GPL-2.0-only
"""Write doc/attributes.rst: the attributes and trace sources of every class, read from the code.

Usage: python3 tools/attribute_tables.py [--check]

With --check nothing is written; the exit status is 1 if the page is not what would be written.
"""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "doc" / "attributes.rst"

# Names of ns-3's constructors of time values, and the unit each stands for.
TIME_UNITS = {
    "NanoSeconds": "ns",
    "MicroSeconds": "us",
    "MilliSeconds": "ms",
    "Seconds": "s",
    "Minutes": "min",
    "Hours": "h",
}

INTRODUCTION = """\
.. SPDX-License-Identifier: GPL-2.0-only

Attributes and trace sources
****************************

This page is written by ``tools/attribute_tables.py`` from the source code; do not edit it. A value
that is given as a name of C++ (such as ``TcpSocketFactory``) is a class or a constant of the
header of that class. A class has the attributes of its parent besides its own.
"""


@dataclass
class Entry:
    """An attribute or trace source."""

    name: str
    text: str
    default: str = ""
    allowed: str = ""
    signature: str = ""


@dataclass
class TypeIdEntry:
    """A class with a TypeId."""

    name: str
    parent: str = ""
    attributes: list[Entry] = field(default_factory=list)
    traces: list[Entry] = field(default_factory=list)


def _without_comments(text: str) -> str:
    """Remove comments, but not what looks like one inside a string."""
    pattern = r'("(?:[^"\\]|\\.)*")|/\*.*?\*/|//[^\n]*'
    return re.sub(pattern, lambda m: m.group(1) or " ", text, flags=re.DOTALL)


def _arguments(text: str, start: int) -> list[str]:
    """Split the arguments of a call.

    :param text: source code without comments
    :param start: index of the opening parenthesis
    :return: the arguments, with the white space inside them squeezed
    """
    arguments: list[str] = []
    current = ""
    depth = 0
    for token in re.finditer(r'"(?:[^"\\]|\\.)*"|.', text[start:], flags=re.DOTALL):
        part = token.group()
        if part in "([{":
            depth += 1
            if depth == 1:
                continue
        elif part in ")]}":
            depth -= 1
            if depth == 0:
                arguments.append(" ".join(current.split()))
                return arguments
        elif part == "," and depth == 1 and current.count("<") <= current.count(">"):
            arguments.append(" ".join(current.split()))
            current = ""
            continue
        current += part
    raise ValueError("a call does not end")


def _string(argument: str) -> str:
    """The text of adjacent string literals."""
    return "".join(
        re.sub(r"\\(.)", r"\1", literal) for literal in re.findall(r'"((?:[^"\\]|\\.)*)"', argument)
    )


def _times(text: str) -> str:
    """Write Seconds(3) as 3s, and Time(0) as 0s."""
    for name, unit in TIME_UNITS.items():
        text = re.sub(rf"\b{name}\(\s*(-?[\d.]+)\s*\)", rf"\g<1>{unit}", text)
    return re.sub(r"\bTime\(\s*0?\s*\)", "0s", text)


def _enumeration(checker: str) -> dict[str, str]:
    """The constants and names of a MakeEnumChecker() call."""
    if not re.match(r"(?:linuxtcp::)?MakeEnum\w*Checker", checker):
        return {}
    arguments = _arguments(checker, checker.index("("))
    return dict(zip(arguments[::2], map(_string, arguments[1::2])))


def _default(value: str, checker: str) -> str:
    """The initial value of an attribute, in words."""
    match = re.fullmatch(r"\w+Value\((.*)\)|\w+Value\s*\{(.*)\}", value)
    inner = (match.group(1) or match.group(2) or "") if match else value
    names = _enumeration(checker)
    if inner in names:
        return names[inner]
    inner = _times(inner)
    inner = re.sub(r'^(?:DataRate|QueueSize|Time)\((".*"|\d+)\)$', r"\1", inner)
    inner = re.sub(r"::GetTypeId\(\)$", "", inner)
    return inner.replace('"', "")


def _allowed(checker: str) -> str:
    """The values that a checker lets pass, in words."""
    names = _enumeration(checker)
    if names:
        return ", ".join(names.values())
    match = re.match(r"(?:linuxtcp::)?Make(\w+)Checker\s*(?:<([^()]*)>)?\s*\(", checker)
    if not match:
        return ""
    kind, parameter = match.groups()
    bounds = [_times(bound) for bound in _arguments(checker, match.end() - 1) if bound]
    if len(bounds) == 2:
        return f"{bounds[0]} to {bounds[1]}"
    if len(bounds) == 1:
        return f"at least {bounds[0]}"
    if kind == "Boolean":
        return "true, false"
    if kind in ("Uinteger", "Integer", "Double"):
        return re.sub(r"_t$", "", parameter or "")
    return {"DataRate": "rate", "QueueSize": "queue size", "Pointer": parameter or ""}.get(
        kind, kind.lower()
    )


def read_types(text: str) -> list[TypeIdEntry]:
    """The classes whose TypeIds a source file defines, with attributes and trace sources."""
    code = _without_comments(text)
    types: list[TypeIdEntry] = []
    pattern = (
        r'TypeId\(\s*(?:"(ns3::\w+)"|[^()]*"(ns3::\w+)[<"][^;]*?)\s*\)'
        r"|\.SetParent<([\w:<>]+?)>\(|\.(AddAttribute|AddTraceSource)\s*\("
    )
    for match in re.finditer(pattern, code):
        name = match.group(1) or match.group(2)
        if name:
            types.append(TypeIdEntry(name))
        elif match.group(3):
            types[-1].parent = match.group(3)
        else:
            arguments = _arguments(code, match.end() - 1)
            if match.group(4) == "AddTraceSource":
                signature = _string(arguments[3]) if len(arguments) > 3 else ""
                types[-1].traces.append(
                    Entry(_string(arguments[0]), _string(arguments[1]), signature=signature)
                )
                continue
            # Flags that say when the attribute can be set may come before the value.
            first = 3 if "TypeId::ATTR" in arguments[2] else 2
            value, checker = arguments[first], arguments[first + 2]
            types[-1].attributes.append(
                Entry(
                    _string(arguments[0]),
                    _string(arguments[1]),
                    default=_default(value, checker),
                    allowed=_allowed(checker),
                )
            )
    return types


def _escaped(text: str) -> str:
    """Text without meaning as markup."""
    return re.sub(r"([*`|\\_])", r"\\\1", text)


def _table(header: list[str], widths: str, rows: list[list[str]]) -> str:
    """A list-table of reStructuredText."""
    lines = [".. list-table::", "   :header-rows: 1", f"   :widths: {widths}", ""]
    for row in [header, *rows]:
        for column, cell in enumerate(row):
            start = "   * - " if column == 0 else "     - "
            lines.append((start + cell).rstrip())
    return "\n".join(lines) + "\n"


def make_page() -> str:
    """The whole page."""
    types: list[TypeIdEntry] = []
    for folder in ("model", "helper"):
        for file in sorted((ROOT / folder).glob("*.cc")):
            types += read_types(file.read_text(encoding="utf-8"))
    page = INTRODUCTION
    for entry in types:
        if not entry.attributes and not entry.traces:
            continue
        page += f"\n{entry.name}\n{'=' * len(entry.name)}\n\n"
        if entry.parent:
            page += f"Parent: ``{entry.parent}``.\n\n"
        if entry.attributes:
            page += _table(
                ["attribute", "default", "allowed", "meaning"],
                "22 13 20 45",
                [
                    [
                        f"``{a.name}``",
                        f"``{a.default}``" if a.default else "",
                        _escaped(a.allowed),
                        _escaped(a.text),
                    ]
                    for a in entry.attributes
                ],
            )
        if entry.traces:
            if entry.attributes:
                page += "\n"
            page += _table(
                ["trace source", "signature", "meaning"],
                "22 33 45",
                [[f"``{t.name}``", f"``{t.signature}``", _escaped(t.text)] for t in entry.traces],
            )
    return page


def main() -> int:
    """Write the page, or check it."""
    page = make_page()
    if sys.argv[1:] == ["--check"]:
        same = PAGE.is_file() and PAGE.read_text(encoding="utf-8") == page
        if not same:
            print("doc/attributes.rst is out of date: run python3 tools/attribute_tables.py")
        return 0 if same else 1
    if sys.argv[1:]:
        print(f"attribute_tables: {' '.join(sys.argv[1:])}: only --check is allowed")
        return 2
    PAGE.write_text(page, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
