# SPDX-License-Identifier: GPL-2.0-only
"""The command line of "rocelab perftest"; its numbers are tested in C++ (perftest-run-test)."""

import json
import subprocess

import pytest
from program import NEEDS_PROGRAM, call, expect_one_line

pytestmark = NEEDS_PROGRAM


@pytest.fixture
def perftest(tmp_path):
    """Runs the program in an empty folder."""
    return lambda *arguments: call("perftest", *arguments, cwd=tmp_path)


def test_a_table_comes_in_perftests_columns(perftest):
    result = perftest("write_bw", "-s", "4096", "-n", "100", "-q", "2", "-t", "16", "-m", "1024")
    assert (result.returncode, result.stderr) == (0, "")
    lines = result.stdout.splitlines()
    assert " Mtu             : 1024[B]" in lines
    assert " Number of qps   : 2" in lines
    assert " TX depth        : 16" in lines
    head = " #bytes     #iterations    BW peak[MiB/sec]    BW average[MiB/sec]   MsgRate[Mpps]"
    values = lines[lines.index(head) + 1].split()
    assert values[:2] == ["4096", "200"]  # Of both queue pairs.
    # 4 packets with 82 bytes of headers and framing, one with a RETH of 16: 4096 / 4440 of
    # 11920.9 MB/s.
    assert 10400 < float(values[3]) < 10998


def test_the_names_of_perftests_programs_do_the_same(perftest):
    for test in ("write_bw", "read_lat"):
        short = perftest(test, "-n", "20", "--json")
        assert short.returncode == 0
        assert perftest(f"ib_{test}", "-n", "20", "--json").stdout == short.stdout
    wrong = perftest("ib_write_bq")
    assert wrong.returncode == 2
    assert wrong.stderr.startswith("rocelab: perftest: expected a test (nearest: write_bw")


def test_the_columns_of_the_longest_message_are_separate(perftest):
    # 2^23 has as many digits as the column of latency tests is wide.
    for test, columns in (("write_lat", 9), ("write_bw", 5)):
        lines = perftest(test, "-s", "8388608", "-n", "5").stdout.splitlines()
        values = lines[[line.startswith(" #bytes") for line in lines].index(True) + 1].split()
        assert len(values) == columns
        assert values[:2] == ["8388608", "5"]


def test_long_options_do_the_same(perftest):
    short = perftest("send_bw", "-s", "2048", "-n", "50", "-c", "UC", "-t", "4", "-b")
    long = perftest(
        *("send_bw", "--size", "2KiB", "--iters", "50", "--connection", "UC"),
        *("--tx-depth", "4", "--bidirectional"),
    )
    assert short.returncode == 0
    assert short.stdout == long.stdout


def test_perftests_letters_and_underscores_do_the_same(perftest):
    tail = ("-s", "64", "-n", "40", "--hardware", "on", "--json")
    words = [
        ("-t", "20", "-r", "40", "-I", "64", "-Q", "5", "-l", "10"),
        ("--tx-depth", "20", "--rx-depth", "40", "--inline", "64", "--cq-mod", "5", "--post-list", "10"),
        ("-t", "20", "-r", "40", "--inline_size", "64", "-Q", "5", "--post_list", "10"),
    ]
    results = [perftest("send_bw", *line, *tail) for line in words]
    assert [result.returncode for result in results] == [0, 0, 0]
    assert len({result.stdout for result in results}) == 1
    report = json.loads(results[0].stdout)
    names = ("txDepth", "rxDepth", "inline", "cqMod", "postList")
    assert [report[name] for name in names] == [20, 40, 64, 5, 10]


