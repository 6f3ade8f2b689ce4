# SPDX-License-Identifier: GPL-2.0-only
"""Options and configuration: the compiler, ns-3, the libraries, and the flags of each variant."""

import os

from waflib import ConfigSet, Context, Errors, Utils

import ns3_versions

#: Variants besides the optimized one, which is built into the build folder itself.
VARIANTS = ['debug', 'sanitize']

NS3_MODULES = ['ns3-core', 'ns3-network', 'ns3-internet']

#: Headers of each library with the Debian package that brings it.
HEADERS = [
    ('boost/container/small_vector.hpp', 'libboost-dev'),
    ('nlohmann/json.hpp', 'nlohmann-json3-dev'),
    ('CLI/CLI.hpp', 'libcli11-dev'),
    ('gtest/gtest.h', 'libgtest-dev'),
    ('gmock/gmock.h', 'libgmock-dev'),
    ('benchmark/benchmark.h', 'libbenchmark-dev'),
    ('pybind11/pybind11.h', 'pybind11-dev'),
    ('openssl/evp.h', 'libssl-dev'),
]

COMMON_FLAGS = ['-pipe', '-Wall', '-Wextra', '-Werror', '-MMD']

#: ns-3's asserts and logs are compiled in only when these are defined.
CHECKED = ['NS3_ASSERT_ENABLE', 'NS3_LOG_ENABLE']

#: Whose headers and suffix of modules count.
PYTHON = '/usr/bin/python3'

SANITIZERS = ['-fsanitize=address,undefined', '-fno-sanitize-recover=all']


def add_options(opt):
    """Adds the options that choose a variant, and the compiler's own."""
    opt.load('compiler_cxx')
    group = opt.add_option_group('Variants')
    group.add_option('--debug', action='store_true', default=False,
                     help='no optimization, ns-3 asserts and logs (into build/debug)')
    group.add_option('--sanitize', action='store_true', default=False,
                     help='address and undefined behaviour sanitizers (into build/sanitize)')


def choose_variant(options):
    """Returns the variant of this run: what is asked for now, else when configuring, else ''."""
    if options.sanitize:
        return 'sanitize'
    if options.debug:
        return 'debug'
    try:
        cache = os.path.join(Context.out_dir or 'build', 'c4che', '_cache.py')
        return ConfigSet.ConfigSet(cache).DEFAULT_VARIANT or ''
    except EnvironmentError:
        return ''


def configure(conf, version):
    """Finds everything once, then derives the environments of the variants."""
    conf.load('compiler_cxx')
    conf.env.DEFAULT_VARIANT = ('sanitize' if conf.options.sanitize else
                                'debug' if conf.options.debug else '')
    find_ns3(conf)
    for header, package in HEADERS:
        find_header(conf, header, package)
    find_mpi(conf)
    find_python(conf)
    conf.env.LIB_CRYPTO = ['crypto']
    conf.env.LIB_GTEST = ['gmock', 'gtest', 'pthread']
    conf.env.LIB_BENCHMARK = ['benchmark', 'pthread']
    conf.env.append_value('CXXFLAGS', COMMON_FLAGS)
    conf.env.append_value('DEFINES', ['ROCELAB_VERSION="%s"' % version,
                                      'ROCELAB_NS3_VERSION="%s"' % conf.env.NS3_VERSION])
    # A library that only registers its types must be loaded although no symbol of it is used.
    conf.env.append_value('LINKFLAGS', '-Wl,--no-as-needed')
    set_variant_flags(conf)
    watch_build_files(conf)


def find_ns3(conf):
    """
    Takes the ns-3 libraries from pkg-config.  Only -l flags of ns-3 itself are kept: the rest of what
    Debian's files say is malformed (-I/usr;) or private to ns-3's shared libraries (gsl, sqlite).
    """
    conf.find_program('pkg-config')
    conf.start_msg('Checking for ns-3')
    try:
        version = conf.cmd_and_log(conf.env.PKG_CONFIG + ['--modversion', 'ns3-core']).strip()
        flags = conf.cmd_and_log(conf.env.PKG_CONFIG + ['--libs'] + NS3_MODULES).split()
    except Errors.WafError:
        conf.end_msg('not found', 'YELLOW')
        conf.fatal('ns-3 is not known to pkg-config (Debian package libns3-dev, 3.37)')
    standard = choose_standard(conf, version)
    conf.env.LIB_NS3 = [flag[2:] for flag in flags if flag.startswith('-lns3')]
    conf.env.NS3_VERSION = version
    conf.end_msg('%s, with %s' % (version, standard))
    conf.env.append_value('CXXFLAGS', '-std=' + standard)
    if standard != 'c++17' and conf.env.CC_VERSION[:1] == ('12',):
        # std::string's operator+ warns for no reason from C++20 on: GCC bug 105651, fixed in GCC 13.
        conf.env.append_value('CXXFLAGS', '-Wno-restrict')
    find_folders_of_ns3(conf)
    conf.check_cxx(fragment='#include "ns3/simulator.h"\nint main() { ns3::Simulator::Destroy(); }\n',
                   use='NS3', msg='Checking that a program links with ns-3',
                   errmsg='no (Debian package libns3-dev is incomplete)')


