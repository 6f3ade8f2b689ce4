# SPDX-License-Identifier: GPL-2.0-only
"""The functions that the wscript files call to name their targets."""

import os

from waflib.Configure import conf


def state(bld):
    """What the wscript files have said so far; lives as long as one build."""
    if not hasattr(bld, 'rdma_state'):
        bld.rdma_state = {'libraries': [], 'headers': {}, 'tests': []}
    return bld.rdma_state


def includes(bld):
    return [bld.bldnode.make_node('include')]


@conf
def rdma_module(bld, name, uses, sources, headers, tests):
    """
    Declares a module: a shared library build/lib/libNAME.so of the given sources, headers that everyone
    includes as "ns3/...", and tests that become part of build/rocelab-test.

    uses names the modules below this one; tests are files in test/NAME/.
    """
    known = state(bld)
    for header in headers:
        node = bld.path.find_resource(header)
        if not node:
            bld.fatal('%s/wscript: header %s does not exist' % (bld.path.srcpath(), header))
        known['headers'][node.name] = node
    folder = bld.srcnode.find_dir('test/' + name)
    for test in tests:
        node = folder and folder.find_resource(test)
        if not node:
            bld.fatal('%s/wscript: test/%s/%s does not exist' % (bld.path.srcpath(), name, test))
        known['tests'].append(node)
    if sources:
        bld.shlib(source=sources, target='#lib/' + name, name=name, includes=includes(bld),
                  use=existing(bld, uses) + ['NS3'], rpath=['$ORIGIN'], install_path=None)
        known['libraries'].append(name)


def existing(bld, uses):
    """Leaves out modules that have no sources, hence no library."""
    return [use for use in uses if use.isupper() or use in state(bld)['libraries']]


@conf
def rdma_program(bld, name, uses, sources):
    """Declares the program build/NAME; uses names modules (those below come with them) or LIBRARIES."""
    if sources:
        bld.program(source=sources, target='#' + name, name=name, includes=includes(bld),
                    use=existing(bld, uses) + ['NS3'], rpath=['$ORIGIN/lib'], install_path=None)


@conf
def rdma_tests(bld, name, sources):
    """Declares the program build/NAME of the given sources and the tests of all modules."""
    known = state(bld)
    bld.program(source=sources + known['tests'], target='#' + name, name=name, includes=includes(bld),
                use=known['libraries'] + ['NS3', 'GTEST'], cxxflags=bld.env.TEST_CXXFLAGS,
                rpath=['$ORIGIN/lib'], install_path=None)


def add_scratch_plugins(bld):
    """Makes a plug-in build/scratch/NAME.so of each scratch/NAME.cc."""
    for node in bld.path.ant_glob('scratch/*.cc'):
        env = bld.env.derive()
        env.cxxshlib_PATTERN = '%s.so'
        name = os.path.splitext(node.name)[0]
        bld.shlib(source=[node], target='#scratch/' + name, name='scratch/' + name, env=env,
                  includes=includes(bld), use=state(bld)['libraries'] + ['NS3'],
                  rpath=['$ORIGIN/../lib'], install_path=None)


def link_headers(bld):
    """
    Lays the headers of all modules into build/include/ns3/ as links, before anything is compiled, and
    removes links to headers that are no longer listed.
    """
    headers = state(bld)['headers']
    folder = bld.bldnode.make_node('include/ns3')
    folder.mkdir()
    base = folder.abspath()
    for name in set(os.listdir(base)) - set(headers):
        os.remove(os.path.join(base, name))
    for name, node in headers.items():
        link = os.path.join(base, name)
        target = os.path.relpath(node.abspath(), base)
        if not os.path.islink(link) or os.readlink(link) != target:
            os.symlink(target, link + '.new')
            os.replace(link + '.new', link)
