"""Threads, the interpreter's lock, signals, many captures, archives."""

import contextlib
import io
import os
import signal
import sys
import tarfile
import threading
import time
import zipfile

import pytest

import tcpwhy

from conftest import SAMPLES, command, reader


def test_threads_give_the_same(many):
    expected = tcpwhy.explain(many, threads=1).to_json(timeline=True)
    for threads in (2, 3, 8, None):
        assert tcpwhy.explain(many, threads=threads).to_json(timeline=True) == expected


def test_python_threads_give_the_same(many):
    expected = tcpwhy.explain(many).to_json()
    results = [None] * 4

    def explain(index):
        results[index] = tcpwhy.explain(many, threads=1 + index % 2).to_json()

    threads = [threading.Thread(target=explain, args=(index,)) for index in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [expected] * 4


def test_one_report_in_several_threads(report):
    expected = (report.to_json(), len(report.tables.limits), report._repr_html_())
    seen = []

    def read():
        seen.append((report.to_json(), len(report.tables.limits), report._repr_html_()))

    threads = [threading.Thread(target=read) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert seen == [expected] * 8


def test_other_threads_go_on(many):
    ticks, done = [], threading.Event()

    def tick():
        while not done.is_set():
            ticks.append(time.monotonic())
            time.sleep(0.001)

    thread = threading.Thread(target=tick)
    thread.start()
    begin = time.monotonic()
    while time.monotonic() - begin < 0.5:
        tcpwhy.explain(many, threads=1)
    end = time.monotonic()
    done.set()
    thread.join()
    ticked = sum(begin <= tick <= end for tick in ticks)
    # Its sleep is 1 ms; on a busy machine a tick takes several.
    assert ticked > 50 * (end - begin), ticked


SLOW = """
import signal, sys, time, threading, tcpwhy
path, threads = sys.argv[1], int(sys.argv[2])

class Endless:
    "A capture that never ends: its packets again and again."
    def __init__(self):
        content = open(path, "rb").read()
        self.header, self.body, self.has_begun = content[:24], content[24:], False
    def read(self, size):
        if not self.has_begun:
            self.has_begun = True
            print("reading", flush=True)
            return self.header
        return self.body

begin = time.monotonic()
try:
    if threads:
        tcpwhy.explain(Endless(), threads=threads)
    else:
        list(tcpwhy.explain_many([Endless(), Endless()], threads=2))
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals of Unix")
@pytest.mark.parametrize("threads", [1, 4, 0])
def test_interruption(many, script, threads):
    process = script(SLOW, many, threads, stdout=-1, text=True)
    # Two threads may print at the same time.
    assert process.stdout.readline().startswith("reading")
    time.sleep(0.3)
    begin = time.monotonic()
    process.send_signal(signal.SIGINT)
    assert process.communicate(timeout=30)[0].endswith("interrupted\n") and process.returncode == 0
    assert time.monotonic() - begin < 5


PASSING = """
import sys, tcpwhy
try:
    print("reading", flush=True)
    list(tcpwhy.archive(sys.argv[1]))
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals of Unix")
def test_interruption_between_members(tmp_path, script):
    path = tmp_path / "zeros.tar"
    info = tarfile.TarInfo("zeros.bin")
    info.size = 1 << 38
    with open(path, "wb") as file:
        file.write(info.tobuf())
        # Holes: nothing is stored.
        file.truncate(info.size)
    process = script(PASSING, path, stdout=-1, text=True)
    assert process.stdout.readline() == "reading\n"
    time.sleep(0.5)
    begin = time.monotonic()
    process.send_signal(signal.SIGINT)
    assert process.communicate(timeout=30)[0] == "interrupted\n" and process.returncode == 0
    assert time.monotonic() - begin < 5


STREAMING = """
import sys, time, tcpwhy, pyarrow
path, way = sys.argv[1], sys.argv[2]
reader = pyarrow.RecordBatchReader.from_stream(tcpwhy.explain_batches(path, threads=1))
print("reading", flush=True)
try:
    if way == "whole":
        reader.read_all()
    elif way == "batches":
        for batch in reader:
            pass
    print("read", flush=True)
except KeyboardInterrupt:
    print("interrupted", time.monotonic(), flush=True)
"""


@pytest.fixture
def endless(tmp_path, many):
    """A capture that never ends: its packets again and again. They are retransmissions, so no row is done."""
    path = tmp_path / "endless.pcap"
    os.mkfifo(path)
    content = many.read_bytes()

    def feed():
        with contextlib.suppress(BrokenPipeError), open(path, "wb", buffering=0) as out:
            out.write(content[:24])
            while True:
                out.write(content[24:])

    threading.Thread(target=feed, daemon=True).start()
    return path


@pytest.mark.skipif(sys.platform == "win32", reason="signals of Unix")
@pytest.mark.parametrize("way", ["whole", "batches"])
def test_interruption_of_a_stream(endless, script, way):
    """A library of Arrow checks no signals while it waits for rows."""
    reader("pyarrow")
    process = script(STREAMING, endless, way, stdout=-1, text=True)
    assert process.stdout.readline() == "reading\n"
    time.sleep(0.3)
    begin = time.monotonic()
    process.send_signal(signal.SIGINT)
    said, at = process.communicate(timeout=30)[0].split()
    assert said == "interrupted" and process.returncode == 0
    # docs/python.md: within 0.2 s. A busy machine gets some more.
    assert float(at) - begin < 0.5


STREAM_ALARM = """
import signal, sys, time, tcpwhy, pyarrow
def late(*_):
    raise TimeoutError("late")
signal.signal(signal.SIGALRM, late)
reader = pyarrow.RecordBatchReader.from_stream(tcpwhy.explain_batches(sys.argv[1], threads=1))
signal.setitimer(signal.ITIMER_REAL, 0.3)
try:
    reader.read_all()
except TimeoutError as error:
    print(error, flush=True)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals of Unix")
def test_exceptions_of_handlers_are_raised_as_they_are(endless, script):
    reader("pyarrow")
    process = script(STREAM_ALARM, endless, stdout=-1, text=True)
    assert process.communicate(timeout=30)[0] == "late\n" and process.returncode == 0


def test_interruption_by_the_iterable():
    def paths():
        yield SAMPLES[0]
        yield SAMPLES[1]
        raise KeyboardInterrupt

    reports = tcpwhy.explain_many(paths(), threads=2)
    with pytest.raises(KeyboardInterrupt):
        next(reports)
    assert list(reports) == []

    def failing():
        yield SAMPLES[0]
        raise RuntimeError("no more")

    # An Exception keeps its place.
    reports = tcpwhy.explain_many(failing(), threads=2)
    assert len(next(reports)) == 1
    with pytest.raises(RuntimeError):
        next(reports)


def test_many_keep_their_order(damaged, many):
    paths = [*SAMPLES, many, *damaged.values(), *SAMPLES]
    expected = [path.as_posix() for path in paths]
    for threads in (1, 4):
        reports = list(tcpwhy.explain_many(paths, threads=threads))
        assert [report.path for report in reports] == expected
        for path, report in zip(paths, reports):
            failed = path.name in ("empty.pcap", "short.pcap", "text.pcap", "zeros.pcap", "folder.pcap")
            assert (report.error is not None) == failed == (report.captures[0].status == "failed"), path
            assert isinstance(report.error, OSError) or not failed
    assert isinstance(reports[expected.index(damaged["folder.pcap"].as_posix())].error, IsADirectoryError)
    assert reports[0].to_json() == tcpwhy.explain(paths[0]).to_json()


def test_many_raise_if_asked(damaged):
    reports = tcpwhy.explain_many([SAMPLES[0], damaged["empty.pcap"], SAMPLES[1]], on_error="raise")
    assert len(next(reports)) == 1
    with pytest.raises(tcpwhy.CaptureError):
        next(reports)
    assert list(reports) == []
    with pytest.raises(TypeError):
        list(tcpwhy.explain_many([SAMPLES[0], 5]))


def test_many_are_read_as_needed():
    taken = []

    def paths():
        for path in SAMPLES * 10:
            taken.append(path)
            yield path

    reports = tcpwhy.explain_many(paths(), threads=2)
    next(reports)
    assert len(taken) <= 5
    del reports


def test_captures_analysed_at_the_same_time_need_little(many):
    begin = time.monotonic()
    sum(len(report) for report in tcpwhy.explain_many(SAMPLES * 3))
    assert time.monotonic() - begin < 30


@pytest.fixture(scope="module")
def archives(tmp_path_factory, damaged):
    folder = tmp_path_factory.mktemp("archives")
    content = {path.name: path.read_bytes() for path in [*SAMPLES[:4], damaged["empty.pcap"], damaged["truncated.pcap"]]}
    content["notes.txt"] = b"no capture"
    content["large.pcap"] = damaged["truncated.pcap"].read_bytes()[:24] + bytes(16) * 100_000
    for name, mode in (("a.tar", "w"), ("a.tgz", "w:gz")):
        with tarfile.open(folder / name, mode) as archive:
            for member, data in content.items():
                info = tarfile.TarInfo("captures/" + member)
                info.size = len(data)
                archive.addfile(info, io.BytesIO(data))
    with zipfile.ZipFile(folder / "a.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for member, data in content.items():
            archive.writestr("captures/" + member, data)
    return folder, list(content)


@pytest.mark.parametrize("name", ["a.tar", "a.tgz", "a.zip"])
def test_archives(archives, name):
    folder, members = archives
    path = folder / name
    found = list(tcpwhy.archive(path))
    wanted = [member for member in members if member != "notes.txt"]
    assert [member for member, _ in found] == [f"{path}!captures/{member}" for member in wanted]
    for (member, report), capture in zip(found, wanted):
        assert report.path == member and report.captures[0].path == member
        # The large one has not one packet that can be read.
        assert (report.error is not None) == (capture in ("empty.pcap", "large.pcap"))
        assert report.tables.captures is not None and len(report.tables.captures) == 1
    assert len(found[0][1]) == 1 and found[0][1][0].main.verdict.limit
    with pytest.raises(tcpwhy.CaptureError):
        tcpwhy.explain(path)
    with pytest.raises(tcpwhy.CaptureError):
        list(tcpwhy.archive(path, on_error="raise"))


def test_archives_from_file_objects(archives):
    folder, _ = archives
    by_path = [report.to_json() for _, report in tcpwhy.archive(folder / "a.tgz", name="x.tgz")]
    with open(folder / "a.tgz", "rb") as file:
        found = list(tcpwhy.archive(file, name="x.tgz"))
    assert found[0][0] == f"x.tgz!captures/{SAMPLES[0].name}"
    assert [report.to_json() for _, report in found] == by_path
    with open(folder / "a.zip", "rb") as file:
        [(_, report)] = tcpwhy.archive(file)
        assert "zip" in str(report.error)


def test_a_cut_archive(archives, tmp_path):
    content = (archives[0] / "a.tgz").read_bytes()
    path = tmp_path / "cut.tgz"
    path.write_bytes(content[: len(content) // 3])
    found = list(tcpwhy.archive(path))
    assert found and found[-1][1].error is not None or found[-1][1].captures[0].status == "damaged"


def test_folders(tmp_path):
    (tmp_path / "below").mkdir()
    for name in ("a.pcap.gz", "below/b.pcap.gz"):
        (tmp_path / name).write_bytes(SAMPLES[0].read_bytes())
    assert len(list(tcpwhy.archive(tmp_path))) == 1 and len(list(tcpwhy.archive(tmp_path, recursive=True))) == 2


def test_the_program_is_installed(script, report):
    process = script(
        "import runpy, sys; sys.argv[1:] = ['--version']; runpy.run_module('tcpwhy', run_name='__main__')",
        stdout=-1,
        text=True,
    )
    assert process.communicate()[0].strip() == f"tcpwhy {tcpwhy.__version__}" and process.returncode == 0
    assert os.access(command(), os.X_OK)
