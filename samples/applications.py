"""The programs at both ends. Each returns what it measured."""

import json
import os
import signal
import socket
import struct
import sys
import threading
import time

from emulator import ADDRESSES, DEADLINE_S, DEVICES, RECEIVER, SENDER, die_with_parent, enter

KIB = 1024
PORT = 5001

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


class Meter(threading.Thread):
    """Looks at the sender's own socket every 5 ms, and times what send() takes."""

    def __init__(self, sock):
        super().__init__(daemon=True)
        self.sock = sock
        self.blocked = 0.0
        self.samples = []
        self.stopped = threading.Event()

    def run(self):
        while not self.stopped.wait(0.005):
            raw = self.sock.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 256)
            unacked, cwnd, unsent = (struct.unpack_from("=I", raw, at)[0] for at in (24, 80, 144))
            self.samples.append((unsent == 0, unacked >= cwnd - 1))

    def send(self, sock, data):
        start = time.monotonic()
        sock.sendall(data)
        self.blocked += time.monotonic() - start

    def shares(self):
        self.stopped.set()
        self.join()
        nothing_unsent, at_cwnd = (round(sum(column) / len(self.samples), 3) for column in zip(*self.samples))
        return {"nothing_unsent": nothing_unsent, "flight_at_cwnd": at_cwnd}


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
    start = time.monotonic()
    sock = connect(end, case)
    connected = {} if case["sender_connects"] != (end == SENDER) else {"connect_s": round(time.monotonic() - start, 3)}
    work = WORK[case["work"]][end]
    start = time.monotonic()
    if end == RECEIVER:
        work(sock, case)
        sock.close()
        return connected
    meter = Meter(sock)
    meter.start()
    work(sock, case, meter)
    sock.shutdown(socket.SHUT_WR)
    sock.recv(1)
    return connected | {
        "duration_s": round(time.monotonic() - start, 3),
        "blocked_in_send_s": round(meter.blocked, 3),
        "sampled_share": meter.shares(),
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
        enter(namespace)
        os.write(write_end, json.dumps(application(end, case)).encode())
        status = 0
    except BaseException as error:  # the child must end here whatever happens
        print(f"{DEVICES[end]}: {error!r}", file=sys.stderr)
    finally:
        os._exit(status)
