# SPDX-License-Identifier: GPL-2.0-only
"""What ./waf lint complains about."""

import os
import sys

import pytest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), '..', '..', 'utils'))

import lint  # noqa: E402

CPP_LICENSE = '// SPDX-License-Identifier: GPL-2.0-only\n'
PYTHON_LICENSE = '# SPDX-License-Identifier: GPL-2.0-only\n'


@pytest.mark.parametrize('path, text', [
    ('src/m/model/a.cc', CPP_LICENSE + 'int a;\n'),
    ('utils/a.py', PYTHON_LICENSE + 'a = 1\n'),
    ('waf', '#!/bin/sh\n' + PYTHON_LICENSE),
    ('docs/a.md', 'No license line, and \u00b5s is fine here.\n'),
    ('utils/empty.txt', ''),
])
def test_good_files_pass(path, text):
    assert list(lint.check_text(path, text.encode())) == []


@pytest.mark.parametrize('path, text, complaint', [
    ('src/m/model/a.cc', 'int a;\n', 'license line'),
    ('utils/a.py', 'a = 1\n', 'license line'),
    ('src/m/wscript', 'a = 1\n', 'license line'),
    ('src/m/model/a.cc', CPP_LICENSE + '// 1 \u00b5s\n', 'a.cc:2: a character that is not ASCII'),
    ('docs/a.md', 'one\n\ttwo\n', 'a.md:2: a tab'),
    ('docs/a.md', 'one \n', 'a.md:1: blanks'),
    ('docs/a.md', 'one', 'no newline'),
])
def test_bad_text_is_named_with_its_line(path, text, complaint):
    complaints = list(lint.check_text(path, text.encode()))
    assert len(complaints) == 1
    assert complaint in complaints[0]


WSCRIPT = '''def build(bld):
    bld.rdma_module('m', uses=[], sources=%r, headers=%r, tests=%r)
'''


def check(tmp_path, sources, headers, tests, there):
    """Writes the wscript of a module src/m and checks it against the files that are there."""
    for folder in ('src/m', 'test'):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / 'src/m/wscript').write_text(WSCRIPT % (sources, headers, tests))
    (tmp_path / 'test/wscript').write_text('def build(bld):\n    pass\n')
    return list(lint.check_lists(str(tmp_path), set(there) | {'src/m/wscript', 'test/wscript'}))


def test_complete_sorted_lists_pass(tmp_path):
    assert check(tmp_path, ['model/a.cc', 'model/b.cc'], ['model/a.h'], ['a-test.cc'],
                 ['src/m/model/a.cc', 'src/m/model/b.cc', 'src/m/model/a.h', 'test/m/a-test.cc']) == []


@pytest.mark.parametrize('sources, headers, tests, there, complaint', [
    (['model/b.cc', 'model/a.cc'], [], [], ['src/m/model/a.cc', 'src/m/model/b.cc'], 'not sorted'),
    ([], [], [], ['src/m/model/a.cc'], 'model/a.cc is not listed'),
    ([], [], [], ['src/m/model/a.h'], 'model/a.h is not listed'),
    ([], [], [], ['test/m/a-test.cc'], 'a-test.cc is not listed'),
    (['model/a.cc'], [], [], [], 'model/a.cc is listed but does not exist'),
    (['model/a.cc', 'model/a.cc'], [], [], ['src/m/model/a.cc'], 'listed 2 times'),
])
def test_each_fault_of_a_list_is_named(tmp_path, sources, headers, tests, there, complaint):
    complaints = check(tmp_path, sources, headers, tests, there)
    assert len(complaints) == 1
    assert complaint in complaints[0]


@pytest.mark.parametrize('program, unit_tests, complaints', [
    (['bench/a.cc'], ['main.cc', 'bench/a.cc'], []),
    (['bench/a.cc'], ['main.cc', 'main.cc'], ['test/wscript: main.cc is listed 2 times']),
    (['bench/a.cc', 'bench/a.cc'], ['main.cc'], ['test/wscript: bench/a.cc is listed 2 times']),
    ([], ['main.cc'], ['test/wscript: bench/a.cc is not listed']),
])
def test_the_unit_tests_may_share_sources_with_a_program(tmp_path, program, unit_tests, complaints):
    (tmp_path / 'test').mkdir()
    (tmp_path / 'test/wscript').write_text('def build(bld):\n'
                                           '    bld.rdma_tests("t", sources=%r)\n'
                                           '    bld.rdma_program("p", uses=[], sources=%r)\n'
                                           % (unit_tests, program))
    there = {'test/wscript', 'test/main.cc', 'test/bench/a.cc'}
    assert list(lint.check_lists(str(tmp_path), there)) == complaints


def test_a_header_name_of_ns3_is_taken(monkeypatch, tmp_path):
    (tmp_path / 'packet.h').touch()
    monkeypatch.setattr(lint, 'NS3_HEADERS', str(tmp_path))
    complaints = list(lint.check_header_names(['src/m/model/packet.h', 'src/m/model/frame.h']))
    assert complaints == ['src/m/model/packet.h: ns-3 has a header of this name']
