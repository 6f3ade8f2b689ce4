# SPDX-License-Identifier: GPL-2.0-only
"""The commands that make packages in build/dist: ./waf wheel, ./waf deb and ./waf contrib."""

import email.utils
import gzip
import io
import os
import re
import shutil
import subprocess
import sys
import tarfile

import build_commands
import project_files

#: Files of a module that contrib/ of an ns-3 has no use for.
LEFT_OUT = ('wscript',)

CONTRIB_README = """# RoceLab {version} for contrib/ of ns-3

Unpack this archive in `contrib/` of ns-3 3.37 or later, a git checkout. From the top folder of ns-3:

    tar -xzf rocelab-contrib-{version}.tar.gz -C contrib
    ./ns3 configure --build-profile=release --enable-build-version --enable-modules={modules}
    ./ns3 build

It needs the headers of Boost, JSON for Modern C++, OpenSSL and CLI11 (on Debian: `apt install {packages}`).
The program is `build/rocelab/ns3*-rocelab`; `--enable-tests` builds a suite per module (`./test.py -s rdma-nic`).

RoceLab is free software under GPL-2.0-only (`LICENSE`).
"""

CONTRIB_PACKAGES = ['libboost-dev', 'libcli11-dev', 'libssl-dev', 'nlohmann-json3-dev']


def get_folder(*parts):
    return os.path.join(build_commands.project_folder(), 'build', *parts)


def list_tracked():
    """Returns the tracked files of the project; ends with one line if git does not list them."""
    try:
        return project_files.list_files(build_commands.project_folder())
    except (OSError, subprocess.CalledProcessError) as error:
        said = getattr(error, 'stderr', None) or str(error).encode()
        print('waf: expected a git checkout, got: %s' % said.decode(errors='replace').strip().split('\n')[0],
              file=sys.stderr)
        sys.exit(2)


def get_commit_time():
    """Returns the time of the commit in seconds, so that packages of a commit have the same dates."""
    command = ['git', 'log', '-1', '--format=%ct']
    return int(subprocess.check_output(command, cwd=build_commands.project_folder()))


def make_wheel():
    build_commands.run_or_exit([build_commands.PYTHON, '-m', 'pip', '-q', 'wheel', build_commands.project_folder(),
                                '--no-deps', '--no-build-isolation', '--no-index', '-w', get_folder('dist')])
    print('wheels in build/dist')


def make_debian_packages(version):
    """Lets debian/rules build a copy of the tracked files, in build/deb."""
    copy = get_folder('deb', 'rocelab')
    project_files.copy_files(build_commands.project_folder(), copy, list_tracked())
    write_changelog(os.path.join(copy, 'debian'), version, get_commit_time())
    share_waf(copy)
    remove_packages(get_folder('deb'))
    print('building Debian packages; output in build/deb/build.log', flush=True)
    log = get_folder('deb', 'build.log')
    with open(log, 'wb') as file:
        status = subprocess.run(['dpkg-buildpackage', '-b', '-us', '-uc'], cwd=copy, stdout=file,
                                stderr=subprocess.STDOUT, check=False).returncode
    if status:
        sys.stderr.write(b''.join(read(log).splitlines(True)[-10:]).decode(errors='replace'))
        sys.exit(status)
    os.makedirs(get_folder('dist'), exist_ok=True)
    for name in remove_packages(get_folder('deb'), get_folder('dist')):
        print('build/dist/%s' % name)


def write_changelog(folder, version, time):
    """Writes the changelog of a folder debian/, which names the version; CHANGES.md has the changes."""
    control = read(os.path.join(folder, 'control')).decode()
    maintainer = re.search('^Maintainer: (.*)$', control, re.MULTILINE).group(1)
    with open(os.path.join(folder, 'changelog'), 'w', encoding='utf-8') as file:
        file.write('rocelab (%s) bookworm; urgency=medium\n\n  * Version %s; see CHANGES.md.\n\n -- %s  %s\n'
                   % (version, version, maintainer, email.utils.formatdate(time)))


def share_waf(copy):
    """Gives a copy of the project waf's code and the stamps of the installed packages."""
    state = os.path.join(copy, 'build', '.waf')
    os.makedirs(state, exist_ok=True)
    for name in os.listdir(get_folder('.waf')):
        source, target = get_folder('.waf', name), os.path.join(state, name)
        if name == 'waflib':
            shutil.copytree(source, target, dirs_exist_ok=True)
        elif name.endswith('.stamp'):
            shutil.copy2(source, target)


def remove_packages(folder, to=None):
    """Removes the packages in a folder, or moves them to another one; returns their names."""
    names = sorted(name for name in os.listdir(folder) if name.endswith(('.deb', '.changes', '.buildinfo')))
    for name in names:
        path = os.path.join(folder, name)
        if to and name.endswith('.deb'):
            os.replace(path, os.path.join(to, name))
        else:
            os.remove(path)
    return [name for name in names if name.endswith('.deb')]


def make_contrib(version, modules):
    name = 'rocelab-contrib-%s.tar.gz' % version
    path = get_folder('dist', name)
    os.makedirs(get_folder('dist'), exist_ok=True)
    with open(path + '.new', 'wb') as file:
        write_contrib(file, build_commands.project_folder(), version, modules, list_tracked(), get_commit_time())
    os.replace(path + '.new', path)
    print('build/dist/%s' % name)


def write_contrib(file, top, version, modules, tracked, time):
    """Writes the archive: the folders of the modules, README.md and LICENSE; equal inputs give equal bytes."""
    readme = CONTRIB_README.format(version=version, modules=','.join(modules), packages=' '.join(CONTRIB_PACKAGES))
    members = {'README.md': readme.encode(), 'LICENSE': read(os.path.join(top, 'LICENSE'))}
    for path in tracked:
        parts = path.split('/')
        if parts[0] == 'src' and parts[1] in modules and parts[-1] not in LEFT_OUT:
            members['/'.join(parts[1:])] = read(os.path.join(top, path))
    with gzip.GzipFile('', 'wb', fileobj=file, mtime=time) as packed, \
            tarfile.open(fileobj=packed, mode='w', format=tarfile.GNU_FORMAT) as archive:
        for name in sorted(members):
            entry = tarfile.TarInfo(name)
            entry.size, entry.mtime, entry.mode = len(members[name]), time, 0o644
            archive.addfile(entry, io.BytesIO(members[name]))


def read(path):
    with open(path, 'rb') as file:
        return file.read()
