# SPDX-License-Identifier: GPL-2.0-only
"""rocelab import: workloads and topologies of other simulators as scenarios."""

import json
import re
import tempfile
from pathlib import Path

from rocelab.errors import UserError
from rocelab.files import write_text
from rocelab.importers.chakra import read_chakra
from rocelab.importers.connection_matrix import UNITS, read_connection_matrix
from rocelab.importers.doca_perftest import read_doca_perftest
from rocelab.importers.goal import read_goal, read_goal_binary
from rocelab.importers.htsim_topology import FatTree
from rocelab.importers.msccl import read_msccl
from rocelab.importers.scenario import format_scenario, make_workload
from rocelab.importers.simai import read_simai
from rocelab.importers.source import MAX_RANKS, read_first_words
from rocelab.importers.timing import PS_PER_S
from rocelab.places import find_build
from rocelab.runs.engine import check_scenario
from rocelab.terminal.parser import make_examples, read_above_zero, read_whole
from rocelab.terminal.progress import TerminalLine

#: Of each format its reader of Operations, and the ends of its files' names.
FORMATS = {
    "cm": (read_connection_matrix, (".cm",)),
    "goal": (read_goal, (".goal",)),
    "goal-binary": (read_goal_binary, (".bin",)),
    "chakra": (read_chakra, (".et",)),
    "msccl": (read_msccl, (".xml",)),
    "simai": (read_simai, (".txt",)),
    "doca-perftest": (read_doca_perftest, (".json",)),
}
TOPOLOGY = "topo"
#: Key of a scenario that reads a file without import, by the numbers in the file's first line; as HPCC's readers have them.
DIRECT = {
    1: ("flow file of HPCC", '"workload": {"type": "hpcc-trace", "file": %s}'),
    3: ("topology file of HPCC", '"fabric": {"topology": "hpcc-file", "file": %s}'),
    4: ("topology file of PowerTCP", '"fabric": {"topology": "hpcc-file", "file": %s}'),
    6: ("topology file of Reverie", '"fabric": {"topology": "hpcc-file", "file": %s}'),
}
NUMBER = re.compile(r"[0-9]+(\.[0-9]+)?")
NAME = re.compile(r"[A-Za-z0-9_+=,@-][A-Za-z0-9._+=,@-]*")
RATE = re.compile(r"([1-9][0-9]{0,5})Gbps")
DELAY = re.compile(r"([0-9]{1,9})(ps|ns|us|ms)")
UNITS_PS = {"ps": 1, "ns": 1000, "us": 10**6, "ms": 10**9}
STAR_SERVERS = 64  # Up to this number the default buffer of a switch is enough.
STAR_BUFFER = 2**19  # Bytes per server: 32 MiB for 64.
SIZE = re.compile(r"([0-9]{1,12})(B|kB|KiB|MB|MiB|GB|GiB)?")
SIZES = {None: 1, "B": 1, "kB": 10**3, "KiB": 2**10, "MB": 10**6, "MiB": 2**20, "GB": 10**9, "GiB": 2**30}


def read_size(text):
    """Return bytes of a text such as 1MiB, for argparse."""
    found = SIZE.fullmatch(text)
    size = int(found[1]) * SIZES[found[2]] if found else 0
    if not 1 <= size <= 2**40:
        raise UserError(f"command line: expected a size from 1 B to 1024 GiB, as 1MiB, got {text!r}")
    return size


