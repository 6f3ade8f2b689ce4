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


@pytest.mark.parametrize('path', [
    'src/m/model/a.cc', 'src/m/model/layer/a.h', 'src/m/helper/a.cc', 'src/m/cli/main.cc', 'src/m/wscript',
    'test/m/a-test.cc', 'test/m/bench.h', 'test/bench/a.cc', 'test/main.cc',
])
def test_files_where_the_build_looks_pass(path):
    assert list(lint.check_places([path, 'src/m/wscript'])) == []


@pytest.mark.parametrize('path', [
    'src/m/a.cc', 'src/m/model.cc', 'src/m/modle/a.cc', 'src/m/modle/a.h', 'test/m/a.cc', 'test/m/layer/a-test.cc',
])
def test_a_file_that_the_build_would_not_find_is_named(path):
    complaints = list(lint.check_places([path, 'src/m/wscript']))
    assert len(complaints) == 1
    assert complaints[0].startswith(path + ': ')


def test_an_object_is_not_made_by_create():
    texts = {
        'a.h': 'class Base : public Object\n{\n};\nclass Plain : public SimpleRefCount<Plain>\n{\n};\n',
        'b.h': 'class Derived final\n    : public Plainer,\n      public Base\n{\n};\n',
        'c.cc': 'auto a = Create<Plain>();\nauto b = CreateObject<Base>();\nauto c = hosts.Create<Base>();\n',
        'd.cc': 'auto a = this->Create<Base>();\nauto b = ns3::Create<Base>();\nreturn {Create<Derived>(x)};\n',
    }
    assert list(lint.check_creation(texts)) == [
        'd.cc:2: Create<Base>: an Object is made by CreateObject',
        'd.cc:3: Create<Derived>: an Object is made by CreateObject',
    ]


def test_a_header_name_of_ns3_is_taken(monkeypatch, tmp_path):
    (tmp_path / 'packet.h').touch()
    monkeypatch.setattr(lint, 'NS3_HEADERS', str(tmp_path))
    complaints = list(lint.check_header_names(['src/m/model/packet.h', 'src/m/model/frame.h']))
    assert complaints == ['src/m/model/packet.h: ns-3 has a header of this name']


def test_a_bound_that_would_be_rounded_to_zero_is_named():
    bad = 'int a;\nMakeTimeChecker(PicoSeconds(100), MicroSeconds(1)))\n'
    assert list(lint.check_static_times('a.cc', bad)) == [
        'a.cc:2: a bound below a nanosecond would be 0: use MakeTickChecker()'
    ]
    assert not list(lint.check_static_times('a.cc', 'MakeTimeChecker(NanoSeconds(1))\nMakeTickChecker(100)\n'))


def test_an_alias_of_one_file_outside_its_unnamed_namespace_is_named():
    """In a clean build files are compiled together: two such aliases of one name end it."""
    bad = 'namespace a\n{\n\nusing Json = int;\n\nnamespace\n{\nusing Own = int;\n} // namespace\n\n} // namespace a\n'
    assert list(lint.check_aliases('src/m/model/a.cc', bad)) == [
        'src/m/model/a.cc:4: an alias of one file belongs into its unnamed namespace'
    ]
    assert not list(lint.check_aliases('src/m/model/a.cc', bad.replace('using Json = int;\n', '')))
