# SPDX-License-Identifier: GPL-2.0-only
"""What made results that are there: runs with the same content are not made again.

A record is a JSON file beside the results. It has a hash of all that they depend on (what was asked for, the program, its
libraries and plug-ins) and the hashes of the files that were read or written.
"""

import hashlib
import json
from pathlib import Path

from rocelab.errors import UserError
from rocelab.files import read_json_object, write_json
from rocelab.sweeps.program import Program, hash_file


class RunCache:
    """Finds and writes records, of one program."""

    def __init__(self, build, plugins=()):
        self._build = build
        self._plugins = tuple(plugins)
        self._programs = {}  # {plug-ins: Program}, each read once.

    def make_hash(self, request, plugins=()):
        """Return the hash of a request, a value that JSON has, and of the program with plug-ins."""
        if plugins not in self._programs:
            self._programs[plugins] = Program(self._build, [*self._plugins, *plugins])
        content = [request, self._programs[plugins].get_identity()]
        return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()

    @staticmethod
    def find(path, content):
        """Return the answer of a record; None unless it is of this hash and its files are as they were."""
        if not Path(path).exists():
            return None
        try:
            record = read_json_object(path)
            is_same = record["hash"] == content and all(
                hash_file(file) == expected for file, expected in record["files"].items()
            )
        except (UserError, KeyError, AttributeError):  # A damaged record, or a file that is gone.
            return None
        return record.get("answer") if is_same else None

    @staticmethod
    def note(path, content, files, answer):
        """Write a record."""
        write_json(path, {"hash": content, "files": {str(file): hash_file(file) for file in files}, "answer": answer})
