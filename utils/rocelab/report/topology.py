# SPDX-License-Identifier: GPL-2.0-only
"""The fabric of a scenario as tiers of switches, and as SVG.

The kinds are those of docs/models/topologies.md. Servers behind one switch are drawn as dots below it.
"""

from dataclasses import dataclass, replace
from html import escape

WIDTH, TIER_HEIGHT, SERVERS_HEIGHT = 1200, 90, 120
SWITCH_HEIGHT = 16
MOST_SWITCH_WIDTH = 46
DOTS_HEIGHT = 80  # Of SERVERS_HEIGHT.
MOST_SERVERS = 4096  # That can be distinguished.
MOST_STEP = 16  # Between the middles of neighbouring servers.
COLORS = {"link": "#9aa7b4", "switch": "#0072B2", "server": "#56B4E9"}

# Servers: pods, ToRs of a pod, servers of a ToR, aggregates of a pod, cores of an aggregate.
FAT_TREES = {
    16: (1, 1, 16, 0, 0),
    64: (1, 4, 16, 4, 0),
    256: (1, 8, 32, 8, 0),
    1024: (16, 4, 16, 4, 4),
    4096: (16, 8, 32, 8, 8),
}


@dataclass(frozen=True)
class Tiers:
    """Switches from the top: names of tiers with how many switches each has.

    links holds pairs of (tier, switch), servers how many there are behind each switch of the lowest
    tier.
    """

    names: list
    counts: list
    links: list
    servers: list


def get_tiers(fabric):
    """Return the Tiers of a resolved scenario's fabric; None for a kind that is not drawn."""
    kind, servers = fabric.get("topology"), fabric.get("servers")
    tree = find_tree(fabric)
    if tree:
        if tree[0] * tree[1] * tree[2] > MOST_SERVERS:
            return None
        tiers = make_fat_tree(*tree)
        return replace(tiers, names=["spine", "leaf"]) if kind == "leaf-spine" else tiers
    if not isinstance(servers, int) or servers > MOST_SERVERS:
        return None
    if kind == "star":
        return Tiers(["switch"], [1], [], [servers])
    if kind == "dumbbell":
        return Tiers(["switch"], [2], [((0, 0), (0, 1))], [servers, servers])
    return None


