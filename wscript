# -*- Mode: python; coding: utf-8 -*-
# SPDX-License-Identifier: GPL-2.0-only

# Build of the module in contrib/linux-tcp of an ns-3 that uses waf, up to 3.35. The list of files
# is that of CMakeLists.txt; NS3_VERSIONS.md tells what has been tried with these versions.

import io
import os
import re

MODULES = ['core', 'network', 'internet', 'traffic-control', 'point-to-point', 'applications']


def read_lists(folder):
    """The lists set in CMakeLists.txt, by name."""
    with io.open(os.path.join(folder, 'CMakeLists.txt'), encoding='ascii') as file:
        text = re.sub(r'#.*', '', file.read())
    return dict((name, words.split()) for name, words in re.findall(r'set\((\w+)\s([^)]*)\)', text))


def write_config(bld):
    """Write ns3/linux-tcp-config.h, as cmake/linux-tcp-config.cmake does."""
    with io.open(os.path.join(bld.srcnode.abspath(), 'VERSION'), encoding='ascii') as file:
        major, minor = re.match(r'(\d+)\.(\d+)', file.read()).groups()
    template = os.path.join(bld.path.abspath(), 'cmake', 'linux-tcp-config.h.in')
    with io.open(template, encoding='ascii') as file:
        text = file.read()
    text = text.replace('@LINUX_TCP_NS3_VERSION@', '%d' % (1000 * int(major) + int(minor)))
    folder = os.path.join(bld.bldnode.abspath(), 'ns3')
    if not os.path.isdir(folder):
        os.makedirs(folder)
    path = os.path.join(folder, 'linux-tcp-config.h')
    if os.path.isfile(path):
        with io.open(path, encoding='ascii') as file:
            if file.read() == text:
                return
    with io.open(path, 'w', encoding='ascii') as file:
        file.write(text)


def build(bld):
    lists = read_lists(bld.path.abspath())
    write_config(bld)

    module = bld.create_ns3_module('linux-tcp', MODULES)
    module.source = lists['algorithm_sources'] + lists['module_sources']

    tests = bld.create_ns3_module_test_library('linux-tcp')
    tests.source = lists['module_test_sources']

    headers = bld(features='ns3header')
    headers.module = 'linux-tcp'
    headers.source = lists['algorithm_headers'] + lists['module_headers']

    if bld.env['ENABLE_EXAMPLES']:
        bld.recurse('examples')
