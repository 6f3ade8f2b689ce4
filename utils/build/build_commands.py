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
import test_report

PYTHON = '/usr/bin/python3'

#: What `./waf compare` runs by default, in this order, and its folder below that of the results.
DEFAULT_SCENARIOS = ['examples/start/compare/as-designed.json', 'examples/start/compare/lossy.json']
DEFAULT_FOLDER = 'compare'

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
    group.add_option('--scenario', default='', metavar='SCENARIO',
                     help='compare: scenario file, or results of one; also as a word, compare SCENARIO '
                     '(default: %s)' % ' and '.join(DEFAULT_SCENARIOS))
    group.add_option('--nic', action='append', default=[], metavar='NAME',
                     help='compare: NIC of the scenario, or preset, to run (repeatable)')
    group.add_option('--set', action='append', default=[], metavar='PATH=VALUE',
                     help='compare: change a value of the scenario (repeatable)')
    group.add_option('--seed', default='', metavar='N', help='compare: random seed, in place of run.seed')
    group.add_option('--series', action='store_true', default=False,
                     help='compare: write and draw time series of queues, ports and rates')
    group.add_option('--ranks', default='', metavar='N',
                     help='compare: processes that simulate the fabric of each NIC together: auto, or a number')
    group.add_option('--workload', default='', metavar='NAME', help='compare: only this one of a list of workloads')
    group.add_option('--plugin', action='append', default=[], metavar='FILE',
                     help='compare, figure: shared library to load, built before if it is of scratch/ '
                     '(repeatable)')
    group.add_option('--name', default='', help='figure, validate, reproduce: folder in examples/, as '
                     'strom/figure-7')
    group.add_option('--list', action='store_true', default=False, help='figure: print all of them, a line each')
    group.add_option('--option', action='append', default=[], metavar='NAME=VALUE',
                     help='figure, validate: set an option of the figure (repeatable)')
    group.add_option('--rerun', action='store_true', default=False,
                     help='validate: run the figures first, which takes minutes')
    group.add_option('--quick', action='store_true', default=False, help='figure, reproduce, bench: the short variant')
    group.add_option('--guard', action='store_true', default=False,
                     help='bench: only fail if the full model has become slow')
    group.add_option('--results', default='', metavar='DIR',
                     help='compare, figure, validate, reproduce: folder of the results (--out does as well; default results)')
    group.add_option('--accept', action='store_true', default=False,
                     help='reproduce: write numbers that differ from those before')
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


def run(command, **environment):
    """Runs a program in the top folder and returns its exit status; signals are left to the program."""
    sys.stdout.flush()
    child_environment = dict(os.environ, **environment)
    try:
        child = subprocess.Popen(command, cwd=project_folder(), env=child_environment)
    except OSError as error:
        raise Errors.WafError('cannot run %s: %s' % (command[0], error.strerror))
    restore = child_signals.forward_signals(child)
    try:
        status = child.wait()
    finally:
        restore()
    return status if status >= 0 else 128 - status


def run_or_exit(command, **environment):
    """Runs a program; if it fails, so does waf, with the same status."""
    status = run(command, **environment)
    if status:
        sys.exit(status)


def rocelab_python(arguments):
    """The command line of the Python package, and the environment that it needs."""
    path = os.path.join(project_folder(), 'utils')
    if os.environ.get('PYTHONPATH'):
        path += os.pathsep + os.environ['PYTHONPATH']
    return [PYTHON, '-m', 'rocelab'] + arguments, {'PYTHONPATH': path}


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
    """compiles what has changed"""

    cmd = 'build'
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
        for tasks in super().get_build_iterator():
            if self.get_group_name(self.current_group) == build_targets.PLUGINS:
                self.keep = self.keep or 1
            yield tasks

    def get_needed_plugins(self):
        """Returns the targets of --plugin: those of the build folder that have a source."""
        targets = []
        for plugin in Options.options.plugin:
            path = os.path.join(project_folder(), given_path(plugin))
            target = os.path.splitext(os.path.relpath(os.path.realpath(path), self.variant_dir))[0]
            if os.path.exists(os.path.join(project_folder(), target + '.cc')):
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
    """builds, and runs the unit tests and the Python tests"""

    cmd = 'test'

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


