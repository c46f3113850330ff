"""What notebooks show."""

import re
from html.parser import HTMLParser

import pytest

import tcpwhy

from conftest import SAMPLES, capture, transfer

VOID = {"br", "meta"}


class Checked(HTMLParser):
    """Fails for scripts, handlers, addresses of other hosts, and elements that are not ended."""

    def __init__(self, text):
        super().__init__()
        self.open = []
        self.text = []
        self.feed(text)
        assert not self.open

    def handle_starttag(self, tag, attributes):
        assert tag in {"div", "style", "p", "b", "br", "span", "code", "small", "svg", "rect", "title", "i"} | {
            "table", "tr", "td", "th"
        }, tag
        for name, value in attributes:
            assert not name.startswith("on") and "http" not in value and "url(" not in value, (name, value)
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text.append(data)


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda path: path.name)
def test_pages_are_well_formed(sample):
    for lang in ("en", "zh-CN"):
        report = tcpwhy.explain(sample, lang=lang)
        for page in [report, *report, *report[0].halves]:
            Checked(page._repr_html_())
        assert str(report[0].main.verdict) in "".join(Checked(report[0]._repr_html_()).text)


def test_both_grounds(report):
    html = report._repr_html_()
    assert "prefers-color-scheme:dark" in html and 'data-jp-theme-light="false"' in html
    light, dark = (re.search(pattern, html) for pattern in ('class="tcpwhy-send_buffer" fill="(#[0-9a-f]+)"', "rect.tcpwhy-send_buffer{fill:(#[0-9a-f]+)}"))
    assert light[1] != dark[1]
    widths = [int(width) for width in re.findall(r'<rect x="\d+" width="(\d+)"', html)]
    assert sum(widths) == 400


def test_ten_of_many(many):
    html = tcpwhy.explain(many)._repr_html_()
    assert html.count("<tr>") == 10 and "290 more connections" in html and len(html) < 200_000
    Checked(html)


def test_names_of_servers_are_text(tmp_path):
    name = b"<script>alert(1)</script>.example"
    first = b"GET / HTTP/1.1\r\nHost: " + name + b"\r\n\r\n"
    path = tmp_path / "named.pcap"
    path.write_bytes(capture(transfer(("10.0.0.1", 40_000), ("192.0.2.1", 80), 1000, [1400] * 20, first)))
    report = tcpwhy.explain(path, server_names=True)
    server = report[0].server
    assert tcpwhy.explain(path)[0].server.server_name is None
    if server.server_name is not None:
        assert server.server_name == name.decode()
    for page in [report, *report, *report[0].halves]:
        html = page._repr_html_()
        Checked(html)
        assert "<script" not in html


def test_a_failed_capture(damaged):
    [report] = tcpwhy.explain_many([damaged["empty.pcap"]])
    assert "empty" in "".join(Checked(report._repr_html_()).text)
