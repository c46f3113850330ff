#!/usr/bin/env python3
"""Makes the bundled captures: real Linux TCP between two network namespaces over an emulated link.

    sudo samples/make.py [NAME...]      all of them, or those named, into the directory of this file

Needs root, iproute2 (ip, tc), tcpdump, /dev/net/tun and the htb queueing discipline; nothing outside Python's standard
library. The namespaces have no name, the devices are not persistent and every child asks to die with this process,
so nothing is left behind however it ends. No packet leaves the two namespaces.

How it works: each namespace has a TAP device; this process moves frames between the two through one `Link` a direction,
which works on frames as they would be on a wire: what the kernel hands over as one TSO super-packet is cut at the MSS
first. The receiving kernel therefore sees single segments, the sender's capture shows super-packets.
"""

import contextlib
import ctypes
import fcntl
import gzip
import json
import os
import random
import select
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time
from collections import deque
from pathlib import Path

HERE = Path(__file__).resolve().parent
SNAPLEN = 96
PORT = 5001
DEADLINE_S = 60
ATTEMPTS = 5
SENDER, RECEIVER = 0, 1
DEVICES = ("sender0", "receiver0")
MACS = ("02:00:00:00:00:0a", "02:00:00:00:00:0b")
ADDRESSES = {4: ("192.0.2.10", "198.51.100.20"), 6: ("2001:db8:a::10", "2001:db8:b::20")}

MS = 0.001
KB = 1000
KIB = 1024
MBIT = 1e6

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
    "slow-reader": {
        "cause": "receive_window/slow_reader",
        "imposed": "reader takes 16 KB every 20 ms",
        "bytes": 4_000_000,
        "read": 16 * KIB,
        "read_every_s": 0.02,
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
        "cause": "loss_recovery",
        "imposed": "1 % random loss",
        "rtt_ms": 40,
        "loss": 0.01,
        "bytes": 4_000_000,
    },
    "application-paced": {
        "cause": "application/paced_writes",
        "imposed": "writer gives 6 kB every 15 ms; IPv6",
        "ip": 6,
        "work": "paced",
        "bytes": 2_000_000,
        "write": 6_000,
        "write_every_s": 0.015,
    },
    "request-response": {
        "cause": "application/think",
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
        "mbit": 500,
        "queue_kb": 2000,
        "bytes": 1_000_000,
    },
    "syn-retry": {
        "cause": "handshake/syn_rto",
        "imposed": "the first SYN is lost",
        "lose_syn": True,
        "bytes": 300_000,
    },
    "bbr": {
        "cause": "congestion_window/paced",
        "imposed": "BBR over 30 Mbit/s, 0.5 % random loss",
        "rtt_ms": 40,
        "mbit": 30,
        "queue_kb": 500,
        "loss": 0.005,
        "cc": "bbr",
        "bytes": 8_000_000,
    },
}

# ---------------------------------------------------------------------------------------------------------------------
# Namespaces and devices

libc = ctypes.CDLL(None, use_errno=True)
CLONE_NEWNET = 0x40000000
PR_SET_PDEATHSIG = 1
PR_SET_TIMERSLACK = 29


def check(result):
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


def die_with_parent():
    libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() == 1:
        os._exit(1)


def current_namespace():
    return os.open("/proc/thread-self/ns/net", os.O_RDONLY | os.O_CLOEXEC)


@contextlib.contextmanager
def inside(namespace):
    home = current_namespace()
    check(libc.setns(namespace, CLONE_NEWNET))
    try:
        yield
    finally:
        check(libc.setns(home, CLONE_NEWNET))
        os.close(home)


def new_namespace():
    home = current_namespace()
    check(libc.unshare(CLONE_NEWNET))
    made = current_namespace()
    check(libc.setns(home, CLONE_NEWNET))
    os.close(home)
    return made


TUNSETIFF = 0x400454CA
TUNSETOFFLOAD = 0x400454D0
TUNSETVNETHDRSZ = 0x400454D8
IFF_TAP, IFF_NO_PI, IFF_VNET_HDR = 0x0002, 0x1000, 0x4000
TUN_F_CSUM, TUN_F_TSO4, TUN_F_TSO6 = 1, 2, 4


def open_tap(name):
    fd = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC)
    fcntl.ioctl(fd, TUNSETIFF, struct.pack("16sH22x", name.encode(), IFF_TAP | IFF_NO_PI | IFF_VNET_HDR))
    fcntl.ioctl(fd, TUNSETVNETHDRSZ, struct.pack("i", 10))
    fcntl.ioctl(fd, TUNSETOFFLOAD, TUN_F_CSUM | TUN_F_TSO4 | TUN_F_TSO6)
    return fd