class CompareCommand(BuildCommand):
    """builds, runs a scenario, prints the comparison of its NICs and draws it"""

    cmd = 'compare'
    needed_program = 'rocelab'

    def after_build(self):
        options = Options.options
        results = given_path(options.results) if options.results else ''
        if options.scenario:
            scenarios = [given_path(options.scenario)]
        else:
            scenarios = DEFAULT_SCENARIOS
            results = os.path.join(results or 'results', DEFAULT_FOLDER)
        arguments = ['compare'] + scenarios + ['--build', self.variant_dir]
        if results:
            arguments += ['--out', results]
        for nic in options.nic:
            arguments += ['--nic', nic]
        for setting in options.set:
            arguments += ['--set', setting]
        for name in ('seed', 'ranks', 'workload'):
            if getattr(options, name):
                arguments += ['--' + name, getattr(options, name)]
        if options.series:
            arguments += ['--series']
        for plugin in options.plugin:
            arguments += ['--plugin', given_path(plugin)]
        command, environment = rocelab_python(arguments)
        run_or_exit(command, **environment)


class FigureCommand(BuildCommand):
    """builds, and repeats the experiment of a paper's figure: --name=GROUP/FOLDER, or --list"""

    cmd = 'figure'
    needed_program = 'rocelab'

    def execute(self):
        options = Options.options
        if options.list or not os.path.exists(os.path.join(project_folder(), 'examples', options.name, 'figure.py')):
            # Either needs no program: the list, or the line that names the nearest figure.
            command, environment = rocelab_python(['figure', '--list'] if options.list else
                                                  ['figure', *filter(None, [options.name])])
            run_or_exit(command, **environment)
            return
        super().execute()

    def after_build(self):
        options = Options.options
        arguments = ['figure', options.name, '--build', self.variant_dir]
        if options.quick:
            arguments.append('--quick')
        if options.results:
            arguments += ['--out', given_path(options.results)]
        for setting in options.option:
            arguments += ['--option', setting]
        for plugin in options.plugin:
            arguments += ['--plugin', given_path(plugin)]
        command, environment = rocelab_python(arguments)
        run_or_exit(command, **environment)


class ValidateCommand(BuildCommand):
    """builds, and sets the numbers that papers state beside those of the figures' results"""

    cmd = 'validate'
    needed_program = 'rocelab'

    def after_build(self):
        options = Options.options
        arguments = ['validate', '--build', self.variant_dir]
        for name in ('docs', 'validation'):
            arguments += ['--' + name, os.path.join(project_folder(), name)]
        if options.name:
            arguments += ['--figure', options.name]
        if options.rerun:
            arguments.append('--rerun')
        if options.results:
            arguments += ['--out', given_path(options.results)]
        for setting in options.option:
            arguments += ['--option', setting]
        command, environment = rocelab_python(arguments)
        run_or_exit(command, **environment)


class ReproduceCommand(BuildCommand):
    """builds, and runs all figures from one commit; --quick only checks that each runs"""

    cmd = 'reproduce'

    def after_build(self):
        options = Options.options
        arguments = ['reproduce', '--build', self.variant_dir]
        for name in ('docs', 'validation'):
            arguments += ['--' + name, os.path.join(project_folder(), name)]
        if options.results:
            arguments += ['--out', given_path(options.results)]
        arguments += ['--figure', options.name] if options.name else []
        arguments += ['--' + name for name in ('quick', 'accept') if getattr(options, name)]
        command, environment = rocelab_python(arguments)
        run_or_exit(command, **environment)


class DocsCommand(BuildCommand):
    """builds, and writes the generated tables of docs/; with --site also the pages as a site (build/site)"""

    cmd = 'docs'
    needed_program = 'rocelab'

    def after_build(self):
        run_or_exit([PYTHON, 'utils/column_tables.py'])
        run_or_exit([PYTHON, 'utils/fact_tables.py'])
        if Options.options.site:
            run_or_exit([PYTHON, 'utils/site/build_site.py', '--program', self.built('rocelab'),
                         '--out', os.path.join(self.out_dir, 'site'), '--version', Context.g_module.VERSION])


def lint():
    run_or_exit([PYTHON, 'utils/lint.py'])
    run_or_exit([PYTHON, 'utils/fact_tables.py', '--check'])
    if os.path.exists(os.path.join(project_folder(), 'build', 'rocelab')):
        run_or_exit([PYTHON, 'utils/column_tables.py', '--check'])


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
