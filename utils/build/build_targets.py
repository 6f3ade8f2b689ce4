# SPDX-License-Identifier: GPL-2.0-only
"""The functions that the wscript files call to name their targets."""

import os
import re
import subprocess

from waflib.Configure import conf
from waflib.TaskGen import after_method, feature

import build_chunks

#: The group of targets that is built last, whatever fails in it.
PLUGINS = 'plug-ins'

#: The file of the program that has the commit.
COMMIT_FILE = 'build-commit.cc'

#: What a source is named that is no plug-in, but tests one.
TEST_SUFFIX = '-test.cc'

#: A definition of main(), in code without comments and texts.
MAIN = re.compile(r'^[ \t]*(?:int|auto)\s+main\s*\(', re.MULTILINE)
COMMENTS_AND_TEXTS = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.DOTALL)

#: The target that has main() of their programs.
PLUGIN_TEST_MAIN = 'plugin-test-main'


def state(bld):
    """What the wscript files have said so far; lives as long as one build."""
    if not hasattr(bld, 'rdma_state'):
        # A folder that was built without chunks stays so until ./waf clean.
        is_clean = not os.path.isdir(bld.bldnode.make_node('src').abspath())
        bld.rdma_state = {'libraries': [], 'headers': {}, 'tests': [], 'suites': [], 'is_clean': is_clean}
    return bld.rdma_state


def includes(bld):
    return [bld.bldnode.make_node('include')]


@conf
def rdma_module(bld, name, uses):
    """
    Declares a module: a shared library build/lib/libNAME.so of the .cc files in its folders model and
    helper, whose headers everyone includes as "ns3/...", and tests that become part of build/rocelab-test:
    test/NAME/*-test.cc, and the module's suite for ns-3's test.py.  CMakeLists.txt takes the same files.

    uses names the modules below this one.
    """
    known = state(bld)
    for node in bld.path.ant_glob(['model/**/*.h', 'helper/**/*.h']):
        known['headers'][node.name] = node
    known['tests'] += bld.srcnode.ant_glob('test/%s/*-test.cc' % name)
    known['suites'] += bld.path.ant_glob('test/*-test-suite.cc')
    sources = bld.path.ant_glob(['model/**/*.cc', 'helper/**/*.cc'])
    bld.shlib(source=join(bld, name, sources), target='#lib/' + name, name=name, includes=includes(bld),
              use=uses + ['NS3'], rpath=['$ORIGIN'], install_path=None)
    known['libraries'].append(name)


def join(bld, target, nodes, wrapped=False):
    """Returns the sources of a target with most of its files joined to chunks (build_chunks.py)."""
    folder = bld.bldnode.make_node('chunks/' + target)
    files = {node.path_from(bld.srcnode): node for node in nodes}
    chunks, alone = build_chunks.make_chunks(bld.srcnode.abspath(), folder.abspath(), list(files), wrapped,
                                             state(bld)['is_clean'])
    return [folder.make_node(os.path.basename(path)) for path in chunks] + [files[path] for path in alone]


@feature('cxx')
@after_method('apply_incpaths', 'propagate_uselib_vars', 'process_source')
def set_flags_of_chunks(self):
    """A chunk includes files by their paths in the project; test code in it is not optimized."""
    for task in getattr(self, 'compiled_tasks', []):
        if task.inputs[0].is_child_of(self.bld.bldnode.make_node('chunks')):
            task.env = task.env.derive()
            task.env.append_value('INCPATHS', self.bld.srcnode.path_from(self.bld.bldnode))
            if task.env.TEST_CHUNK_CXXFLAGS and getattr(self, 'is_test', False):
                flags = [flag for flag in task.env.CXXFLAGS if flag not in task.env.TEST_CXXFLAGS]
                task.env.CXXFLAGS = flags + task.env.TEST_CHUNK_CXXFLAGS
            task.env.append_value('CXXFLAGS', task.env.CHUNK_CXXFLAGS)


@feature('cxx')
@after_method('apply_incpaths', 'propagate_uselib_vars', 'process_source')
def set_commit(self):
    """The file that prints the commit is compiled anew when the commit changes, and no other."""
    for task in getattr(self, 'compiled_tasks', []):
        if task.inputs[0].name == COMMIT_FILE:
            task.env = task.env.derive()
            task.env.append_value('DEFINES', 'ROCELAB_COMMIT="%s"' % read_commit(self.bld.srcnode.abspath()))


def read_commit(folder):
    """Returns the commit of a checkout, "-dirty" behind it if files differ from it; "" if git does not know it."""
    command = ['git', 'describe', '--always', '--dirty', '--abbrev=10', '--exclude=*']
    try:
        ended = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    except OSError:
        return ''
    return ended.stdout.decode().strip() if ended.returncode == 0 else ''


