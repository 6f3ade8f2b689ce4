# SPDX-License-Identifier: GPL-2.0-only
"""Top of the build: options, configuration, and the folders that hold targets."""

import os
import sys

from waflib import Build, Configure, Context, Options

sys.path.insert(0, os.path.join(Context.run_dir, 'utils', 'build'))

# The imports register the project's commands and the bld.rdma_*() functions.
import build_commands  # noqa: E402
import build_configure  # noqa: E402
import build_depfiles  # noqa: E402
import build_dist  # noqa: E402
import build_targets  # noqa: E402

APPNAME = 'rocelab'
VERSION = '1.0.0'

top = '.'
out = 'build'

MODULES = ['rdma-fabric', 'rdma-nic', 'rdma-host', 'fpga-rnic', 'rdma-apps', 'rdma-bench', 'rdma-experiment']

build_depfiles.install()

# A build of a tree that is not configured, or whose build files changed, configures it first.
Configure.autoconfig = 'clobber'


def options(opt):
    build_configure.add_options(opt)
    build_commands.add_options(opt)


def init(ctx):
    build_commands.check_options(ctx.options, Options.commands)
    Build.BuildContext.variant = build_configure.choose_variant(ctx.options)


def configure(conf):
    build_configure.configure(conf, VERSION)


def build(bld):
    bld.recurse(['src/' + module for module in MODULES] + ['examples', 'test'])
    build_targets.add_scratch_targets(bld)
    build_targets.link_headers(bld)
    build_targets.write_package_file(bld, VERSION)


def lint(ctx):
    """checks format, license lines, file lists and Python code"""
    build_commands.lint()


def format(ctx):
    """formats the C++ files with clang-format"""
    build_commands.format_sources()


def wheel(ctx):
    """builds, and makes a wheel of the Python package with the program (build/dist)"""
    build_dist.make_wheel()


def deb(ctx):
    """builds a copy of the tracked files, and makes Debian packages (build/dist)"""
    build_dist.make_debian_packages(VERSION)


def contrib(ctx):
    """makes an archive of the modules for contrib/ of an ns-3 (build/dist)"""
    build_dist.make_contrib(VERSION, MODULES)


def distclean(ctx):
    """removes the build folder and the configuration"""
    build_commands.distclean()


def shutdown(ctx):
    build_commands.print_last_line()