def add_options(commands):
    """Add the command import."""
    command = commands.add_parser(
        "import",
        help="make a scenario of another simulator's workload",
        description="Make a scenario of another simulator's workload: htsim connection matrices and topologies, GOAL, Chakra traces, MSCCL, SimAI,"
        " DOCA Perftest.",
        epilog=make_examples(
            "import ring.cm --to ring.json --start-unit us",
            "import perm.cm --topology fat_tree_128.topo --to perm.json --nic srnic",
            "import fat_tree_128.topo --to fat_tree_128.txt    a topology file alone",
            "import trace.0.et --groups groups.json --peak-tflops 989 --memory-bandwidth 3350 --to step.json",
        ),
    )
    command.add_argument("file", metavar="FILE", help="file to read; of a Chakra trace, the file of any rank")
    command.add_argument("--to", required=True, metavar="FILE", help="scenario to write; a topology is written beside it")
    command.add_argument("--format", choices=[*FORMATS, TOPOLOGY], help="format of FILE (default: by its name)")
    command.add_argument("--name", metavar="NAME", help="name of the scenario (default: that of its file)")
    command.add_argument("--nic", action="append", metavar="NAME", help="NIC preset; repeatable (default: connectx6)")
    command.add_argument("--topology", metavar="FILE", help="htsim .topo file of the fabric (default: a star)")
    command.add_argument("--rate", default="100Gbps", metavar="RATE", help="rate of a star's links (default: %(default)s)")
    command.add_argument("--delay", default="1us", metavar="TIME", help="delay of a star's links (default: %(default)s)")
    command.add_argument(
        "--buffer",
        type=read_size,
        metavar="SIZE",
        help="buffer of each switch (default: that of scenarios; of a star of more than 64 servers or with long links,"
        " 512 KiB and 4 times rate x delay per server)",
    )
    command.add_argument(
        "--until", metavar="TIME", help="end the run at this time; flows that are not done then report their bytes so far"
    )
    command.add_argument(
        "--queue-pairs",
        choices=("persistent", "fresh"),
        default="persistent",
        help="one queue pair per pair of ranks, or one per message (default: %(default)s); a .cm file states it",
    )
    command.add_argument(
        "--operation",
        choices=("write", "send", "read"),
        help="how data move; with read, the receiver of a message posts it (default: write; doca-perftest: its verb)",
    )
    add_format_options(command)
    command.add_argument("--build", default=find_build(), help="build folder, whose program checks the scenario (default: %(default)s)")
    command.set_defaults(run=run_import)


def add_format_options(command):
    """Add the options of single formats."""
    command.add_argument(
        "--start-unit", choices=list(UNITS), default="ps", help="cm: ps as csg-htsim, us as uet-htsim (default: %(default)s)"
    )
    command.add_argument("--ignore-counts", action="store_true", help="cm: numbers of lines in the header may be wrong")
    command.add_argument(
        "--eager", type=read_whole(0, 2**40), default=65535, metavar="BYTES", help="goal: largest eager send (default: %(default)s)"
    )
    command.add_argument(
        "--goal-layout",
        choices=("auto", "ranks", "nics"),
        default="auto",
        help="goal-binary: a server per rank, or per nic of a rank (default: %(default)s: by the number of nics)",
    )
    command.add_argument("--groups", metavar="FILE", help="chakra: JSON file of the groups of ranks")
    command.add_argument("--chain-streams", action="store_true", help="chakra: nodes of a stream run one at a time")
    command.add_argument("--ignore-control", action="store_true", help="chakra: data dependencies alone")
    command.add_argument("--peak-tflops", type=read_above_zero(1e9), metavar="N", help="chakra: compute rate of the roofline")
    command.add_argument("--memory-bandwidth", type=read_above_zero(1e9), metavar="GB/s", help="chakra: memory bandwidth of the roofline")
    command.add_argument("--bytes", type=read_size, metavar="SIZE", help="msccl: buffer of the collective; cm: flows of size 0")
    command.add_argument("--layers", type=read_whole(1, 10**6), metavar="N", help="simai: the first layers only")
    command.add_argument(
        "--iterations", type=read_whole(1, 10**6), metavar="N", help="doca-perftest: messages per connection of a file with a duration (default: 16)"
    )
    command.add_argument("--ranks", type=read_whole(1, MAX_RANKS), metavar="N", help="simai: number of GPUs of a file without all_gpus")


def check_direct(file):
    """Raise UserError for a file that scenarios read without import."""
    words = read_first_words(file)
    if len(words) in DIRECT and all(map(NUMBER.fullmatch, words)):
        what, keys = DIRECT[len(words)]
        raise UserError(f"{file}: expected a file to import, got a {what}, which needs no import: {keys % json.dumps(file)} in a scenario")


def find_format(options):
    """Return the name of a format."""
    if options.format:
        return options.format
    name = options.file.lower()
    if name.endswith(".topo"):
        return TOPOLOGY
    found = next((key for key, (_, ends) in FORMATS.items() if name.endswith(ends)), None)
    if found in (None, "simai"):
        check_direct(options.file)
    if found is None:
        raise UserError(f"{options.file}: expected a file that ends with .cm, .topo, .goal, .bin, .et, .xml, .txt or .json, or --format, got another name")
    return found


def read_delay(name, text):
    """Return the picoseconds of an option's value."""
    found = DELAY.fullmatch(text)
    if not found:
        raise UserError(f"{name}: expected a time such as 1us, got {text!r}")
    return int(found[1]) * UNITS_PS[found[2]]