def sysctl(path, value):
    Path("/proc/sys/net", path).write_text(f"{value}\n")


def configure(end, ip_version):
    name, other = DEVICES[end], 1 - end
    tap = open_tap(name)

    def run(*words):
        subprocess.run(words, check=True)

    sysctl("ipv4/tcp_no_metrics_save", 1)
    sysctl("ipv4/tcp_rmem", "4096 131072 6291456")
    sysctl("ipv4/tcp_wmem", "4096 16384 4194304")
    six = f"ipv6/conf/{name}"
    sysctl(f"{six}/disable_ipv6", int(ip_version != 6))
    sysctl(f"{six}/accept_ra", 0)
    sysctl(f"{six}/addr_gen_mode", 1)
    run("ip", "link", "set", name, "address", MACS[end], "txqueuelen", "20000", "up")
    # TAP takes packets from the socket's account at once. Behind a class of htb they stay on it until they are "sent",
    # as on a real interface, or a small send buffer would not limit anything.
    run("tc", "qdisc", "add", "dev", name, "root", "handle", "1:", "htb", "default", "1")
    run("tc", "class", "add", "dev", name, "parent", "1:", "classid", "1:1", "htb", "rate", "2500mbit", "quantum", "60000")
    mine, theirs = ADDRESSES[ip_version][end], ADDRESSES[ip_version][other]
    version, bits = (("-6", "128") if ip_version == 6 else ("-4", "32"))
    run("ip", version, "address", "add", f"{mine}/{bits}", "dev", name, *(["nodad"] if ip_version == 6 else []))
    run("ip", version, "route", "add", f"{theirs}/{bits}", "dev", name)
    run("ip", version, "neighbour", "replace", theirs, "lladdr", MACS[other], "dev", name, "nud", "permanent")
    return tap


# ---------------------------------------------------------------------------------------------------------------------
# The link

ETHERNET_OVERHEAD = 24  # preamble, checksum, gap; the header is in the frame
VNET = 10
GSO_NONE = bytes([2]) + bytes(9)  # VIRTIO_NET_HDR_F_DATA_VALID


def tcp_offset(frame):
    """Where TCP starts in an Ethernet frame, or None."""
    if frame[12:14] == b"\x08\x00" and frame[23] == 6:
        return 14 + (frame[14] & 15) * 4
    if frame[12:14] == b"\x86\xdd" and frame[20] == 6:
        return 54
    return None


def checksum(data, start=0):
    """Ones' complement sum: 2^16 is 1 modulo 2^16 - 1, so one division does it."""
    if len(data) % 2:
        data = bytes(data) + b"\0"
    return 0xFFFF - ((int.from_bytes(data, "big") + start) % 0xFFFF)


def segments(packet):
    """The frames of one packet from the kernel, with checksums filled in, as a network card would send them."""
    flags, gso_type, _, gso_size = struct.unpack_from("=BBHH", packet)
    frame = packet[VNET:]
    tcp = tcp_offset(frame)
    if tcp is None:
        return [frame]
    if not flags & 1 and not gso_type:
        return [frame]
    six = frame[12:14] == b"\x86\xdd"
    payload_at = tcp + (frame[tcp + 12] >> 4) * 4
    head = frame[:payload_at]
    payload = frame[payload_at:]
    size = gso_size if gso_type else max(len(payload), 1)
    addresses = head[22:54] if six else head[26:34]
    base = int.from_bytes(addresses, "big") + 6
    (seq,) = struct.unpack_from("!I", head, tcp + 4)
    (ident,) = struct.unpack_from("!H", head, 18)
    made = []
    for index, at in enumerate(range(0, max(len(payload), 1), size)):
        part = payload[at : at + size]
        out = bytearray(head + part)
        tcp_len = len(out) - tcp
        if six:
            struct.pack_into("!H", out, 18, tcp_len)
        else:
            struct.pack_into("!HH", out, 16, tcp_len + tcp - 14, (ident + index) & 0xFFFF)
            struct.pack_into("!H", out, 24, 0)
            struct.pack_into("!H", out, 24, checksum(out[14:tcp]))
        struct.pack_into("!I", out, tcp + 4, (seq + at) & 0xFFFFFFFF)
        if at + size < len(payload):
            out[tcp + 13] &= ~(1 | 8)  # FIN and PSH belong to the last one
        struct.pack_into("!H", out, tcp + 16, 0)
        struct.pack_into("!H", out, tcp + 16, checksum(out[tcp:], base + tcp_len))
        made.append(bytes(out))
    return made


