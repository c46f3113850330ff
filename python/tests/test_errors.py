"""Inputs that cannot be read, damage, and arguments that make no sense."""

import io
import os
import sys
import warnings

import pytest

import tcpwhy

from conftest import ROOT


def test_system_errors_are_those_of_open(tmp_path):
    for path in (tmp_path / "missing.pcap", tmp_path):
        with pytest.raises(OSError) as expected:
            open(path, "rb")
        with pytest.raises(type(expected.value)) as ours:
            tcpwhy.explain(path)
        assert (ours.value.errno, ours.value.filename) == (expected.value.errno, str(path))
        assert ours.value.strerror == expected.value.strerror
        assert not isinstance(ours.value, tcpwhy.CaptureError)
    with pytest.raises(FileNotFoundError):
        tcpwhy.archive(tmp_path / "missing.tgz")


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read everything")
def test_permissions(tmp_path):
    path = tmp_path / "secret.pcap"
    path.touch(mode=0)
    with pytest.raises(PermissionError):
        tcpwhy.explain(path)


@pytest.mark.parametrize("name", ["empty.pcap", "short.pcap", "text.pcap", "zeros.pcap"])
def test_nothing_to_read(damaged, name):
    for source in (damaged[name], damaged[name].read_bytes(), io.BytesIO(damaged[name].read_bytes())):
        with pytest.raises(tcpwhy.CaptureError) as raised:
            tcpwhy.explain(source, name="some.pcap")
        assert isinstance(raised.value, OSError) and "some.pcap" in str(raised.value)
    with pytest.raises(tcpwhy.CaptureError, match="[\u4e00-\u9fff]"):
        tcpwhy.explain(damaged[name], lang="zh-CN")


def test_a_capture_without_packets(damaged):
    report = tcpwhy.explain(damaged["header.pcap"])
    assert len(report) == 0 and report and report.captures[0].status == "ok" and "<svg" not in report._repr_html_()


@pytest.mark.parametrize("name", ["truncated.pcap", "truncated.pcap.gz"])
def test_damage_is_a_warning(damaged, name):
    with pytest.warns(tcpwhy.CaptureWarning) as warned:
        report = tcpwhy.explain(damaged[name])
    assert len(warned) == 1 and name in str(warned[0].message) and warned[0].filename == __file__
    [capture] = report.captures
    assert capture.status == "damaged" and capture.packets > 10 and len(report) == 1
    [anomaly] = capture.anomalies
    assert anomaly.is_damage and anomaly.count == 1 and anomaly.text and anomaly.kind in str(anomaly.kind)
    with warnings.catch_warnings():
        warnings.simplefilter("error", tcpwhy.CaptureWarning)
        with pytest.raises(tcpwhy.CaptureWarning):
            tcpwhy.explain(damaged[name])


def test_what_is_no_source():
    for wrong in (5, None, object(), ["a.pcap"], ("a.pcap",), {}):
        with pytest.raises(TypeError):
            tcpwhy.explain(wrong)
    for text in ("README.md", "samples/send-buffer.pcap.gz"):
        with open(ROOT / text, encoding="utf-8") as file:
            with pytest.raises(TypeError, match='open the file in binary mode \\("rb"\\)'):
                tcpwhy.explain(file)
            [report] = tcpwhy.explain_many([file])
            assert isinstance(report.error, TypeError) and "binary mode" in str(report.error)
            with pytest.raises(TypeError, match="binary mode"):
                list(tcpwhy.archive(file))
            with pytest.raises(TypeError, match="explain_many.*TextIOWrapper"):
                tcpwhy.explain_many(file)
    for one in ("a.pcap", b"a", bytearray(b"a"), memoryview(b"a"), ROOT, io.BytesIO()):
        with pytest.raises(TypeError, match="explain_many.* takes a list"):
            tcpwhy.explain_many(one)
    with pytest.raises(ValueError):
        tcpwhy.explain([], merge=True)
    with pytest.raises(TypeError):
        tcpwhy.explain("a.pcap", merge=True)
    with pytest.raises(ValueError):
        tcpwhy.explain("a\0b")


class Broken:
    """A file object that fails in the middle."""

    def __init__(self, content, error):
        self.parts = [content, error]

    def read(self, size):
        part = self.parts.pop(0)
        if isinstance(part, BaseException):
            raise part
        return part


def test_what_read_raises_is_raised(send_buffer):
    content = send_buffer.read_bytes()[:9000]
    for error in (RuntimeError("mine"), TimeoutError(110, "late"), KeyboardInterrupt(), SystemExit(3)):
        with pytest.raises(type(error)) as raised:
            tcpwhy.explain(Broken(content, error))
        assert raised.value is error
    for wrong in ("text", 5, None):
        with pytest.raises((TypeError, BlockingIOError)):
            tcpwhy.explain(Broken(content, wrong) if wrong is not None else Broken(None, b""))
    tables = tcpwhy.tables(Broken(content, ValueError("store")), name="s3://bucket/a.pcap")
    assert len(tables.captures) == 1 and len(tables.connections) == 0
    with pytest.raises(KeyboardInterrupt):
        tcpwhy.tables(Broken(content, KeyboardInterrupt()))


