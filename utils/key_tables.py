#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""
Writes the tables of scenario keys in docs/ anew, from what `rocelab list keys --json` prints. A table stands between

    <!-- keys: poisson incast -->
    <!-- end of keys -->

and has the keys of the named objects. --check changes nothing and fails if a page is not what would be written.
"""

import argparse
import json
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
BLOCK = re.compile(r'(<!-- keys: ([^\n]*?) -->\n).*?(<!-- end of keys -->)', re.DOTALL)


def escape(text):
    return text.replace('|', '\\|').replace('<', '&lt;')


def write_value(key):
    """Returns the values that a key can have: its type, bounds and choices."""
    if 'choices' in key:
        return ' or '.join('`%s`' % choice for choice in key['choices'])
    if 'bounds' in key:
        return key['bounds'].removeprefix('a ')
    if 'base' in key:
        return 'class below `%s`' % key['base'].removeprefix('ns3::rdma::')
    least, most = key.get('least'), key.get('most')
    if least is None and most is None:
        return '' if key['type'] == 'other' else key['type']
    bounds = 'at most %s' % most if least is None else 'from %s' % least if most is None else '%s to %s' % (least, most)
    return '%s, %s' % (key['type'], bounds)


def write_default(key):
    if 'required' in key:
        return {'yes': 'required'}.get(key['required'], 'required, ' + key['required'])
    return key.get('default', '').strip('"').removeprefix('ns3::rdma::')


def write_table(sections):
    """Returns the Markdown table of the keys of objects; with several, the first column has the object."""
    several = len(sections) > 1
    rows = ['| %skey | value | default | meaning |' % ('object | ' if several else ''), '|---' * (4 + several) + '|']
    for name, section in sections.items():
        for key in section['keys']:
            cells = ['`%s`' % key['name'], write_value(key), write_default(key), key['meaning']]
            rows.append('| ' + ' | '.join(escape(cell) for cell in (['`%s`' % name] if several else []) + cells) + ' |')
    return re.sub(r'\|  (?=\|)', '| ', '\n'.join(rows)) + '\n'


def read_sections(program, names):
    """Returns {object: its section}, in the order of the names."""
    command = [program, 'list', 'keys', *names, '--json']
    return json.loads(subprocess.run(command, stdout=subprocess.PIPE, encoding='utf-8', check=True).stdout)


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument('--check', action='store_true', help='say which pages would change, and change none')
    parser.add_argument('--program', default=ROOT / 'build' / 'rocelab', type=Path, help='default build/rocelab')
    parser.add_argument('--docs', default=ROOT / 'docs', type=Path, help='folder of the pages, default docs/')
    options = parser.parse_args(arguments)
    failed = False
    for page in sorted(options.docs.rglob('*.md')):
        text = page.read_text(encoding='utf-8')
        wanted = BLOCK.sub(lambda found: found.group(1) + write_table(
            read_sections(options.program, found.group(2).split())) + found.group(3), text)
        if wanted == text:
            continue
        if not options.check:
            page.write_text(wanted, encoding='utf-8')
        print('%s: %s' % (page, 'keys are not what ./waf docs writes' if options.check else 'written'))
        failed = options.check
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
