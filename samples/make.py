#!/usr/bin/env python3
"""Makes the bundled captures: real Linux TCP between two network namespaces over an emulated link.

    sudo samples/make.py [NAME...]      all of them, or those named, into the directory of this file

Needs root, iproute2 (ip, tc), tcpdump, /dev/net/tun and the htb queueing discipline; nothing outside Python's standard
library. The namespaces have no name, the devices are not persistent and every child asks to die with this process,
so nothing is left behind however it ends. No packet leaves the two namespaces.
"""

import contextlib
import gzip
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from applications import start_application
from emulator import DEVICES, MS, RECEIVER, SENDER, Link, configure, die_with_parent, inside, new_namespace
from emulator import real_time, relay

HERE = Path(__file__).resolve().parent
SNAPLEN = 96
ATTEMPTS = 8
KIB = 1024

# ---------------------------------------------------------------------------------------------------------------------
# What is imposed. Keys that are left out take the value in DEFAULTS.

DEFAULTS = {
    "rtt_ms": 20,
    "mbit": 100,
    "queue_kb": 256,
    "loss": 0.0,  # of data frames towards the receiver, independent
    "policer": None,  # (Mbit/s, burst in kB) instead of the queue
    "lose_syn": False,
    "ip": 4,
    "cc": "cubic",
    "work": "bulk",
    "sender_connects": False,
    "bytes": 0,
    "write": 64 * KIB,
    "nodelay": False,
    "sndbuf": None,
    "rcvbuf": None,
    "receiver_side": None,  # file stem of the capture at the receiver
}

CASES = {
    "send-buffer": {
        "cause": "send_buffer",
        "imposed": "SO_SNDBUF 16 KB, TCP_NODELAY, writes of 4 KB",
        "bytes": 6_000_000,
        "sndbuf": 16 * KIB,
        # Without TCP_NODELAY the unsent tail can always be refilled, which skips the test of the buffer's size.
        "nodelay": True,
        "write": 4 * KIB,
        "receiver_side": "send-buffer-receiver-side",
    },
    "receive-window": {
        "cause": "receive_window/small_buffer",
        "imposed": "SO_RCVBUF 32 KB",
        "rtt_ms": 40,
        "bytes": 3_000_000,
        "rcvbuf": 32 * KIB,
        "sender_connects": True,
        "receiver_side": "receive-window-receiver-side",
    },
    "receive-window-4k": {
        "cause": "receive_window/small_buffer",
        "imposed": "SO_RCVBUF 4 KB: two segments in a round trip",
        "rtt_ms": 40,
        "bytes": 376_000,
        "rcvbuf": 4 * KIB,
        "sender_connects": True,
    },
    "slow-reader": {
        "cause": "receive_window/slow_reader",
        "imposed": "reader takes 32 KB every 50 ms",
        "rtt_ms": 12,
        "bytes": 4_000_000,
        "read": 32 * KIB,
        "read_every_s": 0.05,
    },
    "zero-window": {
        "cause": "receive_window/zero_window",
        "imposed": "reader stops for 4 s after each MB; SO_RCVBUF 128 KB",
        "rtt_ms": 10,
        "bytes": 3_000_000,
        "rcvbuf": 128 * KIB,
        "pause_every": 1_000_000,
        "pause_s": 4.0,
    },
    "path-queue": {
        "cause": "path/queue",
        "imposed": "20 Mbit/s behind a 300 kB queue, all else default",
        "mbit": 20,
        "queue_kb": 300,
        "bytes": 10_000_000,
        "receiver_side": "path-queue-receiver-side",
    },
    "policer": {
        "cause": "path/policer",
        "imposed": "policer of 8 Mbit/s with a burst of 100 kB",
        "rtt_ms": 30,
        "policer": (8, 100),
        "bytes": 4_000_000,
    },
    "loss": {
        "cause": "loss_recovery and congestion_window/post_loss",
        "imposed": "1 % random loss",
        "rtt_ms": 40,
        "loss": 0.01,
        "bytes": 4_000_000,
    },
    "application-paced": {
        "cause": "application/paced_writes",
        "imposed": "TCP_NODELAY, writer gives 6 kB every 15 ms; IPv6",
        "ip": 6,
        "work": "paced",
        "nodelay": True,
        "bytes": 2_000_000,
        "write": 6_000,
        "write_every_s": 0.015,
    },
    "request-response": {
        "cause": "application/think and application/peer_turn",
        "imposed": "40 turns: client thinks 60 ms, server computes 25 ms, answers 12 kB",
        "work": "turns",
        "turns": 40,
        "think_s": 0.06,
        "service_s": 0.025,
        "request": 300,
        "response": 12_000,
    },
    "nagle-delayed-ack": {
        "cause": "ack_delay",
        "imposed": "client writes 60 and 200 bytes, then reads: Nagle meets delayed ACKs; 60 turns",
        "work": "write-write-read",
        "rtt_ms": 10,
        "turns": 60,
        "sender_connects": True,
    },
    "slow-start": {
        "cause": "slow_start",
        "imposed": "1 MB over 100 ms, all else default",
        "rtt_ms": 100,
        "mbit": 200,
        "queue_kb": 2000,
        "bytes": 1_000_000,
    },
    "syn-retry": {
        "cause": "handshake/syn_rto",
        "imposed": "the first SYN is lost",
        "lose_syn": True,
        "sender_connects": True,
        "bytes": 300_000,
    },
    "bbr": {
        "cause": "congestion_window/paced",
        "imposed": "BBR over 30 Mbit/s with a deep queue (500 kB)",
        "rtt_ms": 40,
        "mbit": 30,
        "queue_kb": 500,
        "cc": "bbr",
        "bytes": 8_000_000,
    },
}

