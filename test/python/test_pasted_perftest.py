# SPDX-License-Identifier: GPL-2.0-only
"""Lines of perftest as people write them run, or end with one line."""

import json
import subprocess

import pytest
from program import NEEDS_PROGRAM, PROGRAM, call, expect_one_line

pytestmark = NEEDS_PROGRAM

#: linux-rdma/perftest 6.29, src/perftest_parameters.c, parser(): long name, letter, "=" with an argument; not --help.
OPTIONS = """
    port/p= ib-dev/d= ib-port/i= mtu/m= size/s= iters/n= tx-depth/t= qp-timeout/u= sl/S= gid-index/x= all/a CPU-freq/F
    connection/c= qp/q= events/e vector/X= inline_size/I= outs/o= mcg/g comm_rdma_cm/z rdma_cm/R tos/T= hop_limit/L=
    MGID/M= rx-depth/r= bidirectional/b cq-mod/Q= noPeak/N version/V report-cycles/C report-histogrm/H report-unsorted/U
    atomic_type/A= dualport/O post_list/l= duration/D= margin/f= source_mac/B= dest_mac/E= dest_ip/J= source_ip/j=
    dest_port/K= source_port/k= ethertype/Y= limit_bw/w= limit_msgrate/y= server/Z client/P mac_fwd/v use_rss/G
    report-counters/W= force-link= remote_mac= local_mac= remote_ip= local_ip= remote_port= local_port= run_infinitely
    report_gbits use-srq no_lock use-null-mr report-both reversed pkey_index= tcp burst_size= typical_pkt_size=
    rate_limit= rate_limit_type= rate_units= output= cpu_util out_json out_json_file= latency_gap= flow_label=
    retry_count= dont_xchg_versions payload_file_path= use_cuda= use_cuda_bus_id= use_cuda_dmabuf use_cuda_pcie_mapping
    use_data_direct cuda_mem_type= use_musa= use_musa_bus_id= use_musa_dmabuf use_musa_pcie_mapping use_rocm=
    use_rocm_dmabuf use_neuron= use_neuron_dmabuf use_hl= use_mlu= use_mlu_dmabuf use_opencl= opencl_platform_id=
    use_ib_dm_dmabuf= gpu_touch= mmap= mmap-offset= ipv6 ipv6-addr raw_ipv6 report-per-port odp use_hugepages
    use_old_post_send promiscuous sniffer raw_mcast mr_per_qp dlid= tclass= wait_destroy= flows= flows_burst=
    reply_every= perform_warm_up vlan_en vlan_pcp= recv_post_list= aes_xts encrypt_on_tx sig_before aes_block_size=
    kek_path= credentials_path= data_enc_keys_number= data_enc_key_app_path= log_dci_streams= log_active_dci_streams=
    disable_pcie_relaxed use_ooo congest_type= bind_source_ip= write_with_imm send_with_imm no_enhanced_reorder
    unsolicited_write connectionless cqe_poll= tph_mem= cpu_id= ph= disable_dynamic_polling sig_offload data_validation
    data_validation_debug pin_cores= numa_node= disable_numa
""".split()

#: Values of effective options, and the test that has them if it is not write_bw.
VALUES = {
    "mtu": "1024",
    "size": "1K",
    "iters": "10",
    "tx-depth": "4",
    "qp-timeout": "14",
    "connection": "UC",
    "qp": "2",
    "inline_size": "0",
    "outs": "4",
    "rx-depth": "16",
    "cq-mod": "1",
    "atomic_type": "CMP_AND_SWAP",
    "post_list": "5",
    "duration": "100us",
    "margin": "20us",
    "limit_bw": "1",
    "limit_msgrate": "0.001",
    "burst_size": "5",
    "rate_limit": "10",
    "rate_limit_type": "SW",
    "rate_units": "g",
    "output": "bandwidth",
    "out_json_file": "own.json",
    "latency_gap": "1",
    "retry_count": "7",
    "recv_post_list": "5",
}
OTHER_TESTS = {
    "outs": "read_bw",
    "atomic_type": "atomic_lat",
    "report-histogrm": "read_lat",
    "report-unsorted": "read_lat",
    "latency_gap": "send_lat",
    "send_with_imm": "send_bw",
}
NEEDED = {
    "margin": ["-D", "100us"],
    "burst_size": ["--rate_limit", "10", "--rate_limit_type", "SW"],
    "rate_limit_type": ["--rate_limit", "10"],
    "report-both": ["-b"],
}


