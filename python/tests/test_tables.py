"""Tables in the libraries that read them."""

import io
import json
import sys
import tarfile

import pytest

import tcpwhy

from conftest import ROOT, SAMPLES, output_of, reader

NAMES = [
    "connections",
    "halves",
    "limits",
    "findings",
    "evidence",
    "intervals",
    "exchanges",
    "services",
    "problems",
    "fixes",
    "captures",
]


@pytest.fixture(scope="module")
def tables():
    return tcpwhy.explain(SAMPLES[-1]).tables_with(words=True, timeline=True)


@pytest.mark.parametrize("name", NAMES)
def test_pyarrow(tables, name):
    pyarrow = reader("pyarrow")
    table = tables[name].to_arrow()
    assert table.num_rows == len(tables[name]) and table.column_names == tables[name].columns
    table.validate(full=True)
    assert pyarrow.schema(tables[name]) == table.schema
    assert table.schema.metadata[b"tcpwhy.schema"] == b"tcpwhy-tables/1"
    # A second reader gets the rows again.
    assert pyarrow.table(tables[name]) == table


@pytest.mark.parametrize("name", NAMES)
def test_polars(tables, name):
    polars = reader("polars")
    frame = tables[name].to_polars()
    assert isinstance(frame, polars.DataFrame) and frame.height == len(tables[name])
    assert frame.columns == tables[name].columns


@pytest.mark.parametrize("name", NAMES)
def test_pandas(tables, name):
    pandas = reader("pandas")
    reader("pyarrow")
    frame = tables[name].to_pandas()
    assert isinstance(frame, pandas.DataFrame) and list(frame.columns) == tables[name].columns
    assert len(frame) == len(tables[name])


@pytest.mark.parametrize("name", NAMES)
def test_duckdb(tables, name):
    duckdb = reader("duckdb")
    rows = tables[name]
    assert duckdb.sql("select count(*) from rows").fetchall() == [(len(rows),)]


def test_time_by_limit(report):
    duckdb = reader("duckdb")
    limits = report.tables.limits
    rows = duckdb.sql("select \"limit\", sum(seconds) as s from limits group by 1 order by s desc").fetchall()
    assert rows[0][0] == "send_buffer" and rows[0][1] == pytest.approx(4.99, abs=0.01)
    assert limits.nbytes > 0


def test_seconds_add_up():
    reader("pyarrow")
    for sample in SAMPLES:
        tables = tcpwhy.explain(sample).tables
        durations = {
            (row["first_packet"], row["sender"]): row["duration_s"] for row in tables.halves.to_arrow().to_pylist()
        }
        sums = dict.fromkeys(durations, 0.0)
        for row in tables.limits.to_arrow().to_pylist():
            sums[row["first_packet"], row["sender"]] += row["seconds"]
        assert sums == pytest.approx(durations, abs=1e-9)


def test_columns_say_what_json_says(report):
    reader("pyarrow")
    document = json.loads(report.to_json())
    [row] = report.tables.connections.to_arrow().to_pylist()
    [connection] = document["connections"]
    for key in ("first_packet", "start_ns", "duration_s", "community_id", "initiator", "ending"):
        assert row[key] == connection[key]
    assert row["capture"] == document["captures"][0]["path"]
    [capture] = report.tables.captures.to_arrow().to_pylist()
    assert (capture["status"], capture["connections"], capture["input_bytes"]) == ("ok", 1, 136_000) or (
        capture["input_bytes"] > 1000
    )
    assert capture["tool_version"] == tcpwhy.__version__


def test_parquet(tmp_path):
    reports = [tcpwhy.explain(sample) for sample in SAMPLES]
    for report in reports * 2:
        report.to_parquet(tmp_path / "tables", words=True, timeline=True)
    # Written twice, there once.
    assert len(list((tmp_path / "tables" / "limits").glob("*.parquet"))) == len(SAMPLES)
    for name in NAMES:
        rows = sum(len(report.tables_with(timeline=True)[name]) for report in reports)
        folder = tmp_path / "tables" / name
        reader("pyarrow")
        from pyarrow import parquet

        assert parquet.read_table(folder).num_rows == rows
        assert reader("duckdb").sql(f"select count(*) from '{folder}/*.parquet'").fetchall() == [(rows,)]
        assert reader("polars").read_parquet(folder).height == rows
        assert len(reader("pandas").read_parquet(folder)) == rows
    with pytest.raises(OSError):
        reports[0].to_parquet(SAMPLES[0])
    for wrong in ("", ".hidden", "../up", "a/b", "a\0b"):
        with pytest.raises(ValueError):
            reports[0].to_parquet(tmp_path, part=wrong)


class Named(io.BytesIO):
    """A file object with attributes."""

    def __init__(self, content, **attributes):
        super().__init__(content)
        self.__dict__.update(attributes)


def parts(folder):
    return sorted(path.name for path in (folder / "captures").glob("*.parquet"))