def find_tree(fabric):
    """Return the numbers of make_fat_tree() of a fat-tree or a leaf-spine network; None for another kind."""
    kind = fabric.get("topology")
    if kind == "leaf-spine":
        return (1, fabric["leaves"], fabric["serversPerLeaf"], fabric["spines"], 0)
    if kind != "fat-tree":
        return None
    if "k" in fabric:
        half = fabric["k"] // 2
        return (fabric["k"], half, half, half, half)
    if "racks" in fabric:
        pods, up = fabric["pods"], fabric["aggregation"] // fabric["pods"]
        cores = fabric["core"] // up if up else 0
        return (pods, fabric["racks"] // pods, fabric["serversPerRack"], up, cores)
    servers = int(fabric["preset"].rpartition("-")[2]) if "preset" in fabric else fabric.get("servers")
    return FAT_TREES.get(servers)


def make_fat_tree(pods, tors, servers, aggregates, per_aggregate):
    """Return a fat-tree of docs/models/topologies.md; core i k to i k + k - 1 hang on aggregate i of each pod."""
    names, counts = ["ToR"], [pods * tors]
    links = []
    if aggregates:
        names, counts = ["aggregate", *names], [pods * aggregates, *counts]
        links = [
            ((0, pod * aggregates + up), (1, pod * tors + down))
            for pod in range(pods)
            for up in range(aggregates)
            for down in range(tors)
        ]
    if per_aggregate:
        names, counts = ["core", *names], [aggregates * per_aggregate, *counts]
        links = [((up + 1, i), (down + 1, j)) for (up, i), (down, j) in links]
        links += [
            ((0, index * per_aggregate + core), (1, pod * aggregates + index))
            for pod in range(pods)
            for index in range(aggregates)
            for core in range(per_aggregate)
        ]
    return Tiers(names, counts, links, [servers] * (pods * tors))


def describe(fabric, tiers):
    """Return one line: what there is, and the rates."""
    rates = [f"servers at {fabric['hostRate']}"] if "hostRate" in fabric else []
    between = (("fabricRate", "switches at"), ("spineRate", "spines at"), ("bottleneckRate", "between switches"))
    for key, where in between:
        if key in fabric and (key != "fabricRate" or len(tiers.counts) > 1):
            rates.append(f"{where} {fabric[key]}")
    plural = {"switch": "switches", "leaf": "leaves"}
    parts = [
        f"{count:,} {name if count == 1 else plural.get(name, name + 's')}"
        for name, count in zip(tiers.names, tiers.counts)
    ]
    total = f"{sum(tiers.servers):,} servers, {tiers.servers[0]:,} at each"
    more = [
        f"{fabric[key]} {words}"
        for key, words in (("nicsPerServer", "NICs per server"), ("portsPerNic", "planes"))
        if fabric.get(key, 1) != 1
    ]
    delay = f"{fabric['linkDelay']} per link" if "linkDelay" in fabric else ""
    return "; ".join(
        part for part in (", ".join(parts), total, ", ".join(rates), delay, ", ".join(more)) if part
    )


def draw(tiers):
    """Return the SVG of the tiers, with a title in each element that a pointer shows."""
    lowest = len(tiers.counts) - 1

    def get_place(node):
        tier, index = node
        return (index + 0.5) * WIDTH / tiers.counts[tier], SWITCH_HEIGHT + tier * TIER_HEIGHT

    parts = []
    for one, other in tiers.links:
        (x1, y1), (x2, y2) = get_place(one), get_place(other)
        parts.append(f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>')
    opacity = max(0.15, min(0.9, 60 / max(len(tiers.links), 1)))
    links = f'<g stroke="{COLORS["link"]}" stroke-opacity="{opacity:.2f}">{"".join(parts)}</g>'
    servers = "".join(
        draw_servers(count, *get_place((lowest, index)), WIDTH / len(tiers.servers))
        for index, count in enumerate(tiers.servers)
    )
    switches = []
    for tier, (name, count) in enumerate(zip(tiers.names, tiers.counts)):
        width = min(MOST_SWITCH_WIDTH, 0.7 * WIDTH / count)
        for index in range(count):
            x, y = get_place((tier, index))
            switches.append(
                f'<rect x="{x - width / 2:.1f}" y="{y - SWITCH_HEIGHT / 2:.1f}" width="{width:.1f}"'
                f' height="{SWITCH_HEIGHT}" rx="2"><title>{escape(name)} {index}</title></rect>'
            )
    return (
        f'<svg viewBox="0 0 {WIDTH} {SWITCH_HEIGHT + lowest * TIER_HEIGHT + SERVERS_HEIGHT}" role="img" aria-label="Topology">{links}{servers}'
        f'<g fill="{COLORS["switch"]}">{"".join(switches)}</g></svg>'
    )


def draw_servers(count, x, y, width):
    """Return the dots of servers below a switch at (x, y), in rows that fit its share of the width."""
    wanted = (count * 0.8 * width / DOTS_HEIGHT) ** 0.5
    whole = [columns for columns in range(1, count + 1) if count % columns == 0]
    columns = min(whole, key=lambda number: abs(number - wanted))
    if not wanted / 2 <= columns <= 2 * wanted:  # A prime number, say: the last row is shorter.
        columns = max(1, round(wanted))
    rows = -(-count // columns)
    step = min(MOST_STEP, 0.8 * width / columns, DOTS_HEIGHT / rows)
    radius = step / 2.6
    top = y + SERVERS_HEIGHT - DOTS_HEIGHT
    link = f'<line x1="{x:.1f}" y1="{y:.1f}" x2="{x:.1f}" y2="{top - radius:.1f}" stroke="{COLORS["link"]}"/>'
    dots = []
    for index in range(count):
        row, column = divmod(index, columns)
        in_row = min(columns, count - row * columns)
        left = x + (column - (in_row - 1) / 2) * step
        dots.append(f'<circle cx="{left:.1f}" cy="{top + row * step:.1f}" r="{radius:.1f}"/>')
    title = f"<title>{count} servers</title>"
    return f'{link}<g fill="{COLORS["server"]}">{title}{"".join(dots)}</g>'
