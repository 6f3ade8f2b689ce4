# SPDX-License-Identifier: GPL-2.0-only
"""Two tenants on one NIC: which attackers disturb which victims, by NIC design, and what the cause is.

Two servers are connected by one cable, so that nothing but the two NICs is shared. A victim runs alone, then beside each attacker.
Attackers and victims are those of Husky's test suite as far as workloads of messages express them, and some of our own.

The criterion (written before the first run):

- A victim that keeps one message under way is entitled to its rate alone, one that fills the NIC to half of it.
- It passes if its rate is at least ALPHA times what it is entitled to. ALPHA is that of Husky's example configuration.
- A victim with one message under way must also have a P99 latency of at most TAIL times that alone (our choice).
- The worst of all seeds counts.
"""

from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from rocelab.errors import UserError
from rocelab.terminal.table import format_table
from rocelab.validate.figure import Option
from rocelab.validate.options import read_number, read_numbers

ALPHA = 0.8
TAIL = 2

ONE_CORE_EACH = {"ns3::rdma::HostCpu::Cores": 65536}  # Tenants have cores of their own.
DESIGNS = {
    "ConnectX-6": {"preset": "connectx6"},
    "ConnectX-7": {"preset": "connectx7"},
    "IRN": {"preset": "irn"},
    "UET": {"preset": "uet"},
    "SRNIC": {"preset": "srnic"},
    "BALBOA": {"preset": "balboa"},
}
#: BALBOA has 500 queue pairs, of which a victim has up to 128.
MOST_QUEUE_PAIRS = {"BALBOA": 368}

#: {victim: (messages, whether it fills the NIC)}
VICTIMS = {
    "8 B WRITE, one at a time": ({"operation": "write", "bytes": 8}, False),
    "64 B READ, one at a time": ({"operation": "read", "bytes": 64}, False),
    "64 KiB WRITEs": ({"operation": "write", "bytes": 65536, "outstanding": 128, "linked": 128}, True),
    "8 B WRITEs, 128 queue pairs": (
        {"operation": "write", "bytes": 8, "queuePairs": 128, "outstanding": 16, "linked": 16},
        True,
    ),
}

#: {attacker: (resource that it is meant for, messages, whether the victim's server sends them)}
ATTACKERS = {
    "1 MiB WRITEs": ("bandwidth", {"operation": "write", "bytes": 2**20, "queuePairs": 16, "outstanding": 2}, False),
    "1 MiB READs of the client": ("bandwidth", {"operation": "read", "bytes": 2**20, "queuePairs": 16, "outstanding": 2}, True),
    "4 KiB WRITEs": ("bandwidth", {"operation": "write", "bytes": 4096, "queuePairs": 64, "outstanding": 16, "linked": 16}, False),
    "257 B WRITEs": ("PCIe", {"operation": "write", "bytes": 257, "queuePairs": 96, "outstanding": 16}, False),
    "8 B WRITEs": ("engines", {"operation": "write", "bytes": 8, "queuePairs": 64, "outstanding": 16, "linked": 8}, False),
    "8 B WRITEs to the client": ("engines", {"operation": "write", "bytes": 8, "queuePairs": 64, "outstanding": 16, "linked": 8}, True),
    "8 B READs": ("engines", {"operation": "read", "bytes": 8, "queuePairs": 64, "outstanding": 16, "linked": 8}, False),
    "fetch-and-adds": ("engines", {"operation": "fetch-and-add", "bytes": 8, "queuePairs": 64, "outstanding": 16, "linked": 8}, False),
    "RNR": ("engines", {"operation": "send", "bytes": 4096, "receives": 1, "receiveDelay": "1s", "rnrTimer": 1}, False),
    "slow receivers": (
        "engines",
        {"operation": "send", "bytes": 4096, "queuePairs": 64, "outstanding": 4, "receives": 1, "receiveDelay": "100us", "rnrTimer": 1},
        False,
    ),
    "512 queue pairs, WRITE": ("caches", {"operation": "write", "bytes": 512, "queuePairs": 512, "outstanding": 4}, False),
    "512 queue pairs, READ": ("caches", {"operation": "read", "bytes": 512, "queuePairs": 512, "outstanding": 4}, False),
    "receive requests": (
        "caches",
        {"operation": "send", "bytes": 4096, "queuePairs": 32, "outstanding": 64, "linked": 64, "receives": 1024},
        False,
    ),
    "64 GiB of pages, READ": (
        "caches",
        {"operation": "read", "bytes": 512, "queuePairs": 64, "outstanding": 16, "memory": "1GiB"},
        False,
    ),
}

