//! What rules, verdict and prediction may look at.

use tcpwhy_model::{Basis, Cause, Detail, Evidence, Finding, Limit, Value};

use super::{Rule, severity};
use crate::half::summary::Summary;
use crate::outcome::{Ending, Role, Side, Vantage, Verdict};

/// What one end's SYN offered.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SynFacts {
    pub(crate) mss: Option<u16>,
    pub(crate) window_scale: Option<u8>,
    pub(crate) has_timestamps: bool,
    pub(crate) has_sack: bool,
}

/// Packets of one end that found no answer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Blackout {
    pub(crate) packets: u32,
    /// From the first of them to the other end's next word, or to the end.
    pub(crate) nanos: i64,
    /// The other end's last word before had been a closed window.
    pub(crate) is_window_closed: bool,
}

impl Blackout {
    /// Fewer packets, or less time, are no blackout.
    pub(crate) const LEAST: u32 = 3;
    pub(crate) const LEAST_NANOS: i64 = 1_000_000_000;
}

/// One direction with data, and what of the connection matters to it.
#[derive(Debug)]
pub(crate) struct HalfFacts<'a> {
    pub(crate) half: &'a Summary,
    pub(crate) verdict: &'a Verdict,
    /// What the sender is to the connection.
    pub(crate) role: Role,
    /// The SYN of the sender and of the receiver of this data, as far as seen.
    pub(crate) sender_syn: Option<SynFacts>,
    pub(crate) receiver_syn: Option<SynFacts>,
    /// How often the SYN or SYN-ACK was repeated.
    pub(crate) syn_repeats: u32,
    pub(crate) ending: Ending,
    /// Unique bytes that the peer sent.
    pub(crate) peer_bytes: u64,
    /// Keep-alives and window probes of the sender.
    pub(crate) probes: u64,
    /// The longest stretch of the sender's packets that found no answer.
    pub(crate) blackout: Option<Blackout>,
    /// The sender reset the connection after a closed window, without sending any more data.
    pub(crate) has_died_in_closed_window: bool,
}

