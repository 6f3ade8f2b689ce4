# SPDX-License-Identifier: GPL-2.0-only
"""Result folders of all kinds, and a seeded mutator that damages one file of one."""

import json
import random
import shutil

from synthetic import make_flows, stop_flows, write_nic

from rocelab.draw.task_bars import COLUMNS as THREAD_COLUMNS
from rocelab.results.series import COLUMNS

NICS = ("irn", "srnic")
FLOWS = 24

SCENARIO = {
    "fabric": {
        "topology": "star",
        "servers": 9,
        "hostRate": "100Gbps",
        "linkDelay": "1us",
        "buffer": "4MiB",
        "framing": "ethernet",
        "mtu": 1024,
        "ecn": {"100Gbps": {"kmin": "400kB", "kmax": "1600kB", "pmax": 0.2}},
        "pfc": False,
        "lossRate": 0.0,
    },
    "workload": {"type": "poisson", "load": 0.5, "duration": "1ms"},
    "run": {"seed": 1, "drain": True, "stallLimit": "1s"},
    "series": {"interval": "10us", "what": list(COLUMNS)},
}
MORE_SUMMARY = {
    "streams": {"measured_ms": 1.5, "lost": 0},
    "rpc": {
        "measured": 12,
        "latency_us": {"mean": 4.5, "p50": 4, "p99": 9, "p999": 9.5},
        "goodput_gbps": 12.5,
    },
    "hardware": {
        "cpu_cores": {"mean": 0.5, "max": 1},
        "pcie_up_bytes": 5,
        "pcie_down_bytes": 7,
        "context_misses": 3,
        "software_packets": 0,
    },
}
FIGURE = {
    "x": {"label": "Queue pairs", "unit": "", "scale": "log2"},
    "y": {"label": "Goodput", "unit": "Gb/s"},
    "series": {"srnic": [[128, 97], [512, 96]], "irn": [[128, 90], [512, None]]},
    "paper": [{"where": "Fig 9", "statement": "stays at 97"}],
    "comparison": [
        {"what": "512", "ours": 96.7, "facts": ["SRNIC-074"], "paper": 97, "relation": "=", "difference": -0.003, "met": True}
    ],
    "notes": ["A note."],
    "incomplete": {"irn": [128]},
    "made": {"version": "0.1.0", "commit": "abc", "quick": False, "options": {"qps": "128,512"}},
}
PERFTEST = {
    "test": "write_bw",
    "nic": "srnic",
    "rate": "100Gbps",
    "delay": "1us",
    "qp": 2,
    "loss": 0.01,
    "hardware": "off",
    "results": [{"size": 65536, "measured": {"goodputGbps": 91.5}}, {"size": 512, "measured": {"goodputGbps": 9}}],
}
SWEEP = {
    "format": 1,
    "sweep": {"name": "tiny", "axes": [{"path": "fabric.lossRate", "values": [0, 0.01], "name": "loss"}]},
}
SWEEP_TABLE = """loss,nic,runs,results,stalled,failed,goodput_gbps_mean,goodput_gbps_ci95,slowdown_mean_mean,\
slowdown_mean_ci95,slowdown_p99_mean,slowdown_p99_ci95,fct_us_mean_mean,fct_us_mean_ci95,fct_us_p99_mean,fct_us_p99_ci95
0,irn,3,3,0,0,91.2,0.5,1.5,0.1,3.5,0.2,15.5,0.1,35.5,1.5
0,srnic,3,3,0,0,93.2,0.5,1.25,0.1,3.25,0.2,12.5,0.1,32.5,1.5
0.01,irn,3,2,1,0,51.2,,2.5,0.1,13.5,0.2,25.5,0.1,135.5,
0.01,srnic,3,3,0,0,83.2,2.5,1.75,0.1,4.25,0.2,17.5,0.1,42.5,2.5
"""


def write_series(folder):
    """Write time series of three ports and two flows."""
    folder.mkdir()
    for name, columns in COLUMNS.items():
        lines = [",".join(column for column, _ in columns)]
        for time in range(10000, 80000, 10000):
            for place in range(3):
                known = {"time_ns": time, "node": place if place < 2 else 9, "port": 0, "peer": 9 if place < 2 else 0}
                known |= {"line_gbps": 100, "gbps": 6.25 * place, "flow": place, "src": 1, "dst": 0}
                lines.append(",".join(str(known.get(column, 100 * place)) for column, _ in columns))
        (folder / f"{name}.csv").write_text("\n".join(lines) + "\n")


def write_threads(path):
    """Write threads.csv of two hosts."""
    lines = [",".join(column for column, _ in THREAD_COLUMNS)]
    for server, role in ((0, "receiver"), (1, "sender")):
        known = {"server": server, "role": role, "use_percent": 12.5}
        lines.append(",".join(str(known.get(column, 1000 + server)) for column, _ in THREAD_COLUMNS))
    path.write_text("\n".join(lines) + "\n")


def write_all(folder):
    """Write one result folder of each kind below a folder; returns {kind: folder}."""
    listed = {"nics": [{"name": nic, "preset": nic, "hardware": "off"} for nic in NICS]}
    for nic, factor in zip(NICS, (1.5, 1)):
        rows = make_flows(factor, FLOWS)
        if nic == "irn":
            rows = stop_flows(rows, [7], "stalled")
        origin = {"version": "0.1.0", "ns3": "3.37", "compiler": "g++ 12", "nics": list(NICS), "plugins": []}
        origin["scenario"] = {"hash": "e680", "files": {}, "attributes": {}}
        write_nic(folder / "s" / nic, rows, {**SCENARIO, **listed, "rocelab": origin}, **MORE_SUMMARY)
        write_series(folder / "s" / nic / "series")
        write_threads(folder / "s" / nic / "threads.csv")
    for name, file, content in (
        ("figure", "figure.json", FIGURE),
        ("perftest", "perftest.json", PERFTEST),
        ("lossless", "perftest.json", PERFTEST | {"loss": 0}),
        ("sweep", "sweep.json", SWEEP),
    ):
        (folder / name).mkdir()
        (folder / name / file).write_text(json.dumps(content))
    (folder / "sweep" / "sweep-summary.csv").write_text(SWEEP_TABLE)
    return {kind: folder / kind for kind in ("s", "figure", "perftest", "lossless", "sweep")}