#: {change: (attributes of both NICs, rate of the cable, key of the attacker's workload, key of the victim's)}
CHANGES = {
    "all contexts on the chip": ({"ns3::rdma::ContextCache::Entries": 0}, None, {}, {}),
    "all translations on the chip": ({"ns3::rdma::TranslationCache::CacheEntries": 0}, None, {}, {}),
    "4096 turns at a time, no decision": (
        {"ns3::rdma::WqeFetcher::MaxFetches": 4096, "ns3::rdma::WqeFetcher::Decision": "0ps"},
        None,
        {},
        {},
    ),
    "one packet per turn": ({"ns3::rdma::WqeFetcher::WqesPerTurn": 1, "ns3::rdma::WqeFetcher::BurstBytes": 4096}, None, {}, {}),
    "a packet per cycle": ({"ns3::rdma::NicHardware::PacketCycles": 1}, None, {}, {}),
    "PCIe 5.0, all tags and credits": (
        {
            "ns3::rdma::PcieLink::Generation": 5,
            "ns3::rdma::PcieLink::Tags": 1024,
            "ns3::rdma::PcieLink::NonPostedCredits": 65536,
            "ns3::rdma::PcieLink::PostedCredits": 65536,
        },
        None,
        {},
        {},
    ),
    "no limit of READs of all queue pairs": ({"ns3::rdma::NicHardware::MaxReads": 0}, None, {}, {}),
    "cable of 400 Gb/s": ({}, "400Gbps", {}, {}),
    "class of its own, served first": ({}, None, {}, {"priority": 5}),
    "attacker limited to 10 Gb/s": ({}, None, {"rateLimit": 10}, {}),
}
UNCHANGED = ({}, None, {}, {})

OPTIONS = {
    "nics": Option(",".join(DESIGNS), "ConnectX-6,SRNIC", "NIC designs"),
    "attackers": Option("all", "1 MiB WRITEs,512 queue pairs; WRITE", "attackers, with a semicolon for a comma"),
    "duration": Option("600", "200", "of a run, us; a fifth of it is not measured"),
    "seeds": Option("1,2,3", "1", "random seeds"),
}


def make_traffic(name, messages, is_reversed, duration, more=None):
    """Return a workload of messages between the two servers."""
    more = dict(more or {})
    if "rateLimit" in more:
        share = more["rateLimit"] * 10**9 // messages.get("queuePairs", 1)
        more["rateLimit"] = f"{share}bps"
    ends = ("right", "left") if is_reversed else ("left", "right")
    return {
        "name": name,
        "type": "messages",
        "clients": ends[0],
        "servers": ends[1],
        **messages,
        "duration": f"{duration}us",
        "warmup": f"{duration // 5}us",
        **more,
    }


def make_scenario(name, designs, attacker, victim, change, seed, duration):
    """Return the scenario of a victim, alone if attacker is None, with an entry of CHANGES."""
    attributes, rate, for_attacker, for_victim = change
    workloads = [make_traffic("victim", VICTIMS[victim][0], False, duration, for_victim)]
    if attacker:
        _, messages, is_reversed = ATTACKERS[attacker]
        most = min([MOST_QUEUE_PAIRS[design] for design in designs if design in MOST_QUEUE_PAIRS] or [2**16])
        messages = messages | {"queuePairs": min(messages.get("queuePairs", 1), most)}
        workloads.append(make_traffic("attacker", messages, is_reversed, duration, for_attacker))
    return {
        "name": name,
        "fabric": {"topology": "back-to-back", "hostRate": rate or "100Gbps", "linkDelay": "100ns", "mtu": 4096},
        "groups": {"left": [[0, 0]], "right": [[1, 1]]},
        "nics": [
            {"name": DESIGNS[design]["preset"], **DESIGNS[design], "hardware": "on", "attributes": ONE_CORE_EACH | attributes}
            for design in designs
        ],
        "workloads": workloads,
        "run": {"seed": seed, "drain": False},
    }


