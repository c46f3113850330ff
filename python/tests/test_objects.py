"""Reports and the objects in them."""

import datetime
import json
import pathlib
import re
from collections.abc import Mapping, Sequence

import pytest

import tcpwhy

from conftest import ROOT, SAMPLES, output_of, reader


def test_a_report_is_a_sequence(many):
    report = tcpwhy.explain(many)
    assert isinstance(report, Sequence) and len(report) == 300 and report
    assert [c.id for c in report] == list(range(300)) == [report[i].id for i in range(300)]
    assert report[-1] == report[299] != report[0] and hash(report[-1]) == hash(report[299])
    assert [c.id for c in report[10:2:-3]] == [10, 7, 4] and report[500:] == []
    assert report[7] in report and report.index(report[7]) == 7 and report.count(report[7]) == 1
    assert [c.id for c in reversed(report)][:2] == [299, 298]
    for wrong in (300, -301, 10**30):
        with pytest.raises((IndexError, OverflowError)):
            report[wrong]
    with pytest.raises(TypeError):
        report["0"]


def test_what_the_documentation_shows(report):
    connection = report[0]
    address, port = connection.destination
    assert (address, port) == ("192.0.2.10", 5001) and str(connection.source) == "198.51.100.20:46280"
    assert connection.start == datetime.datetime(2026, 11, 21, 5, 30, 18, 742640, tzinfo=datetime.timezone.utc)
    assert (connection.ending, connection.vantage, connection.initiator) == ("closed", "sender", 0)
    half = connection.main
    assert half.sender == connection.destination and half in [half] and len(connection.halves) == 2
    verdict = half.verdict
    assert (verdict.limit, verdict.detail, verdict.severity) == ("send_buffer", None, "critical")
    assert str(verdict).startswith("The send buffer is too small")
    assert repr(verdict).startswith("Verdict(limit='send_buffer', detail=None, seconds=4.98")
    assert half.limits.seconds("send_buffer") == verdict.seconds == half.limits[0].seconds
    assert half.limits.seconds("path") == 0 and half.limits.share("send_buffer") > 0.9
    assert isinstance(half.limits, Sequence) and half.limits[0] in half.limits
    assert sum(share.seconds for share in half.limits) == pytest.approx(half.duration, abs=1e-9)
    assert sum(interval.duration for interval in half.intervals) == pytest.approx(half.duration, abs=1e-9)
    finding = half.findings[0]
    assert (finding.rule, finding.severity) == ("send-buffer-plateau", "critical")
    assert any("SO_SNDBUF" in line for line in finding.fixes[0].lines)
    prediction = finding.prediction
    assert prediction.low <= prediction.seconds <= prediction.high < half.duration
    assert {evidence.name: evidence.value for evidence in finding.evidence}["plateau_bytes"] == 29872
    assert "29.9 kB" in str(finding)



def test_an_unknown_limit_is_an_error_that_lists_the_known_ones(report):
    limits = report[0].main.limits
    for ask in (limits.share, limits.seconds):
        for typo in ("sendbuffer", "sendbufer", "", "SEND_BUFFER", "slow_reader"):
            with pytest.raises(ValueError, match="send_buffer.*congestion_window"):
                ask(typo)
        with pytest.raises(ValueError, match="slow_reader.*zero_window|zero_window.*slow_reader"):
            ask("receive_window", "slowreader")
        with pytest.raises(ValueError):
            ask("receive_window", "rto")
        assert ask("receive_window", "slow_reader") == 0 == ask("receive-window", "slow-reader")
        assert ask("send-buffer") == ask("send_buffer") > 0.9


def test_the_limits_of_the_types_are_those_that_there_are(report):
    stub = pathlib.Path(tcpwhy.__file__).with_name("_tcpwhy.pyi").read_text(encoding="utf-8")
    typed = {
        name: re.findall(r'"(\w+)"', re.search(rf"^{name}: TypeAlias = Literal\[(.*?)\]", stub, re.M | re.S)[1])
        for name in ("_Limit", "_Detail")
    }
    limits = report[0].main.limits
    with pytest.raises(ValueError) as unknown:
        limits.share("?")
    assert str(unknown.value).split("known: ")[1].split(", ") == typed["_Limit"]
    details = []
    for limit in typed["_Limit"]:
        with pytest.raises(ValueError) as unknown:
            limits.share(limit, "?")
        if "known: " in str(unknown.value):
            details += str(unknown.value).split("known: ")[1].split(", ")
    assert sorted(details) == sorted(typed["_Detail"])


def test_objects_do_not_change(report):
    connection = report[0]
    for change in (lambda: setattr(connection, "id", 1), lambda: setattr(connection.main.verdict, "limit", "path")):
        with pytest.raises(AttributeError):
            change()
    with pytest.raises(TypeError):
        tcpwhy.Report()


