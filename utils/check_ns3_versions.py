#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""
Compares versions of ns-3: builds the project against each ns-3, tests it, runs the default comparison with
each program, and demands the same bytes of each flows.csv.

    utils/check_ns3_versions.py --source ../ns-3-dev@ns-3.48 --source ../ns-3-dev@ns-3.41

--source builds ns-3 with the modules in its contrib/ folder, and runs the suites of the modules.
--no-tests neither builds nor runs them. --prefix takes an ns-3 that is installed, --program a program that
was built in contrib/. The version that pkg-config finds comes first: the others are compared with it.
docs/extend/architecture.md lists the versions that were checked.
"""

import argparse
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / 'utils' / 'build'))

import project_files  # noqa: E402

SCENARIO = ROOT / 'examples' / 'start' / 'compare' / 'as-designed.json'


MODULES = ['rdma-fabric', 'rdma-nic', 'rdma-host', 'fpga-rnic', 'rdma-apps', 'rdma-bench', 'rdma-experiment']


class CheckError(Exception):
    """What stops the check: one line."""


def run(command, log, **options):
    """Runs a command with all its output in a file; raises CheckError if it fails."""
    with open(log, 'ab') as file:
        status = subprocess.run(command, stdout=file, stderr=subprocess.STDOUT, check=False,
                                **options).returncode
    if status:
        raise CheckError('%s: exit status %d, see %s' % (' '.join(map(str, command)), status, log))


def find_pkg_config(prefix):
    """Returns the folder of PREFIX that holds ns3-core.pc."""
    found = sorted(Path(prefix).glob('lib*/**/ns3-core.pc'))
    if not found:
        raise CheckError('%s: expected an installed ns-3, found no lib*/pkgconfig/ns3-core.pc' % prefix)
    return found[0].parent


def copy_project(folder):
    """Copies the project's files, so that each version has a build folder of its own; keeps that folder."""
    names = project_files.list_files(ROOT, '--cached', '--others', '--exclude-standard')
    project_files.copy_files(ROOT, folder, names)


def build_with_waf(prefix, work, options):
    """Builds and tests a copy of the project against PREFIX ('' for the system's); returns its program."""
    environment = dict(os.environ)
    environment['CXXFLAGS'] = options.flags
    if prefix:
        environment['PKG_CONFIG_PATH'] = str(find_pkg_config(prefix))
    folder = work / ('waf-' + (Path(prefix).resolve().name if prefix else 'system'))
    copy_project(folder)
    log = folder.with_suffix('.log')
    log.unlink(missing_ok=True)
    if options.tests:
        run([folder / 'waf', 'configure', 'build'], log, env=environment)
        run([folder / 'waf', 'test'] + (['--filter', options.filter] if options.filter else []), log,
            env=environment)
    else:
        run([folder / 'waf', 'configure', 'build', '--targets=rocelab'], log, env=environment)
    return folder / 'build' / 'rocelab'


def build_in_contrib(source, work, options):
    """
    Builds ns-3 with the modules in contrib/, and runs their suites; returns the program rocelab.

    source is a git repository of ns-3, with "@" and a revision behind it unless it is the checked out one.
    """
    repository, _, revision = source.partition('@')
    folder = work / ('contrib-' + re.sub(r'\W+', '-', revision or Path(repository).resolve().name))
    log = folder.with_suffix('.log')
    log.unlink(missing_ok=True)
    if not folder.exists():
        run(['git', 'clone', '--quiet', '--no-checkout', repository, folder], log)
    # The tags give ns-3 its version.
    run(['git', '-C', folder, 'checkout', '--quiet', '--detach', revision or 'HEAD'], log)
    for module in MODULES:
        shutil.rmtree(folder / 'contrib' / module, ignore_errors=True)
        shutil.copytree(ROOT / 'src' / module, folder / 'contrib' / module)
    tests = '--enable-tests' if options.tests else '--disable-tests'
    run([folder / 'ns3', 'configure', '--build-profile=release', '--enable-build-version', tests,
         '--enable-modules=' + ','.join(MODULES)], log, cwd=folder)
    run([folder / 'ns3', 'build'], log, cwd=folder)
    if options.tests:
        for module in MODULES:
            run([folder / 'test.py', '--no-build', '-s', module], log, cwd=folder)
    programs = sorted((folder / 'build' / 'rocelab').glob('ns3*-rocelab*'))
    if not programs:
        raise CheckError('%s: expected the program rocelab (is CLI11 installed?), see %s' % (folder, log))
    return programs[0]


