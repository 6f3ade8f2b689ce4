# SPDX-License-Identifier: GPL-2.0-only
"""Tables that the site shows below the command that prints them."""

import json
import subprocess

import column_tables
import key_tables
from rocelab.validate.fact_tables import make_table
from rocelab.validate.ledger import Ledger

PREFIX = 'ns3::rdma::'


class ProgramTables:
    """The Markdown tables of `list attributes`, `list columns`, `list keys` and `facts`."""

    def __init__(self, program):
        self.program = program

    def __call__(self, words):
        """Returns the table of the words of a command behind `build/rocelab`; None if it prints none."""
        if words[:2] == ['list', 'attributes']:
            return self.write_attributes(words[2:])
        if words[:2] == ['list', 'columns'] and words[2:]:
            known = self.ask(words[:2])
            tables = {name: known[name] for name in words[2:]}
            return '\n'.join(('`%s`:\n\n' % name if len(tables) > 1 else '') + column_tables.write_table(table)
                             for name, table in tables.items())
        if words[:2] == ['list', 'keys'] and words[2:]:
            return key_tables.write_table(self.ask(words))
        if words[:1] == ['facts']:
            ledger = Ledger()
            return make_table(words[1:], ledger, ledger.get_entries())
        return None

    def ask(self, words):
        return json.loads(subprocess.run([self.program, *words, '--json'], stdout=subprocess.PIPE, check=True).stdout)

    def write_attributes(self, names):
        attributes = self.ask(['list', 'attributes', *names])
        lines = ['| attribute | default | bounds | meaning, source |', '|---|---|---|---|']
        for one in attributes:
            if one['value'] != 'Pointer':  # Objects that code sets, never a scenario.
                lines.append('| `%s::%s` | %s | %s | %s |' % (
                    one['type'].removeprefix(PREFIX), one['name'], escape(one['default'].removeprefix(PREFIX)),
                    one['bounds'], escape(one['help'])))
        return '\n'.join(lines) + '\n'


def escape(text):
    return text.replace('|', '\\|').replace('<', '&lt;').replace('*', '\\*')
