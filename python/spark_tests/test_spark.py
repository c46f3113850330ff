"""`spark.read.format("tcpwhy")` on a real Spark."""

import os
import shutil
import signal
import subprocess
import threading
import time
import zipfile
from collections import Counter
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import tcpwhy
from conftest import SAMPLES, session
from tcpwhy.spark import _File, _Options, _tables_of, pack

TABLES = sorted(set(tcpwhy.tables(b"", name="")) - {"intervals"})


def rows(frame):
    """How often each row is there, without how long it took to make it."""
    names = [name for name in frame.columns if name != "analysis_s"]
    return Counter(repr(row) for row in frame.select(names).collect())


def read(spark, path, **options):
    return spark.read.format("tcpwhy").options(**options).load(str(path))


@pytest.mark.parametrize("table", TABLES)
def test_each_table_has_the_rows_that_the_module_gives(spark, captures, tmp_path, table):
    frame = read(spark, captures, table=table)
    files = [path for path in sorted(captures.iterdir()) if path.is_file() and not path.name.startswith("_")]
    expected = pa.concat_tables(
        [
            pa.table(
                tcpwhy.tables(
                    path, tables=[table], input_bytes=path.stat().st_size, input_etag=str(path.stat().st_mtime)
                )[table]
            )
            for path in files
        ]
    )
    assert frame.columns == expected.column_names
    # By way of Parquet, so that both are Spark's own values.
    pq.write_table(expected, tmp_path / "expected.parquet")
    assert rows(frame) == rows(spark.read.parquet(str(tmp_path / "expected.parquet")))


def test_what_cannot_be_read_is_a_row_or_fails(spark, captures):
    frame = read(spark, captures, table="captures")
    status = {row.capture.rsplit("/", 1)[1]: row.status for row in frame.collect()}
    assert status["empty.pcap"] == status["words.pcap"] == "failed"
    assert status["cut.pcap.gz"] == "damaged" and status["loss.pcap.gz"] == "ok"
    assert len(status) == 11
    with pytest.raises(Exception, match="CaptureError"):
        read(spark, captures, table="captures", mode="FAILFAST").collect()


def test_which_files_are_read(spark, captures):
    def count(path, **options):
        return read(spark, path, table="captures", **options).count()

    assert count(captures, recursiveFileLookup="true") == 12
    assert count(captures, pathGlobFilter="*.pcap.gz") == 9
    assert count(captures / "b*.pcap.gz") == len(list(captures.glob("b*.pcap.gz")))
    assert count(captures / "loss.pcap.gz") == 1
    # Folders that a pattern matches are read; hidden ones are not.
    assert count(captures / "bel*") == count(f"{captures}/*/") == 1
    (captures / ".snapshot").mkdir()
    shutil.copy(captures / "loss.pcap.gz", captures / ".snapshot")
    assert count(captures, recursiveFileLookup="true") == 12
    assert count(captures, pathGlobFilter="*.nothing") == 0
    both = spark.read.format("tcpwhy").option("table", "captures").load([str(captures / "below"), str(captures)])
    assert both.count() == 12


def test_members_of_archives(spark, captures):
    subprocess.run(["tar", "czf", captures / "all.tgz", "-C", captures, "loss.pcap.gz", "empty.pcap"], check=True)
    found = read(spark, captures / "all.tgz", table="captures").collect()
    assert sorted((row.capture.rsplit("!", 1)[1], row.status) for row in found) == [
        ("empty.pcap", "failed"),
        ("loss.pcap.gz", "ok"),
    ]


@pytest.mark.parametrize(
    ("option", "value"),
    [("table", "nothing"), ("mode", "DROPMALFORMED"), ("threads", "0"), ("words", "yes"), ("table", "intervals")],
)
def test_wrong_options_are_named(spark, captures, option, value):
    with pytest.raises(Exception, match=f"tcpwhy: {option}"):
        read(spark, captures, **{option: value}).count()


