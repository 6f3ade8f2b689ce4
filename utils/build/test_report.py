# SPDX-License-Identifier: GPL-2.0-only
"""
Runs the test programs and sums up.  GoogleTest's output is read line by line, because a program that
crashes writes no report file; the test that it was in has failed, the others run in a new process.
"""

import collections
import json
import os
import re
import signal
import subprocess
import tempfile
import threading
import time
import xml.etree.ElementTree

#: A program that needs longer than this hangs, seconds.
TIME_LIMIT = 900

#: What runs the Python tests: the one that Debian's packages are for.
PYTHON = '/usr/bin/python3'

#: Lines kept of the output of one failed test.
OUTPUT_LINES = 60

#: What --dist=loadgroup appends to the name of a test in a group.
GROUP = re.compile(r'@[a-z0-9_]+$')

STATE_LINE = re.compile(r'\[ +(RUN|OK|FAILED|SKIPPED) +\] ([^\s,]+)')


class Report:
    """What passed, what failed and why, what was skipped and why."""

    def __init__(self):
        self.groups = collections.OrderedDict()
        self.failures = []
        self.skips = []

    def add(self, group, name, state, text=''):
        """state is 'passed', 'failed' or 'skipped'; text says why."""
        self.groups.setdefault(group, collections.Counter())[state] += 1
        if state == 'failed':
            self.failures.append((name, text))
        elif state == 'skipped':
            self.skips.append((name, text))

    def count(self, state):
        return sum(group[state] for group in self.groups.values())

    def last_line(self):
        line = '%d passed, %d failed' % (self.count('passed'), self.count('failed'))
        if self.skips:
            line += ', %d skipped' % len(self.skips)
        return line

    def print_details(self):
        for group, counts in self.groups.items():
            parts = ['%d %s' % (counts[state], state) for state in ('passed', 'failed', 'skipped')
                     if counts[state]]
            print('%s: %s' % (group, ', '.join(parts)))
        for name, text in self.skips:
            print('skipped: %s: %s' % (name, ' '.join(text.split())))
        for name, text in self.failures:
            lines = text.strip().splitlines()
            if len(lines) > OUTPUT_LINES:
                lines = ['(%d lines left out)' % (len(lines) - OUTPUT_LINES)] + lines[-OUTPUT_LINES:]
            print('\nFAILED: %s' % name)
            print('\n'.join('    ' + line for line in lines))
        print(flush=True)


def make_environment(build):
    """Returns the environment of the tests: each Python that one starts finds its modules compiled."""
    environment = dict(os.environ, ROCELAB_BUILD=build, PYTHONPYCACHEPREFIX=os.path.join(build, '.pycache'))
    environment.pop('PYTHONDONTWRITEBYTECODE', None)
    return environment


def get_process_count(jobs):
    """Returns how many processes share tests: more than jobs, because some wait for other programs."""
    return jobs + jobs // 2


def run_google_test(report, program, folder, build, chosen, jobs, has_slow=False):
    """Runs the chosen tests of a GoogleTest program in several processes at once; see list_tests()."""
    started = time.time()
    environment = make_environment(build)
    try:
        groups = list_tests(program, folder, environment, chosen, has_slow)
    except (OSError, ValueError, subprocess.SubprocessError) as error:
        report.add('GoogleTest', os.path.basename(program), 'failed', 'cannot list its tests: %s' % error)
        return
    names = list(groups)
    lock = threading.Lock()

    def record(name, state, text):
        with lock:
            report.add(groups.get(name, 'GoogleTest'), name, state, text)

    count = min(get_process_count(jobs), len(names))
    # Neighbors in a file have alike run times: deal them out in turn.
    workers = [threading.Thread(target=run_until_done,
                                args=(program, folder, environment, names[start::count], record))
               for start in range(count)]
    for group in groups.values():
        report.groups.setdefault(group, collections.Counter())
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    print('GoogleTest: %d tests in %.1f s' % (len(names), time.time() - started))


def list_tests(program, folder, environment, chosen, has_slow):
    """
    Returns {test name: module}, in the program's order; the module is the folder in test/.

    Suites whose name begins with Slow are listed with has_slow, or if tests were chosen.
    """
    with tempfile.TemporaryDirectory() as scratch:
        path = os.path.join(scratch, 'list.json')
        process = subprocess.run([program, '--gtest_list_tests', '--gtest_filter=' + chosen,
                                  '--gtest_output=json:' + path],
                                 cwd=folder, env=environment, capture_output=True, text=True,
                                 timeout=TIME_LIMIT)
        if process.returncode:
            raise ValueError('it ended with status %d: %s' % (process.returncode, process.stderr[-2000:]))
        with open(path, encoding='utf-8') as file:
            suites = json.load(file)['testsuites']
    tests = collections.OrderedDict()
    for suite in suites:
        if suite['name'].startswith('Slow') and chosen == '*' and not has_slow:
            continue
        for test in suite['testsuite']:
            # A disabled test is not run at all.
            if 'DISABLED_' not in suite['name'] + test['name']:
                module = os.path.basename(os.path.dirname(test['file']))
                tests['%s.%s' % (suite['name'], test['name'])] = module
    return tests