def test_file_objects_may_read_in_small_pieces(send_buffer, report):
    class Pieces(io.BytesIO):
        def read(self, size=-1):
            return super().read(min(size, 700))

    assert tcpwhy.explain(Pieces(send_buffer.read_bytes()), name=report.path).to_json() == report.to_json()
    content = send_buffer.read_bytes()
    for source in (content, bytearray(content), memoryview(content), io.BytesIO(content)):
        assert tcpwhy.explain(source, name=report.path).to_json() == report.to_json()


@pytest.mark.parametrize(
    "arguments",
    [
        {"host": "nonsense"},
        {"host": ["10.0.0.0/33"]},
        {"port": 70_000},
        {"port": "http"},
        {"min_bytes": -1},
        {"lang": "fr"},
        {"threads": 0},
        {"threads": 10_000},
        {"anonymize": 3.5},
        {"anonymize": ""},
        {"nothing": 1},
    ],
)
def test_arguments_that_make_no_sense(send_buffer, arguments):
    with pytest.raises((ValueError, TypeError, OverflowError)) as raised:
        tcpwhy.explain(send_buffer, **arguments)
    assert not isinstance(raised.value, OSError) and str(raised.value)


def test_errors_are_said_in_the_language_of_the_call(send_buffer):
    for call, said in [
        (lambda: tcpwhy.explain(send_buffer, threads=0, lang="zh-CN"), "threads：应为 1 到 1024"),
        (lambda: tcpwhy.explain([send_buffer], lang="zh-CN"), "explain() 只在 merge=True 时接受列表"),
        (lambda: tcpwhy.buffers(window=1.0, bandwidth=1.0, lang="zh-CN"), "bandwidth 和 bytes 需要同时给出 rtt"),
        (lambda: tcpwhy.buffers(rtt=float("inf"), lang="zh-CN"), "rtt：应为有限的数"),
    ]:
        with pytest.raises((ValueError, TypeError)) as raised:
            call()
        assert said in str(raised.value)


def test_filters(many):
    of = lambda **arguments: len(tcpwhy.explain(many, **arguments))  # noqa: E731
    assert of(host="10.0.0.0/24") == 200 and of(host=["10.0.1.", "10.0.0.1"]) == 101 and of(host="::/0") == 0
    assert of(port=[20_000, 20_005]) == 2 and of(port=443) == 300 and of(min_bytes=12 * 1400) == 300
    assert of(min_bytes=12 * 1400 + 1) == 0
    some = tcpwhy.explain(many, port=[20_005, 20_000])
    assert [connection.id for connection in some] == [0, 5] and some.excluded == 298
    assert str(some[1].source) == "10.0.0.6:20005"


def test_anonymized(send_buffer, many):
    report = tcpwhy.explain(send_buffer, anonymize="passphrase")
    again = tcpwhy.explain(send_buffer, anonymize=b"passphrase")
    other = tcpwhy.explain(send_buffer, anonymize=True)
    assert report[0].source == again[0].source != other[0].source and report.path == again.path
    texts = [report.to_json(), report._repr_html_(), repr(report), str(report.tables.connections), str(report[0].chart())]
    assert not any("192.0.2.10" in text or "send-buffer.pcap" in text for text in texts)
    assert [c.bytes for c in tcpwhy.explain(many, anonymize=True)] == [c.bytes for c in tcpwhy.explain(many)]


def test_merged(many, tmp_path):
    records = many.read_bytes()
    header, half = records[:24], 24 + (len(records) - 24) // 2
    # Split between two records: each is as long as its header says.
    at = 24
    while at < half:
        at += 16 + int.from_bytes(records[at + 8 : at + 12], "little")
    first, second = tmp_path / "first.pcap", tmp_path / "second.pcap"
    first.write_bytes(records[:at])
    second.write_bytes(header + records[at:])
    merged = tcpwhy.explain([second, str(first)], merge=True)
    whole = tcpwhy.explain(many)
    assert len(merged) == 300 and len(merged.captures) == 2 and len(merged.tables.captures) == 2
    assert [c.bytes for c in merged] == [c.bytes for c in whole]
    assert [c.main.verdict.limit for c in merged] == [c.main.verdict.limit for c in whole]
    assert "</svg>" in str(merged[0].chart())


@pytest.mark.skipif(sys.platform == "win32", reason="names of Linux")
def test_hostile_names(tmp_path, send_buffer):
    content = send_buffer.read_bytes()
    for name in ("<img src=x onerror=alert(1)>.pcap", "a\n\x1b]0;x\x07.pcap", "‮fdp.pcap", "'; drop table.pcap", "\udcff.pcap"):
        path = tmp_path / name
        path.write_bytes(content)
        report = tcpwhy.explain(path)
        html = report._repr_html_()
        assert "<img" not in html and "\x1b" not in html and "\x07" not in html and "‮" not in html
        assert len(report) == 1 and len(report.tables.captures) == 1 and repr(report) and report.to_json()
        assert [name for name, _ in tcpwhy.archive(tmp_path)][0]
        path.unlink()
