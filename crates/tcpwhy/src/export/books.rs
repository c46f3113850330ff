//! The metrics that a scrape returns.

use std::ops::RangeInclusive;
use std::time::Duration;

use tcpwhy_model::host::Counters;
use tcpwhy_model::{Limit, OutcomeKind};
use tcpwhy_report::Catalogue;
use tcpwhy_report::metrics::{Exposition, Format, Metric};

use super::groups::{By, ExchangePart, Group, Groups};
use crate::watching::{Accounts, Blind, Watch};

/// The values of all metrics, as of the last scan of all sockets.
#[derive(Debug)]
pub(super) struct Books {
    by: By,
    groups: Groups,
    /// Increases with every scan of all sockets.
    pub(super) edition: u64,
    counters: Option<Counters>,
    cpu: Duration,
    samples: u64,
    look_every: Duration,
    /// `bpf` or `samples`.
    mode: &'static str,
    lost_events: Option<u64>,
    not_seen: Vec<&'static str>,
}

impl Books {
    pub(super) fn new(by: By, max_series: usize, outgoing: RangeInclusive<u16>, has_accounts: bool) -> Self {
        Self {
            by,
            groups: Groups::new(by, max_series, outgoing, has_accounts),
            edition: 0,
            counters: None,
            cpu: Duration::ZERO,
            samples: 0,
            look_every: Duration::ZERO,
            mode: "samples",
            lost_events: None,
            not_seen: Vec::new(),
        }
    }

    /// Adds the progress of all connections since the last update.
    pub(super) fn update(&mut self, watch: &mut Watch) {
        self.groups.begin(watch.now());
        watch.host.take_progress(|connection, progress| self.groups.add(connection, &progress));
        let effort = watch.effort();
        (self.cpu, self.samples) = (effort.setup + effort.cpu, effort.samples);
        self.mode = if watch.accounts().is_some() { "bpf" } else { "samples" };
        self.lost_events = watch.accounts().map(Accounts::lost_events);
        self.look_every = watch.plan().dump_every;
        self.not_seen = watch.blind().into_iter().map(Blind::id).collect();
        self.counters = tcpwhy_live::counters();
        self.edition += 1;
    }

    /// All metrics as text.
    pub(super) fn told(&self, format: Format, words: &Catalogue) -> String {
        let labels = self.by.labels();
        let mut out = Exposition::new(format, words, &labels);
        let groups = self.groups.told();
        let groups: Vec<(Vec<&str>, &Group)> =
            groups.iter().map(|(labels, group)| (labels.iter().map(String::as_str).collect(), *group)).collect();
        let mut limits = out.family(Metric::LimitSeconds);
        for (labels, group) in &groups {
            for limit in Limit::ALL {
                limits.sample(&[labels, &[limit.id()][..]].concat(), seconds(group.time[limit as usize]));
            }
        }
        let mut each = |metric: Metric, value: fn(&Group) -> Option<f64>| {
            let mut family = out.family(metric);
            for (labels, group) in &groups {
                if let Some(value) = value(group) {
                    family.sample(labels, value);
                }
            }
        };
        each(Metric::LostSeconds, |group| Some(seconds(group.lost)));
        each(Metric::ZeroWindowSeconds, |group| Some(seconds(group.zero_window)));
        each(Metric::Connections, |group| Some(group.open as f64));
        each(Metric::ConnectionsSeen, |group| Some(group.seen as f64));
        each(Metric::SentBytes, |group| Some(group.sent as f64));
        each(Metric::ReceivedBytes, |group| Some(group.received as f64));
        each(Metric::RetransmittedBytes, |group| group.retransmitted.map(|bytes| bytes as f64));
        each(Metric::QueuedBytes, |group| Some(group.queued as f64));
        each(Metric::UnreadBytes, |group| Some(group.unread as f64));
        // A failure that never happened has no series.
        let mut failed = out.family(Metric::ConnectionsFailed);
        for (labels, group) in &groups {
            for kind in OutcomeKind::ALL.into_iter().filter(|kind| group.failed[*kind as usize] > 0) {
                failed.sample(&[labels, &[kind.id()][..]].concat(), group.failed[kind as usize]);
            }
        }
        let mut round_trips = out.family(Metric::RoundTripSeconds);
        for (labels, group) in &groups {
            round_trips.histogram(labels, &group.round_trips);
        }
        if groups.iter().any(|(_, group)| group.blocked.is_some()) {
            let mut blocked = out.family(Metric::SendBlockedSeconds);
            for (labels, group) in &groups {
                if let Some(nanos) = group.blocked {
                    blocked.sample(labels, seconds(nanos));
                }
            }
        }
        if self.mode == "bpf" {
            let mut exchanges = out.family(Metric::ExchangeSeconds);
            for (labels, group) in &groups {
                for (part, histogram) in ExchangePart::ALL.into_iter().zip(&group.exchanges) {
                    if histogram.count() > 0 {
                        exchanges.histogram(&[labels, &[part.id()][..]].concat(), histogram);
                    }
                }
            }
        }
        for (metric, counter) in
            [(Metric::MemoryPressureEvents, "TCPMemoryPressures"), (Metric::ReceivePruned, "PruneCalled")]
        {
            if let Some(count) = self.counters.as_ref().and_then(|counters| counters.ext(counter)) {
                out.family(metric).sample(&[], count);
            }
        }
        out.family(Metric::Exporter).sample(&[env!("CARGO_PKG_VERSION"), self.mode], 1);
        out.family(Metric::CpuSeconds).sample(&[], self.cpu.as_secs_f64());
        out.family(Metric::Samples).sample(&[], self.samples);
        out.family(Metric::LookIntervalSeconds).sample(&[], self.look_every.as_secs_f64());
        let mut not_seen = out.family(Metric::NotSeen);
        self.not_seen.iter().for_each(|what| not_seen.sample(&[what], 1));
        out.family(Metric::FoldedSeries).sample(&[], self.groups.folded_series());
        if let Some(lost) = self.lost_events {
            out.family(Metric::LostEvents).sample(&[], lost);
        }
        out.finish()
    }
}

fn seconds(nanos: u128) -> f64 {
    nanos as f64 / 1e9
}
