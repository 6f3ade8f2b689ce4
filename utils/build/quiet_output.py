# SPDX-License-Identifier: GPL-2.0-only
"""Standard output whose reader may end first (`./waf --help | head`)."""

import os
import sys


class QuietOutput:
    """A text stream; once its pipe has no reader, its text is discarded and the command continues."""

    def __init__(self, stream):
        self.stream = stream

    def __getattr__(self, name):
        return getattr(self.stream, name)

    def write(self, text):
        return self.guard(self.stream.write, text)

    def flush(self):
        self.guard(self.stream.flush)

    def guard(self, call, *arguments):
        """Calls a method of the stream; after a broken pipe the stream writes to the null device."""
        try:
            return call(*arguments)
        except BrokenPipeError:
            null = os.open(os.devnull, os.O_WRONLY)
            os.dup2(null, self.stream.fileno())
            os.close(null)
            return 0


def install():
    """Guards the standard output and the standard error of this process."""
    sys.stdout, sys.stderr = QuietOutput(sys.stdout), QuietOutput(sys.stderr)