def find_sources(bld, patterns):
    """Returns the files of patterns (bench/*.cc) or names; each must match one at least."""
    nodes = []
    for pattern in patterns:
        found = bld.path.ant_glob(pattern)
        if not found:
            bld.fatal('%s/wscript: %s does not exist' % (bld.path.srcpath(), pattern))
        nodes += found
    return nodes


@conf
def rdma_program(bld, name, uses, sources, is_for_tests=False):
    """
    Declares the program build/NAME; uses names modules (those below come with them) or LIBRARIES. It finds
    its libraries in build/lib, and in lib beside the folder of an installed program. One that is for tests, or
    an example of a module, is built by ./waf test, or by its name.
    """
    nodes = find_sources(bld, sources)
    bld.program(source=join(bld, name, nodes), target='#' + name, name=name, includes=includes(bld),
                use=uses + ['NS3'], rpath=['$ORIGIN/lib', '$ORIGIN/../lib'], install_path=None,
                is_for_tests=is_for_tests or any(node.parent.name == 'examples' for node in nodes))


@conf
def rdma_python_module(bld, name, uses, sources):
    """Declares the module build/python/rocelab/NAME.*.so, which the package utils/rocelab loads."""
    env = bld.env.derive()
    env.cxxshlib_PATTERN = '%s' + env.PYTHON_SUFFIX
    env.LINKFLAGS = [flag for flag in env.LINKFLAGS if flag != '-Wl,-z,defs']  # The interpreter defines the rest.
    bld.shlib(source=join(bld, name, find_sources(bld, sources)), target='#python/rocelab/' + name, name=name, env=env,
              includes=includes(bld), use=uses + ['NS3', 'PYTHON'], cxxflags=env.PYTHON_CXXFLAGS,
              rpath=['$ORIGIN/lib', '$ORIGIN/../../lib'], install_path=None)


@conf
def rdma_tests(bld, name, sources):
    """Declares the program build/NAME of the given sources and the tests of all modules."""
    known = state(bld)
    joined = join(bld, name, known['tests'], wrapped=True)
    bld.program(source=find_sources(bld, sources) + known['suites'] + joined, target='#' + name, name=name,
                includes=includes(bld), use=known['libraries'] + ['NS3', 'GTEST'],
                cxxflags=bld.env.TEST_CXXFLAGS, is_test=True, is_for_tests=True, rpath=['$ORIGIN/lib'],
                install_path=None)


@conf
def rdma_plugins(bld, sources):
    """Declares the plug-ins build/test/NAME.so of tests, one of each file."""
    for node in find_sources(bld, sources):
        add_plugin(bld, node, 'test/' + os.path.splitext(node.name)[0], is_for_tests=True)


@conf
def rdma_plugin_tests(bld, sources):
    """Declares the test programs build/test/NAME of plug-ins that are examples, one of each file."""
    for node in find_sources(bld, sources):
        add_plugin_test(bld, node, 'test/' + os.path.splitext(node.name)[0], is_for_tests=True)


def add_scratch_targets(bld):
    """
    Makes of each scratch/NAME.cc the plug-in build/scratch/NAME.so, or the program build/scratch/NAME if the
    file has a main(), and of each scratch/NAME-test.cc a test program, after all else; removes those whose
    source is gone.  They are a group of their own: an error in one leaves the others built.  A warning is no
    error there.
    """
    adders = {node: choose_adder(node) for node in bld.path.ant_glob('scratch/*.cc')}
    remove_old_targets(bld.bldnode.make_node('scratch').abspath(),
                       {node.name: add is add_plugin for node, add in adders.items()})
    bld.add_group(PLUGINS)
    env = bld.env.derive()
    env.CXXFLAGS = [flag for flag in env.CXXFLAGS if flag != '-Werror']
    for node, add in adders.items():
        add(bld, node, 'scratch/' + os.path.splitext(node.name)[0], env.derive())  # A target adds its flags.


def choose_adder(node):
    """Returns the function that declares the target of a file of scratch/."""
    if node.name.endswith(TEST_SUFFIX):
        return add_plugin_test
    code = COMMENTS_AND_TEXTS.sub(' ', node.read('r', 'utf-8'))
    return add_single_program if MAIN.search(code) else add_plugin


def add_single_program(bld, node, name, env):
    """Makes the program build/NAME of one file."""
    bld.program(source=[node], target='#' + name, name=name, env=env, includes=includes(bld),
                use=state(bld)['libraries'] + ['NS3'], rpath=['$ORIGIN/../lib'], install_path=None, idx=1)


