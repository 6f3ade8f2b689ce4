# SPDX-License-Identifier: GPL-2.0-only
"""Cases of PFC: pauses of lossless and lossy classes, headroom, and the watchdog."""

from ..common import (
    GBPS,
    MTU,
    OVERHEAD,
    Case,
    get_bytes,
    get_stream,
    make_dut,
    make_scenario,
    make_stream,
    run_with_losses,
    select_class,
)

FULL = 99.9  # Percent of the line rate: rates of streams are rounded.
STEP_US = 10


def watch_classes(*ports):
    """Return the key "series" for the classes of some ports."""
    return {"interval": f"{STEP_US}us", "what": ["class"], "ports": [list(port) for port in ports]}


def judge_pause(context, number, seed):
    """Return the verdicts of a storm of pauses of a class: test data in it, background in the other."""
    other = 0 if number == 3 else 3
    storm_us, start, data_us = 1500, 100, 1000
    workloads = [
        make_stream("test", 0, 1, number, 50, start, data_us),
        make_stream("background", 0, 1, other, 50, start, data_us),
    ]
    scenario = make_scenario(
        f"pause-{number}",
        make_dut(2),
        workloads,
        seed,
        pauseStorms=[{"server": 1, "class": number, "at": "0us", "until": f"{storm_us}us"}],
        series=watch_classes((2, 1), (0, 2)),
    )
    (nic,) = context.run_scenario(scenario).nics
    test_bytes, background_bytes = (get_bytes(select_class(nic, 2, 1, one), storm_us) for one in (number, other))
    sent, received, _ = get_stream(nic, "background")
    on_time = background_bytes >= sent * MTU
    if number == 3:
        case = Case("PFC pause of a lossless priority", "PFC_PAUSE_LOSSLESS_README.md")
        case.require("test data during the storm", "0 bytes", f"{test_bytes:,.0f} bytes", test_bytes == 0)
        entered = get_bytes(select_class(nic, 0, 2, number), storm_us)
        case.require(
            "bytes of test data that the sender sent", "below the buffer, 32 MiB", f"{entered / 1e6:.1f} MB", entered < 2**25
        )
    else:
        case = Case("PFC pause of a lossy priority", "PFC_PAUSE_LOSSY_README.md")
        test_sent, test_received, _ = get_stream(nic, "test")
        in_time = min(test_received, round(test_bytes / (MTU + OVERHEAD)))
        case.require(
            "test data received in spite of pauses", "all", f"{in_time:,} of {test_sent:,} packets during the storm",
            in_time >= test_sent,
        )
    case.require("background received", "all", f"{received:,} of {sent:,} packets", received == sent and on_time)
    return case.verdicts


def judge_response(context, seed):
    """Return the verdicts of late answers to pauses: cables longer than the headroom is made for."""
    case = Case("PFC pause response and headroom", "PFC_PAUSE_RESPONSE_HEADROOM_README.md")
    scenarios = {}
    for microseconds in (0.5, 10):
        workloads = [make_stream(f"test-{port}", port, 2, 3, FULL, 0, 2000) for port in (0, 1)]
        # 37.5 kB: 3 x rate x delay of 1 us.
        dut = make_dut(3, linkDelay=f"{microseconds:g}us", headroom={"100Gbps": "37500B"})
        scenarios[microseconds] = make_scenario(f"headroom-{microseconds:g}us", dut, workloads, seed)
    for microseconds, scenario in scenarios.items():
        summary = run_with_losses(context, scenario).summary
        drops, pauses = summary["classes"]["3"]["fabric_drops"], summary["pfc_pauses"]
        is_short = microseconds == 0.5
        case.require(
            "lossless drops, headroom for 1 us", "0" if is_short else "above 0",
            f"{drops:,} drops, {pauses:,} pauses", pauses > 0 and (drops == 0) == is_short,
            f"pause in effect after {2 * microseconds:g} us",
        )
    return case.verdicts


def make_basic(detect_us, action, is_long, seed):
    """Return the scenario of the basic watchdog case: a storm, traffic 1 during it, traffic 2 after it."""
    storm = 1.5 * detect_us if is_long else 0.75 * detect_us
    restore = detect_us
    workloads = [
        make_stream("traffic-1", 0, 1, 3, FULL, restore / 2, storm),
        make_stream("traffic-2", 0, 1, 3, FULL, 1.25 * restore + storm, detect_us),
    ]
    # A short storm leaves traffic 1 queued: traffic 2 begins when it has left.
    if not is_long:
        workloads[1]["start"] = f"{4 * restore:g}us"
    watchdog = {"detection": f"{detect_us}us", "restoration": f"{restore}us", "action": action}
    return make_scenario(
        f"watchdog-{action}-{'long' if is_long else 'short'}",
        make_dut(2, watchdog=watchdog),
        workloads,
        seed,
        pauseStorms=[{"server": 1, "class": 3, "at": "0us", "until": f"{storm:g}us"}],
        series=watch_classes((2, 1)),
    )