def run_until_done(program, folder, environment, names, record):
    """Runs tests in one process, and again without those that are done as long as one crashes."""
    pending = list(names)
    while pending:
        done = run_once(program, folder, environment, pending, record)
        rest = [name for name in pending if name not in done]
        if len(rest) == len(pending):
            for name in rest:
                record(name, 'failed', 'the program ended before this test')
            return
        pending = rest


def run_once(program, folder, environment, names, record):
    """Runs tests in one process and records them; returns the names of those that have a result."""
    with tempfile.NamedTemporaryFile('w', suffix='.flags') as flags:
        flags.write('--gtest_filter=%s\n' % ':'.join(names))
        flags.flush()
        process = subprocess.Popen([program, '--gtest_color=no', '--gtest_flagfile=' + flags.name],
                                   cwd=folder, env=environment, text=True, errors='replace',
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        timer = threading.Timer(TIME_LIMIT, process.kill)
        timer.start()
        parser = OutputParser(record)
        with process:
            for line in process.stdout:
                parser.read(line)
        in_time = timer.is_alive()
        timer.cancel()
    parser.end(process.returncode, in_time, os.path.basename(program))
    return parser.done


class OutputParser:
    """Finds the results, and the output of each test, in what a GoogleTest program prints."""

    STATES = {'OK': 'passed', 'FAILED': 'failed', 'SKIPPED': 'skipped'}

    def __init__(self, record):
        self.record = record
        self.done = set()
        self.running = None
        self.failed = False
        self.output = []

    def read(self, line):
        match = STATE_LINE.search(line)
        if match and match.group(1) == 'RUN':
            self.running = match.group(2)
            self.output = []
        elif match and match.group(2) == self.running:
            self.output.append(line[:match.start()])
            self.finish(self.STATES[match.group(1)])
        else:
            self.output.append(line)

    def finish(self, state):
        text = ''.join(self.output)
        if state == 'skipped':
            text = re.sub(r'^.*: Skipped$', '', text, flags=re.MULTILINE)
        self.failed = self.failed or state == 'failed'
        self.record(self.running, state, text)
        self.done.add(self.running)
        self.running = None
        self.output = []

    def end(self, status, in_time, program):
        """Closes the books when the process is gone."""
        reason = 'was stopped after %d s' % TIME_LIMIT
        if in_time:
            reason = ('ended with status %d' % status if status >= 0 else
                      'was ended by ' + signal.Signals(-status).name)
        if self.running:
            self.output.append('\n%s %s in this test' % (program, reason))
            self.finish('failed')
        elif status and not self.failed:
            # For example a leak, which is reported at the exit.
            text = ''.join(self.output) + '\n%s %s after its last test' % (program, reason)
            self.record(program, 'failed', text)


def get_worker_options(jobs):
    """
    Returns the options of pytest that share the tests out among processes; tests that share what they
    were set up with stay in one. None without xdist.
    """
    if jobs < 2 or subprocess.run([PYTHON, '-c', 'import xdist'], stderr=subprocess.DEVNULL).returncode:
        return []
    return ['-p', 'test_groups', '-n', str(get_process_count(jobs)), '--dist', 'loadgroup']


def run_pytest(report, folder, build, jobs=1, has_slow=False):
    """Runs the Python tests, if there are any, in several processes at once."""
    if not os.path.isdir(os.path.join(folder, 'test', 'python')):
        return
    started = time.time()
    path = os.pathsep.join([os.path.join(folder, 'utils'), os.path.dirname(__file__)] +
                           [p for p in [os.environ.get('PYTHONPATH')] if p])
    environment = dict(make_environment(build), PYTHONPATH=path)
    with tempfile.TemporaryDirectory() as scratch:
        results = os.path.join(scratch, 'results.xml')
        process = subprocess.run([PYTHON, '-m', 'pytest', 'test/python', '-q',
                                  '-p', 'no:cacheprovider', '--junitxml=' + results] +
                                 (['--slow'] if has_slow else []) + get_worker_options(jobs),
                                 cwd=folder, env=environment, text=True, errors='replace',
                                 stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        before = report.count('failed')
        cases = []
        if os.path.exists(results):
            cases = list(xml.etree.ElementTree.parse(results).iter('testcase'))
        for case in cases:
            add_python_case(report, case)
    # 5: no test was found.
    if process.returncode not in (0, 5) and report.count('failed') == before:
        report.add('python', 'pytest', 'failed', process.stdout)
    rest = '' if has_slow else '; those marked as slow are left out (--slow runs them)'
    print('pytest: %d tests in %.1f s%s' % (len(cases), time.time() - started, rest))


def add_python_case(report, case):
    """Records one <testcase> of a JUnit file; pytest may list a skip beside a later error."""
    name = '%s.%s' % (case.get('classname', ''), GROUP.sub('', case.get('name', '')))
    for tag, state in (('failure', 'failed'), ('error', 'failed'), ('skipped', 'skipped')):
        child = case.find(tag)
        if child is not None:
            text = child.text if state == 'failed' else child.get('message')
            report.add('python', name, state, text or child.get('message') or '')
            return
    report.add('python', name, 'passed')