@pytest.fixture
def perftest(tmp_path):
    """Runs the program in an empty folder."""
    return lambda *arguments: call("perftest", *arguments, cwd=tmp_path)


def split(option):
    """Return the name, the letter and whether there is an argument."""
    name, _, letter = option.rstrip("=").partition("/")
    return name, letter, option.endswith("=")


def get_groups():
    """Return {name: group of the help} of the options of the program."""
    text = call("perftest", "--help").stdout
    groups, group = {}, ""
    for line in text.splitlines():
        if line and not line.startswith(" "):
            group = line.rstrip(":")
        for word in line.split()[:1]:
            for name in word.split(","):
                groups[name] = group
    return groups


def test_each_option_is_known_by_both_of_its_names():
    groups = get_groups()
    assert len(OPTIONS) == 155
    for option in OPTIONS:
        name, letter, _ = split(option)
        assert f"--{name}" in groups
        assert not letter or f"-{letter}" in groups


def test_options_without_effect_change_nothing_but_the_notes(perftest):
    groups = get_groups()
    words, machine, lacking = [], 0, 0
    for option in OPTIONS:
        name, letter, has_argument = split(option)
        group = groups[f"--{name}"]
        if "real machine" in group or "not modelled" in group:
            words += [f"-{letter}" if letter and name != "ethertype" else f"--{name}"]
            words += ["1"] if has_argument else []
            machine += "real machine" in group
            lacking += "not modelled" in group
    assert (machine, lacking) == (64, 45)  # 46 of 155 have an effect.
    plain = perftest("write_bw", "-n", "5")
    all_of_them = perftest("write_bw", "-n", "5", *words, "10.0.0.1")
    assert (all_of_them.returncode, all_of_them.stdout) == (0, plain.stdout)
    notes = all_of_them.stderr.splitlines()
    assert len(notes) == lacking + 1
    assert all(note.startswith("rocelab: perftest: note: ") for note in notes)
    assert notes[0].startswith("rocelab: perftest: note: -p, -V, -d, -i, -x, -F, -z, -R, ")
    assert notes[0].endswith(" and the host name matter on a real machine only")
    assert "rocelab: perftest: note: -e is not modelled: hosts poll for completions" in notes


@pytest.mark.parametrize("option", [one for one in OPTIONS if split(one)[0] in VALUES or not one.endswith("=")])
def test_an_effective_option_runs_alone(perftest, option):
    name, _, has_argument = split(option)
    group = get_groups()[f"--{name}"]
    if "real machine" in group or "not modelled" in group:
        return
    words = [OTHER_TESTS.get(name, "write_bw"), f"--{name}"]
    words += [VALUES[name]] if has_argument else []
    words += [] if {name, *NEEDED.get(name, [])} & {"iters", "duration", "-D"} else ["-n", "10"]
    result = perftest(*words, *NEEDED.get(name, []))
    assert (result.returncode, result.stderr) == (0, "")


