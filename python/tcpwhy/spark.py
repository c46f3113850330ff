"""Captures as a Spark data source: `spark.read.format("tcpwhy")`.

    from tcpwhy.spark import TcpwhyDataSource

    spark.dataSource.register(TcpwhyDataSource)
    limits = (
        spark.read.format("tcpwhy")
        .option("table", "limits")
        .option("pathGlobFilter", "*.pcap.gz")
        .load("s3://archive/2026/11/")
    )

Needs PySpark 4 and fsspec (`pip install tcpwhy[spark]`), and what fsspec needs for the store (`s3fs`,
`gcsfs`, ...).

Options, named as those of Spark's own file sources where there are such:

- `table`: one of `tcpwhy schema tables` (default `connections`).
- `pathGlobFilter`: only files whose name matches; `recursiveFileLookup`: folders below too.
- `mode`: `PERMISSIVE` (default) makes a capture that cannot be read a row of `captures`, `FAILFAST` fails
  the task.
- `maxPartitionBytes` (default 128 MiB), `minPartitions` (default twice the processors of the driver).
- `threads` of a task (default 1), `words`, `timeline`, `lang`, `anonymizeKey`: as those of `tcpwhy.tables`.
- `fsspec.KEY`: passed to the file system as its storage option `KEY`.

Reading is a function of the bytes and the version alone, so a task that Spark runs again gives the same rows.
"""

from __future__ import annotations

import fnmatch
import heapq
import json
import os
import shutil
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import fsspec
import pyarrow as pa
from fsspec.core import url_to_fs
from fsspec.implementations.local import LocalFileSystem
from pyspark.errors import PySparkValueError
from pyspark.sql.datasource import DataSource, DataSourceReader, InputPartition
from pyspark.sql.pandas.types import from_arrow_schema
from pyspark.sql.types import StructType

import tcpwhy

__all__ = ["TcpwhyDataSource"]

_PARTITION_BYTES = 128 << 20
"""As `spark.sql.files.maxPartitionBytes`."""

_OPEN_COST_BYTES = 200_000
"""What opening a file costs, in bytes that could be read in that time."""

_READ_AHEAD_BYTES = 16 << 20
"""Object stores answer a large request as fast as a small one."""

_ATTEMPTS = 3
"""How often a store is asked before its answer counts."""

_ARCHIVES = (".tar", ".tar.gz", ".tgz", ".tar.zst", ".tzst", ".zip")


@dataclass(frozen=True)
class _File:
    """A file of a store, with what its listing says."""

    url: str
    size: int
    etag: str | None

    @property
    def is_archive(self) -> bool:
        return self.url.lower().endswith(_ARCHIVES)


@dataclass
class _Files(InputPartition):
    """The files of a task."""

    files: list[_File]


@dataclass(frozen=True)
class _Options:
    """Everything asked for."""

    paths: list[str]
    table: str
    name_pattern: str | None
    is_recursive: bool
    fails_fast: bool
    partition_bytes: int
    least_partitions: int
    threads: int
    words: bool
    timeline: bool
    lang: str
    anonymize: str | None
    storage: dict[str, Any]

    @property
    def of_analysis(self) -> dict[str, Any]:
        return {"threads": self.threads, "lang": self.lang, "anonymize": self.anonymize}

    @classmethod
    def of(cls, options: dict[str, str]) -> _Options:
        """Reads Spark's options, whose names are without case."""
        given = {key.lower(): value for key, value in options.items()}
        table = given.get("table", "connections")
        if table not in tcpwhy.tables(b"", name=""):
            raise _wrong("table", table)
        mode = given.get("mode", "PERMISSIVE").upper()
        if mode not in ("PERMISSIVE", "FAILFAST"):
            raise _wrong("mode", mode)
        timeline = _truth(given, "timeline")
        if table == "intervals" and not timeline:
            raise _wrong("table", "intervals needs .option('timeline', True)")
        return cls(
            paths=_paths(given),
            table=table,
            name_pattern=given.get("pathglobfilter"),
            is_recursive=_truth(given, "recursivefilelookup"),
            fails_fast=mode == "FAILFAST",
            partition_bytes=_number(given, "maxpartitionbytes", _PARTITION_BYTES),
            least_partitions=_number(given, "minpartitions", 2 * (os.cpu_count() or 1)),
            threads=_number(given, "threads", 1),
            words=_truth(given, "words"),
            timeline=timeline,
            lang=given.get("lang", "en"),
            anonymize=given.get("anonymizekey"),
            storage={key[len("fsspec.") :]: _value(text) for key, text in options.items() if key.startswith("fsspec.")},
        )


