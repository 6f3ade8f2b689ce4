#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""
Writes the site: the project's pages as HTML with search, and the API reference of the public headers.

It needs Debian's python3-sphinx, python3-myst-parser, furo and doxygen, and the built program, whose tables it
shows. The site makes no request to a network.
"""

import argparse
import os
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / 'utils'), str(ROOT / 'utils' / 'site')]

from site_check import find_faults  # noqa: E402
from site_pages import Site, SiteError  # noqa: E402
from site_tables import ProgramTables  # noqa: E402

NAMESPACE = 'ns3::rdma::'

DOXYFILE = """
PROJECT_NAME = RoceLab
PROJECT_BRIEF = "API of the public headers"
INPUT = {inputs}
RECURSIVE = YES
FILE_PATTERNS = *.h
STRIP_FROM_PATH = {top}
STRIP_FROM_INC_PATH = {top}/src
OUTPUT_DIRECTORY = {out}
HTML_OUTPUT = api
GENERATE_LATEX = NO
GENERATE_TAGFILE = {out}/api.tag
HAVE_DOT = NO
CLASS_GRAPH = NO
EXTRACT_ALL = YES
JAVADOC_AUTOBRIEF = YES
BUILTIN_STL_SUPPORT = YES
SEARCHENGINE = YES
SERVER_BASED_SEARCH = NO
QUIET = YES
WARNINGS = NO
WARN_IF_DOC_ERROR = NO
WARN_IF_INCOMPLETE_DOC = NO
"""


def read_options(arguments):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--out', type=Path, default=ROOT / 'build' / 'site', help='folder of the site (default: build/site)')
    parser.add_argument('--program', type=Path, default=ROOT / 'build' / 'rocelab', help='default: build/rocelab')
    parser.add_argument('--no-api', action='store_true', help='leave out the API reference')
    parser.add_argument('--version', default='', help='version in the titles')
    return parser.parse_args(arguments)


def write_api(out):
    """Writes the API reference into out/api; returns {class: page}, relative to out."""
    inputs = sorted(path for path in ROOT.glob('src/*/*') if path.name in ('model', 'helper'))
    text = DOXYFILE.format(inputs=' '.join(map(str, inputs)), top=ROOT, out=out)
    subprocess.run(['doxygen', '-'], input=text, text=True, check=True, stdout=subprocess.DEVNULL)
    classes = {}
    for compound in ElementTree.parse(out / 'api.tag').getroot().iter('compound'):
        name = compound.findtext('name')
        if compound.get('kind') in ('class', 'struct') and name.startswith(NAMESPACE):
            classes[name.removeprefix(NAMESPACE)] = 'api/' + compound.findtext('filename')
    (out / 'api.tag').unlink()
    return classes


def write_pages(out, program, version, api):
    """Writes the pages into out by way of out/source."""
    source = out / 'source'
    (source / 'static').mkdir(parents=True)
    shutil.copy(ROOT / 'utils' / 'site' / 'site.css', source / 'static')
    shutil.copy(ROOT / 'utils' / 'site' / 'conf.py', source)
    Site(ROOT, source, ProgramTables(program), api).write()
    command = [sys.executable, '-m', 'sphinx', '-b', 'html', '-q', '-W', '--keep-going', '-j', 'auto',
               '-d', out / 'doctrees', source, out / 'html']
    status = subprocess.run(command, env={**os.environ, 'ROCELAB_SITE_VERSION': version}).returncode
    shutil.rmtree(out / 'doctrees', ignore_errors=True)
    shutil.rmtree(source)
    if status != 0:
        raise SiteError('the pages have the faults above')


def main(arguments):
    options = read_options(arguments)
    new = options.out.with_name(options.out.name + '.new')
    shutil.rmtree(new, ignore_errors=True)
    new.mkdir(parents=True)
    try:
        api = {} if options.no_api else write_api(new)
        write_pages(new, options.program, options.version, api)
        if api:
            shutil.move(new / 'api', new / 'html' / 'api')
        faults = find_faults(new / 'html')
        if faults:
            raise SiteError('\n'.join(faults))
        shutil.rmtree(options.out, ignore_errors=True)
        shutil.move(new / 'html', options.out)
    except (SiteError, OSError, subprocess.CalledProcessError) as error:
        print('site: %s' % error, file=sys.stderr)
        return 2
    finally:
        shutil.rmtree(new, ignore_errors=True)
    print('%s' % (options.out / 'index.html'))
    return 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