def make_star(options, ranks):
    """Return the fabric of a star, its rate in bit/s and the delay between two servers in picoseconds."""
    found = RATE.fullmatch(options.rate)
    if not found:
        raise UserError(f"--rate: expected a rate such as 100Gbps, got {options.rate!r}")
    rate, delay = int(found[1]) * 10**9, read_delay("--delay", options.delay)
    servers = max(2, ranks)
    fabric = {"topology": "star", "servers": servers, "hostRate": options.rate, "linkDelay": options.delay}
    # Headroom of PFC is twice rate x delay, and some frames.
    flight = 4 * rate * delay // (8 * PS_PER_S)
    if servers > STAR_SERVERS or flight > STAR_BUFFER:
        fabric["buffer"] = f"{servers * (STAR_BUFFER + flight)}B"
    return fabric, rate, 2 * delay


def make_tree(options, ranks, target):
    """Return the same of a topology file, and the text of the file to write."""
    tree = FatTree(options.topology)
    if tree.get_nodes() < ranks:
        raise UserError(f"{options.topology}: expected at least {ranks} Nodes, one per rank, got {tree.get_nodes()}")
    fabric = {"topology": "hpcc-file", "file": target.name}
    return fabric, tree.get_rate() * 10**9, 2 * tree.get_delay(0), tree


def check_texts(options, path, texts, notes):
    """Let the program check a scenario with its files, before any of them is written."""
    if not (Path(options.build) / "rocelab").exists():
        notes[f"checks by the engine: left out, for there is no program in {options.build}"] += 1
        return
    with tempfile.TemporaryDirectory(prefix="rocelab-") as folder:
        for one, text in texts.items():
            write_text(Path(folder) / one.name, text)
        check_scenario(options.build, texts[path], folder)


def print_notes(notes):
    """Print what was dropped or assumed, with its count."""
    for text, count in sorted(notes.items()):
        if count:
            print(f"  {count:>9}  {text}")


def write_topology(options):
    """Write a topology file alone; returns its path."""
    tree = FatTree(options.file)
    text = tree.make_text()
    print(f"{options.file}: {tree.get_nodes()} servers at {tree.get_rate()} Gb/s")
    print_notes(tree.list_notes())
    print(f'A scenario beside it: "fabric": {{"topology": "hpcc-file", "file": "{Path(options.to).name}"}}')
    return write_text(options.to, text)


def make_texts(operations, path, name, kind, options):
    """Return {path: text} of the files to write, and the workload."""
    texts = {}
    if options.topology:
        target = path.with_name(path.stem + "-topology.txt")
        fabric, rate, latency, tree = make_tree(options, operations.ranks, target)
        texts[target] = tree.make_text()
        operations.notes.update(tree.list_notes())
    else:
        fabric, rate, latency = make_star(options, operations.ranks)
    if options.buffer is not None:
        fabric["buffer"] = f"{options.buffer}B"
    is_shared = kind == "cm" or options.queue_pairs == "persistent"
    workload = make_workload(operations, rate, latency, is_shared, options.operation or operations.verb)
    scenario = {"name": name, "fabric": fabric, "nics": options.nic or ["connectx6"]}
    if options.until is None:
        scenario |= {"workload": workload, "run": {"seed": 1}}
    else:
        read_delay("--until", options.until)
        scenario |= {"workloads": [{"name": kind, "end": options.until, **workload}], "run": {"seed": 1, "drain": False}}
    texts[path] = format_scenario(scenario)
    return texts, workload


def run_import(options):
    """Carry out the command; returns (exit status, files written)."""
    kind = find_format(options)
    if kind == TOPOLOGY:
        return 0, [write_topology(options)]
    path = Path(options.to)
    name = options.name or path.stem
    if not NAME.fullmatch(name):
        raise UserError(f"--name: expected letters, digits and ._-+=,@, got {name!r}")
    line = TerminalLine()
    try:
        line.draw(f"{options.file}: reading")
        operations = FORMATS[kind][0](options.file, options)
        line.draw(f"{options.file}: making the scenario of {operations.ranks} ranks")
        texts, workload = make_texts(operations, path, name, kind, options)
        line.draw(f"{options.file}: checking the scenario")
        check_texts(options, path, texts, operations.notes)
    finally:
        line.clear()
    messages = workload.get("operations") or workload["flows"]
    print(f"{options.file}: {operations.ranks} ranks, {len(messages)} messages, {sum(one['bytes'] for one in messages)} bytes, as {workload['type']}")
    print_notes(operations.notes)
    return 0, [write_text(one, text) for one, text in texts.items()]