impl HalfFacts<'_> {
    /// Length of the span in seconds.
    pub(crate) fn seconds(&self) -> f64 {
        self.half.limits.span().seconds()
    }

    /// Seconds under a limit, all details.
    pub(crate) fn seconds_of(&self, limit: Limit) -> f64 {
        self.half.limits.nanos_of(limit) as f64 / 1e9
    }

    /// Seconds under one detail.
    pub(crate) fn seconds_of_detail(&self, detail: Detail) -> f64 {
        self.half.limits.nanos_of_cause(Cause::from(detail)) as f64 / 1e9
    }

    /// Share of the span.
    pub(crate) fn share(&self, seconds: f64) -> f64 {
        let all = self.seconds();
        if all > 0.0 { seconds / all } else { 0.0 }
    }

    /// The start of a finding of `rule` about the time under the causes that `is_mine` picks; `None` unless the verdict
    /// names one of them or they took `least` of the span.
    pub(crate) fn explain(&self, rule: &Rule, least: f64, is_mine: impl Fn(Cause) -> bool) -> Option<Finding> {
        let (nanos, confidence) = self.half.limits.sum(&is_mine);
        let seconds = nanos as f64 / 1e9;
        let is_verdict = self.verdict.cause.is_some_and(&is_mine);
        let share = self.share(seconds);
        if !is_verdict && (share < least || nanos <= 0) {
            return None;
        }
        let main = is_verdict.then(|| self.seconds_to_act_on());
        let severity = severity::of_time(self.half, seconds, main).min(rule.severity);
        let nature =
            self.verdict.cause.filter(|&c| is_mine(c)).and_then(|c| severity::most_for(self.half, self.role, c));
        Some(Finding {
            rule: rule.id,
            severity: nature.map_or(severity, |most| severity.min(most)),
            // What explains the verdict is as sure as the verdict.
            confidence: if is_verdict || nanos <= 0 { self.verdict.confidence } else { confidence },
            seconds: Some(seconds),
            evidence: Vec::new(),
            fixes: Vec::new(),
            prediction: None,
        })
    }

    /// Seconds of all that the verdict's change concerns.
    fn seconds_to_act_on(&self) -> f64 {
        let family = self.verdict.cause.and_then(Cause::family);
        self.half.limits.sum(|c| family.is_some() && c.family() == family).0 as f64 / 1e9
    }

    /// Lengths of the stretches under one detail, nanoseconds, shortest first.
    pub(crate) fn stretches(&self, detail: Detail) -> Vec<i64> {
        let cause = Cause::from(detail);
        let mut all: Vec<i64> =
            self.half.limits.intervals().iter().filter(|i| i.cause == cause).map(|i| i.span.nanos()).collect();
        all.sort_unstable();
        all
    }

    /// Typical round trip, nanoseconds: the median, else the least known.
    pub(crate) fn rtt_typical(&self) -> Option<u64> {
        self.half.rtt.map(|r| r.median).or(self.half.rtt_min.map(|r| r.max(0) as u64))
    }

    /// The usual evidence: the typical round trip.
    pub(crate) fn rtt_evidence(&self) -> Option<Evidence> {
        let basis = if self.half.vantage == Vantage::Sender { Basis::WireExact } else { Basis::WireInferred };
        Some(Evidence { name: "rtt_us", value: Value::from(self.rtt_typical()? / 1000), basis })
    }

    /// The smallest round trip.
    pub(crate) fn rtt_min_evidence(&self) -> Option<Evidence> {
        Some(inferred("rtt_min_us", self.half.rtt_min? / 1000))
    }

    /// Bytes per second while `limit` bound.
    pub(crate) fn rate_under(&self, limit: Limit) -> Option<f64> {
        let seconds = self.seconds_of(limit);
        let bytes = self.half.moved.bytes_under(limit);
        (seconds > 0.0 && bytes > 0.0).then(|| bytes / seconds)
    }

    /// Unique bytes per second over the whole span.
    pub(crate) fn goodput(&self) -> f64 {
        let seconds = self.seconds();
        if seconds > 0.0 { self.half.counts.bytes as f64 / seconds } else { 0.0 }
    }

    /// Share of all payload bytes on the wire that were sent again, in percent.
    pub(crate) fn retransmitted_percent(&self) -> f64 {
        let again = self.half.counts.retransmitted_bytes as f64;
        let all = again + self.half.counts.bytes as f64;
        if all > 0.0 { again * 100.0 / all } else { 0.0 }
    }

    /// What a window should hold so as not to limit: twice what the path holds, as far as that was seen, and at least
    /// four times what it held.
    pub(crate) fn wanted_window(&self, held: u64) -> u64 {
        let bdp = self.half.train_rate.zip(self.rtt_seconds()).map_or(0.0, |(rate, rtt)| rate * rtt);
        (held.saturating_mul(4)).max((bdp * 2.0) as u64)
    }

    /// Base round trip in seconds.
    pub(crate) fn rtt_seconds(&self) -> Option<f64> {
        self.half.rtt_min.filter(|&r| r > 0).map(|r| r as f64 / 1e9)
    }
}

/// A connection as a whole.
#[derive(Debug)]
pub(crate) struct ConnectionFacts<'a> {
    pub(crate) initiator: Option<Side>,
    pub(crate) ending: Ending,
    pub(crate) packets: [u64; 2],
    /// How often the SYN was sent.
    pub(crate) syns: u32,
    pub(crate) syn_facts: [Option<SynFacts>; 2],
    /// Seconds from the first SYN to the last.
    pub(crate) syn_seconds: f64,
    /// The SYN was answered with the number of a connection that the other end still knew.
    pub(crate) has_met_old_connection: bool,
    /// Unique payload bytes in each direction.
    pub(crate) bytes: [u64; 2],
    /// Bytes not acknowledged when the connection was reset.
    pub(crate) unacknowledged: u64,
    /// Keep-alives and window probes in each direction.
    pub(crate) probes: [u64; 2],
    pub(crate) halves: &'a [crate::outcome::HalfConnection],
}

/// The start of a finding besides the limits: no time of its own.
pub(crate) fn note(rule: &Rule, confidence: f64) -> Finding {
    Finding {
        rule: rule.id,
        severity: rule.severity,
        confidence,
        seconds: None,
        evidence: Vec::new(),
        fixes: Vec::new(),
        prediction: None,
    }
}

/// Evidence read straight off the packets.
pub(crate) fn exact(name: &'static str, value: impl Into<Value>) -> Evidence {
    Evidence { name, value: value.into(), basis: Basis::WireExact }
}

/// Evidence that follows from the packets by reasoning.
pub(crate) fn inferred(name: &'static str, value: impl Into<Value>) -> Evidence {
    Evidence { name, value: value.into(), basis: Basis::WireInferred }
}
