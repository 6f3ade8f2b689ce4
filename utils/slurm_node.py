#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""
Starts and stops a Slurm cluster of one node on the loopback interface, to try `rocelab sweep --slurm`
without a cluster:

    utils/slurm_node.py start [--folder build/slurm-node]
    export SLURM_CONF=...        # As start prints it.
    utils/slurm_node.py stop  [--folder build/slurm-node]

Needs Debian's packages munge, slurm-client, slurmctld and slurmd. Keys, configuration, logs and state
lie in the folder; nothing outside of it is written or used, so that a Slurm of the machine's own is not
disturbed. Only processes that start has started are ended, by their ids.
"""

import argparse
import json
import os
import pwd
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

SECONDS_TO_START = 30
SECONDS_TO_STOP = 10
PROGRAMS = ('munged', 'slurmctld', 'slurmd', 'sinfo')
# Debian's daemons lie where only root looks.
SEARCH = os.environ.get('PATH', '') + ':/usr/local/sbin:/usr/sbin:/sbin'

CONFIGURATION = """\
ClusterName=rocelab
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={controller_port}
SlurmdPort={node_port}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
CryptoType=crypto/munge
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
MpiDefault=none
ReturnToService=2
SlurmdParameters=config_overrides
SchedulerParameters=batch_sched_delay=0,sched_interval=2,sched_min_interval=100000
SchedulerType=sched/builtin
NodeName={host} NodeAddr=127.0.0.1 CPUs={cores} State=UNKNOWN
PartitionName=all Nodes={host} Default=YES MaxTime=INFINITE State=UP OverSubscribe=NO
"""


class NodeError(Exception):
    """The cluster cannot be started or stopped; str() is one line."""


def find_program(name):
    path = shutil.which(name, path=SEARCH)
    if not path:
        raise NodeError('%s: not found (Debian packages munge, slurm-client, slurmctld, slurmd)' % name)
    return path


def find_free_port():
    with socket.socket() as probe:
        probe.bind(('127.0.0.1', 0))
        return probe.getsockname()[1]


def get_start_time(process):
    """Returns what tells a process from a later one of the same number; None if there is none."""
    try:
        with open('/proc/%d/stat' % process, encoding='ascii', errors='replace') as file:
            fields = file.read().rpartition(')')[2].split()
    except OSError:
        return None
    return None if fields[0] == 'Z' else fields[19]


class Node:
    """The cluster of one folder."""

    def __init__(self, folder, cores):
        self.folder = Path(folder).resolve()
        self.cores = cores
        self.processes_file = self.folder / 'processes.json'
        self.configuration = self.folder / 'slurm.conf'
        self.processes = []

    def read_processes(self):
        """Returns [name, id, start time] of what was started and still runs."""
        try:
            known = json.loads(self.processes_file.read_text(encoding='utf-8'))
        except (OSError, ValueError):
            return []
        return [entry for entry in known if get_start_time(entry[1]) == entry[2]]

    def start(self):
        if self.read_processes():
            raise NodeError('%s: a cluster runs in this folder already' % self.folder)
        programs = {name: find_program(name) for name in PROGRAMS}
        shutil.rmtree(self.folder, ignore_errors=True)
        for name in ('state', 'spool', 'munge'):
            (self.folder / name).mkdir(parents=True)
        try:
            self.start_munge(programs['munged'])
            self.write_configuration()
            self.spawn('slurmctld', [programs['slurmctld'], '-D', '-f', str(self.configuration)])
            self.spawn('slurmd', [programs['slurmd'], '-D', '-f', str(self.configuration)])
            self.wait_for('the node to be idle', lambda: self.is_idle(programs['sinfo']))
        except BaseException:
            self.stop()
            raise

    def start_munge(self, program):
        """Starts munged with a key of its own, as user munge if we are root."""
        folder = self.folder / 'munge'
        key = folder / 'key'
        key.write_bytes(secrets.token_bytes(128))
        key.chmod(0o400)
        command = [program, '--foreground', '--force', '--key-file=%s' % key,
                   '--socket=%s' % (self.folder / 'munge.socket'),
                   '--pid-file=%s' % (folder / 'pid'), '--seed-file=%s' % (folder / 'seed')]
        account = None
        if os.geteuid() == 0:
            account = pwd.getpwnam('munge')
            os.chown(key, account.pw_uid, account.pw_gid)
            os.chown(folder, account.pw_uid, account.pw_gid)
            os.chown(self.folder, account.pw_uid, account.pw_gid)
        folder.chmod(0o700)
        self.spawn('munged', command, account)
        self.wait_for('munged', (self.folder / 'munge.socket').exists)

    def write_configuration(self):
        host = socket.gethostname().split('.')[0]
        self.configuration.write_text(CONFIGURATION.format(
            host=host, folder=self.folder, user=pwd.getpwuid(os.geteuid()).pw_name,
            controller_port=find_free_port(), node_port=find_free_port(), cores=self.cores), encoding='utf-8')

    def spawn(self, name, command, account=None):
        """Starts a program that outlives us; its output goes to <name>.out."""
        identity = {'user': account.pw_uid, 'group': account.pw_gid} if account else {}
        with open(self.folder / (name + '.out'), 'wb') as output:
            process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output,
                                       stderr=subprocess.STDOUT, start_new_session=True,
                                       cwd=self.folder, **identity)
        self.processes.append((name, process))
        entries = [[known, child.pid, get_start_time(child.pid)] for known, child in self.processes]
        self.processes_file.write_text(json.dumps(entries), encoding='utf-8')

    def is_idle(self, sinfo):
        result = subprocess.run([sinfo, '--noheader', '-o', '%t'], capture_output=True, text=True,
                                env=dict(os.environ, SLURM_CONF=str(self.configuration)))
        return result.stdout.strip() == 'idle'

    def wait_for(self, what, is_there):
        """Waits; fails at once if a program that was started ends."""
        end = time.monotonic() + SECONDS_TO_START
        while not is_there():
            for name, process in self.processes:
                if process.poll() is not None:
                    raise NodeError('%s ended with status %d: %s'
                                    % (name, process.returncode, self.get_last_line(name)))
            if time.monotonic() > end:
                raise NodeError('%s did not come up within %d s: %s'
                                % (what, SECONDS_TO_START, self.get_last_line(self.processes[-1][0])))
            time.sleep(0.05)

    def get_last_line(self, name):
        """Returns the last line of what a program printed or logged."""
        lines = []
        for suffix in ('.log', '.out'):
            path = self.folder / (name + suffix)
            if path.exists():
                lines += path.read_text(encoding='utf-8', errors='replace').split('\n')
        return next((line.strip() for line in reversed(lines) if line.strip()), 'it said nothing')

    def stop(self):
        """Ends what was started, the last one first."""
        running = self.read_processes()
        for name, process, start in reversed(running):
            for number in (signal.SIGTERM, signal.SIGKILL):
                if get_start_time(process) == start:
                    os.kill(process, number)
                end = time.monotonic() + SECONDS_TO_STOP
                while get_start_time(process) == start and time.monotonic() < end:
                    time.sleep(0.02)
        for _, child in self.processes:
            child.poll()
        self.processes_file.unlink(missing_ok=True)
        return len(running)


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.strip().split('\n\n')[0])
    parser.add_argument('command', choices=['start', 'stop'])
    parser.add_argument('--folder', default='build/slurm-node',
                        help='of its files (default: %(default)s); its path must be short: a socket lies there')
    parser.add_argument('--cores', type=int, default=max(2, os.cpu_count() or 1), metavar='N',
                        help='that the node claims to have, whatever the machine has (default: %(default)s)')
    options = parser.parse_args(arguments)
    node = Node(options.folder, options.cores)
    try:
        if options.command == 'start':
            node.start()
            print('export SLURM_CONF=%s' % node.configuration)
        else:
            print('%d processes ended' % node.stop())
    except (NodeError, OSError, KeyError) as error:
        print('slurm_node: %s' % error, file=sys.stderr)
        return 1
    return 0


if __name__ == '__main__':
    sys.exit(main())
