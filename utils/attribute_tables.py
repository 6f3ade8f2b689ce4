#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""
Writes the attribute tables of docs/ anew, from what `rocelab list attributes --json` prints. A table stands between

    <!-- attributes: Dcqcn RdmaNic::PathMtu -->
    <!-- end of attributes -->

and has a row per attribute: all of a class, or the ones that are named. --check changes nothing and fails if a
table is not what would be written.
"""

import argparse
import json
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PREFIX = 'ns3::rdma::'
BLOCK = re.compile(r'(<!-- attributes: ([^\n]*?) -->\n).*?(<!-- end of attributes -->)', re.DOTALL)


class TableError(Exception):
    """What is wrong with a page: one line."""


def read_attributes(program):
    """Returns {class: {name: attribute}}, in the order of the program's list."""
    printed = subprocess.run([program, 'list', 'attributes', '--json'], stdout=subprocess.PIPE, check=True).stdout
    classes = {}
    for attribute in json.loads(printed):
        classes.setdefault(attribute['type'].removeprefix(PREFIX), {})[attribute['name']] = attribute
    return classes


def select(classes, words):
    """Returns the attributes that "Class" and "Class::Name" stand for; raises TableError for others."""
    chosen = []
    for word in words:
        name, _, attribute = word.partition('::')
        if name not in classes or attribute not in ('', *classes[name]):
            raise TableError('expected a class or attribute of `rocelab list attributes`, got ' + word)
        # What points to another object is made by code, never by a scenario.
        chosen += [classes[name][attribute]] if attribute else [
            one for one in classes[name].values() if one['value'] != 'Pointer']
    return chosen


def write_table(attributes):
    lines = ['| attribute | default | bounds | meaning, source |', '|---|---|---|---|']
    for one in attributes:
        name = one['type'].removeprefix(PREFIX) + '::' + one['name']
        value = one['default'].removeprefix(PREFIX).replace('|', '\\|')
        meaning = one['help'].replace('|', '\\|')
        lines.append('| `%s` | %s | %s | %s |' % (name, value, one['bounds'], meaning))
    return '\n'.join(lines) + '\n'


def renew(text, classes):
    """Returns the text of a page with all its tables as they should be."""
    return BLOCK.sub(lambda found: found.group(1) + write_table(select(classes, found.group(2).split())) +
                     found.group(3), text)


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument('--check', action='store_true', help='say which pages would change, and change none')
    parser.add_argument('--program', default=ROOT / 'build' / 'rocelab', type=Path, help='default build/rocelab')
    parser.add_argument('--docs', default=ROOT / 'docs', type=Path, help='folder of the pages, default docs/')
    options = parser.parse_args(arguments)
    classes = read_attributes(options.program)
    faults = 0
    for page in sorted(options.docs.rglob('*.md')):
        text = page.read_text(encoding='utf-8')
        try:
            renewed = renew(text, classes)
        except TableError as error:
            print('%s: %s' % (page, error))
            faults += 1
            continue
        if renewed == text:
            continue
        if options.check:
            print('%s: attribute tables are not what ./waf docs writes' % page)
            faults += 1
        else:
            page.write_text(renewed, encoding='utf-8')
            print('%s: written' % page)
    return 1 if faults else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