class Link:
    """One direction: loss, then a policer or a tail-drop queue served at the rate, then propagation delay."""

    def __init__(self, delay, case, losses):
        self.delay = delay
        self.rate = case["mbit"] * MBIT / 8
        self.queue = case["queue_kb"] * KB
        self.policer = case["policer"] if losses else None
        self.tokens = self.policer[1] * KB if self.policer else 0
        self.refilled = 0.0
        self.loss = case["loss"] if losses else 0.0
        self.lose_syn = case["lose_syn"]
        self.random = random.Random(7)
        self.free_at = 0.0
        self.flying = deque()
        self.dropped = 0
        self.lateness = []

    def drops(self, now, frame, size):
        tcp = tcp_offset(frame)
        if tcp is not None:
            if self.lose_syn and frame[tcp + 13] & 0x12 == 2:
                self.lose_syn = False
                return True
            data = len(frame) > tcp + (frame[tcp + 12] >> 4) * 4
            if data and self.loss and self.random.random() < self.loss:
                return True
        if self.policer:
            rate, burst = self.policer
            self.tokens = min(burst * KB, self.tokens + (now - self.refilled) * rate * MBIT / 8)
            self.refilled = now
            if self.tokens < size:
                return True
            self.tokens -= size
        return (self.free_at - now) * self.rate + size > self.queue

    def accept(self, now, packet):
        for frame in segments(packet):
            size = len(frame) + ETHERNET_OVERHEAD
            if self.drops(now, frame, size):
                self.dropped += 1
                continue
            self.free_at = max(now, self.free_at) + size / self.rate
            self.flying.append((self.free_at + self.delay, frame))

    def deliver(self, now, fd):
        while self.flying and self.flying[0][0] <= now:
            due, frame = self.flying.popleft()
            os.write(fd, GSO_NONE + frame)
            self.lateness.append(now - due)


def relay(taps, links, done):
    """Moves frames until `done()` and the links are empty."""
    clock = time.monotonic
    give_up = clock() + DEADLINE_S
    while True:
        now = clock()
        if now > give_up:
            raise TimeoutError("the run took too long")
        due = min((link.flying[0][0] for link in links if link.flying), default=now + 0.05)
        ready, _, _ = select.select(taps, [], [], max(0.0, min(due - now, 0.05) - 15e-6))
        for end in (SENDER, RECEIVER):
            if taps[end] in ready:
                for _ in range(16):
                    try:
                        packet = os.read(taps[end], 70_000)
                    except BlockingIOError:
                        break
                    links[end].accept(clock(), packet)
        now = clock()
        for end in (SENDER, RECEIVER):
            links[end].deliver(now, taps[1 - end])
        if not ready and not any(link.flying for link in links) and done():
            return


# ---------------------------------------------------------------------------------------------------------------------
# The applications. Each returns what it measured.

TCP_INFO_FIELDS = {
    "rtt_us": ("I", 68),
    "cwnd_segments": ("I", 80),
    "retransmitted_segments": ("I", 100),
    "min_rtt_us": ("I", 148),
    "busy_us": ("Q", 168),
    "rwnd_limited_us": ("Q", 176),
    "sndbuf_limited_us": ("Q", 184),
}


def tcp_info(sock):
    raw = sock.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 256)
    return {name: struct.unpack_from("=" + kind, raw, at)[0] for name, (kind, at) in TCP_INFO_FIELDS.items()}


def read_exactly(sock, size):
    got = 0
    while got < size:
        data = sock.recv(size - got)
        if not data:
            return False
        got += len(data)
    return True


class Meter:
    def __init__(self):
        self.blocked = 0.0

    def send(self, sock, data):
        start = time.monotonic()
        sock.sendall(data)
        self.blocked += time.monotonic() - start


def send_bulk(sock, case, meter):
    if not case["sender_connects"]:
        read_exactly(sock, 120)
    block = bytes(case["write"])
    for at in range(0, case["bytes"], len(block)):
        meter.send(sock, block[: case["bytes"] - at])


def send_paced(sock, case, meter):
    read_exactly(sock, 120)
    block = bytes(case["write"])
    due = time.monotonic()
    for at in range(0, case["bytes"], len(block)):
        meter.send(sock, block[: case["bytes"] - at])
        due += case["write_every_s"]
        time.sleep(max(0.0, due - time.monotonic()))


