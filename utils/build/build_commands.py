# SPDX-License-Identifier: GPL-2.0-only
"""
The project's commands: test, bench, compare, figure, validate and docs build first and then run something; build, clean
and list are waf's own with a lock; the rest needs no build.
"""

import fcntl
import os
import shutil
import subprocess
import sys

from waflib import Build, Context, Errors, Logs, Options, Scripting

import build_targets
import child_signals
import launch_arguments
import test_report

PYTHON = '/usr/bin/python3'

#: Children of the build folder that are no output of the optimized variant.
KEPT_BY_CLEAN = ['.waf', 'c4che', 'config.log', 'debug', 'sanitize']

#: What is printed when all commands are done; scripts read the last line.
last_line = []

#: The group of add_options().
running_options = []


def add_options(opt):
    """Adds the options of the commands below; each help text begins with its commands."""
    group = opt.add_option_group('Running')
    running_options[:] = [group]
    group.add_option('--filter', default='*', help='test: GoogleTest filter, say Dcqcn.*; leaves out the '
                     'Python tests')
    group.add_option('--slow', action='store_true', default=False,
                     help='test: also the tests that take seconds each, as .ci/run does')
    group.add_option('--quick', action='store_true', default=False, help='bench: the short variant')
    group.add_option('--guard', action='store_true', default=False,
                     help='bench: only fail if the full model has become slow')
    group.add_option('--site', action='store_true', default=False, help='docs: also build the site')
    group.add_option('--bench-args', default='', help='bench: arguments for build/rocelab-bench')


def check_options(options, commands):
    """Refuses an option that is for none of the commands that were given."""
    for option in running_options[0].option_list:
        uses = option.help.partition(':')[0].split(', ')
        value = getattr(options, option.dest)
        is_given = bool(value) if isinstance(value, list) else value != option.default
        if is_given and not set(uses) & set(commands):
            print('waf: %s is for %s, not for %s' % (option.get_opt_string(), join_names(uses),
                                                     join_names(commands) or 'build'), file=sys.stderr)
            sys.exit(2)


def join_names(names):
    """Returns "a", "a and b" or "a, b and c"."""
    return ' and '.join(filter(None, [', '.join(names[:-1]), *names[-1:]]))


def print_last_line():
    for line in last_line:
        print(line, flush=True)


def project_folder():
    return os.path.dirname(Context.g_module.root_path)


def given_path(path):
    """Resolves a path of the command line, which is relative to where the user stands."""
    launched = os.environ.get('ROCELAB_LAUNCH_DIR', project_folder())
    return path if launched == project_folder() else os.path.join(launched, path)


def run(command, folder=None):
    """Runs a program in a folder, the top one if none, and returns its exit status; signals are left to it."""
    sys.stdout.flush()
    try:
        child = subprocess.Popen(command, cwd=folder or project_folder())
    except OSError as error:
        raise Errors.WafError('cannot run %s: %s' % (command[0], error.strerror))
    restore = child_signals.forward_signals(child)
    try:
        status = child.wait()
    finally:
        restore()
    return status if status >= 0 else 128 - status


def run_or_exit(command, folder=None):
    """Runs a program; if it fails, so does waf, with the same status."""
    status = run(command, folder)
    if status:
        sys.exit(status)


