# SPDX-License-Identifier: GPL-2.0-only
"""
Header dependencies from the compiler's own .d files.  waf's preprocessor emulation is slow on C++,
and its gccdeps tool fails when a header disappears; this takes its place.
"""

import hashlib
import os
import re
import time

from waflib import Task
from waflib.Tools import cxx


def install():
    """Makes all C++ compilations of this build use the class below."""
    Task.classes['cxx'] = DepfileCxx


class DepfileCxx(cxx.cxx):
    """Compiles a C++ file; its signature covers the headers that the last compilation read."""

    def run(self):
        self.started = time.time()
        return super().run()

    def post_run(self):
        # The headers are known only now.
        if hasattr(self, 'cache_sig'):
            del self.cache_sig
        super().post_run()

    def sig_implicit_deps(self):
        for path in self.read_depfile():
            content, modified = self.hash_file(path)
            self.m.update(content)
            if modified >= getattr(self, 'started', float('inf')):
                # Edited while the compiler ran: a salt lets the next build compile again.
                self.m.update(os.urandom(16))

    def read_depfile(self):
        """Returns the project's files that the object was made of, relative to the build folder."""
        path = os.path.splitext(self.outputs[0].abspath())[0] + '.d'
        try:
            with open(path, encoding='utf-8') as depfile:
                text = depfile.read()
        except OSError:
            return []
        names = text.replace('\\\n', ' ').partition(': ')[2]
        return [name.replace('\\ ', ' ') for name in re.split(r'(?<!\\)\s+', names) if name]

    def hash_file(self, path):
        """Returns (digest, modification time); each file is read once per build."""
        build = self.generator.bld
        if not hasattr(build, 'depfile_hashes'):
            build.depfile_hashes = {}
        if path not in build.depfile_hashes:
            full = os.path.join(build.bldnode.abspath(), path)
            try:
                modified = os.stat(full).st_mtime
                with open(full, 'rb') as source:
                    build.depfile_hashes[path] = (hashlib.md5(source.read()).digest(), modified)
            except OSError:
                build.depfile_hashes[path] = (b'missing', 0)
        return build.depfile_hashes[path]
