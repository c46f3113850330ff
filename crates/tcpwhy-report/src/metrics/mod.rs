//! Metrics of `tcpwhy export`. Exposition, dashboard and alert rules are made from one table of metrics.
//! Their words are in `metrics.ftl`.

mod alerts;
mod dashboard;
mod exposition;
mod histogram;

pub use alerts::alerts;
pub use dashboard::dashboard;
pub use exposition::{Exposition, Family, Format};
pub use histogram::Histogram;

use tcpwhy_model::OutcomeKind;

/// A metric, which [`Metric::definition`] describes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs, reason = "the catalogue says what each is; it is what HELP says")]
pub enum Metric {
    LimitSeconds,
    LostSeconds,
    ZeroWindowSeconds,
    Connections,
    ConnectionsSeen,
    SentBytes,
    ReceivedBytes,
    RetransmittedBytes,
    QueuedBytes,
    UnreadBytes,
    ConnectionsFailed,
    RoundTripSeconds,
    SendBlockedSeconds,
    ExchangeSeconds,
    BufferSet,
    MemoryPressureEvents,
    ReceivePruned,
    Exporter,
    CpuSeconds,
    Samples,
    LookIntervalSeconds,
    NotSeen,
    FoldedSeries,
    LostEvents,
}

/// Types of metrics in `OpenMetrics`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Only increases while the exporter runs; its samples end in `_total`.
    Counter,
    /// Increases and decreases.
    Gauge,
    /// Number of values up to each bound.
    Histogram,
    /// Labels that describe the exporter; its sample ends in `_info`.
    Info,
}

/// The entity that a metric describes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// A group of connections: process, role and port precede its own labels.
    Group,
    /// The network namespace of the exporter.
    Host,
    /// The exporter itself.
    Exporter,
}

/// The source of values. A metric without its source is left out, because 0 would mean that it was measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// Samples of sockets.
    Samples,
    /// The kernel's counters, `/proc/net/netstat`.
    Counters,
    /// The exporter's own statistics.
    Exporter,
    /// Only BPF programs in the kernel.
    Bpf,
}

/// The definition of a metric, apart from its words.
#[derive(Clone, Copy, Debug)]
pub struct Definition {
    /// The metric.
    pub metric: Metric,
    /// Name of the family: a counter's without `_total`, an info's without `_info`.
    pub name: &'static str,
    /// Type of the metric.
    pub kind: Kind,
    /// Unit at the end of the name.
    pub unit: Option<&'static str>,
    /// Entity that it describes.
    pub scope: Scope,
    /// Labels in addition to those of the scope.
    pub labels: &'static [&'static str],
    /// Source of its values.
    pub source: Source,
}

/// Labels of a group of connections: the program, whether it is server or client, and the listening port.
pub(crate) const GROUP_LABELS: [&str; 3] = ["process", "role", "port"];

/// Value of process, role and port for connections that share their series because the limit of series is
/// reached.
pub const FOLDED: &str = "other";

const fn of(
    metric: Metric,
    name: &'static str,
    kind: Kind,
    unit: Option<&'static str>,
    scope: Scope,
    source: Source,
) -> Definition {
    Definition { metric, name, kind, unit, scope, labels: &[], source }
}

impl Definition {
    const fn with(self, labels: &'static [&'static str]) -> Self {
        Self { labels, ..self }
    }

    /// Message id of its HELP text.
    pub fn help_id(&self) -> String {
        format!("metric-{}", self.name.strip_prefix("tcpwhy_").unwrap_or("exporter").replace('_', "-"))
    }

    /// Name of its samples in queries; for a histogram of its buckets.
    pub fn sample(&self) -> String {
        let suffix = match self.kind {
            Kind::Counter => "_total",
            Kind::Gauge => "",
            Kind::Histogram => "_bucket",
            Kind::Info => "_info",
        };
        format!("{}{suffix}", self.name)
    }
}