class FolderLock:
    """Keeps two builds out of one build folder."""

    held = None

    @classmethod
    def acquire(cls, folder):
        if cls.held:
            return
        os.makedirs(os.path.join(folder, '.waf'), exist_ok=True)
        cls.held = open(os.path.join(folder, '.waf', 'lock'), 'w')
        try:
            fcntl.flock(cls.held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            Logs.warn('waiting for another waf that builds in this folder')
            fcntl.flock(cls.held, fcntl.LOCK_EX)

    @classmethod
    def release(cls):
        if cls.held:
            cls.held.close()
            cls.held = None


class BuildCommand(Build.BuildContext):
    """compiles what has changed: the program, the Python module and scratch/"""

    cmd = 'build'
    builds_tests = False
    needed_program = ''  # The only one that a command needs; empty: all are built.

    def restore(self):
        FolderLock.acquire(self.out_dir)
        super().restore()

    def execute_build(self):
        if self.needed_program and not self.targets:
            self.targets = ','.join([self.needed_program] + self.get_needed_plugins())
        super().execute_build()
        FolderLock.release()
        self.after_build()

    def get_build_iterator(self):
        """Waf's lists of tasks; from the plug-ins on, a failed one does not stop the others."""
        self.wanted = self.find_wanted()
        for tasks in super().get_build_iterator():
            if self.get_group_name(self.current_group) == build_targets.PLUGINS:
                self.keep = self.keep or 1
            yield tasks

    def find_wanted(self):
        """Returns the targets of this build: those of --targets, or all except those for tests; with what these use."""
        known = {target.name: target for target in self.get_all_task_gen()}
        if self.targets and self.targets != '*':
            pending = [self.get_tgen_by_name(name) for name in self.targets.split(',')]
        else:
            is_whole = self.builds_tests or self.targets == '*'
            pending = [target for target in known.values() if is_whole or not getattr(target, 'is_for_tests', False)]
        wanted = set()
        while pending:
            target = pending.pop()
            if target not in wanted:
                wanted.add(target)
                pending += [known[name] for name in target.to_list(getattr(target, 'use', [])) if name in known]
        return wanted

    def post_group(self):
        """Makes the tasks of a group's wanted targets; waf's would build whole groups for a target of a later one."""
        for target in self.groups[self.current_group]:
            if target in self.wanted:
                target.post()

    def get_needed_plugins(self):
        """Returns the targets of --plugin: those of the build folder that have a source."""
        targets = []
        for plugin in launch_arguments.find_plugins(launch_arguments.get_words()):
            path = os.path.join(project_folder(), given_path(plugin))
            target = os.path.splitext(os.path.relpath(os.path.realpath(path), self.variant_dir))[0]
            if not target.startswith('..') and os.path.exists(os.path.join(project_folder(), target + '.cc')):
                targets.append(target)
        return targets

    def after_build(self):
        """What a command does with the programs."""

    def built(self, name):
        path = os.path.join(self.variant_dir, name)
        if not os.path.exists(path):
            raise Errors.WafError('%s has no sources yet: nothing to run' % name)
        return path


class ListCommand(Build.ListContext):
    """lists the targets to execute"""

    cmd = 'list'
    execute = Scripting.autoconfigure(Build.ListContext.execute)

    def restore(self):
        FolderLock.acquire(self.out_dir)
        super().restore()


class CleanCommand(Build.BuildContext):
    """removes what the build made, of the chosen variant"""

    cmd = 'clean'

    def execute(self):
        if not self.out_dir or not os.path.isdir(self.variant_dir):
            return
        FolderLock.acquire(self.out_dir)
        for name in os.listdir(self.variant_dir):
            if name not in KEPT_BY_CLEAN and not name.startswith('.lock'):
                remove(os.path.join(self.variant_dir, name))
        FolderLock.release()


class TestCommand(BuildCommand):
    """builds everything, and runs the unit tests and the Python tests"""

    cmd = 'test'
    builds_tests = True

    def after_build(self):
        report = test_report.Report()
        test_report.run_google_test(report, self.built('rocelab-test'), project_folder(),
                                    self.variant_dir, Options.options.filter, Options.options.jobs,
                                    Options.options.slow)
        for program in build_targets.find_plugin_tests(self.variant_dir):
            test_report.run_google_test(report, program, project_folder(), self.variant_dir,
                                        Options.options.filter, Options.options.jobs,
                                        Options.options.slow)
        if Options.options.filter == '*':
            test_report.run_pytest(report, project_folder(), self.variant_dir,
                                   Options.options.jobs, Options.options.slow)
        elif not report.count('passed') + report.count('failed') + report.count('skipped'):
            print('no test matches --filter=%s' % Options.options.filter, file=sys.stderr)
            sys.exit(2)
        last_line[:] = [report.last_line()]
        report.print_details()
        if report.failures:
            print_last_line()
            sys.exit(1)


class BenchCommand(BuildCommand):
    """builds, and runs the benchmarks"""

    cmd = 'bench'
    needed_program = 'rocelab-bench'

    def after_build(self):
        options = Options.options
        flags = ['--' + name for name in ('quick', 'guard') if getattr(options, name)]
        run_or_exit([self.built('rocelab-bench')] + flags + options.bench_args.split())


class HandedWords:
    """Builds the program, and starts it with all words behind the command, where the user stands."""

    needed_program = 'rocelab'

    def get_own_words(self):
        """Returns words before those that are handed over."""
        return []

    def after_build(self):
        words = self.get_own_words() + launch_arguments.get_words()
        run_or_exit([self.built('rocelab'), self.cmd] + words,
                    os.environ.get('ROCELAB_LAUNCH_DIR', project_folder()))


class CompareCommand(HandedWords, BuildCommand):
    """builds, runs a scenario, prints the comparison of its NICs and draws it: rocelab compare"""

    cmd = 'compare'


class FigureCommand(HandedWords, BuildCommand):
    """builds, and repeats the experiment of a paper's figure: rocelab figure"""

    cmd = 'figure'


class ValidateCommand(HandedWords, BuildCommand):
    """builds, and sets the numbers that papers state beside those of the figures' results"""

    cmd = 'validate'

    def get_own_words(self):
        return [word for name in ('docs', 'validation')
                for word in ('--' + name, os.path.join(project_folder(), name))]


class ReproduceCommand(ValidateCommand):
    """builds, and runs all figures from one commit; --quick only checks that each runs"""

    cmd = 'reproduce'
    needed_program = ''


class DocsCommand(BuildCommand):
    """builds, and writes the generated tables of docs/; with --site also the pages as a site (build/site)"""

    cmd = 'docs'
    needed_program = 'rocelab'

    def after_build(self):
        run_or_exit([PYTHON, 'utils/column_tables.py'])
        run_or_exit([PYTHON, 'utils/key_tables.py'])
        run_or_exit([PYTHON, 'utils/fact_tables.py'])
        if Options.options.site:
            run_or_exit([PYTHON, 'utils/site/build_site.py', '--program', self.built('rocelab'),
                         '--out', os.path.join(self.out_dir, 'site'), '--version', Context.g_module.VERSION])


def lint():
    run_or_exit([PYTHON, 'utils/lint.py'])
    run_or_exit([PYTHON, 'utils/fact_tables.py', '--check'])
    if os.path.exists(os.path.join(project_folder(), 'build', 'rocelab')):
        run_or_exit([PYTHON, 'utils/column_tables.py', '--check'])
        run_or_exit([PYTHON, 'utils/key_tables.py', '--check'])


def format_sources():
    run_or_exit([PYTHON, 'utils/lint.py', '--fix'])


def remove(path):
    if os.path.isdir(path) and not os.path.islink(path):
        shutil.rmtree(path)
    else:
        os.remove(path)


def distclean():
    """Removes everything that is not source; waf's own code stays while commands are still to come."""
    build = os.path.join(project_folder(), 'build')
    if os.path.isdir(build):
        for name in os.listdir(build):
            if name != '.waf' or not Options.commands:
                remove(os.path.join(build, name))
        if not os.listdir(build):
            os.rmdir(build)
    for name in os.listdir(project_folder()):
        if name.startswith('.lock-waf'):
            remove(os.path.join(project_folder(), name))