def run_comparison(program, out):
    """Runs the default comparison; returns the version of ns-3 and {NIC: SHA-256 of flows.csv}."""
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    run([program, 'run', SCENARIO, '--out', out / 'results'], out / 'run.log')
    versions, sums = set(), {}
    for scenario in sorted((out / 'results').glob('*/*/scenario.json')):
        versions.add(json.loads(scenario.read_text(encoding='utf-8'))['rocelab']['ns3'])
        sums[scenario.parent.name] = hashlib.sha256(
            (scenario.parent / 'flows.csv').read_bytes()).hexdigest()
    if not sums:
        raise CheckError('%s: expected results in %s' % (program, out))
    return '/'.join(sorted(versions)), sums


def find_differences(first, other):
    """Returns the NICs whose flows.csv differs or is missing on one side."""
    return sorted(nic for nic in first.keys() | other.keys() if first.get(nic) != other.get(nic))


def check(builds, work):
    """Prints a line per build, given as (what, function that returns the program); returns the failures."""
    failures = 0
    reference = None
    for number, (what, make) in enumerate(builds):
        try:
            version, sums = run_comparison(make(), work / ('run-%d' % number))
        except (CheckError, OSError) as error:
            print('%s: failed: %s' % (what, error), flush=True)
            failures += 1
            continue
        reference = reference or sums
        differing = find_differences(reference, sums)
        failures += bool(differing)
        bytes_are = 'other bytes: ' + ', '.join(differing) if differing else 'same bytes'
        digest = hashlib.sha256(''.join(sums[nic] for nic in sorted(sums)).encode()).hexdigest()
        print('%s: ns-3 %s, flows.csv of %d NICs %s, %s' % (what, version, len(sums), digest[:16], bytes_are),
              flush=True)
    return failures


def read_options(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument('--prefix', action='append', default=[], metavar='DIR',
                        help='where an ns-3 is installed, built with --enable-build-version (repeatable)')
    parser.add_argument('--source', action='append', default=[], metavar='REPOSITORY[@REVISION]',
                        help='git repository of ns-3 to build with the modules in contrib/ (repeatable)')
    parser.add_argument('--program', action='append', default=[], metavar='FILE', type=Path,
                        help='rocelab as built in contrib/ of an ns-3, of any profile (repeatable)')
    parser.add_argument('--reference', type=Path, metavar='FILE',
                        help='a built program to compare with, instead of a build with the system\'s ns-3')
    parser.add_argument('--work', type=Path, default=ROOT / 'build' / 'ns3-versions', metavar='DIR',
                        help='folder of builds, logs and results (default build/ns3-versions)')
    # ns-3 compiles with it from 3.42 on; -Werror is in the project's own flags.
    parser.add_argument('--flags', default='-Wpedantic', help='more flags of g++ (default %(default)s)')
    parser.add_argument('--filter', default='', help='GoogleTest filter; leaves out the Python tests')
    parser.add_argument('--no-tests', dest='tests', action='store_false', help='build without tests, and compare')
    return parser.parse_args(arguments)


def main(arguments):
    options = read_options(arguments)
    work = options.work.resolve()
    if options.reference:
        builds = [('reference %s' % options.reference, lambda: options.reference.resolve())]
    else:
        builds = [('waf, ns-3 of the system', lambda: build_with_waf('', work, options))]
    for prefix in options.prefix:
        builds.append(('waf, %s' % prefix, lambda prefix=prefix: build_with_waf(prefix, work, options)))
    for source in options.source:
        builds.append(('contrib, %s' % source, lambda source=source: build_in_contrib(source, work, options)))
    for program in options.program:
        builds.append(('contrib, %s' % program, program.resolve))
    failures = check(builds, work)
    print('%d builds, %d failed or differ' % (len(builds), failures))
    return 1 if failures else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