def test_a_store_is_read_through_fsspec(spark, captures):
    handler = partial(SimpleHTTPRequestHandler, directory=captures)
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        url = f"http://127.0.0.1:{server.server_port}/loss.pcap.gz"
        found = read(spark, url, table="connections").select("capture", "first_packet", "bytes", "limit").collect()
        local = read(spark, captures / "loss.pcap.gz").select("first_packet", "bytes", "limit").collect()
        assert [row.capture for row in found] == [url]
        assert [row[1:] for row in found] == [tuple(row) for row in local]
        with pytest.raises(Exception, match="FileNotFoundError"):
            read(spark, url + "x", table="captures").collect()
        with zipfile.ZipFile(captures / "all.zip", "w") as archive:
            archive.write(captures / "loss.pcap.gz", "loss.pcap.gz")
        zipped = read(spark, url.replace("loss.pcap.gz", "all.zip"), table="captures")
        assert [row.capture.rsplit("!", 1)[1] for row in zipped.collect()] == ["loss.pcap.gz"]
        # One that is gone when its turn comes is a row.
        options = _Options.of({"path": url, "table": "captures"})
        [gone] = _tables_of(_File(url + "x", 7, "an-etag"), options)
        [row] = pa.table(gone).to_pylist()
        assert (row["status"], row["input_bytes"], row["input_etag"]) == ("failed", 7, "an-etag")
    finally:
        server.shutdown()


def test_running_again_replaces_the_rows(spark, captures, tmp_path):
    def write():
        limits = read(spark, captures, table="limits")
        limits.write.mode("overwrite").parquet(str(tmp_path / "lake"))
        return rows(spark.read.parquet(str(tmp_path / "lake")))

    first = write()
    assert first and write() == first


def test_largest_first_and_none_much_larger_than_the_mean():
    sizes = [10**9, *(n * 37_000 % 5_000_000 for n in range(400)), 0]
    files = [_File(f"f{n}", size, None) for n, size in enumerate(sizes)]
    parts = pack(files, 128 << 20, 4)
    assert sorted(file.url for part in parts for file in part.files) == sorted(file.url for file in files)
    loads = sorted(sum(file.size + 200_000 for file in part.files) for part in parts)
    assert len(parts) == -(-sum(file.size + 200_000 for file in files) // (128 << 20))
    # The large file is alone, and the others share the rest evenly.
    assert loads[-1] == 10**9 + 200_000 and loads[-2] - loads[0] < 6_000_000
    assert pack([], 1, 4) == []


def executors() -> list[int]:
    """The processes that run tasks of this Spark."""
    listed = subprocess.run(["ps", "-eww", "-o", "pid=,ppid=,args="], capture_output=True, text=True, check=True).stdout
    lines = [line.split(None, 2) for line in listed.splitlines()]
    parents = {int(pid): int(parent) for pid, parent, _ in lines}

    def is_ours(pid: int) -> bool:
        while pid in parents and pid != os.getpid():
            pid = parents[pid]
        return pid == os.getpid()

    found = [int(pid) for pid, _, args in lines if "CoarseGrainedExecutorBackend" in args and "java" in args.split()[0]]
    return [pid for pid in found if is_ours(pid)]


def test_a_killed_executor_changes_no_row(spark, captures, tmp_path):
    expected = rows(read(spark, captures, table="limits"))
    spark.stop()
    # Copies, so that it is killed in the middle.
    many = tmp_path / "many"
    many.mkdir()
    copies = 40
    for n in range(copies):
        for path in captures.iterdir():
            if path.is_file():
                shutil.copy(path, many / f"{n:03}-{path.name}")
    cluster = session("local-cluster[2,1,1024]", spark__sql__session__timeZone="UTC")
    tracker = cluster.sparkContext.statusTracker()
    killed = []

    def kill():
        """Ends one executor when a tenth of the tasks is done."""
        for _ in range(2000):
            time.sleep(0.02)
            stages = [tracker.getStageInfo(stage) for stage in tracker.getActiveStageIds()]
            if any(stage and stage.numTasks >= 40 and stage.numCompletedTasks >= 4 for stage in stages):
                killed.extend(executors()[:1])
                for pid in killed:
                    os.kill(pid, signal.SIGKILL)
                return

    try:
        read(cluster, many / "000-loss.pcap.gz").count()
        threading.Thread(target=kill).start()
        out = tmp_path / "out"
        read(cluster, many, table="limits", minPartitions="40").write.parquet(str(out))
        found = rows(cluster.read.parquet(str(out)).drop("capture"))
    finally:
        cluster.stop()
    assert killed, "no executor was found"
    without_names = Counter()
    for row, count in expected.items():
        without_names["Row(" + row.split(", ", 1)[1]] += count * copies
    assert found == without_names
