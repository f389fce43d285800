# SPDX-License-Identifier: GPL-2.0-only
"""The documentation agrees with the code."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted((ROOT / "doc").glob("*.rst"))
TABLES = runpy.run_path(str(ROOT / "tools" / "attribute_tables.py"))


def test_the_page_of_attributes_is_what_the_code_says() -> None:
    written = (ROOT / "doc" / "attributes.rst").read_text(encoding="utf-8")
    assert written == TABLES["make_page"](), "run python3 tools/attribute_tables.py"


def test_an_attribute_is_read_from_the_code() -> None:
    code = """
        static TypeId tid =
            TypeId("ns3::Thing")  // a comment with a ", unpaired
                .SetParent<Object>()
                .AddAttribute("Wait",
                              "How long to wait, (a sentence) "
                              "in two parts.",
                              TypeId::ATTR_GET | TypeId::ATTR_SET,
                              TimeValue(MilliSeconds(3)),
                              MakeTimeAccessor(&Thing::m_wait),
                              MakeTimeChecker(Time(0), Seconds(2)))
                .AddAttribute("Kind",
                              "Which one.",
                              EnumValue(FIRST),
                              MakeEnumAccessor<Kind>(&Thing::m_kind),
                              MakeEnumChecker(FIRST, "First", SECOND, "Second"))
                .AddTraceSource("Done", "It is done.", MakeTraceSourceAccessor(&Thing::m_done),
                                "ns3::Thing::DoneCallback");
    """
    (thing,) = TABLES["read_types"](code)
    assert (thing.name, thing.parent) == ("ns3::Thing", "Object")
    wait, kind = thing.attributes
    assert (wait.name, wait.default, wait.allowed) == ("Wait", "3ms", "0s to 2s")
    assert wait.text == "How long to wait, (a sentence) in two parts."
    assert (kind.default, kind.allowed) == ("First", "First, Second")
    assert [(trace.name, trace.signature) for trace in thing.traces] == [
        ("Done", "ns3::Thing::DoneCallback")
    ]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"<([\w./-]+\.(?:rst|md|html|toml))>`_", page.read_text(encoding="utf-8")):
        assert (page.parent / target).is_file(), f"{page.name} links to {target}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_classes_named_in_the_text_exist(page: Path) -> None:
    sources = "".join(
        file.read_text(encoding="ascii")
        for folder in ("model", "model/algorithm", "helper")
        for file in (ROOT / folder).glob("*.h")
    )
    ours = set(re.findall(r"^(?:class|struct) (\w+)", sources, re.MULTILINE))
    # Those of ns-3 that the pages name, too.
    known = ours | {"TcpCubic", "TcpHtcp", "TcpSocketBase", "TcpL4Protocol", "TcpPrrRecovery"}
    for name in re.findall(r"``ns3::(\w+)(?:::\w+)?``", page.read_text(encoding="utf-8")):
        if page.name != "attributes.rst" and name != "linuxtcp":
            assert name in known, f"{page.name} names ns3::{name}"