def test_hardware_shows_in_the_json(perftest):
    arguments = ("write_bw", "-s", "1024", "-n", "500", "-q", "4", "--nic", "connectx6", "--json")
    off = json.loads(perftest(*arguments).stdout)
    on = json.loads(perftest(*arguments, "--hardware", "on", "--threads", "2").stdout)
    assert (off["hardware"], off["threads"], off["cqMod"]) == ("off", None, 1)
    assert (on["hardware"], on["threads"], on["cqMod"]) == ("on", 2, 100)
    assert "pcie" not in off["results"][0]["measured"]["client"]
    measured = on["results"][0]["measured"]
    client, server = measured["client"], measured["server"]
    assert len(measured["queuePairGbps"]) == 4
    assert sum(measured["queuePairGbps"]) == pytest.approx(measured["goodputGbps"])
    # 1024 of 1024 + 74 + 4 bytes: a WRITE's headers, and the FCS.
    assert measured["wireGbps"] == pytest.approx(measured["goodputGbps"] * 1102 / 1024)
    # Payload is read by one and written by the other, beside other things.
    assert client["pcie"]["downGbps"] > measured["goodputGbps"]
    assert server["pcie"]["upGbps"] > measured["goodputGbps"]
    requests = client["pcie"]["upBytes"]["payload"]  # Of reads.
    assert client["pcie"]["downBytes"]["payload"] > requests > 0
    assert client["cpu"]["tasks"]["post"]["count"] > 0 == server["cpu"]["tasks"]["post"]["count"]
    assert 0 < client["cpu"]["cores"] <= 2


def test_packets_are_lost_and_sent_again(perftest):
    arguments = ("write_bw", "-s", "4096", "-n", "500", "--nic", "irn", "--json")
    whole = json.loads(perftest(*arguments).stdout)["results"][0]["measured"]
    lossy = json.loads(perftest(*arguments, "--loss", "0.05").stdout)["results"][0]["measured"]
    assert whole["client"]["retransmitted"] == 0 < lossy["client"]["retransmitted"]
    assert lossy["goodputGbps"] < whole["goodputGbps"]


def test_the_two_ends_may_differ(perftest):
    arguments = ("write_bw", "-n", "20", "--hardware", "on", "--json")
    mixed = perftest(*arguments, "--nic", "connectx5", "--peer-nic", "balboa")
    report = json.loads(mixed.stdout)
    assert (report["nic"], report["peerNic"]) == ("connectx5", "balboa")
    turned = perftest(*arguments, "--nic", "balboa", "--peer-nic", "connectx5")
    assert json.loads(turned.stdout)["results"] != report["results"]


def test_json_is_all_there_is_on_standard_output(perftest, tmp_path):
    result = perftest(
        *("read_lat", "-n", "10", "--json", "--out", "a/b", "--nic", "srnic", "--ipv6"),
        *("--rate", "200Gbps", "--delay", "500ns", "--fabric", "16"),
        *("--set", "ns3::rdma::RdmaNic::AckInterval=2"),
    )
    assert (result.returncode, result.stderr) == (0, "")
    assert (tmp_path / "a" / "b" / "perftest.json").read_text() == result.stdout
    report = json.loads(result.stdout)
    assert report["test"] == "read_lat"
    assert report["nic"] == "srnic"
    assert report["rate"] == "200Gbps"
    assert report["ipv6"] is True
    assert report["fabric"] == 16
    assert report["set"] == ["ns3::rdma::RdmaNic::AckInterval=2"]
    # Four links of 500 ns, four frames of about 100 bytes at 25 bytes per ns.
    assert 2.0 < report["results"][0]["typicalUs"] < 2.03


def test_all_sizes_make_a_line_each(perftest):
    result = perftest("write_lat", "-a", "-n", "5", "--json")
    sizes = [line["size"] for line in json.loads(result.stdout)["results"]]
    assert sizes == [2**power for power in range(1, 24)]


def test_a_capture_has_all_packets_of_the_client(perftest, tmp_path):
    arguments = ("write_bw", "-s", "10000", "-n", "5", "--out", "out", "--pcap", "--ipv6")
    assert perftest(*arguments).returncode == 0
    capture = tmp_path / "out" / "client-10000.pcap"
    command = ["tshark", "-r", str(capture), "-T", "fields", "-e", "infiniband.bth.opcode"]
    opcodes = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    # RC WRITE first, middle and last of each message, and an acknowledgment for each packet.
    counts = {code: opcodes.count(code) for code in set(opcodes)}
    assert counts == {"6": 5, "7": 5, "8": 5, "17": 15}


def test_a_run_repeats_exactly(perftest):
    arguments = ("send_bw", "-n", "200", "-q", "3", "--fabric", "64", "--json")
    assert perftest(*arguments).stdout == perftest(*arguments).stdout


