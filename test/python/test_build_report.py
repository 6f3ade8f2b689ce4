# SPDX-License-Identifier: GPL-2.0-only
"""What ./waf test makes of the output of its programs."""

import os
import stat
import sys
import xml.etree.ElementTree

import pytest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), '..', '..', 'utils', 'build'))

import test_report  # noqa: E402


def parse(text, status=0):
    """Feeds a program's output to the parser; returns {test: (state, text)}."""
    results = {}
    parser = test_report.OutputParser(lambda name, state, why: results.update({name: (state, why)}))
    for line in text.splitlines(keepends=True):
        parser.read(line)
    parser.end(status, True, 'prog')
    return results


def test_passed_failed_and_skipped_tests_are_told_apart():
    results = parse('[ RUN      ] A.One\n[       OK ] A.One (0 ms)\n'
                    '[ RUN      ] A.Two\nx.cc:3: Failure\nwhy\n[  FAILED  ] A.Two (1 ms)\n'
                    '[ RUN      ] A.Three\nx.cc:9: Skipped\nno data\n[  SKIPPED ] A.Three (0 ms)\n'
                    '[  FAILED  ] 1 test, listed below:\n[  FAILED  ] A.Two\n', 1)
    assert {name: state for name, (state, _) in results.items()} == {
        'A.One': 'passed', 'A.Two': 'failed', 'A.Three': 'skipped'}
    assert results['A.Two'][1] == 'x.cc:3: Failure\nwhy\n'
    assert results['A.Three'][1].strip() == 'no data'


def test_a_result_is_found_behind_output_without_a_newline():
    results = parse('[ RUN      ] A.One\n50 %[       OK ] A.One (0 ms)\n')
    assert results == {'A.One': ('passed', '50 %')}


def test_the_name_of_a_parameterized_test_ends_at_the_comma():
    results = parse('[ RUN      ] All/A.One/0\n[  FAILED  ] All/A.One/0, where GetParam() = 4 (0 ms)\n', 1)
    assert list(results) == ['All/A.One/0']


def test_a_crash_fails_the_test_that_was_running():
    results = parse('[ RUN      ] A.One\n[       OK ] A.One (0 ms)\n[ RUN      ] A.Two\n', -11)
    assert results['A.One'][0] == 'passed'
    assert results['A.Two'][0] == 'failed'
    assert 'SIGSEGV' in results['A.Two'][1]


def test_a_failure_after_the_last_test_counts_too():
    results = parse('[ RUN      ] A.One\n[       OK ] A.One (0 ms)\nleak\n', 1)
    assert results['prog'][0] == 'failed'
    assert 'leak' in results['prog'][1]


def test_tests_behind_a_crash_still_run(tmp_path):
    # A stand-in for a GoogleTest program: A.Two crashes, whatever runs with it.
    program = tmp_path / 'prog'
    program.write_text('''#!/bin/bash
for a in "$@"; do case $a in --gtest_flagfile=*) f=${a#*=};; esac; done
IFS=: read -ra names <<< "$(sed s/--gtest_filter=// "$f")"
for n in "${names[@]}"; do
    echo "[ RUN      ] $n"
    [ "$n" = A.Two ] && kill -ABRT $$
    echo "[       OK ] $n (0 ms)"
done
''')
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    results = {}
    test_report.run_until_done(str(program), str(tmp_path), dict(os.environ),
                               ['A.One', 'A.Two', 'A.Three'],
                               lambda name, state, why: results.update({name: state}))
    assert results == {'A.One': 'passed', 'A.Two': 'failed', 'A.Three': 'passed'}


@pytest.mark.parametrize('chosen, has_slow, names', [
    ('*', False, ['Quick.One']),
    ('*', True, ['Quick.One', 'SlowSuite.Two']),
    ('Slow*', False, ['Quick.One', 'SlowSuite.Two']),
])
def test_suites_named_slow_are_run_on_request(tmp_path, chosen, has_slow, names):
    program = tmp_path / 'program'
    program.write_text("""#!/bin/bash
for a in "$@"; do case $a in --gtest_output=json:*) f=${a#*:};; esac; done
cat > "$f" <<'JSON'
{"testsuites": [{"name": "Quick", "testsuite": [{"name": "One", "file": "test/a/one.cc"}]},
                {"name": "SlowSuite", "testsuite": [{"name": "Two", "file": "test/a/two.cc"}]}]}
JSON
""")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    tests = test_report.list_tests(str(program), str(tmp_path), dict(os.environ), chosen, has_slow)
    assert list(tests) == names


@pytest.mark.parametrize('states, line', [
    (['passed', 'passed'], '2 passed, 0 failed'),
    (['passed', 'failed', 'skipped'], '1 passed, 1 failed, 1 skipped'),
    ([], '0 passed, 0 failed'),
])
def test_the_last_line_sums_up(states, line):
    report = test_report.Report()
    for number, state in enumerate(states):
        report.add('group', 'test %d' % number, state)
    assert report.last_line() == line


def test_python_cases_are_counted_with_their_reasons():
    suite = xml.etree.ElementTree.fromstring(
        '<testsuite><testcase classname="t" name="a"/>'
        '<testcase classname="t" name="b@a_group"><failure message="m">trace</failure></testcase>'
        '<testcase classname="t" name="c"><skipped message="no data">x</skipped></testcase></testsuite>')
    report = test_report.Report()
    for case in suite.iter('testcase'):
        test_report.add_python_case(report, case)
    assert report.last_line() == '1 passed, 1 failed, 1 skipped'
    assert report.failures == [('t.b', 'trace')]
    assert report.skips == [('t.c', 'no data')]


def run_pytest(folder, jobs, tests):
    """Runs Python tests, given as text, as ./waf test does; returns the report."""
    (folder / 'test' / 'python').mkdir(parents=True)
    (folder / 'test' / 'python' / 'test_some.py').write_text(tests)
    report = test_report.Report()
    test_report.run_pytest(report, str(folder), str(folder), jobs)
    return report


@pytest.mark.parametrize('jobs', [1, pytest.param(2, marks=pytest.mark.slow)])
def test_python_tests_run_in_one_process_or_several(tmp_path, jobs):
    report = run_pytest(tmp_path, jobs, 'import pytest\n'
                        'def test_good(): pass\n'
                        'def test_bad(): assert not "the reason"\n'
                        'def test_left_out(): pytest.skip("no data")\n')
    assert report.last_line() == '1 passed, 1 failed, 1 skipped'
    (name, text), = report.failures
    assert name.endswith('test_some.test_bad')
    assert 'the reason' in text


@pytest.mark.slow
@pytest.mark.parametrize('mark', ['', '@pytest.mark.xdist_group("some")\n'])
def test_a_worker_that_dies_fails_its_test_and_the_others_still_run(tmp_path, mark):
    report = run_pytest(tmp_path, 2, 'import os, pytest\n' + mark +
                        'def test_one(): pass\n' + mark +
                        'def test_two(): os._exit(9)\n' + mark +
                        'def test_three(): pass\n')
    assert report.last_line() == '2 passed, 1 failed'
    (name, text), = report.failures
    assert 'test_two' in name + text


@pytest.mark.slow
def test_a_lone_process_that_dies_is_a_failure(tmp_path):
    report = run_pytest(tmp_path, 1, 'import os\ndef test_one(): os._exit(9)\n')
    assert report.last_line() == '0 passed, 1 failed'
