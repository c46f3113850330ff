"""Which limit kept a TCP connection from going faster, for how long, and what to change.

    report = tcpwhy.explain("slow.pcap")
    print(report[0].main.verdict)
    report.tables.limits.to_polars()

Attributes without a unit in their name are in seconds, bytes or shares (0 to 1). Ids are those of the JSON
schema `tcpwhy/1`.
"""

from collections.abc import Iterator, Mapping, Sequence

from ._tcpwhy import (
    Anomaly,
    Answer,
    Archive,
    Audit,
    Batches,
    Buffers,
    Capture,
    CaptureError,
    CaptureWarning,
    Connection,
    Distribution,
    Endpoint,
    Evidence,
    Exchange,
    Exchanges,
    Finding,
    Fix,
    Half,
    Interval,
    Items,
    Limits,
    LimitShare,
    Picture,
    Prediction,
    Problem,
    Report,
    Reports,
    Rival,
    Rule,
    Service,
    Table,
    Tables,
    Then,
    Verdict,
    __version__,
    archive,
    audit,
    buffers,
    explain,
    explain_batches,
    explain_many,
    rules,
    tables,
)

for _sequence in (Audit, Limits, Report):
    Sequence.register(_sequence)
for _iterator in (Archive, Items, Reports):
    Iterator.register(_iterator)
Mapping.register(Tables)
del Iterator, Mapping, Sequence, _iterator, _sequence

__all__ = [
    "Anomaly",
    "Answer",
    "Archive",
    "Audit",
    "Batches",
    "Buffers",
    "Capture",
    "CaptureError",
    "CaptureWarning",
    "Connection",
    "Distribution",
    "Endpoint",
    "Evidence",
    "Exchange",
    "Exchanges",
    "Finding",
    "Fix",
    "Half",
    "Interval",
    "Items",
    "LimitShare",
    "Limits",
    "Picture",
    "Prediction",
    "Problem",
    "Report",
    "Reports",
    "Rival",
    "Rule",
    "Service",
    "Table",
    "Tables",
    "Then",
    "Verdict",
    "__version__",
    "archive",
    "audit",
    "buffers",
    "explain",
    "explain_batches",
    "explain_many",
    "rules",
    "tables",
]