def add_plugin_test(bld, node, name, env=None, is_for_tests=False):
    """Makes the GoogleTest program build/NAME of one file and test/test-main.cc."""
    known = state(bld)
    if 'main' not in known:
        # One object for all of them; the number keeps it apart from that of rocelab-test.
        bld.objects(source=[bld.srcnode.find_node('test/test-main.cc')], target=PLUGIN_TEST_MAIN,
                    name=PLUGIN_TEST_MAIN, includes=includes(bld), use=['NS3', 'GTEST'], idx=1000, is_for_tests=True)
        known['main'] = True
    bld.program(source=[node], target='#' + name, name=name, env=env or bld.env, includes=includes(bld),
                use=known['libraries'] + [PLUGIN_TEST_MAIN, 'NS3', 'GTEST'], cxxflags=bld.env.TEST_CXXFLAGS,
                rpath=['$ORIGIN/../lib'], install_path=None, idx=1, is_for_tests=is_for_tests)


def find_plugin_tests(folder):
    """Returns the test programs of plug-ins in a build folder."""
    found = []
    for kind in ('test', 'scratch'):
        path = os.path.join(folder, kind)
        names = sorted(os.listdir(path)) if os.path.isdir(path) else []
        found += [os.path.join(path, name) for name in names
                  if name.endswith(os.path.splitext(TEST_SUFFIX)[0])]
    return [path for path in found if os.access(path, os.X_OK) and os.path.isfile(path)]


def add_plugin(bld, node, name, env=None, is_for_tests=False):
    """Makes build/NAME.so of one file; its object has the same name whatever else there is."""
    env = (env or bld.env).derive()
    env.cxxshlib_PATTERN = '%s.so'
    # Without idx, waf would number the objects of a folder: a new file would rename those behind it.
    bld.shlib(source=[node], target='#' + name, name=name, env=env, includes=includes(bld),
              use=state(bld)['libraries'] + ['NS3'], rpath=['$ORIGIN/../lib'],
              install_path=None, idx=1, is_for_tests=is_for_tests)


def remove_old_targets(folder, sources):
    """
    Removes NAME.so and the program NAME, and what they were made of, if their object is there and their source
    is not in sources, {file: whether it is a plug-in}; of a file that has become the other, the former one.
    """
    if not os.path.isdir(folder):
        return
    for name in os.listdir(folder):
        match = re.fullmatch(r'(.*\.cc)\.\d+\.(o|d)', name)
        if not match:
            continue
        source, stem = match.group(1), os.path.splitext(match.group(1))[0]
        old = {None: [name, stem, stem + '.so'], True: [stem], False: [stem + '.so']}[sources.get(source)]
        for path in old:
            if os.path.isfile(os.path.join(folder, path)):
                os.remove(os.path.join(folder, path))


def link_headers(bld):
    """
    Lays the headers of all modules into build/include/ns3/ as links, before anything is compiled, and
    removes links to headers that are gone.
    """
    headers = state(bld)['headers']
    folder = bld.bldnode.make_node('include/ns3')
    folder.mkdir()
    base = folder.abspath()
    for name in set(os.listdir(base)) - set(headers):
        os.remove(os.path.join(base, name))
    for name, node in headers.items():
        link = os.path.join(base, name)
        target = os.path.relpath(node.abspath(), base)
        if not os.path.islink(link) or os.readlink(link) != target:
            os.symlink(target, link + '.new')
            os.replace(link + '.new', link)


def write_package_file(bld, version):
    """Writes rocelab.pc into the build folder: pkg-config's flags for a program on the modules as they are there."""
    folder = bld.bldnode.abspath()
    env = bld.env
    # -isystem follows -I: the folder of a module's header comes before that of an ns-3 elsewhere.
    flags = [flag for flag in env.CXXFLAGS if flag.startswith(('-std=', '-fsanitize='))] + env.CXXFLAGS_NS3
    flags += ['-D' + name for name in env.DEFINES if name.startswith('NS3_')]
    # --no-as-needed: types that are only named in a text are registered when their library is loaded.
    libraries = ['-Wl,--no-as-needed', '-L${prefix}/lib', '-Wl,-rpath,${prefix}/lib']
    libraries += [flag for path in env.LIBPATH_NS3 for flag in ('-L' + path, '-Wl,-rpath,' + path)]
    libraries += ['-l' + name for name in state(bld)['libraries'] + env.LIB_NS3]
    libraries += [flag for flag in env.LINKFLAGS if flag.startswith('-fsanitize=')]
    text = ('prefix=%s\n\nName: rocelab\nDescription: RDMA NICs in simulated fabrics, modules of ns-3\nVersion: %s\n'
            'Cflags: %s -I${prefix}/include\nLibs: %s\n' % (folder, version, ' '.join(flags), ' '.join(libraries)))
    node = bld.bldnode.make_node('rocelab.pc')
    if not os.path.exists(node.abspath()) or node.read() != text:
        node.write(text)