def test_objects_outlive_their_report(send_buffer):
    half = tcpwhy.explain(send_buffer)[0].main
    assert half.verdict.limit == "send_buffer" and half.sender.port == 5001


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda path: path.name)
def test_json_is_that_of_the_program(sample):
    report = tcpwhy.explain(sample)
    for options, arguments in [
        ({}, []),
        ({"timeline": True}, ["--timeline"]),
        ({"words": False}, ["--words", "none"]),
    ]:
        expected = output_of("explain", "--lang", "en", "--json", *arguments, sample).decode()
        assert report.to_json(**options) + "\n" == expected
    chinese = tcpwhy.explain(sample, lang="zh-CN").to_json() + "\n"
    assert chinese == output_of("explain", "--lang", "zh-CN", "--json", sample).decode()


def test_json_of_many_connections(many):
    assert tcpwhy.explain(many).to_json() + "\n" == output_of("explain", "--lang", "en", "--json", many).decode()


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda path: path.name)
def test_objects_say_what_json_says(sample):
    report = tcpwhy.explain(sample)
    document = json.loads(report.to_json())
    assert len(report) == len(document["connections"])
    check_answer(report.answer, document["answer"])
    for connection, told in zip(report, document["connections"]):
        assert connection.to_json() == json.dumps(told, separators=(",", ":"), ensure_ascii=False) or (
            json.loads(connection.to_json()) == told
        )
        assert [connection.id, connection.community_id, connection.ending, connection.first_packet] == [
            told[key] for key in ("id", "community_id", "ending", "first_packet")
        ]
        assert told["vantage"]["position"].startswith(connection.vantage)
        assert (connection.duration, connection.start_ns) == (told["duration_s"], told["start_ns"])
        check_answer(connection.answer, told["answer"])
        assert list(connection.packets) == told["packets"]
        for half, expected in zip(connection.halves, told["halves"], strict=True):
            assert half.sender_index == expected["sender"] and half.bytes == expected["bytes"]
            assert half.goodput_bits_per_s == expected["goodput_bits_per_s"]
            for name in ("rtt_us", "flight_bytes", "receive_window_bytes"):
                spread = getattr(half, name)
                keys = ("min", "median", "p95", "max")
                assert (spread and [getattr(spread, key) for key in keys]) == (
                    expected[name] and [expected[name][key] for key in keys]
                )
            keys = ("limit", "detail", "seconds", "share", "confidence")
            shares = [[getattr(share, key) for key in keys] for share in half.limits]
            assert shares == [[share[key] for key in keys] for share in expected["limits"]]
            for key in ("limit", "detail", "seconds", "confidence", "severity", "sentence", "alternative", "reason"):
                assert getattr(half.verdict, key) == expected["verdict"][key]
            for finding, diagnosis in zip(half.findings, expected["findings"], strict=True):
                check_finding(finding, diagnosis)
        for finding, diagnosis in zip(connection.findings, told["findings"], strict=True):
            check_finding(finding, diagnosis)
        exchanges, asked = connection.exchanges, told.get("exchanges")
        assert (exchanges is None) == (asked is None)
        if exchanges and "parts" in asked:
            assert (exchanges.count, exchanges.pattern) == (asked["count"], asked["pattern"])
            assert exchanges.server_s == asked["parts"]["server_s"]
            assert [exchange.duration for exchange in exchanges.slowest[:5]] == [x["time_s"] for x in asked["slowest"]]
    for problem, told in zip(report.problems, document.get("problems", []), strict=True):
        for ours, theirs in [("lost", "lost_s"), *[(key, key) for key in ("kind", "cause", "connections", "sentence")]]:
            assert getattr(problem, ours) == told[theirs]
        assert problem.example.id == told["example"]
        check_answer(problem.answer, told["answer"])
        server = problem.address if problem.port is None else f"{problem.address}:{problem.port}"
        if ":" not in problem.address:
            assert f"server='{server}'" in repr(problem)
    for service, told in zip(report.services, document.get("services", []), strict=True):
        assert [service.address, service.port, service.bytes] == [told[key] for key in ("address", "port", "bytes")]
        assert list(service.limits.items()) == [(limit["limit"], limit["seconds"]) for limit in told["limits"]]


def attributes(value):
    """All public attributes of an object and of those that it has."""
    if isinstance(value, list):
        return [attributes(one) for one in value]
    if type(value).__module__ != "tcpwhy":
        return value
    names = [name for name in dir(value) if not name.startswith("_")]
    return {name: attributes(getattr(value, name)) for name in names}


def check_answer(answer, told):
    # JSON leaves out sentences that there are not.
    sentences = dict.fromkeys(("sentence", "why", "fix", "but"))
    assert attributes(answer) == sentences | told
    assert str(answer) == (told.get("why") or "") and repr(answer).startswith(f"Answer(kind='{told['kind']}'")


