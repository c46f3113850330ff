use crate::capture::CaptureRecord;
use crate::kind::{Integer, Maybe, Moment, Real, Text, Texts};
use crate::table::table;

table! {
    /// A capture, including those that could not be read.
    CaptureRow => Captures {
        /// Path or URL as given; `archive.tgz!member` for a member of an archive.
        capture: Text,
        /// `ok`, `damaged` or `failed`.
        status: Text,
        /// Reason why it could not be read, or a description of the damage. JSON has the latter only in
        /// `anomalies`.
        error: Maybe<Text>,
        /// `pcap`, `pcap-ns`, `pcap-modified`, `pcap-nokia` or `pcapng`.
        format: Maybe<Text>,
        /// Packets of any kind.
        packets: Maybe<Integer>,
        /// TCP segments.
        segments: Maybe<Integer>,
        /// Packets that are not TCP or could not be read as such.
        skipped: Maybe<Integer>,
        /// Bytes of packets in the file.
        captured_bytes: Maybe<Integer>,
        /// Bytes of packets on the wire.
        original_bytes: Maybe<Integer>,
        /// Time of the first packet.
        start: Maybe<Moment>,
        /// The same, in nanoseconds since the epoch.
        start_ns: Maybe<Integer>,
        /// Seconds from the first to the last packet.
        duration_s: Maybe<Real>,
        /// Number of connections, including those that a filter excluded.
        connections: Maybe<Integer>,
        /// Kinds of damage and other anomalies.
        anomalies: Texts,
        /// Length of the input in bytes.
        input_bytes: Maybe<Integer>,
        /// Entity tag of the object store for this version of the input.
        input_etag: Maybe<Text>,
        /// Version of tcpwhy.
        tool_version: Text,
        /// Seconds for reading and analysis.
        analysis_s: Maybe<Real>,
        /// SHA-256 of the stored input, as `sha256sum` prints it. Null if it was not read completely, or if
        /// names are anonymized.
        content_sha256: Maybe<Text>,
        /// Number of rows in `connections` with a wrong clock. `status` describes only the file.
        wrong_clock: Maybe<Integer>,
    }
}

impl Captures {
    pub(crate) fn add(&mut self, record: &CaptureRecord<'_>, wrong_clock: Option<u64>) {
        let summary = record.summary;
        let count =
            |count: fn(&tcpwhy_model::CaptureSummary) -> u64| summary.map(|summary| super::integer(count(summary)));
        let span = summary.and_then(|summary| summary.span);
        self.push(CaptureRow {
            capture: record.capture.into(),
            status: record.status().id().into(),
            error: record.error.map(Into::into),
            format: summary.map(|summary| summary.format.id().into()),
            packets: count(|summary| summary.packets),
            segments: count(|summary| summary.segments),
            skipped: count(|summary| summary.skipped),
            captured_bytes: count(|summary| summary.captured_bytes),
            original_bytes: count(|summary| summary.original_bytes),
            start: span.map(tcpwhy_model::Span::start),
            start_ns: span.map(|span| span.start().as_nanos()),
            duration_s: span.map(tcpwhy_model::Span::seconds),
            connections: record.connections.map(super::integer),
            anomalies: summary
                .map(|summary| summary.anomalies.iter().map(|anomaly| anomaly.kind.id().into()).collect())
                .unwrap_or_default(),
            input_bytes: record.input_bytes.map(super::integer),
            input_etag: record.input_etag.map(Into::into),
            tool_version: env!("CARGO_PKG_VERSION").into(),
            analysis_s: record.analysis_s,
            content_sha256: record.content_sha256.map(Into::into),
            wrong_clock: wrong_clock.map(super::integer),
        });
    }
}
