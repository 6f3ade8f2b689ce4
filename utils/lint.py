# SPDX-License-Identifier: GPL-2.0-only
"""
Checks what reviewers should not have to: format, license lines, characters, places of files, Python code, long
sentences of pages.
Run by ./waf lint; with --fix (./waf format) it lets clang-format rewrite the C++ files instead.
"""

import importlib.util
import os
import re
import subprocess
import sys

import lint_words

PYTHON = '/usr/bin/python3'
LICENSE_LINE = 'SPDX-License-Identifier: GPL-2.0-only'
CPP_FOLDERS = ['src', 'test', 'examples']
CPP = ('.cc', '.h')

#: Where the build looks for C++ files in src/MODULE.
MODULE_FOLDERS = ['model', 'helper', 'cli', 'python', 'examples', 'test']

NS3_HEADERS = '/usr/include/ns3'

#: Folders that hold no source of ours; those of the top folder only are given with a slash.
LEFT_OUT = {'/.git', '/build', '/results', '/scratch', '__pycache__', '.pytest_cache', 'third-party'}

#: Text whose form others decide: license, data files as they were published, drawn pictures.
FREE_FORM = ('LICENSE', '.cdf', '.svg')

#: Makefiles, whose commands begin with a tab.
WITH_TABS = {os.path.join('debian', 'rules')}

#: Classes of ns-3 that are Objects, as bases of ours.
NS3_OBJECTS = {'Object', 'Channel', 'NetDevice', 'SimulatorImpl', 'Application', 'QueueBase', 'ErrorModel'}

#: Name and bases of a class.
CLASS = re.compile(r'\b(?:class|struct) (\w+)(?: final)?\s*:\s*((?:public|private|protected) [^{;]*)\{')

#: What only one file sees.
UNNAMED = re.compile(r'^namespace\n\{\n.*?^\} // namespace$', re.MULTILINE | re.DOTALL)

#: ns3::Create, not a member function of that name.
CREATE = re.compile(r'(?:(?<![\w.>:])|(?<=ns3::))Create<(?:\w+::)*(\w+)>')


def walk(top):
    """Yields the paths of all source files below top, relative to it, sorted."""
    for folder, names, files in os.walk(top):
        at_top = folder == top
        names[:] = sorted(name for name in names
                          if name not in LEFT_OUT and not (at_top and '/' + name in LEFT_OUT))
        for name in sorted(files):
            if not (at_top and name.startswith('.lock-waf')):
                yield os.path.relpath(os.path.join(folder, name), top)


def read_text(top, path):
    with open(os.path.join(top, path), encoding='utf-8', errors='replace') as file:
        return file.read()


def is_cpp(path):
    return path.endswith(CPP) and path.split(os.sep)[0] in CPP_FOLDERS


def is_python(path):
    return path.endswith('.py') or os.path.basename(path) == 'wscript'


def is_shell(path):
    return path.endswith('.sh') or path in ('waf', os.path.join('.ci', 'run'))


def check_text(path, data):
    """Yields what is wrong with the characters and the license line of one file."""
    try:
        text = data.decode('ascii' if is_cpp(path) else 'utf-8')
    except UnicodeDecodeError as error:
        line = data[:error.start].count(b'\n') + 1
        if is_cpp(path):
            yield '%s:%d: a character that is not ASCII' % (path, line)
        return
    if '\0' in text or path.endswith(FREE_FORM):
        return
    if text and not text.endswith('\n'):
        yield '%s: no newline at the end' % path
    for number, line in enumerate(text.split('\n'), 1):
        if '\t' in line and path not in WITH_TABS:
            yield '%s:%d: a tab' % (path, number)
        if line != line.rstrip():
            yield '%s:%d: blanks at the end of the line' % (path, number)
    if is_cpp(path) or is_python(path) or is_shell(path):
        lines = text.split('\n')
        first = lines[1] if lines[0].startswith('#!') and len(lines) > 1 else lines[0]
        if first != ('// ' if is_cpp(path) else '# ') + LICENSE_LINE:
            yield '%s: the first line must be the license line (%s)' % (path, LICENSE_LINE)


def check_places(files):
    """Yields C++ files where the build does not look for them."""
    for path in files:
        parts = path.split(os.sep)
        name = parts[-1]
        if not path.endswith(CPP) or len(parts) < 3:
            continue
        if parts[0] == 'src' and (parts[2] not in MODULE_FOLDERS or len(parts) < 4):
            yield '%s: in src/%s, C++ files lie in %s' % (path, parts[1], ', '.join(MODULE_FOLDERS))
        if parts[0] == 'test' and os.path.join('src', parts[1], 'wscript') in files \
                and name.endswith('.cc') and (not name.endswith('-test.cc') or len(parts) > 3):
            yield '%s: expected test/%s/NAME-test.cc' % (path, parts[1])


def check_header_names(files):
    """Yields headers whose name is taken: all of ns-3 lies in one folder."""
    seen = {}
    for path in files:
        if path.startswith('src' + os.sep) and path.endswith('.h'):
            name = os.path.basename(path)
            if os.path.exists(os.path.join(NS3_HEADERS, name)):
                yield '%s: ns-3 has a header of this name' % path
            if name in seen:
                yield '%s: %s has the same name' % (path, seen[name])
            seen[name] = path


