#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""
Writes the tables of facts in docs/ anew from validation/*.csv (rocelab/validate/fact_tables.py says which there are).
--check changes nothing and fails if a table is not what would be written.
"""

import argparse
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / 'utils'))

from rocelab.validate import fact_tables  # noqa: E402
from rocelab.errors import UserError  # noqa: E402
from rocelab.validate.ledger import Ledger  # noqa: E402


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument('--check', action='store_true', help='say which pages would change, and change none')
    parser.add_argument('--docs', default=ROOT / 'docs', type=Path, help='folder of the pages, default docs/')
    parser.add_argument('--validation', default=ROOT / 'validation', type=Path,
                        help='folder of the tables, default validation/')
    options = parser.parse_args(arguments)
    try:
        changed = fact_tables.renew_pages(options.docs, Ledger(options.validation))
        if not options.check:
            fact_tables.write_pages(changed)
    except UserError as error:
        print(error)
        return 1
    for page in changed:
        print('%s: %s' % (page, 'tables of facts are not what ./waf docs writes' if options.check else 'written'))
    return 1 if options.check and changed else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