#: Documentation, issues and scripts in public; addresses replaced, and a few messages instead of 1000 to 10^8.
LINES = [
    # Azure RDMA page, CCI-MOC/roce-testing, a ConnectX-5 home lab, a UCSD cluster, perftest #138, MIND, DGX Spark.
    "ib_write_bw -F -x 3 --report_gbits -R -T 41 -q 4 -d mlx5_5 -n 100",
    "ib_write_bw --size=1048576 --iters=50 --report_gbits -d rocep3s0 10.0.0.1",
    "ib_write_bw -d bnxt_re0 -i 1 -F -R -D 0.01 --report_gbits -q 3 10.0.0.10",
    "ib_write_bw -d mlx5_1 -x 3 -n 1000 --write_with_imm",
    "ib_write_lat --size=8 --iters=1000 -d rocep5s0 10.0.0.1",
    "ib_send_bw -b -e -q 16 -n 20",
    "ib_read_bw -d mlx5_0 10.0.32.34 -zR -n 100",
    "ib_write_bw -s 1K -n 1000 --cpu_util",
    # perftest #336, #241 and #234.
    "./ib_write_bw -d mlx5_0 -S 0 --report_gbits -m 4096 -x 3 --qp 4 -a -F --tclass 224 -b --use_cuda=1 --use_cuda_dmabuf "
    "--ipv6-addr --use_data_direct -p 50001 -n 5",
    "./ib_write_bw -d mlx5_0 --use_cuda=0 -s 33554432 192.168.1.1 -n 5",
    "ib_write_bw -D 1ms -d mlx5_0 10.0.0.1",
    # Guides and scripts: Kubernetes, clusters, RXE, latency tables, health checks.
    "/usr/bin/ib_write_bw -a -F -q 2 --report_gbits -n 5",
    "ib_write_bw -d mlx5_1 -p 18515 node2-ib --report_gbits",
    "ib_send_bw 10.0.0.2 -D1ms --output bandwidth --report_gbits",
    "ib_send_lat --bind_source_ip 10.0.0.1 10.0.0.2",
    "ib_send_lat -d mlx5_0 -s 16384 -D 1ms 10.0.0.2",
    "ib_write_bw -d mlx5_0 -a --bidir -n 5",
    "ib_send_lat -a -n 5",
    "ib_send_lat --rdma_cm -d rocep1s0f0 10.0.0.2",
    "ib_read_bw -d rxe0 --gid-index 0 192.168.56.10",
    "ib_send_bw -n 1000 -s 4096 -m 2048 10.0.2.116 -d mlx5_0",
    "ib_read_bw 10.0.0.2 -d mlx5_0 -s 65536 -q 2 -p 4001 --run_infinitely -F --tclass 96",
    "ib_read_bw -d mlx5_0 -x 3 -F --report_gbits -s 1048576 -q 8 10.0.0.2 -n 20",
    "ib_write_lat -a -R --ib-dev mlx5_0 --ib-port 1 -n 5",
    "ib_write_lat -H -n 100",
    "ib_write_lat -d rocep1s0f0 -x 3 -s 4194304 -n 10",
    "ib_read_lat -d mlx5_0 -i 1 -s 2 -n 1000 10.0.0.2",
    "ib_atomic_bw -d mlx5_0 -x 3 10.0.0.2 -A CMP_AND_SWAP",
]


@pytest.mark.parametrize("line", LINES)
def test_a_line_of_a_real_machine_runs(perftest, line):
    result = perftest(*line.split())
    assert result.returncode == 0, result.stderr
    assert all(note.startswith("rocelab: perftest: note: ") for note in result.stderr.splitlines())
    assert result.stdout.strip()


def test_a_long_line_of_a_real_machine_starts(tmp_path):
    # All sizes with 64,000 messages in both directions: 2 TB in all.
    line = "ib_send_bw -d mlx5_0 -a -t 2048 -r 2048 -l 128 --recv_post_list=128 -b -m 4096 -n 64000"
    command = [str(PROGRAM), "perftest", *line.split()]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=tmp_path) as run:
        for text in run.stdout:
            if text.split()[:2] == ["2", "64000"]:
                break
        else:
            pytest.fail(run.stderr.read())
        run.kill()


