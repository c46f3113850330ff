#!/usr/bin/env python3
"""Times tcpwhy, tcptrace and tshark on the benchmark's captures. Checks the ratios, peak memory, growth and
the worst cases.

bench/measure.py [--memory] [--growth] [--hostile] TCPWHY DIRECTORY   (run.sh calls it)
"""

import os
import shutil
import struct
import sys
import time
from pathlib import Path

MIN_VS_TCPTRACE = 3.0
MIN_VS_TSHARK = 50.0
# Per capture: options of the output, and the bound.
MEMORY_BOUNDS_MB = {
    "many-packets": (["--json"], 100),
    "syns": (["--json"], 1000),
    "short": (["", "--json", "--jsonl"], 1000),
    "short-open": (["", "--json", "--jsonl"], 1000),
}
# Packets of captures with equal connections: 1,000, 10,000 and 100,000 connections.
GROWTH = (30_000, 300_000, 3_000_000)
# Most CPU time per connection, relative to that with a tenth of the connections.
MOST_GROWTH = 1.3
# Most CPU time per packet in the most expensive order, relative to ordinary packets.
MOST_VS_ORDINARY = 10.0
HOSTILE_ROUNDS = 5
# The best of these rounds counts: other load on the machine makes runs slower, never faster.
ROUNDS = 15


def run(command):
    """Wall time in seconds, in the program and in the kernel, and peak MB of one run without its output."""
    start = time.monotonic()
    pid = os.fork()
    if pid == 0:
        null = os.open(os.devnull, os.O_RDWR)
        for fd in (0, 1, 2):
            os.dup2(null, fd)
        try:
            os.execvp(command[0], command)
        finally:
            os._exit(127)
    _, status, usage = os.wait4(pid, 0)
    wall = time.monotonic() - start
    if os.waitstatus_to_exitcode(status) != 0:
        sys.exit(f"{' '.join(command)}: exit status {os.waitstatus_to_exitcode(status)}")
    return wall, usage.ru_utime, usage.ru_stime, usage.ru_maxrss / 1000


def count_packets(path):
    with open(path, "rb") as file:
        data = file.read()
    at, packets = 24, 0
    unpack = struct.Struct("<I").unpack_from
    while at < len(data):
        at += 16 + unpack(data, at + 8)[0]
        packets += 1
    return packets


def best(runs):
    return min(runs, key=lambda run: run[0])


def speed(tcpwhy, path):
    packets = count_packets(path)
    print(f"\n{path.name}: {packets:,} packets, {path.stat().st_size / 1e6:.0f} MB")
    tools = {}
    if Path(tcpwhy).exists():
        tools["tcpwhy explain"] = ([tcpwhy, "explain", str(path)], ROUNDS)
        for options in (["--no-sim"], ["--no-sim", "--json"], ["--json"]):
            tools[" ".join(["tcpwhy explain", *options])] = ([tcpwhy, "explain", *options, str(path)], ROUNDS)
    else:
        print(f"  {tcpwhy} is not there: only the others are measured")
    # -n: otherwise both look up every address in the DNS, which takes tcptrace minutes.
    if shutil.which("tcptrace"):
        tools["tcptrace -n"] = (["tcptrace", "-n", str(path)], ROUNDS)
        tools["tcptrace -n -l -r"] = (["tcptrace", "-n", "-l", "-r", str(path)], ROUNDS)
    else:
        print("  tcptrace is not installed (Debian package tcptrace): skipped")
    if shutil.which("tshark"):
        tools["tshark -n -q -z conv,tcp"] = (["tshark", "-n", "-q", "-z", "conv,tcp", "-r", str(path)], 1)
    else:
        print("  tshark is not installed (Debian package tshark): skipped")
    path.read_bytes()  # into the page cache, so that all programs start equal
    results = {name: [] for name in tools}
    for turn in range(ROUNDS):
        for name, (command, rounds) in tools.items():
            if turn < rounds:
                results[name].append(run(command))
    for name, runs in results.items():
        wall, user, system, peak = best(runs)
        times = f"{wall:8.3f} s {user:8.3f} s user {system:8.3f} s sys"
        print(f"  {name:30} {times} {peak:8.1f} MB peak {packets / wall:14,.0f} packets/s")
    good = True
    own = results.get("tcpwhy explain --no-sim")
    for other, bound in (
        ("tcptrace -n", MIN_VS_TCPTRACE),
        ("tcptrace -n -l -r", None),
        ("tshark -n -q -z conv,tcp", MIN_VS_TSHARK),
    ):
        if own and other in results:
            ratio = best(results[other])[0] / best(own)[0]
            good &= bound is None or ratio >= bound
            verdict = "" if bound is None else f" (bound {bound:g}: {'met' if ratio >= bound else 'MISSED'})"
            print(f"  {ratio:8.1f} x {other}{verdict}")
    if own:
        print(f"  {best(results['tcpwhy explain --no-sim --json'])[0] / best(own)[0]:8.2f} x the time of the text: --json")
    return good


