#!/usr/bin/env python3
"""Makes the bundled saved host: what `tcpwhy audit --save` writes of a host with five applications.

    sudo samples/make_host.py TCPWHY [DIRECTORY]      into samples/host

Needs what make.py needs, and the program. The host is a network namespace behind an emulated link of 100 Mbit/s and
20 ms; its applications have their faults imposed. Addresses are from the documentation ranges.
"""

import contextlib
import ctypes
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from emulator import ADDRESSES, DEVICES, MS, RECEIVER, SENDER, Link, configure, die_with_parent, enter, inside
from emulator import new_namespace, real_time, relay

HERE = Path(__file__).resolve().parent
LINK = {"mbit": 100, "queue_kb": 400, "loss": 0.0, "policer": None, "lose_syn": False}
RTT_MS = 20
RUN_S = 12
PR_SET_NAME = 15
HOST, PEER = SENDER, RECEIVER
BLOCK = bytes(65536)


def listen(end, port, backlog=16):
    sock = socket.socket()
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    sock.bind((ADDRESSES[4][end], port))
    sock.listen(backlog)
    return sock


def connect(end, port):
    return socket.create_connection((ADDRESSES[4][1 - end], port))


def read_all(sock):
    while sock.recv(1 << 18):
        pass


def send_on(sock, block=BLOCK):
    while True:
        sock.sendall(block)


def report_server():
    """Sets SO_SNDBUF to 16 KB, as an old tuning guide told it to."""
    sock = listen(HOST, 8080).accept()[0]
    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 16384)
    send_on(sock, BLOCK[:4096])


def ingest():
    """Sets SO_RCVBUF to 32 KB on its listener."""
    listener = listen(HOST, 9092)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 32768)
    read_all(listener.accept()[0])


def backup():
    """Sets nothing."""
    send_on(connect(HOST, 873))


def slow_worker():
    """Reads a little and then works for long."""
    sock = listen(HOST, 5672).accept()[0]
    while sock.recv(32768):
        time.sleep(0.25)


def stuck_api():
    """Listens and does not accept."""
    listener = listen(HOST, 8000, backlog=4)
    signal.pause()
    listener.close()


def peer_of_stuck_api():
    socks = []
    for _ in range(9):
        sock = socket.socket()
        sock.setblocking(False)
        sock.connect_ex((ADDRESSES[4][HOST], 8000))
        socks.append(sock)
    signal.pause()


HOST_PROGRAMS = {
    "report-server": report_server,
    "ingest": ingest,
    "slow-worker": slow_worker,
    "stuck-api": stuck_api,
}
PEER_PROGRAMS = {
    "rsyncd": lambda: read_all(listen(PEER, 873).accept()[0]),
    "browser": lambda: read_all(connect(PEER, 8080)),
    "producer": lambda: send_on(connect(PEER, 9092)),
    "queue": lambda: send_on(connect(PEER, 5672)),
    "clients": peer_of_stuck_api,
}


def start(name, namespace, work):
    pid = os.fork()
    if pid:
        return pid
    try:
        die_with_parent()
        enter(namespace)
        ctypes.CDLL(None).prctl(PR_SET_NAME, name.encode())
        signal.alarm(5 * RUN_S)
        work()
    except BaseException as error:  # the child must end here whatever happens
        print(f"{name}: {error!r}", file=sys.stderr)
    finally:
        os._exit(1)


def save(program, target):
    """After a while, from inside the host's namespace."""
    time.sleep(RUN_S)
    subprocess.run([program, "audit", "--save", target, "--quiet"], check=True, stdout=subprocess.DEVNULL)
    os._exit(0)


def tidy(saved, target):
    """The name of the local build says nothing, and sockets of the machine's other processes are not there."""
    target.mkdir(exist_ok=True)
    for path in saved.iterdir():
        text = path.read_text()
        if path.name in ("sysctl", "version"):
            text = re.sub(r"(\d+\.\d+\.\d+)[-+][\w.+-]*", r"\1", text)
        Path(target, path.name).write_text(text)


def main():
    if os.geteuid() != 0:
        sys.exit("samples/make_host.py needs root: it makes network namespaces")
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    program = str(Path(sys.argv[1]).resolve())
    target = Path(sys.argv[2] if len(sys.argv) == 3 else HERE / "host").resolve()
    with contextlib.ExitStack() as stack:
        # tcpwhy saves into a folder that is new.
        saved = Path(stack.enter_context(tempfile.TemporaryDirectory()), "host")
        namespaces = [new_namespace() for _ in DEVICES]
        taps = []
        for end, namespace in enumerate(namespaces):
            stack.callback(os.close, namespace)
            with inside(namespace):
                taps.append(configure(end, 4))
                stack.callback(os.close, taps[end])
        delay = RTT_MS * MS / 2
        links = [Link(delay, LINK, losses=False), Link(delay, LINK, losses=False)]
        children = []

        def end_children():
            for pid in children:
                os.kill(pid, signal.SIGKILL)
                os.waitpid(pid, 0)

        stack.callback(end_children)
        for name, work in HOST_PROGRAMS.items():
            children.append(start(name, namespaces[HOST], work))
        time.sleep(0.3)
        for name, work in PEER_PROGRAMS.items():
            children.append(start(name, namespaces[PEER], work))
        time.sleep(0.3)
        children.append(start("backup", namespaces[HOST], backup))
        saver = start("saver", namespaces[HOST], lambda: save(program, str(saved)))
        status = []

        def done():
            ended, code = os.waitpid(saver, os.WNOHANG)
            if ended:
                status.append(code)
            return bool(status)

        with real_time():
            relay(taps, links, done)
        if status != [0]:
            sys.exit("tcpwhy failed")
        tidy(saved, target)


if __name__ == "__main__":
    main()