def choose_standard(conf, version):
    """Returns the C++ standard that this version of ns-3 needs."""
    parsed = ns3_versions.parse_version(version)
    if not parsed:
        conf.fatal('pkg-config states version "%s" of ns-3: 3.37 or later was expected' % version)
    standard = ns3_versions.choose_standard(parsed)
    if not standard:
        conf.fatal('ns-3 %s is too old: 3.37 or later is needed' % version)
    return standard


def find_folders_of_ns3(conf):
    """Adds the folders of an ns-3 outside of /usr; its headers are not ours to be warned about."""
    query = conf.env.PKG_CONFIG + ['ns3-core', '--variable']
    include, lib = (conf.cmd_and_log(query + [name]).strip().strip('"') for name in ('includedir', 'libdir'))
    if include != '/usr/include':
        conf.env.CXXFLAGS_NS3 = ['-isystem' + include]
    if not lib.startswith('/usr/lib'):
        conf.env.LIBPATH_NS3 = conf.env.RPATH_NS3 = [lib]


def find_mpi(conf):
    """Finds MPI and Boost.MPI, for ranks; its headers are not ours to be warned about."""
    conf.check_cfg(package='mpi', args=['--cflags', '--libs'], uselib_store='MPI',
                   msg='Checking for MPI', errmsg='not found (Debian package libboost-mpi-dev)')
    conf.env.CXXFLAGS_MPI = ['-isystem' + path for path in conf.env.INCLUDES_MPI]
    conf.env.INCLUDES_MPI = []
    conf.env.LIB_MPI = ['boost_mpi', 'boost_serialization'] + [lib for lib in conf.env.LIB_MPI if lib != 'mpi_cxx']
    conf.env.DEFINES_MPI = ['ROCELAB_HAS_MPI']
    conf.check_cxx(fragment='#include <boost/mpi/environment.hpp>\n'
                   'int main() { return boost::mpi::environment::initialized(); }\n', use='MPI',
                   msg='Checking that a program links with Boost.MPI',
                   errmsg='no (Debian package libboost-mpi-dev)')


def find_python(conf):
    """Takes the headers of Debian's own Python, which the module is for; they are not ours to be warned about."""
    query = 'import sysconfig as s; print(s.get_path("include")); print(s.get_config_var("EXT_SUFFIX"))'
    include, conf.env.PYTHON_SUFFIX = conf.cmd_and_log([PYTHON, '-c', query]).split()
    # pybind11's classes are hidden from other libraries, those that have them as members need not be: a hidden
    # copy of the statics in ns-3's inline functions would be one of its own, as that of the time resolution.
    conf.env.CXXFLAGS_PYTHON = ['-isystem' + include, '-Wno-attributes']
    conf.check_cxx(fragment='#include <Python.h>\nint main() { return 0; }\n', features='cxx', use='PYTHON',
                   msg='Checking for the headers of ' + PYTHON, errmsg='not found (Debian package python3-dev)')


def find_header(conf, header, package):
    """Asks the preprocessor only: compiling some of these takes seconds."""
    fragment = ('#if !__has_include(<%s>)\n#error missing\n#endif\nint main() { return 0; }\n' % header)
    conf.check_cxx(fragment=fragment, features='cxx', msg='Checking for ' + header,
                   errmsg='not found (Debian package %s)' % package)


def set_variant_flags(conf):
    """Gives each variant an environment of its own."""
    # A chunk includes source files, whose classes have members and bases in unnamed namespaces.
    conf.env.CHUNK_CXXFLAGS = ['-Wno-subobject-linkage']
    base = conf.env.derive()
    conf.env.append_value('CXXFLAGS', ['-O3', '-fno-plt', '-fno-semantic-interposition'])
    conf.env.append_value('DEFINES', 'NDEBUG')
    # Calls within a library are direct: the packet path has many from one file to another.
    conf.env.append_value('LINKFLAGS', ['-Wl,-z,defs', '-Wl,-Bsymbolic-functions'])
    # Test code runs briefly, its compilation counts: the last -O on a command line holds.
    conf.env.TEST_CXXFLAGS = ['-O1']
    conf.env.TEST_CHUNK_CXXFLAGS = ['-O0']
    # The binding only hands over: most of its compilation is pybind11's templates.
    conf.env.PYTHON_CXXFLAGS = ['-O1']

    conf.setenv('debug', base)
    conf.env.append_value('CXXFLAGS', ['-O0', '-g'])
    conf.env.append_value('DEFINES', CHECKED)
    conf.env.append_value('LINKFLAGS', '-Wl,-z,defs')

    conf.setenv('sanitize', base)
    conf.env.append_value('CXXFLAGS', ['-O1', '-g', '-fno-omit-frame-pointer'] + SANITIZERS)
    conf.env.append_value('DEFINES', CHECKED)
    conf.env.append_value('LINKFLAGS', SANITIZERS)
    conf.setenv('')


def watch_build_files(conf):
    """Lets a change of this file configure anew, as a change of a wscript does."""
    folder = os.path.dirname(os.path.abspath(__file__))
    path = os.path.join(folder, 'build_configure.py')
    conf.hash = Utils.h_list((conf.hash, Utils.readf(path, 'rb')))
    conf.files.append(path)
