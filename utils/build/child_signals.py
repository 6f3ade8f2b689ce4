# SPDX-License-Identifier: GPL-2.0-only
"""Signals to ./waf are for the program that it runs."""

import os
import signal


def forward_signals(child):
    """
    Sends SIGINT and SIGTERM on to a program until the returned function is called.

    Ctrl-C reaches all processes of the terminal's group by itself: a second SIGINT would end the program
    at once, without its partial results.
    """
    def forward(number, _frame):
        if number == signal.SIGTERM or not is_in_foreground():
            child.send_signal(number)

    before = {number: signal.signal(number, forward) for number in (signal.SIGINT, signal.SIGTERM)}

    def restore():
        for number, handler in before.items():
            signal.signal(number, handler)

    return restore


def is_in_foreground():
    """Returns whether Ctrl-C in the terminal is for this process, too."""
    try:
        with open('/dev/tty', 'rb') as terminal:
            return os.tcgetpgrp(terminal.fileno()) == os.getpgrp()
    except OSError:
        return False
