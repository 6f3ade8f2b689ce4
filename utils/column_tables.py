#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""
Writes what repeats the columns of result files anew, from what `rocelab list columns --json` prints:
utils/rocelab/results/columns.json, and the tables of docs/ that stand between

    <!-- columns: flows.csv -->
    <!-- end of columns -->

--check changes nothing and fails if a file is not what would be written.
"""

import argparse
import json
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
COPY = ROOT / 'utils' / 'rocelab' / 'results' / 'columns.json'
BLOCK = re.compile(r'(<!-- columns: (\S+) -->\n).*?(<!-- end of columns -->)', re.DOTALL)


def write_table(columns):
    rows = ['| column | unit | meaning |', '|---|---|---|']
    rows += ['| `%s` | %s | %s |' % (column['name'], column['unit'], column['meaning']) for column in columns]
    return '\n'.join(rows) + '\n'


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument('--check', action='store_true', help='say which files would change, and change none')
    parser.add_argument('--program', default=ROOT / 'build' / 'rocelab', type=Path, help='default build/rocelab')
    parser.add_argument('--docs', default=ROOT / 'docs', type=Path, help='folder of the pages, default docs/')
    options = parser.parse_args(arguments)
    command = [options.program, 'list', 'columns', '--json']
    printed = subprocess.run(command, stdout=subprocess.PIPE, encoding='utf-8', check=True).stdout
    tables = json.loads(printed)
    wanted = {COPY: printed}
    for page in sorted(options.docs.rglob('*.md')):
        wanted[page] = BLOCK.sub(lambda found: found.group(1) + write_table(tables[found.group(2)]) +
                                 found.group(3), page.read_text(encoding='utf-8'))
    changed = [file for file, text in wanted.items() if not file.exists() or file.read_text(encoding='utf-8') != text]
    for file in changed:
        if not options.check:
            file.write_text(wanted[file], encoding='utf-8')
        print('%s: %s' % (file, 'columns are not what ./waf docs writes' if options.check else 'written'))
    return 1 if options.check and changed else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
