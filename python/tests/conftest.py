"""Paths of the samples, damaged captures, and modules that may be missing."""

import gzip
import importlib
import os
import shutil
import struct
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

import tcpwhy

ROOT = Path(__file__).resolve().parent.parent.parent
SAMPLES = sorted((ROOT / "samples").glob("*.pcap.gz"))
# Connections of four: large enough for several threads, small enough for every test.
MANY = 300


def reader(name):
    """The module `name`, which only a quick run may lack."""
    if os.environ.get("MUST_HAVE_READERS"):
        return importlib.import_module(name)
    return pytest.importorskip(name)


def command():
    """The program that the wheel has installed."""
    name = "tcpwhy" + (sysconfig.get_config_var("EXE") or "")
    program = os.environ.get("TCPWHY_PROGRAM") or os.path.join(sysconfig.get_path("scripts"), name)
    assert os.path.isfile(program) or shutil.which(program), program
    return program


def output_of(*arguments):
    """What the program prints."""
    return subprocess.run([command(), *map(str, arguments)], capture_output=True, check=True).stdout


@pytest.fixture
def send_buffer():
    """A sample with one slow transfer."""
    return ROOT / "samples" / "send-buffer.pcap.gz"


@pytest.fixture
def report(send_buffer):
    """The report on it."""
    return tcpwhy.explain(send_buffer)


@pytest.fixture(scope="session")
def damaged(tmp_path_factory):
    """Inputs that cannot be read, or not to their end: a name and a path each."""
    folder = tmp_path_factory.mktemp("damaged")
    whole = (ROOT / "samples" / "send-buffer.pcap.gz").read_bytes()
    plain = gzip.decompress(whole)
    contents = {
        "empty.pcap": b"",
        "short.pcap": plain[:10],
        "header.pcap": plain[:24],
        "truncated.pcap": plain[:20_000],
        "truncated.pcap.gz": whole[: len(whole) // 2],
        "text.pcap": b"No capture, but a text.\n" * 100,
        "zeros.pcap": bytes(5000),
    }
    for name, content in contents.items():
        (folder / name).write_bytes(content)
    (folder / "folder.pcap").mkdir()
    return {name: folder / name for name in [*contents, "folder.pcap"]}


def packet(seconds, source, destination, flags, seq, ack, payload=b""):
    """A record of pcap: Ethernet, IPv4, TCP."""
    tcp = struct.pack(
        ">HHIIBBHHH", source[1], destination[1], seq & 0xFFFFFFFF, ack & 0xFFFFFFFF, 5 << 4, flags, 65535, 0, 0
    )
    addresses = bytes(map(int, source[0].split("."))) + bytes(map(int, destination[0].split(".")))
    total = 20 + len(tcp) + len(payload)
    ip = struct.pack(">BBHHHBBH", 0x45, 0, total, 0, 0x4000, 64, 6, 0) + addresses
    frame = bytes(12) + b"\x08\x00" + ip + tcp + payload
    whole, part = divmod(round(seconds * 1e6), 1_000_000)
    return struct.pack("<IIII", whole, part, len(frame), len(frame)) + frame


def capture(packets):
    """A pcap file with these records."""
    return struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 1) + b"".join(packets)


def transfer(client, server, start, sizes, first=b""):
    """Records of a connection: handshake, one segment per size with its ACK, FIN from both ends."""
    syn, ack, fin = 2, 16, 17
    time, seq = start, 1
    packets = [
        packet(time, client, server, syn, 0, 0),
        packet(time + 0.01, server, client, syn | ack, 0, 1),
        packet(time + 0.02, client, server, ack, 1, 1),
    ]
    time += 0.03
    for size in sizes:
        payload = (first + bytes(size))[:size]
        first = b""
        packets.append(packet(time, client, server, ack | 8, seq, 1, payload))
        seq += size
        packets.append(packet(time + 0.01, server, client, ack, 1, seq))
        time += 0.02
    packets.append(packet(time, client, server, fin, seq, 1))
    packets.append(packet(time + 0.01, server, client, fin, 1, seq + 1))
    packets.append(packet(time + 0.02, client, server, ack, seq + 1, 2))
    return packets


@pytest.fixture(scope="session")
def many(tmp_path_factory):
    """A capture of over 4 MiB with many connections: more than one thread analyses it."""
    packets = []
    for index in range(MANY):
        client = (f"10.0.{index // 200}.{index % 200 + 1}", 20_000 + index)
        packets += transfer(client, ("192.0.2.1", 443), 1000 + index * 0.001, [1400] * 12)
    packets.sort(key=lambda record: struct.unpack_from("<II", record))
    path = tmp_path_factory.mktemp("many") / "many.pcap"
    path.write_bytes(capture(packets))
    assert path.stat().st_size > 4 << 20
    return path


@pytest.fixture
def script(tmp_path):
    """Runs Python code in a process of its own, which ends with the test, and by itself after a minute."""
    processes = []

    def run(code, *arguments, **options):
        path = tmp_path / "script.py"
        # The alarm ends the process without the interpreter; Windows has none. Background jobs of a shell
        # ignore SIGINT, and their children inherit that.
        path.write_text(
            "import signal\n"
            "if hasattr(signal, 'alarm'): signal.alarm(60)\n"
            "signal.signal(signal.SIGINT, signal.default_int_handler)\n" + code
        )
        process = subprocess.Popen([sys.executable, str(path), *map(str, arguments)], **options)
        processes.append(process)
        return process

    try:
        yield run
    finally:
        for process in processes:
            process.kill()
            process.wait()
            if process.stdout:
                process.stdout.close()