@pytest.mark.parametrize(
    "line, message",
    [
        ("ib_write_bw -c DC -n 5", "--connection of write_bw: expected RC or UC, got DC"),
        ("ib_write_bw -c XRC", "expected RC or UC, got XRC"),
        ("ib_send_lat -b", "--bidirectional is an option of the bandwidth tests only"),
        ("ib_send_lat -N", "--noPeak is an option of the bandwidth tests only"),
        ("ib_send_bw -H", "--report-histogram is an option of the latency tests only"),
        ("ib_read_bw --write_with_imm", "--write_with_imm is an option of write_bw and write_lat only"),
        ("ib_write_bw -D 10s -a", "--duration and --all exclude each other"),
        ("ib_write_bw -D 0", "--duration: expected a time above zero, got 0"),
        ("ib_write_bw -D 10 -f 5", "--margin: expected less than half of --duration 10, got 5"),
        ("ib_write_bw -f 2", "--margin: expected --duration as well, got none"),
        ("ib_write_bw -D soon", "--duration: expected seconds, or a time such as 10ms, got soon"),
        ("ib_write_bw -w 100M", "--limit_bw: expected a number above zero, got 100M"),
        ("ib_write_bw --rate_limit 0", "--rate_limit: expected a number above zero, got 0"),
        ("ib_write_bw --rate_limit 5 --rate_units p", "--rate_units: expected M or g, unless --rate_limit_type is SW, got p"),
        ("ib_write_bw --rate_limit 5 --rate_limit_type PP", "--rate_limit_type: expected HW or SW"),
        ("ib_write_bw --burst_size 5", "--burst_size: expected --rate_limit as well, got none"),
        ("ib_write_bw -u 32", "--qp-timeout: expected a whole number from 0 to 31, got 32"),
        ("ib_write_bw --retry_count 8", "--retry_count: expected a whole number from 0 to 7, got 8"),
        ("ib_write_bw --output latency", "--output latency is an option of the latency tests only"),
        ("ib_atomic_bw -A ADD", "--atomic_type: expected CMP_AND_SWAP or FETCH_AND_ADD, got ADD"),
        ("ib_write_bw --recv_post_list 7", "--iters: expected a multiple of --recv_post_list, which is 7, got 5000"),
        ("ib_write_bw --reportgbits", "expected an option of perftest (nearest: --report_gbits"),
        ("ib_write_bw -s 1Q", "--size: expected bytes such as 65536, 64K or 64KiB, got 1Q"),
    ],
)
def test_what_a_line_cannot_have_is_one_line(perftest, line, message):
    expect_one_line(perftest(*line.split()), message)


def find_row(result):
    """Return the values of the only row of a table."""
    lines = result.stdout.splitlines()
    return lines[[line.startswith(" #bytes") for line in lines].index(True) + 1].split()


def test_gigabits_are_mebibytes_in_another_unit(perftest):
    line = ("write_bw", "-s", "1M", "-n", "100", "-q", "2")
    mebibytes, gigabits = (perftest(*line, *more) for more in ((), ("--report_gbits",)))
    assert "BW average[MiB/sec]" in mebibytes.stdout
    assert "BW average[Gb/sec]" in gigabits.stdout
    before, after = find_row(mebibytes), find_row(gigabits)
    assert before[:2] == after[:2] == ["1048576", "200"]  # Of both queue pairs.
    assert float(after[3]) == pytest.approx(float(before[3]) * 2**20 * 8 / 1e9, abs=0.01)
    assert before[4] == after[4]


def test_a_duration_gives_the_rate_of_a_long_test(perftest):
    many = float(find_row(perftest("write_bw", "-n", "5000", "--report_gbits"))[3])
    row = find_row(perftest("write_bw", "-D", "4ms", "--report_gbits"))
    # Half of 4 ms is measured: 2 ms x 94.9 Gb/s / 8 / 65536 messages.
    assert float(row[3]) == pytest.approx(many, rel=0.005)
    assert row[2] == "0.00"
    assert int(row[1]) == pytest.approx(many * 1e9 / 8 / 65536 * 0.002, abs=2)
    values = perftest("read_lat", "-D", "4ms", "-s", "8").stdout.splitlines()
    head = " #bytes        #iterations       t_avg[usec]    tps average"
    size, count, average, rate = values[values.index(head) + 1].split()
    plain = find_row(perftest("read_lat", "-s", "8", "-n", "100"))
    assert (size, float(average)) == ("8", pytest.approx(float(plain[5]), abs=0.01))
    assert float(rate) == pytest.approx(1e6 / float(average), rel=0.005)
    assert int(count) == pytest.approx(float(rate) * 0.002, abs=1)


@pytest.mark.parametrize("limit", [("10",), ("1192.09", "--rate_units", "M"), ("10", "--rate_limit_type", "SW"),
                                   ("19073.49", "--rate_units", "p", "--rate_limit_type", "SW")])
def test_a_limit_of_10_gigabits_is_met(perftest, limit):
    # 1192.09 MiB/s and 19073.49 x 65536 B are 10 Gb/s.
    row = find_row(perftest("write_bw", "-n", "1000", "--report_gbits", "--rate_limit", *limit))
    is_on_the_wire = "SW" not in limit  # There, 4096 of 4170 B with overhead are payload.
    assert float(row[3]) == pytest.approx(9.8 if is_on_the_wire else 10, rel=0.15 if "SW" in limit else 0.02)


