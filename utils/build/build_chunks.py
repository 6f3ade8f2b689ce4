# SPDX-License-Identifier: GPL-2.0-only
"""
Files that are compiled together.  Most of a compilation is the reading of headers, so a clean build makes
chunks: a chunk includes some forty files of one module.  A file that is edited later leaves its
chunk and is compiled by itself from then on, so that an edit costs one file; so is a new file.
./waf clean, or the lack of a build folder, is a new beginning.
"""

import collections
import hashlib
import json
import os
import re

#: Files of a chunk.  More make a clean build cheaper, fewer make the first edit of a file cheaper.
CHUNK_SIZE = 40

#: So many changed files of a chunk leave it; if there are more (another branch, say), it is compiled anew.
MOST_TO_LEAVE = 2

#: What reaches the next file or cannot be renamed (an alias of a member of that name), what cannot stand in another
#: namespace, and files whose speed depends on it.
ALONE = re.compile(r'^(# *define |// Compiled alone:|using (\w+) = .*::\2;)', re.MULTILINE)
ALONE_IF_WRAPPED = re.compile(r'^(namespace \w|template <>|# *define |// Compiled alone:)', re.MULTILINE)
UNNAMED = re.compile(r'^namespace\n\{\n(.*?)^\} // namespace$', re.MULTILINE | re.DOTALL)
#: As clang-format lays them out: the name of a function begins a line, that of a type or value follows.
DECLARATION = re.compile(r'^(?:using (\w+) = ([^;]*)|(\w*[a-z]\w*)\(|(?:struct|class|enum class|enum) (\w+)|'
                         r'(?:const|constexpr|static|inline)\b[^({=\n]*?\b(\w+)(?:\[.*?\])?(?:\{| =|;))',
                         re.MULTILINE)
INCLUDE = re.compile(r'^#include +(?:"(.*)"|<(.*)>)', re.MULTILINE)


def read(path):
    with open(path, encoding='utf-8') as file:
        return file.read()


def make_digest(path):
    with open(path, 'rb') as file:
        return hashlib.md5(file.read()).hexdigest()


def cut(files):
    """Returns runs of files of one module, of equal length, not above CHUNK_SIZE; a lone file is in none."""
    modules = {}
    for path in files:
        modules.setdefault(os.path.dirname(path).split('/')[:2][-1], []).append(path)
    chunks = []
    for members in modules.values():
        count = -(-len(members) // CHUNK_SIZE)
        bounds = [len(members) * i // count for i in range(count + 1)]
        chunks += [members[begin:end] for begin, end in zip(bounds, bounds[1:]) if end - begin > 1]
    return chunks


def update(chunk, digests):
    """Returns what is left of a chunk, {file: digest when compiled}, with the digests of today."""
    there = {path: digest for path, digest in chunk.items() if path in digests}
    changed = {path for path in there if there[path] != digests[path]}
    if len(changed) > MOST_TO_LEAVE:
        changed = set()
    return {path: digests[path] for path in there if path not in changed}


def choose(files, before, digests):
    """
    Returns the chunks of today: those of before without what has left them, or new ones of files if there
    are none.

    before is a list of {file: digest}, or None; digests has the files of today that may be in a chunk.
    """
    if before is None:
        return [{path: digests[path] for path in chunk} for chunk in cut([f for f in files if f in digests])]
    return [update(chunk, digests) for chunk in before]


def hoist_includes(top, members):
    """Returns the lines that include what the members include: once, before and outside of all else."""
    lines = []
    for path in members:
        for quoted, angled in INCLUDE.findall(read(os.path.join(top, path))):
            beside = os.path.normpath(os.path.join(os.path.dirname(path), quoted))
            if quoted and os.path.exists(os.path.join(top, beside)):
                quoted = beside
            lines.append('#include "%s"' % quoted if quoted else '#include <%s>' % angled)
    return list(dict.fromkeys(lines))


def find_own_names(text):
    """Returns the names that a file declares in its unnamed namespaces; {alias: type} for 'using'."""
    found = {}
    for block in UNNAMED.findall(text):
        for alias, meant, *names in DECLARATION.findall(block):
            found.update({name: text for name in names if name})
            if alias:
                found[alias] = meant
    return found


def make_plain_text(top, members):
    """
    Includes files of the library one after the other.  Where two of them have a name of their own for
    different things, each gets a name of its own; so does a log component.
    """
    texts = {path: read(os.path.join(top, path)) for path in members}
    own = {path: find_own_names(text) for path, text in texts.items()}
    meanings = collections.defaultdict(set)
    for names in own.values():
        for name, meaning in names.items():
            meanings[name].add(meaning)
    lines = hoist_includes(top, members)
    for path in members:
        renamed = sorted(name for name in own[path] if len(meanings[name]) > 1)
        if 'NS_LOG_COMPONENT_DEFINE' in texts[path]:
            renamed.append('g_log')
        lines += ['#define %s %s_of_%s' % (name, name, make_identifier(path)) for name in renamed]
        lines += ['#include "%s"' % path]
        lines += ['#undef ' + name for name in renamed]
    return lines


def make_wrapped_text(top, members):
    """Includes tests, each in a namespace of its own: their helpers and suites may have the same names."""
    lines = hoist_includes(top, members)
    for path in members:
        lines += ['namespace %s' % make_identifier(path), '{', '#include "%s"' % path, '}']
    return lines


def make_identifier(path):
    return re.sub(r'\W', '_', os.path.splitext(path)[0])


def write_if_new(path, text):
    if not os.path.exists(path) or read(path) != text:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, 'w', encoding='utf-8') as file:
            file.write(text)


def make_chunks(top, folder, files, wrapped=False, is_clean=True):
    """
    Writes chunks of files, which are relative to top, into folder and remembers them there.

    Returns the paths of the chunks in the order of their numbers, and the files that are in none.
    wrapped: see make_wrapped_text(); is_clean: whether new chunks may be made if there are none.
    """
    digests = {}
    alone = ALONE_IF_WRAPPED if wrapped else ALONE
    for path in files:
        if not alone.search(read(os.path.join(top, path))):
            digests[path] = make_digest(os.path.join(top, path))
    memory = os.path.join(folder, 'chunks.json')
    before = json.loads(read(memory)) if os.path.exists(memory) else None if is_clean else []
    chunks = choose(files, before, digests)
    write_if_new(memory, json.dumps(chunks, indent=1))
    make_text = make_wrapped_text if wrapped else make_plain_text
    paths = []
    for number, members in enumerate(chunks):
        if members:
            paths.append(os.path.join(folder, 'chunk-%d.cc' % number))
            write_if_new(paths[-1], '\n'.join(make_text(top, members)) + '\n')
    joined = {path for members in chunks for path in members}
    return paths, [path for path in files if path not in joined]
