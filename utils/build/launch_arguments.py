# SPDX-License-Identifier: GPL-2.0-only
"""The words of a command line as waf reads them: a word is a command, --out the build folder."""

import re

#: Commands with a folder of results.
WITH_RESULTS = {'compare', 'figure', 'validate', 'reproduce'}

#: Options of compare whose value may be the next word.
VALUED = {'--' + name for name in 'scenario results out nic set seed ranks workload plugin'.split()}


def rewrite(arguments):
    """
    Returns the arguments for waf: --out of a command with results as --results, and the scenario of
    compare, a word with a slash or ending in .json, as --scenario.
    """
    if WITH_RESULTS & set(arguments):
        arguments = [re.sub('^--out(?==|$)', '--results', word) for word in arguments]
    if 'compare' in arguments:
        words = zip([''] + arguments, arguments)
        arguments = ['--scenario=' + word if is_path(word) and before not in VALUED else word
                     for before, word in words]
    return arguments


def is_path(word):
    return not word.startswith('-') and ('/' in word or word.endswith('.json'))