def find_objects(texts):
    """Returns the names of all classes that derive from ns3::Object, in any number of steps."""
    bases = {}
    for text in texts:
        for name, parents in CLASS.findall(text):
            bases[name] = set(re.findall(r'\b(\w+)\s*(?:,|$)', parents.strip()))
    objects = set(NS3_OBJECTS)
    while True:
        derived = {name for name, parents in bases.items() if parents & objects} - objects
        if not derived:
            return objects
        objects |= derived


def check_creation(texts):
    """
    Yields where an ns3::Object is made by Create<>(), which ns-3 refuses from 3.48 on.

    texts is {path: text} of all C++ files.  A member function of that name is called as this->Create<>().
    """
    objects = find_objects(texts.values())
    for path, text in texts.items():
        for number, line in enumerate(text.split('\n'), 1):
            for name in CREATE.findall(line):
                if name in objects:
                    yield '%s:%d: Create<%s>: an Object is made by CreateObject' % (path, number, name)


def check_static_times(path, text):
    """
    Yields bounds of attributes below a nanosecond: ns-3's checker rounds them to the resolution of the moment
    when the type is registered, so that 100 ps become 0.
    """
    for number, line in enumerate(text.split('\n'), 1):
        if re.search(r'MakeTimeChecker\(.*PicoSeconds\(', line):
            yield '%s:%d: a bound below a nanosecond would be 0: use MakeTickChecker()' % (path, number)


def check_aliases(path, text):
    """
    Yields aliases of a .cc file outside its unnamed namespaces: files are compiled together in a clean build, where
    such a name meets the one of another file (utils/build/build_chunks.py).
    """
    shared = UNNAMED.sub(lambda block: '\n' * block.group().count('\n'), text)
    for number, line in enumerate(shared.split('\n'), 1):
        if re.match(r'using \w+ =', line):
            yield '%s:%d: an alias of one file belongs into its unnamed namespace' % (path, number)


def clang_format(top, files, fix):
    """Formats the C++ files or yields where they differ from the format."""
    cpp = [path for path in files if is_cpp(path)]
    if not cpp:
        return
    command = ['clang-format', '--style=file'] + (['-i'] if fix else ['--dry-run', '-Werror'])
    # One process per core.
    jobs = min(os.cpu_count() or 1, len(cpp))
    running = [subprocess.Popen(command + cpp[start::jobs], cwd=top, text=True, stderr=subprocess.PIPE)
               for start in range(jobs)]
    wrong = set()
    for process in running:
        messages = process.communicate()[1]
        found = re.findall(r'^(.+?):\d+:\d+: error', messages, flags=re.MULTILINE)
        wrong.update(found)
        if process.returncode and not found:
            yield 'clang-format: %s' % messages.strip()
    for path in sorted(wrong):
        yield '%s: not formatted (./waf format)' % path


def check_python(top, files):
    """Yields what pyflakes finds: syntax errors, unknown names, unused imports."""
    python = [path for path in files if is_python(path)]
    process = subprocess.run([PYTHON, '-m', 'pyflakes'] + python, cwd=top, capture_output=True, text=True)
    for line in (process.stdout + process.stderr).splitlines():
        yield line


def check_types(top):
    """Yields what mypy finds in the public modules of the Python package (pyproject.toml); nothing without mypy."""
    if importlib.util.find_spec('mypy') is None or not os.path.exists(os.path.join(top, 'pyproject.toml')):
        return
    process = subprocess.run([PYTHON, '-m', 'mypy', '--no-error-summary'], cwd=top, capture_output=True, text=True)
    for line in (process.stdout + process.stderr).splitlines():
        yield line


def lint(top):
    """Returns all complaints about the tree."""
    files = list(walk(top))
    complaints = []
    accepted = lint_words.read_accepted(top)
    for path in files:
        full = os.path.join(top, path)
        if not os.path.islink(full):
            with open(full, 'rb') as file:
                data = file.read()
            complaints += check_text(path, data)
            if is_cpp(path):
                complaints += check_static_times(path, data.decode('utf-8', 'replace'))
                if path.startswith('src/') and path.endswith('.cc'):
                    complaints += check_aliases(path, data.decode('utf-8', 'replace'))
            if lint_words.is_page(path):
                complaints += lint_words.check_words(path, data.decode('utf-8', 'replace'), accepted)
    complaints += check_creation({path: read_text(top, path) for path in files if is_cpp(path)})
    complaints += check_places(files)
    complaints += check_header_names(files)
    complaints += clang_format(top, files, fix=False)
    complaints += check_python(top, files)
    complaints += check_types(top)
    return complaints


def main(arguments):
    top = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    if '--fix' in arguments:
        complaints = list(clang_format(top, list(walk(top)), fix=True))
    else:
        complaints = lint(top)
        print('lint: %d complaints' % len(complaints) if complaints else 'lint: clean')
    for complaint in complaints:
        print(complaint)
    return 1 if complaints else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