def get_point(nic):
    """Return the numbers of the victim of a run."""
    part = nic.select("victim").summary["messages"]
    return {"rate": part["messages_per_second"], "tail": part["latency_us"]["p99"]}


def measure(context, prefix, cells, change, seeds, duration):
    """Return {(attacker, victim, design): list of a point per seed}. cells: {(attacker, victim): designs}."""
    keys = [(attacker, victim, tuple(part), seed) for (attacker, victim), designs in cells.items() for part in split(designs) for seed in seeds]
    scenarios = {
        key: make_scenario(f"{prefix}-{order}", key[2], key[0], key[1], change, key[3], duration) for order, key in enumerate(keys)
    }
    points = {}
    for (attacker, victim, designs, _), result in context.sweep(scenarios).items():
        for design in designs:
            points.setdefault((attacker, victim, design), []).append(get_point(result[DESIGNS[design]["preset"]]))
    return points


def split(designs):
    """Return lists of designs that can have the same numbers of queue pairs."""
    parts = [[one for one in designs if (one in MOST_QUEUE_PAIRS) == is_small] for is_small in (False, True)]
    return [part for part in parts if part]


def judge(alone, beside, victim):
    """Return the verdict for the worst seed: share of what the victim is entitled to, growth of its P99 latency, whether it passes.

    alone and beside are lists of a point per seed.
    """
    fills = VICTIMS[victim][1]
    shares = [there["rate"] / (here["rate"] * (0.5 if fills else 1)) for here, there in zip(alone, beside, strict=True)]
    tails = [there["tail"] / here["tail"] if there["tail"] else float("inf") for here, there in zip(alone, beside, strict=True)]
    passes = min(shares) >= ALPHA and (fills or max(tails) <= TAIL)
    return {"share": min(shares), "tail": max(tails), "passes": passes}


def judge_all(points, attackers, designs):
    """Return {(attacker, victim, design): verdict}."""
    return {
        (attacker, victim, design): judge(points[None, victim, design], points[attacker, victim, design], victim)
        for attacker in attackers
        for victim in VICTIMS
        for design in designs
    }


def find_causes(context, verdicts, seed, duration):
    """Return {(attacker, victim, design): {change: verdict}} of the verdicts that failed."""
    failed = [key for key, verdict in verdicts.items() if not verdict["passes"]]
    cells = {}
    for attacker, victim, design in failed:
        cells.setdefault((attacker, victim), []).append(design)
        alone = cells.setdefault((None, victim), [])
        if design not in alone:
            alone.append(design)
    causes = {key: {} for key in failed}
    for order, (name, change) in enumerate(CHANGES.items()):
        points = measure(context, f"changed-{order}", cells, change, [seed], duration)
        for attacker, victim, design in failed:
            verdict = judge(points[None, victim, design], points[attacker, victim, design], victim)
            causes[attacker, victim, design][name] = verdict
    return causes


def format_causes(causes, verdicts):
    """Return the table: the changes with which a victim passes, and the one with which its share is the largest."""
    rows = []
    for (attacker, victim, design), changed in causes.items():
        best = max(changed, key=lambda name: changed[name]["share"])
        passing = [name for name, verdict in changed.items() if verdict["passes"]]
        share = verdicts[attacker, victim, design]["share"]
        rows.append([design, victim, attacker, "; ".join(passing) or "none", f"{best}: {share:.2f} to {changed[best]['share']:.2f}"])
    return format_table(["design", "victim", "attacker", "passes with", "largest share"], sorted(rows))