def check_finding(finding, told):
    for key in ("rule", "severity", "confidence", "seconds", "sentence"):
        assert getattr(finding, key) == told[key]
    assert [(e.name, e.value, e.basis) for e in finding.evidence] == [
        (e["name"], e["value"], e["basis"]) for e in told["evidence"]
    ]
    assert [(fix.id, fix.place, fix.text, fix.lines, fix.is_rival) for fix in finding.fixes] == [
        (fix["id"], fix["where"], fix["text"], fix["lines"], fix.get("rival", False)) for fix in told["fixes"]
    ]
    assert [(fix.readiness, fix.missing) for fix in finding.fixes] == [
        (fix["readiness"], fix.get("missing", [])) for fix in told["fixes"]
    ]
    prediction, expected = finding.prediction, told["prediction"]
    assert (prediction is None) == (expected is None)
    if prediction:
        seconds = expected["seconds"]
        assert [prediction.low, prediction.seconds, prediction.high] == [
            seconds.get(key) for key in ("low", "value", "high")
        ]
        assert (prediction.claim, prediction.next_limit) == (expected["claim"], expected["next_limit"])


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda path: path.name)
def test_community_id_is_that_of_others(sample):
    communityid = reader("communityid")
    for connection in tcpwhy.explain(sample):
        (source, source_port), (destination, destination_port) = connection.source, connection.destination
        flow = communityid.FlowTuple.make_tcp(source, destination, source_port, destination_port)
        assert connection.community_id == communityid.CommunityID().calc(flow)


def test_tables_are_a_mapping(report):
    tables = report.tables
    assert isinstance(tables, Mapping) and set(tables) == set(tables.keys()) and "limits" in tables and 5 not in tables
    assert dict(tables)["halves"].columns == tables.halves.columns and len(tables.items()) == len(tables) == 11
    assert tables.limits.name == "limits" and len(tables.intervals) == 0
    assert len(report.tables_with(timeline=True).intervals) > 0
    with pytest.raises(KeyError):
        tables["nothing"]


def test_charts(report, send_buffer):
    picture = report[0].chart()
    assert str(picture).lstrip().startswith("<") and "</svg>" in picture._repr_svg_() and "<script" not in str(picture)
    dark = report[0].chart(theme="dark", stretch=(1.0, 2.0), half=1)
    assert str(dark) != str(picture)
    assert str(tcpwhy.explain(send_buffer.read_bytes())[0].chart()) == str(picture)
    with open(send_buffer, "rb") as file:
        once = tcpwhy.explain(file)
    for wrong in (
        lambda: once[0].chart(),
        lambda: report[0].chart(half=2),
        lambda: report[0].chart(theme="pink"),
        lambda: report[0].chart(stretch=(2.0, 1.0)),
    ):
        with pytest.raises(ValueError):
            wrong()


def test_rules_and_buffers_and_audit():
    rules = {rule.id: rule for rule in tcpwhy.rules()}
    assert "send_buffer" in rules["send-buffer-plateau"].limits and rules["send-buffer-plateau"].doc
    assert any("\u4e00" <= letter <= "\u9fff" for letter in tcpwhy.rules(lang="zh-CN")[0].title)
    answer = tcpwhy.buffers(rcvbuf="64KiB", rtt="20ms", bandwidth=1e9, kernel="6.1", sysctls={"net.core.rmem_max": 10**6})
    arguments = "--rcvbuf 64KiB --rtt 20ms --bandwidth 1gbit --kernel 6.1 --sysctl net.core.rmem_max=1000000"
    assert answer.to_dict() == json.loads(output_of("buffers", "--lang", "en", "--json", *arguments.split()))
    assert str(answer).startswith("SO_RCVBUF") and "</svg>" in str(answer.chart())
    for wrong in ({"rcvbuf": "64x"}, {"bandwidth": 1e6}, {"mtu": 5}, {"kernel": "what"}, {"rtt": float("nan")}):
        with pytest.raises(ValueError):
            tcpwhy.buffers(**{"kernel": "6.1", **wrong})
    saved = ROOT / "samples" / "host"
    audit = tcpwhy.audit(saved=saved)
    expected = json.loads(output_of("audit", "--lang", "en", "--json", saved))
    ours = json.loads(audit.to_json())
    for document in (ours, expected):
        del document["generated_at"]
    assert ours == expected and [f.rule for f in audit] == [f["rule"] for f in expected["findings"]]
    assert len(audit) == len(audit.findings) > 0 and audit[0].fixes
    with pytest.raises(OSError):
        tcpwhy.audit(saved=saved / "nothing")


def test_everything_public_is_described():
    for name in tcpwhy.__all__:
        public = getattr(tcpwhy, name)
        if name == "__version__":
            continue
        assert public.__doc__, name
        members = vars(public) if isinstance(public, type) else {}
        for member, value in members.items():
            if not member.startswith("_"):
                assert value.__doc__ and len(value.__doc__) > 3, (name, member)
    assert "threads=None" in tcpwhy.explain.__text_signature__