# ---------------------------------------------------------------------------------------------------------------------
# Captures


def start_capture(end):
    """tcpdump writes into a file without a name, which goes when this process goes."""
    file = tempfile.TemporaryFile()
    process = subprocess.Popen(
        ["tcpdump", "-n", "-p", "-i", DEVICES[end], "-s", str(SNAPLEN), "-B", "16384", "-Z", "root",
         "--time-stamp-precision=nano", "-w", "-", "tcp"],
        stdout=file, stderr=subprocess.PIPE, text=True, preexec_fn=die_with_parent,
    )  # fmt: skip
    line = process.stderr.readline()
    if "listening" not in line:
        raise RuntimeError(f"tcpdump: {line}")
    return process, file


def stop_capture(process):
    process.send_signal(signal.SIGINT)
    text = process.communicate(timeout=10)[1]
    counts = {line.split(" ", 1)[1]: int(line.split()[0]) for line in text.splitlines() if line[:1].isdigit()}
    captured = counts.get("packets captured")
    if counts.get("packets dropped by kernel") or captured != counts.get("packets received by filter"):
        raise RuntimeError(f"tcpdump lost packets: {counts}")
    return captured


def end_process(process):
    process.kill()
    process.wait()


def compress(raw, target):
    raw.seek(0)
    # No name and no time in the header: the same capture gives the same file.
    with open(target, "wb") as out, gzip.GzipFile("", "wb", 9, out, mtime=0) as packed:
        shutil.copyfileobj(raw, packed)


class TooBusy(Exception):
    """What was captured is not what was imposed."""


