# SPDX-License-Identifier: GPL-2.0-only
"""
Checks the English of the Markdown pages: sentences that are too long, and turns of phrase that make a reader stop.

Sentences that are good all the same are listed in utils/accepted-sentences.txt: the first words of one per line.
"""

import os
import re

ACCEPTED = os.path.join('utils', 'accepted-sentences.txt')

#: Words of a sentence, at most.
MOST_WORDS = 40

#: History, code of others, texts that others decide.
LEFT_OUT = ('CHANGES.md', os.path.join('utils', 'rocelab', 'third-party', 'README.md'))

FENCE = re.compile(r'^( *)```.*?^\1```[^\n]*$', re.MULTILINE | re.DOTALL)
COMMENT = re.compile(r'<!--.*?-->', re.DOTALL)
INLINE_CODE = re.compile(r'(`+).*?\1', re.DOTALL)
LINK = re.compile(r'!?\[([^\]]*)\]\([^)]*\)')
ITEM = re.compile(r'^ *(?:[-*+]|\d+\.) +')
#: A sentence ends here, unless what stands before is an abbreviation.
END = re.compile(r'(?<!\be\.g)(?<!\bi\.e)(?<!\bal)(?<!\bvs)(?<!\bcf)(?<!\bFig)(?<!\bEq)(?<!\bNo)(?<!\bsec)[.?!:;]["\')*]*(?=\s|$)')
WORD = re.compile(r'[A-Za-z0-9]')

PATTERNS = [
    (re.compile(r'\bwhat (?:it|this|that|they|he|she) (?:says?|said)\b', re.I), 'name the statement'),
    (re.compile(r'\bthose (?:that|which|who|of which)\b', re.I), 'name the things'),
    (re.compile(r'\bsuch as (?:are|is|have|has)\b', re.I), 'name the things'),
    (re.compile(r'\b(?:whoever|whomever|whom|nobody|everybody|somebody)\b', re.I), 'name the subject'),
    (re.compile(r'\bwho asks\b', re.I), 'name the caller'),
    (re.compile(r'\b(?:says|knows|has) nothing (?:of|about)\b|\bsays nothing\b', re.I), 'state the fact'),
    (re.compile(r'\bis spoken of\b|\bby itself and\b|\bat turns\b|\bcome along\b|\bso manieth\b', re.I), 'say it plainly'),
    (re.compile(r'^(?:Of|So does|So do|So is|So are|Likewise|Behind it|From then on)\b'), 'begin with the subject'),
    (re.compile(r'\blikewise[.;]?$', re.I), 'say what is alike'),
]


def strip_code(text):
    """Returns a page without code, comments and targets of links; lines stay where they are."""
    keep_lines = lambda found: '\n' * found.group(0).count('\n')  # noqa: E731
    text = COMMENT.sub(keep_lines, FENCE.sub(keep_lines, text))
    text = LINK.sub(lambda found: found.group(1) + '\n' * (found.group(0).count('\n') - found.group(1).count('\n')), text)
    return INLINE_CODE.sub(lambda found: 'code' + '\n' * found.group(0).count('\n'), text)


def find_paragraphs(text):
    """Yields (number of the first line, text) of each paragraph, list item and table row of a page."""
    first, lines = 0, []
    in_list = False
    for number, line in enumerate(strip_code(text).split('\n') + [''], 1):
        is_item, is_row, is_heading = bool(ITEM.match(line)), line.startswith('|'), line.startswith('#')
        ends = not line.strip() or is_item or is_row or is_heading
        if ends and lines:
            yield first, ' '.join(lines)
            lines = []
        if line.startswith('    ') and not lines and not in_list:
            continue  # An indented block of code.
        in_list = is_item or (in_list and (not line.strip() or line.startswith(' ')))
        if is_row:
            for cell in line.strip('|').split('|'):
                yield number, cell.strip()
        elif line.strip() and not is_heading:
            first = first if lines else number
            lines.append(ITEM.sub('', line).strip())


def split_sentences(paragraph):
    """Returns the sentences of a paragraph."""
    sentences, begin = [], 0
    for found in END.finditer(paragraph):
        sentences.append(paragraph[begin:found.end()].strip())
        begin = found.end()
    return [sentence for sentence in sentences + [paragraph[begin:].strip()] if sentence]


def check_sentence(sentence):
    """Yields what is wrong with a sentence."""
    count = sum(1 for word in sentence.split() if WORD.search(word))
    if count > MOST_WORDS:
        yield 'a sentence of %d words, at most %d are allowed' % (count, MOST_WORDS)
    for pattern, advice in PATTERNS:
        found = pattern.search(sentence)
        if found:
            yield '"%s": %s' % (found.group(0), advice)


def check_words(path, text, accepted=()):
    """Yields "path:line: fault: beginning of the sentence" of a page."""
    for line, paragraph in find_paragraphs(text):
        for sentence in split_sentences(paragraph):
            if any(sentence.startswith(beginning) for beginning in accepted):
                continue
            for fault in check_sentence(sentence):
                yield '%s:%d: %s: %s' % (path, line, fault, sentence[:60])


def is_page(path):
    """Tells whether a file is a page whose English is checked."""
    parts = path.split(os.sep)
    return path.endswith('.md') and path not in LEFT_OUT and parts[0] != 'results'


def read_accepted(top):
    """Returns the beginnings of accepted sentences."""
    path = os.path.join(top, ACCEPTED)
    if not os.path.exists(path):
        return []
    with open(path, encoding='utf-8') as file:
        return [line.rstrip('\n') for line in file if line.strip() and not line.startswith('#')]