def judge_watchdog(context, detect_us, seed):
    """Return the verdicts of the basic watchdog case, with both actions and both durations."""
    keys = [("drop", True), ("drop", False), ("forward", True)]
    results = context.sweep({key: make_basic(detect_us, *key, seed) for key in keys})
    case = Case("PFC watchdog, basic", "PFCWD_BASIC.md")
    for (action, is_long), result in results.items():
        (nic,) = result.nics
        where = f"{action}, storm {'longer' if is_long else 'shorter'} than detection"
        storms = nic.summary.get("pause_storms", 0)
        case.require("watchdog triggered", "yes" if is_long else "no", f"{storms} storms", (storms == 1) == is_long, where)
        sent, received, lost = get_stream(nic, "traffic-1")
        if is_long and action == "drop":
            case.require("traffic 1", "all dropped", f"{lost:,} of {sent:,} packets", lost == sent > 0, where)
        else:
            case.require("traffic 1", "all received", f"{received:,} of {sent:,} packets", received == sent > 0, where)
        sent, received, _ = get_stream(nic, "traffic-2")
        wire = received * (MTU + OVERHEAD) * 8 / (detect_us * 1e3)
        case.require("traffic 2", "all received", f"{received:,} of {sent:,} packets", received == sent > 0, where)
        case.require(
            "rate of traffic 2", "close to the line rate (ours: 95 %)", f"{wire:.1f} Gb/s", wire >= 0.95 * GBPS, where
        )
    return case.verdicts


def make_receivers(detect_us, is_long, seed):
    """Return the scenario of two senders and two receivers: port 0 with the ports 1 and 2, both ways."""
    data, storm = 4 * detect_us, (2 if is_long else 0.5) * detect_us
    workloads = []
    for one, two in ((0, 1), (0, 2), (1, 0), (2, 0)):
        workloads.append(make_stream(f"test-{one}-{two}", one, two, 3, 20, 0, data))
        workloads += [make_stream(f"lossy-{number}-{one}-{two}", one, two, number, 6, 0, data) for number in (0, 1)]
    watchdog = {"detection": f"{detect_us}us", "restoration": f"{detect_us}us"}
    return make_scenario(
        f"receivers-{'long' if is_long else 'short'}",
        make_dut(3, watchdog=watchdog),
        workloads,
        seed,
        pauseStorms=[{"server": 1, "class": 3, "at": "0us", "until": f"{storm:g}us"}],
        series=watch_classes((3, 1), (0, 3)),
    )


def judge_receivers(context, detect_us, seed):
    """Return the verdicts of the watchdog with two senders and two receivers."""
    results = context.sweep({is_long: make_receivers(detect_us, is_long, seed) for is_long in (True, False)})
    case = Case("PFC watchdog, 2 senders and 2 receivers", "PFCWD_2SENDER_2RECEIVER.md")
    for is_long, result in results.items():
        (nic,) = result.nics
        where = f"storm {'longer' if is_long else 'shorter'} than detection"
        storms = nic.summary.get("pause_storms", 0)
        case.require("watchdog triggered", "yes" if is_long else "no", f"{storms} storms", (storms == 1) == is_long, where)
        sent, _, lost = get_stream(nic, "test-0-1")
        case.require(
            "test data to the paused port", "losses" if is_long else "no losses", f"{lost:,} of {sent:,} lost",
            (lost > 0) == is_long, where,
        )
        others = [name for name in nic.summary["workloads"] if name != "test-0-1"]
        share = min(get_stream(nic, name)[1] / get_stream(nic, name)[0] for name in others)
        # What a sender could not send in time, it did not send: the demand is the rate times the duration.
        wanted = {"test": 20, "lossy": 6}
        least = min(
            get_stream(nic, name)[1] * (MTU + OVERHEAD) * 8 / (4 * detect_us * 1e3) / wanted[name.partition("-")[0]]
            for name in others
        )
        case.require(
            "all other traffic", "not affected (ours: all received, 98 % of the demand)",
            f"{share * 100:.1f} % received, {least * 100:.1f} % of the demand", share == 1 and least >= 0.98, where,
        )
    return case.verdicts