def run_case(name, case):
    case = DEFAULTS | case
    with contextlib.ExitStack() as stack:
        namespaces = [new_namespace() for _ in DEVICES]
        taps = []
        for end, namespace in enumerate(namespaces):
            stack.callback(os.close, namespace)
            with inside(namespace):
                taps.append(configure(end, case["ip"]))
                stack.callback(os.close, taps[end])
        stems = [name, case["receiver_side"]]
        captures = {}
        for end, stem in enumerate(stems):
            if stem:
                with inside(namespaces[end]):
                    captures[stem] = start_capture(end)
                    stack.callback(end_process, captures[stem][0])
        time.sleep(0.1)

        delay = case["rtt_ms"] * MS / 2
        links = [Link(delay, case, losses=True), Link(delay, case, losses=False)]
        listening, case["listening"] = os.pipe()
        listener = RECEIVER if case["sender_connects"] else SENDER
        children = [start_application(listener, namespaces[listener], case)]
        if os.read(listening, 1) != b"!":
            raise RuntimeError("no listener")
        children.append(start_application(1 - listener, namespaces[1 - listener], case))
        for fd in (listening, case.pop("listening")):
            os.close(fd)
        statuses = {}

        def end_children():
            for pid, _ in children:
                if pid not in statuses:
                    os.kill(pid, signal.SIGKILL)
                    os.waitpid(pid, 0)

        stack.callback(end_children)

        def done():
            for pid, _ in children:
                if pid not in statuses:
                    ended, status = os.waitpid(pid, os.WNOHANG)
                    if ended:
                        statuses[pid] = status
            return len(statuses) == len(children)

        with real_time():
            relay(taps, links, done)
        if any(statuses.values()):
            raise RuntimeError(f"{name}: an application failed")
        results = {}
        for _, pipe in children:
            with os.fdopen(pipe, "rb") as reader:
                results |= json.loads(reader.read())
        time.sleep(1.2)  # tcpdump forgets its last block when it is stopped at once
        packets = {stem: stop_capture(process) for stem, (process, _) in captures.items()}
    if results["congestion_control"] != case["cc"]:
        raise RuntimeError(f"asked for {case['cc']}, got {results['congestion_control']}")
    late = sorted(lateness for link in links for lateness in link.lateness)
    late_p99, late_max = (round(late[int(part * (len(late) - 1))] / MS, 2) for part in (0.99, 1))
    if late_p99 > 1.5 or late_max > 10:
        raise TooBusy(f"{name}: the link was late by {late_p99} ms (p99), {late_max} ms (max): too busy a machine")
    for stem, (_, file) in captures.items():
        compress(file, HERE / f"{stem}.pcap.gz")
    keys = ("cause", "imposed", "rtt_ms", "mbit", "queue_kb", "bytes")
    described = {key: case[key] for key in keys if case[key]}
    return described | {
        "files": {f"{stem}.pcap.gz": count for stem, count in packets.items()},
        "link_dropped_frames": links[SENDER].dropped + links[RECEIVER].dropped,
        "link_late_ms": {"p99": late_p99, "max": late_max},
    } | results


def main():
    if os.geteuid() != 0:
        sys.exit("samples/make.py needs root: it makes network namespaces")
    for tool in ("ip", "tc", "tcpdump"):
        if not shutil.which(tool):
            sys.exit(f"{tool} is not installed")
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_: sys.exit(1))
    names = sys.argv[1:] or list(CASES)
    if unknown := [name for name in names if name not in CASES]:
        sys.exit(f"no such case: {' '.join(unknown)}; there are: {' '.join(CASES)}")
    available = Path("/proc/sys/net/ipv4/tcp_available_congestion_control").read_text().split()
    index = HERE / "samples.json"
    known = json.loads(index.read_text()) if index.exists() else {}
    for name in names:
        cc = CASES[name].get("cc", DEFAULTS["cc"])
        if cc not in available:
            print(f"{name}: skipped, the kernel has no {cc}")
            continue
        for _ in range(ATTEMPTS):
            try:
                known[name] = run_case(name, CASES[name])
                break
            except TooBusy as late:
                print(late)
        else:
            sys.exit(f"{name}: given up")
        print(f"{name}: {json.dumps(known[name])}", flush=True)
        ordered = {key: known[key] for key in CASES if key in known}
        index.write_text(json.dumps(ordered, indent=1) + "\n")


if __name__ == "__main__":
    main()