class TcpwhyDataSource(DataSource):
    """Captures in folders and object stores as one table of `tcpwhy-tables/1`."""

    @classmethod
    def name(cls) -> str:
        return "tcpwhy"

    def schema(self) -> StructType:
        options = _Options.of(self.options)
        return from_arrow_schema(_schema_of(options.table))

    def reader(self, schema: StructType) -> DataSourceReader:
        return _Reader(_Options.of(self.options))


class _Reader(DataSourceReader):
    def __init__(self, options: _Options) -> None:
        self._options = options

    def partitions(self) -> Sequence[InputPartition]:
        options = self._options
        files = sorted(_listed(options), key=lambda file: file.url)
        # Spark puts a partition of its own in the place of none.
        return pack(files, options.partition_bytes, options.least_partitions) or [_Files([])]

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        assert isinstance(partition, _Files)
        for file in partition.files:
            for table in _tables_of(file, self._options):
                yield from pa.table(table).to_batches()


def pack(files: Sequence[_File], most_bytes: int, least: int) -> list[_Files]:
    """Packs files into tasks: the largest first, each into the task that has least (LPT).

    So no task is larger than the mean by more than its largest file.
    """
    cost = [(file.size + _OPEN_COST_BYTES, file) for file in files]
    count = max(-(-sum(size for size, _ in cost) // most_bytes), min(least, len(files)))
    bins: list[tuple[int, int, list[_File]]] = [(0, number, []) for number in range(count)]
    for size, file in sorted(cost, key=lambda sized: (-sized[0], sized[1].url)):
        load, number, packed = heapq.heappop(bins)
        packed.append(file)
        heapq.heappush(bins, (load + size, number, packed))
    return [_Files(packed) for _, _, packed in sorted(bins) if packed]


def _listed(options: _Options) -> Iterator[_File]:
    """The files behind the paths, each once."""
    listed: set[str] = set()
    for path in options.paths:
        system, root = url_to_fs(path, **options.storage)
        if any(sign in root for sign in "*?["):
            matched = system.glob(root, detail=True)
            if path.endswith("/"):
                matched = {name: about for name, about in matched.items() if about["type"] == "directory"}
        else:
            matched = {root: system.info(root)}
        for top, about in matched.items():
            for name, details in _below(system, top, about, options):
                url = _url(system, name)
                if url not in listed:
                    listed.add(url)
                    yield _File(url, int(details.get("size") or 0), _etag(details))


def _below(
    system: fsspec.AbstractFileSystem, top: str, about: dict[str, Any], options: _Options
) -> Iterator[tuple[str, dict[str, Any]]]:
    """A file, or the wanted files of a folder. Hidden files and folders are left out, as by Spark."""
    if about["type"] != "directory":
        found = {top: about}
    else:
        found = system.find(top, maxdepth=None if options.is_recursive else 1, detail=True)
    for name, details in found.items():
        parts = name[len(top) :].split("/") if about["type"] == "directory" else [name.rsplit("/", 1)[-1]]
        is_wanted = options.name_pattern is None or fnmatch.fnmatchcase(parts[-1], options.name_pattern)
        if details["type"] == "file" and is_wanted and not any(part.startswith((".", "_")) for part in parts):
            yield name, details


def _url(system: fsspec.AbstractFileSystem, name: str) -> str:
    return name if isinstance(system, LocalFileSystem) else str(system.unstrip_protocol(name))


def _etag(about: dict[str, Any]) -> str | None:
    """What a store calls this state of a file: its ETag, generation or checksum, else when it was written."""
    for key in ("ETag", "etag", "generation", "md5Hash", "version_id", "mtime"):
        if about.get(key):
            return str(about[key]).strip('"')
    return None


def _tables_of(file: _File, options: _Options) -> Iterator[tcpwhy.Table]:
    """The wanted table of each capture in `file`. One that cannot be read is a row, or fails the task."""
    for attempt in range(1, _ATTEMPTS + 1):
        is_last = attempt == _ATTEMPTS
        has_begun = False
        try:
            for table in _read(file, options, on_error="record" if is_last and not options.fails_fast else "raise"):
                has_begun = True
                yield table
            return
        except (tcpwhy.CaptureError, FileNotFoundError, PermissionError):
            # Asking again changes nothing.
            if options.fails_fast or has_begun:
                raise
            yield from _read(file, options, on_error="record")
            return
        except Exception:
            # Stores have errors of their own. Rows that were given cannot be taken back: the task runs again.
            if is_last or has_begun:
                raise
            time.sleep(attempt)


def _read(file: _File, options: _Options, *, on_error: str) -> Iterator[tcpwhy.Table]:
    if file.is_archive:
        yield from _members(file, options, on_error="raise" if options.fails_fast else "record")
    else:
        yield _table(file, options, on_error=on_error)


def _table(file: _File, options: _Options, *, on_error: str) -> tcpwhy.Table:
    with _opened(file, options) as source:
        return tcpwhy.tables(
            source,
            name=file.url,
            tables=[options.table],
            on_error=on_error,
            input_bytes=file.size,
            input_etag=file.etag,
            words=options.words,
            timeline=options.timeline,
            **options.of_analysis,
        )[options.table]


def _members(file: _File, options: _Options, *, on_error: str) -> Iterator[tcpwhy.Table]:
    with _opened(file, options) as source:
        for _, report in tcpwhy.archive(
            source, name=file.url, on_error=on_error, exchanges=True, **options.of_analysis
        ):
            yield report.tables_with(words=options.words, timeline=options.timeline)[options.table]


@contextmanager
def _opened(file: _File, options: _Options) -> Iterator[Any]:
    """A path for what is on this machine, else a file of the store."""
    system, path = url_to_fs(file.url, **options.storage)
    if isinstance(system, LocalFileSystem):
        yield path
        return
    try:
        source = system.open(path, "rb", block_size=_READ_AHEAD_BYTES)
    except Exception as error:
        # Stores have errors of their own.
        yield _Unreadable(error)
        return
    with source:
        if file.url.lower().endswith(".zip"):
            # Its directory is at its end.
            with tempfile.NamedTemporaryFile(suffix=".zip") as copy:
                shutil.copyfileobj(source, copy, _READ_AHEAD_BYTES)
                copy.flush()
                yield copy.name
            return
        yield source


class _Unreadable:
    """A file that cannot be opened: reading says why."""

    def __init__(self, error: Exception) -> None:
        self._error = error

    def read(self, _size: int = -1) -> bytes:
        raise self._error


def _schema_of(table: str) -> pa.Schema:
    return pa.schema(tcpwhy.tables(b"", name="", tables=[table])[table])


def _paths(given: dict[str, str]) -> list[str]:
    """The path, or the list of them, given to `load`."""
    if "path" in given:
        return [given["path"]]
    if "paths" in given:
        return [str(path) for path in json.loads(given["paths"])]
    raise PySparkValueError("tcpwhy: name the captures: .load('FOLDER')")


def _truth(given: dict[str, str], key: str) -> bool:
    value = given.get(key, "false").lower()
    if value not in ("true", "false"):
        raise _wrong(key, value)
    return value == "true"


def _value(text: str) -> Any:
    """What an option of a file system stands for: Spark has only text, and `"false"` would be true."""
    return text.lower() == "true" if text.lower() in ("true", "false") else text


def _number(given: dict[str, str], key: str, usual: int) -> int:
    text = given.get(key, str(usual))
    if not text.isdecimal() or int(text) == 0:
        raise _wrong(key, text)
    return int(text)


def _wrong(option: str, value: str) -> PySparkValueError:
    return PySparkValueError(f"tcpwhy: {option} is no {value!r}")