def receive(sock, case):
    if not case["sender_connects"]:
        sock.sendall(bytes(120))
    size = case.get("read", 256 * KIB)
    pause_at = case.get("pause_every")
    got = 0
    while data := sock.recv(size):
        got += len(data)
        if "read_every_s" in case:
            time.sleep(case["read_every_s"])
        if pause_at and got >= pause_at and got < case["bytes"]:
            pause_at += case["pause_every"]
            time.sleep(case["pause_s"])


def serve_turns(sock, case, meter):
    for _ in range(case["turns"]):
        read_exactly(sock, case["request"])
        time.sleep(case["service_s"])
        meter.send(sock, bytes(case["response"]))


def ask_turns(sock, case):
    for _ in range(case["turns"]):
        sock.sendall(bytes(case["request"]))
        read_exactly(sock, case["response"])
        time.sleep(case["think_s"])
    sock.shutdown(socket.SHUT_WR)
    sock.recv(1)


def ask_in_two_writes(sock, case, meter):
    for _ in range(case["turns"]):
        meter.send(sock, bytes(60))
        meter.send(sock, bytes(200))
        read_exactly(sock, 400)


def answer(sock, case):
    while read_exactly(sock, 260):
        sock.sendall(bytes(400))


WORK = {
    "bulk": (send_bulk, receive),
    "paced": (send_paced, receive),
    "turns": (serve_turns, ask_turns),
    "write-write-read": (ask_in_two_writes, answer),
}


def connect(end, case):
    family = socket.AF_INET6 if case["ip"] == 6 else socket.AF_INET
    sock = socket.socket(family, socket.SOCK_STREAM)
    sock.settimeout(None)
    if end == SENDER:
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_CONGESTION, case["cc"].encode())
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, case["nodelay"])
        if case["sndbuf"]:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, case["sndbuf"])
    elif case["rcvbuf"]:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, case["rcvbuf"])
    mine, theirs = ADDRESSES[case["ip"]][end], ADDRESSES[case["ip"]][1 - end]
    if case["sender_connects"] == (end == SENDER):
        sock.connect((theirs, PORT))
        return sock
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    sock.bind((mine, PORT))
    sock.listen(1)
    os.write(case["listening"], b"!")
    return sock.accept()[0]


def application(end, case):
    sock = connect(end, case)
    work = WORK[case["work"]][end]
    start = time.monotonic()
    if end == RECEIVER:
        work(sock, case)
        sock.close()
        return {}
    meter = Meter()
    work(sock, case, meter)
    sock.shutdown(socket.SHUT_WR)
    sock.recv(1)
    return {
        "duration_s": round(time.monotonic() - start, 3),
        "blocked_in_send_s": round(meter.blocked, 3),
        "congestion_control": sock.getsockopt(socket.IPPROTO_TCP, socket.TCP_CONGESTION, 16).rstrip(b"\0").decode(),
        "tcp_info": tcp_info(sock),
    }


def start_application(end, namespace, case):
    """A child process; returns its id and the pipe with its result."""
    read_end, write_end = os.pipe()
    pid = os.fork()
    if pid:
        os.close(write_end)
        return pid, read_end
    status = 1
    try:
        die_with_parent()
        signal.alarm(DEADLINE_S)
        check(libc.setns(namespace, CLONE_NEWNET))
        os.write(write_end, json.dumps(application(end, case)).encode())
        status = 0
    except BaseException as error:  # the child must end here whatever happens
        print(f"{DEVICES[end]}: {error!r}", file=sys.stderr)
    finally:
        os._exit(status)


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


def compress(raw, target):
    raw.seek(0)
    # No name and no time in the header: the same capture gives the same file.
    with open(target, "wb") as out, gzip.GzipFile("", "wb", 9, out, mtime=0) as packed:
        shutil.copyfileobj(raw, packed)


# ---------------------------------------------------------------------------------------------------------------------


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
                    stack.callback(captures[stem][0].kill)
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
    if late_p99 > 1.5 or late_max > 15:
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


@contextlib.contextmanager
def real_time():
    """The relay must not wait behind other work; it sleeps between frames, so it does not starve anything."""
    libc.prctl(PR_SET_TIMERSLACK, 1)
    with contextlib.suppress(OSError):
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(10))
    try:
        yield
    finally:
        with contextlib.suppress(OSError):
            os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))


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