def format_cell(verdict, victim):
    """Return the text of a cell: the share, and the growth of the tail of a victim that does not fill the NIC."""
    tail = "" if VICTIMS[victim][1] else f", {verdict['tail']:.1f}x"
    return f"{'' if verdict['passes'] else 'FAIL '}{verdict['share']:.2f}{tail}"


def format_matrix(verdicts, attackers, designs):
    """Return the table: a row per victim and attacker, a column per design."""
    rows = [
        [victim, attacker, *(format_cell(verdicts[attacker, victim, design], victim) for design in designs)]
        for victim in VICTIMS
        for attacker in attackers
    ]
    return format_table(["victim", "attacker", *designs], rows)


def draw(data):
    """Return the picture: a panel per design, a row per attacker, a column per victim; green passes, red fails."""
    cells = data["cells"]
    designs, attackers, victims = (list(dict.fromkeys(one[key] for one in cells)) for key in ("design", "attacker", "victim"))
    figure = Figure(figsize=(2.6 + 1.5 * len(designs), 1.5 + 0.24 * len(attackers)), layout="constrained")
    panels = figure.subplots(1, len(designs), sharey=True, squeeze=False)[0]
    for axes, design in zip(panels, designs, strict=True):
        for one in cells:
            if one["design"] == design:
                draw_cell(axes, attackers.index(one["attacker"]), victims.index(one["victim"]), one)
        axes.set_title(design, fontsize=8)
        axes.set_xlim(-0.5, len(victims) - 0.5)
        axes.set_ylim(len(attackers) - 0.5, -0.5)
        axes.set_xticks(range(len(victims)), victims, rotation=90)
        axes.set_yticks(range(len(attackers)), attackers)
        axes.tick_params(length=0, labelsize=7)
        for spine in axes.spines.values():
            spine.set_visible(False)
    return figure


def draw_cell(axes, row, column, one):
    """Draw a cell with the share of what the victim is entitled to."""
    axes.add_patch(Rectangle((column - 0.47, row - 0.45), 0.94, 0.9, color="#4c9f70" if one["passes"] else "#c8553d"))
    axes.text(column, row, f"{one['share']:.2f}", ha="center", va="center", fontsize=6, color="white")


def run(context):
    """Run all pairs, then each failed pair with one change at a time; print the tables and draw the picture."""
    options = context.options
    designs = [design for design in DESIGNS if design in options["nics"].split(",")]
    attackers = [one for one in ATTACKERS if options["attackers"] == "all" or one.replace(",", ";") in options["attackers"].split(",")]
    if not designs or not attackers:
        raise UserError(f"expected nics of {', '.join(DESIGNS)} and attackers of {', '.join(ATTACKERS)}")
    seeds = read_numbers(options, "seeds", 1, 10**6)
    duration = read_number(options, "duration", 100, 10**5)
    cells = {(attacker, victim): designs for attacker in (None, *attackers) for victim in VICTIMS}
    points = measure(context, "pair", cells, UNCHANGED, seeds, duration)
    verdicts = judge_all(points, attackers, designs)
    print(format_matrix(verdicts, attackers, designs))
    passed = {design: sum(verdict["passes"] for (_, _, one), verdict in verdicts.items() if one == design) for design in designs}
    print(format_table(["design", "passed", "of"], [[design, str(count), str(len(attackers) * len(VICTIMS))] for design, count in passed.items()]))
    causes = find_causes(context, verdicts, seeds[0], duration)
    print(format_causes(causes, verdicts))
    context.write_figure(
        {"label": "Design", "unit": "", "scale": "linear"},
        {"label": "Pairs that pass", "unit": "", "scale": "linear"},
        {design: [[number, count]] for number, (design, count) in enumerate(passed.items())},
        plot=draw,
        cells=[
            {"attacker": attacker, "victim": victim, "design": design, **verdict, "changed": causes.get((attacker, victim, design), {})}
            for (attacker, victim, design), verdict in verdicts.items()
        ],
        alone=[
            {"victim": victim, "design": design, "seeds": points[None, victim, design]} for victim in VICTIMS for design in designs
        ],
    )