/// All metrics, in the order of [`Metric`].
#[rustfmt::skip]
pub const TABLE: [Definition; 24] = {
    use Kind::{Counter, Gauge, Info};
    use Metric as M;
    use Scope::{Exporter, Group, Host};
    use Source::{Bpf, Counters, Samples};
    const SECONDS: Option<&str> = Some("seconds");
    const BYTES: Option<&str> = Some("bytes");
    [
        of(M::LimitSeconds, "tcpwhy_limit_seconds", Counter, SECONDS, Group, Samples).with(&["limit"]),
        of(M::LostSeconds, "tcpwhy_lost_seconds", Counter, SECONDS, Group, Samples),
        of(M::ZeroWindowSeconds, "tcpwhy_zero_window_seconds", Counter, SECONDS, Group, Samples),
        of(M::Connections, "tcpwhy_connections", Gauge, None, Group, Samples),
        of(M::ConnectionsSeen, "tcpwhy_connections_seen", Counter, None, Group, Samples),
        of(M::SentBytes, "tcpwhy_sent_bytes", Counter, BYTES, Group, Samples),
        of(M::ReceivedBytes, "tcpwhy_received_bytes", Counter, BYTES, Group, Samples),
        of(M::RetransmittedBytes, "tcpwhy_retransmitted_bytes", Counter, BYTES, Group, Samples),
        of(M::QueuedBytes, "tcpwhy_queued_bytes", Gauge, BYTES, Group, Samples),
        of(M::UnreadBytes, "tcpwhy_unread_bytes", Gauge, BYTES, Group, Samples),
        of(M::ConnectionsFailed, "tcpwhy_connections_failed", Counter, None, Group, Samples).with(&["kind"]),
        of(M::RoundTripSeconds, "tcpwhy_round_trip_seconds", Kind::Histogram, SECONDS, Group, Samples),
        of(M::SendBlockedSeconds, "tcpwhy_send_blocked_seconds", Counter, SECONDS, Group, Bpf),
        of(M::ExchangeSeconds, "tcpwhy_exchange_seconds", Kind::Histogram, SECONDS, Group, Bpf).with(&["part"]),
        of(M::BufferSet, "tcpwhy_buffer_set", Counter, None, Group, Bpf).with(&["option"]),
        of(M::MemoryPressureEvents, "tcpwhy_memory_pressure_events", Counter, None, Host, Counters),
        of(M::ReceivePruned, "tcpwhy_receive_pruned", Counter, None, Host, Counters),
        of(M::Exporter, "tcpwhy", Info, None, Exporter, Source::Exporter).with(&["version", "mode"]),
        of(M::CpuSeconds, "tcpwhy_cpu_seconds", Counter, SECONDS, Exporter, Source::Exporter),
        of(M::Samples, "tcpwhy_samples", Counter, None, Exporter, Source::Exporter),
        of(M::LookIntervalSeconds, "tcpwhy_look_interval_seconds", Gauge, SECONDS, Exporter, Source::Exporter),
        of(M::NotSeen, "tcpwhy_not_seen", Gauge, None, Exporter, Source::Exporter).with(&["what"]),
        of(M::FoldedSeries, "tcpwhy_folded_series", Gauge, None, Exporter, Source::Exporter),
        of(M::LostEvents, "tcpwhy_lost_events", Counter, None, Exporter, Bpf),
    ]
};

impl Metric {
    /// Its definition.
    pub const fn definition(self) -> &'static Definition {
        // The table is in the order of the metrics (a test ensures it).
        &TABLE[self as usize]
    }

    /// Number of its series per group of connections, if its label `limit` has `limits` values.
    /// `has_accounts`: BPF programs measure in the kernel.
    pub const fn series_of_group(self, limits: usize, has_accounts: bool) -> usize {
        let definition = self.definition();
        match (definition.scope, definition.source, definition.kind) {
            (_, Source::Bpf, _) if !has_accounts => 0,
            (Scope::Group, Source::Samples, Kind::Histogram) => Histogram::SERIES,
            // A server has one histogram of turns, a client has two.
            (Scope::Group, Source::Bpf, Kind::Histogram) => 2 * Histogram::SERIES,
            (Scope::Group, Source::Bpf, Kind::Counter) if definition.labels.is_empty() => 1,
            (Scope::Group, Source::Samples, _) => {
                if definition.labels.is_empty() {
                    1
                } else if matches!(self, Self::ConnectionsFailed) {
                    OutcomeKind::ALL.len()
                } else {
                    limits
                }
            }
            _ => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Catalogue, Language};

    #[test]
    fn the_table_is_in_order_and_names_are_as_openmetrics_wants_them() {
        for (index, definition) in TABLE.iter().enumerate() {
            assert_eq!(definition.metric as usize, index, "{}", definition.name);
            let unit = definition.unit.map(|unit| format!("_{unit}")).unwrap_or_default();
            assert!(definition.name.ends_with(&unit), "{}", definition.name);
            assert!(
                !definition.name.ends_with("_total") && definition.name.starts_with("tcpwhy"),
                "{}",
                definition.name
            );
            assert!(definition.name.bytes().all(|b| b == b'_' || b.is_ascii_lowercase()), "{}", definition.name);
        }
        assert_eq!(Metric::Exporter.definition().sample(), "tcpwhy_info");
        assert_eq!(Metric::SentBytes.definition().sample(), "tcpwhy_sent_bytes_total");
    }

    #[test]
    fn every_metric_has_words() {
        for language in Language::ALL {
            let catalogue = Catalogue::new(language);
            for definition in &TABLE {
                assert!(catalogue.has(&definition.help_id()), "{} {}", language.tag(), definition.help_id());
            }
        }
    }
}