def test_captures_without_a_name_have_no_part(send_buffer, damaged, tmp_path):
    content = send_buffer.read_bytes()
    nameless = [content, bytearray(content), io.BytesIO(content), Named(content, name="<stdin>"), Named(content, name=3)]
    many = list(tcpwhy.explain_many(nameless + [b""]))
    for report in [*many, tcpwhy.explain(content), tcpwhy.explain([content, send_buffer], merge=True)]:
        with pytest.raises(ValueError, match="part="):
            report.to_parquet(tmp_path)
    assert not list(tmp_path.iterdir())
    archive = io.BytesIO()
    with tarfile.open(fileobj=archive, mode="w") as tar:
        tar.add(send_buffer, "a.pcap.gz")
    for named in (False, True):
        [(_, report)] = tcpwhy.archive(archive.getvalue(), **({"name": "x.tar"} if named else {}))
        if named:
            report.to_parquet(tmp_path)
        else:
            with pytest.raises(ValueError, match="name the capture"):
                report.to_parquet(tmp_path)
    for report in (
        tcpwhy.explain(content, name="a"),
        tcpwhy.explain(Named(content, name="b")),
        tcpwhy.explain(Named(content, full_name="s3://bucket/c", path="bucket/c")),
        tcpwhy.explain(Named(content, name=7, path="bucket/d")),
        *(tcpwhy.explain_many([damaged["empty.pcap"]])),
    ):
        report.to_parquet(tmp_path)
    assert len(parts(tmp_path)) == 6
    assert tcpwhy.explain(Named(content, full_name="s3://bucket/c")).path == "s3://bucket/c"
    for _ in range(2):
        tcpwhy.explain(content).to_parquet(tmp_path / "part", part="one")
    assert parts(tmp_path / "part") == ["one-0000.parquet"]


def test_parts_are_called_as_the_program_calls_them(monkeypatch, tmp_path):
    monkeypatch.chdir(ROOT)
    names = []
    for index, path in enumerate(("samples/loss.pcap.gz", "./samples//loss.pcap.gz")):
        tcpwhy.explain(path).to_parquet(tmp_path / f"{index}")
        output_of("explain", "--parquet", tmp_path / f"program-{index}", path)
        names += [parts(tmp_path / f"{index}"), parts(tmp_path / f"program-{index}")]
    assert len(names[0]) == 1 and names == names[:1] * 4


def test_tables_for_engines(send_buffer):
    reader("pyarrow")
    tables = tcpwhy.tables(
        send_buffer, name="s3://bucket/a.pcap", tables=["limits", "captures"], input_etag="e1", input_bytes=7, threads=1
    )
    assert list(tables) == ["limits", "captures"] and not hasattr(tables, "halves")
    limits = tables.limits.to_arrow()
    assert set(limits.column("capture").to_pylist()) == {"s3://bucket/a.pcap"} and limits.num_rows == 10
    [row] = tables.captures.to_arrow().to_pylist()
    assert (row["status"], row["input_bytes"], row["input_etag"], row["error"]) == ("ok", 7, "e1", None)
    with open(send_buffer, "rb") as file:
        again = tcpwhy.tables(file, name="s3://bucket/a.pcap", tables=["limits"])
    assert again.limits.to_arrow() == limits
    assert len(tcpwhy.tables(send_buffer, tables=["intervals"]).intervals) > 0
    assert len(tcpwhy.tables(send_buffer).intervals) == 0
    with pytest.raises(ValueError):
        tcpwhy.tables(send_buffer, tables=["nothing"])


def test_failures_are_rows(damaged):
    reader("pyarrow")
    for name, path in damaged.items():
        tables = tcpwhy.tables(path, name=name, input_bytes=1, input_etag="e")
        [row] = tables.captures.to_arrow().to_pylist()
        failed = name in ("empty.pcap", "short.pcap", "text.pcap", "zeros.pcap", "folder.pcap")
        assert (row["status"] == "failed") == failed == (len(tables.captures) - len(tables.connections) == 1 and failed)
        assert (row["capture"], row["input_bytes"], row["input_etag"]) == (name, 1, "e")
        # A damaged one says why.
        assert bool(row["error"]) == (row["status"] != "ok")
        if failed:
            assert all(len(tables[table]) == 0 for table in tables if table != "captures")
            with pytest.raises(OSError):
                tcpwhy.tables(path, on_error="raise")


def test_missing_libraries_are_named(report, monkeypatch):
    for library, needed, method in (
        ("polars", "polars", "to_polars"),
        ("pandas", "pandas, pyarrow", "to_pandas"),
        ("arrow", "pyarrow", "to_arrow"),
    ):
        monkeypatch.setitem(sys.modules, library.replace("arrow", "pyarrow"), None)
        with pytest.raises(ImportError) as raised:
            getattr(report.tables.limits, method)()
        assert str(raised.value) == f"Table.{method}() needs {needed}: pip install 'tcpwhy[{library}]'"


@pytest.mark.parametrize("name", NAMES)
def test_streams(many, name):
    pyarrow = reader("pyarrow")
    batches = tcpwhy.explain_batches(many, name, threads=4)
    assert pyarrow.schema(batches) == pyarrow.schema(tcpwhy.explain(SAMPLES[0]).tables[name]) and batches.name == name
    streamed = pyarrow.RecordBatchReader.from_stream(batches).read_all()
    with pytest.raises(ValueError):
        batches.__arrow_c_stream__()
    whole = tcpwhy.tables(many, tables=[name], timeline=True)[name].to_arrow()
    order = [(column, "ascending") for column in whole.column_names if not pyarrow.types.is_list(whole.schema.field(column).type)]
    if name in ("captures", "fixes"):
        assert streamed.num_rows == whole.num_rows
    else:
        assert streamed.sort_by(order) == whole.sort_by(order)


def test_streams_that_are_left(many, send_buffer):
    pyarrow = reader("pyarrow")
    for _ in range(5):
        tcpwhy.explain_batches(many)
        pyarrow.RecordBatchReader.from_stream(tcpwhy.explain_batches(many, "limits")).read_next_batch()
    with open(send_buffer, "rb") as file, pytest.raises(ValueError):
        tcpwhy.explain_batches(file)
    with pytest.raises(FileNotFoundError):
        tcpwhy.explain_batches("missing.pcap")
    with pytest.raises(ValueError):
        tcpwhy.explain_batches(send_buffer, "nothing")