@pytest.mark.parametrize(
    "arguments, expected",
    [
        (["write"], "expected a test (nearest: write_"),
        ([], "test is required"),
        (["write_bw", "-s", "many"], "--size: expected bytes such as 65536, 64K or 64KiB, got many"),
        (["write_bw", "-s", "-1"], "got -1"),
        (["write_bw", "-n", "-5"], "got -5"),
        (["write_bw", "-n", "4"], "--iters: expected a whole number from 5 to 100000000, got 4"),
        (["write_bw", "-m", "9000"], "--mtu: expected 256, 512, 1024, 1408, 2048 or 4096, got 9000"),
        (["write_bw", "-c", "UD"], "--connection of write_bw: expected RC or UC, got UD"),
        (["read_bw", "-c", "UC"], "--connection of read_bw: expected RC, got UC"),
        (["send_bw", "-c", "UD", "-s", "8192"], "--size: expected a whole number from 0 to 4096"),
        (["atomic_bw", "-s", "16"], "an atomic operation has 8 bytes"),
        (["send_lat", "-q", "2"], "--qp is an option of the bandwidth tests only"),
        (["write_bw", "--nic", "irm"], "--nic: expected a NIC preset (nearest: irn"),
        (["write_bw", "--rate", "1"], "--rate: expected"),
        (["write_bw", "--hardware", "maybe"], "--hardware: maybe not in {off,on}"),
        (["write_bw", "--threads", "4"], "--threads: expected --hardware on as well, got off"),
        (["write_bw", "--hardware", "on", "--threads", "0"], "--threads: expected a whole number"),
        (["write_bw", "--loss", "1"], "--loss: expected a probability from 0 to below 1, got 1"),
        (["write_bw", "--loss", "-0.1"], "--loss: expected a probability"),
        (["write_bw", "--loss", "some"], "--loss"),
        (["write_bw", "-Q", "1025"], "--cq-mod: expected a whole number from 1 to 1024, got 1025"),
        (["write_bw", "-l", "7"], "--iters: expected a multiple of --post_list, which is 7"),
        (["write_bw", "--burst", "0"], "--burst: expected a whole number from 1 to 128, got 0"),
        (["write_bw", "--burst", "-1"], "got -1"),
        (["write_bw", "--burst", "7"], "--iters: expected a multiple of --burst, which is 7"),
        (["write_bw", "--gap", "4us"], "--gap: expected --burst N as well, got none"),
        (["write_bw", "--burst", "10", "--gap=-4us"], "--gap: expected a time such as 4us"),
        (["write_bw", "--burst", "10", "--gap", "4"], "--gap: expected a time such as 4us"),
        (["read_lat", "--burst", "10"], "--burst is an option of the bandwidth tests only"),
        (
            ["write_bw", "--hardware", "on", "--set", "ns3::rdma::IngressMeter::Rate=0bps"],
            '(DataRate 1Mbps:1000000Gbps), got "0bps"',
        ),
        (
            ["write_bw", "--hardware", "on", "--set", "ns3::rdma::IngressMeter::Capacity=100"],
            "IngressMeter::Capacity: expected 0 or at least 16384, got 100",
        ),
        (["write_bw", "--set", "ns3::rdma::NicHardware::MaxOutstanding=-1"], "MaxOutstanding"),
        (["write_bw", "-I", "913"], "--inline: expected a whole number from 0 to 912, got 913"),
        (["send_bw", "-r", "0"], "--rx-depth: expected a whole number from 1 to 16384, got 0"),
        (["write_lat", "-l", "2"], "--post_list is an option of the bandwidth tests only"),
        (["write_bw", "--peer-nic", "srnicc"], "--peer-nic: expected a NIC preset (nearest: srnic"),
        (["write_bw", "--peer-nic", "srnic"], "--peer-nic: expected a NIC that connectx6 understands"),
        (["write_bw", "--fabric", "10"], "--fabric: expected the servers of a fat-tree"),
        (["write_bw", "--set", "ns3::rdma::RdmaNic::NoSuch=1"], "NoSuch"),
        (["write_bw", "--pcap"], "--pcap: expected --out DIR as well"),
        (["write_bw", "--no-such-option"], "--no-such-option"),
    ],
)
def test_bad_input_is_one_line_and_status_2(perftest, tmp_path, arguments, expected):
    expect_one_line(perftest(*arguments), expected)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_made_is_bad_input(perftest, tmp_path):
    (tmp_path / "file").write_text("")
    expect_one_line(perftest("write_bw", "-n", "5", "--out", "file/sub"), "file/sub: expected a folder that can be written")
