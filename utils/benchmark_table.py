#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""
Writes the table of examples/benchmark/README.md anew from the results beside it.
With a folder as `rocelab benchmark` writes it, its scores, picture and origin become these results first.
"""

import argparse
import shutil
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / 'utils'))

from rocelab.benchmark.table import renew  # noqa: E402
from rocelab.files import write_text  # noqa: E402

FOLDER = ROOT / 'examples' / 'benchmark'
RESULTS = FOLDER / 'results'
FILES = ('scores.csv', 'scores.svg', 'made.json')


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument('folder', nargs='?', type=Path, help='results/benchmark of a full run of all presets')
    options = parser.parse_args(arguments)
    if options.folder:
        RESULTS.mkdir(exist_ok=True)
        for name in FILES:
            shutil.copyfile(options.folder / name, RESULTS / name)
    page = FOLDER / 'README.md'
    write_text(page, renew(page, RESULTS))
    return 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