def test_a_least_bandwidth_decides_the_exit_status(perftest):
    good = perftest("write_bw", "-n", "100", "-w", "90", "--report_gbits")
    bad = perftest("write_bw", "-n", "100", "-w", "99", "--report_gbits")
    assert (good.returncode, good.stderr) == (0, "")
    assert bad.returncode == 1
    assert bad.stderr.startswith("rocelab: perftest: the average bandwidth of 65536 bytes, 9")
    assert bad.stderr.endswith("is below --limit_bw 99\n")
    slow = perftest("write_bw", "-n", "100", "-y", "1")
    assert slow.returncode == 1 and "is below --limit_msgrate 1\n" in slow.stderr


def test_one_number_is_printed_alone(perftest):
    table = find_row(perftest("write_bw", "-n", "100", "--report_gbits"))
    for kind, value in (("bandwidth", table[3]), ("message_rate", table[4])):
        text = perftest("write_bw", "-n", "100", "--report_gbits", "--output", kind).stdout
        assert float(text) == pytest.approx(float(value), abs=0.01)
    assert len(perftest("write_lat", "-n", "100", "--output", "latency").stdout.split()) == 1


def test_both_directions_are_listed(perftest):
    text = perftest("write_bw", "-b", "-n", "100", "--report-both").stdout
    rows = [line.split() for line in text.splitlines() if line.startswith(" 65536")]
    assert len(rows) == 3
    assert float(rows[0][3]) == pytest.approx(float(rows[1][3]) + float(rows[2][3]), abs=0.02)


def test_all_values_of_a_latency_test_are_listed(perftest):
    text = perftest("send_lat", "-n", "10", "--loss", "0.01", "--nic", "irn", "-U", "-H").stdout
    lists = [part.split(" ---")[0] for part in text.split("#, usec\n")[1:]]
    unsorted, ordered = ([float(line.split(", ")[1]) for line in part.splitlines() if ", " in line][:9] for part in lists)
    assert sorted(unsorted) == ordered and len(ordered) == 9


def test_perftests_own_json_has_its_names(perftest, tmp_path):
    assert perftest("send_bw", "-n", "100", "-l", "10", "--out_json").returncode == 0
    report = json.loads((tmp_path / "perftest_out.json").read_text())
    assert report["test_info"]["test"] == "Send_Post_List_BW_Test"
    assert report["test_info"]["Post_List"] == 10
    assert list(report["results"]) == ["MsgSize", "n_iterations", "BW_peak", "BW_average", "MsgRate"]
    assert perftest("read_lat", "-n", "100", "--out_json", "--out_json_file", "own.json").returncode == 0
    report = json.loads((tmp_path / "own.json").read_text())
    assert report["test_info"]["test"] == "RDMA_Read_Latency_Test"
    assert list(report["results"])[2:5] == ["t_min", "t_max", "t_typical"]


def test_gpu_memory_takes_time_with_hardware_on(perftest):
    line = ("write_bw", "-s", "8192", "-q", "200", "-n", "20", "--hardware", "on", "--report_gbits")
    host, gpu = perftest(*line), perftest(*line, "--use_cuda=0")
    assert (gpu.returncode, gpu.stderr) == (0, "")
    # 400 pages of 64 KiB in a cache of 256: misses limit the rate (docs/models/gpu-memory.md).
    assert float(find_row(gpu)[3]) < float(find_row(host)[3])
    off = perftest("write_bw", "-n", "5", "--use_cuda=0")
    assert off.stderr == "rocelab: perftest: note: GPU memory is as host memory without --hardware on\n"


def test_immediate_data_takes_four_bytes_of_the_last_packet(perftest):
    line = ("write_bw", "-s", "64", "-n", "200", "--json")
    plain, immediate = (json.loads(perftest(*line, *more).stdout) for more in ((), ("--write_with_imm",)))
    ratio = [report["results"][0]["measured"] for report in (plain, immediate)]
    # Frames of 64 + 78 and 64 + 82 bytes, with 24 of framing: 166 / 170.
    wire = [part["wireGbps"] / part["goodputGbps"] for part in ratio]
    assert wire[1] - wire[0] == pytest.approx(4 / 64)