#: Texts of JSON in the place of a value.
VALUES = (
    *("null", "true", "false", "0", "-1", "1", "-0.0", "1.5", "1e308", "1e-320", "NaN", "Infinity", "-Infinity"),
    *("1e400", "9223372036854775808", "36893488147419103232", "9" * 400, "9" * 5000, "1e18", "1e300"),
    *('""', '"text"', '"nan"', '"\\ud800"', '"a\\nb"', '"\\u0000"', '"<script>"', '"' + "x" * 3000 + '"', '"$x_{$"'),
    *("[]", "{}", "[1]", "[[1, 2, 3]]", '[null, "x"]', '{"a": 1}', '{"": {}}', '{"\\udfff": 1}', "[" * 300 + "]" * 300),
)
CELLS = (
    *("", "nan", "-nan", "inf", "-inf", "-1", "0", "-0", "1e400", "1e308", "1e-320", "1e18", "1e19", "1.5", "x", " 1", "0x10"),
    *("9223372036854775807", "9223372036854775808", "4611686018427387904", "9" * 50, "9" * 5000, "completed", '"', '"1', "1_0"),
    *("\0", "\u00b2", "\u0661", "=1+1", "a,b", "\n", "\r", "\u2028"),
)


def find_paths(value, path=()):
    """Return the paths of all values in a JSON document, as tuples of keys and indices."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(found for key, member in inside for found in find_paths(member, (*path, key)))]


class Placeholder(str):
    """Stands for a text that the encoder cannot write."""


def mutate_json(chance, text):
    """Return the text with a value replaced, a key removed, renamed or written twice."""
    document = json.loads(text)
    path = chance.choice(find_paths(document))
    if not path:
        return chance.choice(VALUES)
    holder = document
    for key in path[:-1]:
        holder = holder[key]
    kind = chance.random()
    if kind < 0.15:
        del holder[path[-1]]
        return json.dumps(document)
    if kind < 0.25 and isinstance(holder, dict):
        holder[chance.choice(("", "x", "name", "nan", "\ud800"))] = holder.pop(path[-1])
        return json.dumps(document)
    holder[path[-1]] = "@@@"
    return json.dumps(document).replace('"@@@"', chance.choice(VALUES), 1)


def mutate_table(chance, text):
    """Return the text with a cell, a column or a line changed."""
    lines = text.split("\n")
    number = chance.randrange(len(lines) - 1)
    kind = chance.random()
    if kind < 0.55:
        cells = lines[number].split(",")
        for _ in range(chance.choice((1, 1, 1, 2, 5))):
            cells[chance.randrange(len(cells))] = chance.choice(CELLS)
        lines[number] = ",".join(cells)
    elif kind < 0.65:
        column = chance.randrange(lines[0].count(",") + 1)
        cell = chance.choice(CELLS)
        lines[1:-1] = [replace_cell(line, column, cell) for line in lines[1:-1]]
    elif kind < 0.75:
        lines.insert(number, lines[chance.randrange(len(lines))])
    elif kind < 0.85:
        del lines[number]
    else:
        lines[1:-1] = chance.sample(lines[1:-1], len(lines) - 2)
    return "\n".join(lines)


def replace_cell(line, column, cell):
    """Return a line with another text in a column."""
    cells = line.split(",")
    cells[column] = cell
    return ",".join(cells)


def mutate_bytes(chance, data):
    """Return the bytes cut, with a byte changed, or with others in front, behind or in between."""
    place = chance.randrange(len(data) + 1)
    kind = chance.randrange(5)
    if kind == 0:
        return data[:place]
    if kind == 1:
        return data[:place] + bytes([chance.randrange(256)]) + data[place + 1 :]
    if kind == 2:
        return data[:place] + chance.choice((b"\xff\xfe", b"\0", b"\r", b"\n\n", b"\xef\xbb\xbf", b",,", b"\xed\xa0\x80")) + data[place:]
    if kind == 3:
        return data[:place] + data[place // 2 :]
    return data.replace(b"\n", b"\r\n")


def replace_file(chance, path):
    """Put something else in the place of a file."""
    path.unlink()
    kind = chance.randrange(4)
    if kind == 0:
        path.mkdir()
    elif kind == 1:
        path.symlink_to(path.name)
    elif kind == 2:
        path.write_text("")


def corrupt(folder, seed):
    """Damage one file below a folder, chosen and changed by the seed; returns a line that says which."""
    chance = random.Random(seed)
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    path = chance.choice(files)
    kind = chance.random()
    if kind < 0.05:
        replace_file(chance, path)
    elif kind < 0.2:
        path.write_bytes(mutate_bytes(chance, path.read_bytes()))
    else:
        mutate = mutate_json if path.suffix == ".json" else mutate_table
        path.write_text(mutate(chance, path.read_text()), encoding="utf-8", errors="surrogatepass", newline="")
    return f"seed {seed}: {path.relative_to(folder)}"


def copy_all(source, target):
    """Copy the folders of write_all(), in the place of what is there."""
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(source, target)
