# SPDX-License-Identifier: GPL-2.0-only
"""What tells one build of the program, and one of a plug-in, from another: what is in the files."""

import hashlib
import os
from pathlib import Path

from rocelab.errors import UserError


def hash_file(path):
    """Return the SHA-256 of a file, as sha256sum prints it."""
    try:
        return hashlib.sha256(Path(path).read_bytes()).hexdigest()
    except OSError as error:
        raise UserError(f"{path}: expected a readable file, got: {error.strerror}") from None


class Program:
    """build/rocelab, its libraries and the plug-ins of a sweep."""

    def __init__(self, build, plugins):
        self.path = Path(os.path.realpath(build)) / "rocelab"
        if not self.path.is_file():
            raise UserError(f"{self.path}: expected the program that ./waf build makes, got none")
        libraries = sorted((self.path.parent / "lib").glob("lib*.so"))
        self.plugins = [Path(os.path.realpath(plugin)) for plugin in plugins]
        self._stamps = {}
        self.hashes = {}  # Path to SHA-256.
        for path in [self.path, *libraries, *self.plugins]:
            self._stamps[path] = self._get_stamp(path)
            self.hashes[path] = hash_file(path)

    @staticmethod
    def _get_stamp(path):
        try:
            state = path.stat()
        except OSError:
            return None
        return state.st_ino, state.st_size, state.st_mtime_ns

    def get_identity(self):
        """Return the hashes by file name, without folders: a moved build is the same program."""
        return [[path.name, content] for path, content in self.hashes.items()]

    def check_unchanged(self):
        """Raise UserError if a file is another one than when the sweep was planned."""
        for path, stamp in self._stamps.items():
            if self._get_stamp(path) != stamp:
                raise UserError(
                    f"{path}: expected the program not to change while a sweep runs, got another "
                    "file (start the sweep again)"
                )

    def format_checksums(self):
        """Return what `sha256sum --check` reads."""
        return "".join(f"{content}  {path}\n" for path, content in self.hashes.items())