def memory(tcpwhy, path, form, bound):
    wall, _, _, peak = run([tcpwhy, "explain", *form.split(), str(path)])
    met = "met" if peak <= bound else "MISSED"
    print(f"\n{path.name} {form}: {wall:.2f} s, peak {peak:.0f} MB (bound {bound} MB: {met})")
    return peak <= bound


def per_packet(tcpwhy, path):
    """CPU nanoseconds per packet, the least of several runs."""
    return cpu_seconds([tcpwhy, "explain", str(path)]) * 1e9 / count_packets(path)


def cpu_seconds(command):
    """The least of several runs."""
    return min(sum(run(command)[1:3]) for _ in range(HOSTILE_ROUNDS))


def growth(tcpwhy, directory):
    print(f"\nCPU time a packet of connections that are alike; at most {MOST_GROWTH:g} x that of a tenth of them")
    good = True
    for options in ([], ["--json"]):
        before = None
        for packets in GROWTH:
            command = [tcpwhy, "explain", "--no-sim", *options, str(directory / f"alike-{packets}.pcap")]
            nanos = cpu_seconds(command) * 1e9 / packets
            met = before is None or nanos <= before * MOST_GROWTH
            good &= met
            ratio = "" if before is None else f" {nanos / before:6.2f} x {'met' if met else 'MISSED'}"
            print(f"  {' '.join(options) or 'text':8} {packets:9,} packets {nanos:8.0f} ns{ratio}")
            before = nanos
    return good


def hostile(tcpwhy, directory):
    ordinary = per_packet(tcpwhy, directory / "mixed.pcap")
    print(f"\nCPU time a packet: {ordinary:.0f} ns ordinarily (mixed.pcap); at most {MOST_VS_ORDINARY:g} x that otherwise")
    good = True
    for path in sorted((directory / "hostile").glob("*.pcap")):
        nanos = per_packet(tcpwhy, path)
        met = nanos <= ordinary * MOST_VS_ORDINARY
        good &= met
        print(f"  {path.stem:16} {nanos:8.0f} ns {nanos / ordinary:6.1f} x {'met' if met else 'MISSED'}")
    return good


def main():
    flags = {"--memory", "--growth", "--hostile"}
    wanted = flags.intersection(sys.argv[1:])
    tcpwhy, directory = [arg for arg in sys.argv[1:] if arg not in flags]
    directory = Path(directory)
    good = [speed(tcpwhy, directory / f"{kind}.pcap") for kind in ("mixed", "single", "short-million")]
    if not Path(tcpwhy).exists():
        wanted.clear()
    if "--memory" in wanted:
        for kind, (forms, bound) in MEMORY_BOUNDS_MB.items():
            good += [memory(tcpwhy, directory / f"{kind}.pcap", form, bound) for form in forms]
    if "--growth" in wanted:
        good.append(growth(tcpwhy, directory))
    if "--hostile" in wanted:
        good.append(hostile(tcpwhy, directory))
    sys.exit(0 if all(good) else 1)


if __name__ == "__main__":
    main()
