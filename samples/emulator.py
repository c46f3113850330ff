"""Two network namespaces and an emulated link between them.

Each namespace has a TAP device; `relay` moves frames between the two through one `Link` a direction, which works on
frames as they would be on a wire: what the kernel hands over as one TSO super-packet is cut at the MSS first. The
receiving kernel therefore sees single segments, the sender's capture shows super-packets.
"""

import contextlib
import ctypes
import fcntl
import os
import random
import select
import signal
import struct
import subprocess
import time
from collections import deque
from pathlib import Path

DEADLINE_S = 60
SENDER, RECEIVER = 0, 1
DEVICES = ("sender0", "receiver0")
MACS = ("02:00:00:00:00:0a", "02:00:00:00:00:0b")
ADDRESSES = {4: ("192.0.2.10", "198.51.100.20"), 6: ("2001:db8:a::10", "2001:db8:b::20")}

MS = 0.001
KB = 1000
MBIT = 1e6

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


def enter(namespace):
    check(libc.setns(namespace, CLONE_NEWNET))


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
